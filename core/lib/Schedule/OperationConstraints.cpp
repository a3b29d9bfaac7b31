//===- OperationConstraints.cpp - What a program asks of schedules --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationConstraints.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tileiras {

static LogicalResult readNumber(Operation *op, StringRef name, std::optional<uint32_t> &number) {
  Attribute attribute = op->getAttr(name);
  if (!attribute)
    return success();
  auto value = dyn_cast<IntegerAttr>(attribute);
  if (!value || !value.getType().isInteger(32) || value.getValue().isNegative())
    return op->emitOpError() << "attribute '" << name << "' failed to satisfy constraint: 32-bit signless integer "
                             << "attribute whose value is not negative";
  number = value.getValue().getZExtValue();
  return success();
}

static LogicalResult readFlag(Operation *op, StringRef name, bool &flag) {
  Attribute attribute = op->getAttr(name);
  flag = bool(attribute);
  if (attribute && !isa<UnitAttr>(attribute))
    return op->emitOpError() << "attribute '" << name << "' failed to satisfy constraint: unit attribute";
  return success();
}

FailureOr<ScheduleConstraints> readConstraints(Operation *op) {
  struct Number {
    StringLiteral name;
    uint32_t ScheduleConstraints::*member;
  };
  static constexpr Number numbers[] = {
      {"tileas.schedule.constraint.gid", &ScheduleConstraints::group},
      {"tileas.schedule.constraint.leader_gid", &ScheduleConstraints::leaderGroup},
      {"tileas.preferred_atom_size", &ScheduleConstraints::preferredAtomSize},
      {"tileas.max_num_slices_for_non_reduce_axis", &ScheduleConstraints::maxSlicesForNonReduceAxis},
      {"tileas.max_num_of_recomputations", &ScheduleConstraints::maxRecomputations}};
  struct Flag {
    StringLiteral name;
    bool ScheduleConstraints::*member;
  };
  static constexpr Flag flags[] = {
      {"tileas.schedule.constraint.force_serial_execution", &ScheduleConstraints::forceSerial},
      {"tileas.enable_defusion_if_fusion_extending_liveness", &ScheduleConstraints::enableDefusion},
      {"tileas.recomputable", &ScheduleConstraints::recomputable}};

  ScheduleConstraints constraints;
  for (auto [name, member] : numbers) {
    std::optional<uint32_t> number;
    if (failed(readNumber(op, name, number)))
      return failure();
    constraints.*member = number.value_or(0);
  }
  for (auto [name, member] : flags)
    if (failed(readFlag(op, name, constraints.*member)))
      return failure();
  if (failed(readNumber(op, "tileas.schedule.constraint.max_depth", constraints.maxDepth)))
    return failure();
  return constraints;
}

} // namespace tileiras
