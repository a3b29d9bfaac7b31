//===- TileAAElementwiseOps.td - Elementwise operations ----*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that upstream `arith` and `math` cannot say: rounding modes, flushing of subnormals, approximations,
// saturation, narrow formats, pointers. All of it works on scalars, tensors and tensors with an encoding, element by
// element, and stays in use after the conversion to nv_tileas.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ELEMENTWISE_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_ELEMENTWISE_OPS_TD

include "tileiras/Dialect/TileAA/TileAABase.td"

class TileAA_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [Pure] # ElementwiseMappable.traits # traits>;

defvar RoundingArg = DefaultValuedAttr<TileAA_RoundingModeAttr, "::tileiras::aa::RoundingMode::NearestEven">;

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// `ftz` flushes subnormal operands and results to a zero of the same sign (f32 only).
class TileAA_FloatOp<string mnemonic, list<Trait> traits = []>
    : TileAA_ElementwiseOp<mnemonic, [SameOperandsAndResultType] # traits> {
  let results = (outs TileAA_FloatLike:$result);
  let hasVerifier = 1;
}

class TileAA_FloatBinaryOp<string mnemonic, list<Trait> traits = []> : TileAA_FloatOp<mnemonic, traits> {
  let arguments = (ins TileAA_FloatLike:$lhs, TileAA_FloatLike:$rhs, RoundingArg:$rounding, UnitAttr:$ftz);
  let assemblyFormat = [{
    $lhs `,` $rhs (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:` type($result)
  }];
}

class TileAA_FloatUnaryOp<string mnemonic, list<Trait> traits = []> : TileAA_FloatOp<mnemonic, traits> {
  let arguments = (ins TileAA_FloatLike:$source, RoundingArg:$rounding, UnitAttr:$ftz);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:` type($result)
  }];
}

def TileAA_AddFOp : TileAA_FloatBinaryOp<"addf", [Commutative, Work_ByTypes]> {
  let summary = "Addition with a rounding mode";
}
def TileAA_SubFOp : TileAA_FloatBinaryOp<"subf", [Work_ByTypes]> {
  let summary = "Subtraction with a rounding mode";
}
def TileAA_MulFOp : TileAA_FloatBinaryOp<"mulf", [Commutative, Work_ByTypes]> {
  let summary = "Multiplication with a rounding mode";
}
def TileAA_DivFOp : TileAA_FloatBinaryOp<"divf", [Work_Is<"Division">]> {
  let summary = "Division with a rounding mode, `approx` or `full`";
}

def TileAA_FmaOp : TileAA_FloatOp<"fma", [Work_ByTypes]> {
  let summary = "lhs * rhs + acc, rounded once";
  let arguments = (ins TileAA_FloatLike:$lhs, TileAA_FloatLike:$rhs, TileAA_FloatLike:$acc, RoundingArg:$rounding,
                       UnitAttr:$ftz);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:` type($result)
  }];
}

def TileAA_SqrtOp : TileAA_FloatUnaryOp<"sqrt", [Work_Is<"Division">]> {
  let summary = "Square root with a rounding mode or `approx`";
}
def TileAA_RsqrtOp : TileAA_FloatUnaryOp<"rsqrt", [Work_Is<"Special">]> {
  let summary = "Reciprocal square root; the only rounding besides the default is `approx`";
}
def TileAA_ExpOp : TileAA_FloatUnaryOp<"exp", [Work_Is<"Special">]> {
  let summary = "e to the power of the operand; the only rounding besides the default is `approx`";
}
def TileAA_Exp2Op : TileAA_FloatUnaryOp<"exp2", [Work_Is<"Special">]> {
  let summary = "2 to the power of the operand; the only rounding besides the default is `approx`";
}
def TileAA_TanhOp : TileAA_FloatUnaryOp<"tanh", [Work_Is<"Special">]> {
  let summary = "Hyperbolic tangent; the only rounding besides the default is `approx`";
}

class TileAA_FloatMinMaxOp<string mnemonic> : TileAA_FloatOp<mnemonic, [Commutative,
    DeclareOpInterfaceMethods<WorkOpInterface, ["getElementWork"]>]> {
  let arguments = (ins TileAA_FloatLike:$lhs, TileAA_FloatLike:$rhs, UnitAttr:$propagate_nan, UnitAttr:$ftz);
  let assemblyFormat = [{
    $lhs `,` $rhs (`propagate_nan` $propagate_nan^)? (`ftz` $ftz^)? attr-dict `:` type($result)
  }];
}

def TileAA_MaxFOp : TileAA_FloatMinMaxOp<"maxf"> {
  let summary = "The greater operand; a NaN wins with `propagate_nan` and loses without; +0 is above -0";
}
def TileAA_MinFOp : TileAA_FloatMinMaxOp<"minf"> {
  let summary = "The smaller operand; a NaN wins with `propagate_nan` and loses without; -0 is below +0";
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

def TileAA_MulhiUIOp : TileAA_ElementwiseOp<"mulhiui", [Commutative, SameOperandsAndResultType, Work_ByTypes]> {
  let summary = "Upper half of the double-width product of unsigned integers";
  let arguments = (ins TileAA_IntLike:$lhs, TileAA_IntLike:$rhs);
  let results = (outs TileAA_IntLike:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

class TileAA_CastOp<string mnemonic, list<Trait> traits = []>
    : TileAA_ElementwiseOp<mnemonic, [SameOperandsAndResultShape] # traits>;

def TileAA_FToIOp : TileAA_CastOp<"ftoi", [Work_ByTypes]> {
  let summary = "Float to integer, rounded towards zero";
  let description = [{
    Values outside of the integer's range give its nearest bound, NaN gives 0 (unlike `arith.fptosi`, where both are
    undefined). An i1 is an integer of one bit: unsigned values 0 and 1, signed values -1 and 0.
  }];
  let arguments = (ins TileAA_FloatLike:$source, TileAA_SignednessAttr:$signedness);
  let results = (outs TileAA_IntLike:$result);
  let assemblyFormat = "$source $signedness attr-dict `:` type($source) `to` type($result)";
}

def TileAA_IToFOp : TileAA_CastOp<"itof", [Work_ByTypes]> {
  let summary = "Integer to float with a rounding mode";
  let arguments = (ins TileAA_IntLike:$source, TileAA_SignednessAttr:$signedness, RoundingArg:$rounding);
  let results = (outs TileAA_FloatLike:$result);
  let assemblyFormat = [{
    $source $signedness (`rounding` `` $rounding^)? attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def TileAA_FpToFpOp : TileAA_CastOp<"fp_to_fp", [Work_ByTypes]> {
  let summary = "Float to float, with a rounding mode, to and from any format";
  let description = [{
    Takes the formats that have no arithmetic of their own (tf32, f8E4M3FN, f8E5M2, f8E8M0FNU, f4E2M1FN) besides f16,
    bf16, f32 and f64. Formats without infinity saturate to their largest finite value.
  }];
  let arguments = (ins TileAA_FloatLike:$source, RoundingArg:$rounding);
  let results = (outs TileAA_FloatLike:$result);
  let assemblyFormat = "$source (`rounding` `` $rounding^)? attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def TileAA_AddPtrOp : TileAA_ElementwiseOp<"addptr", [AllTypesMatch<["base", "result"]>, Work_Is<"Integer">]> {
  let summary = "Advances pointers by signed offsets, counted in elements";
  let description = [{
    `base` and `offset` have the same shape (both scalar or both tiles). Neither the scaled offset nor the sum may
    overflow 64 bits.
  }];
  let arguments = (ins TileAA_PtrLike:$base, TileAA_IntLike:$offset);
  let results = (outs TileAA_PtrLike:$result);
  let assemblyFormat = "$base `,` $offset attr-dict `:` type($base) `,` type($offset)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAA_IntToPtrOp : TileAA_CastOp<"int_to_ptr", [Work_Free]> {
  let summary = "Reads an i64 as an address";
  let arguments = (ins TileAA_I64Like:$source);
  let results = (outs TileAA_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}

def TileAA_PtrToIntOp : TileAA_CastOp<"ptr_to_int", [Work_Free]> {
  let summary = "The address a pointer holds";
  let arguments = (ins TileAA_PtrLike:$source);
  let results = (outs TileAA_I64Like:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
}

def TileAA_BitcastOp : TileAA_CastOp<"bitcast", [Work_Free]> {
  let summary = "A pointer to another element type, same address";
  let description = "Numbers of equal width are reinterpreted by `arith.bitcast`.";
  let arguments = (ins TileAA_PtrLike:$source);
  let results = (outs TileAA_PtrLike:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

def TileAA_AssumeOp : TileAA_Op<"assume", [Pure, TileAA_StaysInTileAS, Work_Free, TileAA_SlicedAs<"Recompute">,
                                           AllTypesMatch<["value", "result"]>]> {
  let summary = "The same value, with a fact stated about it";
  let description = [{
    The fact is a hint for choosing faster code. Real programs state false ones (a stride of 1 on an axis of extent 1
    that "is divisible by 16"), so a user may rely on it only where a false statement cannot touch memory the program
    does not touch; it is never undefined behaviour.

    ```mlir
    %q = nv_tileaa.assume #nv_tileaa.div_by<16>, %p : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins AnyType:$value, TileAA_AssumePredicateInterface:$predicate);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$predicate `,` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_ELEMENTWISE_OPS_TD
