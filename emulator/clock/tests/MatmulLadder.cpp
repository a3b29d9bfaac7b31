//===- MatmulLadder.cpp - Products with the structure of published kernels ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers: %r1 row of tiles, %r2 column of tiles, %r3 step, %r4 stage, %r5 parity, %r6 tile, %r10 … scratch; %rd10
// the rows' operand, %rd11 the columns', %f0 … accumulators.
//
//===----------------------------------------------------------------------===//

#include "MatmulLadder.h"

namespace ptxemu::timing::testing {

namespace {

class MatmulWriter {
public:
  explicit MatmulWriter(const MatmulPlan &plan)
      : plan(plan), steps(plan.size / kDepth), rowBytes(plan.rows * kDepth * 2), columnBytes(plan.columns * kDepth * 2),
        halves(plan.rows / 64 / (plan.pingPongs ? 1 : std::max(1u, plan.consumers))) {}

  BenchKernel write() {
    BenchKernel k;
    const unsigned tiles = plan.size / plan.rows * (plan.size / plan.columns);
    k.threads = 128 * (1 + plan.consumers);
    k.grid = plan.isPersistent ? plan.ctas : tiles;
    k.cluster = plan.cluster;
    k.bytes = 2ull * plan.size * plan.size * 2;
    k.shared = plan.stages * (rowBytes + columnBytes);
    text = "mov.u32 %r30, bar; mov.u32 %r31, s; add.u64 %rd11, %in, " + num(uint64_t(plan.size) * plan.size * 2) +
           ";\nsetp.ne.u32 %p1, %i, 0; @%p1 bra ready;\n";
    for (unsigned s = 0; s < plan.stages; ++s)
      text += "mbarrier.init.shared.b64 [%r30+" + num(s * 8) + "], " +
              num(plan.threadsArrive ? 1 + 128 * plan.consumers : 1) + "; mbarrier.init.shared.b64 [%r30+" +
              num(64 + s * 8) + "], " + num(arrivals()) + ";\n";
    text += "fence.mbarrier_init.release.cluster;\nready:\n" +
            std::string(plan.cluster > 1 ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
                                         : "bar.sync 0;\n");
    plan.consumers ? specialized() : alone();
    k.body = text;
    return k;
  }

private:
  static constexpr unsigned kDepth = 64, kBlock = 128; ///< of the operands; tiles

  unsigned arrivals() const {
    return (plan.pingPongs ? 1 : std::max(1u, plan.consumers)) * (plan.threadsArrive ? 128 : 1) * plan.cluster;
  }
  unsigned columnTiles() const { return plan.size / plan.columns; }

