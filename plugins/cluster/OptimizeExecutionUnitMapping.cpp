//===- OptimizeExecutionUnitMapping.cpp - optimize-execution-unit-mapping -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionUnits.h"
#include "Remarks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::cluster {
#define GEN_PASS_DEF_OPTIMIZEEXECUTIONUNITMAPPING
#include "Passes.h.inc"

using namespace mlir;

/// Does nothing, not even to its registers: a hole of an earlier mapping.
static bool isHole(as::AgentSwitchOp op, unsigned number) {
  Block &body = op.getAgents()[number].front();
  return op.getNumWarps(number) == 1 && op.getRegisters(number) == 0 && &body.front() == body.getTerminator();
}

namespace {

/// An agent's place, or that of warps nobody uses: a hole, without a region.
struct Agent {
  Region *region;
  int32_t numWarps;
  int32_t registers = 0; ///< of a thread; 0: as at launch
  int32_t firstWarp = 0;
  int32_t stride = 0; ///< warps up to the next place
};

class Mapping {
public:
  explicit Mapping(aa::AgentLikeOpInterface op)
      : op(op), perGroup(op.getNumAgentsPerGroup().value_or(1)), machine(findModuleMachine(op, "")) {}

  LogicalResult collect() {
    auto propagated = op->getAttrOfType<DenseI32ArrayAttr>(kNumWarpsAttr);
    std::optional<ArrayRef<int32_t>> registers = op.getMaxRegs();
    if (propagated && size_t(propagated.size()) != op.getAgents().size())
      return op->emitError() << kNumWarpsAttr << " is for " << propagated.size() << " agents of "
                             << op.getAgents().size();
    auto mapped = dyn_cast<as::AgentSwitchOp>(op.getOperation());
    for (auto [number, region] : llvm::enumerate(op.getAgents())) {
      if (mapped && mapped.hasWarps() && isHole(mapped, number))
        continue;
      FailureOr<std::optional<int32_t>> found = findNumWarps(region);
      if (failed(found))
        return failure();
      int32_t warps = found->value_or(1);
      if (op.getNumWarps())
        warps = (*op.getNumWarps())[number];
      else if (propagated)
        warps = propagated[number];
      if (warps < 1 || !llvm::isPowerOf2_32(warps))
        return op->emitError() << "agent " << number << " has " << warps << " warps; expects a power of two";
      agents.push_back({&region, warps, registers ? (*registers)[number] : 0});
    }
    return success();
  }

  LogicalResult place() {
    // Whole warpgroups first; what belongs together stays together.
    SmallVector<SmallVector<Agent>> groups;
    for (size_t first = 0; first < agents.size(); first += perGroup)
      groups.push_back(llvm::to_vector(ArrayRef<Agent>(agents).slice(first, perGroup)));
    std::stable_partition(groups.begin(), groups.end(), [&](ArrayRef<Agent> group) {
      return llvm::all_of(group, [&](const Agent &agent) { return agent.numWarps % getWarpgroup() == 0; });
    });
    for (ArrayRef<Agent> group : groups)
      for (Agent agent : group)
        placeAgent(agent);
    if (places.empty())
      return success();
    for (auto [place, next] : llvm::zip(places, ArrayRef<Agent>(places).drop_front()))
      place.stride = next.firstWarp - place.firstWarp;
    places.back().stride = places.back().numWarps;
    if (getTotalWarps() > aa::kMaxWarpsPerCTA)
      return op->emitError() << "agent warp count exceeds module budget: aligned, the agents need " << getTotalWarps()
                             << " warps of " << aa::kMaxWarpsPerCTA << "; give them fewer";
    // Each agent meets at a barrier of its own; the first is the CTA's.
    const size_t most = machine.namedBarriers - 1;
    if (places.size() > most)
      return op->emitError() << "fails to assign named barrier: there are barriers for " << most
                             << " agents, but there are " << places.size();
    return success();
  }

