//===- PackedBytes.h - Four bytes a register --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of bytes without taking them apart, and their conversions to wider numbers. All functions give null where
// they have nothing better than an element at a time: for scalars, for vectors that fill no words of 32 bits.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_PACKEDBYTES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_PACKEDBYTES_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

enum class ShiftKind : uint8_t { Left, RightUnsigned, RightSigned };

/// A vector of i8, each shifted by `amount` bits, any number.
mlir::Value emitByteShift(Emitter &emit, ShiftKind kind, mlir::Value bytes, uint64_t amount);

/// Sum or difference of vectors of i8, modulo 256.
mlir::Value emitByteSum(Emitter &emit, mlir::Value a, mlir::Value b);
mlir::Value emitByteDifference(Emitter &emit, mlir::Value a, mlir::Value b);

/// The halves of the bytes of a vector of i8, the lower one first, as twice as many bytes.
mlir::Value emitHalfBytes(Emitter &emit, mlir::Value bytes);

/// A vector of i8 as floats of type `to`: f16, bf16 or f32, which hold all of them exactly. Such conversions of one
/// element have a fourth of the rate of other instructions, or less.
mlir::Value emitFloatsOfBytes(Emitter &emit, const LoweringContext &lowering, mlir::Value bytes, mlir::Type to,
                              bool isSigned);

/// Codes of e4m3, e5m2 or e2m1 (one a byte), a vector of i8, as floats of type `to`: f16, bf16 or f32, which hold all
/// of them exactly.
mlir::Value emitWidenedBytes(Emitter &emit, const LoweringContext &lowering, mlir::Value bytes, mlir::Type from,
                             mlir::Type to);

/// A vector of f32, or of f16, as codes of e4m3 or e5m2: nearest even, saturated.
mlir::Value emitNarrowedBytes(Emitter &emit, const LoweringContext &lowering, mlir::Value floats, mlir::Type to);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_PACKEDBYTES_H
