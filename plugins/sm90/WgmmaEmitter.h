//===- WgmmaEmitter.h - The instructions of one product ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM90_WGMMAEMITTER_H
#define TILEIRAS_PLUGINS_SM90_WGMMAEMITTER_H

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Lowering/FragmentWords.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/NVIDIA/MatrixOperand.h"

namespace tileiras::sm90 {

/// The registers of an accumulator, a thread's part of it: f32, or 32-bit words.
llvm::SmallVector<mlir::Value> splitAccumulator(Emitter &emit, mlir::Value vector);
mlir::Value joinAccumulator(Emitter &emit, llvm::ArrayRef<mlir::Value> words, mlir::Type vectorType);

/// A product as one thread sees it.
struct WgmmaProduct {
  mlir::RankedTensorType typeA, typeB;
  mlir::Value a, b, c;     ///< addresses of tiles in shared memory, or the thread's part of them
  mlir::Region *scope;     ///< whose warps compute it
  bool isZero = false;     ///< c is
  bool waits = false;      ///< until it is complete
  bool copiesA = false;    ///< multiplies a copy of A in registers that is made for it
  bool negate = false;     ///< c - a · b
  bool isPromoted = false; ///< sums of a few instructions are added to c in its own precision; it is complete, too
};

/// Emits a · b + c for all that a warpgroup has of it. What is in flight together is one block of inline PTX: copies of
/// accumulators between its instructions would make the assembler run one after the other.
class WgmmaEmitter {
public:
  WgmmaEmitter(Emitter &emit, const MmaAtom &atom, const as::WarpgroupTiling &tiling, const TuningModel &tuning)
      : emit(emit), atom(atom), tiling(tiling), tuning(tuning) {}

  /// The thread's part of the result.
  mlir::Value run(const WgmmaProduct &product);

private:
  /// A tile in shared memory, and the descriptor of the warpgroup's first instruction.
  struct Matrix {
    MatrixOperand operand;
    mlir::Value descriptor;
  };
  /// A part of K, in instructions.
  struct Range {
    unsigned begin, end;
  };

  Matrix makeMatrix(mlir::RankedTensorType type, mlir::Value address, unsigned mnDim,
                    const MatrixDescriptorLayout &layout, int64_t numGroups, mlir::Value group) const;
  mlir::Value emitWarpgroup(mlir::Region *scope);
  void takeRegisters(const WgmmaProduct &product);
  void copyRegisters(FragmentWords &words);
  void takeDescriptors(PtxInstruction &group);
  std::string getProducts(PtxInstruction &group, llvm::StringRef fragment, unsigned tile, Range slices, bool isZero);
  llvm::SmallVector<mlir::Value> emitGroup(llvm::ArrayRef<mlir::Value> accumulators, bool isZero, bool waits);
  llvm::SmallVector<mlir::Value> emitInParts(llvm::ArrayRef<mlir::Value> accumulators);
  std::string getSuffix() const;
  unsigned getNumInstructionWords() const { return atom.getAccumulatorRegisters(); }

  Emitter &emit;
  const MmaAtom &atom;
  const as::WarpgroupTiling &tiling;
  const TuningModel &tuning;
  bool negates = false; ///< a · b is taken from the accumulator
  std::optional<Matrix> matrixA, matrixB;
  std::string descriptorA, descriptorB;                         ///< what the block that is being emitted calls them
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> fragmentsA; ///< along K first; empty when A is in memory
};

} // namespace tileiras::sm90

#endif // TILEIRAS_PLUGINS_SM90_WGMMAEMITTER_H
