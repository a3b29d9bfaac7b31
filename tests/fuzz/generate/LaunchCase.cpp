//===- LaunchCase.cpp - What a kernel is launched with --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchCase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace tileiras::fuzz;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

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
  os << "{\n\"entry\": " << Value(entry) << ",\n\"grid\": " << Value(Array{grid[0], grid[1], grid[2]})
     << ",\n\"buffers\": [\n";
  llvm::interleave(
      bufferList, [&](const Value &value) { os << "  " << value; }, [&] { os << ",\n"; });
  os << "\n],\n\"parameters\": " << Value(std::move(parameterList)) << ",\n\"compare\": " << Value(std::move(compared))
     << "\n}\n";
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

static llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("launch description: " + what);
}

static llvm::Error readBuffer(const Object &object, Buffer &buffer) {
  std::optional<llvm::StringRef> name = object.getString("name"), type = object.getString("type");
  if (!name)
    return malformed("a buffer without a name");
  buffer.name = name->str();
  if (object.get("file"))
    return malformed("the contents of buffer '" + *name +
                     "' are in a file; here they have to be given as values or fill");
  if (const Array *values = object.getArray("values")) {
    unsigned width = 0;
    if (!type || !type->starts_with("u") || type->drop_front().getAsInteger(10, width) || width % 8 || width > 64)
      return malformed("the values of buffer '" + *name + "' need a type u8, u16, u32 or u64");
    for (const Value &value : *values) {
      std::optional<uint64_t> word = value.getAsUINT64();
      if (!word)
        return malformed("a value of buffer '" + *name + "' is no unsigned integer");
      for (unsigned byte = 0; byte < width / 8; ++byte)
        buffer.contents.push_back(static_cast<uint8_t>(*word >> (8 * byte)));
    }
  }
  if (std::optional<int64_t> bytes = object.getInteger("bytes"))
    buffer.contents.resize(*bytes, static_cast<uint8_t>(object.getInteger("fill").value_or(0)));
  return llvm::Error::success();
}

static llvm::Error readParameter(const Object &object, Parameter &parameter) {
  if (std::optional<llvm::StringRef> buffer = object.getString("buffer")) {
    parameter.buffer = buffer->str();
    parameter.bits = static_cast<uint64_t>(object.getInteger("offset").value_or(0));
    return llvm::Error::success();
  }
  for (auto [name, element] :
       {std::pair{"u8", Element::I8}, {"u16", Element::I16}, {"u32", Element::I32}, {"u64", Element::I64}})
    if (const Value *value = object.get(name)) {
      std::optional<uint64_t> bits = value->getAsUINT64();
      if (!bits)
        return malformed("a parameter is no unsigned integer");
      parameter.element = element;
      parameter.bits = *bits;
      return llvm::Error::success();
    }
  return malformed("a parameter is neither a buffer nor u8, u16, u32 or u64");
}

llvm::Expected<LaunchCase> LaunchCase::fromJson(llvm::StringRef text) {
  llvm::Expected<Value> root = llvm::json::parse(text);
  if (!root)
    return root.takeError();
  const Object *object = root->getAsObject();
  const Array *buffers = object ? object->getArray("buffers") : nullptr;
  const Array *parameters = object ? object->getArray("parameters") : nullptr;
  const Array *grid = object ? object->getArray("grid") : nullptr;
  if (!buffers || !parameters || !grid || grid->size() > 3)
    return malformed("needs buffers, parameters and a grid");
  LaunchCase launch;
  launch.entry = object->getString("entry").value_or("").str();
  for (size_t i = 0; i < grid->size(); ++i)
    launch.grid[i] = static_cast<unsigned>((*grid)[i].getAsInteger().value_or(1));
  for (const Value &value : *buffers) {
    const Object *description = value.getAsObject();
    if (!description)
      return malformed("a buffer is no object");
    if (llvm::Error error = readBuffer(*description, launch.buffers.emplace_back()))
      return error;
  }
  for (const Value &value : *parameters) {
    const Object *description = value.getAsObject();
    if (!description)
      return malformed("a parameter is no object");
    if (llvm::Error error = readParameter(*description, launch.parameters.emplace_back()))
      return error;
  }
  const Array *compared = object->getArray("compare");
  for (const Value &value : compared ? *compared : Array()) {
    const Object *description = value.getAsObject();
    std::optional<llvm::StringRef> name, type;
    if (description) {
      name = description->getString("buffer");
      type = description->getString("type");
    }
    auto found = llvm::find_if(launch.buffers, [&](const Buffer &buffer) { return name && buffer.name == *name; });
    std::optional<Element> element = parseElement(type.value_or(""));
    if (found == launch.buffers.end())
      return malformed("compare needs the name of a buffer, not '" + name.value_or("") + "'");
    if (!element)
      return malformed("compare needs the element type of '" + *name +
                       "' as in a program (i32, bf16, f8E5M2, …), not '" + type.value_or("") + "'");
    found->isCompared = true;
    found->element = *element;
  }
  return launch;
}
