//===- Slices.h - Operations on slices of tiles -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of SliceInterfaces.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_SLICES_H
#define TILEIRAS_DIALECT_TILEAA_SLICES_H

#include "mlir/IR/OpDefinition.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileiras::aa {

enum class SliceKind : uint8_t {
  Free,      ///< made of nothing: constants, ranges
  Recompute, ///< computed for each use unless that adds up to too much; without effects
  Once,      ///< products, reductions, loads: computed in the loop of the only user, else kept
  Kept,      ///< always kept in memory
  Effect,    ///< runs in a loop of its own
  Whole,     ///< takes and gives uncut tiles
};

/// What `op` says by the interface. Otherwise elementwise operations without effects are `Recompute`, and all others
/// `Whole`.
SliceKind getSliceKind(mlir::Operation *op);

/// Attaches the interface to MLIR's own operations that make tiles of nothing.
void registerUpstreamSlices(mlir::DialectRegistry &registry);

template <SliceKind Kind>
struct SlicedAs {
  template <typename ConcreteType>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteType, SlicedAs<Kind>::template Impl> {
  public:
    static constexpr SliceKind kSliceKind = Kind;
  };
};

namespace detail {
template <typename OpTy>
SliceKind getSliceKindOf(OpTy) {
  if constexpr (requires { OpTy::kSliceKind; })
    return OpTy::kSliceKind;
  else
    return SliceKind::Whole;
}
} // namespace detail
} // namespace tileiras::aa

#include "tileiras/Dialect/TileAA/SliceInterfaces.h.inc"

#endif // TILEIRAS_DIALECT_TILEAA_SLICES_H
