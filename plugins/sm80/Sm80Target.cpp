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
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/CommonUnits.h"
#include "tileiras/NVIDIA/MmaSync.h"

using namespace mlir;

namespace tileiras::sm80 {
namespace {

/// In what the chips differ.
struct ChipRow {
  const char *name;
  unsigned capability;
  uint32_t sharedBytes; ///< one CTA may take
  uint32_t warps;       ///< of a multiprocessor, at most
  uint32_t blocks;      ///< of a multiprocessor, at most
  uint32_t f32, f64;    ///< multiply-adds of a multiprocessor, a cycle
  uint32_t mmaCycles;   ///< that a tensor core is busy with an MMA over 32 bytes of K, m16n8
  bool hasF8;
  unsigned ptxVersion;
};

/// One rule of rates for all types: an MMA over 32 bytes of K (16 of f16, 8 of tf32, 32 of 8 bits) holds its tensor
/// core for 8 cycles on an A100 (white paper: 312 TFLOP/s of f16 on 108 multiprocessors at 1410 MHz) and on Orin (data
/// sheet: 85 TOPS of dense s8 on 16 at 1300 MHz), else for 16 (white paper on AD102, data sheets of A40, L4 and L40S).
/// GeForce cards, the A10G and the L20 take 32 for sums of f32 in 16 cycles' chips (GA102: 71 TFLOP/s; AD102: 165;
/// measured on an RTX 4090: 34). A chip has cards of both kinds: the tables are those of the faster ones. Sparse MMAs
/// do twice as much.
constexpr ChipRow chipRows[] = {
    {"sm_80", 80, 163 * 1024, 64, 32, 64, 32, 8, false, 87}, // A100
    {"sm_86", 86, 99 * 1024, 48, 16, 128, 2, 16, false, 87}, // GeForce 30, A10, A40
    {"sm_87", 87, 163 * 1024, 48, 16, 128, 2, 8, false, 87}, // Orin
    {"sm_88", 88, 99 * 1024, 48, 16, 128, 2, 16, false, 90}, // no device known; capacities: cuda_occupancy.h
    {"sm_89", 89, 99 * 1024, 48, 24, 128, 2, 16, true, 87},  // GeForce 40, L4, L40
};

ChipInfo makeChip(const ChipRow &row) {
  ChipInfo chip{row.name, row.name, row.name, row.ptxVersion, row.capability};
  ChipFeatures &features = chip.features;
  features.ldmatrix = true;
  features.cpAsync = true;
  features.redux = true;
  features.cvtF8x2 = row.hasF8;
  features.enableSmemSpilling = true;
  return chip;
}

/// Rates are multiply-adds that one of the four tensor cores of a multiprocessor retires per cycle.
void addMmaAtoms(std::vector<MmaAtom> &atoms, const ChipRow &row) {
  const unsigned rate16 = 16 * 8 * 16 / row.mmaCycles;
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, rate16 / 2);
  if (row.hasF8)
    addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32", "f16"}, {32, 16}, 2 * rate16);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, 2 * rate16);
  // The only one of f64 before compute capability 9.0.
  atoms.push_back(makeMmaSyncAtom({.a = "f64", .b = "f64", .c = "f64", .m = 8, .n = 8, .k = 4},
                                  /*rate=*/row.f64 / 2));
}

/// The units of one multiprocessor, named as schedules name them. Rates are elements or bytes a cycle: CUDA C++
/// Programming Guide, "Arithmetic Instructions", 8.x. Latencies are in cycles, those of later chips where nobody
/// measured.
std::vector<MachineUnit> makeUnits(const ChipRow &row) {
  using enum WorkKind;
  constexpr uint32_t schedulers = 4;
  return {
      makeIssueUnit("issue", schedulers),
      {"alu", 1, schedulers, {{Integer, 64, 4}, {Narrowing, 128, 4}}},
      {"fma", 1, schedulers, {{Float, row.f32, 4}}},
      {"xu64", 1, schedulers, {{Double, row.f64, 8}}},
      {"xu", 1, schedulers, {{Special, 16, 18}, {Conversion, 16, 18}}},
      makeMemoryPort("lsu", /*shuffleLatency=*/24),
      // The second-level cache: 5120 bytes a cycle for 108 multiprocessors (A100 white paper). Atomics: an estimate.
      {"tp_gnic_rd", 1, 1, {{GlobalRead, 47, 450}}},
      {"tp_gnic_wr", 1, 1, {{GlobalWrite, 47, 8}, {Atomic, 16, 450}}},
      {"mma", 1, schedulers, {{Product}}}, // By atom.
  };
}

MachineModel makeMachine(const ChipRow &row) {
  MachineModel model;
  model.units = makeUnits(row);
  model.sharedMemoryBytes = row.sharedBytes;
  model.staticSharedMemoryBytes = 48 * 1024;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.maxWarpsPerCTA = 32;
  model.maxWarpsPerSM = row.warps;
  model.maxCTAsPerSM = row.blocks;
  return model;
}

std::vector<ChipInfo> makeChips() {
  std::vector<ChipInfo> chips;
  for (const ChipRow &row : chipRows)
    chips.push_back(makeChip(row));
  return chips;
}

ChipDescription describe(const ChipInfo &info) {
  const ChipRow &row = *llvm::find_if(chipRows, [&](const ChipRow &row) { return info.name == row.name; });
  ChipDescription chip;
  chip.info = info;
  chip.machine = makeMachine(row);
  addMmaAtoms(chip.atoms.mma, row);
  addCommonAtoms(chip.atoms, info.features, {.global = 450});
  // Operands in stages take registers for one step only. model: attention with 64 columns by 128x64 on a100-sxm 1423 us
  // with four warps (ptxas: 246 registers, no spills), 2487 us with eight; with 128 columns 1251 and 1955 where shared
  // memory has room for two CTAs with their queries. Else four warps would be alone.
  const bool hasRoom = row.sharedBytes > 160 * 1024;
  chip.tuning.aliveRegisters = hasRoom ? 264 : 240;
  return chip;
}

} // namespace

Sm80Target::Sm80Target() : NvidiaTarget("sm80", makeChips(), describe) {}

FailureOr<MmaCandidates> Sm80Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                       llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.isBlockScaled())
    return refuseBlockScale(/*since=*/100, emitError);
  return DescribedTarget::findMmaCandidates(query, chip, emitError);
}

} // namespace tileiras::sm80
