//===- RunError.h - Why a kernel was not run --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_RUNERROR_H
#define TILEIRAS_RUNTIME_RUN_RUNERROR_H

#include "llvm/ADT/Twine.h"
#include <stdexcept>

namespace tileiras::run {

/// What the process returns, as the emulator's command does.
enum class Exit : int {
  Clean = 0,   ///< the kernel ran and agrees with what is expected
  Failed = 1,  ///< it did not
  Usage = 2,   ///< an option that there is not, or values that make no sense
  BadInput = 3 ///< the input cannot be run, or a result not be written
};

/// The message says what is wrong, why, and what to do.
class RunError : public std::runtime_error {
public:
  RunError(Exit code, const llvm::Twine &message) : std::runtime_error(message.str()), code(code) {}
  Exit code;
};

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_RUNERROR_H
