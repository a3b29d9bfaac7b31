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
#include <limits>

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
  StringRef plan;                ///< AtomPlanAttr's word for what reads it
  StringRef storeAtom, loadAtom; ///< of the copies
  int64_t wavefronts = 0;        ///< of one warp, on both sides
  int64_t instructions = 0;      ///< likewise
};

int64_t countInstructions(const SharedAccess &access) {
  return access.matrix ? access.matrix->accesses.size() : access.vector.accesses.size();
}

/// The catalogue's word for what accesses shared memory so.
StringRef nameAtom(const SharedAccess &access, bool isStore) {
  if (!access.matrix)
    return isStore ? "st.shared" : "ld.shared";
  if (access.matrix->transposed)
    return isStore ? "stmatrix.trans" : "ldmatrix.trans";
  return isStore ? "stmatrix" : "ldmatrix";
}

/// The layout with the fewest conflicts among those that a descriptor says, `most` wavefronts or fewer: the one that
/// suits both sides best, where it is one of them, else rows along one dimension, swizzled or not.
std::optional<StagedLayout> chooseStagedLayout(as::ConvertLayoutOp op, const LinearLayout &best,
                                               MatrixInstructions instructions, int64_t most) {
  RankedTensorType type = op.getType();
  const unsigned bits = as::getSharedBits(type.getElementType()), rank = type.getRank();
  const LinearLayout writer = as::getLinearLayout(op.getSource().getType()), reader = as::getLinearLayout(type);
  std::optional<StagedLayout> chosen;
  auto consider = [&](const LinearLayout &layout) {
    llvm::Expected<as::SharedAttr> encoding = as::encodeShared(op.getContext(), layout, bits);
    if (!encoding)
      return llvm::consumeError(encoding.takeError());
    const SharedAccess store = planSharedAccess(writer, layout, bits, instructions.store);
    if (store.traffic.wavefronts > most)
      return;
    const SharedAccess load = planSharedAccess(reader, layout, bits, instructions.load);
    const int64_t wavefronts = store.traffic.wavefronts + load.traffic.wavefronts;
    if (wavefronts <= most && (!chosen || wavefronts < chosen->wavefronts))
      chosen = {*encoding,
                load.matrix ? as::AtomPlanAttr::kLoadMatrix : as::AtomPlanAttr::kLoadShared,
                nameAtom(store, /*isStore=*/true),
                nameAtom(load, /*isStore=*/false),
                wavefronts,
                countInstructions(store) + countInstructions(load)};
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

  /// The first plan that is within bounds.
  LogicalResult materialize(as::ConvertLayoutOp op, const ChipTarget &target, std::optional<SharedBudget> &memory) {
    if (!target)
      return refuse(op, "no chip that an active plugin serves is named; set gpu-name");
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
      if (failed(moveThroughTile(op, plan.shared->exchange, target, *memory)))
        moveThroughExchange(op, plan);
      return success();
    }
    return refuse(op, "every way moves more bytes at once than reg2reg-vec-size allows; raise it");
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

  /// In the memory of exchanges, in the layout that suits both sides best.
  void moveThroughExchange(as::ConvertLayoutOp op, const ConversionPlan &plan) {
    const StringRef atom =
        plan.shared->exchange.load.matrix ? as::AtomPlanAttr::kLoadMatrix : as::AtomPlanAttr::kLoadShared;
    op.setAtomPlanAttr(as::AtomPlanAttr::get(op.getContext(), /*tag=*/1, Builder(op).getStringAttr(atom), {}));
  }

  LogicalResult moveThroughTile(as::ConvertLayoutOp op, const SharedExchange &exchange, const ChipTarget &target,
                                SharedBudget &memory) {
    const MatrixInstructions instructions = getMatrixInstructions(target);
    RankedTensorType type = op.getType();
    const bool isBytes = reinterpretToI8 && isNarrowFloat(type.getElementType());
    // Unasked, where it costs no more accesses than what suits best. Of what a producer does, fewer warps than all may
    // compute tiles, but not exchange them in memory of their own.
    const bool isAsked = isBytes || ownTiles;
    if (!isAsked && (isSmall(type, target.tuning()) || op->getParentOfType<as::ProduceOneOp>()))
      return failure();
    std::optional<StagedLayout> staged = chooseStagedLayout(
        op, exchange.layout, instructions, isAsked ? std::numeric_limits<int64_t>::max() : exchange.getWavefronts());
    if (!staged)
      return isAsked ? leave(op, "no descriptor says how its tile would lie in shared memory") : failure();
    if (!isAsked && !(staged->instructions <= countInstructions(exchange.store) + countInstructions(exchange.load) &&
                      leavesRoom(op, target, memory)))
      return failure();
    OpBuilder builder(op);
    auto stored =
        RankedTensorType::get(type.getShape(), isBytes ? builder.getI8Type() : type.getElementType(), staged->encoding);
    const int64_t bytes = as::getStageBytes(stored);
    if (!memory.take(bytes, isAsked ? memory.getOrder().getLifetime(op.getOperation()) : memory.getOrder().getWhole()))
      return leave(op, llvm::formatv("shared memory has no room for the {0} bytes of the tile at once", bytes));
    Value buffer = as::AllocTensorOp::create(builder, op.getLoc(), stored, as::MemoryRangeAttr(), IntegerAttr());
    Value source = isBytes ? toBytes(builder, op.getSource()) : op.getSource();
    as::CopyOp::create(builder, op.getLoc(), Type(), source, buffer,
                       as::AtomAttr::get(op.getContext(), staged->storeAtom));
    auto atomPlan =
        as::AtomPlanAttr::get(op.getContext(), /*tag=*/1, builder.getStringAttr(staged->plan), staged->encoding);
    auto read = as::CopyOp::create(builder, op.getLoc(), stored.cloneWithEncoding(type.getEncoding()), buffer, Value(),
                                   as::AtomAttr::get(op.getContext(), staged->loadAtom), atomPlan, isBytes);
    op.replaceAllUsesWith(isBytes ? fromBytes(builder, read.getResult(), type) : read.getResult());
    op.erase();
    return success();
  }

  /// Small exchanges have two places alternately.
  static bool isSmall(RankedTensorType type, const TuningModel &tuning) {
    const int64_t bytes = type.getNumElements() * as::getSharedBits(type.getElementType()) / 8;
    return bytes <= tuning.smallExchangeBytes;
  }

  /// Other exchanges have as much memory as they had before. Stages that are added later take what is free then, tiles
  /// or not: beside these a tile would be too much.
  bool leavesRoom(as::ConvertLayoutOp op, const ChipTarget &target, const SharedBudget &memory) {
    const bool mayGrow = getOperation()
                             ->walk([](as::CreatePipelineOp pipeline) {
                               return WalkResult(failure(bool(pipeline.getStageCountsAttr())));
                             })
                             .wasInterrupted();
    const RankedTensorType type = op.getType();
    const int64_t bytes = type.getNumElements() * as::getSharedBits(type.getElementType()) / 8;
    // The budget leaves them so much. Passes that come later take memory for tensor maps: an alignment is left for
    // that.
    const int64_t others =
        std::max<int64_t>(countExchangedBytes(getOperation(), target, op) - target.tuning().exchangeBytes, 0);
    return !mayGrow && bytes + others + as::kTileAlignment <= memory.getFree(memory.getOrder().getWhole());
  }

  static LogicalResult leave(as::ConvertLayoutOp op, const std::string &reason) {
    remarkOn(op, Missed::MaterializedConversion) << "conversion goes through the memory of exchanges: " + reason;
    return failure();
  }

  /// Bytes from which on registers are moved as wholes.
  static constexpr unsigned kWholeRegisters = 16;
};

} // namespace
} // namespace tileiras::layout
