//===- Shapes.cpp - Steps that rearrange elements -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

/// Another shape of rank 1 to 4 for as many elements.
static Shape splitElements(Random &random, int64_t count) {
  Shape shape;
  for (int64_t rank = random.between(1, 4); rank > 1; --rank) {
    int64_t size = int64_t(1) << random.between(0, llvm::Log2_64(static_cast<uint64_t>(count)));
    shape.push_back(size);
    count /= size;
  }
  shape.push_back(count);
  return shape;
}

static bool makePermute(ProgramBuilder &builder, const Value &source) {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, source.type.shape.size()));
  builder.random.shuffle(order);
  Type type = source.type;
  for (size_t i = 0; i < order.size(); ++i)
    type.shape[i] = source.type.shape[order[i]];
  std::string list = llvm::join(llvm::map_range(order, [](size_t dim) { return std::to_string(dim); }), ", ");
  builder.define(type, source.facts, "permute " + source.name + " [" + list + "]" + printTypes(source.type, type));
  return true;
}

static bool makeBroadcast(ProgramBuilder &builder, const Value &source) {
  Type type = source.type;
  int64_t room = builder.options.maxElements / type.size();
  bool changes = false;
  for (int64_t &size : type.shape)
    if (size == 1 && room > 1) {
      size = int64_t(1) << builder.random.between(0, llvm::Log2_64(static_cast<uint64_t>(room)));
      room /= size;
      changes |= size > 1;
    }
  if (!changes)
    return false;
  builder.define(type, source.facts, "broadcast " + source.name + printTypes(source.type, type));
  return true;
}

static bool makeCat(ProgramBuilder &builder, const Value &source) {
  if (source.type.shape.empty() || 2 * source.type.size() > builder.options.maxElements)
    return false;
  size_t dim = builder.random.below(source.type.shape.size());
  Value other = builder.operand(source.type);
  Type type = source.type;
  type.shape[dim] *= 2;
  builder.define(type, joinFacts(type.element, source.facts, other.facts),
                 "cat " + source.name + ", " + other.name + " dim = " + Twine(dim) + " : " + source.type.str() + ", " +
                     other.type.str() + " -> " + type.str());
  return true;
}

bool tileiras::fuzz::makeShapeChange(ProgramBuilder &builder) {
  std::optional<Value> source = builder.findLive([](const Value &value) { return !value.type.isPointer; });
  if (!source)
    return false;
  switch (builder.random.below(5)) {
  case 0:
    return makePermute(builder, *source);
  case 1:
    return makeBroadcast(builder, *source);
  case 2:
    return makeCat(builder, *source);
  case 3: {
    // A row or column across the other dimension: what reductions are followed by.
    Shape shape(builder.pickShape());
    if (shape.empty())
      return false;
    Shape ones(shape.size(), 1);
    size_t kept = builder.random.below(shape.size());
    ones[kept] = shape[kept];
    Value column = builder.operand(source->type.with(ones));
    return makeBroadcast(builder, column);
  }
  default: {
    Type type = source->type.with(splitElements(builder.random, source->type.size()));
    if (type == source->type)
      return false;
    builder.define(type, source->facts, "reshape " + source->name + printTypes(source->type, type));
    return true;
  }
  }
}

/// Indices of a part, each computed or constant, within the number of parts.
static std::string pickPart(ProgramBuilder &builder, const Type &whole, const Type &part) {
  llvm::SmallVector<std::string> indices;
  for (size_t dim = 0; dim < whole.shape.size(); ++dim)
    indices.push_back(builder.scalarBelow(Element::I32, whole.shape[dim] / part.shape[dim]).name);
  return "[" + llvm::join(indices, ", ") + "]";
}

bool tileiras::fuzz::makePart(ProgramBuilder &builder) {
  std::optional<Value> whole =
      builder.findLive([](const Value &value) { return !value.type.isPointer && value.type.size() > 1; });
  if (!whole)
    return false;
  Type part = whole->type;
  for (int64_t &size : part.shape)
    size >>= builder.random.below(llvm::Log2_64(static_cast<uint64_t>(size)) + 1);
  if (builder.random.chance(60)) {
    std::string indices = pickPart(builder, whole->type, part);
    builder.define(part, whole->facts, "extract " + whole->name + indices + printTypes(whole->type, part));
    return true;
  }
  Value source = builder.operand(part);
  std::string indices = pickPart(builder, whole->type, part);
  builder.define(whole->type, joinFacts(part.element, whole->facts, source.facts),
                 "insert " + source.name + ", " + whole->name + indices + " : " + part.str() + ", " +
                     whole->type.str() + " -> " + whole->type.str());
  return true;
}
