//===- ConversionPlanTest.cpp ---------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/ConversionPlan.h"
#include "LayoutEnumeration.h"
#include "MmaFragments.h"
#include "PlanSimulation.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Target/TuningModel.h"
#include <catch2/catch.hpp>
#include <random>

using namespace tileiras;
using namespace tileiras::test;

static const ConversionCosts kCosts = TuningModel().getConversionCosts();

/// Simulates the plan and compares every register of every thread with the definition of the destination.
static ConversionPlan checkConversion(const LinearLayout &source, const LinearLayout &destination, unsigned elementBits,
                                      MatrixInstructions instructions = {}) {
  ConversionPlan plan = planConversion(source, destination, elementBits, kCosts, instructions);
  if (!(runConversion(makeState(source), plan, source.getNumElements()) == makeState(destination)))
    FAIL(stringifyConversionKind(plan.kind).str() << " from " << source.str() << " to " << destination.str());
  return plan;
}

static void checkShuffle(const LinearLayout &source, const LinearLayout &destination) {
  std::optional<WarpShufflePlan> plan = planWarpShuffle(source, destination, 16);
  if (plan && !(runShuffle(makeState(source), *plan) == makeState(destination)))
    FAIL(source.str() << " to " << destination.str());
  // A bijection of the threads' registers within warps always has a plan.
  bool bijective = source.isInjective() && destination.isInjective() && destination.isSurjective();
  if (!plan && bijective && source.getNumBits(LayoutDim::Warp) == 0)
    FAIL("no plan from " << source.str() << " to " << destination.str());
}

TEST_CASE("shuffle plans are right for all pairs of small layouts", "[layout][conversion]") {
  auto run = [](BitCounts from, BitCounts to, llvm::ArrayRef<int64_t> sizes) {
    forEachLayout(from, sizes, [&](const LinearLayout &source) {
      if (source.isSurjective())
        forEachLayout(to, sizes, [&](const LinearLayout &destination) { checkShuffle(source, destination); });
    });
  };
  run({1, 2, 0}, {1, 2, 0}, {8});
  run({2, 1, 0}, {2, 1, 0}, {8});
  run({0, 3, 0}, {0, 3, 0}, {8});
  run({2, 1, 0}, {0, 1, 0}, {4});
  run({1, 2, 0}, {2, 2, 0}, {4});
  run({2, 2, 0}, {1, 2, 0}, {4});
  run({1, 1, 1}, {1, 1, 1}, {4});
}

TEST_CASE("conversion plans are right for all pairs of small layouts", "[layout][conversion]") {
  auto run = [](BitCounts from, BitCounts to, llvm::ArrayRef<int64_t> sizes) {
    forEachLayout(from, sizes, [&](const LinearLayout &source) {
      if (source.isSurjective())
        forEachLayout(to, sizes, [&](const LinearLayout &destination) { checkConversion(source, destination, 32); });
    });
  };
  run({1, 1, 1}, {1, 1, 1}, {4});
  run({1, 1, 1}, {2, 1, 1}, {2});
  run({0, 1, 2}, {1, 1, 2}, {4});
}

/// The layouts that kernels use, for a tile of `shape` with four warps.
static std::vector<LinearLayout> makeKernelLayouts(int64_t rows, int64_t columns) {
  std::vector<LinearLayout> layouts;
  for (unsigned contiguous : {0u, 1u})
    for (unsigned bits : {8u, 32u})
      layouts.push_back(
          makeBlockedLayout(chooseBlockedParameters({rows, columns}, bits, 4, contiguous), {rows, columns}));
  layouts.push_back(makeBlockedLayout({{1, 2}, {8, 4}, {2, 2}, {1, 0}}, {rows, columns}));
  for (const MmaFragments &atom : {m16n8k16(), m16n8k32()})
    for (MmaWarpGrid grid : {MmaWarpGrid{2, 2}, MmaWarpGrid{4, 1}}) {
      if (columns >= atom.a.getOutSize(1))
        layouts.push_back(tileMma(atom.a, MmaOperand::A, {rows, columns}, grid));
      if (rows >= atom.b.getOutSize(0))
        layouts.push_back(tileMma(atom.b, MmaOperand::B, {rows, columns}, grid));
      layouts.push_back(tileMma(atom.c, MmaOperand::C, {rows, columns}, grid));
    }
  return layouts;
}

