//===- CuteLayoutTest.cpp -------------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/CuteLayout.h"
#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tileiras;

static std::string toText(const CuteLayout &layout) {
  std::string text;
  llvm::raw_string_ostream(text) << layout;
  return text;
}

/// The layout, or nothing; consumes the error.
static std::optional<CuteLayout> take(llvm::Expected<CuteLayout> layout) {
  if (layout)
    return *layout;
  llvm::consumeError(layout.takeError());
  return std::nullopt;
}

/// Flat layouts of up to `maxRank` modes with extents 1 to `maxExtent` and the given strides; for rank 3 also as a
/// tree.
template <typename Visitor>
static void forEachCuteLayout(unsigned maxRank, int64_t maxExtent, llvm::ArrayRef<int64_t> strides, Visitor visit) {
  auto forEachMode = [&](auto next) {
    for (int64_t extent = 1; extent <= maxExtent; ++extent)
      for (int64_t stride : strides)
        next(extent, stride);
  };
  forEachMode([&](int64_t s0, int64_t d0) {
    visit(CuteLayout(s0, d0));
    if (maxRank >= 2)
      forEachMode([&](int64_t s1, int64_t d1) {
        visit(CuteLayout({s0, s1}, {d0, d1}));
        if (maxRank >= 3)
          forEachMode([&](int64_t s2, int64_t d2) {
            visit(CuteLayout({s0, s1, s2}, {d0, d1, d2}));
            visit(CuteLayout({s0, {s1, s2}}, {d0, {d1, d2}}));
          });
      });
  });
}

TEST_CASE("coordinates and indices agree in every form", "[cute]") {
  forEachCuteLayout(3, 3, {0, 1, 2, 5}, [](const CuteLayout &layout) {
    int64_t largest = 0;
    for (int64_t i = 0; i < layout.getSize(); ++i) {
      IntTuple coordinate = layout.getCoordinate(i);
      llvm::SmallVector<int64_t> at = coordinate.flatten(), strides = layout.getStride().flatten();
      int64_t expected = 0;
      for (unsigned leaf = 0; leaf < at.size(); ++leaf)
        expected += at[leaf] * strides[leaf];
      if (layout(i) != expected || layout(coordinate) != expected || layout.flatten()(i) != expected)
        FAIL(toText(layout));
      largest = std::max(largest, expected);
    }
    if (layout.getCosize() != largest + 1)
      FAIL(toText(layout));
  });
  CuteLayout nested({16, {8, 2}}, {1, {16, 8}});
  CHECK(nested(IntTuple{3, 9}) == 3 + 16 + 8);
  CHECK(nested(IntTuple{3, {1, 1}}) == 3 + 16 + 8);
  CHECK(toText(nested) == "(16,(8,2)):(1,(16,8))");
}

TEST_CASE("coalesce keeps the function, filter the set of indices", "[cute]") {
  forEachCuteLayout(3, 3, {0, 1, 2, 3, 6}, [](const CuteLayout &layout) {
    CuteLayout coalesced = layout.coalesce(), filtered = layout.filter();
    std::set<int64_t> all, kept;
    bool same = coalesced.getSize() == layout.getSize() && layout.coalesceModes().getRank() == layout.getRank();
    for (int64_t i = 0; i < layout.getSize(); ++i) {
      same &= coalesced(i) == layout(i) && layout.coalesceModes()(i) == layout(i);
      all.insert(layout(i));
    }
    for (int64_t i = 0; i < filtered.getSize(); ++i)
      kept.insert(filtered(i));
    if (!same || all != kept || coalesced.getShape().getDepth() > 1)
      FAIL(toText(layout));
    // No two neighbours could still be merged.
    CuteLayout flat = coalesced.flatten();
    for (unsigned i = 1; i < flat.getRank(); ++i)
      if (flat.getStride().getMode(i).getValue() ==
          flat.getStride().getMode(i - 1).getValue() * flat.getShape().getMode(i - 1).getValue())
        FAIL(toText(coalesced));
  });
}

