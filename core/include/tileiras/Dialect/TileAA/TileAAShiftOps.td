//===- TileAAShiftOps.td - Shifts by any amount ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shifts of the language: their amount is unsigned, and may be anything. Those of `arith` are poison by the width or
// more; where an amount is known to be below, canonicalization leaves them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_SHIFT_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_SHIFT_OPS_TD

include "tileiras/Dialect/TileAA/TileAABase.td"

class TileAA_ShiftOp<string mnemonic>
    : TileAA_Op<mnemonic, [Pure, SameOperandsAndResultType, Work_ByTypes] # ElementwiseMappable.traits> {
  let arguments = (ins TileAA_IntLike:$lhs, TileAA_IntLike:$rhs);
  let results = (outs TileAA_IntLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAA_ShLIOp : TileAA_ShiftOp<"shli"> {
  let summary = "Shift to the left; 0 by the width or more";
}
def TileAA_ShRUIOp : TileAA_ShiftOp<"shrui"> {
  let summary = "Logical shift to the right; 0 by the width or more";
}
def TileAA_ShRSIOp : TileAA_ShiftOp<"shrsi"> {
  let summary = "Arithmetic shift to the right; 0 or -1, as the sign, by the width or more";
}

#endif // TILEIRAS_DIALECT_TILEAA_SHIFT_OPS_TD
