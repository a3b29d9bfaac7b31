//===- GpuNames.h - The GPUs below --gpu-name in --help ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_COMMON_GPUNAMES_H
#define TILEIRAS_TOOLS_COMMON_GPUNAMES_H

#include "llvm/Support/CommandLine.h"

namespace tileiras {

/// An option whose --help lists the GPUs of the plugins that are found, each as `=sm_NN` on a line directly below the
/// option's: front ends read it there. So the option's own text has to fit one line.
class GpuNameOption : public llvm::cl::opt<std::string> {
public:
  using opt::opt;

private:
  void printOptionInfo(size_t width) const override;
};

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_GPUNAMES_H
