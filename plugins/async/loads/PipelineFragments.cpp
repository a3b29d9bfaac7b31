//===- PipelineFragments.cpp - Fragments before the MMA that needs them ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor cores are idle while warps fetch what they multiply. So an MMA over K becomes steps, and the fragments of each
// are read before the MMAs of the step before; those of a loop's next iteration before the last step, for which its
// waits and barriers move there (CUTLASS's multistage main loops do the same). The first are read before the loop.
//
//===----------------------------------------------------------------------===//

#include "OperandParts.h"
#include "Passes.h"
#include "common/UsedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Layout/SharedExchange.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASPIPELINEFRAGMENTS
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// MMAs of one block that share operands, in its order, and are computed step by step together.
struct ProductGroup {
  SmallVector<as::DotOp> products;
  llvm::MapVector<Value, OperandParts> operands;
  int64_t steps = 0;

  as::DotOp getLast() const { return products.back(); }
};

/// What is read for one step, by operand.
using Fragments = llvm::MapVector<Value, SmallVector<Value>>;

/// The steps along K, or 0 where `product` is not one that warps compute from their registers.
int64_t countSteps(as::DotOp product, const ChipTarget &target) {
  if (product.isUniversalFma() || product.isBlockScaled() || product.getCopiesOperand())
    return 0;
  const MmaAtom *atom = product.getAtom().findMma(target.atoms());
  if (!atom || !as::isWarpAtom(*atom))
    return 0;
  const int64_t steps = cast<RankedTensorType>(product.getA().getType()).getShape().back() / atom->k;
  return steps > 1 ? steps : 0;
}

bool addOperand(ProductGroup &group, Value operand, unsigned fromLast,
                const llvm::SmallPtrSetImpl<Operation *> &products) {
  if (group.operands.contains(operand))
    return true;
  auto type = cast<RankedTensorType>(operand.getType());
  const unsigned dim = type.getRank() - fromLast;
  std::optional<OperandParts> parts =
      OperandParts::find(operand, dim, type.getDimSize(dim) / group.steps, group.getLast(), products);
  if (parts)
    group.operands.insert({operand, std::move(*parts)});
  return parts.has_value();
}

/// Finds how the operands come about. False where they cannot be had in parts, or nothing is read for them.
bool addOperands(ProductGroup &group) {
  llvm::SmallPtrSet<Operation *, 2> products(group.products.begin(), group.products.end());
  for (as::DotOp product : group.products)
    if (!addOperand(group, product.getA(), 1, products) || !addOperand(group, product.getB(), 2, products))
      return false;
  return llvm::any_of(group.operands, [](const auto &operand) { return !operand.second.getLoads().empty(); });
}

/// Bytes that no matrix instruction reads come one by one, and take a register each.
bool comesByByte(as::CopyOp copy, Type fragment) {
  RankedTensorType memory = copy.getSource().getType();
  const unsigned bits = as::getSharedBits(memory.getElementType());
  llvm::Expected<LinearLayout> layout = as::getSharedLayout(memory);
  if (!layout)
    return llvm::consumeError(layout.takeError()), true;
  const LinearLayout own = as::getLinearLayout(cast<RankedTensorType>(fragment)).removeRegisterReplicas();
  return bits == 8 && !planSharedAccess(own.within(memory.getShape()), *layout, bits, /*allowMatrix=*/true).matrix;
}

/// It does nothing but fill a stage from registers, which all have to meet after.
bool fillsStage(Operation &op) {
  auto isFill = [](Operation &inner) {
    auto copy = dyn_cast<as::CopyOp>(inner);
    return copy && copy.getDestination() && copy.getDestination().getDefiningOp<as::SlotOp>();
  };
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch ? branch.getNumResults() == 0 && branch.getElseRegion().empty() &&
                      llvm::all_of(branch.thenBlock()->without_terminator(),
                                   [&](Operation &inner) { return isFill(inner) || isInvisible(inner); })
                : isFill(op);
}

/// Of a thread, for what has been loaded before `last` and is stored to stages after it.
int64_t countRegistersOfFills(as::DotOp last) {
  int64_t registers = 0;
  for (Operation &op : llvm::make_range(last->getBlock()->begin(), last->getIterator()))
    for (Value value : op.getResults())
      if (isa<RankedTensorType>(value.getType()) && llvm::any_of(value.getUsers(), [&](Operation *user) {
            Operation *here = last->getBlock()->findAncestorOpInBlock(*user);
            return here && last->isBeforeInBlock(here) && fillsStage(*here);
          }))
        registers += as::countTileRegisters(value.getType());
  return registers;
}

