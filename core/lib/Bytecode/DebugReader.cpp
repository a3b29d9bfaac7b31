//===- DebugReader.cpp - The debug section of a bytecode file -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugReader.h"
#include "mlir/IR/Location.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

LogicalResult DebugReader::initialize(ByteReader section) {
  uint64_t count;
  if (failed(section.readCount(count, "function count", 4)) || failed(section.skipPadding(4)))
    return failure();
  functionStarts.resize(count);
  for (uint32_t &start : functionStarts)
    if (failed(section.readInteger(start, "start of a function's locations")))
      return failure();

  const uint64_t countOffset = section.offset();
  if (failed(section.readCount(count, "location count", 8)) || failed(section.skipPadding(8)))
    return failure();
  indices.resize(count);
  for (uint64_t &index : indices)
    if (failed(section.readInteger(index, "location")))
      return failure();
  for (size_t i = 0; i < functionStarts.size(); ++i) {
    const uint64_t end = i + 1 < functionStarts.size() ? functionStarts[i + 1] : indices.size();
    if (functionStarts[i] > end)
      return section.errorAt(countOffset) << "the locations of function " << i + 1 << " start at " << functionStarts[i]
                                          << ", past their end at " << end;
  }
  if (failed(readOffsetTable(section, 4, "debug attribute", entries)))
    return failure();
  attributes.resize(entries.size());
  return success();
}

LogicalResult DebugReader::enterFunction(ByteReader &reader, uint64_t start, uint64_t number) {
  hasLocations = number != 0;
  if (!hasLocations)
    return success();
  if (number > functionStarts.size())
    return reader.errorAt(start) << "function " << number << " has no locations, there are only those of "
                                 << functionStarts.size();
  const uint64_t end = number < functionStarts.size() ? functionStarts[number] : indices.size();
  pending = ArrayRef(indices).slice(functionStarts[number - 1], end - functionStarts[number - 1]);
  return success();
}

LocationAttr DebugReader::getUnknown(ByteReader &reader, uint64_t start) const {
  if (!placeUnknown)
    return UnknownLoc::get(context);
  return FileLineColLoc::get(cast<FileLineColLoc>(reader.location()).getFilename(), 0, static_cast<unsigned>(start));
}

LogicalResult DebugReader::next(ByteReader &reader, uint64_t start, LocationAttr &location) {
  location = getUnknown(reader, start);
  if (!hasLocations)
    return success();
  if (pending.empty())
    return reader.errorAt(start) << "the function has more operations than locations";
  Attribute attribute;
  if (failed(get(reader, start, pending.consume_front(), attribute)))
    return failure();
  if (isa<UnknownLoc>(attribute))
    return success();
  location = dyn_cast<LocationAttr>(attribute);
  if (!location)
    return reader.errorAt(start) << "an operation's location must not be " << attribute;
  return success();
}

LogicalResult DebugReader::get(ByteReader &reader, uint64_t start, uint64_t index, Attribute &attribute) {
  if (index == 0) {
    attribute = UnknownLoc::get(context);
    return success();
  }
  if (index > entries.size())
    return reader.errorAt(start) << "debug attribute " << index << " does not exist, there are only " << entries.size();
  attribute = attributes[index - 1];
  if (attribute)
    return success();
  // Catches attributes that contain themselves, too.
  if (depth >= kMaxDebugDepth)
    return reader.errorAt(start) << "debug attributes are nested deeper than " << kMaxDebugDepth;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  uint64_t size = 1;
  if (failed(decode(entries[index - 1], attribute, size)))
    return failure();
  // Trees that share their parts are small in the file, but not to those who walk them.
  if (size > kMaxLocationSize)
    return reader.errorAt(start) << "a location has more than " << kMaxLocationSize << " call sites";
  if (size > 1)
    callSiteSizes[attribute] = size;
  attributes[index - 1] = attribute;
  return success();
}

template <typename T>
LogicalResult DebugReader::read(ByteReader &entry, T &attribute, StringRef what) {
  const uint64_t start = entry.offset();
  uint64_t index;
  Attribute any;
  if (failed(entry.readVarint(index, what)) || failed(get(entry, start, index, any)))
    return failure();
  attribute = dyn_cast<T>(any);
  if (!attribute)
    return entry.errorAt(start) << what << " must not be " << any;
  return success();
}

