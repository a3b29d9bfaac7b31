//===- VersionText.cpp - What --version says ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends keep what they have compiled under a key that has the whole text. So it changes whenever what the compiler
// makes of a program may change: with its objects, and with what it reads besides the program. They ask each time a
// process starts: nothing is loaded for it.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "EnvironmentFlags.h"
#include "ToolVersion.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <unistd.h>

using namespace tileiras;
using llvm::StringRef;

static std::string toHash(StringRef bytes) {
  return llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true, /*Width=*/16);
}

static std::unique_ptr<llvm::MemoryBuffer> readFile(const llvm::Twine &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? std::move(*buffer) : nullptr;
}

/// The files of `directory` whose names `matches` takes, in the order of the names.
static std::vector<std::string> listFiles(StringRef directory, llvm::function_ref<bool(StringRef)> matches) {
  std::vector<std::string> files;
  std::error_code failure;
  for (llvm::sys::fs::directory_iterator it(directory, failure), end; it != end && !failure; it.increment(failure))
    if (matches(llvm::sys::path::filename(it->path())))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

//===----------------------------------------------------------------------===//
// Plugins
//===----------------------------------------------------------------------===//

/// As getBuildId() has it of an object that is loaded; without one a hash of the file.
static std::string readBuildId(StringRef path) {
  constexpr size_t length = 8; // bytes, as many as getBuildId() takes
  std::unique_ptr<llvm::MemoryBuffer> file = readFile(path);
  if (!file)
    return "unreadable";
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createELFObjectFile(file->getMemBufferRef(), /*InitContent=*/false);
  if (!object) {
    llvm::consumeError(object.takeError());
    return toHash(file->getBuffer());
  }
  llvm::object::BuildIDRef id = llvm::object::getBuildID(object->get());
  return id.size() < length ? toHash(file->getBuffer()) : llvm::toHex(id.take_front(length), /*LowerCase=*/true);
}

static void printPlugins(StringRef directory, llvm::raw_ostream &os) {
  constexpr llvm::StringLiteral prefix = "tileiras-", suffix = ".so";
  auto isPlugin = [&](StringRef name) { return name.starts_with(prefix) && name.ends_with(suffix); };
  for (const std::string &file : listFiles(directory, isPlugin)) {
    StringRef name = llvm::sys::path::filename(file);
    os << "plugin " << name.drop_front(prefix.size()).drop_back(suffix.size()) << ", build " << readBuildId(file)
       << '\n';
  }
}

//===----------------------------------------------------------------------===//
// What is read besides the program
//===----------------------------------------------------------------------===//

static void addProfiles(StringRef directory, llvm::raw_ostream &os) {
  for (const std::string &file : listFiles(directory, [](StringRef name) { return name.ends_with(".toml"); }))
    if (std::unique_ptr<llvm::MemoryBuffer> profile = readFile(file))
      os << llvm::sys::path::filename(file) << '\n' << profile->getBuffer() << '\0';
}

/// The toolkit's files are large, and change with their date.
static void addToolkit(llvm::raw_ostream &os) {
  CudaToolkit toolkit;
  auto add = [&](llvm::Expected<std::string> path) {
    llvm::sys::fs::file_status status;
    if (!path)
      llvm::consumeError(path.takeError());
    else if (!llvm::sys::fs::status(*path, status))
      os << *path << ' ' << status.getSize() << ' ' << status.getLastModificationTime().time_since_epoch().count()
         << '\n';
  };
  add(toolkit.findPtxas());
  add(toolkit.findLibdevice());
  add(toolkit.findNvJitLink());
}

/// A file or folder that an option of TILEIRAS_FLAGS names: a profile, a plugin, a schedule.
static void addNamedFile(StringRef path, llvm::raw_ostream &os) {
  if (llvm::sys::fs::is_directory(path)) {
    printPlugins(path, os);
    addProfiles(path, os);
  } else if (llvm::sys::fs::is_regular_file(path)) {
    if (std::unique_ptr<llvm::MemoryBuffer> file = readFile(path))
      os << toHash(file->getBuffer()) << '\n';
  }
}

/// Defaults of plugins' options: their variables have this prefix (PluginLoader.cpp).
static void addOptionVariables(llvm::raw_ostream &os) {
  std::vector<StringRef> variables;
  for (char **variable = environ; variable && *variable; ++variable)
    if (StringRef(*variable).starts_with("TILEIR_"))
      variables.push_back(*variable);
  llvm::sort(variables);
  for (StringRef variable : variables)
    os << variable << '\n';
}

static std::string hashSettings() {
  std::string text;
  llvm::raw_string_ostream os(text);
  addOptionVariables(os);
  addToolkit(os);
  for (const std::string &directory : getProfileDirectories())
    addProfiles(directory, os);
  for (StringRef word : splitEnvironmentFlags())
    for (StringRef path : {word, word.split('=').second, word.rsplit('=').second})
      if (!path.empty())
        addNamedFile(path, os);
  return toHash(text);
}

//===----------------------------------------------------------------------===//
// The texts
//===----------------------------------------------------------------------===//

void tileiras::printVersion(llvm::raw_ostream &os) {
  printToolVersion(os, "tileiras: an open compiler for CUDA Tile IR");
  os << "settings " << hashSettings() << '\n';
  if (std::string flags = getEnvironmentFlags(); !flags.empty())
    os << "flags " << flags << '\n';
  // Other cubins, for clients that keep them by this text.
  if (readKeepPtx() != KeepPtx::No)
    os << "cubins carry their PTX (TILEIRAS_KEEP_PTX)\n";
  const std::string directories = llvm::sys::Process::GetEnv("TILEIRAS_PLUGIN_PATH").value_or("");
  for (StringRef directory : llvm::split(directories, ':'))
    if (!directory.empty())
      printPlugins(directory, os);
  printPlugins(getInstalledPluginDirectory(), os);
}

void tileiras::printVersions(llvm::raw_ostream &os) {
  for (BytecodeVersion version : BytecodeVersion::supported())
    os << version << '\n';
}
