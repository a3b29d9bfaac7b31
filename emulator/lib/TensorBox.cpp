//===- TensorBox.cpp - Where the bytes of a tensor copy lie --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBox.h"
#include <algorithm>
#include <stdexcept>

namespace ptxemu {

namespace {

constexpr unsigned kWide128Pixels = 128;
constexpr uint32_t kMostShared = 1 << 18; ///< bytes; no CTA has so many
constexpr int64_t kStoreGranule = 16;     ///< bytes of global memory

/// The elements that are copied together, and the room they take: sub-byte types pack several, padded ones leave gaps.
struct Unit {
  unsigned elements, globalBytes, sharedBytes;
};

Unit unitOf(const TensorMap &m) {
  if (m.interleave != TensorMap::NoInterleave) { // a slice of channels
    unsigned bytes = m.interleave == TensorMap::Interleave16 ? 16 : 32;
    return {1, bytes, bytes};
  }
  switch (m.element) {
  case TensorMap::B4x16:
    return {2, 1, 1};
  case TensorMap::B4x16P64:
    return {16, 8, 16};
  case TensorMap::B6x16P32:
    return {16, 12, 16};
  default:
    return {1, m.elementBytes(), m.elementBytes()};
  }
}

bool flips(const TensorMap &m) {
  return m.swizzle == TensorMap::Swizzle128 && m.atomicity == TensorMap::Atom32Flip8;
}

/// Where the byte at `address` of an unswizzled box lies. Lines of 128 bytes repeat in patterns that start at multiples
/// of their length.
uint32_t swizzled(const TensorMap &m, uint32_t address) {
  uint32_t line = address >> 7;
  switch (m.swizzle) {
  case TensorMap::Swizzle32:
  case TensorMap::Swizzle96:
    return address ^ (line & 1) << 4;
  case TensorMap::Swizzle64:
    return address ^ (line & 3) << 4;
  case TensorMap::Swizzle128:
    break;
  default:
    return address;
  }
  switch (m.atomicity) {
  case TensorMap::Atom32:
    return address ^ (line & 3) << 5;
  case TensorMap::Atom32Flip8: // and the halves of 16 bytes change places in every other line
    return address ^ (line & 3) << 5 ^ (line & 1) << 3;
  case TensorMap::Atom64:
    return address ^ (line & 1) << 6;
  default:
    return address ^ (line & 7) << 4;
  }
}

/// Where the rows of the tensor end, in elements. Loads fill from the size on. Stores and reductions write the granule
/// in which a row ends to its end, whatever lies there: measured on an H200, 2026-11-26 (tiles of all element sizes,
/// swizzled or not; every other border is exact, that before the row and the box's own, too). Taken to be so for im2col
/// and packed elements.
int64_t rowEnd(const TensorMap &m, const Unit &unit, Direction direction) {
  const int64_t size = static_cast<int64_t>(m.size[0]), elements = unit.elements, bytes = unit.globalBytes;
  if (direction == Direction::Load || m.interleave != TensorMap::NoInterleave)
    return size;
  const int64_t end = (size + elements - 1) / elements * bytes;
  return (end + kStoreGranule - 1) / kStoreGranule * kStoreGranule / bytes * elements;
}

using Point = std::array<int64_t, 5>;

/// Collects the runs of a box row by row.
class BoxWalker {
public:
  BoxWalker(const TensorMap &map, uint32_t sharedBase, Direction direction)
      : map(map), unit(unitOf(map)), end(rowEnd(map, unit, direction)), base(sharedBase),
        isInterleaved(map.interleave != TensorMap::NoInterleave) {}

  Copy run(const BoxPosition &p) {
    Point at{};
    std::copy_n(p.coordinates.begin(), std::min<size_t>(5, p.coordinates.size()), at.begin());
    if (at[0] % unit.elements || (unit.sharedBytes != unit.globalBytes && at[0] % 128))
      throw std::invalid_argument("the first coordinate of a sub-byte tensor falls between its units");
    switch (p.mode) {
    case LoadMode::FourRows:
      for (size_t row = 1; row < 5; ++row)
        addRow({at[0], p.coordinates[row], 0, 0, 0}, map.box[0]);
      break;
    case LoadMode::Tile:
      tile(at, map.rank - 1);
      break;
    default:
      for (const Point &pixel : pixels(p, at))
        addRow(pixel, isInterleaved ? 1 : map.channels);
    }
    setFill();
    return std::move(copy);
  }

private:
  /// Elements along a dimension of the box. An interleaved box holds one slice of the channels.
  unsigned count(unsigned d) const {
    if (isInterleaved && d == map.rank - 2)
      return 1;
    return (map.box[d] + map.elementStride[d] - 1) / map.elementStride[d];
  }

  void tile(Point at, unsigned dimension) {
    if (dimension == 0)
      return addRow(at, map.box[0]);
    for (unsigned i = 0; i < count(dimension); ++i, at[dimension] += map.elementStride[dimension])
      tile(at, dimension - 1);
  }

