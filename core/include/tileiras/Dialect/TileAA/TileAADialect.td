//===- TileAADialect.td - The nv_tileaa dialect ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_DIALECT_TD
#define TILEIRAS_DIALECT_TILEAA_DIALECT_TD

include "mlir/IR/OpBase.td"

def TileAA_Dialect : Dialect {
  let name = "nv_tileaa";
  let cppNamespace = "::tileiras::aa";
  let summary = "Tile programs with explicit pointers, memory views and memory order";
  let description = [{
    `nv_tileaa` ("alias-aware") says the same program as `cuda_tile` in terms a compiler can transform: tiles are
    builtin tensors (scalars where the tile has rank 0), arithmetic is upstream `arith` and `math` wherever those say
    what is meant, control flow is `scf`, and every access to memory names its pointer or view and its place in the
    memory order.

    An operation of this dialect computes on whole tiles. Nothing here says which thread holds which element; that is
    the business of `nv_tileas`, which keeps the elementwise operations of this dialect as they are.

    What an operation means is in what it defines. Discardable attributes are hints, which any pass may drop, but for
    `target_spec`:

    | attribute | of | says |
    |---|---|---|
    | `target_spec` | a module | the GPU that it is compiled for |
    | `latency` | a load | how heavy its traffic is, from 1 to 10 |
    | `allow_tma` | a load or store | whether TMA may do it |
    | `only_resident_begin` | a kernel of the LLVM dialect | `only_resident_begin` of the function that it was |
  }];
  let discardableAttrs = (ins
    "::tileiras::aa::TargetSpecAttr":$target_spec,
    "::mlir::IntegerAttr":$latency,
    "::mlir::BoolAttr":$allow_tma,
    "::mlir::UnitAttr":$only_resident_begin
  );
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Name of the discardable module attribute that holds the TargetSpecAttr of a device module.
    static constexpr llvm::StringLiteral getTargetSpecAttrName() { return TargetSpecAttrHelper::getNameStr(); }

  private:
    void registerAttributes();
    void registerTypes();
    void registerElementwiseOps();
    void registerShapeOps();
    void registerMemoryOps();
    void registerStructureOps();
    void registerQueueOps();

  public:
  }];
}

#endif // TILEIRAS_DIALECT_TILEAA_DIALECT_TD
