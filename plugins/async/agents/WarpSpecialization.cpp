//===- WarpSpecialization.cpp - Functions cut into agents -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecialization.h"
#include "AgentSlice.h"
#include "ProducerWork.h"
#include "ProductAgent.h"
#include "common/AgentWarps.h"
#include "common/QueueLoads.h"
#include "common/TokenOrder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

namespace {

/// What an agent is for: it copies to stages, issues products, or does everything else. In the order of the regions.
enum Role : unsigned { Copies, Products, Rest };

bool isRegisterTile(Type type) {
  return isa<RankedTensorType>(type) && !as::isMemoryTensor(type);
}

bool writes(Operation *op) {
  return hasEffect<MemoryEffects::Write>(op);
}

bool hasRegisterTiles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isRegisterTile) || llvm::any_of(op->getResultTypes(), isRegisterTile);
}

class Specialization {
public:
  Specialization(aa::FuncOp function, const ChipTarget &target, const ProductLoops *products)
      : function(function), target(target), products(products), warps(planWarps(/*least=*/0)) {}

  SpecializationObstacle run() {
    if (!function.getBody().hasOneBlock())
      return {function, "it ends at several places"};
    if (findPipelines(); !obstacle.op && products)
      ofProducts = separateProducts(function, *products);
    if (!obstacle.op)
      findShared();
    SmallVector<Agent> agents;
    for (Role role : {Copies, Products, Rest})
      if (role != Products || products)
        agents.push_back({role, AgentSlice(getEntry(), shared)});
    if (!obstacle.op)
      addRoots(agents);
    for (const Agent &agent : agents)
      if (!obstacle.op)
        checkSlice(agent);
    if (!obstacle.op)
      emit(agents);
    return obstacle;
  }

private:
  struct Agent {
    Role role;
    AgentSlice slice;
  };

  /// An agent of products has one warp, whose threads need `least` registers.
  AgentWarps planWarps(int64_t least) const {
    return products
               ? planAgentWarps(function, target, /*products=*/1, std::max(least, target.tuning().mmaAgentRegisters))
               : planAgentWarps(function, target, /*products=*/0, least);
  }

  Block &getEntry() { return function.getBody().front(); }

  void refuse(Operation *op, const Twine &reason) {
    if (!obstacle.op)
      obstacle = {op, reason.str()};
  }

  //===--------------------------------------------------------------------===//
  // What becomes whose
  //===--------------------------------------------------------------------===//

  void findPipelines() {
    bool isFilled = false;
    function->walk([&](Operation *op) {
      if (isa<as::AgentSwitchOp>(op))
        refuse(op, "it has agents already");
      if (isa<as::ProducerAcquireOp, as::ProducerWriteOp, as::ProducerCommitOp>(op))
        refuse(op, "a stage is filled step by step");
      isFilled |= isa<as::ProduceOneOp>(op);
    });
    if (!isFilled)
      refuse(function, "it has no pipeline");
  }

  static bool isResource(Operation *op) {
    return isa<as::AllocTensorOp, as::CreatePipelineOp, as::MakeTiledTmaDescOp>(op);
  }

  /// Memory, pipelines, maps, and what these need. The rest is for those who need it: warps of the producer that do not
  /// work should have nothing to do. Maps that need more than that are made by the agents that use them.
  void findShared() {
    for (Operation &op : getEntry().without_terminator()) {
      if (!isResource(&op))
        continue;
      llvm::SetVector<Operation *> needed;
      if (Operation *obstacle = collectNeeded(&op, needed); !obstacle)
        shared.insert_range(needed);
      else if (!isa<as::MakeTiledTmaDescOp>(op))
        refuse(obstacle, "memory depends on " + nameOperation(obstacle));
    }
  }

  /// `op` and what it needs; returns one of them that cannot run before the agents part, if there is one.
  static Operation *collectNeeded(Operation *op, llvm::SetVector<Operation *> &needed) {
    needed.insert(op);
    for (unsigned i = 0; i < needed.size(); ++i) {
      if (!isResource(needed[i]) &&
          (needed[i]->getNumRegions() != 0 || hasRegisterTiles(needed[i]) || !isMemoryEffectFree(needed[i])))
        return needed[i];
      for (Value operand : needed[i]->getOperands())
        if (Operation *definition = operand.getDefiningOp())
          needed.insert(definition);
    }
    return nullptr;
  }

