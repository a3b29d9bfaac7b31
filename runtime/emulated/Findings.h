//===- Findings.h - What the emulator is to look for, and what it has found -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The names of --sanitize, which tileiras-cutile checks before a program starts: no other file is needed here.

#ifndef TILEIRAS_EMULATED_FINDINGS_H
#define TILEIRAS_EMULATED_FINDINGS_H

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace emudriver {

/// A name of --sanitize and the emulator's kinds of findings that it asks for.
struct SanitizeName {
  std::string_view name;
  std::string_view kinds; ///< with spaces between; empty: kinds that are found in any case
};
inline constexpr SanitizeName kSanitizeNames[] = {
    {"races", "data-race"},
    {"fences", "missing-proxy-fence missing-wgmma-fence missing-tensor-fence missing-tensor-wait async-in-flight "
               "accumulator-in-flight"},
    {"uninit", "uninitialized-register uninitialized-shared uninitialized-tensor-memory"},
    {"bounds", ""},
    {"asserts", ""},
    {"deadlocks", ""},
};

/// What a list of these names, "all" or "none" asks for.
struct Sanitizing {
  bool races = true, uninitialized = true;    ///< whether they are looked for at all
  std::set<std::string, std::less<>> ignored; ///< kinds after which a kernel goes on, and nobody hears of it
};

/// Of "races,fences"; false where a name is unknown, which is `unknown` then.
inline bool readSanitizing(std::string_view list, Sanitizing &result, std::string &unknown) {
  std::set<std::string_view> asked;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view word = list.substr(begin, end - begin);
    bool isKnown = word == "none";
    for (const SanitizeName &known : kSanitizeNames)
      if (word == known.name || word == "all") {
        asked.insert(known.name);
        isKnown = true;
      }
    if (!isKnown) {
      unknown = word;
      return false;
    }
    begin = end + 1;
  }
  result = {asked.count("races") || asked.count("fences"), asked.count("uninit") != 0, {}};
  for (const SanitizeName &known : kSanitizeNames)
    for (size_t begin = 0; !asked.count(known.name) && begin < known.kinds.size();) {
      const size_t end = std::min(known.kinds.find(' ', begin), known.kinds.size());
      result.ignored.emplace(known.kinds.substr(begin, end - begin));
      begin = end + 1;
    }
  return true;
}

} // namespace emudriver

#endif // TILEIRAS_EMULATED_FINDINGS_H
