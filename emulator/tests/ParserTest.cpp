//===- ParserTest.cpp - Reading text, and refusing what is not PTX -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <random>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// Parses and decodes everything; anything but InputError escapes.
bool accepted(const std::string &text) {
  try {
    Module m = Module::parse(text);
    Device device;
    for (const std::string &entry : m.entries())
      device.load(m, entry);
    return true;
  } catch (const InputError &) {
    return false;
  }
}

} // namespace

TEST_CASE("scopes, ranges, vectors, constants and directives") {
  std::vector<uint32_t> out;
  LaunchResult r = runBody(
      ".version 8.0\n.target sm_90 // comment\n.address_size 64\n.file 1 \"a.cu\"\n/* block\ncomment */\n"
      ".global .align 8 .u32 table[4] = {1, 0x2, 0b11, 2 + 2};\n.global .u64 pointer = generic(table);\n.const .f32 "
      "half = 0.5;\n"
      ".section .debug_str { .b8 1, 2 }\n"
      ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, %a; "
      "st.param.b32 [r], %a; ret; }\n"
      ".visible .entry k(.param .u64 .ptr .global .align 4 out)\n.maxntid 64\n.reqntid 1\n{\n.reg .b32 %r<4>, %x; .reg "
      ".b64 %rd<4>; .reg .f32 %f;\n"
      ".pragma \"nounroll\";\nld.param.u64 %rd0, [out];\n{ .reg .b32 %x; mov.u32 %x, 11; st.global.u32 [%rd0], %x; bra "
      "IN;\nIN: mov.u32 %x, 12; }\n"
      "{ .reg .b32 %x; mov.u32 %x, 13; bra IN;\nIN: st.global.u32 [%rd0+4], %x; }\n"
      "ld.global.u64 %rd1, [pointer]; ld.u32 %r0, [%rd1+12]; st.global.u32 [%rd0+8], %r0;\n"
      "ld.const.f32 %f, [half]; mul.f32 %f, %f, 0f40800000; cvt.rzi.u32.f32 %r1, %f; st.global.u32 [%rd0+12], %r1;\n"
      "{ .param .b32 p; .param .b32 q; st.param.b32 [p], 21; call.uni (q), twice, (p); ld.param.b32 %r2, [q]; } "
      "st.global.u32 [%rd0+16], %r2;\n"
      "mov.b64 %rd2, {%r0, %r1}; mov.b64 {_, %r3}, %rd2; st.global.u32 [%rd0+20], %r3;\n"
      "mov.u32 %x, 1; ts: .branchtargets A, B, C; brx.idx %x, ts;\nA: mov.u32 %r3, 1; bra D;\nB: mov.u32 %r3, 2; bra "
      "D;\nC: mov.u32 %r3, 3;\nD: st.global.u32 [%rd0+24], %r3;\nret;\n}\n",
      8, 1, 1, &out);
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  CHECK(out == std::vector<uint32_t>{11, 13, 4, 2, 42, 2, 2, 0});
}

