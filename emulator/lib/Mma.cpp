//===- Mma.cpp - Executing mma.sync --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mma.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MatrixElements.h"
#include "MmaTypes.h"

namespace ptxemu {

namespace {

// Every m8n8 and m16n8 fragment follows one rule. A lane has a group g = lane / 4 and a place t = lane % 4. A register
// holds P consecutive (stored) elements along k; A's registers alternate rows g and g + 8 (m16 only), then step 4P
// along k; B's step 4P along k in column g; C holds columns 2t, 2t + 1 of row g, then of row g + 8.

constexpr unsigned kMaxK = 256;

struct Tiles {
  double a[16][kMaxK], b[kMaxK][8];
};

/// Decodes the elements of one register.
class RegisterElements {
public:
  RegisterElements(const MmaInfo &i, Type t)
      : count(i.registerBits / i.containerBits), bits(i.containerBits), shift(i.mixedWidths() ? containerShift(t) : 0),
        decode(t) {}
  double operator()(uint64_t word, unsigned e) const { return decode(word >> (e * bits + shift)); }

  unsigned count;

private:
  unsigned bits, shift;
  ElementDecoder decode;
};

void readA(Exec &x, const MmaInfo &i, double (*a)[kMaxK]) {
  RegisterElements element(i, i.a);
  unsigned per = element.count, rows = i.shape.m / 8;
  for (unsigned r = 0; r < i.aRegisters; ++r) {
    const Lanes &s = x.s(r);
    unsigned rowOffset = rows == 2 ? (r & 1) * 8 : 0, block = rows == 2 ? r >> 1 : r;
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < per; ++e)
        a[l / 4 + rowOffset][block * 4 * per + l % 4 * per + e] = element(s[l], e);
  }
}

void readB(Exec &x, const MmaInfo &i, double (*b)[8]) {
  RegisterElements element(i, i.b);
  unsigned per = element.count;
  for (unsigned r = 0; r < i.bRegisters; ++r) {
    const Lanes &s = x.s(i.aRegisters + r);
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < per; ++e)
        b[r * 4 * per + l % 4 * per + e][l / 4] = element(s[l], e);
  }
}

//===----------------------------------------------------------------------===//
// Sparsity
//===----------------------------------------------------------------------===//

/// Puts the stored elements of the sparse rows where they belong.
void spread(Exec &x, const MmaInfo &i, double (*a)[kMaxK]) {
  const Lanes &e = x.s(i.aRegisters + i.bRegisters + i.cRegisters);
  SparseGranularity g = i.granularity();
  unsigned chunk = chunkElements(g), positions[4];
  for (unsigned row = 0; row < i.shape.m; ++row) {
    double stored[kMaxK / 2];
    std::copy_n(a[row], i.storedDepth(), stored);
    std::fill_n(a[row], i.shape.k, 0.0);
    unsigned chunks = i.shape.k / chunk;
    for (unsigned c = 0; c < chunks; ++c) {
      unsigned bits = warpMetadata(e.v, bitWidth(i.a) >= 16, chunks, i.selector, row, c);
      if (!storedPositions(g, bits, i.orderedMetadata, positions))
        throw Fault{"sparsity-metadata",
                    "the metadata of row " + std::to_string(row) + " has the value " + std::to_string(bits) +
                        " for chunk " + std::to_string(c) + ", which says nothing",
                    -1};
      for (unsigned n = 0; n < chunk / 2; ++n)
        a[row][c * chunk + positions[n]] = stored[c * chunk / 2 + n];
    }
  }
}

//===----------------------------------------------------------------------===//
// Scale factors
//===----------------------------------------------------------------------===//

/// A byte selector and a thread selector of one operand, the same in all lanes.
struct ScaleSelector {
  unsigned byte, thread;

