//===- MmaMatmul.cpp - Products with mma.sync and cp.async ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers: %r2 row of tiles, %r3 column of tiles, %r4 steps left to copy, %r5 steps left to multiply, %r30 start of
// shared memory, %r31 lane, %r32 and %r33 row and column of the warp's part, %r36 where a thread's copies go, %r37 and
// %r38 where a lane's rows of A and B are, %r40 stage that is filled, %r41 stage that is read, %r10 … scratch; %rd10
// and %rd11 a thread's places in A and B, %rd12 bytes between its rows; %a and %b operands, %f (%s where they are
// integers or pairs) sums.
//
//===----------------------------------------------------------------------===//

#include "MmaMatmul.h"
#include <utility>

namespace ptxemu::timing::testing {

namespace {

class MmaMatmulWriter {
public:
  explicit MmaMatmulWriter(const MmaMatmulPlan &plan)
      : plan(plan), elementBytes(plan.types == MmaMatmulPlan::S8 || plan.types == MmaMatmulPlan::E4m3 ? 1 : 2),
        rowBytes(plan.depth + (plan.layout == MmaMatmulPlan::Padded ? 16 : 0)),
        steps(plan.size * elementBytes / plan.depth), depths(plan.depth / 32),
        threads(plan.rows / plan.warpRows * (plan.columns / plan.warpColumns) * 32), rowTiles(plan.warpRows / 16),
        columnTiles(plan.warpColumns / 8), aBytes(plan.rows * rowBytes),
        stageBytes((plan.rows + plan.columns) * rowBytes) {}

  BenchKernel write() {
    BenchKernel k;
    k.threads = threads;
    k.grid = plan.size / plan.rows * (plan.size / plan.columns);
    k.shared = plan.stages * stageBytes;
    k.bytes = uint64_t(plan.size) * plan.size * 4;
    k.target = plan.target;
    declare();
    chooseTile();
    placeCopies();
    placeOperands();
    plan.stages == 1 ? synchronous() : plan.loading == MmaMatmulPlan::Ahead ? ahead() : pipelined();
    store();
    k.body = text;
    return k;
  }

private:
  bool hasShortSums() const { return plan.types == MmaMatmulPlan::F16ShortSums; }
  bool hasIntegers() const { return plan.types == MmaMatmulPlan::S8; }
  unsigned sumsOfTile() const { return hasShortSums() ? 2 : 4; }
  unsigned sum(unsigned m, unsigned n) const { return (m * columnTiles + n) * sumsOfTile(); }
  const char *sumName() const { return hasShortSums() || hasIntegers() ? "%s" : "%f"; }
  unsigned a(unsigned set, unsigned m) const { return (set * rowTiles + m) * 4; }
  unsigned b(unsigned set, unsigned n) const { return (set * columnTiles + n) * 2; }

  static std::string list(const std::string &name, unsigned first, unsigned count) {
    std::string all = "{";
    for (unsigned i = 0; i < count; ++i)
      all += (i ? ", " : "") + name + num(first + i);
    return all + "}";
  }

  //===--------------------------------------------------------------------===//
  // Before the loop
  //===--------------------------------------------------------------------===//

  void declare() {
    const unsigned sums = rowTiles * columnTiles * sumsOfTile();
    text = ".reg .b32 %a<" + num(depths * rowTiles * 4) + ">, %b<" + num(depths * columnTiles * 2) + ">, %s<" +
           num(sums) + ">, %v<" + num((plan.rows + plan.columns) * plan.depth / 16 / threads * 4) + ">;\n";
    const char *move = hasShortSums() || hasIntegers() ? "mov.b32 " : "mov.f32 ";
    for (unsigned i = 0; i < sums; ++i)
      text += std::string(move) + sumName() + num(i) + (hasShortSums() || hasIntegers() ? ", 0;\n" : ", 0f00000000;\n");
  }

  void chooseTile() {
    const unsigned rowCount = plan.size / plan.rows, columnCount = plan.size / plan.columns;
    if (!plan.groupRows) {
      text += "div.u32 %r2, %cta, " + num(columnCount) + "; rem.u32 %r3, %cta, " + num(columnCount) + ";\n";
    } else {
      const unsigned group = std::min(plan.groupRows, rowCount);
      text += "div.u32 %r10, %cta, " + num(group * columnCount) + "; rem.u32 %r11, %cta, " + num(group * columnCount) +
              "; rem.u32 %r12, %r11, " + num(group) + "; mad.lo.u32 %r2, %r10, " + num(group) +
              ", %r12; div.u32 %r3, %r11, " + num(group) + ";\n";
    }
    text += "mov.u32 %r30, s; and.b32 %r31, %i, 31; shr.u32 %r35, %i, 5; div.u32 %r32, %r35, " +
            num(plan.columns / plan.warpColumns) + "; rem.u32 %r33, %r35, " + num(plan.columns / plan.warpColumns) +
            "; mul.lo.u32 %r32, %r32, " + num(plan.warpRows) + "; mul.lo.u32 %r33, %r33, " + num(plan.warpColumns) +
            ";\n";
  }

