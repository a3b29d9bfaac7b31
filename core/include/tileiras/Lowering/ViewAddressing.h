//===- ViewAddressing.h - Where the elements of a tile of a view are -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_VIEWADDRESSING_H
#define TILEIRAS_LOWERING_VIEWADDRESSING_H

#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "tileiras/Lowering/MemoryInstructions.h"

namespace tileiras {

/// A lowered memref: uniform values of the whole CTA.
struct MemRefParts {
  mlir::Value base;
  llvm::SmallVector<mlir::Value> sizes, strides; ///< i64, in elements
};
MemRefParts unpackMemRef(Emitter &emit, aa::TileMemRefType type, mlir::Value structure);

/// One access of a thread: contiguous elements in memory.
struct ViewAccess {
  llvm::SmallVector<unsigned> registers;
  ElementAddress address;
  mlir::Value inBounds; ///< null: always
};

/// Emits addresses and bounds for the tile of `view` at `coordinates`, distributed by `layout`.
class ViewAddressing {
public:
  /// `op` is any access through a view, `adaptor` its converted operands.
  template <typename OpTy>
  ViewAddressing(Emitter &emit, const LLVMTileTypeConverter &converter, OpTy op, typename OpTy::Adaptor adaptor,
                 const LinearLayout &layout)
      : ViewAddressing(emit, converter, op.getView(), op.getCoords(), adaptor.getView(), adaptor.getCoords(),
                       op.getInBounds(), layout) {}

  /// Original operands, then converted ones. Coordinates are scalars, or a vector along the sparse dimension;
  /// `inBounds` has one flag for each memref dimension.
  ViewAddressing(Emitter &emit, const LLVMTileTypeConverter &converter, mlir::Value originalView,
                 mlir::ValueRange originalCoordinates, mlir::Value view, mlir::ValueRange coordinates,
                 llvm::ArrayRef<bool> inBounds, const LinearLayout &layout);

  /// Accesses of up to `maxBytes` that cover every element the thread holds, copies in registers excluded.
  llvm::SmallVector<ViewAccess> getAccesses(mlir::Operation *access, unsigned maxBytes);

private:
  struct Dimension {
    mlir::Value thread;       ///< i32: the thread's part of the coordinate in the tile
    int64_t threadMask = 0;   ///< bits it may set
    int64_t registerMask = 0; ///< bits the registers may set
    mlir::Value end;          ///< i32: coordinates in the memref are below it; null where not checked
    mlir::Value stride;       ///< i64, of the memref
    std::optional<int64_t> constantStride;
    llvm::SmallVector<mlir::Value> indices; ///< i64 for each register, along the sparse dimension only
    mlir::Value size;
    bool checked = true;
    llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> addresses; ///< so many strides behind another
  };

  void setUpDimension(unsigned d, const MemRefParts &parts, mlir::Type coordinateType, mlir::Value coordinate,
                      bool inBounds);
  void setUpIndices(unsigned d, mlir::Type indicesType, mlir::Value indices);
  unsigned chooseVectorElements(unsigned maxBytes) const;
  mlir::Value getCoordinate(const Dimension &dimension, int64_t registerPart);
  /// Addresses are pointers; of elements of four bits, i64 that count half bytes.
  mlir::Value advance(mlir::Value address, mlir::Value elements);
  mlir::Value advanceByRegister(unsigned d, mlir::Value address, int64_t registerPart);
  mlir::Value getAddress(unsigned reg);
  bool computeSharesBytes() const;
  /// Whether the tile is known to lie within the memref along dimension `d`.
  bool isInside(unsigned d, mlir::Value coordinate) const;
  ViewAccess makeAccess(llvm::SmallVector<unsigned> registers);
  mlir::Value getBoundsCheck(unsigned reg);

  Emitter &emit;
  as::TiledViewType type;
  aa::TileMemRefType memref;
  const LinearLayout &layout;
  mlir::Type memoryType;
  as::MemRefFacts facts;
  llvm::SmallVector<Dimension> dimensions; ///< of the tile
  bool sharesBytes = false; ///< of elements of four bits: whether a byte belongs to several tiles or threads
  mlir::Value tileBase;     ///< address of the tile's first element
  mlir::Value threadBase;   ///< tileBase plus what the thread contributes in dimensions whose bits do not mix
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_VIEWADDRESSING_H
