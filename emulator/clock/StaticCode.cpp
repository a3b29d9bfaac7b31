//===- StaticCode.cpp - What each instruction asks of an SM ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StaticCode.h"
#include "Ast.h"
#include "InstructionOrder.h"
#include "MachineModel.h"
#include <algorithm>
#include <cstdio>
#include <set>

namespace ptxemu::timing {

std::string_view issueClassName(IssueClass c) {
  constexpr std::string_view names[] = {"alu",    "fma",     "imad",    "pack",   "convert", "mufu",
                                        "double", "uniform", "shuffle", "branch", "memory"};
  return names[static_cast<unsigned>(c)];
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

StaticCode::StaticCode(const Program &program, const MachineModel &model) {
  for (const auto &f : program.functions)
    read(*f, model);
  std::vector<uint32_t> reads(registers);
  for (const StaticInstruction &s : instructions)
    for (uint32_t r : s.reads)
      ++reads[r];
  for (const auto &f : program.functions)
    order(*f, reads, model);
  countRegisterReads();
}

void StaticCode::read(const Function &f, const MachineModel &model) {
  std::vector<uint32_t> &numbers = places[&f];
  firstRegister[&f] = registers;
  registers += f.registers + f.predicates;
  for (size_t i = 0; i < f.code.size(); ++i) {
    const Inst &inst = f.code[i];
    StaticInstruction s = classify(f.ast->body[inst.origin], inst, model);
    // What reads a special register or adds an offset to an address for the instruction after it.
    if (i + 1 < f.code.size() && f.code[i + 1].origin == inst.origin) {
      s = StaticInstruction();
      s.isFree = true;
    } else if (i && f.code[i - 1].origin == inst.origin && s.isFree) {
      s.isFree = false;
      s.last = IssueClass::Uniform;
      s.issues[static_cast<unsigned>(IssueClass::Uniform)] = s.issueCount = 1;
    }
    const auto addRegister = [&](std::vector<uint32_t> &list, RegisterIndex reg) {
      if (reg >= 0)
        list.push_back(registerOf(f, reg));
    };
    const auto addPredicate = [&](std::vector<uint32_t> &list, PredicateIndex p) {
      if (p >= 0)
        list.push_back(predicateOf(f, p));
    };
    for (RegisterIndex reg : inst.s)
      addRegister(s.reads, reg);
    addRegister(s.reads, inst.memberMask);
    for (PredicateIndex p : inst.ps)
      addPredicate(s.reads, p);
    addPredicate(s.reads, inst.guard);
    for (RegisterIndex reg : inst.d)
      addRegister(s.writes, reg);
    for (PredicateIndex p : inst.pd)
      addPredicate(s.writes, p);
    s.space = inst.space;
    s.line = inst.line;
    s.function = &f;
    s.index = static_cast<uint32_t>(i);
    numbers.push_back(static_cast<uint32_t>(instructions.size()));
    instructions.push_back(std::move(s));
  }
}

void StaticCode::order(const Function &f, const std::vector<uint32_t> &reads, const MachineModel &model) {
  std::vector<uint32_t> &numbers = places[&f];
  if (numbers.empty())
    return;
  const uint32_t first = numbers.front();
  const std::vector<StaticInstruction> text(instructions.begin() + first,
                                            instructions.begin() + first + numbers.size());
  const std::vector<uint32_t> begins = findParts(f, text);
  std::vector<uint32_t> outsideReads = reads;
  for (size_t p = 0; p + 1 < begins.size(); ++p) {
    const auto part = std::span(text).subspan(begins[p], begins[p + 1] - begins[p]);
    for (const StaticInstruction &s : part)
      for (uint32_t r : s.reads)
        --outsideReads[r];
    uint32_t place = first + begins[p];
    for (uint32_t i : orderPart(part, outsideReads, model)) {
      numbers[begins[p] + i] = place;
      instructions[place] = part[i];
      instructions[place++].part = first + begins[p];
    }
    for (const StaticInstruction &s : part)
      for (uint32_t r : s.reads)
        ++outsideReads[r];
  }
}

/// How often the accumulators of wgmma are read is not known: they do not count, nor does what a copy would read, which
/// an assembler folds. A cache keeps each operand's last register of each of the two banks.
void StaticCode::countRegisterReads() {
  constexpr unsigned kKept = 2;
  const StaticInstruction *before = nullptr;
  for (StaticInstruction &s : instructions) {
    if (s.isFree)
      continue;
    const std::vector<RegisterIndex> &operands = s.function->code[s.index].s;
    const std::vector<RegisterIndex> *last =
        before && before->part == s.part ? &before->function->code[before->index].s : nullptr;
    std::set<RegisterIndex> different, reused;
    for (size_t i = 0; i < operands.size(); ++i)
      if (operands[i] >= 0 && different.insert(operands[i]).second && last && i < last->size() &&
          (*last)[i] == operands[i])
        reused.insert(operands[i]);
    before = &s;
    if (s.action == Action::Wgmma)
      continue;
    s.registerReads = static_cast<uint8_t>(std::min<size_t>(different.size(), UINT8_MAX));
    s.reusedReads = static_cast<uint8_t>(s.action == Action::Mma ? std::min<size_t>(reused.size(), kKept)
                                                                 : std::min<size_t>(reused.size(), UINT8_MAX));
  }
}

const ast::Instruction &StaticCode::astOf(uint32_t place) const {
  const StaticInstruction &s = instructions[place];
  return s.function->ast->body[s.function->code[s.index].origin];
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

namespace {

/// One instruction's text, and what it is found to stand for.
class Classifier {
public:
  Classifier(const ast::Instruction &ast, const Inst &inst, const MachineModel &model)
      : ast(ast), inst(inst), model(model), op(ast.opcode) {
    for (const std::string &m : ast.modifiers)
      if (auto t = parseType(m))
        types.push_back(*t);
  }

  StaticInstruction run();

private:
  bool isFixed() const;
  bool has(std::string_view modifier) const {
    return std::find(ast.modifiers.begin(), ast.modifiers.end(), modifier) != ast.modifiers.end();
  }
  bool hasPrefix(std::string_view prefix) const {
    return std::any_of(ast.modifiers.begin(), ast.modifiers.end(),
                       [&](const std::string &m) { return m.compare(0, prefix.size(), prefix) == 0; });
  }
  bool opIs(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), op) != names.end();
  }
  Type type(size_t i = 0) const { return i < types.size() ? types[i] : Type::None; }
  bool isWide() const { return bitWidth(type()) == 64; }

  /// `count` machine instructions of a class; the last one added gives the result.
  void add(IssueClass c, unsigned count = 1) { add(c, count, /*work=*/count); }
  /// They keep the pipe as busy as `work` of them would.
  void add(IssueClass c, unsigned count, unsigned work) {
    result.chained = result.issueCount;
    result.issues[static_cast<unsigned>(c)] = static_cast<uint8_t>(result.issues[static_cast<unsigned>(c)] + work);
    result.issueCount = static_cast<uint8_t>(result.issueCount + count);
    result.chained = static_cast<uint8_t>(result.chained + count - 1);
    result.last = c;
  }
  void act(Action action, IssueClass c, unsigned count = 1) {
    result.action = action;
    add(c, count);
  }
  void fold() { result.isFree = true; }

  void matrixShape(bool isWarpgroup);
  bool classifyMemory();
  bool classifyAsync();
  bool classifyBarrier();
  bool classifyMatrix();
  bool classifyTensorMemory();
  bool classifyMove();
  bool classifyControl();
  void classifyArithmetic();
  void classifyFloat();
  void classifyInteger();
  void classifyDivision();

  const ast::Instruction &ast;
  const Inst &inst;
  const MachineModel &model;
  const std::string &op;
  std::vector<Type> types;
  StaticInstruction result;
};

bool Classifier::classifyMemory() {
  if (opIs({"ld", "ldu"})) {
    if (has(".param") || has(".const") || hasPrefix(".param")) {
      fold(); // operands of the instructions that use them
      return true;
    }
    result.bypassesL1 = has(".cg") || has(".cv") || has(".volatile") || has(".relaxed") || has(".acquire");
    act(Action::Access, IssueClass::Memory);
    return true;
  }
  if (op == "st" && !has(".async")) {
    if (hasPrefix(".param")) {
      fold();
      return true;
    }
    result.isStore = true;
    act(Action::Access, IssueClass::Memory);
    return true;
  }
  if (op == "st" || opIs({"red", "atom", "ldmatrix", "stmatrix"})) {
    result.isStore = op == "st" || op == "red" || op == "stmatrix";
    result.isAtomic = op == "red" || op == "atom";
    result.returnsOld = op == "atom";
    act(has(".async") ? Action::Mbarrier : Action::Access, IssueClass::Memory);
    return true;
  }
  if (op == "wmma" && (has(".load") || has(".store"))) {
    result.isStore = has(".store");
    act(Action::Access, IssueClass::Memory, 2);
    return true;
  }
  return false;
}

bool Classifier::classifyAsync() {
  if (op != "cp")
    return false;
  const auto pending = static_cast<int32_t>(inst.offset);
  if (has(".bulk")) {
    if (has(".commit_group"))
      act(Action::BulkCommit, IssueClass::Uniform);
    else if (has(".wait_group"))
      act(Action::BulkWait, IssueClass::Uniform);
    else
      act(Action::BulkCopy, IssueClass::Memory);
    result.groups = pending;
    result.isRead = has(".read");
    return true;
  }
  if (has(".commit_group"))
    act(Action::CopyCommit, IssueClass::Uniform);
  else if (has(".wait_group") || has(".wait_all"))
    act(Action::CopyWait, IssueClass::Uniform);
  else if (has(".mbarrier"))
    act(Action::Mbarrier, IssueClass::Memory);
  else
    act(Action::CopyAsync, IssueClass::Memory);
  result.groups = pending;
  result.bypassesL1 = has(".cg");
  return true;
}

bool Classifier::classifyBarrier() {
  if (op == "mbarrier") {
    act(has(".try_wait") || has(".test_wait") ? Action::MbarrierWait : Action::Mbarrier, IssueClass::Memory);
    return true;
  }
  if (opIs({"bar", "barrier"})) {
    if (has(".warp"))
      act(Action::Plain, IssueClass::Uniform);
    else if (has(".cluster"))
      act(has(".arrive") ? Action::ClusterArrive : Action::ClusterWait, IssueClass::Uniform);
    else
      act(Action::Barrier, IssueClass::Uniform);
    return true;
  }
  if (opIs({"fence", "membar"})) {
    act(Action::Plain, IssueClass::Uniform);
    return true;
  }
  return false;
}

void Classifier::matrixShape(bool isWarpgroup) {
  MatrixShape &shape = result.matrix;
  for (const std::string &m : ast.modifiers)
    if (std::sscanf(m.c_str(), ".m%un%uk%u", &shape.m, &shape.n, &shape.k) == 3)
      break;
  // D, A, B and for mma.sync C.
  const Type a = types.size() > 1 ? types[1] : type();
  shape.bits = a == Type::TF32 ? 32 : std::max(1u, bitWidth(a));
  if (has(".kind::f8f6f4") || has(".kind::mxf8f6f4")) // narrower elements have a byte each
    shape.bits = 8;
  shape.isScaled = has(".block_scale");
  shape.sumsAreFloat = type() == Type::F32 || type() == Type::F64;
  shape.isSparse = has(".sp") || hasPrefix(".sp::");
  shape.aInRegisters = isWarpgroup && ast.operands.size() > 1 && ast.operands[1].kind == ast::Operand::Vector;
}

bool Classifier::classifyMatrix() {
  if (op == "wgmma") {
    if (has(".mma_async")) {
      matrixShape(true);
      act(Action::Wgmma, IssueClass::Uniform);
    } else {
      act(has(".fence")          ? Action::WgmmaFence
          : has(".commit_group") ? Action::WgmmaCommit
                                 : Action::WgmmaWait,
          IssueClass::Uniform);
      result.groups = static_cast<int32_t>(inst.offset);
    }
    return true;
  }
  if (opIs({"mma", "wmma"})) {
    matrixShape(false);
    act(Action::Mma, IssueClass::Uniform);
    return true;
  }
  return false;
}

bool Classifier::classifyTensorMemory() {
  if (op != "tcgen05")
    return false;
  const auto is = [&](std::string_view modifier) { return has(modifier); };
  if (is(".mma")) {
    act(Action::TensorMultiply, IssueClass::Uniform);
  } else if (is(".cp") || is(".shift")) {
    act(Action::TensorCopy, IssueClass::Uniform);
  } else if (is(".commit")) {
    act(Action::TensorCommit, IssueClass::Uniform);
  } else if (is(".ld") || is(".st")) {
    result.isStore = is(".st");
    const auto registers = result.isStore ? inst.s.size() - 1 : inst.d.size() - is(".red");
    result.tensorBytes = static_cast<uint32_t>(registers) * 32 * 4 * (is(".pack::16b") || is(".unpack::16b") ? 2 : 1);
    act(result.isStore ? Action::TensorStore : Action::TensorLoad, IssueClass::Memory);
  } else if (is(".wait::ld") || is(".wait::st")) {
    result.isStore = is(".wait::st");
    act(Action::TensorWait, IssueClass::Uniform);
  } else if (is(".alloc") || is(".dealloc")) {
    act(is(".alloc") ? Action::TensorAllocate : Action::TensorFree, IssueClass::Uniform);
  } else {
    add(IssueClass::Uniform); // fences, relinquish_alloc_permit
  }
  return true;
}

bool Classifier::classifyMove() {
  if (op == "mov") {
    // Of a special register, S2R; else a copy, or a half word, which operands select.
    const bool isSpecial = ast.operands.size() > 1 && ast.operands[1].kind == ast::Operand::Name &&
                           !ast.operands[1].name.empty() && ast.operands[1].name[0] == '%' && inst.s.empty();
    const bool packsHalves = ast.operands.size() > 1 && ast.operands[1].kind == ast::Operand::Vector &&
                             ast.operands[1].elements.size() * 16 == bitWidth(type());
    if (isSpecial)
      add(IssueClass::Uniform);
    else if (packsHalves)
      add(IssueClass::Alu);
    else
      fold();
    return true;
  }
  if (opIs({"cvta", "mapa", "getctarank", "isspacep"})) {
    op == "cvta" ? fold() : add(IssueClass::Alu);
    return true;
  }
  return false;
}

bool Classifier::classifyControl() {
  if (op == "clusterlaunchcontrol" && has(".try_cancel")) {
    act(Action::LaunchCancel, IssueClass::Uniform);
    return true;
  }
  if (opIs({"bra", "brx", "call", "ret"})) {
    add(IssueClass::Branch);
    return true;
  }
  if (opIs({"exit", "trap"})) {
    act(Action::Exit, IssueClass::Branch);
    return true;
  }
  if (opIs({"setmaxnreg", "vote", "activemask", "match", "elect", "nanosleep", "griddepcontrol", "prefetch",
            "prefetchu", "discard", "applypriority", "createpolicy", "tensormap", "pmevent", "clusterlaunchcontrol"})) {
    add(IssueClass::Uniform);
    return true;
  }
  if (op == "shfl") {
    add(IssueClass::Shuffle);
    return true;
  }
  if (op == "redux") {
    add(IssueClass::Shuffle, 2);
    return true;
  }
  return false;
}

/// Sequences that CUDA's library and ptxas use, to the number of machine instructions.
void Classifier::classifyDivision() {
  const bool isFloatType = isFloat(type());
  if (isFloatType && has(".approx")) {
    add(IssueClass::Mufu);
    add(IssueClass::Fma, 1);
  } else if (isFloatType && has(".full")) {
    add(IssueClass::Mufu);
    add(IssueClass::Fma, 2);
  } else if (isFloatType) { // a reciprocal, Newton steps, and a check for the slow path
    add(IssueClass::Mufu);
    add(isWide() ? IssueClass::Double : IssueClass::Fma, 7);
    add(IssueClass::Alu, 2);
  } else { // by a reciprocal in floats and corrections
    add(IssueClass::Convert, 2);
    add(IssueClass::Mufu);
    add(IssueClass::Imad, isWide() ? 40 : 4);
    add(IssueClass::Alu, isWide() ? 30 : 8);
  }
}

void Classifier::classifyFloat() {
  if (opIs({"neg", "abs"}) && type() != Type::F64) { // operands of additions and extrema have both
    fold();
    return;
  }
  if (type() == Type::F64) {
    add(IssueClass::Double);
    return;
  }
  if (opIs({"min", "max", "copysign", "testp"})) {
    const bool takesThree = ast.operands.size() == 4;
    add(IssueClass::Alu, takesThree ? static_cast<unsigned>(model.instructions.ternaryMinMax) : 1);
    return;
  }
  if (opIs({"rcp", "rsqrt", "sqrt", "sin", "cos", "lg2", "ex2", "tanh"})) {
    const bool isExact = !hasPrefix(".approx") && opIs({"rcp", "sqrt"});
    // Without .ftz, arguments that would be lost are scaled, and the result scaled back.
    const bool scales = !has(".ftz") && opIs({"ex2", "lg2", "rcp", "rsqrt", "sqrt"}) && bitWidth(type()) == 32;
    if (scales)
      add(IssueClass::Alu);
    if (scales || opIs({"sin", "cos"}))
      add(IssueClass::Fma);
    add(IssueClass::Mufu);
    if (isExact || op == "sqrt")
      add(IssueClass::Fma, isExact ? 6 : 1);
    else if (scales)
      add(IssueClass::Fma);
    return;
  }
  if (type() == Type::F32x2)
    add(IssueClass::Fma, static_cast<unsigned>(model.instructions.packedF32), /*work=*/2);
  else
    add(IssueClass::Fma);
}

void Classifier::classifyInteger() {
  const unsigned words = isWide() ? 2 : 1;
  if (opIs({"mul", "mad", "mul24", "mad24", "dp4a", "dp2a", "madc"})) {
    add(IssueClass::Imad, has(".wide") ? 1 : isWide() ? (has(".hi") ? 8 : 3) : has(".hi") ? 2 : 1);
    return;
  }
  if (opIs({"popc", "clz", "brev", "bfind"})) {
    add(IssueClass::Convert, words);
    return;
  }
  if (opIs({"shl", "shr", "bfe", "bfi"})) {
    add(IssueClass::Alu, isWide() ? (op == "bfi" || op == "bfe" ? 4 : 2) : 1);
    return;
  }
  add(IssueClass::Alu, words); // add, sub, logic, min, max, setp, selp, prmt, lop3 …
}

void Classifier::classifyArithmetic() {
  if (op == "cvt") {
    const Type to = type(0), from = type(1);
    const bool toFloat = isFloat(to) || bitWidth(to) < 16 || byteSize(to) * 8 != bitWidth(to);
    if (to == Type::F32 && from == Type::F32 && has(".sat"))
      fold(); // into what computes its operand, as signs are into what reads them: both seen in code of ptxas
    else if (!isFloat(to) && !isFloat(from) && (isSignedInteger(from) || isUnsignedInteger(from)))
      // A part of a register, or a pair with zero.
      bitWidth(to) <= bitWidth(from) || isUnsignedInteger(from) ? fold() : add(IssueClass::Alu);
    else if (toFloat && from == Type::F32 && bitWidth(to) <= 32 && to != Type::F32)
      add(IssueClass::Pack);
    else if (to == Type::F32 && (from == Type::BF16 || from == Type::F16))
      add(from == Type::BF16 ? IssueClass::Alu : IssueClass::Fma); // a shift; HADD2.F32
    else
      add(IssueClass::Convert);
    return;
  }
  if (opIs({"div", "rem"}))
    return classifyDivision();
  if (opIs({"set", "setp", "selp", "slct"}) || isFloat(type()))
    return opIs({"set", "setp", "selp", "slct"}) ? add(IssueClass::Alu, type() != Type::F64 && isWide() ? 2 : 1)
                                                 : classifyFloat();
  classifyInteger();
}

/// Control, what others wait for, what has an order in memory, and what depends on more than registers.
bool Classifier::isFixed() const {
  if (result.last == IssueClass::Branch && !result.isFree)
    return true;
  if (result.action != Action::Plain && result.action != Action::Access && result.action != Action::CopyAsync &&
      result.action != Action::Mma)
    return true;
  const bool isOrdered = has(".volatile") || has(".relaxed") || has(".acquire") || has(".release") || has(".acq_rel");
  const bool usesCarry = has(".cc") || opIs({"addc", "subc", "madc"});
  const bool readsClock = op == "mov" && ast.operands.size() > 1 && ast.operands[1].kind == ast::Operand::Name &&
                          (ast.operands[1].name.rfind("%clock", 0) == 0 || ast.operands[1].name == "%globaltimer");
  return isOrdered || usesCarry || readsClock ||
         opIs({"bar", "barrier", "fence", "membar", "setmaxnreg", "vote", "activemask", "match", "elect", "nanosleep",
               "griddepcontrol", "tensormap", "pmevent", "clusterlaunchcontrol", "call", "tcgen05"});
}

StaticInstruction Classifier::run() {
  if (!classifyMemory() && !classifyAsync() && !classifyBarrier() && !classifyMatrix() && !classifyTensorMemory() &&
      !classifyMove() && !classifyControl())
    classifyArithmetic();
  result.isFixed = isFixed();
  return result;
}

} // namespace

StaticInstruction classify(const ast::Instruction &ast, const Inst &inst, const MachineModel &model) {
  return Classifier(ast, inst, model).run();
}

} // namespace ptxemu::timing
