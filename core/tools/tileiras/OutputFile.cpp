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
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// Where a path leads: to a file that may not exist yet, without links on the way, or to a descriptor of this process.
struct Place {
  std::string path;
  std::optional<int> descriptor;
};
} // namespace

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

/// The descriptor that stands in `folder` as `name`. What it leads to is written at the place where the descriptor is,
/// as the shell's >> wants it; and a socket cannot be opened by a path.
static std::optional<int> getDescriptor(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<32> own;
  int descriptor = 0;
  if (fs::real_path("/proc/self/fd", own) || folder != own || name.getAsInteger(10, descriptor))
    return std::nullopt;
  return descriptor;
}

static llvm::ErrorOr<Place> findPlace(llvm::StringRef path) {
  constexpr unsigned kMostLinks = 40; // of the kernel
  std::string current = path.str();
  for (unsigned link = 0; link <= kMostLinks; ++link) {
    llvm::SmallString<128> place;
    llvm::StringRef folder = llvm::sys::path::parent_path(current), name = llvm::sys::path::filename(current);
    if (std::error_code error = fs::real_path(folder.empty() ? "." : folder, place))
      return error;
    if (std::optional<int> descriptor = getDescriptor(place, name))
      return Place{path.str(), descriptor};
    const size_t folderEnd = place.size();
    llvm::sys::path::append(place, name);
    char target[PATH_MAX];
    const ssize_t size = readlink(place.c_str(), target, sizeof(target));
    if (size < 0 && errno != EINVAL && errno != ENOENT)
      return lastError();
    if (size < 0)
      return Place{place.str().str(), std::nullopt};
    place.resize(folderEnd);
    current = llvm::sys::path::is_absolute(llvm::StringRef(target, size))
                  ? std::string(target, size)
                  : (place + "/" + llvm::StringRef(target, size)).str();
  }
  return std::make_error_code(std::errc::too_many_symbolic_link_levels);
}

/// Whether there is a pipe or a device, which must be written in place.
static bool isSpecialFile(llvm::StringRef path) {
  fs::file_status status;
  return !fs::status(path, status) && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

bool tileiras::isSameFile(llvm::StringRef a, llvm::StringRef b) {
  if (a == "-" || b == "-" || isSpecialFile(a) || isSpecialFile(b))
    return false;
  llvm::ErrorOr<Place> first = findPlace(a), second = findPlace(b);
  if (first && second && (first->descriptor || second->descriptor))
    return false;
  return fs::equivalent(a, b) || (first && second && first->path == second->path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::Expected<OutputFile> OutputFile::create(llvm::StringRef path, Writer write) {
  llvm::ErrorOr<Place> place = path == "-" ? Place{"-", std::nullopt} : findPlace(path);
  if (!place)
    return describe(path, place.getError().message());
  OutputFile file(path.str(), place->path);
  file.descriptor = place->descriptor;
  if (path != "-" && !file.descriptor && !isSpecialFile(file.path)) {
    if (llvm::Error error = file.createBeside(write))
      return error;
    return file;
  }
  // One of this process's own, which it closes for its children, is none that it has been given.
  if (file.descriptor &&
      (fcntl(*file.descriptor, F_GETFD) != 0 || (fcntl(*file.descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY))
    return describe(path, "it is no descriptor that can be written");
  llvm::raw_string_ostream stream(file.pending);
  write(stream);
  return file;
}

/// What the new file has of the one that it replaces.
static std::error_code inherit(int file, const struct stat &replaced) {
  constexpr mode_t kAccess = S_IRWXU | S_IRWXG | S_IRWXO;
  struct stat own;
  if (fstat(file, &own) != 0)
    return lastError();
  const bool isOthers = own.st_uid != replaced.st_uid || own.st_gid != replaced.st_gid;
  if (isOthers && fchown(file, replaced.st_uid, replaced.st_gid) != 0 && errno != EPERM) // who may not, owns it
    return lastError();
  return fchmod(file, replaced.st_mode & kAccess) == 0 ? std::error_code() : lastError();
}

llvm::Error OutputFile::createBeside(Writer write) {
  struct stat replaced;
  const bool replaces = stat(path.c_str(), &replaced) == 0;
  if (replaces && S_ISDIR(replaced.st_mode))
    return describe(given, std::make_error_code(std::errc::is_a_directory).message());
  if (replaces && access(path.c_str(), W_OK) != 0)
    return describe(given, lastError().message());
  llvm::SmallString<128> model(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(model, "tileiras-%%%%%%%%.tmp"); // shorter than a name may be
  llvm::Expected<fs::TempFile> created = fs::TempFile::create(model, fs::all_read | fs::all_write);
  if (!created)
    return describe(given, llvm::toString(created.takeError()));
  temporary = std::move(*created);
  if (std::error_code error = replaces ? inherit(temporary->FD, replaced) : std::error_code())
    return describe(given, error.message());
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  write(stream);
  return finish(stream, given);
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
    return error ? describe(given, llvm::toString(std::move(error))) : llvm::Error::success();
  }
  if (path == "-") {
    llvm::outs() << pending;
    return flushStandardOutput();
  }
  if (descriptor) {
    llvm::raw_fd_ostream stream(*descriptor, /*shouldClose=*/false);
    stream << pending;
    return finish(stream, given);
  }
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, fs::CD_OpenExisting);
  if (code)
    return describe(given, code.message());
  stream << pending;
  return finish(stream, given);
}

llvm::Error tileiras::flushStandardOutput() {
  return finish(llvm::outs(), "standard output");
}
