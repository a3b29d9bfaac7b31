//===- AtomicTest.cpp - atom, red, multimem and asynchronous stores ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <numeric>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct AtomicType {
  const char *name;
  unsigned bits;
  bool isSigned = false;
  const Format *format = nullptr;
  unsigned packed = 1; ///< elements in a register

  std::string reg() const { return ".b" + std::to_string(bits * packed); }
  bool isHalf() const { return bits == 16 && format; }
};
const AtomicType kB16{".b16", 16}, kB32{".b32", 32}, kB64{".b64", 64}, kU32{".u32", 32}, kU64{".u64", 64},
    kS32{".s32", 32, true}, kS64{".s64", 64, true}, kF32Type{".f32", 32, true, &kF32},
    kF64Type{".f64", 64, true, &kF64}, kF16Type{".f16", 16, true, &kF16}, kBF16Type{".bf16", 16, true, &kBF16},
    kF16x2{".f16x2", 16, true, &kF16, 2}, kBF16x2{".bf16x2", 16, true, &kBF16, 2};

uint64_t maskOf(unsigned bits) {
  return bits == 64 ? ~0ull : (1ull << bits) - 1;
}

/// The new value of one element. `flush`: f32 in global memory.
uint64_t combined(const std::string &op, const AtomicType &t, uint64_t old, uint64_t b, uint64_t c, bool flush) {
  if (t.format) {
    if (op == ".add")
      return arithmetic(*t.format, Operation::Add, Round::Nearest, old, b, 0, {flush});
    return extremum(*t.format, {op == ".max"}, {old, b});
  }
  uint64_t sign = t.isSigned ? 1ull << (t.bits - 1) : 0;
  bool less = (old ^ sign) < (b ^ sign);
  uint64_t result = op == ".and"    ? old & b
                    : op == ".or"   ? old | b
                    : op == ".xor"  ? old ^ b
                    : op == ".exch" ? b
                    : op == ".cas"  ? (old == b ? c : old)
                    : op == ".add"  ? old + b
                    : op == ".inc"  ? (old >= b ? 0 : old + 1)
                    : op == ".dec"  ? (old == 0 || old > b ? b : old - 1)
                    : op == ".min"  ? (less ? old : b)
                                    : (less ? b : old);
  return result & maskOf(t.bits);
}

uint64_t combinedRegister(const std::string &op, const AtomicType &t, uint64_t old, uint64_t b, uint64_t c,
                          bool flush) {
  uint64_t result = 0;
  for (unsigned e = 0; e < t.packed; ++e) {
    auto part = [&](uint64_t v) { return v >> (t.bits * e) & maskOf(t.bits); };
    result |= combined(op, t, part(old), part(b), part(c), flush) << (t.bits * e);
  }
  return result;
}

const std::vector<std::pair<std::string, std::vector<AtomicType>>> kOperations = {
    {".and", {kB32, kB64}},
    {".or", {kB32, kB64}},
    {".xor", {kB32, kB64}},
    {".exch", {kB32, kB64}},
    {".cas", {kB16, kB32, kB64}},
    {".add", {kU32, kS32, kU64, kF32Type, kF64Type, kF16Type, kBF16Type, kF16x2, kBF16x2}},
    {".inc", {kU32}},
    {".dec", {kU32}},
    {".min", {kU32, kS32, kU64, kS64}},
    {".max", {kU32, kS32, kU64, kS64}}};

/// Values of the memory, the operand and (for cas) the replacement; half the comparisons succeed.
std::vector<Values> tuplesFor(const AtomicType &t, unsigned n) {
  std::vector<Values> tuples = t.format ? tuplesOf(floatValues(t.bits, t.format->mantissaBits), n, t.bits, 60, 200)
                                        : tuplesOf(integerValues(t.bits), n, t.bits, 60, 200);
  for (size_t i = 0; i < tuples.size(); ++i) {
    if (i % 2 && !t.format)
      tuples[i][1] = tuples[i][0];
    if (t.packed > 1)
      for (uint64_t &v : tuples[i])
        v |= (tuples[randomBits() % tuples.size()][0] & 0xffff) << 16;
  }
  return tuples;
}

const char *kShared =
    ".shared .align 16 .b8 box[2048]; .reg .b32 %s, %o; mov.u32 %o, %tid.x; mov.u32 %s, box; mad.lo.u32 "
    "%s, %o, 16, %s; ";

