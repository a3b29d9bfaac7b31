//===- Views.cpp - Steps that access memory through views -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static std::string orOpen(int64_t number, bool isOpen) {
  return isOpen ? "?" : std::to_string(number);
}

std::string Tensor::type() const {
  std::string text = "tensor_view<";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += orOpen(sizes[i], openSizes[i]) + "x";
  text += std::string(getInfo(element).name) + ", strides=[";
  for (size_t i = 0; i < strides.size(); ++i)
    text += (i ? "," : "") + orOpen(strides[i], openStrides[i]);
  return text + "]>";
}

/// Dense or with gaps, row-major or with its dimensions in another order.
static Tensor layOut(ProgramBuilder &builder, Element element, const Shape &sizes) {
  Tensor tensor{element, sizes, Shape(sizes.size(), 1), {}, {}};
  auto order = llvm::to_vector(llvm::reverse(llvm::seq<size_t>(0, sizes.size())));
  if (builder.random.chance(20))
    builder.random.shuffle(order);
  int64_t stride = builder.random.chance(90) ? 1 : 2;
  for (size_t dim : order) {
    tensor.strides[dim] = stride;
    stride *= sizes[dim];
    stride += builder.random.chance(15) ? builder.random.between(1, 8) : 0;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    tensor.openSizes.push_back(builder.random.chance(40));
    tensor.openStrides.push_back(builder.random.chance(30));
  }
  return tensor;
}

/// The sizes of a tensor or a view, which `operation` asks for.
static void makeSizeQueries(ProgramBuilder &builder, const char *operation, const std::string &view,
                            const std::string &viewType, llvm::ArrayRef<int64_t> sizes) {
  Element element = builder.random.pick({Element::I32, Element::I64, Element::I16});
  std::string name = builder.freshName();
  builder.line(name + (sizes.size() > 1 ? ":" + std::to_string(sizes.size()) : "") + " = " + operation + " " + view +
               " : " + viewType + " -> " + scalarOf(element).str());
  for (auto [i, size] : llvm::enumerate(sizes))
    builder.publish(
        {sizes.size() > 1 ? name + "#" + std::to_string(i) : name, scalarOf(element), rangeFacts(size, size)});
}

/// make_tensor_view with what the type leaves open as parameters of the kernel or as constants; the view's name.
static std::string makeTensorView(ProgramBuilder &builder, const Value &base, const Tensor &tensor) {
  Element indexType = builder.random.chance(80) ? Element::I32 : Element::I64;
  bool anyOpen = false;
  auto list = [&](const Shape &numbers, llvm::ArrayRef<bool> open) {
    llvm::SmallVector<std::string> texts;
    for (auto [number, isOpen] : llvm::zip(numbers, open)) {
      anyOpen |= isOpen;
      if (!isOpen)
        texts.push_back(std::to_string(number));
      else if (builder.random.chance(70))
        texts.push_back(builder.addScalarParameter(indexType, number).name);
      else
        texts.push_back(builder.constant(scalarOf(indexType), number).name);
    }
    return "[" + llvm::join(texts, ", ") + "]";
  };
  std::string sizes = list(tensor.sizes, tensor.openSizes), strides = list(tensor.strides, tensor.openStrides);
  std::string name = builder.freshName();
  builder.line(name + " = make_tensor_view " + base.name + ", shape = " + sizes + ", strides = " + strides + " : " +
               (anyOpen ? scalarOf(indexType).str() + " -> " : "") + tensor.type());
  if (builder.random.chance(10))
    makeSizeQueries(builder, "get_tensor_shape", name, tensor.type(), tensor.sizes);
  return name;
}

//===----------------------------------------------------------------------===//
// Tiles of tensors
//===----------------------------------------------------------------------===//

namespace {

/// A view made in the program.
struct TileView {
  std::string name, type;
  Type tile;
  llvm::SmallVector<int64_t> positions; ///< along each tile dimension, how many an index can name
  Facts padding;                        ///< of what is read outside
  bool reachesOutside = false;
  llvm::SmallVector<bool> isInside = {}; ///< along each tile dimension, for all positions; empty: nothing is promised
};

} // namespace

