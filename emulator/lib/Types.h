//===- Types.h - The scalar and packed types PTX instructions name -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TYPES_H
#define PTX_EMULATOR_TYPES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxemu {

/// A type as written in an instruction (".f32") or a declaration.
enum class Type : uint8_t {
  None,
  Pred,
  B1,
  B8,
  B16,
  B32,
  B64,
  B128,
  U2,
  U4,
  U8,
  U16,
  U32,
  U64,
  S2,
  S4,
  S8,
  S16,
  S32,
  S64,
  U16x2,
  S16x2,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  E4M3,
  E5M2,
  E2M1,
  E2M3,
  E3M2,
  UE8M0,
  UE4M3,
  E4M3x2,
  E5M2x2,
  E2M1x2,
  E2M3x2,
  E3M2x2,
  UE8M0x2,
  E4M3x4,
  E5M2x4,
  E2M1x4,
  E2M3x4,
  E3M2x4,
  B6x16_P32,
  B4x16_P64,
  B8x16,
};

/// ".f32" → F32; nothing for a modifier that is not a type.
std::optional<Type> parseType(std::string_view modifier);
/// The spelling with its dot.
std::string_view typeName(Type);
/// Bits of a value of the type; a predicate counts 1.
unsigned bitWidth(Type);
inline unsigned byteSize(Type t) {
  return (bitWidth(t) + 7) / 8;
}
bool isSignedInteger(Type);
bool isUnsignedInteger(Type);
bool isBits(Type);
bool isFloat(Type); ///< f16, bf16, tf32, f32, f64 and the packed forms of these

enum class Rounding : uint8_t { NearestEven, TowardZero, Down, Up, NearestAway, Stochastic };

enum class Space : uint8_t { Generic, Global, Const, Param, Local, Shared, SharedCluster };
std::string_view spaceName(Space);

} // namespace ptxemu

#endif // PTX_EMULATOR_TYPES_H
