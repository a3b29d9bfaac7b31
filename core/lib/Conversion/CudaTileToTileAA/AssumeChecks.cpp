//===- AssumeChecks.cpp - Assumptions that a run looks at -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A false assumption is undefined behaviour: the program runs, and computes anything. With the option `check-assumes`
// an assert of the program's own language stands before each assumption, at its place in the source. What is asserted
// is what the reference interpreter reports.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile;

namespace {

/// Builds conditions about the elements of one value, as integers of their own width.
class Condition {
public:
  Condition(ImplicitLocOpBuilder &builder, Value value) : builder(builder), value(toIntegers(value)) {}

  /// Whether there is something to compare: other values are beyond an assert.
  explicit operator bool() const { return value != nullptr; }

  Value holds(DivByAttr fact, int64_t step);
  Value holds(BoundedAttr fact);
  Value holds(SameElementsAttr fact);

  Value isDivisible(Value number, uint64_t divisor) {
    TileType type = getType(number);
    APInt mask(64, divisor - 1);
    Value low = AndIOp::create(builder, number, constant(type, mask.trunc(getWidth(type))));
    return compare(ComparisonPredicate::EQUAL, low, constant(type, APInt(getWidth(type), 0)));
  }
  Value isOne() {
    TileType type = getType(value);
    return compare(ComparisonPredicate::EQUAL, value, constant(type, APInt(getWidth(type), 1)));
  }
  Value get() const { return value; }

private:
  static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }
  static unsigned getWidth(TileType type) { return type.getElementType().getIntOrFloatBitWidth(); }

  Value toIntegers(Value tile);
  Value constant(TileType type, const APInt &number) {
    return ConstantOp::create(builder, cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(type, number)));
  }
  Value compare(ComparisonPredicate predicate, Value lhs, Value rhs) {
    return CmpIOp::create(builder, predicate, lhs, rhs, Signedness::Signed);
  }
  Value reshape(Value tile, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(builder, TileType::get(shape, getType(tile).getElementType()), tile);
  }
  Value broadcast(Value tile, ArrayRef<int64_t> shape) {
    return BroadcastOp::create(builder, TileType::get(shape, getType(tile).getElementType()), tile);
  }
  Value splitIntoGroups(ArrayRef<int64_t> groups);
  Value getFirsts(Value split);

  ImplicitLocOpBuilder &builder;
  Value value;
};

} // namespace

Value Condition::toIntegers(Value tile) {
  auto type = dyn_cast<TileType>(tile.getType());
  if (!type)
    return {};
  Type element = type.getElementType();
  if (isa<IntegerType>(element))
    return tile;
  if (isa<cuda_tile::PointerType>(element))
    return PtrToIntOp::create(builder, TileType::get(type.getShape(), builder.getI64Type()), tile);
  const unsigned width = element.getIntOrFloatBitWidth();
  if (width < 8 || !llvm::isPowerOf2_32(width))
    return {};
  return BitcastOp::create(builder, TileType::get(type.getShape(), builder.getIntegerType(width)), tile);
}

/// Each dimension as two: the number of its groups, and their size. Null where groups do not come out even.
Value Condition::splitIntoGroups(ArrayRef<int64_t> groups) {
  SmallVector<int64_t> shape;
  for (auto [extent, group] : llvm::zip_equal(getType(value).getShape(), groups)) {
    const int64_t size = std::max<int64_t>(group, 1);
    if (extent % size != 0 || !llvm::isPowerOf2_64(size))
      return {};
    shape.append({extent / size, size});
  }
  return reshape(value, shape);
}

/// For each element of a split value the first one of its group.
Value Condition::getFirsts(Value split) {
  SmallVector<int64_t> shape(getType(split).getShape());
  for (size_t dim = 1; dim < shape.size(); dim += 2)
    shape[dim] = 1;
  Value zero = constant(TileType::get({}, builder.getI32Type()), APInt(32, 0));
  TileType type = TileType::get(shape, getType(split).getElementType());
  Value firsts = ExtractOp::create(builder, type, split, SmallVector<Value>(shape.size(), zero));
  return broadcast(firsts, getType(split).getShape());
}

Value Condition::holds(DivByAttr fact, int64_t step) {
  const int64_t every = fact.getEvery().value_or(1);
  if (every <= 1)
    return isDivisible(value, fact.getDivisor());
  SmallVector<int64_t> groups(getType(value).getRank(), 1);
  groups[*fact.getAlong()] = every;
  Value split = splitIntoGroups(groups);
  if (!split)
    return {};
  Value firsts = getFirsts(split);
  SmallVector<APInt> offsets;
  const unsigned width = getWidth(getType(value));
  for (int64_t i = 0; i < every; ++i)
    offsets.push_back(APInt(64, i * step).trunc(width));
  SmallVector<int64_t> along(getType(split).getRank(), 1);
  along[2 * *fact.getAlong() + 1] = every;
  TileType offsetType = TileType::get(along, getType(value).getElementType());
  Value offset =
      ConstantOp::create(builder, cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(offsetType, offsets)));
  Value expected = AddIOp::create(builder, firsts, broadcast(offset, getType(split).getShape()));
  Value follows = compare(ComparisonPredicate::EQUAL, split, expected);
  Value both = AndIOp::create(builder, follows, isDivisible(firsts, fact.getDivisor()));
  return reshape(both, getType(value).getShape());
}

