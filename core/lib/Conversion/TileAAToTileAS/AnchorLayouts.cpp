//===- AnchorLayouts.cpp - The layouts operations ask for -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnchorLayouts.h"
#include "tileiras/Dialect/TileAA/Contiguity.h"
#include "tileiras/Dialect/TileAA/Divisibility.h"
#include "tileiras/Layout/MemoryAccess.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

/// Widest access of a thread.
static constexpr int64_t kMaxVectorBytes = 16;
/// Memory is moved in sectors: a warp that touches part of one pays for all of it.
static constexpr int64_t kSectorBytes = 32;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static unsigned getElementBytes(Type element) {
  if (isa<aa::PtrType>(element))
    return 8;
  return std::max<unsigned>(1, element.getIntOrFloatBitWidth() / 8);
}

/// Known divisor of a memref's size or stride, and of the address it starts at.
namespace {
struct MemRefFacts {
  aa::TileMemRefType type;
  aa::MakeMemRefOp definition; ///< null when the memref comes from elsewhere

  int64_t getDivisor(ArrayRef<int64_t> statics, ValueRange dynamics, unsigned dim) {
    if (!ShapedType::isDynamic(statics[dim]))
      return statics[dim] == 0 ? aa::kMaxKnownDivisor : statics[dim] & -statics[dim];
    return definition ? aa::getKnownDivisor(dynamics[llvm::count(statics.take_front(dim), ShapedType::kDynamic)]) : 1;
  }
  int64_t getSizeDivisor(unsigned dim) {
    return getDivisor(type.getShape(), definition ? definition.getSizes() : ValueRange(), dim);
  }
  int64_t getStrideDivisor(unsigned dim) {
    return getDivisor(type.getStrides(), definition ? definition.getStrides() : ValueRange(), dim);
  }
  int64_t getBaseDivisor() { return definition ? aa::getKnownDivisor(definition.getBase()) : 1; }
};
} // namespace

/// The bytes that accesses along tile dimension `dim` may span at once: what divides the address of every aligned group
/// of elements along it and, where bounds are checked, the extent of the memref.
static int64_t getVectorBytes(aa::TiledViewType view, MemRefFacts facts, unsigned dim, int64_t elementBytes,
                              ArrayRef<bool> inBounds) {
  int64_t bytes = std::min(kMaxVectorBytes, facts.getBaseDivisor());
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned memDim = view.getDimMap().empty() ? d : view.getDimMap()[d];
    if (d == dim) {
      int64_t step = view.getStep(d);
      bytes = std::min(bytes, (step & -step) * elementBytes);
      if (inBounds.empty() || !inBounds[memDim])
        bytes = std::min(bytes, facts.getSizeDivisor(memDim) * elementBytes);
    } else {
      bytes = std::min(bytes, facts.getStrideDivisor(memDim) * elementBytes);
    }
  }
  return std::max(bytes, elementBytes);
}

static AccessPattern getViewPattern(Value viewValue, RankedTensorType tile, ArrayRef<bool> inBounds) {
  auto view = cast<aa::TiledViewType>(viewValue.getType());
  AccessPattern pattern{tile, std::nullopt, getElementBytes(tile.getElementType()), 0};
  for (unsigned d = 0; d < view.getRank(); ++d) {
    unsigned memDim = view.getDimMap().empty() ? d : view.getDimMap()[d];
    bool contiguous = view.getSource().getStrides()[memDim] == 1 && !view.isSparseAxis(d);
    if (contiguous && (!pattern.contiguousDim || tile.getDimSize(d) > tile.getDimSize(*pattern.contiguousDim)))
      pattern.contiguousDim = d;
  }
  MemRefFacts facts{view.getSource(), nullptr};
  if (auto tiles = viewValue.getDefiningOp<aa::BlockTileOp>())
    facts.definition = tiles.getSource().getDefiningOp<aa::MakeMemRefOp>();
  pattern.maxVectorBytes = pattern.elementBytes;
  if (pattern.contiguousDim)
    pattern.maxVectorBytes = getVectorBytes(view, facts, *pattern.contiguousDim, pattern.elementBytes, inBounds);
  // Two elements of four bits share a byte: one thread has to store both.
  if (tile.getElementType().isIntOrFloat() && tile.getElementTypeBitWidth() == 4 && pattern.contiguousDim)
    pattern.minElements = std::min<int64_t>(2, tile.getDimSize(*pattern.contiguousDim));
  return pattern;
}

/// Neighbouring lanes at neighbouring elements of the last dimension, or of the one along which pointers are known to
/// run through memory.
static AccessPattern getPointerPattern(Value pointers, Value mask, Type element) {
  unsigned bytes = getElementBytes(element);
  aa::PointerRun run = aa::getPointerRun(pointers, mask);
  std::optional<unsigned> dim = run.elements == 1 ? std::nullopt : std::optional<unsigned>(run.dim);
  return {cast<RankedTensorType>(pointers.getType()), dim, bytes, unsigned(bytes * run.elements)};
}

