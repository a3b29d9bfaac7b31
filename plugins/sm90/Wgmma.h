//===- Wgmma.h - Products of warpgroups -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM90_WGMMA_H
#define TILEIRAS_PLUGINS_SM90_WGMMA_H

#include "tileiras/Target/Atoms.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir
namespace tileiras {
class LoweringContext;
} // namespace tileiras

namespace tileiras::sm90 {

/// wgmma of all types and powers of two of columns. Those whose names end with ".ra" take A from registers.
void addWarpgroupMmaAtoms(std::vector<MmaAtom> &atoms);

/// `dot` and `async.dot` with such an atom, and the waits for them.
void populateWgmmaPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

} // namespace tileiras::sm90

#endif // TILEIRAS_PLUGINS_SM90_WGMMA_H
