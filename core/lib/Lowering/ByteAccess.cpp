//===- ByteAccess.cpp - Loads and stores of whole bytes -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteAccess.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {

namespace {

/// How the bytes of an access are split over PTX registers.
struct RegisterWords {
  unsigned bits;  ///< of each word
  unsigned count; ///< 1, 2 or 4

  static RegisterWords get(unsigned elementBits, unsigned totalBits) {
    unsigned bits = std::min(totalBits, elementBits == 64 ? 64u : 32u);
    return {bits, totalBits / bits};
  }
  /// Bytes travel in 16-bit registers.
  Type registerType(Emitter &emit) const { return emit.intType(std::max(bits, 16u)); }
  std::string vectorSuffix() const { return count == 1 ? "" : (".v" + Twine(count)).str(); }
  std::string typeSuffix() const { return (".b" + Twine(bits)).str(); }
};

std::string getEvictionSuffix(aa::EvictionPolicy policy) {
  switch (policy) {
  case aa::EvictionPolicy::First:
    return ".L1::evict_first";
  case aa::EvictionPolicy::Last:
    return ".L1::evict_last";
  case aa::EvictionPolicy::Normal:
    return ".L1::evict_normal";
  case aa::EvictionPolicy::None:
    return "";
  }
  llvm_unreachable("all eviction policies are handled");
}

/// Cache operators; stores have no `.ca`, `.lu` and `.cv` and take the nearest they have.
std::string getCacheSuffix(aa::CacheModifier modifier, bool isStore) {
  switch (modifier) {
  case aa::CacheModifier::None:
    return "";
  case aa::CacheModifier::CA:
    return isStore ? ".wb" : ".ca";
  case aa::CacheModifier::CG:
    return ".cg";
  case aa::CacheModifier::CS:
    return ".cs";
  case aa::CacheModifier::LU:
    return isStore ? "" : ".lu";
  case aa::CacheModifier::CV:
    return isStore ? ".wt" : ".cv";
  }
  llvm_unreachable("all cache modifiers are handled");
}

/// Everything between `ld` or `st` and the type. A weak access takes one hint: an eviction priority, else a cache
/// operator; others have no cache operators.
std::string getQualifierText(const AccessQualifiers &qualifiers, Value pointer, bool isStore) {
  // Where the address may be one of shared memory, the hints of global memory do not exist.
  std::string space = getPtxSpace(pointer);
  std::string evict = space.empty() ? "" : getEvictionSuffix(qualifiers.evict);
  if (qualifiers.semantic != aa::MemSemantic::Weak)
    return getPtxOrder(qualifiers.semantic, qualifiers.scope) + space + evict;
  return space + (evict.empty() && !space.empty() ? getCacheSuffix(qualifiers.cache, isStore) : evict);
}

/// Register scalars as the integer words of an access.
SmallVector<Value> toWords(Emitter &emit, ValueRange scalars, RegisterWords words) {
  SmallVector<Value> integers;
  for (Value scalar : scalars) {
    Type type = scalar.getType();
    if (isa<LLVM::LLVMPointerType>(type))
      scalar = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), scalar);
    else if (type.isInteger(1))
      scalar = emit.zeroExtendOrTruncate(scalar, 8);
    else
      scalar = emit.bitcast(scalar, emit.intType(type.getIntOrFloatBitWidth()));
    integers.push_back(scalar);
  }
  SmallVector<Value> result;
  if (integers.size() == words.count)
    result = integers;
  else
    result = emit.unpack(emit.bitcast(emit.pack(integers), Emitter::vectorType(words.count, emit.intType(words.bits))));
  for (Value &word : result)
    word = emit.zeroExtendOrTruncate(word, std::max(words.bits, 16u));
  return result;
}

/// The reverse: `count` scalars of the register type of `element`.
SmallVector<Value> fromWords(Emitter &emit, const LLVMTileTypeConverter &converter, SmallVector<Value> loaded,
                             RegisterWords words, Type element, unsigned count) {
  for (Value &word : loaded)
    word = emit.zeroExtendOrTruncate(word, words.bits);
  unsigned bits = getMemoryBits(element);
  if (loaded.size() != count)
    loaded = emit.unpack(emit.bitcast(emit.pack(loaded), Emitter::vectorType(count, emit.intType(bits))));
  Type type = converter.convertElement(element);
  for (Value &scalar : loaded) {
    if (isa<LLVM::LLVMPointerType>(type))
      scalar = LLVM::IntToPtrOp::create(emit.builder, emit.location, type, scalar);
    else if (element.isInteger(1))
      scalar = emit.icmp(LLVM::ICmpPredicate::ne, scalar, emit.constant(scalar.getType(), 0));
    else
      scalar = emit.bitcast(scalar, type);
  }
  return loaded;
}

