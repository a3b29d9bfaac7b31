//===- LaunchCase.cpp - What a kernel is launched with --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchCase.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace tileiras::fuzz;
using llvm::json::Array;
using llvm::json::Object;

const Buffer *LaunchCase::findBuffer(llvm::StringRef name) const {
  auto found = llvm::find_if(buffers, [&](const Buffer &buffer) { return buffer.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Words are the widest that divide the buffer: short text, and no value is rounded.
static Object writeBuffer(const Buffer &buffer) {
  size_t width = buffer.contents.size() % 8 == 0 ? 8 : buffer.contents.size() % 4 == 0 ? 4 : 1;
  Object object{{"name", buffer.name}, {"bytes", static_cast<int64_t>(buffer.contents.size())}};
  bool isUniform = !buffer.contents.empty() && llvm::all_equal(buffer.contents);
  if (isUniform) {
    object["fill"] = buffer.contents[0];
    return object;
  }
  Array values;
  for (size_t i = 0; i < buffer.contents.size(); i += width) {
    uint64_t word = 0;
    std::memcpy(&word, &buffer.contents[i], width);
    values.push_back(word);
  }
  object["type"] = width == 8 ? "u64" : width == 4 ? "u32" : "u8";
  object["values"] = std::move(values);
  return object;
}

/// A number is written as an unsigned one of its size: its bits.
static Object writeParameter(const Parameter &parameter) {
  if (!parameter.buffer.empty())
    return Object{{"buffer", parameter.buffer}, {"offset", parameter.bits}};
  return Object{{"u" + std::to_string(8 * getBytes(parameter.element)), parameter.bits}};
}

std::string LaunchCase::toJson() const {
  Array bufferList, parameterList, compared;
  for (const Buffer &buffer : buffers) {
    bufferList.push_back(writeBuffer(buffer));
    if (buffer.isCompared)
      compared.push_back(Object{{"buffer", buffer.name}, {"type", getInfo(buffer.element).name}});
  }
  for (const Parameter &parameter : parameters)
    parameterList.push_back(writeParameter(parameter));
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\n\"entry\": " << llvm::json::Value(entry)
     << ",\n\"grid\": " << llvm::json::Value(Array{grid[0], grid[1], grid[2]}) << ",\n\"buffers\": [\n";
  llvm::interleave(
      bufferList, [&](const llvm::json::Value &value) { os << "  " << value; }, [&] { os << ",\n"; });
  os << "\n],\n\"parameters\": " << llvm::json::Value(std::move(parameterList))
     << ",\n\"compare\": " << llvm::json::Value(std::move(compared)) << "\n}\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<Element> parseElement(llvm::StringRef name) {
  for (int i = 0; i <= static_cast<int>(Element::E2M1); ++i)
    if (name == getInfo(static_cast<Element>(i)).name)
      return static_cast<Element>(i);
  return std::nullopt;
}

/// A number goes by its bits: `toJson` writes it as an unsigned one again.
static Element getBitsType(unsigned bytes) {
  return bytes == 8 ? Element::I64 : bytes == 4 ? Element::I32 : bytes == 2 ? Element::I16 : Element::I8;
}

static llvm::Expected<LaunchCase> convert(const tileiras::LaunchDescription &description) {
  auto fail = [&](const llvm::Twine &message) { return llvm::createStringError(description.file + ": " + message); };
  LaunchCase launch;
  launch.entry = description.entry;
  launch.grid = description.grid;
  for (const tileiras::LaunchDescription::Buffer &from : description.buffers) {
    Buffer &buffer = launch.buffers.emplace_back(Buffer{from.name, Element::I8, from.contents});
    buffer.contents.resize(from.bytes, from.fill);
  }
  for (const auto &[i, parameter] : llvm::enumerate(description.parameters)) {
    if (parameter.type == "map")
      return fail("parameters[" + llvm::Twine(i) + "]: a kernel of the tile language takes no tensor map");
    launch.parameters.push_back({parameter.name, getBitsType(parameter.bytes), parameter.value});
  }
  for (const auto &[i, compared] : llvm::enumerate(description.compared)) {
    Buffer &buffer = *llvm::find_if(launch.buffers, [&](const Buffer &each) { return each.name == compared.buffer; });
    std::optional<Element> element = parseElement(compared.type);
    if (!element)
      return fail("compare[" + llvm::Twine(i) +
                  "].type: expected an element type as in a program (i32, bf16, f8E5M2, …), " + "not '" +
                  compared.type + "'");
    if (buffer.contents.size() % getBytes(*element))
      return fail("compare[" + llvm::Twine(i) + "]: buffer '" + buffer.name + "' has " +
                  llvm::Twine(buffer.contents.size()) + " bytes, which is no multiple of " + compared.type);
    buffer.isCompared = true;
    buffer.element = *element;
  }
  return launch;
}

static llvm::Expected<LaunchCase> read(llvm::function_ref<tileiras::LaunchDescription()> describe) {
  try {
    return convert(describe());
  } catch (const tileiras::LaunchError &error) {
    return llvm::createStringError(llvm::Twine(error.what()));
  }
}

llvm::Expected<LaunchCase> LaunchCase::fromJson(llvm::StringRef text, const std::string &file) {
  return read([&] { return tileiras::parseLaunch(text, file); });
}

llvm::Expected<LaunchCase> LaunchCase::load(const std::string &file) {
  return read([&] { return tileiras::readLaunchFile(file); });
}
