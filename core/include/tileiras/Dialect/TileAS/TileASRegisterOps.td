//===- TileASRegisterOps.td - Which registers hold what -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASREGISTEROPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASREGISTEROPS_TD

include "tileiras/Dialect/TileAS/TileASOpBase.td"

def TileAS_CopyRegistersOp : TileAS_Op<"copy_registers", [AllTypesMatch<["source", "result"]>,
                                                          MemoryEffects<[MemRead, MemWrite]>, Work_ByTypes]> {
  let summary = "The same tile in registers of its own";
  let description = [{
    A copy that stays where it is, between the MMAs and waits around it: made by `convert-tileas-to-llvm` where a
    register allocator could otherwise copy an accumulator while an MMA still has its registers.

    ```mlir
    %own = nv_tileas.copy_registers %sum : tensor<128x256xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_Tensor:$source);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASREGISTEROPS_TD
