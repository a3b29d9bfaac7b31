//===- ScheduleExpansion.cpp - Loops in the order of a schedule -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unlike scf::pipelineForLoop this takes schedules in which what goes round the loop is used before it is made in the
// order of the new body, keeps operations without predicates when the trip count is not known, and leaves loops with
// few iterations alone.
//
// Step k of the new loop runs the operations of stage s for iteration k - s. A value of step k is named by the value of
// the old loop and by its iteration relative to k: what an operation of stage s makes is (result, -s). A value of an
// earlier step goes round the new loop.
//
//===----------------------------------------------------------------------===//

#include "ScheduleExpansion.h"
#include "UsedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// Of a value of the old loop, in an iteration counted from the step at hand or, before the new loop, from the first.
using Instance = std::pair<Value, int64_t>;

/// The stages of a loop, and where its values come from.
class StagedLoop {
public:
  StagedLoop(scf::ForOp loop, ArrayRef<StagedOperation> order) : loop(loop), order(order) {
    for (auto [position, staged] : llvm::enumerate(order)) {
      positions[staged.op] = position;
      stages[staged.op] = staged.stage;
      numStages = std::max<int64_t>(numStages, staged.stage + 1);
    }
  }

  bool isScheduled(Operation *op) const { return positions.contains(op); }
  unsigned getPosition(Operation *op) const { return positions.lookup(op); }

  BlockArgument asIterArg(Value value) const {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() ? argument
                                                                                                   : BlockArgument();
  }
  Value getYielded(BlockArgument iterArg) const { return loop.getTiedLoopYieldedValue(iterArg)->get(); }
  Value getInit(BlockArgument iterArg) const { return loop.getTiedLoopInit(iterArg)->get(); }

  Operation *getScheduledDef(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == loop.getBody() ? op : nullptr;
  }

  /// Where the value of that iteration was made: the iteration before has what came round the loop, as long as it is
  /// still one of a stage.
  Instance getOrigin(Instance instance) const {
    auto [value, iteration] = instance;
    for (BlockArgument argument = asIterArg(value); argument && iteration > 1 - numStages; argument = asIterArg(value))
      std::tie(value, iteration) = Instance{getYielded(argument), iteration - 1};
    return {value, iteration};
  }

  /// An origin that an earlier step has made.
  bool isCarried(Instance origin) const {
    if (asIterArg(origin.first))
      return true;
    Operation *op = getScheduledDef(origin.first);
    return op && origin.second < -stages.lookup(op);
  }

  /// What a carried value of the next step is in this one.
  Instance getNext(Instance carried) const {
    if (BlockArgument argument = asIterArg(carried.first))
      return getOrigin({getYielded(argument), carried.second});
    return getOrigin({carried.first, carried.second + 1});
  }

  mutable scf::ForOp loop; ///< whose accessors are not const
  ArrayRef<StagedOperation> order;
  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseMap<Operation *, int64_t> stages;
  int64_t numStages = 1;
};

class Expander {
public:
  Expander(RewriterBase &rewriter, const StagedLoop &staged)
      : rewriter(rewriter), staged(staged), loop(staged.loop), location(loop.getLoc()) {}

  scf::ForOp run() {
    collectCarried();
    rewriter.setInsertionPoint(loop);
    scf::IfOp guard = emitGuard();
    if (guard)
      rewriter.setInsertionPointToStart(guard.thenBlock());
    emitPrologue();
    scf::ForOp kernel = emitKernel();
    rewriter.setInsertionPointAfter(kernel);
    SmallVector<Value> results = emitEpilogue(kernel);
    if (!guard) {
      rewriter.replaceOp(loop, results);
      return kernel;
    }
    scf::YieldOp::create(rewriter, location, results);
    rewriter.replaceAllUsesWith(loop.getResults(), guard.getResults());
    rewriter.setInsertionPointToEnd(guard.elseBlock());
    if (staged.numStages > 2) {
      rewriter.moveOpBefore(loop, guard.elseBlock(), guard.elseBlock()->end());
      scf::YieldOp::create(rewriter, location, loop.getResults());
    } else {
      scf::YieldOp::create(rewriter, location, loop.getInitArgs());
      rewriter.eraseOp(loop);
    }
    return kernel;
  }

private:
  //===--------------------------------------------------------------------===//
  // Values that go round the new loop
  //===--------------------------------------------------------------------===//

  void carry(Instance origin) {
    while (staged.isCarried(origin) && carried.insert({origin, carried.size()}).second)
      origin = staged.getNext(origin);
  }

  void collectCarried() {
    for (const StagedOperation &operation : staged.order)
      for (Value value : getUsedValues(operation.op))
        for (int64_t drained = 0; drained < std::max<int64_t>(operation.stage, 1); ++drained)
          carry(staged.getOrigin({value, drained - operation.stage}));
    for (Value value : loop.getYieldedValues())
      carry(staged.getOrigin({value, -1}));
  }

  //===--------------------------------------------------------------------===//
  // Bounds
  //===--------------------------------------------------------------------===//

  Value emitSteps(Value start, int64_t count) {
    if (count == 0)
      return start;
    Type type = start.getType();
    Value number = arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(type, count));
    Value distance = rewriter.createOrFold<arith::MulIOp>(location, loop.getStep(), number);
    return rewriter.createOrFold<arith::AddIOp>(location, start, distance);
  }

  /// A branch that is taken if all that is written out has an iteration; null if that is known.
  scf::IfOp emitGuard() {
    if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && trips->uge(staged.numStages - 1))
      return nullptr;
    const auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
    Value last = emitSteps(loop.getLowerBound(), staged.numStages - 2);
    Value fills = arith::CmpIOp::create(rewriter, location, predicate, last, loop.getUpperBound());
    return scf::IfOp::create(rewriter, location, loop.getResultTypes(), fills, /*addThenBlock=*/true,
                             /*addElseBlock=*/true);
  }

  //===--------------------------------------------------------------------===//
  // Copies of operations
  //===--------------------------------------------------------------------===//

  /// `lookup` finds the new value of one that `op` uses.
  Operation *emit(Operation *op, llvm::function_ref<Value(Value)> lookup) {
    IRMapping mapping;
    for (Value value : getUsedValues(op))
      mapping.map(value, lookup(value));
    return rewriter.clone(*op, mapping);
  }

  void emitAt(Operation *op, int64_t iteration, llvm::function_ref<Value(Value)> lookup,
              llvm::DenseMap<Instance, Value> &values) {
    Operation *copy = emit(op, lookup);
    for (auto [old, result] : llvm::zip_equal(op->getResults(), copy->getResults()))
      values[{old, iteration}] = result;
  }

  Value lookUpFirst(Value value, int64_t iteration) {
    if (value == loop.getInductionVar())
      return emitSteps(loop.getLowerBound(), iteration);
    if (BlockArgument argument = staged.asIterArg(value))
      return iteration == 0 ? staged.getInit(argument) : lookUpFirst(staged.getYielded(argument), iteration - 1);
    return staged.getScheduledDef(value) ? first.at({value, iteration}) : value;
  }

  void emitPrologue() {
    for (int64_t step = 0; step + 1 < staged.numStages; ++step)
      for (auto [op, stage] : staged.order)
        if (const int64_t iteration = step - stage; iteration >= 0)
          emitAt(
              op, iteration, [&](Value value) { return lookUpFirst(value, iteration); }, first);
  }

  scf::ForOp emitKernel() {
    SmallVector<Value> inits;
    for (auto &[origin, index] : carried)
      inits.push_back(lookUpFirst(origin.first, staged.numStages - 1 + origin.second));
    // Where the new loop ends is the last argument: the epilogue goes on from there.
    inits.push_back(loop.getLowerBound());
    Value end = emitSteps(loop.getUpperBound(), 1 - staged.numStages);
    auto kernel = scf::ForOp::create(rewriter, location, loop.getLowerBound(), end, loop.getStep(), inits,
                                     /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
    kernel->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard insertion(rewriter);
    rewriter.setInsertionPointToStart(kernel.getBody());
    auto lookUp = [&](Value value, int64_t iteration) {
      return lookUpAt(staged.getOrigin({value, iteration}), kernel.getInductionVar(), kernel.getRegionIterArgs(),
                      steady);
    };
    for (auto [op, stage] : staged.order)
      emitAt(
          op, -int64_t(stage), [&, stage = stage](Value value) { return lookUp(value, -int64_t(stage)); }, steady);
    SmallVector<Value> yielded;
    for (auto &[origin, index] : carried) {
      Instance next = staged.getNext(origin);
      yielded.push_back(lookUp(next.first, next.second));
    }
    yielded.push_back(emitSteps(kernel.getInductionVar(), 1));
    scf::YieldOp::create(rewriter, location, yielded);
    return kernel;
  }

  /// `counter`: the induction variable of the last stage. `around`: the values that go round, where they are at hand.
  /// `made`: what has been made since.
  Value lookUpAt(Instance origin, Value counter, ValueRange around, llvm::DenseMap<Instance, Value> &made) {
    if (origin.first == loop.getInductionVar())
      return emitSteps(counter, staged.numStages - 1 + origin.second);
    if (auto it = carried.find(origin); it != carried.end())
      return around[it->second];
    return staged.getScheduledDef(origin.first) ? made.at(origin) : origin.first;
  }

  SmallVector<Value> emitEpilogue(scf::ForOp kernel) {
    llvm::DenseMap<Instance, Value> last;
    auto lookUp = [&](Value value, int64_t iteration) {
      return lookUpAt(staged.getOrigin({value, iteration}), kernel.getResults().back(), kernel.getResults(), last);
    };
    for (int64_t step = 0; step + 1 < staged.numStages; ++step)
      for (auto [op, stage] : staged.order)
        if (const int64_t iteration = step - stage; iteration < 0)
          emitAt(
              op, iteration, [&](Value value) { return lookUp(value, iteration); }, last);
    return llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) { return lookUp(value, -1); });
  }

  RewriterBase &rewriter;
  const StagedLoop &staged;
  scf::ForOp loop;
  Location location;
  llvm::MapVector<Instance, unsigned> carried;   ///< to their number among the arguments of the new loop
  llvm::DenseMap<Instance, Value> first, steady; ///< what was made before the new loop, and in it
};

} // namespace

