//===- Lexer.cpp - Tokens of PTX text ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "ptx-emulator/Error.h"
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace ptxemu {

namespace {

bool isIdentifierStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool isIdentifierPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

class Lexer {
public:
  explicit Lexer(std::string_view source) : source(source) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(source.size() / 4);
    for (;;) {
      skipBlanks();
      tokens.push_back(next());
      if (tokens.back().kind == Token::End)
        return tokens;
    }
  }

private:
  char peek(size_t ahead = 0) const { return position + ahead < source.size() ? source[position + ahead] : '\0'; }

  void skipBlanks() {
    while (position < source.size()) {
      char c = source[position];
      if (c == '\n') {
        ++line;
        ++position;
      } else if (c == '\0' || std::isspace(static_cast<unsigned char>(c))) {
        ++position;
      } else if (c == '/' && peek(1) == '/') {
        while (position < source.size() && source[position] != '\n')
          ++position;
      } else if (c == '/' && peek(1) == '*') {
        skipBlockComment();
      } else {
        return;
      }
    }
  }

  void skipBlockComment() {
    unsigned start = line;
    for (position += 2; position < source.size(); ++position) {
      if (source[position] == '\n')
        ++line;
      if (source[position] == '*' && peek(1) == '/') {
        position += 2;
        return;
      }
    }
    throw InputError(start, "comment is not closed");
  }

  Token make(Token::Kind kind, size_t start, uint64_t bits = 0) {
    return {kind, source.substr(start, position - start), bits, line};
  }

  Token next() {
    size_t start = position;
    if (position >= source.size())
      return make(Token::End, start);
    char c = peek();
    if (isIdentifierStart(c)) {
      ++position;
      while (isIdentifierPart(peek()))
        ++position;
      if (position - start == 1 && c == '%')
        throw InputError(line, "'%' without a register name");
      return make(Token::Identifier, start);
    }
    if (c == '.' && (isIdentifierPart(peek(1))))
      return dotted();
    if (std::isdigit(static_cast<unsigned char>(c)))
      return number();
    if (c == '"')
      return string();
    if (std::string_view("{}()[],;:|!+-*/%<>=&^~?@.").find(c) != std::string_view::npos) {
      ++position;
      if ((c == '<' && peek() == '<') || (c == '>' && peek() == '>'))
        ++position;
      return make(Token::Punctuation, start);
    }
    throw InputError(line, std::string("unexpected character '") + c + "'");
  }

  /// ".name", with "::name" continuations (".mbarrier::complete_tx::bytes").
  Token dotted() {
    size_t start = position++;
    for (;;) {
      while (isIdentifierPart(peek()))
        ++position;
      if (peek() == ':' && peek(1) == ':' && isIdentifierPart(peek(2)))
        position += 2;
      else
        return make(Token::Dotted, start);
    }
  }

  Token string() {
    size_t start = position++;
    while (position < source.size() && source[position] != '"') {
      if (source[position] == '\n')
        throw InputError(line, "string is not closed");
      position += source[position] == '\\' ? 2 : 1;
    }
    if (position >= source.size())
      throw InputError(line, "string is not closed");
    ++position;
    return make(Token::String, start);
  }

  Token hexFloat(Token::Kind kind, unsigned digits) {
    size_t start = position;
    position += 2;
    uint64_t bits = 0;
    for (unsigned i = 0; i < digits; ++i, ++position) {
      char c = peek();
      if (!std::isxdigit(static_cast<unsigned char>(c)))
        throw InputError(line, "a 0f constant has 8 hexadecimal digits, a 0d constant 16");
      bits = bits * 16 + (std::isdigit(static_cast<unsigned char>(c)) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return make(kind, start, bits);
  }

  Token number() {
    char second = peek(1);
    if (peek() == '0' && (second == 'f' || second == 'F'))
      return hexFloat(Token::Float32, 8);
    if (peek() == '0' && (second == 'd' || second == 'D'))
      return hexFloat(Token::Float64, 16);
    size_t start = position;
    unsigned base = 10;
    if (peek() == '0' && (second == 'x' || second == 'X'))
      base = 16, position += 2;
    else if (peek() == '0' && (second == 'b' || second == 'B'))
      base = 2, position += 2;
    else if (isDecimalFloat())
      return decimalFloat();
    else if (peek() == '0')
      base = 8;
    uint64_t bits = 0;
    const char *begin = source.data() + position;
    auto [end, error] = std::from_chars(begin, source.data() + source.size(), bits, static_cast<int>(base));
    if (error != std::errc() || end == begin)
      throw InputError(line, "malformed or too large integer constant");
    position += end - begin;
    if (peek() == 'U' || peek() == 'u')
      ++position;
    if (isIdentifierPart(peek()))
      throw InputError(line, "malformed integer constant");
    return make(Token::Integer, start, bits);
  }

  bool isDecimalFloat() const {
    size_t i = 0;
    while (std::isdigit(static_cast<unsigned char>(peek(i))))
      ++i;
    return (peek(i) == '.' && std::isdigit(static_cast<unsigned char>(peek(i + 1)))) || peek(i) == 'e' ||
           peek(i) == 'E' || (peek(i) == '.' && !isIdentifierPart(peek(i + 1)));
  }

  Token decimalFloat() {
    size_t start = position;
    auto digits = [&] {
      while (std::isdigit(static_cast<unsigned char>(peek())))
        ++position;
    };
    digits();
    if (peek() == '.') {
      ++position;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      ++position;
      if (peek() == '+' || peek() == '-')
        ++position;
      digits();
    }
    if (isIdentifierPart(peek()))
      throw InputError(line, "malformed floating-point constant");
    double value = std::strtod(std::string(source.substr(start, position - start)).c_str(), nullptr);
    return make(Token::Float64, start, std::bit_cast<uint64_t>(value));
  }

  std::string_view source;
  size_t position = 0;
  unsigned line = 1;
};

} // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Lexer(source).run();
}

std::string decodeString(const Token &token) {
  std::string result;
  std::string_view body = token.text.substr(1, token.text.size() - 2);
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      result += body[i];
      continue;
    }
    char c = body[++i];
    if (c >= '0' && c <= '7') {
      unsigned value = 0;
      for (unsigned n = 0; n < 3 && i < body.size() && body[i] >= '0' && body[i] <= '7'; ++n)
        value = value * 8 + (body[i++] - '0');
      --i;
      result += static_cast<char>(value);
      continue;
    }
    result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
  }
  return result;
}

} // namespace ptxemu
