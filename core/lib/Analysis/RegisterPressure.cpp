//===- RegisterPressure.cpp - How much is alive at once -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/RegisterPressure.h"
#include "mlir/IR/Operation.h"
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
  explicit LiveSet(llvm::function_ref<int64_t(Value)> cost) : cost(cost) {}

  void insert(Value value) {
    if (values.insert(value).second)
      total += cost(value);
  }
  void erase(Value value) {
    if (values.erase(value))
      total -= cost(value);
  }
  int64_t getTotal() const { return total; }

private:
  llvm::function_ref<int64_t(Value)> cost;
  DenseSet<Value> values;
  int64_t total = 0;
};

bool mayRunAgain(Region &region) {
  auto branch = dyn_cast<RegionBranchOpInterface>(region.getParentOp());
  return !branch || !region.hasOneBlock() || branch.isRepetitiveRegion(region.getRegionNumber());
}

/// Walks `block` from its end, behind which `live` is alive.
void visit(Block &block, LiveSet live, RegisterPressure &worst) {
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.erase(result);
    if (op.getNumRegions()) {
      SetVector<Value> used;
      getUsedValuesDefinedAbove(op.getRegions(), used);
      LiveSet behind = live;
      for (Value value : used)
        live.insert(value);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          visit(inner, mayRunAgain(region) ? live : behind, worst);
    }
    for (Value operand : op.getOperands())
      live.insert(operand);
    if (!worst.peak || live.getTotal() > worst.cost)
      worst = {live.getTotal(), &op};
  }
}

} // namespace

RegisterPressure measureRegisterPressure(Region &body, llvm::function_ref<int64_t(Value)> cost) {
  RegisterPressure worst;
  for (Block &block : body)
    visit(block, LiveSet(cost), worst);
  return worst;
}

} // namespace tileiras
