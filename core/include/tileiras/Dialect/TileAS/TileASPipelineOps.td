//===- TileASPipelineOps.td - Producers and consumers ------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASPIPELINEOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASPIPELINEOPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "tileiras/Dialect/TileAA/AgentInterfaces.td"
include "tileiras/Dialect/TileAS/PipelineInterfaces.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

// The life of a stage: a producer acquires, writes and commits it; every consumer waits for it, reads and releases it;
// then the producer can acquire it again, a round later. `produce_one` and `consume_one` do all of that around their
// bodies; operations in a body that acquire, commit, wait or release for the same pipeline say where exactly it is done.
//
// Types follow from the pipeline's: the text names that one alone.

class TileAS_PipelineOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<"async.pipeline." # mnemonic, traits>;

/// The type of `other` is that of `type` in the family `family`.
class TileAS_SamePipeline<string type, string other, string family>
    : TypesMatchWith<other # " is of the same pipeline", type, other,
                     "::tileiras::as::" # family # "Type::get($_self)">;

defvar ConsumerIdxArg = DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">;
/// Handshakes stay where they are.
defvar HandshakeEffects = MemoryEffects<[MemRead, MemWrite]>;

//===----------------------------------------------------------------------===//
// Pipelines and iterators
//===----------------------------------------------------------------------===//

def TileAS_CreatePipelineOp : TileAS_PipelineOp<"create_pipeline", [AttrSizedOperandSegments, Work_Is<"Integer">,
                                                                    MemoryEffects<[MemAlloc]>]> {
  let summary = "A pipeline, all of whose stages are free";
  let description = [{
    `buffers`, one for each payload, are the memory of the stages; there are none before memory has been given to the
    pipeline. Stages and payload are the type's; whether they lie in shared memory is said by the payload. `barriers` is
    the memory of two mbarriers for each stage, full and empty, one stage after the other: a
    `tensor<2xi64, #nv_tileas.shared<2,1>>` of as many stages.

    `producer_kind` is how all producers fill the stages: `tma` (tensor copies, which one thread starts), `registers`
    (stores of all threads), `async_copy`, or `products` (accumulators in tensor memory). `arrivals`, of the full and of the empty barrier, is how many complete a
    phase; it is known once the handshakes are explicit.

    Each round a stage is filled once and read by `num_consumers` consumers, which `consumer_idx` tells apart.
    `producer_group` and `consumer_group` name the groups of agents at both ends, where there are agents.

    The CTAs of a cluster whose ranks differ in nothing but the bits of `shared_ctas` fill their stages together: each
    copies a share of what all of them need to all of them. A stage is free when the consumers of all have released it.
    With `product_releases` each consumer releases it once more, by the MMAs that read it (`commit_products`); one of
    a single warp releases it by these alone.

    With `cta_pair` the MMAs of a pair of CTAs (`async.dot`) read the stages of both, or leave their accumulators in those of
    both: the barriers that start them, and that say when they are complete, are those of the CTA with the even rank. It
    is told of the copies and of the releases of both, and tells both. With `shared_ctas`, whose lowest bit is clear
    then, CTAs of several pairs fill stages together.

    ```mlir
    %pipe = nv_tileas.async.pipeline.create_pipeline %ring_a, %ring_b barriers %barriers {producer_kind = #nv_tileas.producer_kind<tma>}
        : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #a>, tensor<64x256xf16, #b>)>
    ```
  }];
  let arguments = (ins Variadic<TileAS_Buffer>:$buffers, Optional<TileAS_Buffer>:$barriers,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$producer_group,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$consumer_group,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntPositive]>, "1">:$num_consumers,
                       OptionalAttr<TileAS_ProducerKindAttr>:$producer_kind,
                       OptionalAttr<DenseI32ArrayAttr>:$arrivals,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">:$shared_ctas,
                       UnitAttr:$product_releases, UnitAttr:$cta_pair,
                       OptionalAttr<TileAA_StageCountsAttr>:$stage_counts);
  let results = (outs TileAS_Pipeline:$pipeline);
  let assemblyFormat = [{
    ($buffers^)? (`barriers` $barriers^)? attr-dict `:` qualified(type($pipeline))
    custom<BufferTypes>(type($buffers), type($barriers), ref(type($pipeline)), ref($buffers), ref($barriers))
  }];
  let builders = [OpBuilder<(ins "PipelineType":$pipeline)>];
  let hasVerifier = 1;
}

