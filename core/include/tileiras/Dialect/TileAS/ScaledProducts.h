//===- ScaledProducts.h - Products whose scales go to tensor memory -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block-scaled products for which a chip has no instruction of a warp, but one that reads operands in shared memory and
// scales in tensor memory. A `dot` says so by the atom "unplaced", until a pass has put its operands there and chosen
// the atom.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_SCALEDPRODUCTS_H
#define TILEIRAS_DIALECT_TILEAS_SCALEDPRODUCTS_H

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASBlockScaleOps.h.inc"

namespace tileiras::as {

/// Bits of what operand `axis`, A or B, of an atom is made of in memory: elements, or bytes of two of them.
unsigned getMemoryBits(const MmaAtom &atom, OperandAxis axis);

/// The layout in which threads hold the scales of operand `axis`, A or B, on their way to tensor memory, for `extent`
/// rows of A or columns of B and `blocks` scales for each. Every warp holds all of them: lane l those of l, l + 32, …;
/// neighbouring registers four scales along K, then the next 32 rows or columns, then the next four scales. PTX ISA,
/// "Scale Factor Layout in Tensor Memory".
LinearAttr getScaleLayout(mlir::MLIRContext *context, OperandAxis axis, int64_t extent, int64_t blocks,
                          int64_t numWarps);
/// Scales in shared memory lie as `isScaleBlocks` says, dimension `mnDim` being that of rows or columns.
bool areScaleBlocks(mlir::RankedTensorType scales, unsigned mnDim);
/// 32-bit columns of tensor memory that hold such scales: one for 32 rows or columns and four scales along K, in groups
/// of no fewer than four.
int64_t countScaleColumns(int64_t extent, int64_t blocks);
/// Of all scales of a product: those of A, then those of B, twice where they have a sign, which is apart.
int64_t countScaleColumns(const MmaQuery &query);
/// Of a product that copies its scales, if it is one.
int64_t countScaleColumns(AsyncDotOp product);
/// The iterator of the stage whose consumer `product` stands in; null if it stands in none.
mlir::Value findStageIterator(AsyncDotOp product);
/// Such a product has columns for each stage that it reads: what it has copied to them has been read when the stage is
/// released.
int64_t countScaleSets(AsyncDotOp product);
/// Where instructions expect the scales of 128 rows, in columns.
inline constexpr int64_t kScaleAlignment = 4;

/// Gives the accumulator and the result of `product` the register layout of its atom, `layout`; conversions lead to and
/// from those around.
void setAccumulator(DotOp product, mlir::Attribute layout);
/// Gives the scales of `product`, if it has any, the layouts of `chosen`.
void setScales(DotOp product, const ProductLayouts &chosen);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_SCALEDPRODUCTS_H
