//===- EntryPoints.h - All functions of the CUDA driver, by name -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the driver does not emulate is there all the same: it says so, and is not supported. Declared without the
// functions' own types, which the implementations have.

#ifndef TILEIRAS_EMULATED_ENTRYPOINTS_H
#define TILEIRAS_EMULATED_ENTRYPOINTS_H

#include <span>

namespace emudriver {

/// A function as cuGetProcAddress knows it: its name without a suffix, and the CUDA version that brought this form.
struct EntryPoint {
  const char *name;
  int since;
  const char *symbol;
  void *address;
  bool isPerThread; ///< null is the calling thread's default stream
};

/// All of EntryPoints.inc.
std::span<const EntryPoint> entryPoints();
/// Says that the function is not emulated; its result.
int refuseUnsupported(const char *function);
/// What stands for a function that has a null stream be the calling thread's; null: nothing does.
void *perThreadForm(const char *symbol);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_ENTRYPOINTS_H