  static bool isForItsResult(Operation *op) {
    return isMemoryEffectFree(op) || isa<as::MakeTiledTmaDescOp>(op) || (isWeakRead(op) && !writes(op));
  }

  /// Whose root `op` is; nothing for what agents run where they need it.
  std::optional<Role> findRole(Operation *op) const {
    if (isa<as::ProduceOneOp>(op))
      return Copies;
    if (ofProducts.contains(op))
      return Products;
    return shared.contains(op) || isForItsResult(op) ? std::nullopt : std::optional(Rest);
  }

  void addRoots(MutableArrayRef<Agent> agents) {
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isSliceable(op) || op->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::advance();
      if (std::optional<Role> role = findRole(op))
        llvm::find_if(agents, [&](const Agent &agent) { return agent.role == *role; })->slice.addRoot(op);
      return WalkResult::skip();
    });
  }

  void checkSlice(const Agent &agent) {
    for (Operation *op : agent.slice.getOperations()) {
      const std::optional<Role> role = findRole(op);
      const bool isOwn = role == agent.role;
      const bool isStage = isa<as::ProduceOneOp, as::ConsumeOneOp>(op) || role == Products;
      if (role && !isOwn && (isStage || agent.role == Rest))
        refuse(op, "one agent needs what the other does with a pipeline");
      if (op->walk([&](Operation *inner) { return WalkResult(success(!meetsOtherCtas(inner))); }).wasInterrupted())
        refuse(op, "the CTAs of the cluster meet there, which agents cannot");
      if (agent.role == Rest)
        continue;
      if (isa<as::CancelNextProgramIdOp>(op)) {
        checkTakingOver(op);
      } else if (agent.role == Products) {
        if (std::string reason = isOwn ? "" : findProducerObstacle(op, /*numWarps=*/1, target.tuning());
            !reason.empty())
          refuse(op, "whether there are MMAs depends on " + reason);
      } else if (auto produce = dyn_cast<as::ProduceOneOp>(op)) {
        if (std::string reason = findFillingObstacle(produce, warps.copying); !reason.empty())
          refuse(op, reason);
      } else if (std::string reason = findProducerObstacle(op, warps.copying, target.tuning()); !reason.empty()) {
        refuse(op, "what is copied depends on " + reason);
      }
    }
  }

  /// Where an instruction takes over tile blocks, the agents share what it answers: the n-th time of one is that of the
  /// other. A stride is computed in each.
  void checkTakingOver(Operation *op) {
    if (!target.chip->features.clusterlaunchcontrol)
      return;
    unsigned count = 0;
    function->walk([&](as::CancelNextProgramIdOp) { ++count; });
    if (count > 1)
      refuse(op, "what is copied depends on " + nameOperation(op) +
                     ", one of several: the agents would not take over the same tile blocks");
  }

  /// Tiles change hands between CTAs, or what one has done to memory comes before what another does.
  bool meetsOtherCtas(Operation *op) {
    if (function.getKernelSpecAttr().getNumCtas() == 1 || !function.getPerCta())
      return false;
    auto access = dyn_cast<as::MemoryAccessOpInterface>(op);
    if (!access)
      return isa<as::ClusterExchangeOp>(op);
    if (access.isAcquire() || access.isRelease() || isBehindWrites(access.getToken()))
      return true;
    if (!access.isWrite() || !access.getToken())
      return false;
    const std::optional<llvm::SetVector<Value>> tokens = collectFewTokens(access.getToken());
    return !tokens || llvm::any_of(*tokens, [](Value source) {
      return bool(source.getDefiningOp<as::MemoryAccessOpInterface>());
    });
  }

  //===--------------------------------------------------------------------===//
  // Agents
  //===--------------------------------------------------------------------===//

  void emit(MutableArrayRef<Agent> parts) {
    placeTiles();
    OpBuilder builder(getEntry().getTerminator());
    OperationState state(function.getLoc(), as::AgentSwitchOp::getOperationName());
    for (size_t i = 0; i < parts.size(); ++i)
      state.addRegion();
    auto agents = cast<as::AgentSwitchOp>(Operation::create(state));
    for (auto [part, region] : llvm::zip_equal(parts, agents->getRegions())) {
      builder.createBlock(&region);
      part.slice.emit(builder);
      as::PipelineYieldOp::create(builder, function.getLoc(), ValueRange());
    }
    giveTilesToWarps(agents->getRegion(Copies), warps.copying);
    if (products)
      giveTilesToWarps(agents->getRegion(Products), /*numWarps=*/1);
    shareRegisters(agents);
    if (obstacle.op) {
      agents->destroy();
      function->walk([](as::AllocTensorOp tile) { tile.removeRangeAttr(); });
      return;
    }
    replaceBody(agents);
    waitBeforeMapsChange(agents->getRegion(0));
  }

  /// Threads that fill stages hold addresses and parts of tiles; where these are many, the compute agent has less.
  void shareRegisters(as::AgentSwitchOp agents) {
    if (warps.copying == 1)
      return;
    const int64_t needed = as::estimateRegisters(agents->getRegion(0), target).cost;
    if (needed <= warps.producer)
      return;
    warps = planWarps(needed);
    const int64_t left = as::estimateRegisters(agents->getRegions().back(), target).cost;
    if (needed > warps.producer || left > warps.compute)
      refuse(function, llvm::formatv("threads that fill stages need about {0} registers and those that compute {1}, of "
                                     "{2} and {3}",
                                     needed, left, warps.producer, warps.compute)
                           .str());
  }

  void replaceBody(as::AgentSwitchOp agents) {
    SmallVector<Operation *> old;
    for (Operation &op : getEntry().without_terminator())
      if (!shared.contains(&op))
        old.push_back(&op);
    OpBuilder(getEntry().getTerminator()).insert(agents);
    assignWarps(agents);
    for (Operation *op : llvm::reverse(old)) {
      op->dropAllUses();
      op->erase();
    }
  }

  /// As for one agent: stages are in use until the last one has been read, which is when the compute agent goes on to
  /// what may lie there.
  void placeTiles() {
    const ProgramOrder order(function.getBody());
    SharedArena arena;
    SmallVector<as::AllocTensorOp> tiles;
    function->walk([&](as::AllocTensorOp tile) {
      if (as::isSharedTensor(tile.getType()))
        tiles.push_back(tile);
    });
    for (as::AllocTensorOp tile : tiles) {
      const int64_t bytes = getTileBytes(tile);
      const int64_t offset =
          arena.allocate(bytes, as::getTileAlignment(tile.getType()), order.getLifetime(tile.getResult()));
      tile.setRangeAttr(as::MemoryRangeAttr::get(function.getContext(), offset, bytes));
    }
  }

  /// The compute agent has the first warps, as its layouts say; after them are the producer's, then those of the MMAs.
  void assignWarps(as::AgentSwitchOp agents) {
    const aa::KernelSpecAttr spec = function.getKernelSpecAttr();
    const int32_t computing = spec.getNumWarps();
    SmallVector<int32_t> numbers = {warps.copying, computing}, ids = {computing, 0},
                         registers = {int32_t(warps.producer), int32_t(warps.compute)};
    if (products) {
      numbers.insert(numbers.begin() + 1, 1);
      ids.insert(ids.begin() + 1, computing + warps.copying);
      registers.insert(registers.begin() + 1, registers.front());
    }
    agents.setNumWarps(numbers);
    agents.setWarpId(ids);
    if (warps.isTransferred)
      agents.setMaxRegs(registers);
    function.setKernelSpecAttr(aa::KernelSpecAttr::get(function.getContext(), spec.getNumWarps(), spec.getNumCtas(),
                                                       spec.getOccupancy(), warps.total));
  }

  aa::FuncOp function;
  const ChipTarget &target;
  const ProductLoops *products; ///< with an agent of their own; null: none has
  llvm::SetVector<Operation *> ofProducts;
  AgentWarps warps;
  SpecializationObstacle obstacle;
  llvm::DenseSet<Operation *> shared;
};

} // namespace

SpecializationObstacle specializeWarps(FunctionOpInterface function, const ChipTarget &target,
                                       const ProductLoops *products) {
  auto kernel = dyn_cast<aa::FuncOp>(function.getOperation());
  if (!kernel || !kernel.isKernel())
    return {function, "it is no kernel"};
  return Specialization(kernel, target, products).run();
}

} // namespace tileiras::async
