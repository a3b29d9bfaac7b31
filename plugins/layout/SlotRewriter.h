//===- SlotRewriter.h - Moves the stages of pipelines to memory -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_SLOTREWRITER_H
#define TILEIRAS_PLUGINS_LAYOUT_SLOTREWRITER_H

#include "SlotCandidates.h"

namespace tileiras::layout {

/// Gives the group's payload the chosen encodings, one for each entry. Producers copy what they yielded into their
/// slots. Products of warpgroups read the slots; everybody else reads a copy in registers.
void moveToMemory(PipelineGroup &group, llvm::ArrayRef<as::SharedAttr> encodings, const ProductChoices &products);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_SLOTREWRITER_H
