//===- TensorMicrobenchmarkTest.cpp - tcgen05 against published figures ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of MICROBENCHMARKS.md for machines of which less is known. Sources are named as in machines/b200.toml.
//
//===----------------------------------------------------------------------===//

#include "FigureTable.h"
#include "TensorBench.h"
#include <catch2/catch.hpp>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

const MachineModel &b200() {
  static const MachineModel model = MachineModel::find("b200");
  return model;
}

const MachineModel &rtx5090() {
  static const MachineModel model = MachineModel::find("rtx5090");
  return model;
}

FigureTable &table() {
  return FigureTable::microbenchmarks();
}

/// Cycles from one tcgen05.mma to the next.
double multiplyEach(const TensorForm &form) {
  return cyclesEach(b200(), 256, [&](unsigned n) {
    BenchKernel k = startTensorKernel(form);
    k.body += repeat(n, form.text()) + commitAndWait(form) + endTensorKernel(form);
    return k;
  });
}

/// Cycles a warp's access of 16 columns of tensor memory takes after others. '#' stands for the registers, '@' for the
/// address.
double moveEach(const std::string &instruction) {
  return cyclesEach(b200(), 8, [&](unsigned n) {
    BenchKernel k = startTensorKernel({});
    k.body += repeat(n,
                     [&](unsigned i) {
                       std::string text = instruction;
                       text.replace(text.find('#'), 1, registerList(16 * i, 16, "%f"));
                       return text.replace(text.find('@'), 1, "%r10+" + std::to_string(16 * i));
                     }) +
              "tcgen05.wait::ld.sync.aligned; tcgen05.wait::st.sync.aligned;\n" + endTensorKernel({});
    return k;
  });
}

/// Cycles of a load of so many columns and the wait for it.
double loadLatency(unsigned columns) {
  return cyclesEach(b200(), 16, [&](unsigned n) {
    BenchKernel k = startTensorKernel({});
    k.body += repeat(n, "tcgen05.ld.sync.aligned.32x32b.x" + std::to_string(columns) + ".b32 " +
                            registerList(24, columns) + ", [%r10]; tcgen05.wait::ld.sync.aligned;") +
              endTensorKernel({});
    return k;
  });
}

/// Cycles of a mma.sync of each of four warps; '#' stands for the first of four registers of the sums.
double warpMultiplyEach(const MachineModel &model, const std::string &target, const std::string &instruction,
                        unsigned chains) {
  return cyclesEach(model, 32, [&](unsigned n) {
    BenchKernel k;
    k.target = target;
    k.threads = 128;
    k.body = repeat(n, [&](unsigned i) {
      const std::string first = std::to_string(i % chains * 4), second = std::to_string(i % chains * 4 + 1),
                        third = std::to_string(i % chains * 4 + 2), fourth = std::to_string(i % chains * 4 + 3),
                        sums = "{%f" + first + ", %f" + second + ", %f" + third + ", %f" + fourth + "}";
      std::string text = instruction;
      for (size_t at; (at = text.find('#')) != std::string::npos;)
        text.replace(at, 1, sums);
      return text;
    });
    return k;
  });
}

void checkIntervals(const char *kind, bool isPair, const char *source,
                    const std::vector<std::pair<unsigned, double>> &published) {
  for (auto [n, cycles] : published)
    table().check("B200: tcgen05 " + std::string(kind) + " n" + std::to_string(n) + (isPair ? ", a pair" : ", one CTA"),
                  source, cycles, multiplyEach({kind, n, isPair}), "clk");
}

} // namespace

