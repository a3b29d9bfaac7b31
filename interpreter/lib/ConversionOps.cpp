//===- ConversionOps.cpp - Conversions ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Evaluation.h"
#include "FloatFormat.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace tileiras::cuda_tile;
using llvm::APFloat;

namespace tileiras::interpreter {

static Type getElementType(Value value) {
  return cast<TileType>(value.getType()).getElementType();
}

/// The same bits under another type.
static Tile withElementType(Tile tile, Type elementType) {
  tile.elementType = elementType;
  return tile;
}

static LogicalResult evaluate(BitcastOp op, Evaluation &evaluation) {
  evaluation.set(op, withElementType(evaluation.tile(op.getSource()), op.getType().getElementType()));
  return success();
}

static LogicalResult evaluate(ExtIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getFrom());
  Type to = op.getTo().getType().getElementType();
  const unsigned from = a.width(), width = getElementWidth(to);
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  evaluation.set(op, mapElements(to, a, [&](uint64_t x) {
                   return isSigned ? truncate(static_cast<uint64_t>(signExtend(x, from)), width) : x;
                 }));
  return success();
}

//===----------------------------------------------------------------------===//
// ftof
//===----------------------------------------------------------------------===//

/// An f8E8M0FNU is 2^(code - 127), or NaN. Infinities have no place in it and become NaN; what is not positive becomes
/// the smallest number.
static uint64_t convertToE8M0(const APFloat &value, llvm::RoundingMode rounding) {
  constexpr uint64_t kNaN = 0xff, kLargest = 0xfe;
  if (!value.isFinite())
    return kNaN;
  if (value.isZero() || value.isNegative())
    return 0;
  int exponent = 0;
  APFloat fraction = frexp(value, exponent, llvm::RoundingMode::NearestTiesToEven); // [0.5, 1)
  --exponent;
  const APFloat half(value.getSemantics(), "0.5"), middle(value.getSemantics(), "0.75");
  const bool isPower = fraction.compare(half) == APFloat::cmpEqual;
  switch (rounding) {
  case llvm::RoundingMode::TowardPositive:
    exponent += !isPower;
    break;
  case llvm::RoundingMode::NearestTiesToEven:
  case llvm::RoundingMode::NearestTiesToAway: // A power of two has no even neighbour: halfway goes up.
    exponent += fraction.compare(middle) != APFloat::cmpLessThan;
    break;
  default:
    break;
  }
  return std::clamp<int64_t>(exponent + 127, 0, kLargest);
}

/// Formats of 8 and 4 bits saturate, as PTX's cvt.satfinite: what is too large, or infinite, becomes the largest
/// number.
static uint64_t convertSaturating(Type to, APFloat value, llvm::RoundingMode rounding) {
  const llvm::fltSemantics &semantics = getSemantics(to);
  const bool isNegative = value.isNegative();
  const APFloat largest = APFloat::getLargest(semantics, isNegative);
  if (value.isNaN()) // f4E2M1FN has none: its largest number.
    return APFloat::semanticsHasNaN(semantics) ? getCanonicalNaN(to) : encode(APFloat::getLargest(semantics));
  // In a format that has both numbers exactly.
  APFloat limit = largest, number = value;
  bool losesInfo = false;
  for (APFloat *wide : {&limit, &number})
    wide->convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &losesInfo);
  const APFloat::cmpResult order = number.compare(limit);
  if (order == APFloat::cmpEqual || order == (isNegative ? APFloat::cmpLessThan : APFloat::cmpGreaterThan))
    return encode(largest);
  return roundTo(to, value, rounding);
}

static LogicalResult evaluate(FToFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getFrom());
  Type from = a.elementType, to = op.getTo().getType().getElementType();
  const llvm::RoundingMode rounding = getRounding(op.getRoundingMode());
  Tile result;
  if (from.isF32() && to.isF64()) {
    result = mapElements(to, a, [](uint64_t x) { return bitsOf(static_cast<double>(asFloat(x))); });
  } else if (isa<Float8E8M0FNUType>(to)) {
    result = mapElements(to, a, [&](uint64_t x) { return convertToE8M0(decode(from, x), rounding); });
  } else if (getElementWidth(to) <= 8) {
    result = mapElements(to, a, [&](uint64_t x) { return convertSaturating(to, decode(from, x), rounding); });
  } else if (to.isF32() && getElementWidth(from) < 32) {
    const std::vector<double> numbers = toDoubles(a);
    result = Tile(to, a.shape);
    for (auto [bits, number] : llvm::zip_equal(result.elements, numbers))
      bits = bitsOf(static_cast<float>(number)); // exact
  } else {
    result = mapElements(to, a, [&](uint64_t x) { return roundTo(to, decode(from, x), rounding); });
  }
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(FToIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getFrom());
  Type to = op.getTo().getType().getElementType();
  const unsigned width = getElementWidth(to);
  const bool isUnsigned = op.getSignedness() == Signedness::Unsigned;
  Tile result(to, a.shape);
  for (size_t i = 0; i < a.size(); ++i) {
    APFloat value = decode(a.elementType, a[i]);
    if (value.isInfinity() && !op.getSaturating())
      return evaluation.undefined(op) << "element " << formatIndex(a.shape, i) << " is infinite";
    llvm::APSInt integer(width, isUnsigned);
    bool isExact = false;
    value.convertToInteger(integer, llvm::RoundingMode::TowardZero, &isExact); // saturates; NaN gives 0
    result.elements[i] = integer.getZExtValue();
  }
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(IntToPtrOp op, Evaluation &evaluation) {
  evaluation.set(op, withElementType(evaluation.tile(op.getSource()), getElementType(op.getResult())));
  return success();
}

