//===- Atoms.h - The hardware operations of a target ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atom is one hardware instruction as the compiler sees it: where its operands live, their shapes, types and
// layouts, and what it costs. Targets list atoms; layout assignment and lowering choose among them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_ATOMS_H
#define TILEIRAS_TARGET_ATOMS_H

#include "tileiras/Layout/LinearLayout.h"
#include <string>
#include <vector>

namespace tileiras {

enum class MemorySpace : uint8_t { Register, Shared, Tensor, Global };
llvm::StringRef stringifyMemorySpace(MemorySpace space);

/// Element types as atoms name them; the spelling is MLIR's ("f16", "f8E4M3FN", "i8").
struct AtomElement {
  std::string type;
  unsigned bits = 0;
  bool isUnsigned = false; ///< integers only
};

/// D = A * B + C on one warp (or warpgroup). Shapes in elements: A is m×k, B is k×n, C and D are m×n.
struct MmaAtom {
  std::string name;        ///< "mma.m16n8k16.f32.f16.f16", the name in the `atom` attribute and in remarks
  std::string instruction; ///< PTX mnemonic with all modifiers
  unsigned m = 0, n = 0, k = 0;
  AtomElement a, b, c;
  MemorySpace spaceA = MemorySpace::Register, spaceB = MemorySpace::Register, spaceC = MemorySpace::Register;
  unsigned warps = 1; ///< warps that execute it together
  /// Register fragments: (register, lane) → coordinates of A (m, k), B (k, n), C (m, n). PTX ISA, "Matrix Fragments
  /// for mma". Empty (rank 0) when the operand is not in registers.
  LinearLayout layoutA, layoutB, layoutC;
  uint32_t issueCycles = 0; ///< cycles the tensor core is busy
  uint32_t latencyCycles = 0;
};

/// A data movement between two memory spaces by one thread, one warp or one engine.
struct CopyAtom {
  std::string name; ///< "ld.global", "ldmatrix.x4", "cp.async.bulk.tensor", …
  MemorySpace source = MemorySpace::Global, destination = MemorySpace::Register;
  unsigned minBytes = 1, maxBytes = 16; ///< moved by each thread (or by the engine) at once
  unsigned alignment = 1;               ///< bytes
  bool asynchronous = false;
  bool collective = false; ///< all lanes of a warp execute it together
  uint32_t latencyCycles = 0;
};

/// A combination of values held by different lanes of a warp.
struct ReduceAtom {
  std::string name; ///< "shfl.bfly", "redux.add.s32", …
  std::string kind; ///< the combiner it implements, "any" for a plain exchange
  std::string type; ///< element type it implements, "any" for any 32-bit value
  uint32_t latencyCycles = 0;
};

struct AtomCatalogue {
  std::vector<MmaAtom> mma;
  std::vector<CopyAtom> copy;
  std::vector<ReduceAtom> reduce;

  const MmaAtom *findMma(llvm::StringRef name) const;
  const CopyAtom *findCopy(llvm::StringRef name) const;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_ATOMS_H
