//===- LayoutAssignment.cpp - Which thread holds what ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"
#include "ShapeLayouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/MmaSelection.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

static RankedTensorType getTile(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

static LinearLayout toLinear(Attribute layout, RankedTensorType tile) {
  return cast<as::DistributedLayoutAttrInterface>(layout).toLinearLayout(tile.getShape());
}

bool tileiras::isRematerializable(Value value) {
  if (!getTile(value))
    return false;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ConstantOp, ub::PoisonOp, aa::SplatOp, aa::MakeRangeOp>(op);
}

//===----------------------------------------------------------------------===//
// Classes and edges
//===----------------------------------------------------------------------===//

unsigned LayoutAssignment::getId(Value value) {
  auto [it, isNew] = ids.try_emplace(value, values.size());
  if (isNew) {
    values.push_back(value);
    classes.grow(values.size());
  }
  return it->second;
}

std::optional<unsigned> LayoutAssignment::getClass(Value value) const {
  auto it = ids.find(value);
  if (it == ids.end())
    return std::nullopt;
  return classes[it->second];
}

/// One class for all tiles among `values`; they have one shape.
void LayoutAssignment::tie(ValueRange tied) {
  std::optional<unsigned> first;
  for (Value value : tied) {
    if (!value || !getTile(value) || isRematerializable(value))
      continue;
    unsigned id = getId(value);
    if (first)
      classes.join(*first, id);
    else
      first = id;
  }
}

void LayoutAssignment::addEdge(Operation *op, Value source, Value result) {
  if (!getTile(source) || !getTile(result) || isRematerializable(source) || isRematerializable(result))
    return;
  getId(source);
  getId(result);
  edges.push_back({op, source, result});
}

void LayoutAssignment::addAccess(Operation *op, Value tile) {
  if (getTile(tile))
    accesses.push_back({op, tile, getAccessPattern(op)});
}

void LayoutAssignment::collectControlFlow(Operation *op) {
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        for (auto [init, argument, yielded, result] :
             llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
          tie({argument, yielded, result});
          addEdge(nullptr, init, argument);
        }
      })
      .Case([&](scf::WhileOp loop) {
        for (auto [init, argument, yielded] :
             llvm::zip(loop.getInits(), loop.getBeforeArguments(), loop.getYieldOp().getOperands())) {
          tie({argument, yielded});
          addEdge(nullptr, init, argument);
        }
        for (auto [passed, argument, result] :
             llvm::zip(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults()))
          tie({passed, argument, result});
      })
      .Case([&](scf::IfOp branch) {
        if (branch.getNumResults() == 0)
          return;
        for (auto [thenValue, elseValue, result] :
             llvm::zip(branch.thenYield().getOperands(), branch.elseYield().getOperands(), branch.getResults()))
          tie({thenValue, elseValue, result});
      });
}

void LayoutAssignment::collectOp(Operation *op) {
  if (op->getNumRegions() != 0 && isa<scf::SCFDialect>(op->getDialect()))
    return collectControlFlow(op);
  for (Value result : op->getResults())
    tie(result);
  TypeSwitch<Operation *>(op)
      .Case([&](aa::DotOp dot) {
        tie({dot.getC(), dot.getResult()});
        dotOps.push_back(dot);
      })
      .Case<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRMWOp>(
          [&](auto access) { addAccess(op, access.getValue()); })
      .Case([&](aa::LoadOp load) {
        tie({load.getBase(), load.getMask(), load.getOther(), load.getValue()});
        addAccess(op, load.getBase());
      })
      .Case([&](aa::StoreOp store) {
        tie({store.getBase(), store.getMask()});
        addEdge(nullptr, store.getValue(), store.getBase());
        addAccess(op, store.getBase());
      })
      .Case<aa::AtomicRMWOp, aa::AtomicCASOp>([&](auto atomic) {
        tie({atomic.getBase(), atomic.getMask(), atomic.getResult()});
        addEdge(nullptr, atomic.getValue(), atomic.getBase());
        addAccess(op, atomic.getBase());
      })
      .Case([&](aa::ReduceOp reduce) {
        tie(reduce.getOperands());
        for (auto [operand, result] : llvm::zip(reduce.getOperands(), reduce.getResults()))
          addEdge(op, operand, result);
      })
      .Case([&](aa::ScanOp scan) {
        tie(scan.getOperands());
        tie({scan.getOperands().front(), scan.getResults().front()});
        tie(scan.getResults());
      })
      .Case([&](aa::CatOp cat) {
        tie({cat.getLhs(), cat.getRhs()});
        addEdge(op, cat.getLhs(), cat.getResult());
      })
      .Case([&](aa::InsertSliceOp insert) {
        tie({insert.getDestination(), insert.getResult()});
      })
      .Case<aa::ViewOp, aa::ExpandDimsOp, aa::PermuteOp, aa::BroadcastOp, aa::PackOp, aa::UnpackOp>(
          [&](auto shape) { addEdge(op, shape.getSource(), shape.getResult()); })
      .Default([&](Operation *) {
        if (!OpTrait::hasElementwiseMappableTraits(op) && !isa<aa::AssumeOp>(op))
          return;
        SmallVector<Value> tied(op->getOperands());
        llvm::append_range(tied, op->getResults());
        tie(tied);
      });
}

