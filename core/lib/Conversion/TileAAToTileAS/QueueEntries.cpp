//===- QueueEntries.cpp - What entries of queues are kept as --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueEntries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAA/Queues.h"

using namespace mlir;

namespace tileiras {

/// Of `type`, a scalar or a tile, with other elements.
static Type withElements(Type type, Type element) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? Type(tile.clone(element)) : element;
}

/// The numbers that `type` is kept as, still a scalar where it is one.
static Type getNumbers(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<aa::PtrType, IndexType>(element))
    return withElements(type, IntegerType::get(type.getContext(), 64));
  return element.isInteger(1) ? withElements(type, IntegerType::get(type.getContext(), 8)) : type;
}

static Type getStored(Type type) {
  Type numbers = getNumbers(type);
  return isa<RankedTensorType>(numbers) ? numbers : RankedTensorType::get({1}, numbers);
}

static Value emitStored(OpBuilder &builder, Value value) {
  const Location location = value.getLoc();
  const Type numbers = getNumbers(value.getType()), element = getElementTypeOrSelf(value.getType());
  if (isa<aa::PtrType>(element))
    value = aa::PtrToIntOp::create(builder, location, numbers, value);
  else if (isa<IndexType>(element))
    value = arith::IndexCastOp::create(builder, location, numbers, value);
  else if (numbers != value.getType())
    value = arith::ExtUIOp::create(builder, location, numbers, value);
  if (!isa<RankedTensorType>(numbers))
    value = aa::SplatOp::create(builder, location, getStored(numbers), value);
  return value;
}

static Value emitValue(OpBuilder &builder, Value stored, Type type) {
  const Location location = stored.getLoc();
  const Type numbers = getNumbers(type), element = getElementTypeOrSelf(type);
  if (!isa<RankedTensorType>(type))
    stored = aa::ExtractOp::create(builder, location, numbers, stored);
  if (isa<aa::PtrType>(element))
    return aa::IntToPtrOp::create(builder, location, type, stored);
  if (isa<IndexType>(element))
    return arith::IndexCastOp::create(builder, location, type, stored);
  return numbers == type ? stored : arith::TruncIOp::create(builder, location, type, stored).getResult();
}

static void storeEntries(aa::QueuePutOp put, TypeRange stored) {
  Operation *yield = put.getBody().back().getTerminator();
  OpBuilder builder(yield);
  for (auto [operand, type] : llvm::zip_equal(yield->getOpOperands(), stored))
    if (operand.get().getType() != type)
      operand.set(emitStored(builder, operand.get()));
}

static void takeEntries(aa::QueueGetOp get, TypeRange stored) {
  Block &body = get.getBody().front();
  OpBuilder builder(&body, body.begin());
  for (auto [entry, type] : llvm::zip_equal(body.getArguments(), stored)) {
    const Type wanted = entry.getType();
    if (wanted == type)
      continue;
    entry.setType(type);
    SmallVector<OpOperand *> uses = llvm::map_to_vector(entry.getUses(), [](OpOperand &use) { return &use; });
    Value value = emitValue(builder, entry, wanted);
    for (OpOperand *use : uses)
      use->set(value);
  }
}

void storeQueueEntriesAsTiles(aa::FuncOp func) {
  func.walk([&](aa::CreateQueueOp queue) {
    const aa::QueueType type = queue.getQueue().getType();
    const SmallVector<Type> stored = llvm::map_to_vector(type.getTypes(), getStored);
    if (TypeRange(stored) == TypeRange(type.getTypes()))
      return;
    queue.getQueue().setType(aa::QueueType::get(func.getContext(), stored, type.getIsolated()));
    for (Operation *user : queue->getUsers()) {
      if (auto put = dyn_cast<aa::QueuePutOp>(user))
        storeEntries(put, stored);
      else if (auto get = dyn_cast<aa::QueueGetOp>(user))
        takeEntries(get, stored);
    }
  });
}

} // namespace tileiras
