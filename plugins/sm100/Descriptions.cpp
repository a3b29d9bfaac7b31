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
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;
using namespace tileiras::sm100;

namespace {

struct ElementPair {
  AtomElement a, b;
  const char *kind; ///< tcgen05 kind or PTX type suffix
};

} // namespace

static const AtomElement f16{"f16", 16}, bf16{"bf16", 16}, tf32{"tf32", 32}, f32{"f32", 32}, i32{"i32", 32};
static const AtomElement e4m3{"f8E4M3FN", 8}, e5m2{"f8E5M2", 8}, e2m1{"f4E2M1FN", 4};
static const AtomElement s8{"i8", 8, false}, u8{"i8", 8, true};

static ChipInfo makeChip(unsigned capability) {
  std::string name = llvm::formatv("sm_{0}", capability).str();
  return {name, name + "a", name + "a", /*ptxVersion=*/90, capability};
}

/// The units that schedulers know by name (alu, xu, lsu, mma, tma, tmem): capacity, busy cycles, latency.
static std::vector<ExecutionUnit> makeUnits(bool hasTensorMemory) {
  std::vector<ExecutionUnit> units = {
      {"alu", 1, 1, 4}, {"xu", 1, 4, 20}, {"lsu", 1, 7, 30}, {"mma", 1, 8, 16}, {"tma", 1, 8, 400}};
  if (hasTensorMemory)
    units.push_back({"tmem", 1, 7, 20});
  return units;
}

static MachineModel makeMachine(uint32_t sharedBytes, uint32_t tensorBytes) {
  MachineModel machine;
  machine.units = makeUnits(tensorBytes != 0);
  machine.sharedMemoryBytes = sharedBytes;
  machine.staticSharedMemoryBytes = 48 * 1024;
  machine.tensorMemoryBytes = tensorBytes;
  machine.registersPerSM = 65536;
  machine.maxRegistersPerThread = 255;
  machine.maxWarpsPerCTA = 32;
  return machine;
}

static std::vector<CopyAtom> makeCopyAtoms() {
  using enum MemorySpace;
  return {
      {"ld.global", Global, Register, 1, 16, 1, false, false, 400},
      {"st.global", Register, Global, 1, 16, 1, false, false, 400},
      {"ld.shared", Shared, Register, 1, 16, 1, false, false, 30},
      {"st.shared", Register, Shared, 1, 16, 1, false, false, 30},
      {"ldmatrix.x4", Shared, Register, 16, 16, 16, false, true, 33},
      {"stmatrix.x4", Register, Shared, 16, 16, 16, false, true, 33},
      {"cp.async", Global, Shared, 4, 16, 4, true, false, 400},
      {"cp.async.bulk.tensor.load", Global, Shared, 16, 1u << 18, 128, true, false, 600},
      {"cp.async.bulk.tensor.store", Shared, Global, 16, 1u << 18, 128, true, false, 600},
  };
}

static std::vector<ReduceAtom> makeReduceAtoms() {
  return {{"shfl.bfly", "any", "any", 24},     {"redux.add.s32", "add", "i32", 12},
          {"redux.min.s32", "min", "i32", 12}, {"redux.max.s32", "max", "i32", 12},
          {"redux.min.f32", "min", "f32", 12}, {"redux.max.f32", "max", "f32", 12}};
}

/// One tcgen05.mma: A and B in shared memory, D in tensor memory; K is always 256 bits of the operands.
static MmaAtom makeTensorMemoryMma(unsigned m, unsigned n, const ElementPair &pair, const AtomElement &accumulator) {
  MmaAtom atom;
  atom.m = m;
  atom.n = n;
  atom.k = 256 / pair.a.bits;
  atom.a = pair.a;
  atom.b = pair.b;
  atom.c = accumulator;
  atom.spaceA = atom.spaceB = MemorySpace::Shared;
  atom.spaceC = MemorySpace::Tensor;
  atom.name = llvm::formatv("tcgen05.{0}.m{1}n{2}k{3}.{4}.{5}{6}.{7}", pair.kind, m, n, atom.k, accumulator.type,
                            pair.a.isUnsigned ? "u" : "", pair.a.type, pair.b.type)
                  .str();
  atom.instruction = llvm::formatv("tcgen05.mma.cta_group::1.kind::{0}", pair.kind).str();
  atom.issueCycles = n / 4;
  atom.latencyCycles = 64 + n / 4;
  return atom;
}

