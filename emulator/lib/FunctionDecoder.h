//===- FunctionDecoder.h - Names and branch targets of one function -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FUNCTIONDECODER_H
#define PTX_EMULATOR_FUNCTIONDECODER_H

#include "Decoder.h"
#include <map>
#include <unordered_set>

namespace ptxemu {

/// What linking an entry shares between its functions: the shared memory layout and the functions themselves.
class Linker {
public:
  Linker(const ast::Module &module, const VariableAddresses &addresses);
  std::unique_ptr<Program> run(const std::string &entry);

  Function &function(const std::string &name, unsigned line); ///< decodes it later, on first mention
  /// The address of a module-level variable in its space; throws when there is none of that name.
  std::optional<uint64_t> variable(const std::string &name, Space &space);
  uint64_t shared(const ast::Variable &); ///< offset of a .shared variable, laid out on first mention
  /// Some call goes through a register: whatever function has its address taken in the module belongs to the program.
  void callsIndirectly() { indirectCalls = true; }

  const ast::Module &module;
  std::unique_ptr<Program> program;

private:
  const VariableAddresses &addresses;
  std::unordered_map<std::string, Function *> byName;
  std::unordered_map<std::string, const ast::Variable *> variables;
  std::map<const ast::Variable *, uint64_t> sharedOffsets;
  bool indirectCalls = false;
};

/// What a name means inside a function.
struct Symbol {
  enum Kind { Register, Predicate, Variable, EntryParameter, FrameParameter, Function, Unknown } kind = Unknown;
  Type type = Type::None; ///< of a register
  RegisterIndex reg = kSink;
  Space space = Space::Generic; ///< of a variable
  uint64_t address = 0;         ///< in its space; in parameter memory for parameters
};

class FunctionDecoder {
public:
  FunctionDecoder(Linker &, Function &);
  void run();

  Symbol lookup(const std::string &name, unsigned scope, unsigned line);
  RegisterIndex constant(uint64_t value);
  RegisterIndex sharedAddress(uint64_t address); ///< of a shared variable: a constant of the CTA
  RegisterIndex temporary(unsigned count = 1);
  PredicateIndex predicateTemporary() { return static_cast<PredicateIndex>(function.predicates++ * 2); }
  PredicateIndex carryFlag(); ///< the function's condition-code register
  /// Constants, and registers that one has been moved to since the last label.
  bool holdsConstant(RegisterIndex reg) const { return reg < 0 || constantRegisters.count(reg) != 0; }
  void setsConstant(RegisterIndex reg) { constantRegisters.insert(reg); }
  void setsResult(RegisterIndex reg) { constantRegisters.erase(reg); }
  /// Adds an instruction before the one being read; it inherits no guard.
  Inst &prepend(const ast::Instruction &);
  const std::vector<std::string> *table(const std::string &name, unsigned scope) const;
  const ast::Function *prototype(const std::string &name, unsigned scope) const;
  uint32_t labelTarget(const std::string &label, unsigned scope, unsigned line) const; ///< AST index

  Linker &linker;
  Function &function;
  const ast::Function &ast;

  /// Called with the AST-index → code-index map when the whole body is decoded.
  std::vector<std::function<void(const std::vector<uint32_t> &)>> fixups;

private:
  void layOutParameters();
  void checkParameterSpace(const ast::Variable &) const;
  ParameterPlace parameterPlace(const ast::Variable &);

  std::map<std::pair<unsigned, std::string>, Symbol> known;
  RegisterIndex addConstant(uint64_t value);

  std::unordered_map<uint64_t, RegisterIndex> constants, sharedAddresses;
  std::unordered_set<RegisterIndex> constantRegisters;
  PredicateIndex carry = kAlwaysTrue;
};

/// Emits the instruction that reads a special register ("%tid.x") into `reg`; false when there is none of that name.
/// Predicate special registers (%is_explicit_cluster) go to a predicate.
bool readSpecialRegister(FunctionDecoder &, const ast::Instruction &, const std::string &name, RegisterIndex *reg,
                         Type *type);
/// Emits the instruction that computes a .local variable's address in the current frame.
RegisterIndex localAddress(FunctionDecoder &, const ast::Instruction &, uint64_t offset);

} // namespace ptxemu

#endif // PTX_EMULATOR_FUNCTIONDECODER_H
