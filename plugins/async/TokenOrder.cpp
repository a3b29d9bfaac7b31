//===- TokenOrder.cpp - What tokens say of the order of accesses ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenOrder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::async {

/// Adds what the tokens of `tokens` may be; goes on with those that `goOn` gives for the others.
static void closeTokens(llvm::SetVector<Value> &tokens, function_ref<Value(Operation *)> goOn) {
  for (unsigned i = 0; i < tokens.size(); ++i) {
    auto argument = dyn_cast<BlockArgument>(tokens[i]);
    Operation *op = argument ? argument.getOwner()->getParentOp() : tokens[i].getDefiningOp();
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      RegionBranchInverseSuccessorMapping mapping;
      branch.getSuccessorInputOperandMapping(mapping);
      for (OpOperand *source : mapping.lookup(tokens[i]))
        tokens.insert(source->get());
    } else if (isa<as::JoinMemTokenOp>(op)) {
      tokens.insert_range(op->getOperands());
    } else if (Value next = argument ? Value() : goOn(op)) {
      tokens.insert(next);
    }
  }
}

llvm::SetVector<Value> collectTokens(Value token) {
  llvm::SetVector<Value> tokens;
  tokens.insert(token);
  closeTokens(tokens, [](Operation *) { return Value(); });
  return tokens;
}

bool isWeakRead(Operation *op) {
  auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
  return access && !access.isWrite() && access.getMemSemantic() == aa::MemSemantic::Weak;
}

/// Weak reads have no order among themselves.
static Value getTokenOfWeakRead(Operation *op) {
  return isWeakRead(op) ? cast<as::MemoryAccessOpInterface>(op).getToken() : Value();
}

bool isBehindWrites(Value token) {
  llvm::SetVector<Value> tokens;
  if (token)
    tokens.insert(token);
  closeTokens(tokens, getTokenOfWeakRead);
  return llvm::any_of(tokens, [](Value source) {
    auto argument = dyn_cast<BlockArgument>(source);
    Operation *op = argument ? argument.getOwner()->getParentOp() : source.getDefiningOp();
    return !isa<RegionBranchOpInterface, as::JoinMemTokenOp>(op) &&
           (argument || !(isa<as::CreateNoneOp>(op) || isWeakRead(op)));
  });
}

bool isBeforeWrites(Value token) {
  if (!token || token.use_empty())
    return false;
  auto waits = [&](as::MemoryAccessOpInterface access) {
    if (isWeakRead(access) || !access.getToken())
      return false;
    llvm::SetVector<Value> tokens;
    tokens.insert(access.getToken());
    closeTokens(tokens, getTokenOfWeakRead);
    return tokens.contains(token);
  };
  Operation *function = token.getDefiningOp()->getParentOfType<FunctionOpInterface>();
  return function
      ->walk([&](as::MemoryAccessOpInterface access) {
        return waits(access) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace tileiras::async
