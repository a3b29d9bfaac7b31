//===- TileAAAttributes.td - Attributes of nv_tileaa -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_ATTRIBUTES_TD
#define TILEIRAS_DIALECT_TILEAA_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tileiras/Dialect/TileAA/TileAADialect.td"

class TileAA_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileAA_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// On accesses to memory and output: the CTAs whose ranks differ in nothing but these bits all have the same tile. Of what
/// they write or print, the one does it whose bits are 0.
defvar SharedCtasArg = DefaultValuedAttr<I32Attr, "0">;

class TileAA_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tileiras::aa";
  let genSpecializedAttr = 0;
}

/// Prints as a bare keyword in operations: `load relaxed gpu …`.
class TileAA_KeywordAttr<EnumInfo enumInfo, string name> : EnumAttr<TileAA_Dialect, enumInfo, name>;

/// Prints in angle brackets: `rounding<zero>`.
class TileAA_BracketAttr<EnumInfo enumInfo, string name> : EnumAttr<TileAA_Dialect, enumInfo, name> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Memory policy
//===----------------------------------------------------------------------===//

def TileAA_CacheModifier : TileAA_Enum<"CacheModifier", "Which caches an access goes through (PTX .ca, .cg, …)", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">, I32EnumAttrCase<"CG", 2, "cg">,
  I32EnumAttrCase<"CS", 3, "cs">, I32EnumAttrCase<"LU", 4, "lu">, I32EnumAttrCase<"CV", 5, "cv">]>;
def TileAA_CacheModifierAttr : TileAA_BracketAttr<TileAA_CacheModifier, "cache_modifier">;

def TileAA_EvictionPolicy : TileAA_Enum<"EvictionPolicy", "How soon a cache line may be evicted", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"First", 1, "first">, I32EnumAttrCase<"Last", 2, "last">,
  I32EnumAttrCase<"Normal", 3, "normal">]>;
def TileAA_EvictionPolicyAttr : TileAA_BracketAttr<TileAA_EvictionPolicy, "eviction_policy">;

def TileAA_MemSemantic : TileAA_Enum<"MemSemantic", "Memory ordering of an access", [
  I32EnumAttrCase<"Weak", 0, "weak">, I32EnumAttrCase<"Relaxed", 1, "relaxed">,
  I32EnumAttrCase<"Acquire", 2, "acquire">, I32EnumAttrCase<"Release", 3, "release">,
  I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;
def TileAA_MemSemanticAttr : TileAA_KeywordAttr<TileAA_MemSemantic, "mem_semantic">;

def TileAA_MemScope : TileAA_Enum<"MemScope", "Which threads a non-weak access synchronises with", [
  I32EnumAttrCase<"TileBlock", 0, "tl_blk">, I32EnumAttrCase<"Cluster", 1, "cluster">,
  I32EnumAttrCase<"GPU", 2, "gpu">, I32EnumAttrCase<"System", 3, "sys">]>;
def TileAA_MemScopeAttr : TileAA_KeywordAttr<TileAA_MemScope, "mem_scope">;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def TileAA_RmwMode : TileAA_Enum<"RmwMode", "What an atomic read-modify-write does", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">,
  I32EnumAttrCase<"Xor", 3, "xor">, I32EnumAttrCase<"Xchg", 4, "xchg">, I32EnumAttrCase<"Min", 5, "min">,
  I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"UMin", 7, "umin">, I32EnumAttrCase<"UMax", 8, "umax">,
  I32EnumAttrCase<"AddF", 9, "addf">]>;
def TileAA_RmwModeAttr : TileAA_KeywordAttr<TileAA_RmwMode, "rmw_mode">;

def TileAA_RoundingMode : TileAA_Enum<"RoundingMode", "How a floating-point result is rounded", [
  I32EnumAttrCase<"NearestEven", 0, "nearest_even">, I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"NegativeInf", 2, "negative_inf">, I32EnumAttrCase<"PositiveInf", 3, "positive_inf">,
  // Fast approximations: `approx` is the hardware's instruction, `full` (division) holds 2 ulp over the full range.
  I32EnumAttrCase<"Approx", 4, "approx">, I32EnumAttrCase<"Full", 5, "full">,
  // To the nearest, and halfway away from zero: of conversions between floating-point types only.
  I32EnumAttrCase<"NearestAway", 6, "nearest_away">]>;
def TileAA_RoundingModeAttr : TileAA_BracketAttr<TileAA_RoundingMode, "rounding_mode">;

def TileAA_Signedness : TileAA_Enum<"Signedness", "How a signless integer is read", [
  I32EnumAttrCase<"Signed", 0, "signed">, I32EnumAttrCase<"Unsigned", 1, "unsigned">]>;
def TileAA_SignednessAttr : TileAA_KeywordAttr<TileAA_Signedness, "signedness">;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def TileAA_PaddingValue : TileAA_Enum<"PaddingValue", "What a read outside of a view gives", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NegZero", 1, "neg_zero">, I32EnumAttrCase<"NaN", 2, "nan">,
  I32EnumAttrCase<"PosInf", 3, "pos_inf">, I32EnumAttrCase<"NegInf", 4, "neg_inf">]>;
def TileAA_PaddingValueAttr : TileAA_BracketAttr<TileAA_PaddingValue, "padding_value">;

def TileAA_ViewKind : TileAA_Enum<"ViewKind", "How coordinates of a tiled view select elements", [
  I32EnumAttrCase<"Partition", 0, "partition">, I32EnumAttrCase<"Strided", 1, "strided">,
  I32EnumAttrCase<"GatherScatter", 2, "gather_scatter">]>;

