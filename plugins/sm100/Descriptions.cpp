//===- Descriptions.cpp - What Blackwell chips have -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: PTX ISA 9.0 ("tcgen05", "Warp-level matrix instructions"), CUDA C++ Programming Guide 13.0, "Compute
// Capabilities". Latencies and occupancies are the weights of the scheduler's vocabulary, in cycles; they rank
// alternatives and are not measurements.
//
//===----------------------------------------------------------------------===//

#include "BlackwellTargets.h"
#include "Tcgen05.h"
#include "tileiras/Target/CommonAtoms.h"
#include "tileiras/Target/CommonUnits.h"
#include "tileiras/Target/MmaSync.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;
using namespace tileiras::sm100;

/// What both architectures have. Code is for one chip (its `a` variant) or, where users write `f`, for its family.
static ChipInfo makeChip(unsigned capability, bool isFamily) {
  const std::string name = llvm::formatv("sm_{0}", capability), variant = name + (isFamily ? "f" : "a");
  ChipInfo chip{isFamily ? variant : name, variant, variant, /*ptxVersion=*/90, capability};
  ChipFeatures &features = chip.features;
  features.loadMatrix = features.storeMatrix = true;
  features.asyncCopy = features.tensorCopy = true;
  features.clusters = features.dependentLaunch = features.launchControl = features.registerTransfer = true;
  features.integerRedux = true;
  features.bf16Arithmetic = features.bf16Atomics = true;
  features.fp8Conversions = features.narrowFloatConversions = features.tf32RoundingModes = true;
  features.sharedMemorySpills = true;
  return chip;
}

/// The units of one multiprocessor, named as schedules name them. Rates are elements or bytes a cycle: CUDA C++
/// Programming Guide, "Arithmetic Instructions", 10.0 and 12.0. Latencies are those of the generation before, until
/// somebody measures.
static std::vector<MachineUnit> makeUnits(bool hasTensorMemory, uint32_t fp64) {
  using enum WorkKind;
  constexpr uint32_t schedulers = 4;
  std::vector<MachineUnit> units = {
      makeIssueUnit("issue", schedulers),
      {"alu", 1, schedulers, {{Integer, 64, 4}}},
      {"fma", 1, schedulers, {{Float, 128, 4}}},
      {"xu64", 1, schedulers, {{Double, fp64, 8}}},
      {"xu", 1, schedulers, {{Special, 16, 45}, {Conversion, 16, 45}}},
      makeMemoryPort("lsu", /*shuffleLatency=*/14),
      {"tp_gnic_rd", 1, 1, {{GlobalRead, 34, 400}}},
      {"tp_gnic_wr", 1, 1, {{GlobalWrite, 34, 8}, {Atomic, 16, 400}}},
      {"mma", 1, schedulers, {{Product}}}, // By atom.
      {"tma"},
  };
  if (hasTensorMemory)
    units.push_back({"tmem"});
  return units;
}

/// Capacities: CUDA C++ Programming Guide, "Compute Capabilities".
static MachineModel makeMachine(uint32_t sharedBytes, uint32_t tensorBytes, uint32_t fp64, bool hasManyWarps) {
  MachineModel machine;
  machine.units = makeUnits(tensorBytes != 0, fp64);
  machine.sharedMemoryBytes = sharedBytes;
  machine.staticSharedMemoryBytes = 48 * 1024;
  machine.tensorMemoryBytes = tensorBytes;
  machine.registersPerSM = 65536;
  machine.maxRegistersPerThread = 255;
  machine.maxWarpsPerCTA = 32;
  machine.maxWarpsPerSM = hasManyWarps ? 64 : 48;
  machine.maxCTAsPerSM = hasManyWarps ? 32 : 24;
  return machine;
}

/// mma.sync without a kind, which every chip of the generation has. Multiply-adds that one tensor core retires per
/// cycle: half of what wgmma machines did, a rank, not a measurement.
static void addMmaAtoms(std::vector<MmaAtom> &atoms) {
  constexpr unsigned rate8 = 512, rate16 = 256, rate32 = 128, rate64 = 4;
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, rate16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, rate32);
  addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32", "f16"}, {32, 16}, rate8);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, rate8);
  addMmaSyncAtoms(atoms, {"f64"}, {"f64"}, {"f64"}, {16, 8, 4}, rate64);
}

