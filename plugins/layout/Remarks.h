//===- Remarks.h - Remarks of the layout plugin -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_REMARKS_H
#define TILEIRAS_PLUGINS_LAYOUT_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::layout {

inline constexpr RemarkCategory LayoutRemarks{
    "layout", "Layouts of tiles: conversions between them, and operands in shared memory."};

#define LAYOUT_REMARKS(PASSED, MISSED, ANALYSIS)                                                                       \
  MISSED(MaterializedConversion, "MaterializedConversion", LayoutRemarks,                                              \
         "A conversion between two layouts gets no shared memory of its own and goes through that of exchanges.",      \
         "Nothing, or use smaller tiles.")                                                                             \
  MISSED(SlicedLoop, "SlicedLoop", LayoutRemarks, "A loop is not split, though `slice-count` asks for it.",            \
         "Remove what the message names, or leave `slice-count` out.")                                                 \
  MISSED(WarpgroupProduct, "WarpgroupProduct", LayoutRemarks,                                                          \
         "An MMA is computed by single warps (`mma.sync`) instead of warpgroups.",                                     \
         "Remove the obstacle that the message names; often a tile has fewer than 64 rows, or the kernel has fewer "   \
         "than 4 warps.")                                                                                              \
  MISSED(SharedOperand, "SharedOperand", LayoutRemarks,                                                                \
         "Operands of an MMA stay in registers, since there is no room for them in shared memory.",                    \
         "Use smaller tiles or fewer pipeline stages.")                                                                \
  ANALYSIS(StageLayout, "StageLayout", LayoutRemarks,                                                                  \
           "The layout that a tile has in the stages of its pipeline, and what it costs.",                             \
           "Nothing; `tuning.shared-weight`, `tuning.tensor-memory-weight` and `tuning.register-weight` are the "      \
           "weights of the three terms.")                                                                              \
  ANALYSIS(SharedOperand, "SharedOperand", LayoutRemarks,                                                              \
           "An operand that is computed before a loop is kept in shared memory, where the MMAs of the loop read it.",  \
           "Nothing; it saves registers.")

TILEIRAS_REMARK_TABLE(LAYOUT_REMARKS)

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_REMARKS_H
