//===- Access.h - Checked access to every state space -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_ACCESS_H
#define PTX_EMULATOR_ACCESS_H

#include "State.h"

namespace ptxemu {

enum class Order : uint8_t { Weak, Volatile, Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };
enum class Scope : uint8_t { None, Cta, Cluster, Gpu, Sys };

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// What kind of access it is, for the checks.
struct AccessInfo {
  AccessKind kind = AccessKind::Read;
  Order order = Order::Weak;
  Scope scope = Scope::None;
  const uint8_t *value = nullptr; ///< what a store writes: lanes of one instruction may write the same value twice
  bool sameValue = false;         ///< it equals what is there
};

/// An address with its state space worked out.
struct Place {
  Space space = Space::Global; ///< Global (also for .const), Shared, Local or Param
  Cta *cta = nullptr;          ///< whose shared memory
  uint64_t offset = 0;         ///< into that CTA's window, or the global address
};

/// Works out where a generic or windowed address points.
Place resolve(const Exec &, Space, uint64_t address, unsigned lane);

/// Host memory for `size` bytes, after all checks: bounds, alignment, initialisation, races. Throws Fault.
uint8_t *access(Exec &, Space, uint64_t address, unsigned size, unsigned lane, AccessInfo);

/// The same for a place that is already resolved, without a demand on alignment.
uint8_t *accessShared(Exec &, Cta &, uint64_t offset, unsigned size, unsigned lane, AccessInfo);
/// Without the check for races.
uint8_t *locateShared(Exec &, Cta &, uint64_t offset, unsigned size, unsigned lane, AccessInfo);

/// "0x…"
std::string hexText(uint64_t);

/// A NUL-terminated string the program points at (printf formats, assertion texts).
std::string readString(Exec &, uint64_t genericAddress, unsigned lane);

} // namespace ptxemu

#endif // PTX_EMULATOR_ACCESS_H
