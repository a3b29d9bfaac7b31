//===- WarpOps.cpp - Exchange between the lanes of a warp ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Machine.h"
#include <algorithm>

namespace ptxemu {

namespace {

//===--- shfl -------------------------------------------------------------===//

enum ShuffleMode : uint8_t { kUp, kDown, kButterfly, kIndex };

/// A value taken from a lane that does not take part is undefined.
void shuffle(Exec &x, const Inst &inst) {
  const Lanes a = x.s(0);
  const Lanes &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  uint32_t known = inst.s[0] >= 0 ? x.frame->defined[inst.s[0]] : ~0u, result = 0, inRange = 0;
  x.forLanes([&](unsigned lane) {
    unsigned offset = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    unsigned last = (lane & segment) | (clamp & ~segment), first = lane & segment;
    int source;
    bool valid;
    switch (inst.mode) {
    case kUp:
      source = static_cast<int>(lane) - static_cast<int>(offset), valid = source >= static_cast<int>(last);
      break;
    case kDown:
      source = static_cast<int>(lane + offset), valid = source <= static_cast<int>(last);
      break;
    case kButterfly:
      source = static_cast<int>(lane ^ offset), valid = source <= static_cast<int>(last);
      break;
    default:
      source = static_cast<int>(first | (offset & ~segment)), valid = source <= static_cast<int>(last);
      break;
    }
    if (!valid)
      source = static_cast<int>(lane);
    d[lane] = a[static_cast<unsigned>(source)];
    result |= (x.mask & known) >> source & 1 ? 1u << lane : 0;
    inRange |= static_cast<uint32_t>(valid) << lane;
  });
  if (inst.d[0] >= 0) {
    x.frame->defined[inst.d[0]] = (x.frame->defined[inst.d[0]] & ~x.mask) | result;
    if (result != x.mask)
      x.frame->shuffled[inst.d[0]] = inst.line;
  }
  if (!inst.pd.empty())
    x.setPredicate(inst.pd[0], inRange);
}

void sync(OpReader &r, const ast::Operand &mask) {
  if (!r.accept(".sync"))
    r.fail("needs .sync");
  r.inst.opClass = OpClass::Warp;
  r.inst.flags |= kSyncLanes;
  r.inst.memberMask = r.source(mask, Type::B32);
}

void decodeShuffle(OpReader &r) {
  r.expectCount(5, 5);
  sync(r, r.operand(4));
  std::string mode = r.expectAny({".up", ".down", ".bfly", ".idx"}, "a mode");
  r.inst.mode = mode == ".up" ? kUp : mode == ".down" ? kDown : mode == ".bfly" ? kButterfly : kIndex;
  r.type({Type::B32});
  const ast::Operand *d = &r.operand(0);
  if (d->kind == ast::Operand::Pair) {
    r.inst.pd.push_back(r.predicateDestination(d->elements[1]));
    d = &d->elements[0];
  }
  r.inst.d.push_back(r.destination(*d, Type::B32));
  for (unsigned i = 1; i < 4; ++i)
    r.addSource(i, Type::B32);
  r.inst.flags |= kPropagatesUndef;
  r.inst.handler = shuffle;
}

//===--- vote, match, redux -----------------------------------------------===//

/// mode 0 all, 1 any, 2 uni, 3 ballot
void vote(Exec &x, const Inst &inst) {
  uint32_t p = x.predicate(inst.ps[0]) & x.mask;
  if (inst.mode == 3) {
    Lanes &d = x.d();
    x.forLanes([&](unsigned l) { d[l] = p; });
    return;
  }
  bool result = inst.mode == 0 ? p == x.mask : inst.mode == 1 ? p != 0 : p == 0 || p == x.mask;
  x.setPredicate(inst.pd[0], result ? ~0u : 0);
}

void decodeVote(OpReader &r) {
  r.expectCount(3, 3);
  sync(r, r.operand(2));
  std::string mode = r.expectAny({".all", ".any", ".uni", ".ballot"}, "a mode");
  r.inst.mode = mode == ".all" ? 0 : mode == ".any" ? 1 : mode == ".uni" ? 2 : 3;
  if (r.inst.mode == 3) {
    r.type({Type::B32});
    r.addDestination(0, Type::B32);
  } else {
    r.type({Type::Pred});
    r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
  }
  r.inst.ps.push_back(r.predicateSource(r.operand(1)));
  r.inst.handler = vote;
}

/// mode 0 any, 1 all
void match(Exec &x, const Inst &inst) {
  const Lanes a = x.s(0);
  Lanes &d = x.d();
  uint64_t valueMask = bitWidth(inst.type) == 64 ? ~0ull : 0xffffffffull;
  uint32_t all = ~0u;
  x.forLanes([&](unsigned l) {
    uint32_t same = 0;
    x.forLanes([&](unsigned o) { same |= static_cast<uint32_t>(((a[l] ^ a[o]) & valueMask) == 0) << o; });
    if (same != x.mask)
      all = 0;
    d[l] = same;
  });
  if (inst.mode) {
    x.forLanes([&](unsigned l) { d[l] = all & x.mask; });
    if (!inst.pd.empty())
      x.setPredicate(inst.pd[0], all);
  }
}

void decodeMatch(OpReader &r) {
  r.expectCount(3, 3);
  sync(r, r.operand(2));
  r.inst.mode = r.expectAny({".any", ".all"}, ".any or .all") == ".all";
  r.inst.type = r.type({Type::B32, Type::B64});
  const ast::Operand *d = &r.operand(0);
  if (d->kind == ast::Operand::Pair) {
    r.inst.pd.push_back(r.predicateDestination(d->elements[1]));
    d = &d->elements[0];
  }
  r.inst.d.push_back(r.destination(*d, Type::B32));
  r.addSource(1, r.inst.type);
  r.inst.handler = match;
}

enum ReduceOp : uint8_t { kReduceAdd, kReduceMin, kReduceMax, kReduceAnd, kReduceOr, kReduceXor };

void reduce(Exec &x, const Inst &inst) {
  const Lanes a = x.s(0);
  Lanes &d = x.d();
  bool first = true;
  uint32_t result = 0;
  x.forLanes([&](unsigned l) {
    uint32_t v = static_cast<uint32_t>(a[l]);
    if (inst.type == Type::F32) {
      float f = std::bit_cast<float>(v);
      if (inst.flag2)
        f = std::fabs(f);
      float r = std::bit_cast<float>(result);
      result =
          toRaw(first ? f : canonical(inst.mode == kReduceMin ? minimum(r, f, inst.flag) : maximum(r, f, inst.flag)));
    } else if (first) {
      result = v;
    } else {
      bool isSigned = inst.type == Type::S32;
      bool less = isSigned ? static_cast<int32_t>(v) < static_cast<int32_t>(result) : v < result;
      switch (inst.mode) {
      case kReduceAdd:
        result += v;
        break;
      case kReduceMin:
        result = less ? v : result;
        break;
      case kReduceMax:
        result = less ? result : v;
        break;
      case kReduceAnd:
        result &= v;
        break;
      case kReduceOr:
        result |= v;
        break;
      default:
        result ^= v;
        break;
      }
    }
    first = false;
  });
  x.forLanes([&](unsigned l) { d[l] = result; });
}

void decodeRedux(OpReader &r) {
  r.expectCount(3, 3);
  sync(r, r.operand(2));
  constexpr std::string_view names[] = {".add", ".min", ".max", ".and", ".or", ".xor"};
  r.inst.mode = 255;
  for (unsigned i = 0; i < std::size(names); ++i)
    if (r.accept(names[i]))
      r.inst.mode = static_cast<uint8_t>(i);
  Type t = r.inst.type = r.type({Type::U32, Type::S32, Type::B32, Type::F32});
  r.inst.flag2 = r.accept(".abs");
  r.inst.flag = r.accept(".NaN");
  bool isLogic = r.inst.mode >= kReduceAnd;
  if (r.inst.mode == 255 || isLogic != (t == Type::B32) || (t == Type::F32 && r.inst.mode == kReduceAdd))
    r.fail("the operation does not exist for this type");
  r.addDestination(0, t);
  r.addSource(1, t);
  r.inst.handler = reduce;
}

/// All of the grids before has been run; who waits knows it.
void waitForGrids(Exec &x, const Inst &) {
  if (const SyncPoint *before = x.machine.gridBefore())
    x.machine.races().acquire(x.warp, x.mask, *before);
}

void activeMask(Exec &x, const Inst &) {
  Lanes &d = x.d();
  uint32_t mask = x.mask;
  x.forLanes([&](unsigned l) { d[l] = mask; });
}

/// One lane of the mask is elected: always the same one for the same mask.
void elect(Exec &x, const Inst &inst) {
  unsigned leader = static_cast<unsigned>(std::countr_zero(x.mask));
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = leader; });
  x.setPredicate(inst.pd[0], 1u << leader);
}

