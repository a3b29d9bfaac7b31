//===- CarriedSteps.cpp - What is done to carried tiles -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedLoop.h"
#include "TileArithmetic.h"
#include <cmath>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Operands of steps
//===----------------------------------------------------------------------===//

/// Any tile, the later ones more often; those that the iteration began with are the first.
Value CarriedLoop::pickTile() {
  const uint64_t first = random.below(known.size()), second = random.below(known.size());
  return known[random.chance(60) ? std::max(first, second) : first];
}

/// What this iteration has made, if it has.
Value CarriedLoop::pickNew() {
  const size_t old = carried.names.size();
  if (known.size() <= old)
    return pickTile();
  return random.chance(60) ? known.back() : known[old + random.below(known.size() - old)];
}

Value CarriedLoop::makeNumber(double number) {
  return isFloat(type.element) ? builder.floatConstant(type, number)
                               : builder.constant(type, static_cast<int64_t>(4 * number));
}

/// The same for the whole tile block.
Value CarriedLoop::makeCondition() {
  const Type i1 = scalarOf(Element::I1), i32 = step.type;
  auto compare = [&](const char *predicate, const Value &value, int64_t number) {
    Value other = builder.constant(i32, number);
    return builder.compute(
        i1, {}, Twine("cmpi ") + predicate + " " + value.name + ", " + other.name + ", signed" + printTypes(i32, i1));
  };
  auto remainder = [&](const Value &value, int64_t divisor) {
    return builder.binary("remi", value, builder.constant(i32, divisor), {}, " signed");
  };
  switch (random.below(7)) {
  case 0:
    return compare("greater_than", step, 0);
  case 1:
    return compare("equal", step, std::max<int64_t>(steps - 1, 0));
  case 2:
    return compare("less_than", step, random.between(0, std::max<int64_t>(steps, 1)));
  case 3:
    return compare("equal", remainder(resultTile, 2), random.between(0, 1));
  case 4:
    return compare("not_equal", remainder(step, 3), random.between(0, 2));
  default:
    return compare("equal", remainder(step, 2), random.between(0, 1));
  }
}

Value CarriedLoop::load(size_t index) {
  if (tiles[index])
    return *tiles[index];
  const CarriedOperand &operand = operands[index];
  if (!operand.at) {
    Value zero = builder.constant(step.type, 0);
    return operand.isLeft ? loadTile(builder, operand.matrix, row, step)
                          : loadTile(builder, operand.matrix, step, zero);
  }
  const Type &pointers = operand.at->type;
  Value distance = builder.binary("muli", step, builder.constant(step.type, operand.stride), {});
  Value all = builder.splat(distance, pointers.shape);
  Value at = builder.compute(pointers, {},
                             "offset " + operand.at->name + ", " + all.name + " : " + pointers.str() + ", " +
                                 all.type.str() + " -> " + pointers.str());
  Value value{builder.freshName(), {pointers.element, pointers.shape, false}, builder.factsOf(pointers.element, need)};
  builder.line(value.name + ", " + builder.freshName() + " = load_ptr_tko weak " + at.name + builder.makeAccessHints() +
               " : " + pointers.str() + " -> " + value.type.str() + ", token");
  return value;
}

//===----------------------------------------------------------------------===//
// New tiles
//===----------------------------------------------------------------------===//

Value CarriedLoop::multiplyOnto(const Value &sum) {
  const auto [left, right] = pairs[random.below(pairs.size())];
  Value a = load(left), b = load(right);
  return builder.compute(type, openFacts(type.element), multiply(builder, product, a, b, sum.name, type));
}

/// A tile, made narrow, is an operand of the product.
Value CarriedLoop::multiplyNarrowed(const Value &left, const Value &sum) {
  Value zero = builder.constant(step.type, 0), a = clampTo(builder, left, product.input),
        b = loadTile(builder, *square, zero, zero);
  return builder.compute(type, openFacts(type.element), multiply(builder, product, a, b, sum.name, type));
}

Value CarriedLoop::scale(const Value &tile) {
  const bool isFloating = isFloat(type.element);
  // A sum of f16 stays far from its largest number.
  const double factor = random.pick({0.5, 0.5, -1.0, 0.25, type.element == Element::F16 ? -0.5 : 2.0});
  return builder.binary(isFloating ? "mulf" : "muli", tile, makeNumber(factor), openFacts(type.element));
}

Value CarriedLoop::combine(const Value &tile, const Value &other) {
  const bool isFloating = isFloat(type.element), isFirst = random.chance(50);
  const Facts facts = openFacts(type.element);
  if (random.chance(35)) {
    const char *mnemonic = isFloating ? (isFirst ? "maxf" : "minf") : isFirst ? "maxi" : "mini";
    const char *suffix = isFloating ? "" : random.pick({" signed", " unsigned"});
    return builder.binary(mnemonic, tile, other, facts, suffix);
  }
  if (!isFloating)
    return builder.binary(isFirst ? "addi" : "subi", tile, other, facts);
  Value sum = builder.binary(isFirst ? "addf" : "subf", tile, other, facts);
  return builder.binary("mulf", sum, makeNumber(0.5), facts);
}

