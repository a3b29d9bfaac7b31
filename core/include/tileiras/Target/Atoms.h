//===- Atoms.h - The hardware operations of a chip --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atom is one hardware instruction as the compiler sees it: where its operands live, their shapes, types and
// layouts, and what it costs. Targets list the atoms of each chip; layout assignment and lowering choose among them by
// kind. Names are for the `atom` attribute and for people: nobody takes them apart.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_ATOMS_H
#define TILEIRAS_TARGET_ATOMS_H

#include "mlir/IR/Types.h"
#include "tileiras/Layout/LinearLayout.h"
#include <string>
#include <vector>

namespace tileiras {

enum class MemorySpace : uint8_t { Register, Shared, Tensor, Global };
llvm::StringRef stringifyMemorySpace(MemorySpace space);

/// Element types as atoms name them; the spelling is MLIR's ("f16", "f8E4M3FN", "i8").
struct AtomElement {
  std::string type;
  unsigned bits = 0;       ///< that an element takes in the atom's operand, padding included
  bool isUnsigned = false; ///< integers only

  /// Is this `type`, read as an unsigned integer if `isUnsigned`?
  bool matches(mlir::Type type, bool isUnsigned = false) const;
};

enum class MmaKind : uint8_t {
  Warp,            ///< mma.sync: all operands in the registers of one warp
  WarpBlockScaled, ///< mma.sync with .block_scale
  Warpgroup,       ///< wgmma: B, and A if it likes, in shared memory; four warps hold the accumulator
  TensorMemory,    ///< tcgen05.mma: the accumulator in tensor memory; one thread starts it
};
llvm::StringRef stringifyMmaKind(MmaKind kind);

/// D = A * B + C. Shapes in elements: A is m×k, B is k×n, C and D are m×n.
struct MmaAtom {
  std::string name;        ///< "mma.m16n8k16.f32.f16.f16", the name in the `atom` attribute and in remarks
  std::string instruction; ///< PTX mnemonic with all modifiers
  MmaKind kind = MmaKind::Warp;
  /// Whether code can be made of it, by the core or by the target's own patterns. Atoms without are known, listed among
  /// the candidates of a product, and refused in programs.
  bool hasLowering = true;
  unsigned m = 0, n = 0, k = 0;
  AtomElement a, b, c;
  MemorySpace spaceA = MemorySpace::Register, spaceB = MemorySpace::Register, spaceC = MemorySpace::Register;
  /// Operands in shared memory may have M or N contiguous; K always. Operands in registers have the fragments of one of
  /// the two: those that come quickly out of memory in which M or N is contiguous, or the others.
  bool mnMajorA = false, mnMajorB = false;
  /// PTX instructions that it is, one after the other along N; of the registers of B and C each has an equal part.
  unsigned instructions = 1;
  unsigned warps = 1; ///< warps that execute it together
  /// Block scaling only: the type of the scales, and how many elements along K share one.
  AtomElement scale;
  unsigned scaleBlock = 0;
  /// Register fragments: (register, lane, and warp if there are several) → coordinates of A (m, k), B (k, n), C (m, n).
  /// PTX ISA, "Matrix Fragments for mma". Empty (rank 0) when the operand is not in registers.
  LinearLayout layoutA, layoutB, layoutC;
  LinearLayout layoutScaleA, layoutScaleB; ///< likewise of the scales, (m, k / scaleBlock) and (k / scaleBlock, n)
  unsigned tensorCores = 1;                ///< of a multiprocessor that work on it
  uint32_t issueCycles = 0;                ///< cycles each of them is busy
  uint32_t latencyCycles = 0;

  /// Every operand is in the registers of one warp.
  bool isHeldByOneWarp() const;
  /// 32-bit registers of a thread that hold one accumulator.
  unsigned getAccumulatorRegisters() const { return m * n * c.bits / 32 / (32 * warps); }
};

enum class CopyKind : uint8_t {
  Plain,        ///< ld and st: by each thread for itself
  Matrix,       ///< ldmatrix and stmatrix: by all lanes of a warp together
  Async,        ///< cp.async: by each thread, in the background
  Bulk,         ///< cp.async.bulk: by an engine, neighbouring bytes
  Tensor,       ///< cp.async.bulk.tensor: by an engine, a box of a tensor
  TensorMemory, ///< tcgen05.ld, .st, .cp
};
llvm::StringRef stringifyCopyKind(CopyKind kind);

/// A data movement between two memory spaces by one thread, one warp or one engine.
struct CopyAtom {
  std::string name; ///< "ld.global", "ldmatrix", "tma_load", …: as operations name it
  CopyKind kind = CopyKind::Plain;
  MemorySpace source = MemorySpace::Global, destination = MemorySpace::Register;
  unsigned minBytes = 1, maxBytes = 16; ///< moved by each thread (or by the engine) at once
  unsigned alignment = 1;               ///< bytes
  uint32_t latencyCycles = 0;
  bool hasLowering = true; ///< as in MmaAtom

  /// The data has not arrived when the instruction is over.
  bool isAsynchronous() const { return kind != CopyKind::Plain && kind != CopyKind::Matrix; }
};

enum class ReduceKind : uint8_t {
  Shuffle, ///< shfl.sync: an exchange, good for any combiner
  Redux,   ///< redux.sync: one combiner, every lane gets the total
};

/// A combination of values held by different lanes of a warp.
struct ReduceAtom {
  std::string name; ///< "shfl.bfly", "redux.add.s32", …
  ReduceKind kind = ReduceKind::Shuffle;
  std::string combiner; ///< "add", "and", "or", "xor", "min", "max", "umin", "umax"; "any" for a plain exchange
  std::string type;     ///< element type it implements, "any" for any 32-bit value
  uint32_t latencyCycles = 0;
};

struct AtomCatalogue {
  std::vector<MmaAtom> mma;
  std::vector<CopyAtom> copy;
  std::vector<ReduceAtom> reduce;

  const MmaAtom *findMma(llvm::StringRef name) const;
  const CopyAtom *findCopy(llvm::StringRef name) const;
  const ReduceAtom *findReduce(llvm::StringRef name) const;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_ATOMS_H