void LayoutAssignment::collect(aa::FuncOp func) {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          tie(ValueRange(argument));
    collectOp(op);
  });
  classes.compress();
  layouts.resize(classes.getNumClasses());
  edgesOfClass.resize(classes.getNumClasses());
  for (auto [i, edge] : llvm::enumerate(edges)) {
    unsigned source = *getClass(edge.source), result = *getClass(edge.result);
    edgesOfClass[source].push_back(i);
    if (result != source)
      edgesOfClass[result].push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Layouts of classes
//===----------------------------------------------------------------------===//

Attribute LayoutAssignment::getLayout(Value value) const {
  std::optional<unsigned> id = getClass(value);
  return id ? layouts[*id] : Attribute();
}

Attribute LayoutAssignment::encode(const LinearLayout &layout) {
  auto [it, isNew] = knownLayouts.try_emplace(layout.str());
  if (isNew)
    it->second = as::LinearAttr::get(context, layout);
  return it->second;
}

Attribute LayoutAssignment::getDefaultLayout(RankedTensorType type) const {
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return encodeBlocked(context, chooseBlockedParameters(type.getShape(), bits, numWarps));
}

void LayoutAssignment::assign(Value value, Attribute layout) {
  SmallVector<std::pair<Value, Attribute>> worklist = {{value, layout}};
  for (size_t next = 0; next < worklist.size(); ++next) {
    auto [tile, attribute] = worklist[next];
    std::optional<unsigned> id = getClass(tile);
    if (!id || layouts[*id])
      continue;
    layouts[*id] = attribute;
    LinearLayout linear = toLinear(attribute, getTile(tile));
    knownLayouts.try_emplace(linear.str(), attribute);
    for (unsigned i : edgesOfClass[*id]) {
      const Edge &edge = edges[i];
      bool forward = getClass(edge.source) == id;
      Value neighbour = forward ? edge.result : edge.source;
      if (getLayout(neighbour))
        continue;
      if (!edge.op) {
        worklist.push_back({neighbour, attribute});
        continue;
      }
      std::optional<LinearLayout> derived =
          forward ? deriveResultLayout(edge.op, linear) : deriveSourceLayout(edge.op, linear);
      if (derived)
        worklist.push_back({neighbour, encode(*derived)});
    }
  }
}

//===----------------------------------------------------------------------===//
// Anchors: matrix products
//===----------------------------------------------------------------------===//

/// Work along rows surrounds the product: columns are reduced, or it is one of a chain of products, each with the rows
/// of the one before. Then no row should be spread over warps.
bool LayoutAssignment::prefersRows(aa::DotOp dot) const {
  std::optional<unsigned> id = getClass(dot.getResult()), idOfA = getClass(dot.getA());
  for (const Edge &edge : edges)
    if (auto reduce = dyn_cast_or_null<aa::ReduceOp>(edge.op))
      if (getClass(edge.source) == id && reduce.getAxis() == 1)
        return true;
  return llvm::any_of(dotOps, [&](aa::DotOp other) {
    return getClass(other.getA()) == id || (idOfA && getClass(other.getResult()) == idOfA);
  });
}

/// The target's best instruction for the product among those that take their operands from the registers of one warp:
/// there are no layouts here for others. Null for ordinary arithmetic.
static FailureOr<const MmaAtom *> findAtom(aa::DotOp dot, const ChipTarget &target) {
  if (!target)
    return nullptr;
  auto emitError = [&] { return dot.emitOpError(); };
  FailureOr<MmaCandidates> candidates = target.target->findMmaCandidates(getMmaQuery(dot), *target.chip, emitError);
  if (failed(candidates))
    return failure();
  auto canPlace = [](const MmaAtom &atom) { return atom.kind == MmaKind::Warp && atom.isHeldByOneWarp(); };
  return chooseMmaCandidate(*candidates, canPlace, emitError);
}

LogicalResult LayoutAssignment::assignDots(const ChipTarget &target) {
  for (aa::DotOp dot : dotOps) {
    FailureOr<const MmaAtom *> atom = findAtom(dot, target);
    if (failed(atom))
      return failure();
    DotLayouts &chosen = dots[dot];
    chosen.atom = *atom;
    ArrayRef<int64_t> shape = getTile(dot.getC()).getShape();
    if (!chosen.atom) {
      remarkMissed(dot, "TensorCore", "convert-tileaa-to-tileas")
          << "matrix product without a tensor core instruction for its element types and extents";
      chosen.c = encodeBlocked(context, chooseFmaLayout(shape, numWarps, prefersRows(dot)));
    } else {
      const MmaAtom &mma = *chosen.atom;
      MmaWarpGrid grid = chooseWarpGrid(shape, mma.m, mma.n, numWarps, prefersRows(dot));
      SmallVector<int64_t> warps = {grid.m, grid.n};
      if (shape.size() == 3)
        warps.insert(warps.begin(), grid.batch);
      auto operand = [&](as::OperandAxis axis, const LinearLayout &fragment) {
        return as::DotOperandAttr::get(context, axis, StringAttr::get(context, mma.name), warps, fragment.getOutSizes(),
                                       as::LinearAttr::get(context, fragment));
      };
      chosen.a = operand(as::OperandAxis::A, mma.layoutA);
      chosen.b = operand(as::OperandAxis::B, mma.layoutB);
      chosen.c = operand(as::OperandAxis::C, mma.layoutC);
    }
    assign(dot.getResult(), chosen.c);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Anchors: memory
//===----------------------------------------------------------------------===//

void LayoutAssignment::assignAccesses() {
  // Loads before stores, large tiles before small ones: the small ones adapt.
  auto rank = [](const Access &access) {
    bool isLoad = isa<aa::TiledLoadOp, aa::LoadOp>(access.op);
    return std::pair(!isLoad, -access.pattern.tile.getNumElements() * access.pattern.elementBytes);
  };
  SmallVector<Access> order = accesses;
  llvm::stable_sort(order, [&](const Access &lhs, const Access &rhs) { return rank(lhs) < rank(rhs); });
  for (const Access &access : order)
    assign(access.tile, encodeBlocked(context, chooseAccessLayout(access.pattern, numWarps)));
}

/// Accesses through views run in the layout of their tile if that is about as good as what they would choose; accesses
/// through pointers run where the pointers are.
void LayoutAssignment::chooseAccessLayouts() {
  for (const Access &access : accesses) {
    RankedTensorType tile = access.pattern.tile;
    Attribute assigned = getLayout(access.tile);
    Attribute preferred = encodeBlocked(context, chooseAccessLayout(access.pattern, numWarps));
    bool throughView = isa<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRMWOp>(access.op);
    bool keep = assigned &&
                (!throughView || isGoodForAccess(access.pattern, toLinear(assigned, tile), toLinear(preferred, tile)));
    accessLayouts[access.op] = keep ? assigned : preferred;
  }
}

void LayoutAssignment::assignDefaults() {
  SmallVector<Value> order = values;
  llvm::stable_sort(order,
                    [](Value lhs, Value rhs) { return getTile(lhs).getNumElements() > getTile(rhs).getNumElements(); });
  for (Value value : order)
    if (!getLayout(value))
      assign(value, getDefaultLayout(getTile(value)));
}

FailureOr<LayoutAssignment> LayoutAssignment::compute(aa::FuncOp func, const ChipTarget &target, int64_t numWarps) {
  LayoutAssignment assignment(func.getContext(), numWarps);
  assignment.collect(func);
  if (failed(assignment.assignDots(target)))
    return failure();
  assignment.assignAccesses();
  assignment.assignDefaults();
  assignment.chooseAccessLayouts();
  return assignment;
}
