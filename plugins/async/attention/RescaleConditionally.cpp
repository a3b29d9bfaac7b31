//===- RescaleConditionally.cpp - tileas-rescale-conditionally ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax over a loop takes exponentials relative to the largest value so far, of each row, and scales what it has
// summed up when that grows. Any other number would do as well: it is a factor of all sums of the row, and no factor of
// their quotients. Which values have the factor, of this iteration or the one before, is followed through the program;
// where all is well in the end, the number only grows when it has to.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASRESCALECONDITIONALLY
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// What a value is of the factors 2^-maximum of its row.
enum class Factor {
  None,          ///< has none
  Before,        ///< has that of the iteration before
  Now,           ///< has that of this iteration
  Step,          ///< is the quotient of both
  MaximumBefore, ///< is the maximum itself
  Maximum,
  Lowered,      ///< is the maximum with the other sign
  StepExponent, ///< of the exponential that is the quotient
  Exponent,     ///< of an exponential that has the factor
};

/// Adds up the elements of one tile.
bool isSum(as::ReduceOp reduce) {
  Block &block = reduce->getRegion(0).front();
  Operation &add = block.front();
  return llvm::hasNItems(block.begin(), block.end(), 2) && isa<arith::AddFOp, aa::AddFOp>(add) &&
         llvm::equal(add.getOperands(), block.getArguments());
}

/// The rows of a tile stay its first dimension.
bool keepsRows(Operation *op) {
  if (auto expand = dyn_cast<as::ExpandDimsOp>(op))
    return expand.getAxis() == 1;
  auto broadcast = dyn_cast<as::BroadcastOp>(op);
  auto getRows = [](Value value) { return cast<RankedTensorType>(value.getType()).getDimSize(0); };
  return isa<as::ConvertLayoutOp>(op) ||
         (broadcast && getRows(broadcast->getOperand(0)) == getRows(broadcast->getResult(0)));
}

/// A loop with a running maximum, and the factors in its body.
class RunningMaximum {
public:
  /// The maximum is the loop's variable `number`.
  RunningMaximum(scf::ForOp loop, unsigned number)
      : loop(loop), number(number), maximum(loop.getYieldedValues()[number].getDefiningOp()) {}

  /// A maximum of each row that nobody sees behind the loop.
  bool isOne() {
    auto type = dyn_cast<RankedTensorType>(loop.getResult(number).getType());
    return type && type.getRank() >= 1 && type.getNumElements() == type.getDimSize(0) &&
           type.getElementType().isF32() && loop.getResult(number).use_empty() &&
           isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp, aa::MaxFOp>(maximum) &&
           maximum->getBlock() == loop.getBody() && llvm::is_contained(maximum->getOperands(), getBefore());
  }

  /// Nothing but quotients of values with the same factor leaves the loop.
  bool isFreeToChoose() {
    for (auto [variable, type] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResultTypes()))
      if (variable != getBefore() && getElementTypeOrSelf(type).isF32())
        scaled.insert(variable.getArgNumber() - loop.getNumInductionVars());
    while (true) {
      const std::optional<llvm::SmallSetVector<unsigned, 4>> found = follow();
      if (!found)
        return false;
      if (found->size() == scaled.size())
        break;
      scaled = *found;
    }
    return !scaled.empty() && !exponentials.empty() &&
           llvm::all_of(scaled, [&](unsigned i) { return isDividedOut(loop.getResult(i), /*power=*/1); });
  }

  /// Products add to sums that have the factor.
  ArrayRef<as::DotOp> getProducts() const { return products; }

  /// The maximum grows where it would by more than `threshold`, a power of two.
  void relax(double threshold) {
    OpBuilder builder(maximum->getContext());
    builder.setInsertionPointAfter(maximum);
    const Location location = maximum->getLoc();
    auto type = cast<RankedTensorType>(maximum->getResult(0).getType());
    if (countNatural() != 0)
      threshold *= llvm::numbers::ln2;
    Value most = arith::ConstantOp::create(
        builder, location, DenseElementsAttr::get(type, builder.getF32FloatAttr(float(threshold)).getValue()));
    Value growth = arith::SubFOp::create(builder, location, maximum->getResult(0), getBefore());
    // What is no number is taken over as ever.
    Value isMuch = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UGT, growth, most);
    Value chosen = arith::SelectOp::create(builder, location, isMuch, maximum->getResult(0), getBefore());
    maximum->getResult(0).replaceUsesWithIf(chosen, [&](OpOperand &use) {
      return use.getOwner() != growth.getDefiningOp() && use.getOwner() != chosen.getDefiningOp();
    });
  }

  /// All exponentials are of one base.
  bool hasOneBase() const { return countNatural() == 0 || countNatural() == exponentials.size(); }

