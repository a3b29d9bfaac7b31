//===- PassFailure.h - Passes that give up ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that cannot do its work on a function or a loop, and leaves it valid, says why and then marks it. Later passes
// run; `tileir-check-pass-failures`, where the profile has put it, decides whether the compilation fails.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIAGNOSTICS_PASSFAILURE_H
#define TILEIRAS_DIAGNOSTICS_PASSFAILURE_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// What a pass has said of its failure: an error, without whose remedy there is no right code, unless the profile does
/// without the pass; or a remark that code is slower than it might be, unless the profile insists on the pass.
enum class FailureKind { Error, Missed };

struct PassFailure {
  llvm::StringRef pass; ///< the name by which pipelines know it
  FailureKind kind;
  bool operator==(const PassFailure &other) const { return pass == other.pass && kind == other.kind; }
};

/// Marks a function, or a loop.
void markPassFailure(mlir::Operation *op, llvm::StringRef pass, FailureKind kind = FailureKind::Error);

/// The passes that gave up on `op`, each once, in the order they did.
llvm::SmallVector<PassFailure> getPassFailures(mlir::Operation *op);

} // namespace tileiras

#endif // TILEIRAS_DIAGNOSTICS_PASSFAILURE_H
