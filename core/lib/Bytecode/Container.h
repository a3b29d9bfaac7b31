//===- Container.h - Header and sections of a bytecode file -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_CONTAINER_H
#define TILEIRAS_LIB_BYTECODE_CONTAINER_H

#include "ByteReader.h"
#include "Format.h"
#include <array>

namespace tileiras::bytecode {

/// The sections of a file whose header was accepted.
struct Container {
  BytecodeVersion version;
  std::array<std::optional<ByteReader>, kNumSections> sections;

  std::optional<ByteReader> &operator[](SectionId id) { return sections[static_cast<size_t>(id)]; }
};

/// Reads the header and finds the sections. Their payloads are not looked at.
mlir::FailureOr<Container> readContainer(llvm::ArrayRef<uint8_t> bytes, mlir::Location file);

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_CONTAINER_H
