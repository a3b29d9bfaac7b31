//===- MicrobenchmarkTest.cpp - The clock against published figures -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row runs PTX of ours that measures one thing as the source did, and compares what the model takes with what was
// published. The table is part of the documentation: MICROBENCHMARKS.md.
//
//===----------------------------------------------------------------------===//

#include "ClockBench.h"
#include "FigureTable.h"
#include <catch2/catch.hpp>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;

namespace {

constexpr unsigned kSms = 132;

const MachineModel &h100() {
  static const MachineModel model = MachineModel::find("h100-sxm");
  return model;
}

FigureTable &table() {
  return FigureTable::microbenchmarks();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Results a cycle and SM of an instruction on independent registers; '#' stands for a register's number.
double throughput(const std::string &instruction, double resultsALane = 1) {
  constexpr unsigned kThreads = 1024, kChains = 8;
  const double cycles = cyclesEach(h100(), 16 * kChains, [&](unsigned n) {
    BenchKernel k;
    k.threads = kThreads;
    k.body = repeat(n, [&](unsigned i) {
      std::string text = instruction;
      for (size_t at; (at = text.find('#')) != std::string::npos;)
        text.replace(at, 1, std::to_string(i % kChains));
      return text;
    });
    return k;
  });
  return kThreads * resultsALane / cycles;
}

/// Cycles from one instruction to the next one that needs its result.
double latency(const std::string &instruction) {
  return cyclesEach(h100(), 64, [&](unsigned n) {
    BenchKernel k;
    k.body = repeat(n, instruction);
    return k;
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Cycles a warp instruction keeps shared memory busy when so many lanes want the same bank.
double conflictCycles(unsigned ways) {
  constexpr unsigned kWarps = 32;
  const double cycles = cyclesEach(h100(), 32, [&](unsigned n) {
    BenchKernel k;
    k.threads = kWarps * 32;
    k.shared = 32 * 32 * 4;
    k.body = "and.b32 %r1, %i, 31; mul.lo.u32 %r1, %r1, " + std::to_string(ways * 4) +
             "; mov.u32 %r2, s; add.u32 %r1, %r1, %r2;\n" +
             repeat(n, [](unsigned i) { return "ld.shared.b32 %r" + std::to_string(8 + i % 16) + ", [%r1];"; });
    return k;
  });
  return cycles / kWarps;
}

/// Cycles of a load of an address that the load before gives. `stride`: bytes between them.
double chase(const std::string &load, unsigned stride, const std::string &before = "") {
  return cyclesEach(h100(), 32, [&](unsigned n) {
    BenchKernel k;
    k.bytes = 64 << 20;
    k.shared = 4096;
    k.body = "mov.u64 %rd1, 0; mov.u32 %r1, 0; mov.u32 %r2, s;\n" + before + repeat(n, [&](unsigned i) {
               const std::string at = std::to_string(i * stride);
               if (load.find("shared") != std::string::npos)
                 return "add.u32 %r3, %r2, %r1; " + load + " %r1, [%r3];";
               return "add.u64 %rd2, %in, %rd1; " + load + " %rd1, [%rd2+" + at + "];";
             });
    return k;
  });
}

/// A grid-stride loop over arrays of 16-byte elements: `reads` loads and a store where `writes`. GB/s.
double stream(unsigned reads, bool writes) {
  BenchKernel k;
  k.threads = 256;
  k.grid = kSms * 4;
  constexpr unsigned kIterations = 16, kEach = 4; // 16 bytes a thread
  const uint64_t array = static_cast<uint64_t>(k.threads) * k.grid * kIterations * kEach * 16;
  k.bytes = array * std::max(reads, 1u);
  k.body =
      "mad.lo.u32 %r1, %cta, 256, %i; mul.wide.u32 %rd1, %r1, 16; add.u64 %rd2, %in, %rd1; add.u64 %rd3, %out, %rd1;"
      " mov.u32 %r2, 0;\nagain:\n";
  const uint64_t step = static_cast<uint64_t>(k.threads) * k.grid * 16;
  for (unsigned e = 0; e < kEach; ++e)
    for (unsigned r = 0; r < reads; ++r) {
      const unsigned f = (e * reads + r) * 4;
      k.body += "ld.global.v4.f32 {%f" + std::to_string(f) + ", %f" + std::to_string(f + 1) + ", %f" +
                std::to_string(f + 2) + ", %f" + std::to_string(f + 3) + "}, [%rd2+" +
                std::to_string(r * array + e * step) + "];\n";
    }
  for (unsigned e = 0; writes && e < kEach; ++e) {
    const unsigned f = e * reads * 4;
    k.body += "st.global.v4.f32 [%rd3+" + std::to_string(e * step) + "], {%f" + std::to_string(f) + ", %f" +
              std::to_string(f + 1) + ", %f" + std::to_string(f + 2) + ", %f" + std::to_string(f + 3) + "};\n";
  }
  for (unsigned f = 0; !writes && f < kEach * reads * 4; f += 4) // or nobody waits for the last ones
    k.body += "add.f32 %f299, %f299, %f" + std::to_string(f) + ";\n";
  k.body += "add.u64 %rd2, %rd2, " + std::to_string(step * kEach) + "; add.u64 %rd3, %rd3, " +
            std::to_string(step * kEach) + "; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, " +
            std::to_string(kIterations) + "; @%p1 bra again;\n";
  const Estimate e = timeKernel(k, h100());
  return static_cast<double>(array) * (reads + writes) / (e.cycles / e.gigahertz);
}

//===----------------------------------------------------------------------===//
// Copy engine
//===----------------------------------------------------------------------===//

const char *const kInitBarriers = "setp.ne.u32 %p15, %i, 0; @%p15 bra end;\nmov.u32 %r20, bar;\n";

std::string bulkLoad(unsigned stage, const std::string &address, unsigned bytes) {
  const std::string at = std::to_string(stage * 8), b = std::to_string(bytes);
  return "mbarrier.arrive.expect_tx.shared.b64 _, [%r20+" + at + "], " + b + ";\nadd.u32 %r21, %r20, " + at +
         "; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r22+" + std::to_string(stage * bytes) +
         "], [" + address + "], " + b + ", [%r21];\n";
}

std::string waitFor(unsigned stage, const std::string &parity, const std::string &label) {
  return label + ":\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20+" + std::to_string(stage * 8) + "], " + parity +
         ";\n@!%p1 bra " + label + ";\n";
}

/// Nanoseconds from a load to the end of the wait for it.
double copyLatency(unsigned bytes, bool fromL2) {
  const auto cycles = [&](bool copies) {
    BenchKernel k;
    k.shared = 65536;
    k.body = std::string(kInitBarriers) +
             "mbarrier.init.shared.b64 [%r20], 1; mbarrier.init.shared.b64 [%r20+8], 1; mov.u32 %r22, s;\n";
    if (fromL2) // brought there by another load
      k.body += bulkLoad(0, "%in", bytes) + waitFor(0, "0", "warm");
    if (copies)
      k.body += bulkLoad(1, "%in", bytes) + waitFor(1, "0", "done");
    k.body += "end:";
    return timeKernel(k, h100());
  };
  const Estimate with = cycles(true), without = cycles(false);
  return (with.cycles - without.cycles) / with.gigahertz;
}

/// GB/s of rings of bulk loads, `stages` boxes in flight a CTA; each CTA reads its own memory, or all the same.
double copyRing(unsigned ctas, unsigned stages, unsigned bytes, bool fromL2) {
  const unsigned iterations = ctas == 1 ? 384 : 48; // enough for the beginning not to count
  BenchKernel k;
  k.grid = ctas;
  k.shared = stages * bytes;
  const uint64_t each = fromL2 ? 0 : static_cast<uint64_t>(iterations + 1) * stages * bytes;
  k.bytes = std::max<uint64_t>(1 << 20, each * ctas + static_cast<uint64_t>(stages) * bytes);
  k.body =
      std::string(kInitBarriers) +
      repeat(stages, [](unsigned i) { return "mbarrier.init.shared.b64 [%r20+" + std::to_string(i * 8) + "], 1;"; }) +
      "mov.u32 %r22, s; mul.wide.u32 %rd1, %cta, " + std::to_string(each) + "; add.u64 %rd1, %in, %rd1;\n";
  const auto fill = [&](unsigned i) {
    return bulkLoad(i, "%rd1", bytes) + (fromL2 ? "" : "add.u64 %rd1, %rd1, " + std::to_string(bytes) + ";\n");
  };
  k.body += repeat(stages, fill) + "mov.u32 %r1, 0; mov.u32 %r2, 0;\nagain:\n" +
            repeat(stages, [&](unsigned i) { return waitFor(i, "%r2", "w" + std::to_string(i)) + fill(i); }) +
            "xor.b32 %r2, %r2, 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, " + std::to_string(iterations) +
            "; @%p2 bra again;\n" +
            repeat(stages, [&](unsigned i) { return waitFor(i, "%r2", "l" + std::to_string(i)); }) + "end:";
  const Estimate e = timeKernel(k, h100());
  return static_cast<double>(iterations + 1) * stages * bytes * ctas / (e.cycles / e.gigahertz);
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

std::string registers(unsigned first, unsigned count, const char *name = "%f") {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(name) + std::to_string(first + i);
  return text + "}";
}

struct WgmmaForm {
  const char *types = "f32.f16.f16";
  unsigned n = 256, k = 16;
  bool aInRegisters = false;
  std::string text() const {
    const bool isHalf = std::string(types).find("f16") != std::string::npos;
    const std::string a = aInRegisters ? "{%r10, %r11, %r12, %r13}" : "%rd1";
    return "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k" + std::to_string(k) + "." + types + " " +
           registers(0, n / 2) + ", " + a + ", %rd2, 1, 1, 1" + (isHalf ? (aInRegisters ? ", 0" : ", 0, 0") : "") + ";";
  }
};

/// Cycles a wgmma takes with so many in a group, and so many groups that may be unfinished at a wait.
double wgmmaEach(const WgmmaForm &form, unsigned inGroup, unsigned pending) {
  const double cycles = cyclesEach(h100(), 16, [&](unsigned n) {
    BenchKernel k;
    k.threads = 128;
    k.shared = 65536;
    k.body = "mov.u32 %r1, s; shr.u32 %r1, %r1, 4; cvt.u64.u32 %rd1, %r1; or.b64 %rd1, %rd1, 0x4000004000010000;"
             " mov.u64 %rd2, %rd1;\n" +
             repeat(n, "wgmma.fence.sync.aligned;\n" + repeat(inGroup, form.text()) +
                           "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned " +
                           std::to_string(pending) + ";") +
             "wgmma.wait_group.sync.aligned 0;";
    return k;
  });
  return cycles / inGroup;
}

/// Cycles of a mma.sync of a warp, alone and after itself or on independent accumulators.
double mmaEach(unsigned chains, unsigned warps) {
  const double cycles = cyclesEach(h100(), 32, [&](unsigned n) {
    BenchKernel k;
    k.threads = warps * 32;
    k.body = repeat(n, [&](unsigned i) {
      const std::string d = registers(i % chains * 4, 4);
      return "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d + ", {%r1, %r2, %r3, %r4}, {%r5, %r6}, " + d +
             ";";
    });
    return k;
  });
  return cycles / (warps / 4.0 < 1 ? 1 : warps / 4.0);
}

//===----------------------------------------------------------------------===//
// Synchronisation
//===----------------------------------------------------------------------===//

double mbarrierWaitCycles() {
  return cyclesEach(h100(), 32, [](unsigned n) {
    BenchKernel k;
    k.body = std::string(kInitBarriers) + "mbarrier.init.shared.b64 [%r20], 1;\n" +
             repeat(n,
                    [](unsigned i) {
                      return waitFor(0, "1", "w" + std::to_string(i)); // of the phase before the first
                    }) +
             "end:";
    return k;
  });
}

/// Of a CTA's threads at bar.sync.
double barrierCycles() {
  return cyclesEach(h100(), 32, [](unsigned n) {
    BenchKernel k;
    k.threads = 128;
    k.body = repeat(n, "bar.sync 0;");
    return k;
  });
}

double clusterBarrierNs(unsigned ctas) {
  const double cycles = cyclesEach(h100(), 16, [&](unsigned n) {
    BenchKernel k;
    k.grid = k.cluster = ctas;
    k.body = repeat(n, "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;");
    return k;
  });
  return cycles / h100().gigahertz(0);
}

double launchNs(unsigned ctas) {
  BenchKernel k;
  k.grid = ctas;
  return timeKernel(k, h100()).launchNs;
}

} // namespace

TEST_CASE("instruction classes have their published rates") {
  auto &t = table();
  const char *unit = "results/clk/SM";
  t.check("f32 multiply-add", "guide", 128, throughput("fma.rn.f32 %f#, %f#, %f#, %f#;"), unit);
  t.check("f16x2 multiply-add", "guide", 256, throughput("fma.rn.f16x2 %r#, %r#, %r#, %r#;", 2), unit);
  t.check("f64 multiply-add", "guide", 64, throughput("fma.rn.f64 %fd#, %fd#, %fd#, %fd#;"), unit);
  t.check("s32 add", "guide", 64, throughput("add.s32 %r#, %r#, %r#;"), unit);
  t.check("s32 minimum", "guide", 64, throughput("min.s32 %r#, %r#, %r#;"), unit);
  t.check("b32 logic", "guide", 64, throughput("xor.b32 %r#, %r#, %r#;"), unit);
  t.check("s32 multiply-add", "guide", 64, throughput("mad.lo.s32 %r#, %r#, %r#, %r#;"), unit);
  t.check("ex2.approx", "guide", 16, throughput("ex2.approx.ftz.f32 %f#, %f#;"), unit);
  t.check("f32 to s32", "guide", 16, throughput("cvt.rni.s32.f32 %r#, %f#;"), unit);
  t.check("two f32 to a pair of f16", "QR, a B300; GB, an RTX 5090", 32, throughput("cvt.rn.f16x2.f32 %r#, %f#, %f1#;"),
          unit);
  t.check("warp shuffle", "guide", 32, throughput("shfl.sync.bfly.b32 %r#, %r#, 1, 31, -1;"), unit);
  t.check("f32 multiply-add, latency", "FGS", 4, latency("fma.rn.f32 %f1, %f1, %f1, %f1;"), "clk");
  t.check("s32 add, latency", "FGS", 4, latency("add.s32 %r1, %r1, %r1;"), "clk");
  t.check("shuffle, latency", "FGS", 14, latency("shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;"), "clk");
  t.check("ex2.approx, latency", "FGS, provisional", 45, latency("ex2.approx.ftz.f32 %f1, %f1;"), "clk");
}

TEST_CASE("shared memory has its published latency and conflicts") {
  auto &t = table();
  for (unsigned ways = 1; ways <= 32; ways *= 2)
    t.check("shared load, " + std::to_string(ways) + "-way conflict", "guide: 32 banks", ways, conflictCycles(ways),
            "clk/warp");
  // The chain has an addition.
  t.check("shared load, latency", "P1: 29 to 30", 29.5, chase("ld.shared.b32", 0) - 4, "clk");
}

TEST_CASE("caches and DRAM have their published latencies and rates") {
  auto &t = table();
  t.check("L1 load, latency", "P1, P2: 39 to 41", 40, chase("ld.global.b64", 0) - 8, "clk");
  t.check("L2 load, latency", "P1, P2", 263, chase("ld.global.cg.b64", 0) - 8, "clk");
  t.check("DRAM load, latency", "P1, P2: 479 to 660", 569.5, chase("ld.global.cg.b64", 4096) - 8, "clk");
  t.check("DRAM, reading", "STREAM dot", 3180, stream(2, false), "GB/s");
  t.check("DRAM, copying", "STREAM copy", 2900, stream(1, true), "GB/s");
  t.check("DRAM, triad", "STREAM triad", 2970, stream(2, true), "GB/s");
}

TEST_CASE("the copy engine has its published latencies and rates") {
  auto &t = table();
  for (unsigned kb : {1u, 8u, 32u}) {
    const std::string box = std::to_string(kb) + " KB";
    t.check("bulk load of " + box + " from L2", "FV: 217 ns + 4.8 a KB", 217 + 4.8 * kb, copyLatency(kb << 10, true),
            "ns");
    t.check("bulk load of " + box + " from DRAM", "FV: 595 ns + 5.2 a KB", 595 + 5.2 * kb, copyLatency(kb << 10, false),
            "ns");
  }
  t.check("ring from L2, all SMs", "DG: 8 TB/s", 8000, copyRing(kSms, 8, 8192, true), "GB/s");
  t.listMisfit("ring from L2, all SMs", "FV", 18200, copyRing(kSms, 8, 8192, true), "GB/s",
               "all read the same lines; the model has one rate, that of different ones");
  t.check("ring of 36 KB, one CTA", "FV", 133, copyRing(1, 3, 12288, false), "GB/s");
  t.check("rings of 256 KiB in all", "FV", 980, copyRing(kSms, 2, 1024, false), "GB/s");
  t.check("rings of 512 KiB in all", "FV", 1870, copyRing(kSms, 4, 1024, false), "GB/s");
  t.check("rings of 768 KiB in all", "FV", 2390, copyRing(kSms, 6, 1024, false), "GB/s");
  t.check("rings of 1 MiB in all", "FV", 2610, copyRing(kSms, 8, 1024, false), "GB/s");
  t.check("rings of 1.5 MiB in all", "FV", 2740, copyRing(kSms, 12, 1024, false), "GB/s");
  t.check("rings of 3 MiB in all", "FV", 2860, copyRing(kSms, 12, 2048, false), "GB/s");
  t.check("rings of 6 MiB in all", "FV", 2990, copyRing(kSms, 12, 4096, false), "GB/s");
}

TEST_CASE("wgmma has its published rates") {
  auto &t = table();
  const std::pair<unsigned, double> intervals[] = {{8, 18.9},  {16, 20.7},  {32, 24.7},  {64, 32.8},
                                                   {96, 48.7}, {128, 65.0}, {192, 97.1}, {256, 129.3}};
  for (auto [n, cycles] : intervals)
    t.check("wgmma f16 n" + std::to_string(n) + ", interval", "FV", cycles, wgmmaEach({"f32.f16.f16", n}, 8, 1), "clk");
  t.check("wgmma e4m3 n256, interval", "paper: half the time for the depth", 129.3,
          wgmmaEach({"f32.e4m3.e4m3", 256, 32}, 8, 1), "clk");
  t.check("wgmma tf32 n256, interval", "paper: twice the time for the depth", 129.3,
          wgmmaEach({"f32.tf32.tf32", 256, 8}, 8, 1), "clk");
  struct Discipline {
    unsigned inGroup, pending;
    double cycles;
  };
  for (const Discipline &d :
       {Discipline{1, 0, 79}, {1, 3, 33.7}, {2, 0, 55.6}, {2, 1, 33.1}, {4, 0, 44.6}, {4, 1, 32.3}})
    t.check("wgmma n64, " + std::to_string(d.inGroup) + " a group, " + std::to_string(d.pending) + " pending", "FV",
            d.cycles, wgmmaEach({"f32.f16.f16", 64}, d.inGroup, d.pending), "clk");
  t.listMisfit("wgmma n64, 1 a group, 1 pending", "FV", 42, wgmmaEach({"f32.f16.f16", 64}, 1, 1), "clk",
               "half of what one at a time takes would be 39.5; where the rest goes is not known");
  const std::pair<unsigned, double> completions[] = {{8, 37}, {16, 41}, {32, 49}, {64, 65}};
  for (auto [n, cycles] : completions)
    t.check("wgmma with A in registers, n" + std::to_string(n) + ", issue to wait", "FGS: 33 + N/2", cycles,
            wgmmaEach({"f32.f16.f16", n, 16, true}, 1, 0) - 2, "clk"); // less the fence and the commit
  t.check("mma.sync m16n8k16, interval", "FV", 6.26, mmaEach(8, 4), "clk");
  t.check("mma.sync m16n8k16, latency", "P1: 24 to 25", 24.5, mmaEach(1, 1), "clk");
}

TEST_CASE("barriers and launches take their published time") {
  auto &t = table();
  t.check("mbarrier.try_wait of a complete phase", "FGS", 43, mbarrierWaitCycles(), "clk");
  t.check("bar.sync of 128 threads", "FV, doubtful", 25, barrierCycles(), "clk");
  t.check("cluster barrier, 4 CTAs", "FV", 510, clusterBarrierNs(4), "ns");
  t.check("cluster barrier, 8 CTAs", "FV", 650, clusterBarrierNs(8), "ns");
  t.check("launch of 32 CTAs", "FV", 950, launchNs(32), "ns");
  t.check("launch of 132 CTAs", "FV", 1240, launchNs(132), "ns");
}
