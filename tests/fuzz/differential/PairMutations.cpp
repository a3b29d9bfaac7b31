//===- PairMutations.cpp - Bugs to plant in pairs of CTAs -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes wrong between two CTAs of which one starts the products of both: "summed by pairs" by the profile o3-ws on
// sm_100, in clusters of two. Of 12288 bytes a stage, in each CTA, 8192 are operand A; the barriers of a stage, and of
// an accumulator, are 16 bytes apart, the full one first; four warps of each CTA load an accumulator.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "PtxPatterns.h"

using namespace tileiras::fuzz;

/// A bug in what both swept programs of pairs have.
static constexpr Mutation inPairs(const char *name, const char *bug, const char *pattern, const char *replacement,
                                  unsigned which = 0) {
  return {name, bug, pattern, replacement, "", "summed by pairs", which};
}

static constexpr Mutation kPairMutations[] = {
    // Columns.
    inPairs("alloc-alone", "each CTA takes columns for itself", "tcgen05\\.alloc\\.cta_group::2",
            "tcgen05.alloc.cta_group::1"),
    inPairs("never-freed", "the columns are kept", "tcgen05\\.dealloc[^;]*;", ";"),
    inPairs("freed-alone", "each CTA gives the columns back for itself", "tcgen05\\.dealloc\\.cta_group::2",
            "tcgen05.dealloc.cta_group::1"),
    inPairs("never-met", "the CTAs do not wait for each other, at the beginning or at the end",
            patterns::kClusterBarrier, "bar.sync 0;"),
    // Who is who.
    inPairs("both-first", "both CTAs start products", patterns::kClusterRank, "mov.u32 \\1, 0;"),
    inPairs("both-second", "no CTA starts products", patterns::kClusterRank, "mov.u32 \\1, 1;"),
    inPairs("exchanged", "each CTA takes itself for the other one", patterns::kClusterRank,
            "mov.u32 \\1, %cluster_ctarank; xor.b32 \\1, \\1, 1;"),
    // Copies.
    inPairs("told-own", "copies tell the CTA that they fill a stage of",
            "mapa\\.shared::cluster\\.u32 (%r[0-9]+), (%r[0-9]+), %r[0-9]+;", "mov.u32 \\1, \\2;"),
    inPairs("told-second", "copies tell the CTA that starts no products",
            "(mapa\\.shared::cluster\\.u32 %r[0-9]+, %r[0-9]+), %r[0-9]+;", "\\1, 1;"),
    inPairs("told-next-stage", "copies tell the stage behind",
            "(mapa\\.shared::cluster\\.u32 (%r[0-9]+), %r[0-9]+, %r[0-9]+;)", "\\1 add.u32 \\2, \\2, 16;"),
    inPairs("copied-alone", "copies are not of the pair", "(complete_tx::bytes)\\.cta_group::2", "\\1"),
    inPairs("expects-own", "the bytes of one CTA are expected", "(expect_tx.*, )24576;", "\\g<1>12288;"),
    inPairs("expects-more", "operand B is expected whole in both", "(expect_tx.*, )24576;", "\\g<1>32768;"),
    inPairs("expects-less", "of the other CTA operand A alone is expected", "(expect_tx.*, )24576;", "\\g<1>20480;"),
    inPairs("expected-in-both", "both CTAs expect bytes, each at its own barrier", "@%p[0-9]+ (mbarrier.*expect_tx)",
            "\\1"),
    inPairs("empty-wait-dropped", "stages are filled while products read them", patterns::kEmptyWait, "\\1"),
    inPairs("full-wait-dropped", "products, and loads of their sums, do not wait", patterns::kFullWait, "\\1"),
    inPairs("waits-for-cta", "what the other CTA has done is not known to come before", "\\.parity\\.shared::cta",
            ".parity.acquire.cta.shared::cta"),
    // Products.
    inPairs("product-alone", "a product is of one CTA", "tcgen05\\.mma\\.cta_group::2", "tcgen05.mma.cta_group::1"),
    inPairs("product-by-all", "every lane starts the product", "@leader (tcgen05\\.mma)", "\\1"),
    inPairs("kind-rows", "the rows of one CTA are computed", patterns::kInstructionKind,
            "\\1 xor.b32 kind, kind, 402653184;"),
    inPairs("kind-columns", "half of the columns are computed", patterns::kInstructionKind,
            "\\1 xor.b32 kind, kind, 3145728;"),
    inPairs("sum-starts-anew", "the second instruction of a stage forgets the first", patterns::kAddsToSum,
            "setp.ne.b32 sum, 0, 0;"),
    inPairs("step-of-b", "each instruction of a stage reads the same of B",
            "(add\\.s64 b[0-9]+, %rd[0-9]+), [1-9][0-9]*;", "\\1, 0;"),
    // Stages that are released, and sums that are handed on.
    inPairs("commit-dropped", "nobody releases a stage", "@leader tcgen05\\.commit.*\\+8\\], %rs[0-9]+; }", "}"),
    inPairs("commit-of-sums-dropped", "nobody hands sums on", "@leader tcgen05\\.commit.*\\+0\\], %rs[0-9]+; }", "}"),
    inPairs("commit-alone", "commits are not of the pair", "tcgen05\\.commit\\.cta_group::2",
            "tcgen05.commit.cta_group::1"),
    inPairs("commit-to-first", "the CTA that starts products is told alone",
            "elect\\.sync _\\|leader, 0xffffffff; (@leader tcgen05\\.commit.*\\], )%rs[0-9]+;",
            ".reg .b16 told; mov.b16 told, 1; elect.sync _|leader, 0xffffffff; \\1told;"),
    inPairs("commit-to-second", "the other CTA is told alone",
            "elect\\.sync _\\|leader, 0xffffffff; (@leader tcgen05\\.commit.*\\], )%rs[0-9]+;",
            ".reg .b16 told; mov.b16 told, 2; elect.sync _|leader, 0xffffffff; \\1told;"),
    inPairs("commit-to-third", "a CTA is told that there is not",
            "elect\\.sync _\\|leader, 0xffffffff; (@leader tcgen05\\.commit.*\\], )%rs[0-9]+;",
            ".reg .b16 told; mov.b16 told, 7; elect.sync _|leader, 0xffffffff; \\1told;"),
    inPairs("commit-full", "products arrive at the full barrier", patterns::kCommitOfStage, "\\1+0]"),
    inPairs("commit-next-stage", "products release the stage behind", patterns::kCommitOfStage, "\\1+24]"),
    inPairs("commit-by-all", "every lane commits", "@leader (tcgen05\\.commit)", "\\1"),
    inPairs("released-at-own", "each CTA releases an accumulator at itself",
            "mapa\\.shared::cluster\\.u32 remote, (%r[0-9]+), %r[0-9]+;", "mov.u32 remote, \\1;"),
    inPairs("released-at-second", "accumulators are released where no products start",
            "(mapa\\.shared::cluster\\.u32 remote, %r[0-9]+), %r[0-9]+;", "\\1, 1;"),
    inPairs("released-relaxed", "a release does not come behind the loads of its warp",
            "mbarrier\\.arrive\\.shared::cluster", "mbarrier.arrive.relaxed.cluster.shared::cluster"),
    inPairs("released-by-own", "an accumulator is free when the warps of one CTA have loaded it",
            "(mbarrier\\.init.*\\[%r[0-9]+\\+(8|24)\\], )8;", "\\g<1>4;"),
    inPairs("released-by-more", "an accumulator waits for four CTAs", "(mbarrier\\.init.*\\[%r[0-9]+\\+(8|24)\\], )8;",
            "\\g<1>16;"),
    inPairs("fence-before-dropped", "loads of sums are not known to come before their release",
            "tcgen05\\.fence::before_thread_sync;", ";"),
    inPairs("fence-after-dropped", "loads of sums are not known to come behind the wait",
            "tcgen05\\.fence::after_thread_sync;", ";"),
    inPairs("load-not-complete", "nobody waits for what is loaded from tensor memory", "tcgen05\\.wait::ld.*;", ";"),
};

llvm::ArrayRef<Mutation> tileiras::fuzz::getPairMutations() {
  return kPairMutations;
}