std::string tileiras::fuzz::printTile(const Shape &shape) {
  return "tile=(" + llvm::join(llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }), "x") + ")";
}

std::string tileiras::fuzz::pickPadding(ProgramBuilder &builder, Element element, Facts &facts) {
  const char *name = "zero";
  if (isFloat(element) && builder.random.chance(60))
    name = element == Element::E4M3 ? builder.random.pick({"neg_zero", "nan"})
                                    : builder.random.pick({"neg_zero", "nan", "pos_inf", "neg_inf"});
  bool isZero = llvm::StringRef(name).contains("zero");
  facts = isZero ? (isFloat(element) ? gridFacts(getInfo(element).quantum > -1 ? getInfo(element).quantum : -1, 0)
                                     : rangeFacts(0, 0))
                 : Facts();
  return name;
}

std::string tileiras::fuzz::printDimMap(llvm::ArrayRef<size_t> map) {
  if (llvm::is_sorted(map) && map.size() < 2)
    return "";
  return ", dim_map=[" + llvm::join(llvm::map_range(map, [](size_t dim) { return std::to_string(dim); }), ", ") + "]";
}

static llvm::SmallVector<size_t> pickDimMap(ProgramBuilder &builder, size_t rank) {
  auto map = llvm::to_vector(llvm::seq<size_t>(0, rank));
  if (builder.random.chance(20))
    builder.random.shuffle(map);
  return map;
}

/// How a view is laid over its tensor. `sizes` are by tile dimension. `isLeft`: tiles outside of it are read, too.
static TileView makeView(ProgramBuilder &builder, const Value &base, Tensor tensor, llvm::ArrayRef<size_t> dimMap,
                         const Shape &tile, llvm::ArrayRef<int64_t> traversal, bool isLeft = false) {
  TileView view{"", "", {tensor.element, tile, false}, {}, {}, isLeft};
  std::string tensorName = makeTensorView(builder, base, tensor);
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t size = tensor.sizes[dimMap[i]], step = traversal.empty() ? tile[i] : traversal[i];
    view.positions.push_back((size + step - 1) / step);
    const bool isInside = (view.positions.back() - 1) * step + tile[i] <= size;
    view.reachesOutside |= !isInside;
    view.isInside.push_back(isInside && !isLeft);
  }
  std::string padding;
  if (view.reachesOutside || builder.random.chance(30))
    padding = ", padding_value = " + pickPadding(builder, tensor.element, view.padding);
  std::string steps;
  if (!traversal.empty())
    steps = ", traversal_strides=[" +
            llvm::join(llvm::map_range(traversal, [](int64_t step) { return std::to_string(step); }), ",") + "]";
  view.type = std::string(traversal.empty() ? "partition_view<" : "strided_view<") + printTile(tile) + steps + padding +
              ", " + tensor.type() + printDimMap(dimMap) + ">";
  view.name = builder.freshName();
  builder.line(view.name + (traversal.empty() ? " = make_partition_view " : " = make_strided_view ") + tensorName +
               " : " + view.type);
  return view;
}

/// An index of a tile at one of `positions`; `canLeave`: or behind them, far behind where it is negative: indices are
/// unsigned.
static Value pickIndex(ProgramBuilder &builder, Element type, int64_t positions, bool canLeave) {
  if (!canLeave || builder.random.chance(50))
    return builder.scalarBelow(type, positions);
  if (builder.random.chance(50))
    return builder.scalarBelow(type, positions + 2);
  const int64_t number = builder.random.pick<int64_t>({-1, -2, getMinimum(type), getMaximum(type), positions});
  return builder.random.chance(50) ? builder.constant(scalarOf(type), number)
                                   : builder.addScalarParameter(type, number);
}

