//===- MaterializeConvertLayout.cpp - tileas-materialize-convert-layout ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateScore.h"
#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/ConversionPlan.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASMATERIALIZECONVERTLAYOUT
#include "Passes.h.inc"

namespace {

/// The widest value that the plan moves at once from registers to registers, bytes.
unsigned getMovedBytes(const ConversionPlan &plan, unsigned elementBits) {
  if (plan.kind == ConversionKind::RegisterPermutation)
    return elementBits / 8;
  size_t values = 0;
  if (plan.shuffle)
    for (const ShuffleRound &round : plan.shuffle->rounds)
      values = std::max(values, round.values.size());
  return values * elementBits / 8;
}

/// How a tile lies in shared memory on its way.
struct StagedLayout {
  as::SharedAttr encoding;
  StringRef atom;         ///< that reads it
  int64_t wavefronts = 0; ///< of one warp, on both sides
};

/// The layout with the fewest conflicts among those that a descriptor says: the one that suits both sides best, where
/// it is one of them, else rows along one dimension, swizzled or not.
std::optional<StagedLayout> chooseStagedLayout(as::ConvertLayoutOp op, const LinearLayout &best,
                                               MatrixInstructions instructions) {
  RankedTensorType type = op.getType();
  const unsigned bits = as::getSharedBits(type.getElementType()), rank = type.getRank();
  const LinearLayout writer = as::getLinearLayout(op.getSource().getType()), reader = as::getLinearLayout(type);
  std::optional<StagedLayout> chosen;
  auto consider = [&](const LinearLayout &layout) {
    llvm::Expected<as::SharedAttr> encoding = as::encodeShared(op.getContext(), layout, bits);
    if (!encoding)
      return llvm::consumeError(encoding.takeError());
    const SharedAccess store = planSharedAccess(writer, layout, bits, instructions.store);
    const SharedAccess load = planSharedAccess(reader, layout, bits, instructions.load);
    const int64_t wavefronts = store.traffic.wavefronts + load.traffic.wavefronts;
    if (!chosen || wavefronts < chosen->wavefronts)
      chosen = {*encoding, load.matrix ? as::AtomPlanAttr::kLoadMatrix : as::AtomPlanAttr::kLoadShared, wavefronts};
  };
  consider(best);
  for (unsigned first = rank; first-- > 0;) {
    SmallVector<unsigned> order = {first};
    for (unsigned dim = rank; dim-- > 0;)
      if (dim != first)
        order.push_back(dim);
    for (SwizzleMode mode : {SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32, SwizzleMode::None})
      if (mode == SwizzleMode::None || type.getDimSize(first) * bits >= 8 * int64_t(getSwizzleRowBytes(mode)))
        consider(makeSwizzledLayout(type.getShape(), order, bits, mode));
  }
  return chosen;
}

/// Floating-point numbers of a byte or less.
bool isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8;
}

/// A tile of narrow numbers as one of bytes, each in a byte of its own.
Value toBytes(OpBuilder &builder, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  const unsigned bits = type.getElementTypeBitWidth();
  auto words = type.clone(builder.getIntegerType(bits)), bytes = type.clone(builder.getI8Type());
  Value word = arith::BitcastOp::create(builder, tile.getLoc(), words, tile);
  return bits == 8 ? word : Value(arith::ExtUIOp::create(builder, tile.getLoc(), bytes, word));
}

Value fromBytes(OpBuilder &builder, Value bytes, RankedTensorType type) {
  const unsigned bits = type.getElementTypeBitWidth();
  auto words = type.clone(builder.getIntegerType(bits));
  Value word = bits == 8 ? bytes : Value(arith::TruncIOp::create(builder, bytes.getLoc(), words, bytes));
  return arith::BitcastOp::create(builder, bytes.getLoc(), type, word);
}

