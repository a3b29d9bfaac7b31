//===- TensorTest.cpp - Tensor copies against a direct reading of the ISA -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// Loads one box and copies the raw bytes of shared memory to `out`.
std::string boxKernel(unsigned rank, unsigned bytes) {
  std::string coordinates, declarations;
  for (unsigned d = 0; d < rank; ++d) {
    coordinates += (d ? ", %c" : "%c") + std::to_string(d);
    declarations += "  ld.global.u32 %c" + std::to_string(d) + ", [%at+" + std::to_string(4 * d) + "];\n";
  }
  return ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 box[" + std::to_string(bytes) +
         "];\n.shared .align 8 .b64 bar;\n.visible .entry k(.param .align 64 .b8 map[128], .param .u64 at, .param .u64 "
         "out)\n.reqntid 32\n{\n"
         "  .reg .b64 %map, %at, %out, %st, %off;\n  .reg .b32 %i, %s, %v, %c<5>;\n  .reg .pred %p, %q;\n  mov.b64 "
         "%map, map;\n  cvta.param.u64 %map, %map;\n"
         "  ld.param.u64 %at, [at];\n  ld.param.u64 %out, [out];\n" +
         declarations +
         "  mov.u32 %i, %tid.x;\n  setp.ne.u32 %p, %i, 0;\n  @%p bra WAIT;\n  mbarrier.init.shared.b64 [bar], 1;\n  "
         "fence.mbarrier_init.release.cluster;\n"
         "  mbarrier.arrive.expect_tx.shared.b64 %st, [bar], " +
         std::to_string(bytes) + ";\n  cp.async.bulk.tensor." + std::to_string(rank) +
         "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [box], [%map, {" + coordinates +
         "}], [bar];\nWAIT:\n  bar.sync 0;\n"
         "POLL: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;\n  @!%q bra POLL;\n  mov.u32 %s, box;\n  shl.b32 %v, "
         "%i, 2;\n  add.u32 %s, %s, %v;\n"
         "  mul.wide.u32 %off, %i, 4;\n  add.u64 %out, %out, %off;\n  mov.u32 %i, 0;\nCOPY:\n  ld.shared.u32 %v, "
         "[%s];\n  st.global.u32 [%out], %v;\n"
         "  add.u32 %s, %s, 128;\n  add.u64 %out, %out, 128;\n  add.u32 %i, %i, 128;\n  setp.lt.u32 %p, %i, " +
         std::to_string(bytes) + ";\n  @%p bra COPY;\n  ret;\n}\n";
}

/// The byte of shared memory at `offset` that a tile load leaves, straight from the ISA's description: undo the
/// swizzle, find the element's index in the box, then in the tensor.
uint8_t expectedByte(const TensorMap &m, const std::vector<uint8_t> &tensor, const std::vector<int> &at,
                     uint32_t offset) {
  unsigned width = m.swizzle == TensorMap::NoSwizzle ? 0 : 16u << m.swizzle; // 32, 64, 128 bytes
  uint32_t chunk = offset / 16 % 8, row = offset / 128 % 8;
  uint32_t flipped = width == 0 ? chunk : chunk ^ (row & (width / 16 - 1));
  uint32_t linear = offset / 128 * 128 + flipped * 16 + offset % 16;
  unsigned element = linear / m.elementBytes(), byte = linear % m.elementBytes();
  uint64_t address = byte;
  for (unsigned d = 0; d < m.rank; ++d) {
    unsigned n = (m.box[d] + m.elementStride[d] - 1) / m.elementStride[d];
    int64_t x = at[d] + static_cast<int64_t>(element % n) * m.elementStride[d];
    element /= n;
    if (x < 0 || x >= static_cast<int64_t>(m.size[d]))
      return m.fill == TensorMap::NaNs ? (byte ? 0x7f : 0xff) : 0;
    address += static_cast<uint64_t>(x) * (d ? m.stride[d - 1] : m.elementBytes());
  }
  return tensor[address];
}

void checkBox(TensorMap m, const std::vector<int> &at) {
  unsigned bytes = m.elementBytes();
  for (unsigned d = 0; d < m.rank; ++d)
    bytes *= (m.box[d] + m.elementStride[d] - 1) / m.elementStride[d];
  uint64_t size =
      m.rank == 1 ? static_cast<uint64_t>(m.size[0]) * m.elementBytes() : m.stride[m.rank - 2] * m.size[m.rank - 1];
  std::vector<uint8_t> tensor(size);
  for (size_t i = 0; i < size; ++i)
    tensor[i] = static_cast<uint8_t>(i * 31 + i / 251);
  Run run(boxKernel(m.rank, bytes));
  m.address = run.buffer(tensor, "tensor");
  uint64_t coordinates = run.buffer(at, "coordinates"), out = run.buffer(std::vector<uint8_t>(bytes), "out");
  run.argument(m.encode()).argument(coordinates).argument(out);
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  std::vector<uint8_t> got = run.read<uint8_t>(out, bytes);
  unsigned wrong = 0;
  for (unsigned i = 0; i < bytes; ++i)
    wrong += got[i] != expectedByte(m, tensor, at, i);
  CHECK(wrong == 0);
}

TensorMap base(unsigned rank) {
  TensorMap m;
  m.rank = rank;
  m.element = TensorMap::F16;
  m.elementStride = {1, 1, 1, 1, 1};
  return m;
}

} // namespace

