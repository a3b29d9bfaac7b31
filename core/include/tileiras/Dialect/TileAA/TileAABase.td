//===- TileAABase.td - What all nv_tileaa operations share -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_BASE_TD
#define TILEIRAS_DIALECT_TILEAA_BASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAA/SliceInterfaces.td"
include "tileiras/Dialect/TileAA/TileAATypes.td"
include "tileiras/Work/WorkInterface.td"

/// Stands in nv_tileas functions, too. Elementwise operations do without being told.
def TileAA_StaysInTileAS : NativeOpTrait<"StaysInTileAS"> {
  let cppNamespace = "::tileiras::aa";
}

class TileAA_Op<string mnemonic, list<Trait> traits = []> : Op<TileAA_Dialect, mnemonic, traits>;

#endif // TILEIRAS_DIALECT_TILEAA_BASE_TD
