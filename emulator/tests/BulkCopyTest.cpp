//===- BulkCopyTest.cpp - Bytes that bulk copies move --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <random>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

constexpr unsigned kBytes = 256;

/// Lane i copies word i of %in to [s], for 64 threads; thread 0 then stores from there to %out and waits. `rest` comes
/// before the store, for all threads.
std::string maskedStore(unsigned mask, unsigned bytes, const std::string &rest = "") {
  return ".version 8.6\n.target sm_100a\n.address_size 64\n.shared .align 128 .b8 s[256];\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n.reqntid 64\n{\n  .reg .b64 %in, %out, %at;\n"
         "  .reg .b32 %i, %x, %v;\n  .reg .b16 %m;\n  .reg .pred %p;\n  ld.param.u64 %in, [in];\n"
         "  ld.param.u64 %out, [out];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %at, %i, 4;\n  add.u64 %at, %in, %at;\n"
         "  ld.global.b32 %v, [%at];\n  mov.u32 %x, s;\n  mad.lo.u32 %x, %i, 4, %x;\n  st.shared.b32 [%x], %v;\n"
         "  fence.proxy.async;\n  bar.sync 0;\n  " +
         rest + "\n  setp.ne.u32 %p, %i, 0;\n  @%p bra END;\n  mov.b16 %m, " + std::to_string(mask) +
         ";\n  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], [s], " + std::to_string(bytes) +
         ", %m;\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\nEND:\n  ret;\n}\n";
}

std::vector<uint8_t> bytesFrom(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(kBytes);
  for (uint8_t &b : bytes)
    b = static_cast<uint8_t>(random());
  return bytes;
}

LaunchResult run(const std::string &ptx, uint64_t seed, std::vector<uint8_t> &out) {
  Run run(ptx);
  uint64_t in = run.buffer(bytesFrom(1), "in"), to = run.buffer(out, "out");
  run.argument(in).argument(to);
  run.options.seed = seed;
  LaunchResult r = run.launch();
  out = run.read<uint8_t>(to, out.size());
  return r;
}

} // namespace

TEST_CASE("cp.async.bulk.cp_mask stores the bytes of every 16 whose bits are set") {
  std::mt19937 random(7);
  const std::vector<uint8_t> in = bytesFrom(1), before = bytesFrom(2);
  std::vector<unsigned> masks{0, 1, 0x8000, 0x00ff, 0xff00, 0x5555, 0xffff};
  for (unsigned i = 0; i < 9; ++i)
    masks.push_back(random() & 0xffff);
  for (unsigned mask : masks)
    for (unsigned bytes : {16u, 48u, kBytes}) {
      std::string ptx = maskedStore(mask, bytes);
      if (bytes == 48)
        addGenerated(ptx);
      std::vector<uint8_t> expected = before, out = before;
      for (unsigned i = 0; i < bytes; ++i)
        if (mask >> i % 16 & 1)
          expected[i] = in[i];
      LaunchResult r = run(ptx, mask, out);
      INFO("mask " << mask << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
      CHECK(r.ok());
      CHECK(out == expected);
    }
}

TEST_CASE("bytes that a mask leaves out belong to whoever writes them") {
  // Thread 32 writes byte 5 meanwhile.
  const std::string rest = "setp.eq.u32 %p, %i, 32; @%p st.global.u8 [%out+5], %i;";
  std::vector<uint8_t> out(kBytes);
  CHECK(verdict(run(maskedStore(0x0020, 64, rest), 1, out)) == "data-race");
  for (uint64_t seed = 0; seed < 100; ++seed)
    REQUIRE(verdict(run(maskedStore(0xffdf, 64, rest), seed, out)) == "");
  CHECK(out[5] == 32);
}
