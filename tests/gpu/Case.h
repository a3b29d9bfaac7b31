//===- Case.h - One launch of the payload -----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_GPU_CASE_H
#define TILEIRAS_TESTS_GPU_CASE_H

#include "Compare.h"
#include "Driver.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpu {

namespace cuda = tileiras::cuda;

struct Mismatch {
  std::string against, buffer; ///< against: "emulator" or "expected"
  Difference difference;
};

struct Outcome {
  std::vector<Mismatch> mismatches;
  size_t tolerated = 0; ///< elements that differ from the emulator's, within the tolerance
  bool trapped = false; ///< as it should
  double microseconds = -1;
  int registers = -1, localBytes = -1;
};

/// The case in the current folder, read line by line and placed on the device as it goes. Where launch.txt says the
/// size of a block, the driver is told what is there; elsewhere the launch library knows it from the cubin.
class Case {
public:
  explicit Case(const cuda::Driver &driver) : driver(driver) {}
  /// Throws when the case is malformed or the driver reports an error that the case does not ask for.
  Outcome run(bool isTimed);

private:
  struct Read {
    std::string name;
    size_t bytes;
  };
  struct Comparison {
    std::string against, buffer, file;
    Tolerance tolerance;
  };
  struct Placed {
    cuda::DevicePointer address = 0;
    std::vector<char> contents;
  };

  void readComparisons();
  void readLaunch();
  void place(const std::string &name, std::vector<char> contents);
  void item(const std::string &kind, std::istream &s, std::istream &in);
  void buffer(std::istream &s);
  void table(std::istream &s, std::istream &in);
  void map(std::istream &s);
  void parameter(std::istream &s);
  void prepare(Outcome &outcome);
  void prepareByDriver(const void *image, Outcome &outcome);
  void prepareByLibrary(const void *image, size_t bytes, Outcome &outcome);
  void launch();
  bool trapped();
  void compareAll(Outcome &outcome);
  bool compareOne(const Comparison &comparison, const std::vector<char> &got, Outcome &outcome);
  void time(Outcome &outcome);

  const cuda::Driver &driver;
  std::string kernel;
  cuda::Function function = nullptr;              ///< with launch.txt's block
  const TileirasKernel *compiledKernel = nullptr; ///< without
  /// A kernel that waits for those before it overlaps with them, where it is launched several times.
  TileirasLaunchOptions launchOptions = TILEIRAS_LAUNCH_OPTIONS_INIT;
  cuda::LaunchConfig config{{1, 1, 1}, {1, 1, 1}};
  cuda::LaunchAttribute cluster;
  bool hasCluster = false, hasBlock = false;
  std::map<std::string, Placed> placed;
  std::map<std::string, cuda::TensorMap> maps;
  std::vector<std::unique_ptr<uint64_t>> words;
  std::vector<void *> parameters;
  std::vector<Read> reads;
  std::vector<Comparison> comparisons;
};

} // namespace gpu

#endif // TILEIRAS_TESTS_GPU_CASE_H
