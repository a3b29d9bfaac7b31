//===- SweepPipelines.cpp - Loops of products that become pipelines -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>

using namespace tileiras::fuzz;
using llvm::formatv;

namespace {

/// Whether one block makes a column of tiles, iteration by iteration: of the matrices, or of such as begin where the
/// iteration does.
enum class Iterations { None, OfTiles, OfMatrices };

/// C = A · B, A and B of f16, e4m3, or f32 that is rounded to tf32: sizes in elements.
struct ProductCase {
  const char *name;
  int64_t rows, columns, depth;             ///< of the matrices
  int64_t tileRows, tileColumns, tileDepth; ///< of the tiles
  bool isTransposed;                        ///< A is stored by columns
  int64_t multiple; ///< of elements, promised of strides and addresses; tensor copies need 16 bytes
  bool isDynamic;   ///< sizes are parameters
  unsigned loops;   ///< one after the other, with outputs of their own
  bool isNarrowed;  ///< C is f16: tensor copies can store what is rounded
  Iterations iterations = Iterations::None;
  bool isReadAgain = false; ///< each tile of C, by a load that waits for its store, into a copy of C
  Element element = Element::F16;
  bool isAdded = false;          ///< to what is there, which is zero
  bool isAddedByThreads = false; ///< products of steps are, to the sum
  bool isChained = false;        ///< products of steps are operands of others, with other tiles of B
};

} // namespace

/// As it is in memory.
static Element getStored(const ProductCase &product) {
  return product.element == Element::TF32 ? Element::F32 : product.element;
}

/// Whole numbers from -2 to 2, so that sums are exact in any order; those of f32 are a little nearer to zero, and
/// rounded, not cut off, to tf32.
static void fillWithSmallNumbers(Buffer &buffer, int64_t count, uint32_t state) {
  static constexpr uint32_t halves[] = {0xC000, 0xBC00, 0x0000, 0x3C00, 0x4000}, bytes[] = {0xC0, 0xB8, 0, 0x38, 0x40},
                            words[] = {0xBFFFF800, 0xBF7FF800, 0, 0x3F7FF800, 0x3FFFF800};
  const int64_t size = getBytes(buffer.element);
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525 + 1013904223;
    const uint32_t bits = (size == 4 ? words : size == 2 ? halves : bytes)[(state >> 16) % std::size(halves)];
    for (int64_t byte = 0; byte < size; ++byte)
      buffer.contents.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  }
}

namespace {

/// One matrix, seen by tiles.
struct Matrix {
  std::string name; ///< of the pointer: "a"
  const char *element;
  std::string rows, columns; ///< values, or numbers: "%m", "72"
  int64_t tileRows, tileColumns;
  bool isDynamic, isTransposed, isRead;

  std::string tensorType() const {
    std::string shape = isDynamic ? std::string("?x?") : rows + "x" + columns;
    return formatv("tensor_view<{0}x{1}, strides=[{2},1]>", shape, element, isDynamic ? "?" : columns);
  }
  std::string viewType() const {
    return formatv("partition_view<tile=({0}x{1}){2}, {3}{4}>", tileRows, tileColumns,
                   isRead ? ", padding_value = zero" : "", tensorType(), isTransposed ? ", dim_map=[1, 0]" : "");
  }
  std::string tileType() const { return formatv("tile<{0}x{1}x{2}>", tileRows, tileColumns, element); }
  std::string makeView() const {
    return formatv("    %tensor_{0} = make_tensor_view %{0}, shape = [{1}, {2}], strides = [{2}, 1] : {3}{4}\n"
                   "    %view_{0} = make_partition_view %tensor_{0} : {5}\n",
                   name, rows, columns, isDynamic ? "tile<i32> -> " : "", tensorType(), viewType());
  }
};

} // namespace

static std::string promise(const char *name, const char *type, int64_t divisor) {
  return formatv("    %{0} = assume div_by<{2}>, %{0}_in : tile<{1}>\n", name, type, divisor);
}

static std::string promiseSize(const char *name, int64_t divisor) {
  return formatv("    %{0}_natural = assume bounded<0, ?>, %{0}_in : tile<i32>\n"
                 "    %{0} = assume div_by<{1}>, %{0}_natural : tile<i32>\n",
                 name, divisor);
}

