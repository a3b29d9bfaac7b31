//===- RegisterLayoutsTest.cpp --------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/RegisterLayouts.h"
#include "LayoutEnumeration.h"
#include "MmaFragments.h"
#include <catch2/catch.hpp>

using namespace tileiras;
using namespace tileiras::test;
using Inputs = LinearLayout::Inputs;

/// Coordinates by the definition of a blocked layout: numbers split by `order`, fastest first.
static llvm::SmallVector<int64_t> splitByOrder(int64_t number, llvm::ArrayRef<int64_t> sizes,
                                               llvm::ArrayRef<unsigned> order) {
  llvm::SmallVector<int64_t> coordinates(sizes.size(), 0);
  for (unsigned d : order) {
    coordinates[d] = number % sizes[d];
    number /= sizes[d];
  }
  return coordinates;
}

static void checkBlocked(const BlockedParameters &p, llvm::ArrayRef<int64_t> shape) {
  LinearLayout layout = makeBlockedLayout(p, shape);
  CHECK(layout.isSurjective());
  CHECK(layout.getReplicationMask(LayoutDim::Register) == 0);
  unsigned rank = shape.size();
  llvm::SmallVector<int64_t> block, repetitions;
  for (unsigned d = 0; d < rank; ++d) {
    block.push_back(std::min(p.sizePerThread[d], shape[d]));
    int64_t ctaBlock = p.sizePerThread[d] * p.threadsPerWarp[d] * p.warpsPerCta[d];
    repetitions.push_back(std::max<int64_t>(1, shape[d] / ctaBlock));
  }
  int64_t blockSize = LinearLayout(block).getNumElements();
  forEachInput(layout, [&](const Inputs &in) {
    auto inBlock = splitByOrder(in[0] % blockSize, block, p.order);
    auto repetition = splitByOrder(in[0] / blockSize, repetitions, p.order);
    auto lane = splitByOrder(in[1], p.threadsPerWarp, p.order);
    auto warp = splitByOrder(in[2], p.warpsPerCta, p.order);
    auto at = layout.apply(in);
    for (unsigned d = 0; d < rank; ++d) {
      int64_t expected = inBlock[d] + p.sizePerThread[d] * (lane[d] + p.threadsPerWarp[d] *
                                                                          (warp[d] + p.warpsPerCta[d] * repetition[d]));
      if (at[d] != expected % shape[d])
        FAIL(layout.str());
    }
  });
}

TEST_CASE("blocked layouts agree with their definition, wrapping and repeating", "[layout]") {
  for (auto order : {llvm::SmallVector<unsigned>{1, 0}, llvm::SmallVector<unsigned>{0, 1}})
    for (int64_t sizes : {1, 2, 4})
      for (int64_t lanes = 1; lanes <= 32; lanes *= 2)
        for (int64_t rows = 1; rows <= 64; rows *= 4)
          for (int64_t columns = 1; columns <= 64; columns *= 2)
            checkBlocked({{2, sizes}, {lanes, 32 / lanes}, {2, 2}, order}, {rows, columns});
}

TEST_CASE("the default blocked layout uses all threads and vectors along the contiguous dimension", "[layout]") {
  for (int64_t rows = 1; rows <= 64; rows *= 2)
    for (int64_t columns = 1; columns <= 64; columns *= 2)
      for (unsigned bits : {1u, 8u, 16u, 32u, 64u})
        for (unsigned contiguous : {0u, 1u}) {
          BlockedParameters p = chooseBlockedParameters({rows, columns}, bits, 4, contiguous);
          CHECK(p.threadsPerWarp[0] * p.threadsPerWarp[1] == 32);
          CHECK(p.warpsPerCta[0] * p.warpsPerCta[1] == 4);
          CHECK(p.order[0] == contiguous);
          LinearLayout layout = makeBlockedLayout(p, {rows, columns});
          CHECK(layout.isSurjective());
          CHECK(layout.getNumBits(LayoutDim::Lane) == 5);
          CHECK(layout.getNumBits(LayoutDim::Warp) == 2);
          // Threads hold copies only when there are more threads than elements.
          bool copies = layout.getReplicationMask(LayoutDim::Lane) || layout.getReplicationMask(LayoutDim::Warp);
          CHECK(copies == (rows * columns < 128));
          CHECK(p.sizePerThread[contiguous] * std::max(1u, bits / 8) <= 16);
        }
  CHECK(chooseBlockedParameters({128, 64}, 16, 4) == BlockedParameters{{1, 8}, {4, 8}, {4, 1}, {1, 0}});
  CHECK(makeBlockedLayout(chooseBlockedParameters({}, 32, 4), {}).getNumBits(LayoutDim::Lane) == 5);
}