/// Indices of one type, within the positions unless tiles outside are read.
static llvm::SmallVector<Value> pickIndices(ProgramBuilder &builder, const TileView &view, bool canLeave = false) {
  Element type = builder.random.chance(85) ? Element::I32 : builder.random.pick({Element::I64, Element::I16});
  llvm::SmallVector<Value> indices;
  for (int64_t positions : view.positions)
    indices.push_back(pickIndex(builder, type, positions, canLeave));
  return indices;
}

static std::string printIndices(llvm::ArrayRef<Value> indices) {
  return "[" + llvm::join(llvm::map_range(indices, [](const Value &index) { return index.name; }), ", ") + "]";
}

static std::string printIndexTypes(llvm::ArrayRef<Value> indices) {
  return llvm::join(llvm::map_range(indices, [](const Value &index) { return index.type.str(); }), ", ");
}

/// " inbounds = [true, false]", where it is true, or nothing.
static std::string promiseInside(ProgramBuilder &builder, const TileView &view) {
  if (view.isInside.empty() || !builder.random.chance(15))
    return "";
  llvm::SmallVector<std::string> flags;
  for (bool isInside : view.isInside)
    flags.push_back(isInside && builder.random.chance(75) ? "true" : "false");
  return " inbounds = [" + llvm::join(flags, ", ") + "]";
}

/// A load; what is outside has the facts of the padding.
static Value loadTile(ProgramBuilder &builder, const TileView &view, llvm::ArrayRef<Value> indices, const Facts &inside,
                      const std::string &token = "") {
  Facts facts = view.reachesOutside ? joinFacts(view.tile.element, inside, view.padding) : inside;
  Value value{builder.freshName(), view.tile, facts};
  std::string hints = builder.random.chance(10) ? " optimization_hints = <default = {allow_tma = false}>" : "";
  if (hints.empty())
    hints = builder.makeAccessHints();
  builder.line(value.name + ", " + builder.freshName() + " = load_view_tko " + pickOrder(builder, "acquire") + " " +
               view.name + printIndices(indices) + (token.empty() ? "" : " token = " + token) +
               promiseInside(builder, view) + hints + " : " + view.type + ", " + printIndexTypes(indices) + " -> " +
               view.tile.str() + ", token");
  return value;
}

static std::string storeTile(ProgramBuilder &builder, const TileView &view, llvm::ArrayRef<Value> indices,
                             const Value &value) {
  std::string token = builder.freshName();
  builder.line(token + " = store_view_tko " + pickOrder(builder, "release") + " " + value.name + ", " + view.name +
               printIndices(indices) + promiseInside(builder, view) + builder.makeAccessHints() + " : " +
               value.type.str() + ", " + view.type + ", " + printIndexTypes(indices) + " -> token");
  return token;
}

static Shape pickTileShape(ProgramBuilder &builder) {
  Shape shape = builder.pickShape();
  return shape.empty() ? Shape{1} : shape;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Sizes whose tiles lie inside or reach over the end; the tensor stays below a few thousand elements.
static int64_t pickTensorSize(ProgramBuilder &builder, int64_t tile, int64_t &room) {
  int64_t most = room >= 2 && builder.random.chance(50) ? 2 : 1;
  room /= most;
  int64_t size = most * tile;
  return builder.random.chance(50) ? size
                                   : size - static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(tile)));
}

bool tileiras::fuzz::makeViewLoad(ProgramBuilder &builder) {
  Shape tile = pickTileShape(builder);
  llvm::SmallVector<size_t> dimMap = pickDimMap(builder, tile.size());
  Shape sizes(tile.size());
  int64_t room = std::max<int64_t>(4096 / countElements(tile), 1);
  for (size_t i = 0; i < tile.size(); ++i)
    sizes[dimMap[i]] = pickTensorSize(builder, tile[i], room);
  Tensor tensor = layOut(builder, builder.random.pick<Element>(kStoredElements), sizes);
  Facts facts;
  Value base =
      builder.addBuffer(tensor.element, tensor.extent(), builder.random.pick({Need::Exact, Need::Small}), &facts);
  llvm::SmallVector<int64_t> traversal;
  if (builder.random.chance(30))
    for (int64_t size : tile)
      traversal.push_back(builder.random.between(1, size + 1));
  const bool canLeave = builder.random.chance(20);
  TileView view = makeView(builder, base, tensor, dimMap, tile, traversal, canLeave);
  if (builder.random.chance(20))
    makeSizeQueries(builder, "get_index_space_shape", view.name, view.type, view.positions);
  builder.publish(loadTile(builder, view, pickIndices(builder, view, canLeave), facts));
  return true;
}

