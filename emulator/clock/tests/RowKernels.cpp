//===- RowKernels.cpp - Softmax, norms and sums, bound by memory ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers: %r1 row, %r2 rank in the cluster, %r3 lane, %r4 warp, %r10 … scratch; %rd1 what the thread reads, %rd2
// what it writes, %rd3 its weights; %x the thread's elements, %t scratch. A thread's pieces of 16 bytes are `threads`
// apart.
//
//===----------------------------------------------------------------------===//

#include "RowKernels.h"

namespace ptxemu::timing::testing {

namespace {

std::string vector(const std::string &name, unsigned first) {
  return "{" + name + num(first) + ", " + name + num(first + 1) + ", " + name + num(first + 2) + ", " + name +
         num(first + 3) + "}";
}

class RowWriter {
public:
  explicit RowWriter(const RowPlan &plan)
      : plan(plan), part(plan.columns / plan.cluster), size(plan.isHalf ? 2 : 4), elements(part / plan.threads),
        pieces(elements * size / 16), warps(plan.threads / 32) {}

  BenchKernel write() {
    BenchKernel k;
    k.threads = plan.threads;
    k.grid = plan.rows * plan.cluster;
    k.cluster = plan.cluster;
    k.shared = part * size + kReductions * partials() * 4;
    k.bytes = uint64_t(plan.rows) * plan.columns * size + plan.columns * 4;
    start();
    read();
    plan.kind == RowPlan::LayerNorm ? layerNorm() : softmax();
    k.body = text;
    return k;
  }

private:
  static constexpr unsigned kReductions = 2;
  unsigned partials() const { return warps * plan.cluster; }

  void start() {
    text = ".reg .f32 %x<" + num(elements) +
           ">, %t<16>, %w<8>;\n.reg .b32 %b<8>;\nmov.u32 %r30, bar; mov.u32 %r31, s; "
           "and.b32 %r3, %i, 31; shr.u32 %r4, %i, 5; div.u32 %r1, %cta, " +
           num(plan.cluster) + "; mov.u32 %r2, %cluster_ctarank;\n";
    text += "mul.wide.u32 %rd1, %cta, " + num(part * size) +
            "; mul.wide.u32 %rd4, %i, 16; add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd1, %out; add.u64 %rd1, %rd1, "
            "%in;\nmul.wide.u32 %rd3, %r2, " +
            num(part * 4) + "; add.u64 %rd3, %rd3, %in; add.u64 %rd3, %rd3, " +
            num(uint64_t(plan.rows) * plan.columns * size) + "; mul.wide.u32 %rd4, %i, " + num(64 / size) +
            "; add.u64 %rd3, %rd3, %rd4;\nmad.lo.u32 %r32, %i, 16, %r31;\n";
    if (plan.cluster == 1)
      return;
    text += "setp.ne.u32 %p1, %i, 0; @%p1 bra ready;\n";
    for (unsigned r = 0; r < kReductions; ++r)
      text += "mbarrier.init.shared.b64 [%r30+" + num(r * 8) + "], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r30+" +
              num(r * 8) + "], " + num(partials() * 4) + ";\n";
    text += "fence.mbarrier_init.release.cluster;\nready:\nbarrier.cluster.arrive.aligned;\n";
  }
  void read() {
    for (unsigned p = 0; p < pieces; ++p)
      text += "cp.async.cg.shared.global [%r32+" + num(p * plan.threads * 16) + "], [%rd1+" +
              num(p * plan.threads * 16) + "], 16;\n";
    text += "cp.async.commit_group;\ncp.async.wait_group 0;\n";
    readShared();
  }
  void readShared() {
    for (unsigned p = 0; p < pieces; ++p) {
      const std::string from = "[%r32+" + num(p * plan.threads * 16) + "];\n";
      if (!plan.isHalf) {
        text += "ld.shared.v4.f32 " + vector("%x", p * 4) + ", " + from;
        continue;
      }
      text += "ld.shared.v4.b32 " + vector("%b", 0) + ", " + from;
      for (unsigned j = 0; j < 4; ++j)
        text += "shl.b32 %b4, %b" + num(j) + ", 16; mov.b32 %x" + num(p * 8 + j * 2) + ", %b4; and.b32 %b4, %b" +
                num(j) + ", 0xFFFF0000; mov.b32 %x" + num(p * 8 + j * 2 + 1) + ", %b4;\n";
    }
  }
  /// Over the lanes of a warp, so that all know it.
  void overLanes(const std::string &value, const std::string &operation) {
    for (unsigned lanes = 16; lanes; lanes /= 2)
      text += "shfl.sync.bfly.b32 %t15, " + value + ", " + num(lanes) + ", 31, -1; " + operation + " " + value + ", " +
              value + ", %t15;\n";
  }
  /// Over the row: warps, then what every warp of every CTA has sent to all.
  void reduce(const std::string &value, const std::string &operation, const std::string &neutral) {
    overLanes(value, operation);
    const unsigned base = part * size + reductions * partials() * 4;
    text += "mad.lo.u32 %r10, %r2, " + num(warps * 4) + ", %r31; mad.lo.u32 %r10, %r4, 4, %r10; add.u32 %r10, %r10, " +
            num(base) + ";\n";
    if (plan.cluster == 1) {
      text += "setp.eq.u32 %p2, %r3, 0; @%p2 st.shared.f32 [%r10], " + value + ";\nbar.sync 0;\n";
    } else {
      if (reductions == 0)
        text += "barrier.cluster.wait.aligned;\n"; // everyone's mbarriers are ready
      text += "setp.lt.u32 %p2, %r3, " + num(plan.cluster) + "; and.b32 %r13, %r3, " + num(plan.cluster - 1) +
              "; mapa.shared::cluster.u32 %r11, %r10, %r13; add.u32 %r12, %r30, " + num(reductions * 8) +
              "; mapa.shared::cluster.u32 %r12, %r12, %r13;\n"
              "@%p2 st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%r11], " +
              value + ", [%r12];\nwait" + num(reductions) + ":\nmbarrier.try_wait.parity.shared.b64 %p3, [%r30+" +
              num(reductions * 8) + "], 0;\n@!%p3 bra wait" + num(reductions) + ";\n";
    }
    text += "mov.f32 " + value + ", " + neutral + "; setp.lt.u32 %p2, %r3, " + num(partials()) +
            "; mad.lo.u32 %r11, %r3, 4, %r31;\n@%p2 ld.shared.f32 " + value + ", [%r11+" + num(base) + "];\n";
    overLanes(value, operation);
    ++reductions;
  }

