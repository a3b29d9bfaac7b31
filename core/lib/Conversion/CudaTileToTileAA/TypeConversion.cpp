//===- TypeConversion.cpp - Types and attributes of cuda_tile in nv_tileaa ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<aa::PaddingValue> convertPadding(cuda_tile::PaddingValueAttr padding) {
  if (!padding)
    return std::nullopt;
  switch (padding.getValue()) {
  case cuda_tile::PaddingValue::zero:
    return aa::PaddingValue::Zero;
  case cuda_tile::PaddingValue::neg_zero:
    return aa::PaddingValue::NegZero;
  case cuda_tile::PaddingValue::nan:
    return aa::PaddingValue::NaN;
  case cuda_tile::PaddingValue::pos_inf:
    return aa::PaddingValue::PosInf;
  case cuda_tile::PaddingValue::neg_inf:
    return aa::PaddingValue::NegInf;
  }
  return std::nullopt;
}

/// `View` has a tile shape, a tensor view (`source` when converted) and a padding; what else it has is given.
template <typename View>
static Type convertView(View view, Type source, aa::ViewKind kind, ArrayRef<int32_t> dimMap,
                        ArrayRef<int32_t> traversalStrides, int32_t sparseDim) {
  SmallVector<int64_t> tileShape(view.getTileShape()), strides(traversalStrides);
  return aa::TiledViewType::get(view.getContext(), tileShape, cast<aa::TileMemRefType>(source), kind, dimMap, strides,
                                sparseDim, convertPadding(view.getPaddingValue()));
}