SmallVector<Value> emitPlainLoad(Emitter &emit, const LLVMTileTypeConverter &converter, Type element, unsigned count,
                                 Value pointer) {
  Type memory = getMemoryType(converter, element);
  unsigned bytes = count * getMemoryBits(element) / 8;
  SmallVector<Value> scalars;
  if (count == 1)
    scalars.push_back(emit.load(memory, pointer, bytes));
  else
    scalars = emit.unpack(emit.load(Emitter::vectorType(count, memory), pointer, bytes));
  if (element.isInteger(1))
    for (Value &scalar : scalars)
      scalar = emit.icmp(LLVM::ICmpPredicate::ne, scalar, emit.constant(memory, 0));
  return scalars;
}

bool isAllZeros(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) &&
           (matchPattern(constant, m_Zero()) || matchPattern(constant, m_PosZeroFloat()));
  });
}

/// What stands between the brackets. A constant number of bytes after another address is written beside it: neighbours
/// take one register then, and no addition.
std::string getAddressText(PtxInstruction &ptx, Value pointer) {
  auto offset = pointer.getDefiningOp<LLVM::GEPOp>();
  if (!offset || offset.getIndices().size() != 1)
    return ptx.operand(pointer);
  auto number = dyn_cast<IntegerAttr>(offset.getIndices()[0]);
  const unsigned bits = offset.getElemType().isIntOrFloat() ? offset.getElemType().getIntOrFloatBitWidth() : 0;
  if (!number || bits == 0 || bits % 8 || !llvm::isInt<24>(number.getInt() * (bits / 8)))
    return ptx.operand(pointer);
  const int64_t bytes = number.getInt() * (bits / 8);
  return ptx.operand(offset.getBase()) + (bytes < 0 ? "" : "+") + std::to_string(bytes);
}

} // namespace

SmallVector<Value> emitByteLoad(Emitter &emit, const LLVMTileTypeConverter &converter,
                                const AccessQualifiers &qualifiers, Type element, unsigned count, Value pointer,
                                Value predicate, ValueRange other) {
  if (!predicate && qualifiers.isPlain())
    return emitPlainLoad(emit, converter, element, count, pointer);
  unsigned bits = getMemoryBits(element);
  auto words = RegisterWords::get(bits, bits * count);

  PtxInstruction load(emit);
  std::string list = load.results(words.registerType(emit), words.count);
  std::string address = getAddressText(load, pointer), guard = load.guard(predicate), text;
  if (predicate) {
    SmallVector<Value> defaults = isAllZeros(other) ? SmallVector<Value>() : toWords(emit, other, words);
    for (unsigned i = 0; i < words.count; ++i) {
      std::string value = defaults.empty() ? "0" : load.operand(defaults[i]);
      text += ("mov.b" + Twine(std::max(words.bits, 16u)) + " $" + Twine(i) + ", " + value + ";\n\t").str();
    }
  }
  text += guard + "ld" + getQualifierText(qualifiers, pointer, /*isStore=*/false) + words.vectorSuffix() +
          words.typeSuffix() + " " + list + ", [" + address + "];";
  return fromWords(emit, converter, load.emit(text, PtxEffect::Memory), words, element, count);
}

void emitByteStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
                   Type element, ValueRange values, Value pointer, Value predicate) {
  unsigned bits = getMemoryBits(element), count = values.size();
  if (!predicate && qualifiers.isPlain()) {
    SmallVector<Value> scalars(values);
    if (element.isInteger(1))
      for (Value &scalar : scalars)
        scalar = emit.zeroExtendOrTruncate(scalar, 8);
    emit.store(count == 1 ? scalars.front() : emit.pack(scalars), pointer, count * bits / 8);
    return;
  }
  auto words = RegisterWords::get(bits, bits * count);
  PtxInstruction store(emit);
  std::string address = getAddressText(store, pointer), guard = store.guard(predicate);
  store.emit(guard + "st" + getQualifierText(qualifiers, pointer, /*isStore=*/true) + words.vectorSuffix() +
                 words.typeSuffix() + " [" + address + "], " + store.operands(toWords(emit, values, words)) + ";",
             PtxEffect::Memory);
}

} // namespace tileiras