def TileAS_CreateIteratorOp : TileAS_PipelineOp<"create_iterator", [Pure, Work_Is<"Integer">,
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">]> {
  let summary = "The iterator of a producer or consumer that begins: stage 0, round 0";
  let arguments = (ins TileAS_Pipeline:$pipeline);
  let results = (outs TileAS_Iterator:$iterator);
  let assemblyFormat = "$pipeline attr-dict `:` qualified(type($pipeline))";
}

def TileAS_IncIterOp : TileAS_PipelineOp<"inc_iter", [Pure, SameOperandsAndResultType, Work_Free]> {
  let summary = "The next stage; after the last one the first, in the next round";
  let arguments = (ins TileAS_Iterator:$iterator);
  let results = (outs TileAS_Iterator:$next);
  let assemblyFormat = "$iterator attr-dict `:` qualified(type($iterator))";
}

def TileAS_SlotOp : TileAS_PipelineOp<"slot", [Pure, Work_Free,
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">]> {
  let summary = "The memory of payload `index` of a stage";
  let description = "What the bodies of stages have as arguments; here for those whose bodies are gone.";
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$index);
  let results = (outs TileAS_Buffer:$result);
  let assemblyFormat = "$index `of` $pipeline `[` $iterator `]` attr-dict `:` qualified(type($pipeline)) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_StageNumberOp : TileAS_PipelineOp<"stage_number", [Pure, Work_ByTypes]> {
  let summary = "The number of the stage that an iterator is at, from 0 on";
  let arguments = (ins TileAS_Iterator:$iterator);
  let results = (outs I32:$number);
  let assemblyFormat = "$iterator attr-dict `:` qualified(type($iterator))";
}

//===----------------------------------------------------------------------===//
// A whole stage
//===----------------------------------------------------------------------===//

/// PipelineRegionOpInterface comes first: its verifier says what is wrong in the dialect's terms.
class TileAS_StageOp<string mnemonic, list<Trait> traits> : TileAS_PipelineOp<mnemonic, [SingleBlock,
    HandshakeEffects, RecursiveMemoryEffects, TileAS_PipelineRegionOpInterface, Work_OfRegions,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>] # traits> {
  let regions = (region SizedRegion<1>:$body);
}

class TileAS_ProduceOp<string mnemonic> : TileAS_StageOp<mnemonic, [
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">, TileAS_SamePipeline<"pipeline", "next", "Iterator">]> {
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator,
                       OptionalAttr<TileAS_ProducerKindAttr>:$producer_kind);
  let assemblyFormat = "$pipeline `[` $iterator `]` attr-dict `:` qualified(type($pipeline)) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isProducer() { return true; }";
}

def TileAS_ProduceOneOp : TileAS_ProduceOp<"produce_one"> {
  let summary = "Fills one stage";
  let description = [{
    Acquires the stage, runs the body, commits the stage when all that the body has started is complete, and gives the
    iterator of the next one. There is one instruction family (`producer_kind`) that fills a pipeline.

    ```mlir
    %next = nv_tileas.async.pipeline.produce_one %pipe[%i] : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #a>)> {
    ^bb0(%slot: tensor<128x64xf16, #a>):
      nv_tileas.async.tiled_tma_load %desc[%m, %k] into %slot atom = "tma_load" : …
      nv_tileas.async.pipeline.yield
    }
    ```
  }];
  let results = (outs TileAS_Iterator:$next);
}

def TileAS_ProduceOneAsyncOp : TileAS_ProduceOp<"produce_one_async"> {
  let summary = "Starts to fill one stage; `token` is complete when it is committed";
  let results = (outs TileAS_Iterator:$next, TileAS_AsyncToken:$token);
}

