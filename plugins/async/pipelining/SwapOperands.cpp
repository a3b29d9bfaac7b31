//===- SwapOperands.cpp - tileaa-swap-operands ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "ReadInPlace.h"
#include "Remarks.h"
#include "common/QueueLoads.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEAASWAPOPERANDS
#include "Passes.h.inc"

using namespace mlir;

namespace {

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Argument number `index` of `loop`, a loop-carried tile.
struct CarriedSum {
  scf::ForOp loop;
  unsigned index;
};

/// All that a tile is on its way round a loop and the loops inside, from the outermost on, if nothing but products add
/// to it.
struct SumChain {
  SmallVector<CarriedSum> sums;
  SmallVector<aa::DotOp> products;
};

/// Follows an argument to where it is handed to the next iteration. If something else reads it, returns that.
Operation *followSum(CarriedSum sum, SumChain &chain) {
  chain.sums.push_back(sum);
  Value value = sum.loop.getRegionIterArg(sum.index);
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (auto product = dyn_cast<aa::DotOp>(user); product && use == product.getCMutable()) {
      chain.products.push_back(product);
      value = product.getResult();
    } else if (auto loop = dyn_cast<scf::ForOp>(user); loop && loop.getTiedLoopResult(&use)) {
      const unsigned index = loop.getTiedLoopResult(&use).getResultNumber();
      if (Operation *reader = followSum({loop, index}, chain))
        return reader;
      value = loop.getResult(index);
    } else {
      const bool isHandedOn = user == sum.loop.getBody()->getTerminator() && use.getOperandNumber() == sum.index;
      return isHandedOn ? nullptr : user;
    }
  }
  return value.use_empty() ? sum.loop : *value.user_begin();
}

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

constexpr int32_t kExchanged[] = {1, 0};

RankedTensorType transpose(Type type) {
  auto tile = cast<RankedTensorType>(type);
  return tile.clone({tile.getDimSize(1), tile.getDimSize(0)});
}

bool isTranspose(Operation *op) {
  auto permute = dyn_cast_or_null<aa::PermuteOp>(op);
  return permute && permute.getPermutation() == ArrayRef(kExchanged);
}

/// The tile, or what it is the transpose of.
Value transpose(OpBuilder &builder, Location location, Value tile) {
  if (Operation *maker = tile.getDefiningOp(); isTranspose(maker))
    return cast<aa::PermuteOp>(maker).getSource();
  return builder.createOrFold<aa::PermuteOp>(location, transpose(tile.getType()), tile,
                                             builder.getDenseI32ArrayAttr(kExchanged));
}

void eraseIfDead(Operation *op) {
  if (op && isOpTriviallyDead(op))
    op->erase();
}

void exchange(aa::DotOp product) {
  OpBuilder builder(product);
  Operation *makers[] = {product.getA().getDefiningOp(), product.getB().getDefiningOp()};
  Value a = transpose(builder, product.getLoc(), product.getB()),
        b = transpose(builder, product.getLoc(), product.getA());
  product.getAMutable().set(a);
  product.getBMutable().set(b);
  eraseIfDead(makers[0]);
  if (makers[0] != makers[1])
    eraseIfDead(makers[1]);
  aa::SignednessAttr sign = product.getSignednessAAttr();
  product.setSignednessAAttr(product.getSignednessBAttr());
  product.setSignednessBAttr(sign);
  product.getResult().setType(transpose(product.getType()));
}

