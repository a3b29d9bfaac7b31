//===- OperationWork.cpp - What an operation makes a CTA do ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

namespace {

constexpr uint32_t kLanes = 32;
/// Of a function that does not say how many warps it wants.
constexpr uint32_t kDefaultWarps = 4;

class WorkCollector {
public:
  explicit WorkCollector(Operation *op) {
    auto function = op->getParentOfType<aa::FuncOp>();
    aa::KernelSpecAttr spec = function ? function.getKernelSpecAttr() : aa::KernelSpecAttr();
    warps = spec ? spec.getNumWarps() : kDefaultWarps;
  }

  /// `times`: how often `op` runs for each time the collected operation does.
  void collect(Operation *op, uint64_t times) {
    if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>())
      return;
    TypeSwitch<Operation *>(op)
        .Case([&](scf::ForOp loop) { collectRegions(loop, multiply(times, getTripCount(loop))); })
        .Case<as::ReduceOp, as::ScanOp>([&](auto combining) { collectCombination(combining, times); })
        .Case([&](as::DotOp dot) {
          if (dot.isUniversalFma())
            collectMultiplications(dot, times);
          else
            addProduct(dot, times);
        })
        .Case([&](as::AsyncDotOp dot) { addProduct(dot, times); })
        .Case([&](as::ConvertLayoutOp convert) { collectConversion(convert, times); })
        .Case<as::ExtractOp, as::ExtractSliceOp>(
            [&](auto slice) { addExchange(slice.getSource().getType(), slice.getType(), times); })
        .Case([&](as::InsertSliceOp slice) { addExchange(slice.getSource().getType(), slice.getType(), times); })
        .Case<as::TiledLoadOp, as::LoadOp>([&](auto load) {
          add(WorkKind::GlobalRead, load.getResult().getType(), multiply(times, countBytes(load.getResult().getType())),
              getAtom(load.getAtom()));
        })
        .Case<as::AsyncTiledLoadOp, as::AsyncLoadOp>([&](auto load) {
          RankedTensorType tile = load.getDestination().getType();
          add(WorkKind::GlobalRead, tile, multiply(times, countBytes(tile)), getAtom(load.getAtom()));
        })
        .Case<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>([&](auto load) {
          RankedTensorType tile = load.getDestination().getType();
          add(WorkKind::EngineRead, tile, multiply(times, countBytes(tile)), getAtom(load.getAtom()));
        })
        .Case<as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>([&](auto store) {
          RankedTensorType tile = store.getSource().getType();
          add(WorkKind::EngineWrite, tile, multiply(times, countBytes(tile)), getAtom(store.getAtom()));
        })
        .Case<as::TiledStoreOp, as::StoreOp>([&](auto store) {
          add(WorkKind::GlobalWrite, store.getValue().getType(),
              multiply(times, countBytes(store.getValue().getType())), getAtom(store.getAtom()));
        })
        .Case([&](as::CopyOp copy) {
          const bool isWrite = bool(copy.getDestination());
          add(isWrite ? WorkKind::SharedWrite : WorkKind::SharedRead, copy.getSource().getType(),
              multiply(times, countBytes(copy.getSource().getType())), getAtom(copy.getAtom()));
        })
        .Case([&](as::BarrierOp) { add(WorkKind::Barrier, {}, times); })
        .Case<as::TiledAtomicRMWOp, as::AtomicRMWOp, as::AtomicCASOp>([&](auto atomic) {
          add(WorkKind::Atomic, atomic.getValue().getType(), multiply(times, countLanes(atomic.getValue().getType())));
        })
        .Case<ViewLikeOpInterface, as::BroadcastOp, as::CatOp, as::SplatOp, as::PackOp, as::UnpackOp,
              as::MakeTiledViewOp, as::CreateNoneOp, as::JoinMemTokenOp, as::AllocTensorOp, as::AsyncFutureWaitOp,
              as::AsyncWaitOp, as::ConsumerWaitOp, as::IncIterOp, aa::AssumeOp, aa::BitcastOp, aa::IntToPtrOp,
              aa::PtrToIntOp, aa::MakeMemRefOp, aa::GetGlobalOp, arith::BitcastOp>([](auto) {})
        .Default([&](Operation *) {
          if (op->getNumRegions() != 0)
            return collectRegions(op, times);
          if (op->getNumResults() != 0)
            add(classify(op), op->getResult(0).getType(), multiply(times, countLanes(op->getResult(0).getType())));
        });
  }

  SmallVector<WorkQuery> works;

private:
  static uint64_t multiply(uint64_t a, uint64_t b) { return llvm::SaturatingMultiply(a, b); }

  /// The atoms that leave the choice to the lowering are no atoms.
  static StringRef getAtom(StringRef atom) { return atom == as::kUniversalCopy ? StringRef() : atom; }

  /// 1 when it is not constant.
  static uint64_t getTripCount(scf::ForOp loop) {
    std::optional<llvm::APInt> count = loop.getStaticTripCount();
    return count ? count->getLimitedValue() : 1;
  }

  /// Elements that all threads compute together: an instruction runs in all lanes of all warps.
  uint64_t countLanes(Type type) const {
    const uint64_t threads = uint64_t(kLanes) * warps;
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      return threads;
    if (as::isDistributedTensor(tile))
      return multiply(as::getNumRegisters(tile), threads);
    return llvm::alignTo(tile.getNumElements(), threads);
  }

