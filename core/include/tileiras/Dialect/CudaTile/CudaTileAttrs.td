//===- CudaTileAttrs.td - Attributes of the tile language ---*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEATTRS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tileiras/Dialect/CudaTile/CudaTileDialect.td"
include "tileiras/Dialect/CudaTile/CudaTileInterfaces.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

// The numbers are the encoding of the public bytecode.
class CudaTile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tileiras::cuda_tile";
  let genSpecializedAttr = 0;
}

class CudaTile_EnumAttr<CudaTile_Enum enum, string mnemonic> : EnumAttr<CudaTile_Dialect, enum, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def CudaTile_Signedness : CudaTile_Enum<"Signedness", "how an operation reads its integers", [
  I32EnumAttrCase<"Unsigned", 0, "unsigned">, I32EnumAttrCase<"Signed", 1, "signed">]>;
def CudaTile_SignednessAttr : CudaTile_EnumAttr<CudaTile_Signedness, "signedness">;

// The compiler may assume that the operation does not wrap in the named interpretation.
def CudaTile_IntegerOverflow : CudaTile_Enum<"IntegerOverflow", "overflow that cannot happen", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"NSW", 1, "no_signed_wrap">,
  I32EnumAttrCase<"NUW", 2, "no_unsigned_wrap">, I32EnumAttrCase<"NW", 3, "no_wrap">]>;
def CudaTile_IntegerOverflowAttr : CudaTile_EnumAttr<CudaTile_IntegerOverflow, "overflow">;

def CudaTile_RoundingMode : CudaTile_Enum<"RoundingMode", "rounding of a result", [
  I32EnumAttrCase<"NEAREST_EVEN", 0, "nearest_even">, I32EnumAttrCase<"ZERO", 1, "zero">,
  I32EnumAttrCase<"NEGATIVE_INF", 2, "negative_inf">, I32EnumAttrCase<"POSITIVE_INF", 3, "positive_inf">,
  I32EnumAttrCase<"APPROX", 4, "approx">, I32EnumAttrCase<"FULL", 5, "full">,
  I32EnumAttrCase<"NEAREST_INT_TO_ZERO", 6, "nearest_int_to_zero">,
  I32EnumAttrCase<"NEAREST_AWAY", 7, "nearest_away">]>;
def CudaTile_RoundingModeAttr : CudaTile_EnumAttr<CudaTile_RoundingMode, "rounding">;

// What a comparison with NaN gives: false if ordered, true if unordered.
def CudaTile_ComparisonOrdering : CudaTile_Enum<"ComparisonOrdering", "ordering of a comparison", [
  I32EnumAttrCase<"UNORDERED", 0, "unordered">, I32EnumAttrCase<"ORDERED", 1, "ordered">]>;
def CudaTile_ComparisonOrderingAttr : CudaTile_EnumAttr<CudaTile_ComparisonOrdering, "comparison_ordering">;

def CudaTile_ComparisonPredicate : CudaTile_Enum<"ComparisonPredicate", "predicate of a comparison", [
  I32EnumAttrCase<"EQUAL", 0, "equal">, I32EnumAttrCase<"NOT_EQUAL", 1, "not_equal">,
  I32EnumAttrCase<"LESS_THAN", 2, "less_than">, I32EnumAttrCase<"LESS_THAN_OR_EQUAL", 3, "less_than_or_equal">,
  I32EnumAttrCase<"GREATER_THAN", 4, "greater_than">,
  I32EnumAttrCase<"GREATER_THAN_OR_EQUAL", 5, "greater_than_or_equal">]>;
def CudaTile_ComparisonPredicateAttr : CudaTile_EnumAttr<CudaTile_ComparisonPredicate, "comparison_predicate">;

def CudaTile_AtomicRMWMode : CudaTile_Enum<"AtomicRMWMode", "what an atomic operation does to memory", [
  I32EnumAttrCase<"AND", 0, "and">, I32EnumAttrCase<"OR", 1, "or">, I32EnumAttrCase<"XOR", 2, "xor">,
  I32EnumAttrCase<"ADD", 3, "add">, I32EnumAttrCase<"ADDF", 4, "addf">, I32EnumAttrCase<"MAX", 5, "max">,
  I32EnumAttrCase<"MIN", 6, "min">, I32EnumAttrCase<"UMAX", 7, "umax">, I32EnumAttrCase<"UMIN", 8, "umin">,
  I32EnumAttrCase<"XCHG", 9, "xchg">]>;
