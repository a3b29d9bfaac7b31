//===- FragmentWords.h - The registers of matrix operands -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_FRAGMENTWORDS_H
#define TILEIRAS_LOWERING_FRAGMENTWORDS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// One operand in the registers of an instruction: 32-bit words, or f64 values.
class FragmentWords {
public:
  /// `vector` holds the fragments one after the other, `fragmentSize` elements each, of `elementBits` in the fragment.
  FragmentWords(Emitter &emit, mlir::Value vector, unsigned fragmentSize, unsigned elementBits);

  llvm::MutableArrayRef<mlir::Value> getWords() { return words; }
  llvm::ArrayRef<mlir::Value> getFragment(unsigned index) const {
    return llvm::ArrayRef(words).slice(index * perFragment, perFragment);
  }
  unsigned getNumFragments() const { return words.size() / perFragment; }

private:
  llvm::SmallVector<mlir::Value> packParts(mlir::Value vector, unsigned bits, unsigned count);

  Emitter &emit;
  llvm::SmallVector<mlir::Value> words;
  unsigned perFragment;
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_FRAGMENTWORDS_H
