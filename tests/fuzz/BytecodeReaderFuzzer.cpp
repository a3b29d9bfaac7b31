//===- BytecodeReaderFuzzer.cpp - Any bytes give a module or an error -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was read is also written and read again: it must be the same module.
//
//===----------------------------------------------------------------------===//

#include "FuzzContext.h"

using namespace tileiras;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FuzzContext contexts;
  mlir::MLIRContext &context = contexts.next();
  const llvm::MemoryBufferRef buffer(llvm::StringRef(reinterpret_cast<const char *>(data), size), "input");
  mlir::OwningOpRef<cuda_tile::ModuleOp> module = readBytecode(buffer, &context);
  if (!module)
    return 0;
  std::string written;
  llvm::raw_string_ostream os(written);
  if (failed(writeBytecode(*module, os, *getBytecodeVersion(buffer))))
    __builtin_trap();
  mlir::OwningOpRef<cuda_tile::ModuleOp> again = readBytecode(llvm::MemoryBufferRef(written, "written"), &context);
  if (!again || printForFuzzing(*again) != printForFuzzing(*module))
    __builtin_trap();
  return 0;
}
