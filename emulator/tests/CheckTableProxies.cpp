//===- CheckTableProxies.cpp - Generic and asynchronous proxy ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckTable.h"

namespace ptxemu::testing {

namespace {

/// By one thread only.
std::string single(const std::string &body) {
  return "@!%leader bra E; " + body + "\nE:";
}

const std::string kFence = "fence.proxy.async; ";
const std::string kFill = "st.shared.v4.u32 [s], {%i, %i, %i, %i}; ";
const std::string kFinish = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ";
const std::string kReduce = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [s], 16; ";
const std::string kInit = "mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; ";
const std::string kExpect = "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 32; ";
const std::string kLoad =
    kExpect + "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], 32, [bar]; ";
const std::string kWait = "\nW: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W; ";

/// Thread 0 of the first of two CTAs runs `own`, the second's `peer`; they meet; then the first one's copies with
/// `copy`, given the second's `s` and `bar` in %r4 and %r5, and the second's waits for 32 bytes, then does `after`.
std::string toPeer(const std::string &own, const std::string &peer, const std::string &copy,
                   const std::string &after = "") {
  return "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; mov.u32 %r3, 1; mov.u32 %r2, s; "
         "mapa.shared::cluster.u32 %r4, %r2, %r3; mov.u32 %r2, bar; mapa.shared::cluster.u32 %r5, %r2, %r3; @!%leader "
         "bra S; @!%p1 bra O; " +
         peer + kInit + kExpect + "bra S;\nO: " + own +
         "\nS: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; @!%leader bra E; @%p1 bra W; " + copy +
         " bra E; " + kWait + after + "\nE: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
}

const std::string kFill32 = kFill + "st.shared.v4.u32 [s+16], {%i, %i, %i, %i}; ";
const std::string kToPeer =
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4], [s], 32, [%r5]; ";
const std::string kStoreAsync =
    "st.shared::cluster.u32 [%r4+64], 5; st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r4], "
    "{%i, %i, %i, %i}, [%r5]; st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r4+16], "
    "{%i, %i, %i, %i}, [%r5]; ";
const std::string kReduceToPeer =
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r4], [s], 32, [%r5]; ";

/// 64 threads execute `release`, which reads 32 bytes of shared memory and arrives at the mbarrier [s+64]; thread 64
/// executes `acquire`, then overwrites the 32 bytes by a copy.
std::string overwrite(const std::string &release, const std::string &acquire) {
  return "@%leader mbarrier.init.shared.b64 [bar], 1; @%leader mbarrier.init.shared.b64 [s+64], 64; @%leader "
         "fence.mbarrier_init.release.cluster; setp.lt.u32 %p1, %i, 8; mul.lo.u32 %r5, %i, 4; mov.u32 %r6, s; add.u32 "
         "%r5, %r5, %r6; @%p1 st.shared.u32 [%r5], 1; @%p1 fence.proxy.async; bar.sync 0; setp.ge.u32 %p3, %i, 64; "
         "@%p3 bra C; " +
         release + "bra E;\nC: setp.ne.u32 %p3, %i, 64; @%p3 bra E; " + acquire + kLoad + kWait + "\nE:";
}

const std::string kEmpty = "\nX: mbarrier.try_wait.parity.shared.b64 %p4, [s+64], 0; @!%p4 bra X; ";

