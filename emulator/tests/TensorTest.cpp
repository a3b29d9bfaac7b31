//===- TensorTest.cpp - Tensor copies against a direct reading of the ISA -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorReference.h"
#include <algorithm>
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

using M = TensorMap;

M base(unsigned rank, M::Element element = M::F16) {
  M m;
  m.rank = rank;
  m.element = element;
  m.elementStride = {1, 1, 1, 1, 1};
  return m;
}

/// Packed strides, `padding` bytes behind every dimension.
void setStrides(M &m, unsigned alignment = 16, unsigned padding = 0) {
  uint64_t bytes = m.interleave == M::NoInterleave ? static_cast<uint64_t>(m.size[0]) * m.elementBits() / 8
                                                   : static_cast<uint64_t>(m.size[0]) * (8u << m.interleave);
  for (unsigned d = 1; d < m.rank; ++d) {
    bytes = (bytes + padding + alignment - 1) / alignment * alignment;
    m.stride[d - 1] = bytes;
    bytes *= m.size[d];
  }
}

/// Inside, across every border, and past every border.
std::vector<std::vector<int>> positionsOf(const M &m) {
  std::vector<std::vector<int>> list{std::vector<int>(m.rank, 0)};
  unsigned step = m.element == M::U8 ? 16 : 8;
  for (unsigned d = 0; d < m.rank; ++d)
    for (int at :
         {-1, -static_cast<int>(m.box[d]), static_cast<int>(m.size[d]) - 1, static_cast<int>(m.size[d]) + 3, 1}) {
      std::vector<int> p(m.rank, 0);
      p[d] = at;
      list.push_back(p);
    }
  std::vector<int> corner;
  for (unsigned d = 0; d < m.rank; ++d)
    corner.push_back(static_cast<int>(m.size[d]) - (d ? 1 : static_cast<int>(step)));
  list.push_back(corner);
  return list;
}

struct Swizzling {
  M::Swizzle swizzle;
  M::Atomicity atomicity;
  unsigned inner; ///< bytes of the widest box
};
constexpr Swizzling kSwizzlings[] = {{M::NoSwizzle, M::Atom16, 64},   {M::Swizzle32, M::Atom16, 32},
                                     {M::Swizzle64, M::Atom16, 64},   {M::Swizzle96, M::Atom16, 96},
                                     {M::Swizzle128, M::Atom16, 128}, {M::Swizzle128, M::Atom32, 128},
                                     {M::Swizzle128, M::Atom64, 128}, {M::Swizzle128, M::Atom32Flip8, 128}};

} // namespace

TEST_CASE("tile loads of one to five dimensions, all swizzles and element sizes, out of bounds on every side") {
  for (const Swizzling &s : kSwizzlings)
    for (M::Element element : {M::U8, M::F16, M::F32, M::F64})
      for (unsigned rank = 1; rank <= 5; ++rank) {
        M m = base(rank, element);
        m.swizzle = s.swizzle;
        m.atomicity = s.atomicity;
        unsigned width = s.inner / m.elementBytes();
        m.box = {width, rank == 2 ? 12u : 3u, 2, 2, 2};
        m.size = {width + 16, 5, 3, 3, 3};
        setStrides(m, 16, 16);
        INFO("swizzle " << s.swizzle << " atomicity " << s.atomicity << " element " << element << " rank " << rank);
        for (const std::vector<int> &at : positionsOf(m))
          checkLoad(m, {"", at, {}}, element == M::F16 ? 384 : 0);
      }
}

TEST_CASE("traversal strides and NaN fill of tile loads") {
  for (M::Fill fill : {M::Zeros, M::NaNs})
    for (M::Element element : {M::F16, M::BF16, M::F32, M::F32Ftz, M::TF32, M::TF32Ftz, M::F64}) {
      M m = base(3, element);
      m.fill = fill;
      m.box = {64 / m.elementBytes(), 7, 5};
      m.size = {64 / m.elementBytes() + 8, 9, 6};
      m.elementStride = {1, 3, 2, 1, 1};
      setStrides(m);
      for (const std::vector<int> &at : positionsOf(m))
        checkLoad(m, {"", at, {}});
    }
}

