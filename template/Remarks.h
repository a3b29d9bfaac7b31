// What the plugin has to say: each remark with its meaning, and what to do about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef STARTER_REMARKS_H
#define STARTER_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace starter {

inline constexpr tileiras::RemarkCategory Counts{"starter-counts", "How many operations of a kind there are."};

#define STARTER_REMARKS(PASSED, MISSED, ANALYSIS)                                                                      \
  ANALYSIS(CountLoads, "CountLoads", Counts, "How many loads a kernel has.", "Nothing: it is information.")
TILEIRAS_REMARK_TABLE(STARTER_REMARKS)
#undef STARTER_REMARKS

} // namespace starter

#endif // STARTER_REMARKS_H
