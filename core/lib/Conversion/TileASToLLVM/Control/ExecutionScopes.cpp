//===- ExecutionScopes.cpp - Regions that run at the same time become branches -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionScopes.h"
#include "Conversion/TileASToLLVM/Pipelines/ExclusiveSections.h"
#include "RegisterEstimate.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Lowering/Emitter.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

bool isScopeStructure(Operation *op) {
  const bool isEnd = op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0;
  auto scopes = dyn_cast_or_null<as::ExecutionScopeOpInterface>(isEnd ? op->getParentOp() : op);
  return scopes && scopes.hasWarps();
}

/// `values` as those of `types`: the casts cancel those of the conversion.
static SmallVector<Value> castTo(OpBuilder &builder, Location location, ValueRange values, TypeRange types) {
  SmallVector<Value> casts;
  for (auto [value, type] : llvm::zip_equal(values, types))
    casts.push_back(UnrealizedConversionCastOp::create(builder, location, type, value).getResult(0));
  return casts;
}

/// Ends of a region go on at `after`, with what they give.
static void redirectEnds(Region &region, Block *after) {
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    if (end->getNumSuccessors() != 0)
      continue;
    OpBuilder builder(end);
    SmallVector<Value> values = castTo(builder, end->getLoc(), end->getOperands(), after->getArgumentTypes());
    LLVM::BrOp::create(builder, end->getLoc(), values, after);
    end->erase();
  }
}

/// Goes to `target` in warps `first` to `first` + `count` - 1, else to a new block before `after`, which it returns.
static Block *emitBranch(Emitter &emit, Value warp, int64_t first, int64_t count, Block *target, Block *after) {
  Block *next = new Block;
  after->getParent()->getBlocks().insert(after->getIterator(), next);
  // One comparison: warps before the first one wrap around.
  Value warps = emit.i32(count);
  Value runs = emit.icmp(LLVM::ICmpPredicate::ult, emit.sub(warp, emit.i32(first)), warps);
  LLVM::CondBrOp::create(emit.builder, emit.location, runs, target, next);
  return next;
}

namespace {
/// The warpgroups of a region, which change their registers together.
struct Warpgroups {
  int64_t first, end; ///< warps

  Warpgroups(as::ExecutionScopeOpInterface op, unsigned region, int64_t group)
      : first(llvm::alignDown(op.getFirstWarp(region), group)),
        end(llvm::alignTo(op.getFirstWarp(region) + op.getNumWarps(region), group)) {}
  bool operator==(const Warpgroups &other) const { return first == other.first && end == other.end; }
};
} // namespace

/// The block where the warpgroups that run `regions` change their registers, and go on to one of these or, with
/// `unchanged`, to `after`.
static Block *emitRegisterChange(Emitter &emit, as::ExecutionScopeOpInterface op, ArrayRef<unsigned> regions,
                                 ArrayRef<Block *> entries, Value warp, int64_t atLaunch, Block *after,
                                 ValueRange unchanged) {
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *change = new Block;
  after->getParent()->getBlocks().insert(entries[regions.front()]->getIterator(), change);
  emit.builder.setInsertionPointToStart(change);
  const int64_t registers = op.getRegisters(regions.front());
  NVVM::SetMaxRegisterOp::create(emit.builder, emit.location, registers,
                                 registers > atLaunch ? NVVM::SetMaxRegisterAction::increase
                                                      : NVVM::SetMaxRegisterAction::decrease);
  for (unsigned number : regions)
    emit.builder.setInsertionPointToEnd(
        emitBranch(emit, warp, op.getFirstWarp(number), op.getNumWarps(number), entries[number], after));
  LLVM::BrOp::create(emit.builder, emit.location, unchanged, after);
  return change;
}

/// The results of `op` become arguments of `after`, which are what its operands are where no region runs.
static SmallVector<Value> emitResults(const LoweringContext &lowering, as::ExecutionScopeOpInterface op, Block *after) {
  if (op->getNumResults() == 0)
    return {};
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(lowering.converter.convertType(type));
  after->addArguments(types, SmallVector<Location>(types.size(), op->getLoc()));
  OpBuilder builder(after, after->begin());
  op->replaceAllUsesWith(castTo(builder, op->getLoc(), after->getArguments(), op->getResultTypes()));
  builder.setInsertionPoint(op);
  return castTo(builder, op->getLoc(), op->getOperands(), types);
}

