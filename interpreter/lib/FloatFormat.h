//===- FloatFormat.h - Floating-point numbers of every format ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// APFloat knows all formats of the language and computes exactly with them. f32 and f64 are also the host's own: where
// an IEEE 754 operation rounds to nearest even, the host's result is the same and much faster.
//
// A result that is NaN is always the format's canonical quiet NaN: the language does not say which NaN comes out of
// an operation, and hardware does not carry payloads through.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_FLOATFORMAT_H
#define TILEIRAS_INTERPRETER_LIB_FLOATFORMAT_H

#include "tileiras-interpreter/Values.h"
#include "llvm/ADT/APFloat.h"
#include <bit>

namespace tileiras::interpreter {

inline bool isFloat(mlir::Type type) {
  return llvm::isa<mlir::FloatType>(type);
}

inline const llvm::fltSemantics &getSemantics(mlir::Type type) {
  return llvm::cast<mlir::FloatType>(type).getFloatSemantics();
}

llvm::APFloat decode(mlir::Type type, uint64_t bits);
uint64_t encode(const llvm::APFloat &value); ///< canonical if NaN
uint64_t getCanonicalNaN(mlir::Type type);

/// The IEEE rounding mode; approximate modes are computed with the best rounding there is, to nearest even.
llvm::RoundingMode getRounding(cuda_tile::RoundingMode mode);

/// `value` rounded to the format, as arithmetic does: what is too large becomes infinity, or NaN where there is none.
uint64_t roundTo(mlir::Type type, llvm::APFloat value,
                 llvm::RoundingMode rounding = llvm::RoundingMode::NearestTiesToEven);
uint64_t roundTo(mlir::Type type, double value);

/// Exact: double holds every number of every format.
double toDouble(mlir::Type type, uint64_t bits);

/// All elements as doubles.
std::vector<double> toDoubles(const Tile &tile);

bool isNaN(mlir::Type type, uint64_t bits);

/// A subnormal becomes the zero of its sign.
uint64_t flushToZero(mlir::Type type, uint64_t bits);

/// The distance from |value| to the next number of the format (the smallest subnormal for zero).
double getUlp(mlir::Type type, double value);

/// Half the distance from 1 to the next number: the largest relative error of one rounding to nearest.
double getUnitRoundoff(mlir::Type type);

inline float asFloat(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
inline double asDouble(uint64_t bits) {
  return std::bit_cast<double>(bits);
}
inline uint64_t bitsOf(float value) {
  return value != value ? 0x7fc00000 : std::bit_cast<uint32_t>(value);
}
inline uint64_t bitsOf(double value) {
  return value != value ? 0x7ff8000000000000 : std::bit_cast<uint64_t>(value);
}

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_FLOATFORMAT_H
