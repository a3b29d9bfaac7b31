//===- LoweringContext.h - What is known about the program being lowered --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_LOWERINGCONTEXT_H
#define TILEIRAS_LOWERING_LOWERINGCONTEXT_H

#include "tileiras/Layout/ConversionPlan.h"
#include "tileiras/Lowering/LoweredTypes.h"
#include "tileiras/Target/ContextTargets.h"
#include <list>

namespace tileiras {

/// The chip `module` is compiled for. A missing attribute or target is reported.
mlir::FailureOr<ChipTarget> getChipTarget(mlir::ModuleOp module);

/// One module's lowering for one chip: what patterns, and those who ask an operation how it will be lowered, share.
/// Target, chip and converter must outlive it.
class LoweringContext {
public:
  LoweringContext(const ChipTarget &chip, const LLVMTileTypeConverter &converter)
      : target(*chip.target), chip(*chip.chip), converter(converter), chipTarget(chip),
        scratchLimit(chip.machine().staticSharedMemoryBytes) {}

  const Target &target;
  const ChipInfo &chip;
  const LLVMTileTypeConverter &converter;

  /// What the chip has and can do; nobody looks at its compute capability.
  const AtomCatalogue &atoms() const { return target.atoms(chip); }
  const MachineModel &machine() const { return target.machine(chip); }
  const ChipFeatures &features() const { return chip.features; }
  const TuningModel &tuning() const { return chipTarget.tuning(); }
  const ChipTarget &getChipTarget() const { return chipTarget; }

  /// The plan for elements of `bits`. Programs repeat few conversions many times: each is planned once.
  const ConversionPlan &getConversionPlan(unsigned bits, const LinearLayout &source,
                                          const LinearLayout &destination) const;

  /// Bytes of shared memory that one exchange between threads in `op` may take at a time: what it has been given
  /// (as::getScratch), before that what any operation of the scope will be given at most. An exchange that takes b
  /// bytes of a larger limit takes b bytes, in the same way, of the limit b.
  int64_t getScratchLimit(mlir::Operation *op) const;
  void setScratchLimit(int64_t bytes) { scratchLimit = bytes; }

  /// Bytes of shared memory that the lowering of `op`, an ExchangeOpInterface, exchanges data through: the target's
  /// answer where it lowers the operation its own way, else the operation's; 0 for those that exchange nothing.
  int64_t getScratchBytes(mlir::Operation *op) const;

private:
  const ChipTarget chipTarget;
  int64_t scratchLimit;
  struct PlannedConversion {
    unsigned bits;
    LinearLayout source, destination;
    ConversionPlan plan;
  };
  mutable std::list<PlannedConversion> plans;
};

/// The context of a module's lowering, shared by the steps of it that keep it valid. Empty, and reported, when the chip
/// is not known.
class LoweringAnalysis {
public:
  explicit LoweringAnalysis(mlir::Operation *module);

  LoweringContext *get() { return context ? &*context : nullptr; }

private:
  std::optional<LLVMTileTypeConverter> converter;
  std::optional<LoweringContext> context;
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_LOWERINGCONTEXT_H
