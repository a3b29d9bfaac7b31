//===- Outcome.h - What a run of a kernel left ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_OUTCOME_H
#define TILEIRAS_RUNTIME_RUN_OUTCOME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tileiras::run {

/// Where kernels run.
enum class Place { Gpu, Emulator, Interpreter };
inline constexpr Place kPlaces[] = {Place::Gpu, Place::Emulator, Place::Interpreter};
/// "gpu", "emulator", "interpreter".
llvm::StringRef getName(Place);

/// What a kernel takes of a multiprocessor.
struct Resources {
  const char *source = nullptr;                            ///< who says so: "driver" or "ptxas"
  uint32_t registers = 0;                                  ///< of a thread
  uint32_t localBytes = 0;                                 ///< of a thread: stack, spills included
  std::optional<uint32_t> spillStoreBytes, spillLoadBytes; ///< of a thread; only ptxas tells
  uint32_t staticSharedBytes = 0, dynamicSharedBytes = 0;  ///< of a CTA
  uint32_t threads = 0;                                    ///< of a CTA; 0: unknown
  std::optional<uint32_t> ctasPerMultiprocessor;           ///< that fit at a time; only the driver tells
  uint32_t threadsPerMultiprocessor = 0;                   ///< that the GPU has room for
};

/// Times of launches on a GPU, in microseconds.
struct Timing {
  std::vector<double> microseconds;
  bool flushesL2 = false;

  double median() const;
  double best() const;
};

struct Outcome {
  Place place = Place::Emulator;
  std::string device;    ///< "NVIDIA H200 (sm_90)"
  bool ranClean = false; ///< without traps, races, undefined behaviour …
  bool agrees = false;   ///< with what the description expects
  std::string report;    ///< what went wrong, or differs: sentences that end with a line break
  double hostSeconds = 0;
  uint64_t schedules = 0; ///< that the emulator ran
  std::optional<Timing> timing;
  std::optional<Resources> resources;
  std::map<std::string, std::vector<uint8_t>> buffers; ///< contents after the first run; empty unless it ran clean
  /// How far a conforming implementation's element may be from the one at an offset of a buffer; null: unknown.
  std::function<double(const std::string &buffer, uint64_t offset)> getBound;

  bool isGood() const { return ranClean && agrees; }
};

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_OUTCOME_H
