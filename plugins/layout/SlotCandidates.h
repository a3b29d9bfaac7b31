//===- SlotCandidates.h - Layouts that a stage may have ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_SLOTCANDIDATES_H
#define TILEIRAS_PLUGINS_LAYOUT_SLOTCANDIDATES_H

#include "PipelineGroups.h"
#include "WarpgroupProducts.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Layout/SharedExchange.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Target/LayoutCost.h"
#include "llvm/ADT/MapVector.h"

namespace tileiras::layout {

/// How a tile comes into a stage.
enum class FillKind : uint8_t {
  Engine,    ///< in boxes, by a copy engine
  Registers, ///< by all threads
};

/// One layout that an entry may have in memory.
struct SlotCandidate {
  MemorySpace memory = MemorySpace::Shared;
  LinearLayout layout; ///< offsets, in elements, to the entry's coordinates
  as::SharedAttr encoding;
  int64_t alignment = 128; ///< bytes, of the stage: where the swizzle's pattern begins
  FillKind fill = FillKind::Registers;
  std::optional<unsigned> fastestDim; ///< of the entry; none where it has no rows
  LayoutCost cost;
};

/// Dimensions, fastest first, in which all that is put into the entry is in memory; nothing if that is not known.
std::optional<llvm::SmallVector<unsigned>> getCommonOrder(const PipelineEntry &entry);

/// The layout of the entry in which a product finds scales as they are copied to tensor memory; nothing where it never
/// does.
std::optional<LinearLayout> getScaleLayout(ProductUse use);

/// Which products warpgroups compute, as far as has been decided: refused ones read registers.
class ProductChoices {
public:
  explicit ProductChoices(const ChipTarget &target) : target(target) {}

  const ChipTarget &getTarget() const { return target; }
  /// Asks the target about every product that reads an entry. Fails where it refuses one.
  mlir::LogicalResult ask(llvm::MutableArrayRef<PipelineGroup> groups);
  /// How warpgroups compute the product; null if they do not, or once it is refused.
  const WarpgroupProduct *find(as::DotOp product) const;
  /// The layouts of its operands when single warps do.
  const as::ProductLayouts &getWarpLayouts(as::DotOp product) const { return warpLayouts.find(product)->second; }
  void refuse(as::DotOp product, std::string obstacle);
  /// Threads load an operand of the product.
  void leaveRegistersToLoads(as::DotOp product);
  size_t countAccepted() const;
  /// Says of every product that is not one of warpgroups why.
  void remark() const;

private:
  const ChipTarget &target;
  llvm::MapVector<mlir::Operation *, WarpgroupProduct> products;
  llvm::DenseMap<mlir::Operation *, as::ProductLayouts> warpLayouts;
};

/// The layouts that suit the entry's producers and all products of warpgroups that read it. Products that leave none
/// are refused; without any, only elements that shared memory cannot hold leave none.
std::vector<SlotCandidate> collectCandidates(const PipelineEntry &entry, ProductChoices &products);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_SLOTCANDIDATES_H