std::vector<Check> writes() {
  return {
      {"what a thread has written before st.async, taken for published by that",
       "data-race",
       {32, 2, 2, "", "sm_100a"},
       toPeer("", kFill32, kStoreAsync, "ld.shared.u32 %r6, [s+64];"),
       toPeer("", kFill32, kStoreAsync, "ld.shared.u32 %r6, [s+12];")},
      {"a bulk copy over an mbarrier",
       "mbarrier",
       {},
       single("mbarrier.init.shared.b64 [s+16], 1; " + kInit + kLoad + kWait),
       single("mbarrier.init.shared.b64 [s+32], 1; " + kInit + kLoad + kWait)},
      {"a bulk copy over what a thread wrote, without a proxy fence",
       "missing-proxy-fence",
       {},
       single("st.shared.u32 [s], 1; " + kInit + kLoad + kWait),
       single("st.shared.u32 [s], 1; " + kFence + kInit + kLoad + kWait)},
      {"a bulk copy of global memory that a thread wrote, without a proxy fence",
       "missing-proxy-fence",
       {},
       single("st.global.u32 [%out], 1; " + kInit + kLoad + kWait),
       single("st.global.u32 [%out], 1; " + kFence + kInit + kLoad + kWait)},
      {"a bulk store over global memory that a thread wrote, without a proxy fence",
       "missing-proxy-fence",
       {},
       single(kFill + kFence +
              "st.global.u32 [%out], 1; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " + kFinish),
       single(kFill + "st.global.u32 [%out], 1; " + kFence +
              "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " + kFinish)},
      {"a bulk store over global memory that a thread wrote, behind a proxy fence for shared memory",
       "missing-proxy-fence",
       {},
       single(kFill + "st.global.u32 [%out], 1; fence.proxy.async.shared::cta; " +
              "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " + kFinish),
       single(kFill + "st.global.u32 [%out], 1; fence.proxy.async.shared::cta; fence.proxy.async.global; " +
              "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " + kFinish)},
      {"a bulk store of shared memory that a thread wrote, behind a proxy fence for global memory",
       "missing-proxy-fence",
       {},
       single(kFill + "fence.proxy.async.global; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " +
              kFinish),
       single(kFill + "fence.proxy.async.shared::cta; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " +
              kFinish)},
      {"a bulk copy over what a thread wrote in another CTA, behind a proxy fence for its own",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32 + kFence, "", "st.shared::cluster.u32 [%r4], 1; fence.proxy.async.shared::cta; " + kToPeer),
       toPeer(kFill32 + kFence, "", "st.shared::cluster.u32 [%r4], 1; fence.proxy.async.shared::cluster; " + kToPeer)},
      {"a bulk copy over what a thread of another CTA wrote there, behind a proxy fence for the first one's memory",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32, kFill32, "fence.proxy.async.shared::cta; " + kToPeer),
       toPeer(kFill32, kFill32 + "fence.proxy.async.shared::cta; ", "fence.proxy.async.shared::cta; " + kToPeer)},
      {"an atomic's result in a bulk copy, without a proxy fence",
       "missing-proxy-fence",
       {},
       single(kFill + kFence +
              "atom.shared.add.u32 %r1, [s], 1; cp.async.bulk.global.shared::cta.bulk_group [%out], "
              "[s], 16; " +
              kFinish),
       single(kFill + "atom.shared.add.u32 %r1, [s], 1; " + kFence +
              "cp.async.bulk.global.shared::cta.bulk_group [%out], [s], 16; " + kFinish)},
      {"a bulk reduction of what no proxy fence follows",
       "missing-proxy-fence",
       {},
       single(kFill + kReduce + kFinish),
       single(kFill + kFence + kReduce + kFinish)},
      {"a bulk reduction into what no proxy fence follows",
       "missing-proxy-fence",
       {},
       single(kFill + kFence + "st.global.u32 [%out], 1; " + kReduce + kFinish),
       single(kFill + "st.global.u32 [%out], 1; " + kFence + kReduce + kFinish)},
      {"the result of a bulk reduction that has not been waited for",
       "data-race",
       {},
       single(kFill + kFence + kReduce +
              "cp.async.bulk.commit_group; ld.global.u32 %r1, [%out]; "
              "cp.async.bulk.wait_group 0;"),
       single(kFill + kFence + kReduce + kFinish + "ld.global.u32 %r1, [%out];")},
      {"a weak store beside a bulk reduction",
       "data-race",
       {64},
       "setp.eq.u32 %p1, %i, 32; @%p1 st.global.u32 [%out], 1; " + single(kFill + kFence + kReduce + kFinish),
       "setp.eq.u32 %p1, %i, 32; @%p1 red.global.add.u32 [%out], 1; " + single(kFill + kFence + kReduce + kFinish)},
      {"a copy to another CTA of what no proxy fence follows",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32, "", kToPeer),
       toPeer(kFill32 + kFence, "", kToPeer)},
      {"a copy over what another CTA's thread wrote, without its proxy fence",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32 + kFence, kFill32, kToPeer),
       toPeer(kFill32 + kFence, kFill32 + kFence, kToPeer)},
      {"a reduction in another CTA of what no proxy fence follows",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32, kFill32 + kFence, kReduceToPeer),
       toPeer(kFill32 + kFence, kFill32 + kFence, kReduceToPeer)},
      {"a reduction into what another CTA's thread wrote, without its proxy fence",
       "missing-proxy-fence",
       {32, 2, 2},
       toPeer(kFill32 + kFence, kFill32, kReduceToPeer),
       toPeer(kFill32 + kFence, kFill32 + kFence, kReduceToPeer)},
  };
}

