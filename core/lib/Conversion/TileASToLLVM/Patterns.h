//===- Patterns.h - The families of patterns, one file each -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PATTERNS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PATTERNS_H

#include "tileiras/Lowering/MemoryInstructions.h"
#include "tileiras/Lowering/ScalarArithmetic.h"
#include "tileiras/Lowering/SharedStaging.h"
#include "tileiras/Lowering/TilePattern.h"

namespace tileiras {

void populateElementwisePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateMathPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateNumberConversionPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateHalfPairPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePackedBytePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePointerPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePointerAccessPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateViewAccessPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAtomicPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateShapePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateSliceMemoryPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateSharedTensorPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateSlicePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePersistentProgramPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
/// Unit, on a kernel of the LLVM dialect: `only_resident_begin` of the function that it was.
inline constexpr llvm::StringLiteral kOnlyResidentBeginAttr =
    aa::TileAADialect::OnlyResidentBeginAttrHelper::getNameStr();
/// Ends the CTAs of tile blocks beyond those that the GPU runs at once: kOnlyResidentBeginAttr.
void emitLeaveBeyondResident(Emitter &emit, mlir::LLVM::LLVMFuncOp kernel);
void populateGeneratePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateConvertLayoutPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateReducePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateScanPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateDotPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePragmaPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePrintPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAssertPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAllocaPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePipelinePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateExclusiveSectionPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateProgramPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

/// a · b + c in the arithmetic of the accumulator's type, through getFmaDotScratchBytes of the scratch area.
mlir::Value emitFmaDot(Emitter &emit, const LoweringContext &lowering, as::DotOp op, mlir::Value a, mlir::Value b,
                       mlir::Value c);
int64_t getFmaDotScratchBytes(const LoweringContext &lowering, as::DotOp op);

/// Whether an alloca has been given memory of the heap.
bool isOnHeap(aa::AllocaOp op);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PATTERNS_H
