//===- TensorMemoryTest.cpp - Tensor memory: moves, copies, allocation, order -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "TensorProgram.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct Cell {
  unsigned lane, column;
};

/// Where register r of thread t of a warp lies, from the ISA's figures; `column` counts 32-bit elements of a row, of
/// the second half when the lane is at least 16 in .16x32bx2.
struct Shape {
  const char *name, *count;
  unsigned registers, lanes;
  std::function<Cell(unsigned t, unsigned r)> cell;
  bool halves = false;
};

const Shape kShapes[] = {
    {".32x32b", ".x4", 4, 32,
     [](unsigned t, unsigned r) {
       return Cell{t, r};
     }},
    // Two neighbouring threads take rows 8 apart; the pairs alternate between the two columns.
    {".16x64b", ".x4", 4, 16,
     [](unsigned t, unsigned r) {
       return Cell{t / 4 + t % 2 * 8, t % 4 / 2 + 2 * r};
     }},
    {".16x128b", ".x2", 4, 16,
     [](unsigned t, unsigned r) {
       return Cell{t / 4 + r % 2 * 8, t % 4 + r / 2 * 4};
     }},
    {".16x256b", ".x2", 8, 16,
     [](unsigned t, unsigned r) {
       return Cell{t / 4 + r % 4 / 2 * 8, t % 4 * 2 + r % 2 + r / 4 * 8};
     }},
    {".16x32bx2", ".x4", 4, 16,
     [](unsigned t, unsigned r) {
       return Cell{t % 16, r};
     },
     true},
};
constexpr unsigned kColumns = 64, kFirst = 8, kSplit = 24;

TensorProgram emptyProgram() {
  TensorProgram p;
  p.shared = {std::vector<uint8_t>(4096)};
  p.tensor = {TensorImage(kColumns)};
  for (unsigned lane = 0; lane < 128; ++lane)
    for (unsigned c = 0; c < kColumns; ++c)
      p.tensor[0].at(lane, c) = (lane << 8 | c) * 0x10001u ^ 0x55aa0000u;
  p.out.assign(4096, 0);
  return p;
}

std::string registerList(unsigned n) {
  std::string s = "{";
  for (unsigned r = 0; r < n; ++r)
    s += (r ? ", %v" : "%v") + std::to_string(r);
  return s + "}";
}

/// The address of the move: the warp's lanes (the upper half of them when `upper`), column kFirst.
std::string moveAddress(const Shape &s, bool upper) {
  return "add.u32 %column, %window, " + std::to_string((upper && s.lanes == 16 ? 16u << 16 : 0) + kFirst) + ";\n  ";
}

/// The physical cell of half-word `half` of a register (of the whole word when not packed).
Cell physical(const Shape &s, unsigned thread, unsigned r, bool upper, bool packed, unsigned half) {
  Cell c = s.cell(thread % 32, r);
  c.lane += thread / 32 * 32 + (upper && s.lanes == 16 ? 16 : 0);
  c.column = kFirst + (s.halves && thread % 32 >= 16 ? kSplit : 0) + (packed ? c.column * 2 + half : c.column);
  return c;
}

void requireClean(const LaunchResult &r) {
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
}

template <class F>
void eachMove(F &&f) {
  for (const Shape &s : kShapes)
    for (bool packed : {false, true})
      for (bool upper : {false, true})
        f(s, packed, upper);
}

} // namespace

