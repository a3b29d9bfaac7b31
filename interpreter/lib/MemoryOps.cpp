//===- MemoryOps.cpp - Pointers, tokens and memory ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

// Tile blocks execute their operations in program order: whatever a token orders is in order.

static LogicalResult evaluate(GdcLaunchDependentsTkoOp op, Evaluation &evaluation) {
  evaluation.set(op, Token());
  return success();
}

static LogicalResult evaluate(GdcWaitTkoOp op, Evaluation &evaluation) {
  evaluation.set(op, Token()); // The kernels before this one are complete: there are none.
  return success();
}

static LogicalResult evaluate(JoinTokensOp op, Evaluation &evaluation) {
  evaluation.set(op, Token());
  return success();
}

static LogicalResult evaluate(MakeTokenOp op, Evaluation &evaluation) {
  evaluation.set(op, Token());
  return success();
}

static LogicalResult evaluate(MemoryFenceAliasTkoOp op, Evaluation &evaluation) {
  evaluation.set(op, Token());
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(AllocaOp op, Evaluation &evaluation) {
  Type pointee = cast<PointerType>(op.getType().getElementType()).getPointeeType();
  const uint64_t bytes = llvm::divideCeil(op.getNumElem() * getStorageBits(pointee), 8);
  constexpr uint64_t kLimit = uint64_t(1) << 32;
  if (op.getNumElem() > kLimit || op.getAlignment() > kLimit)
    return evaluation.error(op) << "asks for more memory than there is";
  const uint64_t address = evaluation.tileBlock.allocate(bytes, op.getAlignment(), "alloca");
  evaluation.set(op, Tile::scalar(op.getType().getElementType(), address));
  return success();
}

static LogicalResult evaluate(GetGlobalOp op, Evaluation &evaluation) {
  const uint64_t address = evaluation.tileBlock.grid.globals.at(op.getName());
  evaluation.set(op, Tile::scalar(op.getType().getElementType(), address));
  return success();
}

static LogicalResult evaluate(OffsetOp op, Evaluation &evaluation) {
  const Tile &pointers = evaluation.tile(op.getPtr()), &offsets = evaluation.tile(op.getOffset());
  Type pointee = cast<PointerType>(pointers.elementType).getPointeeType();
  const int64_t bits = getStorageBits(pointee);
  const Tile &larger = pointers.size() >= offsets.size() ? pointers : offsets;
  Tile result(pointers.elementType, larger.shape);
  for (size_t i = 0; i < result.size(); ++i) {
    const uint64_t pointer = pointers[pointers.size() == 1 ? 0 : i];
    const int64_t offset = offsets.getSigned(offsets.size() == 1 ? 0 : i);
    const __int128 distance = __int128(offset) * bits;
    if (distance % 8 != 0)
      return evaluation.undefined(op) << "element " << formatIndex(result.shape, i) << " is moved by " << offset
                                      << " elements of " << bits << " bits, which are no whole number of bytes";
    const __int128 address = __int128(pointer) + distance / 8;
    if (distance / 8 != int64_t(distance / 8) || address < 0 || address > UINT64_MAX)
      return evaluation.undefined(op) << "the address of element " << formatIndex(result.shape, i) << " overflows";
    result.elements[i] = static_cast<uint64_t>(address);
  }
  evaluation.set(op, std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

namespace {

/// Why a fact about a value is false; nothing if it is true.
using Contradiction = std::optional<std::string>;

Contradiction contradict(DivByAttr fact, const RuntimeValue &value) {
  const uint64_t divisor = fact.getDivisor();
  if (auto *view = std::get_if<TensorView>(&value)) {
    if (view->base % divisor == 0)
      return std::nullopt;
    return "its address 0x" + llvm::utohexstr(view->base, true) + " is not divisible by " + std::to_string(divisor);
  }
  const Tile &tile = std::get<Tile>(value);
  const int64_t every = fact.getEvery().value_or(1);
  size_t inner = 1;
  if (fact.getAlong())
    for (int64_t extent : ArrayRef(tile.shape).drop_front(*fact.getAlong() + 1))
      inner *= extent;
  uint64_t step = 1;
  if (auto pointer = dyn_cast<PointerType>(tile.elementType))
    step = llvm::divideCeil(getStorageBits(pointer.getPointeeType()), 8);
  for (size_t i = 0; i < tile.size(); ++i) {
    const int64_t coordinate = fact.getAlong() ? i / inner % tile.shape[*fact.getAlong()] : 0;
    const int64_t inGroup = every > 1 ? coordinate % every : 0;
    const uint64_t first = tile[i - inGroup * inner];
    // Two's complement: divisibility by a power of two is a matter of the low bits.
    if (inGroup == 0 && (first & (divisor - 1)) != 0)
      return "element " + formatIndex(tile.shape, i) + ", " + formatElement(tile.elementType, first) +
             ", is not divisible by " + std::to_string(divisor);
    if (inGroup != 0 && tile[i] != truncate(first + inGroup * step, tile.width()))
      return "element " + formatIndex(tile.shape, i) + " does not follow the first of its group";
  }
  return std::nullopt;
}

Contradiction contradict(SameElementsAttr fact, const RuntimeValue &value) {
  const Tile &tile = std::get<Tile>(value);
  IndexIterator at(tile.shape);
  for (size_t i = 0; i < tile.size(); ++i, ++at) {
    size_t first = 0;
    for (auto [dim, coordinate] : llvm::enumerate(*at)) {
      const int64_t group = std::max<int64_t>(fact.getValues()[dim], 1);
      first = first * tile.shape[dim] + coordinate / group * group;
    }
    if (tile[i] != tile[first])
      return "element " + formatIndex(tile.shape, i) + " differs from the first of its group";
  }
  return std::nullopt;
}

Contradiction contradict(BoundedAttr fact, const RuntimeValue &value) {
  const Tile &tile = std::get<Tile>(value);
  for (size_t i = 0; i < tile.size(); ++i) {
    const int64_t number = tile.getSigned(i);
    if ((fact.getLb() && number < *fact.getLb()) || (fact.getUb() && number > *fact.getUb()))
      return "element " + formatIndex(tile.shape, i) + ", " + std::to_string(number) + ", is out of bounds";
  }
  return std::nullopt;
}

/// Whether the value may be a stride, of which a false divisor does no harm where it belongs to a dimension of size 1.
bool mayBeStride(AssumeOp op) {
  auto type = dyn_cast<TileType>(op.getValue().getType());
  return isa<DivByAttr>(op.getPredicate()) && type && type.getRank() == 0 && isa<IntegerType>(type.getElementType());
}

} // namespace

static LogicalResult evaluate(AssumeOp op, Evaluation &evaluation) {
  const RuntimeValue &value = evaluation.get(op.getValue());
  Contradiction contradiction =
      llvm::TypeSwitch<Attribute, Contradiction>(op.getPredicate())
          .Case<DivByAttr, SameElementsAttr, BoundedAttr>([&](auto fact) { return contradict(fact, value); })
          .Default(Contradiction());
  if (contradiction && !mayBeStride(op))
    return evaluation.undefined(op) << "the assumption is false: " << *contradiction;
  RuntimeValue copy = value;
  if (contradiction)
    std::get<Tile>(copy).doubt = std::make_shared<Tile::Doubt>(op, *contradiction);
  evaluation.set(op, std::move(copy));
  return success();
}

//===----------------------------------------------------------------------===//
// Access through pointers
//===----------------------------------------------------------------------===//

static LogicalResult evaluate(LoadPtrTkoOp op, Evaluation &evaluation) {
  const Tile &pointers = evaluation.tile(op.getSource());
  const Tile *mask = op.getMask() ? &evaluation.tile(op.getMask()) : nullptr;
  const Tile *padding = op.getPaddingValue() ? &evaluation.tile(op.getPaddingValue()) : nullptr;
  Tile result(op.getResult().getType());
  ElementAccess access(op, evaluation, result.elementType);
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && !(*mask)[i]) {
      result.elements[i] = padding ? (*padding)[i] : 0;
      continue;
    }
    FailureOr<uint64_t> bits = access.load({pointers[i]}, result.shape, i);
    if (failed(bits))
      return failure();
    result.elements[i] = *bits;
    if (double bound = access.getBound({pointers[i]})) {
      result.bounds.resize(result.size());
      result.bounds[i] = bound;
    }
  }
  evaluation.set(op.getResult(), std::move(result));
  evaluation.set(op.getResultToken(), Token());
  return success();
}

static LogicalResult evaluate(StorePtrTkoOp op, Evaluation &evaluation) {
  const Tile &pointers = evaluation.tile(op.getDestination()), &value = evaluation.tile(op.getValue());
  const Tile *mask = op.getMask() ? &evaluation.tile(op.getMask()) : nullptr;
  ElementAccess access(op, evaluation, value.elementType);
  access.beginWrites();
  for (size_t i = 0; i < value.size(); ++i)
    if (!mask || (*mask)[i])
      if (failed(access.storeOnce({pointers[i]}, value[i], value.bound(i), value.shape, i)))
        return failure();
  evaluation.set(op.getResultToken(), Token());
  return success();
}

void registerMemoryOps(OperationTable &table) {
  table.add<AllocaOp, AssumeOp, GdcLaunchDependentsTkoOp, GdcWaitTkoOp, GetGlobalOp, JoinTokensOp, LoadPtrTkoOp,
            MakeTokenOp, MemoryFenceAliasTkoOp, StorePtrTkoOp>(OperationTable::kExact);
  table.addElementwise<OffsetOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
