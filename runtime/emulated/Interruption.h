//===- Interruption.h - Kernels that take long ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_INTERRUPTION_H
#define TILEIRAS_EMULATED_INTERRUPTION_H

#include <atomic>

namespace emudriver {

/// While it lives, Ctrl-C ends the kernel that runs, in programs that want to hear of Ctrl-C themselves (Python's
/// interpreter, which waits in the driver). They do, after us; other programs end as ever. One at a time.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption &) = delete;
  const std::atomic<bool> &flag() const;

private:
  bool isCaught = false;
};

} // namespace emudriver

#endif // TILEIRAS_EMULATED_INTERRUPTION_H
