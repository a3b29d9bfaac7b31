//===- StandaloneFuzzMain.cpp - A fuzz target on files, without libFuzzer --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Runs the target on every file of the folder; a crash comes after the name of its file.
int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " FOLDER\n";
    return 2;
  }
  unsigned count = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(argv[1], error), end; entry != end && !error; entry.increment(error)) {
    auto buffer = llvm::MemoryBuffer::getFile(entry->path(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer) {
      llvm::errs() << "cannot read " << entry->path() << ": " << buffer.getError().message() << '\n';
      return 1;
    }
    llvm::errs() << entry->path() << '\n';
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>((*buffer)->getBufferStart()), (*buffer)->getBufferSize());
    ++count;
  }
  if (error || count == 0) {
    llvm::errs() << "no inputs in " << argv[1] << (error ? ": " + error.message() : "") << '\n';
    return 1;
  }
  llvm::outs() << count << " inputs\n";
  return 0;
}
