//===- TextParserFuzzer.cpp - Any text gives a module or an error ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was parsed is also printed and parsed again.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"
#include "mlir/Parser/Parser.h"

using namespace tileiras;

static mlir::OwningOpRef<mlir::Operation *> parse(llvm::StringRef text, mlir::MLIRContext &context) {
  return mlir::parseSourceString(text, mlir::ParserConfig(&context));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FuzzContext contexts;
  mlir::MLIRContext &context = contexts.next();
  // The parser looks one character ahead: it wants a terminated string.
  const std::string text(reinterpret_cast<const char *>(data), size);
  mlir::OwningOpRef<mlir::Operation *> module = parse(text, context);
  if (!module)
    return 0;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  (*module)->print(os);
  if (!parse(printed, context))
    __builtin_trap();
  return 0;
}
