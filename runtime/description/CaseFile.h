//===- CaseFile.h - Reads the launch of a dumped case -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_CASEFILE_H
#define TILEIRAS_RUNTIME_DESCRIPTION_CASEFILE_H

#include "LaunchDescription.h"

namespace tileiras {

/// Reads launch.txt of a folder, one item a line, and what its buffers become: the lines "expected BUFFER FILE TYPE
/// RTOL ATOL" of compare.txt, then every exp_BUFFER.bin that these do not name, which must agree to the bit. Throws
/// LaunchError.
LaunchDescription readCase(const std::string &directory);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_CASEFILE_H
