//===- Assert.cpp - Assertions --------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitControlFlow.h"
#include "Lowering.h"
#include "SystemCalls.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The file and line a location names, if it does.
std::pair<std::string, unsigned> getSource(Location location) {
  std::pair<std::string, unsigned> source = {"unknown", 0};
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    source = {file.getFilename().str(), file.getLine()};
    return WalkResult::interrupt();
  });
  return source;
}

struct AssertPattern final : TilePattern<as::AssertOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    Value condition = adaptor.getCondition();
    if (isa<VectorType>(condition.getType())) {
      Value all;
      for (Value element : emit.unpack(condition))
        all = emit.conjunction(all, element);
      condition = all;
    }
    std::pair<std::string, unsigned> source = getSource(op.getLoc());
    emitIf(emit, emit.bitNot(condition), [&] {
      Type pointer = emit.ptrType(kGenericSpace);
      Type none = LLVM::LLVMVoidType::get(emit.getContext());
      auto function =
          getSystemFunction(emit, op, "__assertfail", none, {pointer, pointer, emit.i32(), pointer, emit.i64()});
      StringRef kernel = op->getParentOfType<LLVM::LLVMFuncOp>().getSymName();
      emit.call(function, {emitString(emit, op, op.getMessage()), emitString(emit, op, source.first),
                           emit.i32(source.second), emitString(emit, op, kernel), emit.i64(1)});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateAssertPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AssertPattern>(lowering);
}

} // namespace tileiras
