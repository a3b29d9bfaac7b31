//===- IsaLimits.h - What PTX fixes, whatever the chip ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The most that an instruction can name or do. Verifiers of the dialects, which know no chip, hold programs to it. What
// a chip has is in its MachineModel, which begins with these numbers; passes and analyses ask that one. A chip may have
// less, never more (Registry::verifyTables). The limits of tensor copies, by which layouts are matched, are in
// Layout/TensorCopyLimits.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_ISALIMITS_H
#define TILEIRAS_TARGET_ISALIMITS_H

#include <cstdint>

namespace tileiras {
struct IsaLimits {
  /// Warps of a warpgroup, which run `wgmma` and `setmaxnreg` together, and reach all lanes of tensor memory: "wgmma",
  /// "tcgen05.ld".
  static constexpr int64_t kWarpsOfWarpgroup = 4;

  /// Of a CTA; number 0 is that of all its threads: "bar".
  static constexpr int64_t kNamedBarriers = 16;

  /// Of a multiprocessor, in lanes (rows of a tile) and columns of so many bits; so many columns at least are taken at
  /// once: "Tensor Memory", "tcgen05.alloc".
  static constexpr int64_t kTensorMemoryLanes = 128, kTensorMemoryColumns = 512, kTensorMemoryColumnBits = 32,
                           kLeastTensorMemoryColumns = 32;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_ISALIMITS_H
