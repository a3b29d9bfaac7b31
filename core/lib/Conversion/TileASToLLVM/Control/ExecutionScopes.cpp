//===- ExecutionScopes.cpp - Regions that run at the same time become branches -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionScopes.h"
#include "Conversion/TileASToLLVM/Pipelines/Turns.h"
#include "RegisterEstimate.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/Emitter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace tileiras {

bool isScopeStructure(Operation *op) {
  const bool isEnd = op->hasTrait<OpTrait::IsTerminator>() && op->getNumSuccessors() == 0;
  auto scopes = dyn_cast_or_null<as::ExecutionScopeOpInterface>(isEnd ? op->getParentOp() : op);
  return scopes && scopes.hasWarps();
}

/// Ends of a region go on at `after`.
static void redirectEnds(Region &region, Block *after) {
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    if (end->getNumSuccessors() != 0)
      continue;
    OpBuilder builder(end);
    LLVM::BrOp::create(builder, end->getLoc(), ValueRange(), after);
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

/// The block where the warpgroups that run `regions` change their registers, and go on to one of these or to `after`.
static Block *emitRegisterChange(Emitter &emit, as::ExecutionScopeOpInterface op, ArrayRef<unsigned> regions,
                                 ArrayRef<Block *> entries, Value warp, int64_t atLaunch, Block *after) {
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
  LLVM::BrOp::create(emit.builder, emit.location, ValueRange(), after);
  return change;
}

static void inlineScopes(const LoweringContext &lowering, as::ExecutionScopeOpInterface op) {
  Block *before = op->getBlock(), *after = before->splitBlock(op->getNextNode());
  OpBuilder builder(op);
  Emitter emit(builder, op);
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
      entry = emitRegisterChange(emit, op, regions, entries, warp, atLaunch, after);
      first = groups.first;
      end = groups.end;
    }
    builder.setInsertionPointToEnd(emitBranch(emit, warp, first, end - first, entry, after));
  }
  LLVM::BrOp::create(builder, op->getLoc(), ValueRange(), after);
  op->erase();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  auto constant = value ? value.getDefiningOp<LLVM::ConstantOp>() : nullptr;
  auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

/// Whether the assembly may have a barrier: expressions take long, and hardly any assembly has one.
static bool mentionsBarrier(StringRef assembly) {
  for (size_t at = assembly.find("bar"); at != StringRef::npos; at = assembly.find("bar", at + 1))
    if (at == 0 || !(llvm::isLower(assembly[at - 1]) || assembly[at - 1] == '.'))
      return true;
  return false;
}

/// A barrier in assembly that is not that of `scope`, as its text has it; empty if there is none.
static std::string findForeignBarrier(StringRef assembly, const ExecutionScope &scope) {
  static const llvm::Regex barrier("(^|[^a-z.])(bar|barrier)(\\.cluster|\\.cta)?\\.(sync|arrive|wait|red)[^;]*;?");
  static const llvm::Regex own("\\.sync(\\.aligned)?[ \t]+([0-9]+),[ \t]*([0-9]+)[ \t]*;?$");
  for (SmallVector<StringRef> found, parts; barrier.match(assembly, &found);) {
    const StringRef text = found.front().drop_front(found[1].size());
    unsigned id = 0;
    int64_t threads = 0;
    if (!own.match(text, &parts) || parts[2].getAsInteger(10, id) || parts[3].getAsInteger(10, threads) ||
        id != scope.barrier || threads != scope.getNumThreads())
      return text.str();
    assembly = StringRef(found.front().end(), assembly.end() - found.front().end());
  }
  return "";
}

static bool mayBeBarrier(Operation *op) {
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return mentionsBarrier(assembly.getAsmString());
  return isa<NVVM::BarrierOp, NVVM::Barrier0Op, NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp,
             NVVM::ClusterWaitOp>(op);
}

/// The others would never come to a barrier of all threads, nor as many as another barrier counts.
static LogicalResult verifyBarrier(Operation *op) {
  if (!mayBeBarrier(op))
    return success();
  const ExecutionScope scope = getExecutionScope(op);
  auto refuse = [&](const Twine &what) {
    return op->emitError() << "synchronises " << what << " in an agent of warps " << scope.firstWarp << " to "
                           << scope.firstWarp + scope.numWarps - 1 << ", which meet at barrier " << scope.barrier
                           << ", " << scope.getNumThreads() << " threads; move it out of the agent_switch";
  };
  if (isa<NVVM::Barrier0Op>(op))
    return refuse("all threads of the CTA");
  if (isa<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp>(op))
    return refuse("all threads of the cluster");
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op); assembly && !assembly->hasAttr(kTurnAttr)) {
    std::string foreign = findForeignBarrier(assembly.getAsmString(), scope);
    return foreign.empty() ? success() : refuse("by '" + foreign + "' in assembly");
  }
  auto barrier = dyn_cast<NVVM::BarrierOp>(op);
  if (!barrier || barrier->hasAttr(kTurnAttr))
    return success();
  if (!barrier.getBarrierId() || !barrier.getNumberOfThreads())
    return refuse("all threads of the CTA");
  const std::optional<int64_t> id = getConstant(barrier.getBarrierId());
  const std::optional<int64_t> threads = getConstant(barrier.getNumberOfThreads());
  if (id == scope.barrier && threads == scope.getNumThreads())
    return success();
  auto show = [](std::optional<int64_t> number) { return number ? std::to_string(*number) : "?"; };
  return refuse("barrier " + show(id) + " of " + show(threads) + " threads");
}

static LogicalResult verifyScopes(as::ExecutionScopeOpInterface op) {
  llvm::SmallDenseSet<unsigned> barriers;
  for (Region &region : op->getRegions()) {
    const unsigned barrier = op.getBarrier(region.getRegionNumber());
    if (barrier == 0 || barrier >= kNumHardwareBarriers || !barriers.insert(barrier).second)
      return op->emitOpError() << "has region " << region.getRegionNumber() << " meet at barrier " << barrier
                               << "; expects one of 1 to " << kNumHardwareBarriers - 1 << " of its own";
    WalkResult walk = region.walk([](Operation *inner) -> WalkResult { return verifyBarrier(inner); });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult inlineExecutionScopes(const LoweringContext &lowering, ModuleOp module) {
  SmallVector<as::ExecutionScopeOpInterface> scopes;
  module.walk<WalkOrder::PostOrder>([&](as::ExecutionScopeOpInterface op) { scopes.push_back(op); });
  for (as::ExecutionScopeOpInterface op : scopes)
    if (op.hasWarps() && failed(verifyScopes(op)))
      return failure();
  for (as::ExecutionScopeOpInterface op : scopes)
    inlineScopes(lowering, op);
  return success();
}

} // namespace tileiras
