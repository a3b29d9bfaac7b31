//===- TileASBase.td - The nv_tileas dialect ---------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASBASE_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASBASE_TD

include "mlir/IR/OpBase.td"

def TileAS_Dialect : Dialect {
  let name = "nv_tileas";
  let cppNamespace = "::tileiras::as";
  let summary = "Tile programs whose execution is explicit";
  let description = [{
    Says how a tile program runs: every tile is a `tensor<…, #layout>` whose encoding tells which thread holds which
    element, every memory access and MMA names the hardware atom that carries it out.

    Elementwise arithmetic stays in `arith` and `math` (and, where those lack a rounding mode or a flag, in
    `nv_tileaa`), on encoded tensors: all operands and results share one layout. Whatever moves data between threads
    is an operation of this dialect: `convert_layout`, `reduce`, `scan`, `extract_slice`, `insert_slice`, `dot`.
    Shape operations (`view`, `expand_dims`, `permute`, `broadcast`, `cat`) never move data between threads: their
    verifiers require a result layout that each thread can fill from its own registers.

    Loads ahead of their use are said by pipelines (`async.pipeline.*`): rings of stages in memory that producers fill
    and consumers empty, each with an iterator of its own; asynchronous operations by tokens (`async.*`).
    Payload and stages are in the pipeline's type, from which those of iterators and tokens follow.

    What an operation means is in what it defines. Discardable attributes are hints, which any pass may drop:

    | attribute | of | says |
    |---|---|---|
    | `pass_failures` | a function or a loop | the passes that gave up on it |
    | `keeps_order` | a function | its loops keep their order |
    | `not_pipelined` | a loop | it stays as it was written |
    | `num_warps` | an operation | how many warps run it, or each of its agents |
    | `split_exponentials` | a power of two | two units compute it |
    | `root_reg_to_reg_copy_op` | a `convert_layout` | a conversion within registers starts from it |
    | `recomputed` | an extension of floats | its operand has been extended before: compilers are not to find that out |
    | `fence_code` | an `llvm.inline_asm`, or a function | it is the pragma of the fence after it; its fences have such pragmas |
    | `aligned` | an `llvm.inline_asm`, which has no field for it | the lanes of a warp execute it together; no hint, it stays |
    | `starts_copy` | an `llvm.inline_asm`, which has no field for it | it is over when somebody has waited; until then nothing shows it |
  }];
  let discardableAttrs = (ins
    "::mlir::ArrayAttr":$pass_failures,
    "::mlir::UnitAttr":$keeps_order,
    "::mlir::UnitAttr":$not_pipelined,
    "::mlir::Attribute":$num_warps,
    "::mlir::UnitAttr":$split_exponentials,
    "::mlir::UnitAttr":$root_reg_to_reg_copy_op,
    "::mlir::UnitAttr":$recomputed,
    "::mlir::UnitAttr":$fence_code,
    "::mlir::UnitAttr":$aligned,
    "::mlir::UnitAttr":$starts_copy
  );
  let dependentDialects = ["::tileiras::aa::TileAADialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOps();
    void registerMemoryOps();
    void registerPipelineOps();
    void registerAsyncOps();
    void registerTmaOps();
    void registerTensorMemoryOps();
  }];
}

class TileAS_Op<string mnemonic, list<Trait> traits = []> : Op<TileAS_Dialect, mnemonic, traits>;

#endif // TILEIRAS_DIALECT_TILEAS_TILEASBASE_TD
