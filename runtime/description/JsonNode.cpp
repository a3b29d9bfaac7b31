//===- JsonNode.cpp - Strict reading of a JSON file -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonNode.h"
#include "Expression.h"
#include "LaunchError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

namespace tileiras {

std::string suggest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef nearest;
  unsigned least = std::max<unsigned>(2, word.size() / 3) + 1;
  for (llvm::StringRef candidate : known)
    if (unsigned distance = word.edit_distance(candidate, /*AllowReplacements=*/true, least); distance < least) {
      least = distance;
      nearest = candidate;
    }
  if (!nearest.empty())
    return "; did you mean '" + nearest.str() + "'?";
  return known.empty() ? "" : "; there are " + llvm::join(known, ", ");
}

/// LLVM's parser recurses as deep as the text is nested.
static void checkNesting(llvm::StringRef text, llvm::StringRef file) {
  constexpr unsigned kMost = 100;
  unsigned depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString && (c == '[' || c == '{') && ++depth > kMost)
      throw LaunchError(file + ": byte " + llvm::Twine(i) + ": nested too deeply, at most " + llvm::Twine(kMost) +
                        " levels are read");
    else if (!isString && (c == ']' || c == '}') && depth)
      --depth;
  }
}

llvm::json::Value parseJson(llvm::StringRef text, llvm::StringRef file) {
  checkNesting(text, file);
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(text);
  if (!root)
    throw LaunchError(file + ": " + toString(root.takeError()));
  return std::move(*root);
}

void JsonNode::fail(const llvm::Twine &message) const {
  throw LaunchError(path.empty() ? file + ": " + message : file + ": " + path + ": " + message);
}

void JsonNode::failExpected(const llvm::Twine &what) const {
  constexpr size_t kMost = 40;
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  if (text.size() > kMost)
    text = value->getAsArray() ? "a list" : value->getAsObject() ? "an object" : text.substr(0, kMost) + "…";
  fail("expected " + what + ", not " + text);
}

JsonNode JsonNode::member(llvm::StringRef key, const llvm::json::Value &member) const {
  return {member, file, values, path.empty() ? key.str() : path + "." + key.str()};
}

static constexpr llvm::StringLiteral kComment = "//";

/// What people say to people: a string, or a list of them, one a line.
void JsonNode::checkComment() const {
  const auto isText = [](const llvm::json::Value &each) { return each.getAsString().has_value(); };
  const llvm::json::Array *lines = value->getAsArray();
  if (!isText(*value) && !(lines && llvm::all_of(*lines, isText)))
    fail("a comment is a string, or a list of strings");
}

void JsonNode::expectKeys(llvm::ArrayRef<llvm::StringRef> known) const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    failExpected("an object with the keys " + llvm::join(known, ", "));
  for (const auto &[key, each] : *object)
    if (llvm::StringRef(key) == kComment)
      member(key, each).checkComment();
    else if (!llvm::is_contained(known, llvm::StringRef(key)))
      fail("unknown key '" + llvm::StringRef(key) + "'" + suggest(key, known));
}

std::optional<JsonNode> JsonNode::find(llvm::StringRef key) const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    failExpected("an object");
  const llvm::json::Value *found = object->get(key);
  return found ? std::optional(member(key, *found)) : std::nullopt;
}

JsonNode JsonNode::get(llvm::StringRef key) const {
  if (std::optional<JsonNode> found = find(key))
    return *found;
  fail("'" + key + "' is missing");
}

std::optional<std::pair<llvm::StringRef, JsonNode>> JsonNode::getOnlyMember() const {
  if (!value->getAsObject())
    return std::nullopt;
  std::vector<std::pair<llvm::StringRef, JsonNode>> all = members();
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

std::vector<std::pair<llvm::StringRef, JsonNode>> JsonNode::members() const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    failExpected("an object");
  std::vector<std::pair<llvm::StringRef, JsonNode>> all;
  for (const auto &[key, each] : *object)
    if (llvm::StringRef(key) == kComment)
      member(key, each).checkComment();
    else
      all.emplace_back(key, member(key, each));
  return all;
}

std::vector<JsonNode> JsonNode::list() const {
  return list(0, std::numeric_limits<size_t>::max());
}

