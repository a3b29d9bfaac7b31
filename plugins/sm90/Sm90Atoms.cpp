//===- Sm90Atoms.cpp - The hardware operations of Hopper ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments: PTX ISA 9.7.15, "Matrix multiply-accumulate operation using mma instruction". All shapes follow one
// scheme. Lane 4g + t holds rows g and g + 8 of A (column g of B). A 32-bit register packs e = 32 / bits neighbours
// along K, starting at K = e·t; further registers step along M by 8, then along K by 4e.
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::sm90 {
namespace {

constexpr unsigned M = 0, N = 1; // Dimensions of C; A is (M, K), B is (K, N).

/// Adds the bits of `dim` that step along `outDim` of `layout` by begin, 2·begin, … while below `end`.
void addSteps(LinearLayout &layout, LayoutDim dim, unsigned outDim, int64_t begin, int64_t end) {
  for (int64_t step = begin; step < end; step *= 2) {
    LinearLayout::Basis basis(layout.getRank(), 0);
    basis[outDim] = step;
    layout.addBasis(dim, basis);
  }
}

/// A (or, transposed, B): `rows` × `k`, K packed `e` to a register.
LinearLayout makeOperand(unsigned rows, unsigned k, unsigned e, bool isB) {
  const unsigned row = isB ? 1 : 0, depth = isB ? 0 : 1;
  LinearLayout layout(isB ? llvm::ArrayRef<int64_t>{k, rows} : llvm::ArrayRef<int64_t>{rows, k});
  addSteps(layout, LayoutDim::Register, depth, 1, e);
  addSteps(layout, LayoutDim::Register, row, 8, rows);
  addSteps(layout, LayoutDim::Register, depth, 4 * e, k);
  addSteps(layout, LayoutDim::Lane, depth, e, 4 * e);
  addSteps(layout, LayoutDim::Lane, row, 1, 8);
  return layout;
}

/// C: two neighbours along N in each lane.
LinearLayout makeAccumulator(unsigned m, unsigned n) {
  LinearLayout layout({m, n});
  addSteps(layout, LayoutDim::Register, N, 1, 2);
  addSteps(layout, LayoutDim::Register, M, 8, m);
  addSteps(layout, LayoutDim::Lane, N, 2, 8);
  addSteps(layout, LayoutDim::Lane, M, 1, 8);
  return layout;
}

/// One row of the table: operand types as PTX spells them.
struct MmaRow {
  llvm::StringRef typeA, typeB, typeC;
  unsigned m, k;
};

AtomElement getElement(llvm::StringRef ptxType) {
  static constexpr struct {
    llvm::StringRef ptx, mlir;
    unsigned bits;
    bool isUnsigned;
  } table[] = {{"f16", "f16", 16, false},    {"bf16", "bf16", 16, false}, {"tf32", "tf32", 32, false},
               {"f32", "f32", 32, false},    {"f64", "f64", 64, false},   {"e4m3", "f8E4M3FN", 8, false},
               {"e5m2", "f8E5M2", 8, false}, {"s8", "i8", 8, false},      {"u8", "i8", 8, true},
               {"s32", "i32", 32, false}};
  const auto *entry = llvm::find_if(table, [&](const auto &e) { return e.ptx == ptxType; });
  return {entry->mlir.str(), entry->bits, entry->isUnsigned};
}

/// Multiply-adds that one of the four tensor cores of a multiprocessor retires per cycle (H100 data sheet, dense).
unsigned getRate(unsigned operandBits) {
  switch (operandBits) {
  case 8:
    return 1024;
  case 16:
    return 512;
  case 32:
    return 256;
  default:
    return 32;
  }
}

MmaAtom makeMma(const MmaRow &row) {
  MmaAtom atom;
  atom.m = row.m;
  atom.n = 8;
  atom.k = row.k;
  atom.a = getElement(row.typeA);
  atom.b = getElement(row.typeB);
  atom.c = getElement(row.typeC);
  std::string shape = ("m" + llvm::Twine(row.m) + "n8k" + llvm::Twine(row.k)).str();
  std::string types = ("." + row.typeC + "." + row.typeA + "." + row.typeB).str();
  atom.name = "mma." + shape + types;
  atom.instruction = "mma.sync.aligned." + shape + ".row.col" + types + "." + row.typeC.str();
  const unsigned packed = std::max(1u, 32 / atom.a.bits);
  atom.layoutA = makeOperand(row.m, row.k, packed, /*isB=*/false);
  atom.layoutB = makeOperand(8, row.k, packed, /*isB=*/true);
  atom.layoutC = makeAccumulator(row.m, 8);
  atom.issueCycles = llvm::divideCeil(row.m * 8 * row.k, getRate(atom.a.bits));
  atom.latencyCycles = 24 + 2 * atom.issueCycles;
  return atom;
}

/// Deeper K first: verifyMma takes the first that fits.
void addMmaAtoms(std::vector<MmaAtom> &atoms) {
  auto add = [&](const MmaRow &row) { atoms.push_back(makeMma(row)); };
  for (llvm::StringRef acc : {"f32", "f16"})
    for (unsigned k : {16, 8})
      add({"f16", "f16", acc, 16, k});
  for (unsigned k : {16, 8})
    add({"bf16", "bf16", "f32", 16, k});
  for (unsigned k : {8, 4})
    add({"tf32", "tf32", "f32", 16, k});
  for (llvm::StringRef a : {"e4m3", "e5m2"})
    for (llvm::StringRef b : {"e4m3", "e5m2"})
      for (llvm::StringRef acc : {"f32", "f16"})
        for (unsigned k : {32, 16})
          add({a, b, acc, 16, k});
  for (llvm::StringRef a : {"s8", "u8"})
    for (llvm::StringRef b : {"s8", "u8"})
      for (unsigned k : {32, 16})
        add({a, b, "s32", 16, k});
  for (unsigned k : {16, 8, 4})
    add({"f64", "f64", "f64", 16, k});
}

void addCopyAtoms(std::vector<CopyAtom> &atoms) {
  auto add = [&](llvm::StringRef name, MemorySpace source, MemorySpace destination, unsigned minBytes,
                 unsigned maxBytes, bool collective, uint32_t latency) {
    CopyAtom atom;
    atom.name = name.str();
    atom.source = source;
    atom.destination = destination;
    atom.minBytes = minBytes;
    atom.maxBytes = maxBytes;
    atom.alignment = collective ? 16 : minBytes;
    atom.collective = collective;
    atom.latencyCycles = latency;
    atoms.push_back(std::move(atom));
  };
  using enum MemorySpace;
  add("ld.global", Global, Register, 1, 16, false, 480);
  add("st.global", Register, Global, 1, 16, false, 8);
  add("ld.shared", Shared, Register, 1, 16, false, 29);
  add("st.shared", Register, Shared, 1, 16, false, 8);
  // Each of 1, 2 or 4 matrices gives a lane 4 bytes.
  add("ldmatrix", Shared, Register, 4, 16, true, 33);
  add("ldmatrix.trans", Shared, Register, 4, 16, true, 33);
  add("stmatrix", Register, Shared, 4, 16, true, 16);
  add("stmatrix.trans", Register, Shared, 4, 16, true, 16);
}

void addReduceAtoms(std::vector<ReduceAtom> &atoms) {
  atoms.push_back({"shfl.bfly", "any", "any", 24});
  atoms.push_back({"shfl.up", "any", "any", 24});
  atoms.push_back({"shfl.idx", "any", "any", 24});
  for (llvm::StringRef kind : {"add", "and", "or", "xor", "min", "max", "umin", "umax"})
    atoms.push_back({"redux." + kind.str(), kind.str(), "i32", 12});
}

} // namespace

AtomCatalogue makeAtoms() {
  AtomCatalogue catalogue;
  addMmaAtoms(catalogue.mma);
  addCopyAtoms(catalogue.copy);
  addReduceAtoms(catalogue.reduce);
  return catalogue;
}

} // namespace tileiras::sm90
