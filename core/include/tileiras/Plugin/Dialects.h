//===- Dialects.h - Every dialect a compilation may meet --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_DIALECTS_H
#define TILEIRAS_PLUGIN_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileiras {

/// Registers our dialects, the upstream ones they are lowered through, and the extensions the lowering relies on.
/// Nothing is loaded: a context loads what its input and its passes use.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tileiras

#endif // TILEIRAS_PLUGIN_DIALECTS_H
