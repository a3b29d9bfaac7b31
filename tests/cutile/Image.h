//===- Image.h - Cubins for tests -------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_CUTILE_IMAGE_H
#define TILEIRAS_TESTS_CUTILE_IMAGE_H

#include "TestImage.h"
#include <array>
#include <vector>

struct TestKernel {
  std::string name;
  bool clusters = false; ///< the image says its block
  std::array<unsigned, 3> block = {128, 1, 1};
  unsigned sharedBytes = 0; ///< dynamic
  unsigned cluster = 1;     ///< CTAs
};

/// The text that the compiler leaves in an image.
inline std::string makeMetadata(const std::vector<TestKernel> &kernels) {
  nlohmann::json all = nlohmann::json::array();
  for (const TestKernel &kernel : kernels) {
    nlohmann::json made = launchtest::makeKernel(kernel.name);
    made["block_size"] = kernel.block;
    made["cluster_size"] = {kernel.cluster, 1, 1};
    made["dynamic_shared_bytes"] = kernel.sharedBytes;
    made["launch_blocks"] = kernel.clusters ? "clusters" : "threads";
    made["launch_block_size"] = kernel.clusters ? std::array<unsigned, 3>{1, 1, 1} : kernel.block;
    all.push_back(made);
  }
  return launchtest::makeMetadata(all).dump();
}

inline std::string makeImage(const std::vector<TestKernel> &kernels) {
  return launchtest::makeCubin(makeMetadata(kernels));
}

/// Another compiler's.
inline std::string makeForeignImage() {
  return launchtest::makeCubin(std::nullopt);
}

#endif // TILEIRAS_TESTS_CUTILE_IMAGE_H
