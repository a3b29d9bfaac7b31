//===- EntryPoints.cpp - All functions of the CUDA driver, by name -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each is defined weakly here; the implementations elsewhere are what the linker takes. Their declarations must not be
// seen here.

#include "EntryPoints.h"
#include <iterator>

#define EMULATED_CUDA_ENTRY(name, since, symbol, isPerThread)                                                          \
  extern "C" __attribute__((weak, visibility("default"))) int symbol();
#include "EntryPoints.inc"
#undef EMULATED_CUDA_ENTRY

// A symbol of two names (a version of one became another) is defined once.
#define EMULATED_CUDA_ENTRY(name, since, symbol, isPerThread) EMULATED_CUDA_DEFINE(symbol)
#define EMULATED_CUDA_DEFINE(symbol)                                                                                   \
  int symbol() {                                                                                                       \
    return emudriver::refuseUnsupported(#symbol);                                                                      \
  }
#include "EntryPoints.inc"
#undef EMULATED_CUDA_ENTRY

namespace emudriver {

std::span<const EntryPoint> entryPoints() {
#define EMULATED_CUDA_ENTRY(name, since, symbol, isPerThread)                                                          \
  {#name, since, #symbol, reinterpret_cast<void *>(&symbol), isPerThread},
  static const EntryPoint entries[] = {
#include "EntryPoints.inc"
      {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags",
       reinterpret_cast<void *>(&cuGraphInstantiateWithFlags), false}};
#undef EMULATED_CUDA_ENTRY
  return entries;
}

} // namespace emudriver
