//===- ConstantReader.h - The constants of a bytecode file ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant is a buffer of elements in little-endian order, one element for all when it holds just one. Its type is
// that of its use. Two encodings of i1 exist: packed (least significant bit first, all-equal is one byte 0x00 or 0xff)
// and one byte an element (all-equal is one byte 0 or 1). The size tells them apart, except for the single byte 0x01 as
// 2 to 8 elements: packed it is [1, 0, ...], unpacked all ones. Such a use follows the other i1 constants of the file,
// and is packed when they do not tell either.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_CONSTANTREADER_H
#define TILEIRAS_LIB_BYTECODE_CONSTANTREADER_H

#include "ByteReader.h"
#include "Format.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras::bytecode {

class ConstantReader {
public:
  llvm::LogicalResult initialize(ByteReader section, uint64_t fileSize);

  /// Reads the index of a constant that is used with `type`, a tile of numbers. Sets `isOpen` when the encoding of the
  /// value is not known yet; the caller then defers its user.
  llvm::LogicalResult read(ByteReader &reader, mlir::Type type, mlir::DenseElementsAttr &value, bool &isOpen);

  /// The value of attribute `name` of `op` is open.
  void defer(mlir::Operation *op, llvm::StringRef name) { deferred.push_back({op, name}); }

  /// Settles the values that were open. To be called when the whole file has been read.
  void finish();

private:
  struct Value {
    mlir::DenseElementsAttr attribute;
    bool isOpen = false;
  };

  llvm::LogicalResult decode(ByteReader &reader, uint64_t start, llvm::ArrayRef<uint8_t> raw, mlir::ShapedType type,
                             mlir::DenseElementsAttr &value);
  llvm::LogicalResult decodeI1(ByteReader &reader, uint64_t start, llvm::ArrayRef<uint8_t> raw, mlir::ShapedType type,
                               Value &value);

  llvm::SmallVector<llvm::ArrayRef<uint8_t>, 0> buffers;
  llvm::DenseMap<std::pair<mlir::Type, uint64_t>, Value> cache;
  uint64_t budget = 0; ///< bytes that may still be copied
  bool sawPacked = false, sawUnpacked = false;
  llvm::SmallVector<std::pair<mlir::Operation *, llvm::StringRef>> deferred;
};

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_CONSTANTREADER_H
