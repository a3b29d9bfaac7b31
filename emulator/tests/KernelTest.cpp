//===- KernelTest.cpp - Hand-written kernels, and mutations that must be caught -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

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

/// A kernel that multiplies matrices, and the tile of C that a CTA computes (64 columns).
struct Kernel {
  const char *file;
  unsigned tileRows;
  unsigned boxRowsOfB = 64;
  uint32_t dynamicShared = 0;
};
const Kernel kSimple{"matmul_tma_wgmma.ptx", 64}, kSpecialized{"matmul_warp_specialized.ptx", 128, 64, 73728},
    kMulticast{"matmul_multicast.ptx", 64, 32}, kTcgen05{"matmul_tcgen05.ptx", 128};

struct Matmul {
  unsigned m = 128, n = 128, k = 256;
  std::vector<float> a, b, product;

  Matmul() {
    for (unsigned i = 0; i < m * k; ++i)
      a.push_back(static_cast<float>(static_cast<int>(i * 7919 % 17) - 8) / 4);
    for (unsigned i = 0; i < n * k; ++i)
      b.push_back(static_cast<float>(static_cast<int>(i * 104729 % 13) - 6) / 2);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        float sum = 0; // exact: the terms are small multiples of 1/8
        for (unsigned x = 0; x < k; ++x)
          sum += a[i * k + x] * b[j * k + x];
        product.push_back(sum);
      }
  }

  static TensorMap map(uint64_t address, unsigned rows, unsigned columns, unsigned boxRows) {
    TensorMap t;
    t.address = address;
    t.rank = 2;
    t.element = TensorMap::F16;
    t.swizzle = TensorMap::Swizzle128;
    t.size = {columns, rows};
    t.stride = {columns * 2};
    t.box = {64, boxRows};
    t.elementStride = {1, 1};
    return t;
  }

  /// Runs a kernel with the parameters of matmul_tma_wgmma.ptx; *correct: the result is what it should be.
  LaunchResult run(const Kernel &kernel, const std::string &ptx, uint64_t seed, bool *correct, unsigned threads = 1,
                   bool strict = false) {
    Run run(ptx);
    std::vector<uint16_t> ha, hb;
    for (float v : a)
      ha.push_back(halfBits(v));
    for (float v : b)
      hb.push_back(halfBits(v));
    uint64_t pa = run.buffer(ha, "A"), pb = run.buffer(hb, "B"), pc = run.buffer(std::vector<float>(m * n), "C");
    run.argument(map(pa, m, k, 64).encode()).argument(map(pb, n, k, kernel.boxRowsOfB).encode());
    run.argument(pc).argument(k).argument(n);
    run.options.grid = {n / 64, m / kernel.tileRows, 1};
    run.options.seed = seed;
    run.options.threads = threads;
    run.options.strict = strict;
    run.options.dynamicShared = kernel.dynamicShared;
    run.options.livelockSteps = 2'000'000;
    LaunchResult result = run.launch();
    *correct = run.read<float>(pc, m * n) == product;
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

TEST_CASE("matrix products through tensor copies and matrix units") {
  Matmul problem;
  for (const Kernel &kernel : {kSimple, kSpecialized, kMulticast, kTcgen05}) {
    std::string ptx = kernelText(kernel.file);
    for (uint64_t seed = 0; seed < 8; ++seed) {
      bool correct = false;
      LaunchResult r = problem.run(kernel, ptx, seed, &correct, 1, /*strict=*/seed % 2 == 1);
      INFO(kernel.file << ", seed " << seed << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
      CHECK(r.ok());
      CHECK(correct);
    }
  }
}

namespace {

struct Mutation {
  const char *what, *from, *to;
  unsigned occurrence = 0;
};

/// Every mutation must be found by a check, not merely give a wrong result; some of what warps owe to others of their
/// warpgroup only by the ISA's letter. Leaves the table in the test's output.
void checkMutations(const Kernel &kernel, const std::vector<Mutation> &mutations) {
  Matmul problem;
  std::string ptx = kernelText(kernel.file);
  size_t caught = 0;
  std::printf("%s\n", kernel.file);
  for (const Mutation &m : mutations) {
    std::string mutant = mutate(ptx, m.from, m.to, m.occurrence);
    std::string kind;
    bool correct = true;
    uint64_t seed = 0;
    while (seed < 6 && kind.empty())
      kind = verdict(problem.run(kernel, mutant, seed++, &correct, 1, /*strict=*/true));
    std::printf("  %-55s %s (seed %llu)\n", m.what, kind.empty() ? "MISSED" : kind.c_str(),
                static_cast<unsigned long long>(seed - 1));
    INFO(m.what);
    CHECK(kind != "");
    caught += !kind.empty();
  }
  std::printf("  %zu of %zu caught\n", caught, mutations.size());
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
  checkMutations(kSimple, mutations);
}

TEST_CASE("every mutation of the tcgen05 matmul is caught") {
  checkMutations(
      kTcgen05,
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
      });
}

TEST_CASE("every mutation of the warp-specialised matmul is caught") {
  checkMutations(kSpecialized,
                 {
                     {"the wait for a full stage is dropped", "@!%q bra WAITFULL;", ""},
                     {"the wait for an empty stage is dropped", "@!%q bra WAITEMPTY;", ""},
                     {"the parity of the full wait is flipped", "mov.u32 %previous, empty;\nCONSUME:",
                      "mov.u32 %previous, empty;\n xor.b32 %phase, %phase, 1;\nCONSUME:"},
                     {"the parity of the empty wait is flipped", "xor.b32 %kk, %phase, 1;", "mov.u32 %kk, %phase;"},
                     {"the phase is not flipped when the ring starts over",
                      "  xor.b32 %phase, %phase, 1;\nCONSUMED:", "CONSUMED:"},
                     {"the stage is released before it is read", "wgmma.wait_group.sync.aligned 1;", ""},
                     {"the stage that is being read is released",
                      "mov.u32 %previous, empty;\nCONSUME:", "mov.u32 %previous, empty;\n mov.u32 %i, 1;\nCONSUME:"},
                     {"the accumulators are stored before the last wait", "wgmma.wait_group.sync.aligned 0;", ""},
                     {"wgmma.fence is removed", "wgmma.fence.sync.aligned;", ""},
                     {"wgmma.commit_group is removed", "wgmma.commit_group.sync.aligned;", ""},
                     {"fence.mbarrier_init is removed", "fence.mbarrier_init.release.cluster;", ""},
                     {"the barrier after mbarrier.init is removed", "bar.sync 0;", ""},
                     {"too many bytes are expected", "[%bar], 24576;", "[%bar], 24592;"},
                     {"too few bytes are expected", "[%bar], 24576;", "[%bar], 16384;"},
                     {"an arrival of the consumers is missing", "mbarrier.init.shared.b64 [empty], 8;",
                      "mbarrier.init.shared.b64 [empty], 9;"},
                     {"a consumer is not waited for", "mbarrier.init.shared.b64 [empty], 8;",
                      "mbarrier.init.shared.b64 [empty], 7;"},
                     {"the second box of A is not loaded", "[%smem+8192], [%mapA", "[%smem], [%mapA"},
                     {"the producer keeps its registers", "setmaxnreg.dec.sync.aligned.u32 40;", ""},
                     {"the consumers ask for too many registers", "setmaxnreg.inc.sync.aligned.u32 232;",
                      "setmaxnreg.inc.sync.aligned.u32 240;"},
                     {"one thread of the producer gives registers back",
                      "setmaxnreg.dec.sync.aligned.u32 40;\n  @!%leader bra DONE;",
                      "@!%leader bra DONE;\n  setmaxnreg.dec.sync.aligned.u32 40;"},
                     {"the ring has a stage more than there is memory", "setp.lt.u32 %p, %stage, 3;",
                      "setp.lt.u32 %p, %stage, 4;"},
                 });
}

TEST_CASE("every mutation of the multicast matmul is caught") {
  checkMutations(
      kMulticast,
      {
          {"the wait for a full stage is dropped", "@!%q bra WAITFULL;", ""},
          {"the wait for an empty stage is dropped", "@!%q bra WAITEMPTY;", ""},
          {"the parity of the full wait is flipped", "[%bar], %phase;", "[%bar], %t;"},
          {"the parity of the empty wait is flipped", "xor.b32 %kk, %phase, 1;", "mov.u32 %kk, %phase;"},
          {"the peer's consumers are not waited for", "[empty], 8;", "[empty], 4;"},
          {"the peer is not told", "setp.lt.u32 %p, %t, 2;", "setp.lt.u32 %p, %t, 1;"},
          {"the peer is told at .cta scope", "mbarrier.arrive.release.cluster", "mbarrier.arrive.release.cta"},
          {"the producer waits at .cta scope", "try_wait.parity.acquire.cluster", "try_wait.parity.acquire.cta"},
          {"the stage is released before it is read", "  wgmma.wait_group.sync.aligned 0;", ""},
          {"half of B is not multicast", "mov.u16 %both, 3;", "mov.u16 %both, 1;"},
          {"the multicast names a third CTA", "mov.u16 %both, 3;", "mov.u16 %both, 7;"},
          {"both halves of B land on the same place", "add.u32 %smem, %smem, %half;", ""},
          {"too few bytes are expected", "[%bar], 16384;", "[%bar], 12288;"},
          {"too many bytes are expected", "[%bar], 16384;", "[%bar], 20480;"},
          {"wgmma.fence is removed", "wgmma.fence.sync.aligned;", ""},
          {"fence.mbarrier_init is removed, and the release with it",
           "fence.mbarrier_init.release.cluster;\nREADY:\n  barrier.cluster.arrive.release.aligned;",
           "READY:\n  barrier.cluster.arrive.relaxed.aligned;"},
          {"fence.mbarrier_init is removed", "fence.mbarrier_init.release.cluster;", ""},
          {"the cluster barrier after mbarrier.init is a CTA's",
           "barrier.cluster.arrive.release.aligned;\n  barrier.cluster.wait.acquire.aligned;", "bar.sync 0;"},
          {"CTAs leave without the cluster barrier",
           "  barrier.cluster.arrive.release;\n  barrier.cluster.wait.acquire;\n", ""},
      });
}
