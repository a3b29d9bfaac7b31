//===- VerifyAtoms.cpp - Do the atoms of operations fit them --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyAtoms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

namespace {

/// The atom of one operation: looked up, and compared with what the operation needs.
class AtomVerifier {
public:
  AtomVerifier(Operation *op, as::AtomAttr atom, const ChipTarget &target) : op(op), atom(atom), target(target) {}

  LogicalResult verifyProduct(as::DotOp dot) {
    const MmaAtom *mma = target ? atom.findMma(target.atoms()) : nullptr;
    if (!mma)
      return refuseOther("an MMA", as::AtomAttr::kAnyMma);
    if (std::optional<std::string> misfit = describeMisfit(*mma, getMmaQuery(dot)))
      return refuse(*misfit);
    if (as::isWarpgroupAtom(*mma))
      return success(succeeded(verifyScales(dot)) && succeeded(verifyWarpgroup(dot, *mma)));
    if (failed(verifyFragments(dot, *mma)))
      return failure();
    return requireLowering(mma->hasLowering);
  }

  LogicalResult verifyAsyncProduct(as::AsyncDotOp dot) {
    const MmaAtom *mma = target ? atom.findMma(target.atoms()) : nullptr;
    if (!mma)
      return refuseOther("an MMA", as::AtomAttr::kAnyMma);
    if (std::optional<std::string> misfit = describeMisfit(*mma, getMmaQuery(dot)))
      return refuse(*misfit);
    if (!as::isWarpgroupAtom(*mma))
      return refuse("it is complete when it has been executed");
    return verifyWarpgroup(dot, *mma);
  }

  LogicalResult verifyCopy(StringRef what, MemorySpace source, MemorySpace destination) {
    if (source == MemorySpace::Global)
      expected = "expect a ldgsts, tma_load, ldg or unknown_copy atom type: ";
    else if (destination == MemorySpace::Global)
      expected = "expect a stg, tma_store or unknown_copy atom type: ";
    const CopyAtom *copy = target ? atom.findCopy(target.atoms()) : nullptr;
    if (!copy)
      return refuseOther(what, as::AtomAttr::kAnyCopy);
    if (copy->source != source || copy->destination != destination)
      return refuse(("it copies from " + stringifyMemorySpace(copy->source) + " to " +
                     stringifyMemorySpace(copy->destination) + " memory, and " + what + " from " +
                     stringifyMemorySpace(source) + " to " + stringifyMemorySpace(destination) + " memory")
                        .str());
    return requireLowering(copy->hasLowering);
  }

  /// No chip lists an instruction for these.
  LogicalResult verifyUpdate() { return refuseOther("an atomic update", as::AtomAttr::kAnyCopy); }

  LogicalResult verifyCombination(StringRef what, bool isScan, Region &body, TypeRange inputs) {
    const ReduceAtom *reduce = target ? atom.findReduce(target.atoms()) : nullptr;
    if (!reduce)
      return refuseOther(what, as::AtomAttr::kAnyReduction);
    if (reduce->kind == ReduceKind::Shuffle)
      return success();
    if (isScan)
      return refuse("it gives every lane the total, and a scan needs the sums on the way");
    StringRef combiner = findCombiner(body);
    if (reduce->combiner != combiner || inputs.size() != 1)
      return refuse("it combines by '" + reduce->combiner + "', and the body does not");
    Type element = getElementTypeOrSelf(inputs.front());
    std::string spelling;
    llvm::raw_string_ostream(spelling) << element;
    if (reduce->type != spelling)
      return refuse("it combines " + reduce->type + ", and the tile has " + spelling);
    return success();
  }

private:
  /// The layouts of the operands carry a copy of the atom's fragments: the lowering counts on their being the same.
  LogicalResult verifyFragments(as::DotOp dot, const MmaAtom &mma) {
    if (!mma.isHeldByOneWarp())
      return success();
    using Operand = std::tuple<Value, const LinearLayout *, StringRef>;
    SmallVector<Operand> operands = {
        {dot.getA(), &mma.layoutA, "A"}, {dot.getB(), &mma.layoutB, "B"}, {dot.getC(), &mma.layoutC, "C"}};
    if (dot.isBlockScaled()) {
      operands.emplace_back(dot.getScaleA(), &mma.layoutScaleA, "A's scales");
      operands.emplace_back(dot.getScaleB(), &mma.layoutScaleB, "B's scales");
    }
    for (auto [tile, fragment, name] : operands) {
      auto layout = dyn_cast<as::DotOperandAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
      if (!layout || layout.getFragment().toLinearLayout(layout.getExtents()) != *fragment)
        return refuse(Twine("the layout of operand ") + name + " is not that of its fragment");
    }
    return success();
  }

  /// Scales that go to tensor memory come from where the lowering of that takes them.
  LogicalResult verifyScales(as::DotOp dot) {
    if (!dot.isBlockScaled() || dot.hasScalesInMemory())
      return success();
    const int64_t numWarps = getExecutionScope(dot).numWarps;
    auto hasLayout = [&](RankedTensorType scales, as::OperandAxis axis, unsigned mn) {
      return scales.getEncoding() ==
             as::getScaleLayout(op->getContext(), axis, scales.getDimSize(mn), scales.getDimSize(1 - mn), numWarps);
    };
    if (!hasLayout(dot.getScaleA().getType(), as::OperandAxis::A, 0))
      return refuse("the layout of A's scales is not that in which they go to tensor memory");
    if (!hasLayout(dot.getScaleB().getType(), as::OperandAxis::B, 1))
      return refuse("the layout of B's scales is not that in which they go to tensor memory");
    return success();
  }