TEST_CASE("tcgen05 has its published rates") {
  auto &t = table();
  checkIntervals("f16", false, "QR", {{128, 63.83}, {256, 128}});
  checkIntervals("f16", true, "QR", {{32, 39}, {64, 43}, {96, 49}, {128, 64}, {192, 96}, {256, 128}});
  checkIntervals("f8f6f4", true, "QR", {{64, 43}, {96, 49}, {128, 64}, {256, 128}});
  checkIntervals("mxf8f6f4", false, "QR",
                 {{16, 39}, {32, 40}, {64, 48}, {96, 56}, {128, 64}, {160, 80}, {192, 96}, {256, 128}});
  checkIntervals("mxf8f6f4", true, "QR", {{64, 43}, {128, 64}, {256, 128}});
  checkIntervals("mxf4nvf4", false, "QR", {{16, 39}, {64, 48}, {96, 56}, {128, 64}, {256, 128}});
  checkIntervals("mxf4nvf4", true, "QR", {{64, 43}, {96, 49}, {128, 64}, {256, 128}});
  t.check("B200: tcgen05 f16 n256, operations a cycle", "FGS: 8189 to 8193", 8191,
          2.0 * 128 * 256 * 16 / multiplyEach({"f16", 256}), "/clk/SM");
  const char *reason = "another probe, of a GB300: QR has what shared memory takes to read the operands, and less";
  for (auto [n, cycles] : {std::pair{64u, 56.0}, {128u, 80.0}, {256u, 141.0}})
    t.listMisfit("B200: tcgen05 f16 n" + std::to_string(n) + ", one CTA", "a public note on the GB300", cycles,
                 multiplyEach({"f16", n}), "clk", reason);
}

TEST_CASE("tensor memory has its published rates") {
  auto &t = table();
  const double load = moveEach("tcgen05.ld.sync.aligned.32x32b.x16.b32 #, [@];"),
               store = moveEach("tcgen05.st.sync.aligned.32x32b.x16.b32 [@], #;");
  constexpr double kBytes = 16 * 32 * 4;
  t.check("B200: tensor memory, a warp's loads", "QR", 57, kBytes / load, "B/clk");
  t.check("B200: tensor memory, a warp's stores", "QR: 131 TB/s in all", 131e3 / 1.92 / 148 / 4, kBytes / store,
          "B/clk");
  t.check("B200: tensor memory, load of 32 columns", "LOG: about 200", 200, loadLatency(32), "clk");
  t.listMisfit("B200: tensor memory, load of 16 columns", "LOG: about 200", 200, loadLatency(16), "clk",
               "there a load of half as many columns takes as long; the model's is a latency and a rate");
}

TEST_CASE("mma.sync of Blackwell has its published rates") {
  auto &t = table();
  const std::string half = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 #, {%r1, %r2, %r3, %r4}, {%r5, %r6}, #;",
                    byte = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 #, {%r1, %r2, %r3, %r4}, "
                           "{%r5, %r6}, #;",
                    scaled = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3."
                             "f32.ue8m0 #, {%r1, %r2, %r3, %r4}, {%r5, %r6}, #, %r7, {0, 0}, %r8, {0, 0};";
  t.check("B200: mma.sync m16n8k16, interval", "QR: 569 TFLOP/s at 1920 MHz", 4 * 4096 / (569e3 / 148 / 1.92),
          warpMultiplyEach(b200(), "sm_100a", half, 8), "clk");
  t.check("B200: mma.sync m16n8k16, latency", "QR", 20, warpMultiplyEach(b200(), "sm_100a", half, 1), "clk");
  const double halves = warpMultiplyEach(rtx5090(), "sm_120a", half, 8),
               bytes = warpMultiplyEach(rtx5090(), "sm_120a", byte, 8),
               scales = warpMultiplyEach(rtx5090(), "sm_120a", scaled, 8);
  t.check("RTX 5090: mma.sync of f16, operations", "paper: 209.5 TFLOP/s at 2407 MHz", 209.5e3 / 170 / 2.407,
          4 * 4096 / halves, "/clk/SM");
  t.check("RTX 5090: mma.sync of f8 to f16", "5060: 102 and 51 TFLOP/s", 2, 2 * halves / bytes, "times");
  t.check("RTX 5090: mma.sync of mxf8 to f8", "5060: 202 and 102 TFLOP/s", 202.0 / 102, bytes / scales, "times");
}

// After all others.
TEST_CASE("the committed table of microbenchmarks is this one") {
  table().checkCommitted();
}