void decodeElect(OpReader &r) {
  r.expectCount(2, 2);
  sync(r, r.operand(1));
  const ast::Operand &d = r.operand(0);
  if (d.kind != ast::Operand::Pair)
    r.fail("needs d|p");
  r.inst.d.push_back(r.destination(d.elements[0], Type::B32));
  r.inst.pd.push_back(r.predicateDestination(d.elements[1]));
  r.inst.handler = elect;
}

//===--- setmaxnreg -------------------------------------------------------===//

[[noreturn]] void badRegisterChange(const std::string &why) {
  throw Fault{"setmaxnreg", why, -1};
}

/// Every warp of a warpgroup executes the same setmaxnreg, and none the next before all have executed this one.
void checkWarpgroup(const Exec &x, const Inst &inst) {
  size_t index = x.warp.registerChanges.size();
  auto &warps = x.cta.warps;
  unsigned first = x.warp.index & ~3u;
  if (first + 4 > warps.size())
    badRegisterChange("the warp belongs to no warpgroup of four warps");
  for (unsigned i = first; i < first + 4; ++i) {
    const auto &theirs = warps[i]->registerChanges;
    std::string other = "warp " + std::to_string(i) + " of the warpgroup ";
    if (theirs.size() > index && theirs[index] != &inst)
      badRegisterChange(other + "executes the setmaxnreg at PTX line " + std::to_string(theirs[index]->line) +
                        " where this warp executes this one");
    if (theirs.size() < index)
      badRegisterChange(other + "has not executed the one before: the warpgroup must synchronise in between");
    if (theirs.size() <= index && warps[i]->done())
      badRegisterChange(other + "has ended without it");
  }
}