  void softmax() {
    const std::string log2e = "0f3FB8AA3B";
    text += "mov.f32 %t0, 0fFF800000; mov.f32 %t1, 0f00000000;\n";
    for (unsigned e = 0; e < elements; ++e)
      text += "max.f32 %t0, %t0, %x" + num(e) + ";\n";
    reduce("%t0", "max.f32", "0fFF800000");
    text += "mul.f32 %t2, %t0, " + log2e + "; neg.f32 %t2, %t2;\n";
    for (unsigned e = 0; e < elements; ++e) {
      const std::string x = "%x" + num(e);
      text += "fma.rn.f32 " + x + ", " + x + ", " + log2e + ", %t2; ex2.approx.ftz.f32 " + x + ", " + x +
              "; add.f32 %t1, %t1, " + x + ";\n";
    }
    reduce("%t1", "add.f32", "0f00000000");
    if (plan.kind == RowPlan::CrossEntropy) {
      text += "lg2.approx.ftz.f32 %t1, %t1; add.f32 %t1, %t1, %t0; mul.wide.u32 %rd2, %cta, 4; add.u64 %rd2, %rd2, "
              "%out; setp.eq.u32 %p2, %i, 0; @%p2 st.global.f32 [%rd2], %t1;\n";
      return;
    }
    text += "rcp.approx.ftz.f32 %t1, %t1;\n";
    for (unsigned e = 0; e < elements; ++e)
      text += "mul.f32 %x" + num(e) + ", %x" + num(e) + ", %t1;\n";
    store();
  }
  void layerNorm() {
    const auto mean = [&](const std::string &value) { text += "div.full.f32 " + value + ", " + value + ", %t9;\n"; };
    text += "mov.f32 %t0, 0f00000000; mov.f32 %t1, 0f00000000; mov.u32 %r13, " + num(plan.columns) +
            "; cvt.rn.f32.u32 %t9, %r13;\n";
    for (unsigned e = 0; e < elements; ++e)
      text += "add.f32 %t0, %t0, %x" + num(e) + ";\n";
    reduce("%t0", "add.f32", "0f00000000");
    mean("%t0");
    readShared(); // rather than to hold it in registers, which leaves room for more CTAs
    for (unsigned e = 0; e < elements; ++e)
      text +=
          "sub.f32 %x" + num(e) + ", %x" + num(e) + ", %t0; fma.rn.f32 %t1, %x" + num(e) + ", %x" + num(e) + ", %t1;\n";
    reduce("%t1", "add.f32", "0f00000000");
    mean("%t1");
    readShared();
    text += "add.f32 %t1, %t1, 0f3727C5AC; rsqrt.approx.ftz.f32 %t1, %t1;\n";
    const unsigned each = 16 / size;
    for (unsigned p = 0; p < pieces; ++p) {
      for (unsigned j = 0; j < each; j += 4)
        text += "ld.global.v4.f32 " + vector("%w", j) + ", [%rd3+" + num(p * plan.threads * each * 4 + j * 4) + "];\n";
      for (unsigned j = 0; j < each; ++j) {
        const std::string x = "%x" + num(p * each + j);
        text += "sub.f32 " + x + ", " + x + ", %t0; mul.f32 " + x + ", " + x + ", %t1; mul.f32 " + x + ", " + x +
                ", %w" + num(j) + ";\n";
      }
    }
    store();
  }
  void store() {
    for (unsigned p = 0; p < pieces; ++p) {
      const std::string to = "[%rd2+" + num(p * plan.threads * 16) + "], ";
      if (!plan.isHalf) {
        text += "st.global.v4.f32 " + to + vector("%x", p * 4) + ";\n";
        continue;
      }
      for (unsigned j = 0; j < 4; ++j)
        text += "cvt.rn.bf16x2.f32 %b" + num(j) + ", %x" + num(p * 8 + j * 2 + 1) + ", %x" + num(p * 8 + j * 2) + ";\n";
      text += "st.global.v4.b32 " + to + vector("%b", 0) + ";\n";
    }
  }