  /// A chunk's place in its row: rows of 128 bytes repeat after 8, of 64 after 4 pairs. `row` and `chunk` are
  /// registers; the result is in `chunk`.
  void swizzle(const std::string &row, const std::string &chunk) {
    if (plan.layout != MmaMatmulPlan::Swizzled)
      return;
    text += "and.b32 %r14, " + row + ", 7;" + (plan.depth == 64 ? " shr.u32 %r14, %r14, 1;" : "") + " xor.b32 " +
            chunk + ", " + chunk + ", %r14;\n";
  }

  /// Threads take the chunks of 16 bytes of a step one after another.
  void placeCopies() {
    const unsigned chunks = plan.depth / 16;
    const uint64_t stride = uint64_t(plan.size) * elementBytes;
    text += "div.u32 %r10, %i, " + num(chunks) + "; rem.u32 %r11, %i, " + num(chunks) + "; mov.u32 %r12, %r11;\n";
    swizzle("%r10", "%r12");
    text += "mad.lo.u32 %r36, %r10, " + num(rowBytes) + ", %r30; shl.b32 %r12, %r12, 4; add.u32 %r36, %r36, %r12;\n";
    for (const bool isA : {true, false}) {
      const std::string to = isA ? "%rd10" : "%rd11";
      text += "mad.lo.u32 %r13, " + std::string(isA ? "%r2" : "%r3") + ", " + num(isA ? plan.rows : plan.columns) +
              ", %r10; mul.wide.u32 " + to + ", %r13, " + num(stride) + "; add.u64 " + to + ", " + to +
              ", %in; mul.wide.u32 %rd1, %r11, 16; add.u64 " + to + ", " + to + ", %rd1;\n";
    }
    // B follows A. The stride is a parameter of the published kernels, not a constant.
    text += "add.u64 %rd11, %rd11, " + num(stride * plan.size) +
            "; mov.u32 %r15, %nctaid.y; mul.wide.u32 %rd12, %r15, " + num(stride * (threads / chunks)) +
            ";\nmov.u32 %r40, 0; mov.u32 %r41, 0; mov.u32 %r4, " + num(steps) + "; mov.u32 %r5, " + num(steps) + ";\n";
  }

  /// ldmatrix: of A lanes 0 to 15 the rows, those from 16 on the next chunk; of B lanes 8 to 15 the next chunk, those
  /// from 16 on the next rows.
  void placeOperands() {
    const auto place = [&](const std::string &to, unsigned base) {
      swizzle("%r10", "%r11");
      text += "mad.lo.u32 " + to + ", %r10, " + num(rowBytes) + ", %r30; shl.b32 %r11, %r11, 4; add.u32 " + to + ", " +
              to + ", %r11; add.u32 " + to + ", " + to + ", " + num(base) + ";\n";
    };
    text += "and.b32 %r10, %r31, 15; add.u32 %r10, %r10, %r32; shr.u32 %r11, %r31, 4;\n";
    place("%r37", 0);
    text +=
        "and.b32 %r10, %r31, 7; shr.u32 %r12, %r31, 4; shl.b32 %r12, %r12, 3; add.u32 %r10, %r10, %r12; add.u32 %r10, "
        "%r10, %r33; shr.u32 %r11, %r31, 3; and.b32 %r11, %r11, 1;\n";
    place("%r38", aBytes);
  }

  //===--------------------------------------------------------------------===//
  // Pieces of a step
  //===--------------------------------------------------------------------===//

  /// Both operands' next step into the stage at %r40.
  void fill() {
    const unsigned each = threads / (plan.depth / 16); // rows
    unsigned value = 0;                                // chunks in registers
    std::string stores;
    text += "add.u32 %r13, %r36, %r40;\n";
    for (const bool isA : {true, false}) {
      const unsigned count = (isA ? plan.rows : plan.columns) / each, base = isA ? 0 : aBytes;
      std::string from = isA ? "%rd10" : "%rd11";
      for (unsigned i = 0; i < count; ++i) {
        const std::string to = "[%r13+" + num(base + i * each * rowBytes) + "]";
        if (i) {
          const std::string next = "%rd" + num(20 + (i & 1));
          text += "add.u64 " + next + ", " + from + ", %rd12;\n";
          from = next;
        }
        if (plan.filling == MmaMatmulPlan::Copies) {
          text += "cp.async.cg.shared.global " + to + ", [" + from + "], 16;\n";
        } else {
          const std::string through = list("%v", value * 4, 4);
          text += "ld.global.v4.b32 " + through + ", [" + from + "];\n";
          stores += "st.shared.v4.b32 " + to + ", " + through + ";\n";
          if (++value == plan.loadedAtOnce) {
            text += std::exchange(stores, "");
            value = 0;
          }
        }
      }
    }
    text += stores;
    for (const char *place : {"%rd10", "%rd11"})
      text += "add.u64 " + std::string(place) + ", " + place + ", " + num(plan.depth) + ";\n";
    if (plan.filling == MmaMatmulPlan::Copies)
      text += "cp.async.commit_group;\n";
  }
  /// The next stage, of the registers that say where one is.
  void advance(const char *stage) {
    if (plan.stages > 1)
      text += "add.u32 " + std::string(stage) + ", " + stage + ", " + num(stageBytes) + "; setp.eq.u32 %p4, " + stage +
              ", " + num(plan.stages * stageBytes) + "; selp.b32 " + stage + ", 0, " + stage + ", %p4;\n";
  }
  void wait(unsigned pending) { text += "cp.async.wait_group " + num(pending) + ";\n"; }
  void barrier() { text += "bar.sync 0;\n"; }

