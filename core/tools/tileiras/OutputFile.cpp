//===- OutputFile.cpp - A file that is written whole or not at all --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "tileiras/Compiler/Session.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;
namespace fs = llvm::sys::fs;

static llvm::Error describe(llvm::StringRef path, const std::string &reason) {
  return llvm::make_error<CompileError>(ExitCode::InputOutput, ("error: cannot write '" + path + "': " + reason).str());
}

/// A stream that lives on with an error ends the process.
static llvm::Error finish(llvm::raw_fd_ostream &stream, llvm::StringRef path) {
  stream.flush();
  if (!stream.has_error())
    return llvm::Error::success();
  std::string reason = stream.error().message();
  stream.clear_error();
  return describe(path, reason);
}

/// Whether `path` leads to a pipe or a device, which must be written in place.
static bool isSpecialFile(llvm::StringRef path) {
  fs::file_status status;
  return !fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

llvm::Expected<OutputFile> OutputFile::create(llvm::StringRef path, Writer write) {
  llvm::SmallString<128> real;
  OutputFile file(fs::real_path(path, real) ? path.str() : real.str().str());
  if (path == "-" || isSpecialFile(file.path)) {
    llvm::raw_string_ostream stream(file.pending);
    write(stream);
    return file;
  }
  llvm::Expected<fs::TempFile> temporary =
      fs::is_directory(file.path) ? llvm::errorCodeToError(std::make_error_code(std::errc::is_a_directory))
                                  : fs::TempFile::create(file.path + ".%%%%%%.tmp", fs::all_read | fs::all_write);
  if (!temporary)
    return describe(path, llvm::toString(temporary.takeError()));
  file.temporary = std::move(*temporary);
  llvm::raw_fd_ostream stream(file.temporary->FD, /*shouldClose=*/false);
  write(stream);
  if (llvm::Error error = finish(stream, path))
    return error;
  return file;
}

OutputFile::~OutputFile() {
  if (temporary)
    llvm::consumeError(temporary->discard());
}

llvm::Error OutputFile::commit(llvm::MutableArrayRef<OutputFile> files) {
  for (bool isRename : {false, true})
    for (OutputFile &file : files)
      if (file.temporary.has_value() == isRename)
        if (llvm::Error error = file.commit())
          return error;
  return llvm::Error::success();
}

llvm::Error OutputFile::commit() {
  if (temporary) {
    llvm::Error error = temporary->keep(path);
    temporary.reset();
    return error ? describe(path, llvm::toString(std::move(error))) : llvm::Error::success();
  }
  if (path == "-") {
    llvm::outs() << pending;
    return flushStandardOutput();
  }
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, fs::CD_OpenExisting);
  if (code)
    return describe(path, code.message());
  stream << pending;
  return finish(stream, path);
}

/// Where a file is or would be, without links on the way.
static std::string getRealPath(llvm::StringRef path) {
  llvm::SmallString<128> real;
  if (!fs::real_path(path, real))
    return real.str().str();
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (fs::real_path(folder.empty() ? "." : folder, real))
    return path.str();
  llvm::sys::path::append(real, llvm::sys::path::filename(path));
  return real.str().str();
}

bool tileiras::isSameFile(llvm::StringRef a, llvm::StringRef b) {
  if (a == "-" || b == "-" || isSpecialFile(a) || isSpecialFile(b))
    return false;
  return fs::equivalent(a, b) || getRealPath(a) == getRealPath(b);
}

llvm::Error tileiras::flushStandardOutput() {
  return finish(llvm::outs(), "standard output");
}
