//===- Tcgen05Atoms.cpp - The shapes and types of tcgen05.mma -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes and types: PTX ISA 9.0, "tcgen05.mma". Cycles: one public measurement (GB300) of f16 with 128 rows, 56, 80 and
// 141 for 64, 128 and 256 columns, which max(56, 19 + 0.477 n) fits, and some 90 for .ws with 64 rows; other types take
// as long for as many bytes of K.
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "tileiras/Target/Chip.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::sm100 {

/// Rows of an instruction, and of one that uses both halves of tensor memory for half as many (`.ws`).
constexpr unsigned kRows = IsaLimits::kTensorMemoryLanes, kHalfRows = kRows / 2;

/// What four warps load or store by tcgen05.ld and .st of the shape 32x32b: row 32w + l is lane l's of warp w; of 64
/// rows, the upper two warps have the upper half of the columns.
static LinearLayout makeRowLayout(unsigned rows, unsigned columns) {
  const int32_t ofThread = int32_t(columns * rows / kRows);
  LinearLayout layout({rows, columns});
  for (int32_t column = 1; column < ofThread; column *= 2)
    layout.addBasis(LayoutDim::Register, {0, column});
  for (int32_t row = 1; row < as::kRowsOfQuarter; row *= 2)
    layout.addBasis(LayoutDim::Lane, {row, 0});
  for (int32_t row = as::kRowsOfQuarter; row < int32_t(rows); row *= 2)
    layout.addBasis(LayoutDim::Warp, {row, 0});
  for (int32_t column = ofThread; column < int32_t(columns); column *= 2)
    layout.addBasis(LayoutDim::Warp, {0, column});
  return layout;
}

namespace {
struct Types {
  llvm::StringRef kind, a, b, c;
};
} // namespace

static MmaAtom makeAtom(unsigned m, unsigned n, const Types &types, MemorySpace spaceA) {
  MmaAtom atom;
  atom.kind = MmaKind::TensorMemory;
  atom.a = *findPtxElement(types.a);
  atom.b = *findPtxElement(types.b);
  atom.c = *findPtxElement(types.c);
  atom.m = m;
  atom.n = n;
  atom.k = 256 / atom.a.bits;
  atom.spaceA = spaceA;
  atom.spaceB = MemorySpace::Shared;
  atom.spaceC = MemorySpace::Tensor;
  // Of 32 bits, what is contiguous along M or N takes a swizzle of its own.
  atom.mnMajorB = atom.a.bits == 16;
  if (spaceA == MemorySpace::Shared)
    atom.mnMajorA = atom.mnMajorB;
  atom.layoutC = makeRowLayout(m, n);
  atom.warps = as::kTensorMemoryQuarters;
  atom.name = llvm::formatv("tcgen05.{0}.m{1}n{2}k{3}.{4}.{5}.{6}{7}", types.kind, m, n, atom.k, types.c, types.a,
                            types.b, spaceA == MemorySpace::Tensor ? ".ta" : "");
  atom.instruction = llvm::formatv("tcgen05.mma{0}.cta_group::1.kind::{1}", m == kHalfRows ? ".ws" : "", types.kind);
  atom.tensorCores = 4;
  atom.issueCycles = m == kHalfRows ? 90 : std::max(56u, 19 + n * 61 / 128);
  atom.latencyCycles = 64 + atom.issueCycles;
  return atom;
}

/// Accumulators of f32 and scales in tensor memory. Cycles: four bits take half as long as eight.
static MmaAtom makeScaledAtom(unsigned n, llvm::StringRef kind, llvm::StringRef a, llvm::StringRef b,
                              llvm::StringRef scale, unsigned block) {
  MmaAtom atom = makeAtom(kRows, n, {kind, a, b, "f32"}, MemorySpace::Shared);
  atom.mnMajorA = atom.mnMajorB = false;
  atom.scale = *findPtxElement(scale);
  atom.scaleBlock = block;
  atom.name += llvm::formatv(".{0}x{1}", scale, block);
  atom.instruction += llvm::formatv(".block_scale.block{0}", block);
  return atom;
}

void addScaledTensorMemoryMmaAtoms(std::vector<MmaAtom> &atoms) {
  for (unsigned n : {256u, 128u, 64u, 32u, 16u, 8u}) {
    for (llvm::StringRef a : {"e4m3", "e5m2"})
      for (llvm::StringRef b : {"e4m3", "e5m2"})
        atoms.push_back(makeScaledAtom(n, "mxf8f6f4", a, b, "ue8m0", /*block=*/32));
    atoms.push_back(makeScaledAtom(n, "mxf4", "e2m1", "e2m1", "ue8m0", /*block=*/32));
    atoms.push_back(makeScaledAtom(n, "mxf4nvf4", "e2m1", "e2m1", "ue4m3", /*block=*/16));
  }
}

/// Integers: those of the architecture-specific sm_100a and sm_110a only.
static bool hasIntegers(const ChipInfo &chip) {
  return llvm::StringRef(chip.ptxasArch).ends_with("a") &&
         (chip.computeCapability == 100 || chip.computeCapability == 110);
}

void addTensorMemoryMmaAtoms(const ChipInfo &chip, std::vector<MmaAtom> &atoms) {
  auto add = [&](const Types &types) {
    for (MemorySpace spaceA : {MemorySpace::Shared, MemorySpace::Tensor})
      for (unsigned n : {256u, 128u, 64u, 32u, 16u})
        atoms.push_back(makeAtom(kRows, n, types, spaceA));
    for (unsigned n : {256u, 128u, 64u})
      atoms.push_back(makeAtom(kHalfRows, n, types, MemorySpace::Shared));
  };
  add({"f16", "f16", "f16", "f32"});
  add({"f16", "f16", "f16", "f16"});
  add({"f16", "bf16", "bf16", "f32"});
  add({"tf32", "tf32", "tf32", "f32"});
  for (llvm::StringRef a : {"e4m3", "e5m2"})
    for (llvm::StringRef b : {"e4m3", "e5m2"})
      for (llvm::StringRef c : {"f32", "f16"})
        add({"f8f6f4", a, b, c});
  if (!hasIntegers(chip))
    return;
  for (llvm::StringRef a : {"s8", "u8"})
    for (llvm::StringRef b : {"s8", "u8"})
      add({"i8", a, b, "s32"});
}

} // namespace tileiras::sm100
