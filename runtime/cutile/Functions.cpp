//===- Functions.cpp - The driver's functions that the library stands in for ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "LoaderSymbols.h"
#include <cstring>

namespace tileiras::cutile {

#define TILEIRAS_CUTILE_FUNCTION(NAME)                                                                                 \
  { #NAME, reinterpret_cast < void *>(&NAME), &originalOf < &NAME> }

// Names with and without a suffix stand together, the plain one first: cuGetProcAddress is asked for that one.
static const Function kFunctions[] = {TILEIRAS_CUTILE_FUNCTION(cuLaunchKernel),
                                      TILEIRAS_CUTILE_FUNCTION(cuLaunchKernel_ptsz),
                                      TILEIRAS_CUTILE_FUNCTION(cuLaunchKernelEx),
                                      TILEIRAS_CUTILE_FUNCTION(cuLaunchKernelEx_ptsz),
                                      TILEIRAS_CUTILE_FUNCTION(cuLaunchCooperativeKernel),
                                      TILEIRAS_CUTILE_FUNCTION(cuLaunchCooperativeKernel_ptsz),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphAddKernelNode),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphAddKernelNode_v2),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphAddNode),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphAddNode_v2),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphKernelNodeSetParams),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphKernelNodeSetParams_v2),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphExecKernelNodeSetParams),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphExecKernelNodeSetParams_v2),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphNodeSetParams),
                                      TILEIRAS_CUTILE_FUNCTION(cuGraphExecNodeSetParams),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleLoad),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleLoadData),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleLoadDataEx),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleLoadFatBinary),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleUnload),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleGetFunction),
                                      TILEIRAS_CUTILE_FUNCTION(cuModuleEnumerateFunctions),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryEnumerateKernels),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryLoadData),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryLoadFromFile),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryUnload),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryGetKernel),
                                      TILEIRAS_CUTILE_FUNCTION(cuLibraryGetModule),
                                      TILEIRAS_CUTILE_FUNCTION(cuKernelGetFunction),
                                      TILEIRAS_CUTILE_FUNCTION(cuGetProcAddress),
                                      TILEIRAS_CUTILE_FUNCTION(cuGetProcAddress_v2)};

std::span<const Function> functions() {
  return kFunctions;
}

const Function *findFunction(const char *name) noexcept {
  // Programs look up thousands of names; those that begin otherwise cost two comparisons.
  if (!name || name[0] != 'c' || name[1] != 'u')
    return nullptr;
  for (const Function &function : kFunctions)
    if (strcmp(function.name, name) == 0)
      return &function;
  return nullptr;
}

void *findInDriver(const char *name) noexcept {
  static std::atomic<void *> known{nullptr};
  void *driver = known.load(std::memory_order_acquire);
  if (!driver) {
    // Whoever has the address of one of our functions expects it to work for good, so the driver stays.
    driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    if (driver)
      known.store(driver, std::memory_order_release);
  }
  void *found = driver ? realDlsym()(driver, name) : nullptr;
  if (!found)
    dlerror(); // the program asks for errors of its own lookups
  return found;
}

void *findOriginal(const Function &function) noexcept {
  void *original = function.original->load(std::memory_order_acquire);
  if (original)
    return original;
  // Another library that stands in for the driver, behind us in LD_PRELOAD, goes first. A driver that was opened by
  // somebody is not in that order.
  original = realDlsym()(RTLD_NEXT, function.name);
  if (!original) {
    dlerror();
    original = findInDriver(function.name);
  }
  if (original)
    function.original->store(original, std::memory_order_release);
  return original;
}

void *findOriginal(void *hook) noexcept {
  for (const Function &function : kFunctions)
    if (function.hook == hook)
      return findOriginal(function);
  return nullptr;
}

} // namespace tileiras::cutile
