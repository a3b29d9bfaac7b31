//===- FarAccess.cpp - Views that are larger than any memory --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes and strides are unsigned numbers of any integer type: 3 billion columns are a view like others. Only a window
// of it has memory: the base points so far before the buffer that the window's first element is the buffer's.
//
//===----------------------------------------------------------------------===//

#include "CarriedValues.h"
#include "LoopOperands.h"
#include "Products.h"
#include "TileArithmetic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

/// Lower than the addresses of buffers, on the reference and on the emulator: no address of a base is below zero.
static constexpr int64_t kFarthestBytes = (int64_t(1) << 36) - (int64_t(1) << 24);

/// `number` as a literal of the type's width.
static Value makeNumber(ProgramBuilder &builder, Element element, int64_t number) {
  return builder.random.chance(60)
             ? builder.addScalarParameter(element, number)
             : builder.constant(scalarOf(element),
                                llvm::SignExtend64(static_cast<uint64_t>(number), getInfo(element).bits));
}

/// `base` moved by a number of elements, which may be beyond 32 bits, in one step or in two.
static Value moveBy(ProgramBuilder &builder, const Value &base, int64_t elements) {
  const Type i64 = scalarOf(Element::I64);
  auto move = [&](const Value &from, const Value &distance) {
    return builder.compute(base.type, {},
                           "offset " + from.name + ", " + distance.name + " : " + base.type.str() + ", " +
                               distance.type.str() + " -> " + base.type.str());
  };
  if (builder.random.chance(25)) { // Part of the way by the largest negative number of 32 bits.
    Value part = move(base, builder.constant(scalarOf(Element::I32), INT32_MIN));
    return move(part, makeNumber(builder, Element::I64, elements - INT32_MIN));
  }
  if (builder.random.chance(50))
    return move(base, makeNumber(builder, Element::I64, elements));
  Value away = builder.addScalarParameter(Element::I64, -elements);
  return move(base, builder.binary("subi", builder.constant(i64, 0), away, {}));
}

//===----------------------------------------------------------------------===//
// Windows of far views
//===----------------------------------------------------------------------===//

namespace {

class FarView {
public:
  FarView(ProgramBuilder &builder, Element element, Shape tile, bool isWritten)
      : builder(builder), random(builder.random), isWritten(isWritten) {
    tensor.element = element;
    view.loaded = view.used = {element, std::move(tile), false};
    view.isTransposed = view.isStacked = false;
    view.isTidy = true;
  }

  /// Chooses sizes, strides and where the window is; it has `count` tiles along dimension `far`, one along the other.
  void plan(size_t far, int64_t count);
  /// The window's elements, rows of the far dimension first.
  int64_t countElements() const;
  /// Makes the view of a window that begins at `buffer`.
  void make(const Value &buffer);
  /// A type for indices along the far dimension: unsigned, as sizes are.
  Element pickIndexType() const;
  /// The index along the far dimension of the tile `number` of the window, which may be one behind it.
  Value makeIndex(Element type, int64_t number) { return makeNumber(builder, type, firstTile + number); }

  LoopMatrix view;
  Tensor tensor;
  int64_t firstTile = 0; ///< the window's
  size_t far = 0;

private:
  void pickStrides();
  int64_t getFarTile() const { return view.loaded.shape[far]; }

  ProgramBuilder &builder;
  Random &random;
  bool isWritten;
  int64_t window = 0;   ///< elements along the far dimension
  int64_t distance = 0; ///< elements from the view's first to the window's
};

} // namespace

