//===- TileAAStructureOps.td - Functions, grid, debugging --*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_STRUCTURE_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_STRUCTURE_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "tileiras/Dialect/TileAA/TileAABase.td"

//===----------------------------------------------------------------------===//
// Functions and globals
//===----------------------------------------------------------------------===//

def TileAA_FuncOp : TileAA_Op<"func", [AffineScope, AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove,
    TileAA_StaysInTileAS]> {
  let summary = "A function; a kernel when it has a `kernel_spec`";
  let description = [{
    A kernel takes scalars and pointers, returns nothing and is visible to the host under its own name. With `per_cta` the
    function says what one CTA of the cluster does, and no longer what the tile block does. With `only_resident_begin` only
    as many tile blocks begin as the GPU runs at once (`get_num_resident_programs`), by their number in the grid; the
    others find nothing to do, and may leave before anything is set up.

    ```mlir
    nv_tileaa.func @scale(%p: !nv_tileaa.ptr<f32>, %n: i32)
        attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
      nv_tileaa.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs, OptionalAttr<TileAA_KernelSpecAttr>:$kernel_spec,
                       UnitAttr:$per_cta, UnitAttr:$only_resident_begin);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                                 CArg<"::tileiras::aa::KernelSpecAttr", "{}">:$kernelSpec)>];
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isKernel() { return getKernelSpecAttr() != nullptr; }

    /// Warps of a function that does not say how many it has.
    static constexpr int64_t kDefaultWarps = 4;
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TileAA_ReturnOp : TileAA_Op<"return", [Pure, TileAA_StaysInTileAS, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let summary = "Returns from a function";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange{}); }]>];
  let hasVerifier = 1;
}

def TileAA_GlobalOp : TileAA_Op<"global", [Symbol]> {
  let summary = "Memory of the module, initialised when it is loaded";
  let description = [{
    As many elements as a tile may have, at most, of a type that instructions know.

    ```mlir
    nv_tileaa.global @table dense<[0.0, 1.0]> : tensor<2xf32> {alignment = 16 : i64}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$value, OptionalAttr<I64Attr>:$alignment,
                       UnitAttr:$constant, OptionalAttr<StrAttr>:$sym_visibility);
  let assemblyFormat = "(`constant` $constant^)? $sym_name $value attr-dict";
  let hasVerifier = 1;
}

def TileAA_GetGlobalOp : TileAA_Op<"get_global", [Pure, TileAA_StaysInTileAS, Work_Free,
                                                   DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Pointer to the first element of a global";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def TileAA_AllocaOp : TileAA_Op<"alloca", [MemoryEffects<[MemAlloc]>, TileAA_StaysInTileAS, Work_ByTypes]> {
  let summary = "Memory of this tile block for the rest of the enclosing block";
  let description = [{
    Uninitialised, aligned to `alignment` bytes. Other tile blocks can use the address if it is `global`; it is generic
    (address space 0) if it is not.

    `tileas-allocate-memory` puts it into the kernel's shared memory, `shared_offset` bytes from its start, or into a block
    of the device's heap, `heap_offset` bytes from its start: then `shared_offset` is where the block's address is kept.

    ```mlir
    %p = nv_tileaa.alloca 256 bytes, alignment = 16 : !nv_tileaa.ptr<f32, 0>
    %q = nv_tileaa.alloca global 256 bytes, alignment = 16 : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$bytes, ConfinedAttr<I64Attr, [IntPositive]>:$alignment,
                       UnitAttr:$global, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$shared_offset,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$heap_offset);
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = "(`global` $global^)? $bytes `bytes` `,` `alignment` `=` $alignment attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

class TileAA_GridOp<string mnemonic> : TileAA_Op<mnemonic, [Pure, TileAA_StaysInTileAS, Work_ByTypes]> {
  let arguments = (ins TileAA_GridAxisAttr:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict";
}

def TileAA_GetProgramIdOp : TileAA_GridOp<"get_program_id"> {
  let summary = "Position of this tile block in the launch grid";
  let description = "`descending`: counted from the end of the axis, so that the tile block that is launched first is last.";
  let arguments = (ins TileAA_GridAxisAttr:$axis, UnitAttr:$descending);
  let assemblyFormat = "$axis (`descending` $descending^)? attr-dict";
}

def TileAA_GetNumProgramsOp : TileAA_GridOp<"get_num_programs"> {
  let summary = "Extent of the launch grid in tile blocks";
}

def TileAA_GetNumResidentProgramsOp : TileAA_Op<"get_num_resident_programs", [Pure, TileAA_StaysInTileAS,
                                                                              Work_ByTypes]> {
  let summary = "About how many tile blocks of this kernel a GPU runs at once; at least one";
  let description = "The same in all of them. Nothing but speed may depend on how good the number is.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TileAA_IsValidProgramIdOp : TileAA_Op<"is_valid_program_id", [Pure, TileAA_StaysInTileAS, Work_ByTypes]> {
  let summary = "Whether the launch grid has a tile block with these positions along x, y and z";
  let arguments = (ins I32:$x, I32:$y, I32:$z);
  let results = (outs I1:$result);
  let assemblyFormat = "$x `,` $y `,` $z attr-dict";
}

def TileAA_CancelNextProgramIdOp : TileAA_Op<"cancel_next_program_id", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Takes over a tile block of the launch grid that has not started yet";
  let description = [{
    What `nv_tileas.cancel_next_program_id` says.

    ```mlir
    %x1, %y1, %z1, %found = nv_tileaa.cancel_next_program_id after %x, %y, %z
    ```
  }];
  let arguments = (ins I32:$x, I32:$y, I32:$z);
  let results = (outs I32:$next_x, I32:$next_y, I32:$next_z, I1:$found);
  let assemblyFormat = "`after` $x `,` $y `,` $z attr-dict";
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

def TileAA_GetCtaRankOp : TileAA_Op<"get_cta_rank", [Pure, TileAA_StaysInTileAS, Work_ByTypes]> {
  let summary = "The number of this CTA among those of its tile block, from 0 on";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TileAA_ClusterExchangeOp : TileAA_Op<"cluster_exchange", [Pure]> {
  let summary = "Spreads a tile over the CTAs of its cluster in another way";
  let description = [{
    The types are those of the part that a CTA has. Bit `i` of a CTA's rank says which half it has along dimension
    `from[i]` of the source and `to[i]` of the result; where that is -1 the CTAs have copies. Of several bits for one
    dimension the last one says most. Copies of the source are equal, or those of the first CTA count (`first`). A
    scalar has copies everywhere.

    ```mlir
    // Rows 0-63 in the first CTA, 64-127 in the second one; after it both have all rows of half the columns.
    %b = nv_tileaa.cluster_exchange %a from [0] to [1] : tensor<64x64xf32> -> tensor<128x32xf32>
    ```
  }];
  let arguments = (ins TileAA_ScalarOrTile:$source, DenseI32ArrayAttr:$from, DenseI32ArrayAttr:$to, UnitAttr:$first);
  let results = (outs TileAA_ScalarOrTile:$result);
  let assemblyFormat = [{
    $source `from` $from `to` $to (`first` $first^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Fences and dependent launches
//===----------------------------------------------------------------------===//

class TileAA_OrderingOp<string mnemonic> : TileAA_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>,
    TileAA_StaysInTileAS, Work_Is<"Integer">]> {
  let arguments = (ins Optional<TileAA_MemTokenType>:$token);
  let results = (outs Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = "(`token` `(` $token^ `)`)? attr-dict custom<TokenResult>(type($result_token), ref($token))";
  let hasVerifier = 1;
}

def TileAA_FenceAliasOp : TileAA_OrderingOp<"fence_alias"> {
  let summary = "Orders accesses to the same memory through different virtual addresses";
}

def TileAA_GdcWaitOp : TileAA_OrderingOp<"gdc_wait"> {
  let summary = "Waits until the grids this one depends on are complete and their memory is visible";
}

def TileAA_GdcLaunchDependentsOp : TileAA_OrderingOp<"gdc_launch_dependents"> {
  let summary = "Lets the grids that depend on this one start";
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

def TileAA_AssertOp : TileAA_Op<"assert", [MemoryEffects<[MemWrite]>, TileAA_SlicedAs<"Effect">]> {
  let summary = "Reports `message` and stops the kernel when any element of the condition is false";
  let arguments = (ins TileAA_I1Like:$condition, StrAttr:$message,
                       SharedCtasArg:$shared_ctas);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def TileAA_PrintOp : TileAA_Op<"print", [MemoryEffects<[MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "Prints like C's printf, a tile element by element";
  let description = [{
    `format` has one conversion for every operand; `%%` prints a percent sign.
  }];
  let arguments = (ins StrAttr:$format, Variadic<TileAA_ScalarOrTile>:$args, Optional<TileAA_MemTokenType>:$token,
                       SharedCtasArg:$shared_ctas);
  let results = (outs Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    $format (`,` $args^ `:` type($args))? (`token` `(` $token^ `)`)? attr-dict
    `` custom<TokenResult>(type($result_token), ref($token))
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_STRUCTURE_OPS_TD
