//===- SanitizerOptions.cpp - What the sanitizers do not look at ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/// MLIR and LLVM are not instrumented: what they do to the standard containers, and to the arenas that instrumented
/// code of their headers poisons, is invisible to the sanitizer.
extern "C" __attribute__((used)) const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0";
}
