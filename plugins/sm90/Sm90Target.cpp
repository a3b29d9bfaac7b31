//===- Sm90Target.cpp - The Hopper target ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"

using namespace mlir;

namespace tileiras::sm90 {
namespace {

/// Capacities: CUDA C++ Programming Guide, "Compute Capabilities", 9.0. Units are those of one multiprocessor with its
/// four sub-partitions; the names are the vocabulary of schedules.
MachineModel makeMachine() {
  MachineModel model;
  model.units = {
      {"issue", 4, 1, 1},    // warp schedulers
      {"alu", 4, 2, 5},      // 16 lanes of integer arithmetic each
      {"fma", 4, 1, 4},      // 32 lanes of f32 each
      {"fp64", 4, 2, 8},     // 16 lanes of f64 each
      {"mufu", 4, 8, 18},    // 4 lanes of special functions each
      {"tensor", 4, 4, 33},  // mma.sync m16n8k16 of 16-bit operands
      {"lsu", 1, 2, 29},     // shared memory, 128 bytes a cycle
      {"global", 1, 4, 480}, // L2 hit and beyond
      {"tma", 1, 16, 600},   // one bulk copy
  };
  model.sharedMemoryBytes = 232448;
  model.staticSharedMemoryBytes = 49152;
  model.tensorMemoryBytes = 0;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.registerAllocationUnit = 8;
  model.maxWarpsPerCTA = 32;
  model.warpGranularity = 4;
  model.namedBarriers = 16;
  return model;
}

/// Features by PTX ISA, "Target ISA Notes" of the instructions; sm_90a for wgmma.
ChipInfo makeChip() {
  ChipInfo chip{"sm_90", "sm_90a", "sm_90a", /*ptxVersion=*/87, /*computeCapability=*/90};
  ChipFeatures &features = chip.features;
  features.loadMatrix = features.storeMatrix = true;
  features.asyncCopy = features.tensorCopy = true;
  features.clusters = features.dependentLaunch = true;
  features.warpgroupMma = true;
  features.integerRedux = true;
  features.bf16Arithmetic = features.bf16Atomics = true;
  features.fp8Conversions = features.tf32RoundingModes = true;
  features.sharedMemorySpills = true;
  return chip;
}

ChipDescription describe() {
  ChipInfo chip = makeChip();
  return {chip, makeAtoms(chip.features), makeMachine()};
}

} // namespace

Sm90Target::Sm90Target() : DescribedTarget("sm90", {describe()}) {}

FailureOr<MmaCandidates> Sm90Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                       llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.isBlockScaled()) {
    InFlightDiagnostic diagnostic = emitError() << "mma block scale is not supported by compute capability < sm100";
    diagnostic.attachNote() << "its chips are sm_100 (compute capability 10.0) and later ones; --set "
                               "block-scale=emulate multiplies the scales into the operands";
    return failure();
  }
  return DescribedTarget::findMmaCandidates(query, chip, emitError);
}

} // namespace tileiras::sm90
