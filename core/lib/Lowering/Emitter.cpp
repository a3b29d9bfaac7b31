//===- Emitter.cpp - Emits the LLVM dialect, briefly ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/Emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {

void registerEmittedDialects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect, as::TileASDialect>();
}

Type Emitter::ptrType(unsigned space) const {
  return LLVM::LLVMPointerType::get(getContext(), space);
}

Type Emitter::vectorType(unsigned count, Type element) {
  return VectorType::get({int64_t(count)}, element);
}

Type Emitter::likeShape(Type type, Value like) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), type);
  return type;
}

unsigned Emitter::getVectorSize(Value vector) {
  return cast<VectorType>(vector.getType()).getNumElements();
}

//===----------------------------------------------------------------------===//
// Operations without side effects
//===----------------------------------------------------------------------===//

Value Emitter::emitOnce(const Description &description, llvm::function_ref<Value()> emit) {
  // Whatever was emitted before the same operation, or at the end of the same block, is before what comes next.
  if (block != builder.getInsertionBlock() || place != builder.getInsertionPoint()) {
    block = builder.getInsertionBlock();
    place = builder.getInsertionPoint();
    emitted.clear();
  }
  // Another block has what stood here once if this one was split since.
  if (auto it = emitted.find(description); it != emitted.end() && it->second.getParentBlock() == block)
    return it->second;
  Value value = emit();
  emitted[description] = value;
  return value;
}

template <typename Op>
Value Emitter::emitBinary(Value a, Value b) {
  return emitOnce({TypeID::get<Op>(), a.getType(), nullptr, a, b},
                  [&]() -> Value { return Op::create(builder, location, a, b); });
}

template <typename Op>
Value Emitter::emitCast(Type type, Value value) {
  return emitOnce({TypeID::get<Op>(), type, nullptr, value, Value()},
                  [&]() -> Value { return Op::create(builder, location, type, value); });
}

static Value emitConstant(OpBuilder &builder, Location location, Type type, TypedAttr element) {
  Attribute attribute = element;
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = SplatElementsAttr::get(vector, attribute);
  return LLVM::ConstantOp::create(builder, location, type, attribute);
}

Value Emitter::constant(Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  if (auto floatType = dyn_cast<FloatType>(element))
    return constantFloat(type, double(value));
  unsigned bits = element.getIntOrFloatBitWidth();
  auto attribute = IntegerAttr::get(element, APInt(bits, value, /*isSigned=*/true, /*implicitTrunc=*/true));
  return emitOnce({TypeID::get<LLVM::ConstantOp>(), type, attribute.getAsOpaquePointer(), Value(), Value()},
                  [&] { return emitConstant(builder, location, type, attribute); });
}

Value Emitter::constantFloat(Type type, const APFloat &value) {
  Type element = getElementTypeOrSelf(type);
  APFloat rounded = value;
  bool lost = false;
  rounded.convert(cast<FloatType>(element).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  auto attribute = FloatAttr::get(element, rounded);
  return emitOnce({TypeID::get<LLVM::ConstantOp>(), type, attribute.getAsOpaquePointer(), Value(), Value()},
                  [&] { return emitConstant(builder, location, type, attribute); });
}

Value Emitter::constantFloat(Type type, double value) {
  return constantFloat(type, APFloat(value));
}

Value Emitter::poison(Type type) {
  return emitOnce({TypeID::get<LLVM::PoisonOp>(), type, nullptr, Value(), Value()},
                  [&]() -> Value { return LLVM::PoisonOp::create(builder, location, type); });
}
Value Emitter::zero(Type type) {
  return LLVM::ZeroOp::create(builder, location, type);
}

Value Emitter::add(Value a, Value b) {
  return emitBinary<LLVM::AddOp>(a, b);
}
Value Emitter::sub(Value a, Value b) {
  return emitBinary<LLVM::SubOp>(a, b);
}
Value Emitter::mul(Value a, Value b) {
  return emitBinary<LLVM::MulOp>(a, b);
}
Value Emitter::bitAnd(Value a, Value b) {
  return emitBinary<LLVM::AndOp>(a, b);
}
Value Emitter::bitOr(Value a, Value b) {
  return emitBinary<LLVM::OrOp>(a, b);
}
Value Emitter::bitXor(Value a, Value b) {
  return emitBinary<LLVM::XOrOp>(a, b);
}
Value Emitter::shl(Value a, unsigned bits) {
  return bits ? emitBinary<LLVM::ShlOp>(a, constant(a.getType(), bits)) : a;
}
Value Emitter::lshr(Value a, unsigned bits) {
  return bits ? emitBinary<LLVM::LShrOp>(a, constant(a.getType(), bits)) : a;
}
Value Emitter::bitNot(Value a) {
  return bitXor(a, constant(a.getType(), -1));
}

Value Emitter::icmp(LLVM::ICmpPredicate predicate, Value a, Value b) {
  auto *how = reinterpret_cast<const void *>(static_cast<uintptr_t>(predicate));
  return emitOnce({TypeID::get<LLVM::ICmpOp>(), a.getType(), how, a, b},
                  [&]() -> Value { return LLVM::ICmpOp::create(builder, location, predicate, a, b); });
}
Value Emitter::fcmp(LLVM::FCmpPredicate predicate, Value a, Value b) {
  return LLVM::FCmpOp::create(builder, location, predicate, a, b);
}
Value Emitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return LLVM::SelectOp::create(builder, location, condition, ifTrue, ifFalse);
}
Value Emitter::minSigned(Value a, Value b) {
  return emitBinary<LLVM::SMinOp>(a, b);
}
Value Emitter::maxSigned(Value a, Value b) {
  return emitBinary<LLVM::SMaxOp>(a, b);
}

