//===- ProductLoop.cpp - A loop over the tiles of an inner dimension ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLoop.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static constexpr Weighted<Product> kLoopProducts[] = {
    {{Element::F16, Element::F32}, 30},  {{Element::BF16, Element::F32}, 15}, {{Element::TF32, Element::F32}, 10},
    {{Element::E4M3, Element::F32}, 12}, {{Element::E5M2, Element::F32}, 6},  {{Element::I8, Element::I32}, 14},
    {{Element::F16, Element::F16}, 6},   {{Element::E4M3, Element::F16}, 3},  {{Element::F32, Element::F32}, 3},
    {{Element::F64, Element::F64}, 1}};
static constexpr Weighted<int64_t> kRowSizes[] = {{64, 45}, {128, 32}, {32, 7}, {16, 7}, {8, 4}, {256, 5}},
                                   kColumnSizes[] = {{64, 25}, {128, 25}, {32, 18}, {16, 14}, {8, 8}, {256, 10}},
                                   kDepthSizes[] = {{16, 22}, {32, 30}, {64, 36}, {128, 12}},
                                   kShortSizes[] = {{1, 40}, {2, 15}, {4, 15}, {8, 10}, {32, 20}},
                                   kLongSizes[] = {{64, 10}, {128, 15}, {256, 25}, {512, 25}, {1024, 20}, {4096, 5}},
                                   kIterations[] = {{0, 6},  {1, 14}, {2, 20}, {3, 22},
                                                    {4, 15}, {5, 10}, {6, 5},  {9, 8}};

/// Multiply-adds of a program, for what tensor cores take and for the rest: the reference and the emulator need less
/// than half a second together.
static constexpr int64_t kMostProducts = 3 << 20, kMostScalarProducts = 1 << 18;
/// Operands and sums are so much larger than other tiles of the program.
static constexpr int64_t kTileFactor = 32;

ProductLoop::ProductLoop(ProgramBuilder &builder, bool hasProducts) : builder(builder), hasProducts(hasProducts) {
  Random &random = builder.random;
  product = pickWeighted<Product>(random, kLoopProducts);
  need = pickInputNeed(builder, product);
  outer = pickWeighted<Outer>(random, {{Outer::None, 66}, {Outer::Persistent, 22}, {Outer::Nested, 12}});
  guard = pickWeighted<Guard>(random, {{Guard::None, 84}, {Guard::Branch, 9}, {Guard::Continue, 7}});
  isLoopInside = outer == Outer::Persistent;
  isTidy = random.chance(45);
  pickSizes();
  pickParts();
}

int64_t ProductLoop::getRowFactor() const {
  return hasProducts ? builder.options.rowFactor : 1;
}

void ProductLoop::pickTile() {
  Random &random = builder.random;
  m = pickWeighted<int64_t>(random, hasProducts ? llvm::ArrayRef(kRowSizes) : kShortSizes) * getRowFactor();
  n = pickWeighted<int64_t>(random, hasProducts ? llvm::ArrayRef(kColumnSizes) : kLongSizes);
  k = pickWeighted<int64_t>(random, hasProducts ? llvm::ArrayRef(kDepthSizes) : kLongSizes);
}

void ProductLoop::pickSizes() {
  Random &random = builder.random;
  pickTile();
  if (getBytes(product.input) == 1 && random.chance(80))
    k = std::max<int64_t>(k, 32);
  steps = pickWeighted<int64_t>(random, kIterations);
  rowTiles = random.between(1, 2);
  const int64_t blocks = builder.blockCount();
  columnTiles = outer == Outer::Persistent ? random.between(1, 3) : (blocks + rowTiles - 1) / rowTiles;
  outerIterations = outer == Outer::Nested ? random.between(1, 3) : 1;
  resultTiles = outer == Outer::Persistent ? rowTiles * columnTiles : blocks * outerIterations;
  const int64_t mostElements = kTileFactor * builder.options.maxElements * getRowFactor();
  while (std::max({m * n, m * k, k * n}) > mostElements)
    (n >= m && n >= k ? n : m >= k ? m : k) /= 2;
  const bool isScalar = getInfo(product.input).precision > 11;
  const int64_t mostProducts = (isScalar ? kMostScalarProducts : kMostProducts) * getRowFactor();
  while (steps > 1 && m * n * k * steps * resultTiles > mostProducts)
    --steps;
  while (m * n * k * steps * resultTiles > mostProducts)
    (n >= m ? n : m) /= 2;
  auto ragged = [&](int64_t count, int64_t size, unsigned percent) {
    int64_t missing = random.chance(percent) ? static_cast<int64_t>(random.below(static_cast<uint64_t>(size))) : 0;
    const int64_t unit = random.pick<int64_t>({8, 8, 4, 4, 2, 1});
    return count * size - missing / unit * unit;
  };
  allRows = ragged(rowTiles, m, 40);
  allColumns = ragged(columnTiles, n, 40);
  allDepth = ragged(std::max<int64_t>(steps, 1), k, 45);
}

