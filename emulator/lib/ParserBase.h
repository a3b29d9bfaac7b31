//===- ParserBase.h - Token stream and constant expressions -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_PARSERBASE_H
#define PTX_EMULATOR_PARSERBASE_H

#include "Ast.h"
#include "Lexer.h"
#include "ptx-emulator/Error.h"

namespace ptxemu {

/// What every part of the parser shares: a cursor over tokens, and PTX constant expressions.
class ParserBase {
protected:
  explicit ParserBase(const std::vector<Token> &tokens) : tokens(tokens) {}

  const Token &peek(size_t ahead = 0) const {
    size_t i = position + ahead;
    return tokens[i < tokens.size() ? i : tokens.size() - 1];
  }
  const Token &take() {
    const Token &t = peek();
    if (t.kind != Token::End)
      ++position;
    return t;
  }
  bool accept(std::string_view text) {
    if (!peek().is(text))
      return false;
    take();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text))
      fail("expected '" + std::string(text) + "' before '" + std::string(peek().text) + "'");
  }
  std::string identifier(std::string_view what) {
    if (peek().kind != Token::Identifier)
      fail("expected " + std::string(what) + " before '" + std::string(peek().text) + "'");
    return std::string(take().text);
  }
  [[noreturn]] void fail(const std::string &message) const { throw InputError(peek().line, message); }

  /// An integer constant expression (C precedence, 64-bit).
  uint64_t integerExpression(int minimumPrecedence = 0);

  const std::vector<Token> &tokens;
  size_t position = 0;

private:
  uint64_t integerPrimary();
  int depth = 0;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_PARSERBASE_H
