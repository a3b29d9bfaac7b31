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

/// What the instructions of a chip can do, as far as code depends on it. A target fills this in from the PTX ISA's
/// "Target ISA Notes"; nobody else compares compute capabilities.
struct ChipFeatures {
  bool loadMatrix = false;       ///< ldmatrix
  bool storeMatrix = false;      ///< stmatrix
  bool asyncCopy = false;        ///< cp.async
  bool tensorCopy = false;       ///< cp.async.bulk and its tensor forms (TMA), mbarrier transactions
  bool clusters = false;         ///< CTAs of a cluster see each other's shared memory
  bool dependentLaunch = false;  ///< griddepcontrol
  bool launchControl = false;    ///< clusterlaunchcontrol: CTAs take over others that have not started
  bool warpgroupMma = false;     ///< wgmma
  bool registerTransfer = false; ///< setmaxnreg: warpgroups give registers to each other
  bool tensorMemory = false;     ///< tensor memory and tcgen05
  bool blockScaledMma = false;   ///< mma.sync with .block_scale

  bool integerRedux = false; ///< redux.sync on integers
  bool floatRedux = false;   ///< redux.sync.min and .max on f32

  bool packedF32Arithmetic = false;    ///< add, sub, mul and fma of .f32x2 are one instruction for two elements
  bool ternaryMinMax = false;          ///< min and max of three f32 are one instruction
  bool bf16Arithmetic = false;         ///< add, sub and mul of bf16, beside fma
  bool bf16Atomics = false;            ///< atom.add.noftz.bf16 and .bf16x2
  bool fp8Conversions = false;         ///< cvt between e4m3x2, e5m2x2 and f16x2, f32
  bool narrowFloatConversions = false; ///< cvt of e2m1x2, e2m3x2, e3m2x2 and ue8m0x2
  bool tf32RoundingModes = false;      ///< cvt.rn and .rz to tf32; cvt.rna is everywhere
  bool sharedMemorySpills = false;     ///< .pragma "enable_smem_spilling"
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
