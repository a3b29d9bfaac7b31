//===- PtxPatterns.h - What planted bugs look for ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that several tables of bugs have: one place to change where the lowering writes something else. A stage's
// barriers lie 16 bytes apart, the full one first.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PTXPATTERNS_H
#define TILEIRAS_FUZZ_PTXPATTERNS_H

namespace tileiras::fuzz::patterns {

/// Waits for a stage that is full, or empty, with their loops; \1 is the question alone.
inline constexpr const char *kFullWait =
    "(mbarrier\\.try_wait.*complete, \\[%r[0-9]+\\], %r[0-9]+;)\n@!complete bra WAIT;";
inline constexpr const char *kEmptyWait =
    "(mbarrier\\.try_wait.*complete, \\[%r[0-9]+\\+8\\], %r[0-9]+;)\n@!complete bra WAIT;";
/// The initialisation of a stage's full barrier that counts one, and of empty ones that count four or eight warps,
/// up to the number.
inline constexpr const char *kFullCountOfOne = "(mbarrier\\.init.*\\[%r[0-9]+(\\+16|\\+32|\\+48)?\\], )1;";
inline constexpr const char *kEmptyCountOfFour = "(mbarrier\\.init.*\\+(8|24|40|56)\\], )4;";
inline constexpr const char *kEmptyCountOfEight = "(mbarrier\\.init.*\\[%r[0-9]+\\+(8|24|40|56)\\], )8;";
/// Where a stage is released in its CTA, up to the offset of the empty barrier.
inline constexpr const char *kRelease = "(mbarrier\\.arrive\\.shared::cta\\.b64 _, \\[%r[0-9]+)\\+8\\]";
/// The barrier that a TMA load signals.
inline constexpr const char *kSignalOfCopy = "(bulk\\.tensor.*\\}\\], \\[%r[0-9]+)\\]";
/// Shows what threads have written to TMA and tensor cores.
inline constexpr const char *kProxyFence = "fence\\.proxy\\.async\\.shared::cta;";
inline constexpr const char *kBarrierOfBlock = "bar\\.sync[ \t]+0;";
/// Waits for all groups of wgmma, and for all but one.
inline constexpr const char *kWaitForAllMmas = "wgmma\\.wait_group\\.sync\\.aligned[ \t]+0;";
inline constexpr const char *kWaitForAllButOne = "wgmma\\.wait_group\\.sync\\.aligned[ \t]+1;";
/// An MMA adds to its accumulator.
inline constexpr const char *kAddsToSum = "setp\\.ne\\.b32 sum, 1, 0;";
/// Waits until TMA has read what it stores, and until it has stored it.
inline constexpr const char *kWaitForStoresRead = "cp\\.async\\.bulk\\.wait_group\\.read 0;";
inline constexpr const char *kWaitForStores = "cp\\.async\\.bulk\\.wait_group 0;";
/// Which CTA of the cluster this is; \1 gets the number.
inline constexpr const char *kClusterRank = "mov\\.u32[ \t]+(%r[0-9]+), %cluster_ctarank;";
inline constexpr const char *kClusterBarrier =
    "barrier\\.cluster\\.arrive\\.aligned;\n.*barrier\\.cluster\\.wait\\.aligned;";
/// The instruction descriptor of tcgen05.mma.
inline constexpr const char *kInstructionKind = "(mov\\.b32 kind, [0-9]+;)";
/// MMAs of tensor memory release a stage, up to the offset of the empty barrier.
inline constexpr const char *kCommitOfStage = "(tcgen05\\.commit.*\\[%r[0-9]+)\\+8\\]";
/// The first column of an accumulator, as tcgen05.mma names it.
inline constexpr const char *kAccumulator = "(tcgen05\\.mma[^[]*\\[%r[0-9]+\\+)0\\]";

} // namespace tileiras::fuzz::patterns

#endif // TILEIRAS_FUZZ_PTXPATTERNS_H
