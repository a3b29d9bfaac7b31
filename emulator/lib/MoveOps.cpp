//===- MoveOps.cpp - mov, address conversion and special registers -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Definedness.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include <charconv>
#include <optional>

namespace ptxemu {

namespace {

//===--- mov --------------------------------------------------------------===//

/// Copies values and undefinedness; two registers of the frame for .b128.
void move(Exec &x, const Inst &inst) {
  for (unsigned i = 0; i < inst.s.size(); ++i) {
    const Lanes &a = x.s(i);
    Lanes &d = x.d(i);
    eachLane(x.mask, [&](unsigned l) { d[l] = a[l]; });
    markDefined(x, inst.d[i], definedLanes(x, inst.s[i]));
    if (auto from = x.frame->shuffled.find(inst.s[i]); from != x.frame->shuffled.end() && inst.d[i] >= 0)
      x.frame->shuffled[inst.d[i]] = from->second;
  }
}

void movePredicate(Exec &x, const Inst &inst) {
  x.setPredicate(inst.pd[0], x.predicate(inst.ps[0]));
}

/// d = {s0, s1, …}: `width` bits each. A partly undefined result counts as defined: back ends pack halves they never
/// use, and what reads the other half is right to.
void pack(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  unsigned bits = inst.width;
  uint64_t mask = (1ull << bits) - 1;
  uint32_t known = 0;
  for (unsigned i = 0; i < inst.s.size(); ++i)
    known |= definedLanes(x, inst.s[i]);
  x.forLanes([&](unsigned l) {
    uint64_t v = 0;
    for (unsigned i = 0; i < inst.s.size(); ++i)
      v |= (x.s(i)[l] & mask) << (bits * i);
    d[l] = v;
  });
  markDefined(x, inst.d[0], known);
}

void unpack(Exec &x, const Inst &inst) {
  const Lanes a = x.s(0); // a copy: the source may be one of the results
  unsigned bits = inst.width;
  uint64_t mask = (1ull << bits) - 1;
  uint32_t known = definedLanes(x, inst.s[0]);
  for (unsigned i = 0; i < inst.d.size(); ++i) {
    Lanes &d = x.d(i);
    x.forLanes([&](unsigned l) { d[l] = a[l] >> (bits * i) & mask; });
    markDefined(x, inst.d[i], known);
  }
}

void decodeVectorMove(OpReader &r, Type t, bool packing) {
  const ast::Operand &list = r.operand(packing ? 1 : 0), &scalar = r.operand(packing ? 0 : 1);
  size_t n = list.elements.size();
  if ((n != 2 && n != 4) || bitWidth(t) % n)
    r.fail("needs two or four elements");
  unsigned bits = bitWidth(t) / static_cast<unsigned>(n);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    r.fail("has no elements of " + std::to_string(bits) + " bits");
  Type part = bits == 8 ? Type::B8 : bits == 16 ? Type::B16 : bits == 32 ? Type::B32 : Type::B64;
  r.inst.width = static_cast<uint8_t>(bits);
  if (bits >= 32)
    r.inst.machineInstructions = 0;
  auto halves = [&](RegisterIndex s) { return std::vector<RegisterIndex>{s, s == kSink ? kSink : s + 1}; };
  if (packing) {
    for (const ast::Operand &e : list.elements)
      r.inst.s.push_back(r.sourceAtLeast(e, part));
    if (t == Type::B128) { // two 64-bit halves are two registers
      if (bits != 64)
        r.fail("a .b128 register is built from two .b64");
      r.inst.d = halves(r.destination(scalar, t));
      r.inst.handler = move;
      return;
    }
    r.inst.d.push_back(r.destination(scalar, t));
    r.inst.handler = pack;
    return;
  }
  for (const ast::Operand &e : list.elements)
    r.inst.d.push_back(r.destinationAtLeast(e, part, nullptr));
  if (t == Type::B128) {
    if (bits != 64)
      r.fail("a .b128 register is split into two .b64");
    r.inst.s = halves(r.source(scalar, t));
    r.inst.handler = move;
    return;
  }
  r.inst.s.push_back(r.source(scalar, t));
  r.inst.handler = unpack;
}

void decodeMov(OpReader &r) {
  Type t = r.type({Type::Pred, Type::B8,  Type::B16, Type::B32,  Type::B64,   Type::B128,  Type::U8,
                   Type::U16,  Type::U32, Type::U64, Type::S8,   Type::S16,   Type::S32,   Type::S64,
                   Type::F32,  Type::F64, Type::F16, Type::BF16, Type::F16x2, Type::BF16x2});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Move;
  if (t == Type::Pred) {
    r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
    r.inst.ps.push_back(r.predicateSource(r.operand(1)));
    r.inst.handler = movePredicate;
    return;
  }
  r.inst.flags |= kPropagatesUndef;
  if (r.operand(0).kind == ast::Operand::Vector)
    return decodeVectorMove(r, t, false);
  if (r.operand(1).kind == ast::Operand::Vector)
    return decodeVectorMove(r, t, true);
  r.addDestination(0, t);
  r.addSource(1, t);
  if (r.function.holdsConstant(r.inst.s[0]))
    r.function.setsConstant(r.inst.d[0]);
  else
    r.inst.machineInstructions = 0; // both get the same register
  if (t == Type::B128) {
    r.inst.d.push_back(r.inst.d[0] == kSink ? kSink : r.inst.d[0] + 1);
    r.inst.s.push_back(r.inst.s[0] >= 0 ? r.inst.s[0] + 1 : r.inst.s[0]);
  }
  r.inst.handler = move;
}

//===--- Address spaces ---------------------------------------------------===//

uint64_t window(Space s) {
  switch (s) {
  case Space::Shared:
  case Space::SharedCluster:
    return kSharedWindow;
  case Space::Local:
    return kLocalWindow;
  case Space::Param:
    return kParamWindow;
  default:
    return 0;
  }
}

/// mode 0: to generic; 1: from generic.
void cvta(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  uint64_t base = window(inst.space);
  eachLane(x.mask, [&](unsigned l) { d[l] = base == 0 ? a[l] : inst.mode ? a[l] ^ base : a[l] | base; });
}

void decodeCvta(OpReader &r) {
  r.inst.mode = r.accept(".to");
  r.inst.space = r.acceptSpace();
  if (r.inst.space == Space::Generic)
    r.fail("needs a state space");
  Type t = r.type({Type::U32, Type::U64});
  if (t == Type::U32)
    r.fail("generic addresses have 64 bits");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Move;
  r.addDestination(0, t);
  r.inst.s.push_back(r.sourceAtLeast(r.operand(1), Type::B32));
  r.inst.handler = cvta;
}

void isspacep(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  uint32_t result = 0;
  x.forLanes([&](unsigned l) {
    uint64_t w = a[l] & kWindowMask, rank = (a[l] & 0xffffffff) >> kClusterRankShift;
    bool holds = false;
    switch (inst.space) {
    case Space::Shared:
      holds = w == kSharedWindow && rank == x.cta.rank;
      break;
    case Space::SharedCluster:
      holds = w == kSharedWindow;
      break;
    case Space::Local:
      holds = w == kLocalWindow;
      break;
    case Space::Param:
      holds = w == kParamWindow;
      break;
    case Space::Const:
    case Space::Global: {
      holds = w == 0;
      Allocation *allocation = holds ? x.machine.global().find(a[l], 1) : nullptr;
      holds = holds && (allocation && allocation->constant) == (inst.space == Space::Const);
      break;
    }
    default:
      break;
    }
    result |= static_cast<uint32_t>(holds) << l;
  });
  x.setPredicate(inst.pd[0], result);
}

void decodeIsspacep(OpReader &r) {
  r.inst.space = r.acceptSpace();
  if (r.inst.space == Space::Generic)
    r.fail("needs a state space");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Move;
  r.inst.pd.push_back(r.predicateDestination(r.operand(0)));
  r.addSource(1, Type::B64);
  r.inst.handler = isspacep;
}

/// The address in another CTA of the cluster that corresponds to an own shared address.
void mapa(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) {
    uint32_t rank = static_cast<uint32_t>(b[l]);
    if (rank >= x.cta.cluster->ctas.size())
      throw Fault{"out-of-bounds",
                  "mapa names CTA rank " + std::to_string(rank) + " of a cluster of " +
                      std::to_string(x.cta.cluster->ctas.size()),
                  static_cast<int>(l)};
    if (inst.space == Space::Generic && (a[l] & kWindowMask) != kSharedWindow)
      throw Fault{"out-of-bounds", "mapa needs an address in shared memory", static_cast<int>(l)};
    uint64_t offset = a[l] & ((1u << kClusterRankShift) - 1);
    d[l] =
        offset | static_cast<uint64_t>(rank) << kClusterRankShift | (inst.space == Space::Generic ? kSharedWindow : 0);
  });
}

