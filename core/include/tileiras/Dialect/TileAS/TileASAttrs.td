//===- TileASAttrs.td - Attributes of nv_tileas ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASATTRS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"
include "tileiras/Dialect/TileAS/TileASBase.td"
include "tileiras/Dialect/TileAS/TileASInterfaces.td"

def TileAS_OperandAxis : I32EnumAttr<"OperandAxis", "an operand of an MMA", [
    I32EnumAttrCase<"A", 0, "A">, I32EnumAttrCase<"B", 1, "B">, I32EnumAttrCase<"C", 2, "C">]> {
  let cppNamespace = "::tileiras::as";
  let genSpecializedAttr = 0;
}

def TileAS_ProducerKind : I32EnumAttr<"ProducerKind", "how the stages of a pipeline are filled", [
    I32EnumAttrCase<"Registers", 0, "registers">, I32EnumAttrCase<"Tma", 1, "tma">,
    I32EnumAttrCase<"AsyncCopy", 2, "async_copy">, I32EnumAttrCase<"Mma", 3, "mma">]> {
  let cppNamespace = "::tileiras::as";
  let genSpecializedAttr = 0;
}

def TileAS_ProducerKindAttr : EnumAttr<TileAS_Dialect, TileAS_ProducerKind, "producer_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAS_BarrierAction : I32EnumAttr<"BarrierAction", "what a thread does at a hardware barrier", [
    I32EnumAttrCase<"Meet", 0, "meet">, I32EnumAttrCase<"Sync", 1, "sync">, I32EnumAttrCase<"Arrive", 2, "arrive">,
    I32EnumAttrCase<"ArriveNext", 3, "arrive_next">]> {
  let cppNamespace = "::tileiras::as";
  let genSpecializedAttr = 0;
}

/// Prints as a bare keyword.
def TileAS_BarrierActionAttr : EnumAttr<TileAS_Dialect, TileAS_BarrierAction, "barrier_action">;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