  ScaleSelector(Exec &x, unsigned source, const MmaInfo &i, unsigned threads)
      : byte(static_cast<uint16_t>(x.s(source)[0])), thread(static_cast<uint16_t>(x.s(source + 1)[0])) {
    for (unsigned l = 1; l < 32; ++l)
      if (static_cast<uint16_t>(x.s(source)[l]) != byte || static_cast<uint16_t>(x.s(source + 1)[l]) != thread)
        throw Fault{"divergence", "the lanes of the warp give different scale selectors", static_cast<int>(l)};
    if (byte > 3 || byte % i.scales || thread >= threads)
      throw Fault{"scale-factors",
                  "there are no scale factors at byte " + std::to_string(byte) + " of thread " + std::to_string(thread),
                  -1};
  }
};

double scaleOf(const MmaInfo &i, const ElementDecoder &decode, uint64_t word, unsigned byte) {
  return decode(word >> byte * 8 & (i.scale == Type::UE4M3 ? 0x7f : 0xff));
}

/// Multiplies A's rows and B's columns by their factors. The two lower lanes of a group of four, or the two upper,
/// give those of rows g and g + 8; one lane gives those of column g.
void scale(Exec &x, const MmaInfo &i, Tiles &t) {
  unsigned first = i.aRegisters + i.bRegisters + i.cRegisters + i.sparse;
  ScaleSelector a(x, first + 1, i, 2), b(x, first + 4, i, 4);
  ElementDecoder decode(i.scale);
  const Lanes &dataA = x.s(first), &dataB = x.s(first + 3);
  unsigned each = i.shape.k / i.scales;
  for (unsigned k = 0; k < i.shape.k; ++k) {
    for (unsigned row = 0; row < 16; ++row)
      t.a[row][k] *= scaleOf(i, decode, dataA[row % 8 * 4 + a.thread * 2 + row / 8], a.byte + k / each);
    for (unsigned column = 0; column < 8; ++column)
      t.b[k][column] *= scaleOf(i, decode, dataB[column * 4 + b.thread], b.byte + k / each);
  }
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

void readC(Exec &x, const MmaInfo &i, double (*c)[8]) {
  for (unsigned r = 0; r < i.cRegisters; ++r) {
    const Lanes &s = x.s(i.aRegisters + i.bRegisters + r);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      if (i.c == Type::F16) {
        for (unsigned e = 0; e < 2; ++e)
          c[g + 8 * r][2 * t + e] = decodeAccumulator(i.c, s[l] >> (16 * e));
      } else {
        c[g + 8 * (r >> 1)][2 * t + (r & 1)] = decodeAccumulator(i.c, s[l]);
      }
    }
  }
}

void writeD(Exec &x, const MmaInfo &i, const double (*d)[8]) {
  for (unsigned r = 0; r < i.dRegisters; ++r) {
    Lanes &out = x.d(r);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned g = l / 4, t = l % 4;
      if (i.d == Type::F16)
        out[l] = encodeAccumulator(i.d, d[g + 8 * r][2 * t], i.saturate) |
                 encodeAccumulator(i.d, d[g + 8 * r][2 * t + 1], i.saturate) << 16;
      else
        out[l] = encodeAccumulator(i.d, d[g + 8 * (r >> 1)][2 * t + (r & 1)], i.saturate);
    }
  }
}

/// Products are exact in double and so, within 29 spare bits, are their sums; one rounding at the end. The ISA leaves
/// the order and precision of the accumulation open, except for .f64: a fused multiply-add each.
void accumulate(const MmaInfo &i, const Tiles &t, double (*c)[8]) {
  HostRounding rounding(i.rounding);
  for (unsigned row = 0; row < i.shape.m; ++row)
    for (unsigned k = 0; k < i.shape.k; ++k) {
      double v = t.a[row][k];
      for (unsigned column = 0; column < 8; ++column) {
        double w = t.b[k][column], &sum = c[row][column];
        if (i.isBinary)
          sum += i.binaryAnd ? v != 0 && w != 0 : v != w;
        else if (i.d == Type::F64)
          sum = std::fma(v, w, sum);
        else
          sum += v * w;
      }
    }
}

} // namespace

