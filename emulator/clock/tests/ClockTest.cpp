//===- ClockTest.cpp - Machines, occupancy, estimates ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClockBench.h"
#include "MachineFiles.h"
#include "Recorder.h"
#include "Report.h"
#include "SteadyState.h"
#include "UnevenLaunch.h"
#include <catch2/catch.hpp>
#include <sstream>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;
using Catch::Matchers::Contains;

namespace {

const MachineModel &h100() {
  static const MachineModel model = MachineModel::find("h100-sxm");
  return model;
}

/// The H100's file with one text replaced.
std::string changed(const std::string &from, const std::string &to) {
  for (const MachineFile &f : machineFiles())
    if (f.name == "h100-sxm") {
      std::string text(f.text);
      const size_t at = text.find(from);
      REQUIRE(at != std::string::npos);
      return text.replace(at, from.size(), to);
    }
  FAIL("no h100-sxm");
  return "";
}

MachineModel read(const std::string &text) {
  return MachineModel::parse(text, "test.toml");
}

} // namespace

TEST_CASE("every machine's file can be read") {
  const std::vector<std::string> known = MachineModel::known();
  for (const char *name : {"a100-sxm", "a10g", "b200", "h100-sxm", "h200-sxm", "l4", "l40s", "orin", "pro6000",
                           "rtx3090", "rtx4090", "rtx5090"})
    CHECK(std::find(known.begin(), known.end(), name) != known.end());
  for (const std::string &name : MachineModel::known())
    CHECK_FALSE(MachineModel::find(name).name.empty());
}

TEST_CASE("what is wrong with a machine's file is said, and where") {
  CHECK_THROWS_WITH(MachineModel::find("h100-smx"), Contains("did you mean 'h100-sxm'?") && Contains("h200-sxm"));
  CHECK_THROWS_WITH(MachineModel::find("/no/such.toml"), Contains("cannot be read"));
  CHECK_THROWS_WITH(read(changed("schedulers = 4", "schedulers = 0")),
                    Contains("test.toml:") && Contains(":14: sm.schedulers = 0 is impossible") &&
                        Contains("between 1 and 16"));
  CHECK_THROWS_WITH(read(changed("schedulers = 4", "schedulers = \"four\"")), Contains("is a number"));
  CHECK_THROWS_WITH(read(changed("[0, 8,", "[0, 0,")), Contains("sm.shared_sizes is a list of KiB"));
  CHECK_THROWS_WITH(read(changed("shared_sizes = [0", "shared_sizes = 100 # [0")), Contains("is a list of KiB"));
  CHECK_THROWS_WITH(read(changed("shared_sizes = [0", "# [0")), Contains("sm.shared_sizes is missing"));
  CHECK_THROWS_WITH(read(changed("port_bytes = 64", "port_bytes = 64\nnear_capacity = 20971520")),
                    Contains("l2.near_capacity and l2.far_latency are given together, or neither"));
  CHECK_THROWS_WITH(read(changed("schedulers = 4", "shedulers = 4")), Contains("did you mean 'schedulers'?"));
  CHECK_THROWS_WITH(read(changed("schedulers = 4", "")), Contains("sm.schedulers is missing"));
  CHECK_THROWS_WITH(read(changed("[dram]", "[drams]")), Contains("did you mean 'dram'?"));
  CHECK_THROWS_WITH(read(changed("[dram]", "[dram")), Contains("test.toml:"));
  CHECK_THROWS_WITH(read(changed("targets = [\"sm_90\", \"sm_90a\"]", "targets = 90")),
                    Contains("a list of PTX targets"));
}

TEST_CASE("occupancy names what limits it") {
  const auto check = [](CtaNeeds needs, unsigned ctas, const std::string &limit) {
    const Occupancy o = occupancyOf(h100(), needs);
    CHECK(o.ctas == ctas);
    CHECK(o.limit == limit);
  };
  check({384, 168, 198144}, 1, "registers");
  check({128, 32, 40000}, 5, "shared memory");
  check({1024, 32, 0}, 2, "registers");
  check({256, 24, 0}, 8, "warps");
  check({32, 16, 0}, 32, "CTAs");
  check({1024, 128, 0}, 0, "registers");
}

