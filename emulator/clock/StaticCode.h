//===- StaticCode.h - What each instruction asks of an SM -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_STATICCODE_H
#define PTX_EMULATOR_TIMING_STATICCODE_H

#include "Program.h"
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptxemu::timing {

struct MachineModel;

/// Classes of machine instructions, by the pipe that executes them. Their rates are the machine's.
enum class IssueClass : uint8_t {
  Alu,     ///< integer add, logic, shift, compare, select, min and max
  Fma,     ///< f32 add, multiply, multiply-add, and pairs of f16 and bf16
  Imad,    ///< integer multiply-add
  Pack,    ///< f32 to pairs of f16, bf16 or fp8
  Convert, ///< between integers and floats, and widths of floats
  Mufu,    ///< rcp, rsqrt, ex2, lg2, sin, cos, tanh
  Double,  ///< f64
  Uniform, ///< special registers, votes, elections
  Shuffle,
  Branch,
  Memory, ///< what goes to the load-store unit
  Count
};
inline constexpr unsigned kIssueClasses = static_cast<unsigned>(IssueClass::Count);
std::string_view issueClassName(IssueClass);

/// How an instruction takes part in the simulation.
enum class Action : uint8_t {
  Plain,  ///< registers to registers
  Access, ///< of memory by lanes
  Mbarrier,
  MbarrierWait,
  Barrier,
  ClusterArrive,
  ClusterWait,
  CopyAsync, ///< cp.async
  CopyCommit,
  CopyWait, ///< `groups` may be unfinished; negative: none, nor what is not committed
  BulkCopy,
  BulkCommit,
  BulkWait,
  Mma, ///< mma.sync
  Wgmma,
  WgmmaFence,
  WgmmaCommit,
  WgmmaWait,
  TensorMultiply, ///< tcgen05.mma
  TensorCopy,     ///< tcgen05.cp, shift
  TensorCommit,
  TensorLoad,
  TensorStore,
  TensorWait, ///< for loads, or where `isStore` for stores
  TensorAllocate,
  TensorFree,
  LaunchCancel, ///< clusterlaunchcontrol.try_cancel
  Exit,
};

/// A matrix instruction's shape and what feeds it.
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
  unsigned bits = 0;         ///< of an element of A and B
  bool aInRegisters = false; ///< of wgmma
  bool isSparse = false;
  bool isScaled = false;    ///< by factors of blocks
  bool sumsAreFloat = true; ///< of f32 or wider; else of f16 or s32
  double operations() const { return 2.0 * m * n * k; }
};

/// One instruction of the program, as the simulation sees it.
struct StaticInstruction {
  Action action = Action::Plain;
  /// Machine instructions it stands for, by class.
  std::array<uint8_t, kIssueClasses> issues{};
  uint8_t issueCount = 0;
  IssueClass last = IssueClass::Alu; ///< gives the result: its latency counts
  uint8_t chained = 0;               ///< machine instructions before that one, each waiting for the one before
  bool isFree = false;               ///< an assembler folds it away: copies, parameters, casts of addresses
  bool isStore = false, isAtomic = false, returnsOld = false, isBulkLoad = false, isRead = false, bypassesL1 = false;
  int32_t groups = 0;
  MatrixShape matrix;
  uint32_t tensorBytes = 0;            ///< that a warp moves from or to tensor memory
  std::vector<uint32_t> reads, writes; ///< registers and predicates, numbered over the program
  uint8_t registerReads = 0;           ///< different registers that it reads from the register file
  uint8_t reusedReads = 0;             ///< of these, that the one before it in its warp reads as the same operands
  Space space = Space::Generic;        ///< of an access
  bool isFixed = false;                ///< an assembler moves nothing across it
  uint32_t part = 0;                   ///< of the code, within which an assembler reorders
  uint32_t line = 0;                   ///< of the PTX
  const Function *function = nullptr;
  uint32_t index = 0; ///< in the function

  bool storesToMemory() const { return action == Action::Access && isStore && !isAtomic && space != Space::Shared; }
};

/// All instructions of a program, numbered one function after another, in the order of an assembler.
class StaticCode {
public:
  StaticCode(const Program &, const MachineModel &);

  uint32_t placeOf(const Function &f, size_t index) const { return places.at(&f)[index]; }
  const StaticInstruction &operator[](uint32_t place) const { return instructions[place]; }
  size_t size() const { return instructions.size(); }
  uint32_t registerCount() const { return registers; }
  const ast::Instruction &astOf(uint32_t place) const;
  /// The number of a register, and of a predicate, of a function.
  uint32_t registerOf(const Function &f, RegisterIndex s) const {
    return firstRegister.at(&f) + static_cast<uint32_t>(s);
  }
  uint32_t predicateOf(const Function &f, PredicateIndex p) const {
    return firstRegister.at(&f) + f.registers + static_cast<uint32_t>(p >> 1);
  }

private:
  void read(const Function &, const MachineModel &);
  void order(const Function &, const std::vector<uint32_t> &reads, const MachineModel &);
  void countRegisterReads();

  std::vector<StaticInstruction> instructions;
  std::unordered_map<const Function *, std::vector<uint32_t>> places;
  std::unordered_map<const Function *, uint32_t> firstRegister;
  uint32_t registers = 0;
};

/// What the instruction stands for; registers are left to the caller.
StaticInstruction classify(const ast::Instruction &, const Inst &, const MachineModel &);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_STATICCODE_H
