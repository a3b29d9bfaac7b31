//===- Chip.h - One GPU, by name and by what it can do ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_CHIP_H
#define TILEIRAS_TARGET_CHIP_H

#include <string>

namespace tileiras {

/// The capabilities of a chip, as far as code depends on them: instructions of PTX that it has, each named after the
/// instruction, or the first of several that came together (PTX ISA, the section of that name). A target fills this in
/// from their "Target ISA Notes"; all others ask here, and compare neither compute capabilities nor limits with 0. What
/// is true from the start, all chips since compute capability 8.0 have.
struct ChipFeatures {
  bool ldmatrix = false;             ///< ldmatrix
  bool stmatrix = false;             ///< stmatrix
  bool cpAsync = false;              ///< cp.async: copies of 4 to 16 bytes that threads start
  bool tma = false;                  ///< cp.async.bulk, cp.(reduce.)async.bulk.tensor, tensormap.*, mbarrier.expect_tx
  bool gather4 = false;              ///< .tile::gather4 of cp.async.bulk.tensor, to .shared::cta: four rows
  bool scatter4 = false;             ///< .tile::scatter4: to four rows
  bool multicast = false;            ///< .multicast::cluster of cp.async.bulk.tensor, where ptxas does not emulate it
  bool cluster = false;              ///< .cluster scopes and barriers, mapa: CTAs see each other's shared memory
  bool griddepcontrol = false;       ///< griddepcontrol: kernels that start before those they depend on have ended
  bool clusterlaunchcontrol = false; ///< clusterlaunchcontrol: CTAs take over others that have not started
  bool wgmma = false;                ///< wgmma.mma_async: warpgroups multiply what is in shared memory
  bool setmaxnreg = false;           ///< setmaxnreg: warpgroups give registers to each other
  bool tcgen05 = false;              ///< tcgen05.*: tensor memory, and MMAs whose accumulators are there

  bool redux = false;    ///< redux.sync of integers
  bool reduxF32 = false; ///< redux.sync.min and .max of .f32

  bool f32x2 = false;              ///< add, sub, mul and fma of .f32x2, where they are one instruction of the chip
  bool threeInputMinMax = false;   ///< min.f32 and max.f32 with three inputs, likewise
  bool fmaBf16 = true;             ///< fma.bf16; cvt to .bf16, .f16x2 and .tf32 from .f32; .NaN and 16 bits of min, max
  bool addBf16 = false;            ///< add, sub and mul of .bf16
  bool atomAddBf16 = false;        ///< atom.add.noftz.bf16 and .bf16x2
  bool redVectors = false;         ///< red.global.add of .v2, .v4 and .v8 floats
  bool cvtF8x2 = false;            ///< cvt between .e4m3x2 or .e5m2x2 and .f16x2 or .f32
  bool cvtRnTf32 = false;          ///< cvt.rn.tf32 and .rz
  bool enableSmemSpilling = false; ///< .pragma "enable_smem_spilling"

  /// Copies to shared memory run while threads go on. Elsewhere tiles go there through registers.
  bool copiesAsynchronously() const { return tma || cpAsync; }
  /// Nothing counts the bytes of copies: those who have started them wait for groups of them, and meet. What has gone
  /// through registers is there when they meet.
  bool fillsByGroups() const { return !tma; }
};

/// One value of `--gpu-name`.
struct ChipInfo {
  std::string name;        ///< as users write it; without suffix for the variant that code is made for by default
  std::string llvmChip;    ///< -mcpu of the NVPTX back end
  std::string ptxasArch;   ///< -arch of ptxas
  unsigned ptxVersion = 0; ///< 10 × PTX ISA version that is emitted, e.g. 80
  unsigned computeCapability = 0; ///< 10 × major + minor: for programs and people to read, not for decisions
  ChipFeatures features = {};
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_CHIP_H
