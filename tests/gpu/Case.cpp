//===- Case.cpp - One launch of the payload -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fs = std::filesystem;
using namespace gpu;

static std::vector<char> readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot open " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

static int elementNamed(const std::string &name) {
  constexpr const char *names[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                   "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"}; // the driver's order
  auto it = std::find(std::begin(names), std::end(names), name);
  if (it == std::end(names))
    throw std::runtime_error("launch.txt: unknown element type '" + name + "'");
  return static_cast<int>(it - std::begin(names));
}

Outcome Case::run(bool isTimed) {
  Outcome outcome;
  readComparisons();
  readLaunch();
  prepare(outcome);
  launch();
  if (fs::exists("traps.txt")) {
    outcome.trapped = trapped();
    return outcome;
  }
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  compareAll(outcome);
  if (isTimed)
    time(outcome);
  return outcome;
}

/// AGAINST BUFFER FILE TYPE RELATIVE ABSOLUTE, where AGAINST is `emulator` or `expected`.
void Case::readComparisons() {
  std::ifstream in("compare.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream s(line);
    Comparison c;
    s >> c.against >> c.buffer >> c.file >> c.tolerance.type >> c.tolerance.relative >> c.tolerance.absolute;
    if (!s)
      throw std::runtime_error("compare.txt: malformed '" + line + "'");
    comparisons.push_back(c);
  }
}

void Case::readLaunch() {
  std::ifstream in("launch.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream s(line);
    std::string kind;
    if (s >> kind)
      item(kind, s, in);
    if (s.fail())
      throw std::runtime_error("launch.txt: malformed '" + line + "'");
  }
}

void Case::place(const std::string &name, std::vector<char> contents) {
  Placed &p = placed[name];
  p.contents = std::move(contents);
  driver.check(driver.allocate(&p.address, std::max<size_t>(p.contents.size(), 1)), "cuMemAlloc");
  if (!p.contents.empty())
    driver.check(driver.toDevice(p.address, p.contents.data(), p.contents.size()), "cuMemcpyHtoD");
}

void Case::item(const std::string &kind, std::istream &s, std::istream &in) {
  if (kind == "kernel")
    s >> kernel;
  else if (kind == "grid")
    s >> config.grid[0] >> config.grid[1] >> config.grid[2];
  else if (kind == "block")
    s >> config.block[0] >> config.block[1] >> config.block[2], hasBlock = true;
  else if (kind == "cluster")
    s >> cluster.value.dimensions[0] >> cluster.value.dimensions[1] >> cluster.value.dimensions[2], hasCluster = true;
  else if (kind == "smem")
    s >> config.sharedBytes;
  else if (kind == "buffer")
    buffer(s);
  else if (kind == "table")
    table(s, in);
  else if (kind == "map")
    map(s);
  else if (kind == "param")
    parameter(s);
  else if (kind == "read") {
    Read r;
    s >> r.name >> r.bytes;
    reads.push_back(r);
  } else
    throw std::runtime_error("launch.txt: unknown item '" + kind + "'");
}

void Case::buffer(std::istream &s) {
  std::string name, file;
  size_t bytes = 0;
  s >> name >> bytes >> file;
  std::vector<char> data = readFile(file);
  data.resize(bytes); // a file may leave out the zeros at the end
  place(name, std::move(data));
}

void Case::table(std::istream &s, std::istream &in) {
  std::string name, line;
  size_t count = 0;
  s >> name >> count;
  std::vector<uint64_t> entries;
  while (entries.size() < count && std::getline(in, line)) {
    std::istringstream w(line);
    std::string what, value;
    long long offset = 0;
    w >> what >> value;
    if (what == "addr")
      w >> offset, entries.push_back(placed.at(value).address + static_cast<uint64_t>(offset));
    else
      entries.push_back(static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10)));
  }
  const char *bytes = reinterpret_cast<const char *>(entries.data());
  place(name, {bytes, bytes + entries.size() * sizeof(uint64_t)});
}

/// NAME BUFFER ELEMENT RANK, sizes, strides, box, element strides, swizzle, fill.
void Case::map(std::istream &s) {
  std::string name, of, element, fill;
  uint32_t rank = 0, box[5] = {}, elementStrides[5] = {};
  uint64_t sizes[5] = {}, strides[5] = {};
  int swizzle = 0;
  s >> name >> of >> element >> rank;
  if (!s || rank < 1 || rank > 5)
    throw std::runtime_error("launch.txt: a map has 1 to 5 dimensions");
  for (uint32_t d = 0; d < rank; ++d)
    s >> sizes[d];
  for (uint32_t d = 0; d + 1 < rank; ++d)
    s >> strides[d];
  for (uint32_t d = 0; d < rank; ++d)
    s >> box[d];
  for (uint32_t d = 0; d < rank; ++d)
    s >> elementStrides[d];
  s >> swizzle >> fill;
  int mode = swizzle == 0 ? 0 : swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3;
  driver.check(driver.encodeTiled(&maps[name], elementNamed(element), rank,
                                  reinterpret_cast<void *>(placed.at(of).address), sizes, strides, box, elementStrides,
                                  0, mode, 0, fill == "nan"),
               "cuTensorMapEncodeTiled");
}

