//===- LinearLayoutTest.cpp -----------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/LinearLayout.h"
#include "LayoutEnumeration.h"
#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace tileiras;
using namespace tileiras::test;
using Inputs = LinearLayout::Inputs;

static Inputs xorInputs(Inputs a, const Inputs &b) {
  for (unsigned i = 0; i < kNumLayoutDims; ++i)
    a[i] ^= b[i];
  return a;
}

/// The F2-linear extension of the images of the element bits.
static Inputs applyInverse(llvm::ArrayRef<Inputs> inverse, int64_t element) {
  Inputs inputs{};
  for (unsigned bit = 0; bit < inverse.size(); ++bit)
    if (element >> bit & 1)
      inputs = xorInputs(inputs, inverse[bit]);
  return inputs;
}

/// All layouts with up to 4 input bits onto 8 elements, as 2x4.
template <typename Visitor>
static void forEachSmallLayout(Visitor visit) {
  for (unsigned registers = 0; registers <= 2; ++registers)
    for (unsigned lanes = 0; lanes <= 1; ++lanes)
      for (unsigned warps = 0; warps <= 1; ++warps)
        forEachLayout({registers, lanes, warps}, {2, 4}, visit);
}

TEST_CASE("apply is linear and agrees in both coordinate forms", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    forEachInput(layout, [&](const Inputs &inputs) {
      llvm::SmallVector<int64_t> coordinates = layout.apply(inputs);
      if (layout.applyFlat(inputs) != coordinates[0] * 4 + coordinates[1])
        FAIL(layout.str());
      forEachInput(layout, [&](const Inputs &other) {
        if (layout.applyFlat(xorInputs(inputs, other)) != (layout.applyFlat(inputs) ^ layout.applyFlat(other)))
          FAIL(layout.str());
      });
    });
  });
}

TEST_CASE("surjective, injective and reached elements mean what enumeration says", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    std::set<int64_t> reached;
    int64_t inputs = 0;
    forEachInput(layout, [&](const Inputs &input) {
      reached.insert(layout.applyFlat(input));
      ++inputs;
    });
    if (layout.isSurjective() != (reached.size() == 8) || layout.isInjective() != (int64_t(reached.size()) == inputs) ||
        layout.getNumReached() != int64_t(reached.size()))
      FAIL(layout.str());
  });
}

TEST_CASE("clearing the replication masks keeps every element exactly once", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    std::set<int64_t> all, holders;
    int64_t numHolders = 0;
    uint64_t registers = layout.getReplicationMask(LayoutDim::Register);
    uint64_t lanes = layout.getReplicationMask(LayoutDim::Lane);
    uint64_t warps = layout.getReplicationMask(LayoutDim::Warp);
    forEachInput(layout, [&](const Inputs &input) {
      all.insert(layout.applyFlat(input));
      if ((input[0] & registers) || (input[1] & lanes) || (input[2] & warps))
        return;
      holders.insert(layout.applyFlat(input));
      ++numHolders;
    });
    if (all != holders || numHolders != int64_t(all.size()))
      FAIL(layout.str());
  });
}

TEST_CASE("rightInverse is a right inverse and avoids replicas", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    if (!layout.isSurjective())
      return;
    llvm::SmallVector<Inputs> inverse = layout.rightInverse();
    for (int64_t element = 0; element < 8; ++element) {
      Inputs inputs = applyInverse(inverse, element);
      if (layout.applyFlat(inputs) != element)
        FAIL(layout.str());
      for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
        if (inputs[static_cast<unsigned>(dim)] & layout.getReplicationMask(dim))
          FAIL(layout.str());
    }
  });
}

TEST_CASE("mapInto finds the same element in the other layout", "[layout]") {
  forEachLayout({1, 1, 0}, {2, 2}, [](const LinearLayout &from) {
    forEachLayout({1, 1, 1}, {2, 2}, [&](const LinearLayout &to) {
      if (!to.isSurjective())
        return;
      auto map = from.mapInto(to);
      forEachInput(from, [&](const Inputs &inputs) {
        Inputs found{};
        for (unsigned dim = 0; dim < kNumLayoutDims; ++dim)
          found = xorInputs(found, applyInverse(map[dim], inputs[dim]));
        if (to.applyFlat(found) != from.applyFlat(inputs))
          FAIL(from.str() << " into " << to.str());
      });
    });
  });
}

