//===- EngineLayouts.cpp - What TMA and MMA descriptors accept ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutUtils.h"
#include "SwizzledMemory.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

constexpr SwizzleMode kModes[] = {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128};
constexpr unsigned kChunkBytes = 16, kAtomRowBits = 3, kInstructionBytes = 32;

/// A coordinate bit of the tile.
struct CoordinateBit {
  unsigned dim, bit;
  bool operator==(const CoordinateBit &other) const = default;
};

/// A memory layout with a mode's swizzle taken off: which coordinate bit each offset bit is.
class PlainMemory {
public:
  /// Fails if the layout does not have this swizzle.
  static std::optional<PlainMemory> get(const LinearLayout &memory, unsigned elementBits, SwizzleMode mode) {
    std::optional<Swizzle> swizzle = scaleSwizzle(Swizzle::get(mode), elementBits);
    if (!swizzle)
      return std::nullopt;
    PlainMemory plain;
    SmallVector<int64_t> offsets = getElementOffsets(memory);
    plain.bits.resize(offsets.size());
    plain.positions.resize(memory.getRank());
    unsigned elementBit = offsets.size();
    for (unsigned d = 0; d < memory.getRank(); ++d) {
      unsigned numBits = llvm::Log2_64(memory.getOutSize(d));
      elementBit -= numBits;
      for (unsigned bit = 0; bit < numBits; ++bit) {
        int64_t offset = applyScaledSwizzle(*swizzle, offsets[elementBit + bit]);
        if (!llvm::isPowerOf2_64(offset))
          return std::nullopt;
        plain.bits[llvm::Log2_64(offset)] = {d, bit};
        plain.positions[d].push_back(llvm::Log2_64(offset));
      }
    }
    return plain;
  }

  SmallVector<CoordinateBit> bits;                    ///< by offset bit
  std::vector<llvm::SmallVector<unsigned>> positions; ///< offset bit by dimension and coordinate bit
};

/// The offset bits of `positions` from `first` on are consecutive.
bool areConsecutive(ArrayRef<unsigned> positions, unsigned first) {
  for (unsigned i = first + 1; i < positions.size(); ++i)
    if (positions[i] != positions[i - 1] + 1)
      return false;
  return true;
}

/// `positions[0 .. count)` are the offset bits from `start` on.
bool areFrom(ArrayRef<unsigned> positions, unsigned count, unsigned start) {
  if (positions.size() < count)
    return false;
  for (unsigned i = 0; i < count; ++i)
    if (positions[i] != start + i)
      return false;
  return true;
}

} // namespace

/// Matches one mode; see matchTmaTile.
static std::optional<TmaTile> matchTmaMode(const PlainMemory &plain, unsigned rank, unsigned elementBits,
                                           SwizzleMode mode, const TensorCopyLimits &limits) {
  TmaTile tile;
  tile.swizzle = mode;
  tile.box.assign(rank, 1);
  unsigned position = 0;
  // One dimension after the other, each from its first element, until one comes back or a box is full.
  while (position < plain.bits.size()) {
    CoordinateBit next = plain.bits[position];
    if (next.bit != 0)
      break;
    int64_t limit = limits.mostBoxExtent;
    if (tile.order.empty() && mode != SwizzleMode::None)
      limit = std::min<int64_t>(limit, getSwizzleRowBytes(mode) * 8 / elementBits);
    tile.order.push_back(next.dim);
    int64_t &extent = tile.box[next.dim];
    for (; position < plain.bits.size() && plain.bits[position] == next && 2 * extent <= limit; ++position, ++next.bit)
      extent *= 2;
  }
  if (tile.order.empty())
    return std::nullopt;
  int64_t rowBytes = tile.box[tile.order[0]] * elementBits / 8;
  int64_t boxBytes = (int64_t(1) << position) * elementBits / 8;
  tile.numBoxes = int64_t(1) << (plain.bits.size() - position);
  const int64_t swizzleBytes = mode == SwizzleMode::None ? 0 : getSwizzleRowBytes(mode);
  const bool rowFits = swizzleBytes == 0 ? rowBytes % limits.rowAlignment == 0 : rowBytes == swizzleBytes;
  if (!rowFits || (tile.numBoxes > 1 && boxBytes % TensorCopyLimits::getBoxAlignment(swizzleBytes) != 0))
    return std::nullopt;
  return tile;
}

std::optional<TmaTile> tileiras::matchTmaTile(const LinearLayout &memory, unsigned elementBits,
                                              const TensorCopyLimits &limits) {
  for (SwizzleMode mode : kModes)
    if (std::optional<PlainMemory> plain = PlainMemory::get(memory, elementBits, mode))
      if (std::optional<TmaTile> tile = matchTmaMode(*plain, memory.getRank(), elementBits, mode, limits))
        return tile;
  return std::nullopt;
}

