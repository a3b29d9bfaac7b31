//===- AccumulatorContents.cpp - What accumulators hold -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorContents.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace tileiras {
namespace {

/// By web: the value that its place holds; null where that depends on the path.
using Contents = SmallVector<Value>;

/// Follows a function in the order in which it runs.
class ContentsWalk {
public:
  explicit ContentsWalk(const AccumulatorWebs &webs) : webs(webs), scaled(webs.findScaledEntries()) {}

  void visit(Region &region, Contents &contents) {
    for (Operation &op : region.getOps())
      visit(&op, contents);
  }

  llvm::SmallSetVector<unsigned, 4> overwritten;

private:
  void visit(Operation *op, Contents &contents) {
    for (OpOperand &use : op->getOpOperands())
      take(use, contents);
    if (op->getNumRegions() != 0)
      visitRegions(op, contents);
    define(op->getResults(), contents);
  }

  /// What passes a value on, or scales it, finds it in its place. Everybody else has a copy.
  void take(OpOperand &use, const Contents &contents) {
    Value taken = webs.isPassedOn(use) ? use.get() : scaled.lookup(&use);
    if (taken && contents[webs.getNumber(taken)] != taken)
      overwritten.insert(webs.getNumber(taken));
  }

  /// `values` are made at once: of one web, one would overwrite the other.
  void define(ValueRange values, Contents &contents) {
    llvm::SmallSet<unsigned, 4> defined;
    for (Value value : values)
      if (webs.contains(value)) {
        const unsigned web = webs.getNumber(value);
        if (!defined.insert(web).second)
          overwritten.insert(web);
        contents[web] = value;
      }
  }

  void visitRegions(Operation *op, Contents &contents) {
    if (as::isRead(op))
      return visit(op->getRegion(0), contents);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranches(branch, contents);
    // Others may run again, or beside each other.
    forgetWritten(op, contents);
    for (Region &region : op->getRegions()) {
      Contents inside = contents;
      if (!region.empty())
        define(region.getArguments(), inside);
      visit(region, inside);
    }
  }

  void visitBranches(scf::IfOp branch, Contents &contents) {
    Contents otherwise = contents;
    visit(branch.getThenRegion(), contents);
    visit(branch.getElseRegion(), otherwise);
    for (auto [value, other] : llvm::zip_equal(contents, otherwise))
      if (value != other)
        value = {};
  }

  void forgetWritten(Operation *op, Contents &contents) const {
    auto forget = [&](ValueRange values) {
      for (Value value : values)
        if (webs.contains(value))
          contents[webs.getNumber(value)] = {};
    };
    op->walk([&](Operation *inner) {
      forget(inner->getResults());
      for (Region &region : inner->getRegions())
        for (Block &block : region)
          forget(block.getArguments());
    });
  }

  const AccumulatorWebs &webs;
  llvm::MapVector<OpOperand *, Value> scaled; ///< by entry: the value that is multiplied to be it
};

} // namespace

llvm::SmallSetVector<unsigned, 4> findOverwrittenWebs(const AccumulatorWebs &webs, Operation *function) {
  ContentsWalk walk(webs);
  Contents contents(webs.getWebs().size());
  for (Region &region : function->getRegions())
    walk.visit(region, contents);
  return walk.overwritten;
}

} // namespace tileiras
