//===- MmaSync.cpp - Warp-level matrix products --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/MmaSync.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {

/// Adds the bits of `dim` that step along `outDim` of `layout` by begin, 2·begin, … while below `end`.
static void addSteps(LinearLayout &layout, LayoutDim dim, unsigned outDim, int64_t begin, int64_t end) {
  for (int64_t step = begin; step < end; step *= 2) {
    LinearLayout::Basis basis(layout.getRank(), 0);
    basis[outDim] = step;
    layout.addBasis(dim, basis);
  }
}

/// `row` is the dimension of `layout` that is not K, `depth` is K.
static LinearLayout makeOperand(LinearLayout layout, unsigned row, unsigned depth, unsigned bits) {
  const int64_t packed = std::max(1u, 32 / bits); // elements in a register
  addSteps(layout, LayoutDim::Register, depth, 1, packed);
  addSteps(layout, LayoutDim::Register, row, 8, layout.getOutSize(row));
  addSteps(layout, LayoutDim::Register, depth, 4 * packed, layout.getOutSize(depth));
  addSteps(layout, LayoutDim::Lane, depth, packed, 4 * packed);
  addSteps(layout, LayoutDim::Lane, row, 1, 8);
  return layout;
}

LinearLayout makeMmaSyncLayoutA(unsigned m, unsigned k, unsigned bits) {
  return makeOperand(LinearLayout({m, k}), 0, 1, bits);
}

LinearLayout makeMmaSyncLayoutB(unsigned k, unsigned n, unsigned bits) {
  return makeOperand(LinearLayout({k, n}), 1, 0, bits);
}

LinearLayout makeMmaSyncLayoutC(unsigned m, unsigned n) {
  return makeMmaSyncLayoutC(m, n, /*neighboursOfA=*/false, /*neighboursOfB=*/false);
}

/// The same, but lanes have two rows that are neighbours; `ofTwo`: of two instructions.
static LinearLayout makeOperandOfNeighbours(LinearLayout layout, unsigned row, unsigned depth, unsigned bits,
                                            bool ofTwo) {
  const int64_t packed = std::max(1u, 32 / bits), rows = layout.getOutSize(row);
  assert(rows == 16 && "a lane has two rows");
  addSteps(layout, LayoutDim::Register, depth, 1, packed);
  if (!ofTwo)
    addSteps(layout, LayoutDim::Register, row, 1, 2);
  addSteps(layout, LayoutDim::Register, depth, 4 * packed, layout.getOutSize(depth));
  if (ofTwo)
    addSteps(layout, LayoutDim::Register, row, 1, 2);
  addSteps(layout, LayoutDim::Lane, depth, packed, 4 * packed);
  addSteps(layout, LayoutDim::Lane, row, 2, rows);
  return layout;
}

LinearLayout makeMmaSyncLayoutAOfNeighbours(unsigned m, unsigned k, unsigned bits) {
  return makeOperandOfNeighbours(LinearLayout({m, k}), 0, 1, bits, /*ofTwo=*/false);
}

LinearLayout makeMmaSyncLayoutBOfNeighbours(unsigned k, unsigned n, unsigned bits) {
  return makeOperandOfNeighbours(LinearLayout({k, n}), 1, 0, bits, /*ofTwo=*/true);
}

LinearLayout makeMmaSyncLayoutC(unsigned m, unsigned n, bool neighboursOfA, bool neighboursOfB) {
  constexpr unsigned row = 0, column = 1;
  const int64_t firstColumn = neighboursOfB ? 2 : 1, firstRow = neighboursOfA ? 2 : 1;
  LinearLayout layout({m, n});
  addSteps(layout, LayoutDim::Register, column, firstColumn, 2 * firstColumn);
  addSteps(layout, LayoutDim::Register, row, neighboursOfA ? 1 : 8, neighboursOfA ? 2 : m);
  if (neighboursOfB)
    addSteps(layout, LayoutDim::Register, column, 1, 2);
  addSteps(layout, LayoutDim::Lane, column, 2 * firstColumn, 8 * firstColumn);
  addSteps(layout, LayoutDim::Lane, row, firstRow, 8 * firstRow);
  return layout;
}

/// `steps`: of the lower two bits of the lane.
static LinearLayout makeScales(LinearLayout layout, unsigned row, unsigned depth, llvm::ArrayRef<int64_t> steps) {
  addSteps(layout, LayoutDim::Register, depth, 1, layout.getOutSize(depth));
  for (int64_t step : steps) {
    LinearLayout::Basis basis(layout.getRank(), 0);
    basis[row] = step;
    layout.addBasis(LayoutDim::Lane, basis);
  }
  addSteps(layout, LayoutDim::Lane, row, 1, 8);
  return layout;
}

LinearLayout makeMmaSyncLayoutScaleA(unsigned blocks) {
  return makeScales(LinearLayout({16, blocks}), 0, 1, {8, 0});
}

LinearLayout makeMmaSyncLayoutScaleB(unsigned blocks) {
  return makeScales(LinearLayout({blocks, 8}), 1, 0, {0, 0});
}

