//===- MmaTypes.cpp - Element values of matrix operands ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaTypes.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace ptxemu {

namespace {

double elementValue(Type t, uint32_t bits) {
  switch (t) {
  case Type::U8:
  case Type::U4:
  case Type::B1:
    return bits;
  case Type::S8:
    return static_cast<int8_t>(bits);
  case Type::S4:
    return static_cast<int8_t>(bits << 4) >> 4;
  default:
    return decodeFloat(bits, formatOf(t));
  }
}

/// Tables for types of at most 8 bits, made on first use.
const double *tableFor(Type t) {
  static std::mutex mutex;
  static std::map<Type, std::vector<double>> tables;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<double> &table = tables[t];
  if (table.empty())
    for (uint32_t bits = 0; bits < 1u << bitWidth(t); ++bits)
      table.push_back(elementValue(t, bits));
  return table.data();
}

} // namespace

ElementDecoder::ElementDecoder(Type t) {
  switch (t) {
  case Type::F16:
    kind = Kind::Half;
    return;
  case Type::BF16:
    kind = Kind::BFloat;
    return;
  case Type::TF32:
    kind = Kind::TFloat;
    return;
  case Type::F32:
    kind = Kind::Float;
    return;
  case Type::F64:
    kind = Kind::Double;
    return;
  default:
    if (bitWidth(t) > 8)
      throw std::logic_error("not a matrix element type");
    kind = Kind::Table;
    table = tableFor(t);
    mask = (1u << bitWidth(t)) - 1;
  }
}

double decodeAccumulator(Type t, uint64_t raw) {
  return t == Type::F32   ? fromRaw<float>(raw)
         : t == Type::F64 ? fromRaw<double>(raw)
         : t == Type::F16 ? halfToDouble(static_cast<uint16_t>(raw))
                          : static_cast<int32_t>(raw);
}

uint64_t encodeAccumulator(Type t, double v, bool saturate) {
  if (saturate && t != Type::S32) {
    constexpr double kMostHalf = 65504;
    const double most = t == Type::F16 ? kMostHalf : std::numeric_limits<float>::max();
    v = std::isnan(v) ? 0 : std::clamp(v, -most, most);
  }
  switch (t) {
  case Type::F32:
    return toRaw(canonical(static_cast<float>(v)));
  case Type::F64:
    return toRaw(v);
  case Type::F16:
    return encodeFloat(v, formatOf(Type::F16));
  default: {
    int64_t n = static_cast<int64_t>(v);
    if (saturate)
      n = std::clamp<int64_t>(n, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(n);
  }
  }
}

} // namespace ptxemu
