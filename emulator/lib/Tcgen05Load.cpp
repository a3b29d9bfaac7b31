//===- Tcgen05Load.cpp - Between tensor memory and registers -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionObserver.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Tcgen05.h"

namespace ptxemu {

namespace {

enum AccessShape : uint8_t { k32x32, k16x64, k16x128, k16x256, k16x32x2 };

/// What an instruction moves. Inst::mode is the shape, flag: two 16-bit elements a register, offset2: where the second
/// half of .16x32bx2 starts.
struct TensorMove {
  AccessShape shape;
  bool packed;
  unsigned registers;
  unsigned split;

  TensorMove(const Inst &i, size_t registers)
      : shape(static_cast<AccessShape>(i.mode)), packed(i.flag), registers(static_cast<unsigned>(registers)),
        split(static_cast<unsigned>(i.offset2)) {}

  unsigned lanes() const { return shape == k32x32 ? 32 : 16; }
  /// 32-bit elements of a lane (of one half).
  unsigned elements() const { return shape == k32x32 || shape == k16x32x2 ? registers : registers * 2; }
  unsigned columns() const { return elements() * (packed ? 2 : 1); }

  struct Cell {
    unsigned row, element, offset; ///< `offset`: columns before the element's half
  };
  /// Where register r of a lane lies, as the ISA's figures of the fragments show.
  Cell cell(unsigned lane, unsigned r) const {
    switch (shape) {
    case k32x32:
      return {lane, r, 0};
    case k16x64:
      return {lane / 4 + 8 * (lane & 1), r * 2 + (lane >> 1 & 1), 0};
    case k16x128:
      return {lane / 4 + 8 * (r & 1), r / 2 * 4 + lane % 4, 0};
    case k16x256:
      return {lane / 4 + 8 * (r >> 1 & 1), r / 4 * 8 + lane % 4 * 2 + (r & 1), 0};
    default:
      return {lane % 16, r, lane < 16 ? 0 : split};
    }
  }
};

/// The address, the same in all lanes, of lanes this warp can reach.
TensorAddress addressOf(Exec &x, const TensorMove &m, int64_t offset) {
  for (unsigned l = 1; l < 32; ++l)
    if (x.s(0)[l] != x.s(0)[0])
      throw Fault{"divergence", "the lanes of the warp give different tensor-memory addresses", static_cast<int>(l)};
  TensorAddress a(x.s(0)[0] + static_cast<uint64_t>(offset));
  unsigned first = x.warp.index % 4 * 32;
  if (a.lane < first || a.lane + m.lanes() > first + 32)
    throw Fault{"tensor-memory",
                "warp " + std::to_string(x.warp.index) + " can reach lanes " + std::to_string(first) + " … " +
                    std::to_string(first + 31) + " only, not lane " + std::to_string(a.lane),
                -1};
  if (a.lane % m.lanes())
    throw Fault{"tensor-memory", "the lane of the address must be a multiple of " + std::to_string(m.lanes()), -1};
  return a;
}

/// The regions it touches: one, or the two halves.
std::vector<TensorRegion> regionsOf(Exec &x, const TensorMove &m, TensorAddress a) {
  std::vector<TensorRegion> regions{tensorRegion(x.cta, a, m.lanes(), m.columns())};
  if (m.shape == k16x32x2) {
    a.column += m.split;
    regions.push_back(tensorRegion(x.cta, a, m.lanes(), m.columns()));
  }
  return regions;
}

void record(Exec &x, const TensorRegion &r, TensorAccess access) {
  TensorTouch t;
  t.access = access;
  x.cta.tensor.order.access(x, r, access == TensorAccess::Store, t);
  x.cta.tensor.eachInFlight(r, [&](uint16_t count, unsigned c) {
    if (count)
      x.machine.complain(
          {"async-in-flight",
           "column " + std::to_string(c) +
               " of tensor memory is still to be written: wait for the commit (or tcgen05.wait::st) first",
           -1});
  });
}

//===----------------------------------------------------------------------===//
// ld
//===----------------------------------------------------------------------===//

uint32_t readCell(Exec &x, unsigned lane, unsigned column, unsigned thread) {
  TensorMemory &t = x.cta.tensor;
  if (x.machine.launchOptions().checkUninitialized && !t.isWritten(lane, column))
    x.machine.complain({"uninitialized-tensor-memory",
                        "lane " + std::to_string(lane) + ", column " + std::to_string(column) +
                            " of tensor memory is read, but nothing has written it",
                        static_cast<int>(thread)});
  return t.cell(lane, column);
}

void readRegisters(Exec &x, const TensorMove &m, TensorAddress a, std::vector<Lanes> &values) {
  for (unsigned r = 0; r < m.registers; ++r)
    for (unsigned l = 0; l < 32; ++l) {
      auto [row, element, offset] = m.cell(l, r);
      unsigned lane = a.lane + row, c = a.column + offset + element * (m.packed ? 2 : 1);
      uint32_t v = readCell(x, lane, c, l);
      values[r][l] = m.packed ? (v & 0xffff) | (readCell(x, lane, c + 1, l) & 0xffff) << 16 : v;
    }
}

/// The registers belong to the load until wait::ld.
void hold(Exec &x, PendingTensorLoad pending) {
  for (RegisterIndex s : pending.registers)
    if (s >= 0) {
      if (x.frame->locks[s])
        x.machine.complain({"missing-tensor-wait",
                            "an earlier tcgen05.ld of this register has not been waited for: it needs "
                            "tcgen05.wait::ld.sync.aligned",
                            -1});
      ++x.frame->locks[s];
    }
  ++x.warp.lockedOperations;
  x.warp.tensorLoads.push_back(std::move(pending));
}

PendingTensorLoad startLoad(Exec &x, const Inst &inst, unsigned registers) {
  TensorMove m(inst, registers);
  TensorAddress a = addressOf(x, m, inst.offset);
  for (const TensorRegion &r : regionsOf(x, m, a))
    record(x, r, TensorAccess::Load);
  PendingTensorLoad pending{x.frame, inst.d, std::vector<Lanes>(registers), inst.line};
  if (wantsResults(x.machine.observer(), *x.frame->function, x.place()))
    readRegisters(x, m, a, pending.values);
  return pending;
}

void loadTensor(Exec &x, const Inst &inst) {
  hold(x, startLoad(x, inst, static_cast<unsigned>(inst.d.size())));
}

/// type: of the elements; mode3: maximum; sat: .abs, relu: .NaN. The last register of `d` takes the reduction.
uint32_t reduce(const Inst &inst, uint32_t a, uint32_t b) {
  if (inst.type == Type::U32)
    return inst.mode3 ? std::max(a, b) : std::min(a, b);
  if (inst.type == Type::S32) {
    auto i = static_cast<int32_t>(a), j = static_cast<int32_t>(b);
    return static_cast<uint32_t>(inst.mode3 ? std::max(i, j) : std::min(i, j));
  }
  float f = std::bit_cast<float>(a), g = std::bit_cast<float>(b);
  return std::bit_cast<uint32_t>(canonical(inst.mode3 ? maximum(f, g, inst.relu) : minimum(f, g, inst.relu)));
}

void loadReduced(Exec &x, const Inst &inst) {
  unsigned n = static_cast<unsigned>(inst.d.size()) - 1;
  PendingTensorLoad pending = startLoad(x, inst, n);
  Lanes result;
  for (unsigned l = 0; l < 32; ++l) {
    auto value = [&](unsigned r) {
      uint32_t v = static_cast<uint32_t>(pending.values[r][l]);
      return inst.sat ? v & 0x7fffffff : v;
    };
    uint32_t v = value(0);
    for (unsigned r = 1; r < n; ++r)
      v = reduce(inst, v, value(r));
    result[l] = v;
  }
  pending.values.push_back(result);
  hold(x, std::move(pending));
}

//===----------------------------------------------------------------------===//
// st, wait
//===----------------------------------------------------------------------===//

void storeTensor(Exec &x, const Inst &inst) {
  TensorMove m(inst, inst.s.size() - 1);
  TensorAddress a = addressOf(x, m, inst.offset);
  std::vector<TensorRegion> regions = regionsOf(x, m, a);
  for (const TensorRegion &r : regions)
    record(x, r, TensorAccess::Store);
  TensorMemory &t = x.cta.tensor;
  for (unsigned r = 0; r < m.registers; ++r)
    for (unsigned l = 0; l < 32; ++l) {
      auto [row, element, offset] = m.cell(l, r);
      unsigned lane = a.lane + row, c = a.column + offset + element * (m.packed ? 2 : 1);
      uint32_t v = static_cast<uint32_t>(x.s(1 + r)[l]);
      t.write(lane, c, m.packed ? v & 0xffff : v);
      if (m.packed)
        t.write(lane, c + 1, v >> 16);
    }
  for (const TensorRegion &r : regions) {
    t.begin(r);
    x.warp.tensorStores.push_back(r);
  }
  x.machine.progressMade();
}

void waitStores(Exec &x, const Inst &) {
  for (const TensorRegion &r : x.warp.tensorStores)
    x.cta.tensor.finish(r);
  x.warp.tensorStores.clear();
  tensorWait(x.warp, true);
}

void waitLoads(Exec &x, const Inst &) {
  for (PendingTensorLoad &p : x.warp.tensorLoads) {
    for (size_t i = 0; i < p.registers.size(); ++i)
      if (RegisterIndex s = p.registers[i]; s >= 0) {
        p.frame->registers[s] = p.values[i];
        p.frame->defined[s] = ~0u;
        --p.frame->locks[s];
      }
    --x.warp.lockedOperations;
  }
  x.warp.tensorLoads.clear();
  tensorWait(x.warp, false);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// The shape and repeat count; the number of registers.
unsigned readLoadShape(OpReader &r) {
  std::string shape = r.expectAny({".32x32b", ".16x64b", ".16x128b", ".16x256b", ".16x32bx2"}, "a shape");
  std::string num = r.expectAny({".x1", ".x2", ".x4", ".x8", ".x16", ".x32", ".x64", ".x128"}, "a repeat count");
  r.inst.mode = shape == ".32x32b"    ? k32x32
                : shape == ".16x64b"  ? k16x64
                : shape == ".16x128b" ? k16x128
                : shape == ".16x256b" ? k16x256
                                      : k16x32x2;
  unsigned count = static_cast<unsigned>(std::stoul(num.substr(2)));
  count *= r.inst.mode == k16x128 ? 2 : r.inst.mode == k16x256 ? 4 : 1;
  if (count > 128)
    r.fail("there is no repeat count " + num + " for this shape");
  return count;
}

/// The second half's offset, the operand after the address.
void readSplit(OpReader &r, size_t operand) {
  if (r.inst.mode == k16x32x2)
    r.inst.offset2 = static_cast<int64_t>(r.integer(r.operand(operand)));
}

void readReduction(OpReader &r) {
  r.inst.mode3 = r.expectAny({".min", ".max"}, ".min or .max") == ".max";
  r.inst.sat = r.accept(".abs");
  r.inst.relu = r.accept(".NaN");
  r.inst.type = r.type({Type::F32, Type::U32, Type::S32});
  if (r.inst.type != Type::F32 && (r.inst.sat || r.inst.relu))
    r.fail(".abs and .NaN are for .f32");
  if (r.inst.mode != k32x32 && r.inst.mode != k16x32x2)
    r.fail("only .32x32b and .16x32bx2 reduce");
}

} // namespace

void decodeTensorLoad(OpReader &r) {
  bool reduces = r.accept(".red");
  syncAligned(r);
  unsigned count = readLoadShape(r);
  if (reduces) {
    readReduction(r);
    if (count < 2)
      r.fail("a reduction needs .x2 at least");
  } else {
    r.inst.flag = r.accept(".pack::16b");
    r.type({Type::B32});
  }
  size_t address = reduces ? 2 : 1, operands = address + 1 + (r.inst.mode == k16x32x2);
  r.expectCount(operands, operands);
  auto list = r.elements(r.operand(0));
  if (list.size() != count)
    r.fail("needs " + std::to_string(count) + " registers");
  r.tensorAddress(r.operand(address));
  for (const ast::Operand *o : list)
    r.inst.d.push_back(r.destination(*o, Type::B32));
  if (reduces)
    r.addDestination(1, Type::B32);
  readSplit(r, address + 1);
  r.inst.flags |= kWgmma; // the registers belong to the load until wait::ld
  r.inst.handler = reduces ? loadReduced : loadTensor;
}

void decodeTensorStore(OpReader &r) {
  syncAligned(r);
  unsigned count = readLoadShape(r);
  r.inst.flag = r.accept(".unpack::16b");
  r.type({Type::B32});
  size_t values = 1 + (r.inst.mode == k16x32x2);
  r.expectCount(values + 1, values + 1);
  r.tensorAddress(r.operand(0));
  readSplit(r, 1);
  auto list = r.elements(r.operand(values));
  if (list.size() != count)
    r.fail("needs " + std::to_string(count) + " registers");
  for (const ast::Operand *o : list)
    r.inst.s.push_back(r.source(*o, Type::B32));
  r.inst.handler = storeTensor;
}

void decodeTensorWait(OpReader &r) {
  bool stores = r.acceptAny({".wait::ld", ".wait::st"}) == ".wait::st";
  syncAligned(r);
  r.inst.handler = stores ? waitStores : waitLoads;
}

} // namespace ptxemu