void decodeMapa(OpReader &r) {
  r.inst.space = r.acceptSpace();
  Type t = r.type({Type::U32, Type::U64});
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Move;
  r.addDestination(0, t);
  r.addSource(1, t);
  r.addSource(2, Type::U32);
  r.inst.handler = mapa;
}

void getctarank(Exec &x, const Inst &) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = (a[l] & 0xffffffff) >> kClusterRankShift; });
}

void decodeGetctarank(OpReader &r) {
  r.inst.space = r.acceptSpace();
  Type t = r.type({Type::U32, Type::U64});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Move;
  r.addDestination(0, Type::U32);
  r.addSource(1, t);
  r.inst.handler = getctarank;
}

//===--- Special registers ------------------------------------------------===//

enum Special : uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kClusterid,
  kNclusterid,
  kClusterCtaid,
  kClusterNctaid, // with .x .y .z in mode2
  kLaneid,
  kWarpid,
  kNwarpid,
  kGridid,
  kSmid,
  kNsmid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kClock,
  kClock64,
  kClockHi,
  kGlobaltimer,
  kGlobaltimerLo,
  kGlobaltimerHi,
  kClusterCtarank,
  kClusterNctarank,
  kDynamicSmem,
  kTotalSmem,
  kAggregateSmem,
  kReservedBegin,
  kReservedEnd,
  kReservedCap,
  kReservedOffset0,
  kReservedOffset1,
  kEnvironment, // with the register's number in mode2
  kExplicitCluster,
};

