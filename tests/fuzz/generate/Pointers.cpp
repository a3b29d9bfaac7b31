//===- Pointers.cpp - Steps that access memory through pointers -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// An integer type that holds 0 … count - 1.
static Element pickOffsetType(ProgramBuilder &builder, int64_t count) {
  if (count <= 128 && builder.random.chance(10))
    return Element::I8;
  if (count <= 32768 && builder.random.chance(10))
    return Element::I16;
  return builder.random.chance(75) ? Element::I32 : Element::I64;
}

Value tileiras::fuzz::makeDistinctOffsets(ProgramBuilder &builder, llvm::ArrayRef<int64_t> shape) {
  int64_t count = countElements(shape);
  Value offsets = builder.rowMajorIota(pickOffsetType(builder, count), shape);
  Facts facts = rangeFacts(0, count - 1);
  switch (builder.random.below(3)) {
  case 0:
    return builder.binary(
        "xori", offsets,
        builder.constant(offsets.type, static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(count)))),
        facts);
  case 1: {
    // Odd factors are units modulo a power of two.
    int64_t factor = 2 * builder.random.between(0, 4) + 1;
    Value product =
        builder.binary("muli", offsets, builder.constant(offsets.type, factor), unknownFacts(offsets.type.element));
    return builder.binary("andi", product, builder.constant(offsets.type, count - 1), facts);
  }
  default:
    return offsets;
  }
}

/// Any offsets below `count`.
static Value makeOffsets(ProgramBuilder &builder, llvm::ArrayRef<int64_t> shape, int64_t count) {
  if (builder.random.chance(50) && countElements(shape) <= count)
    return makeDistinctOffsets(builder, shape);
  return builder.below(builder.operand({pickOffsetType(builder, count), Shape(shape), false}), count);
}

/// `offsets` in bytes.
static Value scaleOffsets(ProgramBuilder &builder, const Value &offsets, Element element) {
  Value wide = builder.castInt(offsets, Element::I64);
  return builder.binary("muli", wide, builder.constant(wide.type, getBytes(element)), unknownFacts(Element::I64));
}

/// The address `base` + `offsets`, in one of the ways to compute it.
static Value addOffsets(ProgramBuilder &builder, const Value &base, const Value &offsets) {
  Type pointers{base.type.element, offsets.type.shape, true};
  Value all = builder.splat(base, offsets.type.shape);
  if (builder.random.chance(10)) {
    Type wide = offsets.type.with(Element::I64);
    Value addresses =
        builder.compute(wide, unknownFacts(Element::I64), "ptr_to_int " + all.name + printTypes(all.type, wide));
    Value steps = scaleOffsets(builder, offsets, base.type.element);
    Value sum = builder.binary("addi", addresses, steps, unknownFacts(Element::I64));
    return builder.compute(pointers, {}, "int_to_ptr " + sum.name + printTypes(wide, pointers));
  }
  if (builder.random.chance(10)) {
    Type bytes{Element::I8, offsets.type.shape, true}, wide = offsets.type.with(Element::I64);
    Value raw = builder.compute(bytes, {}, "ptr_to_ptr " + all.name + printTypes(all.type, bytes));
    Value steps = scaleOffsets(builder, offsets, base.type.element);
    Value moved = builder.compute(bytes, {},
                                  "offset " + raw.name + ", " + steps.name + " : " + bytes.str() + ", " + wide.str() +
                                      " -> " + bytes.str());
    return builder.compute(pointers, {}, "ptr_to_ptr " + moved.name + printTypes(bytes, pointers));
  }
  return builder.compute(pointers, {},
                         "offset " + all.name + ", " + offsets.name + " : " + all.type.str() + ", " +
                             offsets.type.str() + " -> " + pointers.str());
}

/// `index` < `limit`.
static Value makeLimitMask(ProgramBuilder &builder, const Value &index, int64_t limit) {
  Value bound = builder.constant(index.type, limit);
  Type bits = index.type.with(Element::I1);
  return builder.compute(bits, unknownFacts(Element::I1),
                         "cmpi less_than " + index.name + ", " + bound.name + ", " +
                             builder.random.pick({"signed", "unsigned"}) + printTypes(index.type, bits));
}

std::string tileiras::fuzz::pickOrder(ProgramBuilder &builder, const char *strongest) {
  if (builder.random.chance(80))
    return "weak";
  std::string order = builder.random.pick({"relaxed", strongest});
  order += builder.random.pick({" tl_blk", " device", " sys"});
  return order;
}

