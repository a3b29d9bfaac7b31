//===- Sm80Target.cpp - The Ampere and Ada targets ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: PTX ISA, "Target ISA Notes" of each instruction; CUDA C++ Programming Guide, "Compute Capabilities"
// (capacities); NVIDIA's white papers on GA100, GA102 and AD102 (rates). Latencies are from published microbenchmarks
// and only steer schedules.
//
//===----------------------------------------------------------------------===//

#include "Sm80Target.h"
#include "tileiras/Target/CommonAtoms.h"
#include "tileiras/Target/MmaSync.h"

using namespace mlir;

namespace tileiras::sm80 {
namespace {

/// In what the chips differ.
struct ChipRow {
  const char *name;
  unsigned capability;
  uint32_t sharedBytes; ///< one CTA may take
  bool hasFullRates;    ///< of f64, and twice those of the others on tensor cores
  bool hasF8;
};

constexpr ChipRow chipRows[] = {
    {"sm_80", 80, 163 * 1024, true, false},  // A100
    {"sm_86", 86, 99 * 1024, false, false},  // GeForce 30, A10, A40
    {"sm_87", 87, 163 * 1024, false, false}, // Orin
    {"sm_89", 89, 99 * 1024, false, true},   // GeForce 40, L4, L40
};

ChipInfo makeChip(const ChipRow &row) {
  ChipInfo chip{row.name, row.name, row.name, /*ptxVersion=*/87, row.capability};
  ChipFeatures &features = chip.features;
  features.loadMatrix = true;
  features.asyncCopy = true;
  features.integerRedux = true;
  features.fp8Conversions = row.hasF8;
  features.sharedMemorySpills = true;
  return chip;
}

/// Rates are multiply-adds that one of the four tensor cores of a multiprocessor retires per cycle.
void addMmaAtoms(std::vector<MmaAtom> &atoms, const ChipRow &row) {
  const unsigned rate16 = row.hasFullRates ? 256 : 128;
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, rate16 / 2);
  if (row.hasF8)
    addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32", "f16"}, {32, 16}, 2 * rate16);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, 2 * rate16);
  // The only one of f64 before compute capability 9.0.
  atoms.push_back(makeMmaSyncAtom({.a = "f64", .b = "f64", .c = "f64", .m = 8, .n = 8, .k = 4},
                                  /*rate=*/row.hasFullRates ? 16 : 1));
}

/// Units are those of one multiprocessor with its four sub-partitions; the names are the vocabulary of schedules.
MachineModel makeMachine(const ChipRow &row) {
  MachineModel model;
  model.units = {
      {"issue", 4, 1, 1},                                                   // warp schedulers
      {"alu", 4, 2, 5},                                                     // 16 lanes of integer arithmetic each
      {"fma", 4, row.hasFullRates ? 2u : 1u, 4},                            // 16 or 32 lanes of f32 each
      {"fp64", row.hasFullRates ? 4u : 1u, row.hasFullRates ? 4u : 16u, 8}, // 32 or 2 lanes of f64 in all
      {"mufu", 4, 8, 18},                                                   // 4 lanes of special functions each
      {"tensor", 4, row.hasFullRates ? 8u : 16u, 33},                       // mma.sync m16n8k16 of 16-bit operands
      {"lsu", 1, 2, 29},                                                    // shared memory, 128 bytes a cycle
      {"global", 1, 4, 450},                                                // L2 hit and beyond
  };
  model.sharedMemoryBytes = row.sharedBytes;
  model.staticSharedMemoryBytes = 48 * 1024;
  model.tensorMemoryBytes = 0;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.registerAllocationUnit = 8;
  model.maxWarpsPerCTA = 32;
  model.warpGranularity = 4;
  model.namedBarriers = 16;
  return model;
}

std::vector<ChipDescription> describe() {
  std::vector<ChipDescription> descriptions;
  for (const ChipRow &row : chipRows) {
    ChipDescription &chip = descriptions.emplace_back();
    chip.info = makeChip(row);
    chip.machine = makeMachine(row);
    addMmaAtoms(chip.atoms.mma, row);
    addCommonAtoms(chip.atoms, chip.info.features, {.global = 450});
  }
  return descriptions;
}

} // namespace

Sm80Target::Sm80Target() : DescribedTarget("sm80", describe()) {}

FailureOr<MmaCandidates> Sm80Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                       llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.isBlockScaled()) {
    InFlightDiagnostic diagnostic = emitError() << "mma block scale is not supported by compute capability < sm100";
    diagnostic.attachNote() << "its chips are sm_100 (compute capability 10.0) and later ones; --set "
                               "block-scale=emulate multiplies the scales into the operands";
    return failure();
  }
  return DescribedTarget::findMmaCandidates(query, chip, emitError);
}

} // namespace tileiras::sm80
