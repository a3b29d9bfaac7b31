//===- RunFuzzer.cpp - Any module that parses runs to a result or a report -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "TokenMutator.h"
#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

using namespace ptxemu;

namespace {

constexpr uint64_t kBufferBytes = 4096, kSteps = 20'000;

/// A buffer of small numbers.
uint64_t buffer(Device &device) {
  uint64_t address = device.allocate(kBufferBytes, "buffer");
  std::vector<uint8_t> bytes(kBufferBytes);
  std::iota(bytes.begin(), bytes.end(), uint8_t(0));
  device.write(address, bytes.data(), bytes.size());
  return address;
}

std::vector<uint8_t> mapOf(uint64_t address) {
  TensorMap m;
  m.address = address;
  m.rank = 2;
  m.element = TensorMap::F16;
  m.size = {64, 32};
  m.stride = {128};
  m.box = {64, 8};
  m.elementStride = {1, 1};
  m.swizzle = TensorMap::Swizzle128;
  auto bytes = m.encode();
  return {bytes.begin(), bytes.end()};
}

/// What a parameter of so many bytes probably is: a pointer, a tensor map, a small number.
std::vector<uint8_t> argument(Device &device, uint64_t size) {
  if (size == 128)
    return mapOf(buffer(device));
  std::vector<uint8_t> bytes(size);
  uint64_t value = size == 8 ? buffer(device) : 16;
  std::memcpy(bytes.data(), &value, std::min<uint64_t>(size, sizeof value));
  return bytes;
}

void runEntry(const Module &module, const std::string &entry, uint64_t seed) {
  Device device;
  std::shared_ptr<const Program> program = device.load(module, entry);
  const Function &function = *program->functions[0];
  LaunchOptions options;
  options.entry = entry;
  options.seed = seed;
  options.stepLimit = kSteps;
  options.livelockSteps = kSteps;
  options.countMemory = seed & 1;
  options.dynamicShared = 1024;
  if (!function.ast->requiredThreads[0])
    options.block = {32, 1, 1};
  if (function.ast->requiredCluster[0])
    options.grid = function.ast->requiredCluster;
  for (const ParameterPlace &p : function.parameters)
    options.arguments.push_back(argument(device, p.size));
  for (const Diagnostic &d : launch(device, module, options).diagnostics)
    d.render();
}

} // namespace

/// InputError is the only way to refuse, a diagnostic the only way to fail.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    Module module = Module::parse({reinterpret_cast<const char *>(data), size});
    for (const std::string &entry : module.entries())
      runEntry(module, entry, size);
  } catch (const InputError &) {
  }
  return 0;
}
