//===- ReportMemory.cpp - Shared memory and agents of kernels, for people -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Work/WorkInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras {

static void setPlace(llvm::json::Object &object, Operation *op) {
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
    object["file"] = place.getFilename().getValue();
    object["line"] = place.getLine();
  }
}

/// "128x64xf16", and the layout by itself.
static void setTile(llvm::json::Object &object, RankedTensorType type) {
  std::string tile, layout;
  llvm::raw_string_ostream os(tile);
  for (int64_t size : type.getShape())
    os << size << 'x';
  os << type.getElementType();
  object["tile"] = tile;
  if (!type.getEncoding())
    return;
  llvm::raw_string_ostream(layout) << type.getEncoding();
  object["layout"] = layout;
}

namespace {
/// The shared memory of one kernel.
class MemoryMap {
public:
  explicit MemoryMap(LLVM::LLVMFuncOp function) : function(function), order(function.getBody()) {}

  llvm::json::Object describe() {
    numberPipelines();
    function.walk([&](Operation *op) {
      addTile(op);
      addScratch(op);
      addLandmark(op);
    });
    const Lifetime whole = order.getWhole();
    llvm::json::Object object{{"kernel", function.getName()},
                              {"positions", whole.end},
                              {"parts", std::move(parts)},
                              {"pipelines", describePipelines()},
                              {"landmarks", std::move(landmarks)}};
    if (ChipTarget target = findModuleTarget(function, ""))
      object["limit"] = int64_t(target.machine().sharedMemoryBytes);
    return object;
  }

private:
  void numberPipelines() {
    function.walk([&](as::CreatePipelineOp create) { pipelines.insert({create, pipelines.size()}); });
  }

  void addPart(Operation *op, StringRef kind, as::MemoryRangeAttr range, Lifetime lifetime, llvm::json::Object part) {
    part["kind"] = kind;
    part["offset"] = range.getOffset();
    part["bytes"] = range.getBytes();
    part["begin"] = lifetime.begin;
    part["end"] = lifetime.end;
    setPlace(part, op);
    parts.push_back(std::move(part));
  }

  void addTile(Operation *op) {
    auto tile = dyn_cast<as::AllocTensorOp>(op);
    if (!tile || !tile.getRange())
      return;
    llvm::json::Object part;
    StringRef kind = "tile";
    setTile(part, tile.getType());
    if (std::optional<uint64_t> stages = tile.getStages())
      part["stages"] = int64_t(*stages);
    for (Operation *user : tile->getUsers())
      if (auto create = dyn_cast<as::CreatePipelineOp>(user)) {
        part["pipeline"] = pipelines.lookup(create);
        kind = llvm::is_contained(create.getBuffers(), tile.getResult()) ? "stages" : "barriers";
      }
    addPart(op, kind, *tile.getRange(), getUses(tile), std::move(part));
  }

  /// From the first use on: memory is named long before it is used. Stages are in use when their pipeline is.
  Lifetime getUses(as::AllocTensorOp tile) const {
    Lifetime uses = order.getLifetime(tile.getResult());
    uses.begin = uses.end;
    for (Operation *user : tile->getUsers()) {
      auto create = dyn_cast<as::CreatePipelineOp>(user);
      if (!create)
        uses.begin = std::min(uses.begin, order.getLifetime(user).begin);
      else
        for (Operation *handle : create->getUsers())
          uses.begin = std::min(uses.begin, order.getLifetime(handle).begin);
    }
    return uses;
  }

  void addScratch(Operation *op) {
    auto exchange = dyn_cast<as::ExchangeOpInterface>(op);
    if (exchange && exchange.getScratchAttr())
      addPart(op, "exchange", exchange.getScratchAttr(), order.getLifetime(op),
              llvm::json::Object{{"tile", op->getName().stripDialect()}});
  }

  /// Loops and agents: where a reader finds a position of the program.
  void addLandmark(Operation *op) {
    auto add = [&](std::string name, StringRef kind, Lifetime lifetime) {
      llvm::json::Object landmark{{"name", name}, {"kind", kind}, {"begin", lifetime.begin}, {"end", lifetime.end}};
      setPlace(landmark, op);
      landmarks.push_back(std::move(landmark));
    };
    if (isa<LoopLikeOpInterface>(op))
      add("loop", "loop", order.getLifetime(op));
    if (auto agents = dyn_cast<as::AgentSwitchOp>(op))
      for (auto [index, region] : llvm::enumerate(agents.getAgents()))
        add("agent " + std::to_string(index), "agent",
            {order.getLifetime(&region.front().front()).begin, order.getLifetime(&region.front().back()).end});
  }

