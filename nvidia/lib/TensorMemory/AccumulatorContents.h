//===- AccumulatorContents.h - What accumulators hold -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of a web are one place at different times. That is right where each value is still there when it is taken:
// passed on, scaled, or copied to registers, which is done as soon as it is made.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCONTENTS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCONTENTS_H

#include "AccumulatorWebs.h"

namespace tileiras {

/// The numbers of the webs, in order, of which some value is overwritten in `function` by another one before it is
/// taken, on some path.
llvm::SmallSetVector<unsigned, 4> findOverwrittenWebs(const AccumulatorWebs &webs, mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORCONTENTS_H