  /// With what fills the last warpgroup.
  int32_t getTotalWarps() const { return llvm::alignTo(cursor, getWarpgroup()); }

  void rewrite() {
    OpBuilder builder(op);
    OperationState state(op->getLoc(), as::AgentSwitchOp::getOperationName(), op->getOperands(), op->getResultTypes(),
                         {});
    for (size_t number = 0; number < places.size(); ++number)
      state.addRegion();
    auto agents = cast<as::AgentSwitchOp>(builder.create(state));
    agents->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (auto mapped = dyn_cast<as::AgentSwitchOp>(op.getOperation()); mapped && mapped.getDualSimtAttr())
      agents.setDualSimtAttr(mapped.getDualSimtAttr());
    agents->removeAttr(kNumWarpsAttr);
    setPlaces(agents);
    for (auto [place, region] : llvm::zip_equal(places, agents->getRegions())) {
      if (place.region)
        region.takeBody(*place.region);
      else
        builder.createBlock(&region);
      endWithYield(region, op->getLoc(), agents.getBegins());
    }
    remarkOn(agents, Analysis::ExecutionUnitMapping) << describe();
    op->replaceAllUsesWith(agents);
    op->erase();
  }

private:
  /// Warps that change their registers together.
  int32_t getWarpgroup() const { return machine.warpGranularity; }

  void placeAgent(Agent agent) {
    // A warpgroup changes its registers as a whole: nobody else is in it.
    const int32_t alignment =
        agent.registers != 0 || isExclusive ? std::max(agent.numWarps, getWarpgroup()) : agent.numWarps;
    agent.firstWarp = llvm::alignTo(cursor, alignment);
    if (agent.firstWarp != cursor)
      places.push_back({nullptr, 1, 0, cursor});
    places.push_back(agent);
    cursor = agent.firstWarp + agent.numWarps;
    isExclusive = agent.registers != 0;
  }

  template <typename Function>
  DenseI32ArrayAttr collectPlaces(Function get) {
    return Builder(op->getContext()).getDenseI32ArrayAttr(llvm::map_to_vector(places, get));
  }

  void setPlaces(as::AgentSwitchOp agents) {
    agents.setNumWarpsAttr(collectPlaces([](const Agent &place) { return place.numWarps; }));
    agents.setWarpIdAttr(collectPlaces([](const Agent &place) { return place.firstWarp; }));
    agents.setAgentStridesAttr(collectPlaces([](const Agent &place) { return place.stride; }));
    if (op.getMaxRegs())
      agents.setMaxRegsAttr(collectPlaces([](const Agent &place) { return place.registers; }));
    agents.setIsolated(op.getIsolated());
    if (perGroup != 1 && places.size() == this->agents.size())
      agents.setNumAgentsPerGroup(perGroup);
  }

  /// In place of the terminator of `nv_tileaa.execute`; warps of a hole keep `iterators`.
  static void endWithYield(Region &region, Location location, ValueRange iterators) {
    Block &body = region.front();
    if (!body.empty() && isa<as::PipelineYieldOp>(body.back()))
      return;
    if (!body.empty() && body.back().hasTrait<OpTrait::IsTerminator>())
      body.back().erase();
    OpBuilder builder = OpBuilder::atBlockEnd(&body);
    as::PipelineYieldOp::create(builder, location, iterators);
  }

  std::string describe() const {
    std::string text;
    for (const Agent &place : places) {
      if (!text.empty())
        text += ", ";
      text += llvm::formatv(place.region ? "warps {0} to {1}" : "none in {0} to {1}", place.firstWarp,
                            place.firstWarp + (place.region ? place.numWarps : place.stride) - 1);
    }
    return llvm::formatv("agents run in {0}, of {1} warps", text, getTotalWarps());
  }

