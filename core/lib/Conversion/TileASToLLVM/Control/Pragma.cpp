//===- Pragma.cpp - Directives for the assembler --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {
namespace {

/// PTX's strings have no escapes (PTX ISA, `.pragma`): such a directive could end its own text.
LogicalResult verifyDirectives(as::PragmaOp op) {
  for (ArrayAttr directives : {op.getOcgEnterDirectives(), op.getOcgLeaveDirectives()})
    for (auto directive : directives.getAsRange<StringAttr>())
      if (!llvm::all_of(directive.getValue(), [](char c) { return llvm::isPrint(c) && c != '"' && c != '\\'; }))
        return op.emitOpError() << "has directive " << directive
                                << ", which cannot be written in PTX: expects printable characters but quotes and "
                                   "backslashes";
  return success();
}

void emitDirectives(Emitter &emit, ArrayAttr directives) {
  for (auto directive : directives.getAsRange<StringAttr>())
    PtxInstruction(emit).emit(".pragma \"" + directive.getValue() + "\";", PtxEffect::Memory);
}

/// The body stands between the directives; what it yields are the results.
struct PragmaPattern final : TilePattern<as::PragmaOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::PragmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyDirectives(op)))
      return failure();
    Emitter emit(rewriter, op);
    emitDirectives(emit, op.getOcgEnterDirectives());
    Operation *yield = op.getBody().front().getTerminator();
    const SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(&op.getBody().front(), op);
    emitDirectives(emit, op.getOcgLeaveDirectives());
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void populatePragmaPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<PragmaPattern>(lowering);
}

} // namespace tileiras