TEST_CASE("interleaved tensors copy slices of channels") {
  for (M::Interleave interleave : {M::Interleave16, M::Interleave32})
    for (const Swizzling &s : kSwizzlings)
      for (unsigned rank = 3; rank <= 5; ++rank) {
        if (s.swizzle == M::Swizzle96 || (interleave == M::Interleave32 && s.swizzle != M::Swizzle32))
          continue;
        M m = base(rank);
        m.interleave = interleave;
        m.swizzle = s.swizzle;
        m.atomicity = s.atomicity;
        m.box = {8, 3, 2, 2, 2};
        m.size = {11, 5, 3, 3, 2};
        m.elementStride = {2, 1, 1, 1, 1};
        setStrides(m, 32);
        for (const std::vector<int> &at : positionsOf(m))
          checkLoad(m, {"", at, {}});
      }
}

TEST_CASE("sub-byte elements are copied packed or with their padding") {
  for (M::Element element : {M::B4x16, M::B4x16P64, M::B6x16P32})
    for (const Swizzling &s : kSwizzlings) {
      bool padded = element != M::B4x16;
      if (padded && ((s.swizzle != M::NoSwizzle && s.swizzle != M::Swizzle128) || s.atomicity == M::Atom32Flip8))
        continue;
      M m = base(2, element);
      m.swizzle = s.swizzle;
      m.atomicity = s.atomicity;
      m.box = {padded ? 128 : std::min(256u, s.inner * 2), 5};
      m.size = {padded ? 256u : 320u, 7};
      setStrides(m, 32);
      for (std::vector<int> at : {std::vector<int>{0, 0}, {128, 3}, {0, -2}, {0, 4}, {-128, 0}, {256, 1}})
        checkLoad(m, {"", at, {}});
      if (element == M::B4x16P64 || s.atomicity == M::Atom32Flip8)
        continue; // loads only
      for (std::vector<int> at : {std::vector<int>{0, 0}, {128, 3}, {0, -2}, {0, 4}, {-128, 0}, {256, 1}})
        checkStore(m, {"", at, {}});
    }
}

TEST_CASE("tensor stores and reductions need a proxy fence after what threads wrote") {
  M m = base(2, M::F32);
  m.box = {16, 4};
  m.size = {32, 8};
  setStrides(m);
  for (const char *reduction : {"", ".add"}) {
    CHECK(storeVerdict(m, {"", {0, 0}, {}}, reduction, false, 1) == "missing-proxy-fence");
    for (uint64_t seed = 0; seed < 100; ++seed)
      CHECK(storeVerdict(m, {"", {0, 0}, {}}, reduction, true, seed) == "");
  }
}

TEST_CASE("gather4 and scatter4 take four rows") {
  for (const Swizzling &s : kSwizzlings) {
    M m = base(2, M::F32);
    m.swizzle = s.swizzle;
    m.atomicity = s.atomicity;
    m.box = {s.inner / 4, 1};
    m.size = {40, 12};
    setStrides(m);
    for (std::vector<int> at :
         {std::vector<int>{0, 3, 1, 11, 0}, {8, 2, 5, 0, 9}, {36, 1, 1, 13, 12}, {-4, -1, 2, 3, 4}})
      checkLoad(m, {".tile::gather4", at, {}});
    if (s.atomicity == M::Atom32Flip8)
      continue;
    for (std::vector<int> at : {std::vector<int>{0, 3, 1, 11, 0}, {8, 2, 5, 0, 9}, {36, 4, 1, 13, 2}})
      checkStore(m, {".tile::scatter4", at, {}});
  }
}

