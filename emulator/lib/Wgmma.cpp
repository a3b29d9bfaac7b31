//===- Wgmma.cpp - Warpgroup matrix multiply -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "ExecutionObserver.h"
#include "FloatMath.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MatrixElements.h"
#include "MbarrierState.h"
#include "NarrowSums.h"
#include "Sparsity.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ptxemu {

namespace {

/// Each warp of the warpgroup does its own 16 rows of the 64: the operation needs nothing else of the others.
struct WgmmaInfo {
  unsigned n = 0, k = 0;
  Type d = Type::None, a = Type::None, b = Type::None;
  bool aInRegisters = false, transposeA = false, transposeB = false, isInteger = false, saturate = false,
       sparse = false;
  double scaleA = 1, scaleB = 1;
  unsigned dRegisters = 0, aRegisters = 0, selector = 0;

  unsigned storedDepth() const { return sparse ? k / 2 : k; }
};

[[noreturn]] void badDescriptor(char matrix, const std::string &why) {
  throw Fault{"descriptor", std::string("matrix ") + matrix + ": " + why, -1};
}

/// Collects the distinct 16-byte pieces an operand touches, checks them, and marks them read by the matrix unit.
class OperandReader {
public:
  OperandReader(Exec &x, uint32_t clock) : x(x), clock(clock) {}

  void check(char matrix, const SharedMatrix &m, unsigned first, unsigned rows, unsigned depth,
             const SharedElements &e) {
    unsigned bytes = e.elementBytes();
    if (m.mnMajor) {
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned mn = 0; mn < rows; mn += 16 / bytes)
          piece(matrix, m.address(first + mn, k, bytes) & ~15u);
      return;
    }
    for (unsigned mn = 0; mn < rows; ++mn)
      for (unsigned byte = 0; byte < e.rowBytes(depth); byte += 16)
        piece(matrix, m.address(first + mn, byte, 1) & ~15u);
  }

private:
  void piece(char matrix, uint32_t address) {
    SharedMemory &shared = x.cta.shared;
    if (address < kReservedShared || address + 16 > shared.size())
      badDescriptor(matrix, "it reaches shared address " + hexText(address) + ", outside the CTA's allocation (end " +
                                hexText(shared.size()) + ")");
    auto state = shared.initialized.begin() + address;
    if (std::find(state, state + 16, uint8_t(kInFlight)) != state + 16)
      x.machine.complain({"async-in-flight",
                          std::string("matrix ") + matrix + " includes shared memory at " + hexText(address) +
                              " that an asynchronous copy is still to write",
                          -1});
    if (x.machine.launchOptions().checkUninitialized &&
        std::find(state, state + 16, uint8_t(kUninitialized)) != state + 16)
      x.machine.complain({"uninitialized-shared",
                          std::string("matrix ") + matrix + " includes shared memory at " + hexText(address) +
                              " that nothing has written",
                          -1});
    x.machine.races().checkAsync(x, shared.shadow, address, 16, AccessKind::Read, x.warp.productEngine, clock,
                                 {Space::Shared, &x.cta, address});
  }

  Exec &x;
  uint32_t clock;
};

/// The accumulator register and half that hold (row, column) of the warp's 16 rows, and back.
template <class F>
void eachAccumulator(const WgmmaInfo &i, Lanes *registers, const Inst &inst, F &&f) {
  for (unsigned r = 0; r < i.dRegisters; ++r) {
    Lanes &d = registers[inst.d[r]];
    for (unsigned l = 0; l < 32; ++l)
      if (i.d == Type::F16)
        for (unsigned e = 0; e < 2; ++e)
          f(d[l], e, l / 4 + 8 * (r & 1), 8 * (r >> 1) + 2 * (l % 4) + e);
      else
        f(d[l], 0u, l / 4 + 8 * (r >> 1 & 1), 8 * (r >> 2) + 2 * (l % 4) + (r & 1));
  }
}

using Rows = MatrixRow[16];

/// The warp's 16 rows of A, as stored.
void readA(const Warp &w, const PendingWgmma &p, const WgmmaInfo &i, Rows &a) {
  if (!i.aInRegisters) {
    SharedElements element(i.a, false);
    for (unsigned row = 0; row < 16; ++row)
      for (unsigned k = 0; k < i.storedDepth(); ++k)
        a[row][k] = element(w.cta->shared.bytes.data(), p.a, w.index % 4 * 16 + row, k);
    return;
  }
  ElementDecoder decode(i.a);
  unsigned bits = i.a == Type::TF32 ? 32 : bitWidth(i.a), per = 32 / bits;
  for (unsigned r = 0; r < i.aRegisters; ++r)
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < per; ++e)
        a[l / 4 + (r & 1) * 8][(r >> 1) * 4 * per + l % 4 * per + e] =
            decode(p.frame->registers[p.inst->s[r]][l] >> (e * bits));
}

/// Puts the stored elements of sparse rows where they belong.
void spread(const PendingWgmma &p, const WgmmaInfo &i, Rows &a) {
  SparseGranularity g = i.a == Type::TF32 ? SparseGranularity::OneOfTwo : SparseGranularity::TwoOfFour;
  unsigned chunk = chunkElements(g), chunks = i.k / chunk, positions[4];
  const uint64_t *metadata = p.frame->registers[p.inst->s.back()].v;
  for (unsigned row = 0; row < 16; ++row) {
    double stored[128];
    std::copy_n(a[row], i.storedDepth(), stored);
    std::fill_n(a[row], i.k, 0.0);
    for (unsigned c = 0; c < chunks; ++c) {
      unsigned bits = warpMetadata(metadata, bitWidth(i.a) >= 16, chunks, i.selector, row, c);
      if (!storedPositions(g, bits, false, positions))
        throw Fault{"sparsity-metadata",
                    "the metadata of row " + std::to_string(row) + " of the warp has the value " +
                        std::to_string(bits) + " for chunk " + std::to_string(c) + ", which says nothing",
                    -1};
      for (unsigned e = 0; e < chunk / 2; ++e)
        a[row][c * chunk + positions[e]] = stored[c * chunk / 2 + e];
    }
  }
}

/// c += a·b; of bits, the number of places where both are set.
void multiply(const Warp &w, const PendingWgmma &p, const WgmmaInfo &i, Rows &a, Rows &c) {
  static thread_local double b[256][256];
  SharedElements element(i.b, false);
  for (unsigned k = 0; k < i.k; ++k)
    for (unsigned n = 0; n < i.n; ++n)
      b[k][n] = element(w.cta->shared.bytes.data(), p.b, n, k);
  for (MatrixRow &row : a)
    for (unsigned k = 0; k < i.k; ++k)
      row[k] *= i.scaleA * i.scaleB;
  if (addsNarrow(i.d, i.a, i.b))
    return addNarrow(i.a, i.b, a, b, i.k, i.n, c);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < i.k; ++k)
      for (unsigned n = 0; n < i.n; ++n)
        c[row][n] += a[row][k] * b[k][n];
}

/// Gives the registers their results, which are the warp's only when it has waited.
void compute(const Warp &w, const PendingWgmma &p) {
  const auto &i = p.inst->as<WgmmaInfo>();
  static thread_local Rows a, c;
  readA(w, p, i, a);
  if (i.sparse)
    spread(p, i, a);
  Lanes *registers = p.frame->registers.get();
  eachAccumulator(i, registers, *p.inst, [&](uint64_t &reg, unsigned e, unsigned row, unsigned column) {
    double v = 0;
    if (p.accumulate)
      v = i.d == Type::F32   ? fromRaw<float>(reg)
          : i.d == Type::F16 ? halfToDouble(static_cast<uint16_t>(reg >> (16 * e)))
                             : static_cast<int32_t>(reg);
    c[row][column] = v;
  });
  multiply(w, p, i, a, c);
  eachAccumulator(i, registers, *p.inst, [&](uint64_t &reg, unsigned e, unsigned row, unsigned column) {
    double v = c[row][column];
    if (i.d == Type::F32)
      reg = toRaw(canonical(static_cast<float>(v)));
    else if (i.d == Type::F16)
      reg = (reg & ~(0xffffull << (16 * e))) | static_cast<uint64_t>(encodeFloat(v, formatOf(Type::F16))) << (16 * e);
    else {
      int64_t n = static_cast<int64_t>(v);
      reg = static_cast<uint32_t>(i.saturate ? std::clamp<int64_t>(n, INT32_MIN, INT32_MAX) : n);
    }
  });
}

