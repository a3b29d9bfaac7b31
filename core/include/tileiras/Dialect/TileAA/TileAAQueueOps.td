//===- TileAAQueueOps.td - Queues between agents -----------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_QUEUE_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_QUEUE_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "tileiras/Dialect/TileAA/AgentInterfaces.td"
include "tileiras/Dialect/TileAA/TileAABase.td"

def TileAA_Queue : Type<CPred<"::llvm::isa<::tileiras::aa::QueueType>($_self)">, "queue", "::tileiras::aa::QueueType">;

/// Everybody can see which queue it is: it is the result of a `create_queue`.
def TileAA_FirstOperandIsNonAliasingQueue : NativeOpTrait<"FirstOperandIsNonAliasingQueue"> {
  let cppNamespace = "::tileiras::aa";
}

/// Puts and gets stay where they are, in their order.
defvar QueueEffects = MemoryEffects<[MemRead, MemWrite]>;

def TileAA_CreateQueueOp : TileAA_Op<"create_queue", [MemoryEffects<[MemAlloc]>]> {
  let summary = "An empty queue";
  let description = [{
    `depth` entries fit in, 1024 at most; without it a later pass decides. `num_consumers` get every entry; the groups name the
    agents at both ends, where there are agents. Nothing but puts and gets uses a queue.

    ```mlir
    %q = nv_tileaa.create_queue {depth = 4 : i32} : !nv_tileaa.queue<(tensor<128x64xf16>, tensor<64x256xf16>)>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntPositive, IntMaxValue<1024>]>>:$depth,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$producer_group,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$consumer_group,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "1">:$num_consumers,
                       OptionalAttr<TileAA_StageCountsAttr>:$stage_counts);
  let results = (outs TileAA_Queue:$queue);
  let assemblyFormat = "attr-dict `:` qualified(type($queue))";
  let hasVerifier = 1;
}

class TileAA_QueueAccessOp<string mnemonic, list<Trait> traits> : TileAA_Op<"queue." # mnemonic, [
    TileAA_FirstOperandIsNonAliasingQueue, SingleBlock, QueueEffects, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>] # traits> {
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def TileAA_QueuePutOp : TileAA_QueueAccessOp<"put", []> {
  let summary = "Waits until there is room and puts in what the body yields";
  let description = [{
    What the body does belongs to the producer: it goes where the producer goes. `index`, where there is one, is the
    iteration of the loop that the entry is for; entries are put and got in the order of the program in any case.

    ```mlir
    nv_tileaa.queue.put %q[%i] : !nv_tileaa.queue<(tensor<128x64xf16>)>, index {
      …
      nv_tileaa.queue.yield %a : tensor<128x64xf16>
    }
    ```
  }];
  let arguments = (ins TileAA_Queue:$queue, Optional<AnySignlessIntegerOrIndex>:$index);
  let assemblyFormat = [{
    $queue (`[` $index^ `]`)? attr-dict `:` qualified(type($queue)) (`,` type($index)^)? $body
  }];
}

def TileAA_QueueGetOp : TileAA_QueueAccessOp<"get", []> {
  let summary = "Waits until there is an entry and gives what the body makes of it";
  let description = [{
    The body's arguments are the entry. The entry is taken out of the queue after the body; a body may yield its
    arguments, which are values like any others.

    ```mlir
    %a = nv_tileaa.queue.get %q[%i] consumer 1 : !nv_tileaa.queue<(tensor<128x64xf16>)>, index -> tensor<128x64xf16> {
    ^bb0(%entry: tensor<128x64xf16>):
      nv_tileaa.queue.yield %entry : tensor<128x64xf16>
    }
    ```
  }];
  let arguments = (ins TileAA_Queue:$queue, Optional<AnySignlessIntegerOrIndex>:$index,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">:$consumer_idx);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $queue (`[` $index^ `]`)? (`consumer` $consumer_idx^)? attr-dict `:` qualified(type($queue)) (`,` type($index)^)?
    (`->` type($values)^)? $body
  }];
  let hasVerifier = 1;
}

def TileAA_QueueYieldOp : TileAA_Op<"queue.yield", [Pure, Terminator, ParentOneOf<["QueuePutOp", "QueueGetOp"]>,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface, ["getMutableSuccessorOperands"]>]> {
  let summary = "Ends the body of a put with the entry, that of a get with its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def TileAA_ExecuteOp : TileAA_Op<"execute", [SingleBlock, QueueEffects, RecursiveMemoryEffects,
                                             TileAA_AgentLikeOpInterface]> {
  let summary = "Agents that run at the same time and meet after it";
  let description = [{
    Which warps run them is decided later.

    ```mlir
    nv_tileaa.execute attributes {max_regs = array<i32: 40, 232>} {
      …
      nv_tileaa.yield
    }, {
      …
      nv_tileaa.yield
    }
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$num_agents_per_group,
                       OptionalAttr<DenseI32ArrayAttr>:$max_regs, UnitAttr:$isolated);
  let regions = (region VariadicRegion<SizedRegion<1>>:$agents);
  let assemblyFormat = "attr-dict-with-keyword $agents";
  let hasRegionVerifier = 1;
}

def TileAA_MarkForReuseOp : TileAA_Op<"mark_for_reuse", [Pure, SameOperandsAndResultType,
                                                         Work_Free] # ElementwiseMappable.traits> {
  let summary = "The same value, with the hint that it will be wanted again";
  let description = [{
    Whoever gives memory to values had better keep this one where it is until its last use, instead of making it again
    or sharing its place. Without effect on results.
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // TILEIRAS_DIALECT_TILEAA_QUEUE_OPS_TD
