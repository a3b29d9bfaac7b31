//===- AcmeOps.td - The acme dialect -------------------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_OPS
#define ACME_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAA/SliceInterfaces.td"
include "tileiras/Dialect/TileAS/ExecutionInterfaces.td"
include "tileiras/Dialect/TileAS/TileASAttrs.td"
include "tileiras/Work/WorkInterface.td"

def AcmeDialect : Dialect {
  let name = "acme";
  let cppNamespace = "::acme";
  let summary = "What acme's GPUs do in one instruction";
}

/// Tiles are cut into slices as those of every elementwise operation are.
class ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Op<AcmeDialect, mnemonic, [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits # traits> {
  let arguments = (ins RankedTensorOf<[F32]>:$source);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

/// Says nothing of its work: an ordinary instruction of f32.
def Twice : ElementwiseOp<"twice"> {
  let summary = "2 * x for every element";
}

/// Its instruction is a conversion: four times as dear.
def Saturate : ElementwiseOp<"saturate", [Work_Is<"Conversion">]> {
  let summary = "Clamp every element to [0, 1]; NaN becomes 0";
}

def Reciprocal : ElementwiseOp<"reciprocal", [Work_Is<"Division">]> {
  let summary = "1 / x for every element";
}

def Trace : Op<AcmeDialect, "trace", [MemoryEffects<[MemWrite]>, TileAA_SlicedAs<"Effect">, Work_Own]> {
  let summary = "Writes a tile to the trace of acme's simulator, which runs nv_tileas; no GPU does";
  let arguments = (ins RankedTensorOf<[F32]>:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def First : Op<AcmeDialect, "first", [Pure, TileAS_ExchangeOpInterface, Work_NotCounted]> {
  let summary = "The first element of a tile, in every thread";
  let arguments = (ins RankedTensorOf<[F32]>:$source, ScratchArg:$scratch);
  let results = (outs F32:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let extraClassDeclaration = "int64_t getScratchBytes(const ::tileiras::LoweringContext &lowering);";
}

def Split : Op<AcmeDialect, "split", [DeclareOpInterfaceMethods<TileAS_ExecutionScopeOpInterface>, Work_OfRegions]> {
  let summary = "Two things at once, each in half of the warps";
  let description = "`warps` run each of the regions.";
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$warps);
  let regions = (region AnyRegion:$first, AnyRegion:$second);
  let assemblyFormat = "$warps attr-dict-with-keyword $first $second";
}

def Sometimes : Op<AcmeDialect, "sometimes"> {
  let summary = "Says to nobody when it runs its region";
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

def Done : Op<AcmeDialect, "done", [Pure, Terminator]> {
  let summary = "Ends a half";
  let assemblyFormat = "attr-dict";
}

#endif // ACME_OPS