class TileAS_ConsumeOp<string mnemonic> : TileAS_StageOp<mnemonic, [
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">, TileAS_SamePipeline<"pipeline", "next", "Iterator">]> {
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator, ConsumerIdxArg:$consumer_idx);
  let assemblyFormat = [{
    $pipeline `[` $iterator `]` (`consumer` $consumer_idx^)? attr-dict `:` qualified(type($pipeline))
    (`->` type($values)^)? $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isProducer() { return false; }
    ::mlir::ResultRange getBodyResults() { return getValues(); }
  }];
}

def TileAS_ConsumeOneOp : TileAS_ConsumeOp<"consume_one"> {
  let summary = "Reads one stage";
  let description = [{
    Waits for the stage, runs the body, releases the stage when all that reads it is complete, and gives what the body
    yields and the iterator of the next stage.

    ```mlir
    %sum, %next = nv_tileas.async.pipeline.consume_one %pipe[%i] consumer 1
        : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #a>)> -> tensor<128x64xf32, #c> {
    ^bb0(%slot: tensor<128x64xf16, #a>):
      …
      nv_tileas.async.pipeline.yield %d : tensor<128x64xf32, #c>
    }
    ```
  }];
  let results = (outs Variadic<AnyType>:$values, TileAS_Iterator:$next);
}

def TileAS_ConsumeOneAsyncOp : TileAS_ConsumeOp<"consume_one_async"> {
  let summary = "Reads one stage; `token` is complete when all that reads it is";
  let description = "What has waited for `token` may use the results; the stage is released then.";
  let results = (outs Variadic<AnyType>:$values, TileAS_Iterator:$next, TileAS_AsyncToken:$token);
}

//===----------------------------------------------------------------------===//
// Steps of a stage's life
//===----------------------------------------------------------------------===//

// A token is passed on once on every path: whoever owns a stage writes or commits it, reads or releases it.

def TileAS_ProducerAcquireOp : TileAS_PipelineOp<"producer_acquire", [HandshakeEffects, Work_Is<"Integer">,
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">,
    TileAS_SamePipeline<"pipeline", "token", "ProducerToken">]> {
  let summary = "Waits until all consumers have released the stage";
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator,
                       OptionalAttr<TileAS_ProducerKindAttr>:$producer_kind);
  let results = (outs TileAS_ProducerToken:$token);
  let assemblyFormat = "$pipeline `[` $iterator `]` attr-dict `:` qualified(type($pipeline))";
  let hasVerifier = 1;
}

def TileAS_ProducerDrainOp : TileAS_PipelineOp<"producer_drain", [HandshakeEffects, Work_NotCounted,
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">]> {
  let summary = "Waits until all that has been started for the stages has arrived";
  let description = [{
    `iterator` is that of the stage to be filled next. What the copies have read, such as their tensor maps, may change
    after it; the stages themselves are still the consumers'.
  }];
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator);
  let assemblyFormat = "$pipeline `[` $iterator `]` attr-dict `:` qualified(type($pipeline))";
  let hasVerifier = 1;
}

def TileAS_ProducerWriteOp : TileAS_StageOp<"producer_write", [AllTypesMatch<["token", "written"]>,
    TileAS_SamePipeline<"token", "iterator", "Iterator">]> {
  let summary = "Fills the stage";
  let arguments = (ins TileAS_ProducerToken:$token, TileAS_Iterator:$iterator);
  let results = (outs TileAS_ProducerToken:$written);
  let assemblyFormat = "$token `[` $iterator `]` attr-dict `:` qualified(type($token)) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isProducer() { return true; }";
}

