//===- IntTuple.cpp - Trees of integers -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/IntTuple.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tileiras;

unsigned IntTuple::getDepth() const {
  if (leaf)
    return 0;
  unsigned depth = 0;
  for (const IntTuple &element : elements)
    depth = std::max(depth, element.getDepth());
  return depth + 1;
}

llvm::SmallVector<int64_t> IntTuple::flatten() const {
  if (leaf)
    return {value};
  llvm::SmallVector<int64_t> leaves;
  for (const IntTuple &element : elements)
    llvm::append_range(leaves, element.flatten());
  return leaves;
}

int64_t IntTuple::getProduct() const {
  int64_t product = 1;
  for (int64_t factor : flatten())
    product *= factor;
  return product;
}

bool IntTuple::isCongruent(const IntTuple &other) const {
  if (leaf || other.leaf)
    return leaf == other.leaf;
  return elements.size() == other.elements.size() && llvm::all_of(llvm::zip(elements, other.elements), [](auto pair) {
           return std::get<0>(pair).isCongruent(std::get<1>(pair));
         });
}

bool IntTuple::operator==(const IntTuple &other) const {
  return leaf == other.leaf && (leaf ? value == other.value : elements == other.elements);
}

void IntTuple::print(llvm::raw_ostream &os) const {
  if (leaf) {
    os << value;
    return;
  }
  os << '(';
  llvm::interleave(elements, os, ",");
  os << ')';
}
