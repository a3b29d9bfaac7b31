//===- Descriptions.cpp - What Blackwell chips have -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: PTX ISA 9.0 ("tcgen05", "Warp-level matrix instructions"), CUDA C++ Programming Guide 13.0, "Compute
// Capabilities"; figures beside getFigures. Latencies and occupancies are the weights of the scheduler's vocabulary, in
// cycles; they rank alternatives and are not our measurements.
//
//===----------------------------------------------------------------------===//

#include "BlackwellTargets.h"
#include "Tcgen05.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/CommonUnits.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;
using namespace tileiras::sm100;

/// What both architectures have. Code is for one chip (its `a` variant) or, where users write `f`, for its family.
static ChipInfo makeChip(unsigned capability, bool isFamily) {
  const std::string name = llvm::formatv("sm_{0}", capability), variant = name + (isFamily ? "f" : "a");
  ChipInfo chip{isFamily ? variant : name, variant, variant, /*ptxVersion=*/90, capability};
  ChipFeatures &features = chip.features;
  features.ldmatrix = features.stmatrix = true;
  features.cpAsync = features.tma = features.gather4 = true;
  features.cluster = features.griddepcontrol = features.clusterlaunchcontrol = features.setmaxnreg = true;
  features.redux = true;
  features.addBf16 = features.atomAddBf16 = features.redVectors = true;
  features.cvtF8x2 = features.cvtRnTf32 = true;
  features.enableSmemSpilling = true;
  // What ptxas 13.0 makes one instruction of; for the others it takes the PTX and splits it.
  features.f32x2 = capability < 110;
  features.threeInputMinMax = capability < 120;
  return chip;
}

namespace {

/// What chips of the generation differ in. Rates of mma.sync are multiply-adds that one of the four tensor cores
/// retires per cycle: an eighth of the operations that are published for a multiprocessor.
struct ChipFigures {
  uint32_t fp64, special; ///< results of a multiprocessor per cycle
  uint32_t global;        ///< cycles of a load that misses the first-level cache
  struct {
    unsigned f16, f16Short;    ///< of 16-bit floats, into f32 and into f16
    unsigned tf32;             ///< of tf32
    unsigned fp8, fp8Short;    ///< of 8-bit floats, into f32 and into f16
    unsigned integers;         ///< of 8 bits
    unsigned scaled8, scaled4; ///< with scales for blocks, of 8 and of 4 bits; 0: none
  } mma;
};

} // namespace

/// Sources:
///  * fp64: CUDA C++ Programming Guide, "Arithmetic Instructions", 10.0, 10.3 and 12.0.
///  * special: 16, and twice as many on sm_103: arXiv 2603.05451 (FlashAttention-4).
///  * global: 400 as on the generation before; data-centre chips are two dies, and an access to the other one takes
///  some
///    300 more (SemiAnalysis, March 2026): half of the accesses. sm_110 is one die.
///  * mma.sync of data-centre chips: "about half" of tcgen05's 8192 operations of f16 (1024 multiply-adds of a tensor
///    core), twice as many of 8 bits, half as many of tf32. One public note, for a GB300.
///  * mma.sync of chips without tcgen05: an MMA over 32 bytes of K holds its tensor core for 16 cycles, 4-bit ones with
///    scales likewise: an RTX PRO 6000, measured (waynehacking8/blackwell-tensorcore-kernels: 1024 operations of f16).
///    A GeForce takes 32 for sums of f32 without scales: an RTX 5060 Ti of 36 multiprocessors at 2.57 GHz (flashinfer
///    issue 3628, QuantumDrizzy/BLACKWALL), 51 Tflop/s of f16 into f32, 103 into f16, 102 of fp8 into f32, 206 into
///    f16, 202 of mxfp8. The table is that of the faster cards, as on sm_86 and sm_89. Integers: as fp8, an assumption.
static ChipFigures getFigures(unsigned capability) {
  if (capability >= 120)
    return {.fp64 = 2, .special = 16, .global = 400, .mma = {128, 128, 64, 256, 256, 256, 256, 512}};
  return {.fp64 = capability == 100 ? 64u : 2u,
          .special = capability == 103 || capability == 107 ? 32u : 16u,
          .global = capability == 110 ? 400u : 550u,
          .mma = {512, 512, 256, 1024, 1024, 1024, 0, 0}};
}

/// The units of one multiprocessor, named as schedules name them. Rates are elements or bytes a cycle: CUDA C++
/// Programming Guide, "Arithmetic Instructions", 10.0 and 12.0, and `figures`. Other latencies, and the bytes that the
/// second-level cache gives, are those of the generation before, until somebody measures.
static std::vector<MachineUnit> makeUnits(bool hasTensorMemory, const ChipFigures &figures) {
  using enum WorkKind;
  constexpr uint32_t schedulers = 4;
  std::vector<MachineUnit> units = {
      makeIssueUnit("issue", schedulers),
      {"alu", 1, schedulers, {{Integer, 64, 4}}},
      {"fma", 1, schedulers, {{Float, 128, 4}}},
      {"xu64", 1, schedulers, {{Double, figures.fp64, 8}}},
      // Narrowing is not on "alu" as it is on sm_90: not measured here, and schedules of attention depend on it.
      {"xu", 1, schedulers, {{Special, figures.special, 45}, {Conversion, 16, 45}, {Narrowing, 16, 45}}},
      makeMemoryPort("lsu", /*shuffleLatency=*/14),
      {"tp_gnic_rd", 1, 1, {{GlobalRead, 34, figures.global}, {EngineRead, 34, figures.global}}},
      {"tp_gnic_wr", 1, 1, {{GlobalWrite, 34, 8}, {EngineWrite, 34, 8}, {Atomic, 16, figures.global}}},
      {"mma", 1, schedulers, {{Product}}},                    // By atom.
      {"tma", 1, 1, {{EngineRead, 122}, {EngineWrite, 122}}}, // As on sm_90.
  };
  if (hasTensorMemory)
    units.push_back({"tmem"});
  return units;
}

