//===- Remarks.h - Remarks of asynchronous attention ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_ATTENTION_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_ATTENTION_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::async {
inline namespace attention {

inline constexpr RemarkCategory AsyncRemarks{"async", "Changes to the arithmetic of a loop that overlap it with MMAs."};

#define ASYNC_ATTENTION_REMARKS(PASSED, MISSED, ANALYSIS)                                                              \
  ANALYSIS(RescaleConditionally, "RescaleConditionally", AsyncRemarks,                                                 \
           "A softmax scales its accumulator only where the maximum of a row grows by more than a threshold "          \
           "(conditional rescaling).",                                                                                 \
           "Nothing; `--set conditional-rescaling=0` scales always.")                                                  \
  ANALYSIS(SplitExponentials, "SplitExponentials", AsyncRemarks,                                                       \
           "A part of the exponentials of a loop is computed by multiplications.",                                     \
           "Nothing; `--set split-exponentials=false` computes all of them by the special function unit.")             \
  ANALYSIS(SplitLoop, "SplitLoop", ScheduleRemarks,                                                                    \
           "A loop is split where elements begin to be masked or a condition changes.",                                \
           "Nothing; the first part needs no mask.")

TILEIRAS_REMARK_TABLE(ASYNC_ATTENTION_REMARKS)

} // namespace attention
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_ATTENTION_REMARKS_H
