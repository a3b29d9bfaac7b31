//===- SystemCalls.h - Functions the CUDA runtime provides to kernels -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SYSTEMCALLS_H
#define PTX_EMULATOR_SYSTEMCALLS_H

#include "State.h"
#include <functional>
#include <string>

namespace ptxemu {

struct SystemCallArguments {
  std::function<uint64_t(unsigned index, unsigned lane)> read;
  std::function<void(unsigned lane, uint64_t value)> write; ///< the result
  unsigned count = 0;
};
using SystemCall = void (*)(Exec &, const SystemCallArguments &);

/// vprintf, __assertfail, malloc, free; null for others.
SystemCall findSystemCall(const std::string &name);

} // namespace ptxemu

#endif // PTX_EMULATOR_SYSTEMCALLS_H