uint64_t threadIndex(const Exec &x, unsigned lane, unsigned axis) {
  auto block = x.machine.blockSize();
  unsigned linear = x.warp.index * 32 + lane;
  return axis == 0   ? linear % block[0]
         : axis == 1 ? linear / block[0] % block[1]
         : axis == 2 ? linear / block[0] / block[1]
                     : 0;
}

uint64_t specialValue(const Exec &x, const Inst &inst, unsigned lane) {
  const Machine &m = x.machine;
  unsigned axis = inst.mode2;
  auto component = [&](const std::array<unsigned, 3> &v) -> uint64_t { return axis < 3 ? v[axis] : 0; };
  auto cluster = m.clusterSize();
  uint64_t time = m.now(), rankBits = static_cast<uint64_t>(x.cta.rank) << kClusterRankShift;
  switch (inst.mode) {
  case kTid:
    return threadIndex(x, lane, axis);
  case kNtid:
    return component(m.blockSize());
  case kCtaid:
    return component(x.cta.id);
  case kNctaid:
    return component(m.gridSize());
  case kClusterid:
    return component(x.cta.cluster->id);
  case kNclusterid:
    return axis < 3 ? m.gridSize()[axis] / cluster[axis] : 0;
  case kClusterCtaid:
    return axis < 3 ? x.cta.id[axis] % cluster[axis] : 0;
  case kClusterNctaid:
    return component(cluster);
  case kLaneid:
    return lane;
  case kWarpid:
    return x.warp.index;
  case kNwarpid:
    return x.cta.warps.size();
  case kGridid:
    return std::max(1u, x.cta.cluster->grid);
  case kSmid:
    return (x.cta.id[0] + x.cta.id[1] * 31 + x.cta.id[2] * 17) % m.launchOptions().multiprocessors;
  case kNsmid:
    return m.launchOptions().multiprocessors;
  case kLanemaskEq:
    return 1u << lane;
  case kLanemaskLe:
    return static_cast<uint32_t>((2ull << lane) - 1);
  case kLanemaskLt:
    return (1u << lane) - 1;
  case kLanemaskGe:
    return ~((1u << lane) - 1);
  case kLanemaskGt:
    return static_cast<uint32_t>(~((2ull << lane) - 1));
  case kClock:
  case kGlobaltimerLo:
    return static_cast<uint32_t>(time);
  case kClock64:
  case kGlobaltimer:
    return time;
  case kClockHi:
  case kGlobaltimerHi:
    return time >> 32;
  case kClusterCtarank:
    return x.cta.rank;
  case kClusterNctarank:
    return x.cta.cluster->ctas.size();
  case kDynamicSmem:
    return m.launchOptions().dynamicShared;
  case kTotalSmem:
  case kAggregateSmem:
    return x.cta.shared.size() - kReservedShared;
  case kReservedBegin:
  case kReservedOffset0:
    return rankBits;
  case kReservedEnd:
    return rankBits + kReservedShared;
  case kReservedCap:
    return kReservedShared;
  case kReservedOffset1:
    return rankBits + kReservedScratch;
  case kEnvironment: // 1 and 2 are the address of the grid's workspace, high half first; the others nobody has told
    return inst.mode2 == 1 ? m.gridWorkspace() >> 32 : inst.mode2 == 2 ? static_cast<uint32_t>(m.gridWorkspace()) : 0;
  }
  return 0;
}

