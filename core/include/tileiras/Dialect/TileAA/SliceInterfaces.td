//===- SliceInterfaces.td - Operations on slices of tiles --*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How an operation computes a tile that does not fit in registers. No interface is needed by elementwise operations
// without effects: they are `Recompute`. What else says nothing takes and gives whole tiles, which is right and slow.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_SLICEINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAA_SLICEINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAA_SliceOpInterface : OpInterface<"SliceOpInterface"> {
  let cppNamespace = "::tileiras::aa";
  let description = [{
    An operation that can be done slice by slice. Outside of `nv_tileaa` all tiles of such an operation have one shape,
    its other results are memory tokens, and slice i of each result needs slice i of each operand and nothing else of
    it: slicing clones the operation for each slice, with slices in place of its tiles. One with tiles of several shapes
    is done as a whole.
  }];
  let methods = [
    InterfaceMethod<"How often a slice is computed. `Recompute` is only for operations without effects.",
      "::tileiras::aa::SliceKind", "getSliceKind", (ins), "",
      "return ::tileiras::aa::detail::getSliceKindOf($_op);">,
  ];
}

class TileAA_SliceTrait<string kind> : ParamNativeOpTrait<"SlicedAs", "::tileiras::aa::SliceKind::" # kind> {
  let cppNamespace = "::tileiras::aa";
}

/// It always is of the SliceKind of this name.
class TileAA_SlicedAs<string kind> : TraitList<[TileAA_SliceOpInterface, TileAA_SliceTrait<kind>]>;

#endif // TILEIRAS_DIALECT_TILEAA_SLICEINTERFACES_TD
