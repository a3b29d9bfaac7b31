//===- LadderTest.cpp - The published steps' kernels under the checks -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PUBLISHED.md times must be kernels: small instances run without a race, a deadlock, an access outside their
// memory or a read of what nobody wrote.
//
//===----------------------------------------------------------------------===//

#include "AttentionLadder.h"
#include "MatmulLadder.h"
#include "MmaMatmul.h"
#include "RowKernels.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace ptxemu;
using namespace ptxemu::timing::testing;

namespace {

void checkRuns(const BenchKernel &k) {
  const Module module = Module::parse(textOf(k), "bench");
  Device device;
  LaunchOptions options;
  options.grid = {k.grid, 1, 1};
  options.dynamicShared = k.dynamicShared();
  const std::vector<uint8_t> zeros(k.bytes);
  for (const char *name : {"out", "in"}) {
    const uint64_t address = device.allocate(k.bytes, name);
    device.write(address, zeros.data(), k.bytes);
    std::vector<uint8_t> argument(8);
    std::memcpy(argument.data(), &address, 8);
    options.arguments.push_back(argument);
  }
  const LaunchResult result = launch(device, module, options);
  INFO((result.ok() ? std::string() : result.diagnostics[0].render()));
  CHECK(result.ok());
}

} // namespace

TEST_CASE("products of the ladder run under the checks") {
  for (const bool persistent : {false, true})
    for (const bool threadsArrive : {false, true}) {
      INFO("persistent " << persistent << ", threads arrive " << threadsArrive);
      MatmulPlan plan{512, 128, 256, 2, 3, persistent, threadsArrive};
      plan.ctas = 2;
      checkRuns(matmulKernel(plan));
    }
  checkRuns(matmulKernel({256, 64, 64, 0, 1}));
  checkRuns(matmulKernel({256, 128, 128, 1, 5}));
  checkRuns(matmulKernel({512, 128, 256, 2, 3, true, false, 2, 0, false, 2}));
  checkRuns(matmulKernel({512, 128, 256, 2, 4, true, false, 1, 1, false, 2}));
  checkRuns(matmulKernel({512, 128, 128, 2, 5, true, false, 2, 1, false, 4, false, true}));
}

TEST_CASE("a ping-pong product runs under the checks") {
  checkRuns(matmulKernel({512, 128, 128, 2, 5, true, false, 1, 1, true, 2}));
  checkRuns(matmulKernel({512, 128, 128, 2, 5, true, false, 2, 1, true, 4}));
  checkRuns(matmulKernel({512, 128, 128, 2, 5, true, false, 2, 1, true, 4, true}));
}

TEST_CASE("products of mma.sync run under the checks") {
  using Plan = MmaMatmulPlan;
  for (const auto loading : {Plan::Each, Plan::EachColumn, Plan::Depth, Plan::Step})
    for (const auto filling : {Plan::Registers, Plan::Copies}) {
      INFO("loading " << loading << ", filling " << filling);
      checkRuns(mmaMatmulKernel({128, 64, 64, 64, 32, 16, 1, Plan::F16, filling, Plan::Swizzled, loading}));
    }
  for (const auto types : {Plan::Bf16, Plan::F16ShortSums, Plan::S8, Plan::E4m3})
    for (const bool hasOneBarrier : {false, true}) {
      INFO("types " << types << ", one barrier " << hasOneBarrier);
      Plan plan{256, 128, 128, 64, 64, 64, 3, types};
      plan.hasOneBarrier = hasOneBarrier;
      plan.groupRows = 8;
      plan.target = types == Plan::E4m3 ? "sm_89" : "sm_80";
      checkRuns(mmaMatmulKernel(plan));
      plan.loading = Plan::Ahead;
      checkRuns(mmaMatmulKernel(plan));
    }
  checkRuns(mmaMatmulKernel({256, 256, 128, 128, 64, 64, 2}));
  checkRuns(mmaMatmulKernel({128, 128, 128, 128, 64, 64, 1, Plan::Bf16, Plan::Copies, Plan::Padded, Plan::Depth}));
}

TEST_CASE("attention's steps run under the checks") {
  for (const bool isCausal : {false, true}) {
    AttentionPlan plan{384, 1, 64, 128, 64, isCausal};
    INFO("causal " << isCausal);
    checkRuns(attentionKernel(plan));
    plan.overlaps = false;
    checkRuns(attentionKernel(plan));
    plan.rows = 192;
    checkRuns(attentionKernel(plan));
    plan.pingPongs = false;
    checkRuns(attentionKernel(plan));
    plan = {384, 1, 64, 128, 64, isCausal};
    plan.isSpecialized = plan.pingPongs = plan.isPersistent = false;
    checkRuns(attentionKernel(plan));
    plan.overlaps = false;
    checkRuns(attentionKernel(plan));
    checkRuns(mmaAttentionKernel({256, 1, 64, 128, 64, 4, isCausal}));
    MmaAttentionPlan synchronous{256, 1, 64, 64, 64, 4, isCausal};
    synchronous.isSwizzled = false;
    synchronous.isSynchronous = synchronous.keepsQueries = true;
    synchronous.target = "sm_80";
    checkRuns(mmaAttentionKernel(synchronous));
  }
}

TEST_CASE("kernels of rows run under the checks") {
  for (const unsigned cluster : {1, 2, 4}) {
    INFO("clusters of " << cluster);
    for (const auto kind : {RowPlan::Softmax, RowPlan::LayerNorm, RowPlan::CrossEntropy})
      checkRuns(rowKernel({kind, 3, 4096, cluster, 128, kind == RowPlan::LayerNorm}));
  }
  checkRuns(twoPassSoftmax(2, 8192, 256));
  checkRuns(sumKernel(1 << 15, 2, 256));
}
