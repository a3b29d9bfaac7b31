//===- SteadyState.h - When clusters end at a constant rate -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_STEADYSTATE_H
#define PTX_EMULATOR_TIMING_STEADYSTATE_H

#include <cstdint>
#include <vector>

namespace ptxemu::timing {

/// The rate at which a group of SMs that always has a next cluster ends them.
struct SteadyState {
  double cyclesEach = 0; ///< from one end to the next, on average
  double change = 0;     ///< by which the later half took longer than the earlier one, or less: a share of it
  bool isReached() const;
};

/// How far the two halves of a steady state may differ.
inline constexpr double kSteady = 0.005;

/// `ends`: cycles at which clusters have ended, in this order; `places`: how many run at once. All start together,
/// doing the same at the same time, which wears off: the first quarter does not count, a wave at least. Nor do those
/// that end after the last has started, and have more of the machine to themselves. Of what is left, two halves of
/// whole waves are compared, and the time is that of both, of the later one where they differ by more than kSteady.
/// Needs four waves.
SteadyState steadyState(const std::vector<double> &ends, uint64_t places);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_STEADYSTATE_H
