//===- TensorClockTest.cpp - Estimates of kernels that use tcgen05 --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineFiles.h"
#include "Report.h"
#include "TensorBench.h"
#include <catch2/catch.hpp>
#include <sstream>

using namespace ptxemu::timing;
using namespace ptxemu::timing::testing;
using Catch::Matchers::Contains;

namespace {

const MachineModel &b200() {
  static const MachineModel model = MachineModel::find("b200");
  return model;
}

std::string reportOf(const Estimate &e) {
  std::ostringstream out;
  printReport(out, e);
  printJson(out, e);
  return out.str();
}

double stalled(const Estimate &e, const std::string &role, Stall reason) {
  REQUIRE(e.activity.roles.count(role) == 1);
  return e.activity.roles.at(role).stalled[static_cast<unsigned>(reason)];
}

/// A warp multiplies, then all four of a CTA take the results out.
BenchKernel multiplyAndStore(unsigned products, unsigned columns, unsigned grid) {
  const TensorForm form;
  BenchKernel k = startTensorKernel(form, columns);
  k.grid = grid;
  k.threads = 128;
  // One warp allocates; the others see the address behind the barrier.
  const std::string alloc = "tcgen05.alloc";
  k.body.replace(k.body.find(alloc), 0, "setp.ge.u32 %p4, %i, 32; @%p4 bra allocated;\n");
  k.body.replace(k.body.find("bar.sync 0;"), 0, "allocated:\n");
  k.body += "@%p4 bra finish;\n" + repeat(products, form.text()) + commitAndWait(form) +
            "tcgen05.fence::before_thread_sync;\nfinish:\nbar.sync 0;\ntcgen05.fence::after_thread_sync;\n"
            "and.b32 %r2, %i, 96; shl.b32 %r2, %r2, 16; add.u32 %r2, %r10, %r2;\n" +
            repeat(8,
                   [](unsigned i) {
                     return "tcgen05.ld.sync.aligned.32x32b.x32.b32 " + registerList(24, 32) + ", [%r2+" +
                            std::to_string(32 * i) + "]; tcgen05.wait::ld.sync.aligned; st.global.u32 [%out], %r24;";
                   }) +
            "bar.sync 0;\n@%p4 bra end;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, " +
            std::to_string(columns) + ";\nend:\n";
  return k;
}

} // namespace

TEST_CASE("the report knows who multiplies by tcgen05, and tensor memory") {
  const Estimate e = timeKernel(multiplyAndStore(64, 512, 148), b200());
  CHECK(e.isTentative);
  CHECK(e.bound == "tensor cores");
  CHECK(e.tensorColumns == 512);
  CHECK(e.heldColumns > 0.8);
  CHECK(e.operations.at(16) == Approx(148 * 64 * 2.0 * 128 * 256 * 16));
  CHECK(e.activity.roles.at("multiply").warps == 1);
  CHECK(e.activity.roles.at("compute").warps == 3);
  // Its warp waits for the products, the others for it; then each for its loads.
  const double wait = 64 * (128 - b200().tcgen05.issue) + b200().tcgen05.completion;
  CHECK(stalled(e, "multiply", Stall::Mbarrier) == Approx(wait).epsilon(0.02));
  CHECK(stalled(e, "compute", Stall::Barrier) > 3 * wait);
  CHECK(stalled(e, "compute", Stall::TensorMemory) == Approx(3 * 8 * 200).epsilon(0.1));
  CHECK_THAT(reportOf(e), Contains("tensor memory           512 of 512 columns a CTA") &&
                              Contains("warps that multiply (1 a CTA)") && Contains("tentative") &&
                              Contains("\"tensor_memory\": {\"columns\": 512"));
}

TEST_CASE("CTAs of an SM wait for columns of tensor memory") {
  const Estimate half = timeKernel(multiplyAndStore(16, 256, 148 * 3), b200()),
                 whole = timeKernel(multiplyAndStore(16, 512, 148 * 3), b200());
  REQUIRE(half.occupancy.ctas >= 3);
  CHECK(whole.heldColumns > half.heldColumns / 2);
  CHECK(whole.cycles > 1.2 * half.cycles);
  CHECK(stalled(whole, "multiply", Stall::TensorMemory) > stalled(half, "multiply", Stall::TensorMemory));
  CHECK_THAT(reportOf(whole), Contains("CTAs waited for columns of tensor memory"));
  CHECK_THAT(reportOf(timeKernel(multiplyAndStore(16, 512, 148), b200())), !Contains("CTAs waited for columns"));
}

