//===- ContextTargets.cpp - The targets passes can ask --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/ContextTargets.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "tileiras/Plugin/Registry.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Hangs the registry on the builtin dialect: every context has that, and it dies with the context.
class ContextTargets final : public DialectInterface::Base<ContextTargets> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ContextTargets)

  ContextTargets(Dialect *dialect) : Base(dialect) {}
  const Registry *registry = nullptr;
};

} // namespace

void attachTargets(MLIRContext &context, const Registry &registry) {
  Dialect *builtin = context.getLoadedDialect<BuiltinDialect>();
  if (!builtin->getRegisteredInterface<ContextTargets>())
    builtin->addInterface<ContextTargets>();
  // Interfaces are handed out as const; this one is only changed here, before passes run.
  const_cast<ContextTargets *>(builtin->getRegisteredInterface<ContextTargets>())->registry = &registry;
}

const Registry *getAttachedRegistry(MLIRContext &context) {
  const auto *targets = context.getLoadedDialect<BuiltinDialect>()->getRegisteredInterface<ContextTargets>();
  return targets ? targets->registry : nullptr;
}

ChipTarget findChipTarget(MLIRContext &context, llvm::StringRef name) {
  const Registry *registry = getAttachedRegistry(context);
  const Target *target = registry ? registry->findTargetForChip(name) : nullptr;
  if (!target)
    return {};
  return {target, target->findChip(name)};
}

} // namespace tileiras
