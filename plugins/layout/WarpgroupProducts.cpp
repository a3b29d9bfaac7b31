//===- WarpgroupProducts.cpp - Products computed by warpgroups ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpgroupProducts.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {

static constexpr int64_t kWarpsPerGroup = 4;

static bool isUsable(const MmaAtom &atom) {
  return atom.kind == MmaKind::Warpgroup && atom.hasLowering && atom.spaceB == MemorySpace::Shared;
}

bool hasWarpgroupProducts(const ChipTarget &target) {
  return target && llvm::any_of(target.atoms().mma, isUsable);
}

bool takesMnMajor(const MmaAtom &atom) {
  return atom.a.bits == 16;
}

namespace {
/// The warpgroups of a scope over the result of a product.
struct GroupGrid {
  int64_t m = 1, n = 1;
};

/// One operand as it grows from a fragment.
class FragmentTiling {
public:
  /// `fragment` has the registers, lanes and warps of one warpgroup.
  FragmentTiling(const LinearLayout &fragment, ArrayRef<int64_t> shape) : layout(shape) {
    for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
      for (const LinearLayout::Basis &basis : fragment.getBases(dim))
        layout.addBasis(dim, basis);
  }

  void repeat(LayoutDim dim, unsigned outDim, int64_t begin, int64_t end) {
    for (int64_t step = begin; step < end; step *= 2) {
      LinearLayout::Basis basis(layout.getRank(), 0);
      basis[outDim] = step;
      layout.addBasis(dim, std::move(basis));
    }
  }
  void addCopies(int64_t groups) {
    for (; groups > 1; groups /= 2)
      layout.addZeroBasis(LayoutDim::Warp);
  }

  LinearLayout layout;
};
} // namespace

static Attribute getAccumulatorLayout(MLIRContext *context, const MmaAtom &atom, ArrayRef<int64_t> shape,
                                      GroupGrid grid) {
  const int64_t rows = shape[0] / grid.m, columns = shape[1] / grid.n;
  FragmentTiling tiling(atom.layoutC, shape);
  tiling.repeat(LayoutDim::Register, 1, atom.n, columns);
  tiling.repeat(LayoutDim::Register, 0, atom.m, rows);
  tiling.repeat(LayoutDim::Warp, 0, rows, shape[0]);
  tiling.repeat(LayoutDim::Warp, 1, columns, shape[1]);
  return as::LinearAttr::get(context, tiling.layout);
}

static Attribute getRegisterOperandLayout(MLIRContext *context, const MmaAtom &atom, ArrayRef<int64_t> shape,
                                          GroupGrid grid) {
  const int64_t rows = shape[0] / grid.m;
  FragmentTiling tiling(atom.layoutA, shape);
  tiling.repeat(LayoutDim::Register, 1, atom.k, shape[1]);
  tiling.repeat(LayoutDim::Register, 0, atom.m, rows);
  tiling.repeat(LayoutDim::Warp, 0, rows, shape[0]);
  tiling.addCopies(grid.n);
  return as::LinearAttr::get(context, tiling.layout);
}

/// What about extents and warps speaks against all instructions of warpgroups; empty if nothing does.
static std::string findObstacle(as::DotOp product, int64_t numWarps) {
  ArrayRef<int64_t> shape = product.getType().getShape();
  if (product.isBlockScaled())
    return "its operands have scales";
  if (shape.size() != 2)
    return "it is a batch of products; a loop over tiles without a batch dimension has one product at a time";
  if (shape[0] < 64)
    return llvm::formatv("its tile has {0} rows, and warpgroups compute 64 together; a taller tile, or the product of "
                         "the transposed operands, has them",
                         shape[0]);
  if (numWarps % kWarpsPerGroup != 0)
    return llvm::formatv("it runs in {0} warps, and a warpgroup has 4; num_worker_warps sets them", numWarps);
  const int64_t groups = numWarps / kWarpsPerGroup, groupsN = groups / std::min(groups, shape[0] / 64);
  if (shape[1] / groupsN < 8)
    return llvm::formatv("its tile of {0}x{1} is too small for {2} warpgroups; num_worker_warps sets their number",
                         shape[0], shape[1], groups);
  return "";
}

FailureOr<WarpgroupProduct> findWarpgroupProduct(as::DotOp product, const ChipTarget &target, int64_t numWarps,
                                                 bool registerA) {
  WarpgroupProduct result;
  if (!hasWarpgroupProducts(target))
    return result;
  result.obstacle = findObstacle(product, numWarps);
  if (!result.obstacle.empty())
    return result;
  MmaQuery query;
  product.describe(query);
  FailureOr<MmaCandidates> candidates =
      target.target->findMmaCandidates(query, *target.chip, [&] { return product.emitOpError(); });
  if (failed(candidates))
    return failure();

  const int64_t groups = numWarps / kWarpsPerGroup;
  GroupGrid grid;
  grid.m = std::min(groups, query.m / 64);
  grid.n = groups / grid.m;
  const MemorySpace spaceA = registerA ? MemorySpace::Register : MemorySpace::Shared;
  for (const MmaCandidate &candidate : *candidates) {
    const MmaAtom *atom = candidate.atom;
    if (atom && isUsable(*atom) && atom->spaceA == spaceA && query.n / grid.n % atom->n == 0 &&
        (!result.atom || atom->n > result.atom->n))
      result.atom = atom;
  }
  if (!result.atom) {
    result.obstacle =
        llvm::formatv("no instruction of warpgroups multiplies {0} by {1} into {2} with {3} along K{4}", query.elementA,
                      query.elementB, query.elementC, query.k, registerA ? " and A in registers" : "");
    return result;
  }
  MLIRContext *context = product.getContext();
  result.c = getAccumulatorLayout(context, *result.atom, product.getType().getShape(), grid);
  if (registerA)
    result.a = getRegisterOperandLayout(context, *result.atom, product.getA().getType().getShape(), grid);
  return result;
}

} // namespace tileiras::layout
