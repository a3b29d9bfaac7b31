//===- WorkRulesTest.cpp - Errors of kernels, memory, streams, graphs ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"
#include <cstring>
#include <thread>

using namespace emudriver;
using namespace emudriver::testing;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// What a kernel of one thread that does this ends with.
static void checkLoses(Result expected, const std::string &body, const std::string &before = "", unsigned threads = 1) {
  TestContext context;
  TestModule module(entryPtx("", "", body, before));
  REQUIRE(Launch{.block = {threads, 1, 1}}(module.function) == kSuccess);
  CHECK(cuCtxSynchronize() == expected);
  // And every later call.
  DevicePointer pointer = 0;
  CHECK(cuCtxSynchronize() == expected);
  CHECK(cuMemAlloc_v2(&pointer, 4) == expected);
  CHECK(Launch{.block = {threads, 1, 1}}(module.function) == expected);
  CHECK(cuStreamQuery(nullptr) == expected);
}

TEST_CASE("A kernel's mistake is reported by who waits, and by everyone after it") {
  checkLoses(kLaunchFailed, "trap;");
  checkLoses(kIllegalAddress, ".reg .u64 %p; .reg .u32 %v; mov.u64 %p, 64; ld.global.u32 %v, [%p];");
  checkLoses(kMisalignedAddress, ".reg .u32 %v; ld.global.u32 %v, [data+2];", ".global .align 8 .u64 data = 1;");
  // A data race: hardware does not notice.
  checkLoses(kLaunchFailed,
             ".reg .u32 %v; mov.u32 %v, %tid.x; st.shared.u32 [tile], %v; ld.shared.u32 %v, [tile+4]; "
             "st.shared.u32 [tile+4], %v;",
             ".shared .align 8 .b8 tile[8];", 64);
  checkLoses(kAssert,
             "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; .reg .u64 %p; .reg .u32 %l; "
             "mov.u64 %p, text; cvta.global.u64 %p, %p; mov.u32 %l, 1; st.param.b64 [a], %p; st.param.b64 [b], %p; "
             "st.param.b32 [c], %l; st.param.b64 [d], %p; mov.u64 %p, 1; st.param.b64 [e], %p; "
             "call.uni __assertfail, (a, b, c, d, e); }",
             ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
             ".global .align 1 .b8 text[2] = {120, 0};");
}

TEST_CASE("Work after a mistake is not done") {
  TestContext context;
  TestModule store(storePtx()), broken(entryPtx("", "", "trap;"));
  DevicePointer out = allocateWords(1);
  unsigned value = 9, word = 0;
  REQUIRE(Launch{}(broken.function) == kSuccess);
  REQUIRE(Launch{}(store.function, {&out, &value}) == kSuccess);
  CHECK(cuMemcpyDtoH_v2(&word, out, 4) == kLaunchFailed);
  CHECK(word == 0);
}

TEST_CASE("Errors have names") {
  const char *text = nullptr;
  CHECK(cuGetErrorName(kInvalidValue, &text) == kSuccess);
  CHECK(std::string(text) == "CUDA_ERROR_INVALID_VALUE");
  CHECK(cuGetErrorString(kInvalidHandle, &text) == kSuccess);
  CHECK(std::string(text) == "invalid resource handle");
  CHECK(cuGetErrorName(Result(12345), &text) == kInvalidValue);
}

TEST_CASE("Without a current context there is nothing") {
  REQUIRE(cuInit(0) == kSuccess);
  void *current = nullptr;
  REQUIRE(cuCtxGetCurrent(&current) == kSuccess);
  REQUIRE(current == nullptr);
  DevicePointer pointer = 0;
  CHECK(cuMemAlloc_v2(&pointer, 4) == kInvalidContext);
  CHECK(cuCtxSynchronize() == kInvalidContext);
  CHECK(cuCtxPopCurrent_v2(nullptr) == kInvalidContext);
  CHECK(cuCtxSetCurrent(&pointer) == kInvalidContext);
}

