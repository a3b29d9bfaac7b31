//===- PrintedPasses.h - Passes of --mlir-print-ir-after -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_PRINTEDPASSES_H
#define TILEIRAS_TOOLS_TILEIRAS_PRINTEDPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace tileiras {

/// MLIR's --mlir-print-ir-before and --mlir-print-ir-after take the passes that are in its registry when the options
/// are registered; a session fills it later. This fills it with what `arguments` name, of the core and of plugins, by
/// what plugins declare. Other names of passes are replaced by the passes' own, in memory that stays. The error is a
/// CompileError.
llvm::Error publishPrintedPasses(llvm::MutableArrayRef<const char *> arguments);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_PRINTEDPASSES_H
