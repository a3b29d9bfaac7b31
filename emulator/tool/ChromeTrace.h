//===- ChromeTrace.h - A trace file for chrome://tracing and Perfetto -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_CHROMETRACE_H
#define PTX_EMULATOR_CHROMETRACE_H

#include "ptx-emulator/Counters.h"
#include <fstream>
#include <map>

namespace ptxemu {

/// Writes spans as trace events.
class ChromeTrace : public TraceSink {
public:
  /// `unit`: how many of the spans' units of time are a microsecond of the timeline; one of a run's warp instructions.
  explicit ChromeTrace(const std::string &path, double unit = 1) : out(path), unit(unit) {
    out.precision(15);
    out << "{\"traceEvents\":[\n";
  }
  /// Completes the file; false when not all of it could be written.
  bool finish() {
    out << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"ptx-emulator\"}}]}\n";
    out.close();
    return out.good();
  }
  bool good() const { return out.good(); }

  void span(const std::string &process, const std::string &track, const std::string &name, uint64_t begin,
            uint64_t end) override {
    auto [p, newProcess] = processes.try_emplace(process, processes.size() + 1);
    if (newProcess)
      out << "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" << p->second << ",\"args\":{\"name\":\"" << process
          << "\"}},\n";
    auto [t, newTrack] = tracks.try_emplace(process + "/" + track, tracks.size() + 1);
    if (newTrack)
      out << "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" << p->second << ",\"tid\":" << t->second
          << ",\"args\":{\"name\":\"" << track << "\"}},\n";
    out << "{\"ph\":\"X\",\"name\":\"" << name << "\",\"pid\":" << p->second << ",\"tid\":" << t->second
        << ",\"ts\":" << static_cast<double>(begin) / unit << ",\"dur\":" << static_cast<double>(end - begin) / unit
        << "},\n";
  }

private:
  std::ofstream out;
  double unit;
  std::map<std::string, size_t> processes, tracks;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_CHROMETRACE_H
