//===- DebugWriter.cpp - The debug section of a bytecode file -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugWriter.h"
#include "mlir/IR/Location.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

/// Whether the format has nothing for a location: a place in a file counts only within a debug scope.
static bool isUnknown(Attribute location) {
  return isa<UnknownLoc, FileLineColLoc>(location);
}

LogicalResult DebugWriter::check(Attribute location) {
  if (isUnknown(location) || isa<cuda_tile::DILocAttr>(location))
    return success();
  if (auto callSite = dyn_cast<CallSiteLoc>(location)) {
    // Call sites may share their parts: look at each once.
    if (!checked.insert(location).second)
      return success();
    return failure(failed(check(callSite.getCallee())) || failed(check(callSite.getCaller())));
  }
  StringRef kind = isa<FusedLoc>(location) ? "fused" : isa<NameLoc>(location) ? "named" : "this";
  return context.error() << "unsupported location: Tile IR bytecode cannot express a " << kind
                         << " location, only di_loc, call sites and unknown ones";
}

FailureOr<uint64_t> DebugWriter::addFunction(LocationAttr location) {
  if (failed(check(location)))
    return failure();
  if (isUnknown(location))
    return 0;
  functions.emplace_back().push_back(index(location));
  return functions.size();
}

LogicalResult DebugWriter::addOperation(uint64_t function, LocationAttr location) {
  if (failed(check(location)))
    return failure();
  if (function != 0)
    functions[function - 1].push_back(index(location));
  return success();
}

uint64_t DebugWriter::index(Attribute attribute) {
  if (isUnknown(attribute))
    return 0;
  if (auto it = indices.find(attribute); it != indices.end())
    return it->second;
  // What an attribute refers to gets its index first.
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](cuda_tile::DICompileUnitAttr unit) { index(unit.getFile()); })
      .Case([&](cuda_tile::DILexicalBlockAttr block) { index(block.getScope()), index(block.getFile()); })
      .Case([&](cuda_tile::DILocAttr location) { index(location.getScope()); })
      .Case([&](cuda_tile::DISubprogramAttr subprogram) {
        index(subprogram.getFile()), index(subprogram.getCompileUnit());
      })
      .Case([&](CallSiteLoc location) { index(location.getCallee()), index(location.getCaller()); });
  attributes.push_back(attribute);
  indices[attribute] = attributes.size();
  return attributes.size();
}

void DebugWriter::encode(ByteWriter &entry, Attribute attribute) {
  const auto writeAll = [&](DebugTag tag, std::initializer_list<uint64_t> numbers) {
    entry.writeVarint(static_cast<uint64_t>(tag));
    for (uint64_t number : numbers)
      entry.writeVarint(number);
  };
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](cuda_tile::DICompileUnitAttr unit) { writeAll(DebugTag::CompileUnit, {index(unit.getFile())}); })
      .Case([&](cuda_tile::DIFileAttr file) {
        writeAll(DebugTag::File, {strings.index(file.getName()), strings.index(file.getDirectory())});
      })
      .Case([&](cuda_tile::DILexicalBlockAttr block) {
        writeAll(DebugTag::LexicalBlock,
                 {index(block.getScope()), index(block.getFile()), block.getLine(), block.getColumn()});
      })
      .Case([&](cuda_tile::DILocAttr location) {
        FileLineColLoc source = location.getSourceLoc();
        writeAll(DebugTag::Location, {index(location.getScope()), strings.index(source.getFilename()), source.getLine(),
                                      source.getColumn()});
      })
      .Case([&](cuda_tile::DISubprogramAttr subprogram) {
        writeAll(DebugTag::Subprogram, {index(subprogram.getFile()), subprogram.getLine(),
                                        strings.index(subprogram.getName()), strings.index(subprogram.getLinkageName()),
                                        index(subprogram.getCompileUnit()), subprogram.getScopeLine()});
      })
      .Case([&](CallSiteLoc location) {
        writeAll(DebugTag::CallSite, {index(location.getCallee()), index(location.getCaller())});
      });
}

bool DebugWriter::write(ByteWriter &section) {
  if (functions.empty())
    return false;
  section.writeVarint(functions.size());
  section.padTo(4);
  uint32_t start = 0;
  for (const auto &locations : functions) {
    section.writeInteger(start);
    start += static_cast<uint32_t>(locations.size());
  }
  section.writeVarint(start);
  section.padTo(8);
  for (const auto &locations : functions)
    for (uint64_t location : locations)
      section.writeInteger(location);
  SmallVector<ByteWriter, 0> entries(attributes.size());
  for (auto [entry, attribute] : llvm::zip_equal(entries, attributes))
    encode(entry, attribute);
  writeEntries<uint32_t>(section, entries);
  return true;
}