TEST_CASE("tcgen05.ld reads the fragments of the ISA's figures") {
  eachMove([](const Shape &s, bool packed, bool upper) {
    TensorProgram p = emptyProgram();
    unsigned n = s.registers;
    p.everyThread = moveAddress(s, upper) + "tcgen05.ld.sync.aligned" + s.name + s.count +
                    (packed ? ".pack::16b" : "") + ".b32 " + registerList(n) + ", [%column]" +
                    (s.halves ? ", " + std::to_string(kSplit) : "") +
                    ";\n  tcgen05.wait::ld.sync.aligned;\n  mul.wide.u32 %off, %t, " + std::to_string(4 * n) +
                    ";\n  add.u64 %off, %out, %off;\n";
    for (unsigned r = 0; r < n; ++r)
      p.everyThread += "  st.global.b32 [%off+" + std::to_string(4 * r) + "], %v" + std::to_string(r) + ";\n";
    INFO(p.everyThread);
    addGenerated(p.text());
    requireClean(p.run());
    bool correct = true;
    for (unsigned t = 0; t < 128; ++t)
      for (unsigned r = 0; r < n; ++r) {
        auto word = [&](unsigned half) {
          Cell c = physical(s, t, r, upper, packed, half);
          return p.tensor[0].at(c.lane, c.column);
        };
        correct &= p.out[t * n + r] == (packed ? (word(0) & 0xffff) | word(1) << 16 : word(0));
      }
    CHECK(correct);
  });
}

TEST_CASE("tcgen05.st writes the fragments of the ISA's figures") {
  eachMove([](const Shape &s, bool packed, bool upper) {
    TensorProgram p = emptyProgram();
    TensorImage expected = p.tensor[0];
    unsigned n = s.registers;
    for (unsigned r = 0; r < n; ++r)
      p.everyThread +=
          "mad.lo.u32 %v" + std::to_string(r) + ", %t, 0x20003, " + std::to_string(0x10000 * r + 7) + ";\n  ";
    p.everyThread += moveAddress(s, upper) + "tcgen05.st.sync.aligned" + s.name + s.count +
                     (packed ? ".unpack::16b" : "") + ".b32 [%column], " +
                     (s.halves ? std::to_string(kSplit) + ", " : "") + registerList(n) +
                     ";\n  tcgen05.wait::st.sync.aligned;\n";
    INFO(p.everyThread);
    addGenerated(p.text());
    for (unsigned t = 0; t < 128; ++t)
      for (unsigned r = 0; r < n; ++r)
        for (unsigned half = 0; half < (packed ? 2u : 1u); ++half) {
          uint32_t v = t * 0x20003 + 0x10000 * r + 7;
          Cell c = physical(s, t, r, upper, packed, half);
          expected.at(c.lane, c.column) = packed ? v >> 16 * half & 0xffff : v;
        }
    requireClean(p.run());
    CHECK(p.tensor[0].words == expected.words);
  });
}

TEST_CASE("tcgen05.ld.red reduces what a thread loads") {
  struct Reduction {
    const char *modifiers, *type;
    std::function<uint32_t(uint32_t, uint32_t)> op;
  };
  auto f = [](uint32_t v) { return std::bit_cast<float>(v); };
  const Reduction reductions[] = {
      {".min", ".u32", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
      {".max", ".s32",
       [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b; }},
      {".max", ".f32", [&](uint32_t a, uint32_t b) { return f(a) > f(b) ? a : b; }},
      {".min.abs", ".f32", [&](uint32_t a, uint32_t b) { return std::min(a & 0x7fffffff, b & 0x7fffffff); }},
  };
  for (const Reduction &red : reductions)
    for (bool halves : {false, true}) {
      TensorProgram p = emptyProgram();
      p.target = "sm_103a";
      for (uint32_t &w : p.tensor[0].words)
        w = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(w * 2654435761u >> 20) - 2048));
      p.everyThread = "add.u32 %column, %window, 8;\n  tcgen05.ld.red.sync.aligned" +
                      std::string(halves ? ".16x32bx2" : ".32x32b") + ".x4" + red.modifiers + red.type +
                      " {%v0, %v1, %v2, %v3}, %v4, [%column]" + (halves ? ", 24" : "") +
                      ";\n  tcgen05.wait::ld.sync.aligned;\n  mul.wide.u32 %off, %t, 4;\n  add.u64 %off, %out, %off;\n"
                      "  st.global.b32 [%off], %v4;\n";
      INFO(p.everyThread);
      addGenerated(p.text());
      requireClean(p.run());
      bool correct = true;
      for (unsigned t = 0; t < 128; ++t) {
        unsigned lane = halves ? t / 32 * 32 + t % 16 : t, first = halves && t % 32 >= 16 ? 32 : 8;
        bool abs = std::string(red.modifiers) == ".min.abs";
        uint32_t v = p.tensor[0].at(lane, first) & (abs ? 0x7fffffff : ~0u);
        for (unsigned c = 1; c < 4; ++c)
          v = red.op(v, p.tensor[0].at(lane, first + c));
        correct &= p.out[t] == v;
      }
      CHECK(correct);
    }
}

