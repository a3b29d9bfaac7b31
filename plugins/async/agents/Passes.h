//===- Passes.h - Passes of asynchronous agents -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tileiras::async {

/// What an option of a pass says of something that has a rule.
enum class Choice { Auto, Yes, No };

#define GEN_PASS_DECL
#include "Passes.h.inc"
} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_PASSES_H