struct TileASMaterializeConvertLayout : impl::TileASMaterializeConvertLayoutBase<TileASMaterializeConvertLayout> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASMaterializeConvertLayout)
  using TileASMaterializeConvertLayoutBase::TileASMaterializeConvertLayoutBase;

  void runOnOperation() override {
    SmallVector<as::ConvertLayoutOp> conversions;
    getOperation()->walk([&](as::ConvertLayoutOp op) {
      if (!op.getAtomPlan())
        conversions.push_back(op);
    });
    if (conversions.empty())
      return;
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    std::optional<SharedBudget> memory;
    if (target) {
      memory.emplace(getOperation(), target, /*ctas=*/1,
                     [](as::CreatePipelineOp pipeline) { return pipeline.getType().getStages(); });
      memory->keepStatic();
    }
    bool isFailed = false;
    for (as::ConvertLayoutOp op : conversions)
      isFailed |= failed(materialize(op, target, memory));
    if (isFailed)
      markPassFailure(getOperation(), getArgument());
  }

  /// The first plan that is within bounds. One that shared memory has no room for at once is left to the lowering,
  /// which goes through a part of it in rounds.
  LogicalResult materialize(as::ConvertLayoutOp op, const ChipTarget &target, std::optional<SharedBudget> &memory) {
    if (!target)
      return refuse(op, "no chip that an active plugin serves is named; set gpu-name");
    bool isLeft = false;
    const MatrixInstructions instructions = getMatrixInstructions(target);
    const unsigned bits = as::getSharedBits(op.getType().getElementType());
    for (const ConversionPlan &plan :
         collectConversionPlans(as::getLinearLayout(op.getSource().getType()), as::getLinearLayout(op.getType()), bits,
                                target.tuning().getConversionCosts(), instructions)) {
      if (plan.kind != ConversionKind::SharedMemory) {
        if (getMovedBytes(plan, bits) > reg2regVecSize)
          continue;
        keepInRegisters(op, plan);
        return success();
      }
      if (succeeded(moveThroughMemory(op, plan.shared->exchange.layout, instructions, *memory)))
        return success();
      isLeft = true;
    }
    return isLeft ? success() : refuse(op, "every way moves more bytes at once than reg2reg-vec-size allows; raise it");
  }

  static LogicalResult refuse(as::ConvertLayoutOp op, StringRef remedy) {
    InFlightDiagnostic diagnostic = op.emitError("failed to query target spec for convert_layout");
    diagnostic.attachNote() << remedy;
    return failure();
  }

  void keepInRegisters(as::ConvertLayoutOp op, const ConversionPlan &plan) {
    Builder builder(op);
    op.setAtomPlanAttr(as::AtomPlanAttr::get(
        op.getContext(), /*tag=*/0, builder.getStringAttr(stringifyConversionKind(plan.kind)), as::SharedAttr()));
    if (reg2regVecSize < kWholeRegisters)
      op->setAttr(as::kRootRegToRegCopyAttr, builder.getUnitAttr());
  }

  /// `best` is the layout that suits both sides best.
  LogicalResult moveThroughMemory(as::ConvertLayoutOp op, const LinearLayout &best, MatrixInstructions instructions,
                                  SharedBudget &memory) {
    RankedTensorType type = op.getType();
    const bool isBytes = reinterpretToI8 && isNarrowFloat(type.getElementType());
    std::optional<StagedLayout> staged = chooseStagedLayout(op, best, instructions);
    if (!staged)
      return leave(op, "no descriptor says how its tile would lie in shared memory");
    OpBuilder builder(op);
    auto stored =
        RankedTensorType::get(type.getShape(), isBytes ? builder.getI8Type() : type.getElementType(), staged->encoding);
    const int64_t bytes = as::getStageBytes(stored);
    if (!memory.take(bytes, memory.getOrder().getLifetime(op.getOperation())))
      return leave(op, llvm::formatv("shared memory has no room for the {0} bytes of the tile at once", bytes));
    Value buffer = as::AllocTensorOp::create(builder, op.getLoc(), stored, as::MemoryRangeAttr(), IntegerAttr());
    as::CopyOp::create(builder, op.getLoc(), Type(), isBytes ? toBytes(builder, op.getSource()) : op.getSource(),
                       buffer, as::AtomAttr::getAnyCopy(builder.getContext()));
    auto atomPlan =
        as::AtomPlanAttr::get(op.getContext(), /*tag=*/1, builder.getStringAttr(staged->atom), staged->encoding);
    auto read = as::CopyOp::create(builder, op.getLoc(), stored.cloneWithEncoding(type.getEncoding()), buffer, Value(),
                                   as::AtomAttr::getAnyCopy(builder.getContext()), atomPlan, isBytes);
    op.replaceAllUsesWith(isBytes ? fromBytes(builder, read.getResult(), type) : read.getResult());
    op.erase();
    return success();
  }

  static LogicalResult leave(as::ConvertLayoutOp op, const std::string &reason) {
    remarkOn(op, Missed::MaterializedConversion) << "conversion left to the lowering: " + reason;
    return failure();
  }

  /// Bytes from which on registers are moved as wholes.
  static constexpr unsigned kWholeRegisters = 16;
};

} // namespace
} // namespace tileiras::layout
