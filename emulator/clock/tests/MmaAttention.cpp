//===- MmaAttention.cpp - Attention with mma.sync and cp.async ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers: %r2 head, %r3 block of rows, %r4 blocks of columns left, %r10 … scratch, %r32 and %r33 a lane's place in
// the operands' rows, %r34 its chunk; %rd10 queries, %rd11 keys, %rd12 values; %s scores, %o result, %q operands of 16
// bits. Shared memory: Q, K, V by rows of 128 bytes, whose chunks of 16 bytes are swizzled by the row.
//
//===----------------------------------------------------------------------===//

#include "AttentionLadder.h"
#include <algorithm>

namespace ptxemu::timing::testing {

namespace {

class MmaAttentionWriter {
public:
  explicit MmaAttentionWriter(const MmaAttentionPlan &plan)
      : plan(plan), strips(plan.rows / 16 / plan.warps), rowBlocks((plan.sequence + plan.rows - 1) / plan.rows),
        columnBlocks(((plan.keys ? plan.keys : plan.sequence) + plan.columns - 1) / plan.columns),
        queryBytes(plan.rows * plan.headSize * 2), blockBytes(plan.columns * plan.headSize * 2) {}

  BenchKernel write() {
    BenchKernel k;
    k.threads = plan.warps * 32;
    k.grid = rowBlocks * plan.heads;
    k.shared = std::max(queryBytes, keysAt() + 2 * blockBytes);
    k.target = plan.target;
    k.bytes = uint64_t(plan.heads) * (uint64_t(rowBlocks) * queryBytes + 2ull * columnBlocks * blockBytes);
    start();
    body();
    store();
    k.body = text;
    return k;
  }

private:
  /// Queries that are in registers leave their place to the first block.
  unsigned keysAt() const { return plan.keepsQueries ? 0 : queryBytes; }
  unsigned scoreTiles() const { return plan.columns / 8; }
  unsigned resultTiles() const { return plan.headSize / 8; }
  unsigned score(unsigned strip, unsigned tile, unsigned r) const { return (strip * scoreTiles() + tile) * 4 + r; }
  /// Two steps of the depth in turn, or all.
  unsigned query(unsigned k, unsigned strip) const { return ((plan.keepsQueries ? k : k % 2) * strips + strip) * 4; }
  unsigned result(unsigned strip, unsigned tile, unsigned r) const { return (strip * resultTiles() + tile) * 4 + r; }

