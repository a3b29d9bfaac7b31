//===- Decoder.cpp - Reading one instruction -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "FloatFormat.h"
#include "FunctionDecoder.h"
#include "State.h"
#include <algorithm>

namespace ptxemu {

OpReader::OpReader(FunctionDecoder &function, const ast::Instruction &ast, Inst &inst)
    : ast(ast), inst(inst), function(function), left(ast.modifiers) {}

void OpReader::fail(const std::string &message) const {
  throw InputError(ast.line, "'" + ast.mnemonic() + "': " + message);
}

bool OpReader::has(std::string_view modifier) const {
  return std::find(left.begin(), left.end(), modifier) != left.end();
}

bool OpReader::accept(std::string_view modifier) {
  auto it = std::find(left.begin(), left.end(), modifier);
  if (it == left.end())
    return false;
  left.erase(it);
  return true;
}

std::string OpReader::acceptAny(std::initializer_list<std::string_view> choices) {
  for (std::string_view c : choices)
    if (accept(c))
      return std::string(c);
  return "";
}

std::string OpReader::expectAny(std::initializer_list<std::string_view> choices, std::string_view what) {
  std::string found = acceptAny(choices);
  if (found.empty())
    fail("needs " + std::string(what));
  return found;
}

std::optional<Type> OpReader::acceptType() {
  for (auto it = left.begin(); it != left.end(); ++it)
    if (auto t = parseType(*it)) {
      left.erase(it);
      return t;
    }
  return std::nullopt;
}

Type OpReader::type(std::initializer_list<Type> allowed) {
  auto t = acceptType();
  if (!t)
    fail("needs a type");
  if (std::find(allowed.begin(), allowed.end(), *t) == allowed.end())
    fail("type " + std::string(typeName(*t)) + " is not one this instruction takes");
  return *t;
}

std::optional<Rounding> OpReader::acceptRounding() {
  if (accept(".rn") || accept(".rni"))
    return Rounding::NearestEven;
  if (accept(".rz") || accept(".rzi"))
    return Rounding::TowardZero;
  if (accept(".rm") || accept(".rmi"))
    return Rounding::Down;
  if (accept(".rp") || accept(".rpi"))
    return Rounding::Up;
  if (accept(".rna"))
    return Rounding::NearestAway;
  return std::nullopt;
}

void OpReader::ignore(std::initializer_list<std::string_view> hints) {
  for (std::string_view h : hints)
    accept(h);
}

void OpReader::finish() {
  if (left.empty())
    return;
  std::string list;
  for (const std::string &m : left)
    list += (list.empty() ? "" : ", ") + m;
  fail("the emulator does not know this form (not understood: " + list + ")");
}

void OpReader::expectCount(size_t least, size_t most) {
  if (count() < least || count() > most)
    fail("takes " + std::to_string(least) + (most > least ? " to " + std::to_string(most) : "") + " operands, has " +
         std::to_string(count()));
}

const ast::Operand &OpReader::operand(size_t i) const {
  if (i >= ast.operands.size())
    fail("operand " + std::to_string(i + 1) + " is missing");
  return ast.operands[i];
}

namespace {

/// An immediate's bits for an instruction of this type.
uint64_t immediateBits(const OpReader &reader, const ast::Operand &o, Type t) {
  unsigned width = bitWidth(t);
  uint64_t mask = width >= 64 ? ~0ull : (1ull << width) - 1;
  if (o.kind == ast::Operand::Integer) {
    if (t == Type::F32 || t == Type::F64)
      reader.fail("an integer constant cannot be a floating-point operand");
    return o.bits & mask;
  }
  double value = o.kind == ast::Operand::Float32 ? std::bit_cast<float>(static_cast<uint32_t>(o.bits))
                                                 : std::bit_cast<double>(o.bits);
  if (t == Type::F32 || (t == Type::B32 && o.kind == ast::Operand::Float32))
    return o.kind == ast::Operand::Float32 ? o.bits : std::bit_cast<uint32_t>(static_cast<float>(value));
  if (t == Type::F64 || t == Type::B64)
    return std::bit_cast<uint64_t>(value);
  if (t == Type::F16 || t == Type::BF16)
    return encodeFloat(value, formatOf(t));
  reader.fail("a floating-point constant cannot be a " + std::string(typeName(t)) + " operand");
}

} // namespace

RegisterIndex OpReader::sourceAtLeast(const ast::Operand &o, Type t) {
  switch (o.kind) {
  case ast::Operand::Integer:
  case ast::Operand::Float32:
  case ast::Operand::Float64:
    return function.constant(immediateBits(*this, o, t));
  case ast::Operand::Name:
    break;
  default:
    fail("expected a register or a constant");
  }
  if (o.negated)
    fail("only predicates can be negated with '!'");
  Symbol s = function.lookup(o.name, ast.scope, ast.line);
  switch (s.kind) {
  case Symbol::Register:
    if (o.offset)
      fail("a register operand has no offset");
    if (bitWidth(s.type) < bitWidth(t))
      fail("register " + o.name + " is narrower than " + std::string(typeName(t)));
    return s.reg;
  case Symbol::Variable:
    if (s.space == Space::Local)
      return localAddress(function, ast, s.address + static_cast<uint64_t>(o.offset));
    if (s.space == Space::Shared)
      return function.sharedAddress(s.address + static_cast<uint64_t>(o.offset));
    return function.constant(s.address + static_cast<uint64_t>(o.offset));
  case Symbol::EntryParameter:
    return function.constant(s.address + static_cast<uint64_t>(o.offset));
  case Symbol::Function:
    return function.constant(s.address);
  case Symbol::FrameParameter:
    fail("the address of a function's parameter cannot be taken");
  case Symbol::Predicate:
    fail("'" + o.name + "' is a predicate");
  case Symbol::Unknown:
    break;
  }
  RegisterIndex reg;
  Type type;
  if (!readSpecialRegister(function, ast, o.name, &reg, &type))
    fail("'" + o.name + "' is not declared");
  return reg;
}

RegisterIndex OpReader::source(const ast::Operand &o, Type t) {
  if (o.kind == ast::Operand::Name) {
    Symbol s = function.lookup(o.name, ast.scope, ast.line);
    if (s.kind == Symbol::Register && bitWidth(s.type) != bitWidth(t))
      fail("register " + o.name + " (" + std::string(typeName(s.type)) + ") does not have the size of " +
           std::string(typeName(t)));
  }
  return sourceAtLeast(o, t);
}

RegisterIndex OpReader::destinationAtLeast(const ast::Operand &o, Type t, uint8_t *width) {
  if (width)
    *width = static_cast<uint8_t>(std::max(1u, byteSize(t)));
  if (o.kind == ast::Operand::Sink)
    return kSink;
  if (o.kind != ast::Operand::Name || o.negated || o.offset)
    fail("expected a destination register");
  Symbol s = function.lookup(o.name, ast.scope, ast.line);
  if (s.kind != Symbol::Register)
    fail("'" + o.name + "' is not a register the result can go to");
  if (bitWidth(s.type) < bitWidth(t))
    fail("register " + o.name + " is narrower than " + std::string(typeName(t)));
  if (width)
    *width = static_cast<uint8_t>(byteSize(s.type));
  function.setsResult(s.reg);
  return s.reg;
}

RegisterIndex OpReader::destination(const ast::Operand &o, Type t) {
  uint8_t width = 0;
  RegisterIndex reg = destinationAtLeast(o, t, &width);
  if (reg != kSink && width != std::max(1u, byteSize(t)))
    fail("register " + o.name + " does not have the size of " + std::string(typeName(t)));
  return reg;
}

PredicateIndex OpReader::predicateSource(const ast::Operand &o) {
  if (o.kind == ast::Operand::Integer)
    return o.bits ? kAlwaysTrue : kAlwaysFalse;
  if (o.kind != ast::Operand::Name)
    fail("expected a predicate");
  Symbol s = function.lookup(o.name, ast.scope, ast.line);
  if (s.kind == Symbol::Unknown) {
    RegisterIndex reg;
    Type type;
    if (readSpecialRegister(function, ast, o.name, &reg, &type) && type == Type::Pred)
      return reg ^ (o.negated ? 1 : 0);
  }
  if (s.kind != Symbol::Predicate)
    fail("'" + o.name + "' is not a predicate");
  return s.reg * 2 + (o.negated ? 1 : 0);
}

bool OpReader::isPredicate(const ast::Operand &o) const {
  return o.kind == ast::Operand::Name && function.lookup(o.name, ast.scope, ast.line).kind == Symbol::Predicate;
}

PredicateIndex OpReader::predicateDestination(const ast::Operand &o) {
  if (o.kind == ast::Operand::Sink)
    return kAlwaysTrue;
  if (o.kind != ast::Operand::Name || o.negated)
    fail("expected a predicate register");
  Symbol s = function.lookup(o.name, ast.scope, ast.line);
  if (s.kind != Symbol::Predicate)
    fail("'" + o.name + "' is not a predicate register");
  return s.reg * 2;
}

std::vector<const ast::Operand *> OpReader::elements(const ast::Operand &o) const {
  std::vector<const ast::Operand *> list;
  if (o.kind == ast::Operand::Vector)
    for (const ast::Operand &e : o.elements)
      list.push_back(&e);
  else
    list.push_back(&o);
  return list;
}

uint64_t OpReader::integer(const ast::Operand &o) {
  if (o.kind != ast::Operand::Integer)
    fail("expected an integer constant");
  return o.bits;
}

Space OpReader::acceptSpace() {
  if (accept(".global"))
    return Space::Global;
  if (accept(".shared::cluster"))
    return Space::SharedCluster;
  if (accept(".shared") || accept(".shared::cta"))
    return Space::Shared;
  if (accept(".local"))
    return Space::Local;
  if (accept(".const"))
    return Space::Const;
  if (accept(".param") || accept(".param::entry") || accept(".param::func"))
    return Space::Param;
  return Space::Generic;
}

void OpReader::address(const ast::Operand &o, Space space) {
  if (o.kind != ast::Operand::Address || o.elements.size() != 1)
    fail("expected an address [register+offset] or [variable+offset]");
  const ast::Operand &base = o.elements[0];
  inst.offset = o.offset;
  if (base.kind == ast::Operand::Name) {
    Symbol s = function.lookup(base.name, ast.scope, ast.line);
    if (s.kind == Symbol::Variable && space != Space::Generic && s.space != space &&
        !(s.space == Space::Shared && space == Space::SharedCluster))
      fail("'" + base.name + "' lies in the " + std::string(spaceName(s.space)) + " space");
    if (s.kind == Symbol::Variable && space == Space::Generic && s.space == Space::Shared)
      return inst.s.push_back(function.sharedAddress(s.address | kSharedWindow));
    if (s.kind == Symbol::Register && bitWidth(s.type) != 64 &&
        !(bitWidth(s.type) == 32 && space != Space::Generic && space != Space::Global))
      fail("address register " + base.name + " must have 64 bits here");
  }
  inst.s.push_back(sourceAtLeast(base, Type::B32));
}

RegisterIndex OpReader::mapAddress(const ast::Operand &o) {
  if (o.kind == ast::Operand::Name) {
    Symbol s = function.lookup(o.name, ast.scope, ast.line);
    if (s.kind == Symbol::EntryParameter)
      return function.constant(s.address | kParamWindow);
  }
  return source(o, Type::B64);
}

void OpReader::tensorAddress(const ast::Operand &o) {
  if (o.kind != ast::Operand::Address || o.elements.size() != 1)
    fail("expected a tensor-memory address [register]");
  inst.offset = o.offset;
  inst.s.push_back(source(o.elements[0], Type::B32));
}

namespace {

void addConstant(Exec &x, const Inst &inst) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  x.forLanes([&](unsigned l) { d[l] = a[l] + static_cast<uint64_t>(inst.offset); });
}

} // namespace