LogicalResult DebugReader::readNumber(ByteReader &entry, unsigned &number, StringRef what) {
  const uint64_t start = entry.offset();
  uint64_t value;
  if (failed(entry.readVarint(value, what)))
    return failure();
  if (value > UINT32_MAX)
    return entry.errorAt(start) << what << " " << value << " is out of range";
  number = static_cast<unsigned>(value);
  return success();
}

LogicalResult DebugReader::decode(ByteReader entry, Attribute &attribute, uint64_t &size) {
  const uint64_t start = entry.offset();
  uint64_t tag;
  if (failed(entry.readVarint(tag, "debug tag")))
    return failure();
  switch (static_cast<DebugTag>(tag <= UINT8_MAX ? tag : UINT8_MAX)) {
  case DebugTag::Unknown:
    attribute = UnknownLoc::get(context);
    return success();
  case DebugTag::CompileUnit: {
    cuda_tile::DIFileAttr file;
    if (failed(read(entry, file, "file of a compilation unit")))
      return failure();
    attribute = cuda_tile::DICompileUnitAttr::get(context, file);
    return success();
  }
  case DebugTag::File: {
    StringAttr name, directory;
    if (failed(strings.read(entry, name, "file name")) || failed(strings.read(entry, directory, "directory")))
      return failure();
    attribute = cuda_tile::DIFileAttr::get(context, name, directory);
    return success();
  }
  case DebugTag::LexicalBlock:
    return decodeLexicalBlock(entry, attribute);
  case DebugTag::Location:
    return decodeLocation(entry, attribute);
  case DebugTag::Subprogram:
    return decodeSubprogram(entry, attribute);
  case DebugTag::CallSite:
    return decodeCallSite(entry, attribute, size);
  }
  return entry.errorAt(start) << "unknown debug tag " << tag;
}

LogicalResult DebugReader::decodeLexicalBlock(ByteReader &entry, Attribute &attribute) {
  cuda_tile::DILocalScopeAttr scope;
  cuda_tile::DIFileAttr file;
  unsigned line, column;
  if (failed(read(entry, scope, "scope of a lexical block")) || failed(read(entry, file, "file of a lexical block")) ||
      failed(readNumber(entry, line, "line")) || failed(readNumber(entry, column, "column")))
    return failure();
  attribute = cuda_tile::DILexicalBlockAttr::get(context, scope, file, line, column);
  return success();
}

LogicalResult DebugReader::decodeLocation(ByteReader &entry, Attribute &attribute) {
  cuda_tile::DILocalScopeAttr scope;
  StringAttr file;
  unsigned line, column;
  if (failed(read(entry, scope, "scope of a location")) || failed(strings.read(entry, file, "file name")) ||
      failed(readNumber(entry, line, "line")) || failed(readNumber(entry, column, "column")))
    return failure();
  attribute = cuda_tile::DILocAttr::get(context, FileLineColLoc::get(context, file, line, column), scope);
  return success();
}

LogicalResult DebugReader::decodeSubprogram(ByteReader &entry, Attribute &attribute) {
  cuda_tile::DIFileAttr file;
  cuda_tile::DICompileUnitAttr compileUnit;
  StringAttr name, linkageName;
  unsigned line, scopeLine;
  if (failed(read(entry, file, "file of a subprogram")) || failed(readNumber(entry, line, "line")) ||
      failed(strings.read(entry, name, "name of a subprogram")) ||
      failed(strings.read(entry, linkageName, "linkage name")) ||
      failed(read(entry, compileUnit, "compilation unit of a subprogram")) ||
      failed(readNumber(entry, scopeLine, "scope line")))
    return failure();
  attribute = cuda_tile::DISubprogramAttr::get(context, file, line, name, linkageName, compileUnit, scopeLine);
  return success();
}

LogicalResult DebugReader::decodeCallSite(ByteReader &entry, Attribute &attribute, uint64_t &size) {
  LocationAttr callee, caller;
  if (failed(read(entry, callee, "callee location")) || failed(read(entry, caller, "caller location")))
    return failure();
  const auto sizeOf = [&](Attribute location) { return std::max<uint64_t>(callSiteSizes.lookup(location), 1); };
  size = 1 + sizeOf(callee) + sizeOf(caller);
  attribute = CallSiteLoc::get(callee, caller);
  return success();
}
