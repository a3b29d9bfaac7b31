//===- DriverError.h - What the driver's errors mean ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAUNCH_DRIVER_ERROR_H
#define TILEIRAS_LAUNCH_DRIVER_ERROR_H

#include "Driver.h"

namespace tileiras::cuda {

/// The driver answers everything that follows with the same error: a kernel has failed, and the context is lost.
bool isSticky(Result result);

/// Cause and remedy of an error, to stand behind the driver's own name of it; empty where that says enough.
std::string explain(Result result);

} // namespace tileiras::cuda

#endif // TILEIRAS_LAUNCH_DRIVER_ERROR_H
