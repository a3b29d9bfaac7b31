//===- LoopParts.cpp - What loops over an inner dimension do --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLoop.h"
#include "TileArithmetic.h"

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// Bias, activation, conversion.
static Value finishSum(ProgramBuilder &builder, Value value, bool isSmall) {
  const Element element = value.type.element;
  if (builder.random.chance(25)) {
    Value bias = builder.create({element, {1, value.type.shape[1]}, false}, isFloat(element) ? Need::Small : Need::Any);
    value = builder.binary(isFloat(element) ? "addf" : "addi", value, broadcast(builder, bias, value.type),
                           openFacts(element));
  }
  if (builder.random.chance(20))
    value = atLeastZero(builder, value);
  if (!builder.random.chance(40) || !isSmall)
    return value;
  if (element == Element::F32) {
    Type type = value.type.with(builder.random.pick({Element::F16, Element::BF16}));
    return builder.compute(type, openFacts(type.element), "ftof " + value.name + printTypes(value.type, type));
  }
  if (element != Element::I32)
    return value;
  if (builder.random.chance(50))
    return builder.compute(value.type.with(Element::I8), unknownFacts(Element::I8),
                           "trunci " + value.name + printTypes(value.type, value.type.with(Element::I8)));
  Type type = value.type.with(Element::F32);
  return builder.compute(type, openFacts(Element::F32),
                         "itof " + value.name + " signed" + printTypes(value.type, type));
}

namespace {

/// sum += A · B, and what is done to sums between products.
class Accumulation : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    Random &random = loop.builder.random;
    left = loop.makeOperand(ProductLoop::Side::Left, loop.product, /*canShare=*/true);
    right = loop.makeOperand(ProductLoop::Side::Right, loop.product, /*canShare=*/true);
    type = {loop.product.sum, {loop.m, loop.n}, false};
    startsAtZero = random.chance(70);
    change = random.chance(72) ? 0 : static_cast<unsigned>(random.between(1, 4));
  }
  void begin(ProductLoop &loop) override {
    Value initial = startsAtZero ? loop.builder.zero(type)
                                 : loop.builder.create(type, isFloat(type.element) ? Need::Small : Need::Any);
    facts = initial.facts;
    sum = loop.carried.add(type.str(), initial.name);
  }
  void step(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    Value a = loop.load(left), b = loop.load(right), before{loop.carried[sum], type, {}};
    if (change == 1)
      before = negate(builder, before);
    if (change == 2)
      before = atLeastZero(builder, before);
    if (change == 3 && isFloat(type.element))
      before = builder.binary("mulf", before, builder.floatConstant(type, 0.5), {});
    Value next =
        builder.compute(type, openFacts(type.element), multiply(builder, loop.product, a, b, before.name, type));
    if (change == 4)
      next = atLeastZero(builder, next);
    loop.carried.set(sum, next.name);
    loop.latest = next;
  }
  void finish(ProductLoop &loop) override {
    Facts all = sumFacts(type.element, loop.operand(left).facts, loop.operand(right).facts, facts,
                         std::max<int64_t>(loop.k * loop.countIterations(), 1));
    Value value{loop.carried[sum], type, change == 3 ? openFacts(type.element) : all};
    loop.store(finishSum(loop.builder, value, loop.need == Need::Small || !isFloat(type.element)));
  }

private:
  size_t left = 0, right = 0, sum = 0;
  Type type;
  Facts facts;
  bool startsAtZero = true;
  unsigned change = 0; ///< of the sum: none, negation, at least 0 before or (4) behind the product, halved (3)
};

