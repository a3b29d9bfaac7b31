//===- CarriedLoop.h - A loop that carries tiles around matrix products --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One to three tiles of sums go around a loop with one or two matrix products. In an iteration every tile that is
// known, also what the loop began the iteration with, may be multiplied onto, scaled, negated, compared, selected,
// stored, or be what a tile is in the next iteration: what accumulators in registers or in tensor memory hold is then
// read after the product that follows it, or copied while a product is on its way.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_CARRIEDLOOP_H
#define TILEIRAS_FUZZ_CARRIEDLOOP_H

#include "CarriedValues.h"
#include "LoopOperands.h"
#include "Products.h"

namespace tileiras::fuzz {

/// An operand's matrix: read through a view, or by a tile of pointers.
struct CarriedOperand {
  bool isLeft;
  LoopMatrix matrix;       ///< of a view
  std::optional<Value> at; ///< the pointers of the first tile
  int64_t stride = 0;      ///< elements from there to the next tile of the inner dimension
};

class CarriedLoop {
public:
  explicit CarriedLoop(ProgramBuilder &builder);
  void emit();

private:
  // The plan.
  void pickSizes();
  void makeOperands();
  CarriedOperand makeOperand(bool isLeft);
  CarriedOperand makePointers(bool isLeft);

  // Loops.
  void emitTile();
  void emitInner();
  void begin();
  void emitBody(const Value &counter);
  void finish();
  void chooseNext();
  void makeEarlyContinue();

  // What is done to the tiles of an iteration.
  Value pickTile();
  Value pickNew();
  Value makeNumber(double number);
  Value makeCondition();
  Value load(size_t operand);
  Value multiplyOnto(const Value &sum);
  Value multiplyNarrowed(const Value &left, const Value &sum);
  Value change(const Value &tile);
  Value scale(const Value &tile);
  Value combine(const Value &tile, const Value &other);
  Value select(const Value &tile, const Value &other);
  Value normalise(const Value &tile);
  void makeStep(bool canBranch);
  void makeProduct();
  void makeBranch();
  void makeSwap();
  void makeStore(const Value &tile);

  ProgramBuilder &builder;
  Random &random;
  Product product;
  int64_t m, n, k, steps, rowTiles = 1;
  int64_t outerIterations = 1; ///< of a loop around that carries the same tiles
  bool isWhile = false;        ///< the loop is a `loop`
  bool isPersistent = false;   ///< a loop around makes several results, one after the other
  int64_t resultTiles = 1;     ///< results, in all tile blocks
  Need need = Need::Small;
  Type type; ///< of the sums
  std::vector<CarriedOperand> operands;
  std::vector<std::pair<size_t, size_t>> pairs; ///< of operands that are multiplied
  std::optional<LoopMatrix> square;             ///< what a sum, made narrow, is multiplied by
  std::optional<Value> mask;                    ///< columns
  CarriedValues carried;
  Value resultTile, row, step;
  std::vector<Value> known;                ///< sums, the latest last
  std::vector<std::optional<Value>> tiles; ///< of the operands, where they have been loaded
  unsigned stores = 0, products = 0;
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_CARRIEDLOOP_H