/// Checks all pairs of kernel layouts, with the element widths and instructions that a pair may meet.
static void checkKernelLayouts(int64_t rows, int64_t columns, llvm::ArrayRef<unsigned> widths,
                               llvm::ArrayRef<MatrixInstructions> instructionSets) {
  std::vector<LinearLayout> layouts = makeKernelLayouts(rows, columns);
  for (const LinearLayout &source : layouts)
    for (const LinearLayout &destination : layouts)
      for (unsigned bits : widths)
        for (MatrixInstructions instructions : instructionSets) {
          ConversionPlan plan = checkConversion(source, destination, bits, instructions);
          if ((plan.kind == ConversionKind::Nothing) != (source == destination))
            FAIL(source.str() << " to " << destination.str());
        }
}

TEST_CASE("conversion plans are right for all pairs of kernel layouts", "[layout][conversion]") {
  MatrixInstructions none, loads{true, false}, all{true, true};
  checkKernelLayouts(8, 8, {1, 8, 16, 32, 64}, {none, all});
  checkKernelLayouts(16, 32, {8, 16, 32}, {none, loads, all});
  checkKernelLayouts(1, 128, {16}, {none, all});
  checkKernelLayouts(64, 32, {16}, {loads});
}

/// Deterministic layouts without structure: any bases, made surjective by retrying.
static LinearLayout makeRandomLayout(std::mt19937 &random, unsigned registers, unsigned lanes, unsigned warps,
                                     llvm::ArrayRef<int64_t> sizes) {
  while (true) {
    LinearLayout layout(sizes);
    auto add = [&](LayoutDim dim, unsigned count) {
      for (unsigned i = 0; i < count; ++i)
        layout.addFlatBasis(dim, random() % layout.getNumElements());
    };
    add(LayoutDim::Register, registers);
    add(LayoutDim::Lane, lanes);
    add(LayoutDim::Warp, warps);
    if (layout.isSurjective())
      return layout;
  }
}

TEST_CASE("conversion plans are right for layouts without structure", "[layout][conversion]") {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 1500; ++i) {
    unsigned bits = std::array{8u, 16u, 32u, 64u}[random() % 4], warps = random() % 3;
    LinearLayout source = makeRandomLayout(random, random() % 4, 5, warps, {4, int64_t(1) << random() % 3});
    LinearLayout destination = makeRandomLayout(random, random() % 4, 5, warps, source.getOutSizes());
    checkShuffle(source, destination);
    checkConversion(source, destination, bits, {true, true});
  }
}

TEST_CASE("kinds of conversion", "[layout][conversion]") {
  LinearLayout rows = makeBlockedLayout({{1, 4}, {4, 8}, {4, 1}, {1, 0}}, {16, 32});
  CHECK(planConversion(rows, rows, 32, kCosts).kind == ConversionKind::Nothing);

  LinearLayout swapped = rows.dropInDim(LayoutDim::Register);
  swapped.addBasis(LayoutDim::Register, {0, 2}).addBasis(LayoutDim::Register, {0, 1});
  CHECK(planConversion(rows, swapped, 32, kCosts).kind == ConversionKind::RegisterPermutation);
  CHECK(holdsAllOf(rows, swapped));
  CHECK(!equalModuloReplication(rows, swapped));

  LinearLayout copies = rows;
  copies.addZeroBasis(LayoutDim::Register);
  CHECK(planConversion(rows, copies, 32, kCosts).kind == ConversionKind::RegisterPermutation);
  CHECK(equalModuloReplication(rows, copies));
  CHECK(planConversion(copies, copies, 32, kCosts).kind == ConversionKind::Nothing);

  // Exchanging a register bit for a lane bit is one butterfly for half of the registers.
  LinearLayout exchanged(rows.getOutSizes());
  exchanged.addBasis(LayoutDim::Register, {0, 4}).addBasis(LayoutDim::Register, {0, 2});
  exchanged.addBasis(LayoutDim::Lane, {0, 1});
  for (unsigned bit = 1; bit < 5; ++bit)
    exchanged.addBasis(LayoutDim::Lane, rows.getBasis(LayoutDim::Lane, bit));
  for (unsigned bit = 0; bit < 2; ++bit)
    exchanged.addBasis(LayoutDim::Warp, rows.getBasis(LayoutDim::Warp, bit));
  ConversionPlan butterfly = planConversion(rows, exchanged, 32, kCosts);
  REQUIRE(butterfly.kind == ConversionKind::WarpShuffle);
  CHECK(butterfly.shuffle->isButterfly());
  CHECK(butterfly.shuffle->rounds.size() == 2);
  CHECK(planConversion(rows, exchanged, 16, kCosts).shuffle->rounds.size() == 1);
  ConversionCosts slowShuffles = kCosts;
  slowShuffles.shuffleLatency = 1000;
  CHECK(planConversion(rows, exchanged, 32, slowShuffles).kind == ConversionKind::SharedMemory);

  // The accumulator of one product is the A operand of the next: registers only.
  MmaFragments atom = m16n8k16();
  LinearLayout c = tileMma(atom.c, MmaOperand::C, {64, 64}, {4, 1});
  LinearLayout a = tileMma(atom.a, MmaOperand::A, {64, 64}, {4, 1});
  ConversionPlan chained = planConversion(c, a, 16, kCosts);
  CHECK((chained.kind == ConversionKind::RegisterPermutation || chained.kind == ConversionKind::Nothing));

  LinearLayout columns = makeBlockedLayout({{4, 1}, {4, 8}, {1, 4}, {0, 1}}, {16, 32});
  ConversionPlan transposed = planConversion(rows, columns, 32, kCosts);
  REQUIRE(transposed.kind == ConversionKind::SharedMemory);
  CHECK(!transposed.shared->withinWarp);
  CHECK(transposed.shared->bytes == 16 * 32 * 4);
}

