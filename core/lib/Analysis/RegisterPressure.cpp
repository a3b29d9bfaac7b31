//===- RegisterPressure.cpp - How much is alive at once -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/RegisterPressure.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

int64_t getRegisterBits(Type element) {
  if (element.isInteger(1))
    return 32;
  if (!element.isIntOrFloat())
    return 64;
  return std::max<int64_t>(8, llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth()));
}

int64_t countRegisters(int64_t elements, Type element, int64_t threads) {
  return llvm::divideCeil(elements * getRegisterBits(element), 32 * threads);
}

namespace {

/// The values alive at one point, and what they take together.
class LiveSet {
public:
  explicit LiveSet(const PressureModel &model) : model(model) {}

  void insert(Value value) {
    for (const Holder &holder : getHolders(value))
      insert(holder);
  }
  /// What `op` uses: of an operation that only gives a name to something, what that is.
  void insertOperands(Operation &op) {
    if (op.getNumResults() == 1) {
      const Value result = op.getResult(0);
      const SmallVector<Holder, 4> holders = getHolders(result);
      if (llvm::none_of(holders, [&](const Holder &holder) { return holder.value == result; }))
        return insert(result);
    }
    for (Value operand : op.getOperands())
      insert(operand);
  }
  void erase(Value value) {
    auto held = values.find(value);
    if (held == values.end())
      return;
    total -= held->second.cost;
    values.erase(held);
  }
  int64_t getTotal() const { return total; }

private:
  /// Of a value what is alive: all of it, or parts.
  struct Held {
    int64_t cost = 0;
    SmallVector<std::pair<int64_t, int64_t>, 1> parts; ///< of how many, and which

    void add(const Holder &holder, int64_t whole) {
      std::pair part(holder.numParts, holder.part);
      if (cost == whole || llvm::is_contained(parts, part))
        return;
      parts.push_back(part);
      cost = std::min<int64_t>(whole, cost + llvm::divideCeil(whole, holder.numParts));
    }
  };

  SmallVector<Holder, 4> getHolders(Value value) const {
    SmallVector<Holder, 4> holders;
    model.collectHolders(value, holders);
    return holders;
  }
  void insert(const Holder &holder) {
    Held &held = values[holder.value];
    total -= held.cost;
    held.add(holder, model.getCost(holder.value));
    total += held.cost;
  }

  const PressureModel &model;
  DenseMap<Value, Held> values;
  int64_t total = 0;
};

bool mayRunAgain(Region &region) {
  auto branch = dyn_cast<RegionBranchOpInterface>(region.getParentOp());
  return !branch || !region.hasOneBlock() || branch.isRepetitiveRegion(region.getRegionNumber());
}

class PressureWalk {
public:
  explicit PressureWalk(const PressureModel &model) : model(model) {}

  /// From the end of `block`, behind which `live` is alive; `held`: by loops around it.
  void visit(Block &block, LiveSet live, int64_t held);

  RegisterPressure worst;

private:
  const PressureModel &model;
};

void PressureWalk::visit(Block &block, LiveSet live, int64_t held) {
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.erase(result);
    const int64_t own = held + model.getCost(&op);
    if (op.getNumRegions()) {
      SetVector<Value> used;
      getUsedValuesDefinedAbove(op.getRegions(), used);
      LiveSet behind = live;
      for (Value value : used)
        live.insert(value);
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          const bool isLoop = mayRunAgain(region);
          visit(inner, isLoop ? live : behind, isLoop ? own : held);
        }
    }
    live.insertOperands(op);
    if (!worst.peak || live.getTotal() + own > worst.cost)
      worst = {live.getTotal() + own, &op};
  }
}

/// Given by a function.
class ValueModel final : public PressureModel {
public:
  explicit ValueModel(llvm::function_ref<int64_t(Value)> cost) : cost(cost) {}
  int64_t getCost(Value value) const override { return cost(value); }
  using PressureModel::getCost;

private:
  llvm::function_ref<int64_t(Value)> cost;
};

} // namespace

RegisterPressure measureRegisterPressure(Region &body, const PressureModel &model) {
  PressureWalk walk(model);
  for (Block &block : body)
    walk.visit(block, LiveSet(model), /*held=*/0);
  return walk.worst;
}

RegisterPressure measureRegisterPressure(Region &body, llvm::function_ref<int64_t(Value)> cost) {
  return measureRegisterPressure(body, ValueModel(cost));
}

} // namespace tileiras
