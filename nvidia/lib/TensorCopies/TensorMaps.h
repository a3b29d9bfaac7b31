//===- TensorMaps.h - Tensor maps in global memory --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORCOPIES_TENSORMAPS_H
#define TILEIRAS_LIB_NVIDIA_TENSORCOPIES_TENSORMAPS_H

#include "mlir/IR/Types.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Lowering/SymbolNames.h"
#include <optional>

namespace tileiras {
class Emitter;

// The sets of a module: an array of maps, and a word for each multiprocessor with a bit for each of its sets. CTAs
// that run at the same time on one multiprocessor are at most 32; one that finds no set there (its multiprocessor has
// been taken away from others for a while, or has a number beyond these) tries the next one's.
inline constexpr int64_t kSetGroups = 160, kSetsPerGroup = 32, kSets = kSetGroups * kSetsPerGroup;

// After the sets: maps that are kept, of a kernel with the values of parameters that its maps are made of. Once
// built, they never change. An entry has a line of words: those values, zeros, and its state.
inline constexpr int64_t kKeptMaps = 1024, kKeyWords = 32;
/// Of a key: the lane of its state among the lanes that look at it, which have a word each.
inline constexpr unsigned kStateLane = kKeyWords - 1;
/// The state of an entry; of maps that may be used, kKeptFor and the number of the kernel.
enum KeptState { kFree, kBeingBuilt, kKeptFor };

/// Symbols: `i8[(kSets + kKeptMaps) · maps_per_set · kTensorMapBytes]`, `i32[kSetGroups]`, and
/// `i32[kKeptMaps · kKeyWords]`.
inline std::string getTensorMapsName() {
  return makeInternalSymbol("tensor_maps");
}
inline std::string getClaimedSetsName() {
  return makeInternalSymbol("tensor_map_slots");
}
inline std::string getTensorMapKeysName() {
  return makeInternalSymbol("tensor_map_keys");
}

// No tensor map describes an array without elements: it gets one whose only element is what is read outside of it, or
// which nobody reads.
enum EmptyArray { kEmptyArrayOfZero, kEmptyArrayOfNaN, kEmptyArrayToStore, kNumEmptyArrays };
inline constexpr int64_t kEmptyArrayBytes = 16;
inline std::string getEmptyArraysName() {
  return makeInternalSymbol("tensor_map_empty");
}

/// PTX ISA, "tensormap.replace": new_val of .elemtype.
enum class TensorMapElement : unsigned {
  U8 = 0,
  U16 = 1,
  U32 = 2,
  U64 = 4,
  F16 = 6,
  F32 = 7,
  F64 = 9,
  BF16 = 10,
  TF32 = 11
};
/// The element type of a map whose elements arrive as `element`; nothing if there is none.
std::optional<TensorMapElement> getTensorMapElement(mlir::Type element);

/// The address of one of these arrays.
mlir::Value emitAddressOf(Emitter &emit, const std::string &symbol);

/// Words of a key that a kernel's parameter of this type takes; nothing if it cannot be part of one.
std::optional<unsigned> getNumKeyWords(mlir::Type parameter);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORCOPIES_TENSORMAPS_H