TEST_CASE("A destroyed context is of no use to other threads") {
  auto context = std::make_unique<TestContext>();
  void *handle = context->handle;
  Result before = kUnknown, after = kUnknown;
  std::thread other([&] {
    cuCtxSetCurrent(handle);
    before = cuCtxSynchronize();
    std::thread([&] { cuCtxSetCurrent(handle), cuCtxDestroy_v2(handle); }).join();
    after = cuCtxSynchronize();
  });
  other.join();
  CHECK(before == kSuccess);
  CHECK(after == kContextIsDestroyed);
  cuCtxPopCurrent_v2(nullptr);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST_CASE("Memory ends", "[memory]") {
  TestContext context;
  size_t available = 0, total = 0;
  REQUIRE(cuMemGetInfo_v2(&available, &total) == kSuccess);
  DevicePointer pointer = 0;
  CHECK(cuMemAlloc_v2(&pointer, total + 1) == kOutOfMemory);
  CHECK(cuMemAlloc_v2(&pointer, 0) == kInvalidValue);
  REQUIRE(cuMemAlloc_v2(&pointer, 1 << 20) == kSuccess);
  size_t left = 0;
  REQUIRE(cuMemGetInfo_v2(&left, &total) == kSuccess);
  CHECK(left + (1 << 20) == available);
  CHECK(cuMemFree_v2(pointer + 4) == kInvalidValue);
  CHECK(cuMemFree_v2(pointer) == kSuccess);
  CHECK(cuMemFree_v2(pointer) == kInvalidValue);
  CHECK(cuMemFree_v2(0) == kSuccess);
}

TEST_CASE("Memory that is freed can be had again, as often as one likes", "[memory]") {
  TestContext context;
  TestModule module(storePtx());
  for (unsigned i = 0; i < 20; ++i) {
    DevicePointer pointer = 0;
    unsigned value = i;
    REQUIRE(cuMemAlloc_v2(&pointer, 48 << 20) == kSuccess); // more than half of what the test gives
    REQUIRE(Launch{}(module.function, {&pointer, &value}) == kSuccess);
    CHECK(readWords(pointer, 1)[0] == i);
    REQUIRE(cuMemFree_v2(pointer) == kSuccess);
  }
}

TEST_CASE("Copies stay within an allocation") {
  TestContext context;
  DevicePointer a = allocateWords(4);
  unsigned words[5] = {1, 2, 3, 4, 5};
  CHECK(cuMemcpyHtoD_v2(a, words, 16) == kSuccess);
  CHECK(cuMemcpyHtoD_v2(a, words, 20) == kInvalidValue);
  CHECK(cuMemcpyHtoD_v2(a + 8, words, 12) == kInvalidValue);
  CHECK(cuMemcpyDtoH_v2(words, a - 4, 8) == kInvalidValue);
  CHECK(cuMemsetD8_v2(a + 15, 1, 2) == kInvalidValue);
  CHECK(cuMemsetD32_v2(a + 2, 1, 1) == kInvalidValue);
  CHECK(cuMemsetD16_v2(a + 2, 0x0707, 1) == kSuccess);
  CHECK(readWords(a, 2) == std::vector<unsigned>{0x07070001, 2});
  DevicePointer base = 0;
  size_t bytes = 0;
  CHECK(cuMemGetAddressRange_v2(&base, &bytes, a + 7) == kSuccess);
  CHECK((base == a && bytes == 16));
  CHECK(cuMemGetAddressRange_v2(&base, &bytes, 64) == kNotFound);
  unsigned type = 0;
  CHECK(cuPointerGetAttribute(&type, kPointerMemoryType, a + 4) == kSuccess);
  CHECK(type == kMemoryTypeDevice);
  CHECK(cuPointerGetAttribute(&type, kPointerMemoryType, reinterpret_cast<DevicePointer>(words)) == kInvalidValue);
}

TEST_CASE("Page-locked memory is read when the copy happens") {
  TestContext context;
  void *host = nullptr;
  REQUIRE(cuMemAllocHost_v2(&host, 4) == kSuccess);
  unsigned &word = *static_cast<unsigned *>(host), pageable = 1;
  DevicePointer a = allocateWords(2);
  word = 1;
  REQUIRE(cuMemcpyHtoDAsync_v2(a, &word, 4, nullptr) == kSuccess);
  REQUIRE(cuMemcpyHtoDAsync_v2(a + 4, &pageable, 4, nullptr) == kSuccess);
  word = pageable = 2;
  CHECK(readWords(a, 2) == std::vector<unsigned>{2, 1});
  word = 0;
  REQUIRE(cuMemcpyDtoHAsync_v2(&word, a, 4, nullptr) == kSuccess);
  CHECK(word == 0);
  REQUIRE(cuStreamSynchronize(nullptr) == kSuccess);
  CHECK(word == 2);
  CHECK(cuMemFreeHost(host) == kSuccess);
  CHECK(cuMemFreeHost(&pageable) == kInvalidValue);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

TEST_CASE("Streams keep their order, and wait for events and the default stream only") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer out = allocateWords(1);
  unsigned one = 1, two = 2;
  void *a = nullptr, *b = nullptr, *event = nullptr;
  const unsigned flags = GENERATE(0u, kStreamNonBlocking);
  REQUIRE(cuStreamCreate(&a, flags) == kSuccess);
  REQUIRE(cuStreamCreate(&b, flags) == kSuccess);
  REQUIRE(cuEventCreate(&event, 0) == kSuccess);
  REQUIRE(Launch{.stream = a}(module.function, {&out, &one}) == kSuccess);
  SECTION("another stream does not wait") {
    REQUIRE(Launch{.stream = b}(module.function, {&out, &two}) == kSuccess);
    REQUIRE(cuStreamSynchronize(b) == kSuccess);
    CHECK(cuStreamQuery(a) == kSuccess); // done by the query itself, after the other one
    CHECK(readWords(out, 1)[0] == 1);
  }
  SECTION("but for an event") {
    REQUIRE(cuEventRecord(event, a) == kSuccess);
    REQUIRE(cuStreamWaitEvent(b, event, 0) == kSuccess);
    REQUIRE(Launch{.stream = b}(module.function, {&out, &two}) == kSuccess);
    REQUIRE(cuStreamSynchronize(b) == kSuccess);
    CHECK(cuEventQuery(event) == kSuccess);
    CHECK(readWords(out, 1)[0] == 2);
  }
  SECTION("those that block wait for the default stream") {
    REQUIRE(cuStreamSynchronize(a) == kSuccess);
    REQUIRE(cuMemsetD32_v2(out, 5, 1) == kSuccess);
    REQUIRE(Launch{.stream = a}(module.function, {&out, &two}) == kSuccess);
    REQUIRE(cuStreamSynchronize(a) == kSuccess);
    CHECK(readWords(out, 1)[0] == (flags ? 5 : 2));
  }
  SECTION("the default stream waits for those that block") {
    CHECK(readWords(out, 1)[0] == (flags ? 0 : 1));
  }
  REQUIRE(cuCtxSynchronize() == kSuccess);
  CHECK(cuStreamDestroy_v2(a) == kSuccess);
  CHECK(cuStreamDestroy_v2(a) == kInvalidHandle);
  CHECK(cuStreamSynchronize(a) == kInvalidHandle);
  CHECK(cuEventDestroy_v2(event) == kSuccess);
  CHECK(cuEventRecord(event, nullptr) == kInvalidHandle);
}

TEST_CASE("Events take time, and are not ready before") {
  TestContext context;
  TestModule module(entryPtx("", "", ""));
  void *begin = nullptr, *end = nullptr;
  float milliseconds = -1;
  REQUIRE(cuEventCreate(&begin, 0) == kSuccess);
  REQUIRE(cuEventCreate(&end, 0) == kSuccess);
  CHECK(cuEventElapsedTime(&milliseconds, begin, end) == kInvalidHandle);
  REQUIRE(cuEventRecord(begin, nullptr) == kSuccess);
  REQUIRE(Launch{.grid = {16, 1, 1}}(module.function) == kSuccess);
  REQUIRE(cuEventRecord(end, nullptr) == kSuccess);
  CHECK(cuEventElapsedTime(&milliseconds, begin, end) == kNotReady);
  CHECK(cuEventQuery(end) == kNotReady);
  REQUIRE(cuEventSynchronize(end) == kSuccess);
  CHECK(cuEventQuery(end) == kSuccess);
  REQUIRE(cuEventElapsedTime(&milliseconds, begin, end) == kSuccess);
  CHECK(milliseconds > 0);
}

TEST_CASE("Work left in a destroyed stream is done") {
  TestContext context;
  TestModule module(storePtx());
  DevicePointer out = allocateWords(1);
  unsigned value = 6;
  void *stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, 0) == kSuccess);
  REQUIRE(Launch{.stream = stream}(module.function, {&out, &value}) == kSuccess);
  REQUIRE(cuStreamDestroy_v2(stream) == kSuccess);
  REQUIRE(cuCtxSynchronize() == kSuccess);
  CHECK(readWords(out, 1)[0] == 6);
}

