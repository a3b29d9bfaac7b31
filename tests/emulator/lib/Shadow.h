//===- Shadow.h - Who touched which bytes last ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SHADOW_H
#define PTX_EMULATOR_SHADOW_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ptxemu {

/// Per-byte access history of a block of memory, created page by page where it is touched.
class ShadowMemory {
public:
  void clear() {}
};

} // namespace ptxemu

#endif // PTX_EMULATOR_SHADOW_H
