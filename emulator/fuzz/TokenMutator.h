//===- TokenMutator.h - Mutations that mostly leave PTX readable -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TOKENMUTATOR_H
#define PTX_EMULATOR_TOKENMUTATOR_H

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);

namespace ptxemu::fuzzing {

/// Edits text by words and lines: random bytes seldom get past the lexer.
class TokenMutator {
public:
  TokenMutator(std::string text, unsigned seed) : text(std::move(text)), random(seed) {}

  std::string run() {
    for (unsigned n = 1 + below(4); n; --n)
      if (below(3))
        changeWord();
      else
        changeLine();
    return std::move(text);
  }

private:
  struct Range {
    size_t begin, end;
  };
  size_t below(size_t n) { return n ? random() % n : 0; }

  /// Words (with the dots, percent signs and colons in front or inside) and single characters; lines.
  std::vector<Range> words() const {
    auto inWord = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; };
    std::vector<Range> list;
    for (size_t at = 0; at < text.size();) {
      size_t end = at + 1;
      if (inWord(text[at]) || text[at] == '.' || text[at] == '%')
        while (end < text.size() && inWord(text[end]))
          ++end;
      if (!std::isspace(static_cast<unsigned char>(text[at])))
        list.push_back({at, end});
      at = end;
    }
    return list;
  }
  std::vector<Range> lines() const {
    std::vector<Range> list;
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      list.push_back({at, end});
      at = end;
    }
    return list;
  }
  std::string cut(Range r) const { return text.substr(r.begin, r.end - r.begin); }
  void replace(Range r, const std::string &by) { text.replace(r.begin, r.end - r.begin, by); }

  void changeWord() {
    std::vector<Range> list = words();
    if (list.empty())
      return;
    Range target = list[below(list.size())];
    std::string old = cut(target);
    if (std::isdigit(static_cast<unsigned char>(old[0]))) {
      constexpr const char *numbers[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "16",
                                         "31",
                                         "32",
                                         "33",
                                         "127",
                                         "128",
                                         "255",
                                         "256",
                                         "1023",
                                         "4096",
                                         "65536",
                                         "2147483647",
                                         "4294967295",
                                         "9223372036854775807",
                                         "0x8000000000000000",
                                         "18446744073709551615"};
      return replace(target, numbers[below(std::size(numbers))]);
    }
    if (below(6) == 0)
      return replace(target, "");
    // A word of the same sort from somewhere else.
    std::vector<Range> similar;
    for (const Range &r : list)
      if (std::isalpha(static_cast<unsigned char>(old[0])) ? std::isalpha(static_cast<unsigned char>(text[r.begin]))
                                                           : text[r.begin] == old[0])
        similar.push_back(r);
    std::string by = cut(similar[below(similar.size())]);
    if (below(8))
      replace(target, by);
    else
      text.insert(target.end, by);
  }

  void changeLine() {
    std::vector<Range> list = lines();
    if (list.empty())
      return;
    Range from = list[below(list.size())], to = list[below(list.size())];
    std::string line = cut(from);
    switch (below(3)) {
    case 0:
      return replace(from, "");
    case 1:
      return replace(to, line);
    default:
      text.insert(to.begin, line);
    }
  }

  std::string text;
  std::minstd_rand random;
};

} // namespace ptxemu::fuzzing

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maximum);
  std::string text = ptxemu::fuzzing::TokenMutator({reinterpret_cast<char *>(data), size}, seed).run();
  size = std::min(text.size(), maximum);
  std::memcpy(data, text.data(), size);
  return size;
}

#endif // PTX_EMULATOR_TOKENMUTATOR_H