/// flag: .inc; offset: registers a thread. The pool of the CTA holds what .dec gave back; .inc waits for enough of it.
void setMaxRegisters(Exec &x, const Inst &inst) {
  Warp &w = x.warp;
  unsigned wanted = static_cast<unsigned>(inst.offset);
  checkWarpgroup(x, inst);
  if (inst.flag ? wanted < w.registers : wanted > w.registers)
    badRegisterChange(std::string(inst.flag ? ".inc to " : ".dec to ") + std::to_string(wanted) +
                      " registers, but the thread has " + std::to_string(w.registers));
  if (inst.flag) {
    unsigned needed = (wanted - w.registers) * 32;
    if (needed > x.cta.freeRegisters) {
      x.fragment->wait = Wait::Registers;
      x.fragment->waitKey = 0;
      x.fragment->waitValue = needed;
      x.repeat = true;
      return;
    }
    x.cta.freeRegisters -= needed;
  } else {
    x.cta.freeRegisters += (w.registers - wanted) * 32;
    x.machine.wakeWaiting(x.cta, Wait::Registers, 0);
  }
  w.registers = wanted;
  w.registerChanges.push_back(&inst);
  x.machine.progressMade();
}

void decodeSetMaxRegisters(OpReader &r) {
  r.inst.flag = r.expectAny({".inc", ".dec"}, ".inc or .dec") == ".inc";
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.type({Type::U32});
  r.expectCount(1, 1);
  uint64_t n = r.integer(r.operand(0));
  if (n < 24 || n > 256 || n % 8)
    r.fail("the register count must be a multiple of 8 between 24 and 256");
  r.inst.offset = static_cast<int64_t>(n);
  r.inst.flags |= kAligned;
  r.inst.handler = setMaxRegisters;
}

} // namespace

void addWarpOps(OpcodeTable &t) {
  t["shfl"] = decodeShuffle;
  t["vote"] = decodeVote;
  t["match"] = decodeMatch;
  t["redux"] = decodeRedux;
  t["elect"] = decodeElect;
  t["activemask"] = [](OpReader &r) {
    r.type({Type::B32});
    r.expectCount(1, 1);
    r.addDestination(0, Type::B32);
    r.inst.opClass = OpClass::Warp;
    r.inst.handler = activeMask;
  };
  t["setmaxnreg"] = decodeSetMaxRegisters;
  t["nanosleep"] = [](OpReader &r) {
    r.type({Type::U32});
    r.expectCount(1, 1);
    r.addSource(0, Type::U32);
    r.inst.handler = doNothing;
  };
  t["griddepcontrol"] = [](OpReader &r) {
    const bool waits = r.expectAny({".launch_dependents", ".wait"}, "an action") == ".wait";
    r.inst.handler = waits ? waitForGrids : doNothing;
  };
}

} // namespace ptxemu
