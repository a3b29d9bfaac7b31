//===- MemoryInstructions.h - Loads, stores and atomics of one thread -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_MEMORYINSTRUCTIONS_H
#define TILEIRAS_LOWERING_MEMORYINSTRUCTIONS_H

#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// What an access says besides its address.
struct AccessQualifiers {
  aa::MemSemantic semantic = aa::MemSemantic::Weak;
  std::optional<aa::MemScope> scope;
  aa::CacheModifier cache = aa::CacheModifier::None;
  aa::EvictionPolicy evict = aa::EvictionPolicy::None;

  /// Nothing that LLVM's own load and store cannot say.
  bool isPlain() const {
    return semantic == aa::MemSemantic::Weak && cache == aa::CacheModifier::None && evict == aa::EvictionPolicy::None;
  }
};

/// Where there are no clusters, their CTAs are any CTAs of the GPU.
inline std::optional<aa::MemScope> getHardwareScope(const LoweringContext &lowering,
                                                    std::optional<aa::MemScope> scope) {
  return scope == aa::MemScope::Cluster && !lowering.features().cluster ? aa::MemScope::GPU : scope;
}

template <typename OpTy>
AccessQualifiers getQualifiers(const LoweringContext &lowering, OpTy op) {
  return {op.getMemSemantic(), getHardwareScope(lowering, op.getMemScope()), op.getCache(), op.getEvict()};
}

/// The type an element has in memory: an i1 is a byte.
mlir::Type getMemoryType(const LLVMTileTypeConverter &converter, mlir::Type element);

/// Where an access begins. Elements of four bits lie two in a byte: an access is either to an even number of them, from
/// the low half of a byte on, or to one.
struct ElementAddress {
  mlir::Value pointer;
  mlir::Value half = {};   ///< to one element of four bits: an i32, 0 or 1, which half of the byte; else null
  bool sharesByte = false; ///< others may be writing to the other half at the same time
};

/// Loads `count` contiguous elements (in all 1 to 16 bytes, a power of two) from an address aligned to their size.
/// Where `predicate` (null: always) is false nothing is read and the result is `other`: null for undefined, else one
/// value for each element. Returns `count` scalars as they are in registers.
llvm::SmallVector<mlir::Value> emitLoad(Emitter &emit, const LLVMTileTypeConverter &converter,
                                        const AccessQualifiers &qualifiers, mlir::Type element, unsigned count,
                                        const ElementAddress &address, mlir::Value predicate, mlir::ValueRange other);

/// Stores register scalars to contiguous memory where `predicate` is true.
void emitStore(Emitter &emit, const LLVMTileTypeConverter &converter, const AccessQualifiers &qualifiers,
               mlir::Type element, mlir::ValueRange values, const ElementAddress &address, mlir::Value predicate);

/// `.global`, or nothing for a generic address.
std::string getPtxSpace(mlir::Value pointer);

/// `.relaxed.gpu`, `.acquire.sys`, …; a weak atomic is a relaxed one of the GPU.
std::string getPtxOrder(aa::MemSemantic semantic, std::optional<aa::MemScope> scope);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_MEMORYINSTRUCTIONS_H