TEST_CASE("tile loads place every byte where the ISA says") {
  for (auto swizzle : {TensorMap::NoSwizzle, TensorMap::Swizzle32, TensorMap::Swizzle64, TensorMap::Swizzle128})
    for (int x : {0, 8, 40, -5, 61})
      for (int y : {0, 3, 30, -2}) {
        TensorMap m = base(2);
        m.swizzle = swizzle;
        m.size = {70, 33};
        m.stride = {160};
        m.box = {swizzle == TensorMap::Swizzle32 ? 16u : swizzle == TensorMap::Swizzle64 ? 32u : 64u, 16};
        INFO("swizzle " << int(swizzle) << " at " << x << ", " << y);
        checkBox(m, {x, y});
      }
}

TEST_CASE("tile loads of one to five dimensions, strides and NaN fill") {
  TensorMap one = base(1);
  one.size = {100};
  one.box = {128};
  checkBox(one, {0});
  checkBox(one, {-7});
  TensorMap five = base(5);
  five.size = {16, 3, 4, 5, 2};
  five.stride = {32, 96, 384, 1920};
  five.box = {16, 2, 2, 2, 2};
  checkBox(five, {0, 0, 0, 0, 0});
  checkBox(five, {0, 2, 3, 4, 1});
  five.fill = TensorMap::NaNs;
  checkBox(five, {4, -1, 0, 4, 0});
  TensorMap strided = base(2);
  strided.element = TensorMap::F32;
  strided.size = {64, 40};
  strided.stride = {256};
  strided.box = {32, 16};
  strided.elementStride = {2, 3};
  checkBox(strided, {4, 5});
}

TEST_CASE("tensor maps the ISA forbids are refused") {
  auto verdictOf = [](auto change) {
    TensorMap m = base(2);
    m.size = {64, 64};
    m.stride = {128};
    m.box = {64, 8};
    Run run(boxKernel(2, 1024));
    m.address = run.buffer(std::vector<uint8_t>(8192));
    change(m);
    uint64_t at = run.buffer(std::vector<int>{0, 0}), out = run.buffer(std::vector<uint8_t>(1024));
    run.argument(m.encode()).argument(at).argument(out);
    return verdict(run.launch());
  };
  CHECK(verdictOf([](TensorMap &) {}) == "");
  CHECK(verdictOf([](TensorMap &m) { m.stride[0] = 130; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.address += 8; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.box[0] = 3; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.swizzle = TensorMap::Swizzle64; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.rank = 3; }) == "tensor-map");
  CHECK(verdictOf([](TensorMap &m) { m.size[1] = 65; }) == ""); // the box itself stays inside
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
      "1;\n"
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
