//===- ModuleTarget.cpp - What a function is compiled for -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

using namespace mlir;
using namespace tileiras;

static std::string getChip(Operation *op, StringRef fallback) {
  for (Operation *module = op; module; module = module->getParentOp())
    if (auto spec = module->getAttrOfType<aa::TargetSpecAttr>(aa::TileAADialect::getTargetSpecAttrName()))
      if (!spec.getChip().empty())
        return spec.getChip().str();
  return fallback.str();
}

ChipTarget tileiras::findModuleTarget(Operation *func, StringRef fallbackChip) {
  std::string chip = getChip(func, fallbackChip);
  return chip.empty() ? ChipTarget() : findChipTarget(*func->getContext(), chip);
}

const MachineModel &tileiras::findModuleMachine(Operation *func, StringRef fallbackChip) {
  static const MachineModel unknown;
  const ChipTarget target = findModuleTarget(func, fallbackChip);
  return target ? target.machine() : unknown;
}