def CudaTile_AtomicRMWModeAttr : CudaTile_EnumAttr<CudaTile_AtomicRMWMode, "atomic_rmw_mode">;

// How far the threads that may access the same location at the same time are apart.
def CudaTile_MemoryScope : CudaTile_Enum<"MemoryScope", "memory scope", [
  I32EnumAttrCase<"TL_BLK", 0, "tl_blk">, I32EnumAttrCase<"DEVICE", 1, "device">, I32EnumAttrCase<"SYS", 2, "sys">]>;
def CudaTile_MemoryScopeAttr : CudaTile_EnumAttr<CudaTile_MemoryScope, "memory_scope">;

// `weak` promises that nothing else accesses the location at the same time.
def CudaTile_MemoryOrderingSemantics : CudaTile_Enum<"MemoryOrderingSemantics", "memory ordering semantics", [
  I32EnumAttrCase<"WEAK", 0, "weak">, I32EnumAttrCase<"RELAXED", 1, "relaxed">,
  I32EnumAttrCase<"ACQUIRE", 2, "acquire">, I32EnumAttrCase<"RELEASE", 3, "release">,
  I32EnumAttrCase<"ACQ_REL", 4, "acq_rel">]>;
def CudaTile_MemoryOrderingSemanticsAttr
    : CudaTile_EnumAttr<CudaTile_MemoryOrderingSemantics, "memory_ordering_semantics">;

def CudaTile_PaddingValue : CudaTile_Enum<"PaddingValue", "what a view reads outside its tensor", [
  I32EnumAttrCase<"zero", 0>, I32EnumAttrCase<"neg_zero", 1>, I32EnumAttrCase<"nan", 2>,
  I32EnumAttrCase<"pos_inf", 3>, I32EnumAttrCase<"neg_inf", 4>]>;
def CudaTile_PaddingValueAttr : CudaTile_EnumAttr<CudaTile_PaddingValue, "padding_value">;

def CudaTile_SymbolVisibility : CudaTile_Enum<"SymbolVisibility", "who sees a global", [
  I32EnumAttrCase<"Public", 0, "public">, I32EnumAttrCase<"Private", 1, "private">]>;
def CudaTile_SymbolVisibilityAttr : CudaTile_EnumAttr<CudaTile_SymbolVisibility, "symbol_visibility">;

// What a pointer may point into; since 13.4.
def CudaTile_PtrAttr : CudaTile_Enum<"PtrAttr", "kind of memory behind a pointer", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"UNICAST", 1, "unicast">,
  I32EnumAttrCase<"MULTICAST", 2, "multicast">]>;
def CudaTile_PtrAttrAttr : CudaTile_EnumAttr<CudaTile_PtrAttr, "ptr_attr">;

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

class CudaTile_Attr<string name, string mnemonic_, list<Trait> traits = []> : AttrDef<CudaTile_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

def CudaTile_OptimizationHintsAttr : CudaTile_Attr<"OptimizationHints", "optimization_hints"> {
  let summary = "hints to the compiler, by architecture";
  let description = [{
    A dictionary from an architecture (or `default`) to a dictionary of hints: `num_cta_in_cga`, `occupancy`,
    `num_worker_warps_per_cta` for an entry, `latency` for loads and stores, `allow_tma` for those through a view.

    ```mlir
    optimization_hints=<default = {num_cta_in_cga = 2, occupancy = 2}>
    ```

    Only the form is verified. A hint that means nothing, or has a value out of range, never fails a compilation:
    the stage that would have used it ignores it with a remark.
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The hint `name` for `architecture`, else the one for `default`, else null.
    ::mlir::Attribute getHint(::llvm::StringRef architecture, ::llvm::StringRef name) const;
    /// The dictionaries that apply to `architecture`, the one that counts most first: its own, that of the chip it is a
    /// variant of (with a letter behind the number), the default.
    ::llvm::SmallVector<::mlir::DictionaryAttr> getGroups(::llvm::StringRef architecture) const;
  }];
}

