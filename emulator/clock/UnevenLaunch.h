//===- UnevenLaunch.h - Launches whose clusters differ in length -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_UNEVENLAUNCH_H
#define PTX_EMULATOR_TIMING_UNEVENLAUNCH_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ptxemu::timing {

/// Number i of points that are spread evenly over 0 … size - 1, however many there are: multiples of the golden ratio.
uint64_t spreadPoint(uint64_t i, uint64_t size);

/// Lengths of clusters, in warp instructions, by their number in the grid. Few of them are measured: where the lengths
/// come again after a number of clusters, as those of causal attention do with each head, all of a period are known
/// from those.
class ClusterLengths {
public:
  /// `measure` executes the cluster of a number; 0 where that failed.
  ClusterLengths(std::array<unsigned, 3> clusterGrid, std::function<uint64_t(uint64_t number)> measure);

  uint64_t measured(uint64_t number);
  /// Finds the period: the smallest part of the grid after which some lengths come again. Measures few clusters for
  /// each candidate.
  void findPeriod();
  /// Clusters after which the lengths come again; 0: none found.
  uint64_t period() const { return periodic; }
  /// Numbers of `count` clusters or a few more, whose lengths are together what all clusters' are: of each part of a
  /// period as many, in no order of length.
  std::vector<uint64_t> sample(uint64_t count) const;
  /// The length of one of the sample, in its order.
  void know(uint64_t number, uint64_t length) {
    known[number] = length;
    sampled.push_back(static_cast<double>(length));
  }
  /// All clusters' lengths: what is between known ones of a period is interpolated. Without a period, the sample's over
  /// and over.
  std::vector<double> all() const;

private:
  bool repeatsAfter(uint64_t distance);

  std::array<unsigned, 3> grid;
  uint64_t clusters;
  std::function<uint64_t(uint64_t)> measure;
  std::map<uint64_t, uint64_t> known;
  std::vector<double> sampled;
  uint64_t periodic = 0;
};

/// What SMs, or groups of them, do with clusters that wait in a queue: each takes the next when it has a place free.
struct QueueModel {
  uint64_t groups = 1;       ///< that take clusters
  std::vector<double> rates; ///< warp instructions a cycle of a group with one cluster, two …; as many as it has places
};

/// Cycles until all clusters have ended that start in the order given. `lengths`: warp instructions.
double cyclesOfQueue(const QueueModel &, const std::vector<double> &lengths);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_UNEVENLAUNCH_H