TEST_CASE("composition is composition", "[cute]") {
  unsigned composed = 0;
  forEachCuteLayout(2, 6, {1, 2, 7, 12}, [&](const CuteLayout &outer) {
    forEachCuteLayout(2, 6, {0, 1, 2, 3, 4, 6, 12}, [&](const CuteLayout &inner) {
      if (inner.getCosize() > outer.getSize())
        return;
      std::optional<CuteLayout> result = take(outer.compose(inner));
      if (!result)
        return;
      ++composed;
      bool same = result->getSize() == inner.getSize();
      if (!inner.getShape().isLeaf())
        same &= result->getRank() == inner.getRank();
      for (int64_t c = 0; same && c < inner.getSize(); ++c)
        same = (*result)(c) == outer(inner(c));
      if (!same)
        FAIL(toText(outer) << " of " << toText(inner) << " is not " << toText(*result));
    });
  });
  CHECK(composed > 10000);
  // The example of the CuTe documentation.
  CHECK(toText(*take(CuteLayout({6, 2}, {8, 2}).compose(CuteLayout({4, 3}, {3, 1})))) == "((2,2),3):((24,2),8)");
  CHECK(toText(*take(CuteLayout(20, 2).compose(CuteLayout({5, 4}, {4, 1})))) == "(5,4):(8,2)");
  CHECK(toText(*take(CuteLayout({10, 2}, {16, 4}).compose(CuteLayout({5, 4}, {1, 5})))) == "(5,(2,2)):(16,(80,4))");
}

TEST_CASE("composition with power-of-two extents only fails where the inner modes overlap", "[cute]") {
  for (int64_t a = 1; a <= 8; a *= 2)
    for (int64_t b = 1; b <= 8; b *= 2)
      for (int64_t s = 1; s <= 8; s *= 2)
        for (int64_t d = 1; d <= 8; d *= 2)
          if ((s - 1) * d < a * b)
            CHECK(take(CuteLayout({a, b}, {3, 100}).compose(CuteLayout(s, d))));
}

TEST_CASE("a layout and its complement cover every index once, in order", "[cute]") {
  unsigned found = 0;
  forEachCuteLayout(3, 4, {0, 1, 2, 3, 4, 8, 16}, [&](const CuteLayout &layout) {
    for (int64_t cotarget : {1, 24, 64}) {
      std::optional<CuteLayout> complement = take(layout.complement(cotarget));
      if (!complement)
        continue;
      ++found;
      CuteLayout both = CuteLayout::concat({layout.filter(), *complement});
      std::vector<int> count(both.getCosize(), 0);
      for (int64_t i = 0; i < both.getSize(); ++i)
        ++count[both(i)];
      bool once = both.getCosize() >= cotarget;
      for (int times : count)
        once &= times == 1;
      for (int64_t i = 1; i < complement->getSize(); ++i)
        once &= (*complement)(i) > (*complement)(i - 1);
      if (!once)
        FAIL(toText(layout) << " with " << toText(*complement));
    }
  });
  CHECK(found > 1000);
  CHECK(toText(*take(CuteLayout(4, 32).complement(256))) == "(32,2):(1,128)");
  CHECK(toText(*take(CuteLayout({2, 2}, {1, 6}).complement(24))) == "(3,2):(2,12)");
  CHECK(toText(*take(CuteLayout({2, 4}, {1, 6}).complement(24))) == "3:2");
  CHECK(!take(CuteLayout({2, 2}, {1, 1}).complement(8)));
}

TEST_CASE("division by a tiler is a permutation of the layout with the tiler first", "[cute]") {
  unsigned divided = 0;
  forEachCuteLayout(2, 6, {1, 2, 12}, [&](const CuteLayout &layout) {
    forEachCuteLayout(1, 6, {1, 2, 3}, [&](const CuteLayout &tiler) {
      std::optional<CuteLayout> result = take(layout.logicalDivide(tiler));
      if (!result || result->getSize() != layout.getSize() || tiler.getCosize() > layout.getSize())
        return;
      ++divided;
      std::multiset<int64_t> before, after;
      bool same = result->getRank() == 2 && result->getMode(0).getSize() == tiler.getSize();
      for (int64_t i = 0; i < layout.getSize(); ++i) {
        before.insert(layout(i));
        after.insert((*result)(i));
      }
      for (int64_t i = 0; i < tiler.getSize(); ++i)
        same &= (*result)(i) == layout(tiler(i));
      if (!same || before != after)
        FAIL(toText(layout) << " by " << toText(tiler) << " gives " << toText(*result));
    });
  });
  CHECK(divided > 500);
  // The examples of the CuTe documentation.
  CHECK(toText(*take(CuteLayout({4, 2, 3}, {2, 1, 8}).logicalDivide(CuteLayout(4, 2)))) ==
        "((2,2),(2,3)):((4,1),(2,8))");
}

