//===- SharedExchange.cpp - Moving a tile through shared memory -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A layout is chosen as a basis of the tile's elements over F2, from the least significant offset bit up: the vector
// (up to 16 bytes), the rest of a 128-byte segment (the banks), and the segments. Elements whose difference lies in the
// span of the segments share a bank, so a side has no conflicts if no difference of two lanes of a phase does: the
// segments must be a complement of each side's lanes. Over F2, two proper subspaces never cover the whole space, so a
// vector outside both always exists and a common complement can be built greedily. (Zhou et al., "Linear Layouts", §5.)
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/SharedExchange.h"
#include "LayoutUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cassert>
#include <vector>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Vectors = SmallVector<int64_t, 8>; ///< elements (row-major numbers) as vectors over F2

constexpr unsigned kMaxVectorBytes = 16, kSegmentBytes = kSharedMemoryBanks * kSharedMemoryBankBytes;

F2Span makeSpan(ArrayRef<int64_t> vectors) {
  F2Span span;
  for (int64_t vector : vectors)
    span.insert(vector);
  return span;
}

/// What one side of the exchange touches at once.
struct Side {
  Vectors registers, lanes, threads; ///< bases; `threads` has lanes and warps
  unsigned elementBytes;

  Side(const LinearLayout &layout, unsigned elementBytes) : elementBytes(elementBytes) {
    registers = getFlatBases(layout, LayoutDim::Register);
    lanes = getFlatBases(layout, LayoutDim::Lane);
    threads = lanes;
    llvm::append_range(threads, getFlatBases(layout, LayoutDim::Warp));
  }

  /// How many of the first `vector` directions each thread holds.
  unsigned countVectorBits(ArrayRef<int64_t> vector) const {
    F2Span held = makeSpan(registers);
    unsigned bits = 0;
    while (bits < vector.size() && held.contains(vector[bits]))
      ++bits;
    return bits;
  }

  /// The elements that a phase of vector accesses touches, with those that share a bank word.
  Vectors getPhase(ArrayRef<int64_t> vector) const {
    unsigned bits = countVectorBits(vector);
    unsigned bytes = std::max(elementBytes << bits, kSharedMemoryBankBytes);
    unsigned phaseLanes = llvm::Log2_32(kSegmentBytes / bytes);
    unsigned wordBits = llvm::Log2_32(bytes / elementBytes);
    Vectors phase(vector.begin(), vector.begin() + std::min<size_t>(wordBits, vector.size()));
    phase.append(lanes.begin(), lanes.begin() + std::min<size_t>(phaseLanes, lanes.size()));
    return phase;
  }
};

/// A set of low offset bits, and the elements that each side touches at once when it uses them.
struct Candidate {
  Vectors vector;
  Vectors writerPhase, readerPhase;
  Vectors threads; ///< directions of lanes and warps of both sides
};

/// The first vectors from `more` that keep `vector` independent, up to `limit` in all.
Vectors extendVector(Vectors vector, ArrayRef<int64_t> more, size_t limit) {
  F2Span span = makeSpan(vector);
  for (int64_t direction : more)
    if (vector.size() < limit && span.insert(direction))
      vector.push_back(direction);
  return vector;
}

/// A basis of the directions both sides hold in registers. A register of the writer that is one of the reader's comes
/// first, so that vectors keep the register order where there is one.
Vectors intersect(const Side &writer, const Side &reader) {
  F2Span inReader = makeSpan(reader.registers);
  Vectors common;
  F2Span kept;
  for (int64_t direction : writer.registers)
    if (direction && inReader.contains(direction) && kept.insert(direction))
      common.push_back(direction);
  // Zassenhaus: combinations of the writer's registers that the reader's registers yield as well.
  F2Span both = makeSpan(reader.registers);
  SmallVector<uint64_t> members(reader.registers.begin(), reader.registers.end());
  for (int64_t direction : writer.registers) {
    if (std::optional<uint64_t> combination = both.solve(direction)) {
      int64_t shared = 0;
      for (unsigned i = 0; i < reader.registers.size(); ++i)
        if (*combination >> i & 1)
          shared ^= reader.registers[i];
      if (shared && kept.insert(shared))
        common.push_back(shared);
    }
    both.insert(direction);
  }
  return common;
}

