//===- CudaTileFloatOps.td - Floating-point arithmetic -----*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEFLOATOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEFLOATOPS_TD

include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

class CudaTile_FloatUnaryOp<string mnemonic, string summary>
    : CudaTile_UnaryOp<mnemonic, CudaTile_FloatTile, summary>;
class CudaTile_FloatBinaryOp<string mnemonic, string summary>
    : CudaTile_BinaryOp<mnemonic, CudaTile_FloatTile, summary>;

def CudaTile_AbsFOp : CudaTile_FloatUnaryOp<"absf", "absolute value">;
def CudaTile_NegFOp : CudaTile_FloatUnaryOp<"negf", "value with the other sign">;
def CudaTile_CeilOp : CudaTile_FloatUnaryOp<"ceil", "smallest integer that is not below">;
def CudaTile_FloorOp : CudaTile_FloatUnaryOp<"floor", "largest integer that is not above">;
def CudaTile_LogOp : CudaTile_FloatUnaryOp<"log", "natural logarithm">;
def CudaTile_Log2Op : CudaTile_FloatUnaryOp<"log2", "logarithm to base 2">;
def CudaTile_SinOp : CudaTile_FloatUnaryOp<"sin", "sine">;
def CudaTile_CosOp : CudaTile_FloatUnaryOp<"cos", "cosine">;
def CudaTile_TanOp : CudaTile_FloatUnaryOp<"tan", "tangent">;
def CudaTile_SinHOp : CudaTile_FloatUnaryOp<"sinh", "hyperbolic sine">;
def CudaTile_CosHOp : CudaTile_FloatUnaryOp<"cosh", "hyperbolic cosine">;
def CudaTile_RemFOp : CudaTile_FloatBinaryOp<"remf", "remainder of the division rounded to zero">;

// Subnormal inputs and results become zero of the same sign; for f32 only.
class CudaTile_FlushableUnaryOp<string mnemonic, string summary> : CudaTile_FloatUnaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_FloatTile:$source, UnitAttr:$flush_to_zero);
  let assemblyFormat = "$source (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_Exp2Op : CudaTile_FlushableUnaryOp<"exp2", "power of two">;
def CudaTile_RsqrtOp : CudaTile_FlushableUnaryOp<"rsqrt", "reciprocal of the square root">;

def CudaTile_SqrtOp : CudaTile_FloatUnaryOp<"sqrt", "square root"> {
  let arguments = (ins CudaTile_FloatTile:$source, CudaTile_Rounding<"NEAREST_EVEN">:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source custom<Rounding>($rounding_mode, "RoundingMode::NEAREST_EVEN") (`flush_to_zero` $flush_to_zero^)?
    attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

// The fast form is for f32 only.
class CudaTile_ApproximableOp<string mnemonic, string summary> : CudaTile_FloatUnaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_FloatTile:$source, CudaTile_Rounding<"FULL">:$rounding_mode);
  let assemblyFormat = [{
    $source custom<Rounding>($rounding_mode, "RoundingMode::FULL") attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_ExpOp : CudaTile_ApproximableOp<"exp", "natural exponential">;
def CudaTile_TanHOp : CudaTile_ApproximableOp<"tanh", "hyperbolic tangent">;

class CudaTile_RoundedBinaryOp<string mnemonic, string summary> : CudaTile_FloatBinaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs,
                       CudaTile_Rounding<"NEAREST_EVEN">:$rounding_mode, UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Rounding>($rounding_mode, "RoundingMode::NEAREST_EVEN") (`flush_to_zero` $flush_to_zero^)?
    attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_AddFOp : CudaTile_RoundedBinaryOp<"addf", "sum">;
def CudaTile_SubFOp : CudaTile_RoundedBinaryOp<"subf", "difference">;
def CudaTile_MulFOp : CudaTile_RoundedBinaryOp<"mulf", "product">;
def CudaTile_DivFOp : CudaTile_RoundedBinaryOp<"divf", "quotient"> {
  let description = [{
    Besides the IEEE rounding modes, for f32: `approx` (multiplication by the reciprocal) and `full` (scaled to the
    whole range), both within 2 ulp.
  }];
}

def CudaTile_FmaOp : CudaTile_Op<"fma", [Pure, SameOperandsAndResultType]> {
  let summary = "lhs * rhs + acc, rounded once";
  let arguments = (ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs, CudaTile_FloatTile:$acc,
                       CudaTile_Rounding<"NEAREST_EVEN">:$rounding_mode, UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Rounding>($rounding_mode, "RoundingMode::NEAREST_EVEN")
    (`flush_to_zero` $flush_to_zero^)? attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

// With `propagate_nan` one NaN is enough for a NaN; without it the other operand is the result.
class CudaTile_ExtremumOp<string mnemonic, string summary> : CudaTile_FloatBinaryOp<mnemonic, summary> {
  let arguments = (ins CudaTile_FloatTile:$lhs, CudaTile_FloatTile:$rhs, UnitAttr:$propagate_nan,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | `propagate_nan` $propagate_nan) attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_MaxFOp : CudaTile_ExtremumOp<"maxf", "maximum; +0.0 is above -0.0">;
def CudaTile_MinFOp : CudaTile_ExtremumOp<"minf", "minimum; -0.0 is below +0.0">;

def CudaTile_Atan2Op : CudaTile_FloatBinaryOp<"atan2", "angle whose tangent is x / y, in the quadrant of both"> {
  let description = "Since 13.2.";
  let arguments = (ins CudaTile_FloatTile:$x, CudaTile_FloatTile:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_PowOp : CudaTile_FloatBinaryOp<"pow", "source to the power of exponent"> {
  let arguments = (ins CudaTile_FloatTile:$source, CudaTile_FloatTile:$exponent);
  let assemblyFormat = "$source `,` $exponent attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_FPowIOp : CudaTile_Op<"fpowi", [Pure, AllTypesMatch<["source", "result"]>,
                                             AllShapesMatch<["source", "exponent"]>]> {
  let summary = "source to the power of a signed integer";
  let description = "Since 13.4.";
  let arguments = (ins CudaTile_FloatTile:$source,
                       CudaTile_TileOf<[AnyTypeOf<[I1, I8, I16, I32], "i1, i8, i16 or i32">]>:$exponent);
  let results = (outs CudaTile_FloatTile:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<ShortType>(type($source)) `,` custom<ShortType>(type($exponent))
    `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_CmpFOp : CudaTile_Op<"cmpf", [Pure, AllTypesMatch<["lhs", "rhs"]>,
    TypesMatchWith<"result has the operands' shape", "lhs", "result", "getI1SameShape($_self)">]> {
  let summary = "comparison of floating-point numbers";
  let description = "With a NaN the result is false if `ordered`, true if `unordered`.";
  let arguments = (ins CudaTile_ComparisonPredicateAttr:$comparison_predicate,
                       CudaTile_ComparisonOrderingAttr:$comparison_ordering, CudaTile_FloatTile:$lhs,
                       CudaTile_FloatTile:$rhs);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Keyword>($comparison_predicate) custom<Keyword>($comparison_ordering) $lhs `,` $rhs attr-dict `:`
    custom<ShortType>(type($lhs)) `->` custom<ShortType>(type($result))
  }];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEFLOATOPS_TD
