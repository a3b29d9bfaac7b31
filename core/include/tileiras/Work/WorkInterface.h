//===- WorkInterface.h - What an operation makes a CTA do -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of WorkInterface.td, and the one fact that it gives schedulers, slicing and register budgets: what an
// element of a result takes. Operations that have a structure say their work in `collectWork` (WorkCollector.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_WORK_WORKINTERFACE_H
#define TILEIRAS_WORK_WORKINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include <cstdint>
#include <optional>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileiras {

class WorkCollector;

/// What one element of an operation's result takes.
enum class ElementWork : uint8_t {
  Free,       ///< nothing at run time: another name, another type of the same bits
  Move,       ///< no arithmetic, but elements may change threads
  Integer,    ///< an ordinary instruction of the integer units; comparison, selection, minimum and maximum are, too
  Float,      ///< an ordinary instruction of f32 and smaller formats
  Double,     ///< an ordinary instruction of f64
  Conversion, ///< between number formats
  Narrowing,  ///< from f32 to formats of 16 bits
  Special,    ///< an instruction or a few of the unit for functions: exponentials, logarithms, reciprocal roots
  Division,   ///< a quotient or a root: a reciprocal, and steps that refine it
  Sequence,   ///< many instructions, whose registers nothing tells before: trigonometry, powers, integer division
};

/// A function, dear to compute again. All others are one instruction at most.
constexpr bool isCostly(ElementWork work) {
  return work == ElementWork::Special || work == ElementWork::Division || work == ElementWork::Sequence;
}

/// What `op` says by the interface; else what follows from its traits and types. Nothing if no single word says it, or
/// nothing is known of the operation.
std::optional<ElementWork> getElementWork(mlir::Operation *op);

/// The ordinary instruction for the element types of the first operand and the first result, what is no float counting
/// as an integer; nothing if there is no result.
std::optional<ElementWork> deriveElementWork(mlir::Operation *op);

/// Of a minimum or maximum of numbers of `type`, or of tiles of them.
ElementWork getMinMaxWork(mlir::Type type);

//===----------------------------------------------------------------------===//
// The traits of WorkInterface.td
//===----------------------------------------------------------------------===//

template <ElementWork Work>
struct ElementWorkIs {
  template <typename ConcreteType>
  class Impl : public mlir::OpTrait::TraitBase<ConcreteType, ElementWorkIs<Work>::template Impl> {
  public:
    static constexpr ElementWork kElementWork = Work;
  };
};

template <typename ConcreteType>
class WorkByTypes : public mlir::OpTrait::TraitBase<ConcreteType, WorkByTypes> {};

template <typename ConcreteType>
class WorkOfRegions : public mlir::OpTrait::TraitBase<ConcreteType, WorkOfRegions> {};

namespace detail {

void collectElements(mlir::Operation *op, WorkCollector &works, uint64_t times);
void collectRegions(mlir::Operation *op, WorkCollector &works, uint64_t times);

template <typename OpTy>
std::optional<ElementWork> getElementWorkOf(OpTy op) {
  if constexpr (requires { OpTy::kElementWork; })
    return OpTy::kElementWork;
  else if constexpr (OpTy::template hasTrait<WorkByTypes>())
    return deriveElementWork(op);
  else
    return std::nullopt;
}

template <typename OpTy>
void collectWorkOf(OpTy op, WorkCollector &works, uint64_t times) {
  if constexpr (OpTy::template hasTrait<WorkOfRegions>())
    collectRegions(op, works, times);
  else
    collectElements(op, works, times);
}

} // namespace detail
} // namespace tileiras

#include "tileiras/Work/WorkInterface.h.inc"

#endif // TILEIRAS_WORK_WORKINTERFACE_H
