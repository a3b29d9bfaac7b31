//===- CompilationReport.cpp - What a compilation did, for people ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace mlir;

namespace tileiras {

/// Longer lines are cut: types of tiles repeat their layouts.
static constexpr size_t kMostLetters = 400;

static std::vector<std::string> printLines(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  std::vector<std::string> lines;
  for (StringRef rest = text; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    lines.push_back(line.size() <= kMostLetters ? line.str() : line.take_front(kMostLetters).str() + "…");
    rest = others;
  }
  return lines;
}

static ModuleOp findModule(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

class CompilationReport::Watcher final : public PassInstrumentation {
public:
  explicit Watcher(CompilationReport &report) : report(report) {}

  void runBeforePass(Pass *, Operation *) override { starts.push_back(std::chrono::steady_clock::now()); }
  void runAfterPassFailed(Pass *, Operation *) override { starts.pop_back(); }

  void runAfterPass(Pass *pass, Operation *op) override {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - starts.back();
    starts.pop_back();
    ModuleOp module = findModule(op);
    if (pass->getArgument().empty() || !module) // one that only runs others
      return;
    std::vector<std::string> after = printLines(module);
    llvm::json::Object entry = describeDifference(report.lines, after);
    entry["pass"] = pass->getArgument();
    entry["ms"] = took.count();
    if (auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      entry["function"] = name.getValue();
    report.passes.push_back(std::move(entry));
    report.lines = std::move(after);
    if (pass->getArgument() == "tileas-allocate-memory")
      report.memory = describeMemory(module);
    if (pass->getArgument() == "tileas-budget-registers")
      report.agents = describeAgents(module);
  }

private:
  CompilationReport &report;
  std::vector<std::chrono::steady_clock::time_point> starts;
};

CompilationReport::CompilationReport(MLIRContext &context) {
  setScheduleListener(context, [this](Operation *, llvm::ArrayRef<NamedSchedule> made) {
    for (const NamedSchedule &schedule : made)
      schedules.push_back(describeSchedule(schedule));
  });
}

void CompilationReport::begin(ModuleOp module) {
  lines = printLines(module);
  program = llvm::join(lines, "\n");
}

std::unique_ptr<PassInstrumentation> CompilationReport::createInstrumentation() {
  return std::make_unique<Watcher>(*this);
}

void CompilationReport::addRemark(const remark::detail::Remark &remark) {
  std::string message;
  for (const auto &argument : remark.getArgs())
    message += (message.empty() ? "" : ", ") + (argument.key == "Remark" ? "" : argument.key + " = ") + argument.val;
  llvm::json::Object entry{{"kind", remark.getRemarkTypeString()},
                           {"category", remark.getCombinedCategoryName()},
                           {"name", remark.getRemarkName()},
                           {"function", remark.getFunction()},
                           {"message", message}};
  if (auto place = LocationAttr(remark.getLocation()).findInstanceOf<FileLineColLoc>()) {
    entry["file"] = place.getFilename().getValue();
    entry["line"] = place.getLine();
    entry["column"] = place.getColumn();
  }
  remarks.push_back(std::move(entry));
}

void CompilationReport::writeInto(llvm::json::Object &report) {
  report["remarks"] = std::move(remarks);
  report["passes"] = std::move(passes);
  report["schedules"] = std::move(schedules);
  report["memory"] = std::move(memory);
  report["agents"] = std::move(agents);
  report["program"] = std::move(program);
}

} // namespace tileiras
