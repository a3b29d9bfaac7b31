//===- CudaTileOpBase.td - What the operations share -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEOPBASE_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEOPBASE_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/CudaTile/CudaTileTypes.td"

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

def CudaTile_IsTile : CPred<"::llvm::isa<::tileiras::cuda_tile::TileType>($_self)">;
def CudaTile_IsScalar : CPred<"::llvm::cast<::tileiras::cuda_tile::TileType>($_self).getRank() == 0">;

class CudaTile_TileOf<list<Type> elements, string description = "tile">
  : ShapedContainerType<elements, CudaTile_IsTile, description, "::tileiras::cuda_tile::TileType">;

class CudaTile_ScalarOf<list<Type> elements>
  : ShapedContainerType<elements, And<[CudaTile_IsTile, CudaTile_IsScalar]>, "tile of rank 0",
                        "::tileiras::cuda_tile::TileType">;

// Messages name element types as programs spell them: MLIR's "16-bit float" would be bf16, too.

// What arithmetic takes: narrower numbers (i4, tf32, f8, f4) are stored and converted only.
def CudaTile_ArithInt : AnyTypeOf<[I1, I8, I16, I32, I64], "i1, i8, i16, i32 or i64">;
def CudaTile_ArithFloat : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;

def CudaTile_IntTile : CudaTile_TileOf<[CudaTile_ArithInt]>;
def CudaTile_FloatTile : CudaTile_TileOf<[CudaTile_ArithFloat]>;
def CudaTile_AnyIntTile : CudaTile_TileOf<[CudaTile_Int]>;
def CudaTile_AnyFloatTile : CudaTile_TileOf<[CudaTile_Float]>;
def CudaTile_NumberTile : CudaTile_TileOf<[CudaTile_Number]>;
def CudaTile_PointerTile : CudaTile_TileOf<[CudaTile_PointerType]>;
def CudaTile_I1Tile : CudaTile_TileOf<[AnyTypeOf<[I1], "i1">]>;
def CudaTile_I8Tile : CudaTile_TileOf<[AnyTypeOf<[I8], "i8">]>;
def CudaTile_I32Tile : CudaTile_TileOf<[AnyTypeOf<[I32], "i32">]>;
def CudaTile_I64Tile : CudaTile_TileOf<[AnyTypeOf<[I64], "i64">]>;
def CudaTile_IntScalar : CudaTile_ScalarOf<[CudaTile_ArithInt]>;
def CudaTile_I1Scalar
  : CudaTile_ScalarOf<[AnyTypeOf<[I1], "i1">]>, BuildableType<"::tileiras::cuda_tile::TileType::get({}, $_builder.getI1Type())">;
def CudaTile_I32Scalar
  : CudaTile_ScalarOf<[AnyTypeOf<[I32], "i32">]>, BuildableType<"::tileiras::cuda_tile::TileType::get({}, $_builder.getI32Type())">;
def CudaTile_PointerScalar : CudaTile_ScalarOf<[CudaTile_PointerType]>;

def CudaTile_View : Type<CPred<"::llvm::isa<::tileiras::cuda_tile::TileViewInterface>($_self)">, "view",
                         "::tileiras::cuda_tile::TileViewInterface">;

// Whatever a value of the language can be.
def CudaTile_Any : Type<
    CPred<"::llvm::isa<::tileiras::cuda_tile::CudaTileDialect>($_self.getDialect()) && "
          "!::llvm::isa<::tileiras::cuda_tile::PointerType>($_self)">, "tile, view or token">;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// A weak access may go if nobody needs its result; any other orders memory for somebody else.
def CudaTile_MemoryEffects : DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

class CudaTile_Op<string mnemonic, list<Trait> traits = []> : Op<CudaTile_Dialect, mnemonic, traits>;

// An operation with a region: within it the dialect's prefix is left out.
class CudaTile_RegionOp<string mnemonic, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, traits # [OpAsmOpInterface]> {
  code defaultDialect = [{
    static ::llvm::StringRef getDefaultDialect() { return CudaTileDialect::getDialectNamespace(); }
  }];
  let extraClassDeclaration = defaultDialect;
}

class CudaTile_UnaryOp<string mnemonic, Type tile, string summary_>
    : CudaTile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = summary_;
  let arguments = (ins tile:$source);
  let results = (outs tile:$result);
  let assemblyFormat = "$source attr-dict `:` custom<ShortType>(type($result))";
}

class CudaTile_BinaryOp<string mnemonic, Type tile, string summary_>
    : CudaTile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = summary_;
  let arguments = (ins tile:$lhs, tile:$rhs);
  let results = (outs tile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<ShortType>(type($result))";
}

// Rounding of a result; `initial` is what is not written.
class CudaTile_Rounding<string initial>
    : DefaultValuedAttr<CudaTile_RoundingModeAttr, "::tileiras::cuda_tile::RoundingMode::" # initial>;

def CudaTile_Overflow : DefaultValuedAttr<CudaTile_IntegerOverflowAttr,
                                          "::tileiras::cuda_tile::IntegerOverflow::NONE">;

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEOPBASE_TD
