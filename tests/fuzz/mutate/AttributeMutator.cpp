//===- AttributeMutator.cpp - Other attributes and types ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttributeMutator.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

uint64_t tileiras::fuzz::pickNumber(Random &random) {
  switch (random.below(4)) {
  case 0:
    return random.below(8);
  case 1:
    return (uint64_t(1) << random.below(64)) + random.below(3) - 1;
  case 2:
    return -random.below(9);
  default:
    return random.bits() >> random.below(64);
  }
}

Type tileiras::fuzz::pickElementType(MLIRContext *context, Random &random) {
  Builder builder(context);
  static constexpr unsigned widths[] = {1, 4, 8, 16, 32, 64};
  if (random.chance(40))
    return builder.getIntegerType(random.pick(llvm::ArrayRef(widths)));
  return random.pick<Type>({builder.getF16Type(), builder.getBF16Type(), builder.getF32Type(), builder.getTF32Type(),
                            builder.getF64Type(), Float8E4M3FNType::get(context), Float8E5M2Type::get(context),
                            Float8E8M0FNUType::get(context), Float4E2M1FNType::get(context)});
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

/// The enumerations of the dialect, each an attribute whose cases are 0 … `maximum`.
template <typename AttrTy>
Attribute pickCase(MLIRContext *context, unsigned maximum, Random &random) {
  using Enum = decltype(std::declval<AttrTy>().getValue());
  return AttrTy::get(context, static_cast<Enum>(random.below(maximum + 1)));
}

using PickCase = Attribute (*)(MLIRContext *, Random &);
struct Enumeration {
  TypeID id;
  llvm::StringRef name; ///< attributes of operations have names that end in this
  PickCase pick;
};

#define TILEIRAS_ENUMERATION(KIND, NAME)                                                                               \
  Enumeration {                                                                                                        \
    TypeID::get<ct::KIND##Attr>(), NAME, [](MLIRContext *context, Random &random) {                                    \
      return pickCase<ct::KIND##Attr>(context, ct::getMaxEnumValFor##KIND(), random);                                  \
    }                                                                                                                  \
  }

} // namespace

static llvm::ArrayRef<Enumeration> getEnumerations() {
  static const Enumeration enumerations[] = {
      TILEIRAS_ENUMERATION(Signedness, "signedness"),
      TILEIRAS_ENUMERATION(Signedness, "signedness_lhs"),
      TILEIRAS_ENUMERATION(Signedness, "signedness_rhs"),
      TILEIRAS_ENUMERATION(IntegerOverflow, "overflow"),
      TILEIRAS_ENUMERATION(RoundingMode, "rounding_mode"),
      TILEIRAS_ENUMERATION(RoundingMode, "rounding"),
      TILEIRAS_ENUMERATION(ComparisonOrdering, "comparison_ordering"),
      TILEIRAS_ENUMERATION(ComparisonPredicate, "comparison_predicate"),
      TILEIRAS_ENUMERATION(AtomicRMWMode, "mode"),
      TILEIRAS_ENUMERATION(MemoryScope, "memory_scope"),
      TILEIRAS_ENUMERATION(MemoryOrderingSemantics, "memory_ordering_semantics"),
      TILEIRAS_ENUMERATION(PaddingValue, "padding_value"),
      TILEIRAS_ENUMERATION(SymbolVisibility, "symbol_visibility"),
      TILEIRAS_ENUMERATION(PtrAttr, "ptr_attr"),
  };
  return enumerations;
}

#undef TILEIRAS_ENUMERATION

static APFloat pickFloat(const llvm::fltSemantics &semantics, Random &random) {
  unsigned width = APFloat::getSizeInBits(semantics);
  uint64_t bits = random.chance(50) ? pickNumber(random) : pickNumber(random) << (width - width / 3 - 1);
  return APFloat(semantics, APInt(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true));
}

