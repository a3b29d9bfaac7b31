//===- Tcgen05Multiply.cpp - One multiplication of the tensor core -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05Multiply.h"
#include "FloatMath.h"
#include "MatrixElements.h"
#include "Sparsity.h"
#include <algorithm>

namespace ptxemu {

namespace {

constexpr unsigned kMostColumns = 256, kMostDepth = 128;

/// Runs one multiplication; its state is the part of the operands at hand.
class Multiplier {
public:
  explicit Multiplier(const TensorMultiplication &p)
      : p(p), o(p.o), elementsA(o.a, p.mixedWidths()), elementsB(o.b, p.mixedWidths()), decodeA(o.a),
        decodeScale(o.scale == Type::None ? Type::UE8M0 : o.scale) {}

  void run() {
    readB();
    for (unsigned i = 0; i < p.ctas.size(); ++i)
      for (unsigned block = 0; block < o.columnBlocks(); ++block) {
        if (p.form.scaleVector)
          checkScales(*p.ctas[i], block);
        for (unsigned row = 0; row < o.rows(); ++row)
          multiplyRow(*p.ctas[i], i, block, row);
      }
  }

private:
  void readB();
  void readRowOfA(const Cta &, unsigned lane, unsigned row);
  double storedA(const Cta &, unsigned lane, unsigned row, unsigned k) const;
  unsigned metadataOf(const Cta &, unsigned lane, unsigned chunk) const;
  void spread(const Cta &, unsigned lane, const double *stored);
  double scaleAt(const Cta &, TensorAddress, unsigned window, unsigned mn, unsigned byte) const;
  void checkScales(const Cta &, unsigned block) const;
  void multiplyRow(Cta &, unsigned ctaIndex, unsigned block, unsigned row);
  uint32_t word(const Cta &, unsigned lane, unsigned column, const char *what) const;
  double decodeD(uint32_t) const;
  uint32_t encodeD(double) const;

