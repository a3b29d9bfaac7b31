//===- CudaTileConversionOps.td - Conversions --------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILECONVERSIONOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILECONVERSIONOPS_TD

include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

class CudaTile_CastOp<string mnemonic, Type sourceTile, Type resultTile, string summary_>
    : CudaTile_Op<mnemonic, [Pure, AllShapesMatch<["source", "result"]>]> {
  let summary = summary_;
  let arguments = (ins sourceTile:$source);
  let results = (outs resultTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_BitcastOp
    : CudaTile_CastOp<"bitcast", CudaTile_NumberTile, CudaTile_NumberTile, "same bits, other type of the same width"> {
  let hasVerifier = 1;
}
def CudaTile_IntToPtrOp
    : CudaTile_CastOp<"int_to_ptr", CudaTile_I64Tile, CudaTile_PointerTile, "addresses from integers">;
def CudaTile_PtrToIntOp
    : CudaTile_CastOp<"ptr_to_int", CudaTile_PointerTile, CudaTile_I64Tile, "addresses as integers">;
def CudaTile_PtrToPtrOp
    : CudaTile_CastOp<"ptr_to_ptr", CudaTile_PointerTile, CudaTile_PointerTile, "same addresses, other pointee">;

// The operands of numeric conversions are called `from` and `to`.
class CudaTile_ConvertOp<string mnemonic, Type toTile, string summary_>
    : CudaTile_Op<mnemonic, [Pure, AllShapesMatch<["from", "to"]>]> {
  let summary = summary_;
  let results = (outs toTile:$to);
  let hasVerifier = 1;
  string types = "attr-dict `:` custom<ShortType>(type($from)) `->` custom<ShortType>(type($to))";
}

def CudaTile_ExtIOp : CudaTile_ConvertOp<"exti", CudaTile_AnyIntTile, "wider integer, zero- or sign-extended"> {
  let arguments = (ins CudaTile_AnyIntTile:$from, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = "$from custom<Keyword>($signedness) " # types;
}

def CudaTile_TruncIOp : CudaTile_ConvertOp<"trunci", CudaTile_AnyIntTile, "narrower integer, its low bits"> {
  let arguments = (ins CudaTile_AnyIntTile:$from, CudaTile_Overflow:$overflow);
  let assemblyFormat = "$from (`overflow` `` $overflow^)? " # types;
}

def CudaTile_FToFOp : CudaTile_ConvertOp<"ftof", CudaTile_AnyFloatTile, "other floating-point type"> {
  let arguments = (ins CudaTile_AnyFloatTile:$from, CudaTile_Rounding<"NEAREST_EVEN">:$rounding_mode);
  let assemblyFormat = "$from custom<Rounding>($rounding_mode, \"RoundingMode::NEAREST_EVEN\") " # types;
}

def CudaTile_IToFOp : CudaTile_ConvertOp<"itof", CudaTile_AnyFloatTile, "nearest floating-point number"> {
  let arguments = (ins CudaTile_IntTile:$from, CudaTile_SignednessAttr:$signedness,
                       CudaTile_Rounding<"NEAREST_EVEN">:$rounding_mode);
  let assemblyFormat = [{
    $from custom<Keyword>($signedness) custom<Rounding>($rounding_mode, "RoundingMode::NEAREST_EVEN")
  }] # types;
}

def CudaTile_FToIOp : CudaTile_ConvertOp<"ftoi", CudaTile_IntTile, "integer, rounded to zero"> {
  let description = [{
    A value out of range gives the closest one of the result's type, NaN gives 0. `saturating`, since 13.4, promises
    the same for infinities.
  }];
  let arguments = (ins CudaTile_AnyFloatTile:$from, CudaTile_SignednessAttr:$signedness,
                       CudaTile_Rounding<"NEAREST_INT_TO_ZERO">:$rounding_mode, UnitAttr:$saturating);
  let assemblyFormat = [{
    $from custom<Keyword>($signedness) custom<Rounding>($rounding_mode, "RoundingMode::NEAREST_INT_TO_ZERO")
    (`saturating` $saturating^)?
  }] # types;
}

// Both tiles have rank 1 and the same number of bits.
class CudaTile_PackingOp<string mnemonic, Type sourceTile, Type resultTile, string summary_>
    : CudaTile_Op<mnemonic, [Pure]> {
  let summary = summary_;
  let description = "Elements narrower than a byte fill it from its low bits on. Since 13.3.";
  let arguments = (ins sourceTile:$source);
  let results = (outs resultTile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_PackOp : CudaTile_PackingOp<"pack", CudaTile_NumberTile, CudaTile_I8Tile, "the bytes of a tile">;
def CudaTile_UnpackOp : CudaTile_PackingOp<"unpack", CudaTile_I8Tile, CudaTile_NumberTile, "the tile of some bytes">;

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILECONVERSIONOPS_TD