template <typename T>
static SmallVector<T> mutateList(llvm::ArrayRef<T> list, Random &random, llvm::function_ref<T(T)> mutate) {
  SmallVector<T> changed(list);
  unsigned what = static_cast<unsigned>(random.below(8));
  if (what == 0 || changed.empty())
    changed.insert(changed.begin() + static_cast<ptrdiff_t>(random.below(changed.size() + 1)),
                   mutate(changed.empty() ? T() : changed.front()));
  else if (what == 1)
    changed.erase(changed.begin() + static_cast<ptrdiff_t>(random.below(changed.size())));
  else if (what == 2)
    std::swap(changed[random.below(changed.size())], changed[random.below(changed.size())]);
  else {
    T &entry = changed[random.below(changed.size())];
    entry = mutate(entry);
  }
  return changed;
}

static Attribute mutateElements(DenseIntOrFPElementsAttr elements, Random &random) {
  ShapedType type = elements.getType();
  bool isSplat = random.chance(40) || elements.getNumElements() > 1024;
  auto change = [&](auto values, auto &&pick) -> Attribute {
    SmallVector<std::decay_t<decltype(*values.begin())>> list;
    if (isSplat)
      list.push_back(pick());
    else {
      llvm::append_range(list, values);
      list[random.below(list.size())] = pick();
    }
    return DenseElementsAttr::get(type, list);
  };
  if (auto floatType = dyn_cast<FloatType>(type.getElementType()))
    return change(elements.getValues<APFloat>(), [&] { return pickFloat(floatType.getFloatSemantics(), random); });
  unsigned width = type.getElementTypeBitWidth();
  return change(elements.getValues<APInt>(),
                [&] { return APInt(width, pickNumber(random), /*isSigned=*/false, /*implicitTrunc=*/true); });
}

static std::string mutateString(llvm::StringRef text, Random &random) {
  static constexpr llvm::StringLiteral parts[] = {"%d", "%i", "%u",   "%x",  "%f", "%5.2e", "%g",  "%lld", "%ld",
                                                  "%c", "%s", "%%",   "%",   "\n", "\"",    "\\",  "%hd",  "%-8d",
                                                  "é",  "@",  "main", "%*d", "%n", "%p",    "%Lf", "%099d"};
  std::string changed = text.str();
  size_t at = random.below(changed.size() + 1);
  switch (random.below(4)) {
  case 0:
    return changed.erase(at, random.below(4) + 1);
  case 1:
    return changed.insert(at, 1, static_cast<char>(random.bits()));
  default:
    return changed.insert(at, random.pick(llvm::ArrayRef(parts)));
  }
}

static Attribute mutatePredicate(Attribute attribute, Random &random) {
  MLIRContext *context = attribute.getContext();
  auto maybe = [&](std::optional<int64_t> number) -> std::optional<int64_t> {
    return random.chance(50) ? number : random.chance(30) ? std::nullopt : std::optional<int64_t>(pickNumber(random));
  };
  if (auto divBy = dyn_cast<ct::DivByAttr>(attribute))
    return ct::DivByAttr::get(context, random.chance(50) ? divBy.getDivisor() : uint64_t(1) << random.below(64),
                              maybe(divBy.getEvery()), maybe(divBy.getAlong()));
  if (auto bounded = dyn_cast<ct::BoundedAttr>(attribute))
    return ct::BoundedAttr::get(context, maybe(bounded.getLb()), maybe(bounded.getUb()));
  auto same = cast<ct::SameElementsAttr>(attribute);
  SmallVector<int64_t> values = mutateList<int64_t>(same.getValues().asArrayRef(), random,
                                                    [&](int64_t) { return static_cast<int64_t>(pickNumber(random)); });
  return ct::SameElementsAttr::get(context, DenseI64ArrayAttr::get(context, values));
}

static Attribute mutateDictionary(DictionaryAttr dictionary, Random &random) {
  NamedAttrList list(dictionary);
  static constexpr llvm::StringLiteral keys[] = {"default", "sm_90",     "num_cta_in_cga",          "occupancy",
                                                 "latency", "allow_tma", "num_worker_warps_per_cta"};
  if (list.empty() || random.chance(30)) {
    Attribute value = list.empty() || random.chance(50)
                          ? Attribute(IntegerAttr::get(IntegerType::get(dictionary.getContext(), 32),
                                                       static_cast<int32_t>(pickNumber(random))))
                          : list.getAttrs()[random.below(list.getAttrs().size())].getValue();
    list.set(random.pick(llvm::ArrayRef(keys)), value);
  } else {
    NamedAttribute entry = list.getAttrs()[random.below(list.getAttrs().size())];
    Attribute value = mutateAttribute(entry.getValue(), random);
    if (value)
      list.set(entry.getName(), value);
    else
      list.erase(entry.getName());
  }
  return list.getDictionary(dictionary.getContext());
}

