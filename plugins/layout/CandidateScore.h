//===- CandidateScore.h - What a layout of a stage costs --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_CANDIDATESCORE_H
#define TILEIRAS_PLUGINS_LAYOUT_CANDIDATESCORE_H

#include "SlotCandidates.h"

namespace tileiras::layout {

// Three terms, for one round of a stage and one warp's share of it:
//
//  * transactions of shared memory: wavefronts (up to 128 bytes from 32 banks) of all that fills and reads the stage. A
//    copy engine fills it by rows of the swizzle's span; a matrix descriptor reads what the swizzle has spread over
//    all banks;
//  * cycles of tensor memory in which a row of the tile comes there, as scales or as an operand of tcgen05.mma: none on
//    chips that have none;
//  * live registers: 32-bit registers of a thread that hold the tile on its way in or out.

LayoutCost computeCost(const PipelineEntry &entry, const ProductChoices &products, const SlotCandidate &candidate);

/// The lowest score; of equal ones that with fewer registers, then fewer bank conflicts, then the first. With
/// `preferTensorCopies` candidates that copy engines can fill go before all others. `candidates` is not empty.
const SlotCandidate &pickByCost(llvm::ArrayRef<SlotCandidate> candidates, bool preferTensorCopies,
                                const TuningModel &tuning);

/// The layout in which threads hold the tile before they store it to a slot whose fastest dimension is `slotDim`, or
/// that of memory.
LinearLayout getWriterLayout(const PipelineEntry &entry, std::optional<unsigned> slotDim = std::nullopt);

/// The layouts in which threads load the tile, each once: for products of single warps, and for whatever else reads it.
std::vector<LinearLayout> getReaderLayouts(const PipelineEntry &entry, const ProductChoices &products);

/// 32-bit registers of a thread that hold a tile of elements of `bits`.
int64_t countRegisters(const LinearLayout &layout, unsigned bits);

/// Of the target; none without a target.
MatrixInstructions getMatrixInstructions(const ChipTarget &target);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_CANDIDATESCORE_H
