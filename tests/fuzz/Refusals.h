//===- Refusals.h - Errors about the program, and others ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_FUZZ_REFUSALS_H
#define TILEIRAS_TESTS_FUZZ_REFUSALS_H

#include "llvm/ADT/StringRef.h"

namespace tileiras {

/// Whether an error says what is wrong with the program; otherwise something is wrong with the compiler.
inline bool isAboutTheProgram(llvm::StringRef message) {
  // The program's own names may look like ours.
  if (message.contains("compute capability") || message.contains("cannot be the name of"))
    return true;
  for (const char *internal : {"failed to legalize", "PTX generation failed", "LLVM optimisation failed",
                               "translation to LLVM IR failed", "linking libdevice failed", "'llvm.", "'nv_tileaa.",
                               "'nv_tileas.", "'arith.", "'scf.", "'vector.", "'nvvm.", "'func.", "'math."})
    if (message.contains(internal))
      return false;
  return true;
}

} // namespace tileiras

#endif // TILEIRAS_TESTS_FUZZ_REFUSALS_H
