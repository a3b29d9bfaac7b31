//===- TileASOps.td - Computation on distributed tiles -----*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def TileAS_ConvertLayoutOp : TileAS_Op<"convert_layout",
    [Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType, TileAS_ExchangeOpInterface,
     TileAS_AnyLayouts, Work_Own]> {
  let summary = "The same tile, held by other threads";
  let description = [{
    ```mlir
    %1 = nv_tileas.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #dot_a>
    ```

    Its lowering takes the kind of conversion that `atom_plan` names, else the cheapest one. With tag 1 the tile goes
    through the memory that all exchanges of the function share, in rounds where that has no room for it at once.
  }];
  let arguments = (ins TileAS_Tensor:$source, OptionalAttr<TileAS_AtomPlanAttr>:$atom_plan, ScratchArg:$scratch);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source),
                            [{ build($_builder, $_state, result, source, ::tileiras::as::AtomPlanAttr()); }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def TileAS_CancelNextProgramIdOp : TileAS_Op<"cancel_next_program_id", [MemoryEffects<[MemRead, MemWrite]>,
                                                                         Work_ByTypes]> {
  let summary = "Takes over a tile block of the launch grid that has not started yet";
  let description = [{
    A persistent kernel runs one program after the other in a tile block. `x`, `y` and `z` are the program that it runs
    now; the results are the position of the next one, which no other tile block runs, and whether there is one. Where
    there is none the positions are -1, which `nv_tileaa.is_valid_program_id` refuses, and there never will be one. All
    threads get the same results.

    ```mlir
    scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
      %runs = nv_tileaa.is_valid_program_id %x, %y, %z
      scf.condition(%runs) %x, %y, %z : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %z: i32):
      …
      %x1, %y1, %z1, %found = nv_tileas.cancel_next_program_id after %x, %y, %z
      scf.yield %x1, %y1, %z1 : i32, i32, i32
    }
    ```
  }];
  let arguments = (ins I32:$x, I32:$y, I32:$z);
  let results = (outs I32:$next_x, I32:$next_y, I32:$next_z, I1:$found);
  let assemblyFormat = "`after` $x `,` $y `,` $z attr-dict";
}

//===----------------------------------------------------------------------===//
// Shape operations: no data moves between threads
//===----------------------------------------------------------------------===//

defvar ForwardOnly = DeclareOpInterfaceMethods<TileAS_ShapeLayoutOpInterface>;
defvar BothWays = DeclareOpInterfaceMethods<TileAS_ShapeLayoutOpInterface, ["deriveSourceLayout"]>;

class TileAS_ShapeOp<string mnemonic, Trait derivation = BothWays, Type tile = TileAS_Tensor, list<Trait> traits = []>
    : TileAS_Op<mnemonic, [Pure, AllElementTypesMatch<["source", "result"]>, derivation, Work_Free] # traits> {
  let arguments = (ins tile:$source);
  let results = (outs tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

/// A view: the same elements with other coordinates; of a tile in memory, the same memory.
class TileAS_RenamingOp<string mnemonic>
    : TileAS_ShapeOp<mnemonic, BothWays, TileAS_TensorOrBuffer, [ViewLikeOpInterface]> {
  let extraClassDeclaration = "::mlir::Value getViewSource() { return getSource(); }";
}

def TileAS_ViewOp : TileAS_RenamingOp<"view"> {
  let summary = "Other extents, the same elements in row-major order";
  let description = [{
    Of a tile in shared memory, `offset` and `position`, both in elements, say how far from the source's beginning the
    result begins, together: another stage of an `alloc_tensor`. Where that is, the memory has to be the allocation's, and
    aligned as its tile is; of `position` the program promises that.

    ```mlir
    %ring = nv_tileas.alloc_tensor {stages = 2} : tensor<128x64xf16, #shared>
    %second = nv_tileas.view %ring {offset = 8192 : i64} : tensor<128x64xf16, #shared> -> tensor<128x64xf16, #shared>
    %one = nv_tileas.view %ring at %position : tensor<128x64xf16, #shared> -> tensor<128x64xf16, #shared>
    ```
  }];
  let arguments = (ins TileAS_TensorOrBuffer:$source, Optional<I32>:$position,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$source (`at` $position^)? attr-dict `:` type($source) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
    build($_builder, $_state, result, source, /*position=*/::mlir::Value(), /*offset=*/::mlir::IntegerAttr());
  }]>];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    /// Nothing but its extents differ from the source.
    bool isInPlace() { return !getPosition() && getOffset().value_or(0) == 0; }
  }];
}