Attribute tileiras::fuzz::mutateAttribute(Attribute attribute, Random &random) {
  MLIRContext *context = attribute.getContext();
  for (const Enumeration &enumeration : getEnumerations())
    if (enumeration.id == attribute.getTypeID())
      return enumeration.pick(context, random);
  return llvm::TypeSwitch<Attribute, Attribute>(attribute)
      .Case([](UnitAttr) { return Attribute(); })
      .Case([&](BoolAttr value) { return BoolAttr::get(context, !value.getValue()); })
      .Case([&](IntegerAttr value) -> Attribute {
        if (!isa<IntegerType>(value.getType()))
          return value;
        unsigned width = value.getType().getIntOrFloatBitWidth();
        return IntegerAttr::get(value.getType(),
                                APInt(width, pickNumber(random), /*isSigned=*/false, /*implicitTrunc=*/true));
      })
      .Case([&](FloatAttr value) {
        return FloatAttr::get(value.getType(), pickFloat(value.getValue().getSemantics(), random));
      })
      .Case([&](StringAttr value) { return StringAttr::get(context, mutateString(value.getValue(), random)); })
      .Case([&](DenseIntOrFPElementsAttr value) { return mutateElements(value, random); })
      .Case([&](DenseI32ArrayAttr value) {
        return DenseI32ArrayAttr::get(context, mutateList<int32_t>(value.asArrayRef(), random, [&](int32_t) {
                                        return static_cast<int32_t>(pickNumber(random));
                                      }));
      })
      .Case([&](DenseBoolArrayAttr value) {
        return DenseBoolArrayAttr::get(context,
                                       mutateList<bool>(value.asArrayRef(), random, [](bool entry) { return !entry; }));
      })
      .Case([&](ArrayAttr value) {
        return ArrayAttr::get(context, mutateList<Attribute>(value.getValue(), random, [&](Attribute entry) {
                                Attribute changed = entry ? mutateAttribute(entry, random) : entry;
                                return changed ? changed : UnitAttr::get(context);
                              }));
      })
      .Case([&](DictionaryAttr value) { return mutateDictionary(value, random); })
      .Case([&](ct::OptimizationHintsAttr value) -> Attribute {
        auto changed = cast<DictionaryAttr>(mutateDictionary(value.getValue(), random));
        return ct::OptimizationHintsAttr::getChecked([&] { return emitError(UnknownLoc::get(context)); }, context,
                                                     changed);
      })
      .Case<ct::DivByAttr, ct::BoundedAttr, ct::SameElementsAttr>(
          [&](auto value) { return mutatePredicate(value, random); })
      .Default([](Attribute other) { return other; });
}

