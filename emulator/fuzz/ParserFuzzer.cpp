//===- ParserFuzzer.cpp - Any bytes give a module or an error ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenMutator.h"
#include "ptx-emulator/Emulator.h"
#include <cstddef>
#include <cstdint>

/// Parses and decodes every entry: InputError is the only way to refuse.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    ptxemu::Module module = ptxemu::Module::parse({reinterpret_cast<const char *>(data), size});
    ptxemu::Device device;
    for (const std::string &entry : module.entries())
      device.load(module, entry);
  } catch (const ptxemu::InputError &) {
  }
  return 0;
}