Value Emitter::conjunction(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return bitAnd(a, b);
}

Value Emitter::signExtendOrTruncate(Value value, unsigned bits) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  Type type = likeShape(intType(bits), value);
  if (from < bits)
    return emitCast<LLVM::SExtOp>(type, value);
  return from == bits ? value : emitCast<LLVM::TruncOp>(type, value);
}

Value Emitter::zeroExtendOrTruncate(Value value, unsigned bits) {
  unsigned from = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  Type type = likeShape(intType(bits), value);
  if (from < bits)
    return emitCast<LLVM::ZExtOp>(type, value);
  return from == bits ? value : emitCast<LLVM::TruncOp>(type, value);
}

Value Emitter::bitcast(Value value, Type type) {
  // Words that were taken apart come back together: bytes must not travel one by one.
  if (auto cast = value.getDefiningOp<LLVM::BitcastOp>())
    value = cast.getArg();
  return value.getType() == type ? value : emitCast<LLVM::BitcastOp>(type, value);
}
Value Emitter::fpExtend(Value value, Type type) {
  return value.getType() == type ? value : LLVM::FPExtOp::create(builder, location, type, value);
}
Value Emitter::fpTruncate(Value value, Type type) {
  return value.getType() == type ? value : LLVM::FPTruncOp::create(builder, location, type, value);
}

Value Emitter::extract(Value vector, unsigned index) {
  return emitBinary<LLVM::ExtractElementOp>(vector, i32(index));
}
Value Emitter::insert(Value vector, Value value, unsigned index) {
  return LLVM::InsertElementOp::create(builder, location, vector, value, i32(index));
}

SmallVector<Value> Emitter::unpack(Value vector) {
  SmallVector<Value> elements;
  for (unsigned i = 0, n = getVectorSize(vector); i < n; ++i)
    elements.push_back(extract(vector, i));
  return elements;
}

Value Emitter::pack(ArrayRef<Value> elements) {
  // Long vectors come from short ones: LLVM's scalarizer builds every vector of a chain of insertions anew.
  constexpr size_t kLongestChain = 8;
  if (const size_t half = elements.size() / 2; half >= kLongestChain && elements.size() % 2 == 0)
    return shuffleElements(pack(elements.take_front(half)), pack(elements.drop_front(half)),
                           llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(elements.size()))));
  Value vector = poison(vectorType(elements.size(), elements.front().getType()));
  for (auto [i, element] : llvm::enumerate(elements))
    vector = insert(vector, element, i);
  return vector;
}

Value Emitter::splat(Value scalar, unsigned count) {
  Value first = insert(poison(vectorType(count, scalar.getType())), scalar, 0);
  return count == 1 ? first : shuffleElements(first, SmallVector<int32_t>(count, 0));
}

Value Emitter::shuffleElements(Value vector, ArrayRef<int32_t> indices) {
  if (indices.size() == getVectorSize(vector) &&
      llvm::equal(indices, llvm::seq<int32_t>(0, static_cast<int32_t>(indices.size()))))
    return vector;
  return shuffleElements(vector, poison(vector.getType()), indices);
}

Value Emitter::shuffleElements(Value a, Value b, ArrayRef<int32_t> indices) {
  return LLVM::ShuffleVectorOp::create(builder, location, a, b, indices);
}

Value Emitter::extractField(Value structure, unsigned index) {
  return LLVM::ExtractValueOp::create(builder, location, structure, index);
}
Value Emitter::insertField(Value structure, Value value, unsigned index) {
  return LLVM::InsertValueOp::create(builder, location, structure, value, index);
}

