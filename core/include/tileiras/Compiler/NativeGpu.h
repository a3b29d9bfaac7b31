//===- NativeGpu.h - The GPU that is there ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_NATIVEGPU_H
#define TILEIRAS_COMPILER_NATIVEGPU_H

#include "llvm/Support/Error.h"
#include <string>

namespace tileiras {

/// What --gpu-name, and the option `compute-capability`, call the GPU that is there.
inline constexpr llvm::StringLiteral kNativeGpu = "native";

/// The name that --gpu-name has for the first GPU of the CUDA driver. The error says what is missing, and what to do.
llvm::Expected<std::string> findNativeGpu();

} // namespace tileiras

#endif // TILEIRAS_COMPILER_NATIVEGPU_H