/// The row of a matrix instruction without .trans, and then the lanes that number rows.
std::optional<std::pair<Vectors, Vectors>> getMatrixRow(const Side &side, bool transposed) {
  unsigned packBits = llvm::Log2_32(4 / std::min(side.elementBytes, 4u));
  if (side.lanes.size() != 5 || side.elementBytes > 4 || side.registers.size() < packBits ||
      (transposed && side.elementBytes != 2))
    return std::nullopt;
  Vectors packed(side.registers.begin(), side.registers.begin() + packBits);
  Vectors low(side.lanes.begin(), side.lanes.begin() + 2), high(side.lanes.begin() + 2, side.lanes.end());
  packed.append(low);
  return transposed ? std::pair(high, packed) : std::pair(packed, high);
}

/// The vector v outside of `writer`, `reader` and `independent` that is simplest: one bit, or two, or three. Falls back
/// to one that is outside of `independent` and, if there is one, of a side.
int64_t findSegment(const F2Span &writer, const F2Span &reader, const F2Span &independent, unsigned bits) {
  int64_t best = 0;
  int bestScore = 0;
  auto offer = [&](int64_t vector) {
    if (independent.contains(vector))
      return false;
    int score = 1 + !writer.contains(vector) + !reader.contains(vector);
    if (score > bestScore) {
      best = vector;
      bestScore = score;
    }
    return bestScore == 3;
  };
  auto unit = [](unsigned bit) { return int64_t(1) << bit; };
  for (unsigned a = bits; a-- > 0;)
    if (offer(unit(a)))
      return best;
  for (unsigned a = bits; a-- > 0;)
    for (unsigned b = a; b-- > 0;)
      if (offer(unit(a) | unit(b)))
        return best;
  for (unsigned a = bits; a-- > 0;)
    for (unsigned b = a; b-- > 0;)
      for (unsigned c = b; c-- > 0;)
        if (offer(unit(a) | unit(b) | unit(c)))
          return best;
  return best;
}

/// Completes a candidate's vector to a layout of the tile, spreading both phases over the banks.
LinearLayout buildSharedLayout(const Candidate &candidate, ArrayRef<int64_t> shape, unsigned elementBytes) {
  unsigned bits = countElementBits(LinearLayout(shape));
  unsigned segmentStart = std::min(bits, llvm::Log2_32(kSegmentBytes / elementBytes));
  F2Span writer = makeSpan(candidate.writerPhase), reader = makeSpan(candidate.readerPhase);
  F2Span independent = makeSpan(candidate.vector);
  Vectors segments;
  for (unsigned bit = segmentStart; bit < bits; ++bit) {
    int64_t segment = findSegment(writer, reader, independent, bits);
    assert(segment && "the vector and the segments so far do not fill the tile");
    segments.push_back(segment);
    for (F2Span *span : {&writer, &reader, &independent})
      span->insert(segment);
  }
  // The banks: what completes the basis. Directions of threads come first, so that a thread's offset steps by whole
  // vectors whenever its direction can be a basis vector.
  Vectors banks;
  for (int64_t direction : candidate.threads)
    if (independent.insert(direction))
      banks.push_back(direction);
  for (unsigned bit = 0; bit < bits; ++bit)
    if (independent.insert(uint64_t(1) << bit))
      banks.push_back(int64_t(1) << bit);

  LinearLayout layout(shape);
  for (int64_t element : llvm::concat<const int64_t>(candidate.vector, banks, segments))
    layout.addFlatBasis(LayoutDim::Offset, element);
  return layout;
}

