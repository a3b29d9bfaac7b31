//===- PipelineGroups.h - What fills and reads the stages of a pipeline -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_PIPELINEGROUPS_H
#define TILEIRAS_PLUGINS_LAYOUT_PIPELINEGROUPS_H

#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::layout {

/// An operand of a product that is an entry of a stage seen through operations that only rename its elements, or, where
/// no product reads memory, compute something of each.
struct ProductUse {
  as::DotOp product;
  as::OperandAxis axis = as::OperandAxis::A;
  bool isScale = false;                      ///< the scales of that operand
  llvm::SmallVector<mlir::Operation *> path; ///< from the entry to the operand

  mlir::OpOperand &getOperand();
  /// The layout of the operand when the entry has the layout `entry`.
  LinearLayout deriveLayout(const LinearLayout &entry) const;
  /// That of the entry when the operand has the layout `operand`; nothing if there is none.
  std::optional<LinearLayout> deriveEntryLayout(const LinearLayout &operand) const;
};

/// One payload of a pipeline: what producers put there and what consumers make of it.
struct PipelineEntry {
  mlir::RankedTensorType type; ///< with the layout it has in registers
  llvm::SmallVector<mlir::Value> produced;
  llvm::SmallVector<mlir::BlockArgument> arguments; ///< of consumers' bodies
  std::vector<ProductUse> products;                 ///< those that read it as A or B, or as the scales of one
  bool hasOtherUses = false;

  /// Bits of an element in shared memory.
  unsigned getElementBits() const;
};

/// The entries that live and die together.
struct PipelineGroup {
  as::CreatePipelineOp pipeline;
  llvm::SmallVector<as::PipelineRegionOpInterface> producers, consumers;
  std::vector<PipelineEntry> entries;
};

/// The pipelines of `func` whose payload has no memory yet. Fails, with a diagnostic, where a payload's parts can never
/// have memory of one kind. `target` may be empty.
mlir::FailureOr<std::vector<PipelineGroup>> collectPipelineGroups(mlir::Operation *func, const ChipTarget &target);

/// Says that no kind of memory can hold all that the pipeline's stages hold.
mlir::LogicalResult emitNoCommonMemory(as::CreatePipelineOp pipeline);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_PIPELINEGROUPS_H
