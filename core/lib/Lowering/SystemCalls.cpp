//===- SystemCalls.cpp - What the driver provides to device code ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SystemCalls.h"
#include "tileiras/Lowering/SymbolNames.h"

using namespace mlir;

namespace tileiras {

Value emitString(Emitter &emit, Operation *op, StringRef text) {
  auto module = op->getParentOfType<ModuleOp>();
  const std::string prefix = makeInternalSymbol("string_");
  std::string terminated = (text + Twine('\0')).str();
  LLVM::GlobalOp found;
  unsigned number = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with(prefix))
      continue;
    ++number;
    if (auto value = dyn_cast_or_null<StringAttr>(global.getValueOrNull()); value && value.getValue() == terminated)
      found = global;
  }
  if (!found) {
    OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(emit.intType(8), terminated.size());
    found = LLVM::GlobalOp::create(emit.builder, op->getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                   prefix + std::to_string(number), emit.builder.getStringAttr(terminated),
                                   /*alignment=*/1, kGlobalSpace);
  }
  Value address = LLVM::AddressOfOp::create(emit.builder, emit.location, found);
  return LLVM::AddrSpaceCastOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace), address);
}

LLVM::LLVMFuncOp getSystemFunction(Emitter &emit, Operation *op, StringRef name, Type result,
                                   ArrayRef<Type> arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(module.getBody());
  // Without a location: a declaration must not carry the debug scope of its first caller.
  return LLVM::LLVMFuncOp::create(emit.builder, emit.builder.getUnknownLoc(), name,
                                  LLVM::LLVMFunctionType::get(result, arguments));
}

static Value allocateAtEntry(Emitter &emit, Operation *op, Type type) {
  OpBuilder::InsertionGuard guard(emit.builder);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  emit.builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace), type, emit.i32(1));
}

void emitPrintf(Emitter &emit, Operation *op, StringRef format, ValueRange arguments) {
  Type pointer = emit.ptrType(kGenericSpace);
  Value buffer = emit.zero(pointer);
  if (!arguments.empty()) {
    auto structure = LLVM::LLVMStructType::getLiteral(emit.getContext(), SmallVector<Type>(arguments.getTypes()));
    buffer = allocateAtEntry(emit, op, structure);
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      Value field = LLVM::GEPOp::create(emit.builder, emit.location, pointer, structure, buffer,
                                        ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(emit.builder, emit.location, argument, field);
    }
  }
  auto function = getSystemFunction(emit, op, "vprintf", emit.i32(), {pointer, pointer});
  emit.call(function, {emitString(emit, op, format), buffer});
}

} // namespace tileiras