TEST_CASE("a pair of CTAs multiplies on both SMs at once") {
  const auto cycles = [](bool isPair) {
    const TensorForm form{"f16", 256, isPair};
    BenchKernel k = startTensorKernel(form);
    k.body += repeat(64, form.text()) + commitAndWait(form) + endTensorKernel(form);
    return timeKernel(k, b200());
  };
  const Estimate one = cycles(false), pair = cycles(true);
  CHECK(pair.activity.sms == 2);
  CHECK(pair.activity.tensorCycles == Approx(2 * one.activity.tensorCycles));
  CHECK(pair.operations.at(16) == Approx(2 * one.operations.at(16)));
  // Half of B from each CTA's shared memory.
  CHECK(pair.activity.sharedCycles < 1.4 * one.activity.sharedCycles);
}

TEST_CASE("A from tensor memory is not read from shared memory") {
  const auto sharedCycles = [](bool aInTensorMemory) {
    const TensorForm form{"f16", 64, false, aInTensorMemory};
    BenchKernel k = startTensorKernel(form);
    k.body += repeat(32, form.text()) + commitAndWait(form) + endTensorKernel(form);
    return timeKernel(k, b200()).activity.sharedCycles;
  };
  CHECK(sharedCycles(false) - sharedCycles(true) == Approx(32 * 128 * 32 / 128));
}

TEST_CASE("products in tensor memory that control flow needs are executed") {
  // Ones times ones: each product adds 16 to every element, until 100 is passed.
  const TensorForm form{"f16", 64};
  BenchKernel k = startTensorKernel(form);
  k.body += "mov.u32 %r2, s; mad.lo.u32 %r2, %i, 4, %r2; mov.u32 %r3, 0x3c003c00; mov.u32 %r5, 0;\n" +
            repeat(256, [](unsigned i) { return "st.shared.u32 [%r2+" + std::to_string(128 * i) + "], %r3;"; }) +
            "fence.proxy.async.shared::cta; mov.u32 %r4, 0; setp.ne.u32 %p3, %r4, 0;\nagain:\n" + form.text() +
            "\n@%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r20];\nwait:\n"
            "mbarrier.try_wait.parity.shared.b64 %p1, [%r20], %r5;\n@!%p1 bra wait;\nxor.b32 %r5, %r5, 1;\n"
            "tcgen05.fence::after_thread_sync;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%r24}, [%r10];\n"
            "tcgen05.wait::ld.sync.aligned;\nmov.b32 %f1, %r24;\nsetp.eq.u32 %p3, %r5, %r5;\n"
            "setp.lt.f32 %p1, %f1, 0f42C80000;\n@%p1 bra again;\n" +
            endTensorKernel(form);
  CHECK(issuesOf(timeKernel(k, b200()), "tcgen05.mma") == 7);
}

TEST_CASE("packed f32 and extrema of three are one instruction where the machine has it") {
  const auto issueSlotsOf = [](const char *target, const char *machine, const std::string &instruction) {
    const auto run = [&](unsigned count) {
      BenchKernel k;
      k.target = target;
      k.body = repeat(count, instruction);
      return timeKernel(k, MachineModel::find(machine)).activity.issueSlots;
    };
    return (run(80) - run(16)) / 64;
  };
  const std::string packed = "add.rn.f32x2 %rd3, %rd3, %rd4;\n", ternary = "max.f32 %f3, %f3, %f4, %f5;\n";
  CHECK(issueSlotsOf("sm_100a", "b200", packed) == 1);
  CHECK(issueSlotsOf("sm_120a", "rtx5090", packed) == 2);
  CHECK(issueSlotsOf("sm_100a", "b200", ternary) == 1);
  CHECK(issueSlotsOf("sm_120a", "rtx5090", ternary) == 2);
}