  aa::AgentLikeOpInterface op;
  size_t perGroup;
  const MachineModel &machine;
  SmallVector<Agent> agents;
  SmallVector<Agent> places;
  int32_t cursor = 0;
  bool isExclusive = false; ///< the last agent has its last warpgroup to itself
};

struct OptimizeExecutionUnitMapping : impl::OptimizeExecutionUnitMappingBase<OptimizeExecutionUnitMapping> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OptimizeExecutionUnitMapping)

  void runOnOperation() override {
    SmallVector<aa::AgentLikeOpInterface> found;
    getOperation()->walk<WalkOrder::PostOrder>([&](aa::AgentLikeOpInterface op) { found.push_back(op); });
    llvm::MapVector<aa::FuncOp, int32_t> kernels;
    for (aa::AgentLikeOpInterface op : found) {
      const bool isNested = bool(op->getParentOfType<aa::AgentLikeOpInterface>());
      auto kernel = op->getParentOfType<aa::FuncOp>();
      if (isNested) {
        op->emitError("is an agent's own: hardware barriers are given to the agents of a block once; make these agents "
                      "beside the others");
        return signalPassFailure();
      }
      FailureOr<int32_t> total = isAligned(op) ? FailureOr<int32_t>(keep(op)) : map(op);
      if (failed(total))
        return signalPassFailure();
      if (kernel && kernel.isKernel())
        kernels[kernel] = std::max(kernels[kernel], *total);
    }
    for (auto [kernel, total] : kernels)
      setTotalWarps(kernel, total);
    // Agents have their warps now; loops and functions need not say how many any more.
    getOperation()->walk([](Operation *op) {
      if (isa<scf::ForOp, scf::IfOp, scf::WhileOp, aa::FuncOp>(op))
        op->removeAttr(kNumWarpsAttr);
    });
  }

  static FailureOr<int32_t> map(aa::AgentLikeOpInterface op) {
    Mapping mapping(op);
    if (failed(mapping.collect()) || failed(mapping.place()))
      return failure();
    const int32_t total = mapping.getTotalWarps();
    mapping.rewrite();
    return total;
  }

  /// Has warps already, each agent from where whole numbers of agents of its size fit in front.
  static bool isAligned(aa::AgentLikeOpInterface op) {
    auto agents = dyn_cast<as::AgentSwitchOp>(op.getOperation());
    if (!agents || !agents.hasWarps())
      return false;
    return llvm::all_of(llvm::seq<unsigned>(0, agents.getAgents().size()), [&](unsigned number) {
      return isHole(agents, number) || agents.getFirstWarp(number) % agents.getNumWarps(number) == 0;
    });
  }

  /// What is mapped says how far it is to the next place; returns the block's warps.
  static int32_t keep(aa::AgentLikeOpInterface op) {
    auto agents = cast<as::AgentSwitchOp>(op.getOperation());
    const ArrayRef<int32_t> ids = *agents.getWarpId(), warps = *agents.getNumWarps();
    int32_t end = 0;
    SmallVector<int32_t> strides(warps);
    for (auto [id, count, stride] : llvm::zip_equal(ids, warps, strides)) {
      end = std::max(end, id + count);
      std::optional<int32_t> next;
      for (int32_t other : ids)
        if (other > id && (!next || other < *next))
          next = other;
      stride = next ? *next - id : count;
    }
    if (!agents.getAgentStrides())
      agents.setAgentStrides(strides);
    return llvm::alignTo(end, findModuleMachine(op, "").warpGranularity);
  }

  static void setTotalWarps(aa::FuncOp kernel, int32_t total) {
    const aa::KernelSpecAttr spec = kernel.getKernelSpecAttr();
    if (total > int32_t(spec.getNumWarps()) && total != int32_t(spec.getTotalWarps()))
      kernel.setKernelSpecAttr(aa::KernelSpecAttr::get(kernel.getContext(), spec.getNumWarps(), spec.getNumCtas(),
                                                       spec.getOccupancy(), total));
  }
};

} // namespace
} // namespace tileiras::cluster
