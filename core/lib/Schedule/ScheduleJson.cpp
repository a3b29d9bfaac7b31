//===- ScheduleJson.cpp - Schedules for programs --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Schedule/ScheduleReport.h"

namespace tileiras {

static llvm::json::Object describeScheduled(const ScheduleOperation &operation, const Schedule &schedule,
                                            unsigned index) {
  llvm::json::Array uses;
  for (const ResourceUse &use : operation.uses)
    uses.push_back(llvm::json::Array{use.unit, use.offset, use.duration});
  llvm::json::Object object{
      {"name", operation.name},       {"start", schedule.starts[index]},  {"stage", schedule.getStage(index)},
      {"latency", operation.latency}, {"registers", operation.registers}, {"uses", std::move(uses)}};
  if (index < schedule.placement.size())
    object["placement"] = schedule.placement[index];
  if (auto line =
          operation.op ? operation.op->getLoc()->findInstanceOf<mlir::FileLineColLoc>() : mlir::FileLineColLoc()) {
    object["file"] = line.getFilename().getValue();
    object["line"] = line.getLine();
  }
  return object;
}

llvm::json::Value describeSchedule(const NamedSchedule &named) {
  const ScheduleProblem &problem = named.problem;
  llvm::json::Array units, operations, dependences;
  for (const ExecutionUnit &unit : problem.units)
    units.push_back(llvm::json::Object{{"name", unit.name}, {"capacity", unit.capacity}});
  for (auto [index, operation] : llvm::enumerate(problem.operations))
    operations.push_back(describeScheduled(operation, named.schedule, index));
  for (const ScheduleDependence &edge : problem.dependences)
    dependences.push_back(llvm::json::Object{{"from", edge.source},
                                             {"to", edge.target},
                                             {"latency", edge.latency},
                                             {"distance", edge.distance},
                                             {"order", edge.isOrder}});
  llvm::json::Object object{{"name", named.name},
                            {"scheduler", named.scheduler},
                            {"place", named.place},
                            {"ii", named.schedule.initiationInterval},
                            {"proven", named.schedule.isProvenMinimal},
                            {"stages", named.schedule.getNumStages()},
                            {"resmii", problem.getResMII()},
                            {"recmii", problem.getRecMII()},
                            {"units", std::move(units)},
                            {"operations", std::move(operations)},
                            {"dependences", std::move(dependences)}};
  if (std::optional<unsigned> unit = problem.getCriticalUnit())
    object["critical"] = problem.units[*unit].name;
  return object;
}

//===----------------------------------------------------------------------===//
// Listeners
//===----------------------------------------------------------------------===//

namespace {
class ListenerOfContext final : public mlir::DialectInterface::Base<ListenerOfContext> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ListenerOfContext)

  ListenerOfContext(mlir::Dialect *dialect) : Base(dialect) {}

  ScheduleListener listener;
};
} // namespace

static const ListenerOfContext *find(mlir::MLIRContext &context) {
  return context.getLoadedDialect<mlir::BuiltinDialect>()->getRegisteredInterface<ListenerOfContext>();
}

void setScheduleListener(mlir::MLIRContext &context, ScheduleListener listener) {
  mlir::Dialect *builtin = context.getLoadedDialect<mlir::BuiltinDialect>();
  if (!builtin->getRegisteredInterface<ListenerOfContext>())
    builtin->addInterface<ListenerOfContext>();
  // Interfaces are handed out as const; this one is only changed here, before passes run.
  const_cast<ListenerOfContext *>(find(context))->listener = std::move(listener);
}

void tellSchedules(mlir::Operation *function, llvm::ArrayRef<NamedSchedule> schedules) {
  if (const ListenerOfContext *found = find(*function->getContext()); found && found->listener)
    found->listener(function, schedules);
}

} // namespace tileiras
