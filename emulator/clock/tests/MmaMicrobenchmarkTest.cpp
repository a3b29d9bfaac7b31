//===- MmaMicrobenchmarkTest.cpp - Rates of GPUs that have mma.sync only --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of MICROBENCHMARKS.md. The rates follow one rule: an mma.sync over 32 bytes of the depth holds its scheduler's
// tensor core for T cycles, 8, 16 or 32 of them, whatever its types; GeForce takes 32 for sums of f32, else 16.
//
//===----------------------------------------------------------------------===//

#include "ClockBench.h"
#include "FigureTable.h"
#include <catch2/catch.hpp>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

FigureTable &table() {
  return FigureTable::microbenchmarks();
}

/// Cycles from one mma.sync to the next of each of four warps.
double interval(const MachineModel &model, const std::string &form, unsigned sums) {
  return cyclesEach(model, 64, [&](unsigned n) {
    BenchKernel k;
    k.target = model.targets[0];
    k.threads = 128;
    k.body = ".reg .b32 %s<64>;\n" + repeat(n, [&](unsigned i) {
               std::string list = "{";
               for (unsigned r = 0; r < sums; ++r)
                 list += (r ? ", " : "") + std::string(form.find(".f32.") == 0 ? "%f" : "%s") + num(i % 8 * sums + r);
               list += "}";
               return "mma.sync.aligned." + form.substr(form.find(' ') + 1) + " " + list +
                      ", {%r1, %r2, %r3, %r4}, {%r5, %r6}, " + list + ";";
             });
    return k;
  });
}

/// Forms of mma.sync: what the table calls them, the types of D behind which the instruction's text follows.
struct Form {
  const char *name, *text;
  unsigned sums;
};
constexpr Form kBf16 = {"bf16", ".f32. m16n8k16.row.col.f32.bf16.bf16.f32", 4},
               kF16 = {"f16 with sums of f16", ".f16. m16n8k16.row.col.f16.f16.f16.f16", 2},
               kTf32 = {"tf32", ".f32. m16n8k8.row.col.f32.tf32.tf32.f32", 4},
               kS8 = {"s8", ".s32. m16n8k32.row.col.s32.s8.s8.s32", 4},
               kF8 = {"e4m3", ".f32. m16n8k32.row.col.f32.e4m3.e4m3.f32", 4};

void checkRates(const char *machine, const char *name, double floats, double others, double teraflops) {
  const MachineModel model = MachineModel::find(machine);
  const std::string source = "T; data sheets";
  for (const Form &f : {kBf16, kTf32, kF16, kS8, kF8})
    if (f.name != kF8.name || architectureOf(model.targets[0]).first >= 89)
      table().check(std::string(name) + ": mma.sync of " + f.name + ", interval", source,
                    f.name == kF16.name || f.name == kS8.name ? others : floats, interval(model, f.text, f.sums),
                    "clk");
  const double cycles = interval(model, kBf16.text, kBf16.sums);
  table().check(std::string(name) + ": bf16, all SMs", "data sheet", teraflops,
                4 * 4096 / cycles * model.sm.multiprocessors * model.clock.mhz / 1e6, "TFLOP/s");
}

/// Cycles of a load of an address that the load before gives, going round `bytes` line by line, the second time.
double chaseAround(const MachineModel &model, unsigned bytes) {
  constexpr unsigned kLine = 128;
  const unsigned loads = bytes / kLine;
  const auto cycles = [&](unsigned rounds) {
    BenchKernel k;
    k.target = model.targets[0];
    k.bytes = bytes;
    k.body = "mov.u64 %rd1, 0; mov.u32 %r2, 0;\nround:\nmov.u64 %rd2, %in; mov.u32 %r1, 0;\nnext:\n"
             "add.u64 %rd3, %rd2, %rd1; ld.global.cg.b64 %rd1, [%rd3]; add.u64 %rd2, %rd2, " +
             num(kLine) + "; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, " + num(loads) +
             "; @%p1 bra next;\nadd.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, " + num(rounds) + "; @%p1 bra round;";
    return timeKernel(k, model).cycles;
  };
  constexpr double kAddition = 8; // of 64 bits
  return (cycles(2) - cycles(1)) / loads - kAddition;
}

/// Cycles of a load that misses every cache.
double missLatency(const MachineModel &model) {
  return cyclesEach(model, 32,
                    [&](unsigned n) {
                      BenchKernel k;
                      k.target = model.targets[0];
                      k.bytes = 64 << 20;
                      k.body = "mov.u64 %rd1, 0;\n" + repeat(n, [&](unsigned i) {
                                 return "add.u64 %rd2, %in, %rd1; ld.global.cg.b64 %rd1, [%rd2+" + num(i * 4096) + "];";
                               });
                      return k;
                    }) -
         8;
}

/// GB/s of all SMs that read the same 2 MiB again and again, 16 bytes a lane, past L1.
double readL2(const MachineModel &model) {
  constexpr unsigned kThreads = 1024, kLoads = 16, kBytes = 2 << 20;
  BenchKernel k;
  k.target = model.targets[0];
  k.threads = kThreads;
  k.grid = static_cast<unsigned>(model.sm.multiprocessors);
  k.bytes = kBytes;
  constexpr unsigned kRounds = 24, kRound = kThreads * 16 * kLoads;
  k.body = "mul.wide.u32 %rd1, %i, 16; add.u64 %rd1, %in, %rd1; mov.u32 %r1, 0;\nagain:\nand.b32 %r2, %r1, " +
           num(kBytes / kRound - 1) + "; mul.wide.u32 %rd2, %r2, " + num(kRound) + "; add.u64 %rd2, %rd2, %rd1;\n" +
           repeat(kLoads,
                  [&](unsigned i) {
                    const std::string f = num(4 * i);
                    return "ld.global.cg.v4.f32 {%f" + f + ", %f" + num(4 * i + 1) + ", %f" + num(4 * i + 2) + ", %f" +
                           num(4 * i + 3) + "}, [%rd2+" + num(i * kThreads * 16) + "];";
                  }) +
           repeat(kLoads, [](unsigned i) { return "add.f32 %f299, %f299, %f" + num(4 * i) + ";"; }) +
           "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, ";
  const auto timed = [&](unsigned rounds) {
    BenchKernel each = k;
    each.body += num(rounds) + "; @%p1 bra again;\nst.global.f32 [%out], %f299;";
    return timeKernel(each, model);
  };
  const Estimate longer = timed(2 * kRounds), shorter = timed(kRounds);
  return static_cast<double>(kRounds) * kRound * k.grid / ((longer.cycles - shorter.cycles) / longer.gigahertz);
}

} // namespace

TEST_CASE("mma.sync has its published rates on every GPU without wgmma") {
  checkRates("a100-sxm", "A100", 8, 8, 312);
  checkRates("orin", "Orin", 8, 8, 42.6);
  checkRates("rtx3090", "RTX 3090", 32, 16, 71);
  checkRates("a10g", "A10G", 32, 32, 70);
  checkRates("rtx4090", "RTX 4090", 32, 16, 165.2);
  checkRates("l4", "L4", 16, 16, 121);
  checkRates("l40s", "L40S", 16, 16, 362);
  checkRates("rtx5090", "RTX 5090", 32, 16, 209.5);
  checkRates("pro6000", "RTX PRO 6000", 16, 16, 503.8);
}

TEST_CASE("L2 and DRAM of GPUs without wgmma have their published latencies and rates") {
  auto &t = table();
  const MachineModel a100 = MachineModel::find("a100-sxm"), l40s = MachineModel::find("l40s");
  t.check("A100: load from L2, a set of 4 MiB", "RZ", 205, chaseAround(a100, 4 << 20), "clk");
  t.check("A100: load from L2, a set of 24 MiB", "RZ: beyond 20 MB", 390, chaseAround(a100, 24 << 20), "clk");
  t.check("L40S: load from L2", "RZ, of an L40", 274, chaseAround(l40s, 4 << 20), "clk");
  t.check("RTX 4090: load from L2", "MD", 296, chaseAround(MachineModel::find("rtx4090"), 4 << 20), "clk");
  t.check("RTX 5090: load from L2", "MD", 360, chaseAround(MachineModel::find("rtx5090"), 4 << 20), "clk");
  t.check("RTX PRO 6000: load from L2", "MD", 352, chaseAround(MachineModel::find("pro6000"), 4 << 20), "clk");
  t.check("A100: load from DRAM", "RZ, MD", 550, missLatency(a100), "clk");
  t.check("RTX 3090: load from DRAM", "AR", 265, missLatency(MachineModel::find("rtx3090")) / 1.695, "ns");
  t.check("RTX 4090: load from DRAM", "MD", 636, missLatency(MachineModel::find("rtx4090")), "clk");
  t.check("L40S: load from DRAM", "RZ, of an L40", 625, missLatency(l40s), "clk");
  t.check("RTX 5090: load from DRAM", "MD", 936, missLatency(MachineModel::find("rtx5090")), "clk");
  t.check("A100: all SMs read L2", "RZ", 5400, readL2(a100), "GB/s");
  t.check("L40S: all SMs read L2", "RZ, of an L40", 5200, readL2(l40s), "GB/s");
}
