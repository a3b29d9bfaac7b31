//===- ResolveAgentBoundary.cpp - tileas-resolve-agent-boundary -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OuterTiles.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASRESOLVEAGENTBOUNDARY
#include "Passes.h.inc"

using namespace mlir;

static int64_t getLayoutWarps(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return cast<as::DistributedLayoutAttrInterface>(type.getEncoding()).getNumWarps();
}

namespace {

/// The operations that make a tile out of what all threads have, in program order; empty if others or too many do.
class CheapSlice {
public:
  /// More operations than `most` are not cheap: a tile is handed over instead.
  CheapSlice(Value tile, size_t most) : most(most) {
    if (!add(tile) || operations.size() > most)
      operations.clear();
    llvm::sort(operations, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  }

  ArrayRef<Operation *> get() const { return operations; }

private:
  bool add(Value value) {
    if (!as::isDistributedTensor(value.getType()))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op) || (block && op->getBlock() != block))
      return false;
    block = op->getBlock();
    if (!seen.insert(op).second)
      return true;
    operations.push_back(op);
    return operations.size() <= most && llvm::all_of(op->getOperands(), [&](Value v) { return add(v); });
  }

  size_t most;
  Block *block = nullptr;
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Operation *> operations;
};

struct TileASResolveAgentBoundary : impl::TileASResolveAgentBoundaryBase<TileASResolveAgentBoundary> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASResolveAgentBoundary)

  void runOnOperation() override {
    // From the outside: what an outer agent has been handed, agents in it may need, too.
    SmallVector<as::AgentSwitchOp> found;
    getOperation()->walk<WalkOrder::PreOrder>([&](as::AgentSwitchOp agents) {
      if (agents.hasWarps())
        found.push_back(agents);
    });
    for (as::AgentSwitchOp agents : found) {
      buffers.clear();
      for (Region &agent : agents.getAgents())
        if (failed(resolve(agents, agent)))
          return markPassFailure(getOperation(), getArgument());
    }
    if (auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
        kernel && kernel.isKernel() && !found.empty())
      if (failed(giveOuterTilesToAllWarps(kernel)))
        signalPassFailure();
  }

  LogicalResult resolve(as::AgentSwitchOp agents, Region &agent) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(agent, captured);
    const int64_t warps = agents.getNumWarps(agent.getRegionNumber());
    const size_t most = findModuleTarget(agents, "").tuning().mostRecomputedAtBoundary;
    for (Value value : captured) {
      if (!as::isDistributedTensor(value.getType()))
        continue;
      CheapSlice slice(value, most);
      if (getLayoutWarps(value) == warps && !slice.get().empty())
        recompute(value, slice, agent);
      else if (failed(handOver(agents, value, agent)))
        return failure();
    }
    return success();
  }

  static void recompute(Value value, const CheapSlice &slice, Region &agent) {
    OpBuilder builder(&agent.front(), agent.front().begin());
    IRMapping mapping;
    for (Operation *op : slice.get())
      builder.clone(*op, mapping);
    replaceIn(agent, value, mapping.lookup(value));
    for (Operation *op : llvm::reverse(slice.get()))
      if (op->use_empty())
        op->erase();
  }

  /// Through shared memory: all warps meet before the agents begin.
  LogicalResult handOver(as::AgentSwitchOp agents, Value value, Region &agent) {
    FailureOr<Value> buffer = getBuffer(agents, value);
    if (failed(buffer))
      return failure();
    OpBuilder builder(&agent.front(), agent.front().begin());
    auto read = [&](Type type) {
      return as::CopyOp::create(builder, value.getLoc(), type, *buffer, Value(),
                                as::AtomAttr::getAnyCopy(builder.getContext()))
          .getResult();
    };
    SmallVector<as::ConvertLayoutOp> conversions;
    for (Operation *user : value.getUsers())
      if (auto conversion = dyn_cast<as::ConvertLayoutOp>(user);
          conversion && agent.isAncestor(user->getParentRegion()))
        conversions.push_back(conversion);
    // Memory has no layout of threads: each reads the one that it wants.
    for (as::ConvertLayoutOp conversion : conversions) {
      conversion.replaceAllUsesWith(read(conversion.getType()));
      conversion.erase();
    }
    if (llvm::any_of(value.getUsers(), [&](Operation *user) { return agent.isAncestor(user->getParentRegion()); }))
      replaceIn(agent, value, read(value.getType()));
    remarkOn(agents, Missed::AgentBoundary)
        << ("agent " + llvm::utostr(agent.getRegionNumber()) +
            " gets a tile of the function around it through shared memory; load or compute it in the agent");
    return success();
  }

  /// One for all agents that need the value.
  FailureOr<Value> getBuffer(as::AgentSwitchOp agents, Value value) {
    Value &buffer = buffers[value];
    if (buffer)
      return buffer;
    auto type = cast<RankedTensorType>(value.getType());
    const unsigned bits = as::getSharedBits(type.getElementType());
    SmallVector<unsigned> order = llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, type.getRank())));
    llvm::Expected<as::SharedAttr> encoding =
        as::encodeShared(&getContext(), makeSwizzledLayout(type.getShape(), order, bits, SwizzleMode::None), bits);
    if (!encoding)
      return agents.emitError("a tile cannot be handed to an agent: ") << llvm::toString(encoding.takeError());
    OpBuilder builder(agents);
    auto memory = RankedTensorType::get(type.getShape(), type.getElementType(), *encoding);
    buffer = as::copyToMemory(builder, value.getLoc(), value, memory);
    return buffer;
  }

  static void replaceIn(Region &agent, Value from, Value to) {
    from.replaceUsesWithIf(to, [&](OpOperand &use) {
      return use.getOwner() != to.getDefiningOp() && agent.isAncestor(use.getOwner()->getParentRegion());
    });
  }

  llvm::MapVector<Value, Value> buffers; ///< of values that agents of the current operation need
};

} // namespace
} // namespace tileiras::cluster