/// The product of two tiles that are loaded, and what becomes of it.
static std::string multiplyTiles(Matrix a, const Matrix &b, const Matrix &sum, const ProductCase &product) {
  const std::string loaded = getStored(product) == product.element ? "%tile_" : "%used_", none = "%none_" + sum.name,
                    type = sum.tileType();
  std::string first = loaded + a.name, second = loaded + b.name, text;
  auto multiply = [&](llvm::StringRef result, llvm::StringRef addend) {
    text += formatv("      %{0} = mmaf {1}, {2}, {3} : {4}, {5}, {6}\n", result, first, second, addend, a.tileType(),
                    b.tileType(), type);
  };
  if (product.isChained) {
    multiply("scores", none);
    a.tileColumns = b.tileColumns;
    text += formatv("      %rounded = ftof %scores : {0} -> {1}\n", type, a.tileType());
    first = "%rounded";
    second = "%tile_values";
  }
  if (!product.isAddedByThreads) {
    multiply("next", "%partial");
    return text;
  }
  multiply("product", none);
  return text + formatv("      %next = addf %partial, %product : {0}\n", type).str();
}

/// The loop over the inner dimension, and the store of its sum.
static std::string multiply(const Matrix &a, const Matrix &b, const Matrix &c, std::string row,
                            const ProductCase &product) {
  Matrix sum = c;
  sum.element = "f32";
  std::string text = a.makeView() + b.makeView() + c.makeView();
  auto load = [](const Matrix &matrix, const std::string &indices, const std::string &tile) {
    return formatv("      %tile_{4}, %read_{4} = load_view_tko weak %view_{0}[{1}] : {2}, tile<i32> -> {3}, token\n",
                   matrix.name, indices, matrix.viewType(), matrix.tileType(), tile)
        .str();
  };
  text +=
      formatv("    %steps_{0}:2 = get_index_space_shape %view_{1} : {2} -> tile<i32>\n", c.name, a.name, a.viewType());
  text += formatv("    %none_{0} = constant <f32: 0.0> : {1}\n", c.name, sum.tileType());
  text += formatv("    %sum_{0} = for %step in (%zero to %steps_{0}#1, step %one) : tile<i32> iter_values(%partial = "
                  "%none_{0}) -> ({1}) {{\n",
                  c.name, sum.tileType());
  text += load(a, row + ", %step", a.name) + load(b, "%step, %y", b.name);
  if (product.isChained)
    text += load(b, "%step, %zero", "values");
  Matrix usedA = a, usedB = b;
  for (Matrix *used : {&usedA, &usedB}) {
    const std::string stored = used->tileType();
    used->element = getInfo(product.element).name;
    if (used->tileType() != stored)
      text += formatv("      %used_{0} = ftof %tile_{0} : {1} -> {2}\n", used->name, stored, used->tileType());
  }
  text += multiplyTiles(usedA, usedB, sum, product);
  text += formatv("      continue %next : {0}\n    }\n", sum.tileType());
  bool isNarrowed = llvm::StringRef(c.element) != sum.element;
  if (isNarrowed)
    text += formatv("    %narrow_{0} = ftof %sum_{0} : {1} -> {2}\n", c.name, sum.tileType(), c.tileType());
  if (product.isAdded)
    return text +
           formatv("    %added_{0} = atomic_red_view_tko relaxed device %view_{0}[{4}, %y], addf, %{3}_{0} : {1}, "
                   "{2}, tile<i32> -> token\n",
                   c.name, c.tileType(), c.viewType(), isNarrowed ? "narrow" : "sum", row)
               .str();
  text +=
      formatv("    %written_{0} = store_view_tko weak %{3}_{0}, %view_{0}[{4}, %y] : {1}, {2}, tile<i32> -> token\n",
              c.name, c.tileType(), c.viewType(), isNarrowed ? "narrow" : "sum", row);
  return text;
}

/// In a loop over %x: A and C from row `first` of theirs on.
static std::string startIteration(const ProductCase &product) {
  const std::array<const char *, 3> matrices[] = {{"a0", "a_in", "%k"}, {"c0", "c0_in", "%n"}};
  std::string text =
      formatv("    %height = constant <i32: {0}> : tile<i32>\n    %iterations_up = constant <i32: {1}> : tile<i32>\n"
              "    %iterations_sum = addi %m, %iterations_up : tile<i32>\n"
              "    %iterations = divi %iterations_sum, %height signed : tile<i32>\n"
              "    for %x in (%zero to %iterations, step %one) : tile<i32> {{\n",
              product.tileRows, product.tileRows - 1);
  if (product.iterations == Iterations::OfTiles)
    return text;
  text += "    %first = muli %x, %height : tile<i32>\n    %rest = subi %m, %first : tile<i32>\n"
          "    %left = assume bounded<0, ?>, %rest : tile<i32>\n";
  for (auto [name, all, columns] : matrices)
    text += formatv("    %skipped_{0} = muli %first, {2} : tile<i32>\n"
                    "    %moved_{0} = offset %{1}, %skipped_{0} : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>\n"
                    "    %{0} = assume div_by<16>, %moved_{0} : tile<ptr<f16>>\n",
                    name, all, columns);
  return text;
}

