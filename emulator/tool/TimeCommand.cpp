//===- TimeCommand.cpp - ptx-emulator time --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeCommand.h"
#include "CaseFile.h"
#include "ChromeTrace.h"
#include "HostTensorMaps.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "Report.h"
#include "ReportPage.h"
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace cl = llvm::cl;

namespace ptxemu {

/// Of --machine; with the names of those that there are.
static const std::string &machineHelp() {
  static const std::string text = [] {
    std::string names;
    for (const std::string &name : timing::MachineModel::known())
      names += (names.empty() ? "" : ", ") + name;
    return "the GPU (default h100-sxm): " + names + "; or a file of figures that ends in .toml";
  }();
  return text;
}

TimeCommand::TimeCommand(cl::OptionCategory &group)
    : command("time", "say how long a kernel would take on a GPU, by a model"),
      file(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(command), cl::cat(group)),
      launchFile("launch", cl::value_desc("launch.json"), cl::sub(command), cl::cat(group),
                 cl::desc("the launch, as for run; expected results are not looked at")),
      caseDirectory("case", cl::value_desc("DIR"), cl::sub(command), cl::cat(group),
                    cl::desc("launch.txt and buf_*.bin describe the launch")),
      machine("machine", cl::init("h100-sxm"), cl::value_desc("NAME"), cl::sub(command), cl::cat(group),
              cl::desc(machineHelp())),
      entry("entry", cl::value_desc("NAME"), cl::sub(command), cl::cat(group), cl::desc("the kernel")),
      jsonFile("json", cl::value_desc("FILE"), cl::sub(command), cl::cat(group),
               cl::desc("write the estimate as JSON, '-' to standard output instead of the text")),
      traceFile("trace", cl::value_desc("FILE"), cl::sub(command), cl::cat(group),
                cl::desc("write a timeline that Perfetto opens")),
      reportFile("report", cl::value_desc("FILE"), cl::sub(command), cl::cat(group),
                 cl::desc("write a page (HTML) that shows the estimate, its lines and the PTX beside the source")),
      registers("registers", cl::init(0), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                cl::desc("registers of a thread, as the assembler tells")),
      showLines("lines", cl::sub(command), cl::cat(group), cl::desc("print where warps spend their cycles")) {}

std::string TimeCommand::check() const {
  if (launchFile.empty() == caseDirectory.empty())
    return launchFile.empty() ? "time needs either --launch or --case"
                              : "time takes either --launch or --case, not both";
  if (registers.getNumOccurrences() && (registers < 1 || registers > 255))
    return "--registers takes a number from 1 to 255, not " + std::to_string(registers);
  return "";
}

void TimeCommand::run(const Module &module, const std::atomic<bool> &interrupt) const {
  const timing::MachineModel model = timing::MachineModel::find(machine);
  const tileiras::LaunchDescription description =
      launchFile.empty() ? tileiras::readCase(caseDirectory) : tileiras::readLaunchFile(launchFile);
  Device device;
  LaunchOptions launch;
  launch.entry = entry;
  description.prepare(device, launch);
  tileiras::appendTensorMaps(device, module, launch);
  launch.interrupt = &interrupt;

  timing::EstimateOptions options;
  if (registers)
    options.registers = registers;
  constexpr double kPicoseconds = 1e6; // of a microsecond
  std::optional<ChromeTrace> trace;
  if (!traceFile.empty())
    options.trace = &trace.emplace(traceFile, kPicoseconds);
  const timing::Estimate result = timing::estimate(device, module, launch, model, options);
  if (trace && !trace->finish())
    throw tileiras::LaunchError("cannot write " + traceFile);

  if (jsonFile == "-") {
    printJson(std::cout, result);
  } else {
    printReport(std::cout, result);
    if (!jsonFile.empty()) {
      std::ofstream out(jsonFile);
      printJson(out, result);
      if (!out.flush())
        throw tileiras::LaunchError("cannot write " + jsonFile);
    }
  }
  if (!reportFile.empty())
    writePage(result);
  constexpr size_t kLines = 30;
  if (showLines)
    printLines(std::cout, result, kLines);
}

void TimeCommand::writePage(const timing::Estimate &result) const {
  std::ostringstream ptx, json;
  ptx << std::ifstream(file).rdbuf();
  printJson(json, result);
  const std::string title = std::filesystem::path(file.getValue()).filename().string();
  std::ofstream out(reportFile);
  out << tileiras::report::makePage(title, {{.title = title, .estimates = {json.str()}, .ptx = ptx.str()}});
  if (!out.flush())
    throw tileiras::LaunchError("cannot write " + reportFile);
}

} // namespace ptxemu