TEST_CASE("recursion, divergent calls and local memory") {
  // Every lane computes lane! mod 2^32 by recursion and keeps a value in local memory across it.
  std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .func (.param .b32 r) fact(.param .b32 n)\n{\n.local "
      ".align 4 .b8 stack[4];\n"
      ".reg .b32 %n, %v; .reg .pred %p;\nld.param.b32 %n, [n]; setp.gt.u32 %p, %n, 1; @%p bra REC; st.param.b32 [r], "
      "1; ret;\n"
      "REC: st.local.u32 [stack], %n; sub.u32 %v, %n, 1;\n{ .param .b32 p; .param .b32 q; st.param.b32 [p], %v; "
      "call.uni (q), fact, (p); ld.param.b32 %v, [q]; }\n"
      "ld.local.u32 %n, [stack]; mul.lo.u32 %v, %v, %n; st.param.b32 [r], %v; ret;\n}\n"
      ".visible .entry k(.param .u64 out)\n.reqntid 32\n{\n.reg .b32 %i, %v; .reg .b64 %out, %o;\nld.param.u64 %out, "
      "[out]; mov.u32 %i, %tid.x;\n"
      "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %i; call.uni (q), fact, (p); ld.param.b32 %v, [q]; }\n"
      "mul.wide.u32 %o, %i, 4; add.u64 %o, %out, %o; st.global.u32 [%o], %v; ret;\n}\n";
  for (uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<uint32_t> out;
    LaunchResult r = runBody(ptx, 32, seed, 1, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    uint32_t expected = 1;
    for (uint32_t i = 0; i < 32; ++i) {
      expected *= i > 1 ? i : 1;
      CHECK(out[i] == expected);
    }
  }
}

TEST_CASE("printf and assertions") {
  std::string globals = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                        ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param "
                        ".b64 s) .noreturn;\n"
                        ".global .align 1 .b8 fmt[12] = {37, 48, 51, 100, 32, 37, 46, 50, 102, 33, 10, 0};\n.global "
                        ".align 1 .b8 msg[4] = {120, 62, 48, 0};\n";
  std::string print = ".local .align 8 .b8 args[16];\nmov.b64 %rd1, args; cvta.local.u64 %rd2, %rd1; st.local.u32 "
                      "[args], 7; st.local.f64 [args+8], 0d3FF8000000000000;\n"
                      "mov.b64 %rd3, fmt; cvta.global.u64 %rd3, %rd3; { .param .b64 a; .param .b64 b; .param .b32 c; "
                      "st.param.b64 [a], %rd3; st.param.b64 [b], %rd2;\n"
                      "call.uni (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }";
  LaunchResult r = runBody(kernel(print, 1, globals));
  REQUIRE(r.ok());
  CHECK(r.output == "007 1.50!\n");
  r = runBody(kernel(
      "mov.b64 %rd1, msg; { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 "
      "[a], %rd1; st.param.b64 [b], %rd1;\n"
      "st.param.b32 [c], 12; st.param.b64 [d], %rd1; st.param.b64 [e], 1; call.uni __assertfail, (a, b, c, d, e); }",
      1, globals));
  REQUIRE(!r.ok());
  CHECK(r.diagnostics[0].kind == "assertion");
  CHECK(r.diagnostics[0].message.find("x>0") != std::string::npos);
}

TEST_CASE("malformed text is refused with a line") {
  CHECK_THROWS_WITH(Module::parse(""), Catch::Contains(".version"));
  CHECK_THROWS_WITH(Module::parse(".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n  add.u32 %r1,\n}\n"),
                    Catch::Contains("line 6"));
  CHECK_THROWS_WITH(Module::parse(".version 8.0\n/* open"), Catch::Contains("comment"));
  CHECK(!accepted(kernel("bra NOWHERE;")));
  CHECK(!accepted(kernel("mov.u32 %r1, %nothing;")));
  CHECK(!accepted(kernel("ld.global.u32 %r1, [%r2];")));
  CHECK(!accepted(kernel("add.f32 %f1, %f2, 1;")));
  CHECK(!accepted(kernel("fma.f32 %f1, %f2, %f3, %f4;")));
  CHECK(accepted(kernel("fma.rn.f32 %f1, %f2, %f3, %f4;")));
}

TEST_CASE("any bytes give a module or an error") {
  std::mt19937 random(7);
  for (const char *name : {"matmul_tma_wgmma.ptx", "matmul_tcgen05.ptx", "cluster_reduce.ptx", "split_k.ptx"}) {
    std::string original = readText(std::string(PTX_EMULATOR_KERNELS) + "/" + name);
    REQUIRE(accepted(original));
    for (unsigned i = 0; i < 300; ++i) {
      std::string text = original;
      for (unsigned edits = 1 + random() % 4; edits--;) {
        size_t at = random() % text.size(), length = 1 + random() % 40;
        switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), length));
          break;
        default:
          text.insert(at, 1, "{}()[]<>,;:.%@!|+-*/\"0_"[random() % 23]);
          break;
        }
        if (text.empty())
          text = " ";
      }
      CHECK_NOTHROW(accepted(text));
    }
  }
}