static std::string pickHints(ProgramBuilder &builder) {
  return builder.random.chance(10)
             ? " optimization_hints = <default = {latency = " + std::to_string(builder.random.between(1, 10)) + "}>"
             : builder.makeAccessHints();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

struct LoadOptions {
  std::optional<Value> mask, padding;
  std::string token;
};

} // namespace

/// A load; the name of its token in `*token` if that is wanted.
static Value load(ProgramBuilder &builder, const Value &address, const Facts &facts, const LoadOptions &options,
                  std::string *token = nullptr) {
  Value value{builder.freshName(), {address.type.element, address.type.shape, false}, facts};
  std::string result = builder.freshName(), operands = address.name, types = address.type.str();
  for (const std::optional<Value> &operand : {options.mask, options.padding})
    if (operand) {
      operands += ", " + operand->name;
      types += ", " + operand->type.str();
    }
  if (!options.token.empty())
    operands += " token=" + options.token;
  std::string order = pickOrder(builder, "acquire"), hints = pickHints(builder);
  builder.line(value.name + ", " + result + " = load_ptr_tko " + order + " " + operands + hints + " : " + types +
               " -> " + value.type.str() + ", token");
  if (token)
    *token = result;
  return value;
}

bool tileiras::fuzz::makePointerLoad(ProgramBuilder &builder) {
  Element element = builder.random.pick<Element>(kStoredElements);
  Shape shape = builder.pickShape();
  int64_t count = countElements(shape);
  Need need = builder.random.pick({Need::Exact, Need::Exact, Need::Finite, Need::Small});
  LoadOptions options;
  Facts facts;
  if (builder.random.chance(25)) {
    // The end of an array: what the mask hides is not there.
    int64_t inside = builder.random.between(1, count);
    Value base = builder.addBuffer(element, inside, need, &facts);
    Value offsets = builder.rowMajorIota(pickOffsetType(builder, count), shape);
    options.mask = makeLimitMask(builder, offsets, inside);
    options.padding = builder.operand({element, shape, false}, Need::Exact);
    builder.publish(
        load(builder, addOffsets(builder, base, offsets), joinFacts(element, facts, options.padding->facts), options));
    return true;
  }
  int64_t size = builder.random.chance(50) ? count : builder.random.between(1, 2 * count);
  Value base = builder.addBuffer(element, size, need, &facts);
  Value address = addOffsets(builder, base, makeOffsets(builder, shape, size));
  if (builder.random.chance(40)) {
    options.mask = builder.operand({Element::I1, shape, false});
    options.padding = builder.operand({element, shape, false}, Need::Exact);
    facts = joinFacts(element, facts, options.padding->facts);
  }
  builder.publish(load(builder, address, facts, options));
  return true;
}

bool tileiras::fuzz::makeGlobalLoad(ProgramBuilder &builder) {
  Element element = builder.random.pick(
      {Element::I8, Element::I16, Element::I32, Element::I64, Element::F32, Element::F64, Element::F16});
  int64_t count = int64_t(1) << builder.random.below(6);
  Need need = builder.random.pick({Need::Exact, Need::Small});
  std::string name = builder.addGlobal(element, count, need);
  Type pointer{element, {}, true};
  Value base = builder.compute(pointer, {}, "get_global " + name + " : " + pointer.str());
  builder.publish(load(builder, addOffsets(builder, base, makeOffsets(builder, builder.pickShape(), count)),
                       builder.factsOf(element, need), {}));
  return true;
}

//===----------------------------------------------------------------------===//
// Memory of one tile block
//===----------------------------------------------------------------------===//

static std::string store(ProgramBuilder &builder, const Value &address, const Value &value,
                         const std::optional<Value> &mask, const std::string &token) {
  std::string result = builder.freshName(), operands = address.name + ", " + value.name;
  std::string types = address.type.str() + ", " + value.type.str();
  if (mask) {
    operands += ", " + mask->name;
    types += ", " + mask->type.str();
  }
  if (!token.empty())
    operands += " token=" + token;
  std::string order = pickOrder(builder, "release"), hints = pickHints(builder);
  builder.line(result + " = store_ptr_tko " + order + " " + operands + hints + " : " + types + " -> token");
  return result;
}

Value tileiras::fuzz::makeOwnedBase(ProgramBuilder &builder, const Value &base, int64_t count) {
  Type i32 = scalarOf(Element::I32);
  Facts facts = rangeFacts(0, (builder.blockCount() - 1) * count);
  Value offset = builder.binary("muli", builder.linearBlock, builder.constant(i32, count), facts);
  return builder.compute(base.type, {},
                         "offset " + base.name + ", " + offset.name + " : " + base.type.str() + ", " + i32.str() +
                             " -> " + base.type.str());
}

