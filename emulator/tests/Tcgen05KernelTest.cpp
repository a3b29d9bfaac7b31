//===- Tcgen05KernelTest.cpp - Hand-written kernels of sm_100, and mutations that must be caught -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "MatrixFormats.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

std::string kernelText(const std::string &name) {
  return readText(std::string(PTX_EMULATOR_KERNELS) + "/" + name);
}

TensorMap mapOf(uint64_t address, TensorMap::Element element, unsigned elementBytes, unsigned rows, unsigned columns) {
  TensorMap t;
  t.address = address;
  t.rank = 2;
  t.element = element;
  t.swizzle = TensorMap::Swizzle128;
  t.size = {columns, rows};
  t.stride = {columns * elementBytes};
  t.box = {128 / elementBytes, 64};
  t.elementStride = {1, 1};
  return t;
}

struct Outcome {
  LaunchResult result;
  bool correct;
};

bool agrees(const std::vector<float> &got, const std::vector<double> &expected) {
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != static_cast<float>(expected[i]))
      return false;
  return true;
}

/// C = A·B^T for the pair kernel: a cluster has 256 x 128 elements.
class PairMatmul {
public:
  PairMatmul() {
    for (uint16_t &v : a)
      v = static_cast<uint16_t>(randomBits(kF16Element, random));
    for (uint16_t &v : b)
      v = static_cast<uint16_t>(randomBits(kF16Element, random));
    for (unsigned i = 0; i < m * n; ++i)
      for (unsigned x = 0; x < k; ++x)
        expected[i] += valueOf(kF16Element, a[i / n * k + x]) * valueOf(kF16Element, b[i % n * k + x]);
  }
  Outcome run(const std::string &ptx, uint64_t seed) {
    Run run(ptx);
    uint64_t pa = run.buffer(a, "A"), pb = run.buffer(b, "B"), pc = run.buffer(std::vector<float>(m * n), "C");
    run.argument(mapOf(pa, TensorMap::F16, 2, m, k).encode()).argument(mapOf(pb, TensorMap::F16, 2, n, k).encode());
    run.argument(pc).argument(k).argument(n);
    run.options.grid = {n / 64, m / 256, 1};
    run.options.seed = seed;
    run.options.livelockSteps = 200000;
    LaunchResult r = run.launch();
    bool correct = agrees(run.read<float>(pc, m * n), expected);
    return {std::move(r), correct};
  }

private:
  unsigned m = 256, n = 128, k = 256;
  std::mt19937 random{5};
  std::vector<uint16_t> a = std::vector<uint16_t>(m * k), b = std::vector<uint16_t>(n * k);
  std::vector<double> expected = std::vector<double>(m * n);
};