/// The product of this iteration, made small, is an operand of the next product.
class Chain : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    Random &random = loop.builder.random;
    const bool isInteger = loop.product.sum == Element::I32;
    product = isInteger
                  ? Product{Element::I8, Element::I32}
                  : Product{random.pick({Element::F16, Element::F16, Element::BF16, Element::E4M3}), Element::F32};
    columns = random.pick<int64_t>({16, 32, 64});
    isInvariant = random.chance(50);
    right = makeLoopMatrix(loop.builder, {product.input, product.input, loop.n, columns, loop.n, columns,
                                          isInteger ? Need::Any : Need::Small, loop.isTidy});
    type = {product.sum, {loop.m, columns}, false};
  }
  void begin(ProductLoop &loop) override {
    zero = loop.builder.constant(scalarOf(Element::I32), 0);
    if (isInvariant)
      tile = loadTile(loop.builder, right, zero, zero);
    sum = loop.carried.add(type.str(), loop.builder.zero(type).name);
  }
  void step(ProductLoop &loop) override {
    if (!loop.latest || loop.latest->type.shape != Shape{loop.m, loop.n})
      return;
    Value a = clampTo(loop.builder, *loop.latest, product.input);
    Value b = isInvariant ? tile : loadTile(loop.builder, right, zero, zero);
    loop.carried.set(
        sum, loop.builder.compute(type, {}, multiply(loop.builder, product, a, b, loop.carried[sum], type)).name);
  }
  void finish(ProductLoop &loop) override { loop.store({loop.carried[sum], type, openFacts(type.element)}); }

private:
  Product product;
  int64_t columns = 0;
  LoopMatrix right;
  Value zero, tile;
  Type type;
  size_t sum = 0;
  bool isInvariant = false;
};

/// Two products with work on all elements between them: P = f(Q · Kᵀ), O = O + P · V.
class Attention : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    element = builder.random.chance(70) ? Element::F16 : Element::BF16;
    width = builder.random.pick<int64_t>({16, 32, 64, 64});
    isSoftmax = builder.random.chance(40);
    isMasked = builder.random.chance(40);
    isCausal = isMasked && builder.random.chance(50);
    loadsAgain = builder.random.chance(20);
    q = makeLoopMatrix(builder, {element, element, loop.m, width, loop.allRows, width, Need::Small, loop.isTidy});
    k = makeLoopMatrix(builder, {element, element, width, loop.k, width, loop.allDepth, Need::Small, loop.isTidy});
    v = makeLoopMatrix(builder, {element, element, loop.k, width, loop.allDepth, width, Need::Small, loop.isTidy});
    if (isMasked)
      limit = builder.random.chance(50) ? builder.addScalarParameter(Element::I32, loop.allDepth)
                                        : builder.constant(scalarOf(Element::I32), loop.allDepth - 1);
    scores = {Element::F32, {loop.m, loop.k}, false};
    output = {Element::F32, {loop.m, width}, false};
    rows = {Element::F32, {loop.m}, false};
  }
  void begin(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    zero = builder.constant(scalarOf(Element::I32), 0);
    if (!loadsAgain)
      query = loadTile(builder, q, loop.row, zero);
    sum = loop.carried.add(output.str(), builder.zero(output).name);
    if (!isSoftmax)
      return;
    largest = loop.carried.add(rows.str(), builder.floatConstant(rows, -65536).name);
    weight = loop.carried.add(rows.str(), builder.zero(rows).name);
  }
  void step(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    Product product{element, Element::F32};
    Value keys = loadTile(builder, k, zero, loop.step);
    if (loadsAgain)
      query = loadTile(builder, q, loop.row, zero);
    Value score = builder.compute(scores, openFacts(Element::F32),
                                  multiply(builder, product, query, keys, builder.zero(scores).name, scores));
    if (isMasked)
      score = mask(loop, score);
    Value before{loop.carried[sum], output, {}};
    Value weights = isSoftmax ? softmax(loop, score, before) : clampTo(builder, score, element);
    Value values = loadTile(builder, v, loop.step, zero);
    loop.carried.set(
        sum, builder.compute(output, {}, multiply(builder, product, weights, values, before.name, output)).name);
  }
  void finish(ProductLoop &loop) override {
    Value value{loop.carried[sum], output, openFacts(Element::F32)};
    if (isSoftmax) {
      Value total{loop.carried[weight], rows, openFacts(Element::F32)};
      // A loop without an iteration has no weights. Where nothing else is done to them than to divide, their unit is
      // the compiler's choice (`tileas-rescale-conditionally`), and with it how they are rounded for the product.
      total = loop.builder.binary("maxf", total, loop.builder.floatConstant(rows, 0.0078125), total.facts);
      value = loop.builder.binary("divf", value, alongRows(loop.builder, total, output), value.facts);
    }
    loop.store(value);
  }

