//===- Raster.cpp - The order in which tile blocks are visited -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raster.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileiras::cluster {

/// Sides of the squares of Hilbert's curve: 2^3.
constexpr unsigned kHilbertOrder = 3, kHilbertSide = 1u << kHilbertOrder;

std::optional<Raster> Raster::parse(StringRef text) {
  if (text == "row")
    return Raster{Row};
  if (text == "hilbert")
    return Raster{Hilbert};
  Raster raster{Group};
  if (text.consume_front("group-m:") && !text.getAsInteger(10, raster.height) && raster.height > 0)
    return raster;
  return std::nullopt;
}

namespace {

using Position = std::pair<Value, Value>;

/// Arithmetic on numbers of `bits` bits: a grid may have more than 2^32 tile blocks.
class RasterEmitter {
public:
  RasterEmitter(OpBuilder &builder, Location location, unsigned bits)
      : builder(builder), location(location), type(builder.getIntegerType(bits)) {}

  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, location, type, value); }
  Value widen(Value value) { return arith::ExtUIOp::create(builder, location, type, value); }
  Value narrow(Value value) { return arith::TruncIOp::create(builder, location, builder.getI32Type(), value); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, location, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(builder, location, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, location, a, b); }
  Value div(Value a, Value b) { return arith::DivUIOp::create(builder, location, a, b); }
  Value rem(Value a, Value b) { return arith::RemUIOp::create(builder, location, a, b); }
  Value isBelow(Value a, Value b) { return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, a, b); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, location, condition, a, b);
  }
  Value atLeastOne(Value a) { return arith::MaxUIOp::create(builder, location, a, constant(1)); }
  Value bit(Value value, unsigned number) {
    Value shifted = arith::ShRUIOp::create(builder, location, value, constant(number));
    return arith::AndIOp::create(builder, location, shifted, constant(1));
  }
  Value isSet(Value bit) {
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, bit, constant(0));
  }

  /// Numbers of 32 bits take half of the registers that a warp which loads has few of: a grid with more tile blocks
  /// than that is visited in rows.
  Position emitGroup(Value x, Value y, Value width, Value depth, unsigned height) {
    auto total = arith::MulUIExtendedOp::create(builder, location, width, depth);
    Value isSmall = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, total.getHigh(), constant(0));
    Value number = add(mul(y, width), x), ofGroup = atLeastOne(mul(constant(height), depth));
    Value group = div(number, ofGroup), inGroup = rem(number, ofGroup);
    Value first = mul(group, constant(height));
    Value size = atLeastOne(arith::MinUIOp::create(builder, location, sub(width, first), constant(height)));
    return {select(isSmall, add(first, rem(inGroup, size)), x), select(isSmall, div(inGroup, size), y)};
  }

  /// Position `index` of the curve through a square, from the lowest pair of bits up: what there is so far is mirrored
  /// and swapped as the quarter of the next larger square that it is in.
  Position emitCurve(Value index) {
    Value x = constant(0), y = constant(0);
    for (unsigned order = 0; order < kHilbertOrder; ++order) {
      Value high = bit(index, 2 * order + 1), low = bit(index, 2 * order);
      Value inColumn = high, inRow = arith::XOrIOp::create(builder, location, high, low);
      Value last = constant((int64_t(1) << order) - 1);
      Value isMirrored = isSet(inColumn), isUpright = isSet(inRow);
      // Quarters in the first row have x and y swapped, the second of them is mirrored, too.
      Value mirroredX = select(isMirrored, sub(last, x), x), mirroredY = select(isMirrored, sub(last, y), y);
      Value newX = select(isUpright, x, mirroredY), newY = select(isUpright, y, mirroredX);
      Value side = constant(int64_t(1) << order);
      x = add(newX, mul(inColumn, side));
      y = add(newY, mul(inRow, side));
    }
    return {x, y};
  }

  Position emitHilbert(Value number, Value width, Value depth) {
    const Value side = constant(kHilbertSide), area = constant(kHilbertSide * kHilbertSide);
    Value columns = div(width, side), rows = div(depth, side);
    Value coveredWidth = mul(columns, side), coveredDepth = mul(rows, side);
    Value square = div(number, area);
    auto [inX, inY] = emitCurve(rem(number, area));
    Value squareX = rem(square, atLeastOne(columns)), squareY = div(square, atLeastOne(columns));
    Value x = add(mul(squareX, side), inX), y = add(mul(squareY, side), inY);
    // Beside the squares, then below them.
    Value covered = mul(coveredWidth, coveredDepth), rest = sub(number, covered);
    Value besideWidth = sub(width, coveredWidth), beside = mul(besideWidth, depth);
    Value besideX = add(coveredWidth, rem(rest, atLeastOne(besideWidth))), besideY = div(rest, atLeastOne(besideWidth));
    Value below = sub(rest, beside);
    Value belowX = rem(below, atLeastOne(coveredWidth)),
          belowY = add(coveredDepth, div(below, atLeastOne(coveredWidth)));
    Value isBeside = isBelow(rest, beside), isCovered = isBelow(number, covered);
    return {select(isCovered, x, select(isBeside, besideX, belowX)),
            select(isCovered, y, select(isBeside, besideY, belowY))};
  }

private:
  OpBuilder &builder;
  Location location;
  Type type;
};

} // namespace

std::pair<Value, Value> Raster::emitVisit(OpBuilder &builder, Location location, Value x, Value y, Value width,
                                          Value depth) const {
  if (kind == Row)
    return {x, y};
  if (kind == Group)
    return RasterEmitter(builder, location, /*bits=*/32).emitGroup(x, y, width, depth, height);
  RasterEmitter emit(builder, location, /*bits=*/64);
  Value wideWidth = emit.widen(width), wideDepth = emit.widen(depth);
  Value wideX = emit.widen(x);
  Value number = emit.add(emit.mul(emit.widen(y), wideWidth), wideX);
  auto [newX, newY] = emit.emitHilbert(number, wideWidth, wideDepth);
  return {emit.narrow(newX), emit.narrow(newY)};
}

} // namespace tileiras::cluster
