//===- Estimate.h - How long a launch would take ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_ESTIMATE_H
#define PTX_EMULATOR_TIMING_ESTIMATE_H

#include "MachineModel.h"
#include "Occupancy.h"
#include "Simulation.h"
#include "ptx-emulator/Emulator.h"
#include <optional>

namespace ptxemu::timing {

/// Why no time can be told: a sentence with its remedy.
struct EstimateError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How busy a unit is, of the time that the simulated SMs work.
struct UnitUse {
  std::string name;
  double share = 0;
};

/// The cycles of one source line, or line of the PTX.
struct LineCost {
  std::string place; ///< "file:line", or "PTX line N"
  std::string text;  ///< the PTX instruction that costs most there
  double cycles = 0; ///< that warps spent
  uint64_t issues = 0;
};

/// What the model says of a launch. A model: no figure here was measured.
struct Estimate {
  std::string machine;
  bool isTentative = false;
  double nanoseconds = 0; ///< from the launch to the end of the last CTA
  double launchNs = 0;    ///< of that, until the first CTAs run
  double gigahertz = 0;
  double cycles = 0; ///< an SM works
  // Of the whole launch.
  std::map<unsigned, double> operations; ///< of matrix instructions, by bits of an element
  double otherOperations = 0;
  double dramBytes = 0;
  double tflops = 0, possibleTflops = 0; ///< of matrix instructions, else of arithmetic
  double gbs = 0, possibleGbs = 0;       ///< of DRAM
  std::vector<UnitUse> units;            ///< the busiest first
  std::string bound;                     ///< what bounds it, a phrase
  unsigned tensorColumns = 0;            ///< of tensor memory, the most that a CTA held
  unsigned possibleColumns = 0;          ///< that an SM has
  double heldColumns = 0;                ///< of those, the share that was held on average
  Occupancy occupancy;
  CtaNeeds needs;
  std::string registerSource; ///< where the number of registers comes from
  uint64_t clusters = 0;
  unsigned clusterSize = 1;
  double waves = 0;
  double lastWave = 0; ///< share of the SMs that the last wave uses
  uint64_t simulatedClusters = 0;
  bool isExact = false; ///< the SM's CTAs were simulated to the last
  Activity activity;
  std::vector<LineCost> lines; ///< the dearest first
  std::vector<std::string> notes;
};

struct EstimateOptions {
  std::optional<unsigned> registers;    ///< of a thread
  TraceSink *trace = nullptr;           ///< receives spans in picoseconds
  uint64_t footprintSteps = 20'000'000; ///< warp instructions to find out what CTAs share
  uint64_t leastSteps = 1'000'000;      ///< warp instructions of a queue to simulate before its rest is extrapolated
  uint64_t mostSteps = 16'000'000;      ///< to simulate where clusters do not end at a constant rate before
};

/// Runs CTAs of the launch in the emulator and times what they execute. `launch` as for a run. Throws InputError and
/// EstimateError.
Estimate estimate(Device &, const Module &, const LaunchOptions &launch, const MachineModel &, const EstimateOptions &);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_ESTIMATE_H