  /// The pixels of an im2col copy, in order: they run through the bounding box (of which the wide modes have only the
  /// width) and on to the next image. Halo pixels follow what they continue; those of im2col::w::128, two or so after
  /// every 32 pixels, lie together behind the 128.
  std::vector<Point> pixels(const BoxPosition &p, Point cursor) {
    bool wide = p.mode == LoadMode::Im2colWide || p.mode == LoadMode::Im2colWide128,
         wide128 = p.mode == LoadMode::Im2colWide128;
    unsigned first = isInterleaved ? 0 : 1, spatial = wide ? 1 : map.rank - 2;
    int64_t halo = wide ? p.offsets[0] : 0, shift = wide ? p.offsets[1] : 0;
    cursor[first] += shift;
    std::array<int64_t, 3> low{}, high{};
    for (unsigned d = 0; d < spatial; ++d) {
      low[d] = map.lowerCorner[d] + shift;
      high[d] = static_cast<int64_t>(map.size[first + d]) + map.upperCorner[d] + shift;
      if ((!wide && cursor[first + d] < low[d]) || cursor[first + d] >= high[d])
        throw std::invalid_argument("the coordinates lie outside the bounding box");
    }
    auto advance = [&](Point &c) {
      for (unsigned d = 0; d < spatial; ++d) {
        c[first + d] += map.elementStride[first + d];
        if (c[first + d] < high[d])
          return;
        c[first + d] = low[d];
      }
      c[map.rank - 1] += map.elementStride[map.rank - 1];
    };
    unsigned main = wide128 ? kWide128Pixels : map.pixels, parts = wide128 ? 4 : 1;
    std::vector<Point> list(main + static_cast<size_t>(halo) * parts);
    for (unsigned i = 0; i < main; ++i) {
      list[i] = cursor;
      for (unsigned d = 0; !wide && d < p.offsets.size(); ++d)
        list[i][first + d] += p.offsets[d];
      advance(cursor);
      if ((i + 1) % (main / parts))
        continue;
      Point beyond = cursor;
      for (unsigned h = 0; h < static_cast<unsigned>(halo); ++h, advance(beyond))
        list[main + h * parts + i / (main / parts)] = beyond;
    }
    return list;
  }

  /// One run of `elements` along dimension 0, to the next bytes of the box.
  void addRow(const Point &at, uint32_t elements) {
    if (next > kMostShared)
      throw std::invalid_argument("the box is larger than shared memory");
    bool outside = false;
    uint64_t address = map.address;
    for (unsigned d = 1; d < map.rank; ++d) {
      outside |= at[d] < 0 || at[d] >= static_cast<int64_t>(map.size[d]);
      address += static_cast<uint64_t>(at[d]) * map.stride[d - 1];
    }
    unsigned step = isInterleaved ? map.elementStride[0] * unit.elements : unit.elements;
    unsigned n = (elements + step - 1) / step;
    bool dense = step == unit.elements && unit.globalBytes == unit.sharedBytes;
    for (unsigned i = 0; i < n;) {
      int64_t x = at[0] + static_cast<int64_t>(i) * step;
      bool out = outside || !inside(x);
      // Extend the run while it stays contiguous and on one side of the border.
      unsigned behind = i + 1;
      while (dense && behind < n && (outside || inside(at[0] + static_cast<int64_t>(behind) * step) == !out))
        ++behind;
      addRun(address + static_cast<uint64_t>(x / static_cast<int64_t>(unit.elements)) * unit.globalBytes,
             (behind - i) * unit.globalBytes, out);
      next += (behind - i) * unit.sharedBytes;
      i = behind;
    }
  }

  /// Bytes to the place `next`, cut where the swizzle takes them apart.
  void addRun(uint64_t global, uint32_t bytes, bool outside) {
    uint32_t atom = map.swizzle == TensorMap::NoSwizzle ? ~0u : flips(map) ? 8 : 16;
    for (uint32_t done = 0; done < bytes;) {
      uint32_t at = base + next + done, part = std::min(bytes - done, atom - at % atom);
      copy.chunks.push_back({global + done, swizzled(map, at), part, outside});
      done += part;
    }
  }

  bool inside(int64_t x) const { return x >= 0 && x < end; }

  void setFill() {
    unsigned bytes = map.elementBytes();
    copy.fillBytes = bytes;
    if (map.fill != TensorMap::NaNs)
      return;
    // The canonical NaN of the type, which fma.oob looks for.
    copy.fill = bytes == 2 ? 0x7fff : bytes == 8 ? 0x7fffffffffffffffull : 0x7fffffff;
  }

  const TensorMap &map;
  Unit unit;
  int64_t end; ///< of rows
  uint32_t base, next = 0;
  bool isInterleaved;
  Copy copy;
};

/// Ranges of the im2col offsets, §5.5.4.1 and §5.5.5.
void checkOffsets(const TensorMap &m, const BoxPosition &p) {
  auto check = [](int64_t v, int64_t limit, const char *what) {
    if (v < 0 || v >= limit)
      throw std::invalid_argument(std::string(what) + " of " + std::to_string(v) + " is not below " +
                                  std::to_string(limit));
  };
  if (p.mode == LoadMode::Im2col) {
    for (int32_t offset : p.offsets)
      check(offset, m.rank == 3 ? 1 << 16 : m.rank == 4 ? 1 << 8 : 1 << 5, "an im2col offset");
  } else if (p.mode == LoadMode::Im2colWide || p.mode == LoadMode::Im2colWide128) {
    check(p.offsets[0], p.mode == LoadMode::Im2colWide128 ? 32 : 512, "wHalo");
    check(p.offsets[1], 32, "wOffset");
  }
}

} // namespace

Copy boxRuns(const TensorMap &map, const BoxPosition &position, uint32_t sharedBase, Direction direction) {
  checkOffsets(map, position);
  return BoxWalker(map, sharedBase, direction).run(position);
}

} // namespace ptxemu