TEST_CASE("a kernel that the machine cannot run is refused") {
  BenchKernel k;
  k.target = "sm_100a";
  CHECK_THROWS_WITH(timeKernel(k, h100()), Contains("sm_100a") && Contains("NVIDIA H100 SXM lacks"));
  k.target = "sm_80";
  CHECK_NOTHROW(timeKernel(k, h100()));
  k.threads = 1024;
  EstimateOptions options;
  options.registers = 128;
  CHECK_THROWS_WITH(timeKernel(k, h100(), options), Contains("not one CTA fits") && Contains("registers"));
  k.threads = 32;
  k.body = "mov.u64 %rd1, 0; ld.global.b32 %r1, [%rd1];";
  CHECK_THROWS_WITH(timeKernel(k, h100()), Contains("does not run") && Contains("out-of-bounds"));
}

TEST_CASE("GPUs before Hopper have rates of their own, and no copy engine") {
  BenchKernel k;
  k.target = "sm_80";
  k.threads = 512;
  k.body = repeat(256, [](unsigned i) {
    const std::string r = std::to_string(i % 16);
    return "fma.rn.f32 %f" + r + ", %f" + r + ", %f" + r + ", %f" + r + ";\n";
  });
  const auto cycles = [&](const char *machine) {
    const Estimate e = timeKernel(k, MachineModel::find(machine));
    CHECK(e.isTentative);
    return e.cycles;
  };
  // 16 warps: a scheduler has four, each multiply-add takes it a cycle, or two where 64 a cycle and SM are all.
  const double a100 = cycles("a100-sxm"), rtx4090 = cycles("rtx4090");
  CHECK(a100 > 2048 * 0.95);
  CHECK(a100 < 2048 * 1.1);
  CHECK(rtx4090 > 1024 * 0.95);
  CHECK(rtx4090 < 1024 * 1.1);
  k.target = "sm_90a";
  CHECK_THROWS_WITH(timeKernel(k, MachineModel::find("a100-sxm")), Contains("NVIDIA A100 SXM lacks"));
}

TEST_CASE("copies write shared memory line after line") {
  // Rows of 128 bytes, of which a warp copies four at a time: one pass each, or two where they straddle lines.
  const auto passes = [](unsigned rowBytes) {
    BenchKernel k;
    k.target = "sm_80";
    k.threads = 128;
    k.shared = 16 * 144;
    k.body = "shr.u32 %r1, %i, 3; and.b32 %r2, %i, 7; shl.b32 %r2, %r2, 4; mad.lo.u32 %r1, %r1, " + num(rowBytes) +
             ", %r2; mov.u32 %r3, s; add.u32 %r3, %r3, %r1; mul.wide.u32 %rd1, %i, 16; add.u64 %rd1, %in, %rd1;\n" +
             repeat(8, "cp.async.cg.shared.global [%r3], [%rd1], 16; cp.async.wait_all;");
    return timeKernel(k, MachineModel::find("a100-sxm")).activity.sharedCycles;
  };
  CHECK(passes(128) == Approx(8 * 16));
  CHECK(passes(144) == Approx(8 * 30)); // every eighth row lies in one line
}

TEST_CASE("the same input gives the same figures") {
  BenchKernel k;
  k.threads = 256;
  k.grid = 300;
  k.body = "mad.lo.u32 %r1, %cta, 256, %i; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %in, %rd1;\n"
           "ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f2, %f1, %f1, %f1; st.global.f32 [%rd1], %f2;";
  std::ostringstream first, second;
  printJson(first, timeKernel(k, h100()));
  printJson(second, timeKernel(k, h100()));
  CHECK(first.str() == second.str());
  CHECK_THAT(first.str(), Contains("\"kind\": \"model\""));
}

