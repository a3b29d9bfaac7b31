//===- FunctionDecoder.cpp - Names and branch targets of one function -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include <algorithm>
#include <charconv>
#include <utility>

namespace ptxemu {

namespace {

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Bytes of local memory a thread can have, and (generously) of parameters and call arguments a function can have.
constexpr uint64_t kMostLocal = 512 << 10, kMostParameters = 1 << 20;

} // namespace

//===----------------------------------------------------------------------===//
// Linker
//===----------------------------------------------------------------------===//

Linker::Linker(const ast::Module &module, const VariableAddresses &addresses) : module(module), addresses(addresses) {
  for (const ast::Variable &v : module.variables)
    variables.emplace(v.name, &v);
}

Function &Linker::function(const std::string &name, unsigned line) {
  std::string resolved = name;
  if (auto alias = module.aliases.find(name); alias != module.aliases.end())
    resolved = alias->second;
  auto [it, isNew] = byName.try_emplace(resolved, nullptr);
  if (!isNew)
    return *it->second;
  auto index = module.functionByName.find(resolved);
  if (index == module.functionByName.end())
    throw InputError(line, "function '" + resolved + "' is not declared");
  program->functions.push_back(std::make_unique<Function>());
  it->second = program->functions.back().get();
  it->second->ast = &module.functions[index->second];
  it->second->name = resolved;
  it->second->address = functionAddress(index->second);
  return *it->second;
}

std::optional<uint64_t> Linker::variable(const std::string &name, Space &space) {
  auto it = variables.find(name);
  if (it == variables.end())
    return std::nullopt;
  space = it->second->space;
  if (space == Space::Shared)
    return shared(*it->second);
  auto address = addresses.find(name);
  if (address == addresses.end())
    return std::nullopt;
  return address->second;
}

uint64_t Linker::shared(const ast::Variable &v) {
  if (v.isArray && v.count == 0) {
    // Every unsized array is the start of dynamic shared memory; its offset is fixed when all static ones are known.
    // Reserve the strictest alignment instead of ordering: dynamic memory starts at a multiple of 1024.
    return sharedOffsets.try_emplace(&v, ~0ull).first->second;
  }
  auto [it, isNew] = sharedOffsets.try_emplace(&v, 0);
  if (isNew) {
    it->second = alignUp(program->staticShared, v.alignment);
    if (it->second + v.size() > 1u << kClusterRankShift)
      throw InputError(v.line, "static shared memory exceeds the window");
    program->staticShared = static_cast<uint32_t>(it->second + v.size());
  }
  return it->second;
}

namespace {

/// The functions whose address a variable's initial value or a mov takes (of a call, the operand before the arguments
/// is no address): what a call through a register may reach, whichever kernel stored the pointer.
std::vector<std::string> functionsWithAddress(const ast::Module &module) {
  std::vector<std::string> names;
  auto add = [&](const std::string &name) {
    auto alias = module.aliases.find(name);
    const std::string &resolved = alias == module.aliases.end() ? name : alias->second;
    auto function = module.functionByName.find(resolved);
    if (function != module.functionByName.end() && !module.functions[function->second].isEntry &&
        std::find(names.begin(), names.end(), resolved) == names.end())
      names.push_back(resolved);
  };
  for (const ast::Variable &v : module.variables)
    for (const ast::InitialValue &value : v.initial)
      if (!value.symbol.empty())
        add(value.symbol);
  for (const ast::Function &f : module.functions)
    for (const ast::Instruction &i : f.body)
      if (i.opcode == "mov" && i.operands.size() == 2)
        add(i.operands[1].name);
  return names;
}

/// The shared variables the entry's functions name, in declaration order, so that their offsets do not depend on the
/// order of use and dynamic memory comes last.
void layOutShared(Linker &linker, const ast::Module &module) {
  auto uses = [](const ast::Function &f, const std::string &name) {
    auto inOperand = [&](auto &self, const ast::Operand &o) -> bool {
      return o.name == name ||
             std::any_of(o.elements.begin(), o.elements.end(), [&](const ast::Operand &e) { return self(self, e); });
    };
    for (const ast::Instruction &i : f.body)
      for (const ast::Operand &o : i.operands)
        if (inOperand(inOperand, o))
          return true;
    return false;
  };
  std::vector<const ast::Function *> reachable{linker.program->functions[0]->ast};
  for (const std::string &name : functionsWithAddress(module))
    reachable.push_back(&module.functions[module.functionByName.at(name)]);
  for (size_t i = 0; i < reachable.size(); ++i)
    for (const ast::Function &f : module.functions)
      if (!f.isEntry && std::find(reachable.begin(), reachable.end(), &f) == reachable.end() &&
          uses(*reachable[i], f.name))
        reachable.push_back(&f);
  for (const ast::Variable &v : module.variables)
    if (v.space == Space::Shared && !(v.isArray && v.count == 0) &&
        std::any_of(reachable.begin(), reachable.end(), [&](const ast::Function *f) { return uses(*f, v.name); }))
      linker.shared(v);
  for (const ast::Function *f : reachable)
    for (const ast::Scope &s : f->scopes)
      for (const auto &[name, v] : s.variables)
        if (v.space == Space::Shared && v.count)
          linker.shared(v);
}

} // namespace

std::unique_ptr<Program> Linker::run(const std::string &entry) {
  program = std::make_unique<Program>();
  program->module = &module;
  program->staticShared = kReservedShared;
  Function &f = function(entry, 0);
  if (!f.ast->isEntry || !f.ast->hasBody)
    throw InputError(f.ast->line, "'" + entry + "' is not an entry");
  layOutShared(*this, module);
  program->dynamicShared = static_cast<uint32_t>(alignUp(program->staticShared, 128));
  for (const ast::Variable &v : module.variables)
    if (v.space == Space::Shared && v.isArray && v.count == 0)
      program->dynamicShared = static_cast<uint32_t>(alignUp(program->dynamicShared, v.alignment));
  for (const ast::Variable &v : module.variables)
    if (v.space == Space::Shared && v.isArray && v.count == 0)
      sharedOffsets[&v] = program->dynamicShared;
  // Decoding a function may mention further ones.
  for (size_t i = 0; i < program->functions.size(); ++i) {
    FunctionDecoder(*this, *program->functions[i]).run();
    if (std::exchange(indirectCalls, false))
      for (const std::string &name : functionsWithAddress(module))
        function(name, 0);
  }
  program->entryParameterBytes = program->functions[0]->parameterBytes;
  return std::move(program);
}

std::unique_ptr<Program> linkEntry(const ast::Module &module, const std::string &entry,
                                   const VariableAddresses &addresses) {
  return Linker(module, addresses).run(entry);
}

//===----------------------------------------------------------------------===//
// FunctionDecoder
//===----------------------------------------------------------------------===//

FunctionDecoder::FunctionDecoder(Linker &linker, Function &function)
    : linker(linker), function(function), ast(*function.ast) {}

void FunctionDecoder::checkParameterSpace(const ast::Variable &v) const {
  if (v.size() > kMostParameters || function.parameterBytes > kMostParameters)
    throw InputError(v.line, "'" + v.name + "' exceeds the parameter space");
}

ParameterPlace FunctionDecoder::parameterPlace(const ast::Variable &v) {
  ParameterPlace p;
  p.name = v.name;
  p.type = v.type;
  p.size = static_cast<uint32_t>(v.size());
  if (v.space == Space::Generic) { // .reg
    if (v.type == Type::Pred) {
      p.predicate = predicateTemporary();
      known[{0, v.name}] = {Symbol::Predicate, Type::Pred, p.predicate / 2, Space::Generic, 0};
    } else {
      p.reg = temporary(v.type == Type::B128 ? 2 : 1);
      known[{0, v.name}] = {Symbol::Register, v.type, p.reg, Space::Generic, 0};
    }
    return p;
  }
  checkParameterSpace(v);
  p.offset = static_cast<uint32_t>(alignUp(function.parameterBytes, v.alignment));
  function.parameterBytes = p.offset + p.size;
  known[{0, v.name}] = {ast.isEntry ? Symbol::EntryParameter : Symbol::FrameParameter, v.type, kSink, Space::Param,
                        p.offset};
  return p;
}

void FunctionDecoder::layOutParameters() {
  for (const ast::Variable &v : ast.parameters)
    function.parameters.push_back(parameterPlace(v));
  for (const ast::Variable &v : ast.results)
    function.results.push_back(parameterPlace(v));
}

Symbol FunctionDecoder::lookup(const std::string &name, unsigned scope, unsigned line) {
  for (int s = static_cast<int>(scope); s >= 0; s = ast.scopes[s].parent) {
    auto key = std::make_pair(static_cast<unsigned>(s), name);
    if (auto it = known.find(key); it != known.end())
      return it->second;
    const ast::Scope &here = ast.scopes[s];
    Type type = Type::None;
    if (auto r = here.registers.find(name); r != here.registers.end())
      type = r->second.type;
    else
      for (const auto &[prefix, range] : here.ranges)
        if (name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0) {
          uint64_t index = 0;
          auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), index);
          if (error == std::errc() && end == name.data() + name.size() && index < range.second)
            type = range.first;
        }
    if (type == Type::Pred)
      return known[key] = {Symbol::Predicate, type, static_cast<RegisterIndex>(function.predicates++), Space::Generic,
                           0};
    if (type != Type::None)
      return known[key] = {Symbol::Register, type, temporary(type == Type::B128 ? 2 : 1), Space::Generic, 0};
    auto v = here.variables.find(name);
    if (v == here.variables.end())
      continue;
    const ast::Variable &variable = v->second;
    if (variable.space == Space::Local) {
      if (variable.size() > kMostLocal - std::min<uint64_t>(kMostLocal, function.localBytes))
        throw InputError(variable.line, "'" + name + "' exceeds the 512 KiB of local memory a thread has");
      function.localBytes = static_cast<uint32_t>(alignUp(function.localBytes, std::max(16u, variable.alignment)));
      known[key] = {Symbol::Variable, variable.type, kSink, Space::Local, function.localBytes};
      function.localBytes += static_cast<uint32_t>(variable.size());
      return known[key];
    }
    if (variable.space == Space::Param) {
      checkParameterSpace(variable);
      uint32_t offset = static_cast<uint32_t>(alignUp(function.parameterBytes, variable.alignment));
      function.parameterBytes = offset + static_cast<uint32_t>(variable.size());
      return known[key] = {Symbol::FrameParameter, variable.type, kSink, Space::Param, offset};
    }
    if (variable.space == Space::Shared)
      return known[key] = {Symbol::Variable, variable.type, kSink, Space::Shared, linker.shared(variable)};
    throw InputError(line, "variables of this space cannot be declared in a function: '" + name + "'");
  }
  Symbol s;
  if (auto address = linker.variable(name, s.space)) {
    s.kind = Symbol::Variable;
    s.address = *address;
  } else if (linker.module.functionByName.count(name) || linker.module.aliases.count(name)) {
    s.kind = Symbol::Function;
    s.address = linker.function(name, line).address;
  }
  return s;
}