class TileAS_LayoutAttr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TileAS_Dialect, name, !listconcat(traits, [
        DeclareAttrInterfaceMethods<DistributedLayoutAttrInterface>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>])> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAS_BlockedAttr : TileAS_LayoutAttr<"Blocked", "blocked"> {
  let summary = "Each thread holds contiguous blocks";
  let description = [{
    Each thread holds `register[d]` contiguous elements along every dimension d, the lanes of a warp are a grid
    `lane[d]` of such blocks, the warps a grid `warp[d]` of those; `order` numbers registers, lanes and warps, fastest
    dimension first. `makeBlockedLayout` says what happens when the tile is larger (repetition in further registers)
    or smaller (lanes and warps hold copies).

    ```mlir
    #nv_tileas.blocked<register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "elements of a thread along each dimension">:$elementsPerThread,
    ArrayRefParameter<"int64_t", "lanes along each dimension, 32 in all">:$threadsPerWarp,
    ArrayRefParameter<"int64_t", "warps along each dimension">:$warpsPerCTA,
    ArrayRefParameter<"int64_t", "dimensions, fastest first">:$order);
}

def TileAS_LinearAttr : TileAS_LayoutAttr<"Linear", "linear"> {
  let summary = "Any linear layout";
  let description = [{
    The coordinates of every input bit, least significant bit first.

    ```mlir
    #nv_tileas.linear<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [0, 0]]>
    ```
  }];
  let parameters = (ins
    "int64_t":$rank,
    ArrayRefParameter<"int32_t", "rank coordinates for each bit">:$registerBases,
    ArrayRefParameter<"int32_t", "rank coordinates for each bit">:$laneBases,
    ArrayRefParameter<"int32_t", "rank coordinates for each bit">:$warpBases);
  let extraClassDeclaration = [{
    /// `layout` as an attribute. It must have no inputs but Register, Lane and Warp.
    static LinearAttr get(::mlir::MLIRContext *context, const ::tileiras::LinearLayout &layout);
  }];
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

def TileAS_AtomAttr : AttrDef<TileAS_Dialect, "Atom"> {
  let mnemonic = "atom";
  let summary = "The hardware instruction that does the work of an operation";
  let description = [{
    One vocabulary for MMAs, copies and reductions. An atom is *named* as in the chip's catalogue (`AtomCatalogue`); or
    *any*, where the lowering chooses: `universal_copy`, `universal_reduce`, and `universal_fma` for MMAs that no tensor
    core computes; or *unplaced*, of a block-scaled MMA while its operands are in registers: their layouts say nothing.

    ```mlir
    nv_tileas.copy %tile, %buffer atom = "universal_copy" : …
    ```
  }];
  let parameters = (ins StringRefParameter<"name in the catalogue, or one of the words above">:$name);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static AtomAttr getAnyCopy(::mlir::MLIRContext *context) { return get(context, kAnyCopy); }
    static AtomAttr getAnyReduction(::mlir::MLIRContext *context) { return get(context, kAnyReduction); }
    static AtomAttr getAnyMma(::mlir::MLIRContext *context) { return get(context, kAnyMma); }
    static AtomAttr getUnplaced(::mlir::MLIRContext *context) { return get(context, kUnplaced); }

    bool isAny() const;
    bool isUnplaced() const { return getName() == kUnplaced; }
    bool isNamed() const { return !isAny() && !isUnplaced(); }

    /// What the catalogue says of it; null where it has no such atom, or none is named.
    const ::tileiras::MmaAtom *findMma(const ::tileiras::AtomCatalogue &atoms) const;
    const ::tileiras::CopyAtom *findCopy(const ::tileiras::AtomCatalogue &atoms) const;
    const ::tileiras::ReduceAtom *findReduce(const ::tileiras::AtomCatalogue &atoms) const;

    static constexpr ::llvm::StringLiteral kAnyCopy = "universal_copy", kAnyReduction = "universal_reduce",
                                           kAnyMma = "universal_fma", kUnplaced = "unplaced";
  }];
}

//===----------------------------------------------------------------------===//
// Fragments of MMAs
//===----------------------------------------------------------------------===//

def TileAS_DotOperandAttr : TileAS_LayoutAttr<"DotOperand", "dot_operand"> {
  let summary = "Operand fragments of a matrix-multiply atom";
  let description = [{
    The layout that operand `axis` of an MMA atom wants: tiles are (…, M, K) for A, (…, K, N) for B and (…, M, N) for
    C and the result. `fragment` is the atom's own layout of an operand of `extents` rows × columns; `warp` is the grid
    of warps over the dimensions of the result. `tileMma` says how the two cover a tile; an instruction's registers are
    always complete and consecutive, in a tile below the atom's extents they hold copies. The fragment of an atom of
    several warps takes that many of those along the rows.

    ```mlir
    #nv_tileas.dot_operand<axis = B, atom = "mma.m16n8k16.f32.f16.f16", warp = [2, 2], extents = [16, 8],
      fragment = <register = [[1, 0], [8, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>>
    ```
  }];
  let parameters = (ins
    EnumParameter<TileAS_OperandAxis>:$axis,
    "::tileiras::as::AtomAttr":$atom,
    ArrayRefParameter<"int64_t", "warps along each dimension of the result">:$warpsPerCTA,
    ArrayRefParameter<"int64_t", "rows and columns of the operand of one atom">:$extents,
    "::tileiras::as::LinearAttr":$fragment);
}

def TileAS_SharedAttr : AttrDef<TileAS_Dialect, "Shared", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shared";
  let summary = "Where the elements of a tile are in shared memory";
  let description = [{
    A layout descriptor (tileiras/Layout/LayoutDescriptor.h): shape, strides in elements, swizzle and element type.

    ```mlir
    #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4>
    ```
  }];
  let parameters = (ins StringRefParameter<"canonical text of the descriptor, without angle brackets">:$text);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::tileiras::LayoutDescriptor getDescriptor() const;
  }];
}

def TileAS_TmemAttr : AttrDef<TileAS_Dialect, "Tmem", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "tmem";
  let summary = "Where the elements of a tile are in tensor memory";
  let description = [{
    The coordinates of each bit of the row (of 128) and of the column of an element. Columns count elements as wide as
    those of the tile, packed into 32 bits each, or, where `unpacked` stands, 32-bit columns with one element each.

    ```mlir
    #nv_tileas.tmem<row = [[1, 0], [2, 0]], column = [[0, 1], [0, 2], [0, 4]], unpacked>
    ```
  }];
  let parameters = (ins
    "int64_t":$rank,
    ArrayRefParameter<"int32_t", "rank coordinates for each bit">:$rowBases,
    ArrayRefParameter<"int32_t", "rank coordinates for each bit">:$columnBases,
    "bool":$unpacked);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layout of a tile of extents `shape`: input bits of dims Row and Column to tile coordinates.
    ::tileiras::LinearLayout toLinearLayout(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

//===----------------------------------------------------------------------===//
// Conversions that have been planned
//===----------------------------------------------------------------------===//

def TileAS_AtomPlanAttr : AttrDef<TileAS_Dialect, "AtomPlan"> {
  let mnemonic = "atom_plan";
  let summary = "How a tile comes from one register layout into another";
  let description = [{
    With `tag` 0 the tile goes from registers to registers, and `atom` is the kind of conversion
    (`stringifyConversionKind`); with `tag` 1 it goes through shared memory, and `atom` is the instruction that reads it
    there. A `copy` that reads back a tile of its own has tag 1, and `smem` is the tile's layout; a `convert_layout` has
    tag 0, or tag 1 without `smem` where its tile goes through the memory of exchanges, in the layout that suits both
    sides.

    ```mlir
    #nv_tileas.atom_plan<tag = 0, atom = "warp shuffle">
    #nv_tileas.atom_plan<tag = 1, atom = "ldmatrix", smem = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>>
    #nv_tileas.atom_plan<tag = 1, atom = "ld.shared">
    ```
  }];
  let parameters = (ins "unsigned":$tag, "::mlir::StringAttr":$atom, OptionalParameter<"::tileiras::as::SharedAttr">:$smem);
  let assemblyFormat = "`<` struct($tag, $atom, $smem) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Of tag 1: the tile is read from shared memory by matrix instructions, or element by element.
    static constexpr ::llvm::StringLiteral kLoadMatrix = "ldmatrix", kLoadShared = "ld.shared";
  }];
}

//===----------------------------------------------------------------------===//
// Memory that has been allocated
//===----------------------------------------------------------------------===//

def TileAS_MemoryRangeAttr : AttrDef<TileAS_Dialect, "MemoryRange"> {
  let mnemonic = "memory_range";
  let summary = "A part of a kernel's shared memory";
  let description = [{
    Given by `tileas-allocate-memory`: `offset` and `bytes` in the one arena of the kernel.

    ```mlir
    #nv_tileas.memory_range<offset = 1024, bytes = 4096>
    ```
  }];
  let parameters = (ins "int64_t":$offset, "int64_t":$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    int64_t getEnd() const { return getOffset() + getBytes(); }
    bool overlaps(MemoryRangeAttr other) const {
      return getOffset() < other.getEnd() && other.getOffset() < getEnd();
    }
  }];
}

/// The last argument of each operation with TileAS_ExchangeOpInterface: what `tileas-allocate-memory` has given it.
/// Builders may leave it out.
def ScratchArg : DefaultValuedOptionalAttr<TileAS_MemoryRangeAttr, "::tileiras::as::MemoryRangeAttr()"> {
  let constBuilderCall = "$0";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASATTRS_TD
