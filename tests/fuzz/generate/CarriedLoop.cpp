//===- CarriedLoop.cpp - A loop that carries tiles around matrix products --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedLoop.h"
#include "TileArithmetic.h"

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static constexpr Weighted<Product> kCarriedProducts[] = {
    {{Element::F16, Element::F32}, 40}, {{Element::BF16, Element::F32}, 12}, {{Element::TF32, Element::F32}, 9},
    {{Element::E4M3, Element::F32}, 9}, {{Element::E5M2, Element::F32}, 4},  {{Element::I8, Element::I32}, 13},
    {{Element::F16, Element::F16}, 7},  {{Element::E4M3, Element::F16}, 3},  {{Element::F32, Element::F32}, 2},
    {{Element::F64, Element::F64}, 1}};
// Wide enough for the products of warpgroups, mostly, and otherwise as small as those take: programs are many.
static constexpr Weighted<int64_t> kRowSizes[] = {{64, 50}, {128, 40}, {32, 4}, {16, 3}, {256, 3}},
                                   kColumnSizes[] = {{16, 36}, {32, 36}, {64, 16}, {8, 12}},
                                   kDepthSizes[] = {{16, 34}, {32, 50}, {64, 16}},
                                   kSteps[] = {{0, 3}, {1, 7}, {2, 20}, {3, 32}, {4, 24}, {5, 10}, {7, 4}},
                                   kCarriedTiles[] = {{1, 38}, {2, 42}, {3, 20}};

/// Elements of a result, over all tile blocks and iterations.
static constexpr int64_t kMostStored = 1 << 16;

CarriedLoop::CarriedLoop(ProgramBuilder &builder) : builder(builder), random(builder.random) {
  product = pickWeighted<Product>(random, kCarriedProducts);
  isPersistent = random.chance(14);
  outerIterations = !isPersistent && random.chance(14) ? 2 : 1;
  pickSizes();
  type = {product.sum, {m, n}, false};
  if (isFloat(product.input) && random.chance(8))
    need = Need::Special;
}

void CarriedLoop::pickSizes() {
  m = pickWeighted<int64_t>(random, kRowSizes);
  n = pickWeighted<int64_t>(random, kColumnSizes);
  k = pickWeighted<int64_t>(random, kDepthSizes);
  steps = pickWeighted<int64_t>(random, kSteps);
  if (getBytes(product.input) == 1)
    k = std::max<int64_t>(k, 32);
  const int64_t blocks = builder.blockCount();
  rowTiles = random.between(1, 2);
  resultTiles = isPersistent ? blocks + random.between(0, 2) : blocks;
  if (getInfo(product.input).precision > 11) { // Not by tensor cores, most of the time.
    m = std::min<int64_t>(m, 64);
    k = 16;
  }
  while (m * n * resultTiles * outerIterations * std::max<int64_t>(steps, 1) > kMostStored)
    (n > 16 ? n : steps > 2 ? steps : m) /= 2;
}

CarriedOperand CarriedLoop::makePointers(bool isLeft) {
  const int64_t rows = isLeft ? m : k, columns = isLeft ? k : n, depth = k * std::max<int64_t>(steps, 1);
  const int64_t pitch = (isLeft ? depth : n) + (random.chance(20) ? random.between(1, 9) : 0);
  Type i32{Element::I32, {rows, columns}, false};
  auto number = [&](const Shape &shape) {
    return broadcast(builder, builder.rowMajorIota(Element::I32, shape), i32.with({rows, columns}));
  };
  Value offsets = builder.binary("muli", number({rows, 1}), builder.constant(i32, pitch), {});
  offsets = builder.binary("addi", offsets, number({1, columns}), {});
  const int64_t count = ((isLeft ? rows : depth) - 1) * pitch + (isLeft ? depth : columns);
  Value base = builder.addBuffer(product.input, count, need, nullptr);
  Value all = builder.splat(base, i32.shape);
  Value at = builder.compute(all.type, {},
                             "offset " + all.name + ", " + offsets.name + " : " + all.type.str() + ", " + i32.str() +
                                 " -> " + all.type.str());
  return {isLeft, {}, at, isLeft ? k : k * pitch};
}