RegisterIndex FunctionDecoder::addConstant(uint64_t value) {
  Lanes &lanes = function.constants.emplace_back();
  std::fill(std::begin(lanes.v), std::end(lanes.v), value);
  return ~static_cast<RegisterIndex>(function.constants.size() - 1);
}

RegisterIndex FunctionDecoder::constant(uint64_t value) {
  auto [it, isNew] = constants.try_emplace(value);
  if (isNew)
    it->second = addConstant(value);
  return it->second;
}

RegisterIndex FunctionDecoder::sharedAddress(uint64_t address) {
  auto [it, isNew] = sharedAddresses.try_emplace(address);
  if (isNew) {
    it->second = addConstant(address);
    function.sharedConstants.push_back(static_cast<uint32_t>(~it->second));
  }
  return it->second;
}

RegisterIndex FunctionDecoder::temporary(unsigned count) {
  RegisterIndex reg = static_cast<RegisterIndex>(function.registers);
  function.registers += count;
  return reg;
}

PredicateIndex FunctionDecoder::carryFlag() {
  if (carry == kAlwaysTrue)
    carry = predicateTemporary();
  return carry;
}

Inst &FunctionDecoder::prepend(const ast::Instruction &i) {
  Inst &inst = function.code.emplace_back();
  inst.line = i.line;
  inst.origin = static_cast<uint32_t>(&i - ast.body.data());
  inst.opClass = OpClass::Move;
  return inst;
}

