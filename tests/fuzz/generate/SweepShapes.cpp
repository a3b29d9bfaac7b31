//===- SweepShapes.cpp - Views and masks on the shapes that go wrong ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"

using namespace tileiras::fuzz;

namespace {

enum class Access : uint8_t { Partition, Strided, Gather, Pointer };
constexpr const char *kAccessNames[] = {"partition_view", "strided_view", "gather_scatter_view", "masked pointers"};

struct ShapeCase {
  Access access;
  Element element;
  int64_t size, tile;
  int64_t columns; ///< of a matrix whose rows are `size`; 0: a vector
  bool isDynamic;
};

} // namespace

static void fillWithCounter(Buffer &buffer, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    for (unsigned byte = 0; byte < getBytes(buffer.element); ++byte)
      buffer.contents.push_back(static_cast<uint8_t>(byte == 0 ? 3 * i + 1 : i));
}

static std::string viewType(const ShapeCase &shape, const std::string &tensor, bool isRead) {
  std::string tile = std::to_string(shape.tile) + (shape.columns ? "x8" : "");
  std::string padding = isRead ? "padding_value = zero, " : "";
  switch (shape.access) {
  case Access::Partition:
    return "partition_view<tile=(" + tile + "), " + padding + tensor + ">";
  case Access::Strided:
    return "strided_view<tile=(" + tile + "), traversal_strides=[" + std::to_string(shape.tile) +
           (shape.columns ? ",8" : "") + "], " + padding + tensor + ">";
  default:
    return "gather_scatter_view<tile=(" + tile + "), " + padding + tensor + ", sparse_dim=0>";
  }
}

/// Copies the tensor tile by tile through views: block x has rows x * tile …, in reverse order when they are gathered.
static std::string copyThroughViews(const ShapeCase &shape) {
  std::string name = getInfo(shape.element).name, rows = std::to_string(shape.size);
  std::string columns = std::to_string(shape.columns), tile = std::to_string(shape.tile);
  std::string tensor = "tensor_view<" + (shape.isDynamic ? "?" : rows) + "x" + (shape.columns ? columns + "x" : "") +
                       name + ", strides=[" + (shape.columns ? columns + "," : "") + "1]>";
  std::string sizes = (shape.isDynamic ? "%n" : rows) + (shape.columns ? ", " + columns : "");
  std::string strides = shape.columns ? columns + ", 1" : "1", text;
  static constexpr const char *makers[] = {"make_partition_view", "make_strided_view", "make_gather_scatter_view"};
  std::string maker = makers[static_cast<size_t>(shape.access)];
  for (bool isRead : {true, false}) {
    std::string suffix = isRead ? "in" : "out";
    text += "    %tensor_" + suffix + " = make_tensor_view %" + suffix + ", shape = [" + sizes + "], strides = [" +
            strides + "] : " + (shape.isDynamic ? "tile<i32> -> " : "") + tensor + "\n";
    text +=
        "    %view_" + suffix + " = " + maker + " %tensor_" + suffix + " : " + viewType(shape, tensor, isRead) + "\n";
  }
  std::string index = "%x", indexType = "tile<i32>",
              tileType = "tile<" + tile + "x" + (shape.columns ? "8x" : "") + name + ">";
  if (shape.access == Access::Gather) {
    std::string rowType = "tile<" + tile + "xi32>", one = "tile<1xi32>";
    text += "    %tile = constant <i32: " + tile + "> : tile<i32>\n    %first = muli %x, %tile : tile<i32>\n";
    text += "    %first_1 = reshape %first : tile<i32> -> " + one + "\n";
    text += "    %first_n = " + std::string(shape.tile > 1 ? "broadcast" : "reshape") + " %first_1 : " + one + " -> " +
            rowType + "\n";
    text += "    %row = iota : " + rowType + "\n    %last = constant <i32: " + std::to_string(shape.tile - 1) +
            "> : " + rowType + "\n";
    text +=
        "    %reversed = subi %last, %row : " + rowType + "\n    %rows = addi %first_n, %reversed : " + rowType + "\n";
    index = "%rows";
    indexType = rowType;
  }
  std::string indices = index + (shape.columns ? ", %y" : ""),
              indexTypes = indexType + (shape.columns ? ", tile<i32>" : "");
  if (shape.access == Access::Gather && shape.columns) {
    // Dense positions are elements.
    text += "    %eight = constant <i32: 8> : tile<i32>\n    %column = muli %y, %eight : tile<i32>\n";
    indices = "%rows, %column";
  }
  text += "    %value, %loaded = load_view_tko weak %view_in[" + indices + "] : " + viewType(shape, tensor, true) +
          ", " + indexTypes + " -> " + tileType + ", token\n";
  text += "    %stored = store_view_tko weak %value, %view_out[" + indices + "] : " + tileType + ", " +
          viewType(shape, tensor, false) + ", " + indexTypes + " -> token\n";
  return text;
}