/// One of the memories, or a new one; null in a loop that carries none.
static OwnedMemory *pickMemory(ProgramBuilder &builder) {
  if (builder.memories.empty() && builder.loopDepth > 0)
    return nullptr;
  if (builder.memories.size() >= 2 || builder.loopDepth > 0 || (!builder.memories.empty() && builder.random.chance(60)))
    return &builder.memories[builder.random.below(builder.memories.size())];
  Element element = builder.random.pick<Element>(kStoredElements);
  int64_t count =
      int64_t(1) << builder.random.between(0, llvm::Log2_64(static_cast<uint64_t>(builder.options.maxElements)));
  Value base = makeOwnedBase(builder, builder.addResultBuffer(element, builder.blockCount() * count), count);
  std::string token = builder.freshName();
  builder.line(token + " = make_token : token");
  builder.memories.push_back({base, count, token});
  return &builder.memories.back();
}

/// A shape of the program that fits in the memory, each element at an offset of its own.
static std::optional<Shape> pickFittingShape(ProgramBuilder &builder, int64_t count) {
  Shape shape = builder.pickShape();
  if (countElements(shape) > count)
    return std::nullopt;
  return shape;
}

/// Exchange, arithmetic or comparison with what is in memory; the elements are the block's own, so the result is known.
static void makeOwnedAtomic(ProgramBuilder &builder, OwnedMemory &memory, const Value &address) {
  Type type{address.type.element, address.type.shape, false};
  std::optional<Value> mask;
  std::string order = builder.random.pick({"relaxed", "acquire", "release", "acq_rel"});
  order += builder.random.pick({" tl_blk ", " device ", " sys "});
  Value value = builder.operand(type, Need::Exact), result{builder.freshName(), type, unknownFacts(type.element)};
  std::string token = builder.freshName(), operands, types = address.type.str() + ", " + type.str();
  if (builder.random.chance(40)) {
    // Elements are compared by their bits; without a NaN they are known. Half of the time it is what nobody has
    // written.
    bool expectsUntouched = !isFloat(type.element) && builder.random.chance(50);
    Value expected = expectsUntouched
                         ? builder.constant(type, type.element == Element::I32 ? kUntouched * 0x01010101
                                                                               : kUntouched * 0x0101010101010101)
                         : builder.operand(type, Need::Finite);
    operands = "atomic_cas_tko " + order + address.name + ", " + expected.name + ", " + value.name;
    if (builder.random.chance(40))
      mask = builder.operand(type.with(Element::I1));
  } else {
    const char *mode = isFloat(type.element)
                           ? "xchg"
                           : builder.random.pick({"and", "or", "xor", "add", "max", "min", "umax", "umin", "xchg"});
    operands = "atomic_rmw_tko " + order + address.name + ", " + mode + ", " + value.name;
  }
  if (mask) {
    operands += ", " + mask->name;
    types += ", " + mask->type.str();
  }
  builder.line(result.name + ", " + token + " = " + operands + " token=" + memory.token + " : " + types + " -> " +
               type.str() + ", token");
  memory.token = token;
  builder.publish(result);
}

bool tileiras::fuzz::makeOwnedAccess(ProgramBuilder &builder) {
  OwnedMemory *picked = pickMemory(builder);
  std::optional<Shape> shape = picked ? pickFittingShape(builder, picked->count) : std::nullopt;
  if (!shape)
    return false;
  OwnedMemory &memory = *picked;
  Element element = memory.base.type.element;
  bool isWord =
      element == Element::I32 || element == Element::I64 || element == Element::F32 || element == Element::F64;
  if (isWord && builder.random.chance(25)) {
    makeOwnedAtomic(builder, memory, addOffsets(builder, memory.base, makeDistinctOffsets(builder, *shape)));
    return true;
  }
  if (builder.random.chance(50)) {
    Value value = builder.operand({element, *shape, false}, Need::Exact);
    Value address = addOffsets(builder, memory.base, makeDistinctOffsets(builder, *shape));
    std::optional<Value> mask;
    if (builder.random.chance(30))
      mask = builder.operand({Element::I1, *shape, false});
    memory.token = store(builder, address, value, mask, memory.token);
    return true;
  }
  LoadOptions options;
  options.token = memory.token;
  Value address = addOffsets(builder, memory.base, makeOffsets(builder, *shape, memory.count));
  builder.publish(load(builder, address, unknownFacts(element), options, &memory.token));
  return true;
}