TEST_CASE("shape operations act on coordinates", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    LinearLayout reshaped = layout.reshape({2, 2, 2});
    LinearLayout permuted = layout.permute({1, 0});
    LinearLayout dropped = layout.dropOutDim(0);
    LinearLayout inserted = layout.insertOutDim(1);
    LinearLayout projected = layout.projectTo({2, 1});
    bool ok = reshaped.reshape({2, 4}) == layout && permuted.permute({1, 0}) == layout &&
              inserted.dropOutDim(1) == layout && projected.getOutSize(1) == 1;
    forEachInput(layout, [&](const Inputs &inputs) {
      llvm::SmallVector<int64_t> at = layout.apply(inputs);
      ok &= reshaped.applyFlat(inputs) == layout.applyFlat(inputs);
      ok &= permuted.apply(inputs) == llvm::SmallVector<int64_t>{at[1], at[0]};
      ok &= dropped.apply(inputs) == llvm::SmallVector<int64_t>{at[1]};
      ok &= inserted.apply(inputs) == llvm::SmallVector<int64_t>{at[0], 0, at[1]};
      ok &= projected.apply(inputs) == llvm::SmallVector<int64_t>{at[0], 0};
    });
    if (!ok)
      FAIL(layout.str());
  });
}

TEST_CASE("product tiles the inner layout as the outer one says", "[layout]") {
  forEachLayout({1, 1, 0}, {2, 2}, [](const LinearLayout &inner) {
    forEachLayout({1, 0, 1}, {2, 2}, [&](const LinearLayout &outer) {
      LinearLayout product = LinearLayout::product(inner, outer);
      forEachInput(inner, [&](const Inputs &in) {
        forEachInput(outer, [&](const Inputs &out) {
          Inputs both{};
          for (unsigned i = 0; i < kNumLayoutDims; ++i)
            both[i] = in[i] | out[i] << inner.getNumBits(static_cast<LayoutDim>(i));
          llvm::SmallVector<int64_t> a = inner.apply(in), b = outer.apply(out);
          if (product.apply(both) != llvm::SmallVector<int64_t>{a[0] + 2 * b[0], a[1] + 2 * b[1]})
            FAIL(inner.str() << " by " << outer.str());
        });
      });
    });
  });
}

TEST_CASE("removeRegisterReplicas keeps what a thread holds", "[layout]") {
  forEachSmallLayout([](const LinearLayout &layout) {
    LinearLayout reduced = layout.removeRegisterReplicas();
    std::map<std::pair<int64_t, int64_t>, std::set<int64_t>> before, after;
    int64_t numAfter = 0, distinct = 0;
    forEachInput(layout, [&](const Inputs &i) { before[{i[1], i[2]}].insert(layout.applyFlat(i)); });
    forEachInput(reduced, [&](const Inputs &i) {
      after[{i[1], i[2]}].insert(reduced.applyFlat(i));
      ++numAfter;
    });
    for (const auto &entry : after)
      distinct += entry.second.size();
    if (before != after || numAfter != distinct)
      FAIL(layout.str());
  });
}

TEST_CASE("constructors, equality, hash and text", "[layout]") {
  LinearLayout rowMajor = LinearLayout::strided(LayoutDim::Offset, {4, 8});
  LinearLayout columnMajor = LinearLayout::strided(LayoutDim::Offset, {4, 8}, {0, 1});
  for (int64_t offset = 0; offset < 32; ++offset) {
    Inputs inputs{};
    inputs[static_cast<unsigned>(LayoutDim::Offset)] = offset;
    CHECK(rowMajor.apply(inputs) == llvm::SmallVector<int64_t>{offset / 8, offset % 8});
    CHECK(columnMajor.apply(inputs) == llvm::SmallVector<int64_t>{offset % 4, offset / 4});
  }
  CHECK(rowMajor != columnMajor);
  CHECK(hash_value(rowMajor) == hash_value(LinearLayout::strided(LayoutDim::Offset, {4, 8}, {1, 0})));

  LinearLayout lanes = LinearLayout::identity(LayoutDim::Lane, 4, {2, 16}, 1, 2);
  CHECK(lanes.apply({0, 3, 0}) == llvm::SmallVector<int64_t>{0, 6});
  lanes.addBasis(LayoutDim::Register, {1, 1});
  CHECK(lanes.str() == "{register: (1,1); lane: (0,2) (0,4)} -> 2x16");
  CHECK(LinearLayout().str() == "{} -> scalar");
  CHECK(LinearLayout().addZeroBasis(LayoutDim::Lane).isSurjective());
  CHECK(LinearLayout().addZeroBasis(LayoutDim::Lane).getReplicationMask(LayoutDim::Lane) == 1);
  CHECK(lanes.dropInDim(LayoutDim::Lane).getTotalBits() == 1);

  for (unsigned i = 0; i < kNumLayoutDims; ++i)
    CHECK(symbolizeLayoutDim(stringifyLayoutDim(static_cast<LayoutDim>(i))) == static_cast<LayoutDim>(i));
  CHECK(!symbolizeLayoutDim("thread"));
}
