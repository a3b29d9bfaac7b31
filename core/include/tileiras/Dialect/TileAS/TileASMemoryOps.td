//===- TileASMemoryOps.td - Memory access and output -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASMEMORYOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASMEMORYOPS_TD

include "tileiras/Dialect/TileAS/TileASOpBase.td"

// Common to all accesses:
//  * `mem_scope` is present exactly when `mem_semantic` is not weak.
//  * A token result exists exactly when there is a token operand. Tokens order; program order is kept in any case.
//  * Tile elements that several threads hold (copies) are accessed once where that matters: stores and atomics are
//    done by one holder, and every holder of an atomic's result gets the same old value.
//  * `atom` names the copy atom of the target (`CopyAtom::name`); "universal_copy" leaves the choice to the lowering.

//  * `in_bounds` says for each dimension of the memref that all accesses lie inside of it along that dimension.
//  * An i1 occupies a byte of memory: any value but 0 is true.

defvar CacheArg = DefaultValuedAttr<TileAA_CacheModifierAttr, "::tileiras::aa::CacheModifier::None">;
defvar EvictArg = DefaultValuedAttr<TileAA_EvictionPolicyAttr, "::tileiras::aa::EvictionPolicy::None">;

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

def TileAS_MakeTiledViewOp : TileAS_Op<"make_tiled_view", [Pure, Work_Free,
    TypesMatchWith<"view is of the source", "result", "source",
                   "::llvm::cast<::tileiras::as::TiledViewType>($_self).getSource()">]> {
  let summary = "Sees a memref as tiles";
  let arguments = (ins AnyType:$source);
  let results = (outs TileAS_View:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
}

def TileAS_TiledLoadOp : TileAS_Op<"tiled_load",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Reads one tile of a view";
  let description = [{
    Elements outside of the memref read as `padding_value`, which is present exactly when some dimension is not
    `in_bounds`. Coordinates are scalars of one integer type, and along the view's sparse dimension a rank-1 tensor of
    element indices laid out so that each thread holds the indices of its elements (`getSlicedLayout`).

    ```mlir
    %tile, %t1 = nv_tileas.tiled_load weak %view[%i, %j] token %t0 in_bounds [false, true] padding<zero>
      atom = "universal_copy" : (!nv_tileas.tiled_view<…>, i32, i32, !nv_tileas.mem_token)
      -> (tensor<64x32xf16, #blocked>, !nv_tileas.mem_token)
    ```
  }];
  let arguments = (ins TileAS_View:$view, Variadic<AnyType>:$coords, Optional<TileAS_Token>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       DenseBoolArrayAttr:$in_bounds, OptionalAttr<TileAA_PaddingValueAttr>:$padding_value,
                       CacheArg:$cache,
                       EvictArg:$evict, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs TileAS_Tensor:$result, Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $mem_semantic (`scope` $mem_scope^)? $view `[` $coords `]` (`token` $token^)? `in_bounds` $in_bounds
    (`padding` `` $padding_value^)? (`cache` `` $cache^)? (`evict` `` $evict^)? `atom` `=` $atom attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return false; }
    ::mlir::Type getAccessedTile() { return getResult().getType(); }
    ::llvm::SmallVector<::mlir::Value> getAddressOperands() {
      ::llvm::SmallVector<::mlir::Value> operands = {getView()};
      ::llvm::append_range(operands, getCoords());
      return operands;
    }
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_TiledStoreOp : TileAS_Op<"tiled_store",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Writes one tile of a view; elements outside of the memref are dropped";
  let arguments = (ins TileAS_View:$view, TileAS_Tensor:$value, Variadic<AnyType>:$coords,
                       Optional<TileAS_Token>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, DenseBoolArrayAttr:$in_bounds, CacheArg:$cache,
                       EvictArg:$evict, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $mem_semantic (`scope` $mem_scope^)? $value `,` $view `[` $coords `]` (`token` $token^)? `in_bounds` $in_bounds
    (`cache` `` $cache^)? (`evict` `` $evict^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    ::mlir::Type getAccessedTile() { return getValue().getType(); }
    ::llvm::SmallVector<::mlir::Value> getAddressOperands() {
      ::llvm::SmallVector<::mlir::Value> operands = {getView()};
      ::llvm::append_range(operands, getCoords());
      return operands;
    }
  }];
}