def TileAA_GridAxis : TileAA_Enum<"GridAxis", "An axis of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;
def TileAA_GridAxisAttr : TileAA_KeywordAttr<TileAA_GridAxis, "axis">;

//===----------------------------------------------------------------------===//
// Kernels and targets
//===----------------------------------------------------------------------===//

def TileAA_ComputeCapabilityAttr : TileAA_Attr<"ComputeCapability", "compute_capability"> {
  let summary = "Compute capability of a GPU, ten times its major plus its minor number";
  let parameters = (ins "unsigned":$value);
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_TargetSpecAttr : TileAA_Attr<"TargetSpec", "target_spec"> {
  let summary = "The GPU a device module is compiled for";
  let description = [{
    Sits on the device module as `nv_tileaa.target_spec`. `chip` is the name the user gave, which selects the target
    plugin; empty when only the compute capability is known.

    ```mlir
    module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "gpu">} { … }
    ```
  }];
  let parameters = (ins "unsigned":$computeCapability, StringRefParameter<"", "\"\"">:$chip);
  let assemblyFormat = "`<` `compute_capability` `=` $computeCapability (`,` `chip` `=` $chip^)? `>`";
}

def TileAA_KernelSpecAttr : TileAA_Attr<"KernelSpec", "kernel_spec"> {
  let summary = "Launch shape of a kernel";
  let description = [{
    `num_warps`: warps of a block that compute, a power of two in 1…16; `num_ctas`: blocks of a cluster, along x;
    `occupancy`: blocks wanted per multiprocessor, 0 when nothing asks; `total_warps`: of a block, where agents have
    been given warps of their own, 0 where `num_warps` are all.
  }];
  let parameters = (ins "unsigned":$num_warps, DefaultValuedParameter<"unsigned", "1">:$num_ctas,
                        DefaultValuedParameter<"unsigned", "0">:$occupancy,
                        DefaultValuedParameter<"unsigned", "0">:$total_warps);
  let builders = [AttrBuilder<(ins "unsigned":$numWarps, "unsigned":$numCtas, "unsigned":$occupancy), [{
    return $_get($_ctxt, numWarps, numCtas, occupancy, /*totalWarps=*/0u);
  }]>];
  let extraClassDeclaration = [{
    /// All warps of a block.
    unsigned countWarps() const { return getTotalWarps() ? getTotalWarps() : getNumWarps(); }
  }];
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TileAA_StageCountsAttr : TileAA_Attr<"StageCounts", "stage_counts"> {
  let summary = "How many entries of a queue, or stages of a pipeline, there might be";
  let description = [{
    Beside those that there are. `wanted`: as many as what is loaded asked for, where there was no room for them; 0: as
    many as there are. `most`: up to which more are worth having where shared memory would be unused; 0: no more than
    there are. They say what is fast, never what is right.
  }];
  let parameters = (ins DefaultValuedParameter<"int64_t", "0">:$wanted, DefaultValuedParameter<"int64_t", "0">:$most);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

def TileAA_AssumePredicateInterface : AttrInterface<"AssumePredicateInterface"> {
  let cppNamespace = "::tileiras::aa";
  let description = "A fact that `nv_tileaa.assume` states about a value.";
  let methods = [InterfaceMethod<
    "Reports on `op` why this predicate cannot constrain a value of type `type`.",
    "::llvm::LogicalResult", "verifyPredicate", (ins "::mlir::Operation *":$op, "::mlir::Type":$type)>];
}

class TileAA_PredicateAttr<string name, string attrMnemonic>
    : TileAA_Attr<name, attrMnemonic, [DeclareAttrInterfaceMethods<TileAA_AssumePredicateInterface>]>;

def TileAA_DivByAttr : TileAA_PredicateAttr<"DivBy", "div_by"> {
  let summary = "Integers are multiples of a power of two, pointers are so aligned (in bytes)";
  let description = [{
    With `every n along d`, only every n-th element along axis `d`, counted from the first, is a multiple, and the
    elements between grow by one (integers) or by one element (pointers).

    Examples: `#nv_tileaa.div_by<16>`, `#nv_tileaa.div_by<32, every 4 along 0>`.
  }];
  let parameters = (ins "uint64_t":$divisor, OptionalParameter<"std::optional<int64_t>">:$every,
                        OptionalParameter<"std::optional<int64_t>">:$along);
  let assemblyFormat = "`<` $divisor (`,` `every` $every^)? (`along` $along^)? `>`";
}

def TileAA_BoundedAttr : TileAA_PredicateAttr<"Bounded", "bounded"> {
  let summary = "Integers lie between two bounds, both inclusive; `?` leaves a side open";
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$lower,
                        OptionalParameter<"std::optional<int64_t>">:$upper);
  let assemblyFormat = "`<` custom<Bound>($lower) `,` custom<Bound>($upper) `>`";
}

def TileAA_SameElementsAttr : TileAA_PredicateAttr<"SameElements", "same_elements"> {
  let summary = "Within every chunk of the given shape all elements are equal";
  let description = "An extent of 1 says nothing about its axis. Example: `#nv_tileaa.same_elements<[1, 4, 2]>`.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$values);
  let assemblyFormat = "`<` `[` $values `]` `>`";
}

#endif // TILEIRAS_DIALECT_TILEAA_ATTRIBUTES_TD