std::string checkExpansion(scf::ForOp loop, ArrayRef<StagedOperation> order) {
  const StagedLoop staged(loop, order);
  for (Operation &op : loop.getBody()->without_terminator())
    if (!staged.isScheduled(&op))
      return ("'" + op.getName().getStringRef() + "' has no place in its schedule").str();
  for (auto [op, stage] : order)
    for (Value value : getUsedValues(op)) {
      const auto [origin, iteration] = staged.getOrigin({value, -int64_t(stage)});
      Operation *definition = staged.getScheduledDef(origin);
      if (!definition || iteration < -staged.stages.lookup(definition))
        continue;
      if (iteration > -staged.stages.lookup(definition) || staged.getPosition(definition) >= staged.getPosition(op))
        return ("its schedule has '" + op->getName().getStringRef() + "' before '" +
                definition->getName().getStringRef() + "', which it needs")
            .str();
    }
  if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && trips->ult(staged.numStages - 1))
    return "it has fewer iterations than its schedule has stages";
  return "";
}

scf::ForOp expandSchedule(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<StagedOperation> order) {
  OpBuilder::InsertionGuard insertion(rewriter);
  const StagedLoop staged(loop, order);
  if (staged.numStages > 1)
    return Expander(rewriter, staged).run();
  for (auto [op, stage] : order)
    rewriter.moveOpBefore(op, loop.getBody()->getTerminator());
  return loop;
}

} // namespace tileiras::async