def TileAS_TiledAtomicRMWOp : TileAS_Op<"tiled_atomic_rmw",
    [AttrSizedOperandSegments, AttrSizedResultSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Atomically combines a tile into a view; elements outside of the memref are dropped";
  let description = [{
    The old elements are returned if there is a result; those outside of the memref are undefined.
  }];
  let arguments = (ins TileAS_View:$view, TileAS_Tensor:$value, Variadic<AnyType>:$coords,
                       Optional<TileAS_Token>:$token, TileAA_RmwModeAttr:$rmw_mode,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       DenseBoolArrayAttr:$in_bounds, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs Optional<TileAS_Tensor>:$result, Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $rmw_mode $mem_semantic (`scope` $mem_scope^)? $value `,` $view `[` $coords `]` (`token` $token^)?
    `in_bounds` $in_bounds `atom` `=` $atom attr-dict `:`
    functional-type(operands, $result_token) (`old` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

//===----------------------------------------------------------------------===//
// Through pointers: tiles of pointers, or one pointer
//===----------------------------------------------------------------------===//

def TileAS_LoadOp : TileAS_Op<"load",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Reads what every pointer points to";
  let description = [{
    Elements with a false mask are `other`, or undefined without `other`; nothing is read for them.

    `contiguity` promises, for each dimension, that aligned groups of so many pointers point to neighbours in memory,
    the first to an address that is a multiple of the bytes of the group, and that masks are equal within a group.
  }];
  let arguments = (ins TileAS_Tile:$pointer, Optional<TileAS_Mask>:$mask, Optional<TileAS_Tile>:$other,
                       Optional<TileAS_Token>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, CacheArg:$cache,
                       EvictArg:$evict, OptionalAttr<DenseI64ArrayAttr>:$contiguity, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs TileAS_Tile:$result, Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $mem_semantic (`scope` $mem_scope^)? $pointer (`mask` $mask^)? (`other` $other^)? (`token` $token^)?
    (`cache` `` $cache^)? (`evict` `` $evict^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return false; }
    ::mlir::Type getAccessedTile() { return getPointer().getType(); }
    ::llvm::SmallVector<::mlir::Value> getAddressOperands() { return {getPointer()}; }
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_StoreOp : TileAS_Op<"store",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Writes to where every pointer points";
  let description = "`contiguity` promises what it promises for a load.";
  let arguments = (ins TileAS_Tile:$pointer, TileAS_Tile:$value, Optional<TileAS_Mask>:$mask,
                       Optional<TileAS_Token>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, CacheArg:$cache,
                       EvictArg:$evict, OptionalAttr<DenseI64ArrayAttr>:$contiguity, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $mem_semantic (`scope` $mem_scope^)? $value `,` $pointer (`mask` $mask^)? (`token` $token^)?
    (`cache` `` $cache^)? (`evict` `` $evict^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    ::mlir::Type getAccessedTile() { return getPointer().getType(); }
    ::llvm::SmallVector<::mlir::Value> getAddressOperands() { return {getPointer()}; }
  }];
}

def TileAS_AtomicRMWOp : TileAS_Op<"atomic_rmw",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Atomically combines into where every pointer points; returns the old values";
  let description = "`contiguity` promises what it promises for a load.";
  let arguments = (ins TileAS_Tile:$pointer, TileAS_Tile:$value, Optional<TileAS_Mask>:$mask,
                       Optional<TileAS_Token>:$token, TileAA_RmwModeAttr:$rmw_mode,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       OptionalAttr<DenseI64ArrayAttr>:$contiguity, SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs TileAS_Tile:$result, Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $rmw_mode $mem_semantic (`scope` $mem_scope^)? $value `,` $pointer (`mask` $mask^)? (`token` $token^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_AtomicCASOp : TileAS_Op<"atomic_cas",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     TileAS_MemoryAccessOpInterface, TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Atomic compare and swap; returns the old values";
  let description = "Compares bits. A masked-out element returns its `compare` operand.";
  let arguments = (ins TileAS_Tile:$pointer, TileAS_Tile:$compare, TileAS_Tile:$value, Optional<TileAS_Mask>:$mask,
                       Optional<TileAS_Token>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs TileAS_Tile:$result, Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $mem_semantic (`scope` $mem_scope^)? $compare `,` $value `,` $pointer (`mask` $mask^)? (`token` $token^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def TileAS_CreateNoneOp : TileAS_Op<"create_none", [Pure, Work_Free]> {
  let summary = "The token that waits for nothing";
  let description = [{
    A memory token when no type is given, an `!nv_tileas.async_token` that is complete, or the consumer token of no stage,
    for loops that release in each iteration what the one before has read.
  }];
  let results = (outs AnyTypeOf<[TileAS_Token, TileAS_AsyncToken, TileAS_ConsumerToken]>:$result);
  let assemblyFormat = "attr-dict custom<NoneTokenType>(type($result))";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, $_builder.getType<MemTokenType>()); }]>];
}

def TileAS_JoinMemTokenOp : TileAS_Op<"join_mem_token", [Pure, Work_Free]> {
  let summary = "A token that follows all of `tokens`";
  let arguments = (ins Variadic<TileAS_Token>:$tokens);
  let results = (outs TileAS_Token:$result);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

def TileAS_PrintOp : TileAS_Op<"print",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TileAS_ExchangeOpInterface,
     TileAS_AnyLayouts, Work_Is<"Integer">]> {
  let summary = "Prints scalars and tiles in C's printf format";
  let description = "One conversion for each argument; a tile prints one value after the other, in row-major order.";
  let arguments = (ins StrAttr:$format, Variadic<TileAS_Tile>:$args, Optional<TileAS_Token>:$token,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let results = (outs Optional<TileAS_Token>:$result_token);
  let assemblyFormat = [{
    $format (`,` $args^)? (`token` $token^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
    bool callsFunctions() { return true; }
  }];
}

def TileAS_AssertOp : TileAS_Op<"assert", [MemoryEffects<[MemRead, MemWrite]>, TileAS_ExchangeOpInterface,
                                           TileAS_AnyLayouts, Work_NotCounted]> {
  let summary = "Reports `message` and traps where `condition` is false";
  let arguments = (ins TileAS_Mask:$condition, StrAttr:$message,
                       SharedCtasArg:$shared_ctas, ScratchArg:$scratch);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let extraClassDeclaration = [{
    bool callsFunctions() { return true; }
  }];
}

//===----------------------------------------------------------------------===//
// Shared and tensor memory
//===----------------------------------------------------------------------===//

def TileAS_AllocTensorOp : TileAS_Op<"alloc_tensor", [MemoryEffects<[MemAlloc]>, Work_Free]> {
  let summary = "Memory for a tile";
  let description = [{
    The tile is that memory, its elements are undefined until they are written. It lives as long as something uses it;
    `range` is where `tileas-allocate-memory` has put it. With `stages` there is memory for so many tiles, one after the
    other, the ring of a pipeline; to all other operations the value is the first of them.

    ```mlir
    %buffer = nv_tileas.alloc_tensor : tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
    %ring = nv_tileas.alloc_tensor {stages = 4} : tensor<128x64xf16, #nv_tileas.shared<(128,64),(64,1)>>
    ```
  }];
  let arguments = (ins OptionalAttr<TileAS_MemoryRangeAttr>:$range,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$stages);
  let results = (outs TileAS_Buffer:$result);
  let assemblyFormat = "(`range` `` $range^)? attr-dict `:` type($result)";
}

def TileAS_CopyOp : TileAS_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                       TileAS_MemoryConsistencyOpInterface, TileAS_AnyLayouts, Work_Own]> {
  let summary = "Moves a tile between registers and memory";
  let description = [{
    Into the memory of `destination`, or out of memory into the registers of the result.

    ```mlir
    nv_tileas.copy %tile, %buffer atom = "universal_copy" : tensor<64x64xf16, #blocked>, tensor<64x64xf16, #shared>
    %again = nv_tileas.copy %buffer atom = "universal_copy" : tensor<64x64xf16, #shared> -> tensor<64x64xf16, #other>
    %part = nv_tileas.copy %buffer at [0, 16] atom = "universal_copy"
        : tensor<64x64xf16, #shared> -> tensor<64x16xf16, #other>
    ```

    The result may be a part of the tile in memory: `at` is where it begins, in elements, at a multiple of its extents.

    One that reads back what a conversion has stored has the conversion's `atom_plan`. With `reinterpret_byte` the tile
    is what an element type of 8 bits or less has become: nothing converts it back.
  }];
  let arguments = (ins AnyRankedTensor:$source, Optional<TileAS_Buffer>:$destination, TileAS_AtomAttr:$atom,
                       OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan, UnitAttr:$reinterpret_byte,
                       OptionalAttr<DenseI64ArrayAttr>:$origin);
  let results = (outs Optional<TileAS_Tensor>:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source, "::mlir::Value":$destination,
                                 "::tileiras::as::AtomAttr":$atom, CArg<"::tileiras::as::AtomPlanAttr", "{}">:$plan,
                                 CArg<"bool", "false">:$reinterpretByte), [{
    build($_builder, $_state, result, source, destination, atom, plan, reinterpretByte, ::mlir::DenseI64ArrayAttr());
  }]>];
  let assemblyFormat = [{
    $source (`,` $destination^)? (`at` $origin^)? `atom` `=` $atom attr-dict
    `:` type($source) (`,` type($destination)^)? (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def TileAS_AllocSlicesOp : TileAS_Op<"alloc_slices", [MemoryEffects<[MemAlloc]>, Work_Is<"Integer">]> {
  let summary = "Memory for a tile that is too large for registers";
  let description = [{
    Its elements are undefined until they are written. `tileas-allocate-memory` chooses the address space and the
    `range` in it: in the shared memory of the kernel, or in `memory`, a pointer of the LLVM dialect to local memory
    of each thread.

    ```mlir
    %acc = nv_tileas.alloc_slices : !nv_tileas.slices<[8, 16], tensor<128x64xf32>>
    nv_tileas.store_slice %tile, %acc[%i, %j] : !nv_tileas.slices<[8, 16], tensor<128x64xf32>>
    %again = nv_tileas.load_slice %acc[%i, %j] : !nv_tileas.slices<[8, 16], tensor<128x64xf32>>
    ```
  }];
  let arguments = (ins Optional<AnyType>:$memory, OptionalAttr<TileAS_MemoryRangeAttr>:$range);
  let results = (outs TileAS_Slices:$result);
  let assemblyFormat = "(`in` `(` $memory^ `:` type($memory) `)`)? (`range` `` $range^)? attr-dict `:` type($result)";
}

class TileAS_SliceAccessOp<string mnemonic, Trait work> : TileAS_Op<mnemonic, [TileAS_OwnLayouts, work,
    TypesMatchWith<"tile is a slice", "slices", "tile", "::llvm::cast<::tileiras::as::SlicesType>($_self).getSlice()">]> {
  let hasVerifier = 1;
}

def TileAS_LoadSliceOp : TileAS_SliceAccessOp<"load_slice", Work_Own> {
  let summary = "Reads a slice; the indices count slices";
  let arguments = (ins Arg<TileAS_Slices, "", [MemRead]>:$slices, Variadic<I32>:$indices);
  let results = (outs AnyRankedTensor:$tile);
  let assemblyFormat = "$slices `[` $indices `]` attr-dict `:` type($slices)";
}

def TileAS_StoreSliceOp : TileAS_SliceAccessOp<"store_slice", Work_NotCounted> {
  let summary = "Writes a slice; the indices count slices";
  let arguments = (ins AnyRankedTensor:$tile, Arg<TileAS_Slices, "", [MemWrite]>:$slices, Variadic<I32>:$indices);
  let assemblyFormat = "$tile `,` $slices `[` $indices `]` attr-dict `:` type($slices)";
}

def TileAS_BarrierOp : TileAS_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>, Work_Own]> {
  let summary = "All threads of the execution scope meet";
  let description = [{
    What they did to memory before is seen by all of them afterwards, with `proxy_fence` by TMA and asynchronous
    MMAs, too. With `cluster` all threads of all CTAs of the cluster meet. Placed by `tileas-place-barriers`.
  }];
  let arguments = (ins UnitAttr:$proxy_fence, UnitAttr:$cluster);
  let assemblyFormat = "(`cluster` $cluster^)? (`proxy_fence` $proxy_fence^)? attr-dict";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASMEMORYOPS_TD
