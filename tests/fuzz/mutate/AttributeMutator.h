//===- AttributeMutator.h - Other attributes and types ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_ATTRIBUTEMUTATOR_H
#define TILEIRAS_FUZZ_ATTRIBUTEMUTATOR_H

#include "Random.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::fuzz {

/// Numbers at which something changes: powers of two, their neighbours, the ends of ranges.
uint64_t pickNumber(Random &random);
/// A type that elements of tiles may have.
mlir::Type pickElementType(mlir::MLIRContext *context, Random &random);

/// Another attribute of the same kind; `attribute` where nothing is known about its kind, null to remove it.
mlir::Attribute mutateAttribute(mlir::Attribute attribute, Random &random);
/// An attribute that an operation may have under this name; null if none is known.
mlir::Attribute createAttribute(mlir::MLIRContext *context, llvm::StringRef name, Random &random);

/// A tensor or a view with other sizes, strides, dimensions or padding; null if there is none.
mlir::Type mutateView(mlir::Type type, Random &random);

/// One change of all types alike, so that what fitted still fits: a type, of elements or of values, by another, or the
/// dimensions of one size by another.
struct TypeChange {
  mlir::Type from, to;              ///< null: no type
  int64_t fromSize = 0, toSize = 0; ///< 0: not the dimensions

  /// The types and attributes of a program. Null if there is no such type.
  mlir::Type apply(mlir::Type type) const;
  mlir::Attribute apply(mlir::Attribute attribute) const;
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_ATTRIBUTEMUTATOR_H