TEST_CASE("tiled MMA operands put element (m, k) of every atom where the atom wants it", "[layout]") {
  MmaFragments atom = m16n8k16();
  for (int64_t m = 8; m <= 128; m *= 2)
    for (int64_t n = 8; n <= 64; n *= 2)
      for (int64_t k = 16; k <= 32; k *= 2)
        for (MmaWarpGrid grid : {MmaWarpGrid{1, 1}, MmaWarpGrid{4, 1}, MmaWarpGrid{2, 2}, MmaWarpGrid{1, 4}}) {
          LinearLayout a = tileMma(atom.a, MmaOperand::A, {m, k}, grid);
          LinearLayout b = tileMma(atom.b, MmaOperand::B, {k, n}, grid);
          LinearLayout c = tileMma(atom.c, MmaOperand::C, {m, n}, grid);
          REQUIRE((a.isSurjective() && b.isSurjective() && c.isSurjective()));
          REQUIRE(a.getInSize(LayoutDim::Warp) == grid.getNumWarps());
          REQUIRE(b.getInSize(LayoutDim::Warp) == grid.getNumWarps());
          REQUIRE(c.getInSize(LayoutDim::Warp) == grid.getNumWarps());
          // For each warp and each of its accumulator atoms, the rows of A and columns of B it needs are in that warp.
          int64_t atomsM = c.getInSize(LayoutDim::Register) / 4, atomsK = k / 16;
          int64_t rowAtoms = a.getInSize(LayoutDim::Register) / 8 / atomsK;
          int64_t columnAtoms = b.getInSize(LayoutDim::Register) / 4 / atomsK;
          REQUIRE(rowAtoms * columnAtoms == atomsM);
          for (int64_t warp = 0; warp < grid.getNumWarps(); ++warp)
            for (int64_t i = 0; i < rowAtoms; ++i)
              for (int64_t j = 0; j < columnAtoms; ++j) {
                auto at = c.apply({(i * columnAtoms + j) * 4, 0, warp});
                for (int64_t step = 0; step < atomsK; ++step) {
                  auto fromA = a.apply({(i * atomsK + step) * 8, 0, warp});
                  auto fromB = b.apply({(step * columnAtoms + j) * 4, 0, warp});
                  if (fromA[0] != at[0] || fromB[1] != at[1] || fromA[1] != step * 16 || fromB[0] != step * 16)
                    FAIL(a.str() << b.str() << c.str());
                }
              }
        }
}

/// PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16": four warps one below the other.
static LinearLayout widenToWarpgroup(const LinearLayout &fragment, int32_t columns) {
  LinearLayout layout({64, columns});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    for (const LinearLayout::Basis &basis : fragment.getBases(dim))
      layout.addBasis(dim, basis);
  for (int32_t column = fragment.getOutSize(1); column < columns; column *= 2)
    layout.addBasis(LayoutDim::Register, {0, column});
  return layout.addBasis(LayoutDim::Warp, {16, 0}).addBasis(LayoutDim::Warp, {32, 0});
}

TEST_CASE("fragments of warpgroups are laid along M first, then along N", "[layout]") {
  LinearLayout fragmentA = widenToWarpgroup(m16n8k16().a, 16), fragmentC = widenToWarpgroup(m16n8k16().c, 32);
  // Two warpgroups of two instructions each along M, two of two along N.
  LinearLayout a = tileMma(fragmentA, MmaOperand::A, {256, 64}, {8, 2});
  LinearLayout c = tileMma(fragmentC, MmaOperand::C, {256, 128}, {8, 2});
  CHECK(c.isSurjective());
  CHECK(c.isInjective());
  CHECK(a.isSurjective());
  CHECK(c.getInSize(LayoutDim::Warp) == 16);
  CHECK(a.getInSize(LayoutDim::Warp) == 16);
  for (int64_t warp = 0; warp < 16; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t instruction = 0; instruction < 4; ++instruction) {
        const int64_t row = 128 * (warp / 4 % 2) + 64 * (instruction / 2) + 16 * (warp % 4) + lane / 4;
        const int64_t column = 64 * (warp / 8) + 32 * (instruction % 2) + 2 * (lane % 4);
        for (int64_t r = 0; r < 16; ++r) {
          llvm::SmallVector<int64_t> expected = {row + 8 * (r / 2 % 2), column + r % 2 + 8 * (r / 4)};
          if (c.apply({instruction * 16 + r, lane, warp}) != expected)
            FAIL(c.str());
        }
        // Instructions along K come first: here four of them for each 64 rows.
        for (int64_t r = 0; r < 8; ++r) {
          llvm::SmallVector<int64_t> expected = {row - 64 * (instruction / 2) + 8 * (r / 2 % 2),
                                                 16 * instruction + 2 * (lane % 4) + r % 2 + 8 * (r / 4)};
          if (a.apply({instruction * 8 + r, lane, warp}) != expected)
            FAIL(a.str());
        }
      }
}

TEST_CASE("batched MMA tiles and warp grids", "[layout]") {
  MmaFragments atom = m16n8k16();
  LinearLayout c = tileMma(atom.c, MmaOperand::C, {4, 32, 32}, {1, 2, 2});
  CHECK(c.isSurjective());
  CHECK(c.apply({0, 0, 1}) == llvm::SmallVector<int64_t>{0, 0, 16});
  CHECK(c.apply({0, 0, 2}) == llvm::SmallVector<int64_t>{2, 0, 0});
  CHECK(chooseMmaWarpGrid({128, 128}, 16, 8, 4) == MmaWarpGrid{2, 2, 1});
  CHECK(chooseMmaWarpGrid({128, 16}, 16, 8, 4) == MmaWarpGrid{4, 1, 1});
  CHECK(chooseMmaWarpGrid({16, 64}, 16, 8, 8) == MmaWarpGrid{1, 8, 1});
  CHECK(chooseMmaWarpGrid({2, 64, 64}, 16, 8, 8) == MmaWarpGrid{2, 2, 2});
  for (int64_t warps = 1; warps <= 16; warps *= 2)
    CHECK(chooseMmaWarpGrid({8, 8}, 16, 8, warps).getNumWarps() == warps);
}
