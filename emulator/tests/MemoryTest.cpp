//===- MemoryTest.cpp - Loads and stores in every space ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormTest.h"
#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct MemoryType {
  const char *name;
  unsigned bytes;
  bool isSigned = false;
};
const MemoryType kTypes[] = {{".b8", 1},       {".b16", 2},       {".b32", 4},       {".b64", 8},      {".u8", 1},
                             {".u16", 2},      {".u32", 4},       {".u64", 8},       {".f32", 4},      {".f64", 8},
                             {".s8", 1, true}, {".s16", 2, true}, {".s32", 4, true}, {".s64", 8, true}};
constexpr unsigned kVectors[] = {1, 2, 4, 8};

std::string vectorName(unsigned n) {
  return n == 1 ? "" : ".v" + std::to_string(n);
}

/// Register types that hold the type, from its own size up.
std::vector<unsigned> registerBits(const MemoryType &t) {
  std::vector<unsigned> list;
  for (unsigned bits : {16u, 32u, 64u})
    if (bits >= 8 * t.bytes)
      list.push_back(bits);
  return list;
}

/// {%d0, %d1, …} or %d0
std::string registers(const char *prefix, unsigned n) {
  std::string list;
  for (unsigned i = 0; i < n; ++i)
    list += (i ? ", %" : "%") + (prefix + std::to_string(i));
  return n == 1 ? list : "{" + list + "}";
}

std::vector<Values> randomTuples(unsigned n = 130) {
  std::vector<Values> tuples(n);
  for (Values &v : tuples)
    for (unsigned i = 0; i < 8; ++i)
      v.push_back(randomBits());
  return tuples;
}

/// Element `i` of the bytes that the tuple is, as a register of `bits` holds it.
uint64_t element(const MemoryType &t, const Values &v, unsigned i, unsigned bits) {
  unsigned at = i * t.bytes;
  uint64_t raw = v[at / 8] >> (8 * (at % 8));
  if (t.bytes < 8) {
    uint64_t mask = (1ull << (8 * t.bytes)) - 1;
    raw &= mask;
    if (t.isSigned && raw >> (8 * t.bytes - 1))
      raw |= ~mask;
  }
  return bits == 64 ? raw : raw & ((1ull << bits) - 1);
}

bool vectorFits(const MemoryType &t, unsigned n, bool global) {
  unsigned bytes = t.bytes * n;
  return (bytes <= 16 && n <= 4) || (global && bytes == 32 && t.bytes >= 4);
}

/// `prefix`.type d, [address] where the bytes of the tuple lie at the address when `prepare` has run.
void checkLoad(const std::string &opcode, const MemoryType &t, unsigned n, const std::string &address,
               const std::string &prepare = "") {
  for (unsigned bits : registerBits(t)) {
    std::vector<std::string> results(n, ".b" + std::to_string(bits));
    checkForm(
        Form::statement(prepare + opcode + vectorName(n) + t.name + " " + registers("d", n) + ", " + address + ";",
                        results, {}),
        randomTuples(), [&](const Values &v) {
          Values expected;
          for (unsigned i = 0; i < n; ++i)
            expected.push_back(element(t, v, i, bits));
          return expected;
        });
  }
}

/// Copies the first 32 bytes of the operands to the thread's part of `space`, which %s then points to.
std::string ownCopy(const std::string &space) {
  std::string text = space == ".shared" ? ".shared .align 32 .b8 box[4096]; .reg .b32 %s, %o; mov.u32 %o, %tid.x; "
                                          "mov.u32 %s, box; mad.lo.u32 %s, %o, 32, %s; "
                                        : ".local .align 32 .b8 box[32]; .reg .b64 %s; mov.u64 %s, box; ";
  text += ".reg .b64 %v; ";
  for (unsigned i = 0; i < 4; ++i)
    text += "ld.global.b64 %v, [%in+" + std::to_string(8 * i) + "]; st" + space + ".b64 [%s+" + std::to_string(8 * i) +
            "], %v; ";
  return text;
}

const std::vector<std::string> kScopes = {".cta", ".cluster", ".gpu", ".sys"};

std::vector<std::string> semantics(const std::string &strong) {
  std::vector<std::string> list = {"", ".weak", ".volatile"};
  for (const std::string &scope : kScopes)
    list.push_back(".relaxed" + scope), list.push_back(strong + scope);
  return list;
}

} // namespace

