//===- PrintFormat.cpp - Formats of print operations ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/PrintFormat.h"

using namespace mlir;
using namespace tileiras;

/// Cuts flags, width and precision off the front of `format`.
static StringRef takePrefix(StringRef &format) {
  constexpr StringLiteral digits = "0123456789";
  StringRef rest = format.ltrim("-+ #0").ltrim(digits);
  if (rest.consume_front("."))
    rest = rest.ltrim(digits);
  return std::exchange(format, rest).drop_back(rest.size());
}

FailureOr<SmallVector<PrintFormatPiece>> tileiras::parsePrintFormat(StringRef format,
                                                                    function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<PrintFormatPiece> pieces(1);
  while (!format.empty()) {
    StringRef text = format.take_until([](char c) { return c == '%'; });
    pieces.back().text += text;
    format = format.drop_front(text.size());
    if (!format.consume_front("%"))
      break;
    StringRef prefix = takePrefix(format);
    format = format.ltrim("hlqjzt");
    if (format.empty())
      return emitError() << "has a format with an incomplete conversion";
    const char letter = format.front();
    format = format.drop_front();
    if (letter == '%') {
      pieces.back().text += '%';
      continue;
    }
    if (!StringRef("diouxXcaAeEfFgGps").contains(letter))
      return emitError() << "has a format with an incomplete conversion: '" << StringRef(&letter, 1)
                         << "' cannot follow '%" << prefix << "'";
    pieces.back().prefix = ("%" + prefix).str();
    pieces.back().conversion = letter;
    pieces.emplace_back();
  }
  return pieces;
}

LogicalResult tileiras::verifyPrintFormat(Operation *op, StringRef format, ValueRange arguments,
                                          function_ref<bool(Type)> isPointer) {
  auto emitError = [&] { return op->emitOpError(); };
  FailureOr<SmallVector<PrintFormatPiece>> pieces = parsePrintFormat(format, emitError);
  if (failed(pieces))
    return failure();
  if (pieces->size() - 1 != arguments.size())
    return emitError() << "has a format for " << pieces->size() - 1 << " arguments, got " << arguments.size();
  for (auto [piece, argument] : llvm::zip(*pieces, arguments)) {
    auto refuse = [&](StringRef reason) -> LogicalResult {
      return emitError() << "cannot print " << argument.getType() << " by '" << piece.prefix
                         << StringRef(&piece.conversion, 1) << "': " << reason;
    };
    if (piece.conversion == 's')
      return refuse("no tile holds strings; use %d or %f for numbers, and write text into the format");
    const bool isAddress = isPointer(argument.getType());
    if (piece.conversion == 'p' && !isAddress)
      return refuse("that is for pointers; use %d, %x or %f");
    if (isAddress && piece.conversion != 'p' && !piece.isInteger())
      return refuse("that is for numbers; use %p");
  }
  return success();
}