TEST_CASE("operands reach the tensor core by ldmatrix without bank conflicts", "[layout][conversion]") {
  MatrixInstructions instructions{true, true};
  MmaFragments atom = m16n8k16();
  LinearLayout aTile = makeBlockedLayout(chooseBlockedParameters({128, 64}, 16, 4), {128, 64});
  LinearLayout bTile = makeBlockedLayout(chooseBlockedParameters({64, 128}, 16, 4), {64, 128});
  LinearLayout a = tileMma(atom.a, MmaOperand::A, {128, 64}, {2, 2});
  LinearLayout b = tileMma(atom.b, MmaOperand::B, {64, 128}, {2, 2});
  LinearLayout bColumns = makeBlockedLayout(chooseBlockedParameters({64, 128}, 16, 4, 0), {64, 128});
  for (auto [from, to, transposed] : {std::tuple(&aTile, &a, false), {&bTile, &b, true}, {&bColumns, &b, false}}) {
    ConversionPlan plan = checkConversion(*from, *to, 16, instructions);
    REQUIRE(plan.kind == ConversionKind::SharedMemory);
    const SharedExchange &exchange = plan.shared->exchange;
    CHECK(exchange.store.vector.vectorElements == 8);
    REQUIRE(exchange.load.matrix);
    CHECK(exchange.load.matrix->matrices == 4);
    CHECK(exchange.load.matrix->transposed == transposed);
    CHECK(exchange.store.traffic.conflicts == 0);
    CHECK(exchange.load.traffic.conflicts == 0);
  }
  // 8-bit operands move as pairs.
  MmaFragments bytes = m16n8k32();
  ConversionPlan plan = checkConversion(makeBlockedLayout(chooseBlockedParameters({128, 64}, 8, 4), {128, 64}),
                                        tileMma(bytes.a, MmaOperand::A, {128, 64}, {2, 2}), 8, instructions);
  REQUIRE(plan.kind == ConversionKind::SharedMemory);
  CHECK(plan.shared->exchange.load.matrix);
  CHECK(plan.shared->exchange.load.traffic.conflicts == 0);
  // The accumulator leaves by stmatrix.
  LinearLayout c = tileMma(atom.c, MmaOperand::C, {128, 128}, {2, 2});
  plan =
      checkConversion(c, makeBlockedLayout(chooseBlockedParameters({128, 128}, 16, 4), {128, 128}), 16, instructions);
  REQUIRE(plan.kind == ConversionKind::SharedMemory);
  CHECK(plan.shared->exchange.store.matrix);
  CHECK(plan.shared->exchange.load.vector.vectorElements == 8);
  CHECK(plan.shared->exchange.store.traffic.conflicts + plan.shared->exchange.load.traffic.conflicts == 0);
}
