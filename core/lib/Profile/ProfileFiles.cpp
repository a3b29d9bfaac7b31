//===- ProfileFiles.cpp - Where profiles are ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFiles.h"
#include "tileiras/Support/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace tileiras;
using llvm::Expected;
using llvm::StringRef;

std::string tileiras::getTierName(int64_t level) {
  return "o" + std::to_string(level);
}

static bool isFileName(StringRef nameOrFile) {
  return nameOrFile.contains('/') || nameOrFile.ends_with(".toml");
}

static std::string getFileIn(StringRef directory, const llvm::Twine &name) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, name + ".toml");
  return path.str().str();
}

static std::string findShippedProfile(StringRef name, llvm::ArrayRef<std::string> directories) {
  if (name.contains('/'))
    return "";
  name.consume_back(".toml");
  for (StringRef directory : directories)
    if (std::string file = getFileIn(directory, name); llvm::sys::fs::exists(file))
      return file;
  return "";
}

std::optional<int64_t> tileiras::getTierOfFile(StringRef path, llvm::ArrayRef<std::string> directories) {
  for (int64_t level = 0; level <= kMaxOptLevel; ++level)
    if (llvm::any_of(directories,
                     [&](StringRef directory) { return path == getFileIn(directory, getTierName(level)); }))
      return level;
  return std::nullopt;
}

Expected<std::string> tileiras::findProfileFile(StringRef nameOrFile, const Origin &reference,
                                                llvm::ArrayRef<std::string> directories) {
  if (isFileName(nameOrFile) && llvm::sys::fs::exists(nameOrFile))
    return nameOrFile.str();
  std::string path = findShippedProfile(nameOrFile, directories);
  if (!path.empty())
    return path;
  if (isFileName(nameOrFile))
    return nameOrFile.str();
  std::vector<std::string> known = listProfiles(directories);
  std::string suggestion = suggestName(nameOrFile, known);
  if (suggestion.empty())
    suggestion = known.empty() ? "; no profiles were found in " + llvm::join(directories, ", ")
                               : "; the shipped ones are " + llvm::join(known, ", ");
  return configError(reference, "unknown profile '" + nameOrFile + "'" + suggestion);
}

std::vector<std::string> tileiras::getProfileDirectories() {
  std::vector<std::string> directories;
  if (std::optional<std::string> variable = llvm::sys::Process::GetEnv("TILEIRAS_CONFIG_PATH"))
    for (StringRef directory : llvm::split(*variable, ':'))
      if (!directory.empty())
        directories.push_back(directory.str());
  // <prefix>/lib/libtileiras.so and <prefix>/share/tileiras/config, in the build tree as in an installation.
  std::string library = getLibraryPath();
  StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(library));
  llvm::SmallString<128> directory(prefix);
  llvm::sys::path::append(directory, "share", "tileiras", "config");
  directories.push_back(directory.str().str());
  return directories;
}

std::vector<std::string> tileiras::listProfiles(llvm::ArrayRef<std::string> directories) {
  std::vector<std::string> names;
  for (StringRef directory : directories) {
    std::error_code failure;
    for (llvm::sys::fs::directory_iterator it(directory, failure), end; it != end && !failure; it.increment(failure))
      if (llvm::sys::path::extension(it->path()) == ".toml")
        names.push_back(llvm::sys::path::stem(it->path()).str());
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}
