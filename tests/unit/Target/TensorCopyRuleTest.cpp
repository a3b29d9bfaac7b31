//===- TensorCopyRuleTest.cpp - What tensor copies (TMA) can copy ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/TensorCopyRule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static constexpr int64_t kDynamic = mlir::ShapedType::kDynamic;

TEST_CASE("without a target tensor copies take what the ISA allows") {
  const TensorCopyRule rule{ChipTarget()};
  CHECK(rule.getLimits() == TensorCopyLimits());
  CHECK(rule.explainRank(1) == "");
  CHECK(rule.explainRank(5) == "");
  CHECK(rule.explainRank(0) == "an array of 0 dimensions; one to five are possible");
  CHECK(rule.explainRank(6) == "an array of 6 dimensions; one to five are possible");
  CHECK(rule.explainBase(16) == "");
  CHECK(rule.explainBase(8) ==
        "the address of the array is not known to be a multiple of 16 bytes; 'assume div_by<16>' "
        "on its pointer would say so");
}

TEST_CASE("elements have a size that the chip copies") {
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  const TensorCopyRule all{TensorCopyLimits()}, halves{TensorCopyLimits{.elementBytes = 2}};
  for (mlir::Type type : {mlir::Type(builder.getI8Type()), mlir::Type(builder.getF16Type()),
                          mlir::Type(builder.getF32Type()), mlir::Type(builder.getF64Type())})
    CHECK(all.explainElement(type) == "");
  CHECK(all.explainElement(builder.getI1Type()) == "elements of type i1");
  CHECK(all.explainElement(builder.getTF32Type()) == "elements of type tf32");
  CHECK(all.explainElement(builder.getIndexType()) == "elements of type index");
  CHECK(halves.explainElement(builder.getBF16Type()) == "");
  CHECK(halves.explainElement(builder.getF32Type()) == "elements of type f32");
}

TEST_CASE("strides are known to be aligned, but for those of neighbours and those that are not known yet") {
  const TensorCopyRule rule{TensorCopyLimits()};
  CHECK(rule.explainStrides({8, 0}, /*elementBytes=*/2) == "");
  CHECK(rule.explainStrides({0, 0, 0}, 2) == "");
  CHECK(rule.explainStrides({8, 4, 0}, 2) ==
        "the stride of dimension 1 is not known to be a multiple of 16 bytes; 'assume div_by<8>' on it would say so");
  const TensorCopyRule coarse{TensorCopyLimits{.strideAlignment = 32}};
  CHECK(coarse.getMostAlignment() == 32);
  CHECK(coarse.explainStrides({8, 0}, 2) ==
        "the stride of dimension 0 is not known to be a multiple of 32 bytes; 'assume div_by<16>' on it would say so");
}

TEST_CASE("coordinates have 32 bits and strides 40") {
  const TensorCopyRule rule{TensorCopyLimits()};
  const uint64_t reach = uint64_t(1) << 31, far = uint64_t(1) << 39;
  CHECK(rule.explainSizes({kDynamic, 64}, {reach, 64}) == "");
  CHECK(rule.explainSizes({64, kDynamic}, {64, reach + 1}) ==
        "the size of dimension 1 may be more than 2^31, and its coordinates are signed numbers of 32 bits; 'assume "
        "bounded<0, 2147483647>' on it would say that it is not");
  CHECK(rule.explainLongStrides({kDynamic, 1}, {far - 1, 1}, /*elementBytes=*/2) == "");
  CHECK(rule.explainLongStrides({int64_t(far), 1}, {far, 1}, 2) ==
        "the stride of dimension 0 may be 2^40 bytes or more");
  CHECK(rule.explainSteps({1 << 30, 1}) == "");
  CHECK(rule.explainSteps({(1 << 30) + 1, 1}) == "its tiles are more than 2^30 elements apart");
}

TEST_CASE("rows are whole where copies begin and end") {
  const TensorCopyRule rule{TensorCopyLimits()};
  CHECK(rule.explainRow(32) == "");
  CHECK(rule.explainRow(24) == "a row of the tile is no multiple of 16 bytes");
  CHECK(rule.explainRowEnd(/*dim=*/1, kDynamic, /*divisor=*/8, /*elementBytes=*/2) == "");
  CHECK(rule.explainRowEnd(1, kDynamic, 4, 2) ==
        "its stores reach the end of the last 16 bytes in which a row has elements, and the size of dimension 1 is not "
        "known to be a multiple of that; 'assume div_by<8>' on it would say so");
  CHECK(rule.explainRowEnd(0, 100, 4, 2) ==
        "its stores reach the end of the last 16 bytes in which a row has elements, "
        "and rows are 100 elements of 2 bytes (dimension 0), no multiple of that");
}

TEST_CASE("boxes are within the chip's limits") {
  const TensorCopyRule isa{TensorCopyLimits()}, small{TensorCopyLimits{.mostDimensions = 1, .mostBoxExtent = 128}};
  CHECK(isa.explainBox({256, 64}) == "");
  CHECK(isa.explainBox({512}) == "a box of 512 elements along dimension 0; up to 256 are possible");
  CHECK(small.explainBox({256}) == "a box of 256 elements along dimension 0; up to 128 are possible");
  CHECK(small.explainBox({64, 64}) == "an array of 2 dimensions; one is possible");

  const LinearLayout memory = makeSwizzledLayout({256, 64}, {1, 0}, /*elementBits=*/16, SwizzleMode::B128);
  const std::optional<TmaTile> whole = isa.findBox(memory, 16), half = small.findBox(memory, 16);
  REQUIRE(whole);
  REQUIRE(half);
  CHECK(whole->box == llvm::SmallVector<int64_t>{256, 64});
  CHECK(whole->numBoxes == 1);
  CHECK(half->box == llvm::SmallVector<int64_t>{128, 64});
  CHECK(half->numBoxes == 2);
  // A row of the swizzle is one of the box.
  const LinearLayout bytes = makeSwizzledLayout({64, 128}, {1, 0}, /*elementBits=*/8, SwizzleMode::B128);
  CHECK(isa.findBox(bytes, 8));
  CHECK(!TensorCopyRule(TensorCopyLimits{.mostBoxExtent = 64}).findBox(bytes, 8));
}
