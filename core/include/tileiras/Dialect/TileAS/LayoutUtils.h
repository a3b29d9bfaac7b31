//===- LayoutUtils.h - From encodings to registers --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What layout assignment, the verifiers and the lowering to LLVM all need to know about distributed tensors: which
// layout an encoding stands for, how many elements a thread holds, and what the shape operations make of a layout.
//
// The rule of shape operations: the derived layout of the result (the functions below) tells where the source's
// elements are; the result's own layout must be one that each thread can fill from its own registers, that is,
// getRegisterMap(derived, result) must exist. The map is also all that a lowering needs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_LAYOUTUTILS_H
#define TILEIRAS_DIALECT_TILEAS_LAYOUTUTILS_H

#include "mlir/IR/BuiltinTypes.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/LinearLayout.h"

namespace tileiras::as {

//===----------------------------------------------------------------------===//
// Distributed tensors
//===----------------------------------------------------------------------===//

/// The layout of a distributed tensor: inputs Register, Lane and Warp.
LinearLayout getLinearLayout(mlir::RankedTensorType type);

/// Elements each thread holds, copies included: the length of its vector in LLVM. A power of two.
int64_t getNumRegisters(mlir::RankedTensorType type);

/// Bits of the thread that hold copies: a store or an atomic is done by the threads whose lane and warp have all of
/// these bits zero.
struct ReplicaMasks {
  uint64_t lane = 0, warp = 0;
};
ReplicaMasks getReplicaMasks(const LinearLayout &layout);

/// The bits an element occupies in a register: those of the type, but at least 8 for numbers other than i1 (fp4 is kept
/// one element a byte), 64 for pointers.
unsigned getRegisterBits(mlir::Type elementType);

//===----------------------------------------------------------------------===//
// Tensors in shared memory
//===----------------------------------------------------------------------===//

/// The bits an element occupies in shared memory: those of a register, an i1 a byte.
inline unsigned getSharedBits(mlir::Type elementType) {
  return std::max(8u, getRegisterBits(elementType));
}

/// The layout of a tensor in shared memory: one input, Offset, in elements. Nothing, with an error, for descriptors
/// that give elements no place of their own.
llvm::Expected<LinearLayout> getSharedLayout(mlir::RankedTensorType type);

/// Bytes of shared memory a tensor takes.
int64_t getSharedBytes(mlir::RankedTensorType type);

/// The encoding of a tile whose elements, of `elementBits`, are where `memory` (of offsets) says. Fails where no
/// descriptor says that.
llvm::Expected<SharedAttr> encodeShared(mlir::MLIRContext *context, const LinearLayout &memory, unsigned elementBits);
/// The type of a tile in shared memory whose elements are where `memory` says. Null where no descriptor says that.
mlir::RankedTensorType getSharedType(mlir::Type element, const LinearLayout &memory);
/// The type of the same shared memory with the tile's dimensions in another order: dimension i of the result is
/// dimension permutation[i]. Null where no descriptor says that.
mlir::RankedTensorType getPermutedMemory(mlir::RankedTensorType memory, llvm::ArrayRef<int32_t> permutation);
/// What tiles in shared memory are aligned to, bytes: the widest swizzle repeats after that many.
inline constexpr int64_t kTileAlignment = 1024;
/// What a tile in shared memory is aligned to, bytes: kTileAlignment, or where nothing is swizzled what copies of whole
/// tiles ask for.
int64_t getTileAlignment(mlir::RankedTensorType type);
/// Bytes from one stage of a ring to the next: getSharedBytes, rounded up to kTileAlignment. Of a tile that is not in
/// shared memory: what it takes as soon as it is.
int64_t getStageBytes(mlir::RankedTensorType type);

/// A new tile in shared memory, of type `memory`, to which `builder` copies the tile `registers`.
mlir::Value copyToMemory(mlir::OpBuilder &builder, mlir::Location location, mlir::Value registers,
                         mlir::RankedTensorType memory);

/// Elements from where the memory begins that `tile` is a view of (see skipViews) to where the tile begins; nothing
/// where the program computes it.
std::optional<int64_t> getViewOffset(mlir::Value tile);

/// A copy between the registers of threads and memory.
struct RegisterCopy {
  mlir::RankedTensorType registers, memory;
  bool isStore = false; ///< into memory
};
/// Nothing where `copy` is from memory to memory.
std::optional<RegisterCopy> findRegisterCopy(CopyOp copy);

//===----------------------------------------------------------------------===//
// Derived layouts
//===----------------------------------------------------------------------===//

/// For each register of `to`, the register of `from` in which the same thread holds the same element. Nothing if some
/// thread would need another thread's element, or a register that depends on the lane or warp. Both cover one shape.
std::optional<llvm::SmallVector<unsigned>> getRegisterMap(const LinearLayout &from, const LinearLayout &to);

/// The layout of one of `parts` equal parts of a tile along `dim`, in the registers that hold it in the tile. Nothing
/// where it is not registers alone that tell the parts from each other.
std::optional<LinearLayout> getPartLayout(const LinearLayout &tile, unsigned dim, int64_t parts);

/// For each register of `part`, the register of `tile` in which the same thread holds that element of the part that
/// begins at `first`. Nothing if some thread would need another thread's element.
std::optional<llvm::SmallVector<unsigned>> getPartRegisters(const LinearLayout &tile, const LinearLayout &part,
                                                            llvm::ArrayRef<int64_t> first);

/// What a reduction along `axis` leaves: the layout without that dimension, each register once.
LinearLayout getReducedLayout(const LinearLayout &source, unsigned axis);

/// The layout of a rank-1 tensor with one element for each index of dimension `dim`, such that each thread holds those
/// of its elements of the tile: indices of a gather.
LinearLayout getSlicedLayout(const LinearLayout &tile, unsigned dim);

/// The layout an operand of `sourceShape` must have to be broadcast to a result with layout `result`.
LinearLayout getBroadcastSourceLayout(const LinearLayout &result, llvm::ArrayRef<int64_t> sourceShape);

/// Two tiles of layout `operand` side by side along `axis`: the second one in further registers.
LinearLayout getCatLayout(const LinearLayout &operand, unsigned axis);

/// Reinterprets each group of elements of a rank-1 tile as elements of another width, both in bits (multiples of each
/// other). Nothing if a thread does not hold whole groups in its lowest registers.
std::optional<LinearLayout> getRepackedLayout(const LinearLayout &source, unsigned sourceBits, unsigned resultBits);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_LAYOUTUTILS_H