std::vector<JsonNode> JsonNode::list(size_t least, size_t most) const {
  const llvm::json::Array *array = value->getAsArray();
  if (!array)
    failExpected("a list");
  if (array->size() < least || array->size() > most)
    fail("expected " + (least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most)) +
         " values, not " + llvm::Twine(array->size()));
  std::vector<JsonNode> nodes;
  nodes.reserve(array->size());
  for (const auto &[i, element] : llvm::enumerate(*array))
    nodes.push_back({element, file, values, path + "[" + std::to_string(i) + "]"});
  return nodes;
}

std::string JsonNode::string() const {
  std::optional<llvm::StringRef> text = value->getAsString();
  if (!text)
    failExpected("a string");
  return text->str();
}

/// What is written as 4.0 or 1e3, or is beyond 64 bits, is a double: exact up to 2^53.
static bool isExact(const llvm::json::Value &value) {
  if (std::fabs(value.getAsNumber().value_or(0)) <= 0x1p53)
    return true;
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text.find_first_of(".e") == std::string::npos;
}

/// A number without sign and fraction.
static std::optional<uint64_t> readUnsigned(const llvm::json::Value &value) {
  if (!isExact(value))
    return std::nullopt;
  if (std::optional<uint64_t> integer = value.getAsUINT64())
    return integer;
  return value.getAsNumber().value_or(-1) >= 0 ? value.getAsInteger() : std::nullopt;
}

/// The value of an expression; nothing where it is none.
std::optional<int64_t> JsonNode::evaluate() const {
  std::optional<llvm::StringRef> text = value->getAsString();
  if (!text)
    return std::nullopt;
  auto find = [&](llvm::StringRef name) -> llvm::Expected<int64_t> {
    if (values)
      if (auto known = values->find(name); known != values->end())
        return known->second;
    std::vector<llvm::StringRef> names;
    for (const auto &[known, number] : values ? *values : NamedValues())
      names.push_back(known);
    return llvm::createStringError("there is no value '" + name + "'" + suggest(name, names));
  };
  llvm::Expected<int64_t> result = evaluateExpression(*text, find);
  if (!result)
    fail("expression '" + *text + "': " + llvm::toString(result.takeError()));
  return *result;
}

uint64_t JsonNode::unsignedInteger(uint64_t least, uint64_t most) const {
  if (std::optional<int64_t> result = evaluate()) {
    if (*result < 0 || static_cast<uint64_t>(*result) < least || static_cast<uint64_t>(*result) > most)
      fail("expression '" + string() + "' is " + llvm::Twine(*result) + ", expected an integer from " +
           llvm::Twine(least) + " to " + llvm::Twine(most));
    return static_cast<uint64_t>(*result);
  }
  std::optional<uint64_t> integer = readUnsigned(*value);
  if (!integer || *integer < least || *integer > most)
    failExpected("an integer from " + llvm::Twine(least) + " to " + llvm::Twine(most));
  return *integer;
}

int64_t JsonNode::signedInteger(int64_t least, int64_t most) const {
  if (std::optional<int64_t> result = evaluate()) {
    if (*result < least || *result > most)
      fail("expression '" + string() + "' is " + llvm::Twine(*result) + ", expected an integer from " +
           llvm::Twine(least) + " to " + llvm::Twine(most));
    return *result;
  }
  std::optional<int64_t> integer;
  if (std::optional<uint64_t> positive = readUnsigned(*value);
      positive && *positive <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    integer = static_cast<int64_t>(*positive);
  else if (value->getAsNumber().value_or(0) < 0 && isExact(*value))
    integer = value->getAsInteger();
  if (!integer || *integer < least || *integer > most)
    failExpected("an integer from " + llvm::Twine(least) + " to " + llvm::Twine(most));
  return *integer;
}

double JsonNode::number() const {
  if (std::optional<llvm::StringRef> text = value->getAsString()) {
    if (*text == "nan")
      return std::numeric_limits<double>::quiet_NaN();
    if (*text == "inf" || *text == "-inf")
      return *text == "inf" ? HUGE_VAL : -HUGE_VAL;
    return static_cast<double>(*evaluate());
  }
  std::optional<double> number = value->getAsNumber();
  if (!number || !std::isfinite(*number))
    failExpected("a number of double precision, \"nan\", \"inf\", \"-inf\" or an expression");
  return *number;
}

double JsonNode::tolerance() const {
  std::optional<double> number = value->getAsNumber();
  if (!number || !std::isfinite(*number) || *number < 0)
    failExpected("a number from 0 on");
  return *number;
}

} // namespace tileiras
