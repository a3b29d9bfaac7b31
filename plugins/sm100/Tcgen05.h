//===- Tcgen05.h - Products in tensor memory --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_TCGEN05_H
#define TILEIRAS_PLUGINS_SM100_TCGEN05_H

#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Target/Atoms.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir
namespace tileiras {
class LoweringContext;
struct ChipInfo;
} // namespace tileiras

namespace tileiras::sm100 {

/// tcgen05.mma of the types that the chip has, for powers of two of columns.
void addTensorMemoryMmaAtoms(const ChipInfo &chip, std::vector<MmaAtom> &atoms);

/// Block-scaled ones: kinds mxf8f6f4, mxf4 and mxf4nvf4.
void addScaledTensorMemoryMmaAtoms(std::vector<MmaAtom> &atoms);

/// `async.dot` with such an atom, and what the core has put around it: tiles in tensor memory, waits and copies.
void populateTensorMemoryPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

/// `block_scaled_mma`, and what stores its scales.
void populateBlockScalePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// What one tcgen05.mma does: PTX ISA, "Instruction descriptor" of the kinds tf32, f16, f8f6f4 and i8.
struct InstructionDescriptor {
  unsigned m = 0, n = 0;
  AtomElement a, b, c;
  bool negateA = false; ///< floats only
  bool mnMajorA = false, mnMajorB = false;
  bool saturate = false; ///< integers only

  uint32_t encode() const;
};

/// PTX ISA, "Instruction descriptor" of the kinds mxf8f6f4, mxf4 and mxf4nvf4, both operands K-major. Of the four
/// scales in a word the instruction takes those from number `scaleA` (of A) or `scaleB` (of B) on.
struct ScaledInstructionDescriptor {
  unsigned m = 0, n = 0;
  AtomElement a, b, scale;
  bool negateA = false;
  unsigned scaleA = 0, scaleB = 0;

  uint32_t encode() const;
};

/// PTX ISA, "Shared memory descriptor" of tcgen05, without the address: bits 46 to 48 are the constant 0b001, the
/// swizzle has three bits. The pattern of a swizzle starts at a multiple of its size.
uint64_t encodeMatrixDescriptor(const MatrixDescriptorLayout &layout);

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_TCGEN05_H