TEST_CASE("zipped, tiled and flat division regroup the logical one", "[cute]") {
  CuteLayout layout({9, {4, 8}}, {59, {13, 1}});
  std::vector<CuteLayout> tilers = {CuteLayout(3, 3), CuteLayout({2, 4}, {1, 8})};
  CHECK(toText(*take(layout.logicalDivide(tilers))) == "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  CHECK(toText(*take(layout.zippedDivide(tilers))) == "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
  CHECK(toText(*take(layout.tiledDivide(tilers))) == "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
  CHECK(toText(*take(layout.flatDivide(tilers))) == "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
  // A mode without a tiler goes with the rest.
  CHECK(toText(*take(layout.zippedDivide({CuteLayout(3, 1)}))) == "((3),(3,(4,8))):((59),(177,(13,1)))");
}

TEST_CASE("products repeat the block without overlap", "[cute]") {
  unsigned products = 0;
  forEachCuteLayout(2, 4, {1, 2, 4}, [&](const CuteLayout &block) {
    forEachCuteLayout(2, 3, {1, 2, 3}, [&](const CuteLayout &tiler) {
      std::optional<CuteLayout> product = take(block.logicalProduct(tiler));
      if (!product)
        return;
      ++products;
      std::map<int64_t, std::set<int64_t>> byTile;
      bool same = true;
      for (int64_t t = 0; t < tiler.getSize(); ++t)
        for (int64_t i = 0; i < block.getSize(); ++i) {
          int64_t index = (*product)(IntTuple{i, t});
          same &= index - (*product)(IntTuple{0, t}) == block(i);
          byTile[tiler(t)].insert(index);
        }
      std::set<int64_t> all;
      for (const auto &[tile, indices] : byTile) {
        same &= int64_t(indices.size()) == block.getSize();
        all.insert(indices.begin(), indices.end());
      }
      if (!same || all.size() != byTile.size() * block.getSize())
        FAIL(toText(block) << " times " << toText(tiler));
    });
  });
  CHECK(products > 500);
  CuteLayout block({2, 5}, {5, 1}), tiler({3, 4}, {1, 3});
  CHECK(toText(*take(block.blockedProduct(tiler))) == "((2,3),(5,4)):((5,10),(1,30))");
  CHECK(toText(*take(block.rakedProduct(tiler))) == "((3,2),(4,5)):((10,5),(30,1))");
  CHECK(toText(*take(CuteLayout({2, 2}, {4, 1}).logicalProduct(CuteLayout({4, 2}, {2, 1})))) ==
        "((2,2),(4,2)):((4,1),(8,2))");
}

TEST_CASE("group modes, filter zeros, equivalence", "[cute]") {
  CuteLayout layout({2, 3, 5, 7}, {1, 2, 0, 30});
  CHECK(toText(layout.groupModes(1, 3)) == "(2,(3,5),7):(1,(2,0),30)");
  CHECK(toText(layout.filterZeros()) == "(2,3,1,7):(1,2,0,30)");
  CHECK(areEquivalent(CuteLayout({2, 4}, {1, 2}), CuteLayout(8, 1)));
  CHECK(!areEquivalent(CuteLayout({2, 4}, {4, 1}), CuteLayout(8, 1)));
  CHECK(toText(CuteLayout::columnMajor({2, {3, 4}})) == "(2,(3,4)):(1,(2,6))");
  CHECK(IntTuple{4}.getRank() == 1);
  CHECK(IntTuple{4} != IntTuple(4));
}