/// The low offset bits worth trying, see chooseSharedExchange.
std::vector<Candidate> collectCandidates(const Side &writer, const Side &reader, MatrixInstructions instructions) {
  size_t limit = llvm::Log2_32(std::max(1u, kMaxVectorBytes / writer.elementBytes));
  std::vector<Candidate> candidates;
  auto add = [&](const Vectors &vector, std::optional<Vectors> writerRows = {},
                 std::optional<Vectors> readerRows = {}) {
    if (makeSpan(vector).getRank() != vector.size())
      return;
    Candidate candidate{vector, writer.getPhase(vector), reader.getPhase(vector), {}};
    llvm::append_range(candidate.threads, reader.threads);
    llvm::append_range(candidate.threads, writer.threads);
    for (auto [phase, rows] : {std::pair(&candidate.writerPhase, &writerRows), {&candidate.readerPhase, &readerRows}})
      if (*rows) {
        *phase = vector;
        phase->append(**rows);
      }
    candidates.push_back(std::move(candidate));
  };

  for (bool transposed : {false, true}) {
    auto readRow = getMatrixRow(reader, transposed), writeRow = getMatrixRow(writer, transposed);
    if (instructions.load && instructions.store && readRow)
      for (bool storeTransposed : {false, true})
        if (auto row = getMatrixRow(writer, storeTransposed); row && row->first == readRow->first)
          add(readRow->first, row->second, readRow->second);
    if (instructions.load && readRow)
      add(readRow->first, {}, readRow->second);
    if (instructions.store && writeRow)
      add(writeRow->first, writeRow->second);
  }
  Vectors common = extendVector({}, intersect(writer, reader), limit);
  add(extendVector(common, reader.registers, limit));
  add(extendVector(common, writer.registers, limit));
  add(common);
  return candidates;
}

int64_t countInstructions(const SharedAccess &access) {
  return access.matrix ? access.matrix->accesses.size() : access.vector.accesses.size();
}

/// How many of the least significant offset bits run along one dimension of the tile, from its first element.
int64_t countContiguousBits(const LinearLayout &layout) {
  int64_t longest = 0;
  for (unsigned d = 0; d < layout.getRank(); ++d) {
    unsigned bit = 0;
    LinearLayout::Basis expected(layout.getRank(), 0);
    for (expected[d] = 1; bit < layout.getNumBits(LayoutDim::Offset); ++bit, expected[d] *= 2)
      if (layout.getBasis(LayoutDim::Offset, bit) != expected)
        break;
    longest = std::max<int64_t>(longest, bit);
  }
  return longest;
}

/// Renumbers the registers of a plan made for a reduced layout.
template <typename Plan>
void renumberRegisters(Plan &plan, ArrayRef<unsigned> original) {
  for (auto &access : plan.accesses)
    for (unsigned &reg : access.registers)
      reg = original[reg];
}

} // namespace

SharedAccess tileiras::planSharedAccess(const LinearLayout &distributed, const LinearLayout &shared,
                                        unsigned elementBits, bool allowMatrix) {
  ReducedLayout reduced(distributed);
  unsigned bytes = getSharedElementBytes(elementBits);
  SharedAccess access;
  access.vector = planVectorAccess(reduced.layout, shared, std::max(1u, kMaxVectorBytes / bytes));
  access.traffic = countTraffic(access.vector, bytes);
  size_t numInstructions = access.vector.accesses.size();
  if (allowMatrix)
    for (bool transposed : {false, true}) {
      std::optional<MatrixAccessPlan> plan = planMatrixAccess(reduced.layout, shared, bytes * 8, transposed);
      if (!plan)
        continue;
      SharedMemoryTraffic traffic = countTraffic(*plan, bytes);
      if (std::pair(traffic.wavefronts, plan->accesses.size()) <
          std::pair(access.traffic.wavefronts, numInstructions)) {
        numInstructions = plan->accesses.size();
        access.traffic = traffic;
        access.matrix = std::move(plan);
      }
    }
  renumberRegisters(access.vector, reduced.original);
  if (access.matrix)
    renumberRegisters(*access.matrix, reduced.original);
  return access;
}

