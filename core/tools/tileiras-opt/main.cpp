//===- main.cpp - tileiras-opt: run passes over a module ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with our dialects, the core's passes and those of any plugin.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tileiras/Compiler/Dialects.h"
#include "tileiras/Pipeline/CorePasses.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry dialects;
  tileiras::registerDialects(dialects);

  mlir::registerTransformsPasses();
  mlir::arith::registerArithPasses();
  mlir::registerSCFPasses();
  for (const tileiras::PassEntry &entry : tileiras::getCorePasses())
    mlir::registerPass(entry.create);

  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tileiras-opt: run passes over Tile IR\n", dialects));
}
