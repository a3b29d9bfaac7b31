//===- ViewAddressing.cpp - Where the elements of a tile of a view are ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/ViewAddressing.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/ThreadIndexing.h"

using namespace mlir;

namespace tileiras {

MemRefParts unpackMemRef(Emitter &emit, aa::TileMemRefType type, Value structure) {
  MemRefParts parts;
  unsigned field = 0;
  parts.base = emit.extractField(structure, field++);
  for (int64_t size : type.getShape())
    parts.sizes.push_back(ShapedType::isDynamic(size) ? emit.extractField(structure, field++) : emit.i64(size));
  for (int64_t stride : type.getStrides())
    parts.strides.push_back(ShapedType::isDynamic(stride) ? emit.extractField(structure, field++) : emit.i64(stride));
  return parts;
}

ViewAddressing::ViewAddressing(Emitter &emit, const LLVMTileTypeConverter &converter, Value originalView,
                               ValueRange originalCoordinates, Value view, ValueRange coordinates,
                               ArrayRef<bool> inBounds, const LinearLayout &layout)
    : emit(emit), type(cast<as::TiledViewType>(originalView.getType())),
      memref(cast<aa::TileMemRefType>(type.getSource())), layout(layout),
      memoryType(getMemoryType(converter, memref.getElementType())), facts(as::getViewedMemRefFacts(originalView)) {
  MemRefParts parts = unpackMemRef(emit, memref, view);
  tileBase = parts.base;
  if (isHalfByte(memref.getElementType()))
    tileBase = emit.shl(LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), tileBase), 1);
  SmallVector<Value> threadCoordinates = emitThreadCoordinates(emit, layout);
  for (unsigned d = 0; d < type.getRank(); ++d) {
    Dimension &dimension = dimensions.emplace_back();
    dimension.thread = threadCoordinates[d];
    for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp})
      for (const LinearLayout::Basis &basis : layout.getBases(dim))
        dimension.threadMask |= basis[d];
    for (const LinearLayout::Basis &basis : layout.getBases(LayoutDim::Register))
      dimension.registerMask |= basis[d];
    setUpDimension(d, parts, originalCoordinates[d].getType(), coordinates[d], inBounds[type.getDimMap()[d]]);
  }
  sharesBytes = computeSharesBytes();
  threadBase = tileBase;
  for (Dimension &dimension : dimensions) {
    if (!dimension.indices.empty() || (dimension.threadMask & dimension.registerMask) || dimension.threadMask == 0)
      continue;
    Value offset = emit.mul(emit.zeroExtendOrTruncate(dimension.thread, 64), dimension.stride);
    threadBase = advance(threadBase, offset);
  }
}

void ViewAddressing::setUpIndices(unsigned d, Type indicesType, Value indices) {
  // The tile's own layout along this dimension, one register for each of the tile's.
  LinearLayout along = layout;
  for (unsigned other = layout.getRank(); other-- > 0;)
    if (other != d)
      along = along.dropOutDim(other);
  std::optional<SmallVector<unsigned>> map = as::getRegisterMap(getLayout(indicesType), along);
  assert(map && "the verifier has established that each thread holds the indices of its elements");
  for (unsigned reg : *map)
    dimensions[d].indices.push_back(emit.zeroExtendOrTruncate(emit.extract(indices, reg), 64));
}