TEST_CASE("ld from global memory: types, vectors, semantics and cache hints") {
  for (const MemoryType &t : kTypes)
    for (unsigned n : kVectors) {
      if (!vectorFits(t, n, true))
        continue;
      for (const std::string &order : semantics(".acquire"))
        for (const char *space : {"", ".global"})
          checkLoad("ld" + order + space, t, n, "[%in]");
      checkLoad("ld.global.nc", t, n, "[%in]");
    }
  for (const char *hint :
       {".ca", ".cg", ".cs", ".lu", ".cv", ".L1::evict_normal", ".L1::evict_unchanged", ".L1::evict_first",
        ".L1::evict_last", ".L1::no_allocate", ".L2::64B", ".L2::128B", ".L2::256B", ".L1::evict_last.L2::128B"})
    checkLoad("ld.global" + std::string(hint), kTypes[2], 2, "[%in]");
  for (const char *hint : {".L2::evict_normal", ".L2::evict_first", ".L2::evict_last"}) // 32-byte accesses only
    checkLoad("ld.global" + std::string(hint), kTypes[2], 8, "[%in]");
  checkLoad("ld.global.L2::cache_hint", kTypes[2], 1, "[%in], %p",
            ".reg .b64 %p; createpolicy.fractional.L2::evict_last.b64 %p; ");
  checkLoad("ld.global.nc.L1::no_allocate", kTypes[2], 4, "[%in]");
  checkLoad("ld.mmio.relaxed.sys.global", kTypes[2], 1, "[%in]");
  checkLoad("ld.global", kTypes[6], 1, "[%in+24+-24].unified");
  for (unsigned n : {1u, 2u, 4u}) {
    checkLoad("ldu.global", kTypes[2], n, "[%in]");
    checkLoad("ldu", kTypes[4], n, "[%in]");
  }
}

TEST_CASE("ld from shared, local and parameter memory") {
  for (const MemoryType &t : kTypes)
    for (unsigned n : kVectors) {
      if (!vectorFits(t, n, false))
        continue;
      for (const char *space : {".shared", ".shared::cta", ".shared::cluster"})
        checkLoad("ld" + std::string(space), t, n, "[%s]", ownCopy(".shared"));
      checkLoad("ld.local", t, n, "[%s]", ownCopy(".local"));
      checkLoad("ld", t, n, "[%s]", ownCopy(".local") + "cvta.local.u64 %s, %s; ");
    }
  for (const std::string &order : semantics(".acquire"))
    checkLoad("ld" + order + ".shared", kTypes[6], 2, "[%s]", ownCopy(".shared"));
}

TEST_CASE("st: types, vectors and semantics") {
  for (const MemoryType &t : kTypes)
    for (unsigned n : kVectors) {
      if (!vectorFits(t, n, true) || n > 4)
        continue; // eight operands leave no room for the result in the thread's part: below
      for (const std::string &order : semantics(".release"))
        for (const char *space : {"", ".global", ".shared", ".local"}) {
          bool isGlobal = !*space || space == std::string(".global"), isLocal = space == std::string(".local");
          if (!vectorFits(t, n, isGlobal) || (isLocal && !order.empty() && order != ".weak"))
            continue;
          unsigned bits = std::max(16u, 8 * t.bytes);
          std::string address = isGlobal ? "%out+32" : "%s", read = isGlobal ? "ld.global" : "ld" + std::string(space);
          checkForm(Form::statement((isGlobal ? std::string() : ownCopy(space)) + "st" + order + space + vectorName(n) +
                                        t.name + " [" + address + "], " + registers("a", n) + "; " + read +
                                        ".b64 %d0, [" + address + "]; " + read + ".b64 %d1, [" + address + "+8];",
                                    {".b64", ".b64"}, std::vector<std::string>(n, ".b" + std::to_string(bits))),
                    randomTuples(40), [&](const Values &v) {
                      uint8_t bytes[32] = {};
                      if (!isGlobal)
                        std::memcpy(bytes, v.data(), 32);
                      for (unsigned i = 0; i < n; ++i)
                        std::memcpy(bytes + i * t.bytes, &v[i], t.bytes);
                      Values expected(2);
                      std::memcpy(expected.data(), bytes, 16);
                      return expected;
                    });
        }
    }
  for (const char *hint : {".wb", ".cg", ".cs", ".wt", ".L1::evict_last", ".L1::no_allocate", ".mmio.relaxed.sys"}) {
    std::string opcode = hint[1] == 'm' ? "st" + std::string(hint) + ".global" : "st.global" + std::string(hint);
    checkForm(Form::statement(opcode + ".u32 [%out+32], %a0; ld.global.u32 %d0, [%out+32];", {".b32"}, {".b32"}),
              randomTuples(40), [](const Values &v) { return Values{v[0] & 0xffffffff}; });
  }
  checkForm(Form::statement("st.global.v8.b32 [%out+32], {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}; ld.global.b64 %d0, "
                            "[%out+32]; ld.global.b64 %d1, [%out+56];",
                            {".b64", ".b64"}, std::vector<std::string>(8, ".b32")),
            randomTuples(), [](const Values &v) {
              auto pair = [&](unsigned i) { return v[i] << 32 >> 32 | v[i + 1] << 32; };
              return Values{pair(0), pair(6)};
            });
}

