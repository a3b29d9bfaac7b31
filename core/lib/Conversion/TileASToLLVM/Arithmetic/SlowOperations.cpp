//===- SlowOperations.cpp - What the GPU has no instruction for -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SlowOperations.h"
#include "tileiras/Diagnostics/Warnings.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace tileiras;

namespace {

class SlowOperations {
public:
  SlowOperations(const LoweringContext &lowering) : lowering(lowering) {}

  /// Of one function.
  void check(Operation *function);

private:
  void checkProduct(as::DotOp product);
  void checkConversion(Operation *op);
  void report(Operation *op, llvm::StringLiteral name, const std::string &text);
  std::string describeProduct(as::DotOp product, const MmaQuery &query) const;

  const LoweringContext &lowering;
  std::set<std::string> reported; ///< of the function
};

} // namespace

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string SlowOperations::describeProduct(as::DotOp product, const MmaQuery &query) const {
  std::set<std::string> elements;
  bool isKnown = false;
  for (const MmaAtom &atom : lowering.atoms().mma) {
    if (!atom.hasLowering || atom.scaleBlock != 0)
      continue;
    elements.insert(atom.a.type);
    isKnown |= atom.a.matches(query.elementA, query.unsignedA) && atom.b.matches(query.elementB, query.unsignedB) &&
               atom.c.matches(query.elementC);
  }
  std::string text = "matmul of " + spell(query.elementA) + " and " + spell(query.elementB) + ", accumulated in " +
                     spell(query.elementC) + ", does not use the tensor core: " + lowering.chip.name +
                     " has no MMA for ";
  if (isKnown)
    return text + "a tile of " + std::to_string(query.m) + "x" + std::to_string(query.n) + "x" +
           std::to_string(query.k) + "; larger tiles have one";
  text += "these element types";
  if (!elements.empty())
    text += "; it multiplies " + llvm::join(elements, ", ");
  return text;
}

void SlowOperations::report(Operation *op, llvm::StringLiteral name, const std::string &text) {
  if (reported.insert(text).second)
    warn(op, name) << text;
}

void SlowOperations::checkProduct(as::DotOp product) {
  if (product.isUniversalFma())
    report(product, kSlowMma, describeProduct(product, getMmaQuery(product)));
}

static bool isF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

void SlowOperations::checkConversion(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()), to = getElementTypeOrSelf(op->getResult(0).getType());
  if (!lowering.features().cvtF8x2 && isF8(from) != isF8(to))
    report(op, kSoftwareFp8,
           "conversion of " + spell(from) + " to " + spell(to) +
               " is computed by integer arithmetic: " + lowering.chip.name + " has no instruction for it; " +
               (lowering.features().fmaBf16 ? "f16 or bf16" : "f16") + " in memory needs none");
}

void SlowOperations::check(Operation *function) {
  reported.clear();
  function->walk([&](Operation *op) {
    if (auto product = dyn_cast<as::DotOp>(op))
      checkProduct(product);
    else if (isa<aa::FpToFpOp, aa::FToIOp, aa::IToFOp>(op))
      checkConversion(op);
  });
}

void tileiras::warnOfSlowOperations(const LoweringContext &lowering, ModuleOp module) {
  SlowOperations operations(lowering);
  for (Operation &function : *module.getBody())
    operations.check(&function);
}