void ViewAddressing::setUpDimension(unsigned d, const MemRefParts &parts, Type coordinateType, Value coordinate,
                                    bool inBounds) {
  Dimension &dimension = dimensions[d];
  unsigned along = type.getDimMap()[d];
  dimension.size = parts.sizes[along];
  dimension.stride = parts.strides[along];
  const bool isSparse = isa<RankedTensorType>(coordinateType);
  inBounds |= !isSparse && isInside(d, coordinate);
  dimension.checked = !inBounds;
  if (int64_t stride = memref.getStrides()[along]; !ShapedType::isDynamic(stride))
    dimension.constantStride = stride;
  if (isSparse) {
    setUpIndices(d, coordinateType, coordinate);
    return;
  }

  const int64_t extent = type.getShape()[d], step = type.getSteps()[d];
  Value tile = emit.zeroExtendOrTruncate(coordinate, 64);
  if (coordinate.getType().isInteger(64) && !inBounds) {
    // The tile is outside of every memref from there on; further out, its elements would be inside of one again.
    Value farthest = emit.i64((int64_t(1) << 62) / step);
    tile = emit.select(emit.icmp(LLVM::ICmpPredicate::ult, tile, farthest), tile, farthest);
  }
  Value start = emit.mul(tile, emit.i64(step));
  tileBase = advance(tileBase, emit.mul(start, dimension.stride));
  if (inBounds)
    return;
  Value left = emit.maxSigned(emit.sub(dimension.size, start), emit.i64(0));
  dimension.end = emit.zeroExtendOrTruncate(emit.minSigned(left, emit.i64(extent)), 32);
}

bool ViewAddressing::isInside(unsigned d, Value coordinate) const {
  const int64_t size = memref.getShape()[type.getDimMap()[d]];
  APInt index;
  if (ShapedType::isDynamic(size) || !matchPattern(coordinate, m_ConstantInt(&index)) || index.isNegative())
    return false;
  // Of extents and indices of 31 bits, no product overflows.
  return index.getActiveBits() < 32 && index.getSExtValue() * type.getSteps()[d] + type.getShape()[d] <= size;
}

Value ViewAddressing::getCoordinate(const Dimension &dimension, int64_t registerPart) {
  return emit.bitXor(dimension.thread, emit.i32(registerPart));
}

Value ViewAddressing::advance(Value address, Value elements) {
  return isHalfByte(memref.getElementType()) ? emit.add(address, elements) : emit.gep(memoryType, address, elements);
}

/// `registerPart` strides behind `address`. Products of strides are not made anew in a loop: one for each bit, and not
/// one for each number, takes few registers.
Value ViewAddressing::advanceByRegister(unsigned d, Value address, int64_t registerPart) {
  if (registerPart == 0)
    return address;
  if (Value known = dimensions[d].addresses.lookup({address, registerPart}))
    return known;
  const int64_t lowest = registerPart & -registerPart;
  Value before = advanceByRegister(d, address, registerPart - lowest);
  Value result = advance(before, emit.mul(emit.i64(lowest), dimensions[d].stride));
  dimensions[d].addresses[{address, registerPart}] = result;
  return result;
}

Value ViewAddressing::getAddress(unsigned reg) {
  SmallVector<int64_t> registerPart = getRegisterCoordinates(layout, reg);
  Value address = threadBase;
  int64_t constantOffset = 0;
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    if (!dimension.indices.empty()) {
      address = advance(address, emit.mul(dimension.indices[reg], dimension.stride));
    } else if (dimension.threadMask & dimension.registerMask) {
      Value local = emit.zeroExtendOrTruncate(getCoordinate(dimension, registerPart[d]), 64);
      address = advance(address, emit.mul(local, dimension.stride));
    } else if (dimension.constantStride) {
      constantOffset += registerPart[d] * *dimension.constantStride;
    } else {
      address = advanceByRegister(d, address, registerPart[d]);
    }
  }
  constexpr int64_t limit = int64_t(1) << 31;
  if (constantOffset >= limit || isHalfByte(memref.getElementType()))
    return advance(address, emit.i64(constantOffset));
  return emit.gep(memoryType, address, constantOffset);
}

ViewAccess ViewAddressing::makeAccess(SmallVector<unsigned> registers) {
  unsigned first = registers.front(), count = registers.size();
  ViewAccess access{std::move(registers), {getAddress(first)}, getBoundsCheck(first)};
  if (!isHalfByte(memref.getElementType()))
    return access;
  ElementAddress &address = access.address;
  Value halves = address.pointer;
  address.pointer = LLVM::IntToPtrOp::create(emit.builder, emit.location, emit.ptrType(memref.getAddressSpace()),
                                             emit.lshr(halves, 1));
  if (count == 1)
    address.half = emit.zeroExtendOrTruncate(emit.bitAnd(halves, emit.i64(1)), 32);
  address.sharesByte = sharesBytes;
  return access;
}