bool tileiras::fuzz::makeGather(ProgramBuilder &builder) {
  Shape tile = pickTileShape(builder);
  size_t sparse = builder.random.below(tile.size());
  Shape sizes(tile.size());
  int64_t room = std::max<int64_t>(4096 / countElements(tile), 1);
  for (size_t i = 0; i < tile.size(); ++i)
    sizes[i] = i == sparse ? builder.random.between(1, 2 * tile[i]) : pickTensorSize(builder, tile[i], room);
  Tensor tensor = layOut(builder, builder.random.pick<Element>(kStoredElements), sizes);
  Facts facts;
  Value base = builder.addBuffer(tensor.element, tensor.extent(), Need::Exact, &facts);
  TileView view{"", "", {tensor.element, tile, false}, {}, {}, false};
  // Dense positions are elements: anywhere inside, or not; the tile may reach over the end.
  const bool canLeave = builder.random.chance(20);
  view.reachesOutside = canLeave;
  Element type = builder.random.chance(80) ? Element::I32 : Element::I64;
  llvm::SmallVector<Value> indices;
  for (size_t i = 0; i < tile.size(); ++i) {
    if (i == sparse) {
      Value positions = builder.operand({type, {tile[i]}, false});
      indices.push_back(
          canLeave && builder.random.chance(50) ? positions : builder.below(positions, sizes[i] + (canLeave ? 2 : 0)));
      continue;
    }
    indices.push_back(pickIndex(builder, type, sizes[i], canLeave));
    view.reachesOutside |= tile[i] > 1 || sizes[i] < tile[i];
  }
  std::string tensorName = makeTensorView(builder, base, tensor), padding;
  if (view.reachesOutside)
    padding = ", padding_value = " + pickPadding(builder, tensor.element, view.padding);
  view.type = "gather_scatter_view<" + printTile(tile) + padding + ", " + tensor.type() +
              ", sparse_dim=" + std::to_string(sparse) + ">";
  view.name = builder.freshName();
  builder.line(view.name + " = make_gather_scatter_view " + tensorName + " : " + view.type);
  builder.publish(loadTile(builder, view, indices, facts));
  return true;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

struct ResultView {
  TileView view;
  llvm::SmallVector<Value> indices;
};

} // namespace

/// A view of new results where this tile block has one tile: the one whose index along `dim` is the block's number.
static ResultView makeResultView(ProgramBuilder &builder, Element element, const Shape &tile) {
  llvm::SmallVector<size_t> dimMap = pickDimMap(builder, tile.size());
  size_t dim = builder.random.below(tile.size());
  bool isStrided = builder.random.chance(20);
  Shape sizes(tile.size());
  llvm::SmallVector<int64_t> traversal;
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t ragged =
        builder.random.chance(40) ? static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(tile[i]))) : 0;
    traversal.push_back(tile[i] + (isStrided ? static_cast<int64_t>(builder.random.below(3)) : 0));
    int64_t before = i == dim ? (builder.blockCount() - 1) * traversal[i] : 0;
    sizes[dimMap[i]] = before + tile[i] - ragged;
  }
  Tensor tensor = layOut(builder, element, sizes);
  Value base = builder.addResultBuffer(element, tensor.extent());
  ResultView result{makeView(builder, base, tensor, dimMap, tile, isStrided ? traversal : llvm::SmallVector<int64_t>()),
                    {}};
  Value zero = builder.constant(scalarOf(Element::I32), 0);
  for (size_t i = 0; i < tile.size(); ++i)
    result.indices.push_back(i == dim ? builder.linearBlock : zero);
  return result;
}

