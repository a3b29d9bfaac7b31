//===- RulesTest.h - What tests of the driver's rules share -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_DRIVER_RULESTEST_H
#define TILEIRAS_TESTS_DRIVER_RULESTEST_H

#include "Api.h"
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace emudriver::testing {

/// PTX for the GPU that the driver pretends to have.
std::string targetGpu(); ///< "sm_90"
/// A module with the entry `k`: what stands between its name and its body, and the body.
std::string entryPtx(const std::string &parameters, const std::string &directives, const std::string &body,
                     const std::string &before = "");
/// Stores the n-th word of its argument into out[n], by the first thread of CTA n: out[n] = value + n.
std::string storePtx(const std::string &directives = "");

/// A context of the test's own: when a kernel loses it, other tests are not affected.
class TestContext {
public:
  TestContext();
  ~TestContext();
  void *handle = nullptr;
};

class TestModule {
public:
  explicit TestModule(const std::string &ptx);
  ~TestModule();
  void *handle = nullptr, *function = nullptr;
};

using Sizes = std::array<unsigned, 3>;

/// cuLaunchKernelEx of a kernel that has `arguments`, on the default stream.
struct Launch {
  Sizes grid{1, 1, 1}, block{32, 1, 1}, cluster{0, 0, 0};
  unsigned sharedBytes = 0;
  void *stream = nullptr;
  Result operator()(void *function, std::vector<void *> arguments = {}) const;
};

DevicePointer allocateWords(size_t count);
std::vector<unsigned> readWords(DevicePointer, size_t count);

} // namespace emudriver::testing

#endif // TILEIRAS_TESTS_DRIVER_RULESTEST_H