/// Loads what the iteration has stored, and stores it to the copy.
static std::string readAgain(const Matrix &c) {
  Matrix copy = c;
  copy.name = "d";
  return formatv(
      "    %d = assume div_by<2>, %d_in : tile<ptr<f16>>\n{0}"
      "    %again, %read_again = load_view_tko weak %view_c0[%x, %y] token = %written_c0 : {1}, tile<i32> -> "
      "{2}, token\n"
      "    %written_d = store_view_tko weak %again, %view_d[%x, %y] token = %read_again : {2}, {1}, tile<i32> "
      "-> token\n",
      copy.makeView(), c.viewType(), c.tileType());
}

static std::string makeText(const ProductCase &product) {
  bool isDynamic = product.isDynamic, isOfMatrices = product.iterations == Iterations::OfMatrices;
  auto size = [&](const char *name, int64_t value) {
    return isDynamic ? "%" + std::string(name) : formatv("{0}", value);
  };
  std::string m = size("m", product.rows), n = size("n", product.columns), k = size("k", product.depth);
  const char *narrowed = product.isNarrowed ? "f16" : "f32", *element = getInfo(getStored(product)).name;
  const std::string pointer = formatv("ptr<{0}>", element);
  std::string text = formatv("cuda_tile.module @sweep {{\n  entry @kernel(%a_in: tile<{0}>, %b_in: tile<{0}>", pointer);
  for (unsigned loop = 0; loop < product.loops; ++loop)
    text += formatv(", %c{0}_in: tile<ptr<{1}>>", loop, narrowed);
  if (product.isReadAgain)
    text += ", %d_in: tile<ptr<f16>>";
  text += ", %m_in: tile<i32>, %n_in: tile<i32>, %k_in: tile<i32>) {\n";
  text += formatv("    %{0}, %y, %z = get_tile_block_id : tile<i32>\n    %zero = constant <i32: 0> : tile<i32>\n"
                  "    %one = constant <i32: 1> : tile<i32>\n",
                  product.iterations != Iterations::None ? "block" : "x");
  const int64_t elements = product.multiple, bytes = elements * getBytes(product.element);
  text += promise("a", pointer.c_str(), bytes) + promise("b", pointer.c_str(), bytes) + promiseSize("m", 1) +
          promiseSize("n", elements) + promiseSize("k", elements);
  if (product.iterations != Iterations::None)
    text += startIteration(product);
  for (unsigned loop = 0; loop < product.loops; ++loop) {
    std::string number = std::to_string(loop), c = "c" + number;
    // The loops differ in their steps, and so in what their stages hold.
    int64_t tileDepth = product.tileDepth << loop;
    std::string rows = product.isTransposed ? k : m, columns = product.isTransposed ? m : k, ofC = m;
    if (isOfMatrices)
      rows = ofC = "%left";
    else
      text += promise(c.c_str(), product.isNarrowed ? "ptr<f16>" : "ptr<f32>", bytes == 16 ? 16 : 4);
    // The pointers of one matrix have a name for each loop.
    for (const char *matrix : {"a", "b"})
      if (!isOfMatrices || matrix[0] != 'a')
        text += formatv("    %{0}{1} = assume div_by<{3}>, %{0} : tile<{2}>\n", matrix, number, pointer,
                        getBytes(product.element));
    const Matrix result = {c, narrowed, ofC, n, product.tileRows, product.tileColumns, isDynamic, false, false};
    text += multiply(
        {"a" + number, element, rows, columns, product.tileRows, tileDepth, isDynamic, product.isTransposed, true},
        {"b" + number, element, k, n, tileDepth, product.tileColumns, isDynamic, false, true}, result,
        isOfMatrices ? "%zero" : "%x", product);
    if (product.isReadAgain)
      text += readAgain(result);
  }
  if (product.iterations != Iterations::None)
    text += "    continue\n    }\n";
  return text + "    return\n  }\n}\n";
}

