//===- Generate.cpp - Tiles from bodies, and from other lanes -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Lowering/Carriers.h"
#include "tileiras/Lowering/ThreadIndexing.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The body once for each element of a thread. It speaks of types before their conversion: the clones are converted
/// themselves, and casts meet them.
struct GeneratePattern final : TilePattern<as::GenerateOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::GenerateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const LinearLayout layout = getLayout(op.getType());
    const SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
    Block &body = op.getBody().front();
    Value yielded = body.getTerminator()->getOperand(0);
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      IRMapping coordinates;
      coordinates.map(body.getArguments(), emitCoordinates(emit, thread, layout, reg));
      for (Operation &inner : body.without_terminator())
        rewriter.clone(inner, coordinates);
      elements.push_back(castElement(rewriter, op.getLoc(), coordinates.lookupOrDefault(yielded)));
    }
    rewriter.replaceOp(op, emit.pack(elements));
    return success();
  }

  Value castElement(OpBuilder &builder, Location location, Value element) const {
    Type type = convert(element.getType());
    if (type == element.getType())
      return element;
    return UnrealizedConversionCastOp::create(builder, location, type, element).getResult(0);
  }
};

struct ShufflePattern final : TilePattern<as::ShuffleOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isOneToALane(getLayout(op.getLanes().getType())))
      return op.emitOpError() << "expects index i of its lanes in lane i of every warp, but got "
                              << op.getLanes().getType() << "; convert it to a layout of 32 lanes with one each";
    Emitter emit(rewriter, op);
    Value lane = emit.zeroExtendOrTruncate(emit.extract(adaptor.getLanes(), 0), 32);
    SmallVector<Value> elements;
    for (Value element : emit.unpack(adaptor.getSource()))
      elements.push_back(emitShuffle(emit, ShuffleKind::Index, element, lane));
    rewriter.replaceOp(op, emit.pack(elements));
    return success();
  }

  static bool isOneToALane(const LinearLayout &lanes) {
    for (auto [bit, basis] : llvm::enumerate(lanes.getBases(LayoutDim::Lane)))
      if (basis[0] != 1 << bit)
        return false;
    return llvm::all_of(lanes.getBases(LayoutDim::Warp), [](const auto &basis) { return basis[0] == 0; }) &&
           llvm::all_of(lanes.getBases(LayoutDim::Register), [](const auto &basis) { return basis[0] == 0; });
  }
};

} // namespace

void populateGeneratePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<GeneratePattern, ShufflePattern>(lowering);
}

} // namespace tileiras