  void start() {
    text = ".reg .f32 %s<" + num(strips * scoreTiles() * 4) + ">, %o<" + num(strips * resultTiles() * 4) + ">, %m<" +
           num(strips * 2) + ">, %l<" + num(strips * 2) + ">, %a<" + num(strips * 2) + ">, %t<" + num(strips * 2 + 2) +
           ">, %n<" + num(strips * 2) + ">;\n.reg .b32 %q<" +
           num(strips * (plan.keepsQueries ? plan.headSize / 4 : 8)) + ">, %b<" +
           num(std::max(scoreTiles(), resultTiles()) / 2 * 4) + ">, %p2_<" + num(strips * scoreTiles() * 2) +
           ">;\n.reg .pred %mask<4>;\n";
    text += "mov.u32 %r30, s; div.u32 %r2, %cta, " + num(rowBlocks) + "; rem.u32 %r3, %cta, " + num(rowBlocks) + ";\n";
    if (plan.isCausal)
      text += "mad.lo.u32 %r4, %r3, " + num(plan.rows) + ", " + num(plan.rows + plan.columns - 1) +
              "; div.u32 %r4, %r4, " + num(plan.columns) + "; min.u32 %r4, %r4, " + num(columnBlocks) + ";\n";
    else
      text += "mov.u32 %r4, " + num(columnBlocks) + ";\n";
    text += "mad.lo.u32 %r10, %r2, " + num(rowBlocks) + ", %r3; mul.wide.u32 %rd10, %r10, " + num(queryBytes) +
            "; add.u64 %rd10, %in, %rd10;\nmul.wide.u32 %rd11, %r2, " + num(columnBlocks * blockBytes) +
            "; add.u64 %rd11, %in, %rd11; add.u64 %rd11, %rd11, " + num(uint64_t(plan.heads) * rowBlocks * queryBytes) +
            ";\nadd.u64 %rd12, %rd11, " + num(uint64_t(plan.heads) * columnBlocks * blockBytes) +
            ";\nand.b32 %r31, %i, 31; shr.u32 %r35, %i, 5;\n"
            // ldmatrix: lanes 0 to 15 the rows, those from 16 on the next chunk
            "and.b32 %r32, %r31, 15; shr.u32 %r34, %r31, 4; and.b32 %r33, %r31, " +
            num(plan.isSwizzled ? 7 : 0) + ";\n";
    // A copy's place: threads take chunks one after another; a row's chunk c is at c ^ (row & 7).
    text += "shr.u32 %r10, %i, 3; and.b32 %r11, %i, 7; and.b32 %r12, %r10, " + num(plan.isSwizzled ? 7 : 0) +
            "; xor.b32 %r12, %r11, %r12; shl.b32 %r36, %r10, 7; shl.b32 %r12, %r12, 4; add.u32 %r36, %r36, %r12; "
            "add.u32 %r36, %r36, %r30; mul.wide.u32 %rd13, "
            "%i, 16;\n";
    for (unsigned r = 0; r < strips * resultTiles() * 4; ++r)
      text += "mov.f32 %o" + num(r) + ", 0f00000000;\n";
    for (unsigned r = 0; r < strips * 2; ++r)
      text += "mov.f32 %m" + num(r) + ", 0fFF800000; mov.f32 %l" + num(r) + ", 0f00000000;\n";
  }
  /// `bytes` from %rd1 to `to` of shared memory, all threads.
  void copy(unsigned to, unsigned bytes) {
    text += "add.u64 %rd1, %rd1, %rd13;\n";
    for (unsigned at = 0; at < bytes; at += plan.warps * 512)
      text += "cp.async.cg.shared.global [%r36+" + num(to + at) + "], [%rd1+" + num(at) + "], 16;\n";
    text += "cp.async.commit_group;\n";
  }
  void copyBlock(bool isKey, const std::string &block) {
    text += "mul.wide.u32 %rd1, " + block + ", " + num(blockBytes) + "; add.u64 %rd1, %rd1, " +
            (isKey ? "%rd11" : "%rd12") + ";\n";
    copy(keysAt() + (isKey ? 0 : blockBytes), blockBytes);
  }
  void arrived() { text += "cp.async.wait_group 0;\nbar.sync 0;\n"; }

