//===- LayoutRelations.h - Operations and layout assignment -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations and layout assignment tell each other through the interfaces of LayoutInterfaces.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_LAYOUTRELATIONS_H
#define TILEIRAS_DIALECT_TILEAS_LAYOUTRELATIONS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "tileiras/Layout/LinearLayout.h"
#include "llvm/ADT/Hashing.h"
#include <unordered_map>

namespace tileiras::as {

class ProductOpInterface;
class ShapeLayoutOpInterface;

/// A tensor that threads hold in registers, whether it has its layout yet or not.
bool isTile(mlir::Value value);

/// What an access to memory would like: where neighbours in memory are and how wide an access may be.
struct AccessPattern {
  mlir::RankedTensorType tile;
  std::optional<unsigned> contiguousDim; ///< neighbours along it are neighbours in memory
  unsigned elementBytes = 1;             ///< in memory, at least 1
  unsigned maxVectorBytes = 16;          ///< as far as alignment and bounds are known
  int64_t minElements = 1;               ///< along contiguousDim that one thread has to hold together
};

struct TileAccess {
  mlir::Operation *op = nullptr;
  mlir::Value tile; ///< in whose layout the access runs: what it loads or stores, or the pointers
  AccessPattern pattern;
  bool isLoad = false;
  /// It may run in another layout than the tile has elsewhere; pointers have to be where they are computed.
  bool mayMove = false;
};

/// Whoever assigns layouts is told this by one operation after the other. Values that are no tiles, or are made anew
/// for each user, are ignored.
class LayoutRelations {
public:
  virtual ~LayoutRelations();

  /// The tiles, of one shape, share one layout.
  virtual void tie(mlir::ValueRange tiles) = 0;
  /// The tiles, of one shape, had better have one layout: `from` will be converted to that of `to`.
  virtual void prefer(mlir::Value from, mlir::Value to) = 0;
  /// `source` and `result` had better have layouts between which `op` moves nothing.
  virtual void derive(ShapeLayoutOpInterface op, mlir::Value source, mlir::Value result) = 0;
  virtual void addAccess(const TileAccess &access) = 0;
  virtual void addProduct(ProductOpInterface product) = 0;
  /// An operation that is good in one layout only. Products go before it, accesses after.
  virtual void want(mlir::Value tile, mlir::Attribute layout) = 0;
};

/// One attribute for each layout: of equal ones the first that became known.
class LayoutEncoder {
public:
  explicit LayoutEncoder(mlir::MLIRContext *context) : context(context) {}

  mlir::Attribute encode(const LinearLayout &layout);
  /// `attribute` is to stand for `layout`, unless another one does.
  void add(const LinearLayout &layout, mlir::Attribute attribute) { known.try_emplace(layout, attribute); }

private:
  struct Hash {
    size_t operator()(const LinearLayout &layout) const { return hash_value(layout); }
  };
  mlir::MLIRContext *context;
  std::unordered_map<LinearLayout, mlir::Attribute, Hash> known;
};

/// The layouts of the tiles around one operation: those chosen for them, until the operation has adapted them.
struct OpLayouts {
  OpLayouts(mlir::Operation *op, LayoutEncoder &encoder);

  /// Null for what is no tile. The operation may set an operand's to null: any layout will do.
  llvm::SmallVector<mlir::Attribute> operands, results;
  /// Operands that are made for this operation: any layout costs nothing.
  llvm::SmallVector<bool> isFree;

  mlir::Operation *getOperation() const { return op; }
  LinearLayout getOperandLayout(unsigned i) const;
  LinearLayout getResultLayout(unsigned i) const;
  mlir::Attribute encode(const LinearLayout &layout) { return encoder.encode(layout); }

  /// Of the operand that is the value's first use in the operation, or of the result.
  void set(mlir::Value tile, mlir::Attribute layout);
  void takeAnyOperands();
  /// Every tile around the operation in one layout.
  void setAll(mlir::Attribute layout);

private:
  mlir::Operation *op;
  LayoutEncoder &encoder;
};

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_LAYOUTRELATIONS_H
