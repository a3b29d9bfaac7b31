//===- Target.cpp - A GPU back end ----------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/Target.h"

using namespace tileiras;

Target::~Target() = default;

const ChipInfo *Target::findChip(llvm::StringRef name) const {
  if (name.size() > 1 && (name.ends_with("a") || name.ends_with("f")))
    name = name.drop_back();
  for (const ChipInfo &chip : chips())
    if (chip.name == name)
      return &chip;
  return nullptr;
}

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
