//===- LaunchRulesTest.cpp - What the driver demands of a launch ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"
#include <cstring>

using namespace emudriver;
using namespace emudriver::testing;

static int attributeOf(void *function, int attribute) {
  int value = -1;
  REQUIRE(cuFuncGetAttribute(&value, attribute, function) == kSuccess);
  return value;
}

TEST_CASE("A kernel runs when somebody waits for it") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer out = allocateWords(4);
  unsigned value = 7;
  REQUIRE(Launch{.grid = {4, 1, 1}}(module.function, {&out, &value}) == kSuccess);
  value = 100; // arguments are copied by the launch
  REQUIRE(cuCtxSynchronize() == kSuccess);
  CHECK(readWords(out, 4) == std::vector<unsigned>{7, 8, 9, 10});
}

TEST_CASE("The block is .reqntid's") {
  TestContext context;
  TestModule module(entryPtx("", ".reqntid 64, 1, 1", ""));
  CHECK(Launch{.block = {64, 1, 1}}(module.function) == kSuccess);
  CHECK(Launch{.block = {1, 1, 1}}(module.function) == kInvalidValue);
  CHECK(Launch{.block = {32, 2, 1}}(module.function) == kInvalidValue);
  CHECK(attributeOf(module.function, kMaxThreadsPerBlock) == 64);
}

TEST_CASE("A block fits .maxntid and the machine") {
  TestContext context;
  TestModule bounded(entryPtx("", ".maxntid 64, 1, 1", "")), free(entryPtx("", "", ""));
  CHECK(Launch{.block = {64, 1, 1}}(bounded.function) == kSuccess);
  CHECK(Launch{.block = {65, 1, 1}}(bounded.function) == kInvalidValue);
  CHECK(Launch{.block = {1024, 1, 1}}(free.function) == kSuccess);
  CHECK(Launch{.block = {1025, 1, 1}}(free.function) == kInvalidValue);
  CHECK(Launch{.block = {512, 4, 1}}(free.function) == kInvalidValue);
  CHECK(Launch{.block = {1, 1, 65}}(free.function) == kInvalidValue);
  CHECK(Launch{.block = {0, 1, 1}}(free.function) == kInvalidValue);
}

TEST_CASE("A grid fits the machine") {
  TestContext context;
  TestModule module(entryPtx("", "", ""));
  CHECK(Launch{.grid = {0, 1, 1}}(module.function) == kInvalidValue);
  CHECK(Launch{.grid = {1, 65536, 1}}(module.function) == kInvalidValue);
  CHECK(Launch{.grid = {1, 1, 65536}}(module.function) == kInvalidValue);
  CHECK(Launch{.grid = {0x80000000u, 1, 1}}(module.function) == kInvalidValue);
  CHECK(Launch{.grid = {3, 2, 2}}(module.function) == kSuccess);
}

