//===- LoopOperands.cpp - Matrices whose tiles a loop reads and writes ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOperands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Layout in memory
//===----------------------------------------------------------------------===//

namespace {

/// What the program says of numbers that are multiples of `unit` elements.
struct Promises {
  int64_t unit;
  unsigned percent; ///< of such numbers
};

/// How a matrix lies in memory.
struct Placement {
  Tensor tensor;
  Shape tile;                       ///< by tile dimension
  llvm::SmallVector<size_t> dimMap; ///< tile dimension -> tensor dimension
  bool isTransposed, isStacked;
  int64_t offset;    ///< elements before the first one
  Promises promises; ///< about the address, sizes and strides
};

} // namespace

/// Four of five matrices have what tensor copies or threads' own copies need; the others have part of it, at best.
static Promises pickPromises(Random &random, Element element, bool isTidy) {
  if (isTidy)
    return {16 / getBytes(element), 100};
  const uint64_t draw = random.below(100);
  const int64_t bytes = draw < 52 ? 16 : draw < 80 ? random.pick<int64_t>({4, 8}) : 16;
  return {std::max<int64_t>(bytes / getBytes(element), 1), draw < 80 ? 97u : 70u};
}

/// Elements between rows: dense, at a multiple of `unit`, or at none.
static int64_t pickLeadingStride(ProgramBuilder &builder, int64_t dense, const Promises &promises, bool isTidy) {
  const int64_t unit = promises.unit;
  const int64_t aligned =
      static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(dense), static_cast<uint64_t>(unit)));
  uint64_t draw = builder.random.below(isTidy ? 65 : 100);
  if (draw < 55)
    return aligned;
  if (draw < 65)
    return aligned + unit * builder.random.between(1, 3);
  return draw < 85 ? dense : dense + builder.random.between(1, 7);
}

static Placement pickPlacement(ProgramBuilder &builder, const MatrixRequest &request, bool canTranspose) {
  Placement placement;
  Tensor &tensor = placement.tensor;
  tensor.element = request.stored;
  // The tensor's dimensions in another order than the matrix's, undone by the view's map or by a permute.
  bool isSwapped = builder.random.chance(40), isMapped = isSwapped && (!canTranspose || builder.random.chance(40));
  placement.isTransposed = isSwapped && !isMapped;
  tensor.sizes = {request.allRows, request.allColumns};
  placement.tile = {request.rows, request.columns};
  if (isSwapped)
    std::swap(tensor.sizes[0], tensor.sizes[1]);
  if (placement.isTransposed)
    std::swap(placement.tile[0], placement.tile[1]);
  placement.dimMap = isMapped ? llvm::SmallVector<size_t>{1, 0} : llvm::SmallVector<size_t>{0, 1};
  const size_t inner = request.isTidy || builder.random.chance(80) ? 1 : 0;
  tensor.strides = {1, 1};
  tensor.strides[inner] = request.isTidy || builder.random.chance(97) ? 1 : 2;
  placement.promises = pickPromises(builder.random, request.stored, request.isTidy);
  tensor.strides[1 - inner] =
      pickLeadingStride(builder, tensor.sizes[inner] * tensor.strides[inner], placement.promises, request.isTidy);
  placement.isStacked = canTranspose && builder.random.chance(15);
  if (placement.isStacked) {
    tensor.strides.insert(tensor.strides.begin(), tensor.strides[1 - inner] * tensor.sizes[1 - inner]);
    tensor.sizes.insert(tensor.sizes.begin(), builder.random.between(1, 2));
    placement.tile.insert(placement.tile.begin(), 1);
    for (size_t &dim : placement.dimMap)
      ++dim;
    placement.dimMap.insert(placement.dimMap.begin(), 0);
  }
  const uint64_t openness = builder.random.below(4); // all, none, or some of the sizes and strides
  auto isOpen = [&] { return openness < 2 || (openness == 2 && builder.random.chance(50)); };
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    tensor.openSizes.push_back(isOpen());
    // Frontends say that the innermost stride is 1.
    tensor.openStrides.push_back(tensor.strides[i] == 1 ? !request.isTidy && builder.random.chance(5) : isOpen());
  }
  placement.offset = builder.random.chance(85) ? 0 : builder.random.between(1, 32);
  if (request.isTidy || builder.random.chance(70))
    placement.offset *= placement.promises.unit;
  return placement;
}

//===----------------------------------------------------------------------===//
// The view
//===----------------------------------------------------------------------===//

static Value promise(ProgramBuilder &builder, const Value &value, const Twine &fact) {
  return builder.compute(value.type, value.facts, "assume " + fact + ", " + value.name + " : " + value.type.str());
}

