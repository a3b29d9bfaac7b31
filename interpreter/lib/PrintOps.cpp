//===- PrintOps.cpp - Printing and assertions -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "FloatFormat.h"
#include "tileiras/Dialect/PrintFormat.h"
#include <cstdio>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

template <typename Argument>
std::string formatWith(const std::string &format, Argument argument) {
  const int size = std::snprintf(nullptr, 0, format.c_str(), argument);
  std::string text(std::max(size, 0) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), argument);
  text.pop_back();
  return text;
}

/// An element as its conversion says. Where the conversion does not fit the type, the number is converted.
std::string formatPiece(const PrintFormatPiece &piece, const Tile &tile, size_t i) {
  Type type = tile.elementType;
  if (piece.isFloat()) {
    const double number = isFloat(type) ? toDouble(type, tile[i]) : static_cast<double>(tile.getSigned(i));
    return formatWith(piece.prefix + piece.conversion, number);
  }
  if (piece.conversion == 'p')
    return formatWith(piece.prefix + 'p', reinterpret_cast<void *>(tile[i]));
  const bool isSigned = piece.isSigned() && !type.isInteger(1);
  int64_t number = isSigned ? tile.getSigned(i) : static_cast<int64_t>(tile[i]);
  if (isFloat(type))
    number = static_cast<int64_t>(std::clamp(toDouble(type, tile[i]), -0x1p62, 0x1p62));
  if (piece.conversion == 'c')
    return formatWith(piece.prefix + 'c', static_cast<int>(static_cast<unsigned char>(number)));
  return formatWith(piece.prefix + "ll" + piece.conversion, static_cast<long long>(number));
}

/// Nested brackets; a scalar has none.
std::string formatTile(const PrintFormatPiece &piece, const Tile &tile) {
  std::string text;
  for (size_t i = 0; i < tile.size(); ++i) {
    std::string open, close;
    size_t period = 1;
    for (int64_t extent : llvm::reverse(tile.shape)) {
      period *= extent;
      open += i % period == 0 ? "[" : "";
      close += (i + 1) % period == 0 ? "]" : "";
    }
    text += (i ? ", " : "") + open + formatPiece(piece, tile, i) + close;
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
  // The verifier has found the format to fit.
  FailureOr<SmallVector<PrintFormatPiece>> pieces = parsePrintFormat(op.getStr(), [&] { return op.emitOpError(); });
  if (failed(pieces))
    return failure();
  std::string text;
  for (auto [piece, argument] : llvm::zip(*pieces, op.getArgs())) {
    if (!isReasonable(piece.prefix))
      return evaluation.error(op) << "cannot print by " << piece.prefix << piece.conversion;
    text += piece.text + formatTile(piece, evaluation.tile(argument));
  }
  text += pieces->back().text;
  os << text;
  os.flush();
  ++evaluation.memory.changes; // Output is progress.
  evaluation.set(op.getResultToken(), Token());
  return success();
}

void registerPrintOps(OperationTable &table) {
  table.add<AssertOp, PrintTkoOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
