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
#include <variant>

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

/// The values alive at one point, and what they take together. What has been inserted once, by whatever name, is alive
/// until its definition: a name that has been followed need not be followed again.
class LiveSet {
public:
  explicit LiveSet(const PressureModel &model) : model(model) {}

  void insert(Value value) {
    SmallVector<std::pair<Value, unsigned>> worklist = {{value, kWhole}};
    while (!worklist.empty()) {
      auto [named, part] = worklist.pop_back_val();
      if (!followed.insert({named, part}).second)
        continue;
      if (isInScope())
        changes.push_back(Followed{named, part});
      const std::optional<ValueName> name = model.getName(named);
      if (!name) {
        hold(named, part);
        continue;
      }
      const unsigned inside = name->part ? getPart(part, *name->part) : part;
      for (Value other : name->values)
        worklist.push_back({other, inside});
    }
  }
  /// What `op` uses: of an operation that only gives a name to something, what that is.
  void insertOperands(Operation &op) {
    if (op.getNumResults() == 1 && model.getName(op.getResult(0)))
      return insert(op.getResult(0));
    for (Value operand : op.getOperands())
      insert(operand);
  }
  void erase(Value value) {
    auto held = values.find(value);
    if (held == values.end())
      return;
    total -= held->second.cost;
    if (isInScope())
      changes.push_back(Erased{value, std::move(held->second)});
    values.erase(held);
  }
  int64_t getTotal() const { return total; }

  /// What changes meanwhile is undone.
  class Scope {
  public:
    explicit Scope(LiveSet &live) : live(live), before(live.changes.size()) { ++live.numScopes; }
    ~Scope() {
      live.undo(before);
      --live.numScopes;
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    LiveSet &live;
    size_t before;
  };

private:
  /// Of a value what is alive: all of it, or parts.
  struct Held {
    int64_t cost = 0;
    SmallVector<std::pair<int64_t, int64_t>, 1> parts; ///< of how many, and which
  };
  /// A part of what is a part already; the outermost first.
  struct Part {
    unsigned around;
    ValuePart part;
  };
  static constexpr unsigned kWhole = 0;

  struct Followed {
    Value value;
    unsigned part;
  };
  struct Erased {
    Value value;
    Held held;
  };
  struct PartAdded {
    Value value;
    int64_t costBefore;
  };

  bool isInScope() const { return numScopes != 0; }

  unsigned getPart(unsigned around, const ValuePart &part) {
    auto [known, isNew] = numbers.try_emplace({{around, part.size}, {part.number, part.count}}, parts.size());
    if (isNew)
      parts.push_back({around, part});
    return known->second;
  }

  /// The innermost part that is one of such a value counts.
  ValuePart findPart(Value value, unsigned part) const {
    ValuePart found;
    if (part != kWhole)
      for (const int64_t size = model.getSize(value); part != kWhole && found.count == 1; part = parts[part].around)
        if (parts[part].part.size == size)
          found = parts[part].part;
    return found;
  }

  void hold(Value value, unsigned of) {
    const ValuePart part = findPart(value, of);
    const int64_t whole = model.getCost(value);
    Held &held = values[value];
    const std::pair<int64_t, int64_t> which(part.count, part.number);
    if (held.cost == whole || llvm::is_contained(held.parts, which))
      return;
    if (isInScope())
      changes.push_back(PartAdded{value, held.cost});
    total -= held.cost;
    held.parts.push_back(which);
    held.cost = std::min<int64_t>(whole, held.cost + llvm::divideCeil(whole, part.count));
    total += held.cost;
  }

  void undo(size_t before) {
    while (changes.size() > before) {
      Change change = changes.pop_back_val();
      if (auto *name = std::get_if<Followed>(&change)) {
        followed.erase({name->value, name->part});
      } else if (auto *erased = std::get_if<Erased>(&change)) {
        total += erased->held.cost;
        values[erased->value] = std::move(erased->held);
      } else {
        auto [value, cost] = std::get<PartAdded>(change);
        Held &held = values[value];
        total += cost - held.cost;
        held.cost = cost;
        held.parts.pop_back();
      }
    }
  }

  const PressureModel &model;
  DenseMap<Value, Held> values;
  DenseSet<std::pair<Value, unsigned>> followed; ///< names, and in which part of them
  SmallVector<Part> parts = {{kWhole, {}}};
  DenseMap<std::pair<std::pair<unsigned, int64_t>, std::pair<int64_t, int64_t>>, unsigned> numbers; ///< of parts
  using Change = std::variant<Followed, Erased, PartAdded>;
  SmallVector<Change> changes;
  unsigned numScopes = 0;
  int64_t total = 0;
};

bool mayRunAgain(Region &region) {
  auto branch = dyn_cast<RegionBranchOpInterface>(region.getParentOp());
  return !branch || !region.hasOneBlock() || branch.isRepetitiveRegion(region.getRegionNumber());
}

class PressureWalk {
public:
  explicit PressureWalk(const PressureModel &model) : model(model) {}

  /// From the end of `block`, after which `live` is alive; `held`: by loops around it.
  void visit(Block &block, LiveSet &live, int64_t held);

  RegisterPressure worst;

private:
  void visitRegions(Operation &op, LiveSet &live, int64_t held, int64_t own);

  const PressureModel &model;
};

void PressureWalk::visitRegions(Operation &op, LiveSet &live, int64_t held, int64_t own) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(op.getRegions(), used);
  auto insertUsed = [&] {
    for (Value value : used)
      live.insert(value);
  };
  for (Region &region : op.getRegions())
    for (Block &inner : region) {
      LiveSet::Scope scope(live);
      const bool isLoop = mayRunAgain(region);
      if (isLoop)
        insertUsed();
      visit(inner, live, isLoop ? own : held);
    }
  insertUsed();
}

void PressureWalk::visit(Block &block, LiveSet &live, int64_t held) {
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.erase(result);
    const int64_t own = held + model.getCost(&op);
    if (op.getNumRegions())
      visitRegions(op, live, held, own);
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
  for (Block &block : body) {
    LiveSet live(model);
    walk.visit(block, live, /*held=*/0);
  }
  return walk.worst;
}

RegisterPressure measureRegisterPressure(Region &body, llvm::function_ref<int64_t(Value)> cost) {
  return measureRegisterPressure(body, ValueModel(cost));
}

} // namespace tileiras