Value CarriedLoop::select(const Value &tile, const Value &other) {
  const Type bits = type.with(Element::I1);
  Value condition = mask && random.chance(60) ? *mask : builder.splat(makeCondition(), bits.shape);
  return builder.compute(type, openFacts(type.element),
                         "select " + condition.name + ", " + tile.name + ", " + other.name + " : " + bits.str() + ", " +
                             type.str());
}

/// What each row's largest number is taken off, as attention does.
Value CarriedLoop::normalise(const Value &tile) {
  if (!isFloat(type.element))
    return negate(builder, tile);
  const std::string lowest = printLiteral(type.element, encode(type.element, -INFINITY));
  Value largest = reduceRows(builder, tile, "maxf", lowest.c_str());
  Value spread = alongRows(builder, largest, type);
  return builder.binary("mulf", builder.binary("subf", tile, spread, openFacts(type.element)), makeNumber(0.5),
                        openFacts(type.element));
}

Value CarriedLoop::change(const Value &tile) {
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2:
    return scale(tile);
  case 3:
    return negate(builder, tile);
  case 4:
    return atLeastZero(builder, tile);
  case 5:
    return combine(tile, makeNumber(random.pick({0.5, 1.0})));
  case 6:
    return select(tile, random.chance(50) ? builder.zero(type) : pickTile());
  case 7:
    return random.chance(40) ? normalise(tile) : scale(tile);
  default:
    return combine(tile, pickTile());
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void CarriedLoop::makeProduct() {
  ++products;
  const uint64_t draw = random.below(100);
  const Value sum = draw < 45   ? known[random.below(carried.names.size())]
                    : draw < 60 ? change(pickTile())
                    : draw < 72 ? builder.zero(type)
                                : pickTile();
  known.push_back(square && random.chance(30) ? multiplyNarrowed(pickTile(), sum) : multiplyOnto(sum));
  if (random.chance(20))
    makeStore(known.back());
}

/// A place of its own for each iteration.
void CarriedLoop::makeStore(const Value &tile) {
  if (stores >= 2)
    return;
  ++stores;
  Value stored = tile;
  if (type.element == Element::F32 && random.chance(20)) {
    Type narrow = type.with(Element::F16);
    stored = builder.compute(narrow, tile.facts, "ftof " + tile.name + printTypes(type, narrow));
  }
  const int64_t places = resultTiles * outerIterations * std::max<int64_t>(steps, 1);
  const Element element = stored.type.element;
  LoopMatrix matrix = makeResultMatrix(builder, {element, element, m, n, places * m, n, Need::Any, random.chance(60)});
  const Value all = builder.constant(step.type, std::max<int64_t>(steps, 1));
  Value place = builder.binary("addi", builder.binary("muli", resultTile, all, {}), step, {});
  storeTile(builder, matrix, stored, place, builder.constant(step.type, 0));
}

/// `if`, whose branches give a tile: one that is stored and begins anew, one that is multiplied onto, …
void CarriedLoop::makeBranch() {
  const Value condition = makeCondition(), tile = pickTile();
  const size_t outside = known.size();
  const std::string name = builder.freshName();
  builder.line(name + " = if " + condition.name + " -> (" + type.str() + ") {");
  auto branch = [&](llvm::function_ref<Value()> make) {
    const auto loaded = tiles;
    builder.indent();
    Value result = make();
    builder.line("yield " + result.name + " : " + type.str());
    builder.dedent();
    known.resize(outside);
    tiles = loaded;
  };
  auto makeSome = [&] {
    switch (random.below(5)) {
    case 0:
      makeStore(tile);
      return random.chance(60) ? builder.zero(type) : pickTile();
    case 1:
      ++products;
      return multiplyOnto(random.chance(50) ? tile : pickTile());
    case 2:
      return change(tile);
    case 3:
      makeStep(/*canBranch=*/false);
      return pickNew();
    default:
      return random.chance(50) ? builder.zero(type) : pickTile();
    }
  };
  branch(makeSome);
  builder.line("} else {");
  branch([&] { return random.chance(65) ? tile : makeSome(); });
  builder.line("}");
  known.push_back({name, type, openFacts(type.element)});
}

/// Two tiles change places, or not.
void CarriedLoop::makeSwap() {
  const Value condition = makeCondition(), first = pickTile(), second = pickTile();
  const std::string name = builder.freshName(), types = type.str() + ", " + type.str();
  builder.line(name + ":2 = if " + condition.name + " -> (" + types + ") {");
  builder.line("  yield " + second.name + ", " + first.name + " : " + types);
  builder.line("} else {");
  builder.line("  yield " + first.name + ", " + second.name + " : " + types);
  builder.line("}");
  known.push_back({name + "#0", type, openFacts(type.element)});
  known.push_back({name + "#1", type, openFacts(type.element)});
}

void CarriedLoop::makeStep(bool canBranch) {
  const uint64_t draw = random.below(100);
  if (draw < 36)
    known.push_back(change(pickTile()));
  else if (draw < 50 || (!canBranch && draw < 66))
    makeStore(pickTile());
  else if (!canBranch)
    known.push_back(change(pickTile()));
  else if (draw < 66) {
    // Some iterations store: what they have made, or what the one before has.
    Value condition = makeCondition();
    builder.line("if " + condition.name + " {");
    builder.indent();
    makeStore(random.chance(50) ? known[random.below(carried.names.size())] : pickTile());
    builder.dedent();
    builder.line("}");
  } else if (draw < 90)
    makeBranch();
  else
    makeSwap();
}