const std::vector<std::string> *FunctionDecoder::table(const std::string &name, unsigned scope) const {
  for (int s = static_cast<int>(scope); s >= 0; s = ast.scopes[s].parent)
    if (auto it = ast.scopes[s].tables.find(name); it != ast.scopes[s].tables.end())
      return &it->second;
  return nullptr;
}

const ast::Function *FunctionDecoder::prototype(const std::string &name, unsigned scope) const {
  for (int s = static_cast<int>(scope); s >= 0; s = ast.scopes[s].parent)
    if (auto it = ast.scopes[s].prototypes.find(name); it != ast.scopes[s].prototypes.end())
      return &linker.module.prototypes[it->second];
  return nullptr;
}

uint32_t FunctionDecoder::labelTarget(const std::string &label, unsigned scope, unsigned line) const {
  for (int s = static_cast<int>(scope); s >= 0; s = ast.scopes[s].parent)
    if (auto it = ast.scopes[s].labels.find(label); it != ast.scopes[s].labels.end())
      return it->second;
  throw InputError(line, "label '" + label + "' is not defined here");
}

void FunctionDecoder::run() {
  layOutParameters();
  if (!ast.hasBody)
    return;                            // a function the system provides; the call decoder knows which
  std::unordered_set<size_t> labelled; // behind them, registers may hold anything
  for (const ast::Scope &scope : ast.scopes)
    for (const auto &[name, index] : scope.labels)
      labelled.insert(index);
  std::vector<uint32_t> codeIndex;
  for (const ast::Instruction &i : ast.body) {
    if (labelled.count(codeIndex.size()) != 0)
      constantRegisters.clear();
    codeIndex.push_back(static_cast<uint32_t>(function.code.size()));
    auto decode = opcodeTable().find(i.opcode);
    if (decode == opcodeTable().end())
      throw InputError(i.line, "'" + i.mnemonic() + "': the emulator does not know the instruction '" + i.opcode + "'");
    Inst inst;
    inst.line = i.line;
    inst.origin = static_cast<uint32_t>(&i - ast.body.data());
    OpReader reader(*this, i, inst);
    if (!i.guard.empty()) {
      ast::Operand guard;
      guard.kind = ast::Operand::Name;
      guard.name = i.guard;
      guard.negated = i.guardNegated;
      inst.guard = reader.predicateSource(guard);
    }
    decode->second(reader);
    reader.finish();
    if (!inst.handler)
      reader.fail("the emulator does not know this form");
    function.usesWgmma |= (inst.flags & kWgmma) != 0;
    function.code.push_back(std::move(inst));
  }
  codeIndex.push_back(static_cast<uint32_t>(function.code.size()));
  // Control reaching the closing brace returns.
  ast::Instruction end;
  Inst inst;
  inst.line = ast.body.empty() ? ast.line : ast.body.back().line;
  inst.origin = ast.body.empty() ? 0 : static_cast<uint32_t>(ast.body.size() - 1);
  end.opcode = "ret";
  end.line = inst.line;
  OpReader reader(*this, end, inst);
  opcodeTable().at("ret")(reader);
  function.code.push_back(std::move(inst));
  for (auto &fix : fixups)
    fix(codeIndex);
  fixups.clear();
}

} // namespace ptxemu
