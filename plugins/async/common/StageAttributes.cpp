//===- StageAttributes.cpp - Schedules on operations ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageAttributes.h"
#include "HandOff.h"
#include "UsedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// A schedule whose cycles are counted from another one on.
class CutSchedule {
public:
  CutSchedule(const LoopSchedule &schedule, const AtomCatalogue *atoms) : schedule(schedule), atoms(atoms) {
    for (auto [index, operation] : llvm::enumerate(schedule.problem.operations))
      indices[operation.op] = index;
    for (const ScheduleOperation &operation : schedule.problem.operations)
      if (as::AsyncFutureWaitOp wait = findEarlyWait(operation.op))
        earlyWaits[operation.op] = wait;
  }

  /// Finds a cut such that every product is waited for in the step that starts it; of those in tensor memory, if they
  /// can be.
  bool findCut() { return findCut(/*exceptInTensorMemory=*/false) || findCut(/*exceptInTensorMemory=*/true); }

  /// What makes numbers, and what makes more registers of fewer for nothing, has no place of its own: it stands where
  /// it is needed first.
  bool isPlaced(Operation *op) const {
    auto isTile = llvm::IsaPred<RankedTensorType>;
    return !isMemoryEffectFree(op) ||
           (llvm::any_of(op->getResultTypes(), isTile) &&
            (isa<as::ConvertLayoutOp>(op) || !schedule.problem.operations[indices.lookup(op)].uses.empty()));
  }

  /// The stage is not counted from 0.
  std::pair<int64_t, uint32_t> getPlace(Operation *op) const {
    // A stage is waited for where it is read, and filled again behind.
    if (auto wait = dyn_cast<as::ConsumerWaitOp>(op))
      op = *wait.getToken().user_begin();
    if (as::AsyncFutureWaitOp wait = findLastReader(op))
      op = wait;
    // No step hands memory on to the next one in which nothing lies yet.
    if (Operation *user = findFirstUser(op))
      return getPlace(user);
    if (as::AsyncFutureWaitOp wait = getEarlyWait(op)) {
      const auto [stage, cycle] = getPlace(wait);
      return {stage - 1, cycle};
    }
    if (Operation *product = findPromotedProduct(op)) {
      const auto [stage, cycle] = getPlace(product);
      return {stage + 1, cycle};
    }
    const uint64_t start = uint64_t(getStart(op)) + getInterval() - cut;
    return {int64_t(start / getInterval()), uint32_t(start % getInterval())};
  }

  int64_t getStage(Operation *op) const { return getPlace(op).first; }

  /// The addition of a part to a sum, until the next product is under way.
  bool isPutOff(Operation *op) const { return findPromotedProduct(op) != nullptr; }

  /// The wait, of the iteration before, right behind which `op` starts its product (findEarlyWait).
  as::AsyncFutureWaitOp getEarlyWait(Operation *op) const { return earlyWaits.lookup(op); }

  /// Sums there may be on their way from one step to the next.
  bool waitsForTensorMemory(Operation *op) const {
    auto read = cast<as::AsyncFutureWaitOp>(op).getToken().getDefiningOp<as::ConsumerReadOp>();
    return read && startsInTensorMemory(read);
  }

  uint32_t getInterval() const { return schedule.schedule.initiationInterval; }

private:
  bool findCut(bool exceptInTensorMemory) {
    SmallVector<uint32_t> cuts = {0};
    for (uint32_t start : schedule.schedule.starts)
      cuts.push_back(start % getInterval());
    llvm::sort(cuts);
    std::optional<std::pair<int64_t, uint32_t>> best;
    for (uint32_t candidate : cuts) {
      cut = candidate;
      if (!llvm::all_of(schedule.problem.operations, [&](const ScheduleOperation &operation) {
            return isWaitedForInStep(operation.op) || (exceptInTensorMemory && waitsForTensorMemory(operation.op));
          }))
        continue;
      const std::pair<int64_t, uint32_t> found = {countStepsAhead(), candidate};
      best = std::min(best.value_or(found), found);
    }
    if (best)
      cut = best->second;
    return best.has_value();
  }

