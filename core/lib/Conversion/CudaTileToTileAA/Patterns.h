//===- Patterns.h - The parts of the cuda_tile to nv_tileaa pass -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
#define TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/TensorCopyRule.h"
#include "tileiras/Target/TuningModel.h"

namespace tileiras::cuda_tile_to_aa {

/// Tiles of rank 0 become scalars, other tiles tensors; pointers, tokens and views their nv_tileaa counterparts.
class TileTypeConverter : public mlir::TypeConverter {
public:
  /// Pointers are to global memory (address space 1), or generic (0) in programs that have memory of their own.
  explicit TileTypeConverter(unsigned addressSpace);
};

/// What the options of the pass and the target say about every kernel.
struct KernelOptions {
  std::string chip;              ///< key of the optimization hints; may be empty
  unsigned numWarps = 0;         ///< 0: hint, else chosen by the tiles
  unsigned numCtas = 0;          ///< 0: hint, else one
  int64_t warpgroupRows = 0;     ///< rows of instructions that read operands in shared memory; 0: there are none
  int64_t mostWarpgroupRows = 0; ///< of those that compute the most rows
  bool pipelinesLoops = false;   ///< loads may be made ahead of their use
  bool fillsByGroups = false;    ///< and threads start copies to shared memory for that
  int64_t sharedBytes = 0;       ///< shared memory of one CTA, with `tuning.ctasOfGroups` of them on a multiprocessor
  int64_t mostRegisters = 255;   ///< that a thread may have
  const char *obstacleToClusters = nullptr;        ///< why tile blocks run in one CTA only; null: they need not
  bool checksAssumes = false;                      ///< asserts stand before assumptions
  bool flushes = false, approximates = false;      ///< setArithmeticModes
  TuningModel tuning = {};                         ///< of the target
  TensorCopyRule tensorCopies{TensorCopyLimits()}; ///< likewise
};

/// The launch shapes of entries (cuda_tile::EntryOp), chosen before their tiles are converted.
using KernelSpecs = llvm::DenseMap<mlir::Operation *, aa::KernelSpecAttr>;

/// The launch shape of a kernel: option, else hint, else a choice by its largest tile. Remarks and warnings say which
/// are not followed.
aa::KernelSpecAttr chooseKernelSpec(cuda_tile::EntryOp entry, const KernelOptions &options);

/// Leaves the hints of a load or store on it as notes (AccessHints.h), which its conversion takes along. Remarks say
/// which are not followed.
void keepAccessHints(mlir::Operation *op, const KernelOptions &options);

/// `flushes`: every operation on f32 that can flush subnormal numbers to zero does. `approximates`: every one that has
/// an approximate form takes it, unless it asks for a direction to round in.
void setArithmeticModes(cuda_tile::EntryOp entry, bool flushes, bool approximates);

/// Puts an assert before every assumption that a run can look at.
void checkAssumptions(cuda_tile::EntryOp entry);

/// Rewrites for, loop and if below `root` to scf. `break`, `continue` and `return` in the middle of a region become
/// values that guard what follows. Values keep their cuda_tile types; conditions and bounds go through
/// unrealized_conversion_cast.
mlir::LogicalResult structureControlFlow(cuda_tile::EntryOp entry);

void populateArithmeticPatterns(const TileTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateFloatingPointPatterns(const TileTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const TileTypeConverter &converter, mlir::RewritePatternSet &patterns);
/// `kernelSpecs` outlives the patterns.
void populateProgramPatterns(const TileTypeConverter &converter, const KernelSpecs &kernelSpecs,
                             mlir::RewritePatternSet &patterns);
void populateShapePatterns(const TileTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateViewPatterns(const TileTypeConverter &converter, mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Shared by the patterns
//===----------------------------------------------------------------------===//

/// Same operands, same meaning: `From` is `To` on converted operands.
template <typename From, typename To>
struct ConvertPlain : mlir::OpConversionPattern<From> {
  using mlir::OpConversionPattern<From>::OpConversionPattern;

  llvm::LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getOperands());
    return mlir::success();
  }
};

aa::RoundingMode convertRounding(cuda_tile::RoundingMode mode);
aa::Signedness convertSignedness(cuda_tile::Signedness signedness);
aa::MemSemantic convertSemantic(cuda_tile::MemoryOrderingSemantics semantic);
aa::MemScope convertScope(cuda_tile::MemoryScope scope);
aa::RmwMode convertRmwMode(cuda_tile::AtomicRMWMode mode);

/// The memory semantic of an access.
template <typename Op>
aa::MemSemanticAttr semanticOf(Op op) {
  return aa::MemSemanticAttr::get(op.getContext(), convertSemantic(op.getMemoryOrderingSemantics()));
}

/// The scope of an access; a weak one has none.
template <typename Op>
aa::MemScopeAttr scopeOf(Op op) {
  if (op.getMemoryOrderingSemantics() == cuda_tile::MemoryOrderingSemantics::WEAK || !op.getMemoryScopeAttr())
    return {};
  return aa::MemScopeAttr::get(op.getContext(), convertScope(op.getMemoryScopeAttr().getValue()));
}

/// `value` under the type a tile of it converts to: an integer or float attribute for rank 0, dense elements else.
mlir::TypedAttr convertElements(mlir::DenseElementsAttr value, mlir::Type type);

/// The token that an access takes: `token`, a fresh one when only the access's own is used, or null.
mlir::Value tokenOperand(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value token, mlir::Value resultToken);

/// The type of the result token that goes with `token`: null when there is none.
mlir::Type tokenType(mlir::Value token);

/// Replaces an access by `values` and the token after it, a null one when nobody uses it.
void replaceAccess(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op, mlir::ValueRange values,
                   mlir::Value token);

} // namespace tileiras::cuda_tile_to_aa

#endif // TILEIRAS_LIB_CONVERSION_CUDATILETOTILEAA_PATTERNS_H
