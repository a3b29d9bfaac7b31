//===- ClusterMutations.cpp - Bugs to plant where CTAs work together ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes wrong between the two CTAs of a cluster (`--set num-ctas=2`). Loops of products: "copied by columns" by the
// profile o3-unspecialized, where the CTAs share the second operand: of 6144 bytes a stage each fetches 4096, half of
// them for both; four warps of each release it; barriers lie 16 bytes apart, the full one first. Exchanges: programs
// with reductions.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "PtxPatterns.h"

using namespace tileiras::fuzz;

static constexpr Mutation kClusterMutations[] = {
    // Stages are released at all who fill them.
    {"release-dropped", "nobody releases a stage", "@%p[0-9]+ mbarrier\\.arrive\\.shared::cluster.*;", ";", "",
     "copied by columns"},
    {"release-at-own-only", "a warp releases its stage twice at its own CTA, and not at the other",
     "mapa\\.shared::cluster\\.u32 remote, (%r[0-9]+), %r[0-9]+;",
     "{ .reg .b32 own; mov.u32 own, %cluster_ctarank; mapa.shared::cluster.u32 remote, \\1, own; }", "",
     "copied by columns"},
    {"release-at-first", "all release their stages at the first CTA",
     "(mapa\\.shared::cluster\\.u32 remote, %r[0-9]+, )%r[0-9]+;", "\\g<1>0;", "", "copied by columns"},
    {"release-at-second", "all release their stages at the second CTA",
     "(mapa\\.shared::cluster\\.u32 remote, %r[0-9]+, )%r[0-9]+;", "\\g<1>1;", "", "copied by columns"},
    {"release-at-third", "stages are released at a CTA that there is not",
     "(mapa\\.shared::cluster\\.u32 remote, %r[0-9]+, )%r[0-9]+;", "\\g<1>2;", "", "copied by columns"},
    {"release-full", "a release arrives at the full barrier", "\\[remote\\+8\\]", "[remote]", "", "copied by columns"},
    {"release-next-stage", "the stage behind is released", "\\[remote\\+8\\]", "[remote+24]", "", "copied by columns"},
    {"release-relaxed", "a release does not come behind the reads of its warp", "mbarrier\\.arrive\\.shared::cluster",
     "mbarrier.arrive.relaxed.cluster.shared::cluster", "", "copied by columns"},
    // How many arrive, and how much.
    {"empty-counts-own", "a stage is free when the warps of its own CTA have released it", patterns::kEmptyCountOfEight,
     "\\g<1>4;", "", "copied by columns"},
    {"empty-counts-more", "a stage waits for four CTAs", patterns::kEmptyCountOfEight, "\\g<1>16;", "",
     "copied by columns"},
    {"empty-counts-less", "a stage does not wait for one of the warps", patterns::kEmptyCountOfEight, "\\g<1>7;", "",
     "copied by columns"},
    {"full-counts-ctas", "a full barrier waits for both producers", patterns::kFullCountOfOne, "\\g<1>2;", "",
     "copied by columns"},
    {"expects-its-share", "a CTA waits for what it fetches itself", "(expect_tx.*, )6144;", "\\g<1>4096;", "",
     "copied by columns"},
    {"expects-its-own", "a CTA waits for the operand that is not shared", "(expect_tx.*, )6144;", "\\g<1>2048;", "",
     "copied by columns"},
    {"expects-both", "a CTA waits for the shared operand twice", "(expect_tx.*, )6144;", "\\g<1>10240;", "",
     "copied by columns"},
    {"empty-wait-dropped", "a CTA copies to the other before that has released the stage", patterns::kEmptyWait, "\\1",
     "", "copied by columns"},
    {"empty-wait-of-cta", "what the other CTA has read is not known to come before", "\\.parity\\.shared::cta",
     ".parity.acquire.cta.shared::cta", "", "copied by columns"},
    // Copies to both.
    {"copied-to-first", "the shared operand goes to the first CTA only",
     "(cp\\.async\\.bulk.*multicast::cluster \\[.*\\], )%rs[0-9]+;", "{ .reg .b16 mask; mov.b16 mask, 1; \\1mask; }",
     "", "copied by columns"},
    {"copied-to-second", "the shared operand goes to the second CTA only",
     "(cp\\.async\\.bulk.*multicast::cluster \\[.*\\], )%rs[0-9]+;", "{ .reg .b16 mask; mov.b16 mask, 2; \\1mask; }",
     "", "copied by columns"},
    {"copied-to-itself", "a CTA keeps its share of an operand to itself",
     "\\.multicast::cluster (\\[.*\\]), %rs[0-9]+;", " \\1;", "", "copied by columns"},
    {"copied-to-third", "the mask names a CTA that there is not",
     "(cp\\.async\\.bulk.*multicast::cluster \\[.*\\], )%rs[0-9]+;", "{ .reg .b16 mask; mov.b16 mask, 7; \\1mask; }",
     "", "copied by columns"},
    {"share-of-first", "both CTAs copy the same share", patterns::kClusterRank, "mov.u32 \\1, 0;", "",
     "copied by columns"},
    {"share-of-second", "both CTAs are the second one", patterns::kClusterRank, "mov.u32 \\1, 1;", "",
     "copied by columns"},
    {"block-of-cta", "each CTA takes itself for a tile block", "%clusterid\\.x", "%ctaid.x", "", "copied by columns"},
    // The beginning.
    {"init-not-awaited", "a CTA copies to the other before that has its barriers", patterns::kClusterBarrier, ";", "",
     "copied by columns", 1},
    {"init-of-cta", "each CTA waits for its own barriers only", patterns::kClusterBarrier, "bar.sync 0;", "",
     "copied by columns", 1},
    // The end.
    {"leaves-early", "a CTA leaves without waiting for the other", patterns::kClusterBarrier, ";", "",
     "copied by columns", 2},
    {"leaves-alone", "a CTA waits for its own threads only before it leaves", patterns::kClusterBarrier, "bar.sync 0;",
     "", "copied by columns", 2},
    // Exchanges.
    {"exchange-unwritten", "a CTA reads what the other has not written yet", patterns::kClusterBarrier, "bar.sync 0;",
     "reduce=60", "", 1},
    {"exchange-overtaken", "a CTA leaves, or writes again, while the other reads", patterns::kClusterBarrier,
     "bar.sync 0;", "reduce=60", "", 2},
    {"exchange-relaxed", "CTAs meet, but do not see what the others have written",
     "barrier\\.cluster\\.arrive\\.aligned;", "barrier.cluster.arrive.relaxed.aligned;", "reduce=60", ""},
    {"exchange-arrives-only", "a CTA does not wait for the other", "barrier\\.cluster\\.wait\\.aligned;", ";",
     "reduce=60", ""},
    {"exchange-with-itself", "a CTA reads its own part for all others",
     "mapa\\.shared::cluster\\.u32 (%r[0-9]+), (%r[0-9]+), %r[0-9]+;",
     "{ .reg .b32 own; mov.u32 own, %cluster_ctarank; mapa.shared::cluster.u32 \\1, \\2, own; }", "reduce=60", ""},
    {"exchange-with-first", "everybody reads the part of the first CTA",
     "(mapa\\.shared::cluster\\.u32 %r[0-9]+, %r[0-9]+, )%r[0-9]+;", "\\g<1>0;", "reduce=60", ""},
    {"exchange-with-second", "everybody reads the part of the second CTA",
     "(mapa\\.shared::cluster\\.u32 %r[0-9]+, %r[0-9]+, )%r[0-9]+;", "\\g<1>1;", "reduce=60", ""},
    {"rank-is-first", "both CTAs do what the first one does", patterns::kClusterRank, "mov.u32 \\1, 0;", "", ""},
    {"rank-is-second", "both CTAs do what the second one does", patterns::kClusterRank, "mov.u32 \\1, 1;", "", ""},
};

llvm::ArrayRef<Mutation> tileiras::fuzz::getClusterMutations() {
  return kClusterMutations;
}
