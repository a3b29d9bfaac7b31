//===- TileProgram.cpp - Load tiles, compute, store a tile ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace tileiras::fuzz;
using llvm::StringRef;
using llvm::Twine;

/// Two elements of four bits share a byte.
static bool isPacked(const Type &type) {
  return getInfo(type.element).bits == 4;
}

static Type getBytesOf(const Type &type) {
  return {Element::I8, {type.size() / 2}, false};
}

static uint64_t encodeNumber(Element element, int64_t number) {
  switch (element) {
  case Element::E8M0: // powers of two only
    return encode(element, std::ldexp(1.0, static_cast<int>(number)));
  case Element::TF32: // in memory an f32
    return encode(Element::F32, static_cast<double>(number));
  case Element::I1:
    return static_cast<uint64_t>(number) & 1;
  default:
    return encode(element, static_cast<double>(number));
  }
}

static Buffer makeBuffer(StringRef name, const Type &type, llvm::function_ref<int64_t(int64_t)> number) {
  Buffer buffer{name.str(), isPacked(type) ? Element::I8 : type.element, {}, false};
  for (int64_t i = 0; i < type.size(); ++i) {
    uint64_t bits = encodeNumber(type.element, number(i));
    if (isPacked(type)) {
      if (i % 2 == 0)
        buffer.contents.push_back(static_cast<uint8_t>(bits));
      else
        buffer.contents.back() |= static_cast<uint8_t>(bits << 4);
      continue;
    }
    for (unsigned byte = 0; byte < getBytes(type.element); ++byte)
      buffer.contents.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  }
  return buffer;
}

static std::string tensorType(const Type &type) {
  int64_t stride = 1;
  llvm::SmallVector<std::string> strides;
  for (int64_t size : llvm::reverse(type.shape)) {
    strides.insert(strides.begin(), std::to_string(stride));
    stride *= size;
  }
  return "tensor_view<" + joinShape(type.shape) + getInfo(type.element).name + ", strides=[" +
         llvm::join(strides, ",") + "]>";
}

static std::string viewType(const Type &type) {
  return "partition_view<tile=(" + StringRef(joinShape(type.shape)).rtrim('x').str() + "), " + tensorType(type) + ">";
}

static std::string zeros(const Type &type) {
  return "[" + llvm::join(llvm::SmallVector<std::string>(type.shape.size(), "%zero"), ", ") + "]";
}

static std::string zeroTypes(const Type &type) {
  std::string types;
  for (size_t d = 0; d < type.shape.size(); ++d)
    types += ", tile<i32>";
  return types;
}

void TileProgram::declare(Buffer buffer) {
  parameters.push_back("%" + buffer.name + "_memory: tile<ptr<" + getInfo(buffer.element).name + ">>");
  swept.program.launch.parameters.push_back({buffer.name, buffer.element, 0});
  swept.program.launch.buffers.push_back(std::move(buffer));
}

std::string TileProgram::makeView(const Twine &pointer, const Type &type) {
  std::string number = std::to_string(numViews++), tensor = tensorType(type);
  std::string sizes = llvm::join(llvm::map_range(type.shape, [](int64_t n) { return std::to_string(n); }), ", ");
  std::string strides = StringRef(tensor).split("strides=[").second.split(']').first.str();
  line("%tensor_" + number + " = make_tensor_view %" + pointer + ", shape = [" + sizes + "], strides = [" + strides +
       "] : " + tensor);
  line("%view_" + number + " = make_partition_view %tensor_" + number + " : " + viewType(type));
  return "%view_" + number;
}

void TileProgram::line(const Twine &text) {
  body += ("    " + text + "\n").str();
}

void TileProgram::addGlobal(const Twine &text) {
  globals += ("  " + text + "\n").str();
}

void TileProgram::addBuffer(StringRef name, const Type &type, llvm::function_ref<int64_t(int64_t)> number,
                            bool isCompared) {
  Buffer buffer = makeBuffer(name, type, number);
  buffer.isCompared = isCompared;
  declare(std::move(buffer));
}

void TileProgram::load(StringRef name, const Type &type, llvm::function_ref<int64_t(int64_t)> number) {
  addBuffer(name, type, number, /*isCompared=*/false);
  Type stored = isPacked(type) ? getBytesOf(type) : type;
  std::string loaded = ("%" + name + (isPacked(type) ? "_bytes" : "")).str();
  std::string view = makeView(name + "_memory", stored);
  line(loaded + ", %" + name + "_token = load_view_tko weak " + view + zeros(stored) + " : " + viewType(stored) +
       zeroTypes(stored) + " -> " + stored.str() + ", token");
  if (!isPacked(type))
    return;
  Type flat = type.with({type.size()});
  std::string unpacked = ("%" + name + (flat == type ? "" : "_flat")).str();
  line(unpacked + " = unpack " + loaded + printTypes(stored, flat));
  if (unpacked != "%" + name.str())
    line("%" + name + " = reshape " + unpacked + printTypes(flat, type));
}

void TileProgram::store(StringRef result, const Type &type) {
  std::string value = result.str();
  Type stored = type;
  auto convert = [&](const Type &to, StringRef operation, StringRef name) {
    if (to == stored)
      return;
    line(name + " = " + operation + " " + value + printTypes(stored, to));
    value = name.str();
    stored = to;
  };
  if (isPacked(type) || type.shape.empty())
    convert(type.with({type.size()}), "reshape", "%result_flat");
  if (isPacked(type) && type.size() == 1) { // Half a byte cannot be packed.
    line("%result_twice = cat " + value + ", " + value + " dim = 0 : " + stored.str() + ", " + stored.str() + " -> " +
         stored.with({2}).str());
    value = "%result_twice";
    stored.shape = {2};
  }
  if (isPacked(type))
    convert(getBytesOf(stored), "pack", "%result_bytes");
  Buffer buffer{"result", stored.element, {}, true};
  buffer.contents.assign(static_cast<size_t>(stored.size()) * getBytes(stored.element), 0x5a);
  declare(std::move(buffer));
  std::string view = makeView("result_memory", stored);
  line("%stored = store_view_tko weak " + value + ", " + view + zeros(stored) + " : " + stored.str() + ", " +
       viewType(stored) + zeroTypes(stored) + " -> token");
}

SweptProgram TileProgram::finish() {
  swept.program.launch.entry = "kernel";
  swept.program.text = "cuda_tile.module @sweep {\n" + globals + "  entry @kernel(" + llvm::join(parameters, ", ") +
                       ") {\n    %zero = constant <i32: 0> : tile<i32>\n" + body + "    return\n  }\n}\n";
  return std::move(swept);
}
