//===- InstructionOrder.h - Order within a block ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assemblers reorder straight-line code, and PTX is not in their order: arithmetic waits for none that it could
// overtake. This is what any of them would do, not one of them: a list schedule for a warp that has its scheduler for
// itself. Whatever is ready first, by registers and pipes, goes first, and of several what most depends on. Hardly more
// registers are alive than in the order of the text, and nothing overtakes a barrier, a wait, or an asynchronous
// operation.
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_INSTRUCTIONORDER_H
#define PTX_EMULATOR_TIMING_INSTRUCTIONORDER_H

#include "StaticCode.h"
#include <span>

namespace ptxemu::timing {

struct MachineModel;

/// Straight-line parts of a function, whose instructions may be in any order that keeps their results: where each
/// begins, and the end of the last one. Each instruction that nothing overtakes is a part of its own.
std::vector<uint32_t> findParts(const Function &, std::span<const StaticInstruction>);

/// The instructions of a part as an assembler would order them: indices into `part`. `outsideReads` counts, by
/// register, the reads of the program that are not in the part.
std::vector<uint32_t> orderPart(std::span<const StaticInstruction> part, const std::vector<uint32_t> &outsideReads,
                                const MachineModel &);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_INSTRUCTIONORDER_H
