//===- MmaSyncTest.cpp - Fragments and names of mma.sync ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/MmaSync.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include <catch2/catch.hpp>
#include <set>

using namespace tileiras;

namespace {

using Coordinates = std::pair<int64_t, int64_t>;

Coordinates at(const LinearLayout &layout, int64_t reg, int64_t lane) {
  LinearLayout::Inputs inputs{};
  inputs[unsigned(LayoutDim::Register)] = reg;
  inputs[unsigned(LayoutDim::Lane)] = lane;
  auto result = layout.apply(inputs);
  return {result[0], result[1]};
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k*": where element a_i (b_i, c_i) of a lane is, for elements of `bits`.
Coordinates isaA(unsigned bits, int64_t i, int64_t lane) {
  const int64_t packed = bits >= 32 ? 1 : 32 / bits, word = i / packed;
  int64_t row = lane / 4 + (word % 2) * 8;
  int64_t column = (lane % 4) * packed + i % packed + (word / 2) * 4 * packed;
  return {row, column};
}
Coordinates isaB(unsigned bits, int64_t i, int64_t lane) {
  const int64_t packed = bits >= 32 ? 1 : 32 / bits, word = i / packed;
  return {(lane % 4) * packed + i % packed + word * 4 * packed, lane / 4};
}
Coordinates isaC(int64_t i, int64_t lane) {
  return {lane / 4 + (i / 2) * 8, (lane % 4) * 2 + i % 2};
}

} // namespace

TEST_CASE("fragments are those of the PTX ISA") {
  struct Shape {
    unsigned k, bits;
  };
  for (Shape shape : {Shape{16, 16}, {8, 16}, {8, 32}, {4, 32}, {32, 8}, {16, 8}, {64, 4}, {16, 64}, {4, 64}}) {
    CAPTURE(shape.k, shape.bits);
    LinearLayout a = makeMmaSyncLayoutA(16, shape.k, shape.bits), b = makeMmaSyncLayoutB(shape.k, 8, shape.bits);
    REQUIRE(a.getInSize(LayoutDim::Register) * 32 == 16 * shape.k);
    REQUIRE(b.getInSize(LayoutDim::Register) * 32 == 8 * shape.k);
    for (int64_t lane = 0; lane < 32; ++lane) {
      for (int64_t i = 0; i < a.getInSize(LayoutDim::Register); ++i)
        CHECK(at(a, i, lane) == isaA(shape.bits, i, lane));
      for (int64_t i = 0; i < b.getInSize(LayoutDim::Register); ++i)
        CHECK(at(b, i, lane) == isaB(shape.bits, i, lane));
    }
  }
  LinearLayout c = makeMmaSyncLayoutC(16, 8);
  REQUIRE(c.getInSize(LayoutDim::Register) == 4);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < 4; ++i)
      CHECK(at(c, i, lane) == isaC(i, lane));
}

TEST_CASE("scales are with the lanes of their rows and columns") {
  for (unsigned blocks : {1, 2, 4}) {
    LinearLayout a = makeMmaSyncLayoutScaleA(blocks), b = makeMmaSyncLayoutScaleB(blocks);
    REQUIRE(a.getInSize(LayoutDim::Register) == blocks);
    REQUIRE(b.getInSize(LayoutDim::Register) == blocks);
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t i = 0; i < blocks; ++i) {
        CHECK(at(a, i, lane) == Coordinates(lane / 4 + lane % 2 * 8, i));
        CHECK(at(b, i, lane) == Coordinates(i, lane / 4));
      }
  }
  MmaAtom atom = makeBlockScaledMmaAtom({"e2m1", "e2m1", "mxf4nvf4", "ue4m3", 64, 16}, 1024);
  CHECK(atom.name == "mma.m16n8k64.f32.e2m1.e2m1.ue4m3x16");
  CHECK(atom.instruction ==
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3");
  CHECK(atom.kind == MmaKind::WarpBlockScaled);
  CHECK(atom.layoutA == makeMmaSyncLayoutA(16, 64, 4));
}

TEST_CASE("m8n8k4 holds every element once") {
  LinearLayout a = makeMmaSyncLayoutA(8, 4, 64), b = makeMmaSyncLayoutB(4, 8, 64), c = makeMmaSyncLayoutC(8, 8);
  for (const LinearLayout *layout : {&a, &b, &c}) {
    std::set<Coordinates> seen;
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < layout->getInSize(LayoutDim::Register); ++reg)
        CHECK(seen.insert(at(*layout, reg, lane)).second);
    CHECK(int64_t(seen.size()) == layout->getNumElements());
  }
}

TEST_CASE("atoms are spelled as PTX spells them") {
  MmaAtom half = makeMmaSyncAtom({.a = "f16", .b = "f16", .c = "f32", .k = 16}, 512);
  CHECK(half.name == "mma.m16n8k16.f32.f16.f16");
  CHECK(half.instruction == "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK(half.isHeldByOneWarp());
  CHECK(half.issueCycles == 4);
  MmaAtom narrow = makeMmaSyncAtom(
      {.a = "e2m1", .b = "e2m1", .c = "f32", .k = 32, .kind = ".kind::f8f6f4", .containerBits = 8}, 512);
  CHECK(narrow.instruction == "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32");
  CHECK(narrow.a.type == "f4E2M1FN");
  CHECK(narrow.layoutA == makeMmaSyncLayoutA(16, 32, 8)); // Padded to bytes.
  CHECK_FALSE(findPtxElement("e1m6"));
}

TEST_CASE("features imply atoms") {
  AtomCatalogue plain, rich;
  addCommonAtoms(plain, {});
  CHECK(plain.findCopy("ld.global"));
  CHECK(plain.findReduce("shfl.bfly"));
  CHECK_FALSE(plain.findCopy("ldmatrix"));
  CHECK_FALSE(plain.findReduce("redux.add.s32"));
  ChipFeatures features;
  features.ldmatrix = features.tma = features.redux = true;
  addCommonAtoms(rich, features);
  REQUIRE(rich.findCopy("ldmatrix"));
  CHECK(rich.findCopy("ldmatrix")->kind == CopyKind::Matrix);
  CHECK_FALSE(rich.findCopy("stmatrix"));
  REQUIRE(rich.findCopy("tma_load"));
  CHECK(rich.findCopy("tma_load")->isAsynchronous());
  CHECK_FALSE(rich.findCopy("tma_load")->hasLowering);
  CHECK(rich.findReduce("redux.min.u32")->combiner == "umin");
}
