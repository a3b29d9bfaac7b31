//===- TypeReader.h - The types of a bytecode file --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_TYPEREADER_H
#define TILEIRAS_LIB_BYTECODE_TYPEREADER_H

#include "ByteReader.h"
#include "OpTable.h"
#include "mlir/IR/Types.h"

namespace tileiras::bytecode {

/// Reads the varint of an enumeration and makes its attribute.
llvm::LogicalResult readEnum(ByteReader &reader, const EnumEncoding &encoding, BytecodeVersion version,
                             mlir::MLIRContext *context, mlir::Attribute &attribute);

/// The type section. A type is decoded when it is first asked for: types may refer to ones that come later.
class TypeReader {
public:
  TypeReader(mlir::MLIRContext *context, BytecodeVersion version) : context(context), version(version) {}

  llvm::LogicalResult initialize(ByteReader section);

  /// Reads the index of a type; `what` names the type's use.
  llvm::LogicalResult read(ByteReader &reader, mlir::Type &type, llvm::StringRef what);

  /// Reads the index of a type of class T.
  template <typename T>
  llvm::LogicalResult read(ByteReader &reader, T &type, llvm::StringRef what) {
    const uint64_t start = reader.offset();
    mlir::Type any;
    if (failed(read(reader, any, what)))
      return llvm::failure();
    type = llvm::dyn_cast<T>(any);
    if (!type)
      return reader.errorAt(start) << what << " must not be " << any;
    return llvm::success();
  }

private:
  llvm::LogicalResult decode(ByteReader entry, mlir::Type &type);
  llvm::LogicalResult decodePointer(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodeTile(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodeTensorView(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodePartitionView(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodeStridedView(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodeGatherScatterView(ByteReader &entry, mlir::Type &type);
  llvm::LogicalResult decodeFunction(ByteReader &entry, mlir::Type &type);
  /// Reads the flags word of the types whose only optional parameter is an enumeration.
  llvm::LogicalResult readFlag(ByteReader &entry, bool &present);

  mlir::MLIRContext *context;
  BytecodeVersion version;
  llvm::SmallVector<ByteReader, 0> entries;
  llvm::SmallVector<mlir::Type, 0> types; ///< null until decoded
  unsigned depth = 0;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_TYPEREADER_H
