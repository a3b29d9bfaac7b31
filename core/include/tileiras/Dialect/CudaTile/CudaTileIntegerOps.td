//===- CudaTileIntegerOps.td - Integer arithmetic and bits -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEINTEGEROPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEINTEGEROPS_TD

include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

// Integers have no sign of their own: where it matters, the operation says how it reads them. Overflow wraps, unless
// `overflow` promises that it does not happen.

class CudaTile_IntUnaryOp<string mnemonic, string summary> : CudaTile_UnaryOp<mnemonic, CudaTile_IntTile, summary>;
class CudaTile_IntBinaryOp<string mnemonic, string summary> : CudaTile_BinaryOp<mnemonic, CudaTile_IntTile, summary>;

class CudaTile_WrappingOp<string mnemonic, string summary> : CudaTile_IntBinaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, CudaTile_Overflow:$overflow);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:` custom<ShortType>(type($result))
  }];
}

class CudaTile_SignedOp<string mnemonic, string summary> : CudaTile_IntBinaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Keyword>($signedness) attr-dict `:` custom<ShortType>(type($result))
  }];
}

def CudaTile_AddIOp : CudaTile_WrappingOp<"addi", "sum">;
def CudaTile_SubIOp : CudaTile_WrappingOp<"subi", "difference">;
def CudaTile_MulIOp : CudaTile_WrappingOp<"muli", "product, its low half">;
def CudaTile_ShLIOp : CudaTile_WrappingOp<"shli", "shift to the left by an unsigned amount">;
def CudaTile_ShRIOp : CudaTile_SignedOp<"shri", "shift to the right, arithmetic if signed">;
def CudaTile_MaxIOp : CudaTile_SignedOp<"maxi", "maximum">;
def CudaTile_MinIOp : CudaTile_SignedOp<"mini", "minimum">;
def CudaTile_RemIOp : CudaTile_SignedOp<"remi", "remainder of the division rounded to zero">;
def CudaTile_AndIOp : CudaTile_IntBinaryOp<"andi", "bitwise and">;
def CudaTile_OrIOp : CudaTile_IntBinaryOp<"ori", "bitwise or">;
def CudaTile_XOrIOp : CudaTile_IntBinaryOp<"xori", "bitwise exclusive or">;
def CudaTile_AbsIOp : CudaTile_IntUnaryOp<"absi", "absolute value of a signed integer, as unsigned">;

def CudaTile_MulhiIOp : CudaTile_IntBinaryOp<"mulhii", "high half of the product of unsigned integers"> {
  let arguments = (ins CudaTile_IntTile:$x, CudaTile_IntTile:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_DivIOp : CudaTile_SignedOp<"divi", "quotient"> {
  let description = [{
    Rounded to zero, up (`positive_inf`) or down (`negative_inf`). Rounding an unsigned quotient down is the same as
    to zero. Division by zero, and of the smallest signed value by -1, is undefined.
  }];
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness,
                       CudaTile_Rounding<"ZERO">:$rounding);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Keyword>($signedness) (`rounding` `` $rounding^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_NegIOp : CudaTile_IntUnaryOp<"negi", "negated integer"> {
  let arguments = (ins CudaTile_IntTile:$source, CudaTile_Overflow:$overflow);
  let assemblyFormat = "$source (`overflow` `` $overflow^)? attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_CmpIOp : CudaTile_Op<"cmpi", [Pure, AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"result has the operands' shape", "lhs", "result", "getI1SameShape($_self)">]> {
  let summary = "comparison of integers";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate, CudaTile_IntTile:$lhs,
                       CudaTile_IntTile:$rhs, CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Keyword>($comparison_predicate) $lhs `,` $rhs `,` custom<Keyword>($signedness) attr-dict `:`
    custom<ShortType>(type($lhs)) `->` custom<ShortType>(type($result))
  }];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEINTEGEROPS_TD
