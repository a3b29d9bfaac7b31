//===- ScheduleFiles.cpp - What schedule generation writes down ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleFiles.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace tileiras::async {

static std::string getFunctionName(Operation *function) {
  auto name = function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.str() : "function";
}

/// FILE where the function is alone, else FILE-FUNCTION with the suffix of FILE.
static std::string getFileOf(Operation *function, llvm::StringRef file) {
  if (llvm::range_size(function->getParentRegion()->getOps<FunctionOpInterface>()) < 2)
    return file.str();
  llvm::SmallString<128> path(file);
  llvm::StringRef suffix = llvm::sys::path::extension(file);
  path.resize(file.size() - suffix.size());
  return (path + "-" + getFunctionName(function) + suffix).str();
}

static LogicalResult writeFile(Operation *function, llvm::StringRef path,
                               llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    write(file);
    file.close();
    code = file.error();
  }
  file.clear_error();
  if (!code)
    return success();
  return function->emitError() << "'" << path << "' cannot be written: " << code.message();
}

LogicalResult writeReports(Operation *function, const llvm::MapVector<Operation *, LoopSchedule> &schedules,
                           const ScheduleFiles &files) {
  std::vector<NamedSchedule> named;
  for (auto [index, item] : llvm::enumerate(schedules))
    named.push_back({getFunctionName(function) + ", loop " + std::to_string(index), item.second.scheduler,
                     item.second.problem, item.second.schedule, describePlace(item.first)});
  if (named.empty())
    return success();
  tellSchedules(function, named);
  if (!files.trace.empty())
    if (failed(writeFile(function, getFileOf(function, files.trace),
                         [&](llvm::raw_ostream &os) { writeScheduleTrace(named, os); })))
      return failure();
  if (!files.svg.empty())
    if (failed(writeFile(function, getFileOf(function, files.svg),
                         [&](llvm::raw_ostream &os) { drawSchedules(named, os); })))
      return failure();
  if (files.problemFolder.empty())
    return success();
  if (std::error_code code = llvm::sys::fs::create_directories(files.problemFolder))
    return function->emitError() << "folder '" << files.problemFolder << "' cannot be made: " << code.message();
  for (auto [index, item] : llvm::enumerate(named)) {
    llvm::SmallString<128> path(files.problemFolder);
    llvm::sys::path::append(path, getFunctionName(function) + "-" + std::to_string(index) + ".txt");
    if (failed(writeFile(function, path, [&](llvm::raw_ostream &os) { item.problem.print(os); })))
      return failure();
  }
  return success();
}

static std::string describeOperation(const ScheduleOperation &operation) {
  auto line = operation.op ? operation.op->getLoc()->findInstanceOf<FileLineColLoc>() : FileLineColLoc();
  return line ? operation.name + " (line " + std::to_string(line.getLine()) + ")" : operation.name;
}

std::string describeBottleneck(const ScheduleProblem &problem) {
  if (problem.getRecMII() > problem.getResMII())
    return ", bound by the recurrence " +
           llvm::join(llvm::map_range(problem.getCriticalRecurrence(),
                                      [&](unsigned i) { return describeOperation(problem.operations[i]); }),
                      " -> ");
  if (std::optional<unsigned> unit = problem.getCriticalUnit())
    return ", bound by unit '" + problem.units[*unit].name + "'";
  return "";
}

} // namespace tileiras::async
