//===- Passes.td - From nv_tileas to the LLVM dialect ------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD
#define TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNvTileFuncToLLVM : Pass<"convert-nv-tile-func-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileaa functions to LLVM functions with the kernel ABI";
  let description = [{
    Kernels take their parameters in order, pointers and scalars by value, and carry their launch shape as NVVM
    attributes. Bodies stay as they are, with casts at the entry. Runs before the lowering of bodies.

    Where the GPU has clusters a kernel is launched as a grid of clusters (`nvvm.blocksareclusters`), unless `launch-blocks`
    says otherwise: the launch passes blocks of one thread and no shared memory, and the image says the rest.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"launchBlocks", "launch-blocks", "::tileiras::LaunchBlocks", "::tileiras::LaunchBlocks::Clusters",
           "What a launch passes as the size of a block", [{::llvm::cl::values(
             clEnumValN(::tileiras::LaunchBlocks::Clusters, "clusters", "1, where the chip has clusters"),
             clEnumValN(::tileiras::LaunchBlocks::Threads, "threads", "the threads of a CTA"))}]>,
  ];
}

// The lowering of bodies, in the order in which these run. Each expects `convert-nv-tile-func-to-llvm` to have run and the
// module to carry `nv_tileaa.target_spec`. A plugin's pass may stand between any two of them.

def TileASResolveTokens : Pass<"tileas-resolve-tokens", "::mlir::ModuleOp"> {
  let summary = "Find what instructions wait for from tokens";
  let description = [{
    Instructions that wait for MMAs of warpgroups, or for tensor stores, say how many groups that were started later may
    still be open. That is counted from the tokens, and from the memory that stores read, on all paths (`pending`); who
    waits for what nobody has started does not wait. `produce_one_async` and `consume_one_async` become handshakes where
    their tokens are waited for; `to_async`, `token_to_async` and `async.extract_slice` are gone. Expects structured
    control flow (`RegionBranchOpInterface`).
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASAllocateMemory : Pass<"tileas-allocate-memory", "::mlir::ModuleOp"> {
  let summary = "Lay out the shared memory of kernels";
  let description = [{
    Everything in the shared memory of a kernel is a range of one arena: tiles (`nv_tileas.alloc_tensor`),
    allocas, and the scratch areas of operations that exchange data between threads. What is not in use at the same time
    may share a place. An alloca that does not fit, or that other tile blocks can use, is given memory of the device's
    heap.

    Tiles that have a range keep it.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def TileASGroupCopies : Pass<"tileas-group-copies", "::mlir::ModuleOp"> {
  let summary = "Fill stages by groups of copies";
  let description = [{
    Where nothing counts the bytes of copies (`cp.async` without TMA), the handshakes of pipelines become groups of
    copies that each thread commits and waits for, and barriers at which all threads meet: one for each stage that is
    waited for, and one before a stage is filled again where no such barrier is known to be in between on every way. The
    number of groups that a wait leaves open is counted on all ways. Agents cannot meet, and are refused.
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASPlaceBarriers : Pass<"tileas-place-barriers", "::mlir::ModuleOp"> {
  let summary = "Place the barriers that the semantics of tiles demand";
  let description = [{
    Inserts `nv_tileas.barrier` where threads have to wait for what others do to memory: see `MemoryAccessOpInterface`,
    the ranges of shared memory, and the memory effects on tensors in it. Expects structured control flow
    (`RegionBranchOpInterface`).
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASBudgetRegisters : Pass<"tileas-budget-registers", "::mlir::ModuleOp"> {
  let summary = "Find kernels whose tiles do not fit in registers, and those that would take more than they need";
  let description = [{
    Estimates the registers a thread of each kernel needs, says where they are more than it can have, and then lets the
    assembler spill to what is left of shared memory.

    With `raise-occupancy`, kernels without MMAs get a limit: an assembler takes registers to have more
    instructions in flight, and more tile blocks on a multiprocessor hide more of the memory's latency. As many are to be
    there as shared memory and the estimate leave room for. The estimate is that for few registers, in which what is used
    once is computed late, without an eighth of what is above 40; with a twelfth more and 2 for each divisor but the
    first where tiles are divided; and in kernels with other long sequences of instructions (sines, integer division,
    f64, scans) the usual one without a quarter of what is above 64. 40 registers, and 64 in the last case, are there at
    the least. What the program says about occupancy comes first.

    Such a kernel computes tiles twice, rather than keep them while a reduction runs, if more blocks fit then: sums and
    products of 16-bit floats, two of which share a register as long as they are not extended.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"deviceDebug", "device-debug", "bool", "false",
           "The code is assembled for debugging, where registers cannot be spilled to shared memory">,
    Option<"raiseOccupancy", "raise-occupancy", "bool", "false",
           "Limit registers where more tile blocks would be resident on a multiprocessor">,
  ];
}

def TileASReportLoadsInFlight : Pass<"tileas-report-loads-in-flight", "::mlir::ModuleOp"> {
  let summary = "Report how many bytes of loads a multiprocessor has in flight";
  let description = [{
    Analysis only: a remark of the category `memory` for each loop that loads, or for a kernel without such a loop. The
    figure is what a block has in flight at once (what it loads before the first use of it, and what pipelines hold
    ahead), times the blocks that are resident on a multiprocessor, which follow from the estimate of the registers, shared
    memory and warps. The grid is taken to be large enough. "all it loads": there is nothing more to load at once.
  }];
}

def ConvertTileASControlFlow : Pass<"convert-tileas-control-flow", "::mlir::ModuleOp"> {
  let summary = "Convert structured control flow into branches";
  let description = [{
    Tiles stay tiles. Regions that run at the same time stay regions, with branches inside. The bodies of pipelines'
    producers and consumers come to stand where those are, between explicit handshakes: a body of tensor copies is run by
    the first thread of its scope, any other by all.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::tileiras::as::TileASDialect"];
}

def ConvertTileASToLLVM : Pass<"convert-tileas-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileas, and what may stand beside it, to the LLVM and NVVM dialects";
  let description = [{
    Converts every operation to what one thread does, by the patterns of all loaded dialects with a `DialectLowering` and
    those of the target, which come first. Regions that run at the same time become branches by the number of the warp.
    Waits for barriers with nothing but computation between them are asked at once. Until then, and until it is known that
    the threads of every agent meet nobody but each other, barriers are operations (`nv_tileas.named_barrier` and
    `await_mbarriers`, `nvvm.barrier`); what stands in the text of `llvm.inline_asm` is not looked at.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def FinalizeLLVMKernel : Pass<"tileir-finalize-llvm-kernel", "::mlir::ModuleOp"> {
  let summary = "Check that only LLVM remains and let the target make its last changes";
  let description = [{
    An operation of another dialect that is left is an error that names it. Local variables move to the first block of
    their kernel, where LLVM makes them registers. A limit of registers per thread (`nvvm.maxnreg`) that is lower than
    what one instruction needs is raised to that, with a remark (category `hints`), since the assembler would refuse the
    kernel.
  }];
}

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD
