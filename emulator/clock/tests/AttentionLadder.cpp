//===- AttentionLadder.cpp - Attention as published kernels do it ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers: %r1 tile, %r2 head, %r3 block of rows, %r4 blocks of columns left, %r5 tiles done, %r6 and %r7 blocks of
// keys and of values so far, %r8 the warpgroup, %r10 … scratch; %rd11 keys, %rd12 values; %s the scores, %q their
// exponentials as pairs of halves, %o the result, %m and %l of two rows, %a what their results shrink by.
//
//===----------------------------------------------------------------------===//

#include "AttentionLadder.h"
#include <algorithm>

namespace ptxemu::timing::testing {

namespace {

/// Byte offsets of the mbarriers. Those of a ring have two stages.
enum BarrierOffset : unsigned {
  QueryFull = 0,
  QueryEmpty = 8,
  KeyFull = 16,
  ValueFull = 32,
  KeyEmpty = 48,
  ValueEmpty = 64
};

class AttentionWriter {
public:
  explicit AttentionWriter(const AttentionPlan &plan)
      : plan(plan), groups(plan.rows / 64), queryBytes(plan.rows * plan.headSize * 2),
        blockBytes(plan.columns * plan.headSize * 2), rowBlocks((plan.sequence + plan.rows - 1) / plan.rows),
        columnBlocks((plan.sequence + plan.columns - 1) / plan.columns) {}

  BenchKernel write() {
    BenchKernel k;
    k.threads = 128 * (groups + plan.isSpecialized);
    k.grid = plan.isPersistent ? std::min(kPersistent, rowBlocks * plan.heads) : rowBlocks * plan.heads;
    k.shared = queryBytes + 4 * blockBytes;
    k.bytes = uint64_t(plan.heads) * (uint64_t(rowBlocks) * queryBytes + 2ull * columnBlocks * blockBytes);
    declare();
    initialize();
    plan.isSpecialized ? specialized() : together();
    k.body = text;
    return k;
  }

private:
  static constexpr unsigned kPersistent = 132;

  void declare() {
    text = ".reg .f32 %s<" + num(plan.columns / 2) + ">, %o<" + num(plan.headSize / 2) +
           ">, %m<2>, %l<2>, %a<2>, %t<8>;\n.reg .b32 %q<" + num(plan.columns / 4) +
           ">;\n.reg .pred %zero, %one, %sum, %mask<4>;\n";
  }
  void initialize() {
    text += "mov.u32 %r30, bar; mov.u32 %r31, s; setp.ne.u32 %zero, %i, %i; setp.eq.u32 %one, %i, %i;\n"
            "add.u64 %rd11, %in, " +
            num(uint64_t(plan.heads) * rowBlocks * queryBytes) + "; add.u64 %rd12, %rd11, " +
            num(uint64_t(plan.heads) * columnBlocks * blockBytes) + ";\nsetp.ne.u32 %p1, %i, 0; @%p1 bra ready;\n";
    const auto init = [&](unsigned barrier, unsigned count) {
      text += "mbarrier.init.shared.b64 [%r30+" + num(barrier) + "], " + num(count) + ";\n";
    };
    init(QueryFull, 1);
    init(QueryEmpty, groups);
    for (unsigned stage = 0; stage < 2; ++stage) {
      init(KeyFull + stage * 8, 1);
      init(ValueFull + stage * 8, 1);
      init(KeyEmpty + stage * 8, groups);
      init(ValueEmpty + stage * 8, groups);
    }
    text += "fence.mbarrier_init.release.cluster;\nready:\nbar.sync 0;\n";
  }

  //===--------------------------------------------------------------------===//
  // Tiles, waits, copies
  //===--------------------------------------------------------------------===//

  /// Head, block of rows, and how many blocks of columns it sees.
  void startTiles(const std::string &role) {
    text += "mov.u32 %r1, %cta; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0;\n" + role + "_tile:\n";
    // Neighbouring rows are worked on together, or of what differs in length the longest first.
    if (!plan.isCausal)
      text += "div.u32 %r2, %r1, " + num(rowBlocks) + "; rem.u32 %r3, %r1, " + num(rowBlocks) + ";\n";
    else
      text += "rem.u32 %r2, %r1, " + num(plan.heads) + "; div.u32 %r3, %r1, " + num(plan.heads) + "; sub.u32 %r3, " +
              num(rowBlocks - 1) + ", %r3;\n";
    if (plan.isCausal)
      text += "mad.lo.u32 %r4, %r3, " + num(plan.rows) + ", " + num(plan.rows + plan.columns - 1) +
              "; div.u32 %r4, %r4, " + num(plan.columns) + "; min.u32 %r4, %r4, " + num(columnBlocks) + ";\n";
    else
      text += "mov.u32 %r4, " + num(columnBlocks) + ";\n";
  }
  /// There and back over the CTAs, which shares tiles of falling length evenly, as a queue does.
  void endTiles(const std::string &role) {
    if (plan.isPersistent)
      text += "add.u32 %r5, %r5, 1; and.b32 %r10, %r5, " + num(plan.isCausal) +
              "; setp.eq.u32 %p8, %r10, 0; mul.lo.u32 %r10, %r5, " + num(kPersistent) + "; sub.u32 %r11, " +
              num(kPersistent - 1) +
              ", %cta; selp.u32 %r11, %cta, %r11, %p8; add.u32 %r1, %r10, %r11; setp.lt.u32 %p9, %r1, " +
              num(rowBlocks * plan.heads) + "; @%p9 bra " + role + "_tile;\n";
  }
  /// Waits for the phase of the use that `count` numbers, in a ring of `stages`.
  void wait(unsigned barrier, const std::string &count, unsigned stages, bool isEmpty) {
    const std::string label = "wait" + num(labels++);
    if (stages == 2)
      text += "and.b32 %r10, " + count + ", 1; shl.b32 %r10, %r10, 3; add.u32 %r16, %r30, %r10; shr.u32 %r17, " +
              count + ", 1; and.b32 %r17, %r17, 1;\n";
    else
      text += "mov.u32 %r16, %r30; and.b32 %r17, " + count + ", 1;\n";
    if (isEmpty)
      text += "xor.b32 %r17, %r17, 1;\n";
    text += label + ":\nmbarrier.try_wait.parity.shared.b64 %p5, [%r16+" + num(barrier) + "], %r17;\n@!%p5 bra " +
            label + ";\n";
  }
  /// By a warpgroup's first thread.
  void release(unsigned barrier, const std::string &count, unsigned stages) {
    if (!plan.isSpecialized)
      return; // a barrier of all says it
    if (stages == 2)
      text += "and.b32 %r10, " + count + ", 1; shl.b32 %r10, %r10, 3; add.u32 %r16, %r30, %r10;\n";
    else
      text += "mov.u32 %r16, %r30;\n";
    text += "@%p7 mbarrier.arrive.shared.b64 _, [%r16+" + num(barrier) + "];\n";
  }
  void copy(unsigned barrier, const std::string &from, const std::string &to, unsigned bytes) {
    text += "mbarrier.arrive.expect_tx.shared.b64 _, [%r16+" + num(barrier) + "], " + num(bytes) +
            ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" + to + "], [" + from + "], " +
            num(bytes) + ", [%r16+" + num(barrier) + "];\n";
  }
  void loadQuery() {
    text += "mad.lo.u32 %r19, %r2, " + num(rowBlocks) + ", %r3; mul.wide.u32 %rd1, %r19, " + num(queryBytes) +
            "; add.u64 %rd1, %in, %rd1; mov.u32 %r16, %r30;\n";
    copy(QueryFull, "%rd1", "%r31", queryBytes);
  }
  /// Block `block` of keys or values into the stage of use `count`.
  void loadBlock(bool isKey, const std::string &block, const std::string &count) {
    text += "and.b32 %r10, " + count + ", 1; mad.lo.u32 %r18, %r10, " + num(blockBytes) + ", " +
            num(queryBytes + (isKey ? 0 : 2 * blockBytes)) +
            "; add.u32 %r18, %r18, %r31; shl.b32 %r10, %r10, 3; add.u32 %r16, %r30, %r10;\nmad.lo.u32 %r19, %r2, " +
            num(columnBlocks) + ", " + block + "; mul.wide.u32 %rd1, %r19, " + num(blockBytes) +
            "; add.u64 %rd1, %rd1, " + (isKey ? "%rd11" : "%rd12") + ";\n";
    copy(isKey ? KeyFull : ValueFull, "%rd1", "%r18", blockBytes);
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  std::string list(const char *name, unsigned first, unsigned count) const {
    std::string out = "{";
    for (unsigned i = 0; i < count; ++i)
      out += (i ? ", " : "") + std::string(name) + num(first + i);
    return out + "}";
  }
  /// S = QKᵀ, both by rows of 64 elements with a swizzle of 128 bytes.
  void scores() {
    text += "and.b32 %r10, %r6, 1; mad.lo.u32 %r24, %r10, " + num(blockBytes) + ", " + num(queryBytes) +
            "; add.u32 %r24, %r24, %r31; shr.u32 %r24, %r24, 4; cvt.u64.u32 %rd5, %r24;\n"
            "or.b64 %rd5, %rd5, 0x4000004000010000;\nmad.lo.u32 %r25, %r8, 8192, %r31; shr.u32 %r25, %r25, 4;"
            " cvt.u64.u32 %rd4, %r25; or.b64 %rd4, %rd4, 0x4000004000010000;\nwgmma.fence.sync.aligned;\n";
    for (unsigned k = 0; k < plan.headSize / 16; ++k)
      text += "add.u64 %rd6, %rd4, " + num(k / 4 * plan.rows * 8 + k % 4 * 2) + "; add.u64 %rd7, %rd5, " +
              num(k / 4 * plan.columns * 8 + k % 4 * 2) + ";\nwgmma.mma_async.sync.aligned.m64n" + num(plan.columns) +
              "k16.f32.f16.f16 " + list("%s", 0, plan.columns / 2) + ", %rd6, %rd7, " + (k ? "%one" : "%zero") +
              ", 1, 1, 0, 0;\n";
    text += "wgmma.commit_group.sync.aligned;\n";
  }
  /// O += PV, V by columns; %sum is false for a tile's first.
  void results() {
    text += "and.b32 %r10, %r7, 1; mad.lo.u32 %r24, %r10, " + num(blockBytes) + ", " +
            num(queryBytes + 2 * blockBytes) +
            "; add.u32 %r24, %r24, %r31; shr.u32 %r24, %r24, 4; cvt.u64.u32 %rd5, %r24;\nor.b64 %rd5, %rd5, " +
            num(0x4000004000000000 + (uint64_t(plan.columns) * 8 << 16)) + ";\nwgmma.fence.sync.aligned;\n";
    for (unsigned k = 0; k < plan.columns / 16; ++k)
      text += "add.u64 %rd7, %rd5, " + num(k * 128) + ";\nwgmma.mma_async.sync.aligned.m64n" + num(plan.headSize) +
              "k16.f32.f16.f16 " + list("%o", 0, plan.headSize / 2) + ", " + list("%q", k * 4, 4) + ", %rd7, " +
              (k ? "%one" : "%sum") + ", 1, 1, 1;\n";
    text += "wgmma.commit_group.sync.aligned;\nsetp.eq.u32 %sum, %i, %i;\n";
  }
  void finish(unsigned pending) { text += "wgmma.wait_group.sync.aligned " + num(pending) + ";\n"; }

  //===--------------------------------------------------------------------===//
  // Softmax
  //===--------------------------------------------------------------------===//

  /// Hides what comes after each row's own column. %r4: the block of columns, counted down, of which this is the last.
  void hide() {
    text += "shr.u32 %r11, %i, 5; and.b32 %r11, %r11, 3; shl.b32 %r11, %r11, 4; and.b32 %r12, %i, 31; shr.u32 %r13, "
            "%r12, 2; add.u32 %r11, %r11, %r13; mad.lo.u32 %r11, %r8, 64, %r11; mad.lo.u32 %r11, %r3, " +
            num(plan.rows) +
            ", %r11;\nand.b32 %r12, %r12, 3; shl.b32 %r12, %r12, 1; sub.u32 %r11, %r11, %r12; mul.lo.u32 "
            "%r12, %r4, " +
            num(plan.columns) + "; sub.u32 %r11, %r11, %r12; add.u32 %r12, %r11, 8;\n";
    for (unsigned r = 0; r < plan.columns / 2; ++r)
      text += "setp.lt.s32 %mask" + num(r % 4) + ", " + (r & 2 ? "%r12" : "%r11") + ", " + num(r / 4 * 8 + (r & 1)) +
              "; selp.f32 %s" + num(r) + ", 0fFF800000, %s" + num(r) + ", %mask" + num(r % 4) + ";\n";
  }
  /// Maxima, exponentials and sums of the two rows; %a becomes what the sums so far are multiplied by.
  void softmax() {
    const std::string scale = "0f3E02943A"; // log2(e) / √128; the model does not care which
    text += "mov.f32 %t0, %m0; mov.f32 %t1, %m1;\n";
    for (unsigned r = 0; r < plan.columns / 2; ++r) {
      const std::string m = "%m" + num(r >> 1 & 1);
      text += "max.f32 " + m + ", " + m + ", %s" + num(r) + ";\n";
    }
    for (unsigned lanes : {1, 2})
      for (unsigned row = 0; row < 2; ++row)
        text += "shfl.sync.bfly.b32 %t" + num(2 + row) + ", %m" + num(row) + ", " + num(lanes) +
                ", 31, -1; max.f32 %m" + num(row) + ", %m" + num(row) + ", %t" + num(2 + row) + ";\n";
    for (unsigned row = 0; row < 2; ++row) {
      const std::string r = num(row), t = num(4 + row);
      text += "sub.f32 %t" + r + ", %t" + r + ", %m" + r + "; mul.f32 %t" + r + ", %t" + r + ", " + scale +
              "; ex2.approx.ftz.f32 %a" + r + ", %t" + r + "; mul.f32 %t" + t + ", %m" + r + ", " + scale +
              "; neg.f32 %t" + t + ", %t" + t + "; mul.f32 %l" + r + ", %l" + r + ", %a" + r + ";\n";
    }
    for (unsigned r = 0; r < plan.columns / 2; ++r) {
      const std::string s = "%s" + num(r), row = num(r >> 1 & 1);
      text += "fma.rn.f32 " + s + ", " + s + ", " + scale + ", %t" + num(4 + (r >> 1 & 1)) + "; ex2.approx.ftz.f32 " +
              s + ", " + s + "; add.f32 %l" + row + ", %l" + row + ", " + s + ";\n";
    }
  }
  void convert() {
    for (unsigned r = 0; r < plan.columns / 2; r += 2)
      text += "cvt.rn.f16x2.f32 %q" + num(r / 2) + ", %s" + num(r + 1) + ", %s" + num(r) + ";\n";
  }
  void rescale() {
    for (unsigned r = 0; r < plan.headSize / 2; ++r)
      text += "mul.f32 %o" + num(r) + ", %o" + num(r) + ", %a" + num(r >> 1 & 1) + ";\n";
  }

  //===--------------------------------------------------------------------===//
  // A warpgroup's exclusive section
  //===--------------------------------------------------------------------===//

  unsigned computing() const { return 128 * groups; }
  void startSections() {
    if (!plan.pingPongs)
      return;
    text += "add.u32 %r40, %r8, 1;\n"; // its barrier's number
    for (unsigned other = 1; other < groups; ++other)
      text += "add.u32 %r4" + num(other) + ", %r8, " + num(other) + "; rem.u32 %r4" + num(other) + ", %r4" +
              num(other) + ", " + num(groups) + "; add.u32 %r4" + num(other) + ", %r4" + num(other) + ", 1;\n";
    // Whoever comes later leaves the first sections to those before.
    for (unsigned first = 1; first < groups; ++first)
      text += "setp.lt.u32 %p8, %r8, " + num(first) + "; @%p8 bra turn" + num(first) + ";\nbar.arrive " + num(first) +
              ", " + num(computing()) + ";\nturn" + num(first) + ":\n";
  }
  void enterExclusive() {
    if (plan.pingPongs)
      text += "bar.sync %r40, " + num(computing()) + ";\n";
  }
  void leaveExclusive() {
    for (unsigned other = 1; plan.pingPongs && other < groups; ++other)
      text += "bar.arrive %r4" + num(other) + ", " + num(computing()) + ";\n";
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  void startTile() {
    for (unsigned r = 0; r < plan.headSize / 2; ++r)
      text += "mov.f32 %o" + num(r) + ", 0f00000000;\n";
    text += "mov.f32 %m0, 0fFF800000; mov.f32 %m1, 0fFF800000; mov.f32 %l0, 0f00000000; mov.f32 %l1, 0f00000000;\n"
            "setp.ne.u32 %sum, %i, %i;\n";
    wait(QueryFull, "%r5", 1, false);
  }
  void store() {
    for (unsigned lanes : {1, 2})
      for (unsigned row = 0; row < 2; ++row)
        text += "shfl.sync.bfly.b32 %t" + num(row) + ", %l" + num(row) + ", " + num(lanes) + ", 31, -1; add.f32 %l" +
                num(row) + ", %l" + num(row) + ", %t" + num(row) + ";\n";
    text += "rcp.approx.ftz.f32 %a0, %l0; rcp.approx.ftz.f32 %a1, %l1;\n";
    rescale();
    text += "shr.u32 %r11, %i, 5; and.b32 %r11, %r11, 3; shl.b32 %r11, %r11, 4; and.b32 %r12, %i, 31; shr.u32 %r13, "
            "%r12, 2; add.u32 %r11, %r11, %r13; and.b32 %r12, %r12, 3; mad.lo.u32 %r11, %r8, 64, %r11;\n"
            "mad.lo.u32 %r13, %r2, " +
            num(rowBlocks) + ", %r3; mul.wide.u32 %rd8, %r13, " + num(queryBytes) + "; add.u64 %rd8, %out, %rd8; " +
            "mul.wide.u32 %rd9, %r11, " + num(plan.headSize * 2) +
            "; add.u64 %rd8, %rd8, %rd9; mul.wide.u32 %rd9, %r12, 4; add.u64 %rd8, %rd8, %rd9;\n";
    for (unsigned r = 0; r < plan.headSize / 2; r += 2)
      text += "cvt.rn.f16x2.f32 %r10, %o" + num(r + 1) + ", %o" + num(r) + "; st.global.b32 [%rd8+" +
              num((r >> 1 & 1) * 8 * plan.headSize * 2 + r / 4 * 16) + "], %r10;\n";
  }
  /// The block's scores are done: what hides them and the softmax. Afterwards one block less is left.
  void oneBlock(bool isMasked) {
    text += "sub.u32 %r4, %r4, 1;\n";
    if (isMasked)
      hide();
    softmax();
  }
  /// The loop's bodies: those blocks that the diagonal crosses, then the rest. `done` blocks come before the loop.
  void blocks(unsigned done, const std::function<void(bool)> &body) {
    const unsigned masked = plan.isCausal ? (plan.rows + plan.columns - 1) / plan.columns : 0;
    for (unsigned b = done; b < masked; ++b) {
      const std::string label = "past" + num(labels++);
      text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra " + label + ";\n";
      body(true);
      text += label + ":\n";
    }
    const std::string loop = "blocks" + num(labels++);
    text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra " + loop + "_end;\n" + loop + ":\n";
    body(false);
    text += "setp.ne.u32 %p6, %r4, 0; @%p6 bra " + loop + ";\n" + loop + "_end:\n";
  }

  void overlappedTile() {
    wait(KeyFull, "%r6", 2, false);
    scores();
    finish(0);
    release(KeyEmpty, "%r6", 2);
    oneBlock(plan.isCausal);
    convert();
    if (!plan.isSpecialized)
      refill(/*alsoValues=*/false);
    text += "add.u32 %r6, %r6, 1;\n";
    blocks(1, [&](bool isMasked) {
      wait(KeyFull, "%r6", 2, false);
      enterExclusive();
      scores();
      wait(ValueFull, "%r7", 2, false);
      results();
      leaveExclusive();
      finish(1);
      release(KeyEmpty, "%r6", 2);
      oneBlock(isMasked);
      finish(0);
      release(ValueEmpty, "%r7", 2);
      convert();
      rescale();
      if (!plan.isSpecialized)
        refill(/*alsoValues=*/true);
      text += "add.u32 %r6, %r6, 1; add.u32 %r7, %r7, 1;\n";
    });
    release(QueryEmpty, "%r5", 1);
    wait(ValueFull, "%r7", 2, false);
    results();
    finish(0);
    release(ValueEmpty, "%r7", 2);
    text += "add.u32 %r7, %r7, 1;\n";
  }
  /// A block's product with the values and the next one's scores are one section.
  void plainTile() {
    enterExclusive();
    blocks(0, [&](bool isMasked) {
      wait(KeyFull, "%r6", 2, false);
      scores();
      leaveExclusive();
      finish(0);
      release(KeyEmpty, "%r6", 2);
      oneBlock(isMasked);
      convert();
      rescale();
      wait(ValueFull, "%r7", 2, false);
      enterExclusive();
      results();
      finish(0);
      release(ValueEmpty, "%r7", 2);
      if (!plan.isSpecialized)
        refill(/*alsoValues=*/true);
      text += "add.u32 %r6, %r6, 1; add.u32 %r7, %r7, 1;\n";
    });
    leaveExclusive();
    release(QueryEmpty, "%r5", 1);
  }

  void specialized() {
    text += "shr.u32 %r8, %i, 7; setp.ne.u32 %p1, %r8, 0; @%p1 bra compute;\nsetmaxnreg.dec.sync.aligned.u32 " +
            std::string(groups == 2 ? "24" : "32") + ";\nsetp.ne.u32 %p1, %i, 0; @%p1 bra end;\n";
    startTiles("load");
    wait(QueryEmpty, "%r5", 1, true);
    loadQuery();
    // From the last block to the first; the keys are one block ahead.
    const auto next = [&](bool isKey) {
      const std::string count = isKey ? "%r6" : "%r7";
      wait(isKey ? KeyEmpty : ValueEmpty, count, 2, true);
      loadBlock(isKey, isKey ? "%r26" : "%r27", count);
      text += "add.u32 " + count + ", " + count + ", 1;\n";
    };
    text += "sub.u32 %r26, %r4, 1; mov.u32 %r27, %r26;\n";
    next(true);
    text += "load_block:\nsetp.eq.u32 %p6, %r26, 0; @%p6 bra load_value;\nsub.u32 %r26, %r26, 1;\n";
    next(true);
    text += "load_value:\n";
    next(false);
    text += "sub.u32 %r27, %r27, 1; setp.ge.s32 %p6, %r27, 0; @%p6 bra load_block;\n";
    endTiles("load");
    text += "bra.uni end;\ncompute:\nsetmaxnreg.inc.sync.aligned.u32 " + std::string(groups == 2 ? "240" : "160") +
            ";\nsub.u32 %r8, %r8, 1; and.b32 %r10, %i, 127; setp.eq.u32 %p7, %r10, 0;\n";
    computeTiles();
    text += "end:\n";
  }
  void computeTiles() {
    startSections();
    startTiles("compute");
    startTile();
    plan.overlaps ? overlappedTile() : plainTile();
    store();
    endTiles("compute");
  }
  /// All have done with the block: its stages take the blocks that come two later.
  void refill(bool alsoValues) {
    const std::string keys = "keys" + num(labels++), values = "values" + num(labels++);
    text += "bar.sync 0;\nsetp.ne.u32 %p8, %i, 0; @%p8 bra " + (alsoValues ? values : keys) + ";\n";
    const auto load = [&](bool isKey, const std::string &label, unsigned ahead) {
      text +=
          "setp.lt.u32 %p8, %r4, " + num(ahead) + "; @%p8 bra " + label + ";\nsub.u32 %r26, %r4, " + num(ahead) + ";\n";
      loadBlock(isKey, "%r26", isKey ? "%r6" : "%r7");
      text += label + ":\n";
    };
    // With overlap %r4 is counted down by keys, and values are one block behind.
    load(true, keys, 2);
    if (alsoValues)
      load(false, values, plan.overlaps ? 1 : 2);
  }
  void together() {
    text += "shr.u32 %r8, %i, 7;\n";
    text += "mov.u32 %r1, %cta;\nsetp.ne.u32 %p8, %i, 0; @%p8 bra first;\n";
    startTiles("first");
    loadQuery();
    for (unsigned block = 1; block <= 2; ++block) {
      text += "setp.lt.u32 %p8, %r4, " + num(block) + "; @%p8 bra first;\nsub.u32 %r26, %r4, " + num(block) + ";\n";
      loadBlock(true, "%r26", "%r6");
      loadBlock(false, "%r26", "%r7");
      text += "add.u32 %r6, %r6, 1; add.u32 %r7, %r7, 1;\n";
    }
    text += "first:\n";
    computeTiles();
  }

  const AttentionPlan &plan;
  unsigned groups, queryBytes, blockBytes, rowBlocks, columnBlocks;
  unsigned labels = 0;
  std::string text;
};

} // namespace

BenchKernel attentionKernel(const AttentionPlan &plan) {
  return AttentionWriter(plan).write();
}

} // namespace ptxemu::timing::testing
