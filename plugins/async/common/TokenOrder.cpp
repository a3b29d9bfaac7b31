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

/// Longer chains of accesses are not followed for each of their accesses: whoever asks takes what is safe.
static constexpr unsigned kMostTokens = 512;

namespace {

/// Tokens that stand for others, which are found once each.
class TokenWalk {
public:
  /// `goOn`: the token that the token of an access stands for, too.
  explicit TokenWalk(function_ref<Value(Operation *)> goOn) : goOn(goOn) {}

  /// Adds `token` and what it may be. Returns false where there are more than `most` of all.
  bool add(Value token, unsigned most) {
    tokens.insert(token);
    for (; next < tokens.size() && next < most; ++next)
      addSources(tokens[next]);
    return next == tokens.size();
  }

  llvm::SetVector<Value> tokens;

private:
  void addSources(Value token) {
    auto argument = dyn_cast<BlockArgument>(token);
    Operation *op = argument ? argument.getOwner()->getParentOp() : token.getDefiningOp();
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      auto [mapping, isNew] = mappings.try_emplace(op);
      if (isNew)
        branch.getSuccessorInputOperandMapping(mapping->second);
      for (OpOperand *source : mapping->second.lookup(token))
        tokens.insert(source->get());
    } else if (isa<as::JoinMemTokenOp>(op)) {
      tokens.insert_range(op->getOperands());
    } else if (Value further = argument ? Value() : goOn(op)) {
      tokens.insert(further);
    }
  }

  function_ref<Value(Operation *)> goOn;
  unsigned next = 0;
  llvm::DenseMap<Operation *, RegionBranchInverseSuccessorMapping> mappings;
};

} // namespace

llvm::SetVector<Value> collectTokens(ValueRange tokens) {
  TokenWalk walk([](Operation *) { return Value(); });
  for (Value token : tokens)
    walk.add(token, /*most=*/~0u);
  return std::move(walk.tokens);
}

std::optional<llvm::SetVector<Value>> collectFewTokens(Value token) {
  TokenWalk walk([](Operation *) { return Value(); });
  if (!walk.add(token, kMostTokens))
    return std::nullopt;
  return std::move(walk.tokens);
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
  if (!token)
    return false;
  TokenWalk walk(getTokenOfWeakRead);
  if (!walk.add(token, kMostTokens))
    return true;
  return llvm::any_of(walk.tokens, [](Value source) {
    auto argument = dyn_cast<BlockArgument>(source);
    Operation *op = argument ? argument.getOwner()->getParentOp() : source.getDefiningOp();
    return !isa<RegionBranchOpInterface, as::JoinMemTokenOp>(op) &&
           (argument || !(isa<as::CreateNoneOp>(op) || isWeakRead(op)));
  });
}

/// The tokens that `use` becomes: of a join, out of control flow, or of a read that waits for it.
static SmallVector<Value> getUsersTokens(OpOperand &use) {
  Operation *user = use.getOwner();
  Operation *control = user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
  if (auto branch = dyn_cast<RegionBranchOpInterface>(control)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    return mapping.lookup(&use);
  }
  if (isa<as::JoinMemTokenOp>(user))
    return {user->getResult(0)};
  if (isWeakRead(user))
    if (Value token = cast<as::MemoryAccessOpInterface>(user).getResultToken())
      return {token};
  return {};
}

bool isBeforeWrites(Value token) {
  llvm::SetVector<Value> tokens;
  if (token)
    tokens.insert(token);
  for (unsigned i = 0; i < tokens.size(); ++i) {
    if (i == kMostTokens)
      return true;
    for (OpOperand &use : tokens[i].getUses()) {
      auto access = dyn_cast<as::MemoryAccessOpInterface>(use.getOwner());
      if (access && !isWeakRead(access))
        return true;
      tokens.insert_range(getUsersTokens(use));
    }
  }
  return false;
}

} // namespace tileiras::async