TEST_CASE("128-bit registers") {
  checkForm(Form::statement(".reg .b128 %q; ld.global.b128 %q, [%in]; mov.b128 {%d1, %d0}, %q;", {".b64", ".b64"}, {}),
            randomTuples(), [](const Values &v) {
              return Values{v[1], v[0]};
            });
  checkForm(
      Form::statement(".reg .b128 %q, %c; mov.b128 %q, {%a0, %a1}; mov.b128 %c, %q; st.global.b128 [%out+32], %c; "
                      "ld.global.b64 %d0, [%out+32]; ld.global.b64 %d1, [%out+40];",
                      {".b64", ".b64"}, {".b64", ".b64"}),
      randomTuples(), [](const Values &v) {
        return Values{v[0], v[1]};
      });
}

TEST_CASE("mov packs and unpacks") {
  struct Shape {
    unsigned whole, parts;
  };
  for (Shape s : {Shape{16, 2}, Shape{32, 2}, Shape{32, 4}, Shape{64, 2}, Shape{64, 4}}) {
    unsigned bits = s.whole / s.parts;
    std::string whole = ".b" + std::to_string(s.whole), part = ".b" + std::to_string(bits), mov = "mov" + whole;
    uint64_t mask = (1ull << bits) - 1;
    checkForm(Form::statement(mov + " %d0, " + registers("a", s.parts) + ";", {whole},
                              std::vector<std::string>(s.parts, part)),
              randomTuples(), [&](const Values &v) {
                uint64_t d = 0;
                for (unsigned i = 0; i < s.parts; ++i)
                  d |= (v[i] & mask) << (bits * i);
                return Values{d};
              });
    checkForm(Form::statement(mov + " " + registers("d", s.parts) + ", %a0;", std::vector<std::string>(s.parts, part),
                              {whole}),
              randomTuples(), [&](const Values &v) {
                Values d;
                for (unsigned i = 0; i < s.parts; ++i)
                  d.push_back(v[0] >> (bits * i) & mask);
                return d;
              });
  }
  for (const char *type : {".b16", ".b32", ".b64", ".u16", ".u32", ".u64", ".s16", ".s32", ".s64", ".f32", ".f64"}) {
    std::string bits = std::string(type).substr(2), reg = ".b" + bits;
    checkForm(Form("mov" + std::string(type), {reg}, {reg}), randomTuples(),
              [&](const Values &v) { return Values{bits == "64" ? v[0] : v[0] & ((1ull << std::stoi(bits)) - 1)}; });
  }
  checkForm(Form("mov.pred", {".pred"}, {".pred"}), {{0}, {1}}, [](const Values &v) { return Values{v[0]}; });
}

TEST_CASE("vector registers are their components") {
  checkForm(Form::statement(
                ".reg .v4 .b32 v; .reg .v2 .b32 w; ld.global.v4.b32 v, [%in]; mov.b32 w.x, v.w; mov.b32 w.g, v.r; "
                "mov.b64 %d0, w; st.global.v4.b32 [%out+32], v; ld.global.b64 %d1, [%out+40];",
                {".b64", ".b64"}, {}),
            randomTuples(), [](const Values &v) {
              return Values{v[1] >> 32 | v[0] << 32, v[1]};
            });
}