struct Where {
  std::string space, prepare, address, plain; ///< `plain`: the space of the accesses around it
  bool global;
};
const Where kPlaces[] = {{"", "", "%out+32", ".global", true},
                         {".global", "", "%out+32", ".global", true},
                         {".shared", kShared, "%s", ".shared", false},
                         {".shared::cta", kShared, "%s", ".shared", false},
                         {".shared::cluster", kShared, "%s", ".shared", false}};

/// atom: the old value and the new one; red: the new one.
void checkAtomic(const std::string &prefix, const std::string &suffix, const std::string &op, const AtomicType &t,
                 const Where &w, bool reduces) {
  bool isCas = op == ".cas";
  std::string memory = t.bits * t.packed == 16 ? ".b16" : t.reg();
  std::string at = "[" + w.address + "]", text = w.prepare + "st" + w.plain + memory + " " + at + ", %a0; ";
  text += prefix + (reduces ? " " : " %d1, ") + at + ", %a1" + (isCas ? ", %a2" : "") + suffix + "; ld" + w.plain +
          memory + " %d0, " + at + ";";
  checkFormBy(Form::statement(text, std::vector<std::string>(reduces ? 1 : 2, t.reg()),
                              std::vector<std::string>(isCas ? 3 : 2, t.reg())),
              tuplesFor(t, isCas ? 3 : 2), [&](const Values &v, const Values &d) -> std::string {
                uint64_t expected =
                    combinedRegister(op, t, v[0], v[1], isCas ? v[2] : 0, w.global && t.format == &kF32);
                if (!reduces && d[1] != v[0])
                  return "the old value is wrong";
                if (t.format == &kF64)
                  return agree(kF64, d[0], expected);
                return d[0] == expected ? "" : "the new value is wrong";
              });
}

} // namespace

TEST_CASE("atom and red: every operation, type and space") {
  for (const auto &[op, types] : kOperations)
    for (const AtomicType &t : types)
      for (const Where &w : kPlaces) {
        std::string modifiers = w.space + op + (t.isHalf() ? ".noftz" : "") + t.name;
        checkAtomic("atom" + modifiers, "", op, t, w, false);
        if (op != ".cas" && op != ".exch")
          checkAtomic("red" + modifiers, "", op, t, w, true);
      }
}

TEST_CASE("atom and red: every semantics and scope") {
  for (std::string scope : {"", ".cta", ".cluster", ".gpu", ".sys"}) {
    for (const char *semantics : {"", ".relaxed", ".acquire", ".release", ".acq_rel"})
      checkAtomic("atom" + std::string(semantics) + scope + ".global.add.u32", "", ".add", kU32, kPlaces[1], false);
    for (const char *semantics : {"", ".relaxed", ".release"})
      checkAtomic("red" + std::string(semantics) + scope + ".global.max.s64", "", ".max", kS64, kPlaces[1], true);
  }
  Where hinted = kPlaces[1];
  hinted.prepare = ".reg .b64 %p; createpolicy.fractional.L2::evict_last.b64 %p; ";
  checkAtomic("atom.global.add.L2::cache_hint.u32", ", %p", ".add", kU32, hinted, false);
  checkAtomic("red.global.add.L2::cache_hint.f32", ", %p", ".add", kF32Type, hinted, true);
}

TEST_CASE("atom.cas and atom.exch of 128 bits") {
  for (const Where &w : kPlaces) {
    std::string at = "[" + w.address + "]", registers = ".reg .b128 %o1, %b, %c, %old; ";
    std::string before = w.prepare + registers +
                         "mov.b128 %o1, {%a0, %a1}; mov.b128 %b, {%a2, %a3}; mov.b128 %c, {%a4, %a5}; st" + w.plain +
                         ".b128 " + at + ", %o1; ";
    std::string after = "; mov.b128 {%d0, %d1}, %old; ld" + w.plain + ".b64 %d2, " + at + "; ld" + w.plain +
                        ".b64 %d3, [" + w.address + "+8];";
    std::vector<Values> tuples(100);
    for (size_t i = 0; i < tuples.size(); ++i) {
      for (unsigned k = 0; k < 6; ++k)
        tuples[i].push_back(randomBits());
      if (i % 3)
        tuples[i][2] = tuples[i][0], tuples[i][3] = tuples[i][1] ^ (i % 3 == 2);
    }
    for (bool cas : {false, true})
      checkForm(
          Form::statement(before +
                              (cas ? "atom" + w.space + ".cas.b128 %old, " + at + ", %b, %c"
                                   : "atom" + w.space + ".exch.b128 %old, " + at + ", %b") +
                              after,
                          std::vector<std::string>(4, ".b64"), std::vector<std::string>(6, ".b64")),
          tuples, [&](const Values &v) {
            bool equal = v[0] == v[2] && v[1] == v[3];
            return cas ? Values{v[0], v[1], equal ? v[4] : v[0], equal ? v[5] : v[1]} : Values{v[0], v[1], v[2], v[3]};
          });
  }
}

