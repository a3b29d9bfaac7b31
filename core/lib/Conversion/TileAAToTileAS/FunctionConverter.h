//===- FunctionConverter.h - Rewrites one function to nv_tileas -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_FUNCTIONCONVERTER_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_FUNCTIONCONVERTER_H

#include "TileValues.h"

namespace tileiras {

/// Makes a new body beside the original one, operation by operation in program order, then puts it in place. Every
/// convert member takes an operation of the original body and registers what stands for its results.
class FunctionConverter {
public:
  /// `target` may be empty.
  FunctionConverter(aa::FuncOp func, LayoutAssignment &layouts, const ChipTarget &target);

  /// Fails with a diagnostic and leaves the function as it was.
  mlir::LogicalResult convert();

private:
  mlir::LogicalResult convertOp(mlir::Operation *op);
  /// The same operation on what stands for its operands, tiles in the class's layout.
  mlir::LogicalResult convertSame(mlir::Operation *op);

  /// scf operations: regions and all.
  mlir::LogicalResult convertControlFlow(mlir::Operation *op);
  mlir::LogicalResult convertTerminator(mlir::Operation *op);
  /// `to` becomes one block of what stands for the arguments and operations of the block of `from`.
  mlir::LogicalResult convertRegion(mlir::Region &from, mlir::Region &to);
  /// What stands for `passed` values, each as the value that receives it expects it.
  void forward(mlir::ValueRange passed, mlir::ValueRange received, llvm::SmallVectorImpl<mlir::Value> &operands);

  mlir::LogicalResult convertShape(mlir::Operation *op);
  mlir::LogicalResult convertBroadcast(aa::BroadcastOp op);
  mlir::LogicalResult convertPacking(mlir::Operation *op);
  mlir::LogicalResult convertCat(aa::CatOp op);
  mlir::LogicalResult convertExtractSlice(aa::ExtractSliceOp op);
  mlir::LogicalResult convertInsertSlice(aa::InsertSliceOp op);
  mlir::LogicalResult convertDot(aa::DotOp op);
  mlir::LogicalResult convertBlockScale(aa::MmaBlockScaleOp op);
  mlir::LogicalResult convertReduce(aa::ReduceOp op);
  mlir::LogicalResult convertScan(aa::ScanOp op);

  mlir::LogicalResult convertTiledLoad(aa::TiledLoadOp op);
  mlir::LogicalResult convertTiledStore(aa::TiledStoreOp op);
  mlir::LogicalResult convertTiledAtomic(aa::TiledAtomicRMWOp op);
  mlir::LogicalResult convertLoad(aa::LoadOp op);
  mlir::LogicalResult convertStore(aa::StoreOp op);
  mlir::LogicalResult convertAtomicRMW(aa::AtomicRMWOp op);
  mlir::LogicalResult convertAtomicCAS(aa::AtomicCASOp op);
  mlir::LogicalResult convertOrdering(mlir::Operation *op);
  mlir::LogicalResult convertPrint(aa::PrintOp op);

  /// `now` stands for `op`: results in order, notes that passes left on it.
  mlir::LogicalResult replace(mlir::Operation *op, mlir::Operation *now);
  /// The type of the result of a shape operation on a tile of `source` layout: in the layout of its class if that moves
  /// nothing, else in the layout that does not.
  mlir::Type getShapeResultType(mlir::Operation *op, mlir::Value result, mlir::Attribute source);
  LinearLayout toLinear(mlir::Attribute layout, mlir::Value tile) const;

  /// Coordinates of an access to a tile of `layout`.
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::OperandRange coordinates, mlir::Value tile,
                                                mlir::Attribute layout);
  /// What stands for an operand of an access through pointers of `layout` (null for scalars); null for null.
  mlir::Value getBeside(mlir::Value operand, mlir::Attribute layout);
  mlir::Value getToken(mlir::Value token) { return token ? values.get(builder, token) : mlir::Value(); }
  mlir::Type getTokenType(mlir::Value token) { return token ? values.convertType(token) : mlir::Type(); }

  aa::FuncOp func;
  LayoutAssignment &layouts;
  ChipTarget target;
  TileValues values;
  mlir::OpBuilder builder;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_FUNCTIONCONVERTER_H
