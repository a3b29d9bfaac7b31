//===- Sm90Target.cpp - The Hopper target ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tileiras::sm90 {
namespace {

/// Capacities: CUDA C++ Programming Guide, "Compute Capabilities", 9.0. Units are those of one multiprocessor with its
/// four sub-partitions; the names are the vocabulary of schedules.
MachineModel makeMachine() {
  MachineModel model;
  model.units = {
      {"issue", 4, 1, 1},    // warp schedulers
      {"alu", 4, 2, 5},      // 16 lanes of integer arithmetic each
      {"fma", 4, 1, 4},      // 32 lanes of f32 each
      {"fp64", 4, 2, 8},     // 16 lanes of f64 each
      {"mufu", 4, 8, 18},    // 4 lanes of special functions each
      {"tensor", 4, 4, 33},  // mma.sync m16n8k16 of 16-bit operands
      {"lsu", 1, 2, 29},     // shared memory, 128 bytes a cycle
      {"global", 1, 4, 480}, // L2 hit and beyond
      {"tma", 1, 16, 600},   // one bulk copy
  };
  model.sharedMemoryBytes = 232448;
  model.staticSharedMemoryBytes = 49152;
  model.tensorMemoryBytes = 0;
  model.registersPerSM = 65536;
  model.maxRegistersPerThread = 255;
  model.registerAllocationUnit = 8;
  model.maxWarpsPerCTA = 32;
  model.warpGranularity = 4;
  model.namedBarriers = 16;
  return model;
}

std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

bool matches(const AtomElement &element, llvm::StringRef type, bool isUnsigned) {
  return element.type == type && element.isUnsigned == isUnsigned;
}

} // namespace

Sm90Target::Sm90Target() : chip{"sm_90", "sm_90a", "sm_90a", 87, 90}, catalogue(makeAtoms()), model(makeMachine()) {}

FailureOr<const MmaAtom *> Sm90Target::verifyMma(const MmaQuery &query,
                                                 llvm::function_ref<InFlightDiagnostic()> emitError) const {
  if (query.blockScaled) {
    InFlightDiagnostic diagnostic = emitError() << "mma block scale is not supported by compute capability < sm100";
    diagnostic.attachNote()
        << "its chips are sm_100 (compute capability 10.0) and later ones; multiply the scales into "
           "the operands to use mmaf here";
    return failure();
  }
  const std::string a = spell(query.elementA), b = spell(query.elementB), c = spell(query.elementC);
  for (const MmaAtom &atom : catalogue.mma) {
    // A tile that is smaller than the atom along M or N repeats in the fragment; along K that would add it twice.
    if (matches(atom.a, a, query.unsignedA) && matches(atom.b, b, query.unsignedB) && atom.c.type == c &&
        query.k % atom.k == 0)
      return &atom;
  }
  return nullptr;
}

} // namespace tileiras::sm90