AccessPattern tileiras::getAccessPattern(Operation *access) {
  return TypeSwitch<Operation *, AccessPattern>(access)
      .Case([](aa::TiledLoadOp op) {
        return getViewPattern(op.getView(), cast<RankedTensorType>(op.getValue().getType()),
                              op.getInBounds().value_or(ArrayRef<bool>()));
      })
      .Case<aa::TiledStoreOp, aa::TiledAtomicRMWOp>([](auto op) {
        return getViewPattern(op.getView(), cast<RankedTensorType>(op.getValue().getType()),
                              op.getInBounds().value_or(ArrayRef<bool>()));
      })
      .Case<aa::LoadOp, aa::StoreOp>(
          [](auto op) { return getPointerPattern(op.getBase(), op.getMask(), getElementTypeOrSelf(op.getValue())); })
      .Case<aa::AtomicRMWOp, aa::AtomicCASOp>([](auto op) {
        unsigned bytes = getElementBytes(getElementTypeOrSelf(op.getValue()));
        return AccessPattern{cast<RankedTensorType>(op.getBase().getType()), std::nullopt, bytes, bytes};
      });
}

BlockedParameters tileiras::chooseAccessLayout(const AccessPattern &pattern, int64_t numWarps) {
  BlockedParameters parameters = chooseBlockedParameters(pattern.tile.getShape(), pattern.elementBytes * 8, numWarps,
                                                         pattern.contiguousDim, pattern.maxVectorBytes);
  if (pattern.contiguousDim) {
    int64_t &elements = parameters.sizePerThread[*pattern.contiguousDim];
    elements = std::max(elements, pattern.minElements);
  }
  return parameters;
}

/// Contiguous bytes that the lanes of a warp access together in one instruction, up to a sector.
static int64_t getRunBytes(const AccessPattern &pattern, const LinearLayout &layout, unsigned dim) {
  int64_t run = getContiguousElements(layout, dim, std::max(1u, pattern.maxVectorBytes / pattern.elementBytes));
  for (bool grown = true; grown && run * pattern.elementBytes < kSectorBytes;) {
    LinearLayout::Basis next(layout.getRank(), 0);
    next[dim] = run;
    grown = run < layout.getOutSize(dim) && llvm::is_contained(layout.getBases(LayoutDim::Lane), next);
    if (grown)
      run *= 2;
  }
  return std::min(kSectorBytes, run * pattern.elementBytes);
}

bool tileiras::isGoodForAccess(const AccessPattern &pattern, const LinearLayout &layout,
                               const LinearLayout &preferred) {
  if (layout == preferred)
    return true;
  // Copies held by many threads are loaded by many threads; a few bytes more are cheaper than an exchange.
  if (layout.getNumBits(LayoutDim::Register) > preferred.getNumBits(LayoutDim::Register) + 2)
    return false;
  if (pattern.tile.getRank() == 0)
    return true;
  unsigned dim = pattern.contiguousDim.value_or(pattern.tile.getRank() - 1);
  if (getContiguousElements(layout, dim, pattern.minElements) < pattern.minElements)
    return false;
  return getRunBytes(pattern, layout, dim) >= getRunBytes(pattern, preferred, dim);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

MmaWarpGrid tileiras::chooseWarpGrid(ArrayRef<int64_t> shape, int64_t blockM, int64_t blockN, int64_t numWarps,
                                     bool preferRows) {
  int64_t rows = shape[shape.size() - 2];
  if (preferRows && shape.size() == 2 && rows >= blockM * numWarps)
    return {numWarps, 1, 1};
  return chooseMmaWarpGrid(shape, blockM, blockN, numWarps);
}

BlockedParameters tileiras::chooseFmaLayout(ArrayRef<int64_t> shape, int64_t numWarps, bool preferRows) {
  unsigned rank = shape.size();
  int64_t m = shape[rank - 2], n = shape[rank - 1];
  int64_t perThread = m * n / (kLanesPerWarp * numWarps);
  int64_t side = perThread >= 16 ? 4 : perThread >= 4 ? 2 : 1;
  int64_t sideM = std::min(side, m), sideN = std::min(side, n);
  int64_t lanesN = std::min<int64_t>(8, n / sideN), lanesM = kLanesPerWarp / lanesN;
  MmaWarpGrid grid = chooseWarpGrid(shape, sideM * lanesM, sideN * lanesN, numWarps, preferRows);

  BlockedParameters parameters;
  if (rank == 3) {
    parameters.sizePerThread = {1};
    parameters.threadsPerWarp = {1};
    parameters.warpsPerCta = {grid.batch};
  }
  parameters.sizePerThread.append({sideM, sideN});
  parameters.threadsPerWarp.append({lanesM, lanesN});
  parameters.warpsPerCta.append({grid.m, grid.n});
  for (unsigned d = rank; d-- > 0;)
    parameters.order.push_back(d);
  return parameters;
}

as::BlockedAttr tileiras::encodeBlocked(MLIRContext *context, const BlockedParameters &parameters) {
  SmallVector<int64_t> order(parameters.order.begin(), parameters.order.end());
  return as::BlockedAttr::get(context, parameters.sizePerThread, parameters.threadsPerWarp, parameters.warpsPerCta,
                              order);
}