  /// Between the first product of an iteration and its last one, of those whose sums are in registers.
  int64_t countStepsAhead() const {
    int64_t first = INT64_MAX, last = 0;
    for (const ScheduleOperation &operation : schedule.problem.operations)
      if (isa<as::AsyncFutureWaitOp>(operation.op) && !waitsForTensorMemory(operation.op)) {
        first = std::min(first, getStage(operation.op));
        last = std::max(last, getStage(operation.op));
      }
    return std::max<int64_t>(last - first, 0);
  }

  /// A product that needs nothing of the iteration but a stage starts as soon as the sum of the one before has been
  /// taken out of tensor memory: it takes no registers there. This is what waits for it; null for other operations.
  as::AsyncFutureWaitOp findEarlyWait(Operation *op) const {
    auto read = dyn_cast<as::ConsumerReadOp>(op);
    if (!read || !startsInTensorMemory(read))
      return {};
    auto isOutside = [&](Value value) { return cast<scf::ForOp>(read->getParentOp()).isDefinedOutsideOfLoop(value); };
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(read.getBody(), used);
    as::AsyncFutureWaitOp wait;
    for (Operation *user : read->getUsers())
      if (auto other = dyn_cast<as::AsyncFutureWaitOp>(user); other && other->getBlock() == read->getBlock())
        wait = other;
    const bool isAlone = wait && wait.getValues().size() == 1 && llvm::all_of(used, isOutside);
    return isAlone && comesBehind(read, wait) &&
                   !as::FutureAccumulators(atoms).isInTensorMemory(wait.getResults().front())
               ? wait
               : as::AsyncFutureWaitOp();
  }

  /// What waits for the product, with sums in registers, whose stage `op` gives back as soon as that is over; null for
  /// other operations.
  as::AsyncFutureWaitOp findLastReader(Operation *op) const {
    auto release = dyn_cast<as::ConsumerReleaseOp>(op);
    auto read = release ? release.getToken().getDefiningOp<as::ConsumerReadOp>() : as::ConsumerReadOp();
    if (!read || startsInTensorMemory(read))
      return {};
    as::AsyncFutureWaitOp found;
    for (Operation *user : read->getUsers())
      if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(user);
          wait && wait != found && wait->getBlock() == op->getBlock()) {
        if (found)
          return {};
        found = wait;
      }
    return found;
  }

  /// Of the memory that `op` takes in the loop; null for other operations.
  Operation *findFirstUser(Operation *op) const {
    if (!isa<as::AllocTensorOp>(op))
      return nullptr;
    Operation *first = nullptr;
    for (Operation *user : op->getUsers())
      if (Operation *inBody = op->getBlock()->findAncestorOpInBlock(*user);
          isPlaced(inBody) && (!first || getPlace(inBody) < getPlace(first)))
        first = inBody;
    return first;
  }

  /// The schedule has been asked for that (addOperandDependences).
  bool comesBehind(Operation *op, Operation *ofIterationBefore) const {
    return llvm::any_of(schedule.problem.dependences, [&](const ScheduleDependence &edge) {
      return edge.distance == 1 && schedule.problem.operations[edge.source].op == ofIterationBefore &&
             schedule.problem.operations[edge.target].op == op;
    });
  }

  /// What starts the product whose part `op` adds to a sum that nobody else needs in the loop: the addition can be put
  /// off until the next product is under way. Null for other operations.
  static Operation *findPromotedProduct(Operation *op) {
    if (!isa<arith::AddFOp>(op) || !op->hasOneUse() || !isa<scf::YieldOp>(*op->user_begin()))
      return nullptr;
    auto sum = dyn_cast<BlockArgument>(op->getOperand(0));
    auto wait = op->getOperand(1).getDefiningOp<as::AsyncFutureWaitOp>();
    const bool isSum = sum && wait && sum.hasOneUse() &&
                       cast<scf::ForOp>(op->getParentOp()).getTiedLoopYieldedValue(sum) == &*op->use_begin();
    return isSum ? wait.getToken().getDefiningOp<as::ConsumerReadOp>() : nullptr;
  }

  /// Reductions start as early as what they need allows, so that a whole tile is not kept for them.
  uint32_t getStart(Operation *op) const {
    const unsigned index = indices.lookup(op);
    if (!isa<as::ReduceOp>(op))
      return schedule.schedule.starts[index];
    int64_t earliest = 0;
    for (const ScheduleDependence &edge : schedule.problem.dependences)
      if (edge.target == index)
        earliest = std::max(earliest, int64_t(schedule.schedule.starts[edge.source]) + edge.latency -
                                          int64_t(edge.distance) * getInterval());
    return uint32_t(earliest);
  }

  bool isWaitedForInStep(Operation *op) const {
    auto wait = dyn_cast<as::AsyncFutureWaitOp>(op);
    Operation *product = wait ? wait.getToken().getDefiningOp() : nullptr;
    return !product || product->getBlock() != wait->getBlock() || getStage(product) == getStage(wait);
  }

  bool startsInTensorMemory(as::ConsumerReadOp read) const {
    return !read.getBody()
                .walk([&](as::AsyncDotOp product) {
                  return WalkResult(success(as::sumsInTensorMemory(atoms, product.getAtom())));
                })
                .wasInterrupted();
  }

  const LoopSchedule &schedule;
  const AtomCatalogue *atoms;
  llvm::DenseMap<Operation *, unsigned> indices;
  llvm::DenseMap<Operation *, as::AsyncFutureWaitOp> earlyWaits;
  uint32_t cut = 0;
};