  /// Where a lane reads at `depth` of the stage at %r41.
  struct Place {
    std::string base;
    unsigned offset = 0;
  };
  Place operandAt(const char *place, const char *to, unsigned depth) {
    text += "add.u32 " + std::string(to) + ", " + place + ", %r41;\n";
    if (plan.layout != MmaMatmulPlan::Swizzled)
      return {to, depth * 32};
    if (depth)
      text += "xor.b32 " + std::string(to) + ", " + to + ", " + num(depth * 32) + ";\n";
    return {to};
  }
  std::string shifted(const Place &at, unsigned row) const { return at.base + "+" + num(at.offset + row * rowBytes); }
  void loadA(unsigned depth, unsigned set, unsigned m) {
    loadMatrix("%a", a(set, m), operandAt("%r37", "%r16", depth), m * 16);
  }
  /// Two tiles of 8 columns.
  void loadB(unsigned depth, unsigned set, unsigned n) {
    loadMatrix("%b", b(set, n), operandAt("%r38", "%r17", depth), n * 8);
  }
  void loadMatrix(const char *to, unsigned first, const Place &at, unsigned row) {
    text += "ldmatrix.sync.aligned.m8n8.x4.shared.b16 " + list(to, first, 4) + ", [" + shifted(at, row) + "];\n";
  }
  void load(unsigned depth, unsigned set) {
    for (unsigned m = 0; m < rowTiles; ++m)
      loadA(depth, set, m);
    for (unsigned n = 0; n < columnTiles; n += 2)
      loadB(depth, set, n);
  }

