//===- MemoryRulesTest.cpp - Memory of every kind, and its copies ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"
#include <cstring>

using namespace emudriver;
using namespace emudriver::testing;

namespace {

unsigned *wordsAt(DevicePointer address) {
  return reinterpret_cast<unsigned *>(address);
}

void store(void *function, DevicePointer where, unsigned value) {
  REQUIRE(Launch{}(function, {&where, &value}) == kSuccess);
  REQUIRE(cuCtxSynchronize() == kSuccess);
}

unsigned attributeOf(DevicePointer pointer, PointerAttribute attribute) {
  uint64_t value = 0;
  REQUIRE(cuPointerGetAttribute(&value, attribute, pointer) == kSuccess);
  return static_cast<unsigned>(value);
}

} // namespace

TEST_CASE("Kernels write managed memory, and the host reads it where it is") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer managed = 0;
  CHECK(cuMemAllocManaged(&managed, 16, 0) == kInvalidValue);
  REQUIRE(cuMemAllocManaged(&managed, 16, 1) == kSuccess);
  wordsAt(managed)[1] = 5;
  CHECK(readWords(managed, 2) == std::vector<unsigned>{0, 5});
  store(module.function, managed + 4, 9);
  CHECK(wordsAt(managed)[1] == 9);
  CHECK(cuMemsetD32_v2(managed, 3, 2) == kSuccess);
  CHECK(cuCtxSynchronize() == kSuccess);
  CHECK(wordsAt(managed)[1] == 3);
  CHECK(attributeOf(managed + 4, kPointerIsManaged) == 1);
  CHECK(attributeOf(managed + 4, kPointerMemoryType) == kMemoryTypeDevice);
  CHECK(attributeOf(managed + 4, kPointerHostPointer) == static_cast<unsigned>(managed + 4));
  CHECK(cuMemAdvise(managed, 16, 1, 0) == kSuccess);
  CHECK(cuMemPrefetchAsync(managed, 16, 0, nullptr) == kSuccess);
  CHECK(cuMemPrefetchAsync(managed, 17, 0, nullptr) == kInvalidValue);
  CHECK(cuMemFree_v2(managed) == kSuccess);
  CHECK(cuMemFree_v2(managed) == kInvalidValue);
}

TEST_CASE("Kernels write page-locked memory") {
  TestContext context;
  TestModule module(storePtx());
  void *pinned = nullptr;
  DevicePointer device = 0;
  REQUIRE(cuMemHostAlloc(&pinned, 8, 2) == kSuccess);
  REQUIRE(cuMemHostGetDevicePointer_v2(&device, pinned, 0) == kSuccess);
  store(module.function, device, 4);
  CHECK(*static_cast<unsigned *>(pinned) == 4);
  CHECK(attributeOf(device, kPointerMemoryType) == kMemoryTypeHost);
  CHECK(attributeOf(device, kPointerIsManaged) == 0);
  unsigned flags = 0;
  CHECK(cuMemHostGetFlags(&flags, pinned) == kSuccess);
  CHECK(flags == 2);
  CHECK(cuMemFree_v2(device) == kInvalidValue);
  CHECK(cuMemFreeHost(pinned) == kSuccess);
  CHECK(cuMemFreeHost(pinned) == kInvalidValue);
}

TEST_CASE("Kernels write the program's own memory as long as it is registered") {
  TestContext context;
  TestModule module(storePtx());
  std::vector<unsigned> own(1000);
  const auto address = reinterpret_cast<DevicePointer>(own.data());
  CHECK(cuMemHostUnregister(own.data()) == kHostMemoryNotRegistered);
  REQUIRE(cuMemHostRegister_v2(own.data(), 4000, 0) == kSuccess);
  CHECK(cuMemHostRegister_v2(own.data(), 4000, 0) == kHostMemoryAlreadyRegistered);
  store(module.function, address + 8, 6);
  CHECK(own[2] == 6);
  REQUIRE(cuMemHostUnregister(own.data()) == kSuccess);
  unsigned value = 7;
  DevicePointer where = address;
  REQUIRE(Launch{}(module.function, {&where, &value}) == kSuccess);
  CHECK(cuCtxSynchronize() == kIllegalAddress);
  CHECK(own[0] == 0);
}

