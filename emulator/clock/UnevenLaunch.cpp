//===- UnevenLaunch.cpp - Launches whose clusters differ in length --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnevenLaunch.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>

namespace ptxemu::timing {

static double goldenFraction(uint64_t i) {
  constexpr double kGolden = 0.6180339887498949;
  const double multiple = static_cast<double>(i) * kGolden;
  return multiple - std::floor(multiple);
}

uint64_t spreadPoint(uint64_t i, uint64_t size) {
  return std::min(size - 1, static_cast<uint64_t>(goldenFraction(i) * static_cast<double>(size)));
}

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

ClusterLengths::ClusterLengths(std::array<unsigned, 3> clusterGrid, std::function<uint64_t(uint64_t)> measure)
    : grid(clusterGrid), clusters(static_cast<uint64_t>(clusterGrid[0]) * clusterGrid[1] * clusterGrid[2]),
      measure(std::move(measure)) {}

uint64_t ClusterLengths::measured(uint64_t number) {
  if (const auto it = known.find(number); it != known.end())
    return it->second;
  return known[number] = measure(number);
}

bool ClusterLengths::repeatsAfter(uint64_t distance) {
  constexpr uint64_t kPlaces = 4;
  constexpr double kSame = 0.01;
  for (uint64_t i = 0; i < kPlaces; ++i) {
    const uint64_t here = spreadPoint(i, clusters - distance);
    const auto a = static_cast<double>(measured(here)), b = static_cast<double>(measured(here + distance));
    if (std::abs(a - b) > kSame * std::max(a, b))
      return false;
  }
  return true;
}

void ClusterLengths::findPeriod() {
  // A kernel that takes its place apart by itself has a grid of one dimension, and parts of it are divisors or powers.
  constexpr uint64_t kMostCandidates = 24;
  std::set<uint64_t> candidates;
  if (grid[1] > 1 || grid[2] > 1) {
    candidates = {grid[0], static_cast<uint64_t>(grid[0]) * grid[1]};
  } else {
    for (uint64_t d = 2; d * 2 <= clusters; ++d)
      if (clusters % d == 0 || (d & (d - 1)) == 0)
        candidates.insert(d);
  }
  uint64_t tried = 0;
  for (uint64_t candidate : candidates) {
    if (candidate < 2 || candidate * 2 > clusters)
      continue;
    if (tried++ == kMostCandidates)
      return;
    if (repeatsAfter(candidate)) {
      periodic = candidate;
      return;
    }
  }
}

std::vector<uint64_t> ClusterLengths::sample(uint64_t count) const {
  std::vector<uint64_t> numbers;
  std::set<uint64_t> taken;
  const auto take = [&](uint64_t number) {
    if (taken.insert(number).second)
      numbers.push_back(number);
  };
  count = std::min(count, clusters);
  if (!periodic) {
    for (uint64_t i = 0; i < count; ++i)
      take(spreadPoint(i, clusters));
    return numbers;
  }
  if (periodic < count) // all parts as often
    count = std::min((count + periodic - 1) / periodic * periodic, clusters / periodic * periodic);
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [](uint64_t a, uint64_t b) { return goldenFraction(a) < goldenFraction(b); });
  std::vector<uint64_t> rank(count);
  for (uint64_t r = 0; r < count; ++r)
    rank[order[r]] = r;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t part = (2 * rank[i] + 1) * periodic / (2 * count);
    take(part % periodic + periodic * (i * (clusters / periodic) / count));
  }
  return numbers;
}

std::vector<double> ClusterLengths::all() const {
  std::vector<double> lengths(clusters);
  if (!periodic) { // those that were probed for a period are near each other
    for (uint64_t i = 0; i < clusters && !sampled.empty(); ++i)
      lengths[i] = sampled[i % sampled.size()];
    return lengths;
  }
  std::map<uint64_t, double> parts;
  for (const auto &[number, length] : known)
    parts[number % periodic] = static_cast<double>(length);
  for (uint64_t i = 0; i < clusters; ++i) {
    const uint64_t part = i % periodic;
    const auto after = parts.lower_bound(part);
    if (after == parts.end()) {
      lengths[i] = std::prev(after)->second;
    } else if (after->first == part || after == parts.begin()) {
      lengths[i] = after->second;
    } else {
      const auto before = std::prev(after);
      const double share =
          static_cast<double>(part - before->first) / static_cast<double>(after->first - before->first);
      lengths[i] = before->second + share * (after->second - before->second);
    }
  }
  return lengths;
}

//===----------------------------------------------------------------------===//
// The queue
//===----------------------------------------------------------------------===//

namespace {

/// Clusters that share a group of SMs evenly.
struct Group {
  std::vector<double> left; ///< of each cluster's length
  double time = 0;          ///< up to which `left` holds

  double rateOfEach(const QueueModel &model) const {
    return model.rates[left.size() - 1] / static_cast<double>(left.size());
  }
  double nextEnd(const QueueModel &model) const {
    return time + *std::min_element(left.begin(), left.end()) / rateOfEach(model);
  }
  /// One or more have ended then.
  void advance(double until) {
    const double done = *std::min_element(left.begin(), left.end());
    for (double &each : left)
      each -= done;
    std::erase_if(left, [](double each) { return each <= 0; });
    time = until;
  }
};

} // namespace

double cyclesOfQueue(const QueueModel &model, const std::vector<double> &lengths) {
  std::vector<Group> groups(model.groups);
  size_t next = 0;
  for (size_t place = 0; place < model.rates.size(); ++place)
    for (Group &g : groups)
      if (next < lengths.size())
        g.left.push_back(lengths[next++]);
  using End = std::pair<double, size_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  for (size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].left.empty())
      ends.emplace(groups[g].nextEnd(model), g);
  double last = 0;
  while (!ends.empty()) {
    const auto [time, g] = ends.top();
    ends.pop();
    last = time;
    groups[g].advance(time);
    while (groups[g].left.size() < model.rates.size() && next < lengths.size())
      groups[g].left.push_back(lengths[next++]);
    if (!groups[g].left.empty())
      ends.emplace(groups[g].nextEnd(model), g);
  }
  return last;
}

} // namespace ptxemu::timing