/// The warp has waited for the operation.
void retire(Machine &m, Warp &w, const PendingWgmma &p) {
  const auto &i = p.inst->as<WgmmaInfo>();
  for (RegisterIndex s : p.inst->d) {
    p.frame->defined[s] = ~0u;
    --p.frame->locks[s];
  }
  for (unsigned r = 0; r < i.aRegisters; ++r)
    --p.frame->readLocks[p.inst->s[r]];
  if (i.sparse)
    --p.frame->readLocks[p.inst->s.back()];
  m.races().waited(w, w.allLanes, w.productEngine, p.clock);
  --w.lockedOperations;
}

void checkFenced(Exec &x, RegisterIndex s, const char *what) {
  if (!x.warp.wgmmaFence)
    x.machine.complain({"missing-wgmma-fence", "the warp's first wgmma has no wgmma.fence before it", -1});
  if (s >= 0 && !x.frame->locks[s] && x.frame->writtenAt[s] > x.warp.wgmmaFence)
    x.machine.complain({"missing-wgmma-fence",
                        std::string(what) + " register of the wgmma was written after the last wgmma.fence", -1});
}

/// Notes that the warp issues what the warpgroup executes together.
void joinWarpgroup(Exec &x, const PendingWgmma &p) {
  Warp &w = x.warp;
  Warpgroup &group = x.cta.warpgroups[w.index / 4];
  const size_t at = p.number - group.first;
  if (at == group.operations.size())
    group.operations.emplace_back().inst = p.inst;
  WarpgroupOperation &operation = group.operations[at];
  if (operation.inst != p.inst)
    throw Fault{"divergence",
                "the warps of the warpgroup execute different wgmma: another warp's " + std::to_string(p.number + 1) +
                    "th is the one at PTX line " + std::to_string(operation.inst->line),
                -1};
  operation.issued |= static_cast<uint8_t>(1u << w.index % 4);
  operation.clock[w.index % 4] = p.clock;
  if (x.machine.launchOptions().strict)
    return;
  x.machine.races().release(w, w.allLanes, operation.point);
  if (operation.issued == 15) {
    x.machine.progressMade();
    x.machine.wakeWaiting(x.cta, Wait::Warpgroup, w.index / 4);
  }
}

/// s: A registers, or A's descriptor; then B's descriptor and the metadata. ps: scale-d.
void issue(Exec &x, const Inst &inst) {
  const auto &i = inst.as<WgmmaInfo>();
  Warp &w = x.warp;
  if (x.cta.warps.size() < (w.index | 3) + 1)
    throw Fault{"divergence", "wgmma needs a whole warpgroup of four warps", -1};
  if (w.productEngine == ~0u)
    w.productEngine = newEngine(*x.cta.cluster);
  auto uniform = [&](uint64_t first, const Lanes &v) {
    for (unsigned l = 1; l < 32; ++l)
      if (v[l] != first)
        throw Fault{"divergence", "the lanes of the warp give different matrix descriptors", static_cast<int>(l)};
  };
  PendingWgmma p;
  p.computed = !wantsResults(x.machine.observer(), *x.frame->function, x.place());
  p.inst = &inst;
  p.frame = x.frame;
  p.clock = ++w.productClock;
  uint32_t scale = x.predicate(inst.ps[0]);
  if (scale && ~scale)
    throw Fault{"divergence", "the lanes of the warp disagree about scale-d", -1};
  p.accumulate = scale;
  OperandReader reader(x, p.clock);
  std::string problem;
  unsigned next = 0;
  if (i.aInRegisters) {
    for (; next < i.aRegisters; ++next) {
      checkFenced(x, inst.s[next], "an A");
      ++x.frame->readLocks[inst.s[next]];
    }
  } else {
    uniform(x.s(0)[0], x.s(0));
    p.a = SharedMatrix::fromWgmma(x.s(next++)[0], i.transposeA, &problem);
    if (!problem.empty())
      badDescriptor('A', problem);
    if (!p.computed)
      reader.check('A', p.a, w.index % 4 * 16, 16, i.storedDepth(), SharedElements(i.a, false));
  }
  uniform(x.s(next)[0], x.s(next));
  p.b = SharedMatrix::fromWgmma(x.s(next)[0], i.transposeB, &problem);
  if (!problem.empty())
    badDescriptor('B', problem);
  if (!p.computed)
    reader.check('B', p.b, 0, i.n, i.k, SharedElements(i.b, false));
  if (i.sparse) {
    checkFenced(x, inst.s[next + 1], "the metadata");
    ++x.frame->readLocks[inst.s[next + 1]];
  }
  for (RegisterIndex s : inst.d) {
    checkFenced(x, s, "an accumulator");
    if (p.accumulate && !x.frame->locks[s] && ~x.frame->defined[s] && x.machine.launchOptions().checkUninitialized)
      x.machine.complain({"uninitialized-register", "the wgmma accumulates into a register that this warp never wrote",
                          std::countr_one(x.frame->defined[s])});
    ++x.frame->locks[s];
  }
  ++w.lockedOperations;
  p.group = w.wgmmaGroup;
  p.number = w.wgmmaIssued++;
  joinWarpgroup(x, p);
  w.wgmma.push_back(p);
  x.machine.counters().mmaOperations += 16ull * i.n * i.k;
}

void fenceRegisters(Exec &x, const Inst &) {
  x.warp.wgmmaFence = x.machine.now();
}
void commitWgmma(Exec &x, const Inst &) {
  ++x.warp.wgmmaGroup;
}

/// Computes what the warp has issued, up to the operation of this number.
void computeUpTo(Warp &w, uint64_t end) {
  for (PendingWgmma &p : w.wgmma)
    if (p.number < end && !std::exchange(p.computed, true))
      compute(w, p);
}

/// The tensor core executes a wgmma for the four warps together: when one has waited for it, the others have issued it,
/// and their matrices have been read too. So much is practice, in CUTLASS and others, which free a stage when one
/// thread of the warpgroup has waited; the ISA has each warp wait for its own (PTX ISA, wgmma.wait_group). False when
/// a warp is still to issue one of the operations.
bool finishForWarpgroup(Exec &x, uint64_t end) {
  Warpgroup &group = x.cta.warpgroups[x.warp.index / 4];
  // What holds for the last operation holds for those before it.
  const WarpgroupOperation &last = group.operations[end - 1 - group.first];
  if (last.issued != 15)
    return false;
  RaceChecker &races = x.machine.races();
  for (unsigned i = 0; i < 4; ++i) {
    Warp &other = *x.cta.warps[(x.warp.index & ~3u) + i];
    computeUpTo(other, end);
    races.waited(x.warp, x.warp.allLanes, other.productEngine, last.clock[i]);
  }
  races.acquire(x.warp, x.warp.allLanes, last.point);
  return true;
}

/// The warp has waited for the operations before `end`; those that all four have waited for are history.
void leaveWarpgroup(Warp &w, uint64_t end) {
  Warpgroup &group = w.cta->warpgroups[w.index / 4];
  for (uint64_t n = group.first; n < end; ++n)
    group.operations[n - group.first].waited |= static_cast<uint8_t>(1u << w.index % 4);
  for (; !group.operations.empty() && group.operations.front().waited == 15; ++group.first)
    group.operations.pop_front();
}