TEST_CASE("Many threads launch, load and unload") {
  TestContext context;
  TestModule shared(storePtx());
  constexpr unsigned kThreads = 8, kLaunches = 25;
  std::vector<unsigned> wrong(kThreads, 1);
  auto work = [&](unsigned t) {
    if (cuCtxSetCurrent(context.handle) != kSuccess)
      return;
    void *stream = nullptr, *module = nullptr, *function = nullptr;
    DevicePointer out = 0;
    unsigned failures = cuStreamCreate(&stream, t % 2) != kSuccess;
    failures += cuMemAlloc_v2(&out, 4) != kSuccess;
    for (unsigned i = 0; i < kLaunches; ++i) {
      failures += cuModuleLoadData(&module, storePtx().c_str()) != kSuccess;
      failures += cuModuleGetFunction(&function, module, "k") != kSuccess;
      unsigned value = 1000 * t + i, got = 0;
      failures += Launch{.stream = stream}(i % 2 ? function : shared.function, {&out, &value}) != kSuccess;
      failures += cuStreamSynchronize(stream) != kSuccess;
      failures += cuMemcpyDtoH_v2(&got, out, 4) != kSuccess;
      failures += got != value;
      failures += cuModuleUnload(module) != kSuccess;
    }
    wrong[t] = failures;
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back(work, t);
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == std::vector<unsigned>(kThreads, 0));
}