private:
  /// Those of the tile's rows or columns: `tile · count`, and on.
  static Value number(ProgramBuilder &builder, const Value &tile, int64_t count, Type type) {
    Value first =
        builder.binary("muli", tile, builder.constant(scalarOf(Element::I32), count), unknownFacts(Element::I32));
    return builder.binary("addi", builder.rowMajorIota(Element::I32, type.shape), builder.splat(first, type.shape),
                          unknownFacts(Element::I32));
  }
  static Value compare(ProgramBuilder &builder, const char *predicate, const Value &a, const Value &b) {
    const Type bits = a.type.with(Element::I1);
    return builder.compute(bits, {},
                           std::string("cmpi ") + predicate + " " + a.name + ", " + b.name + ", signed" +
                               printTypes(a.type, bits));
  }
  /// Keys from `limit` on do not count, nor do those behind the row.
  Value mask(ProductLoop &loop, const Value &score) {
    ProgramBuilder &builder = loop.builder;
    const Type positions{Element::I32, {1, loop.k}, false}, queries{Element::I32, {loop.m, 1}, false};
    Value numbers = number(builder, loop.step, loop.k, positions);
    Value inside = broadcast(builder, compare(builder, "less_than", numbers, builder.splat(limit, positions.shape)),
                             scores.with(Element::I1));
    if (isCausal) {
      const Type all = scores.with(Element::I32);
      Value keys = broadcast(builder, numbers, all),
            rows = broadcast(builder, number(builder, loop.row, loop.m, queries), all);
      const bool isReversed = builder.random.chance(50);
      Value seen = isReversed ? compare(builder, "greater_than_or_equal", rows, keys)
                              : compare(builder, "less_than_or_equal", keys, rows);
      inside = builder.random.chance(60) ? builder.binary("andi", inside, seen, {}) : seen;
    }
    Value outside = builder.floatConstant(scores, isSoftmax ? -65536 : 0);
    return builder.compute(scores, score.facts,
                           "select " + inside.name + ", " + score.name + ", " + outside.name + " : " +
                               inside.type.str() + ", " + scores.str());
  }
  /// The weights of the keys, as they are multiplied; what was there is scaled down.
  Value softmax(ProductLoop &loop, const Value &score, Value &before) {
    ProgramBuilder &builder = loop.builder;
    Facts facts = openFacts(Element::F32);
    Value old{loop.carried[largest], rows, facts}, total{loop.carried[weight], rows, facts};
    Value top = builder.binary("maxf", old, reduceRows(builder, score, "maxf", "0xFF800000"), facts);
    Value power = unary(builder, "exp2", builder.binary("subf", score, alongRows(builder, top, scores), facts));
    Value decay = unary(builder, "exp2", builder.binary("subf", old, top, facts));
    total = builder.binary("addf", builder.binary("mulf", total, decay, facts),
                           reduceRows(builder, power, "addf", "0.0"), facts);
    before = builder.binary("mulf", before, alongRows(builder, decay, output), facts);
    loop.carried.set(largest, top.name);
    loop.carried.set(weight, total.name);
    Type narrow = scores.with(element);
    return builder.compute(narrow, openFacts(element), "ftof " + power.name + printTypes(scores, narrow));
  }

  Element element = Element::F16;
  int64_t width = 0;
  bool isSoftmax = false, isMasked = false, isCausal = false, loadsAgain = false;
  LoopMatrix q, k, v;
  Value limit, zero, query;
  Type scores, output, rows;
  size_t sum = 0, largest = 0, weight = 0;
};

