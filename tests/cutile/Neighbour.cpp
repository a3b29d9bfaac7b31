//===- Neighbour.cpp - A library that looks functions up ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>

extern "C" {
int cuLaunchKernel() {
  return 12345;
}
int inBoth() {
  return 1;
}
int onlyInTheDepth();

void *findOwn(const char *name) {
  return dlsym(dlopen(TILEIRAS_TEST_NEIGHBOUR, RTLD_NOW | RTLD_NOLOAD), name);
}

// Not the last thing they do: a tail call would have another caller.
void *findDefault(const char *name) {
  void *volatile found = dlsym(RTLD_DEFAULT, name);
  return onlyInTheDepth() ? found : nullptr;
}
void *findNext(const char *name) {
  void *volatile found = dlsym(RTLD_NEXT, name);
  return found;
}
void *findNextVersion(const char *name) {
  void *volatile found = dlvsym(RTLD_NEXT, name, "NO_SUCH_VERSION");
  return found;
}
}