/// Operations with the cycles of a step in which they start, and their stages.
struct Places {
  llvm::DenseMap<Operation *, int64_t> stages;
  SmallVector<std::pair<uint32_t, Operation *>> starts;

  int64_t getFirstStage() const { return *llvm::min_element(llvm::make_second_range(stages)); }
  int64_t getLastStage() const { return *llvm::max_element(llvm::make_second_range(stages)); }
};

/// A product whose sums and whose operand A, which the loop makes, are in registers.
bool multipliesInRegisters(scf::ForOp loop, const AtomCatalogue *atoms) {
  return loop
      .walk([&](as::AsyncDotOp product) {
        const bool isSuch = !as::isMemoryTensor(product.getA().getType()) &&
                            !loop.isDefinedOutsideOfLoop(product.getA()) &&
                            !as::sumsInTensorMemory(atoms, product.getAtom());
        return WalkResult(failure(isSuch));
      })
      .wasInterrupted();
}

/// What operations with a place need, and of how many iterations before. What has none is looked through.
class Sources {
public:
  using Source = std::pair<Operation *, int64_t>;

  /// Places may change afterwards, but not who has one.
  Sources(const ScheduleProblem &problem, const llvm::DenseMap<Operation *, int64_t> &stages, const CutSchedule &cut)
      : stages(stages), cut(cut) {
    for (const ScheduleDependence &edge : problem.dependences)
      needed[problem.operations[edge.target].op].emplace_back(problem.operations[edge.source].op, edge.distance);
    for (Operation *target : llvm::make_first_range(stages)) {
      llvm::SmallDenseSet<Source> seen;
      collect(placed[target], target, /*distance=*/0, seen);
    }
  }

  ArrayRef<Source> get(Operation *op) const {
    auto found = placed.find(op);
    return found == placed.end() ? ArrayRef<Source>() : ArrayRef<Source>(found->second);
  }

private:
  void collect(SmallVector<Source> &result, Operation *op, int64_t distance, llvm::SmallDenseSet<Source> &seen) {
    constexpr int64_t mostIterations = 8;
    for (auto [source, further] : needed.lookup(op)) {
      const int64_t all = distance + further;
      if (further > 1 && cut.getEarlyWait(op))
        continue; // Something is always under way then.
      if (all > mostIterations || !seen.insert({source, all}).second)
        continue;
      if (stages.contains(source))
        result.emplace_back(source, all);
      else
        collect(result, source, all, seen);
    }
  }

  const llvm::DenseMap<Operation *, int64_t> &stages;
  const CutSchedule &cut;
  llvm::DenseMap<Operation *, SmallVector<Source>> needed, placed;
};

/// Operations that need nothing of the loop but its counter: masks, say.
using FreeOperations = llvm::SmallPtrSet<Operation *, 16>;

FreeOperations findFreeOperations(const ScheduleProblem &problem, const Sources &sources, const Places &places) {
  FreeOperations found;
  for (const ScheduleOperation &operation : problem.operations)
    if (places.stages.contains(operation.op) && isMemoryEffectFree(operation.op) &&
        llvm::all_of(sources.get(operation.op), [&](Sources::Source source) { return found.contains(source.first); }))
      found.insert(operation.op);
  return found;
}

