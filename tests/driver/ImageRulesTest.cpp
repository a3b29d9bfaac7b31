//===- ImageRulesTest.cpp - What the driver loads, and handles of it -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulesTest.h"
#include <cstring>
#include <elf.h>

using namespace emudriver;
using namespace emudriver::testing;

static Result loadImage(const void *code) {
  void *module = nullptr;
  const Result result = cuModuleLoadData(&module, code);
  if (result == kSuccess)
    cuModuleUnload(module);
  return result;
}

static std::string ptxFor(const std::string &target) {
  std::string text = entryPtx("", "", "");
  const std::string from = targetGpu();
  return text.replace(text.find(from), from.size(), target);
}

/// An ELF header of a cubin for `gpu`, and nothing else.
static std::vector<char> cubinHeader(unsigned gpu) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_ABIVERSION] = 8;
  header.e_machine = 190;
  header.e_flags = gpu << 8 | 4;
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 1;
  std::vector<char> bytes(sizeof header + sizeof(Elf64_Shdr));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST_CASE("What is no image is invalid") {
  TestContext context;
  CHECK(loadImage("this is a text, and no PTX") == kInvalidImage);
  CHECK(loadImage("\1\2\3 .version") == kInvalidImage);
  CHECK(loadImage("\x50\xed\x55\xba fatbinary") == kInvalidImage);
  CHECK(loadImage(nullptr) == kInvalidValue);
  auto header = cubinHeader(90);
  header[EI_CLASS] = ELFCLASS32;
  CHECK(loadImage(header.data()) == kInvalidImage);
  CHECK(loadImage((entryPtx("", "", "") + "nonsense").c_str()) == kInvalidPtx);
}

TEST_CASE("PTX runs on its GPU and later ones", "[sm_90]") {
  TestContext context;
  CHECK(loadImage(ptxFor("sm_90a").c_str()) == kSuccess);
  CHECK(loadImage(ptxFor("sm_80").c_str()) == kSuccess);
  CHECK(loadImage(ptxFor("sm_100").c_str()) == kNoBinaryForGpu);
  CHECK(loadImage(ptxFor("sm_100a").c_str()) == kNoBinaryForGpu);
  CHECK(loadImage(ptxFor("sm_80a").c_str()) == kNoBinaryForGpu);
}

TEST_CASE("A cubin runs on its generation of GPUs, and has its PTX beside it", "[sm_90]") {
  TestContext context;
  CHECK(loadImage(cubinHeader(100).data()) == kNoBinaryForGpu);
  CHECK(loadImage(cubinHeader(80).data()) == kNoBinaryForGpu);
  CHECK(loadImage(cubinHeader(90).data()) == kInvalidImage); // no PTX
}

