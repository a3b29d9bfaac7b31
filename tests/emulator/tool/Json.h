//===- Json.h - A small JSON reader -----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_JSON_H
#define PTX_EMULATOR_JSON_H

#include "ptx-emulator/Error.h"
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxemu {

/// A JSON value. Accessors throw InputError with the line when the value is of another kind.
class Json {
public:
  static Json parse(std::string_view text);

  bool has(const std::string &key) const { return find(key) != nullptr; }
  const Json &operator[](const std::string &key) const;
  const std::vector<Json> &array() const;
  const std::vector<std::pair<std::string, Json>> &object() const;
  const std::string &string() const;
  double number() const;
  /// Exact for 64-bit integers, which doubles are not.
  uint64_t integer() const;
  bool isNumber() const { return kind == Number; }
  bool isString() const { return kind == String; }
  unsigned line = 0;

private:
  friend class JsonParser;
  enum Kind { Null, Boolean, Number, String, Array, Object } kind = Null;
  const Json *find(const std::string &key) const;
  std::string text; ///< of a string or number
  std::vector<Json> elements;
  std::vector<std::pair<std::string, Json>> members;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_JSON_H
