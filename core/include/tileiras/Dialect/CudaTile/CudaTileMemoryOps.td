//===- CudaTileMemoryOps.td - Pointers and memory ----------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEMEMORYOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEMEMORYOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

// Memory operations ("tko", token-ordered) are ordered by the tokens they take and give, not by the program.

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", [Pure]> {
  let summary = "token that nothing comes before";
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", [Pure]> {
  let summary = "token after several";
  let arguments = (ins Variadic<CudaTile_TokenType>:$tokens);
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat = "$tokens attr-dict `:` custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_MemoryFenceAliasTkoOp : CudaTile_Op<"memory_fence_alias_tko"> {
  let summary = "orders accesses to the same memory through different addresses";
  let description = "Since 13.4.";
  let arguments = (ins CudaTile_TokenType:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = "`token` `=` $token attr-dict `->` custom<ShortType>(type($result_token))";
}

// Grid dependency control; without effect where the hardware has none. Since 13.4.
class CudaTile_GridDependencyOp<string mnemonic, string summary_> : CudaTile_Op<mnemonic> {
  let summary = summary_;
  let arguments = (ins Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = "(`token` `=` $token^)? attr-dict `->` custom<ShortType>(type($result_token))";
}

def CudaTile_GdcLaunchDependentsTkoOp
    : CudaTile_GridDependencyOp<"gdc_launch_dependents_tko", "lets the kernels that depend on this one begin">;
def CudaTile_GdcWaitTkoOp
    : CudaTile_GridDependencyOp<"gdc_wait_tko", "waits until the kernels before this one are complete">;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def CudaTile_OffsetOp : CudaTile_Op<"offset", [Pure, SameOperandsAndResultShape, AllTypesMatch<["ptr", "result"]>]> {
  let summary = "pointers moved by a signed number of elements";
  let arguments = (ins CudaTile_PointerTile:$ptr, CudaTile_IntTile:$offset);
  let results = (outs CudaTile_PointerTile:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<ShortType>(type($ptr)) `,` custom<ShortType>(type($offset)) `->`
    custom<ShortType>(type($result))
  }];
}

def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "address of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_PointerScalar:$result);
  let assemblyFormat = "$name attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_AllocaOp : CudaTile_Op<"alloca", [MemoryEffects<[MemAlloc<AutomaticAllocationScopeResource>]>]> {
  let summary = "memory for the rest of the enclosing block";
  let description = [{
    Room for `num_elem` elements, aligned to `alignment` bytes. Private to the tile block, unless `global`.
    Since 13.3.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$num_elem, I64Attr:$alignment, UnitAttr:$global);
  let results = (outs CudaTile_PointerScalar:$result);
  let assemblyFormat = [{
    `num_elem` `=` $num_elem `,` `alignment` `=` $alignment (`global` $global^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_AssumeOp : CudaTile_Op<"assume", [Pure, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a value and a fact about it";
  let description = "If the fact is false, the behaviour is undefined.";
  let arguments = (ins CudaTile_Any:$value, CudaTile_AssumePredicateInterface:$predicate);
  let results = (outs CudaTile_Any:$result);
  let assemblyFormat = "custom<Predicate>($predicate) `,` $value attr-dict `:` custom<ShortType>(type($value))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Access through pointers
//===----------------------------------------------------------------------===//

class CudaTile_PointsTo<string pointers, string values>
    : PredOpTrait<"'" # pointers # "' must point to the elements of '" # values # "', one each",
                  CPred<"pointsTo($" # pointers # ".getType(), $" # values # ".getType())">>;

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects,
    CudaTile_PointsTo<"source", "result">]> {
  let summary = "elements at addresses";
  let description = "Where the mask is false, nothing is read; the element is the padding value, unspecified without.";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_PointerTile:$source,
                       Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_NumberTile>:$paddingValue,
                       Optional<CudaTile_TokenType>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TileType:$result, CudaTile_TokenType:$result_token);
  // Written like the store, except that the padding value may come without a mask: what a lone operand is, its type
  // tells.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects,
    CudaTile_PointsTo<"destination", "value">]> {
  let summary = "elements to addresses";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_PointerTile:$destination,
                       CudaTile_TileType:$value, Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_TokenType>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($memory_ordering_semantics, $memory_scope) $destination `,` $value (`,` $mask^)?
    (`token` `` `=` `` $token^)? (`optimization_hints` `=` $optimization_hints^)? attr-dict `:`
    custom<ShortType>(type($destination)) `,` custom<ShortType>(type($value))
    (`,` custom<ShortType>(type($mask))^)? `->` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicCASTkoOp : CudaTile_Op<"atomic_cas_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects,
    AllTypesMatch<["cmp", "val", "result"]>, CudaTile_PointsTo<"pointers", "val">]> {
  let summary = "atomic replacement of elements that have the expected bits";
  let description = "The result is what was in memory; `cmp` where the mask is false.";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_PointerTile:$pointers, CudaTile_NumberTile:$cmp,
                       CudaTile_NumberTile:$val, Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_NumberTile:$result, CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<Keyword>($memory_ordering_semantics) custom<Keyword>($memory_scope) $pointers `,` $cmp `,` $val
    (`,` $mask^)? (`token` `` `=` `` $token^)? attr-dict `:` custom<ShortType>(type($pointers)) `,`
    custom<ShortType>(type($val)) (`,` custom<ShortType>(type($mask))^)? `->` custom<ShortType>(type($result)) `,`
    custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects,
    AllTypesMatch<["arg", "result"]>, CudaTile_PointsTo<"pointers", "arg">]> {
  let summary = "atomic change of elements";
  let description = "The result is what was in memory; unspecified where the mask is false.";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_PointerTile:$pointers,
                       CudaTile_AtomicRMWModeAttr:$mode, CudaTile_NumberTile:$arg, Optional<CudaTile_I1Tile>:$mask,
                       Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_NumberTile:$result, CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<Keyword>($memory_ordering_semantics) custom<Keyword>($memory_scope) $pointers `,` custom<Keyword>($mode)
    `,` $arg (`,` $mask^)? (`token` `` `=` `` $token^)? attr-dict `:` custom<ShortType>(type($pointers)) `,`
    custom<ShortType>(type($arg)) (`,` custom<ShortType>(type($mask))^)? `->` custom<ShortType>(type($result)) `,`
    custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEMEMORYOPS_TD
