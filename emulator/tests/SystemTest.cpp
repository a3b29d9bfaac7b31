//===- SystemTest.cpp - What the driver and the linker give a kernel -----===//
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

std::string function(const std::string &name, const std::string &operation, const std::string &globals = "") {
  return globals + ".func (.param .b32 r) " + name +
         "(.param .b32 x)\n{\n  .reg .b32 %v<3>;\n  ld.param.b32 %v0, [x];\n  " + operation +
         "\n  st.param.b32 [r], %v1;\n  ret;\n}\n";
}

/// Calls the function whose address is in %rd1 with %r1; the result is in %r2.
const std::string kCall = "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 r;\n"
                          "p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                          "call (r), %rd1, (a), p; ld.param.b32 %r2, [r]; }\n";
const std::string kStore = "mad.wide.u32 %rd2, %i, 4, %out; st.global.u32 [%rd2], %r2; ";
const std::string kFunctions =
    function("twice", "add.u32 %v1, %v0, %v0;") + function("square", "mul.lo.u32 %v1, %v0, %v0;") +
    ".extern .func pure;\n.global .align 8 .u64 table[4] = {0, twice, generic(square), pure};\n"
    ".global .align 8 .u64 object = table+8;\n";

} // namespace

TEST_CASE("tables of functions in global memory are called through, a lane its own") {
  const std::string pick =
      "and.b32 %r3, %i, 1; ld.global.u64 %rd3, [object]; mad.wide.u32 %rd3, %r3, 8, %rd3; ld.u64 %rd1, "
      "[%rd3]; mov.u32 %r1, %i; ";
  std::vector<uint32_t> out;
  CHECK(verdict(runBody(kernel(pick + kCall + kStore, 32, kFunctions), 32, 1, 1, &out)) == "");
  for (uint32_t l = 0; l < 32; ++l)
    CHECK(out[l] == (l & 1 ? l * l : 2 * l));
}

TEST_CASE("a function that only a table names has shared memory of its own, and dynamic memory lies behind") {
  const std::string functions =
      function("keep", "st.shared.b32 [kept], %v0; ld.shared.b32 %v1, [kept];", ".shared .align 4 .b32 kept;\n") +
      ".global .align 8 .u64 table[1] = {keep};\n.extern .shared .align 4 .b8 dynamic[];\n";
  Run run(kernel("mov.u32 %r4, 9; st.shared.u32 [dynamic], %r4; ld.global.u64 %rd1, [table]; mov.u32 %r1, 5; " + kCall +
                     "ld.shared.u32 %r4, [dynamic]; add.u32 %r2, %r2, %r4; st.global.u32 [%out], %r2; ",
                 1, functions));
  const uint64_t out = run.buffer(std::vector<uint32_t>(1));
  run.argument(out);
  run.options.dynamicShared = 4;
  CHECK(verdict(run.launch()) == "");
  CHECK(run.read<uint32_t>(out, 1)[0] == 14);
}

TEST_CASE("vprintf returns how many arguments its format asks for") {
  // An empty format stands for none.
  auto print = [](const std::string &format, std::string &printed) {
    std::string bytes;
    for (char c : format)
      bytes += std::to_string(static_cast<unsigned char>(c)) + ", ";
    const std::string globals = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                                ".global .align 1 .b8 text[] = {" +
                                bytes + "0};\n.global .align 8 .b8 values[64];\n";
    Run run(
        kernel((format.empty() ? "mov.u64 %rd1, 0;" : "mov.u64 %rd1, text; cvta.global.u64 %rd1, %rd1;") +
                   std::string("mov.u64 %rd2, values; cvta.global.u64 %rd2, %rd2;\n{ .param .b64 f; .param .b64 a; "
                               ".param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [a], %rd2;\n"
                               "call.uni (r), vprintf, (f, a); ld.param.b32 %r2, [r]; }\nst.global.u32 [%out], %r2;"),
               1, globals));
    const uint64_t out = run.buffer(std::vector<uint32_t>(1));
    run.argument(out);
    run.options.print = [&](std::string_view text) { printed += text; };
    CHECK(verdict(run.launch()) == "");
    return static_cast<int32_t>(run.read<uint32_t>(out, 1)[0]);
  };
  struct {
    const char *format;
    int arguments;
    const char *text;
  } const cases[] = {{"", -1, ""},
                     {"a long text without any\n", 0, "a long text without any\n"},
                     {"100%% of 100%%\n", 0, "100% of 100%\n"},
                     {"%d\n", 1, "0\n"},
                     {"%d, %lld, %c%f\n", 4, nullptr},
                     {"%*d|%-8.3f|%%|%x\n", 4, "0|0.000   |%|0\n"}};
  for (const auto &[format, arguments, text] : cases) {
    INFO(format);
    std::string printed;
    CHECK(print(format, printed) == arguments);
    if (text)
      CHECK(printed == text);
  }
}

