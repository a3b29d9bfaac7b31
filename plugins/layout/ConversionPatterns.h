//===- ConversionPatterns.h - Rewrites that need fewer layout conversions -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_CONVERSIONPATTERNS_H
#define TILEIRAS_PLUGINS_LAYOUT_CONVERSIONPATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "tileiras/Layout/ConversionPlan.h"
#include "tileiras/Target/TuningModel.h"

namespace tileiras::layout {

/// Backwards, to what comes out of memory: a copy for each layout that is asked for, a load where that costs no more
/// than the conversion. `tuning` outlives the patterns.
void populateBufferPropagation(mlir::RewritePatternSet &patterns, const TuningModel &tuning,
                               MatrixInstructions instructions);

/// Forwards, through operations that work on each element by itself: they take over the layout that all their operands
/// were converted from. Only where that leaves fewer conversions.
void populateRegisterPropagation(mlir::RewritePatternSet &patterns);

/// Conversions that are the identity, that follow on each other, or whose source can be made anew.
void populateConversionCleanup(mlir::RewritePatternSet &patterns);

/// Out of what surrounds them: the arms of scf.if, the bodies of consumers, pragmas.
void populateRegionRewrites(mlir::RewritePatternSet &patterns);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_CONVERSIONPATTERNS_H
