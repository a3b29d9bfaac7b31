//===- DataSlice.cpp - What need not be computed to time a kernel ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSlice.h"
#include "Ast.h"
#include <algorithm>

namespace ptxemu::timing {

namespace {

/// Computes registers from registers, so that its operands matter as much as its results do.
bool isPure(const Inst &inst) {
  switch (inst.opClass) {
  case OpClass::Integer:
  case OpClass::Float:
  case OpClass::Conversion:
  case OpClass::Move:
    return true;
  default:
    return false;
  }
}

bool computesFloats(const ast::Instruction &ast, const Inst &inst) {
  if (inst.opClass == OpClass::Float)
    return true;
  return inst.opClass == OpClass::Conversion &&
         std::any_of(ast.modifiers.begin(), ast.modifiers.end(), [](const std::string &m) {
           const auto t = parseType(m);
           return t && isFloat(*t);
         });
}

} // namespace

DataSlice::DataSlice(const StaticCode &code)
    : code(code), needed(code.registerCount()), neededAsFloat(code.registerCount()), skippable(code.size()) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto place = static_cast<uint32_t>(code.size()); place-- > 0;)
      changed |= visit(place);
  }
  for (uint32_t place = 0; place < code.size(); ++place) {
    const StaticInstruction &s = code[place];
    if (s.action == Action::TensorMultiply)
      skippable[place] = !tensorMemoryIsNeeded;
    else
      skippable[place] = computesData(place) && !writesNeeded(s);
  }
}

/// What it writes may be data and nothing else.
bool DataSlice::computesData(uint32_t place) const {
  const StaticInstruction &s = code[place];
  return s.action == Action::Mma || s.action == Action::Wgmma || s.action == Action::TensorLoad ||
         computesFloats(code.astOf(place), s.function->code[s.index]);
}

bool DataSlice::writesNeeded(const StaticInstruction &s) const {
  return std::any_of(s.writes.begin(), s.writes.end(), [&](uint32_t r) { return needed[r]; });
}

bool DataSlice::writesNeededAsFloat(const StaticInstruction &s) const {
  return std::any_of(s.writes.begin(), s.writes.end(), [&](uint32_t r) { return neededAsFloat[r]; });
}

/// Marks the registers among some of the operands; true when that is new.
bool DataSlice::need(const Function &f, const std::vector<RegisterIndex> &operands, size_t first, size_t last,
                     bool asFloat) {
  bool changed = false;
  for (size_t i = first; i < std::min(last, operands.size()); ++i)
    if (operands[i] >= 0) {
      const uint32_t r = code.registerOf(f, operands[i]);
      changed |= !needed[r] || (asFloat && !neededAsFloat[r]);
      needed[r] = true;
      neededAsFloat[r] = neededAsFloat[r] || asFloat;
    }
  return changed;
}

bool DataSlice::visitTensorMemory(const StaticInstruction &s, const Inst &inst) {
  bool changed = need(*s.function, inst.s, 0, 1, false); // the address
  if (s.action == Action::TensorStore)
    return tensorMemoryIsNeeded ? need(*s.function, inst.s, 1, SIZE_MAX, true) || changed : changed;
  if (!tensorMemoryIsNeeded && writesNeeded(s)) // products read shared memory
    tensorMemoryIsNeeded = memoryIsNeeded = changed = true;
  return changed;
}

bool DataSlice::visit(uint32_t place) {
  const StaticInstruction &s = code[place];
  const Inst &inst = s.function->code[s.index];
  const ast::Instruction &ast = code.astOf(place);
  const Function &f = *s.function;
  bool changed = false;
  const auto needPredicate = [&](PredicateIndex p) {
    if (p < 0)
      return;
    const uint32_t r = code.predicateOf(f, p);
    changed |= !needed[r];
    needed[r] = true;
  };
  needPredicate(inst.guard);
  constexpr size_t kAll = SIZE_MAX;
  if (isPure(inst) || ast.opcode == "shfl") {
    if (writesNeeded(s)) {
      changed |= need(f, inst.s, 0, kAll, computesFloats(ast, inst) || writesNeededAsFloat(s));
      for (PredicateIndex p : inst.ps)
        needPredicate(p);
    }
    return changed;
  }
  for (PredicateIndex p : inst.ps)
    needPredicate(p);
  if (s.action == Action::TensorLoad || s.action == Action::TensorStore)
    return visitTensorMemory(s, inst) || changed;
  if (s.action == Action::Mma) {
    if (writesNeeded(s))
      changed |= need(f, inst.s, 0, kAll, true);
  } else if (s.action == Action::Wgmma) {
    constexpr size_t kFragment = 4; // registers of A
    const bool isNeeded = writesNeeded(s);
    changed |= need(f, inst.s, s.matrix.aInRegisters && !isNeeded ? kFragment : 0, kAll, isNeeded);
  } else if (s.action == Action::Access) {
    // The address; what is stored when somebody needs what is loaded.
    const bool isData = (s.isStore || (s.isAtomic && isFloat(inst.type))) && !memoryIsNeeded;
    changed |= need(f, inst.s, 0, 1, false);
    if (!isData)
      changed |= need(f, inst.s, 1, kAll, memoryIsNeeded);
    if (!memoryIsNeeded && writesNeededAsFloat(s))
      memoryIsNeeded = changed = true;
  } else {
    changed |= need(f, inst.s, 0, kAll, false);
  }
  return changed;
}

} // namespace ptxemu::timing