static SweptProgram sweepProduct(const ProductCase &product) {
  SweptProgram swept;
  swept.name = product.name;
  swept.program.text = makeText(product);
  LaunchCase &launch = swept.program.launch;
  auto blocks = [](int64_t size, int64_t tile) { return static_cast<unsigned>((size + tile - 1) / tile); };
  launch.entry = "kernel";
  launch.grid = {product.iterations != Iterations::None ? 1 : blocks(product.rows, product.tileRows),
                 blocks(product.columns, product.tileColumns), 1};
  const Element stored = getStored(product);
  launch.buffers = {{"a", stored, {}, false}, {"b", stored, {}, false}};
  fillWithSmallNumbers(launch.buffers[0], product.rows * product.depth, 1);
  fillWithSmallNumbers(launch.buffers[1], product.depth * product.columns, 2);
  launch.parameters = {{"a", stored, 0}, {"b", stored, 0}};
  for (unsigned loop = 0; loop < product.loops; ++loop) {
    std::string name = "c" + std::to_string(loop);
    Element element = product.isNarrowed ? Element::F16 : Element::F32;
    launch.buffers.push_back({name, element, {}, true});
    launch.buffers.back().contents.assign(product.rows * product.columns * getBytes(element),
                                          product.isAdded ? 0 : 0x5a);
    launch.parameters.push_back({name, element, 0});
  }
  if (product.isReadAgain) {
    launch.buffers.push_back({"d", Element::F16, {}, true});
    launch.buffers.back().contents.assign(product.rows * product.columns * getBytes(Element::F16), 0x5a);
    launch.parameters.push_back({"d", Element::F16, 0});
  }
  for (int64_t size : {product.rows, product.columns, product.depth})
    launch.parameters.push_back({"", Element::I32, static_cast<uint64_t>(size)});
  return swept;
}

std::vector<SweptProgram> tileiras::fuzz::sweepPipelines() {
  // More steps than stages, sizes that are no multiples of the tiles, and two blocks in each direction.
  static constexpr ProductCase cases[] = {
      {"copied by rows", 72, 72, 136, 64, 64, 16, false, 8, true, 1, false},
      {"copied by columns", 136, 136, 120, 128, 128, 16, true, 8, false, 1, false},
      {"copied for two loops", 72, 72, 152, 64, 64, 16, false, 8, true, 2, false},
      {"loaded by threads", 71, 65, 131, 64, 64, 16, false, 1, true, 1, false},
      {"copied by threads", 70, 66, 134, 64, 64, 16, false, 2, true, 1, false},
      {"stored by copies", 72, 72, 136, 64, 64, 16, false, 8, true, 1, true},
      {"iteration by iteration", 136, 72, 72, 64, 64, 16, false, 8, true, 1, true, Iterations::OfTiles},
      {"matrix by matrix", 136, 72, 72, 64, 64, 16, false, 8, true, 1, true, Iterations::OfMatrices},
      {"bytes by threads", 80, 80, 144, 64, 64, 32, true, 16, true, 1, false, Iterations::None, false, Element::E4M3},
      {"bytes in registers", 80, 80, 144, 64, 64, 32, false, 16, true, 1, false, Iterations::None, false,
       Element::E4M3},
      {"words in registers", 80, 80, 144, 64, 64, 32, false, 16, true, 1, false, Iterations::None, false,
       Element::TF32},
      {"two warpgroups", 264, 136, 136, 128, 128, 16, false, 8, true, 1, true, Iterations::OfTiles},
      {"multiplied alternately", 136, 136, 136, 128, 128, 16, false, 8, true, 1, true, Iterations::None, false,
       Element::F16, false, true},
      {"read again", 136, 72, 72, 64, 64, 16, false, 8, true, 1, true, Iterations::OfTiles, true},
      {"few rows", 24, 136, 136, 16, 64, 16, false, 8, true, 1, false},
      {"summed in tensor memory", 136, 72, 200, 128, 64, 32, false, 8, true, 1, true},
      {"summed by pairs", 264, 136, 168, 256, 128, 32, false, 8, true, 1, true},
      {"summed by pairs, iteration by iteration", 1032, 136, 40, 256, 128, 32, true, 8, true, 1, true,
       Iterations::OfTiles},
      {"summed by groups", 264, 72, 200, 256, 64, 32, false, 8, true, 1, true, Iterations::None, false, Element::F16,
       false, true},
      {"summed in halves", 72, 136, 200, 64, 128, 32, false, 8, true, 1, true},
      {"stored in parts", 264, 264, 136, 128, 256, 64, false, 8, true, 1, true, Iterations::OfTiles},
      {"added by copies", 72, 72, 136, 64, 64, 16, false, 8, true, 1, false, Iterations::None, false, Element::F16,
       true},
      {"rounded by threads", 136, 72, 200, 128, 64, 32, false, 8, true, 1, false, Iterations::None, false,
       Element::TF32},
      {"multiplied again", 136, 72, 328, 128, 64, 64, false, 8, true, 1, false, Iterations::None, false, Element::F16,
       false, false, true},
  };
  std::vector<SweptProgram> programs;
  for (const ProductCase &product : cases)
    programs.push_back(sweepProduct(product));
  return programs;
}