TEST_CASE("Registered memory may lie anywhere, and allocations go around it") {
  TestContext context;
  DevicePointer before = allocateWords(1);
  std::vector<std::vector<unsigned>> own(20, std::vector<unsigned>(70000));
  for (auto &memory : own)
    REQUIRE(cuMemHostRegister_v2(memory.data(), 280000, 0) == kSuccess);
  DevicePointer after = allocateWords(1);
  CHECK(after > before);
  CHECK(readWords(before, 1)[0] == 0);
  for (auto &memory : own)
    CHECK(cuMemHostUnregister(memory.data()) == kSuccess);
}

TEST_CASE("Attributes of a pointer, several at once; of one that nobody knows they are 0") {
  TestContext context;
  DevicePointer device = allocateWords(4);
  int attributes[] = {kPointerMemoryType, kPointerRangeBytes, kPointerDeviceOrdinal, kPointerIsManaged};
  unsigned type = 9;
  size_t bytes = 9;
  int ordinal = 9;
  bool isManaged = true;
  void *data[] = {&type, &bytes, &ordinal, &isManaged};
  REQUIRE(cuPointerGetAttributes(4, attributes, data, device) == kSuccess);
  CHECK((type == kMemoryTypeDevice && bytes == 16 && ordinal == 0 && !isManaged));
  isManaged = true;
  REQUIRE(cuPointerGetAttributes(4, attributes, data, reinterpret_cast<DevicePointer>(&type)) == kSuccess);
  CHECK((type == 0 && bytes == 0 && ordinal == -1 && !isManaged));
}

TEST_CASE("A stream allocates and frees") {
  TestContext context;
  TestModule module(storePtx());
  void *stream = nullptr, *pool = nullptr, *other = nullptr;
  REQUIRE(cuStreamCreate(&stream, kStreamNonBlocking) == kSuccess);
  REQUIRE(cuDeviceGetDefaultMemPool(&pool, 0) == kSuccess);
  uint64_t used = 1, before = 0;
  constexpr int kUsed = 7, kThreshold = 4;
  REQUIRE(cuMemPoolGetAttribute(pool, kUsed, &before) == kSuccess);
  DevicePointer memory = 0;
  unsigned value = 8;
  REQUIRE(cuMemAllocAsync(&memory, 64, stream) == kSuccess);
  REQUIRE(Launch{.stream = stream}(module.function, {&memory, &value}) == kSuccess);
  unsigned got = 0;
  REQUIRE(cuMemcpyDtoHAsync_v2(&got, memory, 4, stream) == kSuccess);
  CHECK(got == 8);
  CHECK(attributeOf(memory, kPointerMemoryPool) == static_cast<unsigned>(reinterpret_cast<uintptr_t>(pool)));
  REQUIRE(cuMemFreeAsync(memory, stream) == kSuccess);
  CHECK(cuMemPoolGetAttribute(pool, kUsed, &used) == kSuccess);
  CHECK(used == before + 64); // the stream has not come to it
  REQUIRE(cuStreamSynchronize(stream) == kSuccess);
  CHECK(cuMemPoolGetAttribute(pool, kUsed, &used) == kSuccess);
  CHECK(used == before);
  CHECK(cuMemFreeAsync(memory, stream) == kInvalidValue);

  MemoryPoolProps props;
  REQUIRE(cuMemPoolCreate(&other, &props) == kSuccess);
  used = 1 << 20;
  CHECK(cuMemPoolSetAttribute(other, kThreshold, &used) == kSuccess);
  CHECK(cuMemPoolSetAttribute(other, kUsed, &used) == kInvalidValue);
  REQUIRE(cuMemAllocFromPoolAsync(&memory, 64, other, stream) == kSuccess);
  CHECK(attributeOf(memory, kPointerMemoryPool) == static_cast<unsigned>(reinterpret_cast<uintptr_t>(other)));
  CHECK(cuMemFree_v2(memory) == kSuccess);
  CHECK(cuMemPoolDestroy(other) == kSuccess);
  CHECK(cuMemPoolDestroy(pool) == kInvalidValue);
  CHECK(cuMemPoolTrimTo(other, 0) == kInvalidValue);
}