  /// Chunk `chunk` of a panel of `rows` rows at `base`, lanes' rows from `row` on (%r32) into `registers`.
  void loadMatrix(const std::string &registers, unsigned base, unsigned rows, unsigned row, unsigned chunk,
                  const char *rowOffset, bool isTransposed) {
    text += "xor.b32 %r14, %r34, %r33; ";
    if (chunk & 7)
      text += "xor.b32 %r14, %r14, " + num(chunk & 7) + "; ";
    text += std::string("shl.b32 %r14, %r14, 4; add.u32 %r14, %r14, ") + rowOffset +
            ";\nldmatrix.sync.aligned.m8n8.x4" + (isTransposed ? ".trans" : "") + ".shared.b16 " + registers +
            ", [%r14+" + num(base + chunk / 8 * rows * 128 + row * 128) + "];\n";
  }
  void multiply(const char *d, unsigned first, const std::string &a, const std::string &b0, const std::string &b1) {
    std::string list = "{";
    for (unsigned r = 0; r < 4; ++r)
      list += (r ? ", " : "") + std::string(d) + num(first + r);
    text += "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + list + "}, " + a + ", {" + b0 + ", " + b1 + "}, " +
            list + "};\n";
  }
  static std::string four(const char *name, unsigned first) {
    return std::string("{") + name + num(first) + ", " + name + num(first + 1) + ", " + name + num(first + 2) + ", " +
           name + num(first + 3) + "}";
  }
  /// Loads of operands are one step of the depth ahead of their products, as FlashAttention-2 writes it: a step's
  /// registers are loaded anew one after another. `each`: loads of a step.
  void inSteps(unsigned steps, unsigned each, const std::function<void(unsigned k, unsigned i, unsigned b)> &load,
               const std::function<void(unsigned k, unsigned i, unsigned b)> &use) {
    for (unsigned i = 0; i < each; ++i)
      load(0, i, i * 4);
    for (unsigned k = 0; k < steps; ++k)
      for (unsigned i = 0; i < each; ++i) {
        use(k, i, i * 4);
        if (k + 1 < steps)
          load(k + 1, i, i * 4);
      }
  }
  void scores() {
    for (unsigned r = 0; r < strips * scoreTiles() * 4; ++r)
      text += "mov.f32 %s" + num(r) + ", 0f00000000;\n";
    const unsigned each = scoreTiles() / 2;
    inSteps(
        plan.headSize / 16, each,
        [&](unsigned k, unsigned i, unsigned b) {
          for (unsigned strip = 0; i == 0 && !plan.keepsQueries && strip < strips; ++strip)
            loadMatrix(four("%q", query(k, strip)), 0, plan.rows, strip * 16 * plan.warps, k * 2, "%r37", false);
          loadMatrix(four("%b", b), keysAt(), plan.columns, i * 16, k * 2, "%r38", false);
        },
        [&](unsigned k, unsigned i, unsigned b) {
          for (unsigned strip = 0; strip < strips; ++strip) {
            const std::string a = four("%q", query(k, strip));
            multiply("%s", score(strip, 2 * i, 0), a, "%b" + num(b), "%b" + num(b + 2));
            multiply("%s", score(strip, 2 * i + 1, 0), a, "%b" + num(b + 1), "%b" + num(b + 3));
          }
        });
  }
  void results() {
    inSteps(
        plan.columns / 16, resultTiles() / 2,
        [&](unsigned k, unsigned i, unsigned b) {
          loadMatrix(four("%b", b), keysAt() + blockBytes, plan.columns, k * 16, 2 * i, "%r38", true);
        },
        [&](unsigned k, unsigned i, unsigned b) {
          for (unsigned strip = 0; strip < strips; ++strip) {
            const std::string a = four("%p2_", score(strip, k * 2, 0) / 2);
            multiply("%o", result(strip, 2 * i, 0), a, "%b" + num(b), "%b" + num(b + 1));
            multiply("%o", result(strip, 2 * i + 1, 0), a, "%b" + num(b + 2), "%b" + num(b + 3));
          }
        });
  }

