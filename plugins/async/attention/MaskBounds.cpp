//===- MaskBounds.cpp - From where on a mask matters -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums of 32-bit numbers wrap. What is computed here, in 64 bits, does not; so a form is the value of a sum if it lies
// within 32 bits, whatever its parts do. That holds for all elements of both sides where it holds for the smallest on
// the left and the largest on the right, which is tested for the first iteration and true for the others.
//
//===----------------------------------------------------------------------===//

#include "MaskBounds.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// Factors below it, and few terms, keep all that is computed within 64 bits.
constexpr int64_t kMostFactor = int64_t(1) << 20;
constexpr size_t kMostTerms = 16;

struct FormRange {
  LinearForm lower, upper;
};

LinearForm scaleForm(LinearForm form, int64_t by) {
  form.factor *= by;
  form.constant *= by;
  for (auto &[value, number] : form.terms)
    number *= by;
  return form;
}

LinearForm addForms(LinearForm a, const LinearForm &b) {
  a.factor += b.factor;
  a.constant += b.constant;
  a.terms.append(b.terms);
  return a;
}

LinearForm subtractForms(const LinearForm &a, const LinearForm &b) {
  return addForms(a, scaleForm(b, -1));
}

bool staysSmall(const LinearForm &form) {
  auto isBelow = [](int64_t number) { return number < kMostFactor && number > -kMostFactor; };
  return isBelow(form.factor) && isBelow(form.constant >> 20) && form.terms.size() <= kMostTerms &&
         llvm::all_of(form.terms, [&](auto &term) { return isBelow(term.second); });
}

class RangeFinder {
public:
  explicit RangeFinder(scf::ForOp loop) : loop(loop) {}

  std::optional<FormRange> find(Value value) {
    if (!getElementTypeOrSelf(value).isInteger(32))
      return std::nullopt;
    std::optional<FormRange> range = value == loop.getInductionVar() ? exactly({1, 0, {}}) : findDefined(value);
    if (!range && !isa<RankedTensorType>(value.getType()) && loop.isDefinedOutsideOfLoop(value))
      range = exactly({0, 0, {{value, 1}}});
    return range && staysSmall(range->lower) && staysSmall(range->upper) ? range : std::nullopt;
  }

private:
  static FormRange exactly(const LinearForm &form) { return {form, form}; }

  std::optional<FormRange> findDefined(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    llvm::APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return exactly({0, number.getSExtValue(), {}});
    if (isa<as::SplatOp>(op) || repeatsElements(op))
      return find(op->getOperand(0));
    return llvm::TypeSwitch<Operation *, std::optional<FormRange>>(op)
        .Case([&](as::MakeRangeOp range) {
          const int64_t count = cast<RankedTensorType>(range.getType()).getNumElements();
          return FormRange{{}, {0, count - 1, {}}};
        })
        .Case([&](arith::AddIOp) { return combine(op, 1); })
        .Case([&](arith::SubIOp) { return combine(op, -1); })
        .Case([&](arith::MulIOp) { return multiply(op); })
        .Default([](Operation *) { return std::nullopt; });
  }

  std::optional<FormRange> combine(Operation *op, int64_t sign) {
    std::optional<FormRange> a = find(op->getOperand(0)), b = find(op->getOperand(1));
    if (!a || !b)
      return std::nullopt;
    return sign > 0 ? FormRange{addForms(a->lower, b->lower), addForms(a->upper, b->upper)}
                    : FormRange{subtractForms(a->lower, b->upper), subtractForms(a->upper, b->lower)};
  }

  std::optional<FormRange> multiply(Operation *op) {
    for (unsigned i : {0, 1}) {
      llvm::APInt number;
      if (!matchPattern(op->getOperand(i), m_ConstantInt(&number)) || number.abs().uge(kMostFactor))
        continue;
      std::optional<FormRange> other = find(op->getOperand(1 - i));
      if (!other)
        return std::nullopt;
      const int64_t by = number.getSExtValue();
      const LinearForm lower = scaleForm(other->lower, by), upper = scaleForm(other->upper, by);
      return by < 0 ? FormRange{upper, lower} : FormRange{lower, upper};
    }
    return std::nullopt;
  }

  scf::ForOp loop;
};

Value emitNumber(OpBuilder &builder, Location location, int64_t value) {
  return arith::ConstantIntOp::create(builder, location, builder.getI64Type(), value);
}

/// In i64, at the lower bound of the loop where the form has its variable.
Value emitForm(OpBuilder &builder, scf::ForOp loop, const LinearForm &form) {
  const Location location = loop.getLoc();
  Value sum = emitNumber(builder, location, form.constant);
  auto addTerm = [&](Value value, int64_t factor) {
    value = arith::ExtSIOp::create(builder, location, builder.getI64Type(), value);
    Value product = arith::MulIOp::create(builder, location, value, emitNumber(builder, location, factor));
    sum = arith::AddIOp::create(builder, location, sum, product);
  };
  for (auto [value, factor] : form.terms)
    addTerm(value, factor);
  if (form.factor != 0)
    addTerm(loop.getLowerBound(), form.factor);
  return sum;
}

} // namespace

bool repeatsElements(Operation *op) {
  return isa<ViewLikeOpInterface, as::BroadcastOp, as::ConvertLayoutOp>(op);
}

std::optional<MaskBound> findMaskBound(scf::ForOp loop, arith::CmpIOp mask) {
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = mask.getPredicate();
  const bool isSmallerLeft = predicate == Predicate::sle || predicate == Predicate::slt;
  if (!isSmallerLeft && predicate != Predicate::sge && predicate != Predicate::sgt)
    return std::nullopt;
  RangeFinder finder(loop);
  const std::optional<FormRange> left = finder.find(isSmallerLeft ? mask.getLhs() : mask.getRhs()),
                                 right = finder.find(isSmallerLeft ? mask.getRhs() : mask.getLhs());
  if (!left || !right || left->lower.factor < 0 || right->upper.factor > 0)
    return std::nullopt;
  MaskBound bound{subtractForms(left->upper, right->lower), left->lower, right->upper};
  if (predicate == Predicate::slt || predicate == Predicate::sgt)
    ++bound.excess.constant;
  if (bound.excess.factor <= 0 || !staysSmall(bound.excess))
    return std::nullopt;
  return bound;
}

Value emitMaskBound(OpBuilder &builder, scf::ForOp loop, const MaskBound &bound) {
  const Location location = loop.getLoc();
  LinearForm rest = scaleForm(bound.excess, -1);
  rest.factor = 0;
  // factor · variable ≤ rest
  Value last = arith::FloorDivSIOp::create(builder, location, emitForm(builder, loop, rest),
                                           emitNumber(builder, location, bound.excess.factor));
  Value first = arith::AddIOp::create(builder, location, last, emitNumber(builder, location, 1));
  Value fitsBelow =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sge, emitForm(builder, loop, bound.smallest),
                            emitNumber(builder, location, INT32_MIN));
  Value fitsAbove =
      arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sle, emitForm(builder, loop, bound.largest),
                            emitNumber(builder, location, INT32_MAX));
  Value fits = arith::AndIOp::create(builder, location, fitsBelow, fitsAbove);
  Value begin = arith::ExtSIOp::create(builder, location, builder.getI64Type(), loop.getLowerBound());
  return arith::SelectOp::create(builder, location, fits, first, begin);
}

} // namespace tileiras::async
