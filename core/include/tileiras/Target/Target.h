//===- Target.h - A GPU back end --------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between the core and one GPU architecture. A target is registered by a plugin and serves the
// `--gpu-name`s that chips() lists; what it knows, it knows of each chip. It must be usable from several threads: every
// method is const.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_TARGET_H
#define TILEIRAS_TARGET_TARGET_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Target/Atoms.h"
#include "tileiras/Target/Chip.h"
#include "tileiras/Target/Footprint.h"
#include "tileiras/Target/TuningModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <map>
#include <mutex>

namespace tileiras {

class LoweringContext;

/// D = A·B + C as a program states it: what a target is asked about.
struct MmaQuery {
  mlir::Type elementA, elementB, elementC; ///< signless integers carry their signedness below
  bool unsignedA = false, unsignedB = false;
  bool fastAccumulation = false; ///< sums inside of one instruction may keep fewer bits than C has
  int64_t batch = 1, m = 0, n = 0, k = 0;
  mlir::Type elementScale; ///< of block-scaled products; null: no scales
  int64_t scaleBlock = 0;  ///< elements along K that share a scale

  bool isBlockScaled() const { return bool(elementScale); }
};

/// One way to compute a product.
struct MmaCandidate {
  const MmaAtom *atom = nullptr; ///< of the chip's catalogue; null: ordinary arithmetic
  uint64_t cost = 0;             ///< cycles of one tensor core for the whole product; only to compare

  bool isOrdinaryArithmetic() const { return !atom; }
};
using MmaCandidates = llvm::SmallVector<MmaCandidate, 4>;

class Target {
public:
  virtual ~Target();

  /// Unique name, e.g. the plugin's.
  virtual llvm::StringRef getName() const = 0;
  virtual llvm::ArrayRef<ChipInfo> chips() const = 0;
  /// What `chip`, one of chips(), has.
  virtual const AtomCatalogue &atoms(const ChipInfo &chip) const = 0;
  virtual const MachineModel &machine(const ChipInfo &chip) const = 0;
  /// What was measured or guessed about `chip`. Here: what holds where nobody knows better. Passes ask
  /// ChipTarget::tuning, which --set overrides.
  virtual const TuningModel &tuning(const ChipInfo &chip) const;

  /// The ways to compute a product on `chip`, best first. None: it is legal, and ordinary arithmetic is how it is done.
  /// Failure: it is illegal here, and `emitError` has been called with the reason.
  ///
  /// Whoever chooses may pass over candidates it cannot place or that have no lowering, as long as one remains; when
  /// none does, that is an error. A target that has nothing against ordinary arithmetic in place of its tensor cores
  /// says so with a last candidate without an atom.
  ///
  /// Here: the atoms that fit, by cost, then in the order of the catalogue; block-scaled products that none fits are
  /// illegal.
  virtual mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const;

  /// What work of an operation occupies on `chip`, for schedules: units of its machine model, by name. Failure:
  /// `emitError` has been called. Here: computeFootprint, from the rates of the machine model and the costs of atoms.
  virtual mlir::FailureOr<Footprint> getFootprint(const WorkQuery &query, const ChipInfo &chip,
                                                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const;

  /// Null when kernels can be compiled for this target, else one sentence that says what is missing.
  virtual std::optional<std::string> getUnsupportedReason() const { return std::nullopt; }

  /// Changes operations right before their bodies are lowered, where instructions of the chip ask something of those
  /// around them. Tiles and memory have their places.
  virtual void prepareLowering(const LoweringContext &lowering, mlir::ModuleOp module) const {}

  /// TileAS → LLVM/NVVM patterns for what the chip of `lowering` does its own way (TilePattern.h: TargetPattern). They
  /// come before those of everybody else.
  virtual void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const {}

  /// Bytes of shared memory that the patterns of populateLowering exchange data through for `op`, at most
  /// `lowering.getScratchLimit(op)`; nothing where they leave the operation to others. Asked of operations with
  /// as::ExchangeOpInterface: others have no place to keep what they are given.
  virtual std::optional<int64_t> getScratchBytes(const LoweringContext &lowering, mlir::Operation *op) const {
    return std::nullopt;
  }

  /// Last changes to the LLVM-dialect module: kernel attributes, module flags.
  virtual mlir::LogicalResult finalize(mlir::ModuleOp module, const ChipInfo &chip) const { return mlir::success(); }

  /// Further ptxas options for this chip.
  virtual std::vector<std::string> getAssemblerOptions(const ChipInfo &chip) const { return {}; }

  /// The chip called `name`, or the one of which that is the variant its code is made for, or null.
  const ChipInfo *findChip(llvm::StringRef name) const;
};

/// Does `atom` compute `query`: do element types, scales and extents fit? An atom of one warp may be larger than the
/// product along M and N (rows and columns repeat), but along K it would add elements twice; the others divide it along
/// all three.
bool fits(const MmaAtom &atom, const MmaQuery &query);

/// Null when `atom` fits `query`, else what does not, in words.
std::optional<std::string> describeMisfit(const MmaAtom &atom, const MmaQuery &query);

/// Refuses a block-scaled product where no chip of a target has instructions for one, by `emitError`. Chips have them
/// from compute capability `since` on (93: 9.3).
mlir::LogicalResult refuseBlockScale(unsigned since, llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Cycles of one tensor core for the whole product by `atom`.
uint64_t getMmaCost(const MmaAtom &atom, const MmaQuery &query);

/// Everything a target knows of one of its chips.
struct ChipDescription {
  ChipInfo info;
  AtomCatalogue atoms;
  MachineModel machine;
  TuningModel tuning = {};
};

/// A target whose knowledge is tables: most of what a plugin needs.
class DescribedTarget : public Target {
public:
  using Describe = std::function<ChipDescription(const ChipInfo &)>;

  /// `describe` is called for a chip when somebody first asks what it has, and once: of the chips of a plugin a
  /// compilation needs one, and each has hundreds of atoms.
  DescribedTarget(std::string name, std::vector<ChipInfo> chips, Describe describe);
  DescribedTarget(std::string name, std::vector<ChipDescription> descriptions);

  llvm::StringRef getName() const override { return name; }
  llvm::ArrayRef<ChipInfo> chips() const override { return infos; }
  const AtomCatalogue &atoms(const ChipInfo &chip) const override { return find(chip).atoms; }
  const MachineModel &machine(const ChipInfo &chip) const override { return find(chip).machine; }
  const TuningModel &tuning(const ChipInfo &chip) const override { return find(chip).tuning; }

private:
  const ChipDescription &find(const ChipInfo &chip) const;

  std::string name;
  std::vector<ChipInfo> infos;
  Describe makeDescription;
  mutable std::mutex mutex;                                    ///< of `descriptions`
  mutable std::map<std::string, ChipDescription> descriptions; ///< by the chip's name, as far as somebody has asked
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_TARGET_H
