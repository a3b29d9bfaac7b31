//===- LLVMTileTypeConverter.cpp - Types of the lowered program ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweredTypes.h"

using namespace mlir;

namespace tileiras {

Type LLVMTileTypeConverter::convertElement(Type element) const {
  if (auto pointer = dyn_cast<aa::PtrType>(element))
    return LLVM::LLVMPointerType::get(&getContext(), pointer.getAddressSpace());
  if (isa<FloatTF32Type>(element))
    return Float32Type::get(&getContext());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(&getContext(), 8);
  return element;
}

static Type convertMemRef(const LLVMTileTypeConverter &converter, aa::TileMemRefType type) {
  MLIRContext *context = type.getContext();
  SmallVector<Type> fields = {LLVM::LLVMPointerType::get(context, type.getAddressSpace())};
  fields.append(type.getNumDynamicSizes() + type.getNumDynamicStrides(), IntegerType::get(context, 64));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

/// The barriers, then the ring of each payload: a column where it is in tensor memory.
static Type convertPipeline(as::PipelineType type) {
  Type shared = LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
  SmallVector<Type> fields = {shared};
  for (Type payload : type.getPayload())
    fields.push_back(as::isTensorMemoryTensor(payload) ? IntegerType::get(type.getContext(), 32) : shared);
  return LLVM::LLVMStructType::getLiteral(type.getContext(), fields);
}

static void addPipelineConversions(LLVMTileTypeConverter &converter) {
  converter.addConversion([](as::PipelineType type) { return convertPipeline(type); });
  converter.addConversion([](as::IteratorType type) -> Type {
    Type word = IntegerType::get(type.getContext(), 32);
    return LLVM::LLVMStructType::getLiteral(type.getContext(), {word, word});
  });
  converter.addConversion([](as::ProducerTokenType type) { return IntegerType::get(type.getContext(), 32); });
  converter.addConversion([](as::ConsumerTokenType type) { return IntegerType::get(type.getContext(), 32); });
  converter.addConversion([](as::AsyncTokenType type) { return IntegerType::get(type.getContext(), 1); });
  // The map's generic address: it is in global memory, or a parameter.
  converter.addConversion([](as::TmaDescType type) { return IntegerType::get(type.getContext(), 64); });
}

LLVMTileTypeConverter::LLVMTileTypeConverter(MLIRContext *context, const LowerToLLVMOptions &options)
    : LLVMTypeConverter(context, options) {
  addConversion([this](RankedTensorType type) -> std::optional<Type> {
    if (as::isSharedTensor(type))
      return LLVM::LLVMPointerType::get(type.getContext(), kSharedSpace);
    if (as::isTensorMemoryTensor(type))
      return IntegerType::get(type.getContext(), 32);
    if (!as::isDistributedTensor(type))
      return std::nullopt;
    return VectorType::get({int64_t(getNumRegisters(type))}, convertElement(type.getElementType()));
  });
  addConversion([this](aa::PtrType type) { return convertElement(type); });
  addConversion([this](FloatType type) { return convertElement(type); });
  addConversion([this](aa::TileMemRefType type) { return convertMemRef(*this, type); });
  addConversion([this](as::TiledViewType type) -> std::optional<Type> { return convertType(type.getSource()); });
  addConversion(
      [](as::SlicesType type) { return LLVM::LLVMPointerType::get(type.getContext(), type.getAddressSpace()); });
  addConversion([](as::AsyncTokenType type) { return IntegerType::get(type.getContext(), 1); });
  addConversion([](as::MemTokenType type) { return IntegerType::get(type.getContext(), 1); });
  addConversion([](aa::MemTokenType type) { return IntegerType::get(type.getContext(), 1); });
  addPipelineConversions(*this);
}

unsigned getMemoryBits(Type element) {
  if (isa<aa::PtrType>(element))
    return 64;
  if (isa<FloatTF32Type>(element))
    return 32;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

LinearLayout getLayout(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return cast<as::DistributedLayoutAttrInterface>(type.getEncoding()).toLinearLayout(type.getShape());
}

unsigned getNumRegisters(Type type) {
  return isa<RankedTensorType>(type) ? getLayout(type).getInSize(LayoutDim::Register) : 1;
}

} // namespace tileiras
