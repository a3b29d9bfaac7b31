//===- StageMap.cpp - Stages that a program asks for ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageMap.h"
#include "common/StageAttributes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// Pipelines and tokens say what it has to wait for.
bool isHandshake(Operation *op) {
  if (isa<as::ConsumerWaitOp, as::ConsumerReleaseOp, as::AsyncFutureWaitOp, as::AsyncWaitOp, as::ProduceOneOp,
          as::ProduceOneAsyncOp, as::ProducerCommitOp>(op))
    return true;
  auto stage = dyn_cast<as::PipelineRegionOpInterface>(op);
  return stage && llvm::all_of(stage.getPipelineBody().getOps(), [](Operation &nested) {
           return isMemoryEffectFree(&nested) ||
                  isa<as::AsyncDotOp, as::DotOp, as::AsyncFutureWaitOp, as::CopyOp>(nested);
         });
}

class Reader {
public:
  Reader(scf::ForOp loop, unsigned numStages) : loop(loop), numStages(numStages) {}

  StageMap run() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (!readStage(&op))
        return {{}, reason};
    if (known.empty())
      return {};
    // What is completed last follows its stage, too.
    llvm::stable_sort(known, [](const StagedOperation &a, const StagedOperation &b) { return a.stage > b.stage; });
    StageMap map{completeStages(loop, known), ""};
    map.reason = checkExpansion(loop, map.order);
    if (map.reason.empty())
      map.reason = checkEffects(map.order);
    if (map.reason.empty())
      map.reason = checkSlots(map.order);
    return map;
  }

private:
  bool readStage(Operation *op) {
    auto stage = op->getAttrOfType<IntegerAttr>(kStage), offset = op->getAttrOfType<IntegerAttr>(kIterOffset);
    if (!stage && !offset)
      return true;
    const int64_t number = stage ? stage.getInt() : -offset.getInt();
    if (number < 0 || number >= numStages)
      reason = describe(op, llvm::formatv("is in stage {0} of {1}", number, numStages).str());
    else if (offset && offset.getInt() != -number)
      reason =
          describe(op, llvm::formatv("is in stage {0}, and runs {1} iterations on", number, offset.getInt()).str());
    else
      known.push_back({op, unsigned(number)});
    return reason.empty();
  }

  static std::string describe(Operation *op, StringRef what) {
    return ("'" + op->getName().getStringRef() + "' " + what).str();
  }

  /// Other effects than handshakes keep their order, from one iteration to the next, too.
  static std::string checkEffects(ArrayRef<StagedOperation> order) {
    const StagedOperation *first = nullptr;
    for (const StagedOperation &staged : order) {
      if (isMemoryEffectFree(staged.op) || isHandshake(staged.op))
        continue;
      if (first && first->stage != staged.stage)
        return describe(staged.op, ("would leave its order with '" + first->op->getName().getStringRef() +
                                    "', which is in another stage")
                                       .str());
      first = &staged;
    }
    return "";
  }

  /// What fills slots is ahead of what empties them by fewer iterations than there are slots.
  static std::string checkSlots(ArrayRef<StagedOperation> order) {
    llvm::DenseMap<Operation *, unsigned> stages;
    for (auto [op, stage] : order)
      stages[op] = stage;
    for (auto [op, stage] : order) {
      if (!isa<as::ProduceOneOp, as::ProduceOneAsyncOp>(op))
        continue;
      Value pipeline = op->getOperand(0);
      const int64_t slots = cast<as::PipelineType>(pipeline.getType()).getStages();
      for (Operation *user : pipeline.getUsers()) {
        auto reader = stages.find(user);
        if (user == op || reader == stages.end() || isa<as::ProduceOneOp, as::ProduceOneAsyncOp>(user))
          continue;
        if (reader->second < stage)
          return describe(user, "reads a pipeline in an earlier stage than that which fills it");
        if (reader->second - stage >= slots)
          return describe(
              op, llvm::formatv("is {0} iterations ahead in a pipeline of {1} stages", reader->second - stage, slots)
                      .str());
      }
    }
    return "";
  }

  scf::ForOp loop;
  unsigned numStages;
  std::string reason;
  SmallVector<StagedOperation> known;
};

} // namespace

StageMap readStageMap(scf::ForOp loop, unsigned numStages) {
  return Reader(loop, numStages).run();
}

} // namespace tileiras::async
