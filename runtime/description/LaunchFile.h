//===- LaunchFile.h - Reads launch.json -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHFILE_H
#define TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHFILE_H

#include "LaunchDescription.h"

namespace tileiras {

/// Both throw LaunchError. File names in a description are relative to its own folder.
LaunchDescription readLaunchFile(const std::string &path);
LaunchDescription parseLaunch(llvm::StringRef text, const std::string &path);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHFILE_H
