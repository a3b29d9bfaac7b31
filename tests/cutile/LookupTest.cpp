//===- LookupTest.cpp - dlsym under tileiras-cutile -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Client.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

/// In libcutile-neighbour.so, which has functions of its own by these names.
using Neighbour = void *(const char *name);
static Neighbour *neighbour(const char *function) {
  static void *opened = dlopen(TILEIRAS_TEST_NEIGHBOUR, RTLD_NOW | RTLD_LOCAL);
  INFO(dlerror());
  REQUIRE(opened);
  return reinterpret_cast<Neighbour *>(dlsym(opened, function));
}

static std::string objectOf(void *address) {
  Dl_info info = {};
  return dladdr(address, &info) ? info.dli_fname : "";
}

TEST_CASE("the driver's functions are ours, however they are found; its others are its own") {
  driver();
  for (const char *name : {"cuLaunchKernel", "cuLaunchKernelEx_ptsz", "cuGetProcAddress_v2", "cuGraphAddNode_v2"}) {
    INFO(name);
    CHECK(objectOf(dlsym(driver(), name)).find("libtileiras-cutile.so") != std::string::npos);
    CHECK(dlsym(driver(), name) == dlsym(RTLD_DEFAULT, name));
#ifndef TILEIRAS_TEST_LINKED
    CHECK(dlsym(driver(), name) == dlvsym(driver(), name, "TEST_1"));
#endif
  }
  CHECK(objectOf(dlsym(driver(), "cuFuncSetAttribute")).find("libcuda.so") != std::string::npos);
  CHECK(objectOf(dlsym(driver(), "recordedCalls")).find("libcuda.so") != std::string::npos);
}

TEST_CASE("no lookup leaves an error that it did not have") {
  dlerror();
  CHECK(dlsym(driver(), "cuLaunchKernel"));
  CHECK(dlerror() == nullptr);
  CHECK(dlsym(driver(), "cuGraphAddNode"));
  CHECK(dlerror() == nullptr);
  CHECK(dlsym(driver(), "cuDoesNotExist") == nullptr);
  const char *error = dlerror();
  REQUIRE(error);
  CHECK(strstr(error, "cuDoesNotExist"));
  CHECK(dlerror() == nullptr);
}

TEST_CASE("cuGetProcAddress says what it does not know") {
  auto get = reinterpret_cast<decltype(&cuGetProcAddress_v2)>(dlsym(driver(), "cuGetProcAddress_v2"));
  void *function = nullptr;
  int status = -1;
  CHECK(get("cuDoesNotExist", &function, 13000, 0, &status) != 0);
  CHECK(function == nullptr);
  CHECK(status == 1);
  CHECK(get("cuGetProcAddress", &function, 13000, 0, &status) == 0);
  CHECK(function == reinterpret_cast<void *>(get));
  CHECK(get("cuCtxGetDevice", &function, 13000, 0, &status) == 0);
  CHECK(objectOf(function).find("libcuda.so") != std::string::npos);
}

TEST_CASE("other names, and functions of these names that are not the driver's, are what they are") {
  // The same address as without us: the default version, and a named one.
  CHECK(objectOf(dlsym(RTLD_DEFAULT, "malloc")).find("libc.so") != std::string::npos);
  CHECK(dlsym(RTLD_DEFAULT, "no such name at all") == nullptr);
  CHECK(dlsym(RTLD_NEXT, "no such name at all") == nullptr);
  CHECK(dlvsym(RTLD_DEFAULT, "malloc", "NO_SUCH_VERSION") == nullptr);
  // A library's own cuLaunchKernel is neither the driver's, nor ours.
  void *own = neighbour("findOwn")("cuLaunchKernel");
  CHECK(objectOf(own).find("libcutile-neighbour.so") != std::string::npos);
}

TEST_CASE("RTLD_NEXT and RTLD_DEFAULT are answered for who asks") {
  // The neighbour depends on a library of which this program knows nothing.
  void *ofDepth = neighbour("findDefault")("onlyInTheDepth");
  REQUIRE(ofDepth);
  CHECK(objectOf(ofDepth).find("libcutile-depth.so") != std::string::npos);
  CHECK(dlsym(RTLD_DEFAULT, "onlyInTheDepth") == nullptr);
  // Both have this function: what is next for the neighbour is the other one.
  CHECK(objectOf(neighbour("findOwn")("inBoth")).find("libcutile-neighbour.so") != std::string::npos);
  CHECK(objectOf(neighbour("findNext")("inBoth")).find("libcutile-depth.so") != std::string::npos);
  // It has no versions, so that any will do.
  CHECK(objectOf(neighbour("findNextVersion")("inBoth")).find("libcutile-depth.so") != std::string::npos);
  CHECK(dlsym(RTLD_NEXT, "inBoth") == nullptr);
}
