//===- Footprint.cpp - What an operation costs a machine ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/Footprint.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;

llvm::StringRef tileiras::stringifyWorkKind(WorkKind kind) {
  switch (kind) {
  case WorkKind::Integer:
    return "integer arithmetic";
  case WorkKind::Float:
    return "float arithmetic";
  case WorkKind::Double:
    return "f64 arithmetic";
  case WorkKind::Special:
    return "special functions";
  case WorkKind::Conversion:
    return "conversions";
  case WorkKind::Narrowing:
    return "conversions to 16 bits";
  case WorkKind::Shuffle:
    return "shuffles";
  case WorkKind::SharedRead:
    return "loads from shared memory";
  case WorkKind::SharedWrite:
    return "stores to shared memory";
  case WorkKind::GlobalRead:
    return "loads from global memory";
  case WorkKind::GlobalWrite:
    return "stores to global memory";
  case WorkKind::EngineRead:
    return "loads by TMA";
  case WorkKind::EngineWrite:
    return "stores by TMA";
  case WorkKind::Atomic:
    return "atomic updates";
  case WorkKind::Barrier:
    return "barriers";
  case WorkKind::Product:
    return "MMAs";
  }
  return "unknown work";
}

const UnitWork *MachineUnit::findWork(WorkKind kind) const {
  auto it = llvm::find_if(work, [&](const UnitWork &entry) { return entry.kind == kind; });
  return it == work.end() ? nullptr : &*it;
}

/// Parts of a unit that so many warps keep busy.
static uint32_t getBusyPartitions(const MachineUnit &unit, uint32_t warps) {
  return std::max(1u, std::min(unit.partitions, warps));
}

static uint32_t clampCycles(uint64_t cycles) {
  return std::clamp<uint64_t>(cycles, 1, UINT32_MAX);
}

/// Cycles in which `unit` does `amount` for a CTA of `warps`.
static uint32_t getDuration(const MachineUnit &unit, const UnitWork &work, uint64_t amount, uint32_t warps) {
  const uint64_t share = getBusyPartitions(unit, warps), whole = std::max(1u, unit.partitions);
  return clampCycles(llvm::divideCeil(llvm::SaturatingMultiply(amount, whole), std::max(1u, work.perCycle) * share));
}

/// The tensor cores work through the atoms that make up the product.
static Footprint computeProduct(const WorkQuery &query, const MmaAtom &atom, const MachineUnit &unit) {
  uint64_t cycles = llvm::SaturatingMultiply<uint64_t>(query.batch, uint64_t(atom.issueCycles) * atom.tensorCores);
  for (auto [extent, atomExtent] : {std::pair(query.m, atom.m), {query.n, atom.n}, {query.k, atom.k}})
    cycles = llvm::SaturatingMultiply(cycles, llvm::divideCeil(extent, uint64_t(std::max(1u, atomExtent))));
  const uint32_t cores = std::max(getBusyPartitions(unit, query.warps), atom.tensorCores);
  const uint32_t duration = clampCycles(llvm::divideCeil(cycles, uint64_t(cores)));
  Footprint footprint;
  footprint.uses.push_back({unit.name, 0, duration});
  footprint.latency = llvm::SaturatingAdd(duration - 1, std::max(1u, atom.latencyCycles));
  return footprint;
}

/// A machine that says nothing of its copy engine copies as fast as its threads do.
static WorkKind chooseKind(WorkKind kind, const MachineModel &machine) {
  auto does = [&](WorkKind kind) {
    return llvm::any_of(machine.units, [&](const MachineUnit &unit) { return unit.findWork(kind); });
  };
  if (kind == WorkKind::EngineRead && !does(kind))
    return WorkKind::GlobalRead;
  return kind == WorkKind::EngineWrite && !does(kind) ? WorkKind::GlobalWrite : kind;
}

mlir::FailureOr<Footprint> tileiras::computeFootprint(const WorkQuery &query, const MachineModel &machine,
                                                      const AtomCatalogue &atoms,
                                                      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  if (query.kind == WorkKind::Product) {
    const MmaAtom *atom = atoms.findMma(query.atom);
    if (!atom)
      return emitError() << "no footprint: the chip has no atom \"" << query.atom << "\"";
    auto unit = llvm::find_if(machine.units, [](const MachineUnit &unit) { return unit.findWork(WorkKind::Product); });
    if (unit != machine.units.end())
      return computeProduct(query, *atom, *unit);
  }
  const CopyAtom *copy = query.atom.empty() ? nullptr : atoms.findCopy(query.atom);
  if (!query.atom.empty() && !copy)
    return emitError() << "no footprint: the chip has no atom \"" << query.atom << "\"";
  const WorkKind kind = chooseKind(query.kind, machine);
  Footprint footprint;
  uint32_t latency = 0;
  for (const MachineUnit &unit : machine.units)
    if (const UnitWork *work = unit.findWork(kind)) {
      const uint32_t duration = getDuration(unit, *work, query.amount, query.warps);
      footprint.uses.push_back({unit.name, 0, duration});
      latency = std::max(latency, llvm::SaturatingAdd(duration - 1, std::max(1u, work->latency)));
    }
  if (footprint.uses.empty())
    return emitError() << "no footprint: no unit of the machine model does " << stringifyWorkKind(kind);
  if (copy)
    latency = std::max(latency, copy->latencyCycles);
  footprint.latency = latency;
  return footprint;
}
