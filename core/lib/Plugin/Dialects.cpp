//===- Dialects.cpp - Every dialect a compilation may meet ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Dialects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "tileiras/Lowering/DialectLowering.h"

/// The classes of traits have no home: each shared object knows them by the name that its compiler gives them, and the
/// object that asks first decides which name those share that share its variable. MLIR's library and plugins may come
/// from different compilers; so this one asks first, in the name of the plugins.
template <template <typename> class... Traits>
static void nameTraits() {
  ((void)mlir::TypeID::get<Traits>(), ...);
}

void tileiras::registerDialects(mlir::DialectRegistry &registry) {
  using namespace mlir::OpTrait;
  nameTraits<AffineScope, AttrSizedOperandSegments, AttrSizedResultSegments, ConstantLike, Elementwise,
             HasRecursiveMemoryEffects, IsCommutative, IsIdempotent, IsInvolution, IsIsolatedFromAbove, IsTerminator,
             MemRefsNormalizable, NoRegionArguments, NoTerminator, OneRegion, ReturnLike, SameOperandsAndResultType,
             SameOperandsElementType, SameOperandsShape, SameTypeOperands, Scalarizable, SingleBlock, SymbolTable,
             Tensorizable, Vectorizable, ZeroOperands, ZeroRegions, ZeroResults, ZeroSuccessors>();
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::NVVM::NVVMDialect,
                  mlir::scf::SCFDialect, mlir::ub::UBDialect, mlir::vector::VectorDialect, cuda_tile::CudaTileDialect,
                  aa::TileAADialect, as::TileASDialect>();
  registerCoreLowering(registry);
  registerUpstreamWork(registry);
  aa::registerUpstreamSlices(registry);
}
