//===- Program.cpp - Grid, tokens and globals -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Control/GridDependencies.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Lowering/Mbarrier.h"

using namespace mlir;

namespace tileiras {
namespace {

struct GetProgramIdPattern final : TilePattern<aa::GetProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const auto axis = static_cast<unsigned>(op.getAxis());
    Value id = emit.programId(axis);
    if (op.getDescending())
      id = emit.sub(emit.sub(emit.numPrograms(axis), emit.i32(1)), id);
    rewriter.replaceOp(op, id);
    return success();
  }
};

struct GetNumProgramsPattern final : TilePattern<aa::GetNumProgramsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetNumProgramsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.numPrograms(static_cast<unsigned>(op.getAxis())));
    return success();
  }
};

struct GetCtaRankPattern final : TilePattern<aa::GetCtaRankOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetCtaRankOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.ctaRank());
    return success();
  }
};

/// Tokens of no operation in memory.
template <typename OpTy>
struct TokenPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

/// A consumer token of no stage is one that arrives nowhere; others nobody reads.
struct CreateNonePattern final : TilePattern<as::CreateNoneOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CreateNoneOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const bool isStage = isa<as::ConsumerTokenType>(op.getType());
    rewriter.replaceOp(op, isStage ? emit.i32(kNoBarrier) : emit.i1(false));
    return success();
  }
};

struct BarrierPattern final : TilePattern<as::BarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::BarrierOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (op.getProxyFence())
      emitSharedProxyFence(emit);
    if (op.getCluster())
      emit.clusterBarrier();
    else
      emit.barrier();
    rewriter.eraseOp(op);
    return success();
  }
};

struct GlobalPattern final : TilePattern<aa::GlobalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GlobalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    Type element = dense.getElementType();
    unsigned bits = getMemoryBits(element);
    SmallVector<APInt> words;
    if (isa<FloatType>(element)) {
      for (APFloat value : dense.getValues<APFloat>())
        words.push_back(toBits(value, element).zextOrTrunc(bits));
    } else {
      for (APInt value : dense.getValues<APInt>())
        words.push_back(value.zextOrTrunc(bits));
    }
    if (bits == 4)
      words = joinHalves(words);
    Type stored = rewriter.getIntegerType(std::max(bits, 8u));
    auto values = DenseElementsAttr::get(RankedTensorType::get({int64_t(words.size())}, stored), words);
    auto type = LLVM::LLVMArrayType::get(stored, words.size());
    // Visible to the host only when the program says so; kernels may write what is not constant.
    bool isPrivate = op.getSymVisibility() == "private";
    LLVM::GlobalOp::create(rewriter, op.getLoc(), type, op.getConstant(),
                           isPrivate ? LLVM::Linkage::Internal : LLVM::Linkage::External, op.getSymName(), values,
                           op.getAlignment().value_or(16), kGlobalSpace);
    rewriter.eraseOp(op);
    return success();
  }

  /// Two elements to a byte, the first in its low half.
  static SmallVector<APInt> joinHalves(ArrayRef<APInt> halves) {
    SmallVector<APInt> bytes;
    for (unsigned i = 0; i < halves.size(); i += 2) {
      uint64_t upper = i + 1 < halves.size() ? halves[i + 1].getZExtValue() : 0;
      bytes.push_back(APInt(8, halves[i].getZExtValue() | upper << 4));
    }
    return bytes;
  }

  static APInt toBits(APFloat value, Type element) {
    bool lost = false;
    if (isa<FloatTF32Type>(element))
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return value.bitcastToAPInt();
  }
};

struct GetGlobalPattern final : TilePattern<aa::GetGlobalOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetGlobalOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value address = LLVM::AddressOfOp::create(rewriter, op.getLoc(), emit.ptrType(kGlobalSpace), op.getName());
    if (Type type = convert(op.getType()); type != address.getType())
      address = LLVM::AddrSpaceCastOp::create(rewriter, op.getLoc(), type, address);
    rewriter.replaceOp(op, address);
    return success();
  }
};

/// All threads have done what comes before; none goes on before the fence.
struct FenceAliasPattern final : TilePattern<aa::FenceAliasOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::FenceAliasOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto emitFence = [&] {
      PtxInstruction ptx(emit);
      ptx.emit(ptx.fence("fence.proxy.alias;"), PtxEffect::Memory);
    };
    emitFence();
    emit.barrier();
    emitFence();
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

/// Programmatic dependent launch: instructions of their own where launches can overlap, else nothing to do. LLVM's
/// intrinsics order no accesses to memory: these do.
template <typename OpTy>
struct DependentLaunchPattern final : TilePattern<OpTy> {
  DependentLaunchPattern(const LoweringContext &lowering, StringRef instruction, StringRef attribute)
      : TilePattern<OpTy>(lowering), instruction(instruction), attribute(attribute) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (this->lowering.features().griddepcontrol) {
      PtxInstruction(emit).emit(instruction, PtxEffect::Memory);
      auto kernel = op->template getParentOfType<LLVM::LLVMFuncOp>();
      rewriter.modifyOpInPlace(kernel, [&] { kernel->setAttr(attribute, rewriter.getUnitAttr()); });
    }
    replaceMemoryOp(rewriter, op);
    return success();
  }

  StringRef instruction, attribute;
};

} // namespace

void replaceMemoryOp(ConversionPatternRewriter &rewriter, Operation *op, ValueRange values) {
  Emitter emit(rewriter, op);
  SmallVector<Value> results(values);
  if (results.size() < op->getNumResults())
    results.push_back(emit.i1(false));
  rewriter.replaceOp(op, results);
}

void populateProgramPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<GetProgramIdPattern, GetNumProgramsPattern, GetCtaRankPattern, GlobalPattern, GetGlobalPattern>(
      lowering);
  patterns.add<TokenPattern<as::JoinMemTokenOp>, TokenPattern<aa::CreateMemTokenOp>, TokenPattern<aa::JoinMemTokenOp>>(
      lowering);
  patterns.add<FenceAliasPattern, CreateNonePattern, BarrierPattern>(lowering);
  patterns.add<DependentLaunchPattern<aa::GdcWaitOp>>(lowering, "griddepcontrol.wait;", kWaitsForGridsAttr);
  patterns.add<DependentLaunchPattern<aa::GdcLaunchDependentsOp>>(lowering, "griddepcontrol.launch_dependents;",
                                                                  kLaunchesGridsAttr);
}

} // namespace tileiras