void Case::parameter(std::istream &s) {
  std::string type, value;
  s >> type >> value;
  if (type == "map") {
    parameters.push_back(&maps.at(value));
    return;
  }
  uint64_t word = 0;
  if (type == "ptr") {
    long long offset = 0;
    s >> offset;
    word = placed.at(value).address + static_cast<uint64_t>(offset);
  } else if (type[0] == 'f' || type[0] == 'b') {
    word = std::strtoull(value.c_str(), nullptr, 16);
  } else {
    word = static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10));
  }
  words.push_back(std::make_unique<uint64_t>(word));
  parameters.push_back(words.back().get());
}

void Case::prepare(Outcome &outcome) {
  std::vector<char> image = readFile("kernel.cubin");
  if (hasBlock)
    prepareByDriver(image.data(), outcome);
  else if (hasCluster || config.sharedBytes)
    throw std::runtime_error("launch.txt: a cluster and shared memory take a block");
  else
    prepareByLibrary(image.data(), image.size(), outcome);
}

void Case::prepareByDriver(const void *image, Outcome &outcome) {
  cuda::Module module = nullptr;
  driver.check(driver.loadModule(&module, image), "cuModuleLoadData");
  driver.check(driver.getFunction(&function, module, kernel.c_str()), "cuModuleGetFunction");
  driver.check(driver.functionAttribute(&outcome.registers, cuda::kRegisters, function), "cuFuncGetAttribute");
  driver.check(driver.functionAttribute(&outcome.localBytes, cuda::kLocalBytes, function), "cuFuncGetAttribute");
  if (config.sharedBytes > 48 * 1024)
    driver.check(
        driver.setFunctionAttribute(function, cuda::kMaximumDynamicShared, static_cast<int>(config.sharedBytes)),
        "cuFuncSetAttribute");
  cluster.id = cuda::kClusterDimension;
  config.attributes = &cluster;
  config.attributeCount = hasCluster;
}

static void check(TileirasLaunchStatus status) {
  if (status != TILEIRAS_LAUNCH_SUCCESS)
    throw std::runtime_error(tileirasLaunchGetErrorText());
}

/// The module stays loaded until the process of the case ends.
void Case::prepareByLibrary(const void *image, size_t bytes, Outcome &outcome) {
  TileirasModule *module = nullptr;
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  check(tileirasModuleLoad(&module, image, bytes, nullptr));
  check(tileirasModuleGetKernel(module, kernel.c_str(), &compiledKernel));
  check(tileirasKernelGetInfo(compiledKernel, &info));
  outcome.registers = static_cast<int>(info.registers);
  outcome.localBytes = static_cast<int>(info.localBytes);
  launchOptions.overlaps = info.waitsForGrids;
}

void Case::launch() {
  if (compiledKernel)
    check(tileirasLaunchWithOptions(compiledKernel, config.grid, parameters.data(), parameters.size(), &launchOptions));
  else
    driver.check(driver.launch(&config, function, parameters.data(), nullptr), "cuLaunchKernelEx");
}

/// The program's own trap, and no other error.
bool Case::trapped() {
  cuda::Result result = driver.synchronize();
  if (result == 0)
    throw std::runtime_error("does not trap; the emulator says that it must");
  if (std::find(std::begin(cuda::kTraps), std::end(cuda::kTraps), result) == std::end(cuda::kTraps))
    driver.check(result, "cuCtxSynchronize");
  return true;
}

void Case::compareAll(Outcome &outcome) {
  for (const Read &r : reads) {
    std::vector<char> got(r.bytes);
    if (r.bytes)
      driver.check(driver.toHost(got.data(), placed.at(r.name).address, r.bytes), "cuMemcpyDtoH");
    bool emulated = false, good = true;
    for (const Comparison &c : comparisons)
      if (c.buffer == r.name) {
        good &= compareOne(c, got, outcome);
        emulated |= c.against == "emulator";
      }
    if (!emulated)
      throw std::runtime_error("compare.txt: does not say what the emulator leaves in " + r.name);
    if (!good)
      std::ofstream("gpu_" + r.name, std::ios::binary).write(got.data(), static_cast<std::streamsize>(got.size()));
  }
}

bool Case::compareOne(const Comparison &comparison, const std::vector<char> &got, Outcome &outcome) {
  Difference difference = compare(got, readFile(comparison.file), comparison.tolerance);
  if (difference.wrong)
    outcome.mismatches.push_back({comparison.against, comparison.buffer, difference});
  if (comparison.against == "emulator")
    outcome.tolerated += difference.otherBits - difference.wrong;
  return difference.wrong == 0;
}

/// The best of a few launches, each on the initial contents: a kernel that waits for a flag, or that works in place,
/// does what it did when it was checked.
void Case::time(Outcome &outcome) {
  void *begin = nullptr, *end = nullptr;
  driver.check(driver.createEvent(&begin, 0), "cuEventCreate");
  driver.check(driver.createEvent(&end, 0), "cuEventCreate");
  for (int i = 0; i < 5; ++i) {
    for (const auto &[name, p] : placed)
      if (!p.contents.empty())
        driver.check(driver.toDevice(p.address, p.contents.data(), p.contents.size()), "cuMemcpyHtoD");
    float milliseconds = 0;
    driver.check(driver.recordEvent(begin, nullptr), "cuEventRecord");
    launch();
    driver.check(driver.recordEvent(end, nullptr), "cuEventRecord");
    driver.check(driver.synchronize(), "cuCtxSynchronize, when timing");
    driver.check(driver.elapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
    double microseconds = 1000.0 * static_cast<double>(milliseconds);
    outcome.microseconds = i ? std::min(outcome.microseconds, microseconds) : microseconds;
  }
}
