//===- Report.cpp - Tells what was found ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras::run {

bool Report::isGood() const {
  return llvm::all_of(outcomes, [](const Outcome &outcome) { return outcome.isGood(); }) &&
         llvm::all_of(comparisons, [](const Comparison &comparison) { return comparison.agrees; });
}

static constexpr double kPerGiga = 1e9, kPerTera = 1e12, kMicroseconds = 1e-6;

/// Of the median, which is what one gets.
static double perSecond(double amount, const Timing &timing) {
  return amount / (timing.median() * kMicroseconds);
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static constexpr const char *kLine = "%-12s";

static void printVerdict(llvm::raw_ostream &os, const Outcome &outcome, bool hasExpectations) {
  os << llvm::format(kLine, getName(outcome.place).data()) << outcome.device << ": ";
  if (!outcome.ranClean)
    os << "FAILED";
  else if (!outcome.agrees)
    os << "DIFFERS from what is expected";
  else
    os << "clean" << (hasExpectations ? ", agrees with what is expected" : "; nothing is expected of its results");
  if (outcome.schedules)
    os << "; " << outcome.schedules << (outcome.schedules == 1 ? " schedule" : " schedules");
  if (outcome.place != Place::Gpu)
    os << llvm::format("; %.3f s of this machine's time", outcome.hostSeconds);
  os << '\n';
}

static void printTiming(llvm::raw_ostream &os, const Timing &timing, const LaunchDescription &description) {
  os << llvm::format(kLine, "") << llvm::format("median %.2f us, best %.2f us of ", timing.median(), timing.best())
     << timing.microseconds.size() << (timing.microseconds.size() == 1 ? " launch" : " launches")
     << (timing.flushesL2 ? ", each with an empty L2 cache" : "");
  if (description.bytes)
    os << llvm::format("; %.4g GB/s", perSecond(static_cast<double>(description.bytes), timing) / kPerGiga);
  if (description.flops != 0)
    os << llvm::format("; %.4g TFLOP/s", perSecond(description.flops, timing) / kPerTera);
  os << '\n';
}

static void printResources(llvm::raw_ostream &os, const Resources &resources) {
  os << llvm::format(kLine, "") << resources.source << " says: " << resources.registers << " registers";
  if (resources.spillStoreBytes)
    os << ", " << *resources.spillStoreBytes << " bytes spilled";
  os << ", " << resources.localBytes << " bytes of stack" << (resources.spillStoreBytes ? "" : " and spills")
     << " a thread; " << resources.staticSharedBytes + resources.dynamicSharedBytes << " bytes of shared memory";
  if (resources.threads)
    os << " and " << resources.threads << " threads";
  os << " a block";
  if (resources.ctasPerMultiprocessor) {
    os << "; " << *resources.ctasPerMultiprocessor << " blocks fit on a multiprocessor";
    if (resources.threadsPerMultiprocessor)
      os << " (occupancy "
         << 100 * *resources.ctasPerMultiprocessor * resources.threads / resources.threadsPerMultiprocessor << " %)";
  }
  os << '\n';
}

void Report::print(llvm::raw_ostream &os) const {
  os << llvm::format(kLine, "kernel") << (entry.empty() ? "" : entry + " of ") << kernel.file;
  if (!kernel.gpuName.empty())
    os << ", compiled for " << kernel.gpuName << llvm::format(" in %.2f s", kernel.compileSeconds);
  os << '\n';
  for (const auto &[place, why] : skipped)
    os << llvm::format(kLine, getName(place).data()) << "not run: " << why << '\n';
  for (const Outcome &outcome : outcomes) {
    printVerdict(os, outcome, !description.expectations.empty());
    if (outcome.timing)
      printTiming(os, *outcome.timing, description);
    if (outcome.resources)
      printResources(os, *outcome.resources);
  }
  for (const Comparison &comparison : comparisons)
    os << llvm::format(kLine, "compared") << getName(comparison.first) << " and " << getName(comparison.second) << ": "
       << (comparison.elements == 0 ? "nothing, the launch has neither 'expect' nor 'compare' nor 'write'"
           : !comparison.agrees     ? "DIFFER"
           : comparison.warns       ? "differ where the launch gives neither type nor tolerance"
                                    : "agree")
       << (comparison.elements ? " (" + std::to_string(comparison.elements) + " elements)" : "") << '\n';
}

void Report::printMistakes(llvm::raw_ostream &os) const {
  for (const Outcome &outcome : outcomes)
    for (llvm::StringRef line : llvm::split(llvm::StringRef(outcome.report).rtrim('\n'), '\n'))
      if (!line.empty())
        os << getName(outcome.place) << ": " << line << '\n';
  for (const Comparison &comparison : comparisons)
    os << comparison.report;
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

static void writeTiming(llvm::json::OStream &json, const Timing &timing, const LaunchDescription &description) {
  json.attributeObject("time", [&] {
    json.attribute("median_us", timing.median());
    json.attribute("best_us", timing.best());
    json.attribute("launches", static_cast<int64_t>(timing.microseconds.size()));
    json.attribute("flushed_l2", timing.flushesL2);
    if (description.bytes)
      json.attribute("gigabytes_per_second", perSecond(static_cast<double>(description.bytes), timing) / kPerGiga);
    if (description.flops != 0)
      json.attribute("teraflops", perSecond(description.flops, timing) / kPerTera);
  });
}

static void writeResources(llvm::json::OStream &json, const Resources &resources) {
  json.attributeObject("resources", [&] {
    json.attribute("source", resources.source);
    json.attribute("registers", resources.registers);
    json.attribute("local_bytes", resources.localBytes);
    if (resources.spillStoreBytes)
      json.attribute("spill_store_bytes", *resources.spillStoreBytes);
    if (resources.spillLoadBytes)
      json.attribute("spill_load_bytes", *resources.spillLoadBytes);
    json.attribute("static_shared_bytes", resources.staticSharedBytes);
    json.attribute("dynamic_shared_bytes", resources.dynamicSharedBytes);
    if (resources.threads)
      json.attribute("threads", resources.threads);
    if (resources.ctasPerMultiprocessor)
      json.attribute("ctas_per_multiprocessor", *resources.ctasPerMultiprocessor);
  });
}

static void writeOutcome(llvm::json::OStream &json, const Outcome &outcome, const LaunchDescription &description) {
  json.attribute("on", getName(outcome.place));
  json.attribute("device", outcome.device);
  json.attribute("clean", outcome.ranClean);
  json.attribute("agrees", outcome.agrees);
  if (!outcome.report.empty())
    json.attribute("report", llvm::json::fixUTF8(outcome.report));
  json.attribute("host_seconds", outcome.hostSeconds);
  if (outcome.schedules)
    json.attribute("schedules", static_cast<int64_t>(outcome.schedules));
  if (outcome.timing)
    writeTiming(json, *outcome.timing, description);
  if (outcome.resources)
    writeResources(json, *outcome.resources);
}

void Report::writeJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("file", llvm::json::fixUTF8(kernel.file));
    if (!entry.empty())
      json.attribute("entry", llvm::json::fixUTF8(entry));
    if (!kernel.gpuName.empty()) {
      json.attribute("gpu_name", kernel.gpuName);
      json.attribute("compile_seconds", kernel.compileSeconds);
    }
    json.attribute("good", isGood());
    json.attributeArray("runs", [&] {
      for (const Outcome &outcome : outcomes)
        json.object([&] { writeOutcome(json, outcome, description); });
    });
    json.attributeObject("skipped", [&] {
      for (const auto &[place, why] : skipped)
        json.attribute(getName(place), llvm::json::fixUTF8(why));
    });
    json.attributeArray("comparisons", [&] {
      for (const Comparison &comparison : comparisons)
        json.object([&] {
          json.attribute("first", getName(comparison.first));
          json.attribute("second", getName(comparison.second));
          json.attribute("agrees", comparison.agrees);
          json.attribute("warns", comparison.warns);
          json.attribute("elements", static_cast<int64_t>(comparison.elements));
        });
    });
  });
  os << '\n';
}

} // namespace tileiras::run
