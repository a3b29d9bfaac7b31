//===- Interruption.h - Why a compilation is to end -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_INTERRUPTION_H
#define TILEIRAS_LIB_COMPILER_INTERRUPTION_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tileiras {

/// Cancellation and limits of a compilation in somebody else's process, which must live on: nothing is ended from
/// outside, the compilation asks.
class Interruption {
public:
  enum class Cause { Cancelled, Limit };

  struct Limits {
    std::chrono::milliseconds time{0}; ///< 0: none
    uint64_t memory = 0;               ///< MiB of resident memory, that of the process counted from begin() on; 0: none
    std::function<bool()> isUnwelcome; ///< the caller's own reason; null: none
  };

  explicit Interruption(Limits limits) : limits(std::move(limits)) {}

  /// Time and memory count from here.
  void begin();
  /// From any thread, at any time.
  void cancel() { isCancelled = true; }
  /// Why the compilation is to end; nothing when it is not. `assembler`: a process that works for it; 0: none.
  std::optional<std::string> findReason(int assembler);
  /// Of the reason that was found last.
  std::optional<Cause> getCause() const { return cause; }

private:
  using Clock = std::chrono::steady_clock;
  std::string describeExcess(int assembler, Clock::time_point now);

  const Limits limits;
  std::atomic<bool> isCancelled = false;
  std::optional<Cause> cause;
  Clock::time_point start, lastLook;
  uint64_t memoryAtStart = 0; ///< bytes
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_INTERRUPTION_H
