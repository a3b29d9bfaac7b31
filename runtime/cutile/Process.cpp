//===- Process.cpp - Which process the library is for ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correction.h"
#include "Environment.h"
#include "Registry.h"
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace tileiras::cutile;

/// The process of tileiras-cutile becomes the program, perhaps by way of env or a shell: their environment stays. Its
/// children inherit what it was told, and get the library as well; before their main() there is nothing left of it but
/// functions that pass everything on.
__attribute__((constructor)) static void beginProcess() {
  explainsLaunches = isVerbose();
  const char *process = getenv(kProcessVariable);
  if (!process || strcmp(process, kAllProcesses) == 0 || process == std::to_string(getpid()))
    return;
  Registry::get().ignoreImages();
  restoreEnvironment();
}
