//===- SharedMemoryTest.cpp -----------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutEnumeration.h"
#include "MmaFragments.h"
#include "PlanSimulation.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "llvm/Support/MathExtras.h"
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using namespace tileiras;
using namespace tileiras::test;

static LinearLayout::Inputs atOffset(int64_t offset) {
  LinearLayout::Inputs inputs{};
  inputs[static_cast<unsigned>(LayoutDim::Offset)] = offset;
  return inputs;
}

TEST_CASE("vector accesses name the registers that lie together in memory", "[layout][memory]") {
  unsigned vectors = 0;
  forEachLayout({2, 1, 1}, {2, 4}, [&](const LinearLayout &layout) {
    for (auto order : {llvm::SmallVector<unsigned>{1, 0}, llvm::SmallVector<unsigned>{0, 1}})
      for (unsigned limit : {1u, 2u, 4u}) {
        LinearLayout memory = LinearLayout::strided(LayoutDim::Offset, {2, 4}, order);
        VectorAccessPlan plan = planVectorAccess(layout, memory, limit);
        bool right = plan.vectorElements == getVectorElements(layout, memory, limit) && plan.vectorElements <= limit;
        vectors += plan.vectorElements > 1;
        for (int64_t lane = 0; lane < 2; ++lane)
          for (int64_t warp = 0; warp < 2; ++warp) {
            std::set<unsigned> seen;
            forEachVectorElement(plan, lane, warp, [&](unsigned reg, int64_t offset) {
              right &= seen.insert(reg).second;
              right &= memory.applyFlat(atOffset(offset)) == layout.applyFlat({reg, lane, warp});
            });
            right &= seen.size() == 4;
          }
        if (!right)
          FAIL(layout.str());
      }
  });
  CHECK(vectors > 1000);
}

TEST_CASE("the vector width is the largest that holds in all threads", "[layout][memory]") {
  LinearLayout memory = LinearLayout::strided(LayoutDim::Offset, {8});
  forEachLayout({2, 1, 0}, {8}, [&](const LinearLayout &layout) {
    // By definition: every aligned block that a thread touches is in fixed registers of all threads.
    unsigned widest = 1;
    for (unsigned width : {2u, 4u}) {
      bool holds = true;
      for (int64_t reg = 0; reg < 4; ++reg)
        for (unsigned i = 0; i < width; ++i) {
          bool found = false;
          for (int64_t other = 0; other < 4; ++other) {
            bool inAll = true;
            for (int64_t lane = 0; lane < 2; ++lane) {
              int64_t at = layout.applyFlat({reg, lane, 0});
              inAll &= layout.applyFlat({other, lane, 0}) == int64_t(at / width * width + i);
            }
            found |= inAll;
          }
          holds &= found;
        }
      if (holds)
        widest = width;
    }
    if (getVectorElements(layout, memory, 4) != widest)
      FAIL(layout.str());
  });
  LinearLayout rows = makeBlockedLayout(chooseBlockedParameters({64, 64}, 16, 4), {64, 64});
  CHECK(getContiguousElements(rows, 1, 16) == 8);
  CHECK(getContiguousElements(rows, 1, 4) == 4);
  CHECK(getContiguousElements(rows, 0, 16) == 1);
  CHECK(planContiguousAccess(rows, 1, 8).accesses.size() == 4);
}

/// Serves one word of every bank in each cycle until all lanes of the phase have what they want.
static int64_t simulateBanks(llvm::ArrayRef<int64_t> addresses, unsigned bytes) {
  unsigned lanesPerPhase = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  int64_t cycles = 0;
  for (size_t begin = 0; begin < addresses.size(); begin += lanesPerPhase) {
    std::map<int64_t, std::set<int64_t>> waiting; // words by bank
    for (size_t lane = begin; lane < std::min(addresses.size(), begin + lanesPerPhase); ++lane)
      for (unsigned byte = 0; byte < bytes; ++byte)
        waiting[(addresses[lane] + byte) / 4 % 32].insert((addresses[lane] + byte) / 4);
    while (!waiting.empty()) {
      ++cycles;
      for (auto bank = waiting.begin(); bank != waiting.end();) {
        bank->second.erase(bank->second.begin());
        bank = bank->second.empty() ? waiting.erase(bank) : std::next(bank);
      }
    }
  }
  return cycles;
}

