//===- Passes.td - The layout plugin's passes ---------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_PASSES
#define TILEIRAS_PLUGINS_LAYOUT_PASSES

include "mlir/Pass/PassBase.td"

def TileASAssignLayouts : InterfacePass<"tileas-assign-layouts", "mlir::FunctionOpInterface"> {
  let summary = "Choose the register layout of every tile";
  let description = [{
    Assigns layouts anew, whatever the function had: tiles that belong together (by elementwise operations, by control
    flow) share one, chosen by the operation that gains most from it: matrix products first, then loads, then stores.
    Shape operations hand it on. `convert_layout` stands where two wishes meet; those that were there before are gone,
    and constants, splats and ranges are made in the layout of each user. What an operation wants it says itself,
    through LayoutOpInterface, ShapeLayoutOpInterface or ProductOpInterface; the target named by the module's
    `nv_tileaa.target_spec` names the atoms of products.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASRemoveDeadArgs : InterfacePass<"tileas-remove-dead-args", "mlir::FunctionOpInterface"> {
  let summary = "Remove unused block arguments from region-branch operations";
  let description = [{
    Drops every block argument of a region-branch operation that nothing in its region uses, together with the incoming
    operands and the result it stands for. An argument that is only handed back to its own position counts as unused: its
    result is its initial value.

    ```mlir
    %r:2 = scf.for … iter_args(%acc = %init, %dead = %x) -> (tensor<…>, tensor<…>) { … scf.yield %new, %dead : … }
    // becomes
    %r = scf.for … iter_args(%acc = %init) -> (tensor<…>) { … scf.yield %new : … }
    ```
  }];
}

#endif // TILEIRAS_PLUGINS_LAYOUT_PASSES
