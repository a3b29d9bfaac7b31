//===- ParserBody.h - Function bodies and variable declarations -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_PARSERBODY_H
#define PTX_EMULATOR_PARSERBODY_H

#include "ParserBase.h"

namespace ptxemu {

/// Parses what stands inside a function: declarations, labels, instructions and their operands.
class BodyParser : protected ParserBase {
protected:
  BodyParser(const std::vector<Token> &tokens, ast::Module &module) : ParserBase(tokens), module(module) {}

  void body(ast::Function &);
  std::vector<ast::Variable> variableDeclaration();
  std::vector<ast::Variable> parameterList();
  void skipDirective(); ///< to the end of .loc (a line) or to ';'
  void skipParentheses();

private:
  void block(ast::Function &, unsigned scope);
  void statement(ast::Function &, unsigned scope);
  void directive(ast::Function &, unsigned scope);
  void registerDeclaration(ast::Scope &);
  void label(ast::Function &, unsigned scope);
  void labelledDirective(ast::Function &, unsigned scope, const std::string &name);
  void location();
  void expandVectors(const ast::Function &, unsigned scope, ast::Operand &);
  void instruction(ast::Function &, unsigned scope);
  ast::Operand operand();
  ast::Operand atom();
  ast::Operand address();
  ast::Operand sequence(ast::Operand::Kind, std::string_view close);
  void variableType(ast::Variable &);
  void initializer(ast::Variable &);
  ast::InitialValue initialValue(Type);

  ast::Module &module;
  ast::SourceLocation currentLocation;
  int nesting = 0;
  bool isVideo = false; ///< the instruction's operands may have selectors and signs
};

} // namespace ptxemu

#endif // PTX_EMULATOR_PARSERBODY_H