static LogicalResult evaluate(IToFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getFrom());
  Type to = op.getTo().getType().getElementType();
  const unsigned width = a.width();
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  const llvm::RoundingMode rounding = getRounding(op.getRoundingMode());
  evaluation.set(op, mapElements(to, a, [&](uint64_t x) {
                   if (isa<Float8E8M0FNUType, Float4E2M1FNType>(to)) {
                     // These lack a sign, a zero or a NaN; converted as floating-point numbers are.
                     APFloat exact(APFloat::IEEEquad());
                     exact.convertFromAPInt(llvm::APInt(width, x), isSigned, rounding);
                     return isa<Float8E8M0FNUType>(to) ? convertToE8M0(exact, rounding)
                                                       : convertSaturating(to, exact, rounding);
                   }
                   APFloat value = APFloat::getZero(getSemantics(to));
                   value.convertFromAPInt(llvm::APInt(width, x), isSigned, rounding);
                   return encode(value);
                 }));
  return success();
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Bits in a row, cut differently: element i begins at bit i times its width.
static Tile repack(const Tile &source, TileType type) {
  Tile result(type);
  const unsigned from = source.width(), to = result.width();
  for (size_t bit = 0, bits = source.size() * from; bit < bits;) {
    // As much as neither element's end is in between; widths are powers of two.
    const unsigned step = std::min(from, to);
    uint64_t part = truncate(source[bit / from] >> (bit % from), step);
    result.elements[bit / to] |= part << (bit % to);
    bit += step;
  }
  return result;
}

static LogicalResult evaluate(PackOp op, Evaluation &evaluation) {
  evaluation.set(op, repack(evaluation.tile(op.getSource()), op.getType()));
  return success();
}

static LogicalResult evaluate(PtrToIntOp op, Evaluation &evaluation) {
  evaluation.set(op, withElementType(evaluation.tile(op.getSource()), getElementType(op.getResult())));
  return success();
}

static LogicalResult evaluate(PtrToPtrOp op, Evaluation &evaluation) {
  evaluation.set(op, withElementType(evaluation.tile(op.getSource()), getElementType(op.getResult())));
  return success();
}

static LogicalResult evaluate(TruncIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getFrom());
  Type to = op.getTo().getType().getElementType();
  const unsigned from = a.width(), width = getElementWidth(to);
  const auto flags = static_cast<unsigned>(op.getOverflow());
  for (size_t i = 0; flags && i < a.size(); ++i) {
    const uint64_t kept = truncate(a[i], width);
    const bool wrapsSigned = truncate(static_cast<uint64_t>(signExtend(kept, width)), from) != a[i];
    if (((flags & static_cast<unsigned>(IntegerOverflow::NSW)) && wrapsSigned) ||
        ((flags & static_cast<unsigned>(IntegerOverflow::NUW)) && kept != a[i]))
      return evaluation.undefined(op) << "element " << formatIndex(a.shape, i) << ", "
                                      << formatElement(a.elementType, a[i]) << ", loses bits";
  }
  evaluation.set(op, mapElements(to, a, [&](uint64_t x) { return truncate(x, width); }));
  return success();
}

static LogicalResult evaluate(UnpackOp op, Evaluation &evaluation) {
  evaluation.set(op, repack(evaluation.tile(op.getSource()), op.getType()));
  return success();
}

void registerConversionOps(OperationTable &table) {
  table.addElementwise<BitcastOp, ExtIOp, FToFOp, FToIOp, IntToPtrOp, IToFOp, PtrToIntOp, PtrToPtrOp, TruncIOp>(
      OperationTable::kExact);
  table.add<PackOp, UnpackOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