  const RowPlan &plan;
  unsigned part, size, elements, pieces, warps, reductions = 0;
  std::string text;
};

/// Over a CTA: each warp, then through shared memory, so that every lane knows it.
std::string overBlock(const std::string &value, const std::string &operation, unsigned warps, unsigned place) {
  std::string text;
  const auto lanes = [&] {
    for (unsigned l = 16; l; l /= 2)
      text += "shfl.sync.bfly.b32 %t15, " + value + ", " + num(l) + ", 31, -1; " + operation + " " + value + ", " +
              value + ", %t15;\n";
  };
  lanes();
  text += "mad.lo.u32 %r10, %r4, 4, %r31; setp.eq.u32 %p2, %r3, 0; @%p2 st.shared.f32 [%r10+" + num(place * 128) +
          "], " + value + ";\nbar.sync 0;\nand.b32 %r11, %r3, " + num(warps - 1) +
          "; mad.lo.u32 %r11, %r11, 4, %r31; ld.shared.f32 " + value + ", [%r11+" + num(place * 128) + "];\n";
  for (unsigned l = warps / 2; l; l /= 2)
    text += "shfl.sync.bfly.b32 %t15, " + value + ", " + num(l) + ", 31, -1; " + operation + " " + value + ", " +
            value + ", %t15;\n";
  return text;
}

} // namespace

BenchKernel rowKernel(const RowPlan &plan) {
  return RowWriter(plan).write();
}

BenchKernel twoPassSoftmax(unsigned rows, unsigned columns, unsigned threads) {
  constexpr unsigned kElements = 8; // of a thread in a step
  const std::string log2e = "0f3FB8AA3B";
  BenchKernel k;
  k.threads = threads;
  k.grid = rows;
  k.shared = 256;
  k.bytes = uint64_t(rows) * columns * 4;
  const std::string load = "ld.global.v4.f32 " + vector("%x", 0) + ", [%rd1]; ld.global.v4.f32 " + vector("%x", 4) +
                           ", [%rd1+" + num(threads * 16) + "];\n";
  const std::string next = "add.u64 %rd1, %rd1, " + num(threads * kElements * 4) +
                           "; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, " + num(columns / (threads * kElements)) +
                           ";\n";
  std::string &t = k.body;
  t = ".reg .f32 %x<8>, %m<8>, %l<8>, %t<16>;\nmov.u32 %r31, s; and.b32 %r3, %i, 31; shr.u32 %r4, %i, 5; mul.wide.u32 "
      "%rd4, %cta, " +
      num(columns * 4) +
      "; mul.wide.u32 %rd5, %i, 16; add.u64 %rd4, %rd4, %rd5; add.u64 %rd1, %rd4, %in; mov.u32 %r5, "
      "0;\n";
  for (unsigned e = 0; e < kElements; ++e)
    t += "mov.f32 %m" + num(e) + ", 0fFF7FFFFF; mov.f32 %l" + num(e) + ", 0f00000000;\n";
  // Maximum and sum of each lane's own, the sum scaled whenever the maximum grows.
  t += "first:\n" + load;
  for (unsigned e = 0; e < kElements; ++e) {
    const std::string n = num(e), x = "%x" + n;
    t += "max.f32 %t0, %m" + n + ", " + x + "; sub.f32 %t1, %m" + n + ", %t0; mul.f32 %t1, %t1, " + log2e +
         "; ex2.approx.ftz.f32 %t1, %t1; sub.f32 %t2, " + x + ", %t0; mul.f32 %t2, %t2, " + log2e +
         "; ex2.approx.ftz.f32 %t2, %t2; fma.rn.f32 %l" + n + ", %l" + n + ", %t1, %t2; mov.f32 %m" + n + ", %t0;\n";
  }
  t += next + "@%p1 bra first;\nmov.f32 %t4, %m0;\n";
  for (unsigned e = 1; e < kElements; ++e)
    t += "max.f32 %t4, %t4, %m" + num(e) + ";\n";
  t += overBlock("%t4", "max.f32", threads / 32, 0) + "mov.f32 %t5, 0f00000000;\n";
  for (unsigned e = 0; e < kElements; ++e)
    t += "sub.f32 %t0, %m" + num(e) + ", %t4; mul.f32 %t0, %t0, " + log2e +
         "; ex2.approx.ftz.f32 %t0, %t0; fma.rn.f32 %t5, %l" + num(e) + ", %t0, %t5;\n";
  t += overBlock("%t5", "add.f32", threads / 32, 1) +
       "rcp.approx.ftz.f32 %t5, %t5; add.u64 %rd1, %rd4, %in; add.u64 %rd2, %rd4, %out; mov.u32 %r5, 0;\nsecond:\n" +
       load;
  for (unsigned e = 0; e < kElements; ++e) {
    const std::string x = "%x" + num(e);
    t += "sub.f32 " + x + ", " + x + ", %t4; mul.f32 " + x + ", " + x + ", " + log2e + "; ex2.approx.ftz.f32 " + x +
         ", " + x + "; mul.f32 " + x + ", " + x + ", %t5;\n";
  }
  t += "st.global.v4.f32 [%rd2], " + vector("%x", 0) + "; st.global.v4.f32 [%rd2+" + num(threads * 16) + "], " +
       vector("%x", 4) + ";\nadd.u64 %rd2, %rd2, " + num(threads * kElements * 4) + ";\n" + next + "@%p1 bra second;\n";
  return k;
}

BenchKernel sumKernel(uint64_t count, unsigned ctas, unsigned threads) {
  constexpr unsigned kPieces = 4; // of 16 bytes, a thread in a step
  BenchKernel k;
  k.threads = threads;
  k.grid = ctas;
  k.shared = 256;
  k.bytes = count * 4;
  const uint64_t step = uint64_t(ctas) * threads * kPieces * 16;
  std::string &t = k.body;
  t = ".reg .f32 %x<16>, %t<16>;\nmov.u32 %r31, s; and.b32 %r3, %i, 31; shr.u32 %r4, %i, 5; mad.lo.u32 %r5, %cta, " +
      num(threads * kPieces) +
      ", %i; mul.wide.u32 %rd1, %r5, 16; add.u64 %rd1, %rd1, %in; mov.u32 %r5, 0; mov.f32 %t0, "
      "0f00000000; mov.f32 %t1, 0f00000000; mov.f32 %t2, 0f00000000; mov.f32 %t3, "
      "0f00000000;\nagain:\n";
  for (unsigned p = 0; p < kPieces; ++p)
    t += "ld.global.nc.v4.f32 " + vector("%x", p * 4) + ", [%rd1+" + num(p * threads * 16) + "];\n";
  for (unsigned e = 0; e < kPieces * 4; ++e)
    t += "add.f32 %t" + num(e % 4) + ", %t" + num(e % 4) + ", %x" + num(e) + ";\n";
  t += "add.u64 %rd1, %rd1, " + num(step) + "; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, " + num(count * 4 / step) +
       "; @%p1 bra again;\nadd.f32 %t0, %t0, %t1; add.f32 %t2, %t2, %t3; add.f32 %t0, %t0, %t2;\n" +
       overBlock("%t0", "add.f32", threads / 32, 0) + "setp.eq.u32 %p2, %i, 0; @%p2 red.global.add.f32 [%out], %t0;\n";
  return k;
}

} // namespace ptxemu::timing::testing
