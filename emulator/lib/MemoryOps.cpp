//===- MemoryOps.cpp - Loads and stores ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MemoryModifiers.h"
#include <cstring>

namespace ptxemu {

void readMemoryOrder(OpReader &r, Order *order, Scope *scope) {
  *scope = Scope::None;
  *order = Order::Weak;
  if (r.accept(".relaxed"))
    *order = Order::Relaxed;
  else if (r.accept(".acquire"))
    *order = Order::Acquire;
  else if (r.accept(".release"))
    *order = Order::Release;
  else if (r.accept(".acq_rel"))
    *order = Order::AcquireRelease;
  *scope = readScope(r);
}

Scope readScope(OpReader &r) {
  if (r.accept(".cta"))
    return Scope::Cta;
  if (r.accept(".cluster"))
    return Scope::Cluster;
  if (r.accept(".gpu") || r.accept(".gl"))
    return Scope::Gpu;
  if (r.accept(".sys"))
    return Scope::Sys;
  return Scope::None;
}

bool readCacheHints(OpReader &r) {
  r.ignore({".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt", ".L1::evict_normal", ".L1::evict_unchanged",
            ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate", ".L2::evict_normal", ".L2::evict_first",
            ".L2::evict_last", ".L2::64B", ".L2::128B", ".L2::256B"});
  return r.accept(".L2::cache_hint");
}

namespace {

enum ParamKind : uint8_t { kNoParam, kEntryParam, kFrameParam };

/// A loaded value as the destination register holds it.
uint64_t extend(const uint8_t *from, Type type, unsigned bytes, unsigned registerBytes) {
  uint64_t v = 0;
  std::memcpy(&v, from, bytes);
  if (isSignedInteger(type) && registerBytes > bytes) {
    unsigned shift = 64 - bytes * 8;
    v = static_cast<uint64_t>(static_cast<int64_t>(v << shift) >> shift);
    if (registerBytes < 8)
      v &= (1ull << (registerBytes * 8)) - 1;
  }
  return v;
}

uint8_t *locate(Exec &x, const Inst &inst, uint64_t base, unsigned size, unsigned lane, AccessKind kind,
                const uint8_t *value = nullptr) {
  uint64_t address = base + static_cast<uint64_t>(inst.offset);
  if (inst.mode3 == kFrameParam)
    return x.frame->parameters.data() + static_cast<size_t>(x.frame->function->parameterBytes) * lane + address;
  return access(x, inst.space, address, size, lane,
                {kind, static_cast<Order>(inst.mode), static_cast<Scope>(inst.mode2), value});
}

void countRequest(Exec &x, const Inst &inst, const Lanes &base, unsigned size) {
  if (!x.machine.watchesMemory() || inst.mode3 != kNoParam)
    return;
  Place place = resolve(x, inst.space,
                        base[static_cast<unsigned>(std::countr_zero(x.mask))] + static_cast<uint64_t>(inst.offset), 0);
  countAccess(
      x, place.space, [&](unsigned l) { return base[l] + static_cast<uint64_t>(inst.offset); }, size);
}

void load(Exec &x, const Inst &inst) {
  const Lanes base = x.s(0); // a copy: a destination may be the address register
  unsigned bytes = byteSize(inst.type), total = bytes * inst.vector;
  countRequest(x, inst, base, total);
  x.forLanes([&](unsigned l) {
    const uint8_t *p = locate(x, inst, base[l], total, l, AccessKind::Read);
    for (unsigned v = 0; v < inst.vector; ++v, p += bytes)
      x.d(v)[l] = extend(p, inst.type, bytes, inst.width);
  });
}

/// .b128 scalars: two registers of the frame.
void loadWide(Exec &x, const Inst &inst) {
  const Lanes base = x.s(0);
  countRequest(x, inst, base, 16);
  x.forLanes([&](unsigned l) {
    const uint8_t *p = locate(x, inst, base[l], 16, l, AccessKind::Read);
    std::memcpy(&x.d(0)[l], p, 8);
    std::memcpy(&x.d(1)[l], p + 8, 8);
  });
}

void store(Exec &x, const Inst &inst) {
  const Lanes &base = x.s(0);
  unsigned bytes = byteSize(inst.type), total = bytes * inst.vector;
  countRequest(x, inst, base, total);
  bool changed = false;
  x.forLanes([&](unsigned l) {
    uint8_t value[32 + 8];
    for (unsigned v = 0; v < inst.vector; ++v) {
      uint64_t element = x.s(1 + v)[l];
      std::memcpy(value + v * bytes, &element, 8);
    }
    uint8_t *p = locate(x, inst, base[l], total, l, AccessKind::Write, value);
    if (std::memcmp(p, value, total)) {
      changed = true;
      std::memcpy(p, value, total);
    }
  });
  if (changed)
    x.machine.progressMade();
}

void storeWide(Exec &x, const Inst &inst) {
  const Lanes &base = x.s(0), &low = x.s(1), &high = x.s(2);
  countRequest(x, inst, base, 16);
  x.forLanes([&](unsigned l) {
    uint64_t pair[2] = {low[l], high[l]};
    uint8_t *p = locate(x, inst, base[l], 16, l, AccessKind::Write, reinterpret_cast<const uint8_t *>(pair));
    std::memcpy(p, pair, 16);
  });
  x.machine.progressMade();
}

/// Resolves the address operand, telling entry parameters (one read-only block) from a frame's own.
void decodeAddress(OpReader &r, const ast::Operand &o) {
  if (r.inst.space == Space::Param && o.kind == ast::Operand::Address && o.elements[0].kind == ast::Operand::Name) {
    Symbol s = r.function.lookup(o.elements[0].name, r.ast.scope, r.ast.line);
    if (s.kind == Symbol::FrameParameter) {
      r.inst.mode3 = kFrameParam;
      r.inst.offset = o.offset;
      r.inst.s.push_back(r.function.constant(s.address));
      if (o.elements.size() != 1)
        r.fail("expected [parameter+offset]");
      return;
    }
    r.inst.mode3 = kEntryParam;
  }
  r.address(o, r.inst.space);
}

void frameBounds(OpReader &r) {
  // Parameter variables are accessed by name with constant offsets: checked here once.
  if (r.inst.mode3 != kFrameParam)
    return;
  uint64_t end = r.function.function.constants[static_cast<size_t>(~r.inst.s[0])][0] +
                 static_cast<uint64_t>(r.inst.offset) + byteSize(r.inst.type) * r.inst.vector;
  if (r.inst.offset < 0 || end > r.function.function.parameterBytes)
    r.fail("accesses bytes outside the parameter");
}

constexpr std::initializer_list<Type> kMemoryTypes = {Type::B8,  Type::B16, Type::B32, Type::B64, Type::B128,
                                                      Type::U8,  Type::U16, Type::U32, Type::U64, Type::S8,
                                                      Type::S16, Type::S32, Type::S64, Type::F32, Type::F64};

unsigned readVector(OpReader &r) {
  return r.accept(".v2") ? 2 : r.accept(".v4") ? 4 : r.accept(".v8") ? 8 : 1;
}

/// .weak, .volatile, .relaxed.gpu … of a load or store.
void readSemantics(OpReader &r, bool isStore) {
  Order order = Order::Weak;
  Scope scope = Scope::None;
  bool isMmio = r.accept(".mmio");
  if (r.accept(".volatile"))
    order = Order::Volatile;
  else if (r.accept(".relaxed"))
    order = Order::Relaxed;
  else if (r.accept(isStore ? ".release" : ".acquire"))
    order = isStore ? Order::Release : Order::Acquire;
  else
    r.accept(".weak");
  if (order != Order::Weak && order != Order::Volatile && (scope = readScope(r)) == Scope::None)
    r.fail("needs a scope");
  if (isMmio && (order != Order::Relaxed || scope != Scope::Sys))
    r.fail(".mmio goes with .relaxed.sys");
  r.inst.mode = static_cast<uint8_t>(order);
  r.inst.mode2 = static_cast<uint8_t>(scope);
}

/// 16 bytes at most; 32 in global memory, as words or double words. Only memory that threads share has strong accesses.
void checkShape(OpReader &r, Type t) {
  if (r.inst.mode && (r.inst.space == Space::Local || r.inst.space == Space::Const || r.inst.space == Space::Param))
    r.fail("accesses to this space are weak");
  // Other clusters may see each other through strong accesses.
  if (r.inst.mode && (r.inst.space == Space::Global || r.inst.space == Space::Generic))
    r.inst.flags |= kDeviceOrder;
  unsigned bytes = byteSize(t) * r.inst.vector;
  bool isWide = bytes == 32 && byteSize(t) >= 4 && t != Type::B128 &&
                (r.inst.space == Space::Global || r.inst.space == Space::Generic);
  if ((bytes > 16 || r.inst.vector == 8) && !isWide)
    r.fail("a vector has at most four elements and 16 bytes, or eight words or four double words in global memory");
}

void decodeLoad(OpReader &r) {
  bool isUniform = r.ast.opcode == "ldu";
  if (!isUniform)
    readSemantics(r, false);
  bool readOnly = !isUniform && r.accept(".nc");
  bool hint = readCacheHints(r);
  r.inst.space = r.acceptSpace();
  if ((readOnly && (r.inst.space != Space::Global || r.inst.mode)) ||
      (isUniform && r.inst.space != Space::Global && r.inst.space != Space::Generic))
    r.fail("reads global memory, weakly");
  r.inst.vector = static_cast<uint8_t>(readVector(r));
  Type t = r.inst.type = r.type(kMemoryTypes);
  r.expectCount(hint ? 3 : 2, hint ? 3 : 2);
  r.inst.opClass = OpClass::Memory;
  checkShape(r, t);
  auto list = r.elements(r.operand(0));
  if (list.size() != r.inst.vector)
    r.fail("needs " + std::to_string(r.inst.vector) + " destination registers");
  for (const ast::Operand *o : list) {
    uint8_t width;
    r.inst.d.push_back(r.destinationAtLeast(*o, t, &width));
    if (o->kind != ast::Operand::Sink || r.inst.width == 0)
      r.inst.width = width;
  }
  decodeAddress(r, r.operand(1));
  frameBounds(r);
  if (t == Type::B128) {
    if (r.inst.vector != 1)
      r.fail("vectors of .b128 are not supported");
    r.inst.d.push_back(r.inst.d[0] == kSink ? kSink : r.inst.d[0] + 1);
    r.inst.handler = loadWide;
    return;
  }
  r.inst.handler = load;
}

void decodeStore(OpReader &r) {
  readSemantics(r, true);
  bool hint = readCacheHints(r);
  r.inst.space = r.acceptSpace();
  r.inst.vector = static_cast<uint8_t>(readVector(r));
  Type t = r.inst.type = r.type(kMemoryTypes);
  r.expectCount(hint ? 3 : 2, hint ? 3 : 2);
  r.inst.opClass = OpClass::Memory;
  checkShape(r, t);
  if (r.inst.space == Space::Const)
    r.fail("constant memory cannot be written");
  decodeAddress(r, r.operand(0));
  frameBounds(r);
  auto list = r.elements(r.operand(1));
  if (list.size() != r.inst.vector)
    r.fail("needs " + std::to_string(r.inst.vector) + " source registers");
  for (const ast::Operand *o : list)
    r.inst.s.push_back(r.sourceAtLeast(*o, t));
  if (t == Type::B128) {
    if (r.inst.vector != 1 || r.inst.s[1] < 0)
      r.fail("needs one .b128 register");
    r.inst.s.push_back(r.inst.s[1] + 1);
    r.inst.handler = storeWide;
    return;
  }
  r.inst.handler = store;
}

} // namespace

void addMemoryOps(OpcodeTable &t) {
  t["ld"] = t["ldu"] = decodeLoad;
  t["st"] = [](OpReader &r) {
    if (r.accept(".async"))
      decodeAsyncStore(r, false);
    else if (r.accept(".bulk"))
      decodeBulkStore(r);
    else
      decodeStore(r);
  };
}

} // namespace ptxemu