/// Matches one mode and one direction. `major` are the offset bits of the contiguous dimension, `minor` of the other.
static std::optional<MatrixDescriptorLayout> matchCanonical(ArrayRef<unsigned> major, ArrayRef<unsigned> minor,
                                                            unsigned elementBits, SwizzleMode mode, bool mnMajor) {
  unsigned rowBits = llvm::Log2_32(getSwizzleRowBytes(mode) * 8 / elementBits);
  if (!areFrom(major, rowBits, 0) || !areFrom(minor, kAtomRowBits, rowBits))
    return std::nullopt;

  // Byte distance of the repetitions of the atom; with none, that of an atom right behind.
  auto getStride = [&](ArrayRef<unsigned> positions, unsigned first) {
    unsigned position = positions.size() > first ? positions[first] : rowBits + kAtomRowBits;
    return (int64_t(1) << position) * elementBits / 8;
  };
  unsigned instructionBits = llvm::Log2_32(kInstructionBytes * 8 / elementBits);
  bool isPlain = mode == SwizzleMode::None;
  MatrixDescriptorLayout layout;
  layout.swizzle = mode;
  layout.mnMajor = mnMajor;
  if (!mnMajor) {
    // All of M or N steps at the stride offset; without swizzle, the second chunk of K is at the leading offset.
    if (!areConsecutive(minor, kAtomRowBits) || major.size() < instructionBits)
      return std::nullopt;
    layout.strideByteOffset = getStride(minor, kAtomRowBits);
    layout.leadingByteOffset = isPlain ? getStride(major, rowBits) : int64_t(kChunkBytes);
    return layout;
  }
  ArrayRef<unsigned> instruction = minor.take_front(instructionBits);
  if (!areConsecutive(major, rowBits) || instruction.size() < instructionBits ||
      !areConsecutive(instruction, kAtomRowBits))
    return std::nullopt;
  layout.leadingByteOffset = getStride(major, rowBits);
  layout.strideByteOffset = getStride(minor, kAtomRowBits);
  if (isPlain)
    std::swap(layout.leadingByteOffset, layout.strideByteOffset);
  return layout;
}

std::optional<MatrixDescriptorLayout> tileiras::matchMatrixDescriptor(const LinearLayout &memory, unsigned mnDim,
                                                                      unsigned elementBits) {
  assert(memory.getRank() == 2 && mnDim < 2);
  assert((elementBits == 4 || elementBits == 8 || elementBits == 16 || elementBits == 32) && "MMA operand widths");
  for (SwizzleMode mode : kModes) {
    std::optional<PlainMemory> plain = PlainMemory::get(memory, elementBits, mode);
    if (!plain)
      continue;
    ArrayRef<unsigned> mn = plain->positions[mnDim], k = plain->positions[1 - mnDim];
    for (bool mnMajor : {false, true})
      if (auto layout = matchCanonical(mnMajor ? mn : k, mnMajor ? k : mn, elementBits, mode, mnMajor))
        return layout;
  }
  return std::nullopt;
}

/// Rows or columns, and scales along K, of each bit of an offset in a block of scales.
static SmallVector<std::pair<int64_t, int64_t>> getBitsOfScaleBlock() {
  SmallVector<std::pair<int64_t, int64_t>> bits;
  for (int64_t k = 1; k < kScalesOfWord; k *= 2)
    bits.push_back({0, k});
  for (int64_t row = kRowsOfScaleColumn; row < kRowsOfScaleBlock; row *= 2)
    bits.push_back({row, 0});
  for (int64_t row = 1; row < kRowsOfScaleColumn; row *= 2)
    bits.push_back({row, 0});
  return bits;
}

bool tileiras::isScaleBlocks(const LinearLayout &memory, unsigned mnDim) {
  const auto block = getBitsOfScaleBlock();
  if (memory.getRank() != 2)
    return false;
  std::optional<PlainMemory> plain = PlainMemory::get(memory, /*elementBits=*/8, SwizzleMode::None);
  if (!plain || plain->bits.size() < block.size())
    return false;
  for (auto [bit, expected] : llvm::enumerate(block)) {
    const auto [dim, coordinate] = plain->bits[bit];
    const int64_t extent = int64_t(1) << coordinate;
    if (expected != (dim == mnDim ? std::pair(extent, int64_t(0)) : std::pair(int64_t(0), extent)))
      return false;
  }
  return true;
}

std::optional<LinearLayout> tileiras::getScaleBlocks(int64_t extent, int64_t blocks, unsigned mnDim) {
  if (extent % kRowsOfScaleBlock != 0 || blocks % kScalesOfWord != 0)
    return std::nullopt;
  auto bits = getBitsOfScaleBlock();
  for (int64_t k = kScalesOfWord; k < blocks; k *= 2)
    bits.push_back({0, k});
  for (int64_t row = kRowsOfScaleBlock; row < extent; row *= 2)
    bits.push_back({row, 0});
  LinearLayout layout(mnDim == 0 ? SmallVector<int64_t>{extent, blocks} : SmallVector<int64_t>{blocks, extent});
  for (auto [row, k] : bits) {
    LinearLayout::Basis basis(2, k);
    basis[mnDim] = row;
    layout.addBasis(LayoutDim::Offset, basis);
  }
  return layout;
}
