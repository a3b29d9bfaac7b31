//===- Tcgen05DescriptorsTest.cpp - What tcgen05.mma is told in numbers ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include <catch2/catch.hpp>

using namespace tileiras;
using namespace tileiras::sm100;

static InstructionDescriptor make(unsigned m, unsigned n, llvm::StringRef a, llvm::StringRef b, llvm::StringRef c) {
  return {m, n, *findPtxElement(a), *findPtxElement(b), *findPtxElement(c)};
}

// Field by field from the ISA's table of instruction descriptors.
TEST_CASE("instruction descriptors") {
  CHECK(make(128, 128, "bf16", "bf16", "f32").encode() == 0x08200490);
  CHECK(make(256, 256, "bf16", "bf16", "f32").encode() == 0x10400490);
  CHECK(make(128, 64, "f16", "f16", "f16").encode() == 0x08100000);
  CHECK(make(64, 64, "f16", "f16", "f32").encode() == 0x04100010);
  CHECK(make(128, 32, "tf32", "tf32", "f32").encode() == 0x08080910);
  CHECK(make(128, 16, "e4m3", "e5m2", "f32").encode() == 0x08040410);
  CHECK(make(128, 16, "e5m2", "e4m3", "f32").encode() == 0x08040090);
  CHECK(make(128, 256, "s8", "u8", "s32").encode() == 0x084000a0);
  CHECK(make(128, 256, "u8", "s8", "s32").encode() == 0x08400420);

  InstructionDescriptor flags = make(128, 64, "f16", "f16", "f32");
  flags.negateA = true;
  CHECK(flags.encode() == (0x08100010 | 1 << 13));
  flags.mnMajorA = true;
  CHECK(flags.encode() == (0x08100010 | 1 << 13 | 1 << 15));
  flags.mnMajorB = true;
  CHECK(flags.encode() == (0x08100010 | 1 << 13 | 1 << 15 | 1 << 16));
  InstructionDescriptor integers = make(128, 64, "s8", "s8", "s32");
  integers.saturate = true;
  CHECK(integers.encode() == (0x08100000 | 1 << 3 | 2 << 4 | 1 << 7 | 1 << 10));
}

static ScaledInstructionDescriptor makeScaled(unsigned m, unsigned n, llvm::StringRef a, llvm::StringRef b,
                                              llvm::StringRef scale) {
  return {m, n, *findPtxElement(a), *findPtxElement(b), *findPtxElement(scale)};
}

TEST_CASE("instruction descriptors of block-scaled kinds") {
  CHECK(makeScaled(128, 128, "e4m3", "e4m3", "ue8m0").encode() == 0x08A00000);
  CHECK(makeScaled(128, 128, "e2m1", "e2m1", "ue4m3").encode() == 0x08200480);
  CHECK(makeScaled(128, 256, "e2m1", "e2m1", "ue8m0").encode() == 0x08C00480);
  CHECK(makeScaled(256, 64, "e5m2", "e4m3", "ue8m0").encode() == 0x10900080);

  ScaledInstructionDescriptor fields = makeScaled(128, 128, "e4m3", "e5m2", "ue8m0");
  fields.scaleA = 3;
  CHECK(fields.encode() == (0x08A00000 | 1 << 10 | 3 << 29));
  fields.scaleB = 2;
  CHECK(fields.encode() == (0x08A00000 | 1 << 10 | 3 << 29 | 2 << 4));
  fields.negateA = true;
  CHECK(fields.encode() == (0x08A00000 | 1 << 10 | 3 << 29 | 2 << 4 | 1 << 13));
}

TEST_CASE("shared memory descriptors") {
  MatrixDescriptorLayout layout;
  layout.strideByteOffset = 1024;
  layout.swizzle = SwizzleMode::B128;
  CHECK(encodeMatrixDescriptor(layout) == 0x4000404000010000);
  layout.swizzle = SwizzleMode::B64;
  layout.strideByteOffset = 512;
  CHECK(encodeMatrixDescriptor(layout) == 0x8000402000010000);
  layout.swizzle = SwizzleMode::B32;
  layout.strideByteOffset = 256;
  CHECK(encodeMatrixDescriptor(layout) == 0xc000401000010000);
  layout.swizzle = SwizzleMode::None;
  layout.leadingByteOffset = 2048;
  layout.strideByteOffset = 128;
  CHECK(encodeMatrixDescriptor(layout) == 0x0000400800800000);
}
