//===- TensorMaps.cpp - Tensor maps --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hardware's own encoding is not public; the emulator's is, to itself.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "ptx-emulator/TensorMap.h"
#include <cstring>

using namespace emudriver;
using ptxemu::TensorMap;

/// In the order of CUtensorMapDataType.
static constexpr TensorMap::Element kElements[] = {
    TensorMap::U8,      TensorMap::U16,   TensorMap::U32,      TensorMap::S32,     TensorMap::U64,    TensorMap::S64,
    TensorMap::F16,     TensorMap::F32,   TensorMap::F64,      TensorMap::BF16,    TensorMap::F32Ftz, TensorMap::TF32,
    TensorMap::TF32Ftz, TensorMap::B4x16, TensorMap::B4x16P64, TensorMap::B6x16P32};

static void setSwizzle(TensorMap &map, unsigned swizzle) {
  require(swizzle <= 6, kInvalidValue, "no such swizzle");
  map.swizzle = static_cast<TensorMap::Swizzle>(std::min(swizzle, 3u));
  // 4 … 6 are 128 bytes with larger atoms.
  if (swizzle > 3)
    map.atomicity = static_cast<TensorMap::Atomicity>(swizzle - 3);
}

EMULATED_CUDA_API cuTensorMapEncodeTiled(TensorMapBits *bits, unsigned element, uint32_t rank, void *address,
                                         const uint64_t *size, const uint64_t *stride, const uint32_t *box,
                                         const uint32_t *elementStride, unsigned interleave, unsigned swizzle,
                                         unsigned promotion, unsigned fill) {
  return call("cuTensorMapEncodeTiled", [&] {
    require(Configuration::get().major >= 9, kNotSupported, "this GPU has no tensor maps");
    require(bits && size && box && elementStride && rank >= 1 && rank <= 5 && (stride || rank == 1), kInvalidValue,
            "a null pointer, or a rank that is not 1 to 5");
    require(reinterpret_cast<uintptr_t>(bits) % 64 == 0, kInvalidValue, "the map does not lie at a multiple of 64");
    require(element < std::size(kElements) && interleave <= 2 && fill <= 1, kInvalidValue, "no such enumerator");
    TensorMap map;
    map.address = reinterpret_cast<uint64_t>(address);
    map.rank = rank;
    map.element = kElements[element];
    map.interleave = static_cast<TensorMap::Interleave>(interleave);
    map.fill = static_cast<TensorMap::Fill>(fill);
    setSwizzle(map, swizzle);
    for (uint32_t d = 0; d < rank; ++d) {
      require(size[d] >= 1 && size[d] <= uint64_t(1) << 32, kInvalidValue,
              "a tensor has 1 to 2^32 elements a dimension");
      map.size[d] = static_cast<uint32_t>(size[d]);
      map.box[d] = box[d];
      map.elementStride[d] = elementStride[d];
      if (d)
        map.stride[d - 1] = stride[d - 1];
    }
    require(map.invalid().empty(), kInvalidValue, map.invalid());
    const auto encoded = map.encode();
    static_assert(sizeof encoded == sizeof *bits);
    std::memcpy(bits, encoded.data(), sizeof encoded);
  });
}