/// Rows at positions of their own: the block's, in some order.
static void scatterResult(ProgramBuilder &builder, const Value &value) {
  const Shape &tile = value.type.shape;
  size_t sparse = builder.random.below(tile.size());
  Shape sizes(tile);
  sizes[sparse] *= builder.blockCount();
  Tensor tensor = layOut(builder, value.type.element, sizes);
  Value base = builder.addResultBuffer(value.type.element, tensor.extent());
  std::string tensorName = makeTensorView(builder, base, tensor);
  TileView view{"", "", value.type, {}, {}, false};
  view.type =
      "gather_scatter_view<" + printTile(tile) + ", " + tensor.type() + ", sparse_dim=" + std::to_string(sparse) + ">";
  view.name = builder.freshName();
  builder.line(view.name + " = make_gather_scatter_view " + tensorName + " : " + view.type);
  Value rows = builder.castInt(makeDistinctOffsets(builder, {tile[sparse]}), Element::I32);
  Facts facts = rangeFacts(0, sizes[sparse] - 1);
  Value first =
      builder.binary("muli", builder.linearBlock, builder.constant(scalarOf(Element::I32), tile[sparse]), facts);
  Value positions = builder.binary("addi", builder.splat(first, {tile[sparse]}), rows, facts);
  Value zero = builder.constant(scalarOf(Element::I32), 0);
  llvm::SmallVector<Value> indices(tile.size(), zero);
  indices[sparse] = positions;
  storeTile(builder, view, indices, value);
}

void tileiras::fuzz::storeThroughView(ProgramBuilder &builder, const Value &value) {
  if (builder.random.chance(20)) {
    scatterResult(builder, value);
    return;
  }
  ResultView result = makeResultView(builder, value.type.element, value.type.shape);
  storeTile(builder, result.view, result.indices, value);
}

/// What is written is read again, in the order that the token gives.
bool tileiras::fuzz::makeViewRoundTrip(ProgramBuilder &builder) {
  if (builder.loopDepth > 0)
    return false;
  Type type{builder.random.pick<Element>(kStoredElements), pickTileShape(builder), false};
  Value value = builder.operand(type, Need::Exact);
  ResultView result = makeResultView(builder, type.element, type.shape);
  std::string token = storeTile(builder, result.view, result.indices, value);
  if (builder.random.chance(20)) {
    std::string other = builder.freshName(), joined = builder.freshName();
    builder.line(other + " = make_token : token");
    builder.line(joined + " = join_tokens " + token + ", " + other + " : token");
    token = joined;
  }
  builder.publish(loadTile(builder, result.view, result.indices, value.facts, token));
  return true;
}

/// Every tile block changes the same tile.
bool tileiras::fuzz::makeViewAtomic(ProgramBuilder &builder) {
  Element element =
      builder.random.pick({Element::I32, Element::I64, Element::F32, Element::F64, Element::F16, Element::BF16});
  const char *mode =
      isFloat(element) ? "addf" : builder.random.pick({"and", "or", "xor", "add", "max", "min", "umax", "umin"});
  Shape tile = pickTileShape(builder), sizes(tile);
  for (int64_t &size : sizes)
    size -= builder.random.chance(30) ? static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(size))) : 0;
  Tensor tensor = layOut(builder, element, sizes);
  Value base = builder.addResultBuffer(element, tensor.extent(), isFloat(element) ? 0 : kUntouched);
  auto dimMap = llvm::to_vector(llvm::seq<size_t>(0, tile.size()));
  TileView view = makeView(builder, base, tensor, dimMap, tile, {});
  Value value = builder.operand(view.tile, isFloat(element) ? Need::Small : Need::Any);
  llvm::SmallVector<Value> indices = pickIndices(builder, view);
  builder.line(builder.freshName() + " = atomic_red_view_tko " + pickAtomicOrder(builder) + view.name +
               printIndices(indices) + ", " + mode + ", " + value.name + " : " + value.type.str() + ", " + view.type +
               ", " + printIndexTypes(indices) + " -> token");
  return true;
}
