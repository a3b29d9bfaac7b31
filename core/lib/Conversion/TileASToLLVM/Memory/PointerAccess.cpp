//===- PointerAccess.cpp - Pointers and accesses through them -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Pipelines/AsyncLoads.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {

SmallVector<SmallVector<unsigned>> getPointerAccesses(Type pointerType, std::optional<ArrayRef<int64_t>> contiguity) {
  if (!isa<RankedTensorType>(pointerType))
    return {{0}};
  SmallVector<SmallVector<unsigned>> accesses;
  LinearLayout layout = getLayout(pointerType);
  if (contiguity) {
    unsigned dim = std::distance(contiguity->begin(), llvm::max_element(*contiguity));
    for (VectorAccess &access : planContiguousAccess(layout, dim, (*contiguity)[dim]).accesses)
      accesses.push_back(std::move(access.registers));
    return accesses;
  }
  for (auto [reg, first] : llvm::enumerate(getFirstRegisters(layout)))
    if (reg == first)
      accesses.push_back({unsigned(reg)});
  return accesses;
}

namespace {

//===----------------------------------------------------------------------===//
// Pointer arithmetic
//===----------------------------------------------------------------------===//

struct AddPtrPattern final : TilePattern<aa::AddPtrOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::AddPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type pointee = cast<aa::PtrType>(getElementTypeOrSelf(op.getType())).getPointeeType();
    Value offset = emit.signExtendOrTruncate(adaptor.getOffset(), 64);
    if (isHalfByte(pointee)) // See getAddress.
      offset = LLVM::AShrOp::create(rewriter, op.getLoc(), offset, emit.constant(offset.getType(), 1));
    rewriter.replaceOp(op, emit.gep(getMemoryType(lowering.converter, pointee), adaptor.getBase(), offset));
    return success();
  }
};

struct IntToPtrPattern final : TilePattern<aa::IntToPtrOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::IntToPtrOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, convert(op.getType()), adaptor.getSource());
    return success();
  }
};

struct PtrToIntPattern final : TilePattern<aa::PtrToIntOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::PtrToIntOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, convert(op.getType()), adaptor.getSource());
    return success();
  }
};

struct PointerCastPattern final : TilePattern<aa::BitcastOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = convert(op.getType());
    if (adaptor.getSource().getType() == type)
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(op, type, adaptor.getSource());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// A tile (or scalar) as one scalar for each register.
SmallVector<Value> getScalars(Emitter &emit, Value value) {
  if (!value)
    return {};
  return isa<VectorType>(value.getType()) ? emit.unpack(value) : SmallVector<Value>{value};
}

SmallVector<Value> pick(ArrayRef<Value> values, ArrayRef<unsigned> registers) {
  return llvm::map_to_vector(registers, [&](unsigned reg) { return values[reg]; });
}

/// A pointer is one to a whole byte.
ElementAddress getAddress(Emitter &emit, Value pointer, Type element) {
  return {pointer, isHalfByte(element) ? emit.i32(0) : Value()};
}

struct LoadPattern final : TilePattern<as::LoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::LoadOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type type = op.getResult().getType(), element = getElementTypeOrSelf(type);
    SmallVector<Value> pointers = getScalars(emit, adaptor.getPointer()), masks = getScalars(emit, adaptor.getMask()),
                       others = getScalars(emit, adaptor.getOther());
    SmallVector<Value> values(pointers.size());
    // Only a weak load is free of races: what others may be writing has to be read once for all holders.
    bool readOnce = op.getMemSemantic() != aa::MemSemantic::Weak;
    Value isAccessor = readOnce ? emitIsActor(emit, op, op.getPointer().getType()) : Value();
    for (ArrayRef<unsigned> registers : getPointerAccesses(op.getPointer().getType(), op.getContiguity())) {
      Value predicate = emit.conjunction(masks.empty() ? Value() : masks[registers.front()], isAccessor);
      SmallVector<Value> other = others.empty() ? SmallVector<Value>() : pick(others, registers);
      SmallVector<Value> loaded =
          emitLoad(emit, lowering.converter, getQualifiers(lowering, op), element, registers.size(),
                   getAddress(emit, pointers[registers.front()], element), predicate, other);
      for (auto [reg, value] : llvm::zip_equal(registers, loaded))
        values[reg] = value;
    }
    Value result = values.front();
    if (isa<RankedTensorType>(type)) {
      for (auto [reg, first] : llvm::enumerate(getFirstRegisters(getLayout(type))))
        values[reg] = values[first];
      result = emit.pack(values);
    }
    if (readOnce)
      result = emitHolderBroadcast(emit, lowering, result, type, op);
    replaceMemoryOp(rewriter, op, result);
    return success();
  }
};

struct StorePattern final : TilePattern<as::StoreOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::StoreOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type element = getElementTypeOrSelf(op.getValue().getType());
    SmallVector<Value> pointers = getScalars(emit, adaptor.getPointer()), masks = getScalars(emit, adaptor.getMask()),
                       values = getScalars(emit, adaptor.getValue());
    Value isAccessor = emitIsActor(emit, op, op.getPointer().getType());
    for (ArrayRef<unsigned> registers : getPointerAccesses(op.getPointer().getType(), op.getContiguity())) {
      Value predicate = emit.conjunction(masks.empty() ? Value() : masks[registers.front()], isAccessor);
      emitStore(emit, lowering.converter, getQualifiers(lowering, op), element, pick(values, registers),
                getAddress(emit, pointers[registers.front()], element), predicate);
    }
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

} // namespace

int64_t as::LoadOp::getScratchBytes(const LoweringContext &lowering) {
  bool isWeak = getMemSemantic() == aa::MemSemantic::Weak;
  return isWeak ? 0 : getHolderBroadcastBytes(lowering, getResult().getType(), *this);
}

void populatePointerPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AddPtrPattern, IntToPtrPattern, PtrToIntPattern, PointerCastPattern>(lowering);
}

void populatePointerAccessPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<LoadPattern, StorePattern>(lowering);
}

} // namespace tileiras
