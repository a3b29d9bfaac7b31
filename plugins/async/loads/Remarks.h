//===- Remarks.h - Remarks of asynchronous loads ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_LOADS_REMARKS_H
#define TILEIRAS_PLUGINS_ASYNC_LOADS_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace tileiras::async {
inline namespace loads {

inline constexpr RemarkCategory AsyncCopyRemarks{"async-copy", "Tiles that `cp.async` copies, or does not."};

#define ASYNC_LOADS_REMARKS(PASSED, MISSED, ANALYSIS)                                                                  \
  MISSED(AsyncCopy, "AsyncCopy", AsyncCopyRemarks,                                                                     \
         "A tile goes through registers on its way to shared memory, since `cp.async` cannot copy it.",                \
         "State alignment with `assume` (`div_by`), so that threads can copy 4, 8 or 16 bytes at once.")               \
  MISSED(TensorCopy, "TensorCopy", TmaRemarks, "A tile is loaded or stored by the threads instead of by TMA.",         \
         "Remove the obstacle that the message names; TMA needs strides and addresses that are multiples of 16 bytes " \
         "(`assume` states that).")                                                                                    \
  MISSED(Multicast, "Multicast", TmaRemarks, "Each CTA of a cluster loads all of a tile that the others load, too.",   \
         "Use larger tiles, or create the view of the array outside of the loop. Some GPUs have no multicast.")        \
  ANALYSIS(TensorCopy, "TensorCopy", TmaRemarks, "TMA gathers the rows of a tile, four with an instruction.",          \
           "Nothing; no thread computes the addresses of rows.")                                                       \
  ANALYSIS(Multicast, "Multicast", TmaRemarks,                                                                         \
           "Each CTA of a cluster loads a part of a tile, and TMA writes it to all of them.",                          \
           "Nothing; it saves memory bandwidth.")

TILEIRAS_REMARK_TABLE(ASYNC_LOADS_REMARKS)

} // namespace loads
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_LOADS_REMARKS_H
