//===- Target.h - A GPU back end --------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between the core and one GPU architecture. A target is registered by a plugin and serves the
// `--gpu-name`s that chips() lists. It must be usable from several threads: every method is const.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_TARGET_H
#define TILEIRAS_TARGET_TARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Schedule/MachineModel.h"
#include "tileiras/Target/Atoms.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {

class LoweringContext;

/// One value of `--gpu-name`.
struct ChipInfo {
  std::string name;               ///< as users write it, without `a` or `f` suffix
  std::string llvmChip;           ///< -mcpu of the NVPTX back end
  std::string ptxasArch;          ///< -arch of ptxas
  unsigned ptxVersion = 0;        ///< 10 × PTX ISA version that is emitted, e.g. 80
  unsigned computeCapability = 0; ///< 10 × major + minor
};

/// D = A·B + C as a program states it: what a target is asked about.
struct MmaQuery {
  mlir::Type elementA, elementB, elementC; ///< signless integers carry their signedness below
  bool unsignedA = false, unsignedB = false;
  int64_t m = 0, n = 0, k = 0; ///< extents of the tile-level operation, without the batch dimension
  bool blockScaled = false;
};

class Target {
public:
  virtual ~Target();

  /// Unique name, e.g. the plugin's.
  virtual llvm::StringRef getName() const = 0;
  virtual llvm::ArrayRef<ChipInfo> chips() const = 0;
  virtual const AtomCatalogue &atoms() const = 0;
  virtual const MachineModel &machine() const = 0;

  /// Is this MMA legal here, and which atom does it become? Null with no diagnostic: legal, but no tensor core takes
  /// it, the caller computes it with ordinary arithmetic. Failure: `emitError` has been called with the reason.
  virtual mlir::FailureOr<const MmaAtom *>
  verifyMma(const MmaQuery &query, llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const = 0;

  /// Null when kernels can be compiled for this target, else one sentence that says what is missing.
  virtual std::optional<std::string> getUnsupportedReason() const { return std::nullopt; }

  /// Rewrites forms of `op` that the target cannot take; success when there is nothing to do.
  virtual mlir::LogicalResult legalize(mlir::Operation *op) const { return mlir::success(); }

  /// TileAS → LLVM/NVVM patterns for what the chip of `lowering` does its own way (TilePattern.h: TargetPattern). They
  /// come before those of everybody else.
  virtual void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const {}

  /// Bytes of shared memory that the patterns of populateLowering exchange data through for `op`, at most
  /// `lowering.getScratchLimit(op)`; nothing where they leave the operation to others.
  virtual std::optional<int64_t> getScratchBytes(const LoweringContext &lowering, mlir::Operation *op) const {
    return std::nullopt;
  }

  /// Last changes to the LLVM-dialect module: kernel attributes, module flags.
  virtual mlir::LogicalResult finalize(mlir::ModuleOp module, const ChipInfo &chip) const { return mlir::success(); }

  /// Further ptxas options for this chip.
  virtual std::vector<std::string> getAssemblerOptions(const ChipInfo &chip) const { return {}; }

  /// The chip called `name` (`a` and `f` suffixes are accepted), or null.
  const ChipInfo *findChip(llvm::StringRef name) const;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_TARGET_H
