//===- Memory.h - What steps with pointers and steps with views share ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MEMORY_H
#define TILEIRAS_FUZZ_MEMORY_H

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace tileiras::fuzz {

/// The element types that tiles in memory have here.
constexpr Element kStoredElements[] = {Element::I1,  Element::I8,   Element::I16,  Element::I32,
                                       Element::I64, Element::F16,  Element::BF16, Element::F32,
                                       Element::F64, Element::E4M3, Element::E5M2};

/// A tensor in memory: sizes and strides by tensor dimension, in elements, and which of them the type leaves open.
struct Tensor {
  Element element;
  Shape sizes, strides;
  llvm::SmallVector<bool> openSizes, openStrides;

  int64_t extent() const {
    int64_t last = 0;
    for (auto [size, stride] : llvm::zip(sizes, strides))
      last += (size - 1) * stride;
    return last + 1;
  }
  std::string type() const;
};

/// "tile=(4x8)".
std::string printTile(const Shape &shape);
/// ", dim_map=[1, 0]", or nothing where there is no choice.
std::string printDimMap(llvm::ArrayRef<size_t> map);
/// A padding value and its facts.
std::string pickPadding(ProgramBuilder &builder, Element element, Facts &facts);

/// 0 … n - 1 in some order, one for each of the n elements of `shape`.
Value makeDistinctOffsets(ProgramBuilder &builder, llvm::ArrayRef<int64_t> shape);
/// The part of a buffer that belongs to this tile block: `count` elements.
Value makeOwnedBase(ProgramBuilder &builder, const Value &base, int64_t count);
/// "weak", or another memory ordering up to `strongest` with its scope.
std::string pickOrder(ProgramBuilder &builder, const char *strongest);
/// Ordering and scope for memory that other tile blocks change.
std::string pickAtomicOrder(ProgramBuilder &builder);
SharedMemory pickSharedMemory(ProgramBuilder &builder);
void storeThroughView(ProgramBuilder &builder, const Value &value);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MEMORY_H
