//===- TableWriters.h - Tables of a bytecode file ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strings, types and constants of a file get their indices in the order of their first use.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_TABLEWRITERS_H
#define TILEIRAS_LIB_BYTECODE_TABLEWRITERS_H

#include "ByteWriter.h"
#include "OpTable.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tileiras::bytecode {

/// What all parts of a writer share: the version, and the operation that errors are about.
struct WriterContext {
  BytecodeVersion version;
  mlir::Operation *current = nullptr;

  mlir::InFlightDiagnostic error() const { return current->emitOpError(); }
  /// Emits an error unless `since` is in the version that is written.
  llvm::LogicalResult require(BytecodeVersion since, const llvm::Twine &what) const;
};

class StringWriter {
public:
  uint64_t index(llvm::StringRef string);
  void write(ByteWriter &section) const;

private:
  llvm::StringMap<uint64_t> indices;
  llvm::SmallVector<llvm::StringRef, 0> strings; ///< keys of `indices`
};

class TypeWriter {
public:
  explicit TypeWriter(WriterContext &context) : context(context) {}

  /// Writes the index of `type`.
  llvm::LogicalResult write(ByteWriter &writer, mlir::Type type);
  void writeSection(ByteWriter &section) const;

private:
  llvm::LogicalResult encode(ByteWriter &entry, mlir::Type type);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::PointerType pointer);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::TileType tile);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::TensorViewType tensor);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::PartitionViewType view);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::StridedViewType view);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, cuda_tile::GatherScatterViewType view);
  llvm::LogicalResult encodeParameters(ByteWriter &entry, mlir::FunctionType function);
  llvm::LogicalResult encodePtrFlag(ByteWriter &entry, mlir::Attribute ptrAttr);

  WriterContext &context;
  llvm::DenseMap<mlir::Type, uint64_t> indices;
  llvm::SmallVector<ByteWriter, 0> entries;
};

class ConstantWriter {
public:
  uint64_t index(mlir::DenseElementsAttr value);
  bool empty() const { return entries.empty(); }
  void write(ByteWriter &section) const;

private:
  llvm::DenseMap<mlir::Attribute, uint64_t> indices;
  llvm::SmallVector<ByteWriter, 0> entries;
};

/// Writes the offset table of entries that are still in their writers.
template <typename Index>
void writeEntries(ByteWriter &section, llvm::ArrayRef<ByteWriter> entries) {
  section.writeOffsetTable<Index>(llvm::map_to_vector(entries, [](const ByteWriter &entry) { return entry.str(); }));
}

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_TABLEWRITERS_H
