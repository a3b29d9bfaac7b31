//===- Tcgen05Descriptors.cpp - What tcgen05.mma is told in numbers -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "llvm/ADT/StringSwitch.h"

namespace tileiras::sm100 {

/// Of A and B; the numbers of each kind are its own.
static uint32_t encodeOperandType(const AtomElement &element) {
  if (element.type == "i8")
    return element.isUnsigned ? 0 : 1;
  return llvm::StringSwitch<uint32_t>(element.type)
      .Case("f16", 0)
      .Case("bf16", 1)
      .Case("tf32", 2)
      .Case("f8E4M3FN", 0)
      .Case("f8E5M2", 1);
}

static uint32_t encodeAccumulatorType(const AtomElement &element) {
  return llvm::StringSwitch<uint32_t>(element.type).Case("f16", 0).Case("f32", 1).Case("i32", 2);
}

uint32_t InstructionDescriptor::encode() const {
  return uint32_t(saturate) << 3 | encodeAccumulatorType(c) << 4 | encodeOperandType(a) << 7 |
         encodeOperandType(b) << 10 | uint32_t(negateA) << 13 | uint32_t(mnMajorA) << 15 | uint32_t(mnMajorB) << 16 |
         (n >> 3) << 17 | (m >> 4) << 24;
}

static uint32_t encodeScaledOperandType(const AtomElement &element) {
  // The only one of the kinds for four bits; in kinds with a mixture it has another number.
  return element.type == "f4E2M1FN" ? 1 : encodeOperandType(element);
}

uint32_t ScaledInstructionDescriptor::encode() const {
  return scaleB << 4 | encodeScaledOperandType(a) << 7 | encodeScaledOperandType(b) << 10 | uint32_t(negateA) << 13 |
         (n >> 3) << 17 | uint32_t(scale.type == "f8E8M0FNU") << 23 | (m >> 7) << 27 | scaleA << 29;
}

uint64_t encodeMatrixDescriptor(const MatrixDescriptorLayout &layout) {
  static constexpr uint64_t modes[] = {0, 6, 4, 2}; // none, 32, 64 and 128 bytes
  return uint64_t(layout.leadingByteOffset >> 4) << 16 | uint64_t(layout.strideByteOffset >> 4) << 32 |
         uint64_t(1) << 46 | modes[static_cast<unsigned>(layout.swizzle)] << 61;
}

} // namespace tileiras::sm100
