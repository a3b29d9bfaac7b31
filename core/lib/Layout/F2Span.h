//===- F2Span.h - Gaussian elimination over F2 ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The span of a growing list of bit vectors, with the combination that yields each member.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_LAYOUT_F2SPAN_H
#define TILEIRAS_LIB_LAYOUT_F2SPAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <optional>

namespace tileiras {

/// Vectors are numbered in the order they are offered, from 0 to 63; a vector that depends on earlier ones is left out,
/// so every member of the span is a unique combination of the kept vectors.
class F2Span {
public:
  /// Offers the next vector. True if it is independent of the kept ones and was kept.
  bool insert(uint64_t vector) {
    Row row{vector, uint64_t(1) << numOffered++};
    reduce(row);
    if (!row.vector)
      return false;
    rows.push_back(row);
    return true;
  }

  /// The kept vectors (bit i: the i-th offered) whose XOR is `vector`, if there are such.
  std::optional<uint64_t> solve(uint64_t vector) const {
    Row row{vector, 0};
    reduce(row);
    if (row.vector)
      return std::nullopt;
    return row.combination;
  }

  bool contains(uint64_t vector) const { return solve(vector).has_value(); }
  unsigned getRank() const { return rows.size(); }

private:
  struct Row {
    uint64_t vector;
    uint64_t combination;
  };

  /// Clears the leading bit of each row, in the order the rows were made: no later row has an earlier row's leading
  /// bit.
  void reduce(Row &row) const {
    for (const Row &pivot : rows)
      if (row.vector >> llvm::Log2_64(pivot.vector) & 1) {
        row.vector ^= pivot.vector;
        row.combination ^= pivot.combination;
      }
  }

  llvm::SmallVector<Row, 16> rows;
  unsigned numOffered = 0;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_LAYOUT_F2SPAN_H