TEST_CASE("Clusters", "[sm_90]") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer out = allocateWords(32);
  unsigned value = 1;
  auto launch = [&](Sizes grid, Sizes cluster, void *function) {
    return Launch{.grid = grid, .cluster = cluster}(function, {&out, &value});
  };
  SECTION("divide the grid") {
    CHECK(launch({8, 1, 1}, {2, 1, 1}, module.function) == kSuccess);
    CHECK(launch({7, 1, 1}, {2, 1, 1}, module.function) == kInvalidValue);
    CHECK(launch({8, 1, 1}, {2, 0, 1}, module.function) == kInvalidValue);
  }
  SECTION("of more than eight CTAs take an attribute") {
    CHECK(launch({16, 1, 1}, {16, 1, 1}, module.function) == kInvalidClusterSize);
    REQUIRE(cuFuncSetAttribute(module.function, kNonPortableClusterSizeAllowed, 1) == kSuccess);
    CHECK(launch({16, 1, 1}, {16, 1, 1}, module.function) == kSuccess);
    CHECK(launch({32, 1, 1}, {32, 1, 1}, module.function) == kInvalidClusterSize);
  }
  SECTION("are the image's") {
    TestModule required(storePtx(".reqntid 32, 1, 1 .reqnctapercluster 2, 1, 1"));
    CHECK(launch({8, 1, 1}, {0, 0, 0}, required.function) == kSuccess);
    CHECK(launch({8, 1, 1}, {2, 1, 1}, required.function) == kSuccess);
    CHECK(launch({8, 1, 1}, {4, 1, 1}, required.function) == kInvalidClusterSize);
    CHECK(launch({7, 1, 1}, {0, 0, 0}, required.function) == kInvalidValue);
    CHECK(attributeOf(required.function, kRequiredClusterWidth) == 2);
    CHECK(cuFuncSetAttribute(required.function, kRequiredClusterWidth, 4) == kNotPermitted);
  }
  SECTION("are the function's") {
    for (int d = 0; d < 3; ++d)
      REQUIRE(cuFuncSetAttribute(module.function, kRequiredClusterWidth + d, d ? 1 : 4) == kSuccess);
    CHECK(launch({8, 1, 1}, {0, 0, 0}, module.function) == kSuccess);
    CHECK(launch({6, 1, 1}, {0, 0, 0}, module.function) == kInvalidValue);
    CHECK(launch({8, 1, 1}, {2, 1, 1}, module.function) == kInvalidClusterSize);
  }
  SECTION("have to be asked for where the image says so") {
    TestModule asking(storePtx(".explicitcluster"));
    CHECK(launch({8, 1, 1}, {0, 0, 0}, asking.function) == kInvalidClusterSize);
    CHECK(launch({8, 1, 1}, {2, 1, 1}, asking.function) == kSuccess);
  }
  CHECK(cuCtxSynchronize() == kSuccess);
}

TEST_CASE("A grid of clusters is launched with blocks of one thread", "[sm_90]") {
  TestContext context;
  TestModule module(storePtx(".blocksareclusters .reqntid 64, 1, 1 .reqnctapercluster 2, 1, 1"));
  DevicePointer out = allocateWords(8);
  unsigned value = 3;
  CHECK(Launch{.grid = {4, 1, 1}, .block = {64, 1, 1}}(module.function, {&out, &value}) == kInvalidValue);
  CHECK(Launch{.grid = {4, 1, 1}, .block = {2, 1, 1}}(module.function, {&out, &value}) == kInvalidValue);
  REQUIRE(Launch{.grid = {3, 1, 1}, .block = {1, 1, 1}}(module.function, {&out, &value}) == kSuccess);
  CHECK(readWords(out, 8) == std::vector<unsigned>{3, 4, 5, 6, 7, 8, 0, 0}); // three clusters of two CTAs
}

TEST_CASE("There are no clusters before sm_90", "[sm_80]") {
  TestContext context;
  TestModule module(entryPtx("", "", ""));
  CHECK(Launch{.grid = {8, 1, 1}, .cluster = {2, 1, 1}}(module.function) == kInvalidValue);
  CHECK(Launch{.grid = {8, 1, 1}}(module.function) == kSuccess);
  int clusters = -1, optIn = 0;
  REQUIRE(cuDeviceGetAttribute(&clusters, kDeviceClusterLaunch, 0) == kSuccess);
  REQUIRE(cuDeviceGetAttribute(&optIn, kDeviceSharedPerBlockOptIn, 0) == kSuccess);
  CHECK(clusters == 0);
  CHECK(optIn == 163 << 10);
}

/// A kernel with so many bytes of static shared memory.
static std::string tilePtx(unsigned bytes) {
  return entryPtx("", "", ".reg .u32 %v; mov.u32 %v, 1; st.shared.u32 [tile], %v;",
                  ".shared .align 16 .b8 tile[" + std::to_string(bytes) + "];\n");
}

TEST_CASE("Static shared memory beyond 48 KiB is refused, as ptxas does for targets without the suffix 'a'") {
  TestContext context;
  TestModule module(tilePtx((48 << 10) + 16));
  const bool runs = Launch{}(module.function) == kSuccess && cuCtxSynchronize() == kSuccess;
  CHECK_FALSE(runs);
}