/// The matrix's first element, from a buffer with `offset` elements before it.
static Value makeBase(ProgramBuilder &builder, Value base, Element element, int64_t offset, const Promises &promises) {
  if (offset > 0) {
    Type i32 = scalarOf(Element::I32);
    Value distance =
        builder.random.chance(50) ? builder.constant(i32, offset) : builder.addScalarParameter(Element::I32, offset);
    base = builder.compute(base.type, {},
                           "offset " + base.name + ", " + distance.name + " : " + base.type.str() + ", " + i32.str() +
                               " -> " + base.type.str());
  }
  bool isAligned = offset % promises.unit == 0;
  return isAligned && builder.random.chance(promises.percent)
             ? promise(builder, base, "div_by<" + Twine(promises.unit * getBytes(element)) + ">")
             : base;
}

/// What the type leaves open, as parameters of the kernel (with promises) or constants: "[%n3, 64]".
static std::string printNumbers(ProgramBuilder &builder, const Shape &numbers, llvm::ArrayRef<bool> open,
                                Element indexType, const Promises &promises) {
  llvm::SmallVector<std::string> texts;
  for (auto [number, isOpen] : llvm::zip(numbers, open)) {
    if (!isOpen) {
      texts.push_back(std::to_string(number));
      continue;
    }
    Value value = builder.random.chance(85) ? builder.addScalarParameter(indexType, number)
                                            : builder.constant(scalarOf(indexType), number);
    if (builder.random.chance(85)) // without, threads load
      value = promise(builder, value, "bounded<0, ?>");
    if (number % promises.unit == 0 && builder.random.chance(promises.percent))
      value = promise(builder, value, "div_by<" + Twine(promises.unit) + ">");
    texts.push_back(value.name);
  }
  return "[" + llvm::join(texts, ", ") + "]";
}

/// Sets the view's name and type, and the type of its tiles. `padding` is empty or ", padding_value = …".
static void makeView(ProgramBuilder &builder, LoopMatrix &matrix, const Placement &placement, const Value &base,
                     const std::string &padding) {
  const Tensor &tensor = placement.tensor;
  const Promises &promises = placement.promises;
  Element indexType = matrix.isTidy || builder.random.chance(85) ? Element::I32 : Element::I64;
  Value first = makeBase(builder, base, tensor.element, placement.offset, promises);
  std::string sizes = printNumbers(builder, tensor.sizes, tensor.openSizes, indexType, promises),
              strides = printNumbers(builder, tensor.strides, tensor.openStrides, indexType, promises);
  bool anyOpen = llvm::is_contained(tensor.openSizes, true) || llvm::is_contained(tensor.openStrides, true);
  std::string name = builder.freshName();
  builder.line(name + " = make_tensor_view " + first.name + ", shape = " + sizes + ", strides = " + strides + " : " +
               (anyOpen ? scalarOf(indexType).str() + " -> " : "") + tensor.type());
  bool isMapped = !llvm::is_sorted(placement.dimMap);
  matrix.type = "partition_view<" + printTile(placement.tile) + padding + ", " + tensor.type() +
                (isMapped ? printDimMap(placement.dimMap) : "") + ">";
  matrix.view = builder.freshName();
  builder.line(matrix.view + " = make_partition_view " + name + " : " + matrix.type);
  matrix.loaded = {tensor.element, placement.tile, false};
  matrix.isTransposed = placement.isTransposed;
  matrix.isStacked = placement.isStacked;
}

