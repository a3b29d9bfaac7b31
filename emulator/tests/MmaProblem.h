//===- MmaProblem.h - A tcgen05.mma, its operands and its results -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MMAPROBLEM_H
#define PTX_EMULATOR_MMAPROBLEM_H

#include "SharedLayout.h"
#include "TensorProgram.h"
#include <bit>

namespace ptxemu::testing {

struct MmaCase {
  const char *what, *kind;
  ElementFormat a, b;
  unsigned m, n, k;
  bool pair = false, sparse = false, weightStationary = false, tensorA = false;
  bool transposeA = false, transposeB = false, negateA = false, negateB = false;
  bool halfResult = false, accumulate = true;
  unsigned swizzle = 0;                            ///< bytes; transposed .tf32 has 128 with 32-byte atoms
  unsigned scales = 0, scaleIdA = 0, scaleIdB = 0; ///< factors a row; first bytes
  bool ue4m3 = false;
  unsigned selector = 0, scaleInput = 0;
  uint64_t zeroColumns = 0;
  bool disableLanes = false;
  const char *modifiers = "";
  unsigned lane = 0;   ///< of the accumulator
  bool shiftA = false; ///< .ashift
};

/// Columns of tensor memory: D first, then the other operands.
inline constexpr unsigned kColumnA = 256, kColumnMeta = 264, kColumnScaleA = 268, kColumnScaleB = 272, kColumns = 280;

inline constexpr unsigned kStartB = 32768, kSharedBytes = 98304;

/// Random operands in the ISA's layouts, the program that multiplies them, and what the ISA says of the result.
class MmaProblem {
public:
  explicit MmaProblem(const MmaCase &c)
      : c(c), ctas(c.pair ? 2 : 1), rows(c.m / ctas), stored(c.k / (c.sparse ? 2 : 1)), random(c.m * 7 + c.n * 3 + c.k),
        a(c.m, stored), b(c.n + shift(), c.k), dense(c.m * c.k), d(c.m * c.n) {
    program.ctas = ctas;
    program.shared.assign(ctas, std::vector<uint8_t>(kSharedBytes));
    program.tensor.assign(ctas, TensorImage(kColumns));
    for (uint64_t &v : a.raw)
      v = randomBits(c.a, random);
    for (uint64_t &v : b.raw)
      v = randomBits(c.b, random);
    spread();
    placeScales();
    placeShared();
    placeAccumulator();
    program.descriptor = descriptor();
    program.predicate = c.accumulate;
    program.instruction = instruction();
  }

  /// What tensor memory must hold afterwards.
  std::vector<TensorImage> expected() const {
    std::vector<TensorImage> images = program.tensor;
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned n = 0; n < c.n; ++n) {
        auto [cta, lane, column] = cellOfD(row, n);
        if (c.disableLanes && lane % 5 == 0)
          continue;
        images[cta].at(lane, column) = encodeResult(result(row, n));
      }
    return images;
  }

  TensorProgram program;

private:
  struct Cell {
    unsigned cta, lane, column;
  };
  unsigned shift() const { return static_cast<unsigned>(c.zeroColumns >> 56 & 63); }
  bool isF16Kind() const { return std::string(c.kind) == "f16" || std::string(c.kind) == "tf32"; }
  bool isMixed() const { return std::string(c.kind).find("f8f6f4") != std::string::npos; }
  bool isInteger() const { return std::string(c.kind) == "i8"; }

  /// The ISA's data path layouts A to G.
  unsigned blocks() const {
    if (c.weightStationary)
      return c.m == 32 ? 4 : c.m == 64 ? 2 : 1;
    return c.pair && c.m == 128 && !c.sparse ? 2 : 1;
  }
  bool halfPath() const { return (!c.weightStationary && !c.pair && c.m == 64) || (c.pair && c.m == 128 && c.sparse); }
  unsigned laneOf(unsigned row, unsigned block) const {
    return halfPath() ? c.lane + row / 16 * 32 + row % 16 : row + block * (128 / blocks());
  }
  Cell cellOfD(unsigned row, unsigned n) const {
    unsigned width = c.n / blocks();
    return {row / rows, laneOf(row % rows, n / width), n % width};
  }

  //===--- Sparsity: 4 bits of metadata say which half of a chunk is stored ---===//

