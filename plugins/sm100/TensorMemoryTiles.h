//===- TensorMemoryTiles.h - What patterns of tcgen05 share -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_TENSORMEMORYTILES_H
#define TILEIRAS_PLUGINS_SM100_TENSORMEMORYTILES_H

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::sm100 {

/// Addresses have the row in their upper half.
inline constexpr unsigned kRowShift = 16;
/// The most columns of one instruction. It has as many as it can: the operands are shared by all warps.
inline constexpr int64_t kMaxColumns = 256;
/// Of one tcgen05.ld or .st: with more, the assembler would want more registers of a thread than large blocks have.
inline constexpr unsigned kMaxWords = 32;

/// The address of the first row that `warp` reaches, in the column of `tile`.
inline mlir::Value emitQuarter(Emitter &emit, mlir::Value tile, mlir::Value warp) {
  mlir::Value quarter = emit.bitAnd(warp, emit.i32(as::kTensorMemoryQuarters - 1));
  return emit.add(tile, emit.mul(quarter, emit.i32(as::kRowsOfQuarter << kRowShift)));
}

/// The group of CTAs that an instruction is for.
inline llvm::StringRef getGroup(bool isPair) {
  return isPair ? "cta_group::2" : "cta_group::1";
}

/// The instruction of `atom`, which is of one CTA, or that of a pair, which has tensor memory as `.ws` has it where
/// each CTA has 64 rows.
inline std::string getInstruction(const MmaAtom &atom, bool isPair) {
  if (!isPair)
    return atom.instruction;
  const llvm::StringRef ofOne = getGroup(/*isPair=*/false);
  return ("tcgen05.mma." + getGroup(isPair) + llvm::StringRef(atom.instruction).split(ofOne).second).str();
}

/// `name` (ld or st) of `count` words of a row a lane; unpacked, each is in the lower halves of two columns.
inline std::string getRowInstruction(llvm::StringRef name, int64_t count, bool isUnpacked = false) {
  llvm::StringRef packing = !isUnpacked ? "" : name == "ld" ? ".pack::16b" : ".unpack::16b";
  return llvm::formatv("tcgen05.{0}.sync.aligned.32x32b.x{1}{2}.b32", name, count, packing);
}

/// Orders what threads do to tensor memory before, or behind, a barrier.
inline void emitFence(Emitter &emit, bool isBefore) {
  PtxInstruction(emit).emit(isBefore ? "tcgen05.fence::before_thread_sync;" : "tcgen05.fence::after_thread_sync;",
                            PtxEffect::Memory);
}

/// All threads of the scope, or of all CTAs of the cluster, or those of each product group (at hardware barriers from
/// `ofGroup` on) meet; what they have done to tensor memory comes before what any of them does behind.
inline void emitMeeting(Emitter &emit, bool ofCluster = false, std::optional<unsigned> ofGroup = std::nullopt) {
  emitFence(emit, /*isBefore=*/true);
  if (ofCluster)
    emit.clusterBarrier();
  else if (ofGroup)
    emit.groupBarrier(*ofGroup);
  else
    emit.barrier();
  emitFence(emit, /*isBefore=*/false);
}

/// Where the rows from `row` and the columns from `column` on start, in elements of a row of tensor memory.
inline int64_t getColumn(const LinearLayout &memory, int64_t row, int64_t column) {
  const llvm::SmallVector<LinearLayout::Inputs> inverse = memory.rightInverse();
  const int64_t element = row * memory.getOutSize(1) + column;
  int64_t place = 0;
  for (auto [bit, inputs] : llvm::enumerate(inverse))
    if (element >> bit & 1)
      place ^= inputs[static_cast<unsigned>(LayoutDim::Column)];
  return place;
}

/// The matrix descriptor with which `atom` reads operand `axis` of `op`, of type `type` at `address`, and, unless
/// `isMnMajor` is null, whether M or N is contiguous there. Null after a diagnostic.
mlir::Value emitOperandDescriptor(Emitter &emit, mlir::Operation *op, const MmaAtom &atom, as::OperandAxis axis,
                                  mlir::RankedTensorType type, mlir::Value address, bool *isMnMajor = nullptr);

/// In the first warp of each product group, where `condition` (null: always) holds.
void emitInFirstWarp(Emitter &emit, mlir::Value condition, llvm::function_ref<void()> body);

/// A block-scaled product, which copies its scales to tensor memory. `values` are its operands, converted. Fails, with
/// a diagnostic, where it does not know where to.
mlir::LogicalResult emitProductWithCopiedScales(Emitter &emit, as::AsyncDotOp op, const MmaAtom &atom,
                                                as::AsyncDotOp::Adaptor values);

/// Sets the predicate `first`: whether the first instruction of `op` adds to what is there. `overwrites` is that of the
/// product, converted.
std::string getFirst(PtxInstruction &group, as::AsyncDotOp op, mlir::Value overwrites);

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_TENSORMEMORYTILES_H
