//===- PublishedMmaTest.cpp - The clock against kernels of mma.sync -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GPUs without wgmma and tcgen05: PTX of ours with the structure of each published step; see PUBLISHED-MMA.md. Sources:
//
//   GN        gau-nernst/learn-cuda: bf16 on an A100-40, by CTAs of 128x128, warps of 64x64, 128 bytes of depth; bf16
//   and
//             s8 on an RTX 5090 at 400 W by 256x128. Attention there with the queries in registers, as not here
//   XD        xudoong/GEMM: f16 on an A100 on which cuBLAS reaches 211 TFLOP/s at 4096 (GN: 245)
//   YC        yencal/cuda-hgemm-mma: f16 with sums of f16 on an A100-40; attention on an A100-80
//   SP        spatters/mma-matmul: f16 on an RTX 4090 at 2520 MHz
//   WH        waynehacking8/blackwell-tensorcore-kernels: an RTX PRO 6000 Max-Q of 300 W, at 2060 to 2260 MHz
//   HG        xlite-dev/HGEMM: f16 on an L20, 92 SMs, whose rate is halved as a GeForce's
//   PT        pytorch/pytorch#155991: e4m3 on an RTX 5090
//   LI, LU, TV  liangan1/GPU_travel, sonnyli/flash_attention_from_scratch, TileLang's flash_perf.md: FlashAttention-2
//   RZ        RRZE-HPC/gpu-benches: one load a thread
//
//===----------------------------------------------------------------------===//

#include "AttentionLadder.h"
#include "Ladder.h"
#include "MmaMatmul.h"
#include <catch2/catch.hpp>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

using Plan = MmaMatmulPlan;

Estimate timed(const BenchKernel &kernel, const MachineModel &machine, unsigned registers) {
  EstimateOptions options;
  options.registers = registers;
  options.footprintSteps = 400'000;
  return timeKernel(kernel, machine, options);
}

double product(const MachineModel &machine, const Plan &plan, unsigned registers) {
  const double size = plan.size;
  return 2 * size * size * size / timed(mmaMatmulKernel(plan), machine, registers).nanoseconds / 1e3;
}

double attention(const MachineModel &machine, MmaAttentionPlan plan, unsigned registers = 255) {
  plan.target = machine.targets[0];
  return 4.0 * plan.sequence * (plan.keys ? plan.keys : plan.sequence) * plan.headSize * plan.heads /
         timed(mmaAttentionKernel(plan), machine, registers).nanoseconds / 1e3;
}

//===----------------------------------------------------------------------===//
// Machines of the publications
//===----------------------------------------------------------------------===//

/// The A100 with 40 GB has slower memory.
MachineModel a100With40() {
  MachineModel m = MachineModel::find("a100-sxm");
  const double part = 1555 / m.dram.peakGBs;
  m.dram.peakGBs = 1555;
  m.dram.readGBs *= part;
  m.dram.writeGBs *= part;
  return m;
}

MachineModel atClock(const char *name, double mhz) {
  MachineModel m = MachineModel::find(name);
  m.clock.mhz = m.clock.tensorMhz = mhz;
  return m;
}

/// Of the same chip, with another number of SMs and other memory.
MachineModel sibling(const char *name, double sms, double mhz, double gbs) {
  MachineModel m = atClock(name, mhz);
  m.l2.readGBs *= sms / m.sm.multiprocessors;
  m.sm.multiprocessors = sms;
  const double part = gbs / m.dram.peakGBs;
  m.dram.peakGBs = gbs;
  m.dram.readGBs *= part;
  m.dram.writeGBs *= part;
  return m;
}

//===----------------------------------------------------------------------===//
// Ladders
//===----------------------------------------------------------------------===//

/// What libraries have on an A100: eight warps of 64x64, three stages, operands a depth ahead.
Plan library(unsigned size, Plan::Types types = Plan::Bf16) {
  Plan plan{size, 256, 128, 128, 64, 64, 3, types};
  plan.loading = Plan::Ahead;
  plan.groupRows = 8;
  return plan;
}

