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

std::string tileiras::suggestName(llvm::StringRef name, llvm::ArrayRef<std::string> candidates) {
  // A third of the letters may be wrong; more is no typing mistake.
  unsigned best = std::max<size_t>(2, name.size() / 3) + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(candidate, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}