  void hide() {
    text += "shr.u32 %r12, %r31, 2; mad.lo.u32 %r11, %r35, 16, %r12; mad.lo.u32 %r11, %r3, " + num(plan.rows) +
            ", %r11;\nand.b32 %r12, %r31, 3; shl.b32 %r12, %r12, 1; sub.u32 %r11, %r11, %r12; mul.lo.u32 %r12, %r4, " +
            num(plan.columns) + "; sub.u32 %r11, %r11, %r12;\n";
    for (unsigned strip = 0; strip < strips; ++strip)
      for (unsigned row = 0; row < 2; ++row) {
        text += "add.u32 %r12, %r11, " + num(strip * 16 * plan.warps + row * 8) + ";\n";
        for (unsigned tile = 0; tile < scoreTiles(); ++tile)
          for (unsigned c = 0; c < 2; ++c) {
            const std::string s = "%s" + num(score(strip, tile, row * 2 + c));
            text += "setp.lt.s32 %mask" + num(tile % 4) + ", %r12, " + num(tile * 8 + c) + "; selp.f32 " + s +
                    ", 0fFF800000, " + s + ", %mask" + num(tile % 4) + ";\n";
          }
      }
  }
  /// Of one row of a strip: its maximum, what earlier results are multiplied by, exponentials and their sum.
  void softmaxRow(unsigned strip, unsigned row) {
    const std::string scale = "0f3E02943A", i = num(strip * 2 + row), m = "%m" + i, l = "%l" + i, n = "%n" + i;
    const auto each = [&](const std::function<void(const std::string &)> &f) {
      for (unsigned tile = 0; tile < scoreTiles(); ++tile)
        for (unsigned c = 0; c < 2; ++c)
          f("%s" + num(score(strip, tile, row * 2 + c)));
    };
    text += "mov.f32 %t" + i + ", " + m + ";\n";
    each([&](const std::string &s) { text += "max.f32 " + m + ", " + m + ", " + s + ";\n"; });
    for (unsigned lanes : {1, 2})
      text += "shfl.sync.bfly.b32 " + n + ", " + m + ", " + num(lanes) + ", 31, -1; max.f32 " + m + ", " + m + ", " +
              n + ";\n";
    text += "sub.f32 %t" + i + ", %t" + i + ", " + m + "; mul.f32 %t" + i + ", %t" + i + ", " + scale +
            "; ex2.approx.ftz.f32 %a" + i + ", %t" + i + "; mul.f32 " + n + ", " + m + ", " + scale + "; neg.f32 " + n +
            ", " + n + "; mul.f32 " + l + ", " + l + ", %a" + i + ";\n";
    each([&](const std::string &s) {
      text += "fma.rn.f32 " + s + ", " + s + ", " + scale + ", " + n + "; ex2.approx.ftz.f32 " + s + ", " + s +
              "; add.f32 " + l + ", " + l + ", " + s + ";\n";
    });
    for (unsigned tile = 0; tile < resultTiles(); ++tile)
      for (unsigned c = 0; c < 2; ++c) {
        const std::string o = "%o" + num(result(strip, tile, row * 2 + c));
        text += "mul.f32 " + o + ", " + o + ", %a" + i + ";\n";
      }
  }
  void softmax() {
    for (unsigned strip = 0; strip < strips; ++strip)
      for (unsigned row = 0; row < 2; ++row)
        if (plan.hasSoftmax)
          softmaxRow(strip, row);
    for (unsigned r = 0; r < strips * scoreTiles() * 4; r += 2)
      text += "cvt.rn.f16x2.f32 %p2_" + num(r / 2) + ", %s" + num(r + 1) + ", %s" + num(r) + ";\n";
  }