def TileAS_ExpandDimsOp : TileAS_RenamingOp<"expand_dims"> {
  let summary = "Inserts a dimension of extent 1";
  let arguments = (ins TileAS_TensorOrBuffer:$source, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis);
  let assemblyFormat = "$source `axis` `=` $axis attr-dict `:` type($source) `->` type($result)";
}

def TileAS_BroadcastOp : TileAS_ShapeOp<"broadcast",
    DeclareOpInterfaceMethods<TileAS_ShapeLayoutOpInterface, ["deriveSourceLayout", "mapRegisters"]>> {
  let summary = "Repeats the tile along its dimensions of extent 1";
}

def TileAS_PermuteOp : TileAS_RenamingOp<"permute"> {
  let summary = "Dimension i of the result is dimension permutation[i] of the source";
  let arguments = (ins TileAS_TensorOrBuffer:$source, DenseI32ArrayAttr:$permutation);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
}

def TileAS_CatOp : TileAS_Op<"cat", [Pure, SameTypeOperands, ForwardOnly, Work_Free]> {
  let summary = "Two tiles of one type side by side along `axis`";
  let arguments = (ins TileAS_Tensor:$lhs, TileAS_Tensor:$rhs,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$axis);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` `=` $axis attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tiles from nothing, parts of tiles
//===----------------------------------------------------------------------===//

def TileAS_SplatOp : TileAS_Op<"splat", [Pure, TileAS_RematerializableLayouts, Work_Free,
    TypesMatchWith<"value has the element type", "result", "value", "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "Every element is `value`";
  let arguments = (ins AnyType:$value);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def TileAS_MakeRangeOp : TileAS_Op<"make_range", [Pure, TileAS_RematerializableLayouts, Work_ByTypes]> {
  let summary = "0, 1, 2, … along the only dimension";
  let description = "Values wrap modulo two to the element width.";
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAS_ExtractOp : TileAS_Op<"extract", [Pure, TileAS_AnyLayouts, Work_Own,
    TypesMatchWith<"result has the element type", "source", "result", "::mlir::getElementTypeOrSelf($_self)">]> {
  let summary = "The element of a tile with one element, as a scalar";
  let description = "Every thread holds the element, whatever the layout.";
  let arguments = (ins TileAS_Tensor:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def TileAS_ExtractSliceOp : TileAS_Op<"extract_slice", [Pure, AllElementTypesMatch<["source", "result"]>,
                                                        TileAS_ExchangeOpInterface, TileAS_AnyLayouts, Work_Own]> {
  let summary = "One slice of the grid of equal slices of a tile";
  let description = [{
    Index i counts slices along dimension i; one outside of the grid gives an unspecified value. The layouts of source
    and result need not be related; where each thread has the elements of a slice that is known already, it only picks
    registers.
  }];
  let arguments = (ins TileAS_Tensor:$source, Variadic<I32>:$indices, ScratchArg:$scratch);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_InsertSliceOp : TileAS_Op<"insert_slice", [Pure, AllTypesMatch<["destination", "result"]>,
                                                      TileAS_ExchangeOpInterface, TileAS_OwnLayouts, Work_Own]> {
  let summary = "Replaces one slice of the grid of equal slices of a tile";
  let arguments = (ins TileAS_Tensor:$source, TileAS_Tensor:$destination, Variadic<I32>:$indices, ScratchArg:$scratch);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = [{
    $source `into` $destination `[` $indices `]` attr-dict `:` type($source) `into` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_ClusterExchangeOp : TileAS_Op<"cluster_exchange", [Pure, TileAS_ExchangeOpInterface, TileAS_AnyLayouts,
                                                             Work_ByTypes]> {
  let summary = "Spreads a tile over the CTAs of its cluster in another way";
  let description = [{
    As in `nv_tileaa`; the layouts of source and result are for the threads of a CTA and need not be related. All
    threads of the cluster meet.
  }];
  let arguments = (ins TileAS_Tile:$source, DenseI32ArrayAttr:$from, DenseI32ArrayAttr:$to, UnitAttr:$first,
                       ScratchArg:$scratch);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $source `from` $from `to` $to (`first` $first^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

//===----------------------------------------------------------------------===//
// Sub-byte packing
//===----------------------------------------------------------------------===//

class TileAS_PackingOp<string mnemonic> : TileAS_Op<mnemonic, [Pure, BothWays, Work_Free]> {
  let arguments = (ins TileAS_Tensor:$source);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_PackOp : TileAS_PackingOp<"pack"> {
  let summary = "The bytes of a rank-1 tile";
  let description = "Lower bytes and lower half-bytes first. Each byte comes from registers of one thread.";
}

def TileAS_UnpackOp : TileAS_PackingOp<"unpack"> {
  let summary = "Reads a rank-1 tile of bytes as elements of another type; the inverse of `pack`";
  let description = "The bytes of an element come from registers of one thread.";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def TileAS_DotOp : TileAS_Op<"dot", [AllTypesMatch<["c", "result"]>, AttrSizedOperandSegments,
                                     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                     DeclareOpInterfaceMethods<ConditionallySpeculatable>,
                                     TileAS_ExchangeOpInterface, TileAS_OwnLayouts, TileAS_ProductOpInterface,
                                     Work_Own]> {
  let summary = "Matrix multiply-accumulate: result = a · b + c";
  let description = [{
    a is (M, K), b (K, N), c and the result (M, N), each with the same leading batch dimension or none. `fast_acc`
    allows the accumulation inside of one instruction to keep fewer bits than the accumulator has. `negate`, of floats:
    result = c - a · b.

    In a block-scaled MMA each of scale_a (M, K / V) and scale_b (K / V, N) is for V elements of a or b along K. Only
    atoms for such MMAs take scales, in the layout of the operand they are for with fragments of their own; an atom
    that reads operands in shared memory may take both from there, too, in blocks as `isScaleBlocks` says. `packed`
    operands are those of `nv_tileaa.mma_block_scale`; `positive_scales` is a promise that no scale of type f8E4M3FN is
    negative.

    With an MMA atom the three operands have `dot_operand` layouts of that atom with one arrangement of warps; a and b of
    an atom of warpgroups may be in shared memory instead, which is read when the MMA is computed. With
    `universal_fma` c and the result have any layout and so have a and b: a thread that owns an element of the result
    gets the row of a and the column of b that it needs through shared memory.

    With the atom of a warpgroup b lies in shared memory, and so does a, unless the atom takes it from registers. With
    `copies_operand` it reads a copy of a in registers, made each time in a way that the assembler cannot move
    (`markReusedOperands`).
  }];
  let arguments = (ins TileAS_TensorOrBuffer:$a, TileAS_TensorOrBuffer:$b, TileAS_Tensor:$c,
                       Optional<TileAS_TensorOrBuffer>:$scale_a, Optional<TileAS_TensorOrBuffer>:$scale_b, TileAS_AtomAttr:$atom,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
                       OptionalAttr<TileAA_SignednessAttr>:$signedness_b, UnitAttr:$fast_acc, UnitAttr:$negate,
                       UnitAttr:$packed, UnitAttr:$positive_scales, UnitAttr:$copies_operand, ScratchArg:$scratch);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = [{
    $a (`scale` $scale_a^)? (`signedness` `=` $signedness_a^)? `,` $b (`scale` $scale_b^)?
    (`signedness` `=` $signedness_b^)? `,` $c (`fast_acc` $fast_acc^)? (`negate` $negate^)? `atom` `=` $atom
    attr-dict `:` type($a) (`scale` type($scale_a)^)? `*` type($b) (`scale` type($scale_b)^)? `+` type($c)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// No tensor core computes it.
    bool isUniversalFma() { return getAtom().getName() == AtomAttr::kAnyMma; }
    bool isBlockScaled() { return bool(getScaleA()); }
    /// Then both are.
    bool hasScalesInMemory();
    /// An operand is in memory: the layouts of the others were chosen with it.
    bool readsMemory();
    void describe(::tileiras::MmaQuery &query);
    std::optional<std::pair<unsigned, unsigned>> getScaleOperandNumbers();
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

class TileAS_CombiningOp<string mnemonic, list<Trait> traits> : TileAS_Op<mnemonic, [RecursiveMemoryEffects,
    RecursivelySpeculatable, SingleBlock, TileAS_ExchangeOpInterface, TileAS_MemoryConsistencyOpInterface,
    Work_Own] # traits> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);
  }];
}

def TileAS_ReduceOp : TileAS_CombiningOp<"reduce", [ForwardOnly]> {
  let summary = "Combines the elements along `axis`; the axis disappears";
  let description = [{
    All inputs (of one shape and layout) are reduced together. The body's arguments are scalars, two for every input in
    order: an element, then the value accumulated so far; it yields one combination for every input. It is associative;
    the order of combination is the lowering's, the same in every run. `identities` holds the neutral elements.

    The result has the source's layout without the axis (`getReducedLayout`): the lanes and warps that shared the axis
    all hold the result. Reducing the only axis gives scalars.

    ```mlir
    %s = nv_tileas.reduce %t axis = 1 identities = [0.0 : f32] atom = "universal_reduce"
        : (tensor<4x8xf32, #blocked>) -> tensor<4xf32, #linear> {
    ^bb0(%x: f32, %acc: f32):
      %sum = arith.addf %x, %acc : f32
      nv_tileas.yield %sum : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Tensor>:$inputs, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis,
                       ArrayAttr:$identities, TileAS_AtomAttr:$atom, ScratchArg:$scratch);
  let results = (outs Variadic<TileAS_Tile>:$results);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis `identities` `=` $identities `atom` `=` $atom attr-dict
    `:` functional-type($inputs, $results) $body
  }];
}