TEST_CASE("wavefronts agree with a simulation of the banks", "[layout][memory]") {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned bytes = 1u << random() % 5, range = 1u << (random() % 8 + 1);
    llvm::SmallVector<int64_t> addresses;
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses.push_back(int64_t(random() % range) * bytes);
    SharedMemoryTraffic traffic = countTraffic(addresses, bytes);
    int64_t phases = bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
    REQUIRE(traffic.wavefronts == simulateBanks(addresses, bytes));
    REQUIRE(traffic.conflicts == traffic.wavefronts - phases);
  }
  // Every stride in words.
  for (int64_t stride = 1; stride <= 64; ++stride)
    for (unsigned bytes : {4u, 8u, 16u}) {
      llvm::SmallVector<int64_t> addresses;
      for (int64_t lane = 0; lane < 32; ++lane)
        addresses.push_back(lane * stride * bytes);
      REQUIRE(countTraffic(addresses, bytes).wavefronts == simulateBanks(addresses, bytes));
    }
}

TEST_CASE("all accesses and warps of a plan cost what one does", "[layout][memory]") {
  MmaFragments atom = m16n8k16();
  LinearLayout distributed = tileMma(atom.a, MmaOperand::A, {64, 64}, {2, 1});
  for (SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B128}) {
    LinearLayout shared = makeSwizzledLayout({64, 64}, {1, 0}, 16, mode);
    VectorAccessPlan plan = planVectorAccess(distributed, shared, 8);
    std::optional<MatrixAccessPlan> matrix = planMatrixAccess(distributed, shared, 16, false);
    REQUIRE(matrix);
    for (int64_t warp = 0; warp < 2; ++warp) {
      int64_t cycles = 0, matrixCycles = 0;
      for (const VectorAccess &access : plan.accesses) {
        llvm::SmallVector<int64_t> addresses;
        for (int64_t lane = 0; lane < 32; ++lane)
          addresses.push_back(plan.getOffset(access, lane, warp) * 2);
        cycles += simulateBanks(addresses, plan.vectorElements * 2);
      }
      for (const MatrixAccess &access : matrix->accesses)
        for (unsigned j = 0; j < matrix->matrices; ++j) {
          llvm::SmallVector<int64_t> rows;
          for (int64_t row = 0; row < 8; ++row)
            rows.push_back(matrix->getRowOffset(access, j * 8 + row, warp) * 2);
          matrixCycles += simulateBanks(rows, 16);
        }
      CHECK(countTraffic(plan, 2).wavefronts == cycles);
      CHECK(countTraffic(*matrix, 2).wavefronts == matrixCycles);
    }
    CHECK((countTraffic(*matrix, 2).conflicts == 0) == (mode != SwizzleMode::None));
  }
}

TEST_CASE("matrix accesses move every register of every thread", "[layout][memory]") {
  unsigned plans = 0;
  for (SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128})
    for (unsigned bits : {8u, 16u, 32u})
      for (auto order : {llvm::SmallVector<unsigned>{1, 0}, llvm::SmallVector<unsigned>{0, 1}})
        for (const MmaFragments &atom : {m16n8k16(), m16n8k32()})
          for (auto [fragment, operand] :
               {std::pair(&atom.a, MmaOperand::A), {&atom.b, MmaOperand::B}, {&atom.c, MmaOperand::C}})
            for (bool transposed : {false, true}) {
              LinearLayout layout = tileMma(*fragment, operand, {64, 64}, {2, 2});
              LinearLayout shared = makeSwizzledLayout({64, 64}, order, bits, mode);
              auto plan = planMatrixAccess(layout, shared, bits, transposed);
              if (!plan)
                continue;
              ++plans;
              bool right = true;
              for (int64_t warp = 0; warp < 4; ++warp)
                for (int64_t lane = 0; lane < 32; ++lane) {
                  std::set<unsigned> seen;
                  forEachMatrixElement(*plan, lane, warp, [&](unsigned reg, int64_t offset) {
                    right &= seen.insert(reg).second;
                    right &= shared.applyFlat(atOffset(offset)) == layout.applyFlat({reg, lane, warp});
                  });
                  right &= int64_t(seen.size()) == layout.getInSize(LayoutDim::Register);
                }
              if (!right)
                FAIL(layout.str() << " in " << shared.str());
            }
  CHECK(plans == 48);
}