TileTypeConverter::TileTypeConverter(unsigned addressSpace) {
  addConversion([](Type type) -> std::optional<Type> {
    if (isa<cuda_tile::CudaTileDialect>(type.getDialect()))
      return std::nullopt;
    return type;
  });
  addConversion([addressSpace](cuda_tile::PointerType type) -> Type {
    return aa::PtrType::get(type.getContext(), type.getPointeeType(), addressSpace);
  });
  addConversion([this](cuda_tile::TileType type) -> Type {
    Type element = convertType(type.getElementType());
    return type.getShape().empty() ? element : RankedTensorType::get(type.getShape(), element);
  });
  addConversion([](cuda_tile::TokenType type) -> Type { return aa::MemTokenType::get(type.getContext()); });
  addConversion([addressSpace](cuda_tile::TensorViewType type) -> Type {
    return aa::TileMemRefType::get(type.getContext(), type.getShape(), type.getElementType(), type.getStrides(),
                                   addressSpace);
  });
  addConversion([this](cuda_tile::PartitionViewType type) -> Type {
    return convertView(type, convertType(type.getTensorView()), aa::ViewKind::Partition, type.getDimMap(), {}, -1);
  });
  addConversion([this](cuda_tile::StridedViewType type) -> Type {
    return convertView(type, convertType(type.getTensorView()), aa::ViewKind::Strided, type.getDimMap(),
                       type.getTraversalStrides(), -1);
  });
  addConversion([this](cuda_tile::GatherScatterViewType type) -> Type {
    auto identity = llvm::to_vector(llvm::seq<int32_t>(type.getTileShape().size()));
    return convertView(type, convertType(type.getTensorView()), aa::ViewKind::GatherScatter, identity, {},
                       type.getSparseDim());
  });

  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Integer roundings have no counterpart: the operations that take them round that way anyhow.
aa::RoundingMode cuda_tile_to_aa::convertRounding(cuda_tile::RoundingMode mode) {
  switch (mode) {
  case cuda_tile::RoundingMode::ZERO:
    return aa::RoundingMode::Zero;
  case cuda_tile::RoundingMode::NEGATIVE_INF:
    return aa::RoundingMode::NegativeInf;
  case cuda_tile::RoundingMode::POSITIVE_INF:
    return aa::RoundingMode::PositiveInf;
  case cuda_tile::RoundingMode::APPROX:
    return aa::RoundingMode::Approx;
  case cuda_tile::RoundingMode::FULL:
    return aa::RoundingMode::Full;
  case cuda_tile::RoundingMode::NEAREST_AWAY:
    return aa::RoundingMode::NearestAway;
  case cuda_tile::RoundingMode::NEAREST_EVEN:
    return aa::RoundingMode::NearestEven;
  case cuda_tile::RoundingMode::NEAREST_INT_TO_ZERO: // of conversions to integers, which have no other
    break;
  }
  llvm_unreachable("operations that round to an integer do not ask");
}

aa::Signedness cuda_tile_to_aa::convertSignedness(cuda_tile::Signedness signedness) {
  return signedness == cuda_tile::Signedness::Signed ? aa::Signedness::Signed : aa::Signedness::Unsigned;
}

aa::MemSemantic cuda_tile_to_aa::convertSemantic(cuda_tile::MemoryOrderingSemantics semantic) {
  switch (semantic) {
  case cuda_tile::MemoryOrderingSemantics::WEAK:
    return aa::MemSemantic::Weak;
  case cuda_tile::MemoryOrderingSemantics::RELAXED:
    return aa::MemSemantic::Relaxed;
  case cuda_tile::MemoryOrderingSemantics::ACQUIRE:
    return aa::MemSemantic::Acquire;
  case cuda_tile::MemoryOrderingSemantics::RELEASE:
    return aa::MemSemantic::Release;
  case cuda_tile::MemoryOrderingSemantics::ACQ_REL:
    return aa::MemSemantic::AcqRel;
  }
  return aa::MemSemantic::AcqRel;
}

aa::MemScope cuda_tile_to_aa::convertScope(cuda_tile::MemoryScope scope) {
  switch (scope) {
  case cuda_tile::MemoryScope::TL_BLK:
    return aa::MemScope::TileBlock;
  case cuda_tile::MemoryScope::DEVICE:
    return aa::MemScope::GPU;
  case cuda_tile::MemoryScope::SYS:
    return aa::MemScope::System;
  }
  return aa::MemScope::System;
}

aa::RmwMode cuda_tile_to_aa::convertRmwMode(cuda_tile::AtomicRMWMode mode) {
  switch (mode) {
  case cuda_tile::AtomicRMWMode::AND:
    return aa::RmwMode::And;
  case cuda_tile::AtomicRMWMode::OR:
    return aa::RmwMode::Or;
  case cuda_tile::AtomicRMWMode::XOR:
    return aa::RmwMode::Xor;
  case cuda_tile::AtomicRMWMode::ADD:
    return aa::RmwMode::Add;
  case cuda_tile::AtomicRMWMode::ADDF:
    return aa::RmwMode::AddF;
  case cuda_tile::AtomicRMWMode::MAX:
    return aa::RmwMode::Max;
  case cuda_tile::AtomicRMWMode::MIN:
    return aa::RmwMode::Min;
  case cuda_tile::AtomicRMWMode::UMAX:
    return aa::RmwMode::UMax;
  case cuda_tile::AtomicRMWMode::UMIN:
    return aa::RmwMode::UMin;
  case cuda_tile::AtomicRMWMode::XCHG:
    return aa::RmwMode::Xchg;
  }
  return aa::RmwMode::Xchg;
}

TypedAttr cuda_tile_to_aa::convertElements(DenseElementsAttr value, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return value.reshape(tensor);
  return cast<TypedAttr>(*value.getValues<Attribute>().begin());
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Value cuda_tile_to_aa::tokenOperand(OpBuilder &builder, Location loc, Value token, Value resultToken) {
  if (token || resultToken.use_empty())
    return token;
  return aa::CreateMemTokenOp::create(builder, loc);
}

Type cuda_tile_to_aa::tokenType(Value token) {
  return token ? token.getType() : Type();
}

void cuda_tile_to_aa::replaceAccess(ConversionPatternRewriter &rewriter, Operation *op, ValueRange values,
                                    Value token) {
  SmallVector<Value> replacements(values);
  replacements.push_back(token);
  rewriter.replaceOp(op, replacements);
}
