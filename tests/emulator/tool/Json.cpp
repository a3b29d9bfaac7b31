//===- Json.cpp - A small JSON reader ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"
#include <cctype>
#include <cstdlib>

namespace ptxemu {

class JsonParser {
public:
  explicit JsonParser(std::string_view text) : text(text) {}

  Json run() {
    Json value = parseValue(0);
    skip();
    if (at < text.size())
      fail("unexpected text after the value");
    return value;
  }

private:
  [[noreturn]] void fail(const std::string &message) const { throw InputError(line, "JSON: " + message); }

  void skip() {
    for (; at < text.size() && std::isspace(static_cast<unsigned char>(text[at])); ++at)
      line += text[at] == '\n';
  }
  bool accept(char c) {
    skip();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail(std::string("expected '") + c + "'");
  }

  std::string parseString() {
    expect('"');
    std::string result;
    for (; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && ++at < text.size())
        result += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
      else
        result += text[at];
    }
    if (at >= text.size())
      fail("string is not closed");
    ++at;
    return result;
  }

  Json parseValue(int depth) {
    if (depth > 100)
      fail("nested too deeply");
    skip();
    Json v;
    v.line = line;
    char c = at < text.size() ? text[at] : '\0';
    if (c == '{') {
      v.kind = Json::Object;
      for (++at; !accept('}');) {
        if (!v.members.empty())
          expect(',');
        skip();
        std::string key = parseString();
        expect(':');
        v.members.emplace_back(key, parseValue(depth + 1));
      }
    } else if (c == '[') {
      v.kind = Json::Array;
      for (++at; !accept(']');) {
        if (!v.elements.empty())
          expect(',');
        v.elements.push_back(parseValue(depth + 1));
      }
    } else if (c == '"') {
      v.kind = Json::String;
      v.text = parseString();
    } else {
      size_t start = at;
      while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '-' ||
                                  text[at] == '+' || text[at] == '.'))
        ++at;
      v.text = std::string(text.substr(start, at - start));
      if (v.text.empty())
        fail("expected a value");
      bool isNumber = std::isdigit(static_cast<unsigned char>(v.text[0])) || v.text[0] == '-';
      v.kind = isNumber ? Json::Number : v.text == "null" ? Json::Null : Json::Boolean;
      if (!isNumber && v.text != "null" && v.text != "true" && v.text != "false")
        fail("unknown word '" + v.text + "'");
    }
    return v;
  }

  std::string_view text;
  size_t at = 0;
  unsigned line = 1;
};

Json Json::parse(std::string_view text) {
  return JsonParser(text).run();
}

const Json *Json::find(const std::string &key) const {
  for (const auto &[name, value] : members)
    if (name == key)
      return &value;
  return nullptr;
}

const Json &Json::operator[](const std::string &key) const {
  const Json *v = find(key);
  if (!v)
    throw InputError(line, "JSON: '" + key + "' is missing here");
  return *v;
}

const std::vector<Json> &Json::array() const {
  if (kind != Array)
    throw InputError(line, "JSON: expected a list");
  return elements;
}

const std::vector<std::pair<std::string, Json>> &Json::object() const {
  if (kind != Object)
    throw InputError(line, "JSON: expected an object");
  return members;
}

const std::string &Json::string() const {
  if (kind != String)
    throw InputError(line, "JSON: expected a string");
  return text;
}

double Json::number() const {
  if (kind != Number)
    throw InputError(line, "JSON: expected a number");
  return std::strtod(text.c_str(), nullptr);
}

uint64_t Json::integer() const {
  if (kind != Number)
    throw InputError(line, "JSON: expected an integer");
  return text[0] == '-' ? static_cast<uint64_t>(std::strtoll(text.c_str(), nullptr, 0))
                        : std::strtoull(text.c_str(), nullptr, 0);
}

} // namespace ptxemu