/// Order is enough for a buffer that was only read, as in every ring of stages: the corrected programs have no proxy
/// fence between the loads and the copy.
std::vector<Check> reads() {
  const Setup readers{96};
  const std::string load = "ld.shared.u32 %r1, [s+4]; ", arrive = "mbarrier.arrive.shared.b64 %rd2, [s+64]; ";
  return {
      {"a stage is released through an mbarrier before it is read", "data-race async-in-flight", readers,
       overwrite(arrive + load, kEmpty), overwrite(load + arrive, kEmpty)},
      {"a stage is read beside the copy into it", "data-race async-in-flight", readers, overwrite(load + arrive, ""),
       overwrite(load + arrive, kEmpty)},
      {"a stage is released after a store to it, without a proxy fence", "missing-proxy-fence", readers,
       overwrite(load + "@%leader st.shared.u32 [s+20], %r1; " + arrive, kEmpty),
       overwrite(load + "@%leader st.shared.u32 [s+40], %r1; " + arrive, kEmpty)},
  };
}

const std::string kBuildMap =
    "add.u64 %rd2, %out, 1024; tensormap.replace.tile.global_address.global.b1024.b64 [%out], %rd2; "
    "tensormap.replace.tile.rank.global.b1024.b32 [%out], 0; tensormap.replace.tile.elemtype.global.b1024.b32 [%out], "
    "2; tensormap.replace.tile.global_dim.global.b1024.b32 [%out], 0, 8; "
    "tensormap.replace.tile.element_stride.global.b1024.b32 [%out], 0, 1; "
    "tensormap.replace.tile.box_dim.global.b1024.b32 [%out], 0, 8; ";
const std::string kChangeMap = "tensormap.replace.tile.global_dim.global.b1024.b32 [%out], 0, 16; ";
const std::string kReleaseMap = "fence.proxy.tensormap::generic.release.gpu; ";
const std::string kAcquireMap = "fence.proxy.tensormap::generic.acquire.gpu [%out], 128; ";
const std::string kBuiltMap = kInit + kBuildMap + kReleaseMap;
const std::string kTensorLoad = kExpect + "mov.u32 %r1, 0; cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
                                          "complete_tx::bytes [s], [%out, {%r1}], [bar]; ";
const std::string kTensorStore = kFill32 + kFence +
                                 "mov.u32 %r1, 0; cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%out, {%r1}], "
                                 "[s]; cp.async.bulk.commit_group; ";

const std::string kShortRow = "tensormap.replace.tile.global_dim.global.b1024.b32 [%out], 0, 5; ";
const std::string kBuiltShortMap = kInit + kBuildMap + kShortRow + kReleaseMap + kAcquireMap;

