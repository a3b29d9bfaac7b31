//===- WarpgroupProducts.cpp - Products with operands in shared memory ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

/// Those that instructions can name, and one that is none.
static constexpr int64_t kAllRegisters = 256;

static int64_t getThreadRegisters(const MachineModel &machine, int64_t numWarps) {
  return std::min<int64_t>(machine.registersPerSM / (numWarps * kLanesPerWarp), machine.maxRegistersPerThread + 1);
}

template <typename... Args>
static llvm::Error refuseProduct(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

bool as::isWarpgroupAtom(const MmaAtom &atom) {
  return (atom.kind == MmaKind::Warpgroup || atom.kind == MmaKind::TensorMemory) && atom.spaceB == MemorySpace::Shared;
}

/// Of what an operand in memory is made of: elements of four bits are two to a byte.
static constexpr unsigned kMinMemoryBits = 8;

unsigned as::getMemoryBits(const MmaAtom &atom, OperandAxis axis) {
  return std::max(kMinMemoryBits, axis == OperandAxis::A ? atom.a.bits : atom.b.bits);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

static bool takesPlace(MemorySpace space, bool takesMnMajor, OperandPlace place) {
  if (place == OperandPlace::RegistersOfMnMajor)
    return space == MemorySpace::Register && takesMnMajor;
  if (place == OperandPlace::Registers) // From where it gets into tensor memory.
    return (space == MemorySpace::Register && !takesMnMajor) || space == MemorySpace::Tensor;
  return space == MemorySpace::Shared && (place == OperandPlace::KMajor || takesMnMajor);
}

/// The atom with so many rows and columns that computes `query`.
static llvm::Expected<const MmaAtom *> findWarpgroupAtom(const MmaQuery &query, const ChipTarget &target,
                                                         std::pair<int64_t, int64_t> extents, OperandPlace a,
                                                         OperandPlace b) {
  const auto [rows, columns] = extents;
  for (const MmaAtom &atom : target.atoms().mma) {
    if (!isWarpgroupAtom(atom) || !atom.hasLowering)
      continue;
    if (atom.m == rows && atom.n == columns && fits(atom, query) && takesPlace(atom.spaceA, atom.mnMajorA, a) &&
        takesPlace(atom.spaceB, atom.mnMajorB, b))
      return &atom;
  }
  return refuseProduct(
      "no instruction of warpgroups for these types multiplies {0}x{1}x{2} (m, n, k) with A {3} and B {4}", query.m,
      columns, query.k,
      a == OperandPlace::KMajor    ? "contiguous along K"
      : a == OperandPlace::MnMajor ? "contiguous along M"
                                   : "in registers",
      b == OperandPlace::KMajor ? "contiguous along K" : "contiguous along N");
}

static constexpr int64_t kMaxColumns = 256;

/// Columns of tensor memory for the accumulator and the scales.
static int64_t countColumns(const MmaQuery &query) {
  return query.n * llvm::divideCeil(query.m, IsaLimits::kTensorMemoryLanes) + countScaleColumns(query);
}

/// Of accumulators in tensor memory, warpgroups with the same rows have columns one after the other.
static bool sharesColumns(const MmaAtom &atom, int64_t groups) {
  return atom.spaceC == MemorySpace::Tensor && atom.m == IsaLimits::kTensorMemoryLanes && groups > 1;
}

/// What `groups` warpgroups, which have columns one after the other, have of an accumulator's first `columns`.
static LinearLayout getFragmentOfGroups(const MmaAtom &atom, int64_t groups, int64_t columns) {
  const auto ofGroup = int32_t(columns / groups);
  LinearLayout fragment({atom.m, columns});
  for (LayoutDim in : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (const LinearLayout::Basis &basis : atom.layoutC.getBases(in))
      if (basis[1] < ofGroup)
        fragment.addBasis(in, basis);
  for (int32_t column = ofGroup; column < columns; column *= 2)
    fragment.addBasis(LayoutDim::Warp, {0, column});
  return fragment;
}

/// In which warpgroups hold an accumulator of `atom`; nothing where not as its instructions, or copies, leave it.
static std::optional<WarpgroupTiling> getGroups(const MmaAtom &atom, DotOperandAttr layout) {
  const LinearLayout fragment = layout.getFragment().toLinearLayout(layout.getExtents());
  const int64_t sharing = fragment.getInSize(LayoutDim::Warp) / atom.warps;
  const bool isShared = sharesColumns(atom, sharing);
  if (fragment != (isShared ? getFragmentOfGroups(atom, sharing, fragment.getOutSize(1)) : atom.layoutC))
    return std::nullopt;
  WarpgroupTiling tiling;
  tiling.groupsM = layout.getWarpsPerCTA()[0] / fragment.getInSize(LayoutDim::Warp);
  tiling.groupsN = isShared ? sharing : layout.getWarpsPerCTA()[1];
  return tiling;
}

/// How warps have operand A on its way to tensor memory: those of several warpgroups a part of the columns each.
static Attribute getLayoutForTensorMemory(MLIRContext *context, const MmaQuery &query, const MmaAtom &atom,
                                          int64_t numWarps) {
  auto tile = RankedTensorType::get({query.m, query.k}, IntegerType::get(context, atom.a.bits));
  std::optional<LinearLayout> layout = findRowLayout(getTensorMemoryType(tile, atom, OperandAxis::A), numWarps);
  return layout ? Attribute(LinearAttr::get(context, *layout)) : Attribute();
}

llvm::Expected<WarpgroupProduct> as::findWarpgroupProduct(MLIRContext *context, const MmaQuery &query,
                                                          const ChipTarget &target, int64_t numWarps, OperandPlace a,
                                                          OperandPlace b, bool isLoadedByThreads) {
  if (!target)
    return refuseProduct("the chip is not known");
  if (query.batch != 1)
    return refuseProduct("it has {0} batches", query.batch);
  const int64_t warpgroup = target.machine().warpGranularity;
  if (numWarps % warpgroup != 0)
    return refuseProduct("{0} warps are no warpgroups of {1}", numWarps, warpgroup);
  const int64_t rows = getRowsOfWarpgroup(target, query.m);
  if (rows == 0)
    return refuseProduct("{0} has no instructions of warpgroups", target.chip->name);
  if (query.m % rows != 0)
    return refuseProduct("its {0} rows are no multiple of {1}", query.m, rows);
  if (b == OperandPlace::Registers)
    return refuseProduct("B is in registers");
  const int64_t groups = numWarps / warpgroup, groupsM = std::min(groups, query.m / rows);
  const int64_t groupsN = groups / groupsM;
  int64_t columns = std::min(query.n / groupsN, kMaxColumns);
  if (query.n % groupsN != 0 || columns == 0)
    return refuseProduct("its {0} columns cannot be divided among {1} warpgroups", query.n, groupsN);
  llvm::Expected<const MmaAtom *> atom = findWarpgroupAtom(query, target, {rows, columns}, a, b);
  if (!atom)
    return atom.takeError();
  // An accumulator may take half of a thread's registers: addresses and what comes after the MMA need some, and
  // more where threads hold operands, too.
  const int64_t all = getThreadRegisters(target.machine(), numWarps);
  const int64_t registers = query.m * query.n / (groups * (*atom)->m * columns) * (*atom)->getAccumulatorRegisters();
  const TuningModel &tuning = target.tuning();
  auto countParts = [&] {
    const int64_t part = (*atom)->getAccumulatorRegisters();
    return part * countPartsInFlight(registers, part, groups > 1 && !isLoadedByThreads, tuning);
  };
  while (columns > tuning.leastColumnsOfParts && sumsInParts(**atom, query.fastAccumulation) &&
         registers + countParts() > tuning.registersOfParts * all / kAllRegisters) {
    columns /= 2;
    atom = findWarpgroupAtom(query, target, {rows, columns}, a, b);
    if (!atom)
      return atom.takeError();
  }
  if (registers > all / 2)
    return refuseProduct("its accumulator takes {0} registers of each of {1} threads", registers,
                         numWarps * kLanesPerWarp);

  const bool isShared = sharesColumns(**atom, groupsN);
  const int64_t warps[] = {isShared ? numWarps : groupsM * warpgroup, isShared ? 1 : groupsN};
  auto operand = [&](OperandAxis axis, const LinearLayout &fragment) -> Attribute {
    if (fragment.getRank() == 0)
      return {};
    return DotOperandAttr::get(context, axis, AtomAttr::get(context, (*atom)->name), warps, fragment.getOutSizes(),
                               LinearAttr::get(context, fragment));
  };
  if (query.isBlockScaled())
    if (const int64_t columns = countColumns(query), most = target.machine().tensorMemoryColumns; columns > most)
      return refuseProduct("its accumulator and its scales take {0} columns of tensor memory, and there are {1}",
                           columns, most);
  WarpgroupProduct product;
  product.atom = *atom;
  product.layouts.a = (*atom)->spaceA == MemorySpace::Tensor
                          ? getLayoutForTensorMemory(context, query, **atom, numWarps)
                          : operand(OperandAxis::A, (*atom)->layoutA);
  product.layouts.c = operand(
      OperandAxis::C,
      isShared ? getFragmentOfGroups(**atom, groupsN, std::min(query.n, kColumnsOfGroup * groupsN)) : (*atom)->layoutC);
  if (query.isBlockScaled()) {
    product.layouts.scaleA = getScaleLayout(context, OperandAxis::A, query.m, query.k / query.scaleBlock, numWarps);
    product.layouts.scaleB = getScaleLayout(context, OperandAxis::B, query.n, query.k / query.scaleBlock, numWarps);
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Elements of a row of the swizzle.
static int64_t getRowElements(const MmaAtom &atom, OperandAxis axis, const MatrixDescriptorLayout &layout) {
  return int64_t(getSwizzleRowBytes(layout.swizzle)) * 8 / getMemoryBits(atom, axis);
}

OperandDescriptor as::matchOperandDescriptor(const MmaAtom &atom, OperandAxis axis, const LinearLayout &memory) {
  const bool isA = axis == OperandAxis::A;
  std::optional<MatrixDescriptorLayout> layout = matchMatrixDescriptor(memory, isA ? 0 : 1, getMemoryBits(atom, axis));
  if (!layout)
    return {};
  OperandDescriptor descriptor{DescriptorFit::Fits, *layout};
  if (layout->mnMajor && !(isA ? atom.mnMajorA : atom.mnMajorB))
    descriptor.fit = DescriptorFit::WrongMajor;
  // An instruction starts with a row of the swizzle.
  else if (layout->mnMajor && (isA ? atom.m : atom.n) % getRowElements(atom, axis, *layout) != 0)
    descriptor.fit = DescriptorFit::LongRows;
  return descriptor;
}

llvm::Expected<MatrixDescriptorLayout> as::getOperandDescriptor(const MmaAtom &atom, OperandAxis axis,
                                                                RankedTensorType memory) {
  const bool isA = axis == OperandAxis::A;
  const char *name = isA ? "A" : "B";
  if (!isSharedTensor(memory) || (isA ? atom.spaceA : atom.spaceB) != MemorySpace::Shared)
    return refuseProduct("operand {0} is in {1}, where the instruction does not read it", name,
                         isSharedTensor(memory) ? "shared memory" : "registers");
  if (memory.getRank() != 2)
    return refuseProduct("operand {0} has {1} dimensions", name, memory.getRank());
  llvm::Expected<LinearLayout> layout = getSharedLayout(memory);
  if (!layout)
    return layout.takeError();
  const OperandDescriptor descriptor = matchOperandDescriptor(atom, axis, *layout);
  switch (descriptor.fit) {
  case DescriptorFit::Fits:
    return descriptor.layout;
  case DescriptorFit::WrongMajor:
    return refuseProduct("operand {0} is contiguous along {1}, and the instruction reads only what is along K", name,
                         isA ? "M" : "N");
  case DescriptorFit::LongRows:
    return refuseProduct("the swizzle of operand {0} has rows of {1} elements, and the instruction takes {2}", name,
                         getRowElements(atom, axis, descriptor.layout), isA ? atom.m : atom.n);
  case DescriptorFit::NoDescriptor:
    return refuseProduct("no matrix descriptor describes the layout of operand {0}", name);
  }
  llvm_unreachable("unknown fit");
}

RankedTensorType as::chooseOperandMemory(RankedTensorType tile, unsigned contiguous) {
  const unsigned bits = getSharedBits(tile.getElementType());
  for (SwizzleMode mode : {SwizzleMode::B128, SwizzleMode::B64, SwizzleMode::B32}) {
    if (tile.getDimSize(contiguous) * bits < 8 * int64_t(getSwizzleRowBytes(mode)))
      continue;
    const LinearLayout layout = makeSwizzledLayout(tile.getShape(), {contiguous, 1 - contiguous}, bits, mode);
    if (RankedTensorType memory = getSharedType(tile.getElementType(), layout))
      return memory;
  }
  return {};
}

llvm::Expected<WarpgroupTiling> as::getWarpgroupTiling(const MmaAtom &atom, RankedTensorType a, RankedTensorType b,
                                                       RankedTensorType c) {
  WarpgroupTiling tiling;
  auto layout = dyn_cast<DotOperandAttr>(c.getEncoding());
  const std::optional<WarpgroupTiling> groups = layout ? getGroups(atom, layout) : std::nullopt;
  if (isTensorMemoryTensor(c)) { // It is nobody's registers.
    if (c.getRank() != 2 || atom.spaceC != MemorySpace::Tensor || getTensorMemoryType(c, atom) != c)
      return refuseProduct("the accumulator is not in tensor memory as the instruction has it there");
    tiling.groupsM = tiling.groupsN = 1;
  } else if (!groups || c.getRank() != 2) {
    return refuseProduct("the layout of the accumulator is not that of the instruction");
  } else {
    tiling = *groups;
  }
  for (auto [extent, groups, step, count] :
       {std::tuple(c.getDimSize(0), tiling.groupsM, int64_t(atom.m), &tiling.rows),
        std::tuple(c.getDimSize(1), tiling.groupsN, int64_t(atom.n), &tiling.columns),
        std::tuple(a.getDimSize(1) * getMemoryBits(atom, OperandAxis::A) / atom.a.bits, int64_t(1), int64_t(atom.k),
                   &tiling.depth)}) {
    if (extent % (groups * step) != 0)
      return refuseProduct("{0} elements cannot be divided among {1} warpgroups and instructions of {2}", extent,
                           groups, step);
    *count = extent / (groups * step);
  }
  if (atom.spaceA == MemorySpace::Tensor) {
    auto registers = dyn_cast_or_null<DistributedLayoutAttrInterface>(a.getEncoding());
    if (!isTensorMemoryTensor(a) &&
        (!registers || !hasRowsOfWarps(registers.toLinearLayout(a.getShape()),
                                       getTensorMemoryLayout(getTensorMemoryType(a, atom, OperandAxis::A)))))
      return refuseProduct("the layout of operand A is not one of rows, which warps can move to tensor memory");
  } else if (atom.spaceA != MemorySpace::Shared) {
    auto fragment = dyn_cast<DotOperandAttr>(a.getEncoding());
    if (!fragment || fragment.getFragment().toLinearLayout(fragment.getExtents()) != atom.layoutA)
      return refuseProduct("the layout of operand A is not that of its fragment");
  } else {
    llvm::Expected<MatrixDescriptorLayout> descriptor = getOperandDescriptor(atom, OperandAxis::A, a);
    if (!descriptor)
      return descriptor.takeError();
    tiling.a = *descriptor;
  }
  llvm::Expected<MatrixDescriptorLayout> descriptor = getOperandDescriptor(atom, OperandAxis::B, b);
  if (!descriptor)
    return descriptor.takeError();
  tiling.b = *descriptor;
  return tiling;
}