  /// Whether the role's warpgroups share the CTA's tiles out among them.
  bool alternates(const std::string &role) const { return plan.pingPongs && role == "multiply"; }
  void startTiles(const std::string &role) {
    text += "mov.u32 %r6, %cta; mov.u32 %r4, 0; mov.u32 %r5, 0;\n";
    if (alternates(role))
      text += "mad.lo.u32 %r6, %r29, " + num(plan.ctas) + ", %r6; mul.lo.u32 %r38, %r29, " + num(steps) + ";\n";
    text += role + "_tile:\n";
    if (alternates(role)) // Its place in the ring is behind the other's tile.
      text += "rem.u32 %r4, %r38, " + num(plan.stages) + "; div.u32 %r5, %r38, " + num(plan.stages) +
              "; and.b32 %r5, %r5, 1; add.u32 %r38, %r38, " + num(2 * steps) + ";\n";
    if (plan.isPersistent && plan.rowByRow)
      text += "div.u32 %r10, %r6, " + num(plan.cluster) + "; rem.u32 %r11, %r6, " + num(plan.cluster) +
              "; rem.u32 %r2, %r10, " + num(columnTiles()) + "; div.u32 %r10, %r10, " + num(columnTiles()) +
              "; mad.lo.u32 %r1, %r10, " + num(plan.cluster) + ", %r11;\n";
    else if (plan.isPersistent && plan.ctas != kBlock)
      text += "rem.u32 %r1, %r6, " + num(plan.size / plan.rows) + "; div.u32 %r2, %r6, " + num(plan.size / plan.rows) +
              ";\n";
    else if (plan.isPersistent) // 16 rows of 8
      text += "shr.u32 %r10, %r6, 7; and.b32 %r11, %r6, 127; and.b32 %r12, %r11, 15; shr.u32 %r13, %r11, 4;\n"
              "div.u32 %r14, %r10, " +
              num(columnTiles() / 8) + "; rem.u32 %r15, %r10, " + num(columnTiles() / 8) +
              "; mad.lo.u32 %r1, %r14, 16, %r12;\nmad.lo.u32 %r2, %r15, 8, %r13;\n";
    else
      text += "div.u32 %r1, %r6, " + num(columnTiles()) + "; rem.u32 %r2, %r6, " + num(columnTiles()) + ";\n";
    text += "mov.u32 %r3, 0;\n";
  }
  void endTiles(const std::string &role) {
    if (plan.isPersistent)
      text += "add.u32 %r6, %r6, " + num(plan.ctas * (alternates(role) ? 2 : 1)) + "; setp.lt.u32 %p9, %r6, " +
              num(plan.size / plan.rows * columnTiles()) + "; @%p9 bra " + role + "_tile;\n";
  }
  void nextStage() {
    if (plan.stages == 1)
      text += "xor.b32 %r5, %r5, 1;\n";
    else
      text += "add.u32 %r4, %r4, 1; setp.eq.u32 %p3, %r4, " + num(plan.stages) +
              "; selp.u32 %r4, 0, %r4, %p3; selp.u32 %r10, 1, 0, %p3; xor.b32 %r5, %r5, %r10;\n";
  }
  void loop(const std::string &label) {
    text += "add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, " + num(steps) + "; @%p4 bra " + label + ";\n";
  }
  /// %r16: the stage's full barrier; waits for its phase (of the empty one: the opposite).
  void wait(const std::string &label, bool isEmpty) {
    text += "shl.b32 %r10, %r4, 3; add.u32 %r16, %r30, %r10;\n";
    if (isEmpty)
      text += "xor.b32 %r17, %r5, 1;\n";
    text += label + ":\nmbarrier.try_wait.parity.shared.b64 %p5, [%r16" + (isEmpty ? "+64], %r17" : "], %r5") +
            ";\n@!%p5 bra " + label + ";\n";
  }
  std::string bulk(const std::string &to, const std::string &from, unsigned bytes, bool isShared) const {
    return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" +
           std::string(isShared ? ".multicast::cluster" : "") + " [" + to + "], [" + from + "], " + num(bytes) +
           ", [%r16]" + (isShared ? ", " + num((1u << plan.cluster) - 1) : "") + ";\n";
  }
  /// By one thread: the step's two tiles into the stage.
  void load() {
    text += "mbarrier.arrive.expect_tx.shared.b64 _, [%r16], " + num(rowBytes + columnBytes) + ";\n" +
            "mad.lo.u32 %r18, %r4, " + num(rowBytes + columnBytes) + ", %r31;\n" + "mad.lo.u32 %r19, %r1, " +
            num(steps) + ", %r3; mul.wide.u32 %rd1, %r19, " + num(rowBytes) + "; add.u64 %rd1, %in, %rd1;\n" +
            "mad.lo.u32 %r20, %r2, " + num(steps) + ", %r3; mul.wide.u32 %rd2, %r20, " + num(columnBytes) +
            "; add.u64 %rd2, %rd11, %rd2;\nadd.u32 %r21, %r18, " + num(rowBytes) + ";\n" +
            bulk("%r18", "%rd1", rowBytes, false);
    if (plan.cluster == 1) {
      text += bulk("%r21", "%rd2", columnBytes, false);
      return;
    }
    // Its part of the columns, for all.
    const unsigned part = columnBytes / plan.cluster;
    text += "mov.u32 %r22, %cluster_ctarank; mul.lo.u32 %r22, %r22, " + num(part) +
            "; add.u32 %r21, %r21, %r22; cvt.u64.u32 %rd3, %r22; add.u64 %rd2, %rd2, %rd3;\n" +
            bulk("%r21", "%rd2", part, true);
  }
  void multiply() {
    const unsigned registers = plan.columns / 2;
    text += "wgmma.fence.sync.aligned;\nmad.lo.u32 %r18, %r4, " + num(rowBytes + columnBytes) + ", %r31;\n";
    if (plan.consumers > 1)
      text += "add.u32 %r24, %r18, %r23; "; // its rows
    else
      text += "mov.u32 %r24, %r18; ";
    text +=
        "shr.u32 %r24, %r24, 4; cvt.u64.u32 %rd4, %r24; or.b64 %rd4, %rd4, 0x4000004000010000;\nadd.u32 %r25, %r18, " +
        num(rowBytes) +
        "; shr.u32 %r25, %r25, 4; cvt.u64.u32 %rd5, %r25; or.b64 %rd5, %rd5, 0x4000004000010000;\n"
        "setp.ne.u32 %p6, %r3, 0;\n";
    for (unsigned j = 0; j < kDepth / 16; ++j) {
      for (unsigned half = 0; half < halves; ++half) {
        text += "add.u64 %rd6, %rd4, " + num(j * 2 + half * 512) + "; add.u64 %rd7, %rd5, " + num(j * 2) +
                ";\nwgmma.mma_async.sync.aligned.m64n" + num(plan.columns) + "k16.f32.bf16.bf16 {";
        for (unsigned r = 0; r < registers; ++r)
          text += (r ? ", %f" : "%f") + num(half * registers + r);
        text += std::string("}, %rd6, %rd7, ") + (j ? "1" : "%p6") + ", 1, 1, 0, 0;\n";
      }
    }
    text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned " + num(plan.pending) + ";\n";
  }
  /// Frees the stage that %r4 was `plan.pending` steps ago.
  void release() {
    if (plan.pending)
      text += "setp.eq.u32 %p10, %r3, 0; @%p10 bra kept; add.u32 %r26, %r4, " + num(plan.stages - plan.pending) +
              "; rem.u32 %r26, %r26, " + num(plan.stages) + ";\n";
    else
      text += "mov.u32 %r26, %r4;\n";
    arrive();
    if (plan.pending)
      text += "kept:\n";
  }
  void arrive() {
    const std::string guard = plan.threadsArrive ? "" : "@%p7 ";
    text += "shl.b32 %r10, %r26, 3; add.u32 %r27, %r30, %r10;\n";
    if (plan.cluster == 1)
      text += guard + "mbarrier.arrive.shared.b64 _, [%r27+64];\n";
    for (unsigned c = 0; plan.cluster > 1 && c < plan.cluster; ++c)
      text += "mapa.shared::cluster.u32 %r28, %r27, " + num(c) + ";\n" + guard +
              "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r28+64];\n";
  }
  /// As bf16, a store for each: neighbours in the columns are a row apart in the accumulators of a warp.
  void storeColumns() {
    text += "mul.wide.u32 %rd8, %r11, 2; mul.lo.u32 %r13, %r2, " + num(plan.columns) +
            "; mad.lo.u32 %r13, %r12, 2, %r13; mul.wide.u32 %rd9, %r13, " + num(plan.size * 2) +
            "; add.u64 %rd8, %rd8, %rd9; add.u64 %rd8, %rd8, %out;\n";
    for (unsigned r = 0; r < halves * plan.columns / 2; ++r) {
      const unsigned of = r % (plan.columns / 2), column = of / 4 * 8 + (of & 1),
                     row = r / (plan.columns / 2) * 64 + (of / 2 & 1) * 8;
      text += "cvt.rn.bf16.f32 %h0, %f" + num(r) + "; st.global.b16 [%rd8+" +
              num((uint64_t(column) * plan.size + row) * 2) + "], %h0;\n";
    }
  }
  /// The accumulators as they are, or as pairs of bf16, straight to memory.
  void store() {
    const unsigned registers = plan.columns / 2, element = plan.storesFloats ? 4 : 2;
    text += "and.b32 %r10, %i, 31; shr.u32 %r11, %i, 5; and.b32 %r11, %r11, 3; shl.b32 %r11, %r11, 4; shr.u32 %r12, "
            "%r10, 2;"
            " add.u32 %r11, %r11, %r12; and.b32 %r12, %r10, 3;\nmad.lo.u32 %r11, %r1, " +
            num(plan.rows) + ", %r11;\n";
    if (plan.consumers > 1)
      text += "shr.u32 %r13, %r23, 7; add.u32 %r11, %r11, %r13;\n";
    if (plan.storesByColumn)
      return storeColumns();
    text += "mul.wide.u32 %rd8, %r11, " + num(plan.size * element) + "; mul.wide.u32 %rd9, %r2, " +
            num(plan.columns * element) + "; add.u64 %rd8, %rd8, %rd9; mul.wide.u32 %rd9, %r12, " + num(2 * element) +
            "; add.u64 %rd8, %rd8, %rd9; add.u64 %rd8, %rd8, %out;\n";
    for (unsigned half = 0; half < halves; ++half)
      for (unsigned r = 0; r < registers; r += 2) {
        const unsigned column = r / 4 * 8, row = half * 64 + (r / 2 & 1) * 8, f = half * registers + r;
        const std::string to = "[%rd8+" + num((uint64_t(row) * plan.size + column) * element) + "], ";
        if (plan.storesFloats)
          text += "st.global.v2.f32 " + to + "{%f" + num(f) + ", %f" + num(f + 1) + "};\n";
        else
          text += "cvt.rn.bf16x2.f32 %r40, %f" + num(f + 1) + ", %f" + num(f) + "; st.global.b32 " + to + "%r40;\n";
      }
  }

