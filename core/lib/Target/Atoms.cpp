//===- Atoms.cpp - The hardware operations of a chip ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/Atoms.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

llvm::StringRef tileiras::stringifyMemorySpace(MemorySpace space) {
  switch (space) {
  case MemorySpace::Register:
    return "register";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Tensor:
    return "tensor";
  case MemorySpace::Global:
    return "global";
  }
  return "unknown";
}

llvm::StringRef tileiras::stringifyMmaKind(MmaKind kind) {
  switch (kind) {
  case MmaKind::Warp:
    return "warp";
  case MmaKind::WarpBlockScaled:
    return "block-scaled warp";
  case MmaKind::Warpgroup:
    return "warpgroup";
  case MmaKind::TensorMemory:
    return "tensor memory";
  }
  return "unknown";
}

llvm::StringRef tileiras::stringifyCopyKind(CopyKind kind) {
  switch (kind) {
  case CopyKind::Plain:
    return "plain";
  case CopyKind::Matrix:
    return "matrix";
  case CopyKind::Async:
    return "asynchronous";
  case CopyKind::Bulk:
    return "bulk";
  case CopyKind::Tensor:
    return "tensor";
  case CopyKind::TensorMemory:
    return "tensor memory";
  }
  return "unknown";
}

bool AtomElement::matches(mlir::Type wanted, bool wantedUnsigned) const {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(wanted))
    return integer.isSignless() && type == "i" + std::to_string(integer.getWidth()) && isUnsigned == wantedUnsigned;
  // What floating-point types print as; printing a type takes as long as a small pass.
  llvm::StringRef name = wanted.getAbstractType().getName();
  return name.consume_front("builtin.") && name == type;
}

bool MmaAtom::isHeldByOneWarp() const {
  return warps == 1 && llvm::all_of(llvm::ArrayRef{spaceA, spaceB, spaceC},
                                    [](MemorySpace space) { return space == MemorySpace::Register; });
}

template <typename Atom>
static const Atom *findByName(const std::vector<Atom> &atoms, llvm::StringRef name) {
  auto it = llvm::find_if(atoms, [&](const Atom &atom) { return atom.name == name; });
  return it == atoms.end() ? nullptr : &*it;
}

const MmaAtom *AtomCatalogue::findMma(llvm::StringRef name) const {
  return findByName(mma, name);
}
const CopyAtom *AtomCatalogue::findCopy(llvm::StringRef name) const {
  return findByName(copy, name);
}
const ReduceAtom *AtomCatalogue::findReduce(llvm::StringRef name) const {
  return findByName(reduce, name);
}