TEST_CASE("fragments of 8-bit elements come out of memory in which rows are neighbours", "[layout][memory]") {
  // Operand A of a warpgroup's product: a thread's words have four elements along K of two neighbouring rows.
  LinearLayout fragment({64, 32});
  for (LinearLayout::Basis basis : {LinearLayout::Basis{0, 1}, {0, 2}, {1, 0}, {0, 16}})
    fragment.addBasis(LayoutDim::Register, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{0, 4}, {0, 8}, {2, 0}, {4, 0}, {8, 0}})
    fragment.addBasis(LayoutDim::Lane, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{16, 0}, {32, 0}})
    fragment.addBasis(LayoutDim::Warp, basis);
  for (SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B64}) {
    LinearLayout shared = makeSwizzledLayout({64, 32}, {0, 1}, 8, mode);
    std::optional<MatrixAccessPlan> plan = planMatrixAccess(fragment, shared, 8, /*transposed=*/true);
    REQUIRE(plan);
    CHECK(plan->mixed);
    CHECK(plan->matrices == 4);
    CHECK(plan->accesses.size() == 1);
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < 32; ++lane) {
        std::set<unsigned> seen;
        forEachMatrixElement(*plan, lane, warp, [&](unsigned reg, int64_t offset) {
          CHECK(seen.insert(reg).second);
          CHECK(shared.applyFlat(atOffset(offset)) == fragment.applyFlat({reg, lane, warp}));
        });
        CHECK(seen.size() == 16);
      }
    if (mode == SwizzleMode::B64) {
      CHECK(plan->swapped);
      CHECK(countTraffic(*plan, 1).conflicts == 0);
    }
  }
  // The same bytes of two tiles side by side, 128 of a row.
  LinearLayout wide({128, 32});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (const LinearLayout::Basis &basis : fragment.getBases(dim))
      wide.addBasis(dim, basis);
  wide.addBasis(LayoutDim::Register, {64, 0});
  std::optional<MatrixAccessPlan> plan =
      planMatrixAccess(wide, makeSwizzledLayout({128, 32}, {0, 1}, 8, SwizzleMode::B128), 8, /*transposed=*/true);
  REQUIRE(plan);
  CHECK(plan->swapped);
  CHECK(plan->accesses.size() == 2);
  CHECK(countTraffic(*plan, 1).conflicts == 0);
}

TEST_CASE("every exchange is right on both sides and never worse than plain rows", "[layout][memory]") {
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (unsigned from : {0u, 1u})
      for (unsigned to : {0u, 1u}) {
        LinearLayout writer = makeBlockedLayout(chooseBlockedParameters({64, 64}, bits, 4, from), {64, 64});
        LinearLayout reader = makeBlockedLayout(chooseBlockedParameters({64, 64}, bits, 4, to), {64, 64});
        SharedExchange exchange = chooseSharedExchange(writer, reader, bits);
        LinearLayout plain = LinearLayout::strided(LayoutDim::Offset, {64, 64});
        int64_t rows = planSharedAccess(writer, plain, bits, false).traffic.wavefronts +
                       planSharedAccess(reader, plain, bits, false).traffic.wavefronts;
        CHECK(exchange.layout.isInjective());
        CHECK(exchange.layout.isSurjective());
        CHECK(exchange.getWavefronts() <= rows);
        if (bits >= 32)
          CHECK(exchange.store.traffic.conflicts + exchange.load.traffic.conflicts == 0);
      }
}