static void inlineScopes(const LoweringContext &lowering, as::ExecutionScopeOpInterface op) {
  Block *before = op->getBlock(), *after = before->splitBlock(op->getNextNode());
  OpBuilder builder(op);
  Emitter emit(builder, op);
  const SmallVector<Value> unchanged = emitResults(lowering, op, after);
  Value warp = emit.warpId();
  const int64_t atLaunch = getRegisterLimit(lowering, op->getParentOfType<LLVM::LLVMFuncOp>());
  const int64_t group = lowering.machine().warpGranularity;
  const unsigned count = op->getNumRegions();
  SmallVector<Block *> entries(count);
  auto changes = [&](unsigned number) { return op.getRegisters(number) != 0 && op.getRegisters(number) != atLaunch; };
  for (unsigned number = 0; number < count; ++number) {
    if (entries[number]) // Reached with one that has the same warpgroups.
      continue;
    const Warpgroups groups(op, number, group);
    SmallVector<unsigned> regions = {number};
    for (unsigned other = number + 1; changes(number) && other < count; ++other)
      if (changes(other) && groups == Warpgroups(op, other, group))
        regions.push_back(other);
    for (unsigned member : regions) {
      Region &region = op->getRegion(member);
      entries[member] = &region.front();
      redirectEnds(region, after);
      after->getParent()->getBlocks().splice(after->getIterator(), region.getBlocks());
    }
    Block *entry = entries[number];
    int64_t first = op.getFirstWarp(number), end = first + op.getNumWarps(number);
    if (changes(number)) {
      entry = emitRegisterChange(emit, op, regions, entries, warp, atLaunch, after, unchanged);
      first = groups.first;
      end = groups.end;
    }
    builder.setInsertionPointToEnd(emitBranch(emit, warp, first, end - first, entry, after));
  }
  LLVM::BrOp::create(builder, op->getLoc(), unchanged, after);
  op->erase();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static std::string describeBarrier(std::optional<int64_t> number, std::optional<int64_t> threads) {
  auto show = [](std::optional<int64_t> value) { return value ? std::to_string(*value) : "?"; };
  return "barrier " + show(number) + " of " + show(threads) + " threads";
}

/// Null operands stand for all threads of the CTA.
static std::string findOthers(NVVM::BarrierOp barrier, const ExecutionScope &scope) {
  if (!barrier.getBarrierId() || !barrier.getNumberOfThreads())
    return "all threads of the CTA";
  const std::optional<int64_t> number = getConstantIntValue(barrier.getBarrierId()),
                               threads = getConstantIntValue(barrier.getNumberOfThreads());
  return number == scope.barrier && threads == scope.getNumThreads() ? "" : describeBarrier(number, threads);
}

/// Right are the agent's own barrier, where all its threads wait, and barriers that no agent of `scopes` has, where
/// some of its threads meet.
static std::string findOthers(as::NamedBarrierOp barrier, as::ExecutionScopeOpInterface scopes,
                              const ExecutionScope &scope) {
  const unsigned first = barrier.getFirst(), last = barrier.getLast();
  const int64_t threads = barrier.getThreads();
  const bool isOwn = first == scope.barrier && last == first;
  const bool isTaken = first == 0 || llvm::any_of(scopes->getRegions(), [&](Region &region) {
                         const unsigned taken = scopes.getBarrier(region.getRegionNumber());
                         return first <= taken && taken <= last;
                       });
  if (isOwn ? barrier.waits() && threads == scope.getNumThreads() : !isTaken && threads <= scope.getNumThreads())
    return "";
  const std::string where = first == last ? describeBarrier(first, threads)
                                          : "barriers " + std::to_string(first) + " to " + std::to_string(last) +
                                                " of " + std::to_string(threads) + " threads";
  return barrier.waits() ? where : "by an arrival at " + where;
}

/// What `op`, in a region of `scopes`, meets at that threads of other agents may come to, or too few; empty if nothing.
static std::string findOthers(Operation *op, as::ExecutionScopeOpInterface scopes) {
  return TypeSwitch<Operation *, std::string>(op)
      .Case([&](NVVM::BarrierOp barrier) { return findOthers(barrier, getExecutionScope(op)); })
      .Case([&](as::NamedBarrierOp barrier) { return findOthers(barrier, scopes, getExecutionScope(op)); })
      .Case([](NVVM::BarrierArriveOp barrier) {
        const std::optional<int64_t> number = barrier.getBarrierId() ? getConstantIntValue(barrier.getBarrierId()) : 0;
        return "by an arrival at " + describeBarrier(number, getConstantIntValue(barrier.getNumberOfThreads()));
      })
      .Case([](NVVM::Barrier0Op) { return "all threads of the CTA"; })
      .Case<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp>(
          [](auto) { return "all threads of the cluster"; })
      .Default([](Operation *) { return ""; });
}

/// The others would never come to a barrier of all threads, nor as many as another barrier counts.
static LogicalResult verifyBarrier(Operation *op, as::ExecutionScopeOpInterface scopes) {
  const std::string others = findOthers(op, scopes);
  if (others.empty())
    return success();
  const ExecutionScope scope = getExecutionScope(op);
  return op->emitError() << "synchronises " << others << " in an agent of warps " << scope.firstWarp << " to "
                         << scope.firstWarp + scope.numWarps - 1 << ", which meet at barrier " << scope.barrier << ", "
                         << scope.getNumThreads() << " threads; move it out of the agent_switch";
}

static LogicalResult verifyScopes(const LoweringContext &lowering, as::ExecutionScopeOpInterface op) {
  const unsigned named = lowering.machine().namedBarriers;
  llvm::SmallDenseSet<unsigned> barriers;
  for (Region &region : op->getRegions()) {
    const unsigned barrier = op.getBarrier(region.getRegionNumber());
    if (barrier == 0 || barrier >= named || !barriers.insert(barrier).second)
      return op->emitOpError() << "has region " << region.getRegionNumber() << " meet at barrier " << barrier
                               << "; expects one of 1 to " << named - 1 << " of its own";
    WalkResult walk = region.walk([&](Operation *inner) -> WalkResult { return verifyBarrier(inner, op); });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult inlineExecutionScopes(const LoweringContext &lowering, ModuleOp module) {
  SmallVector<as::ExecutionScopeOpInterface> scopes;
  module.walk<WalkOrder::PostOrder>([&](as::ExecutionScopeOpInterface op) { scopes.push_back(op); });
  for (as::ExecutionScopeOpInterface op : scopes)
    if (op.hasWarps() && failed(verifyScopes(lowering, op)))
      return failure();
  for (as::ExecutionScopeOpInterface op : scopes)
    inlineScopes(lowering, op);
  return success();
}

} // namespace tileiras
