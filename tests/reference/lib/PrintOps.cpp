//===- PrintOps.cpp - Printing and assertions -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "FloatFormat.h"
#include <cstdio>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::reference {
namespace {

/// A conversion of a printf format: flags, width and precision as written, and the letter at its end.
struct Conversion {
  std::string prefix; ///< "%08.3"
  char letter;
};

constexpr StringLiteral kIntegerConversions = "diuoxXc", kFloatConversions = "aAeEfFgG";

/// Cuts the conversion off the front of `format`, which the verifier has found to be complete.
Conversion takeConversion(StringRef &format) {
  const size_t end = format.find_first_of("diuoxXeEfFgGaAcsp%", 1);
  Conversion conversion{"%", format[end]};
  for (char c : format.slice(1, end)) // Length modifiers are the element type's business.
    if (!StringRef("hlqjzt").contains(c))
      conversion.prefix += c;
  format = format.drop_front(end + 1);
  return conversion;
}

template <typename Argument>
std::string formatWith(const std::string &format, Argument argument) {
  const int size = std::snprintf(nullptr, 0, format.c_str(), argument);
  std::string text(std::max(size, 0) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), argument);
  text.pop_back();
  return text;
}

/// An element as its conversion says. Where the conversion does not fit the type, the number is converted.
std::string formatElement(const Conversion &conversion, const Tile &tile, size_t i) {
  Type type = tile.elementType;
  if (kFloatConversions.contains(conversion.letter)) {
    const double number = isFloat(type) ? toDouble(type, tile[i]) : static_cast<double>(tile.getSigned(i));
    return formatWith(conversion.prefix + conversion.letter, number);
  }
  if (kIntegerConversions.contains(conversion.letter)) {
    const bool isSigned = StringRef("di").contains(conversion.letter) && !type.isInteger(1);
    int64_t number = isSigned ? tile.getSigned(i) : static_cast<int64_t>(tile[i]);
    if (isFloat(type))
      number = static_cast<int64_t>(std::clamp(toDouble(type, tile[i]), -0x1p62, 0x1p62));
    if (conversion.letter == 'c')
      return formatWith(conversion.prefix + 'c', static_cast<int>(static_cast<unsigned char>(number)));
    return formatWith(conversion.prefix + "ll" + conversion.letter, static_cast<long long>(number));
  }
  return formatWith(conversion.prefix + 'p', reinterpret_cast<void *>(tile[i]));
}

/// Nested brackets; a scalar has none.
std::string formatTile(const Conversion &conversion, const Tile &tile) {
  std::string text;
  for (size_t i = 0; i < tile.size(); ++i) {
    std::string open, close;
    size_t period = 1;
    for (int64_t extent : llvm::reverse(tile.shape)) {
      period *= extent;
      open += i % period == 0 ? "[" : "";
      close += (i + 1) % period == 0 ? "]" : "";
    }
    text += (i ? ", " : "") + open + formatElement(conversion, tile, i) + close;
  }
  return text;
}

/// No field is wider than this: a width is no reason to run out of memory.
constexpr unsigned kMaxFieldWidth = 4096;

bool isReasonable(StringRef prefix) {
  SmallVector<StringRef> numbers;
  prefix.split(numbers, '.');
  for (StringRef number : numbers) {
    number = number.ltrim("%-+ #0");
    unsigned width = 0;
    if (!number.empty() && (number.getAsInteger(10, width) || width > kMaxFieldWidth))
      return false;
  }
  return true;
}

} // namespace

/// Terminating the tile block is one of the things an implementation may do; for a reference it is the useful one.
static LogicalResult evaluate(AssertOp op, Evaluation &evaluation) {
  const Tile &condition = evaluation.tile(op.getCondition());
  bool holds = true;
  for (size_t i = 0; i < condition.size(); ++i)
    if (!condition[i]) {
      holds = false;
      *evaluation.options.output << op.getMessage() << ' ' << formatIndex(condition.shape, i) << '\n';
    }
  if (holds)
    return success();
  evaluation.options.output->flush();
  return evaluation.error(op) << "assertion failed: " << op.getMessage();
}

static LogicalResult evaluate(PrintTkoOp op, Evaluation &evaluation) {
  llvm::raw_ostream &os = *evaluation.options.output;
  StringRef format = op.getStr();
  auto argument = op.getArgs().begin();
  std::string text;
  while (!format.empty()) {
    const size_t percent = format.find('%');
    text += format.take_front(percent);
    if (percent == StringRef::npos)
      break;
    format = format.drop_front(percent);
    const Conversion conversion = takeConversion(format);
    if (conversion.letter == '%') {
      text += '%';
      continue;
    }
    if (!isReasonable(conversion.prefix))
      return evaluation.error(op) << "cannot print by " << conversion.prefix << conversion.letter;
    text += formatTile(conversion, evaluation.tile(*argument++));
  }
  os << text;
  os.flush();
  ++evaluation.memory.changes; // Output is progress.
  evaluation.set(op.getResultToken(), Token());
  return success();
}

void registerPrintOps(OperationTable &table) {
  table.add<AssertOp, PrintTkoOp>(OperationTable::kExact);
}

} // namespace tileiras::reference
