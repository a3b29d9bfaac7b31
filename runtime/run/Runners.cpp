//===- Runners.cpp - What the runners share -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runners.h"
#include <csignal>

namespace tileiras::run {

void keepBuffers(Outcome &outcome, const LaunchDescription &description, const ptxemu::DeviceMemory &memory,
                 const LaunchDescription::Addresses &addresses) {
  auto keep = [&](const std::string &name) {
    std::vector<uint8_t> &contents = outcome.buffers[name];
    contents.resize(description.findBuffer(name)->bytes);
    memory.read(addresses.at(name), contents.data(), contents.size());
  };
  for (const LaunchDescription::Expectation &expectation : description.expectations)
    keep(expectation.buffer);
  for (const LaunchDescription::Compared &compared : description.compared)
    keep(compared.buffer);
  for (const LaunchDescription::Result &result : description.results)
    keep(result.buffer);
}

std::atomic<bool> &catchInterrupts() {
  static std::atomic<bool> interrupted{false};
  std::signal(SIGINT, [](int) { interrupted = true; });
  return interrupted;
}

} // namespace tileiras::run
