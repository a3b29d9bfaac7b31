//===- ContextTargets.cpp - The targets passes can ask --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/ContextTargets.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include <map>
#include <mutex>

using namespace mlir;

namespace tileiras {
namespace {

/// Hangs the registry on the builtin dialect: every context has that, and it dies with the context.
class ContextTargets final : public DialectInterface::Base<ContextTargets> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ContextTargets)

  ContextTargets(Dialect *dialect) : Base(dialect) {}

  void attach(FindTarget newFind, llvm::ArrayRef<TuningOverride> newOverrides) {
    find = std::move(newFind);
    overrides = newOverrides;
    models.clear();
  }
  const Target *findTarget(llvm::StringRef chip) const { return find ? find(chip) : nullptr; }

  /// The model of the target with the overrides; null where there are none.
  const TuningModel *getOverridden(const ChipTarget &chip) const {
    if (overrides.empty())
      return nullptr;
    std::lock_guard lock(mutex);
    auto [it, isNew] = models.try_emplace(chip.chip->name, chip.target->tuning(*chip.chip));
    if (isNew)
      for (const TuningOverride &item : overrides)
        it->second.*item.field = item.value;
    return &it->second;
  }

private:
  FindTarget find;
  std::vector<TuningOverride> overrides;
  mutable std::mutex mutex; ///< of `models`
  mutable std::map<std::string, TuningModel> models;
};

const ContextTargets *getInterface(MLIRContext &context) {
  return context.getLoadedDialect<BuiltinDialect>()->getRegisteredInterface<ContextTargets>();
}

} // namespace

void attachTargets(MLIRContext &context, FindTarget find, llvm::ArrayRef<TuningOverride> overrides) {
  Dialect *builtin = context.getLoadedDialect<BuiltinDialect>();
  if (!builtin->getRegisteredInterface<ContextTargets>())
    builtin->addInterface<ContextTargets>();
  // Interfaces are handed out as const; this one is only changed here, before passes run.
  const_cast<ContextTargets *>(getInterface(context))->attach(std::move(find), overrides);
}

ChipTarget findChipTarget(MLIRContext &context, llvm::StringRef name) {
  const ContextTargets *targets = getInterface(context);
  const Target *target = targets ? targets->findTarget(name) : nullptr;
  if (!target)
    return {};
  ChipTarget chip{target, target->findChip(name)};
  chip.overridden = targets->getOverridden(chip);
  return chip;
}

const TuningModel &ChipTarget::tuning() const {
  static const TuningModel unknown;
  return overridden ? *overridden : target ? target->tuning(*chip) : unknown;
}

} // namespace tileiras
