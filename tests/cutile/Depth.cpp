//===- Depth.cpp - A library that only Neighbour.cpp depends on -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

extern "C" int onlyInTheDepth() {
  return 2;
}
extern "C" int inBoth() {
  return 3;
}
