//===- TileAAShapeOps.td - Shapes, MMAs and reductions -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_SHAPE_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_SHAPE_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tileiras/Dialect/TileAA/TileAABase.td"

class TileAA_ShapeOp<string mnemonic, list<Trait> traits = []> : TileAA_Op<mnemonic, [Pure] # traits>;

/// A view: the same elements with other coordinates.
class TileAA_RenamingOp<string mnemonic, string work>
    : TileAA_ShapeOp<mnemonic, [SameOperandsAndResultElementType, ViewLikeOpInterface, Work_Is<work>,
                                TileAA_SlicedAs<"Recompute">]> {
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def TileAA_SplatOp : TileAA_ShapeOp<"splat", [Work_Free, TileAA_SlicedAs<"Free">]> {
  let summary = "A tile whose elements all are the scalar";
  let arguments = (ins TileAA_Element:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TileAA_ExtractOp : TileAA_ShapeOp<"extract", [Work_Is<"Move">]> {
  let summary = "The element of a tile that has only one";
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Element:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TileAA_BroadcastOp : TileAA_ShapeOp<"broadcast", [SameOperandsAndResultElementType, Work_Free,
                                                              TileAA_SlicedAs<"Recompute">]> {
  let summary = "Widens axes of extent 1 by repetition; the rank stays";
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def TileAA_ExpandDimsOp : TileAA_RenamingOp<"expand_dims", "Free"> {
  let summary = "Inserts an axis of extent 1 at position `axis`";
  let arguments = (ins TileAA_Tile:$source, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source `axis` `=` $axis attr-dict `:` type($source) `->` type($result)";
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def TileAA_ViewOp : TileAA_RenamingOp<"view", "Move"> {
  let summary = "The same elements in row-major order under another shape";
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def TileAA_PermuteOp : TileAA_RenamingOp<"permute", "Move"> {
  let summary = "Reorders axes: axis `i` of the result is axis `permutation[i]` of the source";
  let arguments = (ins TileAA_Tile:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TileAA_CatOp : TileAA_ShapeOp<"cat", [SameOperandsAndResultElementType, Work_Is<"Move">, TileAA_SlicedAs<"Kept">]> {
  let summary = "Puts two tiles side by side along an axis";
  let arguments = (ins TileAA_Tile:$lhs, TileAA_Tile:$rhs, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `axis` `=` $axis attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileAA_ExtractSliceOp : TileAA_ShapeOp<"extract_slice", [AllElementTypesMatch<["source", "result"]>,
                                                                  Work_Is<"Move">, TileAA_SlicedAs<"Recompute">]> {
  let summary = "Cuts one slice out of the grid of equal slices of a tile";
  let description = [{
    The result's shape divides the source's. Index `i` counts slices, not elements, along axis `i`; an index outside
    of the grid gives an unspecified value.
  }];
  let arguments = (ins TileAA_Tile:$source, Variadic<I32>:$indices);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAA_InsertSliceOp : TileAA_ShapeOp<"insert_slice", [AllTypesMatch<["destination", "result"]>,
                                                                Work_Is<"Move">, TileAA_SlicedAs<"Kept">]> {
  let summary = "Replaces one slice of the grid of equal slices of a tile";
  let description = [{
    The source's shape divides the destination's. Index `i` counts slices, not elements, along axis `i`; an index
    outside of the grid gives an unspecified value.
  }];
  let arguments = (ins TileAA_Tile:$source, TileAA_Tile:$destination, Variadic<I32>:$indices);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $source `into` $destination `[` $indices `]` attr-dict `:` type($source) `into` type($destination)
  }];
  let hasVerifier = 1;
}

def TileAA_MakeRangeOp : TileAA_ShapeOp<"make_range", [Work_ByTypes, TileAA_SlicedAs<"Free">]> {
  let summary = "0, 1, 2, … as a tile of rank 1";
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAA_PackOp : TileAA_ShapeOp<"pack", [Work_Is<"Move">, TileAA_SlicedAs<"Recompute">]> {
  let summary = "The bytes of a rank-1 tile: lower bytes, and lower half-bytes, first";
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAA_UnpackOp : TileAA_ShapeOp<"unpack", [Work_Is<"Move">, TileAA_SlicedAs<"Recompute">]> {
  let summary = "Reads a rank-1 tile of bytes as elements of another type; the inverse of `pack`";
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

def TileAA_DotOp : TileAA_ShapeOp<"dot", [AllTypesMatch<["c", "result"]>, TileAA_SlicedAs<"Once">]> {
  let summary = "D = A * B + C";
  let description = [{
    A is M×K, B is K×N, C and D are M×N; a leading axis common to all makes it a batch. Integer operands say how
    they are read; the accumulator is signed. `fast_acc` allows the accumulation inside of one instruction to keep
    fewer bits than the accumulator has. `negate`, of floats: D = C - A * B.

    ```mlir
    %d = nv_tileaa.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    %e = nv_tileaa.dot %x signed, %y unsigned, %z : tensor<16x32xi8>, tensor<32x8xi8>, tensor<16x8xi32>
    ```
  }];
  let arguments = (ins TileAA_Tile:$a, TileAA_Tile:$b, TileAA_Tile:$c,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, UnitAttr:$fast_acc, UnitAttr:$negate);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $a `` custom<OptionalSignedness>($signedness_a) `,` $b `` custom<OptionalSignedness>($signedness_b) `,` $c
    (`fast_acc` $fast_acc^)? (`negate` $negate^)? attr-dict `:` type($a) `,` type($b) `,` type($c)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TileAA_MmaBlockScaleOp : TileAA_ShapeOp<"mma_block_scale", [AllTypesMatch<["c", "result"]>,
                                                                AttrSizedOperandSegments,
                                                                TileAA_SlicedAs<"Once">]> {
  let summary = "D = (A * scales) * (B * scales) + C with one scale for a block of elements along K";
  let description = [{
    A is M×K with scales M×(K/V), B is K×N with scales (K/V)×N, where V is the block length; a leading axis common to
    all makes it a batch. Where operands are `packed` they are tiles of i8, M×(K/2) and (K/2)×N, each of which holds two
    neighbours along K of type f4E2M1FN, the first one in its lower half.
  }];
  let arguments = (ins TileAA_Tile:$a, TileAA_Tile:$b, TileAA_Tile:$c, Optional<TileAA_Tile>:$sfa,
                       Optional<TileAA_Tile>:$sfb, UnitAttr:$fast_acc, UnitAttr:$packed);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $a (`scale` `(` $sfa^ `)`)? `,` $b (`scale` `(` $sfb^ `)`)? `,` $c (`fast_acc` $fast_acc^)? attr-dict
    `:` type($a) (`scale` `(` type($sfa)^ `)`)? `,` type($b) (`scale` `(` type($sfb)^ `)`)? `,` type($c)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

class TileAA_CombiningOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [RecursiveMemoryEffects, RecursivelySpeculatable, SameOperandsShape,
                           SingleBlockImplicitTerminator<"YieldOp">] # traits> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TileAA_ReduceOp : TileAA_CombiningOp<"reduce", [TileAA_SlicedAs<"Once">]> {
  let summary = "Combines the elements along an axis; the axis disappears";
  let description = [{
    The body combines two elements of each operand. Its arguments are scalars, two for every operand, in order: the
    current element, then the value accumulated so far. It is associative; the order of combination is the
    implementation's, the same in every run. `identities` holds the neutral element for each operand. Reducing the
    only axis gives scalars.

    ```mlir
    %s = nv_tileaa.reduce %t axis = 1 identities = [0.0 : f32] : (tensor<4x8xf32>) -> tensor<4xf32> {
    ^bb0(%x: f32, %acc: f32):
      %sum = arith.addf %x, %acc : f32
      nv_tileaa.yield %sum : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAA_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis,
                       ArrayAttr:$identities);
  let results = (outs Variadic<TileAA_ScalarOrTile>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis `identities` `=` $identities attr-dict `:` functional-type($operands, $results) $body
  }];
}

def TileAA_ScanOp : TileAA_CombiningOp<"scan", [TileAA_SlicedAs<"Kept">]> {
  let summary = "Inclusive prefix combination along an axis";
  let description = [{
    Body and identities are those of `reduce`. `reverse` starts from the last element.
  }];
  let arguments = (ins Variadic<TileAA_Tile>:$operands, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis,
                       UnitAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<TileAA_Tile>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis (`reverse` $reverse^)? `identities` `=` $identities attr-dict
    `:` functional-type($operands, $results) $body
  }];
}

def TileAA_YieldOp : TileAA_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "Ends the region of an operation of this dialect with its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange{}); }]>];
}

#endif // TILEIRAS_DIALECT_TILEAA_SHAPE_OPS_TD