//===----------------------------------------------------------------------===//
// Other uses of tiles
//===----------------------------------------------------------------------===//

bool canAdd(Element element) {
  return element == Element::F16 || element == Element::BF16 || element == Element::F32 || element == Element::F64 ||
         element == Element::I8;
}

/// A sum of the operand's tiles, element by element.
class RowWork : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    operand = loop.makeOperand(loop.builder.random.pick({ProductLoop::Side::Left, ProductLoop::Side::Right}),
                               loop.product, /*canShare=*/true);
    type = loop.operand(operand).used;
    isActive = canAdd(type.element);
  }
  void begin(ProductLoop &loop) override {
    if (isActive)
      sum = loop.carried.add(type.str(), loop.builder.zero(type).name);
  }
  void step(ProductLoop &loop) override {
    if (!isActive)
      return;
    Value tile = loop.load(operand), before{loop.carried[sum], type, {}};
    loop.carried.set(sum, loop.builder.binary(isFloat(type.element) ? "addf" : "addi", before, tile, {}).name);
  }
  void finish(ProductLoop &loop) override {
    if (isActive)
      loop.store({loop.carried[sum], type, openFacts(type.element)});
  }

private:
  size_t operand = 0, sum = 0;
  Type type;
  bool isActive = false;
};

/// Rows of the operand's tiles are reduced in each iteration; the results of the iterations are, too.
class RowReduction : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    operand = loop.makeOperand(loop.builder.random.pick({ProductLoop::Side::Left, ProductLoop::Side::Right}),
                               loop.product, /*canShare=*/true);
    const Type tile = loop.operand(operand).used;
    type = tile.with({tile.shape[0]});
    isActive = canAdd(type.element);
    isSum = loop.builder.random.chance(60);
  }
  void begin(ProductLoop &loop) override {
    if (isActive)
      result = loop.carried.add(type.str(), loop.builder.zero(type).name);
  }
  void step(ProductLoop &loop) override {
    if (!isActive)
      return;
    const bool isFloating = isFloat(type.element);
    const char *operation = isSum ? (isFloating ? "addf" : "addi") : isFloating ? "maxf" : "maxi";
    const char *suffix = isSum || isFloating ? "" : " signed", *identity = isFloating ? "0.0" : "0";
    Value rows = reduceRows(loop.builder, loop.load(operand), operation, identity, suffix);
    Value before{loop.carried[result], type, {}};
    loop.carried.set(result, loop.builder.binary(operation, before, rows, {}, suffix).name);
  }
  void finish(ProductLoop &loop) override {
    if (isActive)
      loop.store(loop.builder.reshape({loop.carried[result], type, openFacts(type.element)}, {type.shape[0], 1}));
  }

private:
  size_t operand = 0, result = 0;
  Type type;
  bool isActive = false, isSum = false;
};

/// Each iteration writes a tile of its own.
class Stream : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    if (!loop.hasProducts && loop.countOperands() == 0)
      loop.makeOperand(ProductLoop::Side::Left, loop.product, /*canShare=*/false);
    writesProduct = loop.hasProducts && (loop.countOperands() == 0 || loop.builder.random.chance(50));
    operand = writesProduct ? 0 : loop.builder.random.below(loop.countOperands());
    type = writesProduct ? Type{loop.product.sum, {loop.m, loop.n}, false} : loop.operand(operand).used;
    const int64_t places = loop.resultTiles * std::max<int64_t>(loop.steps, 1);
    isActive = type.element != Element::TF32 && places * type.size() <= kMostElements;
    if (isActive)
      matrix = makeResultMatrix(loop.builder, {type.element, type.element, type.shape[0], type.shape[1],
                                               places * type.shape[0], type.shape[1], Need::Any});
  }
  void begin(ProductLoop &) override {}
  void step(ProductLoop &loop) override {
    if (!isActive || (writesProduct && (!loop.latest || !(loop.latest->type == type))))
      return;
    ProgramBuilder &builder = loop.builder;
    Type i32 = scalarOf(Element::I32);
    Facts facts = unknownFacts(Element::I32);
    Value value = writesProduct ? *loop.latest : loop.load(operand);
    Value first =
        builder.binary("muli", loop.resultTile, builder.constant(i32, std::max<int64_t>(loop.steps, 1)), facts);
    storeTile(builder, matrix, value, builder.binary("addi", first, loop.step, facts), builder.constant(i32, 0),
              builder.random.chance(50) ? loop.token : "");
  }
  void finish(ProductLoop &) override {}

