//===- CountAddresses.cpp - tileaa-count-addresses ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "common/QueueLoads.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAACOUNTADDRESSES
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// A number or pointer, or a tile of them, to which a loop adds the same in each iteration.
struct SteadyValue {
  BlockArgument carried;
  Operation *step = nullptr; ///< `arith.addi` or `nv_tileaa.addptr`
  Value increment = {};      ///< from outside of the loop
};

std::optional<SteadyValue> findSteady(scf::ForOp loop, BlockArgument carried) {
  Operation *step = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, aa::AddPtrOp>(step) || step->getBlock() != loop.getBody())
    return std::nullopt;
  Value increment = step->getOperand(step->getOperand(0) == carried ? 1 : 0);
  const bool isSum = step->getOperand(0) == carried || (isa<arith::AddIOp>(step) && step->getOperand(1) == carried);
  if (!isSum || !loop.isDefinedOutsideOfLoop(increment))
    return std::nullopt;
  return SteadyValue{carried, step, increment};
}

/// Whether the value is part of what loads of the loop need to know where they load.
bool isPartOfAddress(scf::ForOp loop, const SteadyValue &steady) {
  auto isAccess = llvm::IsaPred<aa::LoadOp, aa::TiledLoadOp>;
  llvm::SetVector<Operation *> users;
  ForwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op != steady.step && op->getBlock() == loop.getBody() && (isPure(op) || isAccess(op));
  };
  getForwardSlice(steady.carried, &users, options);
  return llvm::any_of(users, isAccess);
}

/// Computes steady values of a loop from its variable, at the beginning of its body.
class Counter {
public:
  explicit Counter(scf::ForOp loop)
      : loop(loop), builder(OpBuilder::atBlockBegin(loop.getBody())), location(loop.getLoc()) {}

  /// Null where the increment is not the same for all elements of a tile.
  Value compute(const SteadyValue &steady) {
    Value increment = getScalar(steady.increment);
    if (!increment)
      return {};
    // Sums of numbers wrap as their products do; those of pointers have 64 bits.
    const bool isPointer = isa<aa::AddPtrOp>(steady.step);
    Type type = isPointer ? builder.getI64Type() : increment.getType();
    Value offset = builder.createOrFold<arith::MulIOp>(location, resize(getNumber(), type, /*isSigned=*/false),
                                                       resize(increment, type, /*isSigned=*/true));
    if (auto tile = dyn_cast<RankedTensorType>(steady.carried.getType()))
      offset = aa::SplatOp::create(builder, location, tile.clone(type), offset);
    Value first = loop.getTiedLoopInit(steady.carried)->get();
    return isPointer ? aa::AddPtrOp::create(builder, location, first.getType(), first, offset).getResult()
                     : builder.createOrFold<arith::AddIOp>(location, first, offset);
  }

private:
  /// Of the iteration, from 0.
  Value getNumber() {
    Value number = builder.createOrFold<arith::SubIOp>(location, loop.getInductionVar(), loop.getLowerBound());
    return matchPattern(loop.getStep(), m_One())
               ? number
               : builder.createOrFold<arith::DivUIOp>(location, number, loop.getStep());
  }

  Value getScalar(Value increment) {
    auto tile = dyn_cast<RankedTensorType>(increment.getType());
    if (!tile)
      return increment;
    if (auto splat = increment.getDefiningOp<aa::SplatOp>())
      return splat.getSource();
    APInt number;
    return matchPattern(increment, m_ConstantInt(&number))
               ? arith::ConstantOp::create(builder, location, IntegerAttr::get(tile.getElementType(), number))
               : Value();
  }

  Value resize(Value number, Type type, bool isSigned) {
    const unsigned now = number.getType().getIntOrFloatBitWidth(), wanted = type.getIntOrFloatBitWidth();
    if (now == wanted)
      return number;
    if (now > wanted)
      return builder.createOrFold<arith::TruncIOp>(location, type, number);
    return isSigned ? builder.createOrFold<arith::ExtSIOp>(location, type, number)
                    : builder.createOrFold<arith::ExtUIOp>(location, type, number);
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location location;
};

struct TileAACountAddresses : impl::TileAACountAddressesBase<TileAACountAddresses> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAACountAddresses)

  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      if (holdsAny<aa::DotOp, aa::MmaBlockScaleOp>(loop) && loop.getInductionVar().getType().isInteger())
        countAddresses(loop);
    });
  }

  static void countAddresses(scf::ForOp loop) {
    Counter counter(loop);
    for (BlockArgument carried : loop.getRegionIterArgs()) {
      std::optional<SteadyValue> steady = findSteady(loop, carried);
      if (!steady || !isPartOfAddress(loop, *steady))
        continue;
      if (Value value = counter.compute(*steady))
        carried.replaceUsesWithIf(value, [&](OpOperand &use) {
          return use.getOwner() != steady->step && use.getOwner() != value.getDefiningOp();
        });
    }
  }
};

} // namespace
} // namespace tileiras::async
