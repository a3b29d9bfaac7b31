//===- TripCount.cpp - How often a loop runs ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TripCount.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value tileiras::createTripCount(OpBuilder &builder, scf::ForOp loop) {
  const Location location = loop.getLoc();
  const Type type = loop.getInductionVar().getType();
  const auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value one = arith::ConstantOp::create(builder, location, builder.getIntegerAttr(type, 1));
  Value zero = arith::ConstantOp::create(builder, location, builder.getIntegerAttr(type, 0));
  Value any = builder.createOrFold<arith::CmpIOp>(location, predicate, loop.getLowerBound(), loop.getUpperBound());
  Value span = builder.createOrFold<arith::SubIOp>(location, loop.getUpperBound(), loop.getLowerBound());
  Value before = builder.createOrFold<arith::SubIOp>(location, span, one);
  Value last = builder.createOrFold<arith::DivUIOp>(location, before, loop.getStep());
  return builder.createOrFold<arith::SelectOp>(location, any, builder.createOrFold<arith::AddIOp>(location, last, one),
                                               zero);
}
