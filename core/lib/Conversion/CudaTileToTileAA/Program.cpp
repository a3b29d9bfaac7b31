//===- Program.cpp - Kernels, globals, the grid and debugging ------------- -===//
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
// Kernels and globals
//===----------------------------------------------------------------------===//

struct ConvertEntry : OpConversionPattern<cuda_tile::EntryOp> {
  ConvertEntry(const TypeConverter &converter, MLIRContext *context, const KernelSpecs &kernelSpecs)
      : OpConversionPattern(converter, context), kernelSpecs(kernelSpecs) {}

  LogicalResult matchAndRewrite(cuda_tile::EntryOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return failure();
    auto type = rewriter.getFunctionType(signature.getConvertedTypes(), {});
    auto function = aa::FuncOp::create(rewriter, op.getLoc(), op.getSymName(), type, kernelSpecs.lookup(op));
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.getBody().end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

  const KernelSpecs &kernelSpecs;
};

struct ConvertReturn : OpConversionPattern<cuda_tile::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

struct ConvertGlobal : OpConversionPattern<cuda_tile::GlobalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::GlobalOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    auto elements = cast<DenseElementsAttr>(op.getValue());
    auto type = RankedTensorType::get(elements.getNumElements(), elements.getElementType());
    bool isPrivate = op.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private;
    rewriter.replaceOpWithNewOp<aa::GlobalOp>(
        op, op.getSymNameAttr(), cast<ElementsAttr>(convertElements(elements, type)),
        op.getAlignment() ? rewriter.getI64IntegerAttr(op.getAlignment()) : IntegerAttr(),
        op.getConstant() ? rewriter.getUnitAttr() : UnitAttr(),
        isPrivate ? rewriter.getStringAttr("private") : StringAttr());
    return success();
  }
};

struct ConvertGetGlobal : OpConversionPattern<cuda_tile::GetGlobalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::GetGlobalOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::GetGlobalOp>(op, getTypeConverter()->convertType(op.getType()), op.getNameAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

template <typename From, typename To>
struct ConvertGrid : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (aa::GridAxis axis : {aa::GridAxis::X, aa::GridAxis::Y, aa::GridAxis::Z})
      results.push_back(To::create(rewriter, op.getLoc(), rewriter.getI32Type(), axis));
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

struct ConvertAssert : OpConversionPattern<cuda_tile::AssertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AssertOp>(op, adaptor.getCondition(), op.getMessageAttr());
    return success();
  }
};

struct ConvertPrint : OpConversionPattern<cuda_tile::PrintTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::PrintTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto print =
        aa::PrintOp::create(rewriter, op.getLoc(), tokenType(token), op.getStrAttr(), adaptor.getArgs(), token);
    replaceAccess(rewriter, op, {}, print.getResultToken());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Casts between tiles of rank 0 and scalars
//===----------------------------------------------------------------------===//

/// Control flow was given scalars before tiles of rank 0 became some: now both sides of the cast are the same.
struct DropScalarCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getNumOperands() != 1 || op.getNumResults() != 1 ||
        getTypeConverter()->convertType(op.getType(0)) != adaptor.getOperands().front().getType())
      return failure();
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateProgramPatterns(const TileTypeConverter &converter, const KernelSpecs &kernelSpecs,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertEntry>(converter, patterns.getContext(), kernelSpecs);
  patterns
      .add<ConvertReturn, ConvertGlobal, ConvertGetGlobal, ConvertGrid<cuda_tile::GetTileBlockIdOp, aa::GetProgramIdOp>,
           ConvertGrid<cuda_tile::GetNumTileBlocksOp, aa::GetNumProgramsOp>, ConvertAssert, ConvertPrint,
           DropScalarCast>(converter, patterns.getContext());
}