  const TensorMultiplication &p;
  const TensorOperation &o;
  SharedElements elementsA, elementsB;
  ElementDecoder decodeA, decodeScale;
  std::vector<double> b; ///< o.k rows of o.n
  double a[kMostDepth], c[kMostColumns];
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

uint32_t Multiplier::word(const Cta &cta, unsigned lane, unsigned column, const char *what) const {
  const TensorMemory &t = cta.tensor;
  if (p.checkUninitialized && !t.isWritten(lane, column))
    throw Fault{"uninitialized-tensor-memory",
                std::string(what) + " includes lane " + std::to_string(lane) + ", column " + std::to_string(column) +
                    ", which nothing has written",
                -1};
  return t.cells[lane * TensorMemory::kColumns + column];
}

void Multiplier::readB() {
  b.resize(static_cast<size_t>(o.k) * o.n);
  unsigned each = o.n / static_cast<unsigned>(p.ctas.size());
  for (unsigned n = 0; n < o.n; ++n) {
    const uint8_t *shared = p.ctas[n / each]->shared.bytes.data();
    bool zero = p.zeroColumns.isZero(n);
    for (unsigned k = 0; k < o.k; ++k)
      b[k * o.n + n] = zero ? 0 : elementsB(shared, p.sharedB, n % each + p.zeroColumns.shift, k);
  }
}

/// Stored element k of the row that lies in, or whose results go to, a lane.
double Multiplier::storedA(const Cta &cta, unsigned lane, unsigned row, unsigned k) const {
  if (!p.form.aInTensorMemory)
    return elementsA(cta.shared.bytes.data(), p.sharedA, row, k);
  unsigned source = p.form.shiftA && lane + 1 < TensorMemory::kLanes ? lane + 1 : lane;
  unsigned bits = p.elementBits();
  uint32_t w = word(cta, source, p.a.column + k * bits / 32, "matrix A");
  return decodeA(w >> (k * bits % 32 + (p.mixedWidths() ? containerShift(o.a) : 0)));
}

/// Four bits of metadata. 16-bit and 32-bit elements: the upper 8 of each 16 lanes hold the second half of K, and the
/// upper half word is for the upper 8 rows.
unsigned Multiplier::metadataOf(const Cta &cta, unsigned lane, unsigned chunk) const {
  unsigned column = p.metadata.column + o.selector;
  if (p.metadataColumns() == 2)
    return word(cta, lane, column + chunk / 8, "the sparsity metadata") >> chunk % 8 * 4 & 15;
  unsigned row = lane % 16, holder = lane / 16 * 16 + row % 8 + chunk / 4 * 8;
  return word(cta, holder, column, "the sparsity metadata") >> (row / 8 * 16 + chunk % 4 * 4) & 15;
}

/// Puts the stored elements of a sparse row where they belong.
void Multiplier::spread(const Cta &cta, unsigned lane, const double *stored) {
  SparseGranularity g = o.a == Type::TF32 ? SparseGranularity::OneOfTwo
                        : p.form.kind == TensorKind::MXF4 || p.form.kind == TensorKind::MXF4NVF4
                            ? SparseGranularity::PairsOfEight
                            : SparseGranularity::TwoOfFour;
  unsigned chunk = chunkElements(g), positions[4];
  std::fill_n(a, o.k, 0.0);
  for (unsigned i = 0; i < o.k / chunk; ++i) {
    unsigned bits = metadataOf(cta, lane, i);
    if (!storedPositions(g, bits, false, positions))
      throw Fault{"sparsity-metadata",
                  "the metadata of lane " + std::to_string(lane) + " has the value " + std::to_string(bits) +
                      " for chunk " + std::to_string(i) + ", which says nothing",
                  -1};
    for (unsigned e = 0; e < chunk / 2; ++e)
      a[i * chunk + positions[e]] = stored[i * chunk / 2 + e];
  }
}

void Multiplier::readRowOfA(const Cta &cta, unsigned lane, unsigned row) {
  double stored[kMostDepth], sign = o.negateA != o.negateB ? -1 : 1;
  for (unsigned k = 0; k < p.storedDepth(); ++k)
    stored[k] = sign * storedA(cta, lane, row, k);
  if (p.form.sparse)
    spread(cta, lane, stored);
  else
    std::copy_n(stored, o.k, a);
}

//===----------------------------------------------------------------------===//
// Scale factors: row (or column) 32i + j has its bytes in lane j of every window of 32, column i
//===----------------------------------------------------------------------===//

double Multiplier::scaleAt(const Cta &cta, TensorAddress at, unsigned window, unsigned mn, unsigned byte) const {
  uint32_t w = word(cta, window * 32 + mn % 32, at.column + mn / 32, "the scale factors");
  unsigned bits = w >> byte * 8 & (o.scale == Type::UE4M3 ? 0x7f : 0xff);
  return decodeScale(bits);
}

/// Each window of 32 lanes works with its own copy; the ISA wants them to be alike.
void Multiplier::checkScales(const Cta &cta, unsigned block) const {
  unsigned windows = 4 / o.columnBlocks(), first = block * windows;
  auto check = [&](TensorAddress at, unsigned id, unsigned count, unsigned from, unsigned to, const char *what) {
    uint32_t mask = p.form.scaleVector == 4 ? ~0u : ((1u << 8 * p.form.scaleVector) - 1) << 8 * id;
    for (unsigned mn = 0; mn < count; ++mn)
      for (unsigned w = from + 1; w < to; ++w)
        if ((word(cta, w * 32 + mn % 32, at.column + mn / 32, what) ^
             word(cta, from * 32 + mn % 32, at.column + mn / 32, what)) &
            mask)
          throw Fault{"scale-factors",
                      std::string(what) + " differ between lanes " + std::to_string(from * 32 + mn % 32) + " and " +
                          std::to_string(w * 32 + mn % 32) + " of column " + std::to_string(at.column + mn / 32) +
                          ": every window of 32 lanes needs a copy",
                      -1};
  };
  check(p.scaleA, o.scaleIdA, o.rows(), 0, 4, "the scale factors of A");
  check(p.scaleB, o.scaleIdB, o.columns(), first, first + windows, "the scale factors of B");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

double Multiplier::decodeD(uint32_t raw) const {
  double v = o.d == Type::F32   ? std::bit_cast<float>(raw)
             : o.d == Type::F16 ? halfToDouble(static_cast<uint16_t>(raw))
                                : static_cast<int32_t>(raw);
  return std::ldexp(v, -static_cast<int>(p.form.scaleInputBits));
}

uint32_t Multiplier::encodeD(double v) const {
  if (o.d == Type::F32)
    return std::bit_cast<uint32_t>(canonical(static_cast<float>(v)));
  if (o.d == Type::F16)
    return encodeFloat(v, formatOf(Type::F16));
  return static_cast<uint32_t>(static_cast<int64_t>(o.saturate ? std::clamp(v, -0x1p31, 0x1p31 - 1) : v));
}

void Multiplier::multiplyRow(Cta &cta, unsigned ctaIndex, unsigned block, unsigned row) {
  unsigned lane = p.d.lane + o.lane(row, block), width = o.columns(), first = block * width;
  if (p.disabled[ctaIndex * 4 + lane / 32] >> lane % 32 & 1)
    return;
  readRowOfA(cta, lane, row);
  for (unsigned n = 0; n < width; ++n)
    c[n] = p.accumulate ? decodeD(word(cta, lane, p.d.column + n, "the accumulator")) : 0;
  unsigned scales = p.form.scaleVector, perScale = scales ? o.k / scales : o.k;
  double scaleB[kMostColumns];
  for (unsigned k = 0; k < o.k; ++k) {
    double v = a[k];
    if (scales) {
      unsigned i = k / perScale;
      v *= scaleAt(cta, p.scaleA, lane / 32, row, o.scaleIdA + i);
      if (k % perScale == 0)
        for (unsigned n = 0; n < width; ++n)
          scaleB[n] = scaleAt(cta, p.scaleB, lane / 32, n, o.scaleIdB + i);
    }
    const double *row = &b[k * o.n + first];
    for (unsigned n = 0; n < width; ++n)
      c[n] += scales ? v * row[n] * scaleB[n] : v * row[n];
  }
  for (unsigned n = 0; n < width; ++n)
    cta.tensor.write(lane, p.d.column + n, encodeD(c[n]));
}

} // namespace

unsigned TensorMultiplication::rowBytes() const {
  return SharedElements(o.a, mixedWidths()).rowBytes(o.k);
}

unsigned TensorMultiplication::sharedBytes() const {
  unsigned ofA = form.aInTensorMemory ? 0 : o.rows() * SharedElements(o.a, mixedWidths()).rowBytes(storedDepth());
  return ofA + o.n / o.ctas * SharedElements(o.b, mixedWidths()).rowBytes(o.k);
}

void TensorMultiplication::run() const {
  Multiplier(*this).run();
}

} // namespace ptxemu