  uint64_t countBytes(Type type) const {
    return llvm::divideCeil(multiply(countLanes(type), as::getRegisterBits(getElementTypeOrSelf(type))), uint64_t(8));
  }

  void add(WorkKind kind, Type type, uint64_t amount, StringRef atom = "") {
    WorkQuery query;
    query.kind = kind;
    query.atom = atom.str();
    query.element = type ? getElementTypeOrSelf(type) : type;
    query.amount = amount;
    query.warps = warps;
    works.push_back(std::move(query));
  }

  /// Through shared memory: what is written, a barrier, what is read.
  void addExchange(Type written, Type read, uint64_t times) {
    add(WorkKind::SharedWrite, written, multiply(times, countBytes(written)));
    add(WorkKind::Barrier, written, times);
    add(WorkKind::SharedRead, read, multiply(times, countBytes(read)));
  }

  void collectRegions(Operation *op, uint64_t times) {
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        collect(&nested, times);
  }

  void collectConversion(as::ConvertLayoutOp op, uint64_t times) {
    auto from = as::getLinearLayout(op.getSource().getType()), to = as::getLinearLayout(op.getType());
    if (!as::getRegisterMap(from, to))
      addExchange(op.getSource().getType(), op.getType(), times);
  }

  /// The body on every element, then a step for each bit of the lane along the axis, and an exchange between warps if
  /// they share it.
  template <typename OpTy>
  void collectCombination(OpTy op, uint64_t times) {
    auto tile = cast<RankedTensorType>(op.getInputs().front().getType());
    const uint64_t lanes = countLanes(tile);
    for (Operation &nested : op.getBody().getOps())
      if (nested.getNumResults() != 0 && !nested.hasTrait<OpTrait::ConstantLike>() &&
          !nested.hasTrait<OpTrait::IsTerminator>())
        add(classify(&nested), nested.getResult(0).getType(), multiply(times, lanes));
    const uint64_t results = countLanes(op.getResult(0).getType());
    LinearLayout layout = as::getLinearLayout(tile);
    auto steps = [&](LayoutDim dim) {
      return llvm::count_if(layout.getBases(dim), [&](const auto &basis) { return basis[op.getAxis()] != 0; });
    };
    if (uint64_t laneSteps = steps(LayoutDim::Lane))
      add(WorkKind::Shuffle, tile, multiply(times, laneSteps * results));
    if (steps(LayoutDim::Warp))
      addExchange(op.getResult(0).getType(), op.getResult(0).getType(), times);
  }

  /// Threads read both operands from shared memory and multiply.
  void collectMultiplications(as::DotOp op, uint64_t times) {
    const MmaQuery mma = getMmaQuery(op);
    addExchange(op.getA().getType(), op.getA().getType(), times);
    addExchange(op.getB().getType(), op.getB().getType(), times);
    const bool isDouble = mma.elementC.isF64();
    add(isDouble                       ? WorkKind::Double
        : isa<FloatType>(mma.elementC) ? WorkKind::Float
                                       : WorkKind::Integer,
        mma.elementC, multiply(multiply(times, mma.batch * mma.m), mma.n * mma.k));
  }

  template <typename OpTy>
  void addProduct(OpTy op, uint64_t times) {
    const MmaQuery mma = getMmaQuery(op);
    add(WorkKind::Product, mma.elementA, 1, op.getAtom());
    WorkQuery &query = works.back();
    query.batch = multiply(times, mma.batch);
    query.m = mma.m;
    query.n = mma.n;
    query.k = mma.k;
  }

  static WorkKind classify(Operation *op) {
    Type result = getElementTypeOrSelf(op->getResult(0).getType());
    Type operand = op->getNumOperands() ? getElementTypeOrSelf(op->getOperand(0).getType()) : result;
    if (isa<aa::DivFOp, aa::SqrtOp, aa::RsqrtOp, aa::ExpOp, aa::Exp2Op, aa::TanhOp, arith::DivFOp, arith::RemFOp,
            arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
            arith::FloorDivSIOp>(op))
      return WorkKind::Special;
    // Cheap ones share a dialect with the others.
    const bool isSimpleMath = isa<math::FmaOp, math::AbsFOp, math::CopySignOp, math::AbsIOp, math::CtPopOp>(op);
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()) && !isSimpleMath)
      return WorkKind::Special;
    if (isa<FloatType>(result) && operand.isF64() && result.isF64())
      return WorkKind::Double;
    // Selection and comparison are the integer units' business, whatever they select.
    if (isa<arith::SelectOp, arith::CmpFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
            aa::MaxFOp, aa::MinFOp>(op))
      return WorkKind::Integer;
    if (operand.isF32() && (result.isF16() || result.isBF16()))
      return WorkKind::Narrowing;
    if (isa<FloatType>(result) != isa<FloatType>(operand) || (isa<FloatType>(result) && result != operand))
      return WorkKind::Conversion;
    return isa<FloatType>(result) ? WorkKind::Float : WorkKind::Integer;
  }

  uint32_t warps;
};

} // namespace

llvm::SmallVector<WorkQuery> tileiras::getOperationWork(Operation *op) {
  WorkCollector collector(op);
  collector.collect(op, 1);
  return std::move(collector.works);
}
