//===- LoweredTypes.h - Types of the lowered program ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_LOWEREDTYPES_H
#define TILEIRAS_LOWERING_LOWEREDTYPES_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras {

/// Types of the lowered program:
///  * a distributed tensor is `vector<N x T>` with the N registers of one thread;
///  * a tensor in shared memory is the pointer to it, one in tensor memory the address (i32) of its first column;
///  * pointers are LLVM pointers of their address space, tf32 is f32, formats of 8 bits and less are i8;
///  * a memref is the structure {pointer, dynamic sizes…, dynamic strides…}, sizes and strides as i64;
///    a tiled view is that of its memref;
///  * a memory token or an async token is an i1 nobody reads;
///  * a pipeline is the structure of pointers {barriers, rings…}, an iterator the structure {stage, parity} of two i32,
///  a
///    producer or consumer token the address (i32) of the barriers of its stage, or -1 for no stage (Mbarrier.h);
///  * a tensor map is the pointer to it, in global memory.
class LLVMTileTypeConverter : public mlir::LLVMTypeConverter {
public:
  explicit LLVMTileTypeConverter(mlir::MLIRContext *context, const mlir::LowerToLLVMOptions &options);

  /// The type of one element in a register.
  mlir::Type convertElement(mlir::Type element) const;
};

/// The bits an element takes in global memory. An i1 occupies a byte.
unsigned getMemoryBits(mlir::Type element);
/// Two elements share a byte, the first in its low half.
inline bool isHalfByte(mlir::Type element) {
  return getMemoryBits(element) == 4;
}

/// The register layout of a distributed tensor.
LinearLayout getLayout(mlir::Type tensor);

/// Number of registers a thread holds of a tile; 1 for scalars.
unsigned getNumRegisters(mlir::Type type);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_LOWEREDTYPES_H