void special(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = specialValue(x, inst, l); });
}

void specialPredicate(Exec &x, const Inst &inst) {
  x.setPredicate(inst.pd[0], x.machine.explicitCluster() ? ~0u : 0);
}

struct SpecialName {
  std::string_view name;
  Special which;
  Type type;
  bool hasAxis;
};
constexpr SpecialName kSpecials[] = {
    {"%tid", kTid, Type::U32, true},
    {"%ntid", kNtid, Type::U32, true},
    {"%ctaid", kCtaid, Type::U32, true},
    {"%nctaid", kNctaid, Type::U32, true},
    {"%clusterid", kClusterid, Type::U32, true},
    {"%nclusterid", kNclusterid, Type::U32, true},
    {"%cluster_ctaid", kClusterCtaid, Type::U32, true},
    {"%cluster_nctaid", kClusterNctaid, Type::U32, true},
    {"%laneid", kLaneid, Type::U32, false},
    {"%warpid", kWarpid, Type::U32, false},
    {"%nwarpid", kNwarpid, Type::U32, false},
    {"%gridid", kGridid, Type::U64, false},
    {"%smid", kSmid, Type::U32, false},
    {"%nsmid", kNsmid, Type::U32, false},
    {"%lanemask_eq", kLanemaskEq, Type::U32, false},
    {"%lanemask_le", kLanemaskLe, Type::U32, false},
    {"%lanemask_lt", kLanemaskLt, Type::U32, false},
    {"%lanemask_ge", kLanemaskGe, Type::U32, false},
    {"%lanemask_gt", kLanemaskGt, Type::U32, false},
    {"%clock", kClock, Type::U32, false},
    {"%clock64", kClock64, Type::U64, false},
    {"%clock_hi", kClockHi, Type::U32, false},
    {"%globaltimer", kGlobaltimer, Type::U64, false},
    {"%globaltimer_lo", kGlobaltimerLo, Type::U32, false},
    {"%globaltimer_hi", kGlobaltimerHi, Type::U32, false},
    {"%cluster_ctarank", kClusterCtarank, Type::U32, false},
    {"%cluster_nctarank", kClusterNctarank, Type::U32, false},
    {"%dynamic_smem_size", kDynamicSmem, Type::U32, false},
    {"%total_smem_size", kTotalSmem, Type::U32, false},
    {"%aggr_smem_size", kAggregateSmem, Type::U32, false},
    {"%reserved_smem_offset_begin", kReservedBegin, Type::U32, false},
    {"%reserved_smem_offset_end", kReservedEnd, Type::U32, false},
    {"%reserved_smem_offset_cap", kReservedCap, Type::U32, false},
    {"%reserved_smem_offset_0", kReservedOffset0, Type::U32, false},
    {"%reserved_smem_offset_1", kReservedOffset1, Type::U32, false},
    {"%is_explicit_cluster", kExplicitCluster, Type::Pred, false},
};

