//===- Origin.cpp - Where a setting comes from ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Origin.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

char ConfigError::ID;

std::string Origin::str() const {
  return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void ConfigError::log(llvm::raw_ostream &os) const {
  if (std::string place = origin.str(); !place.empty())
    os << place << ": ";
  os << "error: " << message;
}

/// The edit distance, up to `limit` + 1; two letters in the wrong order are one mistake.
static unsigned countMistakes(llvm::StringRef name, llvm::StringRef candidate, unsigned limit) {
  unsigned distance = name.edit_distance_insensitive(candidate, /*AllowReplacements=*/true, limit + 1);
  if (distance != 2)
    return distance;
  std::string letters = name.lower(), others = candidate.lower();
  llvm::sort(letters);
  llvm::sort(others);
  return letters == others ? 1 : 2;
}

std::vector<std::string> tileiras::findNearestNames(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  // A third of the letters may be wrong; more is no typing mistake. Of names that are as near, a few are worth naming.
  constexpr size_t most = 4;
  unsigned best = std::max<size_t>(1, (name.size() + 1) / 3);
  std::vector<std::string> nearest;
  if (name.size() <= 1)
    return nearest;
  for (const std::string &candidate : candidates) {
    unsigned distance = countMistakes(name, candidate, best);
    if (distance > best || distance >= candidate.size())
      continue;
    if (distance < best)
      nearest.clear();
    best = distance;
    nearest.push_back(candidate);
  }
  llvm::sort(nearest);
  return nearest.size() > most ? std::vector<std::string>() : nearest;
}

std::string tileiras::listSuggestions(llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return "";
  std::string text = "; did you mean ";
  for (auto [i, name] : llvm::enumerate(names))
    text += (i == 0 ? "'" : i + 1 == names.size() ? " or '" : ", '") + name + "'";
  return text + "?";
}

std::string tileiras::suggestName(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  return listSuggestions(findNearestNames(name, candidates));
}
