//===- CudaTileDialect.cpp - Registration of the dialect ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CudaTile/CudaTile.h"

using namespace mlir;

#include "tileiras/Dialect/CudaTile/CudaTileDialect.cpp.inc"

using namespace tileiras::cuda_tile;

namespace {
/// What locations refer to is printed once, beside the module.
struct DebugAliasInterface : mlir::OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(mlir::Attribute attribute, llvm::raw_ostream &os) const override {
    if (!mlir::isa<DIFileAttr, DICompileUnitAttr, DISubprogramAttr, DILexicalBlockAttr>(attribute))
      return AliasResult::NoAlias;
    os << attribute.getAbstractAttribute().getName().rsplit('.').second;
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void CudaTileDialect::initialize() {
  addInterfaces<DebugAliasInterface>();
  registerTypes();
  registerAttributes();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileIntegerOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileFloatOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileConversionOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileTileOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileMemoryOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileViewOps.cpp.inc"
      >();
  registerOps<
#define GET_OP_LIST
#include "tileiras/Dialect/CudaTile/CudaTileControlOps.cpp.inc"
      >();
}
