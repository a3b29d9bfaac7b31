//===- Emulator.h - Parse PTX, launch it, look at what happened -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_EMULATOR_H
#define PTX_EMULATOR_EMULATOR_H

#include "ptx-emulator/Counters.h"
#include "ptx-emulator/Diagnostics.h"
#include "ptx-emulator/Error.h"
#include "ptx-emulator/LoopProfile.h"
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ptxemu {

namespace ast {
struct Module;
}
class ExecutionObserver;
class GlobalMemory;
struct Program;

/// A parsed module. Cheap to copy; immutable.
class Module {
public:
  /// Throws InputError. `name` appears in messages only.
  static Module parse(std::string_view text, std::string name = "");

  std::vector<std::string> entries() const;
  const std::string &target() const; ///< "sm_90a"
  const std::string &name() const { return moduleName; }
  const ast::Module &ast() const { return *tree; }

private:
  std::shared_ptr<const ast::Module> tree;
  std::string moduleName;
};

/// Where a launch description places its buffers.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Returns the device address, aligned to at least 512 bytes. The contents are zero.
  virtual uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment = 512) = 0;
  virtual void write(uint64_t address, const void *data,
                     uint64_t bytes) = 0; ///< throws InputError outside an allocation
  virtual void read(uint64_t address, void *data, uint64_t bytes) const = 0;
};

/// Global memory and the modules loaded into it. Every allocation is separate: an access that touches a byte outside
/// all of them is reported, with the nearest one's name.
class Device : public DeviceMemory {
public:
  Device();
  ~Device() override;
  Device(const Device &) = delete;

  uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment = 512) override;
  void free(uint64_t address);
  /// Memory of the host becomes the device's, too, at the same address, until it is released. Throws InputError where
  /// something else has the address.
  void adopt(void *host, uint64_t bytes, const std::string &name);
  void release(const void *host);
  void write(uint64_t address, const void *data, uint64_t bytes) override;
  void read(uint64_t address, void *data, uint64_t bytes) const override;

  GlobalMemory &memory() { return *globalMemory; }
  /// The entry ready to run, its module's variables allocated and initialised on first use.
  std::shared_ptr<const Program> load(const Module &, const std::string &entry);
  /// A variable of the module, allocated and initialised like those of load(); size 0: there is none of this name.
  struct VariableRange {
    uint64_t address = 0, size = 0; ///< bytes
  };
  VariableRange findVariable(const Module &, const std::string &name);
  /// Frees the module's variables; the next load() makes new ones.
  void unload(const Module &);

  /// What the launch before left for one that overlaps with it (LaunchOptions::overlaps).
  struct GridBefore;
  std::shared_ptr<GridBefore> gridBefore;

private:
  struct LoadedModule;
  LoadedModule &loadVariables(const Module &);
  std::unique_ptr<GlobalMemory> globalMemory;
  std::vector<std::unique_ptr<LoadedModule>> loaded;
};

/// What hardware launches, in x, y and z: CTAs of a grid, threads of a block (1024 in all), CTAs of a cluster, and
/// bytes of shared memory of a CTA, static and dynamic.
constexpr std::array<unsigned, 3> kMostGrid{0x7fffffff, 65535, 65535}, kMostBlock{1024, 1024, 64};
constexpr unsigned kMostCluster = 16, kMostShared = 227 << 10;

struct LaunchOptions {
  std::string entry;                        ///< empty: the module's only entry
  std::array<unsigned, 3> grid{1, 1, 1};    ///< in CTAs
  std::array<unsigned, 3> block{0, 0, 0};   ///< zeros: from .reqntid
  std::array<unsigned, 3> cluster{0, 0, 0}; ///< zeros: from the entry's directives, else 1
  uint32_t dynamicShared = 0;
  std::vector<std::vector<uint8_t>> arguments; ///< one a parameter, exactly its size
  /// As with programmatic stream serialisation: it may start before the launch before it on this device has ended, and
  /// only griddepcontrol.wait orders what the two do. It runs behind it all the same; what nothing orders is reported.
  bool overlaps = false;
  uint64_t seed = 1;
  unsigned residentClusters = 8;  ///< how many run at once; more are admitted when those only spin
  unsigned multiprocessors = 132; ///< of the GPU: what %nsmid says, and where %smid begins again
  unsigned threads = 1;           ///< host threads that run them; changes neither results nor diagnostics
  bool checkRaces = true;
  bool checkUninitialized = true;
  /// Follows the ISA's letter where practice is laxer: a warp knows of its own wgmma only, not of the warpgroup's; an
  /// mbarrier operation without a scope has that of the CTA.
  bool strict = false;
  /// The run goes on after mistakes of a `continuableKinds`, one report a kind and line, until there are so many.
  unsigned mostReports = 1;
  std::set<std::string, std::less<>> allowed; ///< continuable kinds that are warnings
  bool countMemory = false;                   ///< shared-memory transactions and global sectors (slower)
  bool profileLoops = false;                  ///< instructions by loop (slower)
  uint64_t livelockSteps = 50'000'000;        ///< warp instructions without any effect another warp could see
  uint64_t stepLimit = 0;                     ///< warp instructions after which the run is interrupted; 0: none
  const std::atomic<bool> *interrupt =
      nullptr; ///< when it becomes true the run stops and reports where everything stands
  std::function<void(uint64_t finishedCtas, uint64_t ctas, uint64_t warpInstructions)>
      progress; ///< about once a second
  /// Receives vprintf output, with several threads all of it at the end; default: collected in the result.
  std::function<void(std::string_view)> print;
  TraceSink *trace = nullptr;
  /// Is told what the run executes, on one host thread.
  ExecutionObserver *observer = nullptr;
  /// Numbers of the clusters that run, x fastest, in the order in which they start; empty: the whole grid.
  std::vector<uint64_t> onlyClusters;
};

struct LaunchResult {
  std::vector<Diagnostic> diagnostics; ///< empty when the kernel ran clean; what comes later may follow from the first
  std::vector<Diagnostic> warnings;    ///< of the kinds that are allowed
  Counters counters;
  std::vector<LoopProfile> loops; ///< that ran, by function and line, where the options ask for them
  std::string output;             ///< of vprintf
  bool ok() const { return diagnostics.empty(); }
};

/// Runs one kernel to completion, or until it cannot go on or has made `mostReports` mistakes. Throws InputError when
/// the launch contradicts the module.
LaunchResult launch(Device &, const Module &, const LaunchOptions &);

/// Runs kernels of one module at the same time, as launches into several streams do: their CTAs are interleaved on the
/// same SMs and share the module's variables. Results are in the order of the options; a mistake in one run ends all.
/// On one host thread; no trace.
std::vector<LaunchResult> launchTogether(Device &, const Module &, const std::vector<LaunchOptions> &);

} // namespace ptxemu

#endif // PTX_EMULATOR_EMULATOR_H
