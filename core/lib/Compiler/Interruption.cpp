//===- Interruption.cpp - Why a compilation is to end ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interruption.h"
#include <fstream>
#include <unistd.h>

using namespace tileiras;

/// The resident memory of a process ("self", or its number) in bytes; 0 when the system does not tell.
static uint64_t readResidentMemory(const std::string &process) {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/" + process + "/statm") >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

void Interruption::begin() {
  start = lastLook = Clock::now();
  if (limits.memory)
    memoryAtStart = readResidentMemory("self");
}

/// What has exceeded the limit of memory, in words; empty when nothing has.
std::string Interruption::describeExcess(int assembler, Clock::time_point now) {
  constexpr std::chrono::milliseconds period(2); // of looks, which are system calls
  if (limits.memory == 0 || now - lastLook < period)
    return "";
  lastLook = now;
  const uint64_t resident = readResidentMemory("self"), own = resident - std::min(resident, memoryAtStart);
  const uint64_t child = assembler ? readResidentMemory(std::to_string(assembler)) : 0;
  if (std::max(own, child) <= limits.memory << 20)
    return "";
  return std::string(own > child ? "the compilation" : "the assembler") + " needs more than " +
         std::to_string(limits.memory) +
         " MiB of memory (memoryLimitMiB): " + std::to_string(std::max(own, child) >> 20) +
         " MiB so far; use smaller tiles, a lower optimization level or a higher limit";
}

std::optional<std::string> Interruption::findReason(int assembler) {
  if (isCancelled || (limits.isUnwelcome && limits.isUnwelcome())) {
    cause = Cause::Cancelled;
    return "the compilation was cancelled";
  }
  if (limits.time.count() == 0 && limits.memory == 0)
    return std::nullopt;
  const Clock::time_point now = Clock::now();
  if (limits.time.count() && now - start >= limits.time) {
    cause = Cause::Limit;
    return "the compilation did not finish within " + std::to_string(limits.time.count()) +
           " ms (timeLimitMs); use smaller tiles, a lower optimization level or a higher limit";
  }
  if (std::string excess = describeExcess(assembler, now); !excess.empty()) {
    cause = Cause::Limit;
    return excess;
  }
  return std::nullopt;
}
