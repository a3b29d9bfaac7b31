//===- Passes.td - Passes of asynchronous agents -----------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES

include "mlir/Pass/PassBase.td"

defvar AsyncGpuName = Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">;

defvar AgentsChoiceValues = [{::llvm::cl::values(
             clEnumValN(::tileiras::async::Choice::Auto, "auto", "by the rule above"),
             clEnumValN(::tileiras::async::Choice::Yes, "true", "where that is possible"),
             clEnumValN(::tileiras::async::Choice::No, "false", "never"))}];

def TileASMaterializeSchedule : InterfacePass<"tileas-materialize-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Meterialize the pipeline schedule to generate warp-specialized or unspecialized IR";
  let description = [{
    Writes the stage and the order of the published schedule to the operations of loops whose consumers
    `tileas-prepare-for-scheduling` has taken apart; `tileas-unspecialized-pipeline` emits them like that. Stages begin
    where no MMA is in flight; one in tensor memory that needs nothing of its iteration but a stage starts as soon as
    the accumulator of the one before has been read, and continues from one step to the next.

    With `use-AUS` one set of warps runs all. Else (AWS) the function is cut into two agents, by slices: one warp fills the
    pipelines, or a warpgroup where threads fill stages, with the addresses and the control flow that this needs, and all
    the warps that there were do everything else. What both need is computed by both. Where warpgroups can give registers
    to each other the producer's keeps few. A function that cannot be cut (what is copied depends on what the compute
    agent does, or threads that fill stages need more registers than there are) has a remark that names the operation in
    the way, and goes on as with `use-AUS`.

    With `only-where-it-wins` a function is cut where all of this holds, and a remark has the numbers: two warpgroups
    or more compute, or a loop around the pipelined one lets the producer run ahead; each pipeline has at least two
    stages, and not all of its iterations fit in them; an iteration keeps the busiest unit of the machine model busy for
    longer than a producer needs to fill a stage (threads that load to registers have one stage on its way at a time); the compute agent has the registers that the tiles need; and the
    producer's warps do not cost a block on the multiprocessor, since other blocks overlap as well.

    MMAs whose accumulators are in tensor memory can have an agent of their own, of one warp. It hands accumulators on
    through a pipeline whose stages are in tensor memory, two where the columns suffice for the blocks that are wanted on
    a multiprocessor, else one; the compute agent loads, converts and stores one while the next one is computed, and
    follows no loop of MMAs any more. The rule (`mma-agent=auto`): where a loop around the MMAs runs them
    again after the epilogue, in a persistent kernel. It takes loops whose accumulators start at zero and are only added to, by
    MMAs of stages that tensor copies fill and nothing else reads; what is in the way of that, as in attention, has a
    remark.

    MMAs with an agent of their own are of pairs of CTAs (`cta-pairs=auto`) where two CTAs have 128 rows each, or a
    multiple, of an MMA whose operand B both need, of 32 to 256 columns: what each was to copy to both, half of it,
    stays with the CTA that copies it, stages become smaller, as many as were wanted come back as far as they fit, and
    one instruction, started in one CTA, multiplies for both; there are agents then, whatever the rule above says. All MMAs of a kernel are of pairs, or none (the
    instruction set allows no mixture). Larger clusters, an operand A that CTAs share, and arrays that change in a loop
    keep their copies to several CTAs, with a remark.

    Two compute agents would both be busy where the loop with most work has more stages than 0.6 times the MMAs of an
    iteration (in whole MMAs, over the iterations that are known); `use-dual-simt` overrides the rule. A remark gives
    the figures. They are the warpgroups of one agent, which `tileas-ping-pong` makes alternate (ping-pong): one multiplies
    while the other computes.

    The seven steps of materialisation, and what takes them:

    | step | here |
    |---|---|
    | producer regions | AWS: the slice of what fills pipelines; AUS: `tileas-unspecialized-pipeline` runs it ahead |
    | alias check | this pass, first |
    | consumer regions | AWS: the slice of everything else; both: consumers that are one operation still, opened where they overlap |
    | iterator threading | `tileas-queue-to-pipeline`; slices have what they need as loop-carried values |
    | releases | with the consumer's steps; after the loop where its last MMA ends there |
    | barriers and tokens | `tileas-materialize-async`; waits move to where results are read |
    | aliases | buffers of a stage are block arguments: nothing is left to make |

    Fails without a schedule, where operations of the schedule are gone (`tileas-verify-schedule`), and where a pipeline has
    two names, or two pipelines have the same memory: `Alias is not expected here.` Agents for which there are not enough
    warps or registers are no failure: a remark, and one set of warps. The strategy NONE leaves loops synchronous. SERIAL,
    where somebody has asked for it, makes one set of warps that fills one stage, reads it, and so on.

    ```mlir
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 24, 240>, num_warps = array<i32: 1, 8>,
                                                     warp_id = array<i32: 8, 0>} {
      scf.for … { produce_one … }
      nv_tileas.async.pipeline.yield
    }, {
      scf.for … { consume_one … }
      … // the epilogue
      nv_tileas.async.pipeline.yield
    }
    ```
  }];
  let options = [
    Option<"useAUS", "use-AUS", "bool", "false", "One set of warps loads and computes">,
    Option<"useDualSimt", "use-dual-simt", "::tileiras::async::Choice", "::tileiras::async::Choice::Auto", "Whether there are two compute agents",
           AgentsChoiceValues>,
    Option<"enableScheduleRewrite", "enable-schedule-rewrite", "bool", "true",
           "Have loops follow their schedules; else those that run a known number of times, not often, are left written out, and "
           "others keep their order, and say on their operations what the schedules were">,
    Option<"productAgent", "mma-agent", "::tileiras::async::Choice", "::tileiras::async::Choice::Auto",
           "Whether MMAs in tensor memory have an agent of their own", AgentsChoiceValues>,
    Option<"ctaPairs", "cta-pairs", "std::string", "\"auto\"",
           "Whether MMAs in tensor memory are of pairs of CTAs: false, or auto, where they can">,
    Option<"onlyWhereItWins", "only-where-it-wins", "bool", "false",
           "Agents only where they are faster than one set of warps, by the rule above">,
    AsyncGpuName,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES
