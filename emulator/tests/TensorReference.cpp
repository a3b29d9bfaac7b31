//===- TensorReference.cpp - Tensor copies straight from the ISA's text --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorReference.h"
#include "FloatReference.h"
#include "GeneratedPtx.h"
#include <catch2/catch.hpp>
#include <set>

namespace ptxemu::testing {

namespace {

using M = TensorMap;
using Coordinates = std::vector<int64_t>;

/// A byte of the box: where it is in the tensor (negative: outside) and where in shared memory.
struct BoxByte {
  int64_t global;
  uint32_t shared;
  unsigned inElement; ///< its number within the element, for NaN fill
};

//===----------------------------------------------------------------------===//
// §5.5.7: the tables of swizzle patterns. Row = line of 128 bytes, entry = number of the 16 bytes that lie there.
//===----------------------------------------------------------------------===//

using Line = std::array<unsigned, 8>;
const std::vector<Line> &pattern(const M &m) {
  static const std::vector<Line>
      none = {{0, 1, 2, 3, 4, 5, 6, 7}},
      two = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}},
      four = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}},
      eight = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
               {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2}, {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}},
      pairs = {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}},
      quads = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}};
  switch (m.swizzle) {
  case M::Swizzle32:
  case M::Swizzle96:
    return two;
  case M::Swizzle64:
    return four;
  case M::Swizzle128:
    return m.atomicity == M::Atom16 ? eight : m.atomicity == M::Atom64 ? quads : pairs;
  default:
    return none;
  }
}

/// Where the byte that would lie at `address` goes.
uint32_t place(const M &m, uint32_t address) {
  const std::vector<Line> &lines = pattern(m);
  const Line &line = lines[address / 128 % lines.size()];
  unsigned chunk = address / 16 % 8, to = 0;
  while (line[to] != chunk)
    ++to;
  unsigned inChunk = address % 16;
  if (m.swizzle == M::Swizzle128 && m.atomicity == M::Atom32Flip8 && address / 128 % 2)
    inChunk = (inChunk + 8) % 16;
  return address / 128 * 128 + to * 16 + inChunk;
}

//===----------------------------------------------------------------------===//
// §5.5.3 to §5.5.6: which elements a box has
//===----------------------------------------------------------------------===//

struct Granule {
  unsigned elements, globalBytes, sharedBytes;
};
Granule granuleOf(const M &m) {
  if (m.interleave != M::NoInterleave)
    return {1, m.interleave * 16u, m.interleave * 16u};
  if (m.element == M::B4x16)
    return {16, 8, 8};
  if (m.element == M::B4x16P64)
    return {16, 8, 16};
  if (m.element == M::B6x16P32)
    return {16, 12, 16};
  return {1, m.elementBytes(), m.elementBytes()};
}

/// The first coordinates of the rows of a tile; interleaved boxes have one channel slice.
std::vector<Coordinates> tileRows(const M &m, const TensorOperands &o) {
  std::vector<Coordinates> rows;
  auto count = [&](unsigned d) -> unsigned {
    if (d >= m.rank || (m.interleave != M::NoInterleave && d == m.rank - 2))
      return 1;
    return (m.box[d] + m.elementStride[d] - 1) / m.elementStride[d];
  };
  for (unsigned i4 = 0; i4 < count(4); ++i4)
    for (unsigned i3 = 0; i3 < count(3); ++i3)
      for (unsigned i2 = 0; i2 < count(2); ++i2)
        for (unsigned i1 = 0; i1 < count(1); ++i1) {
          unsigned steps[] = {0, i1, i2, i3, i4};
          Coordinates c;
          for (unsigned d = 0; d < m.rank; ++d)
            c.push_back(o.coordinates[d] + static_cast<int64_t>(steps[d]) * m.elementStride[d]);
          rows.push_back(c);
        }
  return rows;
}

/// Pixels of im2col: nested loops over images and the bounding box, the first pass starting at the coordinates.
std::vector<Coordinates> imageRows(const M &m, const TensorOperands &o) {
  bool wide = m.wide, wide128 = o.mode == ".im2col::w::128";
  unsigned dimensions = wide ? 1 : m.rank - 2, main = wide128 ? 128 : m.pixels, parts = wide128 ? 4 : 1;
  int halo = wide ? o.info[0] : 0, shift = wide ? o.info[1] : 0;
  Coordinates start(o.coordinates.begin(), o.coordinates.end());
  start[1] += shift;
  std::vector<Coordinates> sequence;
  size_t wanted = main + static_cast<size_t>(halo);
  std::function<void(unsigned, Coordinates, bool)> visit = [&](unsigned d, Coordinates c, bool isFirst) {
    if (d == 0) {
      if (sequence.size() < wanted)
        sequence.push_back(c);
      return;
    }
    int64_t low = m.lowerCorner[d - 1] + shift, high = static_cast<int64_t>(m.size[d]) + m.upperCorner[d - 1] + shift;
    for (int64_t v = isFirst ? start[d] : low; v < high; v += m.elementStride[d]) {
      c[d] = v;
      visit(d - 1, c, isFirst && v == start[d]);
    }
  };
  for (Coordinates c = start; sequence.size() < wanted; ++c[m.rank - 1])
    visit(dimensions, c, c[m.rank - 1] == start[m.rank - 1]);
  std::vector<Coordinates> rows(main + static_cast<size_t>(halo) * parts);
  for (unsigned i = 0; i < main; ++i)
    rows[i] = sequence[i];
  for (unsigned part = 0; part < parts; ++part)
    for (int h = 0; h < halo; ++h)
      rows[main + static_cast<size_t>(h) * parts + part] =
          sequence[main / parts * (part + 1) + static_cast<unsigned>(h)];
  if (o.mode == ".im2col")
    for (Coordinates &c : rows)
      for (unsigned d = 0; d < dimensions; ++d)
        c[d + 1] += o.info[d];
  return rows;
}

/// Where rows end, in elements. Stores do not stop inside 16 bytes: hardware does not (H200, 2026-11-26).
int64_t rowEnd(const M &m, bool isStore) {
  int64_t end = static_cast<int64_t>(m.size[0]);
  while (isStore && m.interleave == M::NoInterleave && end * m.elementBits() % 128)
    ++end;
  return end;
}

std::vector<BoxByte> bytesOf(const M &m, const TensorOperands &o, unsigned sharedOffset, bool isStore) {
  std::vector<Coordinates> rows;
  unsigned width = m.im2col ? m.channels : m.box[0];
  if (o.mode == ".tile::gather4" || o.mode == ".tile::scatter4")
    for (unsigned r = 1; r <= 4; ++r)
      rows.push_back({o.coordinates[0], o.coordinates[r]});
  else
    rows = m.im2col ? imageRows(m, o) : tileRows(m, o);
  Granule g = granuleOf(m);
  unsigned step = m.interleave == M::NoInterleave ? 1 : m.elementStride[0],
           inRow = (width / g.elements + step - 1) / step;
  std::vector<BoxByte> bytes;
  uint32_t next = sharedOffset;
  for (const Coordinates &row : rows)
    for (unsigned i = 0; i < inRow; ++i, next += g.sharedBytes) {
      Coordinates c = row;
      c[0] += static_cast<int64_t>(i) * g.elements * step;
      int64_t global = c[0] / static_cast<int64_t>(g.elements) * g.globalBytes;
      bool outside = false;
      for (unsigned d = 0; d < m.rank; ++d) {
        outside |= c[d] < 0 || c[d] >= (d ? static_cast<int64_t>(m.size[d]) : rowEnd(m, isStore));
        if (d)
          global += c[d] * static_cast<int64_t>(m.stride[d - 1]);
      }
      for (unsigned b = 0; b < g.globalBytes; ++b)
        bytes.push_back({outside ? -1 : global + b, place(m, next + b), b % m.elementBytes()});
    }
  return bytes;
}

/// Bytes of shared memory the box can touch: whole lines of the longest pattern.
unsigned sharedSize(const std::vector<BoxByte> &bytes) {
  uint32_t last = 0;
  for (const BoxByte &b : bytes)
    last = std::max(last, b.shared);
  return last / 1024 * 1024 + 1024;
}

std::vector<uint8_t> randomBytes(size_t n) {
  std::vector<uint8_t> bytes(n);
  for (uint8_t &b : bytes)
    b = static_cast<uint8_t>(randomBits());
  return bytes;
}

std::vector<uint8_t> tensorFor(const M &m) {
  Granule g = granuleOf(m);
  uint64_t bytes = m.size[0] / g.elements * g.globalBytes;
  if (m.rank > 1)
    bytes = m.stride[m.rank - 2] * m.size[m.rank - 1];
  return randomBytes(bytes);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string vectorOf(const char *prefix, size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i)
    text += (i ? ", %" : "%") + (prefix + std::to_string(i));
  return "{" + text + "}";
}

/// Declarations, coordinates in %c… and im2col operands in %h….
std::string prologue(const TensorOperands &o, unsigned sharedBytes) {
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 1024 .b8 box[" + std::to_string(sharedBytes) +
      "];\n.shared .align 8 .b64 bar;\n.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)\n"
      ".reqntid 32\n{\n  .reg .b64 %map, %out, %st, %off, %data;\n  .reg .b32 %i, %s, %dst, %v, %c<5>;\n"
      "  .reg .b16 %h<3>;\n  .reg .pred %p, %q;\n  mov.b64 %map, map;\n  cvta.param.u64 %map, %map;\n"
      "  ld.param.u64 %out, [out];\n  mov.u32 %i, %tid.x;\n  setp.ne.u32 %p, %i, 0;\n";
  for (size_t d = 0; d < o.coordinates.size(); ++d)
    text += "  mov.b32 %c" + std::to_string(d) + ", " + std::to_string(o.coordinates[d]) + ";\n";
  for (size_t d = 0; d < o.info.size(); ++d)
    text += "  mov.b16 %h" + std::to_string(d) + ", " + std::to_string(o.info[d]) + ";\n";
  return text;
}

/// Every thread runs `body` on its words of `bytes` bytes: shared at %s, global at %data.
std::string eachWord(const std::string &label, unsigned bytes, const std::string &body) {
  return "  mov.u32 %s, box;\n  mad.lo.u32 %s, %i, 4, %s;\n  mad.wide.u32 %data, %i, 4, %out;\n  mov.u32 %v, 0;\n" +
         label + ":\n  {\n  .reg .b32 %w;\n" + body +
         "  }\n  add.u32 %s, %s, 128;\n  add.u64 %data, %data, 128;\n  add.u32 %v, %v, 128;\n"
         "  setp.lt.u32 %q, %v, " +
         std::to_string(bytes) + ";\n  @%q bra " + label + ";\n";
}

std::string dimensionOf(const M &m) {
  return "." + std::to_string(m.rank) + "d";
}

/// ptxas sees one kernel of a kind.
void generateOnce(const std::string &kind, const std::string &ptx) {
  static std::set<std::string> seen;
  if (seen.insert(kind).second)
    addGenerated(ptx);
}

std::string storeKernel(const M &m, const TensorOperands &o, unsigned sharedBytes, unsigned sharedOffset,
                        const std::string &reduction) {
  std::string opcode = (reduction.empty() ? "cp.async.bulk.tensor" : "cp.reduce.async.bulk.tensor") + dimensionOf(m) +
                       ".global.shared::cta" + reduction + o.mode + ".bulk_group";
  return prologue(o, sharedBytes) +
         eachWord("FILL", sharedBytes, "  ld.global.u32 %w, [%data];\n  st.shared.u32 [%s], %w;\n") +
         "  fence.proxy.async;\n  bar.sync 0;\n  @%p bra DONE;\n  mov.u32 %dst, box;\n  add.u32 %dst, %dst, " +
         std::to_string(sharedOffset) + ";\n  " + opcode + " [%map, " + vectorOf("c", o.coordinates.size()) +
         "], [%dst];\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\nDONE:\n  ret;\n}\n";
}

LaunchResult launched(Run &run, TensorMap &m, uint64_t second, uint64_t seed) {
  run.argument(m.encode()).argument(second);
  run.options.seed = seed;
  LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  return r;
}

/// The element of the tensor and of shared memory, combined.
uint64_t combined(const M &m, const std::string &operation, uint64_t old, uint64_t value) {
  const Format *f = m.element == M::F16                             ? &kF16
                    : m.element == M::BF16                          ? &kBF16
                    : m.element == M::F64                           ? &kF64
                    : m.element == M::F32 || m.element == M::F32Ftz ? &kF32
                                                                    : nullptr;
  if (f && operation == ".add")
    return arithmetic(*f, Operation::Add, Round::Nearest, old, value, 0, {m.element == M::F32Ftz});
  if (f)
    return extremum(*f, {operation == ".max"}, {old, value});
  unsigned bits = m.elementBits();
  uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1,
           sign = m.element == M::S32 || m.element == M::S64 ? 1ull << (bits - 1) : 0;
  bool less = (old ^ sign) < (value ^ sign);
  return mask & (operation == ".add"   ? old + value
                 : operation == ".and" ? old & value
                 : operation == ".or"  ? old | value
                 : operation == ".xor" ? old ^ value
                 : operation == ".inc" ? (old >= value ? 0 : old + 1)
                 : operation == ".dec" ? (old == 0 || old > value ? value : old - 1)
                 : operation == ".min" ? (less ? old : value)
                                       : (less ? value : old));
}

} // namespace

std::string loadKernel(const TensorMap &m, const TensorOperands &o, unsigned transactionBytes, unsigned sharedBytes,
                       unsigned sharedOffset) {
  std::string space = o.info.size() % 2 ? ".shared::cta" : ".shared::cluster"; // both ways alternately
  return prologue(o, sharedBytes) + eachWord("FILL", sharedBytes, "  st.shared.u32 [%s], 0xcccccccc;\n") +
         "  fence.proxy.async;\n  bar.sync 0;\n  @%p bra WAIT;\n  mbarrier.init.shared.b64 [bar], 1;\n"
         "  fence.mbarrier_init.release.cluster;\n  mbarrier.arrive.expect_tx.shared.b64 %st, [bar], " +
         std::to_string(transactionBytes) + ";\n  mov.u32 %dst, box;\n  add.u32 %dst, %dst, " +
         std::to_string(sharedOffset) + ";\n  cp.async.bulk.tensor" + dimensionOf(m) + space + ".global" + o.mode +
         ".mbarrier::complete_tx::bytes [%dst], [%map, " + vectorOf("c", o.coordinates.size()) + "], [bar]" +
         (o.info.empty() ? "" : ", " + vectorOf("h", o.info.size())) +
         ";\nWAIT:\n  bar.sync 0;\nPOLL:\n  mbarrier.try_wait.parity.shared.b64 %q, [bar], 0;\n  @!%q bra POLL;\n" +
         eachWord("COPY", sharedBytes, "  ld.shared.u32 %w, [%s];\n  st.global.u32 [%data], %w;\n") + "  ret;\n}\n";
}

namespace {

/// The words of f32 as loads give them as tf32: to the nearest, ties to even; of NaNs one.
std::vector<uint8_t> asTf32(std::vector<uint8_t> tensor) {
  for (size_t at = 0; at + 4 <= tensor.size(); at += 4) {
    uint32_t word;
    std::memcpy(&word, &tensor[at], sizeof word);
    const bool isNaN = (word & 0x7fffffff) > 0x7f800000;
    word = isNaN ? 0x7fffe000 : (word + 0xfff + (word >> 13 & 1)) & 0xffffe000;
    std::memcpy(&tensor[at], &word, sizeof word);
  }
  return tensor;
}

} // namespace

void checkLoad(TensorMap m, const TensorOperands &o, unsigned sharedOffset) {
  std::vector<BoxByte> bytes = bytesOf(m, o, sharedOffset, false);
  unsigned size = sharedSize(bytes);
  std::string ptx = loadKernel(m, o, static_cast<unsigned>(bytes.size()), size, sharedOffset);
  generateOnce("load" + dimensionOf(m) + o.mode, ptx);
  std::vector<uint8_t> tensor = tensorFor(m), expected(size, 0xcc);
  const bool rounds = m.element == TensorMap::TF32 || m.element == TensorMap::TF32Ftz;
  const std::vector<uint8_t> loaded = rounds ? asTf32(tensor) : tensor;
  for (const BoxByte &b : bytes)
    expected[b.shared] = b.global >= 0                         ? loaded[static_cast<size_t>(b.global)]
                         : m.fill == TensorMap::Zeros          ? 0
                         : b.inElement + 1 == m.elementBytes() ? 0x7f
                                                               : 0xff;
  Run run(ptx);
  m.address = run.buffer(tensor, "tensor");
  uint64_t out = run.buffer(std::vector<uint8_t>(size), "out");
  launched(run, m, out, randomBits() % 4);
  CHECK(run.read<uint8_t>(out, size) == expected);
}

namespace {

/// .b6p2x16: the low six bits of each of 16 bytes, one behind the other.
void packSixBits(std::vector<uint8_t> &to, size_t at, const uint8_t *from) {
  for (unsigned bit = 0; bit < 96; ++bit) {
    unsigned mask = 1u << bit % 8, value = from[bit / 6] >> bit % 6 & 1;
    uint8_t &byte = to[at + bit / 8];
    byte = static_cast<uint8_t>((byte & ~mask) | (value ? mask : 0));
  }
}

} // namespace

std::string storeVerdict(TensorMap m, const TensorOperands &o, const std::string &reduction, bool fence,
                         uint64_t seed) {
  unsigned size = sharedSize(bytesOf(m, o, 0, true));
  std::string ptx = storeKernel(m, o, size, 0, reduction), text = "fence.proxy.async;";
  if (!fence)
    ptx.erase(ptx.find(text), text.size());
  Run run(ptx);
  m.address = run.buffer(tensorFor(m), "tensor");
  run.argument(m.encode()).argument(run.buffer(randomBytes(size), "data"));
  run.options.seed = seed;
  return verdict(run.launch());
}

std::vector<uint8_t> storeInto(const std::vector<uint8_t> &tensor, TensorMap m, const TensorOperands &o,
                               const std::string &reduction, const std::vector<uint8_t> &data, unsigned sharedOffset) {
  std::string ptx = storeKernel(m, o, static_cast<unsigned>(data.size()), sharedOffset, reduction);
  generateOnce((reduction.empty() ? "store" : "reduce") + dimensionOf(m) + o.mode + reduction, ptx);
  Run run(ptx);
  m.address = run.buffer(tensor, "tensor");
  launched(run, m, run.buffer(data, "data"), randomBits() % 4);
  return run.read<uint8_t>(m.address, tensor.size());
}

void checkStore(const TensorMap &m, const TensorOperands &o, unsigned sharedOffset) {
  std::vector<BoxByte> bytes = bytesOf(m, o, sharedOffset, true);
  unsigned size = sharedSize(bytes);
  std::vector<uint8_t> tensor = tensorFor(m), data = randomBytes(size), expected = tensor;
  for (size_t i = 0; i < bytes.size(); i += m.element == M::B6x16P32 ? 12 : 1)
    if (bytes[i].global >= 0 && m.element == M::B6x16P32)
      packSixBits(expected, static_cast<size_t>(bytes[i].global), data.data() + bytes[i].shared);
    else if (bytes[i].global >= 0)
      expected[static_cast<size_t>(bytes[i].global)] = data[bytes[i].shared];
  CHECK(storeInto(tensor, m, o, "", data, sharedOffset) == expected);
}

void checkReduction(const TensorMap &m, const TensorOperands &o, const std::string &operation) {
  std::vector<BoxByte> bytes = bytesOf(m, o, 0, true);
  unsigned size = sharedSize(bytes), element = m.elementBytes();
  std::vector<uint8_t> tensor = tensorFor(m), data = randomBytes(size), expected = tensor;
  for (size_t i = 0; i < bytes.size(); i += element) {
    if (bytes[i].global < 0)
      continue;
    uint64_t old = 0, value = 0;
    auto at = static_cast<size_t>(bytes[i].global);
    std::memcpy(&old, tensor.data() + at, element);
    std::memcpy(&value, data.data() + bytes[i].shared, element);
    uint64_t result = combined(m, operation, old, value);
    std::memcpy(expected.data() + at, &result, element);
  }
  INFO(operation << " of element type " << int(m.element));
  CHECK(storeInto(tensor, m, o, operation, data) == expected);
}

} // namespace ptxemu::testing
