//===- Program.h - Functions decoded for execution --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_PROGRAM_H
#define PTX_EMULATOR_PROGRAM_H

#include "Ast.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ptxemu {

struct Exec;
struct Inst;
struct Function;
using Handler = void (*)(Exec &, const Inst &);
/// Of instructions that change nothing here.
inline void doNothing(Exec &, const Inst &) {}

/// One 64-bit value a lane: what a register holds. Narrower registers are zero-extended; a .b128 register takes
/// two consecutive registers of the frame, low half first.
struct alignas(64) Lanes {
  uint64_t v[32];
  uint64_t &operator[](unsigned lane) { return v[lane]; }
  uint64_t operator[](unsigned lane) const { return v[lane]; }
};

/// The index of a register in its frame when not negative, else that of a constant, complemented.
using RegisterIndex = int32_t;
inline constexpr RegisterIndex kSink = INT32_MIN; ///< results written to "_"

/// A predicate operand: 2·index + negated, or a constant.
using PredicateIndex = int32_t;
inline constexpr PredicateIndex kAlwaysTrue = -1, kAlwaysFalse = -2;

/// Instruction classes, for counters.
enum class OpClass : uint8_t {
  Integer,
  Float,
  Conversion,
  Move,
  Memory,
  Atomic,
  Control,
  Warp,
  Barrier,
  Mma,
  Async,
  Other,
  Count
};
std::string_view opClassName(OpClass);

enum InstFlags : uint16_t {
  kControl = 1,           ///< changes the program counter: sees the lanes whose guard is false too
  kPropagatesUndef = 2,   ///< copies undefined registers instead of reading them; marks its results itself
  kAligned = 4,           ///< all lanes of the warp must execute it together
  kSyncLanes = 8,         ///< waits for the lanes of the member mask in `memberMask`
  kNoGuardSkip = 16,      ///< runs even when no lane's guard holds
  kWgmma = 32,            ///< its destinations belong to an asynchronous operation until that is waited for
  kAsksForResults = 64,   ///< runs whether its results are wanted or not: its handler asks
  kDeviceOrder = 1 << 15, ///< CTAs may see each other through it: executed in one order for the device
};

/// One executable instruction. Which of the family fields mean something, and what, is the family's business.
struct Inst {
  Handler handler = nullptr;
  uint32_t line = 0;
  uint32_t origin = 0; ///< index into the function's AST body
  PredicateIndex guard = kAlwaysTrue;
  uint16_t flags = 0;
  OpClass opClass = OpClass::Other;
  std::vector<RegisterIndex> d, s;
  std::vector<PredicateIndex> pd, ps;

  Type type = Type::None, type2 = Type::None, type3 = Type::None;
  Rounding rounding = Rounding::NearestEven;
  bool ftz = false, sat = false, relu = false, flag = false, flag2 = false;
  uint8_t mode = 0, mode2 = 0, mode3 = 0;
  uint8_t width = 0;  ///< bytes of the destination (or stored) register
  uint8_t vector = 1; ///< elements of a vector access
  /// What ptxas makes of it, as counters count; 0: registers have another name, or their readers take the sign.
  uint8_t machineInstructions = 1;
  Space space = Space::Generic, space2 = Space::Generic;
  RegisterIndex memberMask = kSink;
  int64_t offset = 0, offset2 = 0;
  uint32_t target = 0; ///< branch target
  std::shared_ptr<const void> extra;

  template <class T>
  const T &as() const {
    return *static_cast<const T *>(extra.get());
  }
};

/// A parameter of a function, or one declared for a call, in its frame's (or the launch's) parameter memory.
struct ParameterPlace {
  std::string name;
  uint32_t offset = 0, size = 0;
  RegisterIndex reg = kSink; ///< for .reg parameters
  PredicateIndex predicate = kAlwaysTrue;
  Type type = Type::None;
};

struct Function {
  const ast::Function *ast = nullptr;
  std::string name;
  std::vector<Inst> code;
  std::vector<Lanes> constants;
  std::vector<uint32_t> sharedConstants; ///< those that are addresses of shared variables, for a CTA of rank 0
  uint32_t registers = 0, predicates = 0;
  std::vector<ParameterPlace> parameters, results;
  uint32_t parameterBytes = 0; ///< of the frame: parameters, results and call arguments
  uint32_t localBytes = 0;     ///< of .local variables, a lane
  bool usesWgmma = false;
  uint64_t address = 0; ///< what taking the function's address gives
};

/// An entry with everything it can reach, ready to run.
struct Program {
  const ast::Module *module = nullptr;
  std::vector<std::unique_ptr<Function>> functions; ///< [0] is the entry
  uint32_t staticShared = 0;  ///< bytes from the start of the CTA's window, reserved part included
  uint32_t dynamicShared = 0; ///< where dynamic shared memory starts
  uint32_t entryParameterBytes = 0;
  bool usesGridWorkspace = false; ///< reads %envreg1 or %envreg2
  bool usesScratch = false;       ///< reads %reserved_smem_offset_1
};

/// Where the windows of the state spaces lie in the generic address space, as on hardware disjoint from global memory.
inline constexpr uint64_t kSharedWindow = 0x0010'0000'0000'0000, kLocalWindow = 0x0020'0000'0000'0000,
                          kParamWindow = 0x0030'0000'0000'0000, kFunctionWindow = 0x0040'0000'0000'0000,
                          kWindowMask = 0x00f0'0000'0000'0000;
/// The address of a module's function of this index: the same in every program of the module, since variables and
/// memory hold it.
inline constexpr uint64_t functionAddress(unsigned index) {
  return kFunctionWindow + (uint64_t(index) + 1) * 16;
}
/// Where alloca's memory starts in the local space, past every .local variable.
inline constexpr uint32_t kStackBase = 1u << 24;
/// Bytes at the start of each CTA's shared window that the system keeps (as sm_90 does): no variable has address 0.
inline constexpr uint32_t kReservedShared = 1024;
/// Where %reserved_smem_offset_1 points: the last 288 bytes of that, which cooperative groups of several warps use.
inline constexpr uint32_t kReservedScratch = kReservedShared - 288;
/// From this bit on, an address of shared memory has the rank of its CTA in the cluster, as on hardware: the window of
/// a CTA (.shared::cta) lies within that of the cluster (.shared::cluster), and software finds the even CTA of a pair
/// by clearing one bit.
inline constexpr unsigned kClusterRankShift = 24;

} // namespace ptxemu

#endif // PTX_EMULATOR_PROGRAM_H