/// `layout` with the registers swapped.
static LinearLayout applySwap(const LinearLayout &layout, RegisterSwap swap) {
  LinearLayout swapped(layout.getOutSizes());
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp, LayoutDim::Block})
    for (auto [bit, basis] : llvm::enumerate(layout.getBases(dim))) {
      LinearLayout::Basis sum = basis;
      if (dim == LayoutDim::Lane && bit == swap.lane)
        for (auto [d, step] : llvm::enumerate(layout.getBasis(LayoutDim::Register, swap.reg)))
          sum[d] ^= step;
      swapped.addBasis(dim, sum);
    }
  return swapped;
}

/// Whether every `count` registers from a multiple of `count` on lie in memory one after the other.
static bool areRunsContiguous(const VectorAccessPlan &plan, unsigned count) {
  return plan.vectorElements % count == 0 && llvm::all_of(plan.accesses, [&](const VectorAccess &access) {
           for (auto [i, reg] : llvm::enumerate(access.registers))
             if (reg % count != i % count || reg - i % count != access.registers[i - i % count])
               return false;
           return true;
         });
}

SmallVector<RegisterSwap> tileiras::swapRegisters(LinearLayout &distributed, const LinearLayout &shared,
                                                  unsigned elementBits) {
  const unsigned elementsPerWord = getElementsPerWord(elementBits);
  const int64_t selects = distributed.getInSize(LayoutDim::Register) / elementsPerWord;
  SmallVector<RegisterSwap> swaps;
  SharedAccess access = planSharedAccess(distributed, shared, elementBits, /*allowMatrix=*/false);
  if (!areRunsContiguous(access.vector, elementsPerWord))
    return swaps;
  while (access.traffic.conflicts != 0) {
    const int64_t enough = access.traffic.wavefronts - llvm::divideCeil(selects, 2);
    std::optional<RegisterSwap> best;
    for (unsigned lane = 0; lane < distributed.getNumBits(LayoutDim::Lane); ++lane)
      for (unsigned reg = llvm::Log2_32(elementsPerWord); reg < distributed.getNumBits(LayoutDim::Register); ++reg) {
        SharedAccess other =
            planSharedAccess(applySwap(distributed, {lane, reg}), shared, elementBits, /*allowMatrix=*/false);
        if (other.traffic.wavefronts > enough ||
            (best && std::pair(other.traffic.wavefronts, countInstructions(other)) >=
                         std::pair(access.traffic.wavefronts, countInstructions(access))))
          continue;
        best = RegisterSwap{lane, reg};
        access = std::move(other);
      }
    if (!best)
      break;
    swaps.push_back(*best);
    distributed = applySwap(distributed, *best);
  }
  return swaps;
}

SharedExchange tileiras::chooseSharedExchange(const LinearLayout &writer, const LinearLayout &reader,
                                              unsigned elementBits, MatrixInstructions instructions) {
  assert(writer.getOutSizes() == reader.getOutSizes() && "both sides hold the same tile");
  unsigned bytes = getSharedElementBytes(elementBits);
  std::optional<SharedExchange> best;
  std::array<int64_t, 3> bestRank{};
  for (const Candidate &candidate : collectCandidates(Side(writer, bytes), Side(reader, bytes), instructions)) {
    SharedExchange exchange{buildSharedLayout(candidate, writer.getOutSizes(), bytes), {}, {}};
    exchange.store = planSharedAccess(writer, exchange.layout, elementBits, instructions.store);
    exchange.load = planSharedAccess(reader, exchange.layout, elementBits, instructions.load);
    std::array<int64_t, 3> rank{exchange.getWavefronts(),
                                countInstructions(exchange.store) + countInstructions(exchange.load),
                                -countContiguousBits(exchange.layout)};
    if (!best || rank < bestRank) {
      best = std::move(exchange);
      bestRank = rank;
    }
  }
  return std::move(*best);
}
