//===- Image.h - Cubins for tests -------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_CUTILE_IMAGE_H
#define TILEIRAS_TESTS_CUTILE_IMAGE_H

#include <string>
#include <vector>

struct TestKernel {
  std::string name;
  bool clusters = false; ///< the image says its block
  unsigned block[3] = {128, 1, 1};
  unsigned sharedBytes = 0; ///< dynamic
  unsigned cluster = 1;     ///< CTAs
};

/// The text that the compiler leaves in an image.
std::string makeMetadata(const std::vector<TestKernel> &kernels);

/// An ELF file with nothing but symbol `symbol`, whose contents are `text`.
std::string makeImage(const std::string &text, const std::string &symbol = "__tileiras_metadata");

#endif // TILEIRAS_TESTS_CUTILE_IMAGE_H