/// What an iteration computes in a step from what steps before have made it computes at the end of the step before: the
/// exponentials that become an operand, say, take no registers then beside the sums of the next product.
void finishEarly(const CutSchedule &cut, const Sources &sources, const FreeOperations &free, Places &places) {
  const int64_t first = places.getFirstStage();
  auto canMove = [&](Operation *op) {
    return places.stages.lookup(op) > first && isMemoryEffectFree(op) && !cut.isPutOff(op) && !free.contains(op) &&
           llvm::all_of(sources.get(op), [&](Sources::Source source) {
             return places.stages.lookup(source.first) < places.stages.lookup(op) + source.second;
           });
  };
  for (bool hasMoved = true; std::exchange(hasMoved, false);)
    for (auto &[cycle, op] : places.starts)
      if (canMove(op)) {
        --places.stages[op];
        cycle += cut.getInterval();
        hasMoved = true;
      }
}

/// Free operations start in the step that uses them first: their values would only take registers until then.
void startLate(const ScheduleProblem &problem, const Sources &sources, const FreeOperations &free, Places &places) {
  llvm::DenseMap<Operation *, int64_t> firstUses;
  auto noteUses = [&](Operation *user) {
    for (auto [source, distance] : sources.get(user)) {
      int64_t &first = firstUses.try_emplace(source, INT64_MAX).first->second;
      first = std::min(first, places.stages.lookup(user) + distance);
    }
  };
  for (Operation *user : llvm::make_first_range(places.stages))
    if (!free.contains(user))
      noteUses(user);
  for (const ScheduleOperation &operation : llvm::reverse(problem.operations))
    if (Operation *op = operation.op; free.contains(op)) {
      if (auto use = firstUses.find(op); use != firstUses.end())
        places.stages[op] = std::max(places.stages[op], use->second);
      noteUses(op);
    }
}

/// The operation of the loop's body that reads what `produce` brings.
Operation *findReader(as::ProduceOneOp produce) {
  for (Operation *user : produce.getPipeline().getUsers())
    if (isa<as::ConsumerWaitOp, as::ConsumeOneOp>(user) && user->getBlock() == produce->getBlock())
      return user;
  return nullptr;
}

/// Accumulators of rows, and what is computed from them.
bool makesFewRegisters(Operation *op, int64_t few) {
  return isMemoryEffectFree(op) && llvm::all_of(op->getResultTypes(), [&](Type type) {
           auto tile = dyn_cast<RankedTensorType>(type);
           return tile && as::isDistributedTensor(tile) && as::getNumRegisters(tile) <= few;
         });
}

/// Operations by the cycle in which they start; those that start in the same one as the dependences of the step ask.
class StepOrder {
public:
  StepOrder(const Sources &sources, const llvm::DenseMap<Operation *, int64_t> &stages) {
    for (auto [target, stage] : stages)
      for (auto [source, distance] : sources.get(target))
        if (stage + distance == stages.lookup(source))
          before[target].push_back(source);
  }

  void place(Operation *op) {
    if (!placed.insert(op).second)
      return;
    for (Operation *source : before[op])
      place(source);
    order.push_back(op);
  }

  /// Operations of which it is known whether something in front of them waits for a product.
  using Readiness = llvm::SmallDenseMap<Operation *, bool>;

  bool isReady(Operation *op, Readiness &known) const {
    if (placed.contains(op))
      return true;
    if (auto found = known.find(op); found != known.end())
      return found->second;
    auto sources = before.find(op);
    const bool isSuch = !isa<as::AsyncFutureWaitOp>(op) &&
                        (sources == before.end() ||
                         llvm::all_of(sources->second, [&](Operation *source) { return isReady(source, known); }));
    known[op] = isSuch;
    return isSuch;
  }

  SmallVector<Operation *> order;

private:
  llvm::DenseMap<Operation *, SmallVector<Operation *>> before;
  llvm::SmallPtrSet<Operation *, 32> placed;
};

} // namespace

