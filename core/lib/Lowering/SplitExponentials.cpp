//===- SplitExponentials.cpp - Exponentials by two units ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SplitExponentials.h"
#include "tileiras/Lowering/ScalarArithmetic.h"

using namespace mlir;

namespace tileiras {

/// 2^f - 1 over f, for f in [0, 1): the greatest error of the polynomial relative to 2^f is least. From the highest
/// power.
constexpr double kPolynomial[] = {0x1.e974fap-10, 0x1.277856p-7, 0x1.c91ce6p-5, 0x1.ebdb56p-3, 0x1.62e4bap-1};

namespace {

/// Powers of two by multiplications, of elements beside each other.
class Multiplied {
public:
  Multiplied(Emitter &emit, const LoweringContext &lowering) : emit(emit), lowering(lowering) {}

  SmallVector<Value> compute(ArrayRef<Value> exponents) {
    count = exponents.size();
    // What is out of range is what the ends give. NaN stays.
    constexpr double least = -127, most = 128;
    SmallVector<Value> x = llvm::map_to_vector(
        exponents, [&](Value exponent) { return limit("min", limit("max", exponent, least), most); });
    // Beside this number the last bit of the mantissa is 1: the lowest bits hold the exponent of the power, biased.
    constexpr double unit = 0x1.8p23, bias = 127;
    SmallVector<Value> biased = call("add.rm", {x, numbers(unit + bias)});
    SmallVector<Value> floor = call("add.rn", {biased, numbers(-unit - bias)});
    SmallVector<Value> rest = call("sub.rn", {x, floor});
    SmallVector<Value> mantissa = numbers(kPolynomial[0]);
    for (double coefficient : llvm::drop_begin(kPolynomial))
      mantissa = call("fma.rn", {mantissa, rest, numbers(coefficient)});
    mantissa = call("fma.rn", {mantissa, rest, numbers(1)});
    // Its exponent field alone is a power of two, or zero, or infinity.
    SmallVector<Value> power = llvm::map_to_vector(biased, [&](Value value) {
      constexpr unsigned mantissaBits = 23;
      return emit.bitcast(emit.shl(emit.bitcast(value, emit.i32()), mantissaBits), emit.f32());
    });
    return call("mul.rn", {mantissa, power});
  }

private:
  /// The `extremum` of `value` and `bound`, or NaN.
  Value limit(StringRef extremum, Value value, double bound) {
    if (lowering.features().fmaBf16)
      return emitPtxInstruction(emit, extremum + ".NaN.f32", emit.f32(), {value, number(bound)});
    const auto isBeyond = extremum == "max" ? LLVM::FCmpPredicate::olt : LLVM::FCmpPredicate::ogt;
    return emit.select(emit.fcmp(isBeyond, value, number(bound)), number(bound), value);
  }
  Value number(double value) { return emit.constantFloat(emit.f32(), value); }
  SmallVector<Value> numbers(double value) { return SmallVector<Value>(count, number(value)); }
  SmallVector<Value> call(StringRef opcode, ArrayRef<SmallVector<Value>> operands) {
    return emitF32Arithmetic(emit, lowering, opcode, operands);
  }

  Emitter &emit;
  const LoweringContext &lowering;
  size_t count = 0; ///< of elements
};

} // namespace

SmallVector<Value> emitSplitExp2(Emitter &emit, const LoweringContext &lowering, ArrayRef<Value> elements) {
  const size_t ofUnit = lowering.tuning().exponentialsOfUnit, multiplied = lowering.tuning().multipliedExponentials;
  SmallVector<Value> results;
  while (!elements.empty()) {
    for (Value element : elements.take_front(ofUnit))
      results.push_back(emitPtxInstruction(emit, "ex2.approx.ftz.f32", emit.f32(), element));
    elements = elements.drop_front(std::min(ofUnit, elements.size()));
    if (elements.size() < multiplied)
      continue;
    llvm::append_range(results, Multiplied(emit, lowering).compute(elements.take_front(multiplied)));
    elements = elements.drop_front(multiplied);
  }
  return results;
}

} // namespace tileiras