TEST_CASE("registers are taken from the directive, the caller, or the values alive") {
  BenchKernel k;
  // Sixty loads before their sum: sixty values, and a 64-bit address.
  k.body = repeat(60,
                  [](unsigned i) {
                    return "ld.global.f32 %f" + std::to_string(i) + ", [%in+" + std::to_string(4 * i) + "];";
                  }) +
           repeat(60, [](unsigned i) { return "add.f32 %f100, %f100, %f" + std::to_string(i) + ";"; }) +
           "st.global.f32 [%out], %f100;";
  EstimateOptions options;
  options.registers = 0;
  CHECK(timeKernel(k, h100(), options).needs.registers >= 64);
  CHECK(timeKernel(k, h100(), options).needs.registers <= 80);
  options.registers = 40;
  CHECK(timeKernel(k, h100(), options).needs.registers == 40);
}

TEST_CASE("L1 has what the CTAs' shared memory leaves of the sizes that there are") {
  constexpr double kKiB = 1024;
  const double all = h100().sm.unified;
  // A KiB each is the system's.
  CHECK(l1Bytes(h100(), {128, 32, 0}, 8) == all - 8 * kKiB);
  CHECK(l1Bytes(h100(), {128, 32, 1}, 8) == all - 16 * kKiB);
  CHECK(l1Bytes(h100(), {128, 32, 40 * 1024}, 2) == all - 100 * kKiB);
  CHECK(l1Bytes(h100(), {128, 32, 227 * 1024}, 1) == all - 228 * kKiB);
  // 64 KiB of a row that all CTAs read: in L1, unless they take the most of shared memory.
  const auto hits = [&](unsigned shared) {
    BenchKernel k;
    k.threads = 1024;
    k.grid = 132 * 8;
    k.shared = shared;
    k.body = "mov.u32 %r20, s; mul.wide.u32 %rd1, %i, 16; add.s64 %rd1, %in, %rd1;\n" + repeat(4, [](unsigned i) {
               return "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+" + num(16384 * i) + "]; add.u32 %r5, %r1, %r4;";
             });
    const Estimate e = timeKernel(k, h100());
    return e.activity.l1HitBytes / e.activity.l1Bytes;
  };
  CHECK(hits(1024) > 0.8);
  CHECK(hits(200 * 1024) < 0.2);
}

TEST_CASE("CTAs come in waves") {
  const auto cycles = [](unsigned grid) {
    BenchKernel k;
    k.threads = 1024;
    k.grid = grid;
    k.body = repeat(64, "fma.rn.f32 %f1, %f1, %f1, %f1;");
    EstimateOptions options;
    options.leastSteps = 0;
    return timeKernel(k, h100(), options);
  };
  CHECK(cycles(132).cycles == cycles(1).cycles);
  CHECK(cycles(132).waves == 1);
  CHECK(cycles(133).waves == Approx(133.0 / 132));
  CHECK(cycles(133).lastWave == Approx(1.0 / 132));
  CHECK(cycles(133).cycles == Approx(2 * cycles(1).cycles + h100().launch.ctaCycles));
  const Estimate many = cycles(132 * 40);
  CHECK_FALSE(many.isExact);
  CHECK(many.cycles == Approx(40 * (cycles(1).cycles + h100().launch.ctaCycles)).epsilon(0.02));
}

TEST_CASE("SMs with fewer CTAs leave DRAM to those with more") {
  const auto nanoseconds = [](unsigned grid) {
    BenchKernel k;
    k.threads = 512;
    k.grid = grid;
    k.bytes = 2 * 132 * 32 * 512 * 16;
    k.body =
        "mad.lo.u32 %r1, %cta, 262144, 0; mad.lo.u32 %r1, %i, 16, %r1; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %in, "
        "%rd1;" +
        repeat(32, [](unsigned n) { return "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+" + num(n * 8192) + "];"; });
    const Estimate e = timeKernel(k, h100());
    CHECK(e.occupancy.ctas == 2);
    return e.nanoseconds - e.launchNs;
  };
  const double two = nanoseconds(2 * 132);
  CHECK(nanoseconds(132 + 33) / two == Approx(165.0 / 264).epsilon(0.1));
  CHECK(nanoseconds(132) / two < 0.6);
}

TEST_CASE("what is written goes to DRAM, be it where it was read or elsewhere") {
  const auto bytes = [](const char *to) {
    BenchKernel k;
    k.threads = 256;
    k.grid = 132;
    k.bytes = 132 * 256 * 16;
    k.body = std::string("mad.lo.u32 %r1, %cta, 256, %i; mul.wide.u32 %rd2, %r1, 16; add.u64 %rd1, %in, %rd2;") +
             "add.u64 %rd2, " + to + ", %rd2; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];" +
             "st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4};";
    return timeKernel(k, h100()).dramBytes;
  };
  CHECK(bytes("%in") == Approx(2 * 132 * 256 * 16).epsilon(0.02));
  CHECK(bytes("%in") == Approx(bytes("%out")));

  BenchKernel sums;
  sums.threads = 256;
  sums.grid = 132;
  sums.bytes = 132 * 256 * 4;
  sums.body = "mad.lo.u32 %r1, %cta, 256, %i; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %in, %rd2;"
              "mov.b32 %f1, 0f3f800000; red.global.add.f32 [%rd1], %f1;";
  CHECK(timeKernel(sums, h100()).dramBytes == Approx(2 * 132 * 256 * 4).epsilon(0.02));
}

TEST_CASE("the GPU starts one CTA after the other") {
  BenchKernel k;
  k.threads = 32;
  k.grid = 132 * 200;
  k.body = "add.u32 %r1, %i, 1;";
  const double dispatch = h100().launch.dispatchNs;
  const Estimate e = timeKernel(k, h100());
  CHECK(e.nanoseconds - e.launchNs == Approx(k.grid * dispatch).epsilon(0.05));
  // Longer ones start when a place is free.
  k.threads = 1024;
  k.body = repeat(4096, "fma.rn.f32 %f1, %f1, %f1, %f1;");
  MachineModel atOnce = h100();
  atOnce.launch.dispatchNs = 0;
  CHECK(timeKernel(k, h100()).cycles == Approx(timeKernel(k, atOnce).cycles).epsilon(0.01));
}

TEST_CASE("a steady state is what start and end leave, and is told from one that is not reached") {
  // Three places, that start together and end together: a wave each 90 cycles, after one of 150.
  std::vector<double> ends(3, 150);
  while (ends.size() < 30)
    ends.push_back(ends[ends.size() - 3] + 90);
  // The last wave has the machine more and more to itself.
  ends[27] -= 20, ends[28] -= 30, ends[29] -= 40;
  CHECK(steadyState(ends, 3).isReached());
  CHECK(steadyState(ends, 3).cyclesEach == Approx(30));
  // Each wave 1 % shorter than the one before: the later ones count.
  std::vector<double> slow(3, 150);
  for (double wave = 90; slow.size() < 30; wave *= 0.99)
    for (int i = 0; i < 3; ++i)
      slow.push_back(slow[slow.size() - 3] + wave);
  CHECK_FALSE(steadyState(slow, 3).isReached());
  CHECK(steadyState(slow, 3).change < -0.02);
  CHECK(steadyState(slow, 3).cyclesEach < 29);
}

TEST_CASE("what is extrapolated of a queue takes as long as all of it simulated") {
  // CTAs load and then compute, at first all at the same time, and one beside the other only after some waves.
  constexpr unsigned kSms = 132, kQueue = 400;
  BenchKernel k;
  k.threads = 256;
  k.grid = kSms * kQueue;
  k.bytes = static_cast<uint64_t>(k.grid) * k.threads * 16;
  k.body = "mul.wide.u32 %rd1, %cta, 4096; mul.wide.u32 %rd2, %i, 16; add.s64 %rd1, %rd1, %rd2; add.s64 %rd1, %rd1, "
           "%in;\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n" +
           repeat(100, "mad.lo.s32 %r1, %r1, %r2, %r3; ") + "st.global.u32 [%out], %r1;";
  EstimateOptions some, all;
  some.leastSteps = 0;
  all.leastSteps = UINT64_MAX;
  MachineModel atOnce = h100();
  atOnce.launch.dispatchNs = 0;
  const Estimate e = timeKernel(k, atOnce, some), exact = timeKernel(k, atOnce, all);
  REQUIRE(exact.isExact);
  REQUIRE_FALSE(e.isExact);
  CHECK(e.simulatedClusters > 4ull * e.occupancy.ctas);
  CHECK(steadyState(e.activity.clusterEnds, e.occupancy.ctas).isReached());
  CHECK(e.cycles == Approx(exact.cycles).epsilon(0.01));
}

