//===- TestSupport.h - Building and running small kernels in tests -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TESTSUPPORT_H
#define PTX_EMULATOR_TESTSUPPORT_H

#include "Coverage.h"
#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ptxemu::testing {

/// A device, a module, and arguments collected one by one.
class Run {
public:
  explicit Run(const std::string &ptx) : module(Module::parse(ptx, "test")) { recordForms(module); }

  template <class T>
  uint64_t buffer(const std::vector<T> &data, const std::string &name = "buffer") {
    uint64_t address = device.allocate(data.size() * sizeof(T), name);
    device.write(address, data.data(), data.size() * sizeof(T));
    return address;
  }
  template <class T>
  Run &argument(const T &value) {
    std::vector<uint8_t> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    options.arguments.push_back(bytes);
    return *this;
  }
  template <class T>
  std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> data(count);
    device.read(address, data.data(), count * sizeof(T));
    return data;
  }
  LaunchResult launch() { return ptxemu::launch(device, module, options); }

  Device device;
  Module module;
  LaunchOptions options;
};

/// A module with one entry `k` that takes one pointer `out` (in %out) and the given body.
inline std::string kernel(const std::string &body, unsigned threads = 32, const std::string &globals = "") {
  return ".version 8.7\n.target sm_90a\n.address_size 64\n" + globals +
         "\n.visible .entry k(.param .u64 out)\n.reqntid " + std::to_string(threads) +
         ", 1, 1\n{\n  .reg .b64 %out, %rd<40>;\n  .reg .b32 %r<80>, %i;\n  .reg .f32 %f<80>;\n  .reg .f64 %fd<20>;\n  "
         ".reg .b16 %h<20>;\n"
         "  .reg .pred %p<20>;\n  ld.param.u64 %out, [out];\n  mov.u32 %i, %tid.x;\n" +
         body + "\n  ret;\n}\n";
}

/// The kinds of the mistakes a run found, "" when clean.
inline std::string verdict(const LaunchResult &r) {
  return r.ok() ? "" : r.diagnostics[0].kind;
}

/// Runs `kernel(body)` with an output buffer of `words` zeros under the given seed.
inline LaunchResult runBody(const std::string &ptx, unsigned words = 1024, uint64_t seed = 1, unsigned grid = 1,
                            std::vector<uint32_t> *out = nullptr) {
  Run run(ptx);
  uint64_t address = run.buffer(std::vector<uint32_t>(words), "out");
  run.argument(address);
  run.options.seed = seed;
  run.options.grid = {grid, 1, 1};
  LaunchResult r = run.launch();
  if (out)
    *out = run.read<uint32_t>(address, words);
  return r;
}

inline std::string readText(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_TESTSUPPORT_H
