//===- Version.cpp - Versions of the Tile IR bytecode ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Bytecode/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tileiras;

static constexpr BytecodeVersion kSupported[] = {{13, 1}, {13, 2}, {13, 3}, {13, 4}};

llvm::ArrayRef<BytecodeVersion> BytecodeVersion::supported() {
  return kSupported;
}

BytecodeVersion BytecodeVersion::newest() {
  return supported().back();
}

bool BytecodeVersion::isSupported() const {
  return llvm::is_contained(kSupported, *this);
}

std::optional<BytecodeVersion> BytecodeVersion::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, '.');
  BytecodeVersion version;
  if (parts.size() < 2 || parts.size() > 3 || parts[0].getAsInteger(10, version.major) ||
      parts[1].getAsInteger(10, version.minor) || (parts.size() == 3 && parts[2].getAsInteger(10, version.tag)))
    return std::nullopt;
  return version;
}

std::string BytecodeVersion::str() const {
  std::string text = std::to_string(major) + "." + std::to_string(minor);
  return tag ? text + "." + std::to_string(tag) : text;
}