def TileAS_ProducerCommitOp : TileAS_PipelineOp<"producer_commit", [HandshakeEffects, Work_NotCounted]> {
  let summary = "Hands the stage to the consumers";
  let description = [{
    As soon as all that fills it is complete; `tx_count` is the number of bytes that TMA writes there, once it is
    known. `by_one`: the thread that gets here is the only producer, else all warps of the scope are.
  }];
  let arguments = (ins TileAS_ProducerToken:$token, OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$tx_count,
                       UnitAttr:$by_one);
  let assemblyFormat = "$token (`tx_count` `=` $tx_count^)? (`by_one` $by_one^)? attr-dict `:` qualified(type($token))";
}

def TileAS_ConsumerWaitOp : TileAS_PipelineOp<"consumer_wait", [HandshakeEffects, Work_NotCounted,
    TileAS_SamePipeline<"pipeline", "iterator", "Iterator">,
    TileAS_SamePipeline<"pipeline", "token", "ConsumerToken">]> {
  let summary = "Waits until the stage has been committed";
  let arguments = (ins TileAS_Pipeline:$pipeline, TileAS_Iterator:$iterator, ConsumerIdxArg:$consumer_idx);
  let results = (outs TileAS_ConsumerToken:$token);
  let assemblyFormat = [{
    $pipeline `[` $iterator `]` (`consumer` $consumer_idx^)? attr-dict `:` qualified(type($pipeline))
  }];
  let hasVerifier = 1;
}

def TileAS_ConsumerReadOp : TileAS_StageOp<"consumer_read", [AllTypesMatch<["token", "done"]>,
    TileAS_SamePipeline<"token", "iterator", "Iterator">]> {
  let summary = "Reads the stage";
  let description = [{
    A body may yield its arguments, the slots themselves: nothing is copied. They may be read until the release. The
    token knows which consumer it is.
  }];
  let arguments = (ins TileAS_ConsumerToken:$token, TileAS_Iterator:$iterator);
  let results = (outs Variadic<AnyType>:$values, TileAS_ConsumerToken:$done);
  let assemblyFormat = [{
    $token `[` $iterator `]` attr-dict `:` qualified(type($token)) (`->` type($values)^)? $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isProducer() { return false; }
    ::mlir::ResultRange getBodyResults() { return getValues(); }
  }];
}

