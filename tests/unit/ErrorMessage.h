//===- ErrorMessage.h - llvm::Error for Catch2 ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_ERRORMESSAGE_H
#define TILEIRAS_TESTS_UNIT_ERRORMESSAGE_H

#include "llvm/Support/Error.h"

/// The text of `error`, empty on success: Catch2 cannot look into an llvm::Error.
inline std::string messageOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

#endif // TILEIRAS_TESTS_UNIT_ERRORMESSAGE_H
