//===- ScheduleTrace.cpp - Schedules for Perfetto ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/Support/JSON.h"

using namespace tileiras;

namespace {

/// The Trace Event Format's "JSON Object Format".
class TraceWriter {
public:
  explicit TraceWriter(llvm::raw_ostream &os) : json(os, /*IndentSize=*/1) {}

  void write(llvm::ArrayRef<NamedSchedule> schedules) {
    json.object([&] {
      json.attributeArray("traceEvents", [&] {
        for (const NamedSchedule &named : schedules) {
          writeTracks(named);
          for (unsigned i = 0; i < named.problem.operations.size(); ++i)
            writeOperation(named, i);
          for (const ScheduleDependence &edge : named.problem.dependences)
            writeDependence(named, edge);
          ++process;
        }
      });
      json.attribute("displayTimeUnit", "ns");
    });
  }

private:
  void writeEvent(
      llvm::StringRef phase, llvm::StringRef name, unsigned track, llvm::function_ref<void()> writeRest = [] {}) {
    json.object([&] {
      json.attribute("ph", phase);
      json.attribute("name", name);
      json.attribute("pid", process);
      json.attribute("tid", track);
      writeRest();
    });
  }

  void writeName(llvm::StringRef what, llvm::StringRef name, unsigned track) {
    writeEvent("M", what, track, [&] { json.attributeObject("args", [&] { json.attribute("name", name); }); });
  }

  /// Operations that keep no unit busy have a track of their own, the last.
  void writeTracks(const NamedSchedule &named) {
    writeName("process_name", named.name + " (" + named.scheduler + ")", 0);
    for (auto [index, unit] : llvm::enumerate(named.problem.units))
      writeName("thread_name", unit.name, index);
    writeName("thread_name", "no unit", named.problem.units.size());
  }

  void writeOperation(const NamedSchedule &named, unsigned index) {
    const ScheduleOperation &operation = named.problem.operations[index];
    llvm::SmallVector<ResourceUse> uses(operation.uses.begin(), operation.uses.end());
    if (uses.empty())
      uses.push_back({unsigned(named.problem.units.size()), 0, 1});
    for (const ResourceUse &use : uses)
      writeEvent("X", operation.name, use.unit, [&] {
        json.attribute("ts", int64_t(named.schedule.starts[index]) + use.offset);
        json.attribute("dur", use.duration);
        json.attributeObject("args", [&] { writeDetails(named, index); });
      });
  }

  void writeDetails(const NamedSchedule &named, unsigned index) {
    json.attribute("stage", named.schedule.getStage(index));
    json.attribute("row", named.schedule.starts[index] % named.schedule.initiationInterval);
    json.attribute("minimal latency", named.problem.operations[index].latency);
    if (std::optional<int64_t> latency = getActualLatency(named, index))
      json.attribute("actual latency", *latency);
    if (index < named.schedule.placement.size())
      json.attribute("placed by", named.schedule.placement[index]);
  }

  /// Until the first that needs the result starts; nullopt: nothing does.
  static std::optional<int64_t> getActualLatency(const NamedSchedule &named, unsigned index) {
    std::optional<int64_t> latency;
    for (const ScheduleDependence &edge : named.problem.dependences)
      if (edge.source == index && !edge.isOrder) {
        const int64_t cycles = int64_t(named.schedule.starts[edge.target]) - named.schedule.starts[index] +
                               int64_t(named.schedule.initiationInterval) * edge.distance;
        latency = std::min(latency.value_or(cycles), cycles);
      }
    return latency;
  }

  void writeDependence(const NamedSchedule &named, const ScheduleDependence &edge) {
    auto writeEnd = [&](llvm::StringRef phase, unsigned operation, int64_t cycle) {
      const auto &uses = named.problem.operations[operation].uses;
      const unsigned track = uses.empty() ? named.problem.units.size() : uses.front().unit;
      writeEvent(phase, edge.isOrder ? "order" : "value", track, [&] {
        json.attribute("cat", "dependence");
        json.attribute("id", flow);
        json.attribute("ts", cycle);
        if (phase == "f")
          json.attribute("bp", "e");
      });
    };
    // Those of later iterations would point out of the picture.
    if (edge.distance != 0)
      return;
    writeEnd("s", edge.source, named.schedule.starts[edge.source]);
    writeEnd("f", edge.target, named.schedule.starts[edge.target]);
    ++flow;
  }

  llvm::json::OStream json;
  unsigned process = 0, flow = 0;
};

} // namespace

void tileiras::writeScheduleTrace(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os) {
  TraceWriter(os).write(schedules);
  os << '\n';
}
