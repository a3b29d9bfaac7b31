//===- Files.cpp - Files of a launch --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "LaunchError.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {

[[noreturn]] static void fail(const std::string &path, std::error_code error) {
  throw LaunchError("cannot read " + path + ": " + error.message());
}

std::vector<uint8_t> readFile(const std::string &path) {
  auto buffer = readInputFile(path);
  if (!buffer)
    fail(path, buffer.getError());
  return {(*buffer)->getBuffer().bytes_begin(), (*buffer)->getBuffer().bytes_end()};
}

std::vector<uint8_t> readText(const std::string &path) {
  llvm::sys::fs::file_status status;
  const bool isTooLarge = !llvm::sys::fs::status(path, status) && status.getSize() > kMostTextBytes;
  std::vector<uint8_t> text = isTooLarge ? std::vector<uint8_t>() : readFile(path);
  if (isTooLarge || text.size() > kMostTextBytes)
    throw LaunchError(path + ": has more than " + llvm::Twine(kMostTextBytes >> 20) +
                      " MiB, the most that a description has; put data into files of their own");
  return text;
}

uint64_t getFileSize(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    fail(path, error);
  if (llvm::sys::fs::is_directory(status))
    fail(path, std::make_error_code(std::errc::is_a_directory));
  if (!llvm::sys::fs::is_regular_file(status))
    throw LaunchError("cannot read " + path + ": it is a pipe or a device, and data come from regular files");
  return status.getSize();
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