TEST_CASE("lanes that meet in a bank take their registers in another order", "[layout][memory]") {
  // The sum of a warpgroup's product: pairs of f32, four lanes a row, in rows of 128 swizzled bytes.
  LinearLayout sum({64, 64});
  for (LinearLayout::Basis basis : {LinearLayout::Basis{0, 1}, {8, 0}, {0, 8}, {0, 16}, {0, 32}})
    sum.addBasis(LayoutDim::Register, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}})
    sum.addBasis(LayoutDim::Lane, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{16, 0}, {32, 0}})
    sum.addBasis(LayoutDim::Warp, basis);
  LinearLayout rows = makeSwizzledLayout({64, 64}, {1, 0}, 32, SwizzleMode::B128);
  const SharedAccess straight = planSharedAccess(sum, rows, 32, /*allowMatrix=*/false);
  CHECK(straight.traffic == SharedMemoryTraffic{64, 32});

  LinearLayout swapped = sum;
  llvm::SmallVector<RegisterSwap> swaps = swapRegisters(swapped, rows, 32);
  REQUIRE(swaps.size() == 1);
  const SharedAccess access = planSharedAccess(swapped, rows, 32, /*allowMatrix=*/false);
  CHECK(access.traffic == SharedMemoryTraffic{32, 0});
  CHECK(access.vector.accesses.size() == straight.vector.accesses.size());
  // Register r of a swapped lane is what register r ^ (1 << reg) was.
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 32; ++reg) {
      LinearLayout::Inputs inputs{reg, lane}, before{lane >> swaps[0].lane & 1 ? reg ^ 1 << swaps[0].reg : reg, lane};
      CHECK(swapped.apply(inputs) == sum.apply(before));
    }
  // Nothing to be gained.
  LinearLayout again = swapped;
  CHECK(swapRegisters(again, rows, 32).empty());
  CHECK(again == swapped);
}

TEST_CASE("narrow elements are swapped by words", "[layout][memory]") {
  // Loaded along N, multiplied along K: sixteen bytes of each of two columns a thread, in columns of 64 swizzled bytes.
  LinearLayout tile({64, 64});
  for (LinearLayout::Basis basis : {LinearLayout::Basis{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 1}})
    tile.addBasis(LayoutDim::Register, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{16, 0}, {0, 2}, {0, 4}, {0, 8}, {0, 16}})
    tile.addBasis(LayoutDim::Lane, basis);
  for (LinearLayout::Basis basis : {LinearLayout::Basis{32, 0}, {0, 32}})
    tile.addBasis(LayoutDim::Warp, basis);
  LinearLayout columns = makeSwizzledLayout({64, 64}, {0, 1}, 8, SwizzleMode::B64);
  REQUIRE(planSharedAccess(tile, columns, 8, /*allowMatrix=*/false).traffic == SharedMemoryTraffic{16, 8});
  LinearLayout swapped = tile;
  llvm::SmallVector<RegisterSwap> swaps = swapRegisters(swapped, columns, 8);
  REQUIRE(swaps.size() == 1);
  CHECK(swaps[0].reg == 4);
  CHECK(planSharedAccess(swapped, columns, 8, /*allowMatrix=*/false).traffic == SharedMemoryTraffic{8, 0});
  // Bytes that are no words in memory stay where they are.
  LinearLayout rows = makeSwizzledLayout({64, 64}, {1, 0}, 8, SwizzleMode::B64), again = tile;
  CHECK(swapRegisters(again, rows, 8).empty());
}

TEST_CASE("swizzles are their own inverse, and aliases mean the 128-byte one", "[layout][swizzle]") {
  for (unsigned bits = 0; bits <= 3; ++bits)
    for (unsigned base = 0; base <= 4; ++base)
      for (unsigned shift = bits; shift <= 4; ++shift) {
        Swizzle swizzle{bits, base, shift};
        REQUIRE(swizzle.isValid());
        Swizzle meant = swizzle.resolve();
        std::set<int64_t> images;
        for (int64_t x = 0; x < 4096; ++x) {
          int64_t mask = ((int64_t(1) << meant.bits) - 1) << (meant.base + meant.shift);
          if (swizzle.apply(swizzle.apply(x)) != x || swizzle.apply(x) != (x ^ ((x & mask) >> meant.shift)))
            FAIL("swizzle of " << x);
          images.insert(swizzle.apply(x));
        }
        CHECK((images.size() == 4096 && *images.rbegin() == 4095));
      }
  CHECK(Swizzle{2, 5, 2} == Swizzle{3, 4, 3});
  CHECK(Swizzle{2, 5, 2}.getMode() == SwizzleMode::B128);
  CHECK(Swizzle{0, 2, 5}.getMode() == SwizzleMode::None);
  CHECK(Swizzle{1, 4, 3}.getMode() == SwizzleMode::B32);
  CHECK(Swizzle{2, 4, 3}.getMode() == SwizzleMode::B64);
  CHECK(!Swizzle{2, 3, 3}.getMode());
  CHECK(!Swizzle{3, 4, 2}.isValid());
}

