//===- TensorMaps.cpp - Tensor maps that a launch passes ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"
#include <algorithm>
#include <cstring>
#include <limits>

using namespace tileiras::launch;

static uint64_t truncate(uint64_t value, uint32_t bits) {
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

static int64_t signExtend(uint64_t value, uint32_t bits) {
  const uint32_t unused = 64 - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

namespace {

class Evaluator {
public:
  Evaluator(const KernelMetadata &kernel, const void *const *arguments) : kernel(kernel), arguments(arguments) {}

  uint64_t operator()(const Expression &expression) const {
    if (expression.kind == Expression::Number)
      return expression.value;
    if (expression.kind == Expression::Parameter)
      return readParameter(expression.value);
    const uint64_t a = truncate((*this)(expression.operands[0]), expression.bits);
    const uint64_t b = expression.operands.size() > 1 ? truncate((*this)(expression.operands[1]), expression.bits) : 0;
    const bool isLess = signExtend(a, expression.bits) < signExtend(b, expression.bits);
    switch (expression.kind) {
    case Expression::Add:
      return truncate(a + b, expression.bits);
    case Expression::Subtract:
      return truncate(a - b, expression.bits);
    case Expression::Multiply:
      return truncate(a * b, expression.bits);
    case Expression::SmallerSigned:
      return isLess ? a : b;
    case Expression::LargerSigned:
      return isLess ? b : a;
    case Expression::SmallerUnsigned:
      return std::min(a, b);
    case Expression::LargerUnsigned:
      return std::max(a, b);
    case Expression::SignExtend:
      return static_cast<uint64_t>(signExtend(a, expression.bits));
    default:
      return a;
    }
  }

private:
  uint64_t readParameter(size_t index) const {
    uint64_t value = 0;
    std::memcpy(&value, arguments[index], std::min<size_t>(kernel.parameters[index].bytes, sizeof value));
    return value;
  }

  const KernelMetadata &kernel;
  const void *const *arguments;
};

/// Sizes beyond 64 bits of sign are none.
bool isEmpty(const TensorMapMetadata &map, const Evaluator &evaluate) {
  return std::any_of(map.globalDim.begin(), map.globalDim.end(),
                     [&](const Expression &size) { return static_cast<int64_t>(evaluate(size)) <= 0; });
}

uint64_t getEmptyArray(const TensorMapMetadata &map, uint64_t emptyArrays) {
  constexpr uint64_t ofNaN = 16, toStore = 32;
  return emptyArrays + (map.isForStores ? toStore : map.oobFill != 0 ? ofNaN : 0);
}

template <typename Numbers>
std::string printAll(const Numbers &numbers, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return "(" + text + ")";
}

} // namespace

EmptyArrays tileiras::launch::getEmptyArrays() {
  EmptyArrays bytes{};
  std::fill_n(bytes.begin() + 16, 16, uint8_t{0xff});
  return bytes;
}

TensorMapArguments tileiras::launch::computeTensorMap(const KernelMetadata &kernel, const TensorMapMetadata &map,
                                                      const void *const *arguments, uint64_t emptyArrays) {
  // A stride that is legal, for a dimension of one element: the program's may be anything, and means nothing.
  constexpr uint64_t anyStride = 16;
  const Evaluator evaluate(kernel, arguments);
  const bool empty = isEmpty(map, evaluate);
  TensorMapArguments result{map.dataType, map.interleave, map.swizzle, map.l2Promotion, map.oobFill};
  result.rank = static_cast<uint32_t>(map.globalDim.size());
  result.globalAddress = empty ? getEmptyArray(map, emptyArrays) : evaluate(map.globalAddress);
  for (uint32_t d = 0; d < result.rank; ++d) {
    constexpr uint64_t most = std::numeric_limits<uint32_t>::max();
    result.globalDim[d] = empty ? 1 : std::min(evaluate(map.globalDim[d]), most);
    result.boxDim[d] = map.boxDim[d];
    result.elementStrides[d] = map.elementStrides[d];
    if (d != 0)
      result.globalStrides[d - 1] = result.globalDim[d] == 1 ? anyStride : evaluate(map.globalStrides[d - 1]);
  }
  return result;
}

bool tileiras::launch::needsEmptyArrays(const KernelMetadata &kernel, const void *const *arguments) {
  const Evaluator evaluate(kernel, arguments);
  return std::any_of(kernel.tensorMaps.begin(), kernel.tensorMaps.end(),
                     [&](const TensorMapMetadata &map) { return isEmpty(map, evaluate); });
}

std::string TensorMapArguments::print() const {
  return "address " + std::to_string(globalAddress) + ", sizes " + printAll(globalDim, rank) + ", strides " +
         printAll(globalStrides, rank - 1) + " bytes, box " + printAll(boxDim, rank);
}
