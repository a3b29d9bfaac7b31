//===- PrintFormat.h - Formats of print operations --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All dialects print by the formats of C's printf. The public specification leaves open what is printed by a conversion
// that is "not applicable" to its operand (cuda_tile.print_tko); here numbers are converted to what the conversion
// wants, and what has no such meaning is refused.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_PRINTFORMAT_H
#define TILEIRAS_DIALECT_PRINTFORMAT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {

/// Text, and the conversion behind it.
struct PrintFormatPiece {
  std::string text;    ///< as it is printed: `%%` is one percent sign
  std::string prefix;  ///< `%`, flags, width and precision; lengths are left out, they are the element type's business
  char conversion = 0; ///< its letter; 0 in the last piece, which is text alone

  bool isInteger() const { return llvm::StringRef("diouxX").contains(conversion); }
  bool isSigned() const { return llvm::StringRef("di").contains(conversion); }
  bool isFloat() const { return llvm::StringRef("aAeEfFgG").contains(conversion); }
};

/// One piece more than `format` has conversions. Failure: it is no format, and `emitError` has been called.
mlir::FailureOr<llvm::SmallVector<PrintFormatPiece>>
parsePrintFormat(llvm::StringRef format, llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether `format` has one conversion for each of `arguments` that can print it; otherwise an error has been emitted
/// at `op`. `isPointer` tells pointers and tiles of pointers from numbers.
llvm::LogicalResult verifyPrintFormat(mlir::Operation *op, llvm::StringRef format, mlir::ValueRange arguments,
                                      llvm::function_ref<bool(mlir::Type)> isPointer);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_PRINTFORMAT_H
