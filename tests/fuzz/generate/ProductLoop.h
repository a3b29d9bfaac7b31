//===- ProductLoop.h - A loop over the tiles of an inner dimension --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PRODUCTLOOP_H
#define TILEIRAS_FUZZ_PRODUCTLOOP_H

#include "CarriedValues.h"
#include "LoopOperands.h"
#include "Products.h"
#include <memory>

namespace tileiras::fuzz {

class ProductLoop;

/// Something that a loop does in each iteration.
class LoopPart {
public:
  virtual ~LoopPart() = default;
  /// Before all loops: views.
  virtual void prepare(ProductLoop &) = 0;
  /// Before the loop over the inner dimension: what it carries.
  virtual void begin(ProductLoop &) = 0;
  virtual void step(ProductLoop &) = 0;
  /// Behind the loop: results.
  virtual void finish(ProductLoop &) = 0;
};

/// C[row, column] (+)= … over the tiles `step` of the inner dimension, in one of the shapes that real kernels have.
class ProductLoop {
public:
  /// Without products it is a loop of reductions and copies over long rows.
  ProductLoop(ProgramBuilder &builder, bool hasProducts);
  void emit();

  ProgramBuilder &builder;
  int64_t m, n, k;                       ///< of a tile
  int64_t rowTiles, columnTiles;         ///< of the result
  int64_t steps;                         ///< tiles of the inner dimension
  int64_t allRows, allColumns, allDepth; ///< of the matrices
  int64_t outerIterations = 1;           ///< of a loop around that carries the same values
  bool hasProducts;
  bool isTidy;     ///< all of its matrices are as tensor copies want them
  Product product; ///< of the operands' types
  Need need;
  CarriedValues carried;
  Value row, column, step; ///< where the loops are
  Value resultTile;        ///< a number of its own for each (row, column) and outer iteration: 0 … resultTiles - 1
  int64_t resultTiles;
  bool isLoopInside = false; ///< several results are made, by a loop around
  std::string token;         ///< from the beginning of the kernel

  enum class Side : uint8_t { Left, Right };
  /// A new operand: rows × inner (left) or inner × columns (right), or one that another part has.
  size_t makeOperand(Side side, Product of, bool canShare);
  /// Its tile of this iteration. The same value when it has been loaded in this iteration, mostly.
  Value load(size_t operand);
  const LoopMatrix &operand(size_t index) const { return operands[index].matrix; }
  /// What the latest product of this iteration gave.
  std::optional<Value> latest;
  size_t countOperands() const { return operands.size(); }
  /// Iterations of all loops that carry the same values, at most.
  int64_t countIterations() const { return steps * outerIterations; }
  /// A condition that is the same for the whole tile block, of this iteration where `inLoop`.
  Value makeCondition(bool inLoop);
  /// Stores a tile of the result, after a conversion where it cannot be stored.
  void store(const Value &value);

private:
  struct Operand {
    Side side;
    LoopMatrix matrix;
    int loadedIn = -1; ///< the body (its number in the text) whose `tile` this is
    Value tile;
    bool isConditional, isOrdered;
  };

  void pickSizes();
  int64_t getRowFactor() const;
  void pickTile();
  void pickParts();
  void emitOuter();
  void emitTile();
  void emitInner();
  void emitBody();
  void placeBlock();
  Value countSteps();

  std::vector<Operand> operands;
  std::vector<std::unique_ptr<LoopPart>> parts;
  enum class Outer : uint8_t { None, Persistent, Nested } outer;
  enum class Guard : uint8_t { None, Branch, Continue } guard;
  int bodyNumber = 0;              ///< in the text: each body that is emitted has another
  std::optional<size_t> loadToken; ///< loads come one after the other
};

std::unique_ptr<LoopPart> makeAccumulation();
std::unique_ptr<LoopPart> makeAttention();
std::unique_ptr<LoopPart> makeChain();
std::unique_ptr<LoopPart> makeRowWork();
std::unique_ptr<LoopPart> makeRowReduction();
std::unique_ptr<LoopPart> makeStream();
std::unique_ptr<LoopPart> makeFeedback();

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PRODUCTLOOP_H
