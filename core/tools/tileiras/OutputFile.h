//===- OutputFile.h - A file that is written whole or not at all -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_OUTPUTFILE_H
#define TILEIRAS_TOOLS_TILEIRAS_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

namespace tileiras {

/// A regular file grows beside its place and gets there by commit(); unless committed it leaves no trace. The place is
/// where symbolic links lead, also to what does not exist yet; a file that is replaced gives its mode, and its owner
/// where the system allows that, to the new one. "-" (standard output), the process's own descriptors (/dev/stdout,
/// /dev/fd/N), pipes and devices take the bytes at commit(). Errors are CompileErrors of kind InputOutput.
class OutputFile {
public:
  using Writer = llvm::function_ref<void(llvm::raw_ostream &)>;

  /// Writes all that `write` gives.
  static llvm::Expected<OutputFile> create(llvm::StringRef path, Writer write);
  OutputFile(OutputFile &&) = default;
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Puts all of `files` in their places; those that can still fail come first, so that no other appears without them.
  static llvm::Error commit(llvm::MutableArrayRef<OutputFile> files);

private:
  OutputFile(std::string given, std::string path) : given(std::move(given)), path(std::move(path)) {}
  llvm::Error createBeside(Writer write);
  llvm::Error commit();

  std::string given; ///< what messages name
  std::string path;
  std::optional<int> descriptor; ///< the bytes are written there, not at `path`
  std::string pending;           ///< for what is no regular file
  std::optional<llvm::sys::fs::TempFile> temporary;
};

/// Whether two paths, of which any may not exist yet, lead to one regular file. "-" is none.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

/// Flushes standard output; an error when it could not take everything.
llvm::Error flushStandardOutput();

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_OUTPUTFILE_H