void executeMma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<MmaInfo>();
  static thread_local Tiles tiles;
  double c[16][8];
  readA(x, i, tiles.a);
  readB(x, i, tiles.b);
  readC(x, i, c);
  if (i.sparse)
    spread(x, i, tiles.a);
  if (i.scales)
    scale(x, i, tiles);
  accumulate(i, tiles, c);
  writeD(x, i, c);
  x.machine.counters().mmaOperations += static_cast<uint64_t>(i.shape.m) * i.shape.n * i.shape.k;
}

//===----------------------------------------------------------------------===//
// m8n8k4 with .f16: lanes 4q … 4q + 3 and 16 more make multiplication q; the upper lanes have the upper half of the
// rows (or columns)
//===----------------------------------------------------------------------===//

namespace {

struct QuadPair {
  double a[8][4], b[4][8], c[8][8];
};

struct ElementPlace {
  unsigned row, column;
};
/// Element e of an accumulator fragment.
ElementPlace accumulatorPlace(Type t, unsigned lane, unsigned e) {
  unsigned high = lane >= 16 ? 4 : 0;
  if (t == Type::F16)
    return {lane % 4 + high, e};
  return {(lane & 1) + (e & 2) + high, (e & 4) + (lane & 2) + (e & 1)};
}

uint64_t accumulatorBits(const Lanes &word, Type t, unsigned lane, unsigned e) {
  return t == Type::F16 ? word[lane] >> (e % 2 * 16) : word[lane];
}

void readQuadPair(Exec &x, const MmaInfo &i, unsigned lane, QuadPair &q) {
  unsigned place = lane % 4, high = lane >= 16 ? 4 : 0;
  for (unsigned e = 0; e < 4; ++e) {
    double a = halfToDouble(static_cast<uint16_t>(x.s(e / 2)[lane] >> (e % 2 * 16)));
    double b = halfToDouble(static_cast<uint16_t>(x.s(2 + e / 2)[lane] >> (e % 2 * 16)));
    (i.aColumnMajor ? q.a[e + high][place] : q.a[place + high][e]) = a;
    (i.bRowMajor ? q.b[place][e + high] : q.b[e][place + high]) = b;
  }
  for (unsigned e = 0; e < 8; ++e) {
    ElementPlace p = accumulatorPlace(i.c, lane, e);
    q.c[p.row][p.column] =
        decodeAccumulator(i.c, accumulatorBits(x.s(4 + (i.c == Type::F16 ? e / 2 : e)), i.c, lane, e));
  }
}

void writeQuadPair(Exec &x, const MmaInfo &i, unsigned lane, const QuadPair &q) {
  for (unsigned e = 0; e < 8; ++e) {
    ElementPlace p = accumulatorPlace(i.d, lane, e);
    uint64_t bits = encodeAccumulator(i.d, q.c[p.row][p.column], i.saturate);
    if (i.d == Type::F32)
      x.d(e)[lane] = bits;
    else if (e % 2 == 0)
      x.d(e / 2)[lane] = bits;
    else
      x.d(e / 2)[lane] |= bits << 16;
  }
}

} // namespace

void executeQuadPairMma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<MmaInfo>();
  QuadPair pairs[4];
  for (unsigned lane = 0; lane < 32; ++lane)
    readQuadPair(x, i, lane, pairs[lane % 16 / 4]);
  for (QuadPair &q : pairs)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned k = 0; k < 4; ++k)
        for (unsigned column = 0; column < 8; ++column)
          q.c[row][column] += q.a[row][k] * q.b[k][column];
  for (unsigned lane = 0; lane < 32; ++lane)
    writeQuadPair(x, i, lane, pairs[lane % 16 / 4]);
  x.machine.counters().mmaOperations += 4 * 8 * 8 * 4;
}

} // namespace ptxemu
