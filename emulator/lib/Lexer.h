//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LEXER_H
#define PTX_EMULATOR_LEXER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxemu {

struct Token {
  enum Kind : uint8_t {
    End,
    Identifier, ///< name, %register, $label
    Dotted,     ///< directive or modifier with its dot: ".global", ".shared::cta", ".1d"
    Integer,    ///< bits
    Float32,    ///< 0f…, bits
    Float64,    ///< 0d… or decimal, bits
    String,     ///< contents with escapes resolved, in `decoded`
    Punctuation,
  };
  Kind kind = End;
  std::string_view text; ///< as written; points into the source
  uint64_t bits = 0;
  unsigned line = 0;

  bool is(std::string_view t) const {
    return (kind == Punctuation || kind == Dotted || kind == Identifier) && text == t;
  }
};

/// Splits the text; throws InputError on a character or number PTX does not have. The source must outlive the tokens.
std::vector<Token> tokenize(std::string_view source);

/// The contents of a string token, escapes resolved.
std::string decodeString(const Token &);

} // namespace ptxemu

#endif // PTX_EMULATOR_LEXER_H
