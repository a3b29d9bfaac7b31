//===- InputFile.h - Files that users name ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_INPUTFILE_H
#define TILEIRAS_SUPPORT_INPUTFILE_H

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

namespace tileiras {

/// What is no regular file need not have an end (/dev/zero): so many bytes are read of it, which is more than programs,
/// profiles and descriptions have.
inline constexpr size_t kMostStreamedBytes = size_t(1) << 28;

/// Reads a pipe or a device to its end. An error (file_too_large) when that does not come within `most` bytes.
inline llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> readStream(llvm::sys::fs::file_t file, llvm::StringRef name,
                                                                     size_t most = kMostStreamedBytes) {
  constexpr size_t kChunk = 1 << 16;
  llvm::SmallVector<char, 0> bytes;
  while (true) {
    const size_t size = bytes.size();
    if (size > most)
      return std::make_error_code(std::errc::file_too_large);
    bytes.resize_for_overwrite(size + kChunk);
    llvm::Expected<size_t> count = llvm::sys::fs::readNativeFile(file, llvm::MutableArrayRef(bytes).drop_front(size));
    if (!count)
      return llvm::errorToErrorCode(count.takeError());
    bytes.truncate(size + *count);
    if (*count == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), name);
  }
}

/// The contents of the file `path`, with a zero behind them. Of a regular file all of it; of anything else what
/// readStream() reads. A folder is an error.
inline llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> readInputFile(llvm::StringRef path) {
  namespace fs = llvm::sys::fs;
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return llvm::errorToErrorCode(file.takeError());
  fs::file_status status;
  std::error_code error = fs::status(*file, status);
  if (!error && fs::is_directory(status))
    error = std::make_error_code(std::errc::is_a_directory);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = error;
  if (!error)
    buffer = fs::is_regular_file(status) ? llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize())
                                         : readStream(*file, path);
  fs::closeFile(*file);
  return buffer;
}

/// The same; "-" is standard input.
inline llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> readInputFileOrStdin(llvm::StringRef path) {
  return path == "-" ? readStream(llvm::sys::fs::getStdinHandle(), "<stdin>") : readInputFile(path);
}

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_INPUTFILE_H
