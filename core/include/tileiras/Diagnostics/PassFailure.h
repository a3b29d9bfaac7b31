//===- PassFailure.h - Passes that give up ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that cannot do its work on a function, and leaves the function valid, says why in a diagnostic or a remark and
// then marks the function. Later passes run; `tileir-check-pass-failures`, where the profile has put it, decides
// whether the compilation fails.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIAGNOSTICS_PASSFAILURE_H
#define TILEIRAS_DIAGNOSTICS_PASSFAILURE_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// Marks `func`. `pass` is the name by which pipelines know the pass.
void markPassFailure(mlir::Operation *func, llvm::StringRef pass);

/// The passes that gave up on `func`, each once, in the order they did.
llvm::SmallVector<llvm::StringRef> getPassFailures(mlir::Operation *func);

} // namespace tileiras

#endif // TILEIRAS_DIAGNOSTICS_PASSFAILURE_H