/// Each chip, and each as the oldest of those of its family that the code is for.
static std::vector<ChipInfo> makeVariants(llvm::ArrayRef<unsigned> capabilities) {
  std::vector<ChipInfo> variants;
  for (unsigned capability : capabilities)
    for (bool isFamily : {false, true})
      variants.push_back(makeChip(capability, isFamily));
  return variants;
}

std::vector<ChipInfo> sm100::listDataCentre() {
  std::vector<ChipInfo> chips = makeVariants({100, 103, 110});
  for (ChipInfo &chip : chips) {
    chip.features.tensorMemory = true;
    chip.features.floatRedux = chip.computeCapability != 110;
  }
  return chips;
}

ChipDescription sm100::describeDataCentre(const ChipInfo &info) {
  ChipDescription chip;
  chip.info = info;
  // 227 KiB of shared memory for one CTA; tensor memory is 512 columns of 128 lanes of 32 bits.
  chip.machine =
      makeMachine(232448, 512 * 128 * 4, info.computeCapability == 100 ? 64 : 2, info.computeCapability != 110);
  addTensorMemoryMmaAtoms(info, chip.atoms.mma);
  addScaledTensorMemoryMmaAtoms(chip.atoms.mma);
  addMmaAtoms(chip.atoms.mma);
  addCommonAtoms(chip.atoms, info.features, {.global = 400});
  using enum MemorySpace;
  auto addCopy = [&](const char *name, MemorySpace from, MemorySpace to, unsigned bytes, unsigned most,
                     bool isLowered) {
    chip.atoms.copy.push_back(
        {name, CopyKind::TensorMemory, from, to, bytes, most, bytes, /*latencyCycles=*/40, isLowered});
  };
  addCopy("tcgen05.ld", Tensor, Register, 4, 512, /*isLowered=*/true);
  addCopy("tcgen05.st", Register, Tensor, 4, 512, /*isLowered=*/true);
  addCopy("tcgen05.cp", Shared, Tensor, 16, 4096, /*isLowered=*/false);
  return chip;
}

/// mma.sync takes scales since these chips. GeForce ones do twice as much with them as without.
static void addBlockScaledMmas(std::vector<MmaAtom> &atoms) {
  constexpr unsigned rate8 = 512, rate4 = 1024;
  for (llvm::StringRef a : {"e4m3", "e5m2"})
    for (llvm::StringRef b : {"e4m3", "e5m2"})
      atoms.push_back(makeBlockScaledMmaAtom({a, b, "mxf8f6f4", "ue8m0", /*k=*/32, /*scaleBlock=*/32}, rate8));
  atoms.push_back(makeBlockScaledMmaAtom({"e2m1", "e2m1", "mxf4", "ue8m0", /*k=*/64, /*scaleBlock=*/32}, rate4));
  atoms.push_back(makeBlockScaledMmaAtom({"e2m1", "e2m1", "mxf4nvf4", "ue4m3", /*k=*/64, /*scaleBlock=*/16}, rate4));
}

std::vector<ChipInfo> sm100::listConsumer() {
  std::vector<ChipInfo> chips = makeVariants({120, 121});
  for (ChipInfo &chip : chips)
    chip.features.blockScaledMma = true;
  return chips;
}

ChipDescription sm100::describeConsumer(const ChipInfo &info) {
  ChipDescription chip;
  chip.info = info;
  // 99 KiB of shared memory for one CTA, no tensor memory.
  chip.machine = makeMachine(101376, 0, 2, /*hasManyWarps=*/false);
  addMmaAtoms(chip.atoms.mma);
  addBlockScaledMmas(chip.atoms.mma);
  chip.atoms.mma.push_back(makeMmaSyncAtom(
      {.a = "e2m1", .b = "e2m1", .c = "f32", .k = 32, .kind = ".kind::f8f6f4", .containerBits = 8}, 512));
  addCommonAtoms(chip.atoms, info.features, {.global = 400});
  return chip;
}