  /// Of the products (0) or the stores (2): barriers 1 and 2 more, one a warpgroup.
  void enterExclusive(unsigned of) { meet("bar.sync", "%r36", of); }
  void leaveExclusive(unsigned of) { meet("bar.arrive", "%r37", of); }
  void meet(const char *operation, const char *whose, unsigned of) {
    if (plan.pingPongs)
      text += std::string("add.u32 %r10, ") + whose + ", " + num(of) + "; " + operation + " %r10, 256;\n";
  }

  /// One warpgroup that loads, waits and multiplies.
  void alone() {
    startTiles("all");
    text += "step:\nshl.b32 %r10, %r4, 3; add.u32 %r16, %r30, %r10;\nsetp.ne.u32 %p8, %i, 0; @%p8 bra loaded;\n";
    load();
    text += "loaded:\n";
    wait("full", false);
    multiply();
    text += "bar.sync 0;\n"; // all have read the stage
    nextStage();
    loop("step");
    store();
    endTiles("all");
  }
  /// One warpgroup whose first thread loads, others that multiply.
  void specialized() {
    text += "shr.u32 %r29, %i, 7; setp.ne.u32 %p1, %r29, 0; @%p1 bra multiply;\n"
            "setp.ne.u32 %p1, %i, 0; @%p1 bra end;\n";
    startTiles("load");
    text += "load_step:\n";
    wait("empty", true);
    load();
    nextStage();
    loop("load_step");
    endTiles("load");
    text += "bra.uni end;\nmultiply:\nsub.u32 %r29, %r29, 1; mul.lo.u32 %r23, %r29, " +
            num(plan.pingPongs ? 0 : halves * 64 * 128) + ";\nand.b32 %r10, %i, 127; setp.eq.u32 %p7, %r10, 0;\n";
    if (plan.pingPongs) // The first has both sections.
      text += "add.u32 %r36, %r29, 1; sub.u32 %r37, 2, %r29; setp.eq.u32 %p1, %r29, 0; @%p1 bra turns;\n"
              "bar.arrive 1, 256; bar.arrive 3, 256;\nturns:\n";
    startTiles("multiply");
    enterExclusive(0);
    text += "multiply_step:\n";
    if (plan.threadsArrive)
      text += "shl.b32 %r10, %r4, 3; add.u32 %r16, %r30, %r10; mbarrier.arrive.shared.b64 _, [%r16];\n";
    wait("full", false);
    multiply();
    release();
    nextStage();
    loop("multiply_step");
    leaveExclusive(0);
    if (plan.pending) {
      text += "wgmma.wait_group.sync.aligned 0;\nadd.u32 %r26, %r4, " + num(plan.stages - 1) +
              "; rem.u32 %r26, %r26, " + num(plan.stages) + ";\n";
      arrive();
    }
    enterExclusive(2);
    store();
    leaveExclusive(2);
    endTiles("multiply");
    text += "end:\n";
    if (plan.cluster > 1) // nobody leaves while others may signal it
      text += "barrier.cluster.arrive; barrier.cluster.wait;\n";
  }

  const MatmulPlan &plan;
  unsigned steps, rowBytes, columnBytes, halves;
  std::string text;
};

} // namespace

BenchKernel matmulKernel(const MatmulPlan &plan) {
  return MatmulWriter(plan).write();
}

} // namespace ptxemu::timing::testing
