//===- Error.h - PTX that cannot be read or run -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_ERROR_H
#define PTX_EMULATOR_ERROR_H

#include <stdexcept>
#include <string>

namespace ptxemu {

/// The PTX text is malformed, uses an instruction the emulator does not know, or a launch contradicts the module.
/// Nothing has been executed when this is thrown.
class InputError : public std::runtime_error {
public:
  InputError(unsigned line, const std::string &message)
      : std::runtime_error(line ? "line " + std::to_string(line) + ": " + message : message), line(line) {}
  unsigned line; ///< line of the PTX text, 0 when the error has no place in it
};

} // namespace ptxemu

#endif // PTX_EMULATOR_ERROR_H