TEST_CASE("address spaces convert to generic addresses and back") {
  // Stores through a generic address, loads through the window, and asks isspacep about every space.
  for (const char *space : {"shared", "local", "shared::cta", "shared::cluster"}) {
    std::string name = space, base = name.substr(0, 6) == "shared" ? "shared" : name;
    std::string text = ownCopy("." + base) + ".reg .b64 %g, %y; .reg .pred %z<5>; .reg .b32 %b<5>; ";
    text += base == "shared" ? "cvt.u64.u32 %y, %s; " : "mov.u64 %y, %s; ";
    text += "cvta." + name + ".u64 %g, %y; st.b64 [%g+8], %a0; cvta.to." + name + ".u64 %y, %g; ld." + name +
            ".b64 %d0, [%y+8]; mov.u64 %d1, 0; ";
    const char *asked[] = {"global", "shared", "local", "const", "shared::cluster"};
    for (unsigned i = 0; i < 5; ++i)
      text += "isspacep." + std::string(asked[i]) + " %z" + std::to_string(i) + ", %g; selp.b32 %b" +
              std::to_string(i) + ", 1, 0, %z" + std::to_string(i) + "; mul.wide.u32 %y, %b" + std::to_string(i) +
              ", " + std::to_string(1 << i) + "; add.u64 %d1, %d1, %y; ";
    checkForm(Form::statement(text, {".b64", ".b64"}, {".b64"}), randomTuples(), [&](const Values &v) {
      return Values{v[0], base == "shared" ? 2ull | 16 : 4ull};
    });
  }
  checkForm(Form::statement(".reg .b64 %g; cvta.global.u64 %g, %out; st.b64 [%g+32], %a0; cvta.to.global.u64 %g, %g; "
                            "ld.global.b64 %d0, [%g+32]; isspacep.global %d1, %g;",
                            {".b64", ".pred"}, {".b64"}),
            randomTuples(), [](const Values &v) {
              return Values{v[0], 1};
            });
}

TEST_CASE("constant memory, kernel parameters and initialised variables") {
  std::string ptx = R"(.version 9.0
.target sm_100a
.address_size 64
.const .align 16 .b32 table[4] = {11, 22, 33, 44};
.global .align 4 .f32 values[3] = {1.5, -2.0, 0f40490FDB};
.global .align 8 .u64 pointers[2] = {generic(values)+4, values};
.visible .entry k(.param .u64 out, .param .align 16 .b8 block[32], .param .u8 small)
.reqntid 1
{
  .reg .b64 %out, %a, %g;
  .reg .b32 %r<8>;
  .reg .pred %p<4>;
  ld.param.u64 %out, [out];
  ld.const.v2.u32 {%r0, %r1}, [table+8];
  mov.u64 %a, table;
  cvta.const.u64 %g, %a;
  ld.u32 %r2, [%g+4];
  isspacep.const %p0, %g;
  selp.u32 %r3, 1, 0, %p0;
  st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};
  ld.param.v4.u32 {%r0, %r1, %r2, %r3}, [block+16];
  ld.param.u8 %r4, [small];
  st.global.v4.u32 [%out+16], {%r0, %r1, %r2, %r4};
  mov.b64 %a, block;
  cvta.param.u64 %g, %a;
  ld.u32 %r0, [%g+28];
  isspacep.param %p1, %g;
  selp.u32 %r1, 1, 0, %p1;
  ld.global.u64 %a, [pointers];
  ld.u32 %r2, [%a];
  ld.global.f32 %r3, [values+8];
  st.global.v4.u32 [%out+32], {%r0, %r1, %r2, %r3};
  ret;
}
)";
  addGenerated(ptx);
  Run run(ptx);
  uint64_t out = run.buffer(std::vector<uint32_t>(12));
  std::array<uint32_t, 8> block{1, 2, 3, 4, 5, 6, 7, 8};
  run.argument(out).argument(block).argument(uint8_t(200));
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  CHECK(run.read<uint32_t>(out, 12) ==
        std::vector<uint32_t>{33, 44, 22, 1, 5, 6, 7, 200, 8, 1, 0xc0000000, 0x40490fdb});
}

