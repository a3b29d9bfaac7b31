//===- Access.h - Elements in memory, checked -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_ACCESS_H
#define TILEIRAS_INTERPRETER_LIB_ACCESS_H

#include "Evaluation.h"
#include "TileBlock.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras::interpreter {

/// A place in memory: an address in bytes, and which half of the byte for elements of half a byte.
struct Place {
  uint64_t address = 0;
  unsigned half = 0;
};

/// The accesses of one operation to elements of one type. Whatever the specification forbids is reported.
class ElementAccess {
public:
  ElementAccess(mlir::Operation *op, Evaluation &evaluation, mlir::Type elementType)
      : op(op), evaluation(evaluation), elementType(elementType),
        bytes(llvm::divideCeil(getStorageBits(elementType), 8)) {}

  /// Says that the accesses write; they are recorded as this operation's.
  void beginWrites() { evaluation.memory.setWriter({op, evaluation.tileBlock.id}); }

  /// `position` and `shape` name the element in messages.
  llvm::FailureOr<uint64_t> load(Place place, llvm::ArrayRef<int64_t> shape, size_t position) {
    const uint8_t *memory = access(place, shape, position);
    if (!memory)
      return llvm::failure();
    return readElement(elementType, memory, place.half);
  }

  double getBound(Place place) const { return evaluation.memory.getBound(place.address); }

  llvm::LogicalResult store(Place place, uint64_t bits, double bound, llvm::ArrayRef<int64_t> shape, size_t position) {
    uint8_t *memory = access(place, shape, position);
    if (!memory)
      return llvm::failure();
    if (evaluation.memory.isProtected(place.address))
      return evaluation.undefined(op) << "writes a constant global";
    evaluation.memory.changes += writeElement(elementType, memory, place.half, bits);
    evaluation.memory.recordWrite(place.address, bytes, bound);
    return llvm::success();
  }

  /// One of the elements that an operation stores at once, without atomicity: none may want another value at its place.
  llvm::LogicalResult storeOnce(Place place, uint64_t bits, double bound, llvm::ArrayRef<int64_t> shape,
                                size_t position) {
    auto [known, isNew] = stored.try_emplace({place.address, place.half}, bits, position);
    const auto [otherBits, other] = known->second;
    if (!isNew && otherBits != bits)
      return evaluation.undefined(op) << "elements " << formatIndex(shape, other) << " and "
                                      << formatIndex(shape, position) << " store different values to 0x"
                                      << llvm::utohexstr(place.address, /*LowerCase=*/true)
                                      << "; which of them stays is unspecified";
    return store(place, bits, bound, shape, position);
  }

private:
  uint8_t *access(Place place, llvm::ArrayRef<int64_t> shape, size_t position) {
    uint8_t *memory = evaluation.memory.access(place.address, bytes);
    if (!memory)
      evaluation.undefined(op) << "element " << formatIndex(shape, position) << " accesses "
                               << evaluation.memory.explain(place.address, bytes);
    else if (place.address % getStorageAlignment(elementType) != 0) {
      evaluation.undefined(op) << "element " << formatIndex(shape, position) << " accesses "
                               << "0x" << llvm::utohexstr(place.address, /*LowerCase=*/true)
                               << ", which is not aligned to " << getStorageAlignment(elementType) << " bytes";
      return nullptr;
    }
    return memory;
  }

  mlir::Operation *op;
  Evaluation &evaluation;
  mlir::Type elementType;
  unsigned bytes;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, std::pair<uint64_t, size_t>> stored; ///< bits and element, by place
};

/// What an atomic operation leaves in memory that held `old`.
uint64_t combineAtomically(cuda_tile::AtomicRMWMode mode, mlir::Type elementType, uint64_t old, uint64_t argument);

/// How far that can be off when the operands are off by `oldBound` and `argumentBound`.
double getAtomicBound(cuda_tile::AtomicRMWMode mode, mlir::Type elementType, uint64_t result, double oldBound,
                      double argumentBound);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_ACCESS_H