/// All compact CuTe layouts of 32 elements with two modes: every assignment of the five offset bits.
template <typename Visitor>
static void forEachCompactLayout(Visitor visit) {
  llvm::SmallVector<int64_t> strides = {1, 2, 4, 8, 16};
  do {
    const auto &d = strides;
    visit(CuteLayout({{2, 2}, {2, 2, 2}}, {{d[0], d[1]}, {d[2], d[3], d[4]}}));
  } while (std::next_permutation(strides.begin(), strides.end()));
}

TEST_CASE("CuTe layouts and linear layouts are the same function and round-trip", "[layout][swizzle]") {
  forEachCompactLayout([](const CuteLayout &layout) {
    for (unsigned bits = 0; bits <= 2; ++bits)
      for (unsigned base = 0; base <= 2; ++base)
        for (unsigned shift = std::max(1u, bits); shift <= 2; ++shift)
          for (unsigned elementBits : {8u, 16u, 32u}) {
            unsigned scale = llvm::Log2_32(elementBits / 8);
            Swizzle swizzle{bits, base + scale, shift};
            if (swizzle.resolve().base != swizzle.base && bits) // the alias
              continue;
            auto memory = toLinearLayout(layout, swizzle, elementBits);
            REQUIRE(bool(memory));
            bool same = true;
            for (int64_t row = 0; row < 4; ++row)
              for (int64_t column = 0; column < 8; ++column) {
                int64_t byte = swizzle.apply(layout(IntTuple{row, column}) << scale);
                // A swizzle may reach beyond so small a tile only from bits that are never set.
                same &= memory->applyFlat(atOffset(byte >> scale)) == row * 8 + column;
              }
            auto descriptor = toLayoutDescriptor(*memory, elementBits);
            REQUIRE(bool(descriptor));
            auto back = toLinearLayout(descriptor->layout, descriptor->swizzle, elementBits);
            REQUIRE(bool(back));
            same &= *back == *memory;
            if (!same)
              FAIL(descriptor->str());
          }
  });
}

static std::string getConversionError(const CuteLayout &layout, std::optional<Swizzle> swizzle = {},
                                      unsigned bits = 16) {
  auto memory = toLinearLayout(layout, swizzle, bits);
  return memory ? "" : llvm::toString(memory.takeError());
}

TEST_CASE("conversions say what a linear layout cannot express", "[layout][swizzle]") {
  CHECK(getConversionError(CuteLayout(6, 1)) == "extent 6 is not a power of two");
  CHECK(getConversionError(CuteLayout({2, 2}, {1, 3})) == "stride 3 is not a power of two");
  CHECK(getConversionError(CuteLayout({2, 2}, {1, 0})) == "stride 0 is not a power of two");
  CHECK(getConversionError(CuteLayout({2, 2}, {1, 4})) == "the layout has 4 elements but reaches offset 5");
  CHECK(getConversionError(CuteLayout({2, 2}, {1, 1})) == "two elements of the layout have the same offset 1");
  CHECK(getConversionError(CuteLayout({64, 64}, {64, 1}), Swizzle{3, 0, 3}) ==
        "the swizzle moves parts of elements of 16 bits");
  CHECK(getConversionError(CuteLayout({64, 64}, {64, 1}), Swizzle{3, 4, 3}) == "");
  CHECK(getConversionError(CuteLayout(), {}, 6) == "");

  LinearLayout odd(llvm::ArrayRef<int64_t>{8});
  odd.addBasis(LayoutDim::Offset, {1}).addBasis(LayoutDim::Offset, {3}).addBasis(LayoutDim::Offset, {7});
  auto descriptor = toLayoutDescriptor(odd, 16);
  REQUIRE(!descriptor);
  CHECK(llvm::toString(descriptor.takeError()) == "the layout is not a CuTe layout followed by a swizzle");
}