TEST_CASE("Copies go by addresses alone") {
  TestContext context;
  DevicePointer device = allocateWords(2), managed = 0;
  REQUIRE(cuMemAllocManaged(&managed, 8, 1) == kSuccess);
  unsigned words[2] = {1, 2}, back[2] = {};
  const auto host = reinterpret_cast<DevicePointer>(words);
  REQUIRE(cuMemcpy(device, host, 8) == kSuccess);
  REQUIRE(cuMemcpy(managed, device, 8) == kSuccess);
  CHECK(wordsAt(managed)[1] == 2);
  REQUIRE(cuMemcpyAsync(reinterpret_cast<DevicePointer>(back), managed, 8, nullptr) == kSuccess);
  CHECK(back[1] == 2);
  CHECK(cuMemcpy(device, host, 12) == kInvalidValue);
  CHECK(cuMemcpy(0, host, 4) == kInvalidValue);
}

TEST_CASE("Rows are copied and filled") {
  TestContext context;
  DevicePointer device = allocateWords(4 * 3);
  const std::vector<unsigned> rows{1, 2, 3, 4, 5, 6};
  Copy2D copy;
  copy.source.memoryType = kMemoryTypeHost;
  copy.source.host = const_cast<unsigned *>(rows.data());
  copy.source.pitch = 8;
  copy.destination.memoryType = kMemoryTypeDevice;
  copy.destination.device = device;
  copy.destination.x = 4;
  copy.destination.pitch = 16;
  copy.width = 8;
  copy.height = 3;
  REQUIRE(cuMemcpy2D_v2(&copy) == kSuccess);
  CHECK(readWords(device, 12) == std::vector<unsigned>{0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0});
  REQUIRE(cuMemsetD2D32_v2(device + 4, 16, 9, 1, 2) == kSuccess);
  CHECK(readWords(device, 12) == std::vector<unsigned>{0, 9, 2, 0, 0, 9, 4, 0, 0, 5, 6, 0});
  copy.destination.y = 1; // one row too far
  CHECK(cuMemcpy2D_v2(&copy) == kInvalidValue);
  copy.destination.y = 0;
  copy.destination.pitch = 4;
  CHECK(cuMemcpy2D_v2(&copy) == kInvalidValue);
  copy.destination.pitch = 16;
  copy.source.memoryType = kMemoryTypeArray;
  CHECK(cuMemcpy2D_v2(&copy) == kNotSupported);
}

TEST_CASE("Slices are copied") {
  TestContext context;
  DevicePointer from = allocateWords(8), to = allocateWords(8);
  const unsigned words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  REQUIRE(cuMemcpyHtoD_v2(from, words, sizeof words) == kSuccess);
  Copy3D copy;
  for (CopySide3D *side : {&copy.source, &copy.destination}) {
    side->memoryType = kMemoryTypeUnified;
    side->pitch = 8;
    side->height = 2;
  }
  copy.source.device = from;
  copy.destination.device = to;
  copy.width = 4;
  copy.height = 2;
  copy.depth = 2;
  REQUIRE(cuMemcpy3DAsync_v2(&copy, nullptr) == kSuccess);
  CHECK(readWords(to, 8) == std::vector<unsigned>{1, 0, 3, 0, 5, 0, 7, 0});
}
