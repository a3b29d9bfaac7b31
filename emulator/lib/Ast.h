//===- Ast.h - A PTX module as written --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_AST_H
#define PTX_EMULATOR_AST_H

#include "Types.h"
#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptxemu::ast {

/// One operand as written. Names are resolved when the function is decoded.
struct Operand {
  enum Kind : uint8_t {
    Name,    ///< register, special register, variable, label or function; `offset` for `name+4`
    Integer, ///< `bits`
    Float32,
    Float64,
    Sink,    ///< _
    Address, ///< [elements[0] + offset, elements[1], …]
    Vector,  ///< {elements…}
    Pair,    ///< elements[0]|elements[1]
    List,    ///< (elements…) of a call
  };
  Kind kind = Sink;
  bool negated = false; ///< !p
  std::string name;
  uint64_t bits = 0;
  int64_t offset = 0;
  std::string selector; ///< ".h1", ".b3210": parts of a register, of video instructions
  bool minus = false;   ///< -r, of video instructions
  std::vector<Operand> elements;
};

struct SourceLocation {
  unsigned file = 0, line = 0, column = 0; ///< file 0: none
};

struct Instruction {
  unsigned line = 0;
  SourceLocation source;
  std::string guard; ///< predicate register, empty when unconditional
  bool guardNegated = false;
  std::string opcode;
  std::vector<std::string> modifiers; ///< each with its dot, in order
  std::vector<Operand> operands;
  unsigned scope = 0; ///< index into Function::scopes

  std::string mnemonic() const;
};

/// One initial word of a variable: a number or the address of a symbol.
struct InitialValue {
  uint64_t bits = 0;
  std::string symbol;
  bool generic = false;
};

struct Variable {
  unsigned line = 0;
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  unsigned vector = 1; ///< elements of a .v2/.v4 declaration
  unsigned alignment = 0;
  uint64_t count = 1; ///< array elements; 0 for an unsized array
  bool isArray = false;
  bool isExtern = false;
  std::vector<InitialValue> initial;

  uint64_t size() const { return count * vector * byteSize(type); }
};

struct Register {
  Type type = Type::None;
};

/// A brace-enclosed block of a function body: names it declares shadow those outside.
struct Scope {
  int parent = -1;
  std::unordered_map<std::string, Register> registers;
  std::unordered_map<std::string, unsigned> vectors; ///< `.reg .v4 .f32 v`: → components, registers v.x v.y v.z v.w
  /// `.reg .b32 %r<100>`: prefix → (type, count); kept as a range so that a million registers cost nothing.
  std::vector<std::pair<std::string, std::pair<Type, uint64_t>>> ranges;
  std::unordered_map<std::string, Variable> variables;
  std::unordered_map<std::string, unsigned> labels;                 ///< → index of the instruction that follows
  std::unordered_map<std::string, std::vector<std::string>> tables; ///< .branchtargets / .calltargets
  std::unordered_map<std::string, unsigned> prototypes; ///< .callprototype → index into Module::prototypes
};

struct Function {
  unsigned line = 0;
  std::string name;
  bool isEntry = false;
  bool hasBody = false;
  std::vector<Variable> parameters, results; ///< space Param, or Generic for .reg parameters
  std::vector<Scope> scopes;                 ///< [0] is the body
  std::vector<Instruction> body;
  std::array<unsigned, 3> requiredThreads{}, maximumThreads{}, requiredCluster{}; ///< 0: not given
  bool explicitCluster = false;
  bool blocksAreClusters = false; ///< a launch passes blocks of one thread, and its grid counts clusters
  unsigned maximumClusterRank = 0;
  unsigned maximumRegisters = 0, minimumCtas = 0; ///< .maxnreg, .minnctapersm
};

struct Module {
  unsigned versionMajor = 0, versionMinor = 0;
  std::string target;
  unsigned addressSize = 64;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Function> prototypes;
  std::unordered_map<std::string, unsigned> functionByName;
  std::unordered_map<unsigned, std::string> files; ///< .file
  std::unordered_map<std::string, std::string> aliases;
};

} // namespace ptxemu::ast

#endif // PTX_EMULATOR_AST_H
