//===- TileAS.cpp - The nv_tileas dialect ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Dialect/TileAS/LaunchControlOps.h"
#include "tileiras/Dialect/TileAS/RegisterOps.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#include "tileiras/Dialect/TileAS/TileASDialect.cpp.inc"
#include "tileiras/Dialect/TileAS/TileASEnums.cpp.inc"
#include "tileiras/Dialect/TileAS/TileASInterfaces.cpp.inc"

namespace {
/// Layouts are printed once, at the top of a module.
struct LayoutAliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<BlockedAttr>(attribute)) {
      os << "blocked";
      return AliasResult::OverridableAlias;
    }
    if (isa<LinearAttr>(attribute)) {
      os << "linear";
      return AliasResult::OverridableAlias;
    }
    if (auto operand = dyn_cast<DotOperandAttr>(attribute)) {
      os << "dot_" << stringifyOperandAxis(operand.getAxis()).lower();
      return AliasResult::OverridableAlias;
    }
    return AliasResult::NoAlias;
  }
};

/// Constant tiles belong to the warps of their scope.
struct ScopeFoldInterface : public DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<ExecutionScopeOpInterface>(region->getParentOp());
  }
};
} // namespace

namespace {
/// What is said of a tile holds in any layout: elementwise, as far as layouts go.
struct AssumeLayouts : LayoutOpInterface::ExternalModel<AssumeLayouts, aa::AssumeOp> {
  void collectLayoutRelations(Operation *op, LayoutRelations &relations) const {
    relations.tie({op->getOperand(0), op->getResult(0)});
  }
  void adaptLayouts(Operation *, OpLayouts &layouts) const { layouts.setAll(Attribute(layouts.results.front())); }
};
} // namespace

/// A count of warps, or one for each agent.
static LogicalResult verifyNumWarps(Operation *op, Attribute attribute) {
  const bool isOfAgents = isa<aa::AgentLikeOpInterface>(op);
  SmallVector<int64_t> counts;
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attribute); array && isOfAgents)
    counts.append(array.asArrayRef().begin(), array.asArrayRef().end());
  else if (auto number = dyn_cast<IntegerAttr>(attribute); number && !isOfAgents && number.getType().isInteger(32))
    counts.push_back(number.getInt());
  else
    return op->emitOpError() << "expects " << TileASDialect::NumWarpsAttrHelper::getNameStr() << " to be "
                             << (isOfAgents ? "an array of i32, the warps of each agent" : "an i32") << ", but got "
                             << attribute;
  for (int64_t count : counts)
    if (count < 1 || count > aa::kMaxWarpsPerCTA)
      return op->emitOpError() << "expects " << TileASDialect::NumWarpsAttrHelper::getNameStr() << " from 1 to "
                               << aa::kMaxWarpsPerCTA << ", but got " << count;
  return success();
}

LogicalResult TileASDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == NumWarpsAttrHelper::getNameStr())
    return verifyNumWarps(op, attribute.getValue());
  const bool isUnit =
      llvm::is_contained({KeepsOrderAttrHelper::getNameStr(), NotPipelinedAttrHelper::getNameStr(),
                          SplitExponentialsAttrHelper::getNameStr(), RootRegToRegCopyOpAttrHelper::getNameStr(),
                          RecomputedAttrHelper::getNameStr(), AlignedAttrHelper::getNameStr(),
                          FenceCodeAttrHelper::getNameStr(), StartsCopyAttrHelper::getNameStr()},
                         attribute.getName().getValue());
  if (isUnit && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "expects " << attribute.getName() << " to be a unit, but got " << attribute.getValue();
  if (attribute.getName() == PassFailuresAttrHelper::getNameStr() && !isa<ArrayAttr>(attribute.getValue()))
    return op->emitOpError() << "expects " << attribute.getName() << " to be an array, but got "
                             << attribute.getValue();
  return success();
}

void TileASDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  registerMemoryOps();
  registerPipelineOps();
  registerAsyncOps();
  registerTmaOps();
  registerTensorMemoryOps();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASLaunchControlOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASRegisterOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASBarrierOps.cpp.inc"
      >();
  addInterfaces<LayoutAliasInterface, ScopeFoldInterface>();
  aa::AssumeOp::attachInterface<AssumeLayouts>(*getContext());
}
