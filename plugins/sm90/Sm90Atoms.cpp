//===- Sm90Atoms.cpp - The hardware operations of Hopper ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"
#include "tileiras/Target/CommonAtoms.h"
#include "tileiras/Target/MmaSync.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::sm90 {

/// Multiply-adds that one of the four tensor cores of a multiprocessor retires per cycle. The data sheet's dense rates
/// (1024, 512, 256) are those of wgmma; mma.sync reaches 65 % of them: 2680 of 4096 FLOP a cycle for f16, one m16n8k16
/// every 6.3 cycles (arXiv 2402.13499, 2501.12084). f64: data sheet.
static constexpr unsigned kRate8 = 670, kRate16 = 335, kRate32 = 167, kRate64 = 32;

static void addMmaAtoms(std::vector<MmaAtom> &atoms) {
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {16, 8}, kRate16);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, kRate16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, kRate32);
  addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32", "f16"}, {32, 16}, kRate8);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, kRate8);
  addMmaSyncAtoms(atoms, {"f64"}, {"f64"}, {"f64"}, {16, 8, 4}, kRate64);
}

/// The accumulator of wgmma (PTX ISA, "Register Fragments for wgmma.mma_async.m64nNk16"): each of the four warps has 16
/// rows, as in mma.sync, and all columns.
static LinearLayout makeWarpgroupLayoutC(unsigned n) {
  constexpr unsigned rowsOfWarp = 16, columnsOfLanes = 8;
  const LinearLayout fragment = makeMmaSyncLayoutC(rowsOfWarp, columnsOfLanes);
  LinearLayout layout({64, n});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    for (const LinearLayout::Basis &basis : fragment.getBases(dim))
      layout.addBasis(dim, basis);
  for (int32_t column = columnsOfLanes; column < int32_t(n); column *= 2)
    layout.addBasis(LayoutDim::Register, {0, column});
  for (int32_t row = rowsOfWarp; row < 64; row *= 2)
    layout.addBasis(LayoutDim::Warp, {row, 0});
  return layout;
}

/// wgmma with both operands in shared memory. One takes n / 2 cycles of all four
/// tensor cores whatever the type, its group 43 cycles longer (arXiv 2402.13499, FlashGPU-Sim).
static void addWarpgroupMmaAtoms(std::vector<MmaAtom> &atoms) {
  auto add = [&](llvm::StringRef a, llvm::StringRef b, llvm::StringRef c) {
    for (unsigned n : {256, 128, 64, 32, 16, 8}) {
      MmaAtom atom;
      atom.kind = MmaKind::Warpgroup;
      atom.a = *findPtxElement(a);
      atom.b = *findPtxElement(b);
      atom.c = *findPtxElement(c);
      atom.m = 64;
      atom.n = n;
      atom.k = 256 / atom.a.bits;
      atom.name = llvm::formatv("wgmma.m64n{0}k{1}.{2}.{3}.{4}", n, atom.k, c, a, b);
      atom.instruction = llvm::formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2}.{3}.{4}", n, atom.k, c, a, b);
      atom.spaceA = atom.spaceB = MemorySpace::Shared;
      atom.layoutC = makeWarpgroupLayoutC(n);
      atom.warps = atom.tensorCores = 4;
      atom.issueCycles = std::max(n / 2, 19u); // No narrow one is faster than that.
      atom.latencyCycles = 43 + n / 2;
      atoms.push_back(std::move(atom));
    }
  };
  for (llvm::StringRef accumulator : {"f32", "f16"})
    add("f16", "f16", accumulator);
  add("bf16", "bf16", "f32");
  add("tf32", "tf32", "f32");
  for (llvm::StringRef a : {"e4m3", "e5m2"})
    for (llvm::StringRef b : {"e4m3", "e5m2"})
      for (llvm::StringRef accumulator : {"f32", "f16"})
        add(a, b, accumulator);
  for (llvm::StringRef a : {"s8", "u8"})
    for (llvm::StringRef b : {"s8", "u8"})
      add(a, b, "s32");
}

AtomCatalogue makeAtoms(const ChipFeatures &features) {
  AtomCatalogue catalogue;
  addWarpgroupMmaAtoms(catalogue.mma);
  addMmaAtoms(catalogue.mma);
  addCommonAtoms(catalogue, features);
  return catalogue;
}

} // namespace tileiras::sm90