TEST_CASE("Libraries are checked as modules are") {
  TestContext context;
  void *library = nullptr;
  auto load = [&](const void *code) {
    return cuLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
  };
  CHECK(load("no image") == kInvalidImage);
  REQUIRE(load(entryPtx("", "", "").c_str()) == kSuccess);
  void *kernel = nullptr, *again = nullptr, *function = nullptr;
  CHECK(cuLibraryGetKernel(&kernel, library, "nobody") == kNotFound);
  REQUIRE(cuLibraryGetKernel(&kernel, library, "k") == kSuccess);
  REQUIRE(cuLibraryGetKernel(&again, library, "k") == kSuccess);
  CHECK(kernel == again);
  SECTION("a kernel launches like a function") {
    CHECK(Launch{}(kernel) == kSuccess);
    REQUIRE(cuKernelGetFunction(&function, kernel) == kSuccess);
    CHECK(function != kernel);
    CHECK(Launch{}(function) == kSuccess);
    CHECK(cuCtxSynchronize() == kSuccess);
  }
  SECTION("a kernel's attributes are its function's") {
    REQUIRE(cuKernelSetAttribute(kMaxDynamicSharedBytes, 70'000, kernel, 0) == kSuccess);
    CHECK(cuKernelSetAttribute(kMaxDynamicSharedBytes, 1 << 20, kernel, 0) == kInvalidValue);
    CHECK(cuKernelSetAttribute(kMaxDynamicSharedBytes, 1, kernel, 1) == kInvalidDevice);
    CHECK(Launch{.sharedBytes = 70'000}(kernel) == kSuccess);
    TestContext other;
    CHECK(Launch{.sharedBytes = 70'000}(kernel) == kSuccess);
    int value = 0;
    CHECK(cuKernelGetAttribute(&value, kMaxDynamicSharedBytes, kernel, 0) == kSuccess);
    CHECK(value == 70'000);
  }
  SECTION("the module of a library is unloaded with it") {
    void *module = nullptr;
    REQUIRE(cuLibraryGetModule(&module, library) == kSuccess);
    CHECK(cuModuleUnload(module) == kNotPermitted);
  }
  REQUIRE(cuLibraryUnload(library) == kSuccess);
  CHECK(cuLibraryUnload(library) == kInvalidHandle);
  CHECK(Launch{}(kernel) == kInvalidHandle);
  CHECK(cuKernelGetFunction(&function, kernel) == kInvalidHandle);
}

TEST_CASE("Handles of what is unloaded are invalid", "[handles]") {
  TestContext context;
  const std::string ptx = entryPtx("", "", "");
  void *module = nullptr, *function = nullptr;
  REQUIRE(cuModuleLoadData(&module, ptx.c_str()) == kSuccess);
  CHECK(cuModuleGetFunction(&function, module, "nobody") == kNotFound);
  REQUIRE(cuModuleGetFunction(&function, module, "k") == kSuccess);
  REQUIRE(Launch{}(function) == kSuccess);
  REQUIRE(cuModuleUnload(module) == kSuccess); // what is left to do is done first
  CHECK(cuModuleUnload(module) == kInvalidHandle);
  CHECK(cuModuleGetFunction(&function, module, "k") == kInvalidHandle);
  CHECK(Launch{}(function) == kInvalidHandle);
  CHECK(Launch{}(nullptr) == kInvalidHandle);
  int value = 0;
  CHECK(cuFuncGetAttribute(&value, kRegisters, function) == kInvalidHandle);
}

TEST_CASE("Values of handles come again when they are asked to", "[reuse]") {
  TestContext context;
  const std::string ptx = entryPtx("", "", "");
  void *first = nullptr, *second = nullptr;
  REQUIRE(cuModuleLoadData(&first, ptx.c_str()) == kSuccess);
  REQUIRE(cuModuleUnload(first) == kSuccess);
  REQUIRE(cuModuleLoadData(&second, ptx.c_str()) == kSuccess);
  CHECK(first == second);
}

TEST_CASE("Variables of a module") {
  TestContext context;
  const std::string ptx =
      entryPtx("", "", ".reg .u32 %v; ld.global.u32 %v, [counter]; add.u32 %v, %v, 1; st.global.u32 [counter], %v;",
               ".visible .global .align 4 .u32 counter = 40;");
  DevicePointer pointer = 0;
  size_t bytes = 0;
  {
    TestModule module(ptx), other(ptx);
    CHECK(cuModuleGetGlobal_v2(&pointer, &bytes, module.handle, "nobody") == kNotFound);
    REQUIRE(cuModuleGetGlobal_v2(&pointer, &bytes, module.handle, "counter") == kSuccess);
    CHECK(bytes == 4);
    CHECK(readWords(pointer, 1)[0] == 40);
    REQUIRE(Launch{.block = {1, 1, 1}}(module.function) == kSuccess);
    CHECK(readWords(pointer, 1)[0] == 41);
    CHECK(cuMemFree_v2(pointer) == kInvalidValue);
    DevicePointer own = 0;
    REQUIRE(cuModuleGetGlobal_v2(&own, nullptr, other.handle, "counter") == kSuccess);
    CHECK(readWords(own, 1)[0] == 40);
  }
  unsigned word = 0;
  CHECK(cuMemcpyDtoH_v2(&word, pointer, 4) == kInvalidValue);
}

TEST_CASE("A function belongs to its context") {
  TestContext first;
  TestModule module(entryPtx("", "", ""));
  void *stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, 0) == kSuccess);
  {
    TestContext second;
    CHECK(Launch{}(module.function) == kInvalidHandle);
    CHECK(Launch{.stream = stream}(module.function) == kSuccess); // the stream says which context
  }
  CHECK(Launch{}(module.function) == kSuccess);
}

TEST_CASE("Functions by name and version") {
  void *address = nullptr;
  int status = -1;
  auto find = [&](const char *name, int version, uint64_t flags = 0) {
    return cuGetProcAddress_v2(name, &address, version, flags, &status);
  };
  CHECK(find("cuMemAlloc", 12000) == kSuccess);
  CHECK(address == reinterpret_cast<void *>(&cuMemAlloc_v2));
  CHECK(find("cuGraphAddKernelNode", 11000) == kSuccess);
  CHECK(address == reinterpret_cast<void *>(&cuGraphAddKernelNode));
  CHECK(find("cuGraphAddKernelNode", 13000) == kSuccess);
  CHECK(address == reinterpret_cast<void *>(&cuGraphAddKernelNode_v2));
  CHECK(find("cuLaunchKernel", 13000, 2) == kSuccess);
  CHECK(address == reinterpret_cast<void *>(&cuLaunchKernel_ptsz));
  CHECK(find("cuLaunchKernel", 13000, 1) == kSuccess);
  CHECK(address == reinterpret_cast<void *>(&cuLaunchKernel));
  CHECK(find("cuLibraryLoadData", 11080) == kSuccess);
  CHECK((!address && status == kSymbolVersionNotSufficient));
  CHECK(find("cuNobody", 13000) == kSuccess);
  CHECK((!address && status == kSymbolNotFound));
  CHECK(find("cuInit", 99000) == kInvalidValue);
  CHECK(cuGetProcAddress("cuNobody", &address, 12000, 0) == kNotFound);
}

TEST_CASE("What cuTile Python's launcher asks for is there") {
  struct {
    int version;
    std::vector<const char *> names;
  } const asked[] = {
      {2000,
       {"cuInit", "cuCtxSynchronize", "cuCtxGetDevice", "cuDeviceGet", "cuDeviceGetCount", "cuDeviceGetName",
        "cuDeviceGetAttribute", "cuEventCreate", "cuEventDestroy", "cuEventQuery", "cuEventRecord", "cuMemFreeHost",
        "cuStreamCreate"}},
      {2020, {"cuDriverGetVersion"}},
      {3020,
       {"cuMemAlloc", "cuMemAllocHost", "cuMemFree", "cuMemGetAddressRange", "cuMemcpyHtoD", "cuMemcpyDtoH",
        "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8"}},
      {4000,
       {"cuPointerGetAttribute", "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxGetCurrent", "cuCtxSetCurrent",
        "cuStreamDestroy"}},
      {4010, {"cuIpcGetMemHandle", "cuIpcOpenMemHandle", "cuIpcCloseMemHandle"}},
      {6000, {"cuGetErrorString", "cuGetErrorName"}},
      {7000, {"cuLaunchKernel", "cuDevicePrimaryCtxRetain", "cuStreamSynchronize", "cuStreamWaitEvent"}},
      {9020, {"cuStreamGetCtx"}},
      {10000,
       {"cuStreamIsCapturing", "cuGraphCreate", "cuGraphDestroy", "cuGraphAddMemsetNode", "cuGraphExecDestroy",
        "cuGraphLaunch"}},
      {11010, {"cuGraphAddEventRecordNode"}},
      {11040, {"cuGraphAddMemAllocNode", "cuGraphAddMemFreeNode", "cuGraphInstantiateWithFlags"}},
      {11060, {"cuLaunchKernelEx"}},
      {12000,
       {"cuLibraryLoadData", "cuLibraryUnload", "cuLibraryGetKernel", "cuCtxGetId", "cuKernelGetFunction",
        "cuKernelGetAttribute", "cuKernelSetAttribute", "cuStreamGetId", "cuGraphAddKernelNode",
        "cuTensorMapEncodeTiled"}},
      {12080, {"cuEventElapsedTime"}},
      {13000, {"cuCtxGetDevice"}},
  };
  for (const auto &[version, names] : asked)
    for (const char *name : names) {
      INFO(name << " of CUDA " << version);
      void *address = nullptr;
      CHECK(cuGetProcAddress_v2(name, &address, version, 0, nullptr) == kSuccess);
      CHECK(address != nullptr);
    }
  int version = 0;
  REQUIRE(cuDriverGetVersion(&version) == kSuccess);
  CHECK(version >= 13000);
}
