//===- MatrixLoadTest.cpp - ldmatrix and stmatrix against the ISA's figures -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

TEST_CASE("ldmatrix and stmatrix move 8x8 matrices") {
  // Lane l writes row l of four matrices; ldmatrix gives them back, transposed or not.
  for (bool transposed : {false, true}) {
    std::string trans = transposed ? ".trans" : "";
    std::vector<uint32_t> out;
    LaunchResult r =
        runBody(kernel("mov.u32 %r1, s; shl.b32 %r2, %i, 4; add.u32 %r1, %r1, %r2; shl.b32 %r3, %i, 3;\n"
                       "add.u32 %r4, %r3, 1; shl.b32 %r4, %r4, 16; or.b32 %r4, %r4, %r3; add.u32 %r5, %r4, 0x20002; "
                       "add.u32 %r6, %r4, 0x40004; add.u32 "
                       "%r7, %r4, 0x60006;\nst.shared.v4.u32 [%r1], {%r4, %r5, %r6, %r7}; bar.warp.sync -1;\n"
                       "ldmatrix.sync.aligned.m8n8.x4" +
                           trans +
                           ".shared.b16 {%r10, %r11, %r12, %r13}, [%r1];\n"
                           "stmatrix.sync.aligned.m8n8.x4" +
                           trans +
                           ".shared.b16 [%r1+512], {%r10, %r11, %r12, %r13}; bar.warp.sync -1;\n"
                           "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r1+512];\n"
                           "mul.wide.u32 %rd1, %i, 32; add.u64 %rd1, %out, %rd1; st.global.v4.u32 [%rd1], {%r10, %r11, "
                           "%r12, %r13}; st.global.v4.u32 "
                           "[%rd1+16], {%r20, %r21, %r22, %r23};",
                       32, ".shared .align 16 .b8 s[1024];"),
                256, 1, 1, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned m = 0; m < 4; ++m) {
        auto element = [&](unsigned row, unsigned column) { return (m * 8 + row) * 8 + column; };
        unsigned row = lane / 4, column = lane % 4 * 2;
        unsigned low = transposed ? element(column, row) : element(row, column),
                 high = transposed ? element(column + 1, row) : element(row, column + 1);
        CHECK(out[lane * 8 + m] == (low | high << 16));
        CHECK(out[lane * 8 + 4 + m] == ((lane * 8 + 2 * m) | (lane * 8 + 2 * m + 1) << 16)); // back where they were
      }
  }
}

namespace {

/// 32 rows of 16 bytes go to shared memory, a row a lane; every lane loads the registers of `instruction`, whose
/// address is %row, and writes them out.
std::vector<uint32_t> loadMatrices(const std::string &instruction, unsigned registers,
                                   const std::vector<uint8_t> &rows) {
  std::string list, store;
  for (unsigned r = 0; r < registers; ++r) {
    list += (r ? ", %r" : "%r") + std::to_string(r);
    store += "  st.global.b32 [%at+" + std::to_string(4 * r) + "], %r" + std::to_string(r) + ";\n";
  }
  std::string text =
      ".version 8.8\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 s[512];\n"
      ".visible .entry k(.param .u64 in, .param .u64 out)\n.reqntid 32\n{\n  .reg .b64 %in, %at;\n"
      "  .reg .b32 %r<4>, %w<4>, %i, %row;\n  ld.param.u64 %in, [in];\n  mov.u32 %i, %tid.x;\n"
      "  mul.wide.u32 %at, %i, 16;\n  add.u64 %at, %in, %at;\n  mov.u32 %row, s;\n"
      "  mad.lo.u32 %row, %i, 16, %row;\n  ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%at];\n"
      "  st.shared.v4.b32 [%row], {%w0, %w1, %w2, %w3};\n  bar.warp.sync -1;\n  ld.param.u64 %at, [out];\n"
      "  mad.wide.u32 %at, %i, 16, %at;\n  " +
      instruction + " {" + list + "}, [%row];\n" + store + "  ret;\n}\n";
  addGenerated(text);
  Run run(text);
  uint64_t in = run.buffer(rows), out = run.buffer(std::vector<uint32_t>(128));
  run.argument(in).argument(out);
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  return run.read<uint32_t>(out, 128);
}

/// Elements of 8, 6 or 4 bits, 16 in a row of 16 bytes.
struct Rows {
  explicit Rows(unsigned bits) : bits(bits), bytes(512) {
    for (unsigned row = 0; row < 32; ++row)
      for (unsigned e = 0; e < 16; ++e)
        for (unsigned b = 0; b < bits; ++b)
          if (value(row, e) >> b & 1)
            bytes[row * 16 + (e * bits + b) / 8] |= static_cast<uint8_t>(1u << (e * bits + b) % 8);
  }
  unsigned value(unsigned row, unsigned e) const { return (row * 29 + e * 7 + row / 3) & ((1u << bits) - 1); }
  unsigned bits;
  std::vector<uint8_t> bytes;
};

} // namespace

TEST_CASE("ldmatrix expands rows of narrow elements") {
  for (unsigned bits : {4u, 6u})
    for (unsigned matrices : {1u, 2u, 4u}) {
      Rows rows(bits);
      std::string format = bits == 4 ? ".b4x16_p64" : ".b6x16_p32";
      auto out = loadMatrices("ldmatrix.sync.aligned.m8n16.x" + std::to_string(matrices) + ".shared.b8x16" + format,
                              matrices, rows.bytes);
      bool correct = true;
      // Four threads load a row, four elements each.
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned m = 0; m < matrices; ++m)
          for (unsigned e = 0; e < 4; ++e)
            correct &= (out[lane * 4 + m] >> 8 * e & 255) == rows.value(m * 8 + lane / 4, lane % 4 * 4 + e);
      CHECK(correct);
    }
}

TEST_CASE("ldmatrix transposes 16x16 matrices of bytes") {
  for (unsigned bits : {8u, 6u, 4u})
    for (unsigned matrices : {1u, 2u}) {
      Rows rows(bits);
      std::string format = bits == 8 ? ".b8" : bits == 4 ? ".b8x16.b4x16_p64" : ".b8x16.b6x16_p32";
      auto out = loadMatrices("ldmatrix.sync.aligned.m16n16.x" + std::to_string(matrices) + ".trans.shared" + format,
                              matrices * 2, rows.bytes);
      bool correct = true;
      // A thread has four columns of two rows of the transposed matrix: of register v columns 4t + 2v and 4t + 2v + 1,
      // first of row g, then of row g + 8.
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned m = 0; m < matrices; ++m)
          for (unsigned v = 0; v < 2; ++v)
            for (unsigned e = 0; e < 4; ++e) {
              unsigned column = lane % 4 * 4 + v * 2 + e % 2, row = lane / 4 + e / 2 * 8;
              correct &= (out[lane * 4 + m * 2 + v] >> 8 * e & 255) == rows.value(m * 16 + column, row);
            }
      CHECK(correct);
    }
}

TEST_CASE("matrix loads that do not exist are refused") {
  for (const char *text : {"ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r1, %r2}, [%r3];",
                           "ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r1, %r2, %r3, %r4}, [%r3];",
                           "ldmatrix.sync.aligned.m8n16.x1.shared.b8 {%r1}, [%r3];",
                           "ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r1}, [%r3];",
                           "stmatrix.sync.aligned.m16n8.x1.shared.b8 [%r3], {%r1};",
                           "stmatrix.sync.aligned.m16n16.x1.trans.shared.b8 [%r3], {%r1, %r2};"})
    CHECK_THROWS(runBody(kernel(text)));
}