/// The number of %envreg0 … %envreg31.
std::optional<uint8_t> environmentRegister(std::string_view name) {
  constexpr std::string_view prefix = "%envreg";
  if (!name.starts_with(prefix))
    return std::nullopt;
  uint8_t number = 0;
  auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number > 31)
    return std::nullopt;
  return number;
}

void localAddressOf(Exec &x, const Inst &inst) {
  Lanes &d = x.d();
  uint64_t address = static_cast<uint64_t>(inst.offset) + x.frame->localBase;
  x.forLanes([&](unsigned l) { d[l] = address; });
}

} // namespace

bool readSpecialRegister(FunctionDecoder &f, const ast::Instruction &i, const std::string &name, RegisterIndex *reg,
                         Type *type) {
  std::string_view base = name;
  uint8_t axis = 3;
  if (size_t dot = name.find('.'); dot != std::string::npos) {
    axis = static_cast<uint8_t>(name[dot + 1] == 'w' ? 3 : name[dot + 1] - 'x');
    base = std::string_view(name).substr(0, dot);
  }
  if (std::optional<uint8_t> number = environmentRegister(base)) {
    if (*number == 1 || *number == 2)
      f.linker.program->usesGridWorkspace = true;
    *type = Type::B32;
    *reg = f.temporary();
    Inst &inst = f.prepend(i);
    inst.mode = kEnvironment;
    inst.mode2 = *number;
    inst.d.push_back(*reg);
    inst.handler = special;
    return true;
  }
  for (const SpecialName &s : kSpecials) {
    if (s.name != base || s.hasAxis != (base.size() != name.size()))
      continue;
    *type = s.type;
    f.linker.program->usesScratch |= s.which == kReservedOffset1;
    Inst &inst = f.prepend(i);
    inst.mode = s.which;
    inst.mode2 = axis;
    if (s.type == Type::Pred) {
      *reg = f.predicateTemporary();
      inst.pd.push_back(*reg);
      inst.handler = specialPredicate;
      return true;
    }
    *reg = f.temporary();
    inst.d.push_back(*reg);
    inst.handler = special;
    return true;
  }
  return false;
}

RegisterIndex localAddress(FunctionDecoder &f, const ast::Instruction &i, uint64_t offset) {
  RegisterIndex reg = f.temporary();
  Inst &inst = f.prepend(i);
  inst.offset = static_cast<int64_t>(offset);
  inst.d.push_back(reg);
  inst.handler = localAddressOf;
  return reg;
}

void addMoveOps(OpcodeTable &t) {
  t["mov"] = decodeMov;
  t["cvta"] = decodeCvta;
  t["isspacep"] = decodeIsspacep;
  t["mapa"] = decodeMapa;
  t["getctarank"] = decodeGetctarank;
}

} // namespace ptxemu
