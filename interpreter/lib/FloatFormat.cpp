//===- FloatFormat.cpp - Floating-point numbers of every format -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include <cmath>
#include <memory>
#include <mutex>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace tileiras::interpreter {

APFloat decode(Type type, uint64_t bits) {
  return APFloat(getSemantics(type), APInt(type.getIntOrFloatBitWidth(), bits));
}

uint64_t encode(const APFloat &value) {
  if (value.isNaN())
    return APFloat::getQNaN(value.getSemantics()).bitcastToAPInt().getZExtValue();
  return value.bitcastToAPInt().getZExtValue();
}

uint64_t getCanonicalNaN(Type type) {
  return encode(APFloat::getQNaN(getSemantics(type)));
}

llvm::RoundingMode getRounding(cuda_tile::RoundingMode mode) {
  switch (mode) {
  case cuda_tile::RoundingMode::ZERO:
  case cuda_tile::RoundingMode::NEAREST_INT_TO_ZERO:
    return llvm::RoundingMode::TowardZero;
  case cuda_tile::RoundingMode::NEGATIVE_INF:
    return llvm::RoundingMode::TowardNegative;
  case cuda_tile::RoundingMode::POSITIVE_INF:
    return llvm::RoundingMode::TowardPositive;
  case cuda_tile::RoundingMode::NEAREST_AWAY:
    return llvm::RoundingMode::NearestTiesToAway;
  case cuda_tile::RoundingMode::NEAREST_EVEN:
  case cuda_tile::RoundingMode::APPROX:
  case cuda_tile::RoundingMode::FULL:
    return llvm::RoundingMode::NearestTiesToEven;
  }
  llvm_unreachable("all modes are handled");
}

uint64_t roundTo(Type type, APFloat value, llvm::RoundingMode rounding) {
  if (value.isNaN()) // APFloat makes an infinity of f8E8M0FNU's.
    return getCanonicalNaN(type);
  bool losesInfo = false;
  value.convert(getSemantics(type), rounding, &losesInfo);
  return encode(value);
}

uint64_t roundTo(Type type, double value) {
  if (type.isF32())
    return bitsOf(static_cast<float>(value));
  if (type.isF64())
    return bitsOf(value);
  return roundTo(type, APFloat(value));
}

namespace {

double toDoubleExactly(Type type, uint64_t bits) {
  APFloat value = decode(type, bits);
  if (value.isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// The number behind each code of a format of at most 16 bits.
const double *getNumbers(Type type) {
  static std::mutex mutex;
  static llvm::SmallDenseMap<const llvm::fltSemantics *, std::unique_ptr<double[]>> tables;
  std::lock_guard lock(mutex);
  std::unique_ptr<double[]> &table = tables[&getSemantics(type)];
  if (!table) {
    size_t codes = size_t(1) << type.getIntOrFloatBitWidth();
    table = std::make_unique<double[]>(codes);
    for (size_t code = 0; code < codes; ++code)
      table[code] = toDoubleExactly(type, code);
  }
  return table.get();
}

} // namespace

double toDouble(Type type, uint64_t bits) {
  if (type.isF32())
    return asFloat(bits);
  if (type.isF64())
    return asDouble(bits);
  return toDoubleExactly(type, bits);
}

std::vector<double> toDoubles(const Tile &tile) {
  std::vector<double> numbers(tile.size());
  if (tile.width() <= 16) {
    const double *table = getNumbers(tile.elementType);
    for (auto [number, bits] : llvm::zip_equal(numbers, tile.elements))
      number = table[bits];
    return numbers;
  }
  for (auto [number, bits] : llvm::zip_equal(numbers, tile.elements))
    number = toDouble(tile.elementType, bits);
  return numbers;
}

bool isNaN(Type type, uint64_t bits) {
  if (type.isF32())
    return std::isnan(asFloat(bits));
  if (type.isF64())
    return std::isnan(asDouble(bits));
  return decode(type, bits).isNaN();
}

uint64_t flushToZero(Type type, uint64_t bits) {
  APFloat value = decode(type, bits);
  return value.isDenormal() ? encode(APFloat::getZero(value.getSemantics(), value.isNegative())) : bits;
}

double getUlp(Type type, double value) {
  const llvm::fltSemantics &semantics = getSemantics(type);
  int precision = APFloat::semanticsPrecision(semantics);
  int exponent = APFloat::semanticsMinExponent(semantics);
  if (value != 0 && std::isfinite(value))
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - precision + 1);
}

double getUnitRoundoff(Type type) {
  return std::ldexp(1.0, -static_cast<int>(APFloat::semanticsPrecision(getSemantics(type))));
}

} // namespace tileiras::interpreter