/// Exchanges the operands of all products: the sum is its own transpose inside of the loops. Once more, all is as
/// before.
void exchange(SumChain &chain) {
  const auto [outermost, index] = chain.sums.front();
  scf::ForOp loop = outermost;
  OpBuilder builder(loop);
  OpOperand &init = loop.getInitArgsMutable()[index];
  Operation *maker = init.get().getDefiningOp();
  init.set(transpose(builder, loop.getLoc(), init.get()));
  eraseIfDead(maker);
  llvm::for_each(chain.products, [](aa::DotOp product) { exchange(product); });
  for (CarriedSum sum : chain.sums)
    for (Value value : {Value(sum.loop.getRegionIterArg(sum.index)), Value(sum.loop.getResult(sum.index))})
      value.setType(transpose(value.getType()));

  Value result = loop.getResult(index);
  if (result.use_empty())
    return;
  builder.setInsertionPointAfter(loop);
  Value back = aa::PermuteOp::create(builder, loop.getLoc(), transpose(result.getType()), result, kExchanged);
  result.replaceAllUsesExcept(back, back.getDefiningOp());
  for (Operation *user : llvm::make_early_inc_range(back.getUsers()))
    if (isTranspose(user)) {
      user->getResult(0).replaceAllUsesWith(result);
      user->erase();
    }
  eraseIfDead(back.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Gain
//===----------------------------------------------------------------------===//

constexpr int64_t kRowsOfWarpgroup = 64;

/// Warpgroups compute 64 rows together: whether it takes the exchange to have them.
bool isShort(aa::DotOp product) {
  return product.getType().getDimSize(0) < kRowsOfWarpgroup;
}

struct TileAASwapOperands : impl::TileAASwapOperandsBase<TileAASwapOperands> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAASwapOperands)
  using TileAASwapOperandsBase::TileAASwapOperandsBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    if (!target || !target.chip->features.tma || !target.chip->features.wgmma)
      return;
    convertAtLoads(getOperation());
    getOperation()->walk([&](aa::DotOp product) {
      if (!product->getParentOfType<scf::ForOp>() || product.getType().getRank() != 2)
        return;
      if (!isShort(product) && isTransposed(product))
        transposed.insert(product);
      if (isShort(product) || transposed.contains(product))
        obstacles[product] = "its result is no loop-carried accumulator";
    });
    if (obstacles.empty())
      return;
    SmallVector<CarriedSum> sums;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
        if (isa<RankedTensorType>(loop.getRegionIterArg(index).getType()))
          sums.push_back({loop, index});
    });
    for (CarriedSum sum : sums)
      consider(sum);
    for (auto &[product, obstacle] : obstacles)
      remarkOn(product, Missed::NotExchanged) << "its operands A and B are not swapped: " + obstacle;
  }

  void consider(CarriedSum sum) {
    SumChain chain;
    Operation *reader = followSum(sum, chain);
    if (llvm::none_of(chain.products, [&](aa::DotOp product) { return obstacles.contains(product); }))
      return;
    std::string obstacle = reader ? nameOperation(reader) + " of the loop reads its accumulator" : findMisfit(chain);
    if (obstacle.empty()) {
      exchange(chain);
      obstacle = findUnread(chain);
      if (!obstacle.empty())
        exchange(chain);
    }
    for (aa::DotOp product : chain.products) {
      if (!obstacle.empty() && obstacles.contains(product)) {
        obstacles[product] = obstacle;
      } else if (obstacle.empty()) {
        obstacles.erase(product);
        remarkOn(product, Analysis::Exchanged)
            << llvm::formatv("its operands A and B are swapped, and so are its {0} rows and {1} columns: {2}",
                             product.getType().getDimSize(1), product.getType().getDimSize(0),
                             transposed.contains(product)
                                 ? "one in which N is contiguous is multiplied from registers, on the left"
                                 : llvm::formatv("warpgroups compute {0} rows together", kRowsOfWarpgroup).str())
                   .str();
      }
    }
  }

  /// K is contiguous in the left operand and N in the right one, which no instruction takes: threads would have to
  /// transpose it on its way. Those on the left they take in registers, from memory as it is.
  bool isTransposed(aa::DotOp product) {
    auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
    if (!loop)
      return false;
    auto reads = [&](as::OperandPlace b) {
      llvm::Expected<as::WarpgroupProduct> found =
          as::findWarpgroupProduct(&getContext(), getMmaQuery(product), target, getExecutionScope(product).numWarps,
                                   as::OperandPlace::KMajor, b);
      if (!found)
        llvm::consumeError(found.takeError());
      return bool(found);
    };
    if (!reads(as::OperandPlace::KMajor) || reads(as::OperandPlace::MnMajor))
      return false;
    std::string obstacle;
    const SmallVector<QueueLoad> loads = collectLoads(loop, obstacle);
    return findContiguousDim(product.getA(), loads) == 1u && findContiguousDim(product.getB(), loads) == 1u;
  }

  static std::string findMisfit(SumChain &chain) {
    RankedTensorType type = chain.products.front().getType();
    if (type.getDimSize(1) % kRowsOfWarpgroup != 0)
      return llvm::formatv("its {0} columns are no multiple of {1} either", type.getDimSize(1), kRowsOfWarpgroup);
    return "";
  }

  /// Why a product would not find its operands in shared memory, as `tileaa-form-queues` puts them there; empty: it
  /// does.
  std::string findUnread(SumChain &chain) {
    for (aa::DotOp product : chain.products) {
      auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
      if (!loop || holdsAny<LoopLikeOpInterface>(loop))
        return "it is not in an innermost loop";
      if (limitByTrips(loop, 2) < 2)
        return "its loop has no more than one iteration";
      std::string obstacle = "an operand is not what a load of the loop gives, perhaps converted";
      const SmallVector<QueueLoad> loads = findLoads(loop, obstacle);
      for (Value operand : {product.getA(), product.getB()})
        if (llvm::none_of(loads, [&](const QueueLoad &entry) { return isOf(operand, entry); }))
          return obstacle;
      if (transposed.contains(product) && llvm::any_of(loads, [](const QueueLoad &entry) { return entry.isStored; }))
        return "threads would have to store an operand all the same";
    }
    return "";
  }

  static bool isOf(Value operand, const QueueLoad &entry) {
    Operation *maker = operand.getDefiningOp();
    return maker && (entry.load == maker || entry.between.contains(maker));
  }

  /// Those that may run ahead; `obstacle`: why one may not.
  SmallVector<QueueLoad> collectLoads(scf::ForOp loop, std::string &obstacle) {
    SmallVector<QueueLoad> loads;
    Operation *barrier = findBarrier(loop);
    for (Operation &op : *loop.getBody()) {
      if (!isa<aa::TiledLoadOp, aa::LoadOp>(op))
        continue;
      QueueLoad entry = findReaders(&op);
      convertByEngine(TensorCopyRule(target), entry);
      if (entry.products.empty() || entry.otherReader)
        continue;
      if (std::optional<std::string> late = findObstacle(entry, loop, barrier))
        obstacle = nameOperation(&op) + " is not done ahead: " + *late;
      else
        loads.push_back(std::move(entry));
    }
    return loads;
  }

  /// Those that queues would hold; `obstacle`: why one would not.
  SmallVector<QueueLoad> findLoads(scf::ForOp loop, std::string &obstacle) {
    SmallVector<QueueLoad> loads = collectLoads(loop, obstacle);
    keepReadInPlace(loads, loop, target, [&](Operation *load, const Twine &reason) {
      obstacle = (nameOperation(load) + " is not done ahead: " + reason).str();
    });
    return loads;
  }

  ChipTarget target;
  llvm::SmallPtrSet<Operation *, 4> transposed;        ///< products whose right operand lies wrong
  llvm::MapVector<Operation *, std::string> obstacles; ///< of products to be exchanged that stay as they are
};

} // namespace
} // namespace tileiras::async