  void block(bool isMasked) {
    if (plan.isSynchronous)
      return loadAndMultiply(isMasked);
    arrived();
    text += "sub.u32 %r4, %r4, 1;\n";
    copyBlock(false, "%r4");
    scores();
    if (isMasked)
      hide();
    arrived();
    const std::string last = "last" + num(labels++);
    text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra " + last + ";\nsub.u32 %r13, %r4, 1;\n";
    copyBlock(true, "%r13");
    text += last + ":\n";
    softmax();
    results();
  }
  /// Each operand of a block is waited for before its product.
  void loadAndMultiply(bool isMasked) {
    text += "sub.u32 %r4, %r4, 1;\nbar.sync 0;\n"; // Others may read the block before it still.
    copyBlock(true, "%r4");
    arrived();
    scores();
    if (isMasked)
      hide();
    softmax();
    copyBlock(false, "%r4");
    arrived();
    results();
  }
  void body() {
    text += "mov.u64 %rd1, %rd10;\n";
    copy(0, queryBytes);
    // A lane's row of the queries (of its warp's strip) and of the keys and values.
    text += "mad.lo.u32 %r37, %r35, 16, %r32; shl.b32 %r37, %r37, 7; add.u32 %r37, %r37, %r30; shl.b32 %r38, %r32, 7;"
            " add.u32 %r38, %r38, %r30;\nsub.u32 %r13, %r4, 1;\n";
    if (!plan.isSynchronous)
      copyBlock(true, "%r13");
    if (plan.keepsQueries) {
      arrived();
      for (unsigned k = 0; k < plan.headSize / 16; ++k)
        for (unsigned strip = 0; strip < strips; ++strip)
          loadMatrix(four("%q", query(k, strip)), 0, plan.rows, strip * 16 * plan.warps, k * 2, "%r37", false);
    }
    const unsigned masked = plan.isCausal ? (plan.rows + plan.columns - 1) / plan.columns : 0;
    for (unsigned b = 0; b < masked; ++b) {
      text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra done;\n";
      block(true);
    }
    text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra done;\nblocks:\n";
    block(false);
    text += "setp.ne.u32 %p6, %r4, 0; @%p6 bra blocks;\ndone:\n";
  }
  /// Through the queries' place in shared memory, so that a warp stores 16 bytes a lane in a row.
  void store() {
    if (plan.isSynchronous)
      text += "bar.sync 0;\n"; // Nobody reads the queries any more.
    text += "shr.u32 %r12, %r31, 2; mad.lo.u32 %r11, %r35, 16, %r12; shl.b32 %r11, %r11, 7; add.u32 %r11, %r11, %r30; "
            "and.b32 %r13, %r31, 3; shl.b32 %r13, %r13, 2; add.u32 %r11, %r11, %r13; shl.b32 %r12, %r12, 4;\n";
    for (unsigned i = 0; i < strips * 2; ++i) {
      const std::string row = num(i);
      for (unsigned lanes : {1, 2})
        text += "shfl.sync.bfly.b32 %n" + row + ", %l" + row + ", " + num(lanes) + ", 31, -1; add.f32 %l" + row +
                ", %l" + row + ", %n" + row + ";\n";
      text += "rcp.approx.ftz.f32 %a" + row + ", %l" + row + ";\n";
    }
    for (unsigned tile = 0; tile < resultTiles(); ++tile) {
      text += "xor.b32 %r13, %r12, " + num(tile % 8 * 16) + "; add.u32 %r13, %r13, %r11;\n";
      for (unsigned strip = 0; strip < strips; ++strip)
        for (unsigned row = 0; row < 2; ++row) {
          const unsigned o = result(strip, tile, row * 2);
          const std::string a = "%a" + num(strip * 2 + row);
          text += "mul.f32 %o" + num(o) + ", %o" + num(o) + ", " + a + "; mul.f32 %o" + num(o + 1) + ", %o" +
                  num(o + 1) + ", " + a + "; cvt.rn.f16x2.f32 %r10, %o" + num(o + 1) + ", %o" + num(o) +
                  "; st.shared.b32 [%r13+" +
                  num(tile / 8 * plan.rows * 128 + (strip * 16 * plan.warps + row * 8) * 128) + "], %r10;\n";
        }
    }
    text += "bar.sync 0;\nmad.lo.u32 %r10, %r2, " + num(rowBlocks) + ", %r3; mul.wide.u32 %rd8, %r10, " +
            num(queryBytes) + "; add.u64 %rd8, %out, %rd8; add.u64 %rd8, %rd8, %rd13;\n";
    for (unsigned at = 0; at < queryBytes; at += plan.warps * 512)
      text += "ld.shared.v4.b32 {%q0, %q1, %q2, %q3}, [%r36+" + num(at) + "]; st.global.v4.b32 [%rd8+" + num(at) +
              "], {%q0, %q1, %q2, %q3};\n";
  }

  const MmaAttentionPlan &plan;
  unsigned strips, rowBlocks, columnBlocks, queryBytes, blockBytes;
  unsigned labels = 0;
  std::string text;
};

} // namespace

BenchKernel mmaAttentionKernel(const MmaAttentionPlan &plan) {
  return MmaAttentionWriter(plan).write();
}

} // namespace ptxemu::timing::testing
