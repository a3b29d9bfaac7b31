//===- Contents.cpp - Comparing memory ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contents.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>

using namespace tileiras::fuzz;
using llvm::APFloat;

static double toDouble(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

static bool agree(Element element, uint64_t actual, uint64_t expected, double bound) {
  if (actual == expected)
    return true;
  // A bound that is no number says that nothing is known.
  if (std::isnan(bound) || std::isinf(bound))
    return true;
  if (!isFloat(element))
    return bound != 0;
  APFloat a = decode(element, actual), b = decode(element, expected);
  if (a.isNaN() || b.isNaN())
    return a.isNaN() && b.isNaN();
  return bound > 0 && std::fabs(toDouble(a) - toDouble(b)) <= bound;
}

static std::string show(Element element, uint64_t bits) {
  std::string text = "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
  if (!isFloat(element))
    return std::to_string(llvm::SignExtend64(bits, getInfo(element).bits)) + " (" + text + ")";
  llvm::SmallString<32> number;
  decode(element, bits).toString(number);
  return number.str().str() + " (" + text + ")";
}

std::optional<std::string> tileiras::fuzz::compareContents(const Buffer &buffer, llvm::ArrayRef<uint8_t> actual,
                                                           const Contents &expected) {
  Element element = buffer.isCompared ? buffer.element : Element::I8;
  size_t width = getBytes(element), count = actual.size() / width, wrong = 0, first = 0;
  uint64_t firstActual = 0, firstExpected = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t a = 0, b = 0;
    std::memcpy(&a, &actual[i * width], width);
    std::memcpy(&b, &expected.bytes[i * width], width);
    if (agree(element, a, b, expected.bounds.empty() ? 0 : expected.bounds[i]) || wrong++ != 0)
      continue;
    first = i;
    firstActual = a;
    firstExpected = b;
  }
  if (wrong == 0)
    return std::nullopt;
  std::string text = buffer.name + "[" + std::to_string(first) + "] is " + show(element, firstActual) + ", expected " +
                     show(element, firstExpected);
  if (!expected.bounds.empty() && expected.bounds[first] > 0)
    text += " within " + std::to_string(expected.bounds[first]);
  return text + "; " + std::to_string(wrong) + " of " + std::to_string(count) + " elements of " +
         getInfo(element).name + " differ";
}

static std::vector<llvm::StringRef> sortLines(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  llvm::sort(lines);
  return {lines.begin(), lines.end()};
}

std::optional<std::string> tileiras::fuzz::compareOutput(llvm::StringRef actual, llvm::StringRef expected) {
  std::vector<llvm::StringRef> lines = sortLines(actual), wanted = sortLines(expected);
  for (size_t i = 0; i < std::max(lines.size(), wanted.size()); ++i) {
    llvm::StringRef line = i < lines.size() ? lines[i] : "nothing", want = i < wanted.size() ? wanted[i] : "nothing";
    if (line != want)
      return ("prints '" + line + "', expected '" + want + "'").str();
  }
  return std::nullopt;
}