//===----------------------------------------------------------------------===//
// Predicates of assume
//===----------------------------------------------------------------------===//

class CudaTile_PredicateAttr<string name, string mnemonic>
    : CudaTile_Attr<name, mnemonic, [DeclareAttrInterfaceMethods<CudaTile_AssumePredicateInterface>]>;

def CudaTile_DivByAttr : CudaTile_PredicateAttr<"DivBy", "div_by"> {
  let summary = "elements are divisible by a power of two";
  let description = [{
    `div_by<16>`: every element (of a tile of integers, or addresses in bytes of a tile of pointers or a tensor view)
    is a multiple of 16. `div_by<16, every 4 along 1>`: the first of each group of 4 along dimension 1 is; the others
    follow it one by one (pointers: by the size of the pointee).
  }];
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
  let assemblyFormat = "`<` $divisor (`,` `every` $every^ `along` $along)? `>`";
}

def CudaTile_SameElementsAttr : CudaTile_PredicateAttr<"SameElements", "same_elements"> {
  let summary = "elements come in groups of equals";
  let description = [{
    `same_elements<[1, 4]>`: along dimension 1 the elements of each group of 4 are equal.
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$values);
  let assemblyFormat = "`<` $values `>`";
}

def CudaTile_BoundedAttr : CudaTile_PredicateAttr<"Bounded", "bounded"> {
  let summary = "elements lie between two signed bounds, both inclusive";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lb,
                        OptionalParameter<"std::optional<int64_t>">:$ub);
  let assemblyFormat = "`<` ($lb^) : (`?`)? `,` ($ub^) : (`?`)? `>`";
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

class CudaTile_DebugAttr<string name, string mnemonic_, string base>
    : AttrDef<CudaTile_Dialect, name, [], "::tileiras::cuda_tile::" # base> {
  let mnemonic = mnemonic_;
  let genMnemonicAlias = 1;
}

def CudaTile_DIFileAttr : CudaTile_DebugAttr<"DIFile", "di_file", "DIScopeAttr"> {
  let summary = "a source file";
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::StringAttr":$directory);
  let assemblyFormat = "`<` $name `in` $directory `>`";
}

def CudaTile_DICompileUnitAttr : CudaTile_DebugAttr<"DICompileUnit", "di_compile_unit", "DIScopeAttr"> {
  let summary = "a compilation unit, the root of all scopes";
  let parameters = (ins "DIFileAttr":$file);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DISubprogramAttr : CudaTile_DebugAttr<"DISubprogram", "di_subprogram", "DILocalScopeAttr"> {
  let summary = "a function of the source language";
  let parameters = (ins "DIFileAttr":$file, "unsigned":$line, "::mlir::StringAttr":$name,
                        "::mlir::StringAttr":$linkageName, "DICompileUnitAttr":$compileUnit,
                        OptionalParameter<"unsigned">:$scopeLine);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DILexicalBlockAttr : CudaTile_DebugAttr<"DILexicalBlock", "di_lexical_block", "DILocalScopeAttr"> {
  let summary = "a scope within a function";
  let parameters = (ins "DILocalScopeAttr":$scope, "DIFileAttr":$file, "unsigned":$line,
                        OptionalParameter<"unsigned">:$column);
  let assemblyFormat = "`<` struct(params) `>`";
}

def CudaTile_DILocAttr : LocationAttrDef<CudaTile_Dialect, "DILoc"> {
  let summary = "a source location in a scope";
  let parameters = (ins "::mlir::FileLineColLoc":$sourceLoc, "DILocalScopeAttr":$scope);
  let mnemonic = "di_loc";
  let assemblyFormat = "`<` $sourceLoc `in` $scope `>`";
  let extraClassDeclaration = [{
    /// The scope that `location` carries: its own, that of the caller, of the named or fused location. Null if none.
    static DILocAttr find(::mlir::LocationAttr location);
    /// The function that the scope belongs to.
    DISubprogramAttr getSubprogram() const;
  }];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEATTRS_TD
