//===- CorePasses.cpp - The passes the core brings along ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"

using namespace tileiras;

std::vector<PassEntry> tileiras::getCorePasses() {
  std::vector<PassEntry> passes;
  auto add = [&](std::function<std::unique_ptr<mlir::Pass>()> create) {
    std::string argument = create()->getArgument().str();
    passes.push_back({std::move(argument), "core", std::move(create)});
  };
  // One line a pass, in pipeline order.
  add(createConvertNvTileFuncToLLVM);
  add(createConvertTileASToLLVM);
  add(createFinalizeLLVMKernel);
  return passes;
}