/// offset: groups that may stay unfinished.
void waitWgmma(Exec &x, const Inst &inst) {
  Warp &w = x.warp;
  size_t done = 0;
  while (done < w.wgmma.size() &&
         static_cast<int64_t>(w.wgmma[done].group) + inst.offset < static_cast<int64_t>(w.wgmmaGroup))
    ++done;
  if (!done)
    return;
  const uint64_t end = w.wgmma[done - 1].number + 1;
  if (!x.machine.launchOptions().strict && !finishForWarpgroup(x, end)) {
    x.fragment->wait = Wait::Warpgroup;
    x.fragment->waitKey = w.index / 4;
    x.repeat = true;
    return;
  }
  computeUpTo(w, end);
  for (size_t i = 0; i < done; ++i)
    retire(x.machine, w, w.wgmma[i]);
  w.wgmma.erase(w.wgmma.begin(), w.wgmma.begin() + static_cast<std::ptrdiff_t>(done));
  leaveWarpgroup(w, end);
  x.machine.progressMade();
}

//===--- Decoding ---------------------------------------------------------===//

void readTypes(OpReader &r, WgmmaInfo &i) {
  Type *types[] = {&i.d, &i.a, &i.b};
  for (Type *t : types) {
    auto type = r.acceptType();
    if (!type)
      r.fail("needs three types");
    *t = *type;
  }
  auto isFloat8 = [](Type t) { return t == Type::E4M3 || t == Type::E5M2; };
  auto isInt8 = [](Type t) { return t == Type::S8 || t == Type::U8; };
  bool bits = i.a == Type::B1;
  i.isInteger = isInt8(i.a) || bits;
  bool pair = (i.a == i.b && (i.a == Type::F16 || i.a == Type::BF16 || i.a == Type::TF32 || (bits && !i.sparse))) ||
              (isFloat8(i.a) && isFloat8(i.b)) || (isInt8(i.a) && isInt8(i.b));
  bool result =
      i.isInteger ? i.d == Type::S32 : i.d == Type::F32 || (i.d == Type::F16 && (i.a == Type::F16 || isFloat8(i.a)));
  unsigned rowBits = i.storedDepth() * (i.a == Type::TF32 ? 32 : bitWidth(i.a));
  bool columns = !i.isInteger || i.n == 8 || i.n == 24 || i.n % 16 == 0;
  if (!pair || !result || rowBits != 256 || !columns)
    r.fail("this combination of shape and types does not exist");
  if (bits) {
    r.expectAny({".and"}, ".and");
    r.expectAny({".popc"}, ".popc");
  }
  if (i.saturate && (!i.isInteger || bits))
    r.fail(".satfinite applies to integers");
}

int immediateSign(OpReader &r, size_t operand) {
  int64_t v = static_cast<int64_t>(r.integer(r.operand(operand)));
  if (v != 1 && v != -1)
    r.fail("a scale is 1 or -1");
  return static_cast<int>(v);
}

void readWgmmaShape(OpReader &r, WgmmaInfo &i) {
  unsigned m = 0;
  for (size_t n = 0; n < r.rest().size(); ++n)
    if (std::sscanf(r.rest()[n].c_str(), ".m%un%uk%u", &m, &i.n, &i.k) == 3) {
      r.takeAt(n);
      break;
    }
  if (m != 64 || i.n < 8 || i.n > 256 || i.n % 8)
    r.fail("needs a shape m64nNkK with N a multiple of 8 up to 256");
}

