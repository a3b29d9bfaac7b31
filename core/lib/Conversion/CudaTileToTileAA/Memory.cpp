//===- Memory.cpp - Tokens, pointers and access through them -------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

namespace {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

struct ConvertMakeToken : OpConversionPattern<cuda_tile::MakeTokenOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MakeTokenOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::CreateMemTokenOp>(op);
    return success();
  }
};

struct ConvertJoinTokens : OpConversionPattern<cuda_tile::JoinTokensOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::JoinTokensOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (adaptor.getTokens().size() == 1)
      rewriter.replaceOp(op, adaptor.getTokens().front());
    else
      rewriter.replaceOpWithNewOp<aa::JoinMemTokenOp>(op, adaptor.getTokens());
    return success();
  }
};

template <typename From, typename To>
struct ConvertOrdering : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto replacement = To::create(rewriter, op.getLoc(), tokenType(token), token);
    replaceAccess(rewriter, op, {}, replacement.getResultToken());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

struct ConvertAlloca : OpConversionPattern<cuda_tile::AllocaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AllocaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<aa::PtrType>(getTypeConverter()->convertType(op.getType()));
    Type element = pointer.getPointeeType();
    int64_t bits = isa<aa::PtrType>(element) ? 64 : isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
    int64_t bytes = llvm::divideCeil(op.getNumElem() * (bits == 1 ? 8 : bits), 8);
    rewriter.replaceOpWithNewOp<aa::AllocaOp>(op, pointer, bytes, std::max<int64_t>(op.getAlignment(), 1),
                                              op.getGlobal(), /*shared_offset=*/IntegerAttr(),
                                              /*heap_offset=*/IntegerAttr());
    return success();
  }
};

struct ConvertOffset : OpConversionPattern<cuda_tile::OffsetOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::OffsetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AddPtrOp>(op, adaptor.getPtr().getType(), adaptor.getPtr(), adaptor.getOffset());
    return success();
  }
};

template <typename From, typename To>
struct ConvertPointerCast : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, this->getTypeConverter()->convertType(op.getType()), adaptor.getSource());
    return success();
  }
};

struct ConvertAssume : OpConversionPattern<cuda_tile::AssumeOp> {
  using OpConversionPattern::OpConversionPattern;

  static aa::AssumePredicateInterface convert(Attribute predicate) {
    MLIRContext *context = predicate.getContext();
    if (auto divBy = dyn_cast<cuda_tile::DivByAttr>(predicate)) {
      std::optional<int64_t> every = divBy.getEvery();
      if (every) // Groups of none are groups of one: each element is divisible.
        every = std::max<int64_t>(*every, 1);
      return aa::DivByAttr::get(context, divBy.getDivisor(), every, divBy.getAlong());
    }
    if (auto bounded = dyn_cast<cuda_tile::BoundedAttr>(predicate))
      return aa::BoundedAttr::get(context, bounded.getLb(), bounded.getUb());
    if (auto same = dyn_cast<cuda_tile::SameElementsAttr>(predicate))
      return aa::SameElementsAttr::get(context, same.getValues().asArrayRef());
    return {};
  }

  LogicalResult matchAndRewrite(cuda_tile::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // A predicate without a counterpart, or about a token, is dropped: it was only a hint.
    if (aa::AssumePredicateInterface predicate = convert(op.getPredicate()))
      rewriter.replaceOpWithNewOp<aa::AssumeOp>(op, adaptor.getValue().getType(), adaptor.getValue(), predicate);
    else
      rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Access through pointers
//===----------------------------------------------------------------------===//

struct ConvertLoadPtr : OpConversionPattern<cuda_tile::LoadPtrTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::LoadPtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getResult().getType());
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    // Without a mask every element is read and nothing padded.
    Value padding = adaptor.getMask() ? adaptor.getPaddingValue() : Value();
    auto load = aa::LoadOp::create(rewriter, op.getLoc(), type, tokenType(token), adaptor.getSource(),
                                   adaptor.getMask(), padding, token, semanticOf(op), scopeOf(op), /*cache=*/nullptr,
                                   /*evict=*/nullptr);
    replaceAccess(rewriter, op, load.getValue(), load.getResultToken());
    return success();
  }
};

struct ConvertStorePtr : OpConversionPattern<cuda_tile::StorePtrTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::StorePtrTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto store = aa::StoreOp::create(rewriter, op.getLoc(), tokenType(token), adaptor.getDestination(),
                                     adaptor.getValue(), adaptor.getMask(), token, semanticOf(op), scopeOf(op),
                                     /*cache=*/nullptr, /*evict=*/nullptr);
    replaceAccess(rewriter, op, {}, store.getResultToken());
    return success();
  }
};

struct ConvertAtomicCAS : OpConversionPattern<cuda_tile::AtomicCASTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AtomicCASTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto atomic = aa::AtomicCASOp::create(rewriter, op.getLoc(), adaptor.getVal().getType(), tokenType(token),
                                          adaptor.getPointers(), adaptor.getCmp(), adaptor.getVal(), adaptor.getMask(),
                                          token, semanticOf(op), scopeOf(op));
    replaceAccess(rewriter, op, atomic.getResult(), atomic.getResultToken());
    return success();
  }
};

struct ConvertAtomicRMW : OpConversionPattern<cuda_tile::AtomicRMWTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AtomicRMWTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto mode = aa::RmwModeAttr::get(op.getContext(), convertRmwMode(op.getMode()));
    auto atomic = aa::AtomicRMWOp::create(rewriter, op.getLoc(), adaptor.getArg().getType(), tokenType(token), mode,
                                          adaptor.getPointers(), adaptor.getArg(), adaptor.getMask(), token,
                                          semanticOf(op), scopeOf(op));
    replaceAccess(rewriter, op, atomic.getResult(), atomic.getResultToken());
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateMemoryPatterns(const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertMakeToken, ConvertJoinTokens, ConvertOrdering<cuda_tile::MemoryFenceAliasTkoOp, aa::FenceAliasOp>,
               ConvertOrdering<cuda_tile::GdcWaitTkoOp, aa::GdcWaitOp>,
               ConvertOrdering<cuda_tile::GdcLaunchDependentsTkoOp, aa::GdcLaunchDependentsOp>, ConvertAlloca,
               ConvertOffset, ConvertPointerCast<cuda_tile::IntToPtrOp, aa::IntToPtrOp>,
               ConvertPointerCast<cuda_tile::PtrToIntOp, aa::PtrToIntOp>,
               ConvertPointerCast<cuda_tile::PtrToPtrOp, aa::BitcastOp>, ConvertAssume, ConvertLoadPtr, ConvertStorePtr,
               ConvertAtomicCAS, ConvertAtomicRMW>(converter, patterns.getContext());
}