TEST_CASE("prefetches, priorities and policies change nothing but what discard discards") {
  for (const char *hint :
       {"prefetch.global.L1 [%in]", "prefetch.global.L2 [%in]", "prefetch.L1 [%in]", "prefetch.L2 [%in]",
        "prefetch.global.L2::evict_last [%in]", "prefetch.global.L2::evict_normal [%in]", "prefetchu.L1 [%in]",
        "prefetch.tensormap [%in]", "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %p, 0.5",
        "createpolicy.fractional.L2::evict_first.b64 %p", "createpolicy.fractional.L2::evict_unchanged.b64 %p, 1.0",
        "createpolicy.range.global.L2::evict_last.b64 %p, [%in], 0x100000, 0x200000",
        "createpolicy.range.L2::evict_normal.L2::evict_first.b64 %p, [%in], 65536, 65536",
        "createpolicy.cvt.L2.b64 %p, 0x1122334455667788"})
    checkForm(Form::statement(".reg .b64 %p; " + std::string(hint) + "; ld.global.b64 %d0, [%in];", {".b64"}, {}),
              randomTuples(32), [](const Values &v) { return Values{v[0]}; });
  // Lines of 128 bytes: two threads' parts.
  std::string line = ".reg .b64 %q; and.b64 %q, %out, -128; ";
  for (const char *space : {"", ".global"}) {
    checkForm(Form::statement(line + "applypriority" + space + ".L2::evict_normal [%q], 128; mov.b64 %d0, %a0;",
                              {".b64"}, {".b64"}),
              randomTuples(32), [](const Values &v) { return Values{v[0]}; });
    std::vector<Values> one = {{0x1234}};
    checkForm(Form::statement(line + "discard" + space +
                                  ".L2 [%q], 128; st.global.b64 [%out+32], %a0; ld.global.b64 %d0, "
                                  "[%out+32];",
                              {".b64"}, {".b64"}),
              one, [](const Values &v) { return Values{v[0]}; });
  }
}

TEST_CASE("alloca gives memory that lasts until the stack is restored or the function returns") {
  std::string ptx = R"(.version 9.0
.target sm_100a
.address_size 64
.func (.reg .b64 %sum) fill(.reg .b64 %n)
{
  .reg .b64 %p, %g, %i, %v;
  .reg .pred %q;
  shl.b64 %i, %n, 3;
  alloca.u64 %p, %i, 16;
  mov.u64 %i, 0;
  mov.u64 %sum, 0;
WRITE:
  mad.lo.u64 %g, %i, 8, %p;
  st.local.u64 [%g], %i;
  add.u64 %i, %i, 1;
  setp.lt.u64 %q, %i, %n;
  @%q bra WRITE;
READ:
  sub.u64 %i, %i, 1;
  mad.lo.u64 %g, %i, 8, %p;
  ld.local.u64 %v, [%g];
  add.u64 %sum, %sum, %v;
  setp.gt.u64 %q, %i, 0;
  @%q bra READ;
  ret;
}
.visible .entry k(.param .u64 out)
.reqntid 32
{
  .reg .b64 %out, %n, %a, %b, %s, %x, %top;
  .reg .b32 %t;
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  cvt.u64.u32 %n, %t;
  add.u64 %n, %n, 1;
  stacksave.u64 %s;
  alloca.u64 %a, 8;
  st.local.u64 [%a], %n;
  call (%x), fill, (%n);
  stacksave.u64 %top;
  alloca.u64 %b, %n, 64;
  st.local.u8 [%b], %t;
  ld.local.u64 %n, [%a];
  stackrestore.u64 %top;
  stackrestore.u64 %s;
  mad.lo.u64 %x, %n, 1000, %x;
  mad.wide.u32 %out, %t, 8, %out;
  st.global.u64 [%out], %x;
  ret;
}
)";
  addGenerated(ptx);
  std::string after = ptx;
  after.replace(after.find("  mad.lo.u64 %x, %n, 1000"), 0, "  ld.local.u64 %n, [%a];\n");
  for (bool tooLate : {false, true}) {
    Run run(tooLate ? after : ptx);
    uint64_t out = run.buffer(std::vector<uint64_t>(32));
    run.argument(out);
    LaunchResult r = run.launch();
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(verdict(r) == (tooLate ? "out-of-bounds" : ""));
    if (!tooLate)
      for (uint64_t n = 1; n <= 32; ++n)
        CHECK(run.read<uint64_t>(out, 32)[n - 1] == n * 1000 + n * (n - 1) / 2);
  }
}

