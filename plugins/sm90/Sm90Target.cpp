//===- Sm90Target.cpp - The Hopper target ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"
#include "Wgmma.h"
#include "tileiras/NVIDIA/CommonUnits.h"

using namespace mlir;

namespace tileiras::sm90 {
namespace {

/// The units of one multiprocessor, named as schedules name them. Rates are elements or bytes a cycle: CUDA C++
/// Programming Guide, "Arithmetic Instructions", 9.0, unless something else is said. Latencies in cycles: arXiv
/// 2402.13499 and 2501.12084; FlashGPU-Sim (H200) for shuffles and special functions.
std::vector<MachineUnit> makeUnits() {
  using enum WorkKind;
  constexpr uint32_t schedulers = 4;
  return {
      makeIssueUnit("issue", schedulers),
      // Narrowing: measured on an H200, an instruction a warp and two cycles.
      {"alu", 1, schedulers, {{Integer, 64, 4}, {Narrowing, 128, 4}}},
      {"fma", 1, schedulers, {{Float, 128, 4}}},
      {"xu64", 1, schedulers, {{Double, 64, 8}}}, // Latency: an estimate.
      // "Other conversions"; widening 8- and 16-bit integers would be 64.
      {"xu", 1, schedulers, {{Special, 16, 45}, {Conversion, 16, 45}}},
      makeMemoryPort("lsu", /*shuffleLatency=*/14),
      // The second-level cache: 3942 bytes a cycle for 114 multiprocessors (H800). Latency: near the lower end of 479
      // to 660.
      {"tp_gnic_rd", 1, 1, {{GlobalRead, 34, 480}, {EngineRead, 34, 480}}},
      {"tp_gnic_wr", 1, 1, {{GlobalWrite, 34, 8}, {EngineWrite, 34, 8}, {Atomic, 16, 480}}}, // Atomics: an estimate.
      {"mma", 1, schedulers, {{Product}}},                                                   // By atom.
      // 4.8 ns for a KB of a box that the second-level cache holds (published).
      {"tma", 1, 1, {{EngineRead, 122}, {EngineWrite, 122}}},
  };
}

/// Capacities: CUDA C++ Programming Guide, "Compute Capabilities", 9.0.
MachineModel makeMachine() {
  MachineModel model;
  model.units = makeUnits();
  model.sharedMemoryBytes = 232448;
  model.staticSharedMemoryBytes = 49152;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.maxWarpsPerCTA = 32;
  model.maxWarpsPerSM = 64;
  model.maxCTAsPerSM = 32;
  return model;
}

/// Features by PTX ISA, "Target ISA Notes" of the instructions; sm_90a for wgmma.
ChipInfo makeChip() {
  ChipInfo chip{"sm_90", "sm_90a", "sm_90a", /*ptxVersion=*/90, /*computeCapability=*/90};
  ChipFeatures &features = chip.features;
  features.ldmatrix = features.stmatrix = true;
  features.cpAsync = features.tma = features.multicast = true;
  features.cluster = features.griddepcontrol = true;
  features.wgmma = features.setmaxnreg = true;
  features.redux = true;
  features.addBf16 = features.atomAddBf16 = features.redVectors = true;
  features.cvtF8x2 = features.cvtRnTf32 = true;
  features.enableSmemSpilling = true;
  return chip;
}

ChipDescription describe(const ChipInfo &chip) {
  return {chip, makeAtoms(chip.features), makeMachine()};
}

} // namespace

Sm90Target::Sm90Target() : NvidiaTarget("sm90", {makeChip()}, describe) {}

FailureOr<MmaCandidates> Sm90Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                       llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.isBlockScaled())
    return refuseBlockScale(/*since=*/100, emitError);
  return DescribedTarget::findMmaCandidates(query, chip, emitError);
}

void Sm90Target::populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const {
  NvidiaTarget::populateLowering(lowering, patterns);
  populateWgmmaPatterns(lowering, patterns);
}

} // namespace tileiras::sm90