private:
  static constexpr int64_t kMostElements = 1 << 16;
  bool writesProduct = false, isActive = false;
  size_t operand = 0;
  Type type;
  LoopMatrix matrix;
};

/// Each iteration reads what one before has written: no load may be made earlier than the tokens say.
class Feedback : public LoopPart {
public:
  void prepare(ProductLoop &loop) override {
    Random &random = loop.builder.random;
    used = loop.product.input;
    stored = used == Element::TF32 ? Element::F32 : used;
    right = loop.makeOperand(ProductLoop::Side::Right, loop.product, /*canShare=*/true);
    type = {loop.product.sum, {loop.m, loop.n}, false};
    staysInPlace = random.chance(30);
    isAliased = random.chance(35);
    matrix = makeResultMatrix(
        loop.builder, {stored, used, loop.m, loop.k, loop.resultTiles * loop.m, (loop.steps + 1) * loop.k, Need::Any},
        /*fill=*/0, isAliased ? &written : nullptr);
    if (!isAliased)
      written = matrix;
  }
  void begin(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    Type tile{stored, {loop.m, loop.k}, false};
    Value first = builder.create(tile, Need::Small), zero = builder.constant(scalarOf(Element::I32), 0);
    order = loop.carried.add("token", storeTile(builder, written, first, loop.resultTile, zero, loop.token));
    sum = loop.carried.add(type.str(), builder.zero(type).name);
  }
  void step(ProductLoop &loop) override {
    ProgramBuilder &builder = loop.builder;
    Type i32 = scalarOf(Element::I32);
    std::string last = loop.carried[order];
    LoopMatrix raw = matrix;
    raw.used.element = stored;
    Value tile = loadTile(builder, raw, loop.resultTile, loop.step, &last), left = tile;
    if (used != stored)
      left = builder.compute(matrix.used, {}, "ftof " + tile.name + printTypes(tile.type, matrix.used));
    Value b = loop.load(right);
    Value next = builder.compute(type, openFacts(type.element),
                                 multiply(builder, loop.product, left, b, loop.carried[sum], type));
    loop.carried.set(sum, next.name);
    loop.latest = next;
    if (canAdd(stored))
      tile = negate(builder, tile);
    Value place = staysInPlace
                      ? loop.step
                      : builder.binary("addi", loop.step, builder.constant(i32, 1), unknownFacts(Element::I32));
    loop.carried.set(order, storeTile(builder, written, tile, loop.resultTile, place, last));
  }
  void finish(ProductLoop &loop) override { loop.store({loop.carried[sum], type, openFacts(type.element)}); }

private:
  Element used = Element::F16, stored = Element::F16;
  bool staysInPlace = false, isAliased = false;
  size_t right = 0, order = 0, sum = 0;
  Type type;
  LoopMatrix matrix, written; ///< the same memory, by one parameter or by two
};

} // namespace

std::unique_ptr<LoopPart> tileiras::fuzz::makeAccumulation() {
  return std::make_unique<Accumulation>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeAttention() {
  return std::make_unique<Attention>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeChain() {
  return std::make_unique<Chain>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeRowWork() {
  return std::make_unique<RowWork>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeRowReduction() {
  return std::make_unique<RowReduction>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeStream() {
  return std::make_unique<Stream>();
}
std::unique_ptr<LoopPart> tileiras::fuzz::makeFeedback() {
  return std::make_unique<Feedback>();
}