TEST_CASE("atom and red of vectors") {
  struct Row {
    const AtomicType &type;
    unsigned most;
    std::vector<const char *> operations;
  };
  for (const Row &row : {Row{kF32Type, 4, {".add"}}, Row{kF16Type, 8, {".add", ".min", ".max"}},
                         Row{kBF16Type, 8, {".add", ".min", ".max"}}, Row{kF16x2, 4, {".add", ".min", ".max"}},
                         Row{kBF16x2, 4, {".add", ".min", ".max"}}})
    for (std::string op : row.operations)
      for (unsigned n : {2u, 4u, 8u})
        for (const char *space : {"", ".global"})
          for (bool reduces : {false, true}) {
            const AtomicType &t = row.type;
            if (n > row.most)
              continue;
            unsigned bytes = t.bits * t.packed / 8;
            // The operands are the thread's first words, element by element; the memory starts as the words that
            // follow.
            std::string b, old, text = ".reg " + t.reg() + " %b<8>, %o<8>; ";
            // Element by element around the instruction: eight halves are no vector of ld.
            auto each = [&](const char *access, const char *reg, const std::string &base, bool isStore) {
              for (unsigned i = 0; i < n; ++i) {
                std::string name = reg + std::to_string(i), at = "[" + base + "+" + std::to_string(i * bytes) + "]";
                text += access + t.reg() + " " + (isStore ? at + ", " + name : name + ", " + at) + "; ";
              }
            };
            for (unsigned i = 0; i < n; ++i)
              b += (i ? ", %b" : "%b") + std::to_string(i), old += (i ? ", %o" : "%o") + std::to_string(i);
            each("ld.global", "%b", "%in", false);
            each("ld.global", "%o", "%in+32", false);
            each("st.global", "%o", "%out+32", true);
            std::string modifiers =
                std::string(space) + op + (t.isHalf() ? ".noftz" : "") + ".v" + std::to_string(n) + t.name;
            if (reduces) {
              text += "red" + modifiers + " [%out+32], {" + b + "}; ";
            } else {
              text += "atom" + modifiers + " {" + old + "}, [%out+32], {" + b + "}; ";
              each("st.global", "%o", "%out+48", true);
            }
            text += "ld.global.b64 %d0, [%out+32]; ld.global.b64 %d1, [%out+40]; ";
            text += reduces ? "mov.b64 %d2, 0; mov.b64 %d3, 0;"
                            : "ld.global.b64 %d2, [%out+48]; ld.global.b64 %d3, [%out+56];";
            std::vector<Values> tuples(60);
            std::vector<uint64_t> special = floatValues(t.bits, t.format->mantissaBits);
            for (Values &v : tuples) {
              v.resize(8);
              auto *bytesOf = reinterpret_cast<uint8_t *>(v.data());
              for (unsigned at = 0; at < 64; at += t.bits / 8) {
                uint64_t e = randomBits() % 3 ? special[randomBits() % special.size()] : randomBits();
                std::memcpy(bytesOf + at, &e, t.bits / 8);
              }
            }
            checkForm(Form::statement(text, std::vector<std::string>(4, ".b64"), {}), tuples, [&](const Values &v) {
              Values expected(4);
              auto *in = reinterpret_cast<const uint8_t *>(v.data());
              auto *out = reinterpret_cast<uint8_t *>(expected.data());
              for (unsigned i = 0; i < n; ++i) {
                uint64_t x = 0, y = 0;
                std::memcpy(&x, in + 32 + i * bytes, bytes);
                std::memcpy(&y, in + i * bytes, bytes);
                uint64_t z = combinedRegister(op, t, x, y, 0, t.format == &kF32);
                std::memcpy(out + i * bytes, &z, bytes);
                if (!reduces)
                  std::memcpy(out + 16 + i * bytes, &x, bytes);
              }
              return expected;
            });
          }
}

