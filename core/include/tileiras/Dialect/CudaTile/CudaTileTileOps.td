//===- CudaTileTileOps.td - Tiles as a whole: constants, shapes, matrices, reductions -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILETILEOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILETILEOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

//===----------------------------------------------------------------------===//
// Sources of tiles
//===----------------------------------------------------------------------===//

def CudaTile_ConstantOp : CudaTile_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tile of known elements";
  let description = [{
    One number stands for all elements, or nested lists give each.

    ```mlir
    %0 = constant <f32: 0.0> : tile<4x8xf32>
    %1 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    ```
  }];
  let arguments = (ins Builtin_DenseIntOrFPElementsAttr:$value);
  let results = (outs CudaTile_NumberTile:$result);
  let assemblyFormat = "custom<Elements>($value) attr-dict";
  let hasFolder = 1;
}

def CudaTile_IotaOp : CudaTile_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, … n-1";
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

class CudaTile_ShapeOp<string mnemonic, string summary_, list<Trait> traits>
    : CudaTile_Op<mnemonic, [Pure] # traits> {
  let summary = summary_;
  let arguments = (ins CudaTile_TileType:$source);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_BroadcastOp : CudaTile_ShapeOp<"broadcast", "dimensions of size 1 repeated", [
    SameOperandsAndResultElementType, AllRanksMatch<["source", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def CudaTile_ReshapeOp : CudaTile_ShapeOp<"reshape", "same elements in row-major order, other shape", [
    SameOperandsAndResultElementType, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def CudaTile_PermuteOp : CudaTile_ShapeOp<"permute", "dimensions in another order", [
    SameOperandsAndResultElementType, AllRanksMatch<["source", "result"]>]> {
  let description = "Dimension `i` of the result is dimension `permutation[i]` of the source.";
  let arguments = (ins CudaTile_TileType:$source, DenseI32ArrayAttr:$permutation);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` custom<ShortType>(type($source)) `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_ExtractOp : CudaTile_ShapeOp<"extract", "one of the equal parts of a tile", [
    AllElementTypesMatch<["source", "result"]>, AllRanksMatch<["source", "result"]>]> {
  let description = "The result's shape divides the source's; the indices count parts, not elements.";
  let arguments = (ins CudaTile_TileType:$source, Variadic<CudaTile_I32Scalar>:$indices);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` custom<ShortType>(type($source)) `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_InsertOp : CudaTile_Op<"insert", [Pure, AllTypesMatch<["destination", "result"]>,
    AllElementTypesMatch<["source", "destination"]>, AllRanksMatch<["source", "destination"]>]> {
  let summary = "a tile with one of its equal parts replaced";
  let description = "The source's shape divides the destination's; the indices count parts. Since 13.4.";
  let arguments = (ins CudaTile_TileType:$source, CudaTile_TileType:$destination,
                       Variadic<CudaTile_I32Scalar>:$indices);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source `,` $destination `[` $indices `]` attr-dict `:` custom<ShortType>(type($source)) `,`
    custom<ShortType>(type($destination)) `->` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_CatOp : CudaTile_Op<"cat", [Pure, AllRanksMatch<["lhs", "rhs", "result"]>,
    AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "two tiles one after the other along a dimension";
  let arguments = (ins CudaTile_TileType:$lhs, CudaTile_TileType:$rhs, I64Attr:$dim);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:` custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs))
    `->` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_SelectOp : CudaTile_Op<"select", [Pure, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
                                               AllShapesMatch<["cond", "result"]>]> {
  let summary = "elements of one tile or the other";
  let arguments = (ins CudaTile_I1Tile:$cond, CudaTile_TileType:$val_if_true, CudaTile_TileType:$val_if_false);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict `:` custom<ShortType>(type($cond)) `,`
    custom<ShortType>(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

// lhs (M x K) times rhs (K x N) plus acc (M x N); with a third, leading dimension for each of a batch.
class CudaTile_MmaOp<string mnemonic, string summary_> : CudaTile_Op<mnemonic, [Pure, AllTypesMatch<["acc", "result"]>,
    AllElementTypesMatch<["lhs", "rhs"]>, AllRanksMatch<["lhs", "rhs", "acc"]>]> {
  let summary = summary_;
  let hasVerifier = 1;
}

def CudaTile_MmaSumTile : CudaTile_TileOf<[AnyTypeOf<[F16, F32, F64], "f16, f32 or f64">]>;

def CudaTile_MmaFOp : CudaTile_MmaOp<"mmaf", "matrix multiply-accumulate of floating-point numbers"> {
  let description = "`fast_acc`, since 13.3, allows f8 MMAs to be summed with less precision.";
  let arguments = (ins CudaTile_AnyFloatTile:$lhs, CudaTile_AnyFloatTile:$rhs,
                       CudaTile_MmaSumTile:$acc, UnitAttr:$fast_acc);
  let results = (outs CudaTile_MmaSumTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` custom<ShortType>(type($lhs)) `,`
    custom<ShortType>(type($rhs)) `,` custom<ShortType>(type($acc))
  }];
}

def CudaTile_MmaIOp : CudaTile_MmaOp<"mmai", "matrix multiply-accumulate of bytes"> {
  let arguments = (ins CudaTile_I8Tile:$lhs, CudaTile_I8Tile:$rhs, CudaTile_I32Tile:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs, CudaTile_SignednessAttr:$signedness_rhs);
  let results = (outs CudaTile_I32Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Keyword>($signedness_lhs) custom<Keyword>($signedness_rhs) attr-dict `:`
    custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs)) `,` custom<ShortType>(type($acc))
  }];
}

def CudaTile_ScaledTile : CudaTile_TileOf<[AnyTypeOf<[F8E4M3FN, F8E5M2, F4E2M1FN], "f8E4M3FN, f8E5M2 or f4E2M1FN">]>;
def CudaTile_ScaleTile : CudaTile_TileOf<[AnyTypeOf<[F8E8M0FNU, F8E4M3FN], "f8E8M0FNU or f8E4M3FN">]>;
def CudaTile_F32Tile : CudaTile_TileOf<[AnyTypeOf<[F32], "f32">]>;

def CudaTile_MmaFScaledOp : CudaTile_MmaOp<"mmaf_scaled", "matrix multiply-accumulate of blocks with a scale each"> {
  let description = [{
    `lhs_scale` (M x K/b) and `rhs_scale` (K/b x N) scale b elements along K each: 32, or 16 for f4. Since 13.3.
  }];
  let arguments = (ins CudaTile_ScaledTile:$lhs, CudaTile_ScaledTile:$rhs, CudaTile_F32Tile:$acc,
                       CudaTile_ScaleTile:$lhs_scale, CudaTile_ScaleTile:$rhs_scale);
  let results = (outs CudaTile_F32Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` custom<ShortType>(type($lhs)) `,`
    custom<ShortType>(type($rhs)) `,` custom<ShortType>(type($acc)) `,` custom<ShortType>(type($lhs_scale)) `,`
    custom<ShortType>(type($rhs_scale))
  }];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// The body combines two elements of each operand into one: argument 2i is the current element, 2i + 1 what came before
// it. It must be associative and pure; the identities are its neutral elements.
class CudaTile_AggregateOp<string mnemonic, list<string> asmMethods>
    : CudaTile_Op<mnemonic, [RecursiveMemoryEffects, SameOperandsShape, InferTypeOpAdaptor,
                             SingleBlockImplicitTerminator<"YieldOp">,
                             DeclareOpInterfaceMethods<OpAsmOpInterface, asmMethods # ["getDefaultDialect"]>]> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ReduceOp : CudaTile_AggregateOp<"reduce", ["getAsmResultNames", "getAsmBlockArgumentNames"]> {
  let summary = "elements along a dimension combined into one";
  let description = [{
    ```mlir
    %sum = reduce %x dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
    (%lhs: tile<f32>, %rhs: tile<f32>) {
      %0 = addf %lhs, %rhs : tile<f32>
      yield %0 : tile<f32>
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_TileType>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       ArrayAttr:$identities);
  let results = (outs Variadic<CudaTile_TileType>:$results);
  let assemblyFormat = [{
    $operands attr-dict `dim` `` `=` `` $dim `identities` `` `=` `` $identities `:`
    custom<ShortType>(type($operands)) `->` custom<ShortType>(type($results)) custom<Combiner>($body)
  }];
}

def CudaTile_ScanOp : CudaTile_AggregateOp<"scan", []> {
  let summary = "prefixes of a dimension combined";
  let arguments = (ins Variadic<CudaTile_TileType>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       BoolAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<CudaTile_TileType>:$results);
  let assemblyFormat = [{
    $operands attr-dict `dim` `` `=` `` $dim `reverse` `` `=` `` $reverse `identities` `` `=` `` $identities `:`
    custom<ShortType>(type($operands)) `->` custom<ShortType>(type($results)) custom<Combiner>($body)
  }];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILETILEOPS_TD
