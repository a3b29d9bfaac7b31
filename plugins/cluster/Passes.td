//===- Passes.td - The cluster plugin's passes --------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_PASSES
#define TILEIRAS_PLUGINS_CLUSTER_PASSES

include "mlir/Pass/PassBase.td"

def TileASSinkNegF : InterfacePass<"sink-negf-through-shapes", "mlir::FunctionOpInterface"> {
  let summary = "Move negf before shape operations";
  let description = [{
    `negf(broadcast(x))` becomes `broadcast(negf(x))`, and likewise for `expand_dims`: less work, and the sign ends up
    where an MMA can take it as an operand modifier.
  }];
  let dependentDialects = ["tileiras::as::TileASDialect", "mlir::arith::ArithDialect"];
}

#endif // TILEIRAS_PLUGINS_CLUSTER_PASSES
