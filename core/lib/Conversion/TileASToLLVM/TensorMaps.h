//===- TensorMaps.h - Tensor maps in global memory --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_TENSORMAPS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_TENSORMAPS_H

#include "mlir/IR/Types.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Lowering/SymbolNames.h"
#include <optional>

namespace tileiras {

// The slots of a module: an array of maps, and a word for each multiprocessor with a bit for each of its slots. CTAs
// that run at the same time on one multiprocessor are at most 32; one that finds no slot there (its multiprocessor has
// been taken away from others for a while, or has a number beyond these) tries the next one's.
inline constexpr int64_t kSlotGroups = 160, kSlotsPerGroup = 32;
/// Symbols: `i8[kSlotGroups · kSlotsPerGroup · maps_per_slot · kTensorMapBytes]` and `i32[kSlotGroups]`.
inline std::string getTensorMapsName() {
  return makeInternalSymbol("tensor_maps");
}
inline std::string getTensorMapSlotsName() {
  return makeInternalSymbol("tensor_map_slots");
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

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_TENSORMAPS_H
