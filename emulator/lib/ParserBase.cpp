//===- ParserBase.cpp - Constant expressions -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserBase.h"

namespace ptxemu {

namespace {

int precedence(std::string_view op) {
  if (op == "*" || op == "/" || op == "%")
    return 6;
  if (op == "+" || op == "-")
    return 5;
  if (op == "<<" || op == ">>")
    return 4;
  if (op == "&")
    return 3;
  if (op == "^")
    return 2;
  if (op == "|")
    return 1;
  return -1;
}

} // namespace

uint64_t ParserBase::integerPrimary() {
  if (++depth > 200)
    fail("constant expression is nested too deeply");
  uint64_t value = 0;
  if (accept("-"))
    value = 0 - integerPrimary();
  else if (accept("+"))
    value = integerPrimary();
  else if (accept("~"))
    value = ~integerPrimary();
  else if (accept("!"))
    value = !integerPrimary();
  else if (accept("(")) {
    // A cast such as (.s64) has no effect on 64-bit two's complement values.
    if (peek().kind == Token::Dotted && parseType(peek().text)) {
      take();
      expect(")");
      value = integerPrimary();
    } else {
      value = integerExpression();
      expect(")");
    }
  } else if (peek().kind == Token::Integer)
    value = take().bits;
  else
    fail("expected an integer constant before '" + std::string(peek().text) + "'");
  --depth;
  return value;
}

uint64_t ParserBase::integerExpression(int minimumPrecedence) {
  uint64_t left = integerPrimary();
  for (;;) {
    std::string_view op = peek().text;
    int p = peek().kind == Token::Punctuation ? precedence(op) : -1;
    if (p < 0 || p < minimumPrecedence)
      return left;
    take();
    uint64_t right = integerExpression(p + 1);
    if ((op == "/" || op == "%") && right == 0)
      fail("division by zero in a constant expression");
    if (op == "*")
      left *= right;
    else if (op == "/")
      left =
          right == ~0ull ? 0 - left : static_cast<uint64_t>(static_cast<int64_t>(left) / static_cast<int64_t>(right));
    else if (op == "%")
      left = right == ~0ull ? 0 : static_cast<uint64_t>(static_cast<int64_t>(left) % static_cast<int64_t>(right));
    else if (op == "+")
      left += right;
    else if (op == "-")
      left -= right;
    else if (op == "<<")
      left = right < 64 ? left << right : 0;
    else if (op == ">>")
      left = right < 64 ? left >> right : 0;
    else if (op == "&")
      left &= right;
    else if (op == "^")
      left ^= right;
    else
      left |= right;
  }
}

} // namespace ptxemu
