//===- CacheOps.cpp - Prefetches, priorities and cache policies ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include <cstring>

namespace ptxemu {

namespace {

constexpr unsigned kLine = 128; ///< bytes discard and applypriority name

void decodePrefetch(OpReader &r) {
  r.expectCount(1, 1);
  r.inst.opClass = OpClass::Memory;
  if (r.ast.opcode == "prefetchu") {
    r.expectAny({".L1"}, ".L1");
  } else if (r.accept(".tensormap")) {
    r.inst.space = r.acceptSpace();
    if (r.inst.space != Space::Generic && r.inst.space != Space::Const && r.inst.space != Space::Param)
      r.fail("a tensor map is prefetched through .const, .param or a generic address");
  } else {
    r.inst.space = r.acceptSpace();
    std::string level = r.expectAny({".L1", ".L2", ".L2::evict_last", ".L2::evict_normal"}, "a cache level");
    if ((r.inst.space != Space::Generic && r.inst.space != Space::Global && r.inst.space != Space::Local) ||
        (level.size() > 3 && r.inst.space != Space::Global))
      r.fail("the space does not fit");
  }
  r.address(r.operand(0), r.inst.space);
  r.inst.handler = doNothing;
}

uint64_t lineAddress(Exec &x, const Inst &inst, unsigned lane) {
  uint64_t address = x.s(0)[lane] + static_cast<uint64_t>(inst.offset);
  Place p = resolve(x, inst.space, address, lane);
  if (p.space != Space::Global || p.offset % kLine)
    throw Fault{"misaligned", "the address " + hexText(address) + " is not a multiple of 128 in global memory",
                static_cast<int>(lane)};
  return p.offset;
}

void applyPriority(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) { lineAddress(x, inst, l); });
}

/// Leaves indeterminate bytes behind, as a weak write would.
void discard(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    uint64_t address = lineAddress(x, inst, l);
    for (unsigned at = 0; at < kLine; at += 4) {
      uint32_t garbage = x.machine.random().next();
      std::memcpy(access(x, Space::Global, address + at, 4, l, {AccessKind::Write}), &garbage, 4);
    }
  });
  x.machine.progressMade();
}

void decodeLine(OpReader &r) {
  bool discards = r.ast.opcode == "discard";
  r.inst.space = r.accept(".global") ? Space::Global : Space::Generic;
  r.expectAny({discards ? ".L2" : ".L2::evict_normal"}, discards ? ".L2" : ".L2::evict_normal");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Memory;
  r.address(r.operand(0), r.inst.space);
  if (r.integer(r.operand(1)) != kLine)
    r.fail("the size must be 128");
  r.inst.handler = discards ? discard : applyPriority;
}

/// An opaque value that only cache hints read.
void createPolicy(Exec &x, const Inst &) {
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = 0x12f0000000000000ull; });
}

void decodeCreatePolicy(OpReader &r) {
  std::string kind = r.expectAny({".fractional", ".range", ".cvt"}, ".fractional, .range or .cvt");
  size_t least = 1, most = 2;
  if (kind == ".cvt") {
    r.expectAny({".L2"}, ".L2");
    least = 2;
  } else {
    if (kind == ".range") {
      r.accept(".global");
      least = most = 4;
    }
    r.expectAny({".L2::evict_last", ".L2::evict_normal", ".L2::evict_first", ".L2::evict_unchanged"}, "a priority");
    r.acceptAny({".L2::evict_first", ".L2::evict_unchanged"});
  }
  r.type({Type::B64});
  r.expectCount(least, most);
  r.inst.opClass = OpClass::Memory;
  r.addDestination(0, Type::B64);
  r.inst.handler = createPolicy;
}

} // namespace

void addCacheOps(OpcodeTable &t) {
  t["prefetch"] = t["prefetchu"] = decodePrefetch;
  t["applypriority"] = t["discard"] = decodeLine;
  t["createpolicy"] = decodeCreatePolicy;
}

} // namespace ptxemu
