//===- ProcAddress.cpp - Functions by name and version -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoints.h"
#include "State.h"
#include <cstring>
#include <set>

using namespace emudriver;

namespace emudriver {

int refuseUnsupported(const char *function) {
  // Once for each, whatever the program does about it.
  static std::set<std::string> &said = *new std::set<std::string>;
  std::lock_guard lock(State::get().mutex);
  if (said.insert(function).second)
    say(std::string(function) + " is not emulated: CUDA_ERROR_NOT_SUPPORTED");
  return kNotSupported;
}

/// The newest form that `version` has; null: none, and *status says why.
static void *findFunction(const char *name, int version, bool perThread, int &status) {
  const EntryPoint *best = nullptr;
  status = kSymbolNotFound;
  for (const EntryPoint &f : entryPoints()) {
    if (std::strcmp(f.name, name) != 0 || (f.isPerThread && !perThread))
      continue;
    if (f.since > version) {
      status = best ? status : kSymbolVersionNotSufficient;
    } else if (!best || (f.isPerThread && !best->isPerThread) ||
               (f.isPerThread == best->isPerThread && f.since > best->since)) {
      best = &f;
      status = kSymbolFound;
    }
  }
  if (!best)
    return nullptr;
  void *ofThread = best->isPerThread ? perThreadForm(best->symbol) : nullptr;
  return ofThread ? ofThread : best->address;
}

} // namespace emudriver

// As the first version, which has no status: that it answers CUDA_ERROR_NOT_FOUND is known of drivers of CUDA 11.
EMULATED_CUDA_API cuGetProcAddress(const char *name, void **address, int version, uint64_t flags) {
  return callBeforeInit("cuGetProcAddress", [&] {
    int status = kSymbolFound;
    const Result result = cuGetProcAddress_v2(name, address, version, flags, &status);
    require(result == kSuccess, result, "see above");
    require(status == kSymbolFound, kNotFound, std::string("no function '") + name + "'");
  });
}

EMULATED_CUDA_API cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status) {
  return callBeforeInit("cuGetProcAddress", [&] {
    constexpr uint64_t kLegacy = 1, kPerThread = 2;
    require(name && address, kInvalidValue, "a null pointer");
    require(flags == 0 || flags == kLegacy || flags == kPerThread, kInvalidValue, "unknown flags");
    *address = nullptr;
    // CUDA driver API: a version beyond the driver's is an invalid value; a name it does not have is none.
    require(version <= Configuration::get().version, kInvalidValue,
            "CUDA " + std::to_string(version) + " is newer than the driver, " +
                std::to_string(Configuration::get().version));
    int found = kSymbolNotFound;
    *address = findFunction(name, version, flags == kPerThread, found);
    if (!*address && Configuration::get().verbose)
      say(std::string("cuGetProcAddress: the emulated driver has no '") + name + "' of CUDA " +
          std::to_string(version));
    if (status)
      *status = found;
  });
}