std::optional<AtomElement> findPtxElement(llvm::StringRef ptxType) {
  static constexpr struct {
    llvm::StringRef ptx, mlir;
    unsigned bits;
    bool isUnsigned;
  } table[] = {
      {"f16", "f16", 16, false},        {"bf16", "bf16", 16, false},
      {"tf32", "tf32", 32, false},      {"f32", "f32", 32, false},
      {"f64", "f64", 64, false},        {"e4m3", "f8E4M3FN", 8, false},
      {"e5m2", "f8E5M2", 8, false},     {"e3m2", "f6E3M2FN", 6, false},
      {"e2m3", "f6E2M3FN", 6, false},   {"e2m1", "f4E2M1FN", 4, false},
      {"ue8m0", "f8E8M0FNU", 8, false}, {"ue4m3", "f8E4M3FN", 8, false},
      {"s8", "i8", 8, false},           {"u8", "i8", 8, true},
      {"s4", "i4", 4, false},           {"u4", "i4", 4, true},
      {"s32", "i32", 32, false},
  };
  const auto *entry = llvm::find_if(table, [&](const auto &e) { return e.ptx == ptxType; });
  if (entry == std::end(table))
    return std::nullopt;
  return AtomElement{entry->mlir.str(), entry->bits, entry->isUnsigned};
}

MmaAtom makeMmaSyncAtom(const MmaSyncShape &shape, unsigned rate) {
  MmaAtom atom;
  atom.m = shape.m;
  atom.n = shape.n;
  atom.k = shape.k;
  atom.a = *findPtxElement(shape.a);
  atom.b = *findPtxElement(shape.b);
  atom.c = *findPtxElement(shape.c);
  if (shape.containerBits != 0)
    atom.a.bits = atom.b.bits = shape.containerBits;
  const std::string extents = llvm::formatv("m{0}n{1}k{2}", shape.m, shape.n, shape.k);
  atom.name = llvm::formatv("mma.{0}.{1}.{2}.{3}", extents, shape.c, shape.a, shape.b);
  atom.instruction =
      llvm::formatv("mma.sync.aligned.{0}.row.col{1}.{2}.{3}.{4}.{2}", extents, shape.kind, shape.c, shape.a, shape.b);
  atom.mnMajorA = shape.neighboursOfA;
  atom.mnMajorB = shape.neighboursOfB;
  if (shape.neighboursOfB)
    atom.n *= atom.instructions = 2;
  if (shape.neighboursOfA || shape.neighboursOfB)
    atom.name += llvm::formatv("{0}{1}", shape.neighboursOfA ? ".am" : "", shape.neighboursOfB ? ".bn" : "");
  atom.layoutA = shape.neighboursOfA ? makeMmaSyncLayoutAOfNeighbours(atom.m, atom.k, atom.a.bits)
                                     : makeMmaSyncLayoutA(atom.m, atom.k, atom.a.bits);
  atom.layoutB = shape.neighboursOfB ? makeMmaSyncLayoutBOfNeighbours(atom.k, atom.n, atom.b.bits)
                                     : makeMmaSyncLayoutB(atom.k, atom.n, atom.b.bits);
  atom.layoutC = makeMmaSyncLayoutC(atom.m, atom.n, shape.neighboursOfA, shape.neighboursOfB);
  atom.issueCycles = llvm::divideCeil(atom.m * atom.n * atom.k, rate);
  atom.latencyCycles = 24 + atom.issueCycles;
  return atom;
}

MmaAtom makeBlockScaledMmaAtom(const BlockScaledMmaShape &shape, unsigned rate) {
  const unsigned blocks = shape.k / shape.scaleBlock;
  const std::string kind = llvm::formatv(".kind::{0}.block_scale.scale_vec::{1}X", shape.kind, blocks);
  MmaAtom atom = makeMmaSyncAtom({.a = shape.a, .b = shape.b, .c = "f32", .k = shape.k, .kind = kind}, rate);
  atom.kind = MmaKind::WarpBlockScaled;
  atom.scale = *findPtxElement(shape.scale);
  atom.scaleBlock = shape.scaleBlock;
  atom.layoutScaleA = makeMmaSyncLayoutScaleA(blocks);
  atom.layoutScaleB = makeMmaSyncLayoutScaleB(blocks);
  atom.name += llvm::formatv(".{0}x{1}", shape.scale, shape.scaleBlock);
  atom.instruction += llvm::formatv(".{0}", shape.scale);
  return atom;
}

static bool multipliesBytes(const MmaSyncShape &shape) {
  return findPtxElement(shape.a)->bits == 8 && findPtxElement(shape.b)->bits == 8;
}

void addMmaSyncAtoms(std::vector<MmaAtom> &atoms, llvm::ArrayRef<llvm::StringRef> a, llvm::ArrayRef<llvm::StringRef> b,
                     llvm::ArrayRef<llvm::StringRef> c, llvm::ArrayRef<unsigned> depths, unsigned rate) {
  llvm::SmallVector<unsigned> sorted(depths);
  llvm::sort(sorted, std::greater<>());
  for (llvm::StringRef typeA : a)
    for (llvm::StringRef typeB : b)
      for (llvm::StringRef typeC : c)
        for (unsigned k : sorted)
          for (auto [ofA, ofB] : {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
            MmaSyncShape shape = {.a = typeA, .b = typeB, .c = typeC, .k = k};
            shape.neighboursOfA = ofA;
            shape.neighboursOfB = ofB;
            if (multipliesBytes(shape) || !(ofA || ofB))
              atoms.push_back(makeMmaSyncAtom(shape, rate));
          }
}

} // namespace tileiras
