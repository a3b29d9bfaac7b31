//===- MachineFiles.h - The files of machines/, built in --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_MACHINEFILES_H
#define PTX_EMULATOR_TIMING_MACHINEFILES_H

#include <span>
#include <string_view>

namespace ptxemu::timing {

struct MachineFile {
  std::string_view name, text;
};

/// By name. CMake writes the definition.
std::span<const MachineFile> machineFiles();

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_MACHINEFILES_H