TEST_CASE("CTAs that differ in length are taken from everywhere in the grid") {
  constexpr unsigned kSms = 132, kLongest = 512;
  // As many iterations as the CTA's number says, counted anew after each 512 CTAs; or the average for all.
  const auto loop = [&](const std::string &iterations) {
    BenchKernel kernel;
    kernel.grid = 32 * kSms;
    kernel.threads = 1024;
    kernel.body = iterations + "mov.u32 %r1, 0; L: " + repeat(32, "mad.lo.s32 %r3, %r3, %r3, %r3; ") +
                  "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; st.global.u32 [%out], %r3;";
    return timeKernel(kernel, h100());
  };
  const Estimate uneven = loop("and.b32 %r2, %cta, " + std::to_string(kLongest - 1) + "; add.u32 %r2, %r2, 1; "),
                 even = loop("mov.u32 %r2, " + std::to_string(kLongest / 2) + "; ");
  CHECK(uneven.nanoseconds == Approx(even.nanoseconds).epsilon(0.15));
  CHECK_THAT(uneven.notes.back(), Contains("CTAs differ in length"));
}

TEST_CASE("lengths that come again are sampled evenly") {
  unsigned measured = 0;
  ClusterLengths lengths({4096, 1, 1}, [&](uint64_t number) {
    ++measured;
    return 100 * (number % 32 + 1);
  });
  lengths.findPeriod();
  CHECK(lengths.period() == 32);
  CHECK(measured < 24);
  const std::vector<uint64_t> sample = lengths.sample(24);
  CHECK(sample.size() == 24);
  double sum = 0;
  for (uint64_t number : sample) {
    sum += static_cast<double>(number % 32 + 1) / 24;
    lengths.know(number, 100 * (number % 32 + 1));
  }
  CHECK(sum == Approx(16.5).epsilon(0.03));
  const std::vector<double> all = lengths.all();
  REQUIRE(all.size() == 4096);
  for (uint64_t number = 64; number < 96; ++number)
    CHECK(all[number] == Approx(100.0 * static_cast<double>(number - 63)).margin(1));
  // Of a grid of several dimensions the first is tried; what comes again nowhere has no period.
  ClusterLengths rows({48, 10, 1}, [](uint64_t number) { return number % 48 + 1; });
  rows.findPeriod();
  CHECK(rows.period() == 48);
  ClusterLengths random({1000, 1, 1}, [](uint64_t number) { return number * 2654435761 % 997 + 1; });
  random.findPeriod();
  CHECK(random.period() == 0);
  CHECK(random.sample(24).size() == 24);
}

TEST_CASE("clusters of a queue end where they find a place") {
  // Two groups with a place each: 1 and then 3, beside 2.
  CHECK(cyclesOfQueue({2, {1}}, {1, 2, 3}) == Approx(4));
  // Two places: together at 1.5, alone at 1.
  CHECK(cyclesOfQueue({1, {1, 1.5}}, {3, 3}) == Approx(4));
  CHECK(cyclesOfQueue({1, {1, 1.5}}, {1, 3}) == Approx(1 / 0.75 + 2));
  // The longest last leaves others idle; the longest first does not.
  CHECK(cyclesOfQueue({2, {1}}, {1, 1, 1, 1, 4}) == Approx(6));
  CHECK(cyclesOfQueue({2, {1}}, {4, 1, 1, 1, 1}) == Approx(4));
}

TEST_CASE("CTAs whose lengths come again take what they take together, and the last ones more") {
  const auto loop = [&](const std::string &iterations) {
    BenchKernel kernel;
    kernel.grid = 4096;
    kernel.threads = 1024;
    kernel.body = iterations + "mov.u32 %r1, 0; L: " + repeat(32, "mad.lo.s32 %r3, %r3, %r3, %r3; ") +
                  "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L; st.global.u32 [%out], %r3;";
    return timeKernel(kernel, h100()).cycles;
  };
  // 1 to 32 iterations, on average 16.5.
  const double uneven = loop("and.b32 %r2, %cta, 31; add.u32 %r2, %r2, 1; "), even = loop("mov.u32 %r2, 33; ") / 2;
  CHECK(uneven > 0.97 * even);
  CHECK(uneven < 1.08 * even);
}

TEST_CASE("mma.sync lowers the clock by what it does of the tensor cores' operations") {
  BenchKernel k;
  k.threads = 512;
  k.body = repeat(512, [](unsigned i) {
    const std::string d = std::to_string(4 * (i % 4)), e = std::to_string(4 * (i % 4) + 1),
                      f = std::to_string(4 * (i % 4) + 2), g = std::to_string(4 * (i % 4) + 3);
    return "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f" + d + ", %f" + e + ", %f" + f + ", %f" + g +
           "}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f" + d + ", %f" + e + ", %f" + f + ", %f" + g + "};";
  });
  const double share = h100().tensor.warpOperations / h100().tensor.operations;
  CHECK(timeKernel(k, h100()).gigahertz == Approx(h100().gigahertz(share)).epsilon(0.005));
}

TEST_CASE("arithmetic that control flow needs is executed") {
  BenchKernel k;
  // 1 + 1 + … until 10: what a loop compares is computed, though it is a float.
  k.body = "mov.f32 %f1, 0f00000000;\nagain:\nadd.rn.f32 %f1, %f1, 0f3F800000;\nmul.rn.f32 %f2, %f1, %f1;\n"
           "setp.lt.f32 %p1, %f1, 0f41200000;\n@%p1 bra again;";
  CHECK(issuesOf(timeKernel(k, h100()), "mul.rn.f32") == 10);
  // The same through memory.
  k.shared = 1024;
  k.body = "mov.u32 %r1, s; mov.f32 %f1, 0f00000000; st.shared.f32 [%r1], %f1;\nagain:\nld.shared.f32 %f1, [%r1];\n"
           "add.rn.f32 %f1, %f1, 0f3F800000;\nst.shared.f32 [%r1], %f1;\nmul.rn.f32 %f2, %f1, %f1;\n"
           "setp.lt.f32 %p1, %f1, 0f41200000;\n@%p1 bra again;";
  CHECK(issuesOf(timeKernel(k, h100()), "mul.rn.f32") == 10);
}

TEST_CASE("a line that was not seen is shared like others that its instruction reads") {
  constexpr uint64_t kSms = 128, kWeights = 64, kRows = 4096, kOther = 1'000'000;
  constexpr uint32_t kLoadsWeights = 7, kLoadsRows = 9, kElse = 11;
  const auto footprint = [&](bool comesBack) {
    Footprint lines;
    for (uint64_t line = 0; line < kWeights; ++line) {
      if (comesBack)
        lines.keep(line, kLoadsWeights, /*isLater=*/true);
      for (uint64_t sm = 0; sm < kSms; ++sm)
        lines.touch(line, sm, kLoadsWeights);
    }
    for (uint64_t line = 0; line < kRows; ++line)
      lines.touch(kWeights + line, line % kSms, kLoadsRows);
    lines.keep(kOther, kLoadsRows, false);
    lines.keep(kOther + 1, kLoadsWeights, true);
    lines.keep(kOther + 2, kElse, false);
    return lines;
  };
  CHECK(footprint(false).sharersOf(0) == kSms);
  CHECK(footprint(false).sharersOf(kOther) == 1);
  CHECK(footprint(false).sharersOf(kOther + 1) == kSms);
  CHECK(footprint(false).sharersOf(kOther + 2) > 1); // as all are
  // What all come back to says nothing of what is new.
  CHECK(footprint(true).sharersOf(kOther + 2) == 1);
}

TEST_CASE("what each reads first may be new, and the rest what others have read") {
  constexpr uint64_t kSms = 64, kOther = 1000;
  constexpr uint32_t kPlace = 3;
  Footprint lines;
  for (uint64_t step = 0; step < 4; ++step) // from the diagonal down
    for (uint64_t sm = step; sm < kSms; ++sm)
      lines.touch(sm - step, sm, kPlace);
  lines.keep(kOther, kPlace, true);
  CHECK(lines.sharersOf(kOther) > kSms / 2);
}

TEST_CASE("a scheduler's register file delivers two operands a cycle") {
  const auto cycles = [](unsigned third) { // the first two operands are different, the last begins at this register
    return cyclesEach(h100(), 64, [&](unsigned n) {
      BenchKernel k;
      k.body = repeat(n, [&](unsigned i) {
        const std::string a = "%f" + num(16 + i % 8), b = "%f" + num(32 + i % 8);
        return "fma.rn.f32 %f" + num(i % 8) + ", " + a + ", " + b + ", %f" + num(third + i % 8) + ";";
      });
      return k;
    });
  };
  CHECK(cycles(32) == Approx(1).epsilon(0.05));
  CHECK(cycles(48) == Approx(1.5).epsilon(0.05));
  // An operand that stays is read once.
  const double kept = cyclesEach(h100(), 64, [](unsigned n) {
    BenchKernel k;
    k.body = repeat(n, [](unsigned i) {
      return "fma.rn.f32 %f" + num(i % 8) + ", %f" + num(16 + i % 8) + ", %f15, %f" + num(48 + i % 8) + ";";
    });
    return k;
  });
  CHECK(kept == Approx(1).epsilon(0.05));
}

TEST_CASE("stores wait until those before them have left for L2") {
  constexpr double kSms = 132, kBytes = 32 * 32; // a sector a lane
  const double each = cyclesEach(h100(), 64, [&](unsigned n) {
    BenchKernel k;
    k.threads = 32;
    k.grid = static_cast<unsigned>(kSms);
    k.bytes = uint64_t(n) * 4096 + 4096;
    k.body = "mul.wide.u32 %rd1, %i, 128; add.u64 %rd1, %out, %rd1;\n" +
             repeat(n, [](unsigned i) { return "st.global.b32 [%rd1+" + num(i * 4096) + "], %i;"; });
    return k;
  });
  CHECK(each == Approx(kBytes / (h100().l2.readGBs / h100().gigahertz(0) / kSms)).epsilon(0.05));
}

TEST_CASE("saturation and signs cost nothing of their own") {
  const auto issueSlots = [](const std::string &more) {
    BenchKernel k;
    k.body = repeat(64, "fma.rn.f32 %f1, %f2, %f2, %f1; " + more + " add.rn.f32 %f2, %f3, %f1;");
    return timeKernel(k, h100()).activity.issueSlots;
  };
  CHECK(issueSlots("cvt.sat.f32.f32 %f3, %f1; neg.f32 %f3, %f3; abs.f32 %f3, %f3;") == issueSlots(""));
  CHECK(issueSlots("min.f32 %f3, %f1, %f2;") > issueSlots(""));
}

TEST_CASE("who waits and for what is told by role") {
  BenchKernel k;
  k.threads = 64;
  k.body = "mov.u32 %r20, bar; setp.eq.u32 %p1, %i, 0; @%p1 mbarrier.init.shared.b64 [%r20], 32; bar.sync 0;\n"
           "setp.ge.u32 %p2, %i, 32; @%p2 bra late;\n"
           "wait:\nmbarrier.try_wait.parity.shared.b64 %p3, [%r20], 0; @!%p3 bra wait; ret;\n"
           "late:\n" +
           repeat(200, "fma.rn.f32 %f1, %f1, %f1, %f1;") +
           "mbarrier.arrive.shared.b64 _, [%r20]; st.global.f32 [%out], %f1;";
  const Estimate e = timeKernel(k, h100());
  REQUIRE(e.activity.roles.count("idle") == 1);
  const RoleActivity &idle = e.activity.roles.at("idle");
  CHECK(idle.stalled[static_cast<unsigned>(Stall::Mbarrier)] == Approx(800).epsilon(0.1));
  CHECK(e.activity.roles.at("compute").stalled[static_cast<unsigned>(Stall::Dependency)] == Approx(600).epsilon(0.15));
}