RegisterIndex OpReader::addressWithOffset(RegisterIndex base, int64_t offset) {
  if (base < 0) {
    const Function &f = function.function;
    const uint64_t sum = f.constants[static_cast<size_t>(~base)][0] + static_cast<uint64_t>(offset);
    return std::find(f.sharedConstants.begin(), f.sharedConstants.end(), static_cast<uint32_t>(~base)) !=
                   f.sharedConstants.end()
               ? function.sharedAddress(sum)
               : function.constant(sum);
  }
  RegisterIndex reg = function.temporary();
  Inst &before = function.prepend(ast);
  before.guard = inst.guard;
  before.offset = offset;
  before.s.push_back(base);
  before.d.push_back(reg);
  before.handler = addConstant;
  return reg;
}

const OpcodeTable &opcodeTable() {
  static const OpcodeTable table = [] {
    OpcodeTable t;
    for (auto add :
         {addIntegerOps,       addBitOps,       addFloatOps,    addComparisonOps, addConversionOps, addMoveOps,
          addMemoryOps,        addAtomicOps,    addControlOps,  addWarpOps,       addBarrierOps,    addMatrixOps,
          addMmaOps,           addAsyncCopyOps, addMbarrierOps, addTensorMapOps,  addWgmmaOps,      addTcgen05Ops,
          addLaunchControlOps, addCacheOps,     addMultimemOps, addStackOps,      addVideoOps,      addWmmaOps})
      add(t);
    return t;
  }();
  return table;
}

} // namespace ptxemu
