//===- WorkCollector.cpp - The works of an operation ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Target/Target.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

uint64_t WorkCollector::multiply(uint64_t a, uint64_t b) {
  return llvm::SaturatingMultiply(a, b);
}

uint64_t WorkCollector::countPerThread(Type type) const {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return 1;
  return as::isDistributedTensor(tile)
             ? as::getNumRegisters(tile)
             : llvm::divideCeil(uint64_t(tile.getNumElements()), uint64_t(kLanesPerWarp) * warps);
}

uint64_t WorkCollector::countLanes(Type type) const {
  return multiply(countPerThread(type), uint64_t(kLanesPerWarp) * warps);
}

//===----------------------------------------------------------------------===//
// Works
//===----------------------------------------------------------------------===//

void WorkCollector::add(WorkKind kind, Type type, uint64_t amount, as::AtomAttr atom) {
  WorkQuery query;
  query.kind = kind;
  query.atom = atom && !atom.isAny() ? atom.getName().str() : "";
  query.element = type ? getElementTypeOrSelf(type) : type;
  query.amount = amount;
  query.warps = warps;
  works.push_back(std::move(query));
}

void WorkCollector::addBytes(WorkKind kind, Type tile, uint64_t times, as::AtomAttr atom) {
  const uint64_t bits = multiply(countLanes(tile), as::getRegisterBits(getElementTypeOrSelf(tile)));
  add(kind, tile, multiply(times, llvm::divideCeil(bits, uint64_t(8))), atom);
}

void WorkCollector::addExchange(Type written, Type read, uint64_t times) {
  addBytes(WorkKind::SharedWrite, written, times);
  add(WorkKind::Barrier, written, times);
  addBytes(WorkKind::SharedRead, read, times);
}

void WorkCollector::addProduct(const MmaQuery &product, as::AtomAttr atom, uint64_t times) {
  add(WorkKind::Product, product.elementA, 1, atom);
  WorkQuery &query = works.back();
  query.batch = multiply(times, product.batch);
  query.m = product.m;
  query.n = product.n;
  query.k = product.k;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static std::optional<WorkKind> getWorkKind(ElementWork work) {
  switch (work) {
  case ElementWork::Free:
    return std::nullopt;
  case ElementWork::Move:
    return WorkKind::Shuffle;
  case ElementWork::Integer:
    return WorkKind::Integer;
  case ElementWork::Float:
    return WorkKind::Float;
  case ElementWork::Double:
    return WorkKind::Double;
  case ElementWork::Conversion:
    return WorkKind::Conversion;
  case ElementWork::Narrowing:
    return WorkKind::Narrowing;
  case ElementWork::Special:
  case ElementWork::Division:
  case ElementWork::Sequence:
    return WorkKind::Special;
  }
  return std::nullopt;
}

void WorkCollector::collectElements(Operation *op, uint64_t times) {
  const std::optional<ElementWork> work = getElementWork(op);
  if (!work) {
    isRefused = true;
    op->emitOpError() << "says no work: schedules need to know what it makes the hardware do; implement "
                         "WorkOpInterface";
    return;
  }
  const std::optional<WorkKind> kind = getWorkKind(*work);
  if (!kind || op->getNumResults() == 0)
    return;
  Type type = op->getResult(0).getType();
  add(*kind, type, multiply(times, countLanes(type)));
}

void WorkCollector::collectRegions(Operation *op, uint64_t times) {
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      collect(&nested, times);
}

void WorkCollector::collect(Operation *op, uint64_t times) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return;
  if (auto work = dyn_cast<WorkOpInterface>(op))
    work.collectWork(*this, times);
  else
    collectElements(op, times);
}

FailureOr<SmallVector<WorkQuery>> WorkCollector::take() {
  if (isRefused)
    return failure();
  return std::exchange(works, {});
}

FailureOr<SmallVector<WorkQuery>> tileiras::getOperationWork(Operation *op) {
  auto function = op->getParentOfType<aa::FuncOp>();
  aa::KernelSpecAttr spec = function ? function.getKernelSpecAttr() : aa::KernelSpecAttr();
  WorkCollector works(spec ? spec.getNumWarps() : aa::FuncOp::kDefaultWarps);
  works.collect(op, 1);
  return works.take();
}

void tileiras::detail::collectElements(Operation *op, WorkCollector &works, uint64_t times) {
  works.collectElements(op, times);
}

void tileiras::detail::collectRegions(Operation *op, WorkCollector &works, uint64_t times) {
  works.collectRegions(op, times);
}