Value Condition::holds(BoundedAttr fact) {
  TileType type = getType(value);
  const unsigned width = getWidth(type);
  Value all;
  auto add = [&](std::optional<int64_t> bound, ComparisonPredicate predicate) {
    if (!bound)
      return;
    Value limit = constant(type, APInt(64, *bound, /*isSigned=*/true).trunc(width));
    Value holds = compare(predicate, value, limit);
    all = all ? AndIOp::create(builder, all, holds).getResult() : holds;
  };
  add(fact.getLb(), ComparisonPredicate::GREATER_THAN_OR_EQUAL);
  add(fact.getUb(), ComparisonPredicate::LESS_THAN_OR_EQUAL);
  return all;
}

Value Condition::holds(SameElementsAttr fact) {
  ArrayRef<int64_t> groups = fact.getValues().asArrayRef();
  if (llvm::all_of(groups, [](int64_t group) { return group <= 1; }))
    return {};
  Value split = splitIntoGroups(groups);
  if (!split)
    return {};
  Value same = compare(ComparisonPredicate::EQUAL, split, getFirsts(split));
  return reshape(same, getType(value).getShape());
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// Whether nothing computes with the value, but tensor views take it for a stride: of a dimension of size 1 it may be
/// any number, so that a false divisor of it does no harm (front ends state one of every stride).
static bool isOnlyStride(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    if (auto assume = dyn_cast<AssumeOp>(use.getOwner()))
      return isOnlyStride(assume.getResult());
    auto view = dyn_cast<MakeTensorViewOp>(use.getOwner());
    const unsigned firstStride = view ? 1 + view.getDynamicShape().size() : 0;
    return view && use.getOperandNumber() >= firstStride;
  });
}

static bool isCheckedAsStride(AssumeOp op) {
  auto type = dyn_cast<TileType>(op.getValue().getType());
  return isa<DivByAttr>(op.getPredicate()) && type && type.getRank() == 0 && isa<IntegerType>(type.getElementType()) &&
         isOnlyStride(op.getResult());
}

static std::string describe(AssumeOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "the assumption ";
  TypeSwitch<Attribute>(op.getPredicate())
      .Case([&](DivByAttr fact) {
        os << "div_by<" << fact.getDivisor();
        if (fact.getEvery())
          os << ", every " << *fact.getEvery() << " along " << *fact.getAlong();
        os << '>';
      })
      .Case([&](BoundedAttr fact) {
        auto bound = [](std::optional<int64_t> value) { return value ? std::to_string(*value) : "?"; };
        os << "bounded<" << bound(fact.getLb()) << ", " << bound(fact.getUb()) << '>';
      })
      .Case([&](SameElementsAttr fact) {
        os << "same_elements<[";
        llvm::interleaveComma(fact.getValues().asArrayRef(), os);
        os << "]>";
      });
  os << " is false";
  return text;
}

/// The sizes and strides of a view are open or known.
static void checkStrides(MakeTensorViewOp view) {
  auto size = view.getDynamicShape().begin(), stride = view.getDynamicStrides().begin();
  for (auto [extent, step] : llvm::zip(view.getType().getShape(), view.getType().getStrides())) {
    Value open = ShapedType::isDynamic(extent) ? *size++ : Value();
    if (!ShapedType::isDynamic(step))
      continue;
    Value number = *stride++;
    for (auto assume = number.getDefiningOp<AssumeOp>(); assume && extent != 1;
         assume = assume.getValue().getDefiningOp<AssumeOp>()) {
      if (!isCheckedAsStride(assume))
        continue;
      ImplicitLocOpBuilder builder(assume.getLoc(), view);
      Condition about(builder, assume.getValue());
      Value holds = about.isDivisible(about.get(), cast<DivByAttr>(assume.getPredicate()).getDivisor());
      if (open)
        holds = OrIOp::create(builder, holds, Condition(builder, open).isOne());
      AssertOp::create(builder, holds, describe(assume));
    }
  }
}

//===----------------------------------------------------------------------===//
// All assumptions
//===----------------------------------------------------------------------===//

/// The address of a view's first element; null where the view comes from elsewhere.
static Value getBase(Value view) {
  while (auto assume = view.getDefiningOp<AssumeOp>())
    view = assume.getValue();
  auto made = view.getDefiningOp<MakeTensorViewOp>();
  return made ? made.getBase() : Value();
}

/// From one element of a group to the next.
static int64_t getStep(Type element) {
  auto pointer = dyn_cast<cuda_tile::PointerType>(element);
  if (!pointer)
    return 1;
  Type pointee = pointer.getPointeeType();
  if (isa<cuda_tile::PointerType>(pointee))
    return 8;
  return isa<FloatTF32Type>(pointee) ? 4 : llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
}

static void check(AssumeOp op) {
  Value value = isa<TensorViewType>(op.getValue().getType()) ? getBase(op.getValue()) : op.getValue();
  if (!value || isCheckedAsStride(op))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Condition about(builder, value);
  if (!about)
    return;
  const int64_t step = getStep(cast<TileType>(value.getType()).getElementType());
  Value holds = TypeSwitch<Attribute, Value>(op.getPredicate())
                    .Case([&](DivByAttr fact) { return about.holds(fact, step); })
                    .Case<BoundedAttr, SameElementsAttr>([&](auto fact) { return about.holds(fact); })
                    .Default(Value());
  if (holds)
    AssertOp::create(builder, holds, describe(op));
}

void cuda_tile_to_aa::checkAssumptions(EntryOp entry) {
  SmallVector<Operation *> found;
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A body combines two elements in one thread, which can report nothing.
    if (isa<ReduceOp, ScanOp>(op))
      return WalkResult::skip();
    if (isa<AssumeOp, MakeTensorViewOp>(op))
      found.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : found)
    if (auto view = dyn_cast<MakeTensorViewOp>(op))
      checkStrides(view);
    else
      check(cast<AssumeOp>(op));
}
