//===- ClockBench.cpp - Kernels that measure a modelled machine -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClockBench.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ptxemu::timing::testing {

std::string textOf(const BenchKernel &k) {
  std::string text = ".version 8.8\n.target " + k.target + "\n.address_size 64\n";
  if (k.dynamicShared())
    text += ".extern .shared .align 1024 .b8 s[];\n";
  else if (k.shared)
    text += ".shared .align 1024 .b8 s[" + std::to_string(k.shared) + "];\n";
  text += ".shared .align 8 .b64 bar[16];\n.visible .entry k(.param .u64 out, .param .u64 in)\n.reqntid " +
          std::to_string(k.threads) + ", 1, 1\n";
  if (k.cluster > 1)
    text += ".explicitcluster\n.reqnctapercluster " + std::to_string(k.cluster) + ", 1, 1\n";
  return text +
         "{\n.reg .b64 %out, %in, %rd<64>;\n.reg .b32 %i, %cta, %r<64>;\n.reg .f32 %f<300>;\n.reg .f64 %fd<16>;\n"
         ".reg .b16 %h<16>;\n.reg .pred %p<16>;\nld.param.u64 %out, [out];\nld.param.u64 %in, [in];\n"
         "mov.u32 %i, %tid.x;\nmov.u32 %cta, %ctaid.x;\n" +
         k.body + "\nret;\n}\n";
}

unsigned BenchKernel::dynamicShared() const {
  constexpr unsigned kMostStatic = 48 * 1024;
  return shared > kMostStatic && !target.ends_with('a') ? shared : 0;
}

/// For ptxas, which must accept what the model times.
static void keepText(const std::string &text, const std::string &target) {
  static unsigned number = 0;
  const char *folder = std::getenv("PTX_EMULATOR_GENERATED_PTX");
  if (!folder)
    return;
  std::filesystem::create_directories(folder);
  std::ofstream(std::string(folder) + "/" + std::to_string(number++) + "." + target + ".ptx") << text;
}

Estimate timeKernel(const BenchKernel &k, const MachineModel &model, const EstimateOptions &options) {
  const std::string text = textOf(k);
  keepText(text, k.target);
  const Module module = Module::parse(text, "bench");
  Device device;
  LaunchOptions launch;
  launch.grid = {k.grid, 1, 1};
  launch.dynamicShared = k.dynamicShared();
  for (const char *name : {"out", "in"}) {
    const uint64_t address = device.allocate(k.bytes, name);
    std::vector<uint8_t> argument(8);
    std::memcpy(argument.data(), &address, 8);
    launch.arguments.push_back(argument);
  }
  EstimateOptions some = options;
  if (!some.registers)
    some.registers = 64;
  else if (*some.registers == 0)
    some.registers.reset();
  return estimate(device, module, launch, model, some);
}

std::string repeat(unsigned count, const std::function<std::string(unsigned)> &piece) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += piece(i) + "\n";
  return text;
}

std::string repeat(unsigned count, const std::string &piece) {
  return repeat(count, [&](unsigned) { return piece; });
}

uint64_t issuesOf(const Estimate &e, const std::string &instruction) {
  uint64_t sum = 0;
  for (const LineCost &line : e.lines)
    if (line.text.find(instruction) != std::string::npos)
      sum += line.issues;
  return sum;
}

double cyclesEach(const MachineModel &model, unsigned n, const std::function<BenchKernel(unsigned)> &make) {
  return (timeKernel(make(2 * n), model).cycles - timeKernel(make(n), model).cycles) / n;
}

} // namespace ptxemu::timing::testing