  void multiply(unsigned firstA, unsigned firstB, unsigned m, unsigned n) {
    constexpr const char *kForms[] = {"m16n8k16.row.col.f32.bf16.bf16.f32", "m16n8k16.row.col.f32.f16.f16.f32",
                                      "m16n8k16.row.col.f16.f16.f16.f16", "m16n8k32.row.col.s32.s8.s8.s32",
                                      "m16n8k32.row.col.f32.e4m3.e4m3.f32"};
    const std::string sums = list(sumName(), sum(m, n), sumsOfTile());
    text += std::string("mma.sync.aligned.") + kForms[plan.types] + " " + sums + ", " + list("%a", firstA, 4) + ", " +
            list("%b", firstB, 2) + ", " + sums + ";\n";
  }
  void multiply(unsigned set, unsigned m, unsigned n) { multiply(a(set, m), b(set, n), m, n); }
  /// Columns back and forth.
  void multiplyAll(unsigned set) {
    for (unsigned m = 0; m < rowTiles; ++m)
      for (unsigned n = 0; n < columnTiles; ++n)
        multiply(set, m, m % 2 ? columnTiles - 1 - n : n);
  }
  /// Two sets of registers in turn, as many as an assembler finds for them.
  void multiplyEach(unsigned depth) {
    unsigned products = 0;
    for (unsigned m = 0; m < rowTiles; ++m)
      for (unsigned n = 0; n < columnTiles; ++n) {
        const unsigned setB = products++ % 2, setA = plan.loading == MmaMatmulPlan::Each ? setB : m % 2;
        if (plan.loading == MmaMatmulPlan::Each || n == 0)
          loadMatrix("%a", a(setA, 0), operandAt("%r37", "%r16", depth), m * 16);
        text += "ldmatrix.sync.aligned.m8n8.x2.shared.b16 " + list("%b", b(setB, 0), 2) + ", [" +
                shifted(operandAt("%r38", "%r17", depth), n * 8) + "];\n";
        multiply(a(setA, 0), b(setB, 0), m, n);
      }
  }
  void compute() {
    using enum MmaMatmulPlan::Loading;
    if (plan.loading == Step)
      for (unsigned d = 0; d < depths; ++d)
        load(d, d);
    for (unsigned d = 0; d < depths; ++d) {
      if (plan.loading == Step) {
        multiplyAll(d);
      } else if (plan.loading == Each || plan.loading == EachColumn) {
        multiplyEach(d);
      } else {
        for (unsigned n = 0; n < columnTiles; n += 2)
          loadB(d, d, n);
        for (unsigned m = 0; m < rowTiles; ++m) {
          loadA(d, d, m);
          for (unsigned n = 0; n < columnTiles; ++n)
            multiply(d, m, n);
        }
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  void again(const char *label) {
    text += "sub.u32 %r5, %r5, 1; setp.ne.u32 %p5, %r5, 0; @%p5 bra " + std::string(label) + ";\n";
  }
  void synchronous() {
    text += "steps:\n";
    fill();
    if (plan.filling == MmaMatmulPlan::Copies)
      wait(0);
    barrier();
    compute();
    barrier();
    again("steps");
  }
  /// Copies of a step further on where there is one; a group is committed all the same.
  void fillNext() {
    const std::string label = num(labels++);
    text += "setp.eq.u32 %p6, %r4, 0; @%p6 bra none" + label + ";\nsub.u32 %r4, %r4, 1;\n";
    fill();
    advance("%r40");
    text += "bra filled" + label + ";\nnone" + label + ":\ncp.async.commit_group;\nfilled" + label + ":\n";
  }
  void prologue() {
    for (unsigned s = 0; s + 1 < plan.stages; ++s) {
      fill();
      advance("%r40");
    }
    text += "sub.u32 %r4, %r4, " + num(plan.stages - 1) + ";\n";
  }
  void pipelined() {
    prologue();
    text += "steps:\n";
    if (plan.hasOneBarrier) {
      wait(plan.stages - 2);
      barrier();
    } else {
      barrier();
    }
    fillNext();
    if (!plan.hasOneBarrier) {
      wait(plan.stages - 1);
      barrier();
    }
    compute();
    advance("%r41");
    again("steps");
    wait(0);
  }
  void ahead() {
    prologue();
    wait(plan.stages - 2);
    barrier();
    load(0, 0);
    text += "steps:\n";
    for (unsigned d = 0; d < depths; ++d) {
      if (d + 1 == depths)
        advance("%r41");
      load((d + 1) % depths, (d + 1) % 2);
      if (d == 0)
        fillNext();
      multiplyAll(d % 2);
      if (d + 2 == depths) {
        wait(plan.stages - 2);
        barrier();
      }
    }
    again("steps");
    wait(0);
  }

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// Each lane its pairs of columns.
  void store() {
    const unsigned resultBytes = hasIntegers() || plan.storesFloats ? 4 : 2;
    text += "mad.lo.u32 %r10, %r2, " + num(plan.rows) +
            ", %r32; shr.u32 %r11, %r31, 2; add.u32 %r10, %r10, %r11; "
            "mad.lo.u32 %r12, %r3, " +
            num(plan.columns) +
            ", %r33; and.b32 %r11, %r31, 3; shl.b32 %r11, %r11, 1; add.u32 "
            "%r12, %r12, %r11;\nmul.wide.u32 %rd1, %r10, " +
            num(uint64_t(plan.size) * resultBytes) + "; mul.wide.u32 %rd2, %r12, " + num(resultBytes) +
            "; add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, %out;\n";
    for (unsigned m = 0; m < rowTiles; ++m)
      for (unsigned n = 0; n < columnTiles; ++n)
        for (unsigned half = 0; half < 2; ++half)
          storePair(sum(m, n) + half * sumsOfTile() / 2,
                    uint64_t(m * 16 + half * 8) * plan.size * resultBytes + n * 8 * resultBytes);
  }
  void storePair(unsigned first, uint64_t at) {
    const std::string to = "[%rd1+" + num(at) + "], ";
    if (hasShortSums())
      text += "st.global.b32 " + to + "%s" + num(first) + ";\n";
    else if (hasIntegers())
      text += "st.global.v2.b32 " + to + list("%s", first, 2) + ";\n";
    else if (plan.storesFloats)
      text += "st.global.v2.f32 " + to + list("%f", first, 2) + ";\n";
    else
      text += "cvt.rn.bf16x2.f32 %r10, %f" + num(first + 1) + ", %f" + num(first) + "; st.global.b32 " + to + "%r10;\n";
  }

  const MmaMatmulPlan &plan;
  unsigned elementBytes, rowBytes, steps, depths, threads, rowTiles, columnTiles, aBytes, stageBytes;
  unsigned labels = 0;
  std::string text;
};

} // namespace

BenchKernel mmaMatmulKernel(const MmaMatmulPlan &plan) {
  return MmaMatmulWriter(plan).write();
}

} // namespace ptxemu::timing::testing
