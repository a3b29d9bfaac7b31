//===- TileASInterfaces.td - Interfaces of nv_tileas -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASINTERFACES_TD

include "mlir/IR/OpBase.td"

def DistributedLayoutAttrInterface : AttrInterface<"DistributedLayoutAttrInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    A tensor encoding that distributes the elements over the registers of the threads of a CTA.
  }];
  let methods = [
    InterfaceMethod<[{
        The layout of a tile of extents `shape` (powers of two): input bits of dims Register, Lane and Warp to tile
        coordinates. Surjective; the tensor type verifier has established that the encoding fits the shape.
      }], "::tileiras::LinearLayout", "toLinearLayout", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"The warps among which a tile is distributed (a power of two).",
      "int64_t", "getNumWarps", (ins)>,
  ];
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASINTERFACES_TD
