//===- Container.cpp - Header and sections of a bytecode file -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

static LogicalResult readHeader(ByteReader &reader, ArrayRef<uint8_t> bytes, BytecodeVersion &version) {
  if (bytes.take_front(sizeof(kMlirMagic)) == ArrayRef(kMlirMagic))
    return mlir::emitError(reader.location(), "failed to parse IR bytecode (it looks like MLIR bytecode instead)");
  if (bytes.take_front(sizeof(kMagic)) != ArrayRef(kMagic))
    return mlir::emitError(reader.location(), "input does not correspond to Tile IR bytecode");
  ArrayRef<uint8_t> magic;
  if (failed(reader.readBytes(sizeof(kMagic), magic, "magic number")) ||
      failed(reader.readByte(version.major, "major version")) ||
      failed(reader.readByte(version.minor, "minor version")) || failed(reader.readInteger(version.tag, "version tag")))
    return failure();
  if (version.isSupported())
    return success();
  mlir::InFlightDiagnostic error = reader.errorAt(sizeof(kMagic))
                                   << "unsupported Tile IR bytecode version " << version.str()
                                   << ", supported versions are "
                                   << llvm::join(llvm::map_range(BytecodeVersion::supported(),
                                                                 [](BytecodeVersion v) { return v.str(); }),
                                                 ", ");
  // How 13.5 encodes its operations has not been published.
  if (const BytecodeVersion newest = BytecodeVersion::newest(); version > newest)
    error.attachNote() << "what newer versions encode is not known here, and not guessed, even if this program has "
                          "nothing new: have the front end write "
                       << newest.str()
                       << " (an option --bytecode-version or bytecode_version; CUTILE_BYTECODE_VERSION=" << newest.str()
                       << " for cutile-rs)";
  return error;
}

/// The least alignment a section must declare.
static uint64_t requiredAlignment(SectionId id) {
  switch (id) {
  case SectionId::String:
  case SectionId::Type:
    return 4;
  case SectionId::Constant:
  case SectionId::Debug:
  case SectionId::Function:
    return 8;
  default:
    return 1;
  }
}

/// Reads one section into `container`; sets `atEnd` when it is the end marker.
static LogicalResult readSection(ByteReader &reader, Container &container, bool &atEnd) {
  const uint64_t start = reader.offset();
  uint8_t idAndAligned;
  if (failed(reader.readByte(idAndAligned, "section id")))
    return failure();
  const auto id = static_cast<SectionId>(idAndAligned & 0x7f);
  const bool aligned = idAndAligned & 0x80;
  atEnd = id == SectionId::End;
  if (atEnd) {
    if (aligned)
      return reader.errorAt(start) << "the end section must not be aligned";
    if (reader.remaining())
      return reader.error() << "end section is not the last section, " << reader.remaining() << " bytes follow";
    return success();
  }
  if (static_cast<unsigned>(id) >= kNumSections || (id == SectionId::Producer && container.version < k13_3))
    return reader.errorAt(start) << "unknown section ID " << static_cast<unsigned>(id) << " in version "
                                 << container.version.str();
  if (container[id])
    return reader.errorAt(start) << "section " << static_cast<unsigned>(id) << " appears twice";

  uint64_t length, alignment = 1;
  if (failed(reader.readVarint(length, "section length")))
    return failure();
  if (aligned) {
    const uint64_t alignmentOffset = reader.offset();
    if (failed(reader.readVarint(alignment, "section alignment")))
      return failure();
    if (!llvm::isPowerOf2_64(alignment))
      return reader.errorAt(alignmentOffset) << "section alignment " << alignment << " is not a power of two";
    if (failed(reader.skipPadding(alignment)))
      return failure();
  }
  if (alignment < requiredAlignment(id))
    return reader.errorAt(start) << "section " << static_cast<unsigned>(id) << " must be aligned to "
                                 << requiredAlignment(id) << " bytes, not " << alignment;
  mlir::FailureOr<ByteReader> payload = reader.sub(length, "section");
  if (failed(payload))
    return failure();
  container[id] = *payload;
  return success();
}

mlir::FailureOr<Container> tileiras::bytecode::readContainer(ArrayRef<uint8_t> bytes, mlir::Location file) {
  ByteReader reader(bytes, 0, file);
  Container container;
  if (failed(readHeader(reader, bytes, container.version)))
    return failure();
  for (bool atEnd = false; !atEnd;)
    if (failed(readSection(reader, container, atEnd)))
      return failure();
  for (auto [id, name] : {std::pair(SectionId::String, "string"), std::pair(SectionId::Function, "function")})
    if (!container[id])
      return reader.error() << "there is no " << name << " section";
  return container;
}
