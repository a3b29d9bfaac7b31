//===- ReportDifference.cpp - What a pass changed -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tileiras {

/// Unchanged lines around a hunk, and the most lines that are shown of one pass.
static constexpr size_t kContext = 2, kMostLines = 400;

/// A line's number in the one text and in the other, from 0.
using Place = std::pair<size_t, size_t>;

/// "%12", "%arg3" and "^bb4" as "%" and "^": a pass that adds a value renumbers all behind it.
static std::string withoutNumbers(llvm::StringRef line) {
  std::string text;
  while (!line.empty()) {
    const char c = line.front();
    text += c;
    line = line.drop_front();
    if (c == '%')
      line.consume_front("arg");
    else if (c == '^')
      line.consume_front("bb");
    else
      continue;
    line = line.drop_while(llvm::isDigit);
  }
  return text;
}

/// The same number for lines that are the same.
static std::vector<unsigned> number(llvm::ArrayRef<std::string> lines, llvm::StringMap<unsigned> &known) {
  std::vector<unsigned> numbers;
  for (const std::string &line : lines)
    numbers.push_back(known.try_emplace(withoutNumbers(line), known.size()).first->second);
  return numbers;
}

/// Of a longest common subsequence: for each place of `before` whether it belongs to it, and likewise of `after`. Texts
/// that would take too long have none in common. (LLVM has no such function, and Debian's dtl is no C++ to Clang.)
static std::pair<std::vector<bool>, std::vector<bool>> findCommon(llvm::ArrayRef<unsigned> before,
                                                                  llvm::ArrayRef<unsigned> after) {
  constexpr size_t kMostCells = 64 << 20;
  std::vector<bool> kept(before.size()), found(after.size());
  size_t first = 0, rows = before.size(), columns = after.size();
  for (; first < std::min(rows, columns) && before[first] == after[first]; ++first)
    kept[first] = found[first] = true;
  for (; rows > first && columns > first && before[rows - 1] == after[columns - 1]; --rows, --columns)
    kept[rows - 1] = found[columns - 1] = true;
  if ((rows - first) * (columns - first) > kMostCells)
    return {kept, found};
  const size_t width = columns - first + 1;
  std::vector<uint16_t> length((rows - first + 1) * width); // of what is left from there on
  auto at = [&](size_t i, size_t j) -> uint16_t & { return length[(i - first) * width + j - first]; };
  for (size_t i = rows; i-- > first;)
    for (size_t j = columns; j-- > first;)
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  for (size_t i = first, j = first; i < rows && j < columns;) {
    if (before[i] == after[j])
      kept[i++] = found[j++] = true;
    else if (at(i + 1, j) >= at(i, j + 1))
      ++i;
    else
      ++j;
  }
  return {kept, found};
}

namespace {
/// Gathers hunks, with some unchanged lines around each.
class Hunks {
public:
  explicit Hunks(llvm::ArrayRef<std::string> after) : after(after) {}

  void keep(size_t before, size_t now) {
    unchanged.push_back({before, now});
    if (current.empty() || unchanged.size() <= 2 * kContext)
      return;
    for (size_t k = 0; k < kContext; ++k)
      add(' ', unchanged[k], after[unchanged[k].second]);
    close();
  }
  void change(char sign, Place place, const std::string &line) {
    const size_t first = current.empty() ? unchanged.size() - std::min(kContext, unchanged.size()) : 0;
    for (size_t k = first; k < unchanged.size(); ++k)
      add(' ', unchanged[k], after[unchanged[k].second]);
    unchanged.clear();
    add(sign, place, line);
    ++(sign == '-' ? removed : added);
  }
  llvm::json::Object take() {
    if (!current.empty())
      for (size_t k = 0; k < std::min(kContext, unchanged.size()); ++k)
        add(' ', unchanged[k], after[unchanged[k].second]);
    close();
    return llvm::json::Object{{"added", added}, {"removed", removed}, {"left", left}, {"hunks", std::move(hunks)}};
  }

private:
  void add(char sign, Place place, const std::string &line) {
    if (current.empty())
      start = place;
    current.push_back(std::string(1, sign) + line);
  }
  void close() {
    const size_t room = kMostLines - std::min(shown, kMostLines), taken = std::min(room, current.size());
    left += current.size() - taken;
    shown += taken;
    current.resize(taken);
    if (!current.empty())
      hunks.push_back(llvm::json::Object{
          {"before", start.first + 1}, {"after", start.second + 1}, {"lines", llvm::json::Array(current)}});
    current.clear();
  }

  llvm::ArrayRef<std::string> after;
  std::vector<std::string> current;
  std::vector<Place> unchanged; ///< since the last change
  Place start;
  llvm::json::Array hunks;
  size_t added = 0, removed = 0, shown = 0, left = 0;
};
} // namespace

llvm::json::Object describeDifference(llvm::ArrayRef<std::string> before, llvm::ArrayRef<std::string> after) {
  llvm::StringMap<unsigned> known;
  const auto [kept, found] = findCommon(number(before, known), number(after, known));
  Hunks hunks(after);
  for (size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    if (i < before.size() && !kept[i]) {
      hunks.change('-', {i, j}, before[i]);
      ++i;
    } else if (j < after.size() && !found[j]) {
      hunks.change('+', {i, j}, after[j]);
      ++j;
    } else {
      hunks.keep(i++, j++);
    }
  }
  return hunks.take();
}

} // namespace tileiras
