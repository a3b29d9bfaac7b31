//===- TileASOpBase.td - What the nv_tileas operations share -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASOPBASE_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASOPBASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAA/TileAAAttributes.td"
include "tileiras/Dialect/TileAS/ExecutionInterfaces.td"
include "tileiras/Dialect/TileAS/LayoutInterfaces.td"
include "tileiras/Dialect/TileAS/TileASAttrs.td"
include "tileiras/Dialect/TileAS/TileASTypes.td"
include "tileiras/Work/WorkInterface.td"

// Memory semantics, scopes, padding and signedness are nv_tileaa's: they mean the same here.

/// A tile whose elements are distributed over the threads.
def TileAS_Tensor : Type<CPred<"::tileiras::as::isDistributedTensor($_self)">,
    "tensor with a register layout", "::mlir::RankedTensorType">;

/// A tile of rank 0 is a scalar, the same in every thread.
def TileAS_Scalar : Type<CPred<"!::llvm::isa<::mlir::ShapedType>($_self)">, "scalar">;
def TileAS_Tile : AnyTypeOf<[TileAS_Tensor, TileAS_Scalar], "tensor with a register layout or scalar">;
def TileAS_Mask : Type<CPred<"::mlir::getElementTypeOrSelf($_self).isInteger(1)">, "i1 or tensor of i1">;
def TileAS_Token : Type<CPred<"::llvm::isa<::tileiras::as::MemTokenType>($_self)">, "memory token",
    "::tileiras::as::MemTokenType">, BuildableType<"$_builder.getType<::tileiras::as::MemTokenType>()">;
/// A tile in shared or tensor memory: a value that names its memory, as a pointer does.
def TileAS_Buffer : Type<CPred<"::tileiras::as::isMemoryTensor($_self)">,
    "tensor in shared or tensor memory", "::mlir::RankedTensorType">;
def TileAS_Slices : Type<CPred<"::llvm::isa<::tileiras::as::SlicesType>($_self)">, "grid of slices",
    "::tileiras::as::SlicesType">;
def TileAS_View : Type<CPred<"::llvm::isa<::tileiras::as::TiledViewType>($_self)">, "tiled view",
    "::tileiras::as::TiledViewType">;

/// How many operations that have been started later a wait may leave in flight: in kernels only.
defvar PendingArg = OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>;

def TileAS_AsyncToken : Type<CPred<"::llvm::isa<::tileiras::as::AsyncTokenType>($_self)">, "async token",
    "::tileiras::as::AsyncTokenType">, BuildableType<"$_builder.getType<::tileiras::as::AsyncTokenType>()">;
def TileAS_Pipeline : Type<CPred<"::llvm::isa<::tileiras::as::PipelineType>($_self)">, "pipeline",
    "::tileiras::as::PipelineType">;
def TileAS_Iterator : Type<CPred<"::llvm::isa<::tileiras::as::IteratorType>($_self)">, "pipeline iterator",
    "::tileiras::as::IteratorType">;
def TileAS_ProducerToken : Type<CPred<"::llvm::isa<::tileiras::as::ProducerTokenType>($_self)">, "producer token",
    "::tileiras::as::ProducerTokenType">;
def TileAS_ConsumerToken : Type<CPred<"::llvm::isa<::tileiras::as::ConsumerTokenType>($_self)">, "consumer token",
    "::tileiras::as::ConsumerTokenType">;
def TileAS_TmaDesc : Type<CPred<"::llvm::isa<::tileiras::as::TmaDescType>($_self)">, "TMA descriptor",
    "::tileiras::as::TmaDescType">;

/// Operands in any layout, results in the chosen one.
defvar TileAS_AnyLayouts = TileAS_LayoutOpInterface;
defvar TileAS_OwnLayouts =
    DeclareOpInterfaceMethods<TileAS_LayoutOpInterface, ["collectLayoutRelations", "adaptLayouts"]>;
defvar TileAS_RematerializableLayouts = DeclareOpInterfaceMethods<TileAS_LayoutOpInterface, ["isRematerializable"]>;

/// Starts something that goes on behind it.
class TileAS_AsyncOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<"async." # mnemonic, [TileAS_MemoryConsistencyOpInterface] # traits> {
  let hasVerifier = 1;
}

def TileAS_TensorOrBuffer : AnyTypeOf<[TileAS_Tensor, TileAS_Buffer],
    "tensor with a register layout or in shared or tensor memory", "::mlir::RankedTensorType">;

#endif // TILEIRAS_DIALECT_TILEAS_TILEASOPBASE_TD
