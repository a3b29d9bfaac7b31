//===- CudaTileControlOps.td - Modules, kernels and control flow -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILECONTROLOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILECONTROLOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

//===----------------------------------------------------------------------===//
// Modules and what they contain
//===----------------------------------------------------------------------===//

def CudaTile_ModuleOp : CudaTile_RegionOp<"module", [IsolatedFromAbove, NoRegionArguments, SingleBlock, SymbolTable]
                                                    # GraphRegionNoTerminator.traits> {
  let summary = "a program: kernels and globals";
  let description = "`producer`, since 13.3, names who wrote it.";
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$producer);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, CArg<"::llvm::StringRef", "{}">:$producer)>];
  let hasVerifier = 1;
}

def CudaTile_EntryOp : CudaTile_RegionOp<"entry", [FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
                                                   SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a kernel";
  let description = "Its parameters are scalars (tiles of rank 0); it has no results.";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = defaultDialect # [{
    // FunctionOpInterface
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
  }];
}

def CudaTile_GlobalOp : CudaTile_Op<"global", [Symbol]> {
  let summary = "global memory with initial contents";
  let description = [{
    `alignment` is in bytes, 0 stands for the element type's own. `constant` and `private`, since 13.3, promise that
    the kernel does not write it and that nothing outside the module refers to it.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Builtin_DenseIntOrFPElementsAttr:$value,
    DefaultValuedAttr<I64Attr, "0">:$alignment, UnitAttr:$constant,
    DefaultValuedAttr<CudaTile_SymbolVisibilityAttr,
                      "::tileiras::cuda_tile::SymbolVisibility::Public">:$symbol_visibility);
  let assemblyFormat = [{
    custom<Visibility>($symbol_visibility) (`constant` $constant^)? $sym_name (`alignment` `=` $alignment^)? attr-dict
    custom<Elements>($value)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

def CudaTile_GetTileBlockIdOp : CudaTile_Op<"get_tile_block_id", [Pure]> {
  let summary = "position of this tile block in the grid";
  let results = (outs CudaTile_I32Scalar:$blockId_x, CudaTile_I32Scalar:$blockId_y, CudaTile_I32Scalar:$blockId_z);
  let assemblyFormat = "attr-dict `:` custom<EqualTypes>(type($blockId_x), type($blockId_y), type($blockId_z))";
}

def CudaTile_GetNumTileBlocksOp : CudaTile_Op<"get_num_tile_blocks", [Pure]> {
  let summary = "extents of the grid";
  let results = (outs CudaTile_I32Scalar:$gridSize_x, CudaTile_I32Scalar:$gridSize_y, CudaTile_I32Scalar:$gridSize_z);
  let assemblyFormat = "attr-dict `:` custom<EqualTypes>(type($gridSize_x), type($gridSize_y), type($gridSize_z))";
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

def CudaTile_AssertOp : CudaTile_Op<"assert"> {
  let summary = "reports a message for every element that is false, and an error to the host";
  let arguments = (ins CudaTile_I1Tile:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` custom<ShortType>(type($condition))";
}

def CudaTile_PrintTkoOp : CudaTile_Op<"print_tko", [AttrSizedOperandSegments]> {
  let summary = "prints tiles by a format as printf's";
  let description = "Tokens since 13.2.";
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_TileType>:$args, Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $str (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict (`:` custom<ShortType>(type($args))^)? `->`
    custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

// A `break` or `continue` belongs to the innermost loop around it, also from within `if`s: an operation with regions
// may be left from the middle. That is why these operations do not claim to be structured in the sense of
// RegionBranchOpInterface or LoopLikeOpInterface.

class CudaTile_LoopBaseOp<string mnemonic, list<Trait> traits = []>
    : CudaTile_RegionOp<mnemonic, [AutomaticAllocationScope, RecursiveMemoryEffects] # traits> {
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ForOp : CudaTile_LoopBaseOp<"for", [SingleBlockImplicitTerminator<"ContinueOp">,
    AllTypesMatch<["lowerBound", "upperBound", "step"]>, AllTypesMatch<["initValues", "resultValues"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames", "getAsmBlockArgumentNames"]>]> {
  let summary = "loop over a range of integers";
  let description = [{
    The bounds are compared as signed integers, unless `unsigned` (since 13.2); the step is positive.

    ```mlir
    %r = for %i in (%lb to %ub, step %s) : tile<i32> iter_values(%x = %init) -> (tile<f32>) {
      continue %x : tile<f32>
    }
    ```
  }];
  let arguments = (ins CudaTile_IntScalar:$lowerBound, CudaTile_IntScalar:$upperBound, CudaTile_IntScalar:$step,
                       Variadic<CudaTile_Any>:$initValues, UnitAttr:$unsignedCmp);
  let results = (outs Variadic<CudaTile_Any>:$resultValues);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lowerBound, "::mlir::Value":$upperBound, "::mlir::Value":$step,
                                 CArg<"::mlir::ValueRange", "{}">:$initValues, CArg<"bool", "false">:$unsignedCmp)>];
  let extraClassDeclaration = defaultDialect # [{
    ::mlir::Value getInductionVar() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getBody()->getArguments().drop_front(); }
  }];
}

def CudaTile_LoopOp : CudaTile_LoopBaseOp<"loop", [SingleBlock]> {
  let summary = "loop until a break";
  let description = [{
    `continue` gives the next values of the loop-carried variables, `break` the results. In the text a `continue`
    without values is left out.
  }];
  let arguments = (ins Variadic<CudaTile_Any>:$initValues);
  let results = (outs Variadic<CudaTile_Any>:$resultValues);
  let extraClassDeclaration = defaultDialect # [{
    ::mlir::Block::BlockArgListType getRegionIterValues() { return getRegion().getArguments(); }
  }];
}

def CudaTile_IfOp : CudaTile_RegionOp<"if", [NoRegionArguments, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "one of two branches";
  let description = [{
    A branch ends in a `yield` of the results, or leaves a loop or the kernel. In the text a `yield` without values is
    left out.
  }];
  let arguments = (ins CudaTile_I1Scalar:$condition);
  let results = (outs Variadic<CudaTile_Any>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` `(` custom<ShortType>(type($results))^ `)`)? custom<Branch>($thenRegion)
    (`else` custom<Branch>($elseRegion)^)? attr-dict
  }];
  let hasRegionVerifier = 1;
}

// The verifiers of what leaves a loop or the kernel say where it may stand, and what to do instead.
class CudaTile_TerminatorOp<string mnemonic, string summary_, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, [Terminator] # traits> {
  let summary = summary_;
  let arguments = (ins Variadic<CudaTile_Any>:$operands);
  let builders = [OpBuilder<(ins), "/* without operands */">];
  let assemblyFormat = "attr-dict ($operands^ `:` custom<ShortType>(type($operands)))?";
}

def CudaTile_BreakOp : CudaTile_TerminatorOp<"break", "leaves the innermost loop"> {
  let hasVerifier = 1;
}
def CudaTile_ContinueOp : CudaTile_TerminatorOp<"continue", "begins the next iteration of the innermost loop"> {
  let hasVerifier = 1;
}
def CudaTile_ReturnOp : CudaTile_TerminatorOp<"return", "ends the kernel"> {
  let hasVerifier = 1;
}
def CudaTile_YieldOp : CudaTile_TerminatorOp<"yield", "the values of a region",
                                             [ParentOneOf<["IfOp", "ReduceOp", "ScanOp"]>, Pure, ReturnLike]>;

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILECONTROLOPS_TD
