//===- Passes.h - Passes for NVIDIA's GPUs ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_PASSES_H
#define TILEIRAS_NVIDIA_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

/// Who builds the tensor maps of kernels (see `tileas-attach-tma-descriptors`).
enum class TmaDescriptors { Device, Host };

#define GEN_PASS_DECL
#include "tileiras/NVIDIA/Passes.h.inc"

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_PASSES_H