static std::string printPosition(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &row,
                                 const Value &column) {
  std::string text = matrix.isTransposed ? column.name + ", " + row.name : row.name + ", " + column.name;
  if (matrix.isStacked)
    text = builder.constant(row.type, 0).name + ", " + text;
  return "[" + text + "]";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// What is known after the conversion of small numbers.
static Facts convertFacts(const MatrixRequest &request, const Facts &facts) {
  if (request.stored == request.used || isFloat(request.stored))
    return facts;
  return gridFacts(0, 3); // integers of four bits, as Need::Small gives them
}

LoopMatrix tileiras::fuzz::makeLoopMatrix(ProgramBuilder &builder, const MatrixRequest &request) {
  LoopMatrix matrix;
  Placement placement = pickPlacement(builder, request, /*canTranspose=*/true);
  Facts facts;
  Value base = builder.addBuffer(request.stored, placement.offset + placement.tensor.extent(), request.need, &facts);
  std::string padding;
  const bool reachesOutside = request.allRows % request.rows != 0 || request.allColumns % request.columns != 0;
  if (reachesOutside || builder.random.chance(50)) {
    Facts outside = isFloat(request.stored) ? gridFacts(-1, 0) : rangeFacts(0, 0);
    padding = ", padding_value = " + (request.isTidy || builder.random.chance(85)
                                          ? std::string("zero")
                                          : pickPadding(builder, request.stored, outside));
    if (reachesOutside)
      facts = joinFacts(request.stored, facts, outside);
  }
  matrix.isTidy = request.isTidy;
  makeView(builder, matrix, placement, base, padding);
  matrix.used = {request.used, {request.rows, request.columns}, false};
  matrix.facts = convertFacts(request, facts);
  return matrix;
}

static Value convert(ProgramBuilder &builder, const Value &value, Element element, const Facts &facts) {
  if (value.type.element == element)
    return value;
  Type type = value.type.with(element);
  return builder.compute(type, facts,
                         (isFloat(value.type.element) ? "ftof " + value.name : "itof " + value.name + " signed") +
                             printTypes(value.type, type));
}

static Value transpose(ProgramBuilder &builder, const Value &value) {
  Type type = value.type.with({value.type.shape[1], value.type.shape[0]});
  return builder.compute(type, value.facts, "permute " + value.name + " [1, 0]" + printTypes(value.type, type));
}

Value tileiras::fuzz::loadTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &row, const Value &column,
                               std::string *token) {
  std::string position = printPosition(builder, matrix, row, column), result = builder.freshName();
  Value value{builder.freshName(), matrix.loaded, matrix.facts};
  std::string hints = matrix.isTidy              ? ""
                      : builder.random.chance(5) ? " optimization_hints = <default = {allow_tma = false}>"
                      : builder.random.chance(5) ? " optimization_hints = <default = {latency = 8}>"
                                                 : "";
  if (hints.empty())
    hints = builder.makeAccessHints();
  builder.line(value.name + ", " + result + " = load_view_tko " +
               (matrix.isTidy || builder.random.chance(85) ? "weak" : pickOrder(builder, "acquire")) + " " +
               matrix.view + position + (token ? " token = " + *token : "") + hints + " : " + matrix.type + ", " +
               row.type.str() + " -> " + value.type.str() + ", token");
  if (token)
    *token = result;
  if (matrix.isStacked)
    value = builder.reshape(value, llvm::ArrayRef(matrix.loaded.shape).drop_front());
  bool convertsFirst = builder.random.chance(50);
  if (convertsFirst)
    value = convert(builder, value, matrix.used.element, matrix.facts);
  if (matrix.isTransposed)
    value = transpose(builder, value);
  return convert(builder, value, matrix.used.element, matrix.facts);
}

Value tileiras::fuzz::countTiles(ProgramBuilder &builder, const LoopMatrix &matrix, unsigned dim, int64_t count) {
  Type i32 = scalarOf(Element::I32);
  std::string name = builder.freshName();
  builder.line(name + ":" + Twine(matrix.loaded.shape.size()) + " = get_index_space_shape " + matrix.view + " : " +
               matrix.type + " -> " + i32.str());
  unsigned position = (matrix.isTransposed ? 1 - dim : dim) + matrix.isStacked;
  return {name + "#" + std::to_string(position), i32, rangeFacts(count, count)};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

LoopMatrix tileiras::fuzz::makeResultMatrix(ProgramBuilder &builder, const MatrixRequest &request, uint8_t fill,
                                            LoopMatrix *alias) {
  Placement placement = pickPlacement(builder, request, /*canTranspose=*/false);
  Value base = builder.addResultBuffer(request.stored, placement.offset + placement.tensor.extent(), fill);
  std::string padding = builder.random.chance(30) ? ", padding_value = zero" : "";
  auto view = [&](const Value &pointer) {
    LoopMatrix matrix;
    matrix.isTidy = request.isTidy;
    makeView(builder, matrix, placement, pointer, padding);
    matrix.used = matrix.loaded.with(request.used);
    matrix.facts = unknownFacts(request.stored);
    return matrix;
  };
  if (alias)
    *alias = view(builder.addAlias(base));
  return view(base);
}

std::string tileiras::fuzz::storeTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &tile,
                                      const Value &row, const Value &column, const std::string &token) {
  std::string result = builder.freshName();
  builder.line(result + " = store_view_tko " + pickOrder(builder, "release") + " " + tile.name + ", " + matrix.view +
               "[" + row.name + ", " + column.name + "]" + (token.empty() ? "" : " token = " + token) +
               builder.makeAccessHints() + " : " + tile.type.str() + ", " + matrix.type + ", " + row.type.str() +
               " -> token");
  return result;
}

void tileiras::fuzz::addTile(ProgramBuilder &builder, const LoopMatrix &matrix, const Value &tile, const Value &row,
                             const Value &column) {
  builder.line(builder.freshName() + " = atomic_red_view_tko relaxed device " + matrix.view + "[" + row.name + ", " +
               column.name + "], " + (isFloat(tile.type.element) ? "addf, " : "add, ") + tile.name + " : " +
               tile.type.str() + ", " + matrix.type + ", " + row.type.str() + " -> token");
}
