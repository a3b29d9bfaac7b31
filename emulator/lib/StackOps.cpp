//===- StackOps.cpp - alloca, stacksave, stackrestore --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanewise.h"

namespace ptxemu {

namespace {

constexpr uint64_t kMostStack = 512 << 10; ///< bytes a thread, all local memory there is

/// offset: alignment.
void allocate(Exec &x, const Inst &inst) {
  const Lanes size = x.s(0);
  Lanes &d = x.d();
  Warp &w = x.warp;
  uint64_t alignment = static_cast<uint64_t>(inst.offset), most = 0;
  x.forLanes([&](unsigned l) {
    uint64_t base = (w.stackTop[l] + alignment - 1) / alignment * alignment;
    if (size[l] > kMostStack || base + size[l] > kMostStack)
      throw Fault{"stack-overflow", "alloca of " + std::to_string(size[l]) + " bytes exceeds the thread's local memory",
                  static_cast<int>(l)};
    w.stackTop[l] = static_cast<uint32_t>(base + size[l]);
    most = std::max<uint64_t>(most, w.stackTop[l]);
    d[l] = kStackBase + base;
  });
  w.growStack(static_cast<uint32_t>(most));
}

void save(Exec &x, const Inst &) {
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = kStackBase + x.warp.stackTop[l]; });
}

void restore(Exec &x, const Inst &inst) {
  uint64_t mask = bitWidth(inst.type) == 32 ? 0xffffffff : ~0ull;
  x.forLanes([&](unsigned l) {
    uint64_t top = (x.s(0)[l] & mask) - kStackBase;
    if (top > x.warp.stackTop[l])
      throw Fault{"out-of-bounds", "stackrestore of a value that stacksave has not given", static_cast<int>(l)};
    x.warp.stackTop[l] = static_cast<uint32_t>(top);
  });
}

} // namespace

void addStackOps(OpcodeTable &t) {
  t["alloca"] = [](OpReader &r) {
    Type type = r.type({Type::U32, Type::U64});
    r.expectCount(2, 3);
    r.inst.opClass = OpClass::Move;
    r.addDestination(0, type);
    r.addSource(1, type);
    r.inst.offset = r.count() == 3 ? static_cast<int64_t>(r.integer(r.operand(2))) : 8;
    if (!std::has_single_bit(static_cast<uint64_t>(r.inst.offset)) || r.inst.offset > 4096)
      r.fail("the alignment is a power of two");
    r.inst.handler = allocate;
  };
  t["stacksave"] = [](OpReader &r) {
    Type type = r.type({Type::U32, Type::U64});
    r.expectCount(1, 1);
    r.inst.opClass = OpClass::Move;
    r.addDestination(0, type);
    r.inst.handler = save;
  };
  t["stackrestore"] = [](OpReader &r) {
    r.inst.type = r.type({Type::U32, Type::U64});
    r.expectCount(1, 1);
    r.inst.opClass = OpClass::Move;
    r.addSource(0, r.inst.type);
    r.inst.handler = restore;
  };
}

} // namespace ptxemu
