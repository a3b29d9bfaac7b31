//===- CarriedValues.cpp - What loops and branches pass on ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedValues.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;

size_t CarriedValues::add(const std::string &type, const std::string &initial) {
  types.push_back(type);
  names.push_back(initial);
  return names.size() - 1;
}

std::string CarriedValues::printTypes() const {
  return llvm::join(types, ", ");
}

std::string CarriedValues::printOperands() const {
  return empty() ? "" : " " + llvm::join(names, ", ") + " : " + printTypes();
}

std::string CarriedValues::enter(ProgramBuilder &builder) {
  llvm::SmallVector<std::string> texts;
  for (std::string &name : names) {
    std::string inside = builder.freshName();
    texts.push_back(inside + " = " + name);
    name = inside;
  }
  return empty() ? "" : " iter_values(" + llvm::join(texts, ", ") + ") -> (" + printTypes() + ")";
}

std::string CarriedValues::printResults(const std::string &name) const {
  return empty() ? "" : name + (names.size() > 1 ? ":" + std::to_string(names.size()) : "") + " = ";
}

void CarriedValues::leave(const std::string &name) {
  for (size_t i = 0; i < names.size(); ++i)
    names[i] = names.size() > 1 ? name + "#" + std::to_string(i) : name;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void tileiras::fuzz::emitFor(ProgramBuilder &builder, CarriedValues &carried, const LoopRange &range,
                             llvm::function_ref<void(const Value &)> body) {
  const Type &type = range.first.type;
  const std::string name = builder.freshName(), variable = builder.freshName(), results = carried.printResults(name);
  builder.line(results + "for " + (range.isUnsigned ? "unsigned " : "") + variable + " in (" + range.first.name +
               " to " + range.last.name + ", step " + range.stride.name + ") : " + type.str() + carried.enter(builder) +
               " {");
  builder.indent();
  body({variable, type, unknownFacts(type.element)});
  builder.line("continue" + carried.printOperands());
  builder.dedent();
  builder.line("}");
  carried.leave(name);
}

void tileiras::fuzz::emitWhile(ProgramBuilder &builder, CarriedValues &carried, const LoopRange &range,
                               llvm::function_ref<void(const Value &)> body) {
  const Type type = range.first.type, i1 = scalarOf(Element::I1);
  const CarriedValues outside = carried;
  const std::string name = builder.freshName(), variable = builder.freshName();
  const std::string results = carried.printResults(name), separator = carried.empty() ? "" : ", ";
  std::string initial = variable + " = " + range.first.name;
  for (size_t i = 0; i < carried.names.size(); ++i) {
    carried.set(i, builder.freshName());
    initial += ", " + carried[i] + " = " + outside[i];
  }
  builder.line(results + "loop iter_values(" + initial + ") : " + type.str() + separator + carried.printTypes() +
               (carried.empty() ? "" : " -> " + carried.printTypes()) + " {");
  builder.indent();
  const Value counter{variable, type, unknownFacts(type.element)};
  Value isOver = builder.compute(i1, {},
                                 "cmpi greater_than_or_equal " + counter.name + ", " + range.last.name + ", " +
                                     (range.isUnsigned ? "unsigned" : "signed") + printTypes(type, i1));
  builder.line("if " + isOver.name + " {");
  builder.indent();
  builder.line("break" + carried.printOperands());
  builder.dedent();
  builder.line("}");
  body(counter);
  Value next = builder.binary("addi", counter, range.stride, unknownFacts(type.element));
  std::string operands;
  for (const std::string &carriedName : carried.names)
    operands += ", " + carriedName;
  builder.line("continue " + next.name + operands + " : " + type.str() + separator + carried.printTypes());
  builder.dedent();
  builder.line("}");
  carried.leave(name);
}