Ladder a100Steps(FigureTable &table) {
  Ladder l(table, "GN, A100", "GN, A100-40, bf16, 4096³", "TFLOP/s");
  const MachineModel machine = a100With40();
  Plan plan{4096};
  plan.loading = Plan::Depth;
  plan.layout = Plan::Plain;
  l.step("128x128, cp.async, rows in their order", 65, product(machine, plan, 234));
  plan.layout = Plan::Padded;
  l.step("padded", 167, product(machine, plan, 234));
  plan.layout = Plan::Swizzled;
  l.step("swizzled", 191, product(machine, plan, 228));
  plan.loading = Plan::Step;
  plan.stages = 2;
  l.step("two stages", 222.5, product(machine, plan, 241));
  l.step("cuBLAS, taken to be 256x128, 3 stages", 245, product(machine, library(4096), 255));
  return l;
}

Ladder a100ShortSums(FigureTable &table) {
  Ladder l(table, "YC, A100", "YC, A100-40, f16 with sums of f16, 8192³", "TFLOP/s");
  MachineModel machine = a100With40();
  machine.clock.tensorMhz = machine.clock.mhz;
  const std::string remark = "at 1410 MHz: cuBLAS reaches 93 % of what that clock gives";
  Plan plan{8192};
  plan.types = Plan::F16ShortSums;
  plan.loading = Plan::Depth;
  plan.layout = Plan::Plain;
  l.step("128x128, ldmatrix", 73, product(machine, plan, 130), remark);
  plan.layout = Plan::Swizzled;
  l.step("128x128, swizzled", 212, product(machine, plan, 170), remark);
  l.step("cuBLAS of f16, taken to be 256x128, 3 stages", 289, product(machine, library(8192, Plan::F16ShortSums), 192),
         remark);
  return l;
}

/// All kernels of a card on which cuBLAS is as much slower.
Ladder slowCard(FigureTable &table) {
  Ladder l(table, "XD, A100", "XD, A100, f16, 4096³", "TFLOP/s");
  constexpr double kSlower = 211.0 / 245;
  const MachineModel machine = a100With40();
  const std::string remark = "model times 0.86 of cuBLAS, that card to GN's";
  Plan plan{4096};
  plan.types = Plan::F16ShortSums;
  plan.groupRows = 32;
  plan.filling = Plan::Registers;
  plan.loadedAtOnce = 4; // 136 registers have no room for more
  plan.loading = Plan::Depth;
  l.step("128x128, swizzled, by registers", 122, kSlower * product(machine, plan, 136), remark);
  plan = {4096, 256, 128, 64, 64, 64, 3, Plan::F16ShortSums};
  plan.groupRows = 16;
  plan.hasOneBarrier = true;
  plan.loading = Plan::Depth;
  l.step("256x128, 3 stages of 64 bytes", 161, kSlower * product(machine, plan, 170), remark);
  return l;
}

Ladder adaSteps(FigureTable &table) {
  Ladder l(table, "SP, RTX 4090", "SP, RTX 4090 at 2520 MHz, f16, 4096³", "TFLOP/s");
  const MachineModel machine = MachineModel::find("rtx4090");
  Plan plan{4096, 64, 64, 64, 32, 16, 1, Plan::F16, Plan::Registers, Plan::Swizzled, Plan::Each};
  plan.storesFloats = true;
  plan.target = "sm_89";
  l.step("64x64, swizzled", 127, product(machine, plan, 44));
  plan.loading = Plan::EachColumn;
  l.step("64x64, A reused", 133, product(machine, plan, 54));
  plan = {4096, 128, 128, 64, 64, 32, 3, Plan::F16, Plan::Copies, Plan::Swizzled, Plan::Step, true};
  plan.storesFloats = true;
  plan.target = "sm_89";
  l.step("128x128, 3 stages", 153.6, product(machine, plan, 128));
  return l;
}

Ladder geforce(FigureTable &table) {
  Ladder l(table, "GN, RTX 5090", "GN, RTX 5090 at 400 W, 8192³", "TFLOP/s");
  const MachineModel machine = MachineModel::find("rtx5090");
  Plan plan{8192, 256, 128, 128, 64, 64, 2};
  plan.groupRows = 8;
  plan.target = "sm_120";
  l.step("bf16, 256x128, 2 stages", 192, product(machine, plan, 197));
  plan.types = Plan::S8;
  plan.depth = 64;
  l.step("s8, 256x128, 2 stages", 448, product(machine, plan, 222));
  return l;
}

