//===- IntTuple.h - Trees of integers --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The hierarchical tuples that CuTe layouts have for shape and stride: an integer, or a list of tuples.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_INTTUPLE_H
#define TILEIRAS_LAYOUT_INTTUPLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tileiras {

class IntTuple {
public:
  IntTuple(int64_t value = 0) : value(value) {}
  IntTuple(std::initializer_list<IntTuple> elements) : elements(elements), leaf(false) {}
  explicit IntTuple(std::vector<IntTuple> elements) : elements(std::move(elements)), leaf(false) {}

  bool isLeaf() const { return leaf; }
  int64_t getValue() const {
    assert(leaf && "only a leaf is an integer");
    return value;
  }
  /// The modes at the top: the elements of a list; a leaf is its own only mode.
  unsigned getRank() const { return leaf ? 1 : elements.size(); }
  const IntTuple &getMode(unsigned i) const {
    assert(i < getRank());
    return leaf ? *this : elements[i];
  }
  unsigned getDepth() const;
  /// The leaves from left to right.
  llvm::SmallVector<int64_t> flatten() const;
  /// The product of the leaves.
  int64_t getProduct() const;
  /// The same tree, whatever the values.
  bool isCongruent(const IntTuple &other) const;

  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }
  /// `16`, `(16,(8,2))`, `(4)`.
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<IntTuple> elements;
  int64_t value = 0;
  bool leaf = true;
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const IntTuple &tuple) {
  tuple.print(os);
  return os;
}

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_INTTUPLE_H
