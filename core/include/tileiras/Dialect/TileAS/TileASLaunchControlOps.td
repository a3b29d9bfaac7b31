//===- TileASLaunchControlOps.td - Taking over tile blocks -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASLAUNCHCONTROLOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASLAUNCHCONTROLOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

// How a tile block takes over others by an instruction: made by `tileas-place-launch-control`. Requests are numbered;
// request n and its response use the entry n mod `responses` of the mailbox, whose barriers have had n / `responses`
// phases before. `round`, an i32, is n modulo 2 · `responses`: entry and parity.

def TileAS_OpenLaunchControlOp : TileAS_Op<"open_launch_control", [Work_NotCounted]> {
  let summary = "Prepares the entries for responses";
  let description = [{
    All threads of the tile block call it, once, and meet. `entries` is the shared address of the first: a response,
    the barrier that says that it is there, and the one at which `readers` warps of each CTA say that they have read it.

    ```mlir
    %entries = nv_tileas.open_launch_control %mailbox responses = 1 readers = 4 : tensor<32xi8, #shared>
    ```
  }];
  let arguments = (ins Arg<TileAS_Buffer, "", [MemRead, MemWrite]>:$mailbox,
                       ConfinedAttr<I32Attr, [IntPositive]>:$responses, ConfinedAttr<I32Attr, [IntPositive]>:$readers);
  let results = (outs I32:$entries);
  let assemblyFormat = "$mailbox `responses` `=` $responses `readers` `=` $readers attr-dict `:` type($mailbox)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// PTX ISA, "clusterlaunchcontrol.try_cancel": a response has 16 bytes, aligned as such; barriers have 8.
    static constexpr int64_t kResponseBytes = 16, kFullOffset = 16, kEmptyOffset = 24, kEntryBytes = 32;
    static int64_t getMailboxBytes(int64_t responses) { return responses * kEntryBytes; }
  }];
}

def TileAS_RequestProgramIdOp : TileAS_Op<"request_program_id", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "Asks for a tile block that has not started";
  let description = [{
    One thread of the scope does, for all CTAs of the tile block, when the entry has been read. Every request has a
    response, which must be read before the kernel ends; there is none after one that found nothing.

    ```mlir
    nv_tileas.request_program_id %entries, %round responses = 1
    ```
  }];
  let arguments = (ins I32:$entries, I32:$round, ConfinedAttr<I32Attr, [IntPositive]>:$responses);
  let assemblyFormat = "$entries `,` $round `responses` `=` $responses attr-dict";
}

def TileAS_AwaitProgramIdOp : TileAS_Op<"await_program_id", [MemoryEffects<[MemRead, MemWrite]>, Work_ByTypes]> {
  let summary = "The tile block that a request has found";
  let description = [{
    Waits for the response, and releases the entry, but for the last time: after a response that found nothing no thread
    asks. The results are those of `cancel_next_program_id`.

    ```mlir
    %x, %y, %z, %found = nv_tileas.await_program_id %entries, %round responses = 1
    ```
  }];
  let arguments = (ins I32:$entries, I32:$round, ConfinedAttr<I32Attr, [IntPositive]>:$responses);
  let results = (outs I32:$next_x, I32:$next_y, I32:$next_z, I1:$found);
  let assemblyFormat = "$entries `,` $round `responses` `=` $responses attr-dict";
}

def TileAS_CloseLaunchControlOp : TileAS_Op<"close_launch_control", [MemoryEffects<[MemFree]>, Work_NotCounted]> {
  let summary = "The entries are no longer used";
  let description = [{
    All threads of the tile block call it at the end of the kernel: no CTA of a cluster leaves while others may still
    write to its entries, or say there that they have read theirs.

    ```mlir
    nv_tileas.close_launch_control %mailbox : tensor<32xi8, #shared>
    ```
  }];
  let arguments = (ins TileAS_Buffer:$mailbox);
  let assemblyFormat = "$mailbox attr-dict `:` type($mailbox)";
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASLAUNCHCONTROLOPS_TD
