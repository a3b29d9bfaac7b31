//===- TileASAsyncOps.td - Operations that go on behind them -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASASYNCOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASASYNCOPS_TD

include "tileiras/Dialect/TileAS/TileASOpBase.td"

// Each gives an async token that is complete when it is. Until then nobody may write what it reads nor touch what it
// writes. In the body of a `produce_one` or `producer_write` the commit waits, and the token needs no use.
//
// All accesses are weak: one that is ordered or gives other accesses an order is not asynchronous.

//===----------------------------------------------------------------------===//
// Loads from global to shared memory
//===----------------------------------------------------------------------===//

def TileAS_AsyncTiledLoadOp : TileAS_AsyncOp<"tiled_load", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>,
                                                            Work_Own]> {
  let summary = "Starts to read one tile of a view into memory";
  let description = [{
    Coordinates, bounds and padding are those of `tiled_load`. Where the predicate after `if` is false nothing is read,
    and the memory stays what it is.

    ```mlir
    %t = nv_tileas.async.tiled_load %view[%i, %j] into %buffer in_bounds [false, true] padding<zero> atom = "cp.async"
        : (!nv_tileas.tiled_view<…>, i32, i32, tensor<64x32xf16, #shared>) -> !nv_tileas.async_token
    ```
  }];
  let arguments = (ins TileAS_View:$view, Variadic<AnyType>:$coords, Arg<TileAS_Buffer, "", [MemWrite]>:$destination,
                       Optional<I1>:$predicate, DenseBoolArrayAttr:$in_bounds,
                       OptionalAttr<TileAA_PaddingValueAttr>:$padding_value, TileAS_AtomAttr:$atom);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $view `[` $coords `]` `into` $destination (`if` $predicate^)? `in_bounds` $in_bounds
    (`padding` `` $padding_value^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
}

def TileAS_AsyncLoadOp : TileAS_AsyncOp<"load", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>, Work_Own]> {
  let summary = "Starts to read what every pointer points to into memory";
  let description = [{
    Elements with a false mask are zero in `destination`. `contiguity` promises what it promises for a `load`. Where the
    predicate after `if` is false nothing is read, and the memory stays what it is.
  }];
  let arguments = (ins TileAS_Tensor:$pointer, Optional<TileAS_Mask>:$mask,
                       Arg<TileAS_Buffer, "", [MemWrite]>:$destination, Optional<I1>:$predicate,
                       OptionalAttr<DenseI64ArrayAttr>:$contiguity, TileAS_AtomAttr:$atom);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $pointer (`mask` $mask^)? `into` $destination (`if` $predicate^)? (`contiguity` $contiguity^)? `atom` `=` $atom
    attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Slices, MMAs
//===----------------------------------------------------------------------===//

def TileAS_AsyncExtractSliceOp : TileAS_AsyncOp<"extract_slice", [AllElementTypesMatch<["source", "result"]>,
                                                                  NoMemoryEffect, Work_ByTypes]> {
  let summary = "`extract_slice` of a tile that is complete when `after` is";
  let arguments = (ins TileAS_Tensor:$source, Variadic<I32>:$indices, TileAS_AsyncToken:$after);
  let results = (outs TileAS_Tensor:$result, TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $source `[` $indices `]` `after` $after attr-dict `:` type($source) `->` type($result)
  }];
}