TEST_CASE("im2col loads") {
  for (const Swizzling &s : kSwizzlings)
    for (unsigned rank = 3; rank <= 5; ++rank) {
      M m = base(rank);
      m.im2col = true;
      m.swizzle = s.swizzle;
      m.atomicity = s.atomicity;
      m.size = {48, 6, rank > 3 ? 5u : 3u, rank > 4 ? 4u : 3u, 2};
      setStrides(m);
      m.channels = s.inner / 2;
      m.pixels = 17;
      m.lowerCorner = {-1, rank > 3 ? -1 : 0, rank > 4 ? -1 : 0};
      m.upperCorner = {-1, rank > 3 ? -1 : 0, rank > 4 ? -1 : 0};
      for (unsigned step : {1u, 2u}) {
        m.elementStride = {1, step, step, step, 1};
        m.elementStride[rank - 1] = 1;
        std::vector<int> at(rank, 0), low(rank, -1), offsets(rank - 2, 0), ones(rank - 2, 2);
        low[0] = 8, low[rank - 1] = 1;
        checkLoad(m, {".im2col", at, offsets});
        checkLoad(m, {".im2col", at, ones});
        checkLoad(m, {".im2col", low, offsets});
        checkLoad(m, {".im2col", low, ones});
      }
    }
}

TEST_CASE("im2col::w and im2col::w::128 loads") {
  for (bool wide128 : {false, true})
    for (const Swizzling &s : kSwizzlings)
      for (unsigned rank = 3; rank <= 5; ++rank) {
        if (s.inner < 64 || s.swizzle == M::NoSwizzle || s.atomicity == M::Atom32Flip8 ||
            (wide128 && s.swizzle == M::Swizzle96))
          continue;
        M m = base(rank);
        m.im2col = m.wide = true;
        m.swizzle = s.swizzle;
        m.atomicity = s.atomicity;
        m.size = {64, 40, rank > 3 ? 3u : 6u, rank > 4 ? 2u : 6u, 5};
        setStrides(m);
        m.channels = s.inner / 2;
        m.pixels = 50;
        m.lowerCorner[0] = -1;
        m.upperCorner[0] = -2;
        for (unsigned step : {1u, 3u}) {
          m.elementStride = {1, step, 1, 1, 1};
          for (std::vector<int> info : {std::vector<int>{0, 0}, {2, 0}, {3, 2}}) {
            std::vector<int> at(rank, 1), left(rank, 0);
            left[1] = -1;
            checkLoad(m, {wide128 ? ".im2col::w::128" : ".im2col::w", at, info});
            checkLoad(m, {wide128 ? ".im2col::w::128" : ".im2col::w", left, info});
          }
        }
      }
}

TEST_CASE("tile and im2col stores") {
  for (const Swizzling &s : kSwizzlings) {
    if (s.atomicity == M::Atom32Flip8)
      continue;
    for (unsigned rank = 1; rank <= 5; ++rank) {
      M m = base(rank, M::F32);
      m.swizzle = s.swizzle;
      m.atomicity = s.atomicity;
      m.box = {s.inner / 4, 3, 2, 2, 2};
      m.size = {s.inner / 4 + 16, 5, 3, 3, 3};
      m.elementStride = {1, 2, 1, 1, 1};
      setStrides(m, 16, 16);
      for (const std::vector<int> &at : positionsOf(m)) // some begin before the tensor
        checkStore(m, {"", at, {}});
    }
    M m = base(4);
    m.im2col = true;
    m.swizzle = s.swizzle;
    m.atomicity = s.atomicity;
    m.size = {64, 6, 5, 3};
    setStrides(m);
    m.channels = s.inner / 2;
    m.pixels = 20;
    m.upperCorner = {-1, -1, 0};
    checkStore(m, {".im2col_no_offs", {0, 0, 0, 0}, {}});
    checkStore(m, {".im2col_no_offs", {8, 2, 3, 2}, {}});
  }
}

TEST_CASE("reducing stores: every operation of every element type") {
  struct Row {
    M::Element element;
    std::vector<const char *> operations;
  };
  const Row rows[] = {{M::U32, {".add", ".min", ".max", ".inc", ".dec", ".and", ".or", ".xor"}},
                      {M::S32, {".add", ".min", ".max", ".and", ".or", ".xor"}},
                      {M::U64, {".add", ".min", ".max", ".and", ".or", ".xor"}},
                      {M::S64, {".min", ".max", ".and", ".or", ".xor"}},
                      {M::F16, {".add", ".min", ".max"}},
                      {M::BF16, {".add", ".min", ".max"}},
                      {M::F32, {".add"}},
                      {M::F32Ftz, {".add"}},
                      {M::F64, {".add"}}};
  for (const Row &row : rows)
    for (const char *operation : row.operations) {
      M m = base(2, row.element);
      m.swizzle = M::Swizzle64;
      m.box = {64 / m.elementBytes(), 4};
      m.size = {96 / m.elementBytes(), 6};
      setStrides(m);
      checkReduction(m, {"", {0, 1}, {}}, operation);
      checkReduction(m, {"", {static_cast<int>(64 / m.elementBytes()), 4}, {}}, operation);
    }
}