/// What an element waits for is kept in registers that nothing tells before.
def TileAS_ScanOp : TileAS_CombiningOp<"scan", [TileAS_OwnLayouts, ElementWorkTrait<"Sequence">]> {
  let summary = "Combines each element along `axis` with all before it, or after it with `reverse`";
  let description = "Body and identities are those of `reduce`. The results have the inputs' types.";
  let arguments = (ins Variadic<TileAS_Tensor>:$inputs, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis,
                       UnitAttr:$reverse, ArrayAttr:$identities, TileAS_AtomAttr:$atom, ScratchArg:$scratch);
  let results = (outs Variadic<TileAS_Tensor>:$results);
  let assemblyFormat = [{
    $inputs `axis` `=` $axis (`reverse` $reverse^)? `identities` `=` $identities `atom` `=` $atom attr-dict
    `:` functional-type($inputs, $results) $body
  }];
}

def TileAS_ShuffleOp : TileAS_Op<"shuffle", [Pure, AllTypesMatch<["source", "result"]>, TileAS_OwnLayouts,
                                            Work_Is<"Move">]> {
  let summary = "Permutes what the lanes of every warp hold";
  let description = [{
    Lane i of the result has, in the registers of `source`, what lane `lanes[i]` of its warp has there. An index
    outside of 0 to 31 gives an unspecified value.

    ```mlir
    %1 = nv_tileas.shuffle %0, %lanes : tensor<64x64xf16, #a>, tensor<32xi32, #row>
    ```
  }];
  let arguments = (ins TileAS_Tensor:$source, TileAS_Tensor:$lanes);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$source `,` $lanes attr-dict `:` type($source) `,` type($lanes)";
  let hasVerifier = 1;
}

