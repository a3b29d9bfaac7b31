//===- Buffers.cpp - A launch's memory and arguments ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

namespace tileiras::run {

Buffers::Buffers(const TileirasRun &run, ptxemu::DeviceMemory &memory) : run(run), memory(memory) {
  for (size_t i = 0; i < run.bufferCount; ++i) {
    const TileirasRunBuffer &buffer = run.buffers[i];
    addresses.push_back(memory.allocate(buffer.size, buffer.name ? buffer.name : "buffer " + std::to_string(i)));
    if (buffer.size)
      memory.write(addresses.back(), buffer.data, buffer.size);
  }
}

std::vector<std::vector<uint8_t>> Buffers::makeArguments() const {
  std::vector<std::vector<uint8_t>> arguments;
  for (size_t i = 0; i < run.argumentCount; ++i) {
    const TileirasRunArgument &argument = run.arguments[i];
    if (argument.buffer < 0) {
      const auto *bytes = static_cast<const uint8_t *>(argument.value);
      arguments.emplace_back(bytes, bytes + argument.size);
      continue;
    }
    const uint64_t address = addresses[static_cast<size_t>(argument.buffer)] + argument.offset;
    std::vector<uint8_t> &bytes = arguments.emplace_back(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
  }
  return arguments;
}

void Buffers::copyBack() const {
  for (auto [buffer, address] : llvm::zip(llvm::ArrayRef(run.buffers, run.bufferCount), addresses))
    if (buffer.size)
      memory.read(address, buffer.data, buffer.size);
}

} // namespace tileiras::run