/// Of the 300 W card, at the middle of its clocks under load.
Ladder workstation(FigureTable &table) {
  Ladder l(table, "WH, PRO 6000", "WH, RTX PRO 6000 Max-Q, 8192³", "TFLOP/s");
  MachineModel machine = atClock("pro6000", 2160);
  machine.l2.asyncGBs *= 2160 / MachineModel::find("pro6000").clock.mhz;
  Plan plan{8192, 128, 128, 64};
  plan.hasOneBarrier = true;
  plan.groupRows = 8;
  plan.loading = Plan::Depth;
  plan.target = "sm_120";
  for (const auto &[stages, published] : {std::pair{2u, 244.0}, {3u, 238.0}, {4u, 180.0}}) {
    plan.stages = stages;
    l.step("f16, 128x128, " + num(stages) + " stages of 64 bytes", published, product(machine, plan, 230),
           stages == 4 ? "one CTA an SM, not two; in the model L2 bounds both" : "");
  }
  plan.stages = 2;
  plan.warpRows = plan.warpColumns = 32;
  l.step("f16, warps of 32x32, 2 stages", 178, product(machine, plan, 120));
  plan.warpRows = plan.warpColumns = 64;
  plan.types = Plan::E4m3;
  l.step("e4m3, 128x128, 2 stages", 502, product(machine, plan, 230));
  return l;
}

Ladder others(FigureTable &table) {
  Ladder l(table, "others", "HG, 8192³; PT, 4096³", "TFLOP/s");
  Plan plan{4096, 128, 128, 64, 64, 64, 3, Plan::E4m3};
  plan.loading = Plan::Ahead;
  plan.groupRows = 8;
  plan.target = "sm_120";
  l.step("RTX 5090, e4m3 with sums of f32, taken to be 128x128, 3 stages", 389,
         product(MachineModel::find("rtx5090"), plan, 255));
  plan = {8192, 128, 128, 64, 64, 32, 4, Plan::F16, Plan::Copies, Plan::Swizzled, Plan::Step, true};
  plan.groupRows = 8;
  plan.target = "sm_89";
  l.step("L20, f16, taken to be 128x128, 4 stages", 115, product(sibling("rtx4090", 92, 2520, 864), plan, 128));
  return l;
}

Ladder a100Attention(FigureTable &table) {
  Ladder l(table, "YC, attention", "YC, A100-80, hd 128, sequence 4096", "TFLOP/s");
  const MachineModel machine = MachineModel::find("a100-sxm");
  MmaAttentionPlan plan{4096, 64, 128, 64, 128, 4};
  plan.isSynchronous = true;
  l.step("64x128, keys and values waited for", 163, attention(machine, plan));
  l.step("FlashAttention-2, 128x64", 202, attention(machine, {4096, 64}));
  return l;
}

Ladder slowAttention(FigureTable &table) {
  Ladder l(table, "LI, attention", "LI, A100 at about 1200 MHz, hd 128", "TFLOP/s");
  const MachineModel machine = atClock("a100-sxm", 1200);
  MmaAttentionPlan plan{4096, 64};
  l.step("FlashAttention-2", 186, attention(machine, plan));
  plan.hasSoftmax = false;
  l.step("without softmax", 219, attention(machine, plan));
  return l;
}

Ladder geforceAttention(FigureTable &table) {
  Ladder l(table, "GeForce, attention", "LU: RTX 3090; TV: RTX 4090, sequence 2048; GN: RTX 5090", "TFLOP/s");
  l.step("RTX 3090, FlashAttention-2, hd 128", 67.3,
         attention(MachineModel::find("rtx3090"), {4096, 64, 128, 128, 32, 4}));
  l.step("RTX 4090, FlashAttention-2, hd 64", 169,
         attention(MachineModel::find("rtx4090"), {2048, 128, 64, 128, 128, 4}));
  l.step("RTX 4090, FlashAttention-2, hd 128", 169,
         attention(MachineModel::find("rtx4090"), {2048, 64, 128, 128, 32, 4}));
  return l;
}

Ladder swizzledAttention(FigureTable &table) {
  Ladder l(table, "GN, attention", "GN, RTX 5090 at 400 W, hd 128", "TFLOP/s");
  const MachineModel machine = MachineModel::find("rtx5090");
  MmaAttentionPlan plan{4096, 8, 128, 128, 64, 4};
  plan.keys = 8192;
  plan.isSynchronous = plan.keepsQueries = true;
  plan.isSwizzled = false;
  l.step("128x64, rows in their order", 143, attention(machine, plan));
  plan = {4352, 10, 128, 64, 64, 4};
  plan.isSynchronous = plan.keepsQueries = true;
  l.step("64x64, swizzled", 181, attention(machine, plan, 188),
         "of a launch that fills all SMs. The published 512 CTAs, three an SM and a fourth "
         "for two, reach 108 here at the nominal clock");
  return l;
}

/// GB/s of CTAs each of whose threads loads 8 bytes once; shared memory lets so many run on an SM.
double reads(const MachineModel &machine, unsigned ctas, unsigned threads) {
  BenchKernel k;
  k.threads = threads;
  k.grid = static_cast<unsigned>(machine.sm.multiprocessors) * ctas * 32;
  k.target = machine.targets[0];
  k.bytes = uint64_t(k.grid) * threads * 8;
  k.shared = (static_cast<unsigned>(machine.sm.shared) / ctas - 2048) & ~1023u;
  k.body = "mov.u32 %r9, s; mad.lo.u32 %r1, %cta, " + num(threads) +
           ", %i; mul.wide.u32 %rd1, %r1, 8; add.u64 %rd1, %rd1, %in; "
           "ld.global.f64 %fd1, [%rd1]; setp.eq.f64 %p1, %fd1, 0d3FF3BE76C8B43958; @!%p1 bra end;\n"
           "st.global.f64 [%out], %fd1;\nend:\n";
  const Estimate e = timed(k, machine, 32);
  return static_cast<double>(k.bytes) / (e.cycles / e.gigahertz);
}

Ladder memory(FigureTable &table) {
  Ladder l(table, "RZ, A100", "RZ, A100-80, one load a thread", "GB/s");
  const MachineModel a100 = MachineModel::find("a100-sxm");
  l.step("two CTAs of 384 threads", 872, reads(a100, 2, 384));
  l.step("two of 704", 1393, reads(a100, 2, 704));
  l.step("two of 1024", 1776, reads(a100, 2, 1024));
  return l;
}

Ladder otherMemory(FigureTable &table) {
  Ladder l(table, "RZ", "RZ, one load a thread", "GB/s");
  const MachineModel a40 = sibling("a10g", 84, 1740, 696), l40 = sibling("l40s", 142, 2490, 864);
  l.step("A40, two CTAs of 224 threads", 494, reads(a40, 2, 224));
  l.step("A40, two of 384", 677, reads(a40, 2, 384));
  l.step("L40, two of 224", 844, reads(l40, 2, 224));
  return l;
}

} // namespace

TEST_CASE("steps of published kernels of mma.sync") {
  FigureTable table("PUBLISHED-MMA.md", 0.5);
  const Part &part = Part::chosen();
  std::vector<Ladder> ladders;
  size_t number = 0;
  for (const auto make : {a100Steps, a100ShortSums, slowCard, adaSteps, geforce, workstation, others, a100Attention,
                          slowAttention, geforceAttention, swizzledAttention, memory, otherMemory})
    if (part.takes(number++))
      ladders.push_back(make(table));
  if (!part.isWhole())
    return table.checkCommittedRows();
  const LadderSummary all(ladders);
  table.note("Median " + percent(all.median) + ", worst " + percent(all.worst) +
             ". Kendall's τ of all pairs within a publication that it has 2 % or more apart: " +
             digits(all.order.tau()) + " (" + digits(all.order.same) + " of " +
             digits(all.order.same + all.order.other) + "); of each: " + all.orders + ".");
  all.noteReversed(table);
  CHECK(all.median <= 0.12);
  CHECK(all.order.tau() >= 0.89); // See the README for the pairs that are in another order.
  table.checkCommitted();
}
