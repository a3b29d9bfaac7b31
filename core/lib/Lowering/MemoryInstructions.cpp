//===- MemoryInstructions.cpp - Loads and stores of elements --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/MemoryInstructions.h"
#include "ByteAccess.h"
#include "HalfBytes.h"

using namespace mlir;

namespace tileiras {

Type getMemoryType(const LLVMTileTypeConverter &converter, Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return converter.convertElement(element);
}

std::string getPtxSpace(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == kGlobalSpace ? ".global" : "";
}

std::string getPtxOrder(aa::MemSemantic semantic, std::optional<aa::MemScope> scope) {
  std::string text;
  switch (semantic) {
  case aa::MemSemantic::Weak:
  case aa::MemSemantic::Relaxed:
    text = ".relaxed";
    break;
  case aa::MemSemantic::Acquire:
    text = ".acquire";
    break;
  case aa::MemSemantic::Release:
    text = ".release";
    break;
  case aa::MemSemantic::AcqRel:
    text = ".acq_rel";
    break;
  }
  switch (scope.value_or(aa::MemScope::GPU)) {
  case aa::MemScope::TileBlock:
    return text + ".cta";
  case aa::MemScope::Cluster:
    return text + ".cluster";
  case aa::MemScope::GPU:
    return text + ".gpu";
  case aa::MemScope::System:
    return text + ".sys";
  }
  llvm_unreachable("all scopes are handled");
}

SmallVector<Value> emitLoad(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
                            Type element, unsigned count, const ElementAddress &address, Value predicate,
                            ValueRange other) {
  if (isHalfByte(element))
    return emitHalfByteLoad(emit, converter, qualifiers, element, count, address, predicate, other);
  return emitByteLoad(emit, converter, qualifiers, element, count, address.pointer, predicate, other);
}

void emitStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers, Type element,
               ValueRange values, const ElementAddress &address, Value predicate) {
  if (isHalfByte(element))
    return emitHalfByteStore(emit, converter, qualifiers, element, values, address, predicate);
  emitByteStore(emit, converter, qualifiers, element, values, address.pointer, predicate);
}

} // namespace tileiras
