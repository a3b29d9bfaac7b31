//===- SystemCalls.cpp - What the driver provides to device code ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SystemCalls.h"
#include "tileiras/Lowering/ModuleGlobals.h"

using namespace mlir;

namespace tileiras {

Value emitString(Emitter &emit, Operation *op, StringRef text) {
  LLVM::GlobalOp string = getString(emit.builder, op->getLoc(), op->getParentOfType<ModuleOp>(), text);
  Value address = LLVM::AddressOfOp::create(emit.builder, emit.location, string);
  return LLVM::AddrSpaceCastOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace), address);
}

LLVM::LLVMFuncOp getSystemFunction(Emitter &emit, Operation *op, StringRef name, Type result,
                                   ArrayRef<Type> arguments) {
  return getDeclaration(emit.builder, op->getParentOfType<ModuleOp>(), name,
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