bool ViewAddressing::computeSharesBytes() const {
  bool hasPairs = false;
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    if (dimension.constantStride == 1 && dimension.indices.empty())
      hasPairs |= type.getSteps()[d] % 2 == 0 && getContiguousElements(layout, d, 2) == 2;
    else if (facts.strideDivisors[type.getDimMap()[d]] % 2 != 0)
      return true;
  }
  return !hasPairs;
}

Value ViewAddressing::getBoundsCheck(unsigned reg) {
  SmallVector<int64_t> registerPart = getRegisterCoordinates(layout, reg);
  Value all;
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    if (!dimension.checked)
      continue;
    if (!dimension.indices.empty()) {
      // Unsigned: negative indices are outside, too.
      all = emit.conjunction(all, emit.icmp(LLVM::ICmpPredicate::ult, dimension.indices[reg], dimension.size));
      continue;
    }
    // Compared with what the tile leaves to the thread, numbers of registers are constants. That takes a subtraction
    // for each array, where two numbers take one addition for all.
    Value local = emit.i32(registerPart[d]), end = dimension.end;
    const int64_t width = dimension.constantStride == 1 ? 128 / getMemoryBits(memref.getElementType()) : 1;
    const bool isPair = llvm::popcount(uint64_t(dimension.registerMask & -width)) <= 1;
    if (isPair || (dimension.threadMask & dimension.registerMask))
      local = getCoordinate(dimension, registerPart[d]);
    else
      end = emit.sub(end, dimension.thread);
    all = emit.conjunction(all, emit.icmp(LLVM::ICmpPredicate::slt, local, end));
  }
  return all;
}

unsigned ViewAddressing::chooseVectorElements(unsigned maxBytes) const {
  const unsigned bits = getMemoryBits(memref.getElementType());
  int64_t limit = maxBytes * 8 / bits;
  limit = std::min(limit, facts.baseAlignment * 8 / bits);
  for (auto [d, dimension] : llvm::enumerate(dimensions)) {
    unsigned along = type.getDimMap()[d];
    if (dimension.constantStride == 1 && dimension.indices.empty()) {
      limit = std::min(limit, type.getSteps()[d] & -type.getSteps()[d]);
      if (dimension.checked) // Else a vector could be half inside.
        limit = std::min(limit, facts.sizeDivisors[along]);
    } else {
      limit = std::min(limit, facts.strideDivisors[along]);
    }
  }
  return std::max<int64_t>(limit, 1);
}

SmallVector<ViewAccess> ViewAddressing::getAccesses(Operation *access, unsigned maxBytes) {
  auto contiguous =
      llvm::find_if(dimensions, [](const Dimension &d) { return d.constantStride == 1 && d.indices.empty(); });
  bool hasContiguous = contiguous != dimensions.end();
  unsigned dim = hasContiguous ? contiguous - dimensions.begin() : 0;
  VectorAccessPlan plan = planContiguousAccess(layout, dim, hasContiguous ? chooseVectorElements(maxBytes) : 1);
  if (unsigned possible = getContiguousElements(layout, dim, maxBytes * 8 / getMemoryBits(memref.getElementType()));
      hasContiguous && plan.vectorElements < possible)
    remarkOn(access, Missed::VectorAccess)
        << "threads access " << std::to_string(plan.vectorElements) << " elements at once, not "
        << std::to_string(possible)
        << ": the alignment of the array, its strides or its extents is not known to allow more";
  SmallVector<ViewAccess> accesses;
  for (VectorAccess &vector : plan.accesses)
    accesses.push_back(makeAccess(std::move(vector.registers)));
  return accesses;
}

} // namespace tileiras