BlackwellDescription sm100::describeDataCentre() {
  BlackwellDescription description;
  description.name = "sm100";
  description.chips = {makeChip(100), makeChip(103), makeChip(110)};
  // 227 KiB of shared memory for one CTA; tensor memory is 512 columns of 128 lanes of 32 bits.
  description.machine = makeMachine(232448, 512 * 128 * 4);
  const ElementPair pairs[] = {{f16, f16, "f16"},      {bf16, bf16, "f16"},    {tf32, tf32, "tf32"},
                               {e4m3, e4m3, "f8f6f4"}, {e5m2, e5m2, "f8f6f4"}, {e4m3, e5m2, "f8f6f4"},
                               {e5m2, e4m3, "f8f6f4"}};
  for (unsigned m : {128u, 64u})
    for (unsigned n : {256u, 128u, 64u, 32u, 16u}) {
      for (const ElementPair &pair : pairs)
        description.atoms.mma.push_back(makeTensorMemoryMma(m, n, pair, f32));
      description.atoms.mma.push_back(makeTensorMemoryMma(m, n, {f16, f16, "f16"}, f16));
    }
  description.atoms.copy = makeCopyAtoms();
  using enum MemorySpace;
  description.atoms.copy.push_back({"tcgen05.ld", Tensor, Register, 4, 512, 4, true, true, 40});
  description.atoms.copy.push_back({"tcgen05.st", Register, Tensor, 4, 512, 4, true, true, 40});
  description.atoms.copy.push_back({"tcgen05.cp", Shared, Tensor, 16, 4096, 16, true, false, 80});
  description.atoms.reduce = makeReduceAtoms();
  return description;
}

/// One mma.sync: all operands in registers. The register fragments come with the lowering.
static MmaAtom makeWarpMma(unsigned k, const ElementPair &pair, const AtomElement &accumulator, const char *types) {
  MmaAtom atom;
  atom.m = 16;
  atom.n = 8;
  atom.k = k;
  atom.a = pair.a;
  atom.b = pair.b;
  atom.c = accumulator;
  atom.name = llvm::formatv("mma.m16n8k{0}.{1}", k, types).str();
  atom.instruction = llvm::formatv("mma.sync.aligned.m16n8k{0}.row.col{1}.{2}", k, pair.kind, types).str();
  atom.issueCycles = 16;
  atom.latencyCycles = 33;
  return atom;
}

BlackwellDescription sm100::describeConsumer() {
  BlackwellDescription description;
  description.name = "sm120";
  description.chips = {makeChip(120), makeChip(121)};
  // 99 KiB of shared memory for one CTA, no tensor memory.
  description.machine = makeMachine(101376, 0);
  description.atoms.mma = {
      makeWarpMma(16, {f16, f16, ""}, f32, "f32.f16.f16.f32"),
      makeWarpMma(16, {f16, f16, ""}, f16, "f16.f16.f16.f16"),
      makeWarpMma(16, {bf16, bf16, ""}, f32, "f32.bf16.bf16.f32"),
      makeWarpMma(8, {tf32, tf32, ""}, f32, "f32.tf32.tf32.f32"),
      makeWarpMma(32, {e4m3, e4m3, ""}, f32, "f32.e4m3.e4m3.f32"),
      makeWarpMma(32, {e5m2, e5m2, ""}, f32, "f32.e5m2.e5m2.f32"),
      makeWarpMma(32, {e2m1, e2m1, ".kind::f8f6f4"}, f32, "f32.e2m1.e2m1.f32"),
      makeWarpMma(32, {s8, s8, ""}, i32, "s32.s8.s8.s32"),
      makeWarpMma(32, {u8, u8, ""}, i32, "s32.u8.u8.s32"),
  };
  description.atoms.copy = makeCopyAtoms();
  description.atoms.reduce = makeReduceAtoms();
  return description;
}
