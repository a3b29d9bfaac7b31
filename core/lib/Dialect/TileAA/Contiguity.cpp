//===- Contiguity.cpp - Which pointers of a tile are neighbours -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Contiguity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/Divisibility.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using aa::kMaxKnownDivisor;
using aa::TileFacts;

/// Definitions are followed this far.
static constexpr unsigned kMaxDepth = 100;
/// Loop-carried values that depend on each other are followed this far: the effort is exponential.
static constexpr unsigned kMaxAssumptions = 4;
/// Loads and stores of a thread move at most so many bytes.
static constexpr int64_t kMaxRunBytes = 16;

static SmallVector<int64_t> getShape(Value value) {
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    return SmallVector<int64_t>(tile.getShape());
  return {1};
}

/// By how much neighbours differ: 1 for integers, the bytes of an element for pointers; 0 for pointers to less than a
/// byte.
static int64_t getUnit(Value value) {
  auto pointer = dyn_cast<aa::PtrType>(getElementTypeOrSelf(value));
  if (!pointer)
    return 1;
  Type pointee = pointer.getPointeeType();
  if (isa<aa::PtrType>(pointee))
    return 8;
  unsigned bits = isa<FloatTF32Type>(pointee) ? 32 : pointee.getIntOrFloatBitWidth();
  return bits == 1 ? 1 : bits / 8;
}

static TileFacts getNothing(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> ones(shape.size(), 1);
  return {ones, ones, ones};
}

/// Every element is divisible by `divisor`, and all are equal.
static TileFacts getUniform(ArrayRef<int64_t> shape, int64_t divisor) {
  return {SmallVector<int64_t>(shape.size(), 1), SmallVector<int64_t>(shape.size(), divisor),
          SmallVector<int64_t>(shape)};
}

/// What divides the first elements of groups of `size` along `d`.
static int64_t getDivisorOfGroups(const TileFacts &facts, unsigned d, int64_t size, int64_t unit) {
  return facts.contiguity[d] <= size ? facts.divisor[d] : std::min(facts.divisor[d], size * std::max<int64_t>(unit, 1));
}

/// What divides every element.
static int64_t getDivisorOfAll(const TileFacts &facts, int64_t unit) {
  int64_t divisor = 1;
  for (unsigned d = 0; d < facts.divisor.size(); ++d)
    divisor = std::max(divisor, getDivisorOfGroups(facts, d, 1, unit));
  return divisor;
}