Attribute tileiras::fuzz::createAttribute(MLIRContext *context, llvm::StringRef name, Random &random) {
  for (const Enumeration &enumeration : getEnumerations())
    if (enumeration.name == name)
      return enumeration.pick(context, random);
  Builder builder(context);
  if (name == "dim")
    return builder.getI32IntegerAttr(static_cast<int32_t>(random.below(3)));
  if (name == "predicate") {
    if (random.chance(30))
      return ct::BoundedAttr::get(context, random.below(2), pickNumber(random));
    if (random.chance(50))
      return ct::DivByAttr::get(context, uint64_t(1) << random.below(12), std::nullopt, std::nullopt);
    return ct::SameElementsAttr::get(context, builder.getDenseI64ArrayAttr({int64_t(1) << random.below(4)}));
  }
  if (name == "reverse")
    return builder.getBoolAttr(random.chance(50));
  if (name == "inbounds")
    return builder.getDenseBoolArrayAttr({random.chance(50), random.chance(50)});
  static constexpr llvm::StringLiteral flags[] = {"flush_to_zero", "unsignedCmp",   "constant",
                                                  "fast_acc",      "propagate_nan", "saturating"};
  return llvm::is_contained(flags, name) ? builder.getUnitAttr() : Attribute();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type tileiras::fuzz::mutateView(Type type, Random &random) {
  MLIRContext *context = type.getContext();
  auto emit = [&] { return emitError(UnknownLoc::get(context)); };
  auto mutateSize = [&](int64_t) {
    return random.chance(40) ? ShapedType::kDynamic : static_cast<int64_t>(pickNumber(random));
  };
  auto mutateTile = [&](int32_t) { return int32_t(1) << random.below(8); };
  auto mutateStride = [&](int32_t) { return static_cast<int32_t>(pickNumber(random)); };
  auto mutatePadding = [&](ct::PaddingValueAttr padding) -> ct::PaddingValueAttr {
    if (random.chance(30))
      return {};
    return random.chance(50) ? padding : cast<ct::PaddingValueAttr>(createAttribute(context, "padding_value", random));
  };
  auto shuffle = [&](llvm::ArrayRef<int32_t> dimMap) {
    SmallVector<int32_t> shuffled(dimMap);
    random.shuffle(shuffled);
    return shuffled;
  };
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](ct::TensorViewType view) {
        bool isShape = random.chance(50);
        SmallVector<int64_t> shape(view.getShape()), strides(view.getStrides());
        SmallVector<int64_t> &changed = isShape ? shape : strides;
        if (!changed.empty())
          changed[random.below(changed.size())] = mutateSize(0);
        return ct::TensorViewType::getChecked(emit, context, view.getElementType(), llvm::ArrayRef<int64_t>(shape),
                                              llvm::ArrayRef<int64_t>(strides), view.getPtrAttr());
      })
      .Case([&](ct::PartitionViewType view) {
        return ct::PartitionViewType::getChecked(
            emit, context, llvm::ArrayRef<int32_t>(mutateList<int32_t>(view.getTileShape(), random, mutateTile)),
            view.getTensorView(), llvm::ArrayRef<int32_t>(shuffle(view.getDimMap())),
            mutatePadding(view.getPaddingValue()));
      })
      .Case([&](ct::StridedViewType view) {
        return ct::StridedViewType::getChecked(
            emit, context, view.getTileShape(),
            llvm::ArrayRef<int32_t>(mutateList<int32_t>(view.getTraversalStrides(), random, mutateStride)),
            view.getTensorView(), llvm::ArrayRef<int32_t>(shuffle(view.getDimMap())),
            mutatePadding(view.getPaddingValue()));
      })
      .Case([&](ct::GatherScatterViewType view) {
        return ct::GatherScatterViewType::getChecked(
            emit, context, llvm::ArrayRef<int32_t>(mutateList<int32_t>(view.getTileShape(), random, mutateTile)),
            view.getTensorView(), static_cast<int32_t>(random.below(4)), mutatePadding(view.getPaddingValue()));
      })
      .Default(Type());
}

/// The change of a list of dimensions.
template <typename T>
static SmallVector<T> changeSizes(const TypeChange &change, llvm::ArrayRef<T> sizes) {
  SmallVector<T> changed(sizes);
  for (T &size : changed)
    if (change.fromSize != 0 && size == static_cast<T>(change.fromSize))
      size = static_cast<T>(change.toSize);
  return changed;
}

