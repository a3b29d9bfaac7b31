//===- Passes.td - Tiles too large for straight-line code --*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SLICING_PASSES_TD
#define TILEIRAS_SLICING_PASSES_TD

include "mlir/Pass/PassBase.td"

def SliceTiles : Pass<"tileaa-slice-tiles", "::mlir::ModuleOp"> {
  let summary = "Compute tiles that are too large for registers slice by slice, in loops";
  let description = [{
    A tile that takes more than three quarters of the registers of each thread of its kernel, or has more than 256
    elements for each (or more than `max-elements-per-thread`, if that is not 0), cannot be held in registers, and
    straight-line code for it grows with its size.
    Such tiles, and all tiles they are computed from or used for,
    are cut into grids of equal slices of about `slice-elements-per-thread`; operations on them become loops over
    slices. What is cheap is rematerialised where a slice of it is needed; loads, MMAs, scans and what control flow
    carries are kept in `nv_tileas.alloc_slices`. Nothing changes in a function that has no such tile.

    Where nothing has to be kept if loops run again for each slice of the only cut tile that they carry, they do, and
    slices are as large as registers allow. That is so for the accumulator of an MMA, each slice of which is
    loop-carried by itself; operands without the cut axis are loaded once for each slice.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
    Option<"maxElementsPerThread", "max-elements-per-thread", "int64_t", "0",
           "elements of one tile that a thread may hold; 0: what fits in its registers">,
    Option<"sliceElementsPerThread", "slice-elements-per-thread", "int64_t", "32",
           "elements of one slice that a thread holds, of tiles that are kept">,
    Option<"rerunLoops", "rerun-loops", "bool", "true", "let loops run for each slice of what they carry">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

#endif // TILEIRAS_SLICING_PASSES_TD
