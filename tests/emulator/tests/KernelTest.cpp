//===- KernelTest.cpp - Hand-written kernels, and mutations that must be caught -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

uint16_t halfBits(float v) {
  // Small integers and quarters only: exact in f16.
  if (v == 0)
    return 0;
  int e;
  float m = std::frexp(std::fabs(v), &e);
  return static_cast<uint16_t>((v < 0 ? 0x8000 : 0) | (e + 14) << 10 | (static_cast<int>(m * 2048) & 0x3ff));
}

struct Matmul {
  unsigned m = 128, n = 128, k = 256;
  std::vector<float> a, b;

  Matmul() {
    for (unsigned i = 0; i < m * k; ++i)
      a.push_back(static_cast<float>(static_cast<int>(i * 7919 % 17) - 8) / 4);
    for (unsigned i = 0; i < n * k; ++i)
      b.push_back(static_cast<float>(static_cast<int>(i * 104729 % 13) - 6) / 2);
  }

  static TensorMap map(uint64_t address, unsigned rows, unsigned columns) {
    TensorMap t;
    t.address = address;
    t.rank = 2;
    t.element = TensorMap::F16;
    t.swizzle = TensorMap::Swizzle128;
    t.size = {columns, rows};
    t.stride = {columns * 2};
    t.box = {64, 64};
    t.elementStride = {1, 1};
    return t;
  }

  /// Runs a kernel with the parameters of matmul_tma_wgmma.ptx; false when the result is wrong.
  LaunchResult run(const std::string &ptx, uint64_t seed, bool *correct = nullptr, unsigned tileRows = 64) {
    Run run(ptx);
    std::vector<uint16_t> ha, hb;
    for (float v : a)
      ha.push_back(halfBits(v));
    for (float v : b)
      hb.push_back(halfBits(v));
    uint64_t pa = run.buffer(ha, "A"), pb = run.buffer(hb, "B"), pc = run.buffer(std::vector<float>(m * n), "C");
    run.argument(map(pa, m, k).encode()).argument(map(pb, n, k).encode()).argument(pc).argument(k).argument(n);
    run.options.grid = {n / 64, m / tileRows, 1};
    run.options.seed = seed;
    LaunchResult result = run.launch();
    if (correct) {
      std::vector<float> c = run.read<float>(pc, m * n);
      *correct = true;
      for (unsigned i = 0; i < m; ++i)
        for (unsigned j = 0; j < n; ++j) {
          float sum = 0;
          for (unsigned x = 0; x < k; ++x)
            sum += a[i * k + x] * b[j * k + x];
          *correct &= c[i * n + j] == sum;
        }
    }
    return result;
  }
};

std::string kernelText(const std::string &name) {
  return readText(std::string(PTX_EMULATOR_KERNELS) + "/" + name);
}

/// The text with the n-th occurrence of `from` replaced.
std::string mutate(std::string text, const std::string &from, const std::string &to, unsigned occurrence = 0) {
  size_t at = text.find(from);
  while (occurrence-- && at != std::string::npos)
    at = text.find(from, at + 1);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("TMA, mbarriers and wgmma multiply matrices") {
  Matmul problem;
  std::string ptx = kernelText("matmul_tma_wgmma.ptx");
  for (uint64_t seed = 0; seed < 8; ++seed) {
    bool correct = false;
    LaunchResult r = problem.run(ptx, seed, &correct);
    INFO("seed " << seed << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
    CHECK(r.ok());
    CHECK(correct);
  }
}

TEST_CASE("tcgen05 multiplies matrices in tensor memory") {
  Matmul problem;
  std::string ptx = kernelText("matmul_tcgen05.ptx");
  for (uint64_t seed = 0; seed < 8; ++seed) {
    bool correct = false;
    LaunchResult r = problem.run(ptx, seed, &correct, 128);
    INFO("seed " << seed << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
    CHECK(r.ok());
    CHECK(correct);
  }
}

namespace {

struct Mutation {
  const char *what, *from, *to;
  unsigned occurrence = 0;
};

void checkMutations(const std::string &kernel, const std::vector<Mutation> &mutations, unsigned tileRows) {
  Matmul problem;
  std::string ptx = kernelText(kernel);
  for (const Mutation &m : mutations) {
    std::string mutant = mutate(ptx, m.from, m.to, m.occurrence);
    std::string kind;
    bool correct = true;
    for (uint64_t seed = 0; seed < 6 && kind.empty(); ++seed)
      kind = verdict(problem.run(mutant, seed, &correct, tileRows));
    INFO(m.what);
    CHECK(kind != "");
  }
}

} // namespace

TEST_CASE("every mutation of the TMA matmul is caught") {
  const std::vector<Mutation> mutations = {
      {"the wait for a full stage is dropped", "@!%q bra WAITFULL;", ""},
      {"the parity of the full wait is flipped", "and.b32 %parity, %parity, 1;",
       "and.b32 %parity, %parity, 1; xor.b32 %parity, %parity, 1;"},
      {"the wait for an empty stage is dropped", "@!%q bra WAITEMPTY;", ""},
      {"the parity of the empty wait is flipped", "and.b32 %kk, %kk, 1;\nWAITEMPTY",
       "and.b32 %kk, %kk, 1; xor.b32 %kk, %kk, 1;\nWAITEMPTY"},
      {"too many bytes are expected", "[full], 16384;", "[full], 16400;"},
      {"too few bytes are expected", "[%bar], 16384;", "[%bar], 8192;"},
      {"wgmma.fence is removed", "wgmma.fence.sync.aligned;", ""},
      {"wgmma.wait_group is removed", "wgmma.wait_group.sync.aligned 0;", ""},
      {"wgmma.commit_group is removed", "wgmma.commit_group.sync.aligned;", ""},
      {"the stage is released before the multiply", "  wgmma.wait_group.sync.aligned 0;",
       "  mbarrier.arrive.shared.b64 %state, [empty]; wgmma.wait_group.sync.aligned 0;"},
      {"one arrival is missing", "mbarrier.init.shared.b64 [empty], 128;", "mbarrier.init.shared.b64 [empty], 129;"},
      {"a quarter of the arrivals is not waited for", "mbarrier.init.shared.b64 [empty], 128;",
       "mbarrier.init.shared.b64 [empty], 96;"},
      {"the barrier after mbarrier.init is removed", "bar.sync 0;", ""},
      {"B lands on A", "[%smem+8192], [%mapB", "[%smem], [%mapB"},
      {"the copy signals the wrong barrier", "[stages+8192], [%mapB, {%kk, %x}], [full];",
       "[stages+8192], [%mapB, {%kk, %x}], [empty];"},
      {"the store leaves the matrix", "mad.lo.u32 %i, %i, %t, %kk;",
       "mad.lo.u32 %i, %i, %t, %kk; add.u32 %i, %i, 16384;"},
  };
  checkMutations("matmul_tma_wgmma.ptx", mutations, 64);
}

TEST_CASE("every mutation of the tcgen05 matmul is caught") {
  checkMutations(
      "matmul_tcgen05.ptx",
      {
          {"the wait for the operands is dropped", "@!%q bra WAITFULL;", ""},
          {"the operands' wait names a phase that is no parity", "[full], %parity;", "[full], %i;"},
          {"the parity of the waits is flipped", "and.b32 %parity, %i, 1;",
           "and.b32 %parity, %i, 1; xor.b32 %parity, %parity, 1;"},
          {"the wait for the multiplication is dropped", "@!%q bra WAITDONE;", ""},
          {"the commit is dropped", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];",
           ""},
          {"too many bytes are expected", "[full], 24576;", "[full], 24592;"},
          {"tensor memory leaks", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 64;", ""},
          {"the barrier after the multiplication is dropped", "FINISHED:\n  bar.sync 0;", "FINISHED:"},
          {"tensor memory is used after it was freed", "  tcgen05.fence::after_thread_sync;\n\n",
           "  setp.ne.u32 %p, %warp, 0;\n@%p bra KEEP; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 64;\nKEEP: "
           "bar.sync 0;\n"},
          {"too few columns are allocated", "[where], 64;", "[where], 32;"},
          {"tcgen05.wait::ld is dropped", "tcgen05.wait::ld.sync.aligned;", ""},
          {"the first step accumulates onto nothing", "setp.ne.u32 %p, %i, 0;", "setp.eq.u32 %p, %thread, 0;"},
          {"a warp reads another's lanes", "shl.b32 %lane, %warp, 21;", "shl.b32 %lane, %warp, 20;"},
          {"the constant of the descriptor is missing", "0x4000404000010000", "0x4000004000010000"},
          {"B's descriptor points past the tiles", "add.u64 %db, %da, 1024;", "add.u64 %db, %da, 1536;"},
          {"every lane issues the multiplication", "@!%leader bra FINISHED;", "@!%leader bra WAITFULL;"},
      },
      128);
}
