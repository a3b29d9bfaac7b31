//===- Sm75Target.cpp - The Turing target ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: PTX ISA, "Target ISA Notes" of each instruction; CUDA C++ Programming Guide, "Compute Capabilities"
// (capacities) and "Arithmetic Instructions" (rates); NVIDIA's white paper on Turing and the T4's data sheet (tensor
// cores). Latencies are from published microbenchmarks (sjfeng1999/gpu-arch-microbenchmark, an RTX 2070), those of
// later chips where nobody measured, and only steer schedules.
//
//===----------------------------------------------------------------------===//

#include "Sm75Target.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/CommonUnits.h"
#include "tileiras/NVIDIA/MmaSync.h"

using namespace mlir;

namespace tileiras::sm75 {
namespace {

/// Cycles until a load finds its line in the second-level cache, and a read of shared memory is done (an RTX 2070).
constexpr uint32_t kSecondLevelLatency = 236, kSharedLatency = 23;

/// Drivers of all CUDA 12 take PTX ISA 8.0. It cannot ask for registers to be spilled to shared memory.
ChipInfo makeChip() {
  ChipInfo chip{"sm_75", "sm_75", "sm_75", /*ptxVersion=*/80, /*computeCapability=*/75};
  chip.features.ldmatrix = true;
  chip.features.fmaBf16 = false;
  return chip;
}

/// Multiply-adds that the tensor cores of one of the four parts of a multiprocessor retire per cycle: 128 of f16 (T4,
/// data sheet: 65 TFLOP/s on 40 multiprocessors at 1590 MHz), twice as many of 8 bits (130 TOPS). GeForce cards take
/// twice as long for sums of f32 (RTX 2080 Ti, white paper: 57 TFLOP/s, 114 with sums of f16); the table is the T4's.
void addMmaAtoms(std::vector<MmaAtom> &atoms) {
  constexpr unsigned rate16 = 128;
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {8}, rate16);
  for (StringRef a : {"s8", "u8"})
    for (StringRef b : {"s8", "u8"})
      atoms.push_back(makeMmaSyncAtom({.a = a, .b = b, .c = "s32", .m = 8, .n = 8, .k = 16}, 2 * rate16));
}

/// The units of one multiprocessor, named as schedules name them. Rates are elements or bytes a cycle.
std::vector<MachineUnit> makeUnits() {
  using enum WorkKind;
  constexpr uint32_t schedulers = 4;
  return {
      makeIssueUnit("issue", schedulers),
      {"alu", 1, schedulers, {{Integer, 64, 4}}},
      {"fma", 1, schedulers, {{Float, 64, 4}}},
      {"xu64", 1, schedulers, {{Double, 2, 8}}},
      // Nothing rounds two numbers at once: narrowing is a conversion as others are.
      {"xu", 1, schedulers, {{Special, 16, 18}, {Conversion, 16, 18}, {Narrowing, 16, 18}}},
      makeMemoryPort("lsu", /*shuffleLatency=*/24),
      // The second-level cache, and atomics: estimates.
      {"tp_gnic_rd", 1, 1, {{GlobalRead, 32, kSecondLevelLatency}}},
      {"tp_gnic_wr", 1, 1, {{GlobalWrite, 32, 8}, {Atomic, 16, kSecondLevelLatency}}},
      {"mma", 1, schedulers, {{Product}}}, // By atom.
  };
}

MachineModel makeMachine() {
  MachineModel model;
  model.units = makeUnits();
  model.sharedMemoryBytes = 64 * 1024;
  model.staticSharedMemoryBytes = 48 * 1024;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.maxWarpsPerCTA = 32;
  model.maxWarpsPerSM = 32;
  model.maxCTAsPerSM = 16;
  return model;
}

ChipDescription describe(const ChipInfo &info) {
  ChipDescription chip;
  chip.info = info;
  chip.machine = makeMachine();
  addMmaAtoms(chip.atoms.mma);
  addCommonAtoms(chip.atoms, info.features, {.global = kSecondLevelLatency, .shared = kSharedLatency});
  return chip;
}

} // namespace

Sm75Target::Sm75Target() : NvidiaTarget("sm75", {makeChip()}, describe) {}

FailureOr<MmaCandidates> Sm75Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                       llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.isBlockScaled())
    return refuseBlockScale(/*since=*/100, emitError);
  return DescribedTarget::findMmaCandidates(query, chip, emitError);
}

} // namespace tileiras::sm75