/// Whether a thread has registers for the accumulators, for fragments of two steps, and for tiles on their way.
bool fitsRegisters(const ProductGroup &group, const ChipTarget &target) {
  int64_t registers = target.tuning().registersBesideLoads + countRegistersOfFills(group.getLast());
  for (as::DotOp product : group.products)
    registers += as::countTileRegisters(product.getType());
  for (const auto &[operand, parts] : group.operands)
    for (auto [copy, fragment] : llvm::zip_equal(parts.getLoads(), parts.getLoadTypes())) {
      const int64_t bytes = as::getLinearLayout(cast<RankedTensorType>(fragment)).getInSize(LayoutDim::Register);
      registers += 2 * (comesByByte(copy, fragment) ? bytes : as::countTileRegisters(fragment));
    }
  auto kernel = group.getLast()->getParentOfType<FunctionOpInterface>();
  auto ctas = kernel->getAttrOfType<IntegerAttr>(NVVM::NVVMDialect::getMinctasmAttrName());
  const int64_t threads = getExecutionScope(group.getLast()).numWarps * kLanesPerWarp;
  return registers <= target.machine().getRegistersPerThread(threads, ctas ? std::max<int64_t>(ctas.getInt(), 1) : 1);
}

bool sharesOperand(as::DotOp product, as::DotOp other) {
  return product.getA() == other.getA() || product.getB() == other.getB();
}

/// `product` can be computed where `later` is, which is in the same block.
bool canBeMovedTo(as::DotOp product, as::DotOp later) {
  return llvm::all_of(product->getUsers(), [&](Operation *user) {
    Operation *here = later->getBlock()->findAncestorOpInBlock(*user);
    return !here || later->isBeforeInBlock(here);
  });
}

class FragmentPipeline {
public:
  explicit FragmentPipeline(ProductGroup group) : group(std::move(group)) {}

  void run() {
    findLoop();
    if (loop)
      return runAhead();
    OpBuilder builder(group.getLast());
    multiply(builder, load(builder, 0), [](OpBuilder &) {});
    cleanUp();
  }

private:
  Fragments load(OpBuilder &builder, int64_t step, const IRMapping &mapping = {}) const {
    Fragments fragments;
    for (const auto &[operand, parts] : group.operands)
      fragments[operand] = parts.load(builder, step, mapping);
    return fragments;
  }

  /// Emits all steps, from the fragments of the first on; `loadNext` is called before the last. Results are replaced.
  void multiply(OpBuilder &builder, Fragments fragments, llvm::function_ref<void(OpBuilder &)> loadNext) {
    SmallVector<Value> sums =
        llvm::map_to_vector(group.products, [](as::DotOp product) -> Value { return product.getC(); });
    for (int64_t step = 0; step < group.steps; ++step) {
      Fragments next;
      if (step + 1 < group.steps)
        next = load(builder, step + 1);
      else
        loadNext(builder);
      for (auto [product, sum] : llvm::zip_equal(group.products, sums))
        sum = multiplyStep(builder, product, sum, step, fragments);
      fragments = std::move(next);
    }
    for (auto [product, sum] : llvm::zip_equal(group.products, sums))
      product.getResult().replaceAllUsesWith(sum);
  }

  Value multiplyStep(OpBuilder &builder, as::DotOp product, Value sum, int64_t step, const Fragments &fragments) const {
    IRMapping mapping;
    mapping.map(product.getC(), sum);
    for (Value operand : {product.getA(), product.getB()}) {
      const OperandParts &parts = group.operands.find(operand)->second;
      mapping.map(operand, parts.make(builder, step, fragments.lookup(operand)));
    }
    return builder.clone(*product, mapping)->getResult(0);
  }

