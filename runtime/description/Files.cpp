//===- Files.cpp - Files of a launch --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "LaunchError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {

std::vector<uint8_t> readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    throw LaunchError("cannot read " + path + ": " + buffer.getError().message());
  return {(*buffer)->getBuffer().bytes_begin(), (*buffer)->getBuffer().bytes_end()};
}

llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << bytes;
    if (path == "-") // Not ours to close.
      os.flush();
    else
      os.close();
    error = os.error();
    os.clear_error();
  }
  return error ? llvm::createStringError(error, "cannot write " + (path == "-" ? "standard output" : path) + ": " +
                                                    error.message())
               : llvm::Error::success();
}

std::string resolvePath(llvm::StringRef directory, llvm::StringRef file) {
  if (llvm::sys::path::is_absolute(file) || directory.empty())
    return file.str();
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

} // namespace tileiras
