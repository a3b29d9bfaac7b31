//===- RulesTest.cpp - What tests of the driver's rules share ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define CATCH_CONFIG_MAIN
#include "RulesTest.h"

namespace emudriver::testing {

std::string targetGpu() {
  int major = 0, minor = 0;
  REQUIRE(cuInit(0) == kSuccess);
  REQUIRE(cuDeviceGetAttribute(&major, kDeviceMajor, 0) == kSuccess);
  REQUIRE(cuDeviceGetAttribute(&minor, kDeviceMinor, 0) == kSuccess);
  return "sm_" + std::to_string(10 * major + minor);
}

std::string entryPtx(const std::string &parameters, const std::string &directives, const std::string &body,
                     const std::string &before) {
  return ".version 9.0\n.target " + targetGpu() + "\n.address_size 64\n" + before + "\n.visible .entry k(" +
         parameters + ")\n" + directives + "\n{\n" + body + "\nret;\n}\n";
}

std::string storePtx(const std::string &directives) {
  return entryPtx(".param .u64 out, .param .u32 value", directives, R"(
    .reg .u64 %p, %o;
    .reg .u32 %v, %n, %t;
    .reg .pred %q;
    mov.u32 %t, %tid.x;
    setp.ne.u32 %q, %t, 0;
    @%q ret;
    ld.param.u64 %p, [out];
    ld.param.u32 %v, [value];
    mov.u32 %n, %ctaid.x;
    add.u32 %v, %v, %n;
    mul.wide.u32 %o, %n, 4;
    add.u64 %p, %p, %o;
    st.global.u32 [%p], %v;)");
}

TestContext::TestContext() {
  REQUIRE(cuInit(0) == kSuccess);
  REQUIRE(cuCtxCreate_v2(&handle, 0, 0) == kSuccess);
}

TestContext::~TestContext() {
  cuCtxDestroy_v2(handle);
}

TestModule::TestModule(const std::string &ptx) {
  REQUIRE(cuModuleLoadData(&handle, ptx.c_str()) == kSuccess);
  REQUIRE(cuModuleGetFunction(&function, handle, "k") == kSuccess);
}

TestModule::~TestModule() {
  cuModuleUnload(handle);
}

Result Launch::operator()(void *function, std::vector<void *> arguments) const {
  LaunchConfig config;
  std::copy(grid.begin(), grid.end(), config.grid);
  std::copy(block.begin(), block.end(), config.block);
  config.sharedBytes = sharedBytes;
  config.stream = stream;
  LaunchAttribute attribute;
  attribute.id = kAttributeClusterDimension;
  std::copy(cluster.begin(), cluster.end(), attribute.value.dimensions);
  config.attributes = &attribute;
  config.attributeCount = cluster[0] != 0;
  return cuLaunchKernelEx(&config, function, arguments.empty() ? nullptr : arguments.data(), nullptr);
}

DevicePointer allocateWords(size_t count) {
  DevicePointer pointer = 0;
  REQUIRE(cuMemAlloc_v2(&pointer, count * sizeof(unsigned)) == kSuccess);
  REQUIRE(cuMemsetD32_v2(pointer, 0, count) == kSuccess);
  REQUIRE(cuStreamSynchronize(nullptr) == kSuccess); // streams that do not block would not wait
  return pointer;
}

std::vector<unsigned> readWords(DevicePointer pointer, size_t count) {
  std::vector<unsigned> words(count);
  REQUIRE(cuMemcpyDtoH_v2(words.data(), pointer, count * sizeof(unsigned)) == kSuccess);
  return words;
}

} // namespace emudriver::testing
