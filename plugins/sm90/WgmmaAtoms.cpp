//===- WgmmaAtoms.cpp - The shapes and types of wgmma ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "tileiras/Target/MmaSync.h"
#include "llvm/ADT/Twine.h"

namespace tileiras::sm90 {

constexpr int64_t kRows = 64, kRowsOfWarp = 16;

/// A fragment of one warp's 16 rows, as in mma.sync, becomes that of the warpgroup's 64: PTX ISA, "Register Fragments
/// for wgmma.mma_async". All columns are each warp's.
static LinearLayout widenToWarpgroup(const LinearLayout &fragment, int64_t columns) {
  LinearLayout layout({kRows, columns});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    for (const LinearLayout::Basis &basis : fragment.getBases(dim))
      layout.addBasis(dim, basis);
  for (int32_t column = fragment.getOutSize(1); column < int32_t(columns); column *= 2)
    layout.addBasis(LayoutDim::Register, {0, column});
  for (int32_t row = kRowsOfWarp; row < int32_t(kRows); row *= 2)
    layout.addBasis(LayoutDim::Warp, {row, 0});
  return layout;
}

/// One takes n / 2 cycles of all four tensor cores whatever the type, its group 43 cycles longer, 33 with A in
/// registers (arXiv 2402.13499, FlashGPU-Sim).
static MmaAtom makeAtom(llvm::StringRef a, llvm::StringRef b, llvm::StringRef c, unsigned n, bool isAInRegisters) {
  MmaAtom atom;
  atom.kind = MmaKind::Warpgroup;
  atom.a = *findPtxElement(a);
  atom.b = *findPtxElement(b);
  atom.c = *findPtxElement(c);
  atom.m = kRows;
  atom.n = n;
  atom.k = 256 / atom.a.bits;
  const std::string shape = ("m64n" + llvm::Twine(n) + "k" + llvm::Twine(atom.k) + "." + c + "." + a + "." + b).str();
  atom.name = "wgmma." + shape + (isAInRegisters ? ".ra" : "");
  atom.instruction = "wgmma.mma_async.sync.aligned." + shape;
  atom.spaceA = isAInRegisters ? MemorySpace::Register : MemorySpace::Shared;
  atom.spaceB = MemorySpace::Shared;
  // Only instructions for elements of 16 bits transpose.
  atom.mnMajorB = atom.b.bits == 16;
  atom.mnMajorA = atom.mnMajorB && !isAInRegisters;
  if (isAInRegisters)
    atom.layoutA = widenToWarpgroup(makeMmaSyncLayoutA(kRowsOfWarp, atom.k, atom.a.bits), atom.k);
  atom.layoutC = widenToWarpgroup(makeMmaSyncLayoutC(kRowsOfWarp, 8), n);
  atom.warps = atom.tensorCores = 4;
  atom.issueCycles = std::max(n / 2, 19u); // No narrow one is faster than that.
  atom.latencyCycles = (isAInRegisters ? 33 : 43) + n / 2;
  return atom;
}

void addWarpgroupMmaAtoms(std::vector<MmaAtom> &atoms) {
  auto add = [&](llvm::StringRef a, llvm::StringRef b, llvm::StringRef c) {
    for (bool isAInRegisters : {false, true})
      for (unsigned n : {256, 128, 64, 32, 16, 8})
        atoms.push_back(makeAtom(a, b, c, n, isAInRegisters));
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

} // namespace tileiras::sm90
