//===- DebugReader.h - The debug section of a bytecode file -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   function-count[varint] padding start[4]*function-count
//   index-count[varint] padding index[8]*index-count
//   offset table (4) of debug attributes
//
// A function that has locations owns the indices from its start to the next one's: the first is that of the function,
// the others those of its operations in the order in which they are encoded. Index 0 is the unknown location, index i
// the debug attribute i - 1. In the same way function 0 has no locations, function i is entry i - 1 of the table.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_DEBUGREADER_H
#define TILEIRAS_LIB_BYTECODE_DEBUGREADER_H

#include "AttributeReader.h"

namespace tileiras::bytecode {

class DebugReader {
public:
  /// With `placeUnknown`, what has no location in the source is located at its offset in the file, as a column of line
  /// 0, instead of nowhere.
  DebugReader(mlir::MLIRContext *context, StringReader &strings, bool placeUnknown)
      : context(context), strings(strings), placeUnknown(placeUnknown) {}

  llvm::LogicalResult initialize(ByteReader section);

  /// The function whose locations `next` gives; `start` is where its number stands in the file.
  llvm::LogicalResult enterFunction(ByteReader &reader, uint64_t start, uint64_t number);
  /// The next location of the function, that of what starts at `start`; errors are reported there.
  llvm::LogicalResult next(ByteReader &reader, uint64_t start, mlir::LocationAttr &location);
  /// The location of what starts at `start` and has none in the source.
  mlir::LocationAttr getUnknown(ByteReader &reader, uint64_t start) const;

private:
  /// Reads the index of a debug attribute of class T.
  template <typename T>
  llvm::LogicalResult read(ByteReader &entry, T &attribute, llvm::StringRef what);
  /// The debug attribute with this index; `reader` and `start` are its user.
  llvm::LogicalResult get(ByteReader &reader, uint64_t start, uint64_t index, mlir::Attribute &attribute);
  llvm::LogicalResult decode(ByteReader entry, mlir::Attribute &attribute, uint64_t &size);
  llvm::LogicalResult decodeLocation(ByteReader &entry, mlir::Attribute &attribute);
  llvm::LogicalResult decodeSubprogram(ByteReader &entry, mlir::Attribute &attribute);
  llvm::LogicalResult decodeLexicalBlock(ByteReader &entry, mlir::Attribute &attribute);
  llvm::LogicalResult decodeCallSite(ByteReader &entry, mlir::Attribute &attribute, uint64_t &size);
  llvm::LogicalResult readNumber(ByteReader &entry, unsigned &number, llvm::StringRef what);

  mlir::MLIRContext *context;
  StringReader &strings;
  bool placeUnknown;
  llvm::SmallVector<uint32_t, 0> functionStarts;
  llvm::SmallVector<uint64_t, 0> indices;
  llvm::SmallVector<ByteReader, 0> entries;
  llvm::SmallVector<mlir::Attribute, 0> attributes;        ///< null until decoded
  llvm::DenseMap<mlir::Attribute, uint64_t> callSiteSizes; ///< number of locations in a call-site tree
  llvm::ArrayRef<uint64_t> pending;                        ///< of the current function
  bool hasLocations = false;                               ///< of the current function
  unsigned depth = 0;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_DEBUGREADER_H
