//===- ParserBody.cpp - Function bodies and variable declarations --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserBody.h"
#include <algorithm>
#include <bit>

namespace ptxemu {

using ast::Operand;

void BodyParser::skipDirective() {
  if (peek().is(".loc"))
    return location();
  while (!peek().is(";")) {
    if (peek().kind == Token::End)
      fail("directive is not closed with ';'");
    take();
  }
  take();
}

void BodyParser::skipParentheses() {
  expect("(");
  while (!accept(")"))
    if (take().kind == Token::End)
      fail("'(' is not closed");
}

/// .loc FILE LINE COLUMN[, function_name SYMBOL[+OFF], inlined_at FILE LINE COLUMN]: no terminator but the line's end.
void BodyParser::location() {
  unsigned line = take().line;
  unsigned values[3] = {};
  for (unsigned &v : values) {
    if (peek().kind != Token::Integer)
      fail(".loc needs file, line and column");
    v = static_cast<unsigned>(take().bits);
  }
  currentLocation = {values[0], values[1], values[2]};
  while (peek().kind != Token::End && peek().line == line)
    take();
}

void BodyParser::variableType(ast::Variable &v) {
  if (accept(".v2"))
    v.vector = 2;
  else if (accept(".v4"))
    v.vector = 4;
  else if (accept(".v8"))
    v.vector = 8;
  auto type = peek().kind == Token::Dotted ? parseType(peek().text) : std::nullopt;
  if (!type)
    fail("expected a type before '" + std::string(peek().text) + "'");
  take();
  v.type = *type;
}

namespace {

std::optional<Space> declaredSpace(const Token &t) {
  if (t.is(".global"))
    return Space::Global;
  if (t.is(".shared") || t.is(".shared::cta"))
    return Space::Shared;
  if (t.is(".const"))
    return Space::Const;
  if (t.is(".local"))
    return Space::Local;
  if (t.is(".param"))
    return Space::Param;
  return std::nullopt;
}

unsigned checkedAlignment(uint64_t value, unsigned line) {
  if (value == 0 || value > 4096 || !std::has_single_bit(value))
    throw InputError(line, "alignment " + std::to_string(value) + " is not a power of two up to 4096");
  return static_cast<unsigned>(value);
}

} // namespace

std::vector<ast::Variable> BodyParser::variableDeclaration() {
  ast::Variable prototype;
  auto space = declaredSpace(peek());
  if (!space)
    fail("unknown directive '" + std::string(peek().text) + "'");
  take();
  prototype.space = *space;
  for (;;) {
    if (accept(".align"))
      prototype.alignment = checkedAlignment(integerExpression(), peek().line);
    else if (accept(".attribute"))
      skipParentheses();
    else
      break;
  }
  variableType(prototype);
  std::vector<ast::Variable> result;
  do {
    ast::Variable v = prototype;
    v.line = peek().line;
    v.name = identifier("a variable name");
    bool unsized = false;
    while (accept("[")) {
      v.isArray = true;
      if (accept("]")) {
        unsized = true;
        continue;
      }
      uint64_t n = integerExpression();
      if (n > (1ull << 40) / std::max<uint64_t>(v.count, 1))
        fail("variable '" + v.name + "' is too large");
      v.count *= n;
      expect("]");
    }
    if (unsized)
      v.count = 0;
    if (accept("="))
      initializer(v);
    if (v.alignment == 0)
      v.alignment = std::max(1u, byteSize(v.type) * v.vector);
    result.push_back(std::move(v));
  } while (accept(","));
  expect(";");
  return result;
}

ast::InitialValue BodyParser::initialValue(Type type) {
  ast::InitialValue value;
  if (peek().kind == Token::Identifier) {
    value.generic = peek().is("generic");
    if (value.generic) {
      take();
      expect("(");
    }
    value.symbol = identifier("a symbol");
    if (peek().is("+") || peek().is("-"))
      value.bits = integerExpression();
    if (value.generic) {
      expect(")");
      if (accept("+"))
        value.bits += integerExpression();
    }
    return value;
  }
  bool negative = peek().is("-") && (peek(1).kind == Token::Float32 || peek(1).kind == Token::Float64) && accept("-");
  if (peek().kind == Token::Float32 || peek().kind == Token::Float64) {
    const Token &t = take();
    double number =
        t.kind == Token::Float32 ? std::bit_cast<float>(static_cast<uint32_t>(t.bits)) : std::bit_cast<double>(t.bits);
    if (negative)
      number = -number;
    value.bits =
        type == Type::F64 ? std::bit_cast<uint64_t>(number) : std::bit_cast<uint32_t>(static_cast<float>(number));
    return value;
  }
  value.bits = integerExpression();
  return value;
}

void BodyParser::initializer(ast::Variable &v) {
  // Nested braces initialise rows; flattening them is right because every row is given in full.
  int depth = 0;
  do {
    while (accept("{"))
      ++depth;
    if (peek().is("}"))
      break;
    v.initial.push_back(initialValue(v.type));
    while (depth && accept("}"))
      --depth;
  } while (accept(","));
  while (depth-- > 0)
    expect("}");
  if (v.isArray && v.count == 0)
    v.count = (v.initial.size() + v.vector - 1) / v.vector;
  if (v.initial.size() > v.count * v.vector)
    fail("too many initial values for '" + v.name + "'");
}

std::vector<ast::Variable> BodyParser::parameterList() {
  std::vector<ast::Variable> list;
  expect("(");
  while (!accept(")")) {
    ast::Variable v;
    v.line = peek().line;
    v.space = Space::Param;
    if (accept(".reg"))
      v.space = Space::Generic;
    else
      expect(".param");
    while (accept(".align"))
      v.alignment = checkedAlignment(integerExpression(), peek().line);
    variableType(v);
    if (accept(".ptr")) {
      // The pointed-to space and alignment are promises to the optimiser.
      while (peek().kind == Token::Dotted) {
        if (accept(".align"))
          integerExpression();
        else if (declaredSpace(peek()))
          take();
        else
          fail("unknown pointer attribute '" + std::string(peek().text) + "'");
      }
    }
    v.name = identifier("a parameter name");
    if (accept("[")) {
      v.isArray = true;
      if (!peek().is("]"))
        v.count = integerExpression();
      else
        v.count = 0;
      if (v.count > 1 << 20)
        fail("parameter '" + v.name + "' is too large");
      expect("]");
    }
    if (v.alignment == 0)
      v.alignment = std::max(1u, byteSize(v.type) * v.vector);
    list.push_back(std::move(v));
    if (!accept(",") && !peek().is(")"))
      fail("expected ',' or ')' in a parameter list");
  }
  return list;
}

void BodyParser::body(ast::Function &f) {
  currentLocation = {};
  expect("{");
  block(f, 0);
}

void BodyParser::block(ast::Function &f, unsigned scope) {
  if (++nesting > 200)
    fail("blocks are nested too deeply");
  while (!accept("}")) {
    if (peek().kind == Token::End)
      fail("function '" + f.name + "' is not closed");
    statement(f, scope);
  }
  --nesting;
}

void BodyParser::statement(ast::Function &f, unsigned scope) {
  if (accept(";"))
    return;
  if (accept("{")) {
    f.scopes.emplace_back().parent = static_cast<int>(scope);
    return block(f, static_cast<unsigned>(f.scopes.size() - 1));
  }
  if (peek().kind == Token::Dotted)
    return directive(f, scope);
  if (peek().kind == Token::Identifier && peek(1).is(":"))
    return label(f, scope);
  instruction(f, scope);
}

void BodyParser::directive(ast::Function &f, unsigned scope) {
  if (peek().is(".loc") || peek().is(".pragma"))
    return skipDirective();
  if (accept(".reg"))
    return registerDeclaration(f.scopes[scope]);
  for (ast::Variable &v : variableDeclaration()) {
    std::string name = v.name;
    if (!f.scopes[scope].variables.emplace(name, std::move(v)).second)
      fail("'" + name + "' is declared twice");
  }
}

void BodyParser::registerDeclaration(ast::Scope &scope) {
  unsigned components = accept(".v2") ? 2 : accept(".v4") ? 4 : 0;
  auto type = peek().kind == Token::Dotted ? parseType(peek().text) : std::nullopt;
  if (!type)
    fail("expected a register type before '" + std::string(peek().text) + "'");
  take();
  do {
    std::string name = identifier("a register name");
    if (accept("<")) {
      uint64_t count = integerExpression();
      expect(">");
      if (count > 10'000'000)
        fail("too many registers");
      if (components)
        fail("vector registers are declared by name");
      scope.ranges.push_back({name, {*type, count}});
    } else if (components) {
      if (!scope.vectors.emplace(name, components).second)
        fail("register '" + name + "' is declared twice");
      for (unsigned c = 0; c < components; ++c)
        scope.registers.emplace(
            name + "." + "xyzw" [c], ast::Register { *type });
    } else if (!scope.registers.emplace(name, ast::Register{*type}).second) {
      fail("register '" + name + "' is declared twice");
    }
  } while (accept(","));
  expect(";");
}

void BodyParser::label(ast::Function &f, unsigned scope) {
  std::string name = identifier("a label");
  expect(":");
  if (peek().is(".branchtargets") || peek().is(".calltargets") || peek().is(".callprototype"))
    return labelledDirective(f, scope, name);
  if (!f.scopes[scope].labels.emplace(name, static_cast<unsigned>(f.body.size())).second)
    fail("label '" + name + "' is defined twice");
}

void BodyParser::labelledDirective(ast::Function &f, unsigned scope, const std::string &name) {
  if (accept(".callprototype")) {
    ast::Function prototype;
    prototype.line = peek().line;
    if (peek().is("("))
      prototype.results = parameterList();
    identifier("'_'");
    if (peek().is("("))
      prototype.parameters = parameterList();
    while (accept(".noreturn") || accept(".abi_preserve") || accept(".abi_preserve_control"))
      if (peek().kind == Token::Integer)
        take();
    f.scopes[scope].prototypes[name] = static_cast<unsigned>(module.prototypes.size());
    module.prototypes.push_back(std::move(prototype));
    return expect(";");
  }
  take();
  std::vector<std::string> &targets = f.scopes[scope].tables[name];
  do
    targets.push_back(identifier("a target"));
  while (accept(","));
  expect(";");
}

void BodyParser::instruction(ast::Function &f, unsigned scope) {
  ast::Instruction i;
  i.scope = scope;
  i.source = currentLocation;
  i.line = peek().line;
  if (accept("@")) {
    i.guardNegated = accept("!");
    i.guard = identifier("a predicate register");
  }
  i.opcode = identifier("an instruction");
  isVideo = i.opcode[0] == 'v' && i.opcode != "vote";
  while (peek().kind == Token::Dotted)
    i.modifiers.emplace_back(take().text);
  if (!peek().is(";")) {
    do
      i.operands.push_back(operand());
    while (accept(","));
  }
  expect(";");
  for (Operand &o : i.operands)
    expandVectors(f, scope, o);
  f.body.push_back(std::move(i));
}

/// A vector register as a whole is the list of its components.
void BodyParser::expandVectors(const ast::Function &f, unsigned scope, Operand &o) {
  for (Operand &e : o.elements)
    expandVectors(f, scope, e);
  if (o.kind != Operand::Name)
    return;
  for (int s = static_cast<int>(scope); s >= 0; s = f.scopes[static_cast<size_t>(s)].parent) {
    const ast::Scope &here = f.scopes[static_cast<size_t>(s)];
    auto vector = here.vectors.find(o.name);
    if (vector == here.vectors.end())
      continue;
    Operand list;
    list.kind = Operand::Vector;
    for (unsigned c = 0; c < vector->second; ++c) {
      list.elements.push_back(o);
      list.elements.back().name += {'.', "xyzw"[c]};
    }
    o = std::move(list);
    return;
  }
}

Operand BodyParser::sequence(Operand::Kind kind, std::string_view close) {
  Operand o;
  o.kind = kind;
  while (!accept(close)) {
    o.elements.push_back(operand());
    if (!accept(",") && !peek().is(close))
      fail("expected ',' or '" + std::string(close) + "'");
  }
  return o;
}

Operand BodyParser::address() {
  Operand o;
  o.kind = Operand::Address;
  if (++nesting > 200)
    fail("operand is nested too deeply");
  do
    o.elements.push_back(operand());
  while (accept(","));
  expect("]");
  accept(".unified"); // a promise of the address: nothing to execute
  --nesting;
  // The byte offset belongs to the address, whatever its base.
  o.offset = o.elements[0].offset;
  o.elements[0].offset = 0;
  return o;
}

/// .b0 … .b7777, .h0 … .h33
static bool isSelector(const Token &t) {
  return t.kind == Token::Dotted && t.text.size() > 2 && (t.text[1] == 'b' || t.text[1] == 'h') &&
         t.text.find_first_not_of("01234567", 2) == std::string_view::npos;
}

Operand BodyParser::atom() {
  Operand o;
  const Token &t = peek();
  switch (t.kind) {
  case Token::Identifier:
    take();
    if (t.text == "_")
      return o;
    if (t.text == "WARP_SZ") {
      o.kind = Operand::Integer;
      o.bits = 32;
      return o;
    }
    o.kind = Operand::Name;
    o.name = t.text;
    // Components of special registers: %tid.x, and of vectors.
    for (unsigned c = 0; c < 8; ++c)
      if (std::string_view component = std::string_view(".x.y.z.w.r.g.b.a").substr(2 * c, 2); peek().is(component)) {
        take();
        o.name += {'.', "xyzw"[c % 4]}; // a vector's .r .g .b .a are other names for .x .y .z .w
        break;
      }
    if (isVideo && isSelector(peek()))
      o.selector = take().text;
    for (uint64_t offset = 0; peek().is("+") || peek().is("-");) { // wraps around
      bool negative = take().text == "-";
      uint64_t value = integerExpression(5 + 1);
      offset += negative ? 0 - value : value;
      o.offset = static_cast<int64_t>(offset);
    }
    return o;
  case Token::Float32:
  case Token::Float64:
    take();
    o.kind = t.kind == Token::Float32 ? Operand::Float32 : Operand::Float64;
    o.bits = t.bits;
    return o;
  default:
    break;
  }
  if (t.is("-") && (peek(1).kind == Token::Float32 || peek(1).kind == Token::Float64)) {
    take();
    o = atom();
    o.bits ^= o.kind == Operand::Float32 ? 0x80000000ull : 1ull << 63;
    return o;
  }
  o.kind = Operand::Integer;
  // Stop before '|': it separates destination pairs.
  o.bits = integerExpression(2);
  return o;
}

Operand BodyParser::operand() {
  if (++nesting > 200)
    fail("operand is nested too deeply");
  Operand o;
  if (accept("["))
    o = address();
  else if (accept("{"))
    o = sequence(Operand::Vector, "}");
  else if (peek().is("(") && !(peek(1).kind == Token::Integer || peek(1).is("-")))
    take(), o = sequence(Operand::List, ")");
  else if (peek().is("!") && peek(1).kind == Token::Identifier) {
    take();
    o = atom();
    o.negated = true;
  } else if (isVideo && peek().is("-") && peek(1).kind == Token::Identifier) {
    take();
    o = atom();
    o.minus = true;
  } else {
    o = atom();
  }
  if (accept("|")) {
    Operand pair;
    pair.kind = Operand::Pair;
    pair.elements.push_back(std::move(o));
    pair.elements.push_back(atom());
    o = std::move(pair);
  }
  --nesting;
  return o;
}

} // namespace ptxemu
