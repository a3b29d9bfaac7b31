//===- AssemblerProcess.h - An assembler as a child process -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_ASSEMBLERPROCESS_H
#define TILEIRAS_LIB_CODEGEN_ASSEMBLERPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <functional>

namespace tileiras {

/// A folder that is removed with all it holds. The names in it are fixed: ptxas puts them into debug information, and
/// the same input has to give the same bytes. Errors of files carry their std::error_code.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create();
  ScratchFolder(ScratchFolder &&other) : path(std::exchange(other.path, "")) {}
  ScratchFolder &operator=(ScratchFolder &&) = delete;
  ~ScratchFolder();

  std::string getPath(llvm::StringRef name) const;
  llvm::Error write(llvm::StringRef name, llvm::StringRef text) const;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read(llvm::StringRef name) const;

private:
  explicit ScratchFolder(std::string path) : path(std::move(path)) {}
  std::string path;
};

/// Runs a program with both its outputs in the file `output`. An error when it cannot be started, dies, exceeds
/// `timeout` or is to stop; otherwise its exit status.
llvm::Expected<int> runAssemblerProcess(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
                                        llvm::StringRef output, std::chrono::milliseconds timeout,
                                        const std::function<bool(int process)> &shouldStop = nullptr);

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_ASSEMBLERPROCESS_H