static TileFacts meet(const TileFacts &a, const TileFacts &b, int64_t unit) {
  TileFacts result = a;
  for (unsigned d = 0; d < a.divisor.size(); ++d) {
    int64_t size = result.contiguity[d] = std::min(a.contiguity[d], b.contiguity[d]);
    result.divisor[d] = std::min(getDivisorOfGroups(a, d, size, unit), getDivisorOfGroups(b, d, size, unit));
    result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// a + scale · b, or a - b. `unit` is that of the result. Integers may wrap around; no aligned group does in its
/// middle, and a group that is not aligned is of no use to anybody.
static TileFacts addFacts(const TileFacts &a, const TileFacts &b, bool isSubtraction, int64_t unit) {
  TileFacts result = a;
  for (unsigned d = 0; d < a.divisor.size(); ++d) {
    int64_t contiguity = std::min(a.contiguity[d], b.constancy[d]);
    if (!isSubtraction)
      contiguity = std::max(contiguity, std::min(a.constancy[d], b.contiguity[d]));
    // A pointer moves by elements, an integer by ones.
    int64_t divisorB = getDivisorOfGroups(b, d, contiguity, 1) * unit;
    result.contiguity[d] = contiguity;
    result.divisor[d] = std::min({kMaxKnownDivisor, getDivisorOfGroups(a, d, contiguity, unit), divisorB});
    result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }
  return result;
}

static TileFacts multiplyFacts(const TileFacts &a, const TileFacts &b) {
  TileFacts result = getNothing(a.divisor);
  int64_t divisor = std::min(kMaxKnownDivisor, getDivisorOfAll(a, 1) * getDivisorOfAll(b, 1));
  for (unsigned d = 0; d < a.divisor.size(); ++d) {
    result.divisor[d] = divisor;
    result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  }
  return result;
}

/// `below < bound` where `below` grows: aligned groups are wholly below an aligned bound or not at all.
static int64_t getComparisonConstancy(const TileFacts &below, const TileFacts &bound, unsigned d) {
  int64_t group = std::min(below.contiguity[d], bound.constancy[d]);
  return std::min({group, below.divisor[d], getDivisorOfGroups(bound, d, 1, 1)});
}

static TileFacts compareFacts(arith::CmpIPredicate predicate, const TileFacts &a, const TileFacts &b) {
  using Predicate = arith::CmpIPredicate;
  bool aGrows = llvm::is_contained({Predicate::slt, Predicate::ult, Predicate::sge, Predicate::uge}, predicate);
  bool bGrows = llvm::is_contained({Predicate::sgt, Predicate::ugt, Predicate::sle, Predicate::ule}, predicate);
  TileFacts result = getNothing(a.divisor);
  for (unsigned d = 0; d < a.divisor.size(); ++d) {
    result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
    if (aGrows)
      result.constancy[d] = std::max(result.constancy[d], getComparisonConstancy(a, b, d));
    if (bGrows)
      result.constancy[d] = std::max(result.constancy[d], getComparisonConstancy(b, a, d));
  }
  return result;
}

/// Nothing but equal operands giving equal results.
static TileFacts combineConstancy(const TileFacts &a, const TileFacts &b) {
  TileFacts result = getNothing(a.divisor);
  for (unsigned d = 0; d < a.divisor.size(); ++d)
    result.constancy[d] = std::min(a.constancy[d], b.constancy[d]);
  return result;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

static TileFacts broadcastFacts(const TileFacts &source, ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t unit) {
  TileFacts result = source;
  for (unsigned d = 0; d < to.size(); ++d) {
    if (from[d] == to[d])
      continue;
    result.contiguity[d] = 1;
    result.divisor[d] = getDivisorOfAll(source, unit);
    result.constancy[d] = to[d];
  }
  return result;
}

/// Where only dimensions of 1 come and go, the others keep what they know.
static TileFacts viewFacts(const TileFacts &source, ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t unit) {
  TileFacts result = getUniform(to, getDivisorOfAll(source, unit));
  auto isLong = [](int64_t extent) { return extent != 1; };
  bool isUniform = llvm::equal(source.constancy, from);
  if (!isUniform && !llvm::equal(llvm::make_filter_range(from, isLong), llvm::make_filter_range(to, isLong))) {
    result.constancy.assign(to.size(), 1);
    return result;
  }
  if (isUniform)
    return result;
  unsigned next = 0;
  for (unsigned d = 0; d < to.size(); ++d) {
    if (to[d] == 1)
      continue;
    while (from[next] == 1)
      ++next;
    result.contiguity[d] = source.contiguity[next];
    result.divisor[d] = source.divisor[next];
    result.constancy[d] = source.constancy[next];
    ++next;
  }
  return result;
}

static TileFacts permuteFacts(const TileFacts &source, ArrayRef<int32_t> permutation) {
  TileFacts result = source;
  for (auto [to, from] : llvm::enumerate(permutation)) {
    result.contiguity[to] = source.contiguity[from];
    result.divisor[to] = source.divisor[from];
    result.constancy[to] = source.constancy[from];
  }
  return result;
}

static TileFacts assumeFacts(TileFacts facts, aa::AssumeOp op) {
  if (auto same = dyn_cast<aa::SameElementsAttr>(op.getPredicate()))
    for (auto [constancy, stated] : llvm::zip(facts.constancy, same.getValues()))
      constancy = std::max(constancy, stated & -stated);
  auto divBy = dyn_cast<aa::DivByAttr>(op.getPredicate());
  if (!divBy)
    return facts;
  int64_t divisor = std::min<int64_t>(kMaxKnownDivisor, divBy.getDivisor() & -divBy.getDivisor());
  for (unsigned d = 0; d < facts.divisor.size(); ++d) {
    if (!divBy.getEvery()) {
      facts.divisor[d] = std::max(facts.divisor[d], divisor);
    } else if (d == *divBy.getAlong()) {
      // Every n-th element is a multiple, and those between grow by one. The parts of a group that is no power of two
      // do not begin with multiples.
      int64_t every = *divBy.getEvery();
      if (llvm::isPowerOf2_64(every) && every >= facts.contiguity[d]) {
        facts.contiguity[d] = every;
        facts.divisor[d] = std::max(facts.divisor[d], divisor);
      }
    }
  }
  return facts;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

const TileFacts &aa::ContiguityAnalysis::get(Value value) {
  if (auto it = assumed.find(value); it != assumed.end())
    return it->second;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  TileFacts facts = depth < kMaxDepth ? compute(value) : getNothing(getShape(value));
  return known.insert_or_assign(value, std::move(facts)).first->second;
}

/// Of a value that goes around a loop: what holds before it and is kept by the body.
TileFacts aa::ContiguityAnalysis::computeArgument(BlockArgument argument) {
  SmallVector<int64_t> shape = getShape(argument);
  auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || assumed.size() == kMaxAssumptions)
    return getNothing(shape);
  TileFacts facts = get(loop.getTiedLoopInit(argument)->get());
  Value next = loop.getTiedLoopYieldedValue(argument)->get();
  while (true) {
    ContiguityAnalysis body;
    body.depth = depth;
    body.assumed = assumed;
    body.assumed.insert_or_assign(argument, facts);
    TileFacts kept = meet(facts, body.get(next), getUnit(argument));
    if (kept == facts)
      return facts;
    facts = std::move(kept);
  }
}

TileFacts aa::ContiguityAnalysis::compute(Value value) {
  SmallVector<int64_t> shape = getShape(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (isa<RankedTensorType>(value.getType()))
      return computeArgument(argument);
    return getUniform(shape, getKnownDivisor(value));
  }
  if (!isa<RankedTensorType>(value.getType()))
    return getUniform(shape, isa<FloatType>(value.getType()) ? 1 : getKnownDivisor(value));
  // `get` may move what it has returned before.
  auto of = [&](Value operand) { return TileFacts(get(operand)); };
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return getUniform(shape, std::min<int64_t>(kMaxKnownDivisor, int64_t(1) << std::min(constant.countr_zero(), 10u)));
  return TypeSwitch<Operation *, TileFacts>(value.getDefiningOp())
      .Case([&](aa::MakeRangeOp) {
        return TileFacts{shape, {kMaxKnownDivisor}, {1}};
      })
      .Case([&](aa::SplatOp op) { return getUniform(shape, of(op.getSource()).divisor.front()); })
      .Case([&](aa::BroadcastOp op) {
        return broadcastFacts(of(op.getSource()), getShape(op.getSource()), shape, getUnit(value));
      })
      .Case<aa::ViewOp, aa::ExpandDimsOp>(
          [&](auto op) { return viewFacts(of(op.getSource()), getShape(op.getSource()), shape, getUnit(value)); })
      .Case([&](aa::PermuteOp op) { return permuteFacts(of(op.getSource()), op.getPermutation()); })
      .Case([&](aa::AddPtrOp op) {
        return addFacts(of(op.getBase()), of(op.getOffset()), /*isSubtraction=*/false, getUnit(value));
      })
      .Case([&](arith::AddIOp op) { return addFacts(of(op.getLhs()), of(op.getRhs()), /*isSubtraction=*/false, 1); })
      .Case([&](arith::SubIOp op) { return addFacts(of(op.getLhs()), of(op.getRhs()), /*isSubtraction=*/true, 1); })
      .Case([&](arith::MulIOp op) { return multiplyFacts(of(op.getLhs()), of(op.getRhs())); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>([&](auto op) { return of(op.getIn()); })
      .Case([&](arith::CmpIOp op) { return compareFacts(op.getPredicate(), of(op.getLhs()), of(op.getRhs())); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto op) { return combineConstancy(of(op.getLhs()), of(op.getRhs())); })
      .Case([&](aa::AssumeOp op) { return assumeFacts(of(op.getValue()), op); })
      .Default([&](Operation *) { return getNothing(shape); });
}

aa::PointerRun aa::getPointerRun(Value pointers, Value mask) {
  PointerRun run;
  int64_t bytes = getUnit(pointers);
  if (!isa<RankedTensorType>(pointers.getType()) || bytes == 0)
    return run;
  ContiguityAnalysis analysis;
  TileFacts facts = analysis.get(pointers);
  TileFacts masks = mask ? analysis.get(mask) : getUniform(getShape(pointers), 1);
  for (unsigned d = 0; d < facts.divisor.size(); ++d) {
    int64_t limit =
        isa_and_present<RankedTensorType>(mask ? mask.getType() : Type()) ? masks.constancy[d] : kMaxRunBytes;
    int64_t elements =
        std::min({facts.contiguity[d], std::max<int64_t>(facts.divisor[d] / bytes, 1), limit, kMaxRunBytes / bytes});
    if (elements >= run.elements)
      run = {d, elements};
  }
  return run;
}
