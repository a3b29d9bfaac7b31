//===- ModuleTarget.cpp - What a function is compiled for -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleTarget.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Target/ContextTargets.h"

using namespace mlir;
using namespace tileiras;

/// Warps of a function that does not say how many it wants.
static constexpr int64_t kDefaultNumWarps = 4;

static std::string getChip(Operation *op, StringRef fallback) {
  for (Operation *module = op; module; module = module->getParentOp())
    if (auto spec = module->getAttrOfType<aa::TargetSpecAttr>(aa::TileAADialect::getTargetSpecAttrName()))
      if (!spec.getChip().empty())
        return spec.getChip().str();
  return fallback.str();
}

const Target *tileiras::findModuleTarget(aa::FuncOp func, StringRef fallbackChip) {
  std::string chip = getChip(func, fallbackChip);
  if (chip.empty())
    return nullptr;
  // The session's own targets first, then those published to the process.
  if (ChipTarget found = findChipTarget(*func.getContext(), chip))
    return found.target;
  return lookupTarget(chip);
}

int64_t tileiras::getNumWarps(aa::FuncOp func) {
  aa::KernelSpecAttr spec = func.getKernelSpecAttr();
  return spec ? spec.getNumWarps() : kDefaultNumWarps;
}