/// Capacities: CUDA C++ Programming Guide, "Compute Capabilities".
static MachineModel makeMachine(uint32_t sharedBytes, bool hasTensorMemory, const ChipFigures &figures,
                                bool hasManyWarps) {
  MachineModel machine;
  machine.units = makeUnits(hasTensorMemory, figures);
  machine.sharedMemoryBytes = sharedBytes;
  machine.staticSharedMemoryBytes = 48 * 1024;
  machine.registersPerSM = 65536;
  machine.maxRegistersPerThread = 255;
  machine.maxWarpsPerCTA = 32;
  machine.maxWarpsPerSM = hasManyWarps ? 64 : 48;
  machine.maxCTAsPerSM = hasManyWarps ? 32 : 24;
  return machine;
}

/// mma.sync without a kind, which every chip of the generation has.
static void addMmaAtoms(std::vector<MmaAtom> &atoms, const ChipFigures &figures) {
  constexpr unsigned rate64 = 4;
  const auto &rates = figures.mma;
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32"}, {16, 8}, rates.f16);
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f16"}, {16, 8}, rates.f16Short);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, rates.f16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, rates.tf32);
  addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32"}, {32, 16}, rates.fp8);
  addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f16"}, {32, 16}, rates.fp8Short);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, rates.integers);
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

/// "Uses the SM103 instruction set" (cuBLASDx 0.8.0, release notes), and is of that family; how it differs besides is
/// not known here. LLVM 22 has no name for it: its code is PTX of the family, which ptxas takes for it since CUDA 13.4.
static ChipInfo makeSm107() {
  ChipInfo chip = makeChip(103, /*isFamily=*/true);
  chip.name = chip.ptxasArch = "sm_107";
  chip.computeCapability = 107;
  return chip;
}

std::vector<ChipInfo> sm100::listDataCentre() {
  std::vector<ChipInfo> chips = makeVariants({100, 103, 110});
  chips.push_back(makeSm107());
  for (ChipInfo &chip : chips) {
    chip.features.tcgen05 = true;
    chip.features.multicast = chip.features.scatter4 = true;
    chip.features.reduxF32 = chip.computeCapability != 110;
  }
  return chips;
}

ChipDescription sm100::describeDataCentre(const ChipInfo &info) {
  ChipDescription chip;
  chip.info = info;
  // 227 KiB of shared memory for one CTA.
  const ChipFigures figures = getFigures(info.computeCapability);
  chip.machine = makeMachine(232448, info.features.tcgen05, figures, /*hasManyWarps=*/info.computeCapability != 110);
  addTensorMemoryMmaAtoms(info, chip.atoms.mma);
  addScaledTensorMemoryMmaAtoms(chip.atoms.mma);
  addMmaAtoms(chip.atoms.mma, figures);
  addCommonAtoms(chip.atoms, info.features, {.global = figures.global});
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

/// mma.sync takes scales since these chips. GeForce cards do twice as much with them as without.
static void addBlockScaledMmas(std::vector<MmaAtom> &atoms, const ChipFigures &figures) {
  const unsigned rate8 = figures.mma.scaled8, rate4 = figures.mma.scaled4;
  for (llvm::StringRef a : {"e4m3", "e5m2"})
    for (llvm::StringRef b : {"e4m3", "e5m2"})
      atoms.push_back(makeBlockScaledMmaAtom({a, b, "mxf8f6f4", "ue8m0", /*k=*/32, /*scaleBlock=*/32}, rate8));
  atoms.push_back(makeBlockScaledMmaAtom({"e2m1", "e2m1", "mxf4", "ue8m0", /*k=*/64, /*scaleBlock=*/32}, rate4));
  atoms.push_back(makeBlockScaledMmaAtom({"e2m1", "e2m1", "mxf4nvf4", "ue4m3", /*k=*/64, /*scaleBlock=*/16}, rate4));
}

std::vector<ChipInfo> sm100::listConsumer() {
  return makeVariants({120, 121});
}

ChipDescription sm100::describeConsumer(const ChipInfo &info) {
  ChipDescription chip;
  chip.info = info;
  // 99 KiB of shared memory for one CTA, no tensor memory.
  const ChipFigures figures = getFigures(info.computeCapability);
  chip.machine = makeMachine(101376, info.features.tcgen05, figures, /*hasManyWarps=*/false);
  addMmaAtoms(chip.atoms.mma, figures);
  addBlockScaledMmas(chip.atoms.mma, figures);
  chip.atoms.mma.push_back(makeMmaSyncAtom(
      {.a = "e2m1", .b = "e2m1", .c = "f32", .k = 32, .kind = ".kind::f8f6f4", .containerBits = 8}, figures.mma.fp8));
  addCommonAtoms(chip.atoms, info.features, {.global = figures.global});
  return chip;
}