def TileAS_AsyncDotOp : TileAS_AsyncOp<"dot", [AllTypesMatch<["c", "result"]>, AttrSizedOperandSegments,
                                               DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, Work_Own]> {
  let summary = "Starts an MMA: result = a · b + c";
  let description = [{
    Shapes and element types are those of `dot`; a and b may lie in shared memory, which is read until the MMA is
    complete. The result may be the accumulator of the next `async.dot` of the same atom at once; any other use waits,
    for `token`, if there is one, or for the MMA itself. An accumulator in tensor memory is changed there, and the
    result names it again; where `overwrites` is true what it was before does not count. So may a be in tensor memory.

    With `cta_pair` one thread of the CTA with the even rank starts the MMAs of two CTAs at once: each has its own a
    and c, and of b, which is the same for both, the half of the columns with its number.

    A block-scaled MMA, as of `dot`, has its scales in shared memory, in blocks as `isScaleBlocks` says. It copies
    them to the `countScaleColumns` columns of tensor memory from `scale_columns` on, which no MMA that is in flight
    reads. Its operands may be packed, as those of `dot`. With scales of f8E4M3FN, whose sign the instruction does not
    see, a, b and the scales are its own: it moves signs from the scales to the numbers.

    `copies_operand` is that of `dot`; the MMA is waited for at once.

    ```mlir
    %d = nv_tileas.async.dot %a, %b, %acc atom = "wgmma.m64n256k16.f32.f16.f16"
        : tensor<128x64xf16, #shared_a> * tensor<64x256xf16, #shared_b> + tensor<128x256xf32, #c>
    %e = nv_tileas.async.dot %a, %b, %slot overwrites %is_first atom = "tcgen05.f16.m128n256k16.f32.f16.f16"
        : tensor<128x64xf16, #shared_a> * tensor<64x256xf16, #shared_b> + tensor<128x256xf32, #tmem>
    ```
  }];
  let arguments = (ins TileAS_TensorOrBuffer:$a, TileAS_TensorOrBuffer:$b, TileAS_TensorOrBuffer:$c, TileAS_AtomAttr:$atom,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, UnitAttr:$fast_acc, UnitAttr:$negate,
                       UnitAttr:$cta_pair, Optional<I1>:$overwrites, Optional<TileAS_Buffer>:$scale_a,
                       Optional<TileAS_Buffer>:$scale_b, Optional<I32>:$scale_columns, UnitAttr:$packed,
                       UnitAttr:$positive_scales, UnitAttr:$copies_operand);
  let results = (outs TileAS_TensorOrBuffer:$result, Optional<TileAS_AsyncToken>:$token);
  let assemblyFormat = [{
    $a (`scale` $scale_a^)? (`signedness` `=` $signedness_a^)? `,` $b (`scale` $scale_b^)?
    (`signedness` `=` $signedness_b^)? `,` $c (`fast_acc` $fast_acc^)? (`negate` $negate^)? (`cta_pair` $cta_pair^)?
    (`overwrites` $overwrites^)? (`scale_columns` $scale_columns^)? `atom` `=` $atom attr-dict
    `:` type($a) (`scale` type($scale_a)^)? `*` type($b) (`scale` type($scale_b)^)? `+` type($c) (`,` type($token)^)?
  }];
  let extraClassDeclaration = [{
    bool isBlockScaled() { return bool(getScaleA()); }
  }];
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def TileAS_AsyncWaitOp : TileAS_Op<"async.wait", [TileAS_MemoryConsistencyOpInterface, Work_NotCounted,
                                                  MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until all that the tokens stand for is complete";
  let description = [{
    Without tokens (`all`), until all MMAs are. `pending` is how many operations like them that have been started later may
    still be in flight; `tileas-resolve-tokens` finds it, for instructions that count.

    ```mlir
    nv_tileas.async.wait %t0, %t1
    ```
  }];
  let arguments = (ins Variadic<TileAS_AsyncToken>:$tokens, PendingArg:$pending);
  // A list that may be empty would take the results of the next operation for its own.
  let assemblyFormat = "($tokens^):(`all`)? (`pending` $pending^)? attr-dict";
  let hasVerifier = 1;
}

def TileAS_AsyncFutureWaitOp : TileAS_Op<"async.future_wait", [
    TypesMatchWith<"results are the values", "values", "results", "$_self", "std::equal_to<>()">,
    MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "The values, complete: later operations use them without a wait of their own";
  let description = [{
    Where the wait itself stands is still open: at the first use of a result at the latest. `pending` is that of
    `async.wait`. Among the values may be what an MMA reads from registers: until then nothing writes there.

    ```mlir
    %d1 = nv_tileas.async.future_wait %t, %d : tensor<128x256xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_AsyncToken:$token, Variadic<AnyType>:$values, PendingArg:$pending);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$token (`pending` $pending^)? (`,` $values^ `:` type($values))? attr-dict";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$token, "::mlir::ValueRange":$values), [{
    build($_builder, $_state, values.getTypes(), token, values, ::mlir::IntegerAttr());
  }]>];
}

def TileAS_CommitCopiesOp : TileAS_Op<"commit_copies", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "The copies that this thread has started since the last commit are a group";
  let description = "Placed by `tileas-group-copies`. A group may be empty; then it is complete.";
  let assemblyFormat = "attr-dict";
}

def TileAS_AwaitCopiesOp : TileAS_Op<"await_copies", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "This thread waits until all its groups of copies but the last `pending` are complete";
  let description = [{
    Others know nothing of that before they have met it. Placed by `tileas-group-copies`.

    ```mlir
    nv_tileas.await_copies pending 1
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "`pending` $pending attr-dict";
}

def TileAS_AsyncToAsyncOp : TileAS_AsyncOp<"to_async", [Pure, Work_Free]> {
  let summary = "One half of an asynchronous value: its storage or its completion";
  let description = [{
    A result of the operand's type is the value, complete or not; one of type `!nv_tileas.async_token` is complete when
    the value is.

    ```mlir
    %storage = nv_tileas.async.to_async %v : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    %token = nv_tileas.async.to_async %v : tensor<64x64xf16, #blocked> -> !nv_tileas.async_token
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}

def TileAS_AsyncTokenToAsyncOp : TileAS_Op<"async.token_to_async", [Pure, Work_Free]> {
  let summary = "The completion of what a memory or pipeline token stands for";
  let arguments = (ins AnyTypeOf<[TileAS_Token, TileAS_ProducerToken, TileAS_ConsumerToken]>:$token);
  let results = (outs TileAS_AsyncToken:$result);
  let assemblyFormat = "$token attr-dict `:` qualified(type($token))";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASASYNCOPS_TD