static std::string copyThroughPointers(const ShapeCase &shape) {
  std::string name = getInfo(shape.element).name, tile = std::to_string(shape.tile), row = "tile<" + tile + "xi32>";
  std::string pointers = "tile<" + tile + "xptr<" + name + ">>", values = "tile<" + tile + "x" + name + ">";
  std::string text;
  auto spread = [&](const std::string &value, const std::string &element, const std::string &result) {
    text += "    " + result + "_1 = reshape " + value + " : tile<" + element + "> -> tile<1x" + element + ">\n";
    text += "    " + result + " = " + (shape.tile > 1 ? "broadcast " : "reshape ") + result + "_1 : tile<1x" + element +
            "> -> tile<" + tile + "x" + element + ">\n";
  };
  text += "    %tile = constant <i32: " + tile + "> : tile<i32>\n    %first = muli %x, %tile : tile<i32>\n";
  spread("%first", "i32", "%firsts");
  text += "    %row = iota : " + row + "\n    %offsets = addi %firsts, %row : " + row + "\n";
  spread("%n", "i32", "%limit");
  text += "    %mask = cmpi less_than %offsets, %limit, signed : " + row + " -> tile<" + tile + "xi1>\n";
  for (const char *side : {"%in", "%out"}) {
    spread(side, "ptr<" + name + ">", std::string(side) + "_all");
    text += "    " + std::string(side) + "_at = offset " + side + "_all, %offsets : " + pointers + ", " + row + " -> " +
            pointers + "\n";
  }
  text += "    %zero = constant <" + name + ": " + (isFloat(shape.element) ? "0.0" : "0") + "> : " + values + "\n";
  text += "    %value, %loaded = load_ptr_tko weak %in_at, %mask, %zero : " + pointers + ", tile<" + tile + "xi1>, " +
          values + " -> " + values + ", token\n";
  text += "    %stored = store_ptr_tko weak %out_at, %value, %mask : " + pointers + ", " + values + ", tile<" + tile +
          "xi1> -> token\n";
  return text;
}

static SweptProgram sweepShape(const ShapeCase &shape) {
  SweptProgram swept;
  LaunchCase &launch = swept.program.launch;
  auto blocks = [](int64_t size, int64_t tile) { return static_cast<unsigned>((size + tile - 1) / tile); };
  launch.entry = "kernel";
  launch.grid = {blocks(shape.size, shape.tile), shape.columns ? blocks(shape.columns, 8) : 1, 1};
  int64_t count = shape.size * std::max<int64_t>(shape.columns, 1);
  launch.buffers = {{"in", shape.element, {}, false}, {"out", shape.element, {}, true}};
  fillWithCounter(launch.buffers[0], count);
  launch.buffers[1].contents.assign(launch.buffers[0].contents.size(), 0x5a);
  launch.parameters = {
      {"in", shape.element, 0}, {"out", shape.element, 0}, {"", Element::I32, static_cast<uint64_t>(shape.size)}};
  std::string pointer = scalarOf(shape.element).str();
  pointer = "tile<ptr<" + std::string(getInfo(shape.element).name) + ">>";
  swept.program.text = "cuda_tile.module @sweep {\n  entry @kernel(%in: " + pointer + ", %out: " + pointer +
                       ", %n: tile<i32>) {\n    %x, %y, %z = get_tile_block_id : tile<i32>\n" +
                       (shape.access == Access::Pointer ? copyThroughPointers(shape) : copyThroughViews(shape)) +
                       "    return\n  }\n}\n";
  swept.name = std::string(kAccessNames[static_cast<size_t>(shape.access)]) + " " + getInfo(shape.element).name +
               " size " + std::to_string(shape.size) + (shape.columns ? " by " + std::to_string(shape.columns) : "") +
               " of tile " + std::to_string(shape.tile) + (shape.isDynamic ? ", dynamic" : "");
  return swept;
}

std::vector<SweptProgram> tileiras::fuzz::sweepShapes() {
  std::vector<SweptProgram> programs;
  for (Element element : {Element::I8, Element::F16, Element::F32, Element::I64})
    for (int64_t tile : {int64_t(1), int64_t(16), int64_t(128)})
      for (int64_t size : {int64_t(1), tile - 1, tile, tile + 1, 2 * tile - 1, int64_t(37)})
        for (Access access : {Access::Partition, Access::Strided, Access::Gather, Access::Pointer})
          for (bool isDynamic : {false, true}) {
            bool isRepeated = (size < 1) || (size == 1 && tile == 1 && isDynamic);
            bool isAlwaysDynamic = access == Access::Pointer && !isDynamic;
            if (isRepeated || isAlwaysDynamic)
              continue;
            programs.push_back(sweepShape({access, element, size, tile, 0, isDynamic}));
            if (access != Access::Pointer && tile == 16)
              for (int64_t columns : {int64_t(1), int64_t(7), int64_t(8), int64_t(13)})
                programs.push_back(sweepShape({access, element, size, tile, columns, isDynamic}));
          }
  return programs;
}
