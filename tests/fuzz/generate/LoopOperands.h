//===- LoopOperands.h - Matrices whose tiles a loop reads and writes --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_LOOPOPERANDS_H
#define TILEIRAS_FUZZ_LOOPOPERANDS_H

#include "Memory.h"

namespace tileiras::fuzz {

/// A matrix as the loop thinks of it, whatever its order in memory.
struct MatrixRequest {
  Element stored, used;        ///< in memory, and in registers after a conversion
  int64_t rows, columns;       ///< of a tile
  int64_t allRows, allColumns; ///< of the matrix
  Need need;                   ///< of its elements
  bool isTidy = false;         ///< as tensor copies want it, and the program says so; loads do not forbid them
};

/// A view of a matrix in memory.
struct LoopMatrix {
  std::string view, type;
  Type loaded;       ///< a tile as the view gives it
  Type used;         ///< rows × columns, converted
  Facts facts;       ///< of a tile's elements, converted
  bool isTransposed; ///< `loaded` has columns × rows
  bool isStacked;    ///< a leading dimension of size 1 in `loaded`; the matrix is one of several
  bool isTidy;       ///< see MatrixRequest
};

/// A new buffer with a matrix that is read: dense or with gaps, in either order, with what is promised of addresses and
/// strides or without.
LoopMatrix makeLoopMatrix(ProgramBuilder &builder, const MatrixRequest &request);
/// The tile at a position, converted. `token`: what the load comes after; its own token afterwards. Empty: neither.
Value loadTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &row, const Value &column,
               std::string *token = nullptr);
/// How many tiles the matrix has along the loop's rows (0) or columns (1), as the program asks for it.
Value countTiles(ProgramBuilder &builder, const LoopMatrix &matrix, unsigned dim, int64_t count);

/// A new buffer of results, allRows × allColumns, `fill` in each byte. `alias`: the same by another parameter.
LoopMatrix makeResultMatrix(ProgramBuilder &builder, const MatrixRequest &request, uint8_t fill = kUntouched,
                            LoopMatrix *alias = nullptr);
/// Stores a tile; returns the store's token.
std::string storeTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &tile, const Value &row,
                      const Value &column, const std::string &token = "");
/// Adds a tile, of f32, f64 or i32, to what is there.
void addTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &tile, const Value &row,
             const Value &column);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_LOOPOPERANDS_H
