//===- Cache.h - Which lines a cache holds ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_CACHE_H
#define PTX_EMULATOR_TIMING_CACHE_H

#include "Trace.h"
#include <algorithm>
#include <list>
#include <unordered_map>

namespace ptxemu::timing {

/// A fully associative cache of lines with sectors, which forgets what was used longest ago.
class Cache {
public:
  explicit Cache(double bytes) : left(bytes) {}

  struct Line {
    uint64_t line;
    uint8_t sectors = 0;
    uint8_t dirty = 0;  ///< sectors that have been written, and are to go to memory
    double arrives = 0; ///< when the last of its sectors is there
    double bytes = 0;   ///< that it counts for
  };

  /// The line, as the one used last; null when it is not there.
  Line *find(uint64_t line) {
    auto it = places.find(line);
    if (it == places.end())
      return nullptr;
    lines.splice(lines.begin(), lines, it->second);
    return &lines.front();
  }

  /// Adds sectors that arrive at a time. `bytes`: what the line counts for, of the capacity.
  void fill(uint64_t line, uint8_t sectors, double arrives, double bytes) {
    Line *there = find(line);
    if (!there) {
      lines.push_front({line, 0, 0, 0, bytes});
      places[line] = lines.begin();
      there = &lines.front();
      left -= bytes;
    }
    there->sectors |= sectors;
    there->arrives = std::max(there->arrives, arrives);
    for (; left < 0 && lines.size() > 1; lines.pop_back()) {
      left += lines.back().bytes;
      places.erase(lines.back().line);
    }
  }

private:
  double left;
  std::list<Line> lines; ///< the last used first
  std::unordered_map<uint64_t, std::list<Line>::iterator> places;
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_CACHE_H
