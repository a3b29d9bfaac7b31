//===- SimpleTypes.cpp - Types that are only a tag ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimpleTypes.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

template <unsigned width>
static Type integer(MLIRContext *context) {
  return IntegerType::get(context, width);
}
template <typename T>
static Type simple(MLIRContext *context) {
  return T::get(context);
}

static constexpr SimpleType kSimpleTypes[] = {
    {TypeTag::I1, k13_1, integer<1>},
    {TypeTag::I8, k13_1, integer<8>},
    {TypeTag::I16, k13_1, integer<16>},
    {TypeTag::I32, k13_1, integer<32>},
    {TypeTag::I64, k13_1, integer<64>},
    {TypeTag::F16, k13_1, simple<Float16Type>},
    {TypeTag::BF16, k13_1, simple<BFloat16Type>},
    {TypeTag::F32, k13_1, simple<Float32Type>},
    {TypeTag::TF32, k13_1, simple<FloatTF32Type>},
    {TypeTag::F64, k13_1, simple<Float64Type>},
    {TypeTag::F8E4M3FN, k13_1, simple<Float8E4M3FNType>},
    {TypeTag::F8E5M2, k13_1, simple<Float8E5M2Type>},
    {TypeTag::Token, k13_1, simple<cuda_tile::TokenType>},
    {TypeTag::F8E8M0FNU, k13_2, simple<Float8E8M0FNUType>},
    {TypeTag::F4E2M1FN, k13_3, simple<Float4E2M1FNType>},
    {TypeTag::I4, k13_3, integer<4>},
};

ArrayRef<SimpleType> tileiras::bytecode::getSimpleTypes() {
  return kSimpleTypes;
}

BytecodeVersion tileiras::bytecode::getTypeSince(TypeTag tag) {
  switch (tag) {
  case TypeTag::GatherScatterView:
  case TypeTag::StridedView:
    return k13_3;
  default:
    return k13_1;
  }
}
