//===- MmaSync.h - Warp-level matrix products -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `mma.sync` is like wherever it exists: names, and who holds what. PTX ISA, "Matrix multiply-accumulate operation
// using mma instruction". Which shapes and types a chip has is its target's business.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_MMASYNC_H
#define TILEIRAS_NVIDIA_MMASYNC_H

#include "tileiras/Target/Atoms.h"

namespace tileiras {

// Fragments. All shapes follow one scheme: lane 4g + t holds rows g and g + 8 of A (column g of B). A 32-bit register
// packs e = 32 / bits neighbours along K (one where elements are larger), starting at K = e·t; further registers step
// along M by 8, then along K by 4e. C and D have two neighbours along N in each lane, whatever their type.

LinearLayout makeMmaSyncLayoutA(unsigned m, unsigned k, unsigned bits);
LinearLayout makeMmaSyncLayoutB(unsigned k, unsigned n, unsigned bits);
LinearLayout makeMmaSyncLayoutC(unsigned m, unsigned n);

// Elements of a byte that have neighbours along M or N come out of shared memory two of these at a time (LdMatrix.h).
// The instruction does not care which rows it computes: lane 4g + t has rows 2g and 2g + 1 of A then, and columns 2g
// and 2g + 1 of B, one for each of two instructions.
LinearLayout makeMmaSyncLayoutAOfNeighbours(unsigned m, unsigned k, unsigned bits);
LinearLayout makeMmaSyncLayoutBOfNeighbours(unsigned k, unsigned n, unsigned bits); ///< n is that of both instructions
LinearLayout makeMmaSyncLayoutC(unsigned m, unsigned n, bool neighboursOfA, bool neighboursOfB);

// Scales, `blocks` of them along K in the bytes of one register. Of A, lane 4g + t holds those of row g + 8 (t mod 2);
// of B, those of column g. The instruction reads them in one lane of several, whose number is an operand of its own.
LinearLayout makeMmaSyncLayoutScaleA(unsigned blocks);
LinearLayout makeMmaSyncLayoutScaleB(unsigned blocks);

/// The element type that PTX spells `ptxType` ("e4m3", "u8"), or nothing where MLIR has none.
std::optional<AtomElement> findPtxElement(llvm::StringRef ptxType);

/// One mma.sync instruction. Element types as PTX spells them.
struct MmaSyncShape {
  llvm::StringRef a, b, c;
  unsigned m = 16, n = 8, k = 16;
  llvm::StringRef kind = {};  ///< ".kind::f8f6f4", where the instruction has one
  unsigned containerBits = 0; ///< bits of one element of A and B in its register where it is padded, else 0
  bool neighboursOfA = false, neighboursOfB = false; ///< rows and columns in the order of the layouts OfNeighbours
};

/// The atom of `shape` on a tensor core that retires `rate` multiply-adds a cycle. The types must be known.
MmaAtom makeMmaSyncAtom(const MmaSyncShape &shape, unsigned rate);

/// One mma.sync instruction with block scaling, m16n8k32 or m16n8k64.
struct BlockScaledMmaShape {
  llvm::StringRef a, b;  ///< as PTX spells them; the accumulator is f32
  llvm::StringRef kind;  ///< "mxf8f6f4", "mxf4", "mxf4nvf4"
  llvm::StringRef scale; ///< "ue8m0" or "ue4m3"
  unsigned k = 32, scaleBlock = 32;
};
MmaAtom makeBlockScaledMmaAtom(const BlockScaledMmaShape &shape, unsigned rate);

/// Adds m16n8k* atoms for every combination of a type for A, one for B and one for C, those with a deeper K first:
/// candidates of equal cost are tried in the order of the catalogue. Of bytes also those with rows and columns in the
/// order of neighbours.
void addMmaSyncAtoms(std::vector<MmaAtom> &atoms, llvm::ArrayRef<llvm::StringRef> a, llvm::ArrayRef<llvm::StringRef> b,
                     llvm::ArrayRef<llvm::StringRef> c, llvm::ArrayRef<unsigned> depths, unsigned rate);

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_MMASYNC_H
