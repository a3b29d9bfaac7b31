//===- LaunchError.h - A launch that cannot be run --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHERROR_H
#define TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHERROR_H

#include "ptx-emulator/Error.h"
#include "llvm/ADT/Twine.h"

namespace tileiras {

/// A mistake in the description of a launch, or in a file it names; the message says which file and where in it.
class LaunchError : public ptxemu::InputError {
public:
  explicit LaunchError(const llvm::Twine &message) : ptxemu::InputError(0, message.str()) {}
};

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHERROR_H