bool tileiras::fuzz::makeAlloca(ProgramBuilder &builder) {
  Element element = builder.random.pick(
      {Element::I8, Element::I16, Element::I32, Element::I64, Element::F16, Element::F32, Element::F64});
  Shape shape = builder.pickShape();
  int64_t count = countElements(shape);
  Type pointer{element, {}, true};
  std::string operation = "alloca num_elem = " + std::to_string(count) + ", alignment = ";
  operation += std::to_string(16 << builder.random.below(3));
  operation += builder.random.chance(20) ? " global" : "";
  Value base = builder.compute(pointer, {}, operation + " : " + pointer.str());
  Value value = builder.operand({element, shape, false}, Need::Exact);
  LoadOptions options;
  options.token =
      store(builder, addOffsets(builder, base, makeDistinctOffsets(builder, shape)), value, std::nullopt, "");
  builder.publish(
      load(builder, addOffsets(builder, base, makeOffsets(builder, builder.pickShape(), count)), value.facts, options));
  return true;
}

//===----------------------------------------------------------------------===//
// Memory of all tile blocks
//===----------------------------------------------------------------------===//

std::string tileiras::fuzz::pickAtomicOrder(ProgramBuilder &builder) {
  std::string order = builder.random.pick({"relaxed", "acq_rel", "release"});
  order += builder.random.pick({" device ", " sys "});
  return order;
}

SharedMemory tileiras::fuzz::pickSharedMemory(ProgramBuilder &builder) {
  if (!builder.shared.empty() && builder.random.chance(50))
    return builder.shared[builder.random.below(builder.shared.size())];
  Element element = builder.random.pick(
      {Element::I32, Element::I64, Element::I32, Element::F32, Element::F64, Element::F16, Element::BF16});
  const char *mode =
      isFloat(element) ? "addf" : builder.random.pick({"and", "or", "xor", "add", "max", "min", "umax", "umin"});
  int64_t count = builder.random.between(1, 64);
  // Sums of floating-point numbers begin on the grid of what is added.
  Value base = builder.addResultBuffer(element, count, isFloat(element) ? 0 : kUntouched);
  builder.shared.push_back({base, count, mode});
  return builder.shared.back();
}

bool tileiras::fuzz::makeAtomic(ProgramBuilder &builder) {
  SharedMemory memory = pickSharedMemory(builder);
  Type type{memory.base.type.element, builder.pickShape(), false};
  Value value = builder.operand(type, isFloat(type.element) ? Need::Small : Need::Any);
  Value address = addOffsets(builder, memory.base, makeOffsets(builder, type.shape, memory.count));
  std::string operands = address.name + ", " + memory.mode + ", " + value.name;
  std::string types = address.type.str() + ", " + type.str();
  if (builder.random.chance(40)) {
    Value mask = builder.operand(type.with(Element::I1));
    operands += ", " + mask.name;
    types += ", " + mask.type.str();
  }
  std::string result = builder.freshName(), token = builder.freshName();
  std::string order = pickAtomicOrder(builder);
  builder.line(result + ", " + token + " = atomic_rmw_tko " + order + operands + " : " + types + " -> " + type.str() +
               ", token");
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value tileiras::fuzz::toStorable(ProgramBuilder &builder, const Value &value) {
  Element element = value.type.element;
  Element stored = element == Element::I4                                 ? Element::I8
                   : element == Element::E2M1 || element == Element::TF32 ? Element::F32
                                                                          : element;
  if (stored == element)
    return value;
  Type type = value.type.with(stored);
  return builder.compute(type, value.facts,
                         (stored == Element::I8 ? "exti " + value.name + " unsigned" : "ftof " + value.name) +
                             printTypes(value.type, type));
}

void tileiras::fuzz::storeResult(ProgramBuilder &builder, const Value &value) {
  Value stored = toStorable(builder, value);
  if (!stored.type.shape.empty() && builder.random.chance(50)) {
    storeThroughView(builder, stored);
    return;
  }
  int64_t count = stored.type.size();
  Value base =
      makeOwnedBase(builder, builder.addResultBuffer(stored.type.element, builder.blockCount() * count), count);
  Value offsets = makeDistinctOffsets(builder, stored.type.shape);
  std::optional<Value> mask;
  if (builder.random.chance(25))
    mask = makeLimitMask(builder, offsets,
                         builder.random.between(1, std::min<int64_t>(count, getMaximum(offsets.type.element))));
  store(builder, addOffsets(builder, base, offsets), stored, mask, "");
}