void FarView::plan(size_t farDim, int64_t count) {
  far = farDim;
  const int64_t tile = getFarTile();
  window = tile * count;
  tensor.sizes = view.loaded.shape;
  pickStrides();
  const int64_t stride = std::max<int64_t>(tensor.strides[far], 1) * getBytes(tensor.element);
  // About a power of two: the window is before it, across it or behind it.
  unsigned exponent = static_cast<unsigned>(random.pick({31, 31, 31, 32, 32, 30, 33}));
  while (((int64_t(1) << exponent) + 4 * window + tile) * stride >= kFarthestBytes)
    --exponent;
  const int64_t about = (int64_t(1) << exponent) / tile;
  firstTile = std::max<int64_t>(about + random.between(-count - 1, 2), 0);
  const int64_t first = firstTile * tile;
  distance = first * tensor.strides[far];
  const int64_t missing = random.chance(35) ? random.between(1, tile) - 1 : 0;
  tensor.sizes[far] = first + window - missing;
  if (random.chance(30))
    tensor.sizes[1 - far] = std::max<int64_t>(tensor.sizes[1 - far] - random.between(0, 3), 1);
  auto isOpen = [&] { return random.chance(65); };
  for (size_t i = 0; i < 2; ++i) {
    tensor.openSizes.push_back(isOpen());
    // A type has positive strides only.
    tensor.openStrides.push_back(tensor.strides[i] == 0 || (tensor.strides[i] != 1 && isOpen()));
  }
}

void FarView::pickStrides() {
  tensor.strides = {1, 1};
  const size_t near = 1 - far;
  const int64_t unit = std::max<int64_t>(16 / getBytes(tensor.element), 1);
  const int64_t rows = view.loaded.shape[near];
  if (rows == 1 && random.chance(50)) {
    // Of a dimension of size 1 the stride says nothing.
    tensor.strides[near] = (int64_t(1) << random.between(30, 33)) - unit * random.between(0, 2);
    return;
  }
  if (random.chance(70)) { // The far dimension is the dense one.
    tensor.strides[near] = !isWritten && random.chance(15) ? 0 : window + unit * random.between(0, 2);
    return;
  }
  tensor.strides[far] = std::max(rows, unit);
}

Element FarView::pickIndexType() const {
  const int64_t last = firstTile + window / getFarTile() + 1;
  return last <= UINT32_MAX && random.chance(70) ? Element::I32 : Element::I64;
}

int64_t FarView::countElements() const {
  const int64_t rows = view.loaded.shape[1 - far];
  return (window - 1) * tensor.strides[far] + (rows - 1) * tensor.strides[1 - far] + 1;
}

void FarView::make(const Value &buffer) {
  const bool fits = llvm::all_of(llvm::concat<const int64_t>(tensor.sizes, tensor.strides),
                                 [](int64_t number) { return number <= UINT32_MAX; });
  const Element indexType = fits && random.chance(75) ? Element::I32 : Element::I64;
  Value base = moveBy(builder, buffer, -distance);
  const int64_t unit = 16 / getBytes(tensor.element);
  if (distance % unit == 0 && random.chance(85))
    base = builder.compute(base.type, {}, "assume div_by<16>, " + base.name + " : " + base.type.str());
  bool anyOpen = false;
  auto list = [&](const Shape &numbers, llvm::ArrayRef<bool> open) {
    llvm::SmallVector<std::string> texts;
    for (auto [number, isOpen] : llvm::zip(numbers, open)) {
      anyOpen |= isOpen;
      if (!isOpen) {
        texts.push_back(std::to_string(number));
        continue;
      }
      Value value = makeNumber(builder, indexType, number);
      // Signed bounds: of a size from 2^31 on only a wider type has them. Copies of tensors want to know.
      if ((indexType == Element::I64 || number <= INT32_MAX) && random.chance(70))
        value =
            builder.compute(value.type, value.facts, "assume bounded<0, ?>, " + value.name + " : " + value.type.str());
      if (number % unit == 0 && random.chance(80))
        value = builder.compute(value.type, value.facts,
                                "assume div_by<" + Twine(unit) + ">, " + value.name + " : " + value.type.str());
      texts.push_back(value.name);
    }
    return "[" + llvm::join(texts, ", ") + "]";
  };
  const std::string sizes = list(tensor.sizes, tensor.openSizes), strides = list(tensor.strides, tensor.openStrides);
  const std::string name = builder.freshName();
  builder.line(name + " = make_tensor_view " + base.name + ", shape = " + sizes + ", strides = " + strides + " : " +
               (anyOpen ? scalarOf(indexType).str() + " -> " : "") + tensor.type());
  const bool isStrided = random.chance(12);
  const std::string tile = printTile(view.loaded.shape);
  const std::string traversal = isStrided ? ", traversal_strides=[" + std::to_string(view.loaded.shape[0]) + "," +
                                                std::to_string(view.loaded.shape[1]) + "]"
                                          : "";
  view.type = (isStrided ? "strided_view<" : "partition_view<") + tile + traversal +
              (isWritten && random.chance(60) ? "" : ", padding_value = zero") + ", " + tensor.type() + ">";
  view.view = builder.freshName();
  builder.line(view.view + (isStrided ? " = make_strided_view " : " = make_partition_view ") + name + " : " +
               view.type);
  if (random.chance(25)) { // A size is the number that it is read as, whatever its type takes it for.
    const Element type = fits && random.chance(50) ? Element::I32 : Element::I64;
    const bool ofTiles = random.chance(50);
    const std::string queried = builder.freshName();
    builder.line(queried + ":2 = " +
                 (ofTiles ? "get_index_space_shape " + view.view + " : " + view.type
                          : "get_tensor_shape " + name + " : " + tensor.type()) +
                 " -> " + scalarOf(type).str());
    builder.publish({queried + "#" + std::to_string(far), scalarOf(type), unknownFacts(type)});
  }
}

//===----------------------------------------------------------------------===//
// What is done with them
//===----------------------------------------------------------------------===//

static Value loadFar(ProgramBuilder &builder, FarView &far, const Value &index) {
  Value zero = builder.constant(index.type, 0);
  return far.far == 0 ? loadTile(builder, far.view, index, zero) : loadTile(builder, far.view, zero, index);
}

static Element pickFarElement(Random &random) {
  return random.pick({Element::F16, Element::F16, Element::F32, Element::BF16, Element::I8, Element::I32, Element::E4M3,
                      Element::I16, Element::I64});
}

static Shape pickFarTile(Random &random) {
  return {random.pick<int64_t>({1, 8, 16, 64}), random.pick<int64_t>({8, 16, 32, 64})};
}

/// Tiles of a far window, and one behind it, are added up.
static void addFarTiles(ProgramBuilder &builder) {
  Random &random = builder.random;
  const Element element = pickFarElement(random);
  const int64_t count = random.between(1, 3);
  FarView far(builder, element, pickFarTile(random), /*isWritten=*/false);
  far.plan(random.below(2), count);
  Facts facts;
  Value buffer = builder.addBuffer(element, far.countElements(), Need::Small, &facts);
  far.view.facts = facts;
  far.make(buffer);
  const Type type = far.view.loaded;
  const bool canAdd = element != Element::E4M3;
  const Element indexType = far.pickIndexType();
  if (!canAdd || random.chance(30)) {
    // The largest index is far outside, where a tile has several elements.
    const bool isOutside = far.view.loaded.shape[far.far] > 1 && random.chance(15);
    const int64_t number = isOutside ? -1 - far.firstTile : random.between(0, count);
    Value value = loadFar(builder, far, far.makeIndex(indexType, number));
    storeResult(builder, value);
    return;
  }
  CarriedValues carried;
  const size_t sum = carried.add(type.str(), builder.zero(type).name);
  const Type scalar = scalarOf(indexType);
  const bool isFarCounter = random.chance(40); // The counter itself is far, or is added to where the window begins.
  const Value first = isFarCounter ? far.makeIndex(indexType, 0) : builder.constant(scalar, 0),
              last = isFarCounter ? far.makeIndex(indexType, count + random.between(0, 1))
                                  : builder.addScalarParameter(indexType, count + random.between(0, 1)),
              start = far.makeIndex(indexType, 0);
  emitFor(builder, carried, {first, last, builder.constant(scalar, 1)}, [&](const Value &counter) {
    Value index = isFarCounter ? counter : builder.binary("addi", counter, start, {});
    Value tile = loadFar(builder, far, index), before{carried[sum], type, {}};
    carried.set(sum, builder.binary(isFloat(element) ? "addf" : "addi", before, tile, {}).name);
  });
  Facts open = openFacts(element);
  storeResult(builder, {carried[sum], type, open});
}

/// A · B, where A is far along the rows or along the inner dimension.
static void multiplyFarTiles(ProgramBuilder &builder) {
  Random &random = builder.random;
  const Product product = random.pick<Product>({{Element::F16, Element::F32},
                                                {Element::F16, Element::F32},
                                                {Element::BF16, Element::F32},
                                                {Element::E4M3, Element::F32},
                                                {Element::I8, Element::I32}});
  const int64_t m = random.pick<int64_t>({64, 64, 128, 16}), n = random.pick<int64_t>({16, 32, 64}),
                k = random.pick<int64_t>({32, 64}), steps = random.between(1, 4);
  const bool isLeft = random.chance(60);
  const size_t dim = isLeft ? 1 : 0;
  FarView far(builder, product.input, isLeft ? Shape{m, k} : Shape{k, n}, /*isWritten=*/false);
  far.plan(dim, steps);
  Facts facts;
  Value buffer = builder.addBuffer(product.input, far.countElements(), Need::Small, &facts);
  far.view.facts = facts;
  far.make(buffer);
  const int64_t depth = k * steps;
  LoopMatrix other = makeLoopMatrix(
      builder, isLeft ? MatrixRequest{product.input, product.input, k, n, depth, n, Need::Small, /*isTidy=*/true}
                      : MatrixRequest{product.input, product.input, m, k, m, depth, Need::Small, /*isTidy=*/true});
  const Type sum{product.sum, {m, n}, false}, i32 = scalarOf(Element::I32);
  CarriedValues carried;
  const size_t number = carried.add(sum.str(), builder.zero(sum).name);
  const Value start = far.makeIndex(Element::I32, 0), zero = builder.constant(i32, 0);
  emitFor(builder, carried,
          {zero, random.chance(60) ? builder.addScalarParameter(Element::I32, steps) : builder.constant(i32, steps),
           builder.constant(i32, 1)},
          [&](const Value &counter) {
            Value index = builder.binary("addi", counter, start, {}), farTile = loadFar(builder, far, index);
            Value near = isLeft ? loadTile(builder, other, counter, zero) : loadTile(builder, other, zero, counter);
            carried.set(number, builder
                                    .compute(sum, {},
                                             multiply(builder, product, isLeft ? farTile : near,
                                                      isLeft ? near : farTile, carried[number], sum))
                                    .name);
          });
  storeResult(builder, {carried[number], sum, openFacts(product.sum)});
}

/// Tiles are stored far, or added to what is there; those behind the window change nothing.
static void storeFarTiles(ProgramBuilder &builder) {
  Random &random = builder.random;
  // All tile blocks have the same window.
  const bool isAdded = builder.blockCount() > 1 || random.chance(20);
  const Element element = isAdded ? random.pick({Element::I32, Element::F32}) : pickFarElement(random);
  const int64_t count = random.between(1, 3);
  FarView far(builder, element, pickFarTile(random), /*isWritten=*/true);
  far.plan(random.below(2), count);
  far.view.facts = unknownFacts(element);
  far.make(builder.addResultBuffer(element, far.countElements(), isAdded ? 0 : kUntouched));
  const Type type = far.view.loaded;
  const Value tile = builder.create(type, Need::Small);
  const Element indexType = far.pickIndexType();
  const Value zero = builder.constant(scalarOf(indexType), 0);
  const int64_t stored = isAdded ? 1 : count + random.between(0, 1);
  for (int64_t number = 0; number < stored; ++number) {
    Value index = far.makeIndex(indexType, number);
    const Value &row = far.far == 0 ? index : zero, &column = far.far == 0 ? zero : index;
    if (isAdded)
      addTile(builder, far.view, tile, row, column);
    else
      storeTile(builder, far.view, tile, row, column);
  }
}

/// Elements by pointers that have been far away.
static void loadByFarPointers(ProgramBuilder &builder) {
  Random &random = builder.random;
  const Element element = pickFarElement(random);
  const int64_t count = int64_t(1) << random.between(3, 7);
  Facts facts;
  Value buffer = builder.addBuffer(element, count, Need::Small, &facts);
  const int64_t distance = (int64_t(1) << random.between(30, 32)) + random.between(-8, 8);
  Value base = moveBy(builder, buffer, -distance);
  const Type offsets{Element::I64, {count}, false}, pointers{element, {count}, true};
  Value numbers = builder.rowMajorIota(Element::I64, {count}), all = builder.splat(base, {count});
  Value back = builder.binary("addi", numbers, builder.splat(makeNumber(builder, Element::I64, distance), {count}), {});
  Value at = builder.compute(pointers, {},
                             "offset " + all.name + ", " + back.name + " : " + pointers.str() + ", " + offsets.str() +
                                 " -> " + pointers.str());
  Value value{builder.freshName(), {element, {count}, false}, facts};
  builder.line(value.name + ", " + builder.freshName() + " = load_ptr_tko weak " + at.name + builder.makeAccessHints() +
               " : " + pointers.str() + " -> " + value.type.str() + ", token");
  storeResult(builder, value);
}

/// A size that the type would take for a negative number, were it signed: 200 of an i8.
static void loadByNarrowSizes(ProgramBuilder &builder) {
  Random &random = builder.random;
  const bool isByte = random.chance(60);
  const Element indexType = isByte ? Element::I8 : Element::I16, element = pickFarElement(random);
  const int64_t size = isByte ? random.between(120, 255) : random.between(32700, 65535), tile = 64;
  Facts facts;
  Value buffer = builder.addBuffer(element, size, Need::Small, &facts);
  const std::string tensor = std::string("tensor_view<?x") + getInfo(element).name + ", strides=[1]>",
                    type = "partition_view<tile=(" + std::to_string(tile) + "), padding_value = zero, " + tensor + ">",
                    name = builder.freshName(), view = builder.freshName();
  Value number = makeNumber(builder, indexType, size);
  builder.line(name + " = make_tensor_view " + buffer.name + ", shape = [" + number.name +
               "], strides = [1] : " + number.type.str() + " -> " + tensor);
  builder.line(view + " = make_partition_view " + name + " : " + type);
  for (int64_t back : {int64_t(1), int64_t(2)}) {
    Value index = makeNumber(builder, Element::I32, (size + tile - 1) / tile - back);
    Value value{builder.freshName(), {element, {tile}, false}, facts};
    builder.line(value.name + ", " + builder.freshName() + " = load_view_tko weak " + view + "[" + index.name + "]" +
                 builder.makeAccessHints() + " : " + type + ", tile<i32> -> " + value.type.str() + ", token");
    storeResult(builder, value);
  }
}

bool tileiras::fuzz::makeFarAccess(ProgramBuilder &builder) {
  // Results that are stored far have one place in memory.
  if (builder.loopDepth > 0)
    return false;
  const uint64_t draw = builder.random.below(100);
  if (draw < 30)
    addFarTiles(builder);
  else if (draw < 62)
    multiplyFarTiles(builder);
  else if (draw < 84)
    storeFarTiles(builder);
  else if (draw < 93)
    loadByFarPointers(builder);
  else
    loadByNarrowSizes(builder);
  return true;
}