TEST_CASE("calls through addresses that lead nowhere") {
  auto call = [](const std::string &pointer) {
    const LaunchResult r = runBody(kernel(pointer + "mov.u32 %r1, 1; " + kCall, 1, kFunctions));
    return verdict(r) + (r.ok() ? "" : ": " + r.diagnostics[0].message);
  };
  CHECK(call("ld.global.u64 %rd1, [table+24]; ") == "bad-call: the called function 'pure' has no body in the module");
  CHECK(call("ld.global.u64 %rd1, [table]; ") == "bad-call: the called address is not a function's");
  CHECK_THROWS_WITH(Device().load(Module::parse(kernel("", 1, ".global .u64 t = nothing;\n")), "k"),
                    Catch::Matchers::Contains("'nothing', which is neither a global variable nor a function"));
}

TEST_CASE("the CTAs of a grid synchronise in the workspace that %envreg1 and %envreg2 point at") {
  // More CTAs than run at once by themselves; each then reads what the next one wrote.
  const std::string body =
      "mov.b32 %r1, %envreg2; mov.b32 %r2, %envreg1; mov.b64 %rd1, {%r1, %r2}; ld.u32 %r3, [%rd1]; mov.u32 %r4, "
      "%ctaid.x; "
      "mad.wide.u32 %rd2, %r4, 4, %out; st.global.u32 [%rd2], %r4; atom.add.release.gpu.u32 %r5, [%rd1+4], 1;\n"
      "W: ld.acquire.gpu.u32 %r6, [%rd1+4]; setp.lt.u32 %p1, %r6, 20; @%p1 bra W; add.u32 %r7, %r4, 1; rem.u32 %r7, "
      "%r7, "
      "20; mad.wide.u32 %rd3, %r7, 4, %out; ld.global.u32 %r8, [%rd3]; st.global.u32 [%rd2+80], %r8; setp.lt.u32 %p2, "
      "%r3, "
      "8; @%p2 trap; ";
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<uint32_t> out;
    const LaunchResult r = runBody(kernel(body, 1), 64, seed, 20, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    CHECK(r.ok());
    for (uint32_t c = 0; c < 20; ++c)
      CHECK(out[20 + c] == (c + 1) % 20);
  }
  std::vector<uint32_t> out;
  CHECK(verdict(runBody(kernel("mov.b32 %r1, %envreg31; st.global.u32 [%out], %r1;", 1), 1, 1, 1, &out)) == "");
  CHECK_THROWS_AS(runBody(kernel("mov.b32 %r1, %envreg32;", 1)), InputError);
}

TEST_CASE("the reserved shared memory has a scratch area") {
  std::vector<uint32_t> out;
  CHECK(verdict(
            runBody(kernel("mov.b32 %r1, %reserved_smem_offset_begin; mov.b32 %r2, %reserved_smem_offset_end; mov.b32 "
                           "%r3, %reserved_smem_offset_cap; mov.b32 %r4, %reserved_smem_offset_0; mov.b32 %r5, "
                           "%reserved_smem_offset_1; st.shared.u32 [%r5], %r2; ld.shared.u32 %r6, [%r5]; add.u32 %r7, "
                           "%r5, 284; st.shared.u32 [%r7], %r2; st.global.v4.u32 [%out], {%r1, %r2, %r3, %r6};",
                           1),
                    4, 1, 1, &out)) == "");
  CHECK(out == std::vector<uint32_t>{0, 1024, 1024, 1024});
  CHECK(verdict(runBody(kernel("mov.b32 %r1, %reserved_smem_offset_0; st.shared.u32 [%r1], %r1;", 1))) ==
        "out-of-bounds");
}
