//===- WarpgroupProducts.h - MMAs of warpgroups -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of warpgroups have B in shared memory, and A there or in registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_WARPGROUPPRODUCTS_H
#define TILEIRAS_ANALYSIS_WARPGROUPPRODUCTS_H

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"

namespace tileiras::as {

/// The atom's instructions are executed by four warps together, whose registers hold the accumulator, or by one thread
/// for four warps, who load it from tensor memory.
bool isWarpgroupAtom(const MmaAtom &atom);

/// Where an operand of a product is. In memory, K or else M or N is contiguous; `RegistersOfMnMajor` come from there.
enum class OperandPlace : uint8_t { Registers, RegistersOfMnMajor, KMajor, MnMajor };

struct WarpgroupProduct {
  const MmaAtom *atom = nullptr;
  ProductLayouts layouts; ///< those of operands in memory are null
};

/// How `numWarps` warps compute the product that `query` describes by instructions of warpgroups with the operands
/// where they are: warpgroups are laid along M first, 64 rows each at least, then along N; each uses the widest
/// instruction that divides its columns, and for which there are registers: fewer with `isLoadedByThreads`, operands
/// that threads hold on their way to memory. Else, why they cannot. `target` may be empty.
llvm::Expected<WarpgroupProduct> findWarpgroupProduct(mlir::MLIRContext *context, const MmaQuery &query,
                                                      const ChipTarget &target, int64_t numWarps, OperandPlace a,
                                                      OperandPlace b, bool isLoadedByThreads = false);

/// What keeps an instruction from reading an operand that is in memory as it is.
enum class DescriptorFit : uint8_t {
  Fits,
  WrongMajor,   ///< M or N is contiguous, and the instruction reads only what is contiguous along K
  LongRows,     ///< an instruction takes a part of a row of the swizzle
  NoDescriptor, ///< no matrix descriptor says where the elements are
};

struct OperandDescriptor {
  DescriptorFit fit = DescriptorFit::NoDescriptor;
  MatrixDescriptorLayout layout; ///< unless there is none
};

/// How operand `axis`, A or B, of `atom` can be read whose elements are where `memory`, of rank 2, says.
OperandDescriptor matchOperandDescriptor(const MmaAtom &atom, OperandAxis axis, const LinearLayout &memory);

/// The descriptor with which `atom` reads operand `axis`, A or B, of type `memory` in shared memory. Else, why it
/// cannot.
llvm::Expected<MatrixDescriptorLayout> getOperandDescriptor(const MmaAtom &atom, OperandAxis axis,
                                                            mlir::RankedTensorType memory);

/// `tile`, of rank 2, in shared memory, dimension `contiguous` without gaps, with the widest swizzle that its rows
/// allow; null where they allow none.
mlir::RankedTensorType chooseOperandMemory(mlir::RankedTensorType tile, unsigned contiguous);

/// The instructions of a product of warpgroups.
struct WarpgroupTiling {
  int64_t groupsM = 1, groupsN = 1;           ///< warpgroups along M and N; that number along M is lowest
  int64_t rows = 1, columns = 1, depth = 1;   ///< instructions of each along M, N and K
  std::optional<MatrixDescriptorLayout> a, b; ///< of operands in memory
};

/// Those of the product a · b + c whose accumulator has the layout `atom` gives it. Else, why there are none.
llvm::Expected<WarpgroupTiling> getWarpgroupTiling(const MmaAtom &atom, mlir::RankedTensorType a,
                                                   mlir::RankedTensorType b, mlir::RankedTensorType c);

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_WARPGROUPPRODUCTS_H
