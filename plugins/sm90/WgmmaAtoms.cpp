//===- WgmmaAtoms.cpp - The shapes and types of wgmma ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <map>
#include <tuple>

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

/// Which of an atom's rows the bits of a row's number are in an operand's tile: any order will do, if rows of the
/// result have the same.
using RowOrder = std::array<int32_t, 6>;

/// A thread's two rows are neighbours: two columns of halves that `ldmatrix.trans` gives of 8-bit elements.
constexpr RowOrder kNeighbours = {2, 4, 8, 1, 16, 32};
/// The eight rows in which the lanes of a warp read words along K lie in different banks: two times four neighbours, 16
/// rows apart, where memory is swizzled over 128 bytes.
constexpr RowOrder kBanks = {1, 2, 16, 4, 8, 32};

static LinearLayout reorderRows(const LinearLayout &fragment, const RowOrder &order) {
  LinearLayout layout(fragment.getOutSizes());
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (LinearLayout::Basis basis : fragment.getBases(dim)) {
      if (basis[0] != 0)
        basis[0] = order[llvm::Log2_32(basis[0])];
      layout.addBasis(dim, basis);
    }
  return layout;
}

enum class PlaceOfA { Shared, Registers, RegistersOfMnMajor };

/// Fragments do not depend on most of what instructions differ in: each is computed once.
class Fragments {
public:
  const LinearLayout &getA(unsigned k, unsigned bits, const RowOrder *order) {
    return get({k, bits, order}, [&] { return makeMmaSyncLayoutA(kRowsOfWarp, k, bits); });
  }
  const LinearLayout &getC(unsigned n, const RowOrder *order) {
    return get({n, 0, order}, [&] { return makeMmaSyncLayoutC(kRowsOfWarp, 8); });
  }

private:
  /// Columns, for A the bits of an element, and an order of rows that is not the instruction's.
  using Key = std::tuple<unsigned, unsigned, const RowOrder *>;

  const LinearLayout &get(const Key &key, llvm::function_ref<LinearLayout()> makeOfWarp) {
    auto [known, isNew] = fragments.try_emplace(key, llvm::ArrayRef<int64_t>());
    if (isNew) {
      auto [columns, bits, order] = key;
      known->second = widenToWarpgroup(makeOfWarp(), columns);
      if (order)
        known->second = reorderRows(known->second, *order);
    }
    return known->second;
  }

  std::map<Key, LinearLayout> fragments;
};

/// One takes n / 2 cycles of all four tensor cores whatever the type, its group 43 cycles longer, 33 with A in
/// registers (arXiv 2402.13499, FlashGPU-Sim).
static MmaAtom makeAtom(llvm::StringRef a, llvm::StringRef b, llvm::StringRef c, unsigned n, PlaceOfA place,
                        Fragments &fragments) {
  const bool isAInRegisters = place != PlaceOfA::Shared, isAMnMajor = place == PlaceOfA::RegistersOfMnMajor;
  MmaAtom atom;
  atom.kind = MmaKind::Warpgroup;
  atom.a = *findPtxElement(a);
  atom.b = *findPtxElement(b);
  atom.c = *findPtxElement(c);
  atom.m = kRows;
  atom.n = n;
  atom.k = 256 / atom.a.bits;
  const std::string shape = ("m64n" + llvm::Twine(n) + "k" + llvm::Twine(atom.k) + "." + c + "." + a + "." + b).str();
  atom.name = "wgmma." + shape + (isAMnMajor ? ".ra.mn" : isAInRegisters ? ".ra" : "");
  atom.instruction = "wgmma.mma_async.sync.aligned." + shape;
  atom.spaceA = isAInRegisters ? MemorySpace::Register : MemorySpace::Shared;
  atom.spaceB = MemorySpace::Shared;
  // Only instructions for elements of 16 bits transpose.
  atom.mnMajorB = atom.b.bits == 16;
  atom.mnMajorA = isAMnMajor || (atom.mnMajorB && !isAInRegisters);
  const RowOrder *order = !isAMnMajor ? nullptr : atom.a.bits == 8 ? &kNeighbours : &kBanks;
  if (isAInRegisters)
    atom.layoutA = fragments.getA(atom.k, atom.a.bits, order);
  atom.layoutC = fragments.getC(n, order);
  atom.warps = atom.tensorCores = 4;
  atom.issueCycles = std::max(n / 2, 19u); // No narrow one is faster than that.
  atom.latencyCycles = (isAInRegisters ? 33 : 43) + n / 2;
  return atom;
}

void addWarpgroupMmaAtoms(std::vector<MmaAtom> &atoms) {
  Fragments fragments;
  auto add = [&](llvm::StringRef a, llvm::StringRef b, llvm::StringRef c) {
    for (PlaceOfA place : {PlaceOfA::Shared, PlaceOfA::Registers, PlaceOfA::RegistersOfMnMajor})
      for (unsigned n : {256, 128, 64, 32, 16, 8})
        if (MmaAtom atom = makeAtom(a, b, c, n, place, fragments);
            place != PlaceOfA::RegistersOfMnMajor || !atom.mnMajorB)
          atoms.push_back(std::move(atom)); // Others read A in memory, however it lies there.
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