CarriedOperand CarriedLoop::makeOperand(bool isLeft) {
  // A tf32 has no place in memory: it is converted from what a view gives.
  if (product.input != Element::TF32 && random.chance(18))
    return makePointers(isLeft);
  const int64_t depth = k * std::max<int64_t>(steps, 1) - (random.chance(20) ? random.between(0, k / 2) : 0);
  const Element stored = product.input == Element::TF32 ? Element::F32 : product.input;
  const bool isTidy = random.chance(75);
  const int64_t missing = random.chance(15) ? random.between(0, 7) : 0;
  MatrixRequest request = isLeft
                              ? MatrixRequest{stored, product.input, m, k, m * rowTiles - missing, depth, need, isTidy}
                              : MatrixRequest{stored, product.input, k, n, depth, n - missing, need, isTidy};
  return {isLeft, makeLoopMatrix(builder, request), std::nullopt, 0};
}

void CarriedLoop::makeOperands() {
  operands.push_back(makeOperand(/*isLeft=*/true));
  operands.push_back(makeOperand(/*isLeft=*/false));
  pairs.emplace_back(0, 1);
  if (random.chance(45)) {
    // Another product, of which one operand may be the first's.
    const unsigned draw = static_cast<unsigned>(random.below(4));
    size_t left = 0, right = 1;
    if (draw != 0) {
      left = operands.size();
      operands.push_back(makeOperand(/*isLeft=*/true));
    }
    if (draw != 1) {
      right = operands.size();
      operands.push_back(makeOperand(/*isLeft=*/false));
    }
    pairs.emplace_back(left, right);
  }
  const int64_t least = getBytes(product.input) == 1 ? 32 : 16;
  const bool canNarrow = product.input != Element::TF32 && product.input != Element::F64 && n >= least;
  if (canNarrow && random.chance(14))
    square = makeLoopMatrix(builder, {product.input, product.input, n, n, n, n, need, random.chance(75)});
  if (random.chance(30)) {
    Type columns{Element::I32, {1, n}, false}, bits = columns.with(Element::I1);
    Value limit = builder.constant(columns, random.between(0, n));
    Value number = builder.rowMajorIota(Element::I32, columns.shape);
    Value inside = builder.compute(
        bits, {}, "cmpi less_than " + number.name + ", " + limit.name + ", signed" + printTypes(columns, bits));
    mask = broadcast(builder, inside, type.with(Element::I1));
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void CarriedLoop::emit() {
  makeOperands();
  const Type i32 = scalarOf(Element::I32);
  resultTile = builder.linearBlock;
  if (!isPersistent)
    return emitTile();
  CarriedValues none;
  emitFor(builder, none,
          {builder.linearBlock, builder.addScalarParameter(Element::I32, resultTiles),
           builder.constant(i32, builder.blockCount())},
          [&](const Value &counter) {
            resultTile = counter;
            emitTile();
          });
}

void CarriedLoop::emitTile() {
  const Type i32 = scalarOf(Element::I32);
  row = builder.binary("remi", resultTile, builder.constant(i32, rowTiles), rangeFacts(0, rowTiles - 1), " signed");
  begin();
  if (outerIterations == 1) {
    emitInner();
    return finish();
  }
  const Value zero = builder.constant(i32, 0), last = builder.addScalarParameter(Element::I32, outerIterations),
              one = builder.constant(i32, 1), block = resultTile;
  emitFor(builder, carried, {zero, last, one}, [&](const Value &counter) {
    Value first = builder.binary("muli", block, last, {});
    resultTile = builder.binary("addi", first, counter, {});
    emitInner();
  });
  resultTile = block;
  finish();
}

/// The tiles as the loop begins.
void CarriedLoop::begin() {
  carried.clear();
  const Need ofSum = isFloat(type.element) ? Need::Small : Need::Any;
  std::vector<Value> initial{builder.zero(type)};
  for (int64_t count = pickWeighted<int64_t>(random, kCarriedTiles); count > 0; --count) {
    if (random.chance(40))
      initial.push_back(random.chance(50) ? makeNumber(0.5) : builder.create(type, ofSum));
    carried.add(type.str(), (random.chance(60) ? initial.front() : initial.back()).name);
  }
}

void CarriedLoop::emitInner() {
  const Type i32 = scalarOf(Element::I32);
  const Value first = builder.constant(i32, 0), stride = builder.constant(i32, 1);
  const Value last = random.chance(60) ? builder.addScalarParameter(Element::I32, steps) : builder.constant(i32, steps);
  auto body = [&](const Value &counter) { emitBody(counter); };
  isWhile = random.chance(12);
  if (isWhile)
    emitWhile(builder, carried, {first, last, stride}, body);
  else
    emitFor(builder, carried, {first, last, stride, random.chance(8)}, body);
}

void CarriedLoop::emitBody(const Value &counter) {
  step = counter;
  known.clear();
  for (const std::string &name : carried.names)
    known.push_back({name, type, openFacts(type.element)});
  tiles.assign(operands.size(), std::nullopt);
  for (size_t i = 0; i < operands.size(); ++i)
    if (random.chance(75))
      tiles[i] = load(i);
  products = stores = 0;
  const size_t wanted = pairs.size() > 1 || random.chance(25) ? 2 : 1;
  for (int64_t count = random.between(2, 6); count > 0; --count) {
    if (products < wanted && random.chance(45))
      makeProduct();
    else
      makeStep(/*canBranch=*/true);
    if (count == 3 && random.chance(7))
      makeEarlyContinue();
  }
  while (products < wanted)
    makeProduct();
  for (unsigned draw = 0; draw < 2; ++draw)
    if (random.chance(35))
      makeStep(/*canBranch=*/true);
  chooseNext();
}

/// An iteration that ends in its middle.
void CarriedLoop::makeEarlyContinue() {
  if (isWhile) // It would have to count on.
    return;
  const CarriedValues before = carried;
  Value condition = makeCondition();
  builder.line("if " + condition.name + " {");
  builder.indent();
  chooseNext();
  builder.line("continue" + carried.printOperands());
  builder.dedent();
  builder.line("}");
  carried = before;
}

/// What the tiles are in the next iteration: what has been made, the value of another, what they were, or nothing.
void CarriedLoop::chooseNext() {
  const CarriedValues before = carried;
  const size_t count = carried.names.size();
  for (size_t i = 0; i < count; ++i) {
    const uint64_t draw = random.below(100);
    if (draw < 62)
      carried.set(i, pickNew().name);
    else if (draw < 80)
      carried.set(i, before[random.below(count)]);
    else if (draw < 85)
      carried.set(i, builder.zero(type).name);
    else
      carried.set(i, pickTile().name);
  }
}

void CarriedLoop::finish() {
  std::vector<Value> results;
  for (const std::string &name : carried.names)
    results.push_back({name, type, openFacts(type.element)});
  known = results;
  if (results.size() > 1 && random.chance(20))
    results.push_back(combine(results[0], results[1]));
  const Type i32 = scalarOf(Element::I32);
  for (const Value &value : results) {
    const bool isNarrow = type.element == Element::F32 && random.chance(25);
    Value stored = value;
    if (isNarrow) {
      Type narrow = type.with(random.pick({Element::F16, Element::BF16}));
      stored = builder.compute(narrow, value.facts, "ftof " + value.name + printTypes(type, narrow));
    }
    const Element element = stored.type.element;
    LoopMatrix matrix =
        makeResultMatrix(builder, {element, element, m, n, resultTiles * m, n, Need::Any, random.chance(60)});
    storeTile(builder, matrix, stored, resultTile, builder.constant(i32, 0));
    if (!isPersistent && random.chance(15))
      builder.publish(value);
  }
}

bool tileiras::fuzz::makeCarriedLoop(ProgramBuilder &builder) {
  // Its results have one place in memory for each tile block.
  if (builder.loopDepth > 0)
    return false;
  CarriedLoop(builder).emit();
  return true;
}