/// A thread of warp 1 acquires the map that thread 0 has built, and waits at the barrier where `meets` says so; thread
/// 0 uses it.
std::string acquiredByAnother(bool meets) {
  const std::string meet = meets ? "bar.sync 0; " : "", apart = meets ? "" : "bar.sync 0; ";
  return "setp.eq.u32 %p3, %i, 32; @!%leader bra B; " + kBuiltMap + "\nB: bar.sync 0; " + apart + "@!%p3 bra A; " +
         kAcquireMap + "\nA: " + meet + "@!%leader bra E; " + kTensorLoad + kWait + "\nE:";
}

/// CTA 0 loads by a map, and tells CTA 1 that it may have its place; CTA 1 builds another one there.
std::string givenBack(const std::string &waitBefore, const std::string &waitAfter) {
  return "add.u64 %rd4, %out, 2048; mov.u32 %r3, %ctaid.x; setp.eq.u32 %p3, %r3, 0; @!%leader bra E; @!%p3 bra N; " +
         kBuiltMap + kAcquireMap + kTensorLoad + waitBefore + "st.release.gpu.global.u32 [%rd4], 1; " + waitAfter +
         "bra E;\nN: ld.acquire.gpu.global.u32 %r4, [%rd4]; setp.eq.u32 %p4, %r4, 0; @%p4 bra N; " + kChangeMap +
         "\nE:";
}

std::vector<Check> maps() {
  return {
      {"a tensor map that threads wrote, used without the proxy's acquire",
       "missing-proxy-fence",
       {},
       single(kBuiltMap + kTensorLoad + kWait),
       single(kBuiltMap + kAcquireMap + kTensorLoad + kWait)},
      {"a tensor map that a plain store changed after its acquire",
       "missing-proxy-fence",
       {},
       single(kBuiltMap + kAcquireMap + "st.global.u32 [%out+32], 16; " + kReleaseMap + kTensorLoad + kWait),
       single(kBuiltMap + kAcquireMap + "st.global.u32 [%out+32], 16; " + kReleaseMap + kAcquireMap + kTensorLoad +
              kWait)},
      {"a tensor map that another thread acquired, whom nobody has waited for",
       "missing-proxy-fence",
       {64},
       acquiredByAnother(false),
       acquiredByAnother(true)},
      {"a tensor map rewritten while a load uses it",
       "data-race",
       {},
       single(kBuiltMap + kAcquireMap + kTensorLoad + kChangeMap + kWait),
       single(kBuiltMap + kAcquireMap + kTensorLoad + kWait + kChangeMap)},
      {"a tensor map rewritten while a store uses it",
       "data-race",
       {},
       single(kBuiltMap + kAcquireMap + kTensorStore + kChangeMap + "cp.async.bulk.wait_group 0;"),
       single(kBuiltMap + kAcquireMap + kTensorStore + "cp.async.bulk.wait_group.read 0; " + kChangeMap +
              "cp.async.bulk.wait_group 0;")},
      {"a write behind the end of a row, in the 16 bytes that a tensor store writes",
       "data-race",
       {},
       single(kBuiltShortMap + kTensorStore + "st.global.u32 [%out+1052], 1; cp.async.bulk.wait_group 0;"),
       single(kBuiltShortMap + kTensorStore +
              "st.global.u32 [%out+1056], 1; cp.async.bulk.wait_group 0; "
              "st.global.u32 [%out+1052], 1;")},
      {"a tensor map's place given to another CTA while a load uses it",
       "data-race",
       {32, 2},
       givenBack("", kWait),
       givenBack(kWait, "")},
  };
}

} // namespace

std::vector<Check> proxyChecks() {
  std::vector<Check> checks = writes();
  for (const std::vector<Check> &more : {reads(), maps()})
    checks.insert(checks.end(), more.begin(), more.end());
  return checks;
}

} // namespace ptxemu::testing
