//===- ViewAccess.cpp - Views and accesses through them -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Lowering/ViewAddressing.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr unsigned kMaxAccessBytes = 16;

/// The value of elements outside of a memref, as a register scalar.
Value emitPadding(Emitter &emit, const LoweringContext &lowering, Type element, aa::PaddingValue padding) {
  Type type = lowering.converter.convertElement(element);
  auto floatType = dyn_cast<FloatType>(element);
  if (!floatType || padding == aa::PaddingValue::Zero)
    return isa<LLVM::LLVMPointerType>(type) ? emit.zero(type) : emit.constant(type, 0);
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  auto value = [&] {
    switch (padding) {
    case aa::PaddingValue::NegZero:
      return APFloat::getZero(semantics, /*Negative=*/true);
    case aa::PaddingValue::NaN:
      return APFloat::getNaN(semantics);
    case aa::PaddingValue::PosInf:
      return APFloat::getInf(semantics);
    case aa::PaddingValue::NegInf:
      return APFloat::getInf(semantics, /*Negative=*/true);
    case aa::PaddingValue::Zero:
      break;
    }
    return APFloat::getZero(semantics);
  }();
  if (type == element)
    return emit.constantFloat(type, value);
  // tf32 lives in an f32, narrower formats in integers.
  if (isa<FloatTF32Type>(element))
    return emit.constantFloat(type, value);
  return emit.constant(type, value.bitcastToAPInt().getZExtValue());
}

struct MakeMemRefPattern final : TilePattern<aa::MakeMemRefOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::MakeMemRefOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value structure = emit.insertField(emit.poison(convert(op.getType())), adaptor.getBase(), 0);
    unsigned field = 1;
    for (ValueRange values : {adaptor.getSizes(), adaptor.getStrides()})
      for (Value value : values)
        structure = emit.insertField(structure, emit.zeroExtendOrTruncate(value, 64), field++);
    rewriter.replaceOp(op, structure);
    return success();
  }
};

struct GetDimSizePattern final : TilePattern<aa::GetDimSizeOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetDimSizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    MemRefParts parts = unpackMemRef(emit, op.getSource().getType(), adaptor.getSource());
    unsigned bits = op.getType().getIntOrFloatBitWidth();
    rewriter.replaceOp(op, emit.zeroExtendOrTruncate(parts.sizes[op.getAxis()], bits));
    return success();
  }
};

struct MakeTiledViewPattern final : TilePattern<as::MakeTiledViewOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::MakeTiledViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct TiledLoadPattern final : TilePattern<as::TiledLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::TiledLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto tile = cast<RankedTensorType>(op.getResult().getType());
    Type element = tile.getElementType();
    LinearLayout layout = getLayout(tile);
    ViewAddressing addressing(emit, lowering.converter, op, adaptor, layout);
    Value padding = emitPadding(emit, lowering, element, op.getPaddingValue().value_or(aa::PaddingValue::Zero));
    SmallVector<Value> registers(layout.getInSize(LayoutDim::Register));
    for (const ViewAccess &access : addressing.getAccesses(op, kMaxAccessBytes)) {
      SmallVector<Value> other(access.registers.size(), padding);
      SmallVector<Value> loaded = emitLoad(emit, lowering.converter, getQualifiers(lowering, op), element, other.size(),
                                           access.address, access.inBounds, other);
      for (auto [reg, value] : llvm::zip_equal(access.registers, loaded))
        registers[reg] = value;
    }
    for (auto [reg, first] : llvm::enumerate(getFirstRegisters(layout)))
      registers[reg] = registers[first];
    Value value = emit.pack(registers);
    if (op.getMemSemantic() != aa::MemSemantic::Weak)
      value = emitHolderBroadcast(emit, lowering, value, tile, op);
    replaceMemoryOp(rewriter, op, value);
    return success();
  }
};

struct TiledStorePattern final : TilePattern<as::TiledStoreOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::TiledStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto tile = cast<RankedTensorType>(op.getValue().getType());
    Type element = tile.getElementType();
    LinearLayout layout = getLayout(tile);
    ViewAddressing addressing(emit, lowering.converter, op, adaptor, layout);
    Value isActor = emitIsActor(emit, op, tile);
    for (const ViewAccess &access : addressing.getAccesses(op, kMaxAccessBytes)) {
      SmallVector<Value> values;
      for (unsigned reg : access.registers)
        values.push_back(emit.extract(adaptor.getValue(), reg));
      Value predicate = emit.conjunction(isActor, access.inBounds);
      emitStore(emit, lowering.converter, getQualifiers(lowering, op), element, values, access.address, predicate);
    }
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

} // namespace

int64_t as::TiledLoadOp::getScratchBytes(const LoweringContext &lowering) {
  bool isWeak = getMemSemantic() == aa::MemSemantic::Weak;
  return isWeak ? 0 : getHolderBroadcastBytes(lowering, getResult().getType(), *this);
}

void populateViewAccessPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<MakeMemRefPattern, GetDimSizePattern, MakeTiledViewPattern, TiledLoadPattern, TiledStorePattern>(
      lowering);
}

} // namespace tileiras
