//===- Environment.cpp - What tileiras-cutile says to a program -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tileiras::cutile {

static void prepend(const char *variable, const std::string &entry) {
  const char *rest = getenv(variable);
  setenv(variable, (rest && *rest ? entry + ":" + rest : entry).c_str(), 1);
}

/// What the loader is told to load: a list of words, so a folder with spaces has to be in another variable.
static bool fitsPreload(const std::string &path) {
  return path.find(' ') == std::string::npos;
}

std::string emulatedDriverFolder(const std::string &home) {
  return home.substr(0, home.rfind('/')) + "/emulated";
}

void addCompilerFlags(const std::vector<std::string> &flags) {
  const char *before = getenv("TILEIRAS_FLAGS");
  std::string text = before ? before : "";
  for (const std::string &flag : flags) {
    text += text.empty() ? "" : " ";
    // As tileiras splits it: a backslash takes its meaning from what follows.
    for (char c : flag) {
      if (strchr(" \t\n\\'\"", c))
        text += '\\';
      text += c;
    }
  }
  if (!flags.empty())
    setenv("TILEIRAS_FLAGS", text.c_str(), 1);
}

void prepareEnvironment(const std::string &home, bool children, bool emulates) {
  setenv(kHomeVariable, home.c_str(), 1);
  setenv(kProcessVariable, children ? kAllProcesses : std::to_string(getpid()).c_str(), 1);
  // Without it programs are looked for where the C library says, which the first entry would end.
  setenv("PATH", "/usr/bin:/bin", 0);
  prepend("PATH", home + "/bin");
  prepend("PYTHONPATH", home + "/python");
  setenv(kRustCompilerVariable, (home + "/bin/tileiras").c_str(), 0);
  std::string library = home + "/" + kLibraryName;
  if (!fitsPreload(home)) {
    prepend("LD_LIBRARY_PATH", home);
    library = kLibraryName;
  }
  if (emulates)
    prepend("LD_LIBRARY_PATH", emulatedDriverFolder(home));
  // Behind the others: what watches a program's launches sees them as the program makes them.
  const char *others = getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", (others && *others ? others + (":" + library) : library).c_str(), 1);
}

/// Takes `entry` and a separator beside it out of a list; a list that becomes empty was not there.
static void removeEntry(const char *variable, const std::string &entry, const char *separators) {
  const char *value = getenv(variable);
  if (!value)
    return;
  std::string list = value;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find_first_of(separators, begin), list.size());
    if (list.compare(begin, end - begin, entry) == 0) {
      bool isLast = end == list.size();
      list.erase(isLast && begin > 0 ? begin - 1 : begin, end - begin + 1);
      if (list.empty())
        unsetenv(variable);
      else
        setenv(variable, list.c_str(), 1);
      return;
    }
    begin = end + 1;
  }
}

void restoreEnvironment() {
  const char *variable = getenv(kHomeVariable);
  std::string home = variable ? variable : "";
  unsetenv(kProcessVariable);
  unsetenv(kHomeVariable);
  if (home.empty())
    return;
  removeEntry("PATH", home + "/bin", ":");
  removeEntry("PYTHONPATH", home + "/python", ":");
  if (const char *compiler = getenv(kRustCompilerVariable); compiler && home + "/bin/tileiras" == compiler)
    unsetenv(kRustCompilerVariable);
  removeEntry("LD_PRELOAD", fitsPreload(home) ? home + "/" + kLibraryName : kLibraryName, ": ");
  if (!fitsPreload(home))
    removeEntry("LD_LIBRARY_PATH", home, ":;");
  removeEntry("LD_LIBRARY_PATH", emulatedDriverFolder(home), ":;");
}

} // namespace tileiras::cutile
