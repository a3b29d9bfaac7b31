//===- Buffers.h - A launch's memory and arguments --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_LIBRARY_BUFFERS_H
#define TILEIRAS_RUNTIME_LIBRARY_BUFFERS_H

#include "Status.h"
#include "ptx-emulator/Emulator.h"

namespace tileiras::run {

/// The buffers of a run, in memory that the kernel can reach.
class Buffers {
public:
  Buffers(const TileirasRun &run, ptxemu::DeviceMemory &memory);

  /// The bytes of each argument.
  std::vector<std::vector<uint8_t>> makeArguments() const;
  /// Gives the caller what the kernel has left in them.
  void copyBack() const;
  /// Of each buffer.
  const std::vector<uint64_t> &getAddresses() const { return addresses; }

private:
  const TileirasRun &run;
  ptxemu::DeviceMemory &memory;
  std::vector<uint64_t> addresses;
};

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_LIBRARY_BUFFERS_H