def TileAS_ConsumerReleaseOp : TileAS_PipelineOp<"consumer_release", [HandshakeEffects, Work_NotCounted]> {
  let summary = "Gives the stage back, as soon as all that reads it is complete";
  let description = [{
    The token of no stage (`create_none`) gives nothing back. With `cta_pair` the stage is given to the pair's CTA with
    the even rank.
  }];
  let arguments = (ins TileAS_ConsumerToken:$token, UnitAttr:$cta_pair,
                       SharedCtasArg:$shared_ctas);
  let assemblyFormat = "$token (`cta_pair` $cta_pair^)? attr-dict `:` qualified(type($token))";
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

def TileAS_AgentSwitchOp : TileAS_PipelineOp<"agent_switch", [HandshakeEffects, RecursiveMemoryEffects, Work_OfRegions,
    AllTypesMatch<["begins", "ends"]>, TileAA_AgentLikeOpInterface, TileAS_ExecutionScopeOpInterface]> {
  let summary = "Agents that run at the same time, each in warps of its own";
  let description = [{
    Once execution units are mapped, agent i has `num_warps[i]` warps from `warp_id[i]` on, which meet at barrier i + 1;
    agents may differ in their number. `agent_strides[i]` is how many warps lie between the agents of its group. MMAs in
    tensor memory are started by each of `product_groups[i]` warpgroups, of the rows that are its own, or by the agent's
    first warp. `dual_simt` is a hint: the warpgroups of an agent may ping-pong, or shall, where it is true.

    Agents that run again and again, in a loop, go on at the stages they have come to: each yields where all `iterators`
    are. Each warp has what its own agent has yielded; one without an agent keeps what it had.

    ```mlir
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 40, 232>} {
      …
      nv_tileas.async.pipeline.yield
    }, {
      …
      nv_tileas.async.pipeline.yield
    }
    %next = nv_tileas.async.pipeline.agent_switch iterators(%i : !nv_tileas.iterator<2 x (f32)>) {
      %j = nv_tileas.async.pipeline.produce_one %pipe[%i] …
      nv_tileas.async.pipeline.yield %j : !nv_tileas.iterator<2 x (f32)>
    }
    ```
  }];
  let arguments = (ins Variadic<TileAS_Iterator>:$begins,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$num_agents_per_group,
                       OptionalAttr<DenseI32ArrayAttr>:$max_regs, UnitAttr:$isolated,
                       OptionalAttr<DenseI32ArrayAttr>:$num_warps, OptionalAttr<DenseI32ArrayAttr>:$warp_id,
                       OptionalAttr<DenseI32ArrayAttr>:$agent_strides,
                       OptionalAttr<DenseI32ArrayAttr>:$product_groups, OptionalAttr<BoolAttr>:$dual_simt);
  let results = (outs Variadic<TileAS_Iterator>:$ends);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$agents);
  let assemblyFormat = "(`iterators` `(` $begins^ `:` qualified(type($begins)) `)`)? attr-dict-with-keyword $agents";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    bool hasWarps() {
      auto areAll = [&](std::optional<::llvm::ArrayRef<int32_t>> numbers) {
        return numbers && numbers->size() == getAgents().size();
      };
      return areAll(getNumWarps()) && areAll(getWarpId());
    }
    int64_t getFirstWarp(unsigned agent) { return (*getWarpId())[agent]; }
    int64_t getNumWarps(unsigned agent) { return (*getNumWarps())[agent]; }
    unsigned getBarrier(unsigned agent) { return agent + 1; }
    int64_t getProductGroups(unsigned agent) { return getProductGroups() ? (*getProductGroups())[agent] : 1; }
    int64_t getRegisters(unsigned agent) { return getMaxRegs() ? (*getMaxRegs())[agent] : 0; }
    bool isDistributed(::mlir::Type type) {
      return ::llvm::isa<::mlir::RankedTensorType>(type) && !::tileiras::as::isMemoryTensor(type);
    }
  }];
}

class TileAS_ExclusiveOp<string mnemonic> : TileAS_PipelineOp<mnemonic, [HandshakeEffects, Work_NotCounted]> {
  dag barrierArguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$barrier);
}

def TileAS_EnterExclusiveOp : TileAS_ExclusiveOp<"enter_exclusive"> {
  let summary = "A warpgroup waits for its exclusive section (ping-pong)";
  let description = [{
    The warpgroups around it, two or more, continue from here in a cycle, each as soon as the one
    before it has ended its section: while one issues MMAs, another computes. They all begin and end as many sections, and
    meet at no barrier meanwhile. The hardware barriers from `barrier` on, as many as there are warpgroups, are theirs.

    ```mlir
    nv_tileas.async.pipeline.leave_exclusive 3 opening
    scf.for … {
      nv_tileas.async.pipeline.enter_exclusive 3
      … // MMAs
      nv_tileas.async.pipeline.leave_exclusive 3
      … // arithmetic
    }
    ```
  }];
  let arguments = barrierArguments;
  let assemblyFormat = "$barrier attr-dict";
}

def TileAS_LeaveExclusiveOp : TileAS_ExclusiveOp<"leave_exclusive"> {
  let summary = "A warpgroup ends its exclusive section, and the next one may begin its own";
  let description = "With `opening` only the last one does, so that the first one begins.";
  let arguments = !con(barrierArguments, (ins UnitAttr:$opening));
  let assemblyFormat = "$barrier (`opening` $opening^)? attr-dict";
}

def TileAS_PipelineYieldOp : TileAS_PipelineOp<"yield", [Pure, Terminator,
    ParentOneOf<["ProduceOneOp", "ProduceOneAsyncOp", "ConsumeOneOp", "ConsumeOneAsyncOp", "ProducerWriteOp",
                 "ConsumerReadOp", "AgentSwitchOp"]>,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface, ["getMutableSuccessorOperands"]>]> {
  let summary = "Ends a region of a pipeline";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASPIPELINEOPS_TD