/// C = (A·scales)·(B·scales)^T: rows of 128 bytes a step.
class ScaledMatmul {
public:
  explicit ScaledMatmul(bool fp4)
      : element(fp4 ? kE2M1Element : kE4M3Element), scale(fp4 ? kUE4M3Element : kUE8M0Element), block(fp4 ? 16 : 32),
        depth(128 * 8 / element.bits), factorBytes(fp4 ? 2048 : 512) {
    fill(m, a, factorsA, 128);
    fill(n, b, factorsB, 64);
    for (unsigned i = 0; i < m * n; ++i)
      for (unsigned x = 0; x < depth * steps; ++x)
        expected[i] += value(a, factorsA, 128, i / n, x) * value(b, factorsB, 64, i % n, x);
  }
  Outcome run(const std::string &ptx, uint64_t seed) {
    Run run(ptx);
    uint64_t pa = run.buffer(a, "A"), pb = run.buffer(b, "B"), fa = run.buffer(factorsA, "factors of A"),
             fb = run.buffer(factorsB, "factors of B"), pc = run.buffer(std::vector<float>(m * n), "C");
    run.argument(mapOf(pa, TensorMap::U8, 1, m, 128 * steps).encode());
    run.argument(mapOf(pb, TensorMap::U8, 1, n, 128 * steps).encode());
    run.argument(fa).argument(fb).argument(pc).argument(steps).argument(n);
    run.options.grid = {n / 64, m / 128, 1};
    run.options.seed = seed;
    run.options.livelockSteps = 200000;
    LaunchResult r = run.launch();
    bool correct = agrees(run.read<float>(pc, m * n), expected);
    return {std::move(r), correct};
  }

private:
  void fill(unsigned rows, std::vector<uint8_t> &matrix, std::vector<uint8_t> &factors, unsigned tile) {
    for (unsigned i = 0; i < rows * depth * steps; ++i) {
      unsigned bit = i * element.bits;
      matrix.resize(std::max<size_t>(matrix.size(), bit / 8 + 1));
      matrix[bit / 8] = static_cast<uint8_t>(matrix[bit / 8] | randomBits(element, random) << bit % 8);
    }
    factors.resize(rows / tile * steps * factorBytes);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned i = 0; i < depth * steps / block; ++i)
        factors[factorAt(tile, row, i)] = static_cast<uint8_t>(randomBits(scale, random));
  }
  /// Four factors of a row along K make a word; 32 rows of 16 bytes, of four words each, make 512 bytes.
  unsigned factorAt(unsigned tile, unsigned row, unsigned i) const {
    unsigned perStep = depth / block, r = row % tile;
    return (row / tile * steps + i / perStep) * factorBytes + i % perStep / 4 * 512 + r % 32 * 16 + r / 32 * 4 + i % 4;
  }
  double value(const std::vector<uint8_t> &matrix, const std::vector<uint8_t> &factors, unsigned tile, unsigned row,
               unsigned x) const {
    unsigned bit = (row * depth * steps + x) * element.bits;
    unsigned raw = matrix[bit / 8] >> bit % 8 & ((1u << element.bits) - 1);
    return valueOf(element, raw) * valueOf(scale, factors[factorAt(tile, row, x / block)]);
  }

  ElementFormat element, scale;
  unsigned m = 128, n = 128, steps = 2, block, depth, factorBytes;
  std::mt19937 random{9};
  std::vector<uint8_t> a, b, factorsA, factorsB;
  std::vector<double> expected = std::vector<double>(m * n);
};

struct Mutation {
  const char *what, *from, *to;
};

template <class Problem>
void checkKernel(Problem &problem, const std::string &ptx, const std::vector<Mutation> &mutations) {
  addGenerated(ptx);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Outcome o = problem.run(ptx, seed);
    INFO("seed " << seed << "\n" << (o.result.ok() ? "" : o.result.diagnostics[0].render()));
    CHECK(o.result.ok());
    CHECK(o.correct);
  }
  for (const Mutation &m : mutations) {
    INFO(m.what);
    std::string mutant = ptx;
    size_t at = mutant.find(m.from);
    REQUIRE(at != std::string::npos);
    mutant.replace(at, std::string(m.from).size(), m.to);
    bool caught = false;
    for (uint64_t seed = 0; seed < 6 && !caught; ++seed)
      caught = !problem.run(mutant, seed).result.ok();
    CHECK(caught);
  }
}

} // namespace

TEST_CASE("a pair of CTAs multiplies matrices; every mutation is caught") {
  PairMatmul problem;
  checkKernel(
      problem, kernelText("matmul_tcgen05_pair.ptx"),
      {
          {"the wait for the own stage is dropped", "@!%q bra WAITFULL;", ""},
          {"the wait for the other CTA's stage is dropped", "@!%q bra WAITREADY;", ""},
          {"the wait before the relay is dropped", "@!%q bra WAITRELAY;", ""},
          {"the wait for an empty stage is dropped", "@!%q bra WAITEMPTY;", ""},
          {"the wait for the multiplication is dropped", "@!%q bra FINISHED;", ""},
          {"the parity of the full wait is flipped", "and.b32 %parity, %parity, 1;\n  shl.b32 %t, %stage, 3;",
           "and.b32 %parity, %parity, 1;\n  xor.b32 %parity, %parity, 1;\n  shl.b32 %t, %stage, 3;"},
          {"the parity of the empty wait is flipped", "xor.b32 %other, %parity, 1;", "mov.b32 %other, %parity;"},
          {"the accumulator starts in another lane", "mov.u32 %idesc, 0x10200010;",
           "mov.u32 %idesc, 0x10200010; add.u32 %d, %d, 0x10000;"},
          {"the fence before the loads is dropped", "@!%q bra FINISHED;\n  tcgen05.fence::after_thread_sync;",
           "@!%q bra FINISHED;"},
          {"too many bytes are expected", "[%bar], 24576;", "[%bar], 24592;"},
          {"too few bytes are expected", "[%bar], 24576;", "[%bar], 16384;"},
          {"the stage is released before the multiplication", "WAITFULL:\n",
           "mov.u32 %bar, empty;\nadd.u32 %bar, %bar, %t;\n"
           "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar], %both;\n"
           "mov.u32 %bar, full;\nadd.u32 %bar, %bar, %t;\nWAITFULL:\n"},
          {"the release reaches one CTA only", "mov.b16 %both, 3;", "mov.b16 %both, 1;"},
          {"the relay tells its own CTA", "mapa.shared::cluster.u32 %remote, %bar, 0;",
           "mapa.shared::cluster.u32 %remote, %bar, 1;"},
          {"B's descriptor points past the tiles", "add.u64 %db, %da, 1024;", "add.u64 %db, %da, 4096;"},
          {"one CTA allocates alone", "tcgen05.alloc.cta_group::2", "tcgen05.alloc.cta_group::1"},
          {"tensor memory leaks", "tcgen05.dealloc.cta_group::2.sync.aligned.b32 %d, 128;", ""},
          {"tcgen05.wait::ld is dropped", "tcgen05.wait::ld.sync.aligned;", ""},
          {"the first step accumulates onto nothing", "setp.ne.u32 %accumulate, %i, 0;",
           "setp.eq.u32 %accumulate, %rank, 0;"},
          {"the barrier before deallocation is dropped",
           "  barrier.cluster.arrive.aligned;\n  "
           "barrier.cluster.wait.aligned;\n  setp.ne.u32 %p, %warp, 0;",
           "  setp.ne.u32 %p, %warp, 0;"},
      });
}

