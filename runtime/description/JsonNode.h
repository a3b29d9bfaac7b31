//===- JsonNode.h - Strict reading of a JSON file ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_JSONNODE_H
#define TILEIRAS_RUNTIME_DESCRIPTION_JSONNODE_H

#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tileiras {

/// Whole numbers that a description has given a name.
using NamedValues = std::map<std::string, int64_t, std::less<>>;

/// A value of a JSON file and its place there. Everything that reads it throws LaunchError when it is not what is asked
/// for: "launch.json: buffers[2].bytes: expected an integer from 0 to 255, not 300". A number may be an expression
/// ("rows*cols*2", Expression.h) of named values. Every object may have a member "//", which says something to people:
/// a string, or a list of strings.
class JsonNode {
public:
  /// `values` may get more of them as long as the node lives; null: there are none.
  JsonNode(const llvm::json::Value &value, llvm::StringRef file, const NamedValues *values = nullptr)
      : value(&value), file(file), values(values) {}

  [[noreturn]] void fail(const llvm::Twine &message) const;

  /// Says that this is an object, and has no other keys than these.
  void expectKeys(llvm::ArrayRef<llvm::StringRef> known) const;
  std::optional<JsonNode> find(llvm::StringRef key) const;
  JsonNode get(llvm::StringRef key) const;
  /// All members but comments.
  std::vector<std::pair<llvm::StringRef, JsonNode>> members() const;
  /// The only member of an object that has one, besides a comment.
  std::optional<std::pair<llvm::StringRef, JsonNode>> getOnlyMember() const;

  std::vector<JsonNode> list() const;
  /// A list of at least `least` and at most `most` values.
  std::vector<JsonNode> list(size_t least, size_t most) const;

  bool isString() const { return value->getAsString().has_value(); }
  bool isList() const { return value->getAsArray(); }
  std::string string() const;
  uint64_t unsignedInteger(uint64_t least, uint64_t most) const;
  int64_t signedInteger(int64_t least, int64_t most) const;
  /// A number, or one of the strings "nan", "inf" and "-inf", which JSON has no numbers for.
  double number() const;
  /// A number from 0 on.
  double tolerance() const;

private:
  JsonNode(const llvm::json::Value &value, llvm::StringRef file, const NamedValues *values, std::string path)
      : value(&value), file(file), values(values), path(std::move(path)) {}
  void checkComment() const;
  std::optional<int64_t> evaluate() const;
  JsonNode member(llvm::StringRef key, const llvm::json::Value &) const;
  [[noreturn]] void failExpected(const llvm::Twine &what) const;

  const llvm::json::Value *value;
  llvm::StringRef file;
  const NamedValues *values;
  std::string path; ///< "buffers[2].bytes"
};

/// Parses the text of `file`. Throws LaunchError.
llvm::json::Value parseJson(llvm::StringRef text, llvm::StringRef file);

/// What to say behind an unknown word: "; did you mean 'grid'?", or else all known ones.
std::string suggest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_JSONNODE_H