TEST_CASE("Dynamic shared memory beyond 48 KiB takes an attribute") {
  TestContext context;
  int optIn = 0;
  REQUIRE(cuDeviceGetAttribute(&optIn, kDeviceSharedPerBlockOptIn, 0) == kSuccess);
  const unsigned most = static_cast<unsigned>(optIn);
  auto launch = [](void *function, unsigned bytes) { return Launch{.sharedBytes = bytes}(function); };
  SECTION("without static shared memory") {
    TestModule module(entryPtx("", "", ""));
    CHECK(launch(module.function, 48 << 10) == kSuccess);
    CHECK(launch(module.function, (48 << 10) + 1) == kInvalidValue);
    REQUIRE(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, 100'000) == kSuccess);
    CHECK(launch(module.function, 100'000) == kSuccess);
    CHECK(launch(module.function, 100'001) == kInvalidValue);
    CHECK(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, optIn + 1) == kInvalidValue);
    CHECK(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, -1) == kInvalidValue);
    CHECK(attributeOf(module.function, kMaxDynamicSharedBytes) == 100'000);
    CHECK(launch(module.function, most + 1) == kInvalidValue);
    REQUIRE(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, optIn) == kSuccess);
    CHECK(launch(module.function, most) == kSuccess);
  }
  SECTION("static shared memory takes none") {
    CHECK(launch(TestModule(tilePtx(48 << 10)).function, 0) == kSuccess);
  }
  SECTION("beside static shared memory") {
    TestModule module(tilePtx(40960));
    CHECK(attributeOf(module.function, kSharedBytes) == 40960);
    CHECK(launch(module.function, 8 << 10) == kSuccess);
    CHECK(launch(module.function, (8 << 10) + 1) == kInvalidValue);
    CHECK(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, optIn - 40960 + 1) == kInvalidValue);
    CHECK(cuFuncSetAttribute(module.function, kMaxDynamicSharedBytes, optIn - 40960) == kSuccess);
    CHECK(launch(module.function, most - 40960) == kSuccess);
  }
  CHECK(cuCtxSynchronize() == kSuccess);
}

TEST_CASE("Arguments") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer out = allocateWords(1);
  unsigned value = 5;
  CHECK(Launch{}(module.function) == kInvalidValue);
  CHECK(Launch{}(module.function, {&out, nullptr}) == kInvalidValue);
  char buffer[16] = {};
  std::memcpy(buffer, &out, 8);
  std::memcpy(buffer + 8, &value, 4);
  size_t bytes = 12;
  void *extra[] = {reinterpret_cast<void *>(kLaunchBufferPointer), buffer, reinterpret_cast<void *>(kLaunchBufferSize),
                   &bytes, nullptr};
  void *params[] = {&out, &value};
  auto launch = [&](void **kernelParams, void **with) {
    return cuLaunchKernel(module.function, 1, 1, 1, 32, 1, 1, 0, nullptr, kernelParams, with);
  };
  CHECK(launch(params, extra) == kInvalidValue);
  REQUIRE(launch(nullptr, extra) == kSuccess);
  CHECK(readWords(out, 1)[0] == 5);
  bytes = 8;
  CHECK(launch(nullptr, extra) == kInvalidValue);
  bytes = 64;
  CHECK(launch(nullptr, extra) == kInvalidValue);
  extra[0] = reinterpret_cast<void *>(uintptr_t(9));
  CHECK(launch(nullptr, extra) == kInvalidValue);
}

TEST_CASE("A cooperative launch fits the machine") {
  TestContext context;
  TestModule module(entryPtx("", "", ""));
  auto launch = [&](unsigned ctas) {
    return cuLaunchCooperativeKernel(module.function, ctas, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
  };
  CHECK(launch(8) == kSuccess);
  CHECK(launch(1000) == kCooperativeLaunchTooLarge);
}

TEST_CASE("Occupancy") {
  TestContext context;
  TestModule module(entryPtx("", "", ""));
  int blocks = 0;
  REQUIRE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module.function, 1024, 0) == kSuccess);
  CHECK(blocks == 2);
  REQUIRE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, module.function, 128, 100'000) == kSuccess);
  CHECK(blocks == (targetGpu() == "sm_80" ? 1 : 2));
}
