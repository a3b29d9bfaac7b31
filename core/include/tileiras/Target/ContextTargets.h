//===- ContextTargets.h - The targets passes can ask ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass knows the chip a module is compiled for by name (`nv_tileaa.target_spec`); this is how it gets from the name
// to the target that a plugin registered with the session.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_CONTEXTTARGETS_H
#define TILEIRAS_TARGET_CONTEXTTARGETS_H

#include "tileiras/Target/Target.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tileiras {

/// Another value for an entry of the tuning models.
struct TuningOverride {
  int64_t TuningModel::*field;
  int64_t value;
};

/// The target that serves the chip of that name, or null.
using FindTarget = std::function<const Target *(llvm::StringRef chip)>;

/// Makes the targets that `find` knows visible to passes that run in `context`, with `overrides` for the tuning models
/// of all chips. The targets must outlive them. To be called before a pass manager runs; a second call replaces both.
/// attachRegistry (Plugin/ContextRegistry.h) calls it with the targets of plugins.
void attachTargets(mlir::MLIRContext &context, FindTarget find, llvm::ArrayRef<TuningOverride> overrides = {});

/// A chip and the target that serves it.
struct ChipTarget {
  const Target *target = nullptr;
  const ChipInfo *chip = nullptr;
  const TuningModel *overridden = nullptr; ///< where this compilation overrides entries

  explicit operator bool() const { return target; }
  const AtomCatalogue &atoms() const { return target->atoms(*chip); }
  const MachineModel &machine() const { return target->machine(*chip); }
  /// Without a target: what holds where nobody knows better.
  const TuningModel &tuning() const;
};

/// Who serves `chip` (a `--gpu-name`) in `context`; empty when nobody does, or no registry is attached.
ChipTarget findChipTarget(mlir::MLIRContext &context, llvm::StringRef chip);

} // namespace tileiras

#endif // TILEIRAS_TARGET_CONTEXTTARGETS_H
