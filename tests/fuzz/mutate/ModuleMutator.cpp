//===- ModuleMutator.cpp - Another module that verifies -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleMutator.h"
#include "ModuleEditor.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

static llvm::ArrayRef<ChangeKind> getKinds() {
  static const SmallVector<ChangeKind> kinds = [] {
    SmallVector<ChangeKind> all;
    for (llvm::ArrayRef<ChangeKind> part :
         {getOperationChanges(), getValueChanges(), getControlChanges(), getExtentChanges(), getModuleChanges()})
      llvm::append_range(all, part);
    return all;
  }();
  return kinds;
}

SmallVector<llvm::StringRef> tileiras::fuzz::getChangeNames() {
  return llvm::map_to_vector(getKinds(), [](const ChangeKind &kind) { return llvm::StringRef(kind.name); });
}

static const ChangeKind &pickKind(Random &random) {
  uint64_t total = 0;
  for (const ChangeKind &kind : getKinds())
    total += kind.weight;
  uint64_t at = random.below(total);
  for (const ChangeKind &kind : getKinds()) {
    if (at < kind.weight)
      return kind;
    at -= kind.weight;
  }
  llvm_unreachable("the weights add up");
}

/// Tries changes until a module comes out that verifies and is wanted, on a copy each time. `pick` gives the next.
static OwningOpRef<ct::ModuleOp> tryChange(ct::ModuleOp module, ct::ModuleOp donor, Random &random,
                                           const MutationOptions &options,
                                           llvm::function_ref<const ChangeKind &()> pick, llvm::StringRef &name) {
  ScopedDiagnosticHandler ignore(module.getContext(), [](Diagnostic &) { return success(); });
  for (int attempt = 0; attempt < 12; ++attempt) {
    OwningOpRef<ct::ModuleOp> copy(module.clone());
    ModuleEditor editor(*copy, donor, random);
    const ChangeKind &kind = pick();
    name = kind.name;
    if (kind.apply(editor) && succeeded(verify(*copy)) && (!options.isWanted || options.isWanted(*copy)))
      return copy;
  }
  return {};
}

OwningOpRef<ct::ModuleOp> tileiras::fuzz::mutateModule(ct::ModuleOp module, ct::ModuleOp donor, Random &random,
                                                       const MutationOptions &options,
                                                       SmallVectorImpl<llvm::StringRef> *changes) {
  OwningOpRef<ct::ModuleOp> changed;
  for (uint64_t more = 1 + random.below(options.maxChanges); more > 0; --more) {
    llvm::StringRef name;
    OwningOpRef<ct::ModuleOp> next = tryChange(
        changed ? *changed : module, donor, random, options, [&]() -> const ChangeKind & { return pickKind(random); },
        name);
    if (!next)
      continue;
    changed = std::move(next);
    if (changes)
      changes->push_back(name);
  }
  return changed;
}

OwningOpRef<ct::ModuleOp> tileiras::fuzz::crossModules(ct::ModuleOp module, ct::ModuleOp donor, Random &random) {
  static constexpr ChangeKind crossing{"splice", 1, splice};
  llvm::StringRef name;
  return tryChange(
      module, donor, random, {}, []() -> const ChangeKind & { return crossing; }, name);
}
