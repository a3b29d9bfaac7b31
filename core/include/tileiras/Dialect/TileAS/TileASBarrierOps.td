//===- TileASBarrierOps.td - Where threads wait ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASBARRIEROPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASBARRIEROPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

// What one thread does at barriers. Patterns of `convert-tileas-to-llvm` make these operations, among those of the LLVM
// and NVVM dialects. Until all scopes are verified they say who meets where; then the pass makes PTX of them.

/// The conversion keeps it: the last step of `convert-tileas-to-llvm` makes PTX of it.
def TileAS_EmittedLast : NativeOpTrait<"EmittedLast"> {
  let cppNamespace = "::tileiras::as";
}

class TileAS_WaitingOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<mnemonic, [TileAS_EmittedLast, MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted] # traits> {
  let hasVerifier = 1;
}

def TileAS_NamedBarrierOp : TileAS_WaitingOp<"named_barrier"> {
  let summary = "Threads of the CTA meet at a hardware barrier";
  let description = [{
    The barrier is number `number`, one of `first` to `last`; it counts `threads` threads. What these have done to memory
    before is seen by those that waited, afterwards.

    - `meet`: all that it counts are at this operation, and each waits for the others;
    - `sync`: the thread waits; others that it counts arrive elsewhere;
    - `arrive`: the thread does not wait;
    - `arrive_next`: the same at the barrier after `number`; after `last` comes `first`.

    In an agent, the range is the barrier of this agent alone, at which all of its threads wait, or has barriers that are
    no agent's, at which some of its threads meet. All threads of a scope meet by `nvvm.barrier0` or `nvvm.barrier`.

    ```mlir
    nv_tileas.named_barrier sync %own of 3 to 4 threads = 256
    nv_tileas.named_barrier arrive_next %own of 3 to 4 threads = 256
    ```
  }];
  let arguments = (ins TileAS_BarrierActionAttr:$action, I32:$number, I32Attr:$first, I32Attr:$last, I32Attr:$threads);
  let assemblyFormat = "$action $number `of` $first `to` $last `threads` `=` $threads attr-dict";
  let extraClassDeclaration = [{
    /// The thread goes on when the others have come.
    bool waits() { return getAction() == BarrierAction::Meet || getAction() == BarrierAction::Sync; }
  }];
}

def TileAS_AwaitMbarriersOp : TileAS_WaitingOp<"await_mbarriers", [AttrSizedOperandSegments]> {
  let summary = "A thread waits until phases of mbarriers are complete";
  let description = [{
    Barrier i is `offsets[i]` bytes after the shared address `addresses[i]`; its phase of parity `parities[i]`, 0 or 1, is
    waited for. All are asked before the first answer is looked at. What threads have done before they arrived is seen
    afterwards: of those of this CTA, and, where `of_cluster[i]` says so, of those of others.

    ```mlir
    nv_tileas.await_mbarriers %a offsets [8] parities %p of_cluster [false]
    nv_tileas.await_mbarriers %a, %b offsets [0, 0] parities %p, %q of_cluster [false, true]
    ```
  }];
  let arguments = (ins Variadic<I32>:$addresses, Variadic<I32>:$parities, DenseI64ArrayAttr:$offsets,
                       DenseBoolArrayAttr:$of_cluster);
  let assemblyFormat = [{
    $addresses `offsets` $offsets `parities` $parities `of_cluster` $of_cluster attr-dict
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$address, "::mlir::Value":$parity, "int64_t":$offset, "bool":$of_cluster), [{
      build($_builder, $_state, ::mlir::ValueRange(address), ::mlir::ValueRange(parity),
            ::llvm::ArrayRef<int64_t>(offset), ::llvm::ArrayRef<bool>(of_cluster));
    }]>,
  ];
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASBARRIEROPS_TD