TEST_CASE("CTAs that take over others share the grid") {
  MachineModel atOnce = b200();
  atOnce.launch.dispatchNs = 0; // else the first CTAs are done before the last have started
  // Each iteration asks for the next CTA, waits for the answer, and stops when there is none.
  const auto runGrid = [&](unsigned grid) {
    BenchKernel k;
    k.target = "sm_100a";
    k.shared = 1024;
    k.grid = grid;
    k.body =
        "mov.u32 %r20, bar; mov.u32 %r21, s; mov.u32 %r5, 0; setp.ne.u32 %p2, %i, 0; @%p2 bra end;\n"
        "mbarrier.init.shared.b64 [%r20], 1;\nagain:\n"
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r20], 16;\n"
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r21], [%r20];\nwait:\n"
        "mbarrier.try_wait.parity.shared.b64 %p1, [%r20], %r5;\n@!%p1 bra wait;\nxor.b32 %r5, %r5, 1;\n"
        "{.reg .b128 %answer; ld.shared.b128 %answer, [%r21];\n"
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %answer;}\n"
        "fence.proxy.async.shared::cta;\n@%p3 bra again;\nend:";
    return timeKernel(k, atOnce);
  };
  const auto run = [&](unsigned iterations) { return runGrid(148 * 32 * iterations); };
  const double latency = b200().launch.cancelCycles;
  const Estimate three = run(3), many = run(12);
  CHECK_THAT(reportOf(three), Contains("CTAs take over others that have not started"));
  CHECK(three.isExact);
  // A third of the CTAs run; each asks for two more, and once in vain.
  CHECK(three.cycles > 3 * latency);
  CHECK(three.cycles < 4 * latency);
  // Where some have more to do than others, it is they who end last.
  CHECK(runGrid(148 * 32 * 5 / 2).cycles > 0.9 * three.cycles);
  // Of a long queue a part is executed.
  CHECK_FALSE(many.isExact);
  CHECK((many.cycles - three.cycles) / 9 == Approx(three.cycles / 3).epsilon(0.1));
}

TEST_CASE("kernels for another Blackwell, or another machine, are refused") {
  BenchKernel k;
  k.target = "sm_100a";
  CHECK_THROWS_WITH(timeKernel(k, MachineModel::find("h200-sxm")),
                    Contains("written for sm_100a") && Contains("NVIDIA H200 SXM lacks"));
  CHECK_THROWS_WITH(timeKernel(k, MachineModel::find("rtx5090")), Contains("NVIDIA GeForce RTX 5090 lacks"));
  k.target = "sm_120a";
  CHECK_THROWS_WITH(timeKernel(k, b200()), Contains("written for sm_120a") && Contains("it runs sm_100, sm_100a"));
  k.target = "sm_90a";
  CHECK_THROWS_WITH(timeKernel(k, b200()), Contains("NVIDIA B200 lacks"));
  k.target = "sm_90";
  CHECK_NOTHROW(timeKernel(k, b200()));
}

TEST_CASE("a machine with tcgen05 needs its figures, others do not") {
  const auto without = [](const std::string &machine, const std::string &line) {
    for (const MachineFile &f : machineFiles())
      if (f.name == machine) {
        std::string text(f.text);
        const size_t at = text.find(line);
        REQUIRE(at != std::string::npos);
        return MachineModel::parse(text.replace(at, text.find('\n', at) - at, ""), "test.toml");
      }
    FAIL("no " << machine);
    return MachineModel();
  };
  CHECK_THROWS_WITH(without("b200", "per_column ="), Contains("tcgen05.per_column is missing"));
  CHECK_THROWS_WITH(without("b200", "load_bytes ="), Contains("tensor_memory.load_bytes is missing"));
  CHECK_THROWS_WITH(without("rtx5090", "scaled_speed ="), Contains("tensor.scaled_speed is missing"));
  CHECK_THROWS_WITH(without("rtx5090", "cancel_cycles ="), Contains("launch.cancel_cycles is missing"));
  CHECK_THROWS_WITH(without("h100-sxm", "completion ="), Contains("tensor.completion is missing"));
  CHECK(MachineModel::find("h100-sxm").tensorMemory.columns == 0);
  CHECK(MachineModel::find("rtx5090").tensorMemory.columns == 0);
}