std::string writeStages(scf::ForOp loop, const LoopSchedule &schedule, const ChipTarget &chip) {
  const AtomCatalogue *atoms = chip ? &chip.atoms() : nullptr;
  // What fills the only stage does not run ahead: it stands in front of what reads it.
  for (auto produce : loop.getBody()->getOps<as::ProduceOneOp>())
    if (produce.getPipeline().getType().getStages() == 1)
      return "there is room for one stage of a pipeline only";
  CutSchedule cut(schedule, atoms);
  if (!cut.findCut())
    return "its schedule has MMAs in flight at all times";
  Places places;
  auto &[stages, starts] = places;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!cut.isPlaced(&op) || isa<as::ProduceOneOp>(op))
      continue;
    const auto [stage, cycle] = cut.getPlace(&op);
    stages[&op] = stage;
    starts.emplace_back(cycle, &op);
  }
  if (starts.empty())
    return "";
  const Sources sources(schedule.problem, stages, cut);
  const FreeOperations free = findFreeOperations(schedule.problem, sources, places);
  startLate(schedule.problem, sources, free, places);
  if (multipliesInRegisters(loop, atoms))
    finishEarly(cut, sources, free, places);
  const int64_t first = places.getFirstStage();
  if (first == places.getLastStage())
    return "";
  llvm::stable_sort(starts, llvm::less_first());
  StepOrder step(sources, stages);
  auto place = [&](Operation *op) {
    step.place(op);
    if (auto read = dyn_cast<as::ConsumerReadOp>(op))
      for (Operation *user : read.getIterator().getUsers())
        if (isa<as::IncIterOp>(user) && user->getBlock() == loop.getBody()) {
          stages[user] = stages.lookup(read);
          step.place(user);
        }
  };
  for (auto [cycle, op] : starts) {
    // Threads that wait do nothing else: what iterations before have left to do comes first, products of theirs, too,
    // and what leaves them fewer registers to keep.
    if (isa<as::AsyncFutureWaitOp>(op) && !cut.waitsForTensorMemory(op)) {
      StepOrder::Readiness known;
      for (auto [otherCycle, other] : starts)
        if ((stages.lookup(other) > stages.lookup(op) || makesFewRegisters(other, chip.tuning().registersOfRows)) &&
            step.isReady(other, known))
          place(other);
    }
    place(op);
  }
  for (auto produce : loop.getBody()->getOps<as::ProduceOneOp>())
    if (Operation *reader = findReader(produce)) {
      stages[produce] = stages.lookup(reader);
      step.order.push_back(produce);
    }
  Builder builder(loop.getContext());
  for (auto [order, op] : llvm::enumerate(step.order)) {
    op->setAttr(kScheduleStage, builder.getI32IntegerAttr(stages.lookup(op) - first));
    op->setAttr(kScheduleOrder, builder.getI32IntegerAttr(order));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Back again
//===----------------------------------------------------------------------===//

/// As many as pipelines may have (PipelineType).
static constexpr int64_t kMostStages = 1024;

/// A number of 32 bits; others are nobody's that writes schedules.
static std::optional<int64_t> getWrittenNumber(Operation *op, StringRef name) {
  auto number = op->getAttrOfType<IntegerAttr>(name);
  return number && number.getType().isInteger(32) ? std::optional(number.getInt()) : std::nullopt;
}

static bool isPossibleStage(int64_t stage) {
  return stage >= 0 && stage < kMostStages;
}

std::optional<unsigned> getWrittenStage(Operation *op) {
  std::optional<int64_t> stage = getWrittenNumber(op, kScheduleStage);
  return stage && isPossibleStage(*stage) ? std::optional(unsigned(*stage)) : std::nullopt;
}

std::string checkWrittenStages(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (std::optional<int64_t> stage = getWrittenNumber(&op, kScheduleStage); stage && !isPossibleStage(*stage))
      return llvm::formatv("'{0}' is in stage {1} by '{2}', which goes from 0 to {3}", op.getName(), *stage,
                           kScheduleStage, kMostStages - 1);
  return "";
}

namespace {

class WrittenOrder {
public:
  WrittenOrder(scf::ForOp loop, ArrayRef<StagedOperation> known) : loop(loop), written(known) {
    for (auto [op, stage] : written) {
      isWritten.insert(op);
      stages[op] = stage;
    }
  }

  SmallVector<StagedOperation> run() {
    if (written.empty())
      return {};
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isWritten.contains(&op))
        stages[&op] = getEarliestStage(&op);
    // Each round knows the uses of one iteration more.
    for (unsigned round = 0; round <= loop.getNumRegionIterArgs() && moveToUses(); ++round)
      ;
    for (auto [op, stage] : written)
      place(op);
    for (Operation &op : loop.getBody()->without_terminator())
      place(&op);
    return std::move(order);
  }

private:
  /// What makes `value`, and of how many iterations before; null: nothing in the loop.
  std::pair<Operation *, unsigned> getDefinition(Value value) {
    unsigned iterations = 0;
    for (auto argument = dyn_cast<BlockArgument>(value);
         argument && argument.getOwner() == loop.getBody() && argument != loop.getInductionVar() &&
         iterations <= loop.getNumRegionIterArgs();
         argument = dyn_cast<BlockArgument>(value), ++iterations)
      value = loop.getTiedLoopYieldedValue(argument)->get();
    Operation *op = value.getDefiningOp();
    return {op && op->getBlock() == loop.getBody() ? op : nullptr, iterations};
  }

  unsigned getEarliestStage(Operation *op) {
    unsigned stage = 0;
    for (Value value : getUsedValues(op))
      if (auto [definition, iterations] = getDefinition(value); definition)
        stage = std::max(stage, std::max(stages.lookup(definition), iterations) - iterations);
    return stage;
  }

  /// As late as the first use, which may be of an iteration that comes later. Returns whether something has moved.
  bool moveToUses() {
    firstUses.clear();
    for (auto [op, stage] : written)
      noteUses(op);
    bool hasMoved = false;
    for (Operation &op : llvm::reverse(loop.getBody()->without_terminator())) {
      if (isWritten.contains(&op))
        continue;
      const unsigned stage = std::max(getEarliestStage(&op), getFirstUse(&op));
      hasMoved |= std::exchange(stages[&op], stage) != stage;
      noteUses(&op);
    }
    return hasMoved;
  }

  /// By operations that have their stages; 0 where only later iterations use it. Those do not find it late.
  unsigned getFirstUse(Operation *op) {
    auto it = firstUses.find(op);
    return it == firstUses.end() || it->second.first == UINT_MAX ? 0 : std::min(it->second.first, it->second.second);
  }

  void noteUses(Operation *user) {
    for (Value value : getUsedValues(user))
      if (auto [definition, iterations] = getDefinition(value); definition) {
        auto &[here, later] = firstUses.try_emplace(definition, UINT_MAX, UINT_MAX).first->second;
        unsigned &first = iterations == 0 ? here : later;
        first = std::min(first, stages.lookup(user) + iterations);
      }
  }

  /// Behind what it needs of its step.
  void place(Operation *op) {
    if (!placed.insert(op).second)
      return;
    for (Value value : getUsedValues(op))
      if (auto [definition, iterations] = getDefinition(value);
          definition && stages.lookup(definition) == stages.lookup(op) + iterations && !isWritten.contains(definition))
        place(definition);
    order.push_back({op, stages.lookup(op)});
  }

  scf::ForOp loop;
  ArrayRef<StagedOperation> written;
  llvm::SmallPtrSet<Operation *, 32> isWritten, placed;
  llvm::DenseMap<Operation *, unsigned> stages;
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> firstUses; ///< of the iteration, and of later ones
  SmallVector<StagedOperation> order;
};

} // namespace

SmallVector<StagedOperation> takeStages(scf::ForOp loop) {
  SmallVector<std::pair<int64_t, StagedOperation>> written;
  for (Operation &op : loop.getBody()->without_terminator()) {
    const std::optional<unsigned> stage = getWrittenStage(&op);
    if (std::optional<int64_t> order = getWrittenNumber(&op, kScheduleOrder); stage && order)
      written.push_back({*order, {&op, *stage}});
    op.removeAttr(kScheduleStage);
    op.removeAttr(kScheduleOrder);
  }
  llvm::stable_sort(written, llvm::less_first());
  return completeStages(loop, llvm::to_vector(llvm::make_second_range(written)));
}

SmallVector<StagedOperation> completeStages(scf::ForOp loop, ArrayRef<StagedOperation> known) {
  return WrittenOrder(loop, known).run();
}

} // namespace tileiras::async
