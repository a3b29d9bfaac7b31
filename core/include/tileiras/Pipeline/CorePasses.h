//===- CorePasses.h - The passes the core brings along ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_COREPASSES_H
#define TILEIRAS_PIPELINE_COREPASSES_H

#include "tileiras/Plugin/Registry.h"

namespace tileiras {

/// The core's own passes and the upstream ones a profile may name, with their place in the analysis contract.
std::vector<PassEntry> getCorePasses();

} // namespace tileiras

#endif // TILEIRAS_PIPELINE_COREPASSES_H
