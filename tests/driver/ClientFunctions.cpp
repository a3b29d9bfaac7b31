//===- ClientFunctions.cpp - The functions of the driver that the client calls -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClientFunctions.h"
#include <dlfcn.h>

#ifdef DRIVER_CLIENT_LINKED
#include "Api.h"
#endif

namespace emudriver {

static void *openDriver() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    throw std::runtime_error(dlerror());
  return library;
}

static void *findSymbol(void *library, const char *symbol) {
  void *address = dlsym(library, symbol);
  if (!address)
    throw std::runtime_error("libcuda.so.1 has no " + std::string(symbol));
  return address;
}

static void *askDriver(void *getProcAddress, const char *name, int version) {
  auto *ask = reinterpret_cast<Result (*)(const char *, void **, int, uint64_t, int *)>(getProcAddress);
  void *address = nullptr;
  int status = 0;
  const Result result = ask(name, &address, version, 0, &status);
  if (result != kSuccess || !address)
    throw std::runtime_error("cuGetProcAddress(\"" + std::string(name) + "\", " + std::to_string(version) +
                             "): result " + std::to_string(result) + ", status " + std::to_string(status));
  return address;
}

ClientFunctions::ClientFunctions(Lookup lookup) {
  if (lookup == Lookup::Linked) {
#ifdef DRIVER_CLIENT_LINKED
#define DRIVER_CLIENT_LINK(name, symbol, version, parameters) name = &::symbol;
    DRIVER_CLIENT_FUNCTIONS(DRIVER_CLIENT_LINK)
#undef DRIVER_CLIENT_LINK
    return;
#else
    throw std::runtime_error("this client is not linked against the driver: driver-client-linked is");
#endif
  }
  void *library = openDriver();
  void *getProcAddress = lookup == Lookup::GetProcAddress ? findSymbol(library, "cuGetProcAddress_v2") : nullptr;
#define DRIVER_CLIENT_FIND(name, symbol, version, parameters)                                                          \
  name = reinterpret_cast<Result(*) parameters>(getProcAddress ? askDriver(getProcAddress, #name, version)             \
                                                               : findSymbol(library, #symbol));
  DRIVER_CLIENT_FUNCTIONS(DRIVER_CLIENT_FIND)
#undef DRIVER_CLIENT_FIND
}

void ClientFunctions::check(Result result, const std::string &call) const {
  if (result == kSuccess)
    return;
  const char *name = "?", *text = "?";
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  throw std::runtime_error(call + ": " + std::to_string(result) + " " + name + ": " + text);
}

} // namespace emudriver