private:
  /// Exponentials of base e.
  size_t countNatural() const { return llvm::count_if(exponentials, llvm::IsaPred<aa::ExpOp, math::ExpOp>); }

  BlockArgument getBefore() { return loop.getRegionIterArg(number); }

  /// Those of `scaled` that an iteration hands on with its factor; nothing where factors get lost, or into others.
  std::optional<llvm::SmallSetVector<unsigned, 4>> follow() {
    factors.clear();
    exponentials.clear();
    products.clear();
    factors[getBefore()] = Factor::MaximumBefore;
    for (unsigned i : scaled)
      factors[loop.getRegionIterArg(i)] = Factor::Before;
    if (!followBlock(*loop.getBody()))
      return std::nullopt;
    llvm::SmallSetVector<unsigned, 4> handedOn;
    for (auto [i, value] : llvm::enumerate(loop.getYieldedValues())) {
      const Factor factor = get(value);
      const bool isScaled = scaled.contains(i);
      if (isScaled && factor == Factor::Now)
        handedOn.insert(i);
      else if (i != number && factor != Factor::None && !(isScaled && factor == Factor::Before))
        return std::nullopt;
    }
    return handedOn;
  }

  Factor get(Value value) const { return factors.lookup_or(value, Factor::None); }

  bool followBlock(Block &block) {
    return llvm::all_of(block.without_terminator(), [&](Operation &op) { return follow(&op); });
  }

  bool follow(Operation *op) {
    if (op == maximum) {
      factors[op->getResult(0)] = Factor::Maximum;
      return llvm::count_if(op->getOperands(), [&](Value value) { return get(value) != Factor::None; }) == 1;
    }
    if (auto consume = dyn_cast<as::ConsumeOneOp>(op)) {
      if (!followBlock(consume.getBody().front()))
        return false;
      for (auto [result, value] :
           llvm::zip(consume.getValues(), consume.getBody().front().getTerminator()->getOperands()))
        factors[result] = get(value);
      return true;
    }
    const bool hasAny =
        op->walk([&](Operation *inner) {
            return WalkResult(
                failure(llvm::any_of(inner->getOperands(), [&](Value value) { return get(value) != Factor::None; })));
          }).wasInterrupted();
    if (!hasAny)
      return true;
    const std::optional<Factor> result =
        op->getNumResults() == 1 && op->getNumOperands() != 0 ? combine(op) : std::nullopt;
    if (result)
      factors[op->getResult(0)] = *result;
    return result.has_value();
  }

  /// In either order.
  static bool are(std::pair<Factor, Factor> both, Factor a, Factor b) {
    return both == std::pair(a, b) || both == std::pair(b, a);
  }
  static std::optional<Factor> combineFactors(Factor first, Factor second) {
    const std::pair both(first, second);
    return are(both, Factor::Before, Factor::Step) || are(both, Factor::Now, Factor::None) ? std::optional(Factor::Now)
                                                                                           : std::nullopt;
  }
  static std::optional<Factor> combineSum(Factor first, Factor second) {
    const std::pair both(first, second);
    if (are(both, Factor::None, Factor::Lowered))
      return Factor::Exponent;
    return are(both, Factor::Now, Factor::Now) ? std::optional(Factor::Now) : std::nullopt;
  }

  /// The factor of the result; nothing where the operation has no simple one.
  std::optional<Factor> combine(Operation *op) {
    auto is = [&](Factor a, Factor b) { return get(op->getOperand(0)) == a && get(op->getOperand(1)) == b; };
    const Factor first = get(op->getOperand(0));
    if (keepsRows(op))
      return first;
    if (isa<arith::SubFOp, aa::SubFOp>(op)) {
      if (is(Factor::MaximumBefore, Factor::Maximum))
        return Factor::StepExponent;
      return is(Factor::None, Factor::Maximum) ? std::optional(Factor::Exponent) : std::nullopt;
    }
    if (isa<aa::ExpOp, aa::Exp2Op, math::ExpOp, math::Exp2Op>(op)) {
      exponentials.push_back(op);
      if (first == Factor::StepExponent)
        return Factor::Step;
      return first == Factor::Exponent ? std::optional(Factor::Now) : std::nullopt;
    }
    if (isa<arith::MulFOp, aa::MulFOp>(op))
      return combineFactors(first, get(op->getOperand(1)));
    if (isa<arith::NegFOp>(op))
      return first == Factor::Maximum ? std::optional(Factor::Lowered) : std::nullopt;
    if (isa<arith::AddFOp, aa::AddFOp>(op))
      return combineSum(first, get(op->getOperand(1)));
    if (isa<math::FmaOp, aa::FmaOp>(op)) {
      const Factor second = get(op->getOperand(1));
      if (first == Factor::None && second == Factor::None)
        return combineSum(Factor::None, get(op->getOperand(2)));
      const std::optional<Factor> product = combineFactors(first, second);
      return product ? combineSum(*product, get(op->getOperand(2))) : std::nullopt;
    }
    // Numbers of 16 bits hold what is a few powers of two larger.
    if (isa<arith::TruncFOp>(op))
      return first == Factor::Now && getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth() >= 16
                 ? std::optional(Factor::Now)
                 : std::nullopt;
    if (auto reduce = dyn_cast<as::ReduceOp>(op))
      return first == Factor::Now && reduce.getAxis() == 1 && reduce->getNumOperands() == 1 && isSum(reduce)
                 ? std::optional(Factor::Now)
                 : std::nullopt;
    return combineProduct(dyn_cast<as::DotOp>(op));
  }

  std::optional<Factor> combineProduct(as::DotOp product) {
    if (!product || product.isBlockScaled() || get(product.getA()) != Factor::Now ||
        get(product.getB()) != Factor::None || (get(product.getC()) != Factor::Now && !as::isZeroTile(product.getC())))
      return std::nullopt;
    products.push_back(product);
    return Factor::Now;
  }

  /// `value` is a result that has the factor to this power: in the end, whatever is computed from it has none.
  bool isDividedOut(Value value, int power) {
    if (auto [known, isNew] = powers.try_emplace(value, power); !isNew)
      return known->second == power;
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (keepsRows(user))
        return isDividedOut(user->getResult(0), power);
      const bool divides = isa<arith::DivFOp, aa::DivFOp>(user);
      if (!divides && !isa<arith::MulFOp, aa::MulFOp>(user))
        return false;
      const std::optional<int> ofOther = getPowerBehind(user->getOperand(1 - use.getOperandNumber()));
      if (!ofOther)
        return false;
      const int left = use.getOperandNumber() == 0 ? power : *ofOther,
                right = use.getOperandNumber() == 0 ? *ofOther : power;
      const int result = divides ? left - right : left + right;
      return result == 0 || (std::abs(result) <= kMostPower && isDividedOut(user->getResult(0), result));
    });
  }

  static constexpr int kMostPower = 64;

  /// Of a value behind the loop, by what it is computed from; nothing for powers that nobody divides out.
  std::optional<int> getPowerBehind(Value value) {
    Operation *maker = value.getDefiningOp();
    if (maker == loop)
      return scaled.contains(cast<OpResult>(value).getResultNumber());
    if (!maker || maker->getBlock() != loop->getBlock() || maker->isBeforeInBlock(loop))
      return 0;
    if (auto known = powersBehind.find(value); known != powersBehind.end())
      return known->second;
    const std::optional<int> power = combinePowers(maker);
    return powersBehind[value] = power && std::abs(*power) <= kMostPower ? power : std::nullopt;
  }

  std::optional<int> combinePowers(Operation *maker) {
    if (keepsRows(maker))
      return getPowerBehind(maker->getOperand(0));
    const bool divides = isa<arith::DivFOp, aa::DivFOp>(maker);
    if (!divides && !isa<arith::MulFOp, aa::MulFOp>(maker))
      return 0; // Whatever else uses such a value is none that divides it out.
    const std::optional<int> left = getPowerBehind(maker->getOperand(0)), right = getPowerBehind(maker->getOperand(1));
    if (!left || !right)
      return std::nullopt;
    return divides ? *left - *right : *left + *right;
  }

  scf::ForOp loop;
  unsigned number;
  Operation *maximum;
  llvm::SmallSetVector<unsigned, 4> scaled; ///< variables that have the factor of the iteration before
  llvm::DenseMap<Value, Factor> factors;
  llvm::DenseMap<Value, int> powers;
  llvm::DenseMap<Value, std::optional<int>> powersBehind;
  SmallVector<Operation *> exponentials;
  SmallVector<as::DotOp> products;
};

struct TileASRescaleConditionally : impl::TileASRescaleConditionallyBase<TileASRescaleConditionally> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASRescaleConditionally)
  using TileASRescaleConditionallyBase::TileASRescaleConditionallyBase;

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || threshold <= 0)
      return;
    // Where sums are in registers, scaling them costs less than asking whether it has to be.
    auto isInTensorMemory = [&](as::DotOp product) {
      const MmaAtom *atom = product.getAtom().findMma(target.atoms());
      return atom && atom->kind == MmaKind::TensorMemory;
    };
    getOperation()->walk([&](scf::ForOp loop) {
      for (unsigned i = 0; i < loop.getNumResults(); ++i) {
        RunningMaximum maximum(loop, i);
        if (!maximum.isOne() || !maximum.isFreeToChoose() || !maximum.hasOneBase() ||
            llvm::none_of(maximum.getProducts(), isInTensorMemory))
          continue;
        maximum.relax(threshold);
        remarkOn(loop, Analysis::RescaleConditionally)
            << "accumulators are scaled only where the maximum of a row grows by more than 2^" +
                   std::to_string(threshold);
      }
    });
  }
};

} // namespace
} // namespace tileiras::async