  /// What nobody uses any more, from the products on.
  void cleanUp() {
    for (as::DotOp product : group.products)
      product->erase();
    for (const auto &[operand, parts] : group.operands) {
      SmallVector<Operation *> dead = {operand.getDefiningOp()};
      while (!dead.empty()) {
        Operation *op = dead.pop_back_val();
        if (!op || !op->use_empty() || !(isMemoryEffectFree(op) || isa<as::CopyOp>(op)))
          continue;
        for (Value of : op->getOperands())
          dead.push_back(of.getDefiningOp());
        op->erase();
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Around a loop
  //===--------------------------------------------------------------------===//

  /// The loop in whose iterations the fragments of the next can be read: it begins with waits, which can move before
  /// the last step, as nothing is done to memory after it.
  void findLoop() {
    auto around = dyn_cast<scf::ForOp>(group.getLast()->getParentOp());
    if (!around)
      return;
    bool isFirst = true, hasFills = false;
    for (Operation &op : around.getBody()->without_terminator()) {
      const bool isWait = isa<as::AwaitCopiesOp, as::BarrierOp>(op);
      if (isFirst && isWait)
        waits.push_back(&op);
      else if (isa<as::CommitCopiesOp>(op) && op.isBeforeInBlock(group.getLast()))
        ends.insert(&op);
      else if (group.getLast()->isBeforeInBlock(&op) && fillsStage(op) && addEnd(op))
        hasFills = true;
      else if (hasWait(op) || (!isInvisible(op) && group.getLast()->isBeforeInBlock(&op)))
        return;
      isFirst &= isWait || isInvisible(op);
    }
    const bool isAwaited = llvm::any_of(waits, llvm::IsaPred<as::AwaitCopiesOp>) || (hasFills && !waits.empty());
    if (isAwaited && llvm::all_of(group.operands, [&](const auto &operand) {
          return llvm::all_of(operand.second.getLoads(), [&](as::CopyOp copy) { return isOfStage(copy, around); });
        }))
      loop = around;
  }

  /// `op`, and what it needs from behind the products. False where that is one of their results.
  bool addEnd(Operation &op) {
    for (Value value : getUsedValues(&op)) {
      Operation *definition = value.getDefiningOp();
      if (definition && llvm::is_contained(group.products, definition))
        return false;
      if (definition && definition->getBlock() == op.getBlock() && group.getLast()->isBeforeInBlock(definition) &&
          (!isInvisible(*definition) || !addEnd(*definition)))
        return false;
    }
    ends.insert(&op);
    return true;
  }

  static bool hasWait(Operation &op) {
    return op
        .walk([](Operation *inner) {
          return isa<as::AwaitCopiesOp, as::BarrierOp, as::CommitCopiesOp>(inner) ? WalkResult::interrupt()
                                                                                  : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// `copy` reads a stage that an iterator of the loop names.
  static bool isOfStage(as::CopyOp copy, scf::ForOp loop) {
    auto slot = copy.getSource().getDefiningOp<as::SlotOp>();
    auto iterator = slot ? dyn_cast<BlockArgument>(slot.getIterator()) : nullptr;
    if (!iterator || iterator.getOwner() != loop.getBody() || !loop.isDefinedOutsideOfLoop(slot.getPipeline()))
      return false;
    auto next = loop.getTiedLoopYieldedValue(iterator)->get().getDefiningOp<as::IncIterOp>();
    return next && next.getIterator() == iterator;
  }

  void runAhead() {
    const SmallVector<Value> first = flatten(loadBefore());
    IRRewriter rewriter(loop.getContext());
    (void)loop.replaceWithAdditionalYields(
        rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) { return rewriteBody(carried); });
  }

  static SmallVector<Value> flatten(const Fragments &fragments) {
    SmallVector<Value> values;
    for (const auto &[operand, loaded] : fragments)
      llvm::append_range(values, loaded);
    return values;
  }

  /// The fragments whose values, one after the other, are `values`.
  Fragments unflatten(ArrayRef<Value> values) const {
    Fragments fragments;
    for (const auto &[operand, parts] : group.operands) {
      const size_t count = parts.getLoads().size();
      fragments[operand] = SmallVector<Value>(values.take_front(count));
      values = values.drop_front(count);
    }
    return fragments;
  }

  /// Whether the loop runs its body for `number`.
  Value emitRuns(OpBuilder &builder, Value number) {
    return arith::CmpIOp::create(builder, loop.getLoc(),
                                 loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, number,
                                 loop.getUpperBound());
  }

  /// Fragments of the first step of the first iteration, before the loop. Where there is none, nothing is read.
  Fragments loadBefore() {
    OpBuilder builder(loop);
    for (Operation *wait : waits)
      builder.clone(*wait);
    IRMapping mapping;
    mapStages(builder, mapping,
              [&](as::SlotOp slot) { return loop.getTiedLoopInit(cast<BlockArgument>(slot.getIterator()))->get(); });
    const std::optional<APInt> trips = loop.getStaticTripCount();
    if (trips && !trips->isZero())
      return load(builder, 0, mapping);
    return loadIfAny(builder, mapping);
  }

  Fragments loadIfAny(OpBuilder &builder, const IRMapping &mapping) {
    SmallVector<Type> types;
    for (const auto &[operand, parts] : group.operands)
      llvm::append_range(types, parts.getLoadTypes());
    Location loc = loop.getLoc();
    Value isAny = emitRuns(builder, loop.getLowerBound());
    auto branch = scf::IfOp::create(builder, loc, types, isAny, /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    scf::YieldOp::create(inside, loc, flatten(load(inside, 0, mapping)));
    OpBuilder otherwise = branch.getElseBodyBuilder();
    SmallVector<Value> none = llvm::map_to_vector(types, [&](Type type) -> Value {
      return arith::ConstantOp::create(otherwise, loc, otherwise.getZeroAttr(type));
    });
    scf::YieldOp::create(otherwise, loc, none);
    return unflatten(SmallVector<Value>(branch.getResults()));
  }

  /// Maps the memory that is read to that of the stages that `iterator` says.
  void mapStages(OpBuilder &builder, IRMapping &mapping, llvm::function_ref<Value(as::SlotOp)> iterator) {
    for (const auto &[operand, parts] : group.operands)
      for (as::CopyOp copy : parts.getLoads()) {
        auto slot = cast<as::SlotOp>(copy.getSource().getDefiningOp());
        if (!mapping.contains(slot.getIterator()))
          mapping.map(slot.getIterator(), iterator(slot));
        if (!mapping.contains(slot.getResult()))
          builder.clone(*slot, mapping);
      }
  }

  /// Returns the fragments of the next iteration; those of this one are `carried`.
  SmallVector<Value> rewriteBody(ArrayRef<BlockArgument> carried) {
    OpBuilder builder(group.getLast());
    SmallVector<Value> ahead;
    multiply(builder, unflatten(llvm::to_vector_of<Value>(carried)), [&](OpBuilder &at) {
      for (Operation *op : ends)
        op->moveBefore(at.getInsertionBlock(), at.getInsertionPoint());
      for (Operation *op : waits)
        op->moveBefore(at.getInsertionBlock(), at.getInsertionPoint());
      ahead = flatten(loadNext(at));
    });
    cleanUp();
    return ahead;
  }

  /// In the last iteration those that are there: no stage is read that was not filled.
  Fragments loadNext(OpBuilder &builder) {
    Location loc = loop.getLoc();
    Value next = arith::AddIOp::create(builder, loc, loop.getInductionVar(), loop.getStep());
    Value isMore = emitRuns(builder, next);
    IRMapping mapping;
    mapStages(builder, mapping, [&](as::SlotOp slot) -> Value {
      Value after = as::IncIterOp::create(builder, slot.getLoc(), slot.getIterator().getType(), slot.getIterator());
      return arith::SelectOp::create(builder, loc, isMore, after, slot.getIterator());
    });
    return load(builder, 0, mapping);
  }

  ProductGroup group;
  scf::ForOp loop;
  SmallVector<Operation *> waits; ///< with which each iteration of `loop` begins
  /// What can as well come right before the waits come again: commits of copies, and what fills stages from registers.
  llvm::SetVector<Operation *> ends;
};

class PipelineFragmentsPass final : public impl::TileASPipelineFragmentsBase<PipelineFragmentsPass> {
public:
  using TileASPipelineFragmentsBase::TileASPipelineFragmentsBase;

private:
  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || !target.chip->features.fillsByGroups())
      return markAllAnalysesPreserved();
    SmallVector<ProductGroup> groups;
    getOperation()->walk([&](Block *block) { collectGroups(*block, target, groups); });
    for (ProductGroup &group : groups)
      if (addOperands(group) && fitsRegisters(group, target))
        FragmentPipeline(std::move(group)).run();
  }

  static void collectGroups(Block &block, const ChipTarget &target, SmallVectorImpl<ProductGroup> &groups) {
    ProductGroup *open = nullptr;
    for (as::DotOp product : block.getOps<as::DotOp>()) {
      const int64_t steps = countSteps(product, target);
      auto shares = [&](as::DotOp other) { return sharesOperand(other, product); };
      if (open && steps == open->steps && llvm::any_of(open->products, shares) &&
          llvm::all_of(open->products, [&](as::DotOp other) { return canBeMovedTo(other, product); })) {
        open->products.push_back(product);
        continue;
      }
      open = nullptr;
      if (steps != 0) {
        groups.push_back({{product}, {}, steps});
        open = &groups.back();
      }
    }
  }
};

} // namespace
} // namespace tileiras::async