TEST_CASE("atomic additions of many threads lose nothing and see every value once") {
  std::string ptx =
      kernel("  .reg .b64 %at;\n  atom.global.add.u32 %r1, [%out], 1;\n  mad.wide.u32 %at, %r1, 4, %out;\n"
             "  mov.u32 %r2, %ctaid.x;\n  mad.lo.u32 %r2, %r2, 64, %i;\n  st.global.u32 [%at+4], %r2;\n"
             "  red.global.add.u32 [%out+2048], %r2;",
             64);
  for (uint64_t seed : {1, 2, 3}) {
    std::vector<uint32_t> out;
    LaunchResult r = runBody(ptx, 1024, seed, 4, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    CHECK(out[0] == 256);
    CHECK(out[512] == 256 * 255 / 2);
    std::vector<uint32_t> seen(out.begin() + 1, out.begin() + 257), all(256);
    std::sort(seen.begin(), seen.end());
    std::iota(all.begin(), all.end(), 0u);
    CHECK(seen == all);
  }
}

TEST_CASE("multimem on a team of one device") {
  std::vector<Values> tuples;
  for (unsigned i = 0; i < 60; ++i)
    tuples.push_back({randomBits(), randomBits()});
  struct Row {
    const char *type;
    unsigned bytes;
    bool isInteger, canReduce;
    std::vector<const char *> operations;
  };
  const Row rows[] = {{".u32", 4, true, true, {".add", ".min", ".max"}},
                      {".s32", 4, true, true, {".add", ".min", ".max"}},
                      {".u64", 8, true, true, {".add", ".min", ".max"}},
                      {".s64", 8, true, true, {".min", ".max"}},
                      {".b32", 4, true, true, {".and", ".or", ".xor"}},
                      {".b64", 8, true, true, {".and", ".or", ".xor"}},
                      {".f32", 4, false, true, {".add"}},
                      {".f64", 8, false, true, {".add"}},
                      {".f16x2", 4, false, true, {".add", ".min", ".max"}},
                      {".bf16x2", 4, false, true, {".add", ".min", ".max"}},
                      {".e4m3x4", 4, false, false, {".add", ".min", ".max"}},
                      {".e5m2x4", 4, false, false, {".add", ".min", ".max"}}};
  for (const Row &row : rows) {
    std::string reg = ".b" + std::to_string(8 * row.bytes), type = row.type;
    uint64_t mask = maskOf(8 * row.bytes);
    for (std::string op : row.operations)
      for (std::string semantics : {"", ".weak", ".relaxed.gpu", ".acquire.sys"}) {
        bool fp8 = type[1] == 'e', half = type == ".f16x2" || type == ".bf16x2";
        for (std::string precision : {"", ".acc::f32", ".acc::f16"}) {
          if (!precision.empty() && (op != ".add" || !(precision == ".acc::f32" ? half : fp8)))
            continue;
          checkForm(
              Form::statement("multimem.ld_reduce" + semantics + ".global" + op + precision + type + " %d0, [%in];",
                              {reg}, {}),
              tuples, [&](const Values &v) { return Values{v[0] & mask}; });
        }
      }
    for (std::string semantics : {"", ".weak", ".relaxed.gpu", ".release.sys"})
      checkForm(Form::statement("multimem.st" + semantics + ".global" + type + " [%out+32], %a0; ld.global" + reg +
                                    " %d0, [%out+32];",
                                {reg}, {reg}),
                tuples, [&](const Values &v) { return Values{v[0] & mask}; });
  }
  checkForm(Form::statement("multimem.red.release.sys.global.add.u32 [%out+32], %a0; ld.global.b32 %d0, [%out+32];",
                            {".b32"}, {".b32"}),
            tuples, [](const Values &v) { return Values{v[0] & 0xffffffff}; });
  checkForm(Form::statement(
                ".reg .b32 %v<4>; multimem.ld_reduce.relaxed.gpu.global.add.v4.f32 {%v0, %v1, %v2, %v3}, [%in]; "
                "multimem.st.relaxed.gpu.global.v4.f32 [%out+32], {%v0, %v1, %v2, %v3}; ld.global.b64 %d0, [%out+40];",
                {".b64"}, {}),
            tuples, [](const Values &v) { return Values{v[1]}; });
}

namespace {

/// CTA 0 of a cluster of two sends to CTA 1, which waits on its mbarrier for `bytes` and copies 16 bytes out.
std::string remoteKernel(const std::string &send, unsigned bytes, const std::string &extra = "") {
  return ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 box[64];\n.shared .align 8 .b64 bar;\n"
         ".visible .entry k(.param .u64 out)\n.reqntid 32\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n"
         "  .reg .b64 %out, %wide, %st, %data<4>;\n  .reg .b32 %rank, %box, %bar, %there, %theirbar, %v<8>, %i, %t;\n"
         "  .reg .pred %p, %q, %first;\n  ld.param.u64 %out, [out];\n  mov.u32 %rank, %cluster_ctarank;\n  mov.u32 %i, "
         "%tid.x;\n"
         "  setp.eq.u32 %first, %i, 0;\n  mov.u32 %box, box;\n  mov.u32 %bar, bar;\n"
         "  @%first mbarrier.init.shared.b64 [bar], 1;\n  @%first mbarrier.arrive.expect_tx.shared.b64 %st, [bar], " +
         std::to_string(bytes) +
         ";\n  shl.b32 %t, %i, 1;\n  add.u32 %t, %box, %t;\n  st.shared.u16 [%t], 0x0101;\n  "
         "fence.mbarrier_init.release.cluster;\n"
         "  barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;\n  setp.ne.u32 %p, %rank, 0;\n  @%p bra "
         "RECEIVE;\n"
         "  @!%first bra DONE;\n  mapa.shared::cluster.u32 %there, %box, 1;\n  mapa.shared::cluster.u32 %theirbar, "
         "%bar, 1;\n" +
         extra + "  " + send +
         "\n  bra DONE;\nRECEIVE:\nPOLL: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;\n  @!%q bra POLL;\n"
         "  @!%first bra DONE;\n  ld.shared.v2.b64 {%data0, %data1}, [%box];\n  st.global.v2.b64 [%out], {%data0, "
         "%data1};\nDONE:\n"
         "  barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;\n  ret;\n}\n";
}

std::vector<uint64_t> runRemote(const std::string &ptx, uint64_t seed) {
  Run run(ptx);
  uint64_t out = run.buffer(std::vector<uint64_t>(2));
  run.argument(out);
  run.options.grid = {2, 1, 1};
  run.options.seed = seed;
  LaunchResult r = run.launch();
  INFO(ptx << (r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  return run.read<uint64_t>(out, 2);
}

constexpr uint64_t kFilled = 0x0101010101010101;

} // namespace

TEST_CASE("st.async to another CTA's shared memory") {
  struct Row {
    const char *type, *operand;
    unsigned bytes;
    uint64_t low, high;
  };
  const Row rows[] = {{".b32", "0x11223344", 4, 0x0101010111223344, kFilled},
                      {".u32", "%v0", 4, 0x0101010100000007, kFilled},
                      {".s32", "-2", 4, 0x01010101fffffffe, kFilled},
                      {".f32", "1.0", 4, 0x010101013f800000, kFilled},
                      {".b64", "%data2", 8, 99, kFilled},
                      {".s64", "-1", 8, ~0ull, kFilled},
                      {".u64", "%data2", 8, 99, kFilled},
                      {".f64", "1.0", 8, 0x3ff0000000000000, kFilled},
                      {".v2.b32", "{%v0, 8}", 8, 0x0000000800000007, kFilled},
                      {".v4.u32", "{%v0, 8, 9, 10}", 16, 0x0000000800000007, 0x0000000a00000009},
                      {".v2.b64", "{%data2, 5}", 16, 99, 5}};
  for (const Row &row : rows)
    for (std::string semantics : {".weak", ""}) {
      std::string ptx = remoteKernel("st.async" + semantics + ".shared::cluster.mbarrier::complete_tx::bytes" +
                                         row.type + " [%there], " + row.operand + ", [%theirbar];",
                                     row.bytes, "  mov.u32 %v0, 7;\n  mov.u64 %data2, 99;\n");
      addGenerated(ptx);
      for (uint64_t seed : {0, 1, 2})
        CHECK(runRemote(ptx, seed) == std::vector<uint64_t>{row.low, row.high});
    }
}

TEST_CASE("red.async to another CTA's shared memory") {
  struct Row {
    const char *operation, *type, *operand;
    unsigned bytes;
    uint64_t low;
  };
  const uint64_t top = 0x0101010100000000;
  const Row rows[] = {{".inc", ".u32", "100", 4, top},
                      {".inc", ".u32", "0x7fffffff", 4, top | 0x01010102},
                      {".dec", ".u32", "0x7fffffff", 4, top | 0x01010100},
                      {".min", ".u32", "5", 4, top | 5},
                      {".min", ".s32", "-5", 4, top | 0xfffffffb},
                      {".max", ".s32", "-5", 4, top | 0x01010101},
                      {".max", ".u32", "0xffffffff", 4, top | 0xffffffff},
                      {".and", ".b32", "0xff00", 4, top | 0x0100},
                      {".or", ".b32", "0xf0", 4, top | 0x010101f1},
                      {".xor", ".b32", "0xffffffff", 4, top | 0xfefefefe},
                      {".add", ".u32", "1", 4, top | 0x01010102},
                      {".add", ".s32", "-1", 4, top | 0x01010100},
                      {".add", ".u64", "%data2", 8, kFilled + 99}};
  for (const Row &row : rows) {
    std::string ptx =
        remoteKernel("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes" +
                         std::string(row.operation) + row.type + " [%there], " + row.operand + ", [%theirbar];",
                     row.bytes, "  mov.u64 %data2, 99;\n");
    addGenerated(ptx);
    for (uint64_t seed : {0, 1, 2})
      CHECK(runRemote(ptx, seed) == std::vector<uint64_t>{row.low, kFilled});
  }
}

TEST_CASE("st.async and red.async to global memory, st.bulk to shared memory") {
  for (const char *scope : {".gpu", ".sys"})
    for (const char *type : {".b32", ".u32", ".s32", ".f32"}) {
      std::string ptx =
          ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out)\n.reqntid 32\n{\n  .reg "
          ".b64 %out, %at;\n  .reg .b32 %i;\n  ld.param.u64 %out, [out];\n  mov.u32 %i, %tid.x;\n  mad.wide.u32 %at, "
          "%i, "
          "4, %out;\n  st.async.release" +
          std::string(scope) + ".global" + type + " [%at], %i;\n  red.async.release" + scope +
          ".global.add.u32 [%out+128], 3;\n  ret;\n}\n";
      addGenerated(ptx);
      std::vector<uint32_t> out, expected(33, 96);
      std::iota(expected.begin(), expected.end() - 1, 0u);
      LaunchResult r = runBody(ptx, 33, 5, 1, &out);
      INFO((r.ok() ? "" : r.diagnostics[0].render()));
      REQUIRE(r.ok());
      CHECK(out == expected);
    }
  for (const char *space : {".weak.shared::cta", "", ".shared::cta"}) {
    std::string address = std::string(space).empty() ? "%g" : "%s";
    std::string ptx =
        ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 box[128];\n.visible .entry k(.param "
        ".u64 "
        "out)\n.reqntid 1\n{\n  .reg .b64 %out, %n, %g;\n  .reg .b32 %s, %a, %b;\n  ld.param.u64 %out, [out];\n  "
        "mov.u32 "
        "%s, box;\n  cvt.u64.u32 %g, %s;\n  cvta.shared.u64 %g, %g;\n  mov.u64 %n, 40;\n  st.shared.u32 [%s+36], "
        "7;\n  st.shared.u32 [%s+40], 7;\n  st.bulk" +
        std::string(space) + " [" + address +
        "], %n, 0;\n  ld.shared.u32 %a, [%s+36];\n  ld.shared.u32 %b, [%s+40];\n  st.global.v2.u32 [%out], {%a, %b};\n "
        " "
        "ret;\n}\n";
    addGenerated(ptx);
    std::vector<uint32_t> out;
    LaunchResult r = runBody(ptx, 2, 1, 1, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    CHECK(out == std::vector<uint32_t>{0, 7});
  }
}