Value Emitter::gep(Type element, Value pointer, Value index) {
  Type type = likeShape(getElementTypeOrSelf(pointer.getType()), index);
  return emitOnce({TypeID::get<LLVM::GEPOp>(), type, element.getAsOpaquePointer(), pointer, index}, [&]() -> Value {
    return LLVM::GEPOp::create(builder, location, type, element, pointer, ArrayRef<LLVM::GEPArg>{index});
  });
}
Value Emitter::gep(Type element, Value pointer, int64_t index) {
  if (index == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, location, pointer.getType(), element, pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}
Value Emitter::load(Type type, Value pointer, unsigned alignment) {
  return LLVM::LoadOp::create(builder, location, type, pointer, alignment);
}
void Emitter::store(Value value, Value pointer, unsigned alignment) {
  LLVM::StoreOp::create(builder, location, value, pointer, alignment);
}

Value Emitter::intrinsic(StringRef name, Type result, ValueRange arguments) {
  auto op = LLVM::CallIntrinsicOp::create(builder, location, result ? TypeRange(result) : TypeRange(),
                                          builder.getStringAttr(name), arguments, LLVM::FastmathFlagsAttr());
  return result ? op.getResult(0) : Value();
}

Value Emitter::call(LLVM::LLVMFuncOp callee, ValueRange arguments) {
  return LLVM::CallOp::create(builder, location, callee, arguments).getResult();
}

Value Emitter::threadId() {
  Value inCta = emitOnce({TypeID::get<NVVM::ThreadIdXOp>(), i32(), nullptr, Value(), Value()},
                         [&]() -> Value { return NVVM::ThreadIdXOp::create(builder, location, i32()); });
  return scope.firstWarp == 0 ? inCta : sub(inCta, i32(scope.getFirstThread()));
}
Value Emitter::laneId() {
  return bitAnd(threadId(), i32(31));
}
Value Emitter::warpId() {
  return lshr(threadId(), 5);
}

Value Emitter::productGroup() {
  return scope.productGroups == 1 ? Value() : lshr(warpId(), llvm::Log2_64(scope.numWarps / scope.productGroups));
}

template <typename X, typename Y, typename Z>
static Value readRegister(Emitter &emit, unsigned axis) {
  switch (axis) {
  case 0:
    return X::create(emit.builder, emit.location, emit.i32());
  case 1:
    return Y::create(emit.builder, emit.location, emit.i32());
  default:
    return Z::create(emit.builder, emit.location, emit.i32());
  }
}

// A tile block is a CTA, or a cluster of them: then numbers of CTAs are others.
Value Emitter::programId(unsigned axis) {
  return scope.numCtas > 1 ? readRegister<NVVM::ClusterIdXOp, NVVM::ClusterIdYOp, NVVM::ClusterIdZOp>(*this, axis)
                           : readRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(*this, axis);
}

Value Emitter::numPrograms(unsigned axis) {
  return scope.numCtas > 1 ? readRegister<NVVM::ClusterDimXOp, NVVM::ClusterDimYOp, NVVM::ClusterDimZOp>(*this, axis)
                           : readRegister<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(*this, axis);
}

Value Emitter::ctaRank() {
  return scope.numCtas > 1 ? Value(NVVM::ClusterId::create(builder, location, i32())) : i32(0);
}

Value Emitter::sharingCtaRank(uint32_t mask, Value number) {
  Value rank = bitAnd(ctaRank(), i32(~mask));
  unsigned position = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    if (mask >> bit & 1)
      rank = bitOr(rank, shl(bitAnd(lshr(number, position++), i32(1)), bit));
  return rank;
}

void Emitter::clusterBarrier() {
  emitFencePragma(*this);
  NVVM::ClusterArriveOp::create(builder, location, builder.getUnitAttr());
  emitFencePragma(*this);
  NVVM::ClusterWaitOp::create(builder, location, builder.getUnitAttr());
}

void Emitter::barrier() {
  emitFencePragma(*this);
  if (scope.isCta())
    NVVM::Barrier0Op::create(builder, location);
  else
    NVVM::BarrierOp::create(builder, location, TypeRange(), i32(scope.barrier), i32(scope.getNumThreads()),
                            NVVM::BarrierReductionAttr(), Value());
}

void Emitter::groupBarrier(unsigned first) {
  const unsigned last = first + scope.productGroups - 1;
  emitNamedBarrier(*this, as::BarrierAction::Meet, add(productGroup(), i32(first)), {first, last},
                   scope.getNumThreads() / scope.productGroups);
}

Value Emitter::shuffle(ShuffleKind kind, Value value, Value lane) {
  static constexpr NVVM::ShflKind kinds[] = {NVVM::ShflKind::bfly, NVVM::ShflKind::up, NVVM::ShflKind::down,
                                             NVVM::ShflKind::idx};
  // Lanes that `up` would take from below lane 0 keep their own value; the others clamp at lane 31.
  Value clamp = i32(kind == ShuffleKind::Up ? 0 : 31);
  return NVVM::ShflOp::create(builder, location, value.getType(), i32(-1), value, lane, clamp,
                              kinds[static_cast<unsigned>(kind)], UnitAttr());
}

} // namespace tileiras
