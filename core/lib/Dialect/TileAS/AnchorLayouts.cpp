//===- AnchorLayouts.cpp - Layouts that operations want -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

as::BlockedAttr as::encodeBlocked(MLIRContext *context, const BlockedParameters &parameters) {
  SmallVector<int64_t> order(parameters.order.begin(), parameters.order.end());
  return BlockedAttr::get(context, parameters.sizePerThread, parameters.threadsPerWarp, parameters.warpsPerCta, order);
}

BlockedParameters as::chooseAccessLayout(const AccessPattern &pattern, int64_t numWarps) {
  BlockedParameters parameters = chooseBlockedParameters(pattern.tile.getShape(), pattern.elementBytes * 8, numWarps,
                                                         pattern.contiguousDim, pattern.maxVectorBytes);
  if (pattern.contiguousDim) {
    int64_t &elements = parameters.sizePerThread[*pattern.contiguousDim];
    elements = std::max(elements, pattern.minElements);
  }
  return parameters;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// How warps share a product whose blocks (an atom's, or those of a warp's lanes) are `blockM`×`blockN`.
static MmaWarpGrid chooseWarpGrid(ArrayRef<int64_t> shape, int64_t blockM, int64_t blockN, int64_t numWarps,
                                  bool preferRows) {
  int64_t rows = shape[shape.size() - 2];
  if (preferRows && shape.size() == 2 && rows >= blockM * numWarps)
    return {numWarps, 1, 1};
  return chooseMmaWarpGrid(shape, blockM, blockN, numWarps);
}

as::ProductLayouts as::getProductLayouts(MLIRContext *context, const MmaAtom &atom, ArrayRef<int64_t> shape,
                                         int64_t numWarps, bool preferRows) {
  MmaWarpGrid grid = chooseWarpGrid(shape, atom.m, atom.n, numWarps, preferRows);
  SmallVector<int64_t> warps = {grid.m, grid.n};
  if (shape.size() == 3)
    warps.insert(warps.begin(), grid.batch);
  auto operand = [&](OperandAxis axis, const LinearLayout &fragment) {
    return DotOperandAttr::get(context, axis, AtomAttr::get(context, atom.name), warps, fragment.getOutSizes(),
                               LinearAttr::get(context, fragment));
  };
  ProductLayouts layouts = {operand(OperandAxis::A, atom.layoutA),
                            operand(OperandAxis::B, atom.layoutB),
                            operand(OperandAxis::C, atom.layoutC),
                            {},
                            {}};
  if (atom.kind == MmaKind::WarpBlockScaled) {
    layouts.scaleA = operand(OperandAxis::A, atom.layoutScaleA);
    layouts.scaleB = operand(OperandAxis::B, atom.layoutScaleB);
  }
  return layouts;
}

void as::setProductLayouts(ProductOpInterface product, const ProductLayouts &chosen, OpLayouts &layouts) {
  layouts.operands[product.getAMutable().getOperandNumber()] = chosen.a;
  layouts.operands[product.getBMutable().getOperandNumber()] = chosen.b;
  layouts.operands[product.getCMutable().getOperandNumber()] = chosen.c;
  if (auto scales = product.getScaleOperandNumbers()) {
    layouts.operands[scales->first] = chosen.scaleA;
    layouts.operands[scales->second] = chosen.scaleB;
  }
  layouts.results.front() = chosen.c;
}

bool as::isWarpAtom(const MmaAtom &atom) {
  return (atom.kind == MmaKind::Warp || atom.kind == MmaKind::WarpBlockScaled) && atom.isHeldByOneWarp();
}

FailureOr<const MmaAtom *> as::findWarpAtom(ProductOpInterface product, const ChipTarget &target,
                                            ByteNeighbours neighbours) {
  MmaQuery query;
  product.describe(query);
  FailureOr<const MmaAtom *> plain = findWarpAtom(product, query, target);
  if (failed(plain) || !*plain || !(neighbours.a || neighbours.b))
    return plain;
  // The same instruction, with other rows and columns.
  for (const MmaAtom &atom : target.atoms().mma)
    if (atom.instruction == (*plain)->instruction && atom.mnMajorA == neighbours.a && atom.mnMajorB == neighbours.b &&
        query.n >= atom.n)
      return &atom;
  return plain;
}

FailureOr<const MmaAtom *> as::findWarpAtom(Operation *op, const MmaQuery &query, const ChipTarget &target) {
  if (!target)
    return nullptr;
  auto emitError = [&] { return op->emitOpError(); };
  FailureOr<MmaCandidates> candidates = target.target->findMmaCandidates(query, *target.chip, emitError);
  if (failed(candidates))
    return failure();
  auto isPlain = [](const MmaAtom &atom) { return isWarpAtom(atom) && !atom.mnMajorA && !atom.mnMajorB; };
  return chooseMmaCandidate(*candidates, isPlain, emitError);
}

Value as::skipConversions(Value tile) {
  while (auto conversion = tile.getDefiningOp<ConvertLayoutOp>())
    tile = conversion.getSource();
  return tile;
}

BlockedParameters as::chooseFmaLayout(ArrayRef<int64_t> shape, int64_t numWarps, bool preferRows) {
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

void DotOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getC(), getResult()});
  relations.addProduct(*this);
}

/// Fragments were chosen with the atom, with operands in memory long ago. Ordinary arithmetic takes a and b from
/// anywhere.
void DotOp::adaptLayouts(OpLayouts &layouts) {
  if (readsMemory())
    layouts.results.front() = getType().getEncoding();
  layouts.operands[getCMutable().getOperandNumber()] = layouts.results.front();
  if (isUniversalFma() || getAtom().isUnplaced())
    layouts.operands[getAMutable().getOperandNumber()] = layouts.operands[getBMutable().getOperandNumber()] = {};
}

std::optional<std::pair<unsigned, unsigned>> DotOp::getScaleOperandNumbers() {
  if (!isBlockScaled())
    return std::nullopt;
  return std::pair(getODSOperandIndexAndLength(3).first, getODSOperandIndexAndLength(4).first);
}

void DotOp::describe(MmaQuery &query) {
  query = getMmaQuery(*this);
}
