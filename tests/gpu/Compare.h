//===- Compare.h - Elementwise comparison of buffers ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_GPU_COMPARE_H
#define TILEIRAS_TESTS_GPU_COMPARE_H

#include <cstddef>
#include <string>
#include <vector>

namespace gpu {

/// How the elements of a buffer are compared: |got - wanted| <= absolute + relative * |wanted|. Bit for bit where both
/// are 0 and for types without a fraction. A NaN is as good as another.
struct Tolerance {
  std::string type = "u8";
  double relative = 0, absolute = 0;
};

struct Difference {
  size_t elements = 0;
  size_t otherBits = 0; ///< elements that are not the same to the bit, the tolerated ones included
  size_t wrong = 0;     ///< elements that differ by more than is tolerated
  size_t first = 0;     ///< of the wrong ones
  std::string got, wanted;
};

/// Both of one size. Throws when the type is unknown, or the size no multiple of it.
Difference compare(const std::vector<char> &got, const std::vector<char> &wanted, const Tolerance &tolerance);

} // namespace gpu

#endif // TILEIRAS_TESTS_GPU_COMPARE_H