  void spread() {
    if (!c.sparse) {
      for (unsigned i = 0; i < c.m * c.k; ++i)
        dense[i] = valueOf(c.a, a.raw[i]);
      return;
    }
    unsigned chunk = c.a.bits == 32 ? 2 : c.a.bits == 4 && !isMixed() ? 8 : 4;
    constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned i = 0; i < c.k / chunk; ++i) {
        const unsigned *p = pairs[random() % 6];
        unsigned bits = p[0] | p[1] << 2;
        auto put = [&](unsigned position, unsigned element) {
          dense[row * c.k + i * chunk + position] = valueOf(c.a, a.at(row, i * chunk / 2 + element));
        };
        if (chunk == 2) {
          bool second = random() % 2;
          bits = second ? 0b1110 : 0b0100;
          put(second, 0);
        } else {
          for (unsigned e = 0; e < chunk / 2; ++e)
            put(chunk == 4 ? p[e] : p[e / 2] * 2 + e % 2, e);
        }
        for (unsigned block = 0; block < blocks(); ++block)
          placeMetadata(row, block, i, bits);
      }
  }

  void placeMetadata(unsigned row, unsigned block, unsigned chunk, unsigned bits) {
    TensorImage &t = program.tensor[row / rows];
    unsigned lane = laneOf(row % rows, block);
    if (!isF16Kind()) {
      t.at(lane, kColumnMeta + chunk / 8) |= bits << chunk % 8 * 4;
      return;
    }
    // 16 rows share 16 words: rows 0-7 have the lower half words; chunks 4-7 lie 8 lanes on.
    unsigned first = lane - lane % 16, r = lane % 16;
    t.at(first + r % 8 + (chunk >= 4 ? 8 : 0), kColumnMeta + c.selector) |= bits << ((r >= 8 ? 16 : 0) + chunk % 4 * 4);
  }

  //===--- Scale factors ---===//

  void placeScales() {
    if (!c.scales)
      return;
    const ElementFormat &f = c.ue4m3 ? kUE4M3Element : kUE8M0Element;
    auto make = [&](unsigned count, std::vector<double> &values, auto &&place) {
      for (unsigned mn = 0; mn < count; ++mn)
        for (unsigned i = 0; i < c.scales; ++i) {
          uint64_t raw = randomBits(f, random);
          values.push_back(valueOf(f, raw));
          place(mn, i, static_cast<uint32_t>(raw));
        }
    };
    make(c.m, scaleA, [&](unsigned row, unsigned i, uint32_t raw) {
      unsigned r = row % rows;
      for (unsigned window = 0; window < 4; ++window)
        program.tensor[row / rows].at(window * 32 + r % 32, kColumnScaleA + r / 32) |= raw << (c.scaleIdA + i) * 8;
    });
    unsigned width = c.n / blocks();
    make(c.n, scaleB, [&](unsigned n, unsigned i, uint32_t raw) {
      for (unsigned cta = 0; cta < ctas; ++cta)
        for (unsigned window = 0; window < 4; ++window)
          if (blocks() == 1 || window / 2 == n / width)
            program.tensor[cta].at(window * 32 + n % width % 32, kColumnScaleB + n % width / 32) |=
                raw << (c.scaleIdB + i) * 8;
    });
  }

  //===--- Matrices in shared memory, by the ISA's canonical layouts ---===//

  void placeShared() {
    unsigned each = c.n / ctas;
    SharedLayout la = SharedLayout::of(c.a, c.transposeA, c.swizzle, rows, stored, isMixed()),
                 lb = SharedLayout::of(c.b, c.transposeB, c.swizzle, each + shift(), c.k, isMixed());
    for (unsigned cta = 0; cta < ctas; ++cta) {
      if (c.tensorA)
        placeTensorA(cta);
      else
        la.place(program.shared[cta], 0, c.a, isMixed(), a, cta * rows, rows);
      lb.place(program.shared[cta], kStartB, c.b, isMixed(), b, cta * each, each + shift());
    }
    program.a = la.tcgen05Descriptor(0);
    program.b = lb.tcgen05Descriptor(kStartB);
  }

  void placeTensorA(unsigned cta) {
    unsigned container = isMixed() ? 8 : c.a.bits, up = isMixed() && c.a.bits == 4 ? 2 : 0;
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned block = 0; block < blocks(); ++block)
        for (unsigned k = 0; k < stored; ++k)
          program.tensor[cta].at(laneOf(row, block), kColumnA + k * container / 32) |=
              static_cast<uint32_t>(a.at(cta * rows + row, k) << up) << k * container % 32;
  }

  //===--- Results ---===//

  uint32_t encodeResult(double v) const {
    if (isInteger())
      return static_cast<uint32_t>(static_cast<int64_t>(v));
    if (!c.halfResult)
      return std::bit_cast<uint32_t>(static_cast<float>(v));
    if (v == 0)
      return 0;
    int e;
    auto m = static_cast<uint32_t>(std::nearbyint(std::frexp(std::fabs(v), &e) * 2048)); // to even; carries fit
    return (v < 0 ? 0x8000u : 0) + (static_cast<uint32_t>(e + 13) << 10) + m;
  }
  void placeAccumulator() {
    for (unsigned row = 0; row < c.m; ++row)
      for (unsigned n = 0; n < c.n; ++n) {
        double v = static_cast<int>(random() % 33) - 16;
        d[row * c.n + n] = v;
        auto [cta, lane, column] = cellOfD(row, n);
        program.tensor[cta].at(lane, column) = encodeResult(v);
      }
  }
  /// Whether .ws takes column n of B as zero: runs of used and skipped columns, as the descriptor's fields say.
  bool skipped(unsigned n) const {
    uint64_t z = c.zeroColumns;
    if (!(z >> 39 & 1))
      return false;
    unsigned width = c.n / blocks(), i = n / width, skip = (z >> 40 & 255) + 1, use = (z >> 48 & 255) + 1;
    std::vector<bool> mask;
    for (bool one = z >> (32 + i) & 1; mask.size() < 2 * c.n; one = !one)
      mask.insert(mask.end(), one ? skip : use, one);
    return mask[(z >> 8 * i & 255) + n % width];
  }
  double result(unsigned row, unsigned n) const {
    double sum = c.accumulate ? std::ldexp(d[row * c.n + n], -static_cast<int>(c.scaleInput)) : 0;
    double sign = c.negateA != c.negateB ? -1 : 1;
    // .ashift: every row but the last of each CTA's 128 takes the next one.
    unsigned rowOfA = c.shiftA && row % rows + 1 < rows ? row + 1 : row;
    for (unsigned k = 0; k < c.k; ++k) {
      double v = sign * dense[rowOfA * c.k + k] * (skipped(n) ? 0 : valueOf(c.b, b.raw[(n + shift()) * c.k + k]));
      if (c.scales)
        v *= scaleA[row * c.scales + k * c.scales / c.k] * scaleB[n * c.scales + k * c.scales / c.k];
      sum += v;
    }
    return sum;
  }

  //===--- The instruction ---===//

  uint32_t descriptor() const {
    uint32_t v = (c.sparse ? 1u << 2 : 0) | c.a.code << 7 | c.b.code << 10 | uint32_t(c.negateA) << 13 |
                 uint32_t(c.negateB) << 14 | uint32_t(c.transposeA) << 15 | uint32_t(c.transposeB) << 16 |
                 c.n / 8 << 17;
    if (c.scales)
      return v | c.scaleIdB << 4 | (c.ue4m3 ? 0 : 1u << 23) | c.m / 128 << 27 | c.scaleIdA << 29;
    return v | c.selector | (isInteger() ? 2u : c.halfResult ? 0u : 1u) << 4 | c.m / 16 << 24;
  }
  std::string instruction() const {
    auto at = [](unsigned column) { return "[%d+" + std::to_string(column) + "]"; };
    std::string s;
    if (c.lane)
      s = "add.u32 %d, %d, " + std::to_string(c.lane << 16) + ";\n  ";
    if (c.disableLanes)
      s += ".reg .b32 %m<8>;\n";
    for (unsigned word = 0; c.disableLanes && word < ctas * 4; ++word) {
      uint32_t mask = 0;
      for (unsigned l = 0; l < 32; ++l)
        mask |= (word % 4 * 32 + l) % 5 == 0 ? 1u << l : 0;
      s += "  mov.b32 %m" + std::to_string(word) + ", " + std::to_string(mask) + ";\n";
    }
    s += "  tcgen05.mma" + std::string(c.weightStationary ? ".ws" : "") + (c.sparse ? ".sp" : "") +
         ".cta_group::" + std::to_string(ctas) + ".kind::" + c.kind + (c.scales ? ".block_scale" : "") +
         (c.shiftA ? ".ashift" : "") + c.modifiers + " [%d], " + (c.tensorA ? at(kColumnA) : "%a") + ", %b, " +
         (c.sparse ? at(kColumnMeta) + ", " : "") + "%idesc, ";
    if (c.scales)
      s += at(kColumnScaleA) + ", " + at(kColumnScaleB) + ", ";
    if (c.disableLanes)
      s += c.pair ? "{%m0, %m1, %m2, %m3, %m4, %m5, %m6, %m7}, " : "{%m0, %m1, %m2, %m3}, ";
    s += "%p";
    if (c.scaleInput)
      s += ", " + std::to_string(c.scaleInput);
    if (c.zeroColumns)
      s += ", %zero";
    s += ";";
    if (c.lane)
      s += "\n  sub.u32 %d, %d, " + std::to_string(c.lane << 16) + ";";
    if (c.zeroColumns)
      s = ".reg .b64 %zero;\n  mov.b64 %zero, " + std::to_string(c.zeroColumns) + ";\n  " + s;
    return s;
  }

  const MmaCase &c;
  unsigned ctas, rows, stored;
  std::mt19937 random;
  RawMatrix a, b;
  std::vector<double> dense, d, scaleA, scaleB;
};

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_MMAPROBLEM_H