def TileAS_GenerateOp : TileAS_Op<"generate", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
                                               TileAS_AnyLayouts, Work_Own]> {
  let summary = "A tile whose elements are computed from their coordinates";
  let description = [{
    ```mlir
    %0 = nv_tileas.generate : tensor<64x64xi1, #blocked> {
    ^bb0(%row: i32, %column: i32):
      %below = arith.cmpi sge, %row, %column : i32
      nv_tileas.yield %below : i1
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result) $body";
  let hasRegionVerifier = 1;
}

def TileAS_PragmaOp : TileAS_Op<"pragma", [RecursiveMemoryEffects, SingleBlock, Work_OfRegions,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "Operations between directives for the assembler";
  let description = [{
    The body runs once. `enter` directives stand before its code, `leave` directives after it, in PTX's spelling
    (`.pragma "…";`). They promise nothing: an assembler that does not know them ignores them.

    ```mlir
    %d = nv_tileas.pragma enter ["next knob FenceCode"] leave [] -> tensor<64x64xf32, #c> {
      nv_tileas.yield %c : tensor<64x64xf32, #c>
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$ocgEnterDirectives, StrArrayAttr:$ocgLeaveDirectives);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    `enter` $ocgEnterDirectives `leave` $ocgLeaveDirectives attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let hasRegionVerifier = 1;
}

def TileAS_YieldOp : TileAS_Op<"yield", [Pure, ReturnLike, Terminator, 
    ParentOneOf<["GenerateOp", "PragmaOp", "ReduceOp", "ScanOp"]>]> {
  let summary = "Ends a region of the dialect";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASOPS_TD
