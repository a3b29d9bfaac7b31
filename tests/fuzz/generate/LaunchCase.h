//===- LaunchCase.h - What a kernel is launched with ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_LAUNCHCASE_H
#define TILEIRAS_FUZZ_LAUNCHCASE_H

#include "Types.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace tileiras::fuzz {

struct Buffer {
  std::string name;
  Element element;
  std::vector<uint8_t> contents; ///< before the launch
  bool isCompared = false;       ///< its contents after the launch are a result
};

struct Parameter {
  std::string buffer;             ///< a pointer into this buffer; empty: a number
  Element element = Element::I32; ///< of the number
  uint64_t bits = 0;              ///< the number, or the offset into the buffer in bytes
};

/// Everything about a launch but the kernel. Its text is the launch description that `ptx-emulator --launch` reads
/// (see its README), where `compare` names the buffers that hold results.
struct LaunchCase {
  std::string entry;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::vector<Buffer> buffers;
  std::vector<Parameter> parameters;

  const Buffer *findBuffer(llvm::StringRef name) const;
  std::string toJson() const;
  /// Reads a description as the emulator does; `file` is where the text comes from.
  static llvm::Expected<LaunchCase> fromJson(llvm::StringRef text, const std::string &file = "launch.json");
  static llvm::Expected<LaunchCase> load(const std::string &file);
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_LAUNCHCASE_H
