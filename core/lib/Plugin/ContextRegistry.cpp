//===- ContextRegistry.cpp - What plugins added, for passes ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/ContextRegistry.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"

namespace tileiras {
namespace {

class ContextRegistry final : public mlir::DialectInterface::Base<ContextRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ContextRegistry)

  ContextRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  const Registry *registry = nullptr;
};

const ContextRegistry *getInterface(mlir::MLIRContext &context) {
  return context.getLoadedDialect<mlir::BuiltinDialect>()->getRegisteredInterface<ContextRegistry>();
}

} // namespace

void attachRegistry(mlir::MLIRContext &context, const Registry &registry, llvm::ArrayRef<TuningOverride> overrides) {
  mlir::Dialect *builtin = context.getLoadedDialect<mlir::BuiltinDialect>();
  if (!builtin->getRegisteredInterface<ContextRegistry>())
    builtin->addInterface<ContextRegistry>();
  // Interfaces are handed out as const; this one is only changed here, before passes run.
  const_cast<ContextRegistry *>(getInterface(context))->registry = &registry;
  attachTargets(
      context, [&registry](llvm::StringRef chip) { return registry.findTargetForChip(chip); }, overrides);
}

const Registry *getAttachedRegistry(mlir::MLIRContext &context) {
  const ContextRegistry *attached = getInterface(context);
  return attached ? attached->registry : nullptr;
}

} // namespace tileiras
