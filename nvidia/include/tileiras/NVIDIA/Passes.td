//===- Passes.td - Passes for NVIDIA's GPUs -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_PASSES_TD
#define TILEIRAS_NVIDIA_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileASAttachTmaDescriptors : Pass<"tileas-attach-tma-descriptors", "::mlir::ModuleOp"> {
  let summary = "Say where tensor maps come from";
  let description = [{
    Every CTA builds the tensor maps of its kernel from the arguments of the launch: `nv_tileas.make_tiled_tma_desc`
    where a kernel starts become one `nv_tileas.claim_tensor_maps`, and kernels release the set at their end. Those that
    follow, in branches and loops, become `nv_tileas.update_tensor_maps`, each with its own place in the set.
    The sets are arrays of the module, 32 for each multiprocessor. A CTA takes one that is free, so that launches that
    run at the same time never see each other's maps. Maps of equal memref and shape are one.

    Maps that are all made where the kernel starts, of nothing but parameters of at most 31 words, are kept under their
    values, up to 1024 times a module: CTAs that find them build nothing and take no set.

    With `descriptors=host` maps are parameters of the kernel, after the program's own: 128 bytes each, at a multiple of
    64, read where they are (`nvvm.grid_constant`). `tileiras.tensor_maps` on the kernel tells how a host builds them from
    the values of the other parameters. A map whose array is more than integer arithmetic on parameters, or for which the
    parameters have no room, is built by the CTAs as before, and a remark (category `tma`) says so.
  }];
  let options = [
    Option<"descriptors", "descriptors", "::tileiras::TmaDescriptors", "::tileiras::TmaDescriptors::Device",
           "Where tensor maps are built", [{::llvm::cl::values(
             clEnumValN(::tileiras::TmaDescriptors::Device, "device", "every CTA"),
             clEnumValN(::tileiras::TmaDescriptors::Host, "host", "who launches the kernel"))}]>,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::tileiras::as::TileASDialect"];
}

def TileASLegalizeTmemCopy : Pass<"tileas-legalize-tmem-copy", "::mlir::ModuleOp"> {
  let summary = "Have copies to and from tensor memory be what instructions do";
  let description = [{
    Runs before functions become those of LLVM. Warps reach a quarter of the rows each, a lane one row: `nv_tileas.copy`
    that has a tile of tensor memory at one end has the layout of these rows at the other one, and a `convert_layout`
    beside it where the program wants another.

    | copy | becomes |
    |---|---|
    | tensor memory to registers | `tcgen05.ld`, conversion |
    | registers to tensor memory | conversion, `tcgen05.st` |
    | tensor memory to shared memory | `tcgen05.ld`, a copy from registers |
    | shared to tensor memory | a copy to registers, `tcgen05.st` |

    Others are left alone. A copy whose rows are not those of a warpgroup is an error, and the others go on: `failed to
    infer register layout from tmem layout`, or, of one to tensor memory, `failed to infer source layout from tmem
    layout`. So is any on a GPU without tensor memory.

    ```mlir
    %x = nv_tileas.copy %acc atom = "universal_copy" : tensor<128x64xf32, #tmem> -> tensor<128x64xf32, #blocked>
    // becomes
    %rows = nv_tileas.copy %acc atom = "tcgen05.ld" : tensor<128x64xf32, #tmem> -> tensor<128x64xf32, #linear>
    %x = nv_tileas.convert_layout %rows : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
    ```
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASPlaceAccumulators : Pass<"tileas-place-accumulators", "::mlir::ModuleOp"> {
  let summary = "Put accumulators into tensor memory";
  let description = [{
    MMAs whose atom has its accumulator in tensor memory (`MmaKind::TensorMemory`) come as operations on values in
    registers. Values that one accumulator takes on its way (the results of MMAs and waits, variables of loops,
    results of branches) become one tile in tensor memory that is changed in place; what else uses them gets a copy in
    registers where they are complete (`nv_tileas.copy`), what else makes them is copied there. Where two of them would be
    needed at the same time, each passes through registers. Waits become `wait_products`; in loops, the MMAs of an
    accumulator that are waited for once each time have a barrier of their own (`commit_accumulator`,
    `wait_accumulator`), and others go on meanwhile.

    A kernel takes its columns once, when it starts (a power of two, 32 to 512), and gives them back at its end. Tiles
    that are not used at the same time share columns; where these do not suffice, loop-carried accumulators are kept in
    registers, with a remark (category `memory`).

    An accumulator that is multiplied on its way from one MMA to the next (attention's output, when the maximum of its row has
    grown) is multiplied where it lies (`scale_tensor_memory`), and left alone where all factors of a warp are one.

    A tile in registers from which the next iteration only computes smaller ones (row sums, narrower elements) stays where it
    is made: what is computed from it is carried. Where an agent has a warpgroup for each 128 rows and accumulators are
    waited for alone, each warpgroup starts the MMAs of its rows (`product_groups` of agent_switch), and they
    alternate at the exponentials of a loop (ping-pong).

    ```mlir
    %sum = scf.for … iter_args(%c = %zero) -> (tensor<128x128xf32, #c>) {
      %d, %t = nv_tileas.async.dot %a, %b, %c …
      %w = nv_tileas.async.future_wait %t, %d
      scf.yield %w
    }
    // becomes, with barriers where threads must meet between copies and MMAs
    %base, %barriers = nv_tileas.alloc_tensor_memory %mailbox columns = 128 scopes = 1
    %acc = nv_tileas.tensor_memory_tile %base column = 0 : tensor<128x128xf32, #tmem>
    nv_tileas.copy %zero, %acc atom = "tcgen05.st"
    %end = scf.for … iter_args(%c = %acc) -> (tensor<128x128xf32, #tmem>) {
      %d, %t = nv_tileas.async.dot %a, %b, %c …
      nv_tileas.wait_products %barriers, %phase scope = 0
      scf.yield %d
    }
    %sum = nv_tileas.copy %end atom = "tcgen05.ld"
    nv_tileas.free_tensor_memory %base, %mailbox columns = 128
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::tileiras::as::TileASDialect"];
}

def TileASPlaceLaunchControl : Pass<"tileas-place-launch-control", "::mlir::ModuleOp"> {
  let summary = "Let tile blocks take over others by an instruction";
  let description = [{
    On chips that hand out tile blocks (`ChipFeatures::clusterlaunchcontrol`), `cancel_next_program_id` is a request and a wait
    for its response, in entries that the kernel has prepared. Where the operation stands in the body of a loop,
    and is the only one of its scope, the request is made when the body begins: the response comes while the body runs.
    A kernel that has once been told that there is nothing left does not ask again, wherever it asks.

    In a cluster the first CTA asks, and all get the response. Agents share the responses: each request is made by the
    agent with the fewest warps, and read by all that have the operation, the n-th time in one being the n-th time in the
    others; a producer may be some programs ahead.

    ```mlir
    scf.while … do {
      …
      %x1, %y1, %z1, %found = nv_tileas.cancel_next_program_id after %x, %y, %z
    }
    // becomes
    %entries = nv_tileas.open_launch_control %mailbox responses = 1 readers = 4
    scf.while … do {
      scf.if %some { nv_tileas.request_program_id %entries, %round responses = 1 }
      …
      %next:4 = scf.if %some { nv_tileas.await_program_id %entries, %round responses = 1 } else { -1, -1, -1, false }
    }
    nv_tileas.close_launch_control %mailbox
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::tileiras::as::TileASDialect"];
}

#endif // TILEIRAS_NVIDIA_PASSES_TD
