//===- WarpgroupProductsTest.cpp - Products with operands in memory -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "llvm/Support/FormatVariadic.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;
using Catch::Matchers::Contains;

namespace {

LinearLayout stackWarps(const LinearLayout &fragment, int32_t columns) {
  LinearLayout layout({64, columns});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    for (const LinearLayout::Basis &basis : fragment.getBases(dim))
      layout.addBasis(dim, basis);
  for (int32_t column = fragment.getOutSize(1); column < columns; column *= 2)
    layout.addBasis(LayoutDim::Register, {0, column});
  return layout.addBasis(LayoutDim::Warp, {16, 0}).addBasis(LayoutDim::Warp, {32, 0});
}

MmaAtom makeWarpgroupAtom(unsigned n, bool isAInRegisters) {
  MmaAtom atom = makeMmaSyncAtom({.a = "f16", .b = "f16", .c = "f32", .k = 16}, 512);
  atom.name = llvm::formatv("group.n{0}{1}", n, isAInRegisters ? ".ra" : "");
  atom.kind = MmaKind::Warpgroup;
  atom.m = 64;
  atom.n = n;
  atom.warps = 4;
  atom.spaceA = isAInRegisters ? MemorySpace::Register : MemorySpace::Shared;
  atom.spaceB = MemorySpace::Shared;
  atom.mnMajorB = true;
  atom.layoutA = isAInRegisters ? stackWarps(makeMmaSyncLayoutA(16, 16, 16), 16) : LinearLayout();
  atom.layoutB = LinearLayout();
  atom.layoutC = stackWarps(makeMmaSyncLayoutC(16, 8), n);
  return atom;
}

DescribedTarget makeWarpgroupTarget() {
  ChipDescription chip;
  chip.info.name = "grouped";
  chip.machine.registersPerSM = 65536;
  chip.machine.maxRegistersPerThread = 255;
  for (bool isAInRegisters : {false, true})
    for (unsigned n : {256, 128, 64})
      chip.atoms.mma.push_back(makeWarpgroupAtom(n, isAInRegisters));
  return DescribedTarget("groups", {std::move(chip)});
}

struct WarpgroupQuestions {
  WarpgroupQuestions() : target(makeWarpgroupTarget()) { context.loadDialect<as::TileASDialect>(); }

  llvm::Expected<as::WarpgroupProduct> find(int64_t m, int64_t n, int64_t k, int64_t warps,
                                            as::OperandPlace a = as::OperandPlace::KMajor,
                                            as::OperandPlace b = as::OperandPlace::MnMajor) {
    MmaQuery query;
    query.elementA = query.elementB = Float16Type::get(&context);
    query.elementC = Float32Type::get(&context);
    query.m = m;
    query.n = n;
    query.k = k;
    return as::findWarpgroupProduct(&context, query, {&target, &target.chips().front()}, warps, a, b);
  }

  std::string refuse(int64_t m, int64_t n, int64_t k, int64_t warps, as::OperandPlace a = as::OperandPlace::KMajor,
                     as::OperandPlace b = as::OperandPlace::MnMajor) {
    auto product = find(m, n, k, warps, a, b);
    return product ? "" : llvm::toString(product.takeError());
  }

  MLIRContext context;
  DescribedTarget target;
};

} // namespace

TEST_CASE("warpgroups share a product along M first, with the widest instruction", "[warpgroup]") {
  WarpgroupQuestions ask;
  struct Expected {
    int64_t m, n, warps;
    const char *atom;
    std::array<int64_t, 2> grid;
  };
  for (const Expected &expected : {Expected{64, 256, 4, "group.n256", {4, 1}},
                                   {128, 256, 8, "group.n256", {8, 1}},
                                   {64, 256, 8, "group.n128", {4, 2}},
                                   {128, 128, 4, "group.n128", {4, 1}},
                                   {128, 256, 16, "group.n128", {8, 2}},
                                   {256, 64, 16, "group.n64", {16, 1}}}) {
    auto product = ask.find(expected.m, expected.n, 64, expected.warps);
    REQUIRE(bool(product));
    CHECK(product->atom->name == expected.atom);
    CHECK(!product->layouts.a);
    CHECK(!product->layouts.b);
    auto c = cast<as::DotOperandAttr>(product->layouts.c);
    CHECK(c.getWarpsPerCTA() == llvm::ArrayRef<int64_t>(expected.grid));
    LinearLayout layout = c.toLinearLayout({expected.m, expected.n});
    CHECK((layout.isSurjective() && layout.isInjective()));
    CHECK(layout.getInSize(LayoutDim::Warp) == expected.warps);
  }
  auto product = ask.find(64, 64, 64, 4, as::OperandPlace::Registers);
  REQUIRE(bool(product));
  CHECK(product->atom->name == "group.n64.ra");
  CHECK(cast<as::DotOperandAttr>(product->layouts.a).toLinearLayout({64, 64}).isSurjective());
}

TEST_CASE("what warpgroups cannot compute is refused with the reason", "[warpgroup]") {
  WarpgroupQuestions ask;
  CHECK(ask.refuse(64, 64, 64, 2) == "2 warps are no warpgroups of 4");
  CHECK(ask.refuse(32, 64, 64, 4) == "its 32 rows are no multiple of 64");
  CHECK(ask.refuse(128, 256, 64, 4) == "its accumulator takes 256 registers of each of 128 threads");
  CHECK(ask.refuse(256, 256, 64, 16) == "its accumulator takes 128 registers of each of 512 threads");
  CHECK_THAT(ask.refuse(64, 64, 8, 4), Contains("multiplies 64x64x8 (m, n, k)"));
  CHECK_THAT(ask.refuse(64, 64, 64, 4, as::OperandPlace::MnMajor), Contains("A contiguous along M"));
  CHECK(ask.refuse(64, 64, 64, 4, as::OperandPlace::KMajor, as::OperandPlace::Registers) == "B is in registers");
}

TEST_CASE("operands of warpgroups have descriptors", "[warpgroup]") {
  WarpgroupQuestions ask;
  MmaAtom atom = makeWarpgroupAtom(64, false);
  auto makeMemory = [&](llvm::ArrayRef<int64_t> shape, llvm::StringRef text) {
    return RankedTensorType::get(shape, Float16Type::get(&ask.context), as::SharedAttr::get(&ask.context, text));
  };
  auto k = as::getOperandDescriptor(atom, as::OperandAxis::A, makeMemory({64, 64}, "(64,64),(64,1),swizzle<3,4,3>"));
  REQUIRE(bool(k));
  CHECK(*k == MatrixDescriptorLayout{SwizzleMode::B128, false, 16, 1024});
  auto n = as::getOperandDescriptor(atom, as::OperandAxis::B, makeMemory({64, 64}, "(64,64),(64,1),swizzle<3,4,3>"));
  REQUIRE(bool(n));
  CHECK((n->mnMajor && n->strideByteOffset == 1024));
  auto m = as::getOperandDescriptor(atom, as::OperandAxis::A, makeMemory({64, 64}, "(64,64),(1,64),swizzle<3,4,3>"));
  CHECK_THAT(llvm::toString(m.takeError()), Contains("operand A is contiguous along M"));
  auto plain = as::getOperandDescriptor(atom, as::OperandAxis::A, makeMemory({64, 64}, "(64,64),(64,1)"));
  CHECK(llvm::toString(plain.takeError()) == "no matrix descriptor describes the layout of operand A");
}