Type TypeChange::apply(Type type) const {
  MLIRContext *context = type.getContext();
  auto emit = [&] { return emitError(UnknownLoc::get(context)); };
  auto viewed = [&](ct::TensorViewType view) { return dyn_cast_or_null<ct::TensorViewType>(apply(view)); };
  if (type == from)
    return to;
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](ct::PointerType pointer) -> Type {
        Type pointee = apply(pointer.getPointeeType());
        return pointee ? ct::PointerType::getChecked(emit, context, pointee, pointer.getPtrAttr()) : Type();
      })
      .Case([&](ct::TileType tile) -> Type {
        Type element = apply(tile.getElementType());
        return element ? ct::TileType::getChecked(emit, context,
                                                  llvm::ArrayRef<int64_t>(changeSizes(*this, tile.getShape())), element)
                       : Type();
      })
      .Case([&](ct::TensorViewType view) -> Type {
        Type element = apply(view.getElementType());
        return element ? ct::TensorViewType::getChecked(emit, context, element, view.getShape(), view.getStrides(),
                                                        view.getPtrAttr())
                       : Type();
      })
      .Case([&](ct::PartitionViewType view) -> Type {
        ct::TensorViewType tensor = viewed(view.getTensorView());
        return tensor
                   ? ct::PartitionViewType::getChecked(emit, context,
                                                       llvm::ArrayRef<int32_t>(changeSizes(*this, view.getTileShape())),
                                                       tensor, view.getDimMap(), view.getPaddingValue())
                   : Type();
      })
      .Case([&](ct::StridedViewType view) -> Type {
        ct::TensorViewType tensor = viewed(view.getTensorView());
        return tensor ? ct::StridedViewType::getChecked(
                            emit, context, llvm::ArrayRef<int32_t>(changeSizes(*this, view.getTileShape())),
                            view.getTraversalStrides(), tensor, view.getDimMap(), view.getPaddingValue())
                      : Type();
      })
      .Case([&](ct::GatherScatterViewType view) -> Type {
        ct::TensorViewType tensor = viewed(view.getTensorView());
        return tensor ? ct::GatherScatterViewType::getChecked(
                            emit, context, llvm::ArrayRef<int32_t>(changeSizes(*this, view.getTileShape())), tensor,
                            view.getSparseDim(), view.getPaddingValue())
                      : Type();
      })
      .Case([&](FunctionType function) -> Type {
        SmallVector<Type> inputs;
        for (Type input : function.getInputs())
          inputs.push_back(apply(input));
        return llvm::is_contained(inputs, Type()) ? Type() : FunctionType::get(context, inputs, function.getResults());
      })
      .Default([](Type other) { return other; });
}

/// A number of the type `to`, near `from` where that is easy.
static Attribute convertNumber(Attribute from, Type to) {
  double value = 0;
  if (auto number = dyn_cast<FloatAttr>(from)) {
    APFloat wide = number.getValue();
    bool losesInfo;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    value = wide.convertToDouble();
  } else if (auto number = dyn_cast<IntegerAttr>(from)) {
    value = static_cast<double>(number.getValue().getSExtValue());
  }
  if (auto type = dyn_cast<FloatType>(to)) {
    APFloat narrow(value);
    bool losesInfo;
    narrow.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    return FloatAttr::get(type, narrow);
  }
  if (!isa<IntegerType>(to))
    return {};
  bool fits = value > -1e9 && value < 1e9;
  return IntegerAttr::get(to, APInt(to.getIntOrFloatBitWidth(), static_cast<uint64_t>(fits ? int64_t(value) : -1),
                                    /*isSigned=*/false, /*implicitTrunc=*/true));
}

Attribute TypeChange::apply(Attribute attribute) const {
  if (auto type = dyn_cast<TypeAttr>(attribute)) {
    Type changed = apply(type.getValue());
    return changed ? TypeAttr::get(changed) : Attribute();
  }
  if (auto elements = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
    auto changed = dyn_cast_or_null<ct::TileType>(apply(elements.getType()));
    if (changed == elements.getType())
      return elements;
    Attribute first =
        changed ? convertNumber(*elements.getValues<Attribute>().begin(), changed.getElementType()) : Attribute();
    return first ? DenseElementsAttr::get(changed, first) : Attribute();
  }
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    SmallVector<Attribute> changed;
    for (Attribute entry : array)
      changed.push_back(apply(entry));
    return llvm::is_contained(changed, Attribute()) ? Attribute() : ArrayAttr::get(attribute.getContext(), changed);
  }
  if (auto typed = dyn_cast<TypedAttr>(attribute); typed && from && typed.getType() == from && !isa<BoolAttr>(typed))
    return isa<ct::PointerType>(to) ? Attribute() : convertNumber(typed, to);
  return attribute;
}