TEST_CASE("stores and reductions write all of the 16 bytes in which a row ends") {
  // What an H200 left behind (2026-11-26): rows of `size` elements, 128 bytes apart; from byte `end` on they are as
  // they were.
  struct Row {
    M::Element element;
    unsigned size, end;
  };
  const Row rows[] = {{M::U8, 1, 16},  {M::U8, 5, 16},  {M::U8, 15, 16}, {M::U8, 17, 32},  {M::U8, 31, 32},
                      {M::U8, 33, 48}, {M::F16, 1, 16}, {M::F16, 7, 16}, {M::F16, 9, 32},  {M::F16, 13, 32},
                      {M::U32, 2, 16}, {M::F32, 5, 32}, {M::F32, 7, 32}, {M::U32, 9, 48},  {M::U64, 1, 16},
                      {M::U64, 3, 32}, {M::U64, 5, 48}, {M::U64, 2, 16}, {M::F16, 16, 32}, {M::U8, 48, 48}};
  for (const Row &row : rows) {
    M m = base(2, row.element);
    m.box = {64 / m.elementBytes(), 4};
    m.size = {row.size, 7};
    m.stride = {128};
    std::vector<uint8_t> tensor(8 * 128, 0x77), data(256);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<uint8_t>(i % 100);
    for (unsigned first : {0u, 5u}) { // the second box hangs over the last row, too, which is exact
      std::vector<uint8_t> expected = tensor;
      for (unsigned r = 0; r < 4 && first + r < 7; ++r)
        std::copy_n(data.begin() + r * 64, row.end, expected.begin() + (first + r) * 128);
      INFO("element " << row.element << " size " << row.size);
      CHECK(storeInto(tensor, m, {"", {0, static_cast<int>(first)}, {}}, "", data) == expected);
    }
  }
}

TEST_CASE("ends of rows of all element sizes, in stores and reductions of all swizzles") {
  for (const Swizzling &s : kSwizzlings)
    for (M::Element element : {M::U8, M::F16, M::F32, M::U64}) {
      if (s.atomicity == M::Atom32Flip8)
        continue;
      M m = base(2, element);
      m.swizzle = s.swizzle;
      m.atomicity = s.atomicity;
      m.box = {s.inner / m.elementBytes(), 5};
      for (unsigned size : {1u, 3u, 7u, 9u}) {
        m.size = {size, 6};
        setStrides(m, 128, 128);
        INFO("swizzle " << s.swizzle << " atomicity " << s.atomicity << " element " << element << " size " << size);
        for (const std::vector<int> &at : positionsOf(m)) {
          checkStore(m, {"", at, {}});
          checkLoad(m, {"", at, {}}); // which are exact
          if (element != M::U8)
            checkReduction(m, {"", at, {}}, ".add");
        }
      }
    }
}

TEST_CASE("what is stored behind the end of a row lies in an allocation, or is reported") {
  M m = base(1, M::F32);
  m.box = {16};
  for (const char *reduction : {"", ".add"})
    for (unsigned size : {5u, 6u, 7u, 8u, 9u, 12u}) {
      m.size = {size};
      CHECK(storeVerdict(m, {"", {0}, {}}, reduction, true, 1) == (size % 4 ? "out-of-bounds" : ""));
    }
  m.box = {4}; // does not reach the end
  m.size = {5};
  CHECK(storeVerdict(m, {"", {0}, {}}, "", true, 1) == "");
}