void readAccumulators(OpReader &r, WgmmaInfo &i) {
  auto list = r.elements(r.operand(0));
  i.dRegisters = 64 * i.n / 128 / (i.d == Type::F16 ? 2 : 1);
  if (list.size() != i.dRegisters)
    r.fail("needs " + std::to_string(i.dRegisters) + " accumulator registers");
  for (const ast::Operand *o : list) {
    r.inst.d.push_back(r.destination(*o, Type::B32));
    if (r.inst.d.back() == kSink)
      r.fail("an accumulator cannot be '_'");
  }
}

void readMultiplicandA(OpReader &r, WgmmaInfo &i) {
  const ast::Operand &a = r.operand(1);
  i.aInRegisters = a.kind == ast::Operand::Vector;
  i.aRegisters = i.aInRegisters ? 4 : 0;
  if (i.aInRegisters && a.elements.size() != 4)
    r.fail("A in registers takes 4 of them");
  for (const ast::Operand *o : r.elements(a))
    r.inst.s.push_back(r.source(*o, i.aInRegisters ? Type::B32 : Type::B64));
  if (i.aInRegisters)
    for (RegisterIndex s : r.inst.s)
      if (s < 0)
        r.fail("A takes registers");
}

bool readTranspose(OpReader &r, size_t operand) {
  uint64_t v = r.integer(r.operand(operand));
  if (v > 1)
    r.fail("a transpose operand is 0 or 1");
  return v;
}

/// What follows scale-d: signs and transposes of floating-point matrices.
void readSigns(OpReader &r, WgmmaInfo &i, size_t next) {
  if (i.isInteger)
    return r.expectCount(next, next);
  bool transposes = i.a == Type::F16 || i.a == Type::BF16;
  size_t operands = next + 2 + (transposes ? (i.aInRegisters ? 1 : 2) : 0);
  r.expectCount(operands, operands);
  i.scaleA = immediateSign(r, next);
  i.scaleB = immediateSign(r, next + 1);
  if (!transposes)
    return;
  if (!i.aInRegisters)
    i.transposeA = readTranspose(r, next + 2);
  i.transposeB = readTranspose(r, operands - 1);
}

void decodeMmaAsync(OpReader &r) {
  auto info = std::make_shared<WgmmaInfo>();
  WgmmaInfo &i = *info;
  i.sparse = r.accept(".sp");
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  readWgmmaShape(r, i);
  i.saturate = r.accept(".satfinite");
  readTypes(r, i);
  readAccumulators(r, i);
  readMultiplicandA(r, i);
  r.addSource(2, Type::B64);
  if (i.sparse) {
    r.addSource(3, Type::B32);
    if (r.inst.s.back() < 0)
      r.fail("the metadata is a register");
    uint64_t selector = r.integer(r.operand(4));
    i.selector = static_cast<unsigned>(selector);
    if (selector > (bitWidth(i.a) >= 16 ? 1u : 0u))
      r.fail("there is no such sparsity selector for this shape");
  }
  size_t scaleD = i.sparse ? 5 : 3;
  r.inst.ps.push_back(r.predicateSource(r.operand(scaleD)));
  readSigns(r, i, scaleD + 1);
  // Accumulators become defined when the operation completes, so the generic rules do not fit.
  r.inst.flags |= kAligned | kWgmma;
  r.inst.extra = info;
  r.inst.handler = issue;
}

void decodeWgmma(OpReader &r) {
  r.inst.opClass = OpClass::Mma;
  if (r.accept(".mma_async"))
    return decodeMmaAsync(r);
  bool fence = r.accept(".fence"), commit = r.accept(".commit_group"), wait = r.accept(".wait_group");
  if (fence + commit + wait != 1)
    return;
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.inst.flags |= kAligned;
  r.expectCount(wait ? 1 : 0, wait ? 1 : 0);
  if (wait)
    r.inst.offset = static_cast<int64_t>(r.integer(r.operand(0)));
  r.inst.handler = fence ? fenceRegisters : commit ? commitWgmma : waitWgmma;
}

} // namespace

void addWgmmaOps(OpcodeTable &t) {
  t["wgmma"] = decodeWgmma;
}

} // namespace ptxemu