TEST_CASE("addresses and sizes that wrap around lie outside") {
  const std::string one = "setp.ne.u32 %p1, %i, 0; @%p1 ret; ",
                    globals = ".shared .align 16 .b8 s[64];\n.shared .align 8 .b64 b;\n";
  const std::string bodies[] = {
      "ld.param.u32 %r1, [out-4];",
      "mov.b64 %rd1, out; sub.u64 %rd1, %rd1, 4; ld.param.u32 %r1, [%rd1];",
      "ld.local.u32 %r1, [-4];",
      "st.global.u32 [%out+9223372036854775807+5], %i;",
      one + "mov.u32 %r1, 0xfffffff0; cp.async.bulk.global.shared::cta.bulk_group [%out], [s], %r1;",
      one + "mov.u32 %r1, 0xfffffff0; mov.b16 %h1, 5; cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], [s], "
            "%r1, %h1;",
      one + "mbarrier.init.shared.b64 [b], 1; fence.mbarrier_init.release.cluster; mov.u32 %r1, 0xfffffff0; "
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out], %r1, [b];",
  };
  for (const std::string &body : bodies) {
    INFO(body);
    CHECK(verdict(runBody(kernel(body, 32, globals))) == "out-of-bounds");
  }
}

TEST_CASE("device malloc gives a null pointer when the heap is used up, and free takes what malloc gave") {
  const std::string globals =
      ".extern .func (.param .b64 p) malloc (.param .b64 a);\n.extern .func free (.param .b64 a);\n";
  auto body = [](const std::string &size, const std::string &freed) {
    return "setp.ne.u32 %p1, %i, 0; @%p1 ret; { .param .b64 a; .param .b64 p; st.param.b64 [a], " + size +
           "; call.uni (p), malloc, (a); ld.param.b64 %rd1, [p]; }\n{ .param .b64 a; st.param.b64 [a], " + freed +
           "; call.uni free, (a); }\nst.global.u64 [%out], %rd1;";
  };
  std::vector<uint32_t> out;
  CHECK(verdict(runBody(kernel(body("1000000000000", "%rd1"), 32, globals), 16, 1, 1, &out)) == "");
  CHECK((out[0] | out[1]) == 0);
  for (const char *size : {"0", "64"}) {
    CHECK(verdict(runBody(kernel(body(size, "%rd1"), 32, globals), 16, 1, 1, &out)) == "");
    CHECK((out[0] | out[1]) != 0);
  }
  CHECK(verdict(runBody(kernel(body("64", "%out"), 32, globals))) == "bad-free");
}

TEST_CASE("memory of the host that the device adopts has one address, and is the host's again when it is released") {
  Run run(kernel("  st.global.u32 [%out+4], 7;", 1));
  std::vector<uint32_t> own(4);
  run.device.adopt(own.data(), 16, "own");
  CHECK_THROWS_AS(run.device.adopt(own.data() + 2, 4, "again"), InputError);
  run.argument(reinterpret_cast<uint64_t>(own.data()));
  CHECK(verdict(run.launch()) == "");
  CHECK(own == std::vector<uint32_t>{0, 7, 0, 0});
  CHECK(run.read<uint32_t>(reinterpret_cast<uint64_t>(own.data()), 2)[1] == 7);
  run.device.release(own.data());
  CHECK_THROWS_AS(run.device.release(own.data()), InputError);
  CHECK(verdict(run.launch()) == "out-of-bounds");
}

TEST_CASE(
    "what a run changed before it is repeated is as it was, adopted memory and what the device allocated included") {
  // Adds to a word, which a second time would show, takes memory, and makes a mistake: a run on several threads is
  // repeated on one.
  const std::string body = R"(
    ld.global.u32 %r1, [%out];
    add.u32 %r1, %r1, 1;
    st.global.u32 [%out], %r1;
    {
      .param .b64 bytes; .param .b64 got;
      st.param.b64 [bytes], 64;
      call.uni (got), malloc, (bytes);
      ld.param.b64 %rd1, [got];
    }
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%out+16], %r1;)";
  Run run(kernel(body, 1, ".extern .func (.param .b64 r) malloc(.param .b64 n);"));
  std::vector<uint32_t> own(4);
  run.device.adopt(own.data(), 16, "own");
  const uint64_t later = run.buffer(std::vector<uint32_t>{5});
  run.argument(reinterpret_cast<uint64_t>(own.data()));
  run.options.threads = 2;
  CHECK(verdict(run.launch()) == "out-of-bounds");
  CHECK(own[0] == 1);
  CHECK(run.read<uint32_t>(later, 1)[0] == 5);
}
