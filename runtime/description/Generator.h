//===- Generator.h - Contents that are computed -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_GENERATOR_H
#define TILEIRAS_RUNTIME_DESCRIPTION_GENERATOR_H

#include "ScalarType.h"

namespace tileiras {

/// `bytes` bytes of what the member "values" of `contents` says: the name of a generator, or a number for all elements.
/// "seed" and "range" belong to it. The same description makes the same bytes everywhere. Throws LaunchError.
std::vector<uint8_t> generateContents(const JsonNode &contents, const ScalarType &type, uint64_t bytes);

/// Says that there is nothing that only a generator understands. Throws LaunchError.
void refuseGeneratorKeys(const JsonNode &contents);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_GENERATOR_H