void ProductLoop::pickParts() {
  using Make = std::unique_ptr<LoopPart> (*)();
  const bool canFeedBack = outer != Outer::Nested;
  static constexpr Weighted<Make> first[] = {{makeAccumulation, 70}, {makeAttention, 16}, {makeFeedback, 14}},
                                  further[] = {{makeAccumulation, 36}, {makeRowWork, 18},  {makeStream, 16},
                                               {makeChain, 20},        {makeAttention, 5}, {makeFeedback, 5}},
                                  ofStreams[] = {{makeRowReduction, 45}, {makeRowWork, 35}, {makeStream, 20}};
  auto add = [&](llvm::ArrayRef<Weighted<Make>> choices) {
    Make make = pickWeighted<Make>(builder.random, choices);
    parts.push_back(make == makeFeedback && !canFeedBack ? makeAccumulation() : make());
  };
  add(hasProducts ? llvm::ArrayRef(first) : ofStreams);
  for (int64_t count = pickWeighted<int64_t>(builder.random, {{0, 50}, {1, 34}, {2, 16}}); count > 0; --count)
    add(hasProducts ? llvm::ArrayRef(further) : ofStreams);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// What a frontend converts from: narrower floats and bytes, or f32.
static Element pickStored(ProgramBuilder &builder, Element used) {
  if (used == Element::TF32)
    return Element::F32;
  if ((used == Element::F16 || used == Element::BF16) && builder.random.chance(12))
    return builder.random.pick({Element::E4M3, Element::E5M2, Element::I8, Element::F32});
  return used;
}

size_t ProductLoop::makeOperand(Side side, Product of, bool canShare) {
  for (size_t i = 0; canShare && i < operands.size(); ++i)
    if (operands[i].side == side && operands[i].matrix.used.element == of.input && builder.random.chance(45))
      return i;
  Element stored = isTidy && of.input != Element::TF32 ? of.input : pickStored(builder, of.input);
  Need of_need = stored == Element::I8 && isFloat(of.input) ? Need::Small : need;
  MatrixRequest request = side == Side::Left
                              ? MatrixRequest{stored, of.input, m, k, allRows, allDepth, of_need, isTidy}
                              : MatrixRequest{stored, of.input, k, n, allDepth, allColumns, of_need, isTidy};
  Operand made{side, makeLoopMatrix(builder, request),    -1,
               {},   !isTidy && builder.random.chance(5), builder.random.chance(50)};
  operands.push_back(std::move(made));
  return operands.size() - 1;
}

Value ProductLoop::load(size_t index) {
  Operand &operand = operands[index];
  if (operand.loadedIn == bodyNumber && builder.random.chance(85))
    return operand.tile;
  const Value &first = operand.side == Side::Left ? row : step, &second = operand.side == Side::Left ? step : column;
  Value tile;
  if (operand.isConditional) {
    Value condition = makeCondition(/*inLoop=*/true);
    const Type &type = operand.matrix.used;
    std::string name = builder.freshName();
    builder.line(name + " = if " + condition.name + " -> (" + type.str() + ") {");
    builder.indent();
    builder.line("yield " + loadTile(builder, operand.matrix, first, second).name + " : " + type.str());
    builder.dedent();
    builder.line("} else {");
    builder.indent();
    builder.line("yield " + builder.zero(type).name + " : " + type.str());
    builder.dedent();
    builder.line("}");
    tile = {name, type, operand.matrix.facts};
  } else if (loadToken && operand.isOrdered) {
    std::string last = carried[*loadToken];
    tile = loadTile(builder, operand.matrix, first, second, &last);
    carried.set(*loadToken, last);
  } else {
    std::string before = token;
    tile = loadTile(builder, operand.matrix, first, second, builder.random.chance(60) ? &before : nullptr);
  }
  operand.loadedIn = bodyNumber;
  operand.tile = tile;
  return tile;
}

Value ProductLoop::makeCondition(bool inLoop) {
  Type i32 = scalarOf(Element::I32), i1 = scalarOf(Element::I1);
  Value tested = step;
  int64_t against = builder.random.between(0, 1);
  const char *predicate = "equal ";
  if (!inLoop || builder.random.chance(15)) {
    tested = builder.addScalarParameter(Element::I32, builder.random.between(0, 1));
  } else if (builder.random.chance(65)) {
    tested = builder.binary("andi", step, builder.constant(i32, 1), rangeFacts(0, 1));
  } else {
    predicate = builder.random.pick({"less_than ", "greater_than_or_equal ", "not_equal "});
    against = builder.random.between(0, 4);
  }
  Value number = builder.constant(i32, against);
  return builder.compute(i1, unknownFacts(Element::I1),
                         Twine("cmpi ") + predicate + tested.name + ", " + number.name + ", signed" +
                             printTypes(i32, i1));
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

void ProductLoop::emit() {
  token = builder.freshName();
  builder.line(token + " = make_token : token");
  for (auto &part : parts)
    part->prepare(*this);
  emitOuter();
}

/// Row and column of the tile with a number: 0 … rowTiles · columnTiles - 1.
void ProductLoop::placeBlock() {
  Type i32 = scalarOf(Element::I32);
  Value rows = builder.constant(i32, rowTiles);
  row = builder.binary("remi", resultTile, rows, rangeFacts(0, rowTiles - 1), " signed");
  column = builder.binary("divi", resultTile, rows, rangeFacts(0, columnTiles - 1), " signed");
}

void ProductLoop::emitOuter() {
  Type i32 = scalarOf(Element::I32);
  resultTile = builder.linearBlock;
  if (outer == Outer::None) {
    placeBlock();
    emitTile();
    return;
  }
  if (outer == Outer::Nested)
    placeBlock();
  const int64_t blocks = builder.blockCount();
  const bool isPersistent = outer == Outer::Persistent;
  const int64_t iterations = isPersistent ? resultTiles : outerIterations;
  Value last = builder.random.chance(50) ? builder.addScalarParameter(Element::I32, iterations)
                                         : builder.constant(i32, iterations);
  Value first = isPersistent ? builder.linearBlock : builder.constant(i32, 0),
        stride = builder.constant(i32, isPersistent ? blocks : 1);
  if (!isPersistent) {
    if (builder.random.chance(12))
      loadToken = carried.add("token", token);
    for (auto &part : parts)
      part->begin(*this);
  }
  std::string name = builder.freshName(), variable = builder.freshName(), results = carried.printResults(name);
  builder.line(results + "for " + variable + " in (" + first.name + " to " + last.name + ", step " + stride.name +
               ") : " + i32.str() + carried.enter(builder) + " {");
  builder.indent();
  Value iterationOfOuter{variable, i32, rangeFacts(0, iterations - 1)};
  if (isPersistent) {
    resultTile = iterationOfOuter;
    placeBlock();
    emitTile();
    carried.clear();
  } else {
    Facts facts = rangeFacts(0, resultTiles - 1);
    resultTile =
        builder.binary("addi", builder.binary("muli", builder.linearBlock, builder.constant(i32, iterations), facts),
                       iterationOfOuter, facts);
    emitInner();
  }
  builder.line("continue" + carried.printOperands());
  builder.dedent();
  builder.line("}");
  if (isPersistent)
    return;
  carried.leave(name);
  for (auto &part : parts)
    part->finish(*this);
}

void ProductLoop::emitTile() {
  carried.clear();
  loadToken.reset();
  if (builder.random.chance(12))
    loadToken = carried.add("token", token);
  for (auto &part : parts)
    part->begin(*this);
  emitInner();
  for (auto &part : parts)
    part->finish(*this);
}

/// The end of the loop: known, a parameter, or computed from sizes that are.
Value ProductLoop::countSteps() {
  Type i32 = scalarOf(Element::I32);
  uint64_t draw = builder.random.below(4);
  if (draw == 0 && steps > 0)
    for (const Operand &operand : operands)
      if (builder.random.chance(70))
        return countTiles(builder, operand.matrix, operand.side == Side::Left ? 1 : 0, steps);
  if (draw == 1 && steps > 0) {
    Value depth = builder.addScalarParameter(Element::I32, allDepth), size = builder.constant(i32, k);
    Value sum = builder.binary("addi", depth, builder.constant(i32, k - 1), rangeFacts(allDepth, allDepth + k));
    return builder.binary("divi", sum, size, rangeFacts(steps, steps), " signed");
  }
  return draw == 2 ? builder.constant(i32, steps) : builder.addScalarParameter(Element::I32, steps);
}

void ProductLoop::emitInner() {
  Element element = builder.random.chance(92) ? Element::I32 : Element::I64;
  Type type = scalarOf(element), i32 = scalarOf(Element::I32);
  int64_t start = builder.random.chance(82) ? 0 : builder.random.between(1, 3);
  Value first = start > 0 && builder.random.chance(50) ? builder.addScalarParameter(element, start)
                                                       : builder.constant(type, start),
        last = builder.castInt(countSteps(), element),
        stride = builder.constant(type, builder.random.chance(88) ? 1 : 2);
  auto body = [&](const Value &counter) {
    step = builder.castInt({counter.name, type, rangeFacts(0, std::max<int64_t>(steps - 1, 0))}, Element::I32);
    emitBody();
  };
  if (guard != Guard::Continue && builder.random.chance(10))
    emitWhile(builder, carried, {first, last, stride}, body);
  else
    emitFor(builder, carried, {first, last, stride, builder.random.chance(8)}, body);
}

void ProductLoop::emitBody() {
  ++bodyNumber;
  latest.reset();
  auto work = [&] {
    for (auto &part : parts)
      part->step(*this);
  };
  if (guard == Guard::None)
    return work();
  Value condition = makeCondition(/*inLoop=*/true);
  if (guard == Guard::Continue) {
    builder.line("if " + condition.name + " {");
    builder.indent();
    builder.line("continue" + carried.printOperands());
    builder.dedent();
    builder.line("}");
    return work();
  }
  std::string name = builder.freshName();
  const CarriedValues before = carried;
  builder.line(carried.printResults(name) + "if " + condition.name +
               (carried.empty() ? " {" : " -> (" + carried.printTypes() + ") {"));
  builder.indent();
  work();
  builder.line("yield" + carried.printOperands());
  builder.dedent();
  builder.line("} else {");
  builder.indent();
  builder.line("yield" + before.printOperands());
  builder.dedent();
  builder.line("}");
  carried.leave(name);
}

void ProductLoop::store(const Value &value) {
  Value stored = toStorable(builder, value);
  const int64_t rows = stored.type.shape[0], columns = stored.type.shape[1];
  auto ragged = [&](int64_t count, int64_t size) {
    return count * size -
           (builder.random.chance(30) ? static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(size))) : 0);
  };
  Element element = stored.type.element;
  const MatrixRequest request{element,   element, rows, columns, ragged(rowTiles, rows), ragged(columnTiles, columns),
                              Need::Any, isTidy};
  const bool canAdd = element == Element::F32 || element == Element::F64 || element == Element::I32;
  if (canAdd && builder.random.chance(12))
    addTile(builder, makeResultMatrix(builder, request, /*fill=*/0), stored, row, column);
  else
    storeTile(builder, makeResultMatrix(builder, request), stored, row, column, builder.random.chance(50) ? token : "");
  if (!isLoopInside && builder.random.chance(25))
    builder.publish(value);
}

static bool makeLoopOfTiles(ProgramBuilder &builder, bool hasProducts) {
  // Its results have one place in memory for each tile block.
  if (builder.loopDepth > 0)
    return false;
  ProductLoop(builder, hasProducts).emit();
  return true;
}

bool tileiras::fuzz::makeProductLoop(ProgramBuilder &builder) {
  return makeLoopOfTiles(builder, /*hasProducts=*/true);
}
bool tileiras::fuzz::makeStreamLoop(ProgramBuilder &builder) {
  return makeLoopOfTiles(builder, /*hasProducts=*/false);
}