  llvm::json::Array describePipelines() {
    llvm::json::Array described;
    for (auto [create, number] : pipelines) {
      auto type = cast<as::PipelineType>(create.getPipeline().getType());
      llvm::json::Array payload;
      for (Type part : type.getPayload()) {
        llvm::json::Object tile;
        if (auto tensor = dyn_cast<RankedTensorType>(part))
          setTile(tile, tensor);
        payload.push_back(std::move(tile));
      }
      llvm::json::Object object{{"number", number},
                                {"stages", int64_t(type.getStages())},
                                {"payload", std::move(payload)},
                                {"producers", findAgents(create, "produce")},
                                {"consumers", findAgents(create, "consume")}};
      object["filled"] = spellKind(create);
      setPlace(object, create);
      described.push_back(std::move(object));
    }
    return described;
  }

  /// "tma"; empty where nothing is said.
  static std::string spellKind(as::CreatePipelineOp create) {
    std::string text;
    if (auto kind = create.getProducerKindAttr())
      llvm::raw_string_ostream(text) << as::stringifyProducerKind(kind.getValue());
    return text;
  }

  /// Numbers of the agents that fill a pipeline, or take from it; -1: all warps.
  static llvm::json::Array findAgents(as::CreatePipelineOp create, StringRef verb) {
    llvm::SetVector<int64_t> found;
    for (Operation *user : create.getPipeline().getUsers()) {
      if (!user->getName().stripDialect().contains(verb))
        continue;
      int64_t agent = -1;
      for (Region *region = user->getParentRegion(); region; region = region->getParentRegion())
        if (isa_and_nonnull<as::AgentSwitchOp>(region->getParentOp()))
          agent = region->getRegionNumber();
      found.insert(agent);
    }
    return llvm::json::Array(found.getArrayRef());
  }

  LLVM::LLVMFuncOp function;
  ProgramOrder order;
  llvm::MapVector<as::CreatePipelineOp, int64_t> pipelines;
  llvm::json::Array parts, landmarks;
};
} // namespace

llvm::json::Array describeMemory(ModuleOp module) {
  llvm::json::Array kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      kernels.push_back(MemoryMap(function).describe());
  return kernels;
}

/// What the warps of an agent do that others do not: a few words.
static llvm::json::Array describeRole(Region &region) {
  llvm::SetVector<StringRef> roles;
  region.walk([&](Operation *op) {
    if (isa<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp, as::AsyncLoadOp>(op))
      roles.insert("loads");
    else if (isa<as::AsyncDotOp, as::DotOp>(op))
      roles.insert("MMAs");
    else if (isa<as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>(op))
      roles.insert("stores");
    else if (getElementWork(op) == ElementWork::Special)
      roles.insert("computes functions");
  });
  return llvm::json::Array(roles.getArrayRef());
}

llvm::json::Array describeAgents(ModuleOp module) {
  llvm::json::Array kernels;
  module.walk([&](as::AgentSwitchOp agents) {
    llvm::json::Array described;
    for (auto [index, region] : llvm::enumerate(agents.getAgents())) {
      llvm::json::Object agent{{"number", index}, {"roles", describeRole(region)}};
      auto set = [&](StringRef key, std::optional<llvm::ArrayRef<int32_t>> numbers) {
        if (numbers && index < numbers->size())
          agent[key] = (*numbers)[index];
      };
      set("warps", agents.getNumWarps());
      set("first", agents.getWarpId());
      set("registers", agents.getMaxRegs());
      described.push_back(std::move(agent));
    }
    llvm::json::Object kernel{{"agents", std::move(described)}};
    if (auto function = agents->getParentOfType<LLVM::LLVMFuncOp>())
      kernel["kernel"] = function.getName();
    setPlace(kernel, agents);
    kernels.push_back(std::move(kernel));
  });
  return kernels;
}

} // namespace tileiras
