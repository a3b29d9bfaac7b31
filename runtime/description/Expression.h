//===- Expression.h - Integers that a description computes ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_EXPRESSION_H
#define TILEIRAS_RUNTIME_DESCRIPTION_EXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tileiras {

/// Evaluates "(rows + 63) / 64 * cols": whole numbers, names, + - * / % and parentheses. Quotients are rounded to zero;
/// numbers have 64 bits with a sign, and what does not fit is an error, as are names that `find` does not know.
llvm::Expected<int64_t> evaluateExpression(llvm::StringRef text,
                                           llvm::function_ref<llvm::Expected<int64_t>(llvm::StringRef name)> find);

/// Letters, digits and '_', no digit first.
bool isValueName(llvm::StringRef text);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_EXPRESSION_H