  template <typename OpTy>
  LogicalResult verifyWarpgroup(OpTy dot, const MmaAtom &mma) {
    llvm::Expected<as::WarpgroupTiling> tiling =
        as::getWarpgroupTiling(mma, dot.getA().getType(), dot.getB().getType(), dot.getC().getType());
    if (!tiling)
      return refuse(llvm::toString(tiling.takeError()));
    return requireLowering(mma.hasLowering);
  }

  /// What a body of one arithmetic operation is called in ReduceAtom::combiner; empty for others.
  static StringRef findCombiner(Region &body) {
    Block &block = body.front();
    if (!llvm::hasSingleElement(block.without_terminator()))
      return "";
    Operation &only = block.front();
    if (block.getTerminator()->getOperands() != only.getResults())
      return "";
    return TypeSwitch<Operation *, StringRef>(&only)
        .Case([](arith::AddIOp) { return "add"; })
        .Case([](arith::AndIOp) { return "and"; })
        .Case([](arith::OrIOp) { return "or"; })
        .Case([](arith::XOrIOp) { return "xor"; })
        .Case<arith::MinSIOp, arith::MinNumFOp>([](auto) { return "min"; })
        .Case<arith::MaxSIOp, arith::MaxNumFOp>([](auto) { return "max"; })
        .Case([](arith::MinUIOp) { return "umin"; })
        .Case([](arith::MaxUIOp) { return "umax"; })
        .Default([](Operation *) { return ""; });
  }

  LogicalResult refuse(const Twine &reason) {
    return op->emitOpError() << expected << "names atom \"" << atom.getName() << "\", which does not fit: " << reason;
  }

  LogicalResult requireLowering(bool hasLowering) {
    return hasLowering ? success() : refuse("target " + target.target->getName() + " has no lowering for it yet");
  }

  /// The chip has no such atom, or one for other work than `what`.
  LogicalResult refuseOther(StringRef what, StringRef universal) {
    StringRef kind;
    if (target) {
      if (atom.findMma(target.atoms()))
        kind = "for MMAs";
      else if (atom.findCopy(target.atoms()))
        kind = "for copies";
      else if (atom.findReduce(target.atoms()))
        kind = "for reductions";
    }
    if (!kind.empty())
      return refuse("it is " + kind + ", and this is " + what);
    InFlightDiagnostic diagnostic = op->emitOpError() << expected << "names atom \"" << atom.getName() << "\", which ";
    if (target)
      diagnostic << "target " << target.target->getName() << " does not list for " << target.chip->name;
    else
      diagnostic << "no target provides";
    diagnostic.attachNote() << "\"" << universal << "\" is everywhere";
    return diagnostic;
  }

  Operation *op;
  as::AtomAttr atom;
  StringRef expected; ///< what a message begins with, where the operation says which atoms it takes
  const ChipTarget &target;
};

} // namespace

static MemorySpace getSpace(RankedTensorType tile) {
  if (as::isSharedTensor(tile))
    return MemorySpace::Shared;
  return as::isMemoryTensor(tile) ? MemorySpace::Tensor : MemorySpace::Register;
}

/// Whether the lowering chooses the instruction of `op`. Only the word of its kind of work says that.
template <typename OpTy>
static bool isAny(OpTy op, StringRef word) {
  return op.getAtom().getName() == word;
}

LogicalResult tileiras::verifyAtom(Operation *op, const ChipTarget &target) {
  auto with = [&](as::AtomAttr atom) { return AtomVerifier(op, atom, target); };
  using enum MemorySpace;
  using as::AtomAttr;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](as::DotOp dot) {
        return isAny(dot, AtomAttr::kAnyMma) ? success() : with(dot.getAtom()).verifyProduct(dot);
      })
      .Case([&](as::AsyncDotOp dot) { return with(dot.getAtom()).verifyAsyncProduct(dot); })
      .Case<as::TiledLoadOp, as::LoadOp>([&](auto load) {
        return isAny(load, AtomAttr::kAnyCopy) ? success()
                                               : with(load.getAtom()).verifyCopy("a load", Global, Register);
      })
      .Case<as::TiledStoreOp, as::StoreOp>([&](auto store) {
        return isAny(store, AtomAttr::kAnyCopy) ? success()
                                                : with(store.getAtom()).verifyCopy("a store", Register, Global);
      })
      .Case([&](as::CopyOp copy) {
        RankedTensorType destination =
            copy.getDestination() ? copy.getDestination().getType() : copy.getResult().getType();
        return isAny(copy, AtomAttr::kAnyCopy)
                   ? success()
                   : with(copy.getAtom())
                         .verifyCopy("a copy", getSpace(copy.getSource().getType()), getSpace(destination));
      })
      .Case([&](as::TiledAtomicRMWOp atomic) {
        return isAny(atomic, AtomAttr::kAnyCopy) ? success() : with(atomic.getAtom()).verifyUpdate();
      })
      .Case([&](as::ReduceOp reduce) {
        return isAny(reduce, AtomAttr::kAnyReduction)
                   ? success()
                   : with(reduce.getAtom())
                         .verifyCombination("a reduction", false, reduce.getBody(), reduce.getInputs().getTypes());
      })
      .Case([&](as::ScanOp scan) {
        return isAny(scan, AtomAttr::kAnyReduction)
                   ? success()
                   : with(scan.getAtom())
                         .verifyCombination("a scan", true, scan.getBody(), scan.getInputs().getTypes());
      })
      .Default([](Operation *) { return success(); });
}