TEST_CASE("tensor maps the ISA forbids are refused") {
  auto verdictOf = [](auto change) {
    TensorMap m = base(2);
    m.size = {64, 64};
    m.stride = {128};
    m.box = {64, 8};
    Run run(loadKernel(m, {"", {0, 0}, {}}, 1024, 1024));
    m.address = run.buffer(std::vector<uint8_t>(8192));
    change(m);
    uint64_t out = run.buffer(std::vector<uint8_t>(1024));
    run.argument(m.encode()).argument(out);
    return verdict(run.launch());
  };
  CHECK(verdictOf([](TensorMap &) {}) == "");
  CHECK(verdictOf([](TensorMap &m) { m.stride[0] = 130; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.address += 8; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.box[0] = 3; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.swizzle = TensorMap::Swizzle64; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.rank = 3; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.elementStride[0] = 2; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.atomicity = TensorMap::Atom64; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.interleave = TensorMap::Interleave16; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.im2col = true; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.element = TensorMap::S32, m.fill = TensorMap::NaNs; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.size[1] = 65; }) == ""); // the box itself stays inside
  CHECK(verdictOf([](TensorMap &m) {
          m.element = TensorMap::F64;
          m.box = m.size = {256, 256};
          m.stride = {2048};
        }) == "tensor-map"); // larger than shared memory
}

TEST_CASE("a map built by tensormap.replace works like one built by the host") {
  std::string text =
      ".version 8.3\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 box[512];\n.shared .align 128 .b8 "
      "map[128];\n.shared .align 8 .b64 bar;\n"
      ".visible .entry k(.param .u64 data, .param .u64 where, .param .u64 out)\n.reqntid 32\n{\n  .reg .b64 %data, "
      "%map, %out, %st, %z;\n  .reg .b32 %i, %s, %v;\n"
      "  .reg .pred %p, %q;\n  ld.param.u64 %data, [data];\n  ld.param.u64 %map, [where];\n  ld.param.u64 %out, "
      "[out];\n  mov.u32 %i, %tid.x;\n"
      "  mov.u32 %s, map;\n  shl.b32 %v, %i, 2;\n  add.u32 %s, %s, %v;\n  st.shared.u32 [%s], 0;\n  bar.warp.sync "
      "-1;\n  setp.ne.u32 %p, %i, 0;\n  @%p bra BUILT;\n"
      "  tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], %data;\n  "
      "tensormap.replace.tile.rank.shared::cta.b1024.b32 [map], 1;\n"
      "  tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 0, 16;\n  "
      "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [map], 1, 8;\n"
      "  tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 0, 64;\n  "
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], 1, 8;\n"
      "  tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [map], 0, 256;\n"
      "  tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 0, 1;\n  "
      "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [map], 1, 1;\n"
      "  tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [map], 7;\n  "
      "tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [map], 0;\n"
      "  tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [map], 0;\n  "
      "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [map], 0;\nBUILT:\n"
      "  bar.warp.sync -1;\n  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
      "[%map], [map], 128;\n"
      "  fence.proxy.tensormap::generic.acquire.gpu [%map], 128;\n  @%p bra WAIT;\n  mbarrier.init.shared.b64 [bar], "
      "1;\n  fence.mbarrier_init.release.cluster;\n"
      "  mbarrier.arrive.expect_tx.shared.b64 %st, [bar], 512;\n  mov.u32 %v, 16;\n  mov.u32 %i, 0;\n"
      "  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%map, {%v, %i}], [bar];\n"
      "POLL: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;\n  @!%q bra POLL;\n  ld.shared.u32 %v, [box+64];\n  "
      "st.global.u32 [%out], %v;\nWAIT:\n  ret;\n}\n";
  Run run(text);
  std::vector<uint32_t> data(512);
  for (unsigned i = 0; i < 512; ++i)
    data[i] = i;
  uint64_t d = run.buffer(data), where = run.buffer(std::vector<uint8_t>(128)),
           out = run.buffer(std::vector<uint32_t>(4));
  run.argument(d).argument(where).argument(out);
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  CHECK(run.read<uint32_t>(out, 1)[0] == 64 + 16); // row 1, column 16
}