namespace {

struct CopyCase {
  const char *shape;
  unsigned rows, bytes;
  std::function<std::vector<unsigned>(unsigned row)> lanes; ///< that receive a row
  unsigned lane = 0;
};

const CopyCase kCopies[] = {
    {".128x256b", 128, 32, [](unsigned r) { return std::vector<unsigned>{r}; }},
    {".128x128b", 128, 16, [](unsigned r) { return std::vector<unsigned>{r}; }},
    {".4x256b", 4, 32, [](unsigned r) { return std::vector<unsigned>{32 * r + 31}; }, 31},
    {".64x128b.warpx2::02_13", 64, 16,
     [](unsigned r) {
       return std::vector<unsigned>{r, r + 64};
     }},
    {".64x128b.warpx2::01_23", 64, 16,
     [](unsigned r) {
       return std::vector<unsigned>{r / 32 * 64 + r % 32, r / 32 * 64 + r % 32 + 32};
     }},
    {".32x128b.warpx4", 32, 16,
     [](unsigned r) {
       return std::vector<unsigned>{r, r + 32, r + 64, r + 96};
     }},
};

} // namespace

TEST_CASE("tcgen05.cp copies every shape, multicast, decompressed and for pairs") {
  for (const CopyCase &c : kCopies)
    for (const char *format : {"", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"})
      for (unsigned ctas : {1u, 2u}) {
        TensorProgram p = emptyProgram();
        p.ctas = ctas;
        p.shared.resize(ctas, p.shared[0]);
        p.tensor.resize(ctas, p.tensor[0]);
        std::vector<TensorImage> expected = p.tensor;
        // Eight rows of 16 bytes are contiguous, the second 16 bytes of a row lie 128 bytes on.
        unsigned stride = 8 * c.bytes;
        p.a = 1ull << 46 | 128ull >> 4 << 16 | uint64_t(stride >> 4) << 32;
        unsigned bits = *format == 0 ? 8 : format[8] == '4' ? 4 : 6, up = bits == 4 ? 2 : 0;
        for (unsigned cta = 0; cta < ctas; ++cta)
          for (unsigned row = 0; row < c.rows; ++row)
            for (unsigned byte = 0; byte < c.bytes; ++byte) {
              unsigned value = (row * 37 + byte * 11 + cta * 5) & ((1u << bits) - 1);
              unsigned start = row / 8 * stride + row % 8 * 16 + byte / 16 * 128, bit = byte % 16 * bits;
              for (unsigned b = 0; b < bits; ++b)
                p.shared[cta][start + (bit + b) / 8] =
                    static_cast<uint8_t>(p.shared[cta][start + (bit + b) / 8] | (value >> b & 1) << (bit + b) % 8);
              for (unsigned lane : c.lanes(row)) {
                uint32_t &word = expected[cta].at(lane, 16 + byte / 4);
                word = (word & ~(0xffu << byte % 4 * 8)) | value << up << byte % 4 * 8;
              }
            }
        p.instruction = "add.u32 %x, %d, " + std::to_string((c.lane << 16) + 16) +
                        ";\n  tcgen05.cp.cta_group::" + std::to_string(ctas) + c.shape + format + " [%x], %a;";
        INFO(p.instruction);
        addGenerated(p.text());
        requireClean(p.run());
        for (unsigned cta = 0; cta < ctas; ++cta)
          CHECK(p.tensor[cta].words == expected[cta].words);
      }
}

TEST_CASE("tcgen05.shift moves the rows of a window down") {
  for (unsigned ctas : {1u, 2u}) {
    TensorProgram p = emptyProgram();
    p.ctas = ctas;
    p.shared.resize(ctas, p.shared[0]);
    p.tensor.resize(ctas, p.tensor[0]);
    TensorImage expected = p.tensor[0];
    for (unsigned lane = 64; lane < 95; ++lane)
      for (unsigned c = 16; c < 24; ++c)
        expected.at(lane, c) = p.tensor[0].at(lane + 1, c);
    p.instruction = "add.u32 %x, %d, 0x400010;\n  tcgen05.shift.cta_group::" + std::to_string(ctas) + ".down [%x];";
    addGenerated(p.text());
    requireClean(p.run());
    for (unsigned cta = 0; cta < ctas; ++cta)
      CHECK(p.tensor[cta].words == expected.words);
  }
}

//===----------------------------------------------------------------------===//
// Allocation and order: programs with a mistake, and their corrected twins
//===----------------------------------------------------------------------===//

namespace {

/// `kind` lists what may be found: which of two instructions finds the other depends on the schedule.
struct Twin {
  const char *kind, *broken, *corrected;
};

/// 128 threads; warp 0 has allocated 64 columns at %d and frees them at the end. %w is %d plus the warp's lanes; [bar]
/// is an mbarrier for one arrival; %p1: not warp 0, %p2: not thread 0, %p3: not thread 32.
std::string frame(const std::string &body) {
  return ".version 8.8\n.target sm_100a\n.address_size 64\n.shared .align 8 .b64 bar;\n.shared .align 4 .b32 where;\n"
         ".shared .align 4 .b32 more;\n.visible .entry k(.param .u64 out)\n.reqntid 128, 1, 1\n{\n  .reg .b32 %d, %w, "
         "%i, "
         "%r<8>;\n  .reg .pred %p<8>;\n  mov.u32 %i, %tid.x;\n  setp.ge.u32 %p1, %i, 32;\n  setp.ne.u32 %p2, %i, 0;\n"
         "  setp.ne.u32 %p3, %i, 32;\n  @%p2 bra INITIALIZED;\n  mbarrier.init.shared.b64 [bar], 1;\nINITIALIZED:\n"
         "  @%p1 bra ALLOCATED;\n  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 64;\nALLOCATED:\n"
         "  bar.sync 0;\n  ld.shared.u32 %d, [where];\n  shr.u32 %w, %i, 5;\n  shl.b32 %w, %w, 21;\n"
         "  add.u32 %w, %w, %d;\n" +
         body +
         "\n  tcgen05.fence::before_thread_sync;\n  bar.sync 0;\n  @%p1 bra END;\n"
         "  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 64;\nEND:\n  ret;\n}\n";
}

#define STORE "tcgen05.st.sync.aligned.32x32b.x8.b32 [%w], {%i, %i, %i, %i, %i, %i, %i, %i};\n"
#define STORED "tcgen05.wait::st.sync.aligned;\n"
#define LOAD "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%w];\n"
#define LOADED "tcgen05.wait::ld.sync.aligned;\n"
#define BEFORE "tcgen05.fence::before_thread_sync;\n"
#define AFTER "tcgen05.fence::after_thread_sync;\n"
#define BARRIER "bar.sync 0;\n"
#define SHIFT "@%p2 bra S; tcgen05.shift.cta_group::1.down [%d+0x200000];\n"
#define COMMIT "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];\n"
#define WAIT "W: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra W;\n"

const Twin kTwins[] = {
    {"missing-tensor-wait", STORE LOAD LOADED, STORE STORED LOAD LOADED},
    {"missing-tensor-wait", STORE STORED LOAD "tcgen05.st.sync.aligned.32x32b.x1.b32 [%w], {%i};\n" LOADED STORED,
     STORE STORED LOAD LOADED "tcgen05.st.sync.aligned.32x32b.x1.b32 [%w], {%i};\n" STORED},
    {"missing-tensor-wait missing-tensor-fence", STORE BEFORE BARRIER AFTER SHIFT COMMIT "S:" STORED WAIT,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT},
    // The shift by thread 0 is of the lanes of warp 1.
    {"missing-tensor-fence", STORE STORED BARRIER AFTER SHIFT COMMIT "S:" WAIT,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT},
    {"missing-tensor-fence", STORE STORED BEFORE BARRIER SHIFT COMMIT "S:" WAIT,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT},
    {"data-race async-in-flight", STORE STORED BEFORE AFTER SHIFT COMMIT "S:" WAIT,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT},
    {"missing-tensor-fence", STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT LOAD LOADED,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT AFTER LOAD LOADED},
    {"async-in-flight data-race", STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" AFTER LOAD LOADED WAIT,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT AFTER LOAD LOADED},
    // A commit follows what its own thread has issued.
    {"async-in-flight data-race",
     STORE STORED BEFORE BARRIER AFTER SHIFT "S: @%p3 bra C;\n" COMMIT "C:" WAIT AFTER LOAD LOADED,
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT AFTER LOAD LOADED},
    {"missing-tensor-wait", STORE STORED LOAD, STORE STORED LOAD LOADED},
    {"uninitialized-tensor-memory", LOAD LOADED, STORE STORED LOAD LOADED},
    {"missing-tensor-wait", STORE STORED LOAD "mov.u32 %r2, %r1;\n" LOADED,
     STORE STORED LOAD LOADED "mov.u32 %r2, %r1;\n"},
    {"divergence", STORE STORED BEFORE BARRIER AFTER "@%p1 bra S; tcgen05.shift.cta_group::1.down [%d];\nS:",
     STORE STORED BEFORE BARRIER AFTER SHIFT COMMIT "S:" WAIT},
    // Allocation.
    {"tensor-memory", "@%p1 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [more], 32;\nA:",
     "@%p1 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [more], 32;\n"
     "ld.shared.u32 %r1, [more]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;\nA:"},
    {"tensor-memory",
     "@%p1 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [more], 128;\n"
     "ld.shared.u32 %r1, [more]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;\nA:",
     "@%p1 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [more], 64;\n"
     "ld.shared.u32 %r1, [more]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;\nA:"},
    {"tensor-memory", "@%p1 bra A; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 32;\nA:", ""},
    {"tensor-memory", "@%p1 bra A; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %d, 64;\nA:", ""},
    {"tensor-memory",
     "@%p1 bra A; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
     "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [more], 32;\nA:",
     "@%p1 bra A; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nA:"},
    {"tensor-memory", "@%p1 bra A; tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;\nA:",
     "@%p1 bra A; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nA:"},
    {"tensor-memory", "add.u32 %w, %w, 64;\n" STORE STORED, "add.u32 %w, %w, 56;\n" STORE STORED},
    {"tensor-memory",
     "add.u32 %w, %w, 0x200000;\nsetp.gt.u32 %p5, %i, 95; @%p5 bra A;\n" STORE STORED "A:", STORE STORED},
};

} // namespace

TEST_CASE("tensor memory: every check finds its mistake and passes the corrected twin") {
  for (const Twin &t : kTwins) {
    INFO(t.kind << ":\n" << t.broken);
    std::string found;
    for (uint64_t seed = 1; seed <= 10 && found.empty(); ++seed)
      found = verdict(runBody(frame(t.broken), 16, seed));
    CHECK(!found.empty());
    CHECK(std::string(t.kind).find(found) != std::string::npos);
    addGenerated(frame(t.corrected));
    for (uint64_t seed = 0; seed < 100; ++seed) {
      LaunchResult r = runBody(frame(t.corrected), 16, seed);
      if (!r.ok()) {
        INFO(t.corrected << "\n" << r.diagnostics[0].render());
        CHECK(r.ok());
        break;
      }
    }
  }
}
