//===- CopyRows.cpp - Copies of rows and slices ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

using namespace emudriver;

namespace emudriver {

namespace {

/// One side: where its first byte lies, and how far apart rows and slices do.
struct Rows {
  DevicePointer first = 0;
  size_t pitch = 0, slicePitch = 0;
  bool isPageable = false;
};

} // namespace

static Rows locate(const CopySide3D &side, size_t width) {
  require(side.memoryType != kMemoryTypeArray, kNotSupported, "the emulated driver has no arrays");
  require(side.memoryType >= kMemoryTypeHost && side.memoryType <= kMemoryTypeUnified, kInvalidValue,
          "no such type of memory");
  const bool isHost = side.memoryType == kMemoryTypeHost;
  Rows rows;
  rows.pitch = side.pitch ? side.pitch : width;
  rows.slicePitch = rows.pitch * side.height;
  rows.first = (isHost ? reinterpret_cast<uintptr_t>(side.host) : side.device) + side.x + side.y * rows.pitch +
               side.z * rows.slicePitch;
  require(rows.first != 0, kInvalidValue, "a null pointer");
  rows.isPageable = !findAllocation(rows.first);
  require(isHost || side.memoryType == kMemoryTypeUnified || !rows.isPageable, kInvalidValue,
          showHex(rows.first) + " lies in no allocation");
  return rows;
}

static void checkRows(const Rows &rows, const Copy3D &copy) {
  require(copy.height <= 1 || rows.pitch >= copy.width, kInvalidValue, "the pitch is less than a row");
  require(copy.depth <= 1 || rows.slicePitch >= rows.pitch * copy.height, kInvalidValue,
          "the slices of a side overlap");
  if (!rows.isPageable)
    findRange(rows.first, (copy.depth - 1) * rows.slicePitch + (copy.height - 1) * rows.pitch + copy.width);
}

static bool isEmpty(const Copy3D &copy) {
  return !copy.width || !copy.height || !copy.depth;
}

std::function<void()> makeCopy(const Copy3D &copy) {
  if (isEmpty(copy))
    return [] {};
  const Rows from = locate(copy.source, copy.width), to = locate(copy.destination, copy.width);
  checkRows(from, copy);
  checkRows(to, copy);
  return [from, to, width = copy.width, height = copy.height, depth = copy.depth] {
    std::vector<uint8_t> row(width);
    for (size_t z = 0; z < depth; ++z)
      for (size_t y = 0; y < height; ++y) {
        readMemory(from.first + z * from.slicePitch + y * from.pitch, row.data(), width);
        writeMemory(to.first + z * to.slicePitch + y * to.pitch, row.data(), width);
      }
  };
}

static void copyRows(const Copy3D &copy, const std::shared_ptr<Stream> &stream, bool isAsync) {
  auto operation = enqueue(stream, makeCopy(copy), kMemcpyNode);
  if (isEmpty(copy) || stream->capture)
    return;
  const bool isPageable = locate(copy.source, copy.width).isPageable || locate(copy.destination, copy.width).isPageable;
  if (!isAsync || isPageable)
    complete(operation);
}

static CopySide3D sideOf(const CopySide2D &s) {
  CopySide3D side;
  side.x = s.x;
  side.y = s.y;
  side.memoryType = s.memoryType;
  side.host = s.host;
  side.device = s.device;
  side.pitch = s.pitch;
  return side;
}

static Result copy2D(const char *name, const Copy2D *params, void *streamHandle, bool isAsync) {
  return call(name, [&] {
    require(params, kInvalidValue, "a null pointer");
    Copy3D copy{sideOf(params->source), sideOf(params->destination), params->width, params->height, 1};
    copyRows(copy, isAsync ? findStream(streamHandle) : defaultStream(), isAsync);
  });
}

static Result copy3D(const char *name, const Copy3D *params, void *streamHandle, bool isAsync) {
  return call(name, [&] {
    require(params, kInvalidValue, "a null pointer");
    copyRows(*params, isAsync ? findStream(streamHandle) : defaultStream(), isAsync);
  });
}

} // namespace emudriver

EMULATED_CUDA_API cuMemcpy2D_v2(const Copy2D *params) {
  return copy2D("cuMemcpy2D", params, nullptr, false);
}
EMULATED_CUDA_API cuMemcpy2DUnaligned_v2(const Copy2D *params) {
  return copy2D("cuMemcpy2DUnaligned", params, nullptr, false);
}
EMULATED_CUDA_API cuMemcpy2DAsync_v2(const Copy2D *params, void *stream) {
  return copy2D("cuMemcpy2DAsync", params, stream, true);
}
EMULATED_CUDA_API cuMemcpy3D_v2(const Copy3D *params) {
  return copy3D("cuMemcpy3D", params, nullptr, false);
}
EMULATED_CUDA_API cuMemcpy3DAsync_v2(const Copy3D *params, void *stream) {
  return copy3D("cuMemcpy3DAsync", params, stream, true);
}
