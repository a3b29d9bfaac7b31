//===- Remarks.h - Remarks of asynchronous scheduling -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::async {
inline namespace scheduling {

#define ASYNC_SCHEDULING_REMARKS(PASSED, MISSED, ANALYSIS)                                                             \
  MISSED(LoopSchedule, "LoopSchedule", ScheduleRemarks,                                                                \
         "The operations of a loop keep the order that they have in the program.",                                     \
         "Use smaller tiles where the message names registers; else remove the obstacle that it names.")               \
  ANALYSIS(                                                                                                            \
      LoopSchedule, "LoopSchedule", ScheduleRemarks,                                                                   \
      "The schedule of a loop: its initiation interval, the bounds of that, its stages, and the unit that limits it.", \
      "Where the interval is well above its bounds, try another scheduler (`--set scheduler.name=…`).")                \
  MISSED(PrepareForScheduling, "PrepareForScheduling", ScheduleRemarks,                                                \
         "The consumer of a loop is scheduled as a whole instead of by single operations.",                            \
         "Remove the obstacle that the message names.")

TILEIRAS_REMARK_TABLE(ASYNC_SCHEDULING_REMARKS)

} // namespace scheduling
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_REMARKS_H