namespace {

std::vector<Mutation> scaledMutations() {
  return {
      {"the wait for the operands is dropped", "@!%q bra WAITFULL;", ""},
      {"the wait for the multiplication is dropped", "@!%q bra WAITDONE;", ""},
      {"the parity of the waits is flipped", "and.b32 %parity, %i, 1;",
       "and.b32 %parity, %i, 1; xor.b32 %parity, %parity, 1;"},
      {"the commit is dropped", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];", ""},
      {"the commit comes before the multiplications", "  mov.u32 %idesc",
       "  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];\n  mov.u32 %idesc"},
      {"the factors of A are not copied", "  tcgen05.cp.cta_group::1.32x128b.warpx4 [%d+64], %sa;\n", ""},
      {"the factors of B land elsewhere", "[%d+96], %sb;", "[%d+112], %sb;"},
      {"the factors' descriptor lacks its constant", "0x0000400800010000", "0x0000000800010000"},
      {"the fence after the barrier is dropped", "FINISHED:\n  bar.sync 0;\n  tcgen05.fence::after_thread_sync;",
       "FINISHED:\n  bar.sync 0;"},
      {"the barrier after the multiplication is dropped", "FINISHED:\n  bar.sync 0;", "FINISHED:"},
      {"too few columns are allocated", "[where], 128;", "[where], 64;"},
      {"tensor memory leaks", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 128;", ""},
      {"tcgen05.wait::ld is dropped", "tcgen05.wait::ld.sync.aligned;", ""},
      {"the first step accumulates onto nothing", "setp.ne.u32 %p, %i, 0;", "setp.eq.u32 %p, %thread, 0;"},
      {"every lane issues the multiplication", "@!%leader bra FINISHED;", "@!%leader bra WAITFULL;"},
  };
}

} // namespace

TEST_CASE("block-scaled fp8 multiplies; every mutation is caught") {
  ScaledMatmul problem(false);
  std::vector<Mutation> mutations = scaledMutations();
  mutations.push_back({"too many bytes are expected", "[full], 25600;", "[full], 25616;"});
  mutations.push_back({"too few bytes are expected", "[full], 25600;", "[full], 24576;"});
  mutations.push_back({"a reserved bit of the instruction descriptor is set", "%idesc, 0x089", "%idesc, 0x099"});
  checkKernel(problem, kernelText("matmul_mxfp8.ptx"), mutations);
}

TEST_CASE("nvfp4 multiplies; every mutation is caught") {
  ScaledMatmul problem(true);
  std::vector<Mutation> mutations = scaledMutations();
  mutations.push_back({"too many bytes are expected", "[full], 28672;", "[full], 28688;"});
  mutations.push_back({"too few bytes are expected", "[full], 28672;", "[full], 24576;"});
  mutations.push_back({"the scale factor ID does not exist", "%idesc, 0x081", "%idesc, 0x481"});
  checkKernel(problem, kernelText("matmul_nvfp4.ptx"), mutations);
}
