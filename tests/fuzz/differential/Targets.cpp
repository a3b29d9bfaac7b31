//===- Targets.cpp - Do the chips and profiles of a run exist? -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Targets.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Profile/Profile.h"

using namespace tileiras;

llvm::Error tileiras::fuzz::checkTargets(const CheckOptions &options) {
  CompilerSession session{{}};
  if (llvm::Error error = session.discoverPlugins())
    return error;
  if (!options.profiles.empty()) {
    llvm::Expected<std::shared_ptr<const OptionTable>> table = session.getPlugins().collectOptions();
    if (!table)
      return table.takeError();
    for (const ProfileChoice &choice : options.profiles)
      if (llvm::Error error = loadProfile(choice.profile, getProfileDirectories(), *table).takeError())
        return error;
  }
  for (const std::string &chip : options.gpuNames)
    if (!session.isKnownGpu(chip))
      return llvm::createStringError("--gpu " + chip + ": no plugin serves it; " +
                                     session.getPlugins().suggestChips(chip));
  return llvm::Error::success();
}