TEST_CASE("canonical layouts are recognised by TMA and the matrix descriptors", "[layout][swizzle]") {
  for (SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128})
    for (unsigned bits : {8u, 16u, 32u})
      for (unsigned contiguous : {0u, 1u}) {
        int64_t row = mode == SwizzleMode::None ? 64 : getSwizzleRowBytes(mode) * 8 / bits;
        LinearLayout memory = makeSwizzledLayout({64, 64}, {contiguous, 1 - contiguous}, bits, mode);
        CHECK(memory.isInjective());
        std::optional<TmaTile> tile = matchTmaTile(memory, bits);
        CHECK(tile.has_value() == (row <= 64));
        if (!tile)
          continue;
        CHECK(tile->swizzle == mode);
        CHECK(tile->order[0] == contiguous);
        CHECK(tile->box[contiguous] == row);
        CHECK(tile->numBoxes * tile->box[0] * tile->box[1] == 64 * 64);
        // Without swizzle, rows of 64 elements are not core matrices.
        std::optional<MatrixDescriptorLayout> descriptor = matchMatrixDescriptor(memory, 0, bits);
        CHECK(descriptor.has_value() == (mode != SwizzleMode::None));
        if (!descriptor)
          continue;
        int64_t rowBytes = getSwizzleRowBytes(mode);
        CHECK(descriptor->swizzle == mode);
        CHECK(descriptor->mnMajor == (contiguous == 0));
        CHECK(descriptor->strideByteOffset == 8 * rowBytes);
        if (contiguous == 0 && row < 64)
          CHECK(descriptor->leadingByteOffset == 64 * rowBytes);
      }
  // Core matrices without swizzle, K-major: 8 rows of 16 bytes, the next chunk of K behind all rows.
  LinearLayout cores = makeSwizzledLayout({64, 8}, {1, 0}, 16, SwizzleMode::None);
  cores = LinearLayout::product(cores, LinearLayout::strided(LayoutDim::Offset, {1, 4}));
  CHECK(matchMatrixDescriptor(cores, 0, 16) == MatrixDescriptorLayout{SwizzleMode::None, false, 1024, 128});
  CHECK(!matchMatrixDescriptor(LinearLayout::strided(LayoutDim::Offset, {64, 64}), 0, 16));
  // Several boxes begin where their swizzle does, after eight rows: of four rows, the second one would not.
  CHECK(matchTmaTile(makeSwizzledLayout({8, 128}, {1, 0}, 16, SwizzleMode::B128), 16));
  CHECK(!matchTmaTile(makeSwizzledLayout({4, 128}, {1, 0}, 16, SwizzleMode::B128), 16));
  CHECK(matchTmaTile(makeSwizzledLayout({4, 64}, {1, 0}, 16, SwizzleMode::B128), 16));
  // A layout of one engine is not one of another element width.
  CHECK(!matchTmaTile(makeSwizzledLayout({64, 64}, {1, 0}, 16, SwizzleMode::B128), 32));
}

TEST_CASE("Blocks of scales are what tcgen05.cp copies") {
  for (unsigned mnDim : {0u, 1u})
    for (auto [extent, blocks] : {std::pair(128, 4), {128, 16}, {256, 4}, {512, 32}}) {
      std::optional<LinearLayout> memory = getScaleBlocks(extent, blocks, mnDim);
      REQUIRE(memory);
      CHECK(memory->isInjective());
      CHECK(isScaleBlocks(*memory, mnDim));
      CHECK(!isScaleBlocks(*memory, 1 - mnDim));
      // PTX ISA: row r and scale k are 16 (r mod 32) + 4 (r / 32) + k bytes from the start.
      const auto inverse = memory->rightInverse();
      for (auto [row, k] : {std::pair(1, 0), {31, 3}, {32, 1}, {127, 2}}) {
        const int64_t element = mnDim == 0 ? int64_t(row) * blocks + k : int64_t(k) * extent + row;
        int64_t offset = 0;
        for (auto [bit, inputs] : llvm::enumerate(inverse))
          if (element >> bit & 1)
            offset ^= inputs[static_cast<unsigned>(LayoutDim::Offset)];
        CHECK(offset == 16 * (row % 32) + 4 * (row / 32) + k);
      }
    }
  CHECK(!getScaleBlocks(64, 4, 0));
  CHECK(!getScaleBlocks(128, 2, 0));
  // Row by row, and with the columns of a block's words the other way round.
  CHECK(!isScaleBlocks(makeSwizzledLayout({128, 4}, {1, 0}, 8, SwizzleMode::None), 0));
  CHECK(!isScaleBlocks(LinearLayout::strided(LayoutDim::Offset, {512}), 0));
}
