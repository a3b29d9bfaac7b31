//===- TileAS.h - The nv_tileas dialect -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tile programs whose execution is explicit: every tile has a layout, every access an atom. See TileASBase.td for the
// rules, LayoutUtils.h for working with layouts.
//
// Beside its own operations a function in this dialect may contain: `nv_tileaa.func` and `return`; `arith`, `math` and
// the elementwise operations of `nv_tileaa` (TileAAElementwiseOps.td, with `assume`) on scalars and encoded tensors;
// `arith.constant` and `ub.poison` of encoded tensor types; `nv_tileaa` operations on scalars, pointers, memrefs and
// globals: `get_program_id`, `get_num_programs`, `make_memref`, `get_dim_size`, `global`, `get_global`, `gdc_wait` and
// `gdc_launch_dependents` (without tokens); `scf`; the operations of dialects with a DialectLowering.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEAS_H
#define TILEIRAS_DIALECT_TILEAS_TILEAS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/LayoutRelations.h"
#include "tileiras/Layout/LayoutDescriptor.h"
#include "tileiras/Layout/LinearLayout.h"

namespace tileiras {
struct AtomCatalogue;
struct CopyAtom;
class LoweringContext;
struct MmaAtom;
struct MmaQuery;
struct ReduceAtom;
} // namespace tileiras

namespace tileiras::as {
/// See LayoutUtils.h.
std::optional<llvm::SmallVector<unsigned>> getRegisterMap(const LinearLayout &from, const LinearLayout &to);
} // namespace tileiras::as

#include "tileiras/Dialect/TileAS/TileASDialect.h.inc"
#include "tileiras/Dialect/TileAS/TileASEnums.h.inc"
#include "tileiras/Dialect/TileAS/TileASInterfaces.h.inc"

namespace tileiras::as::detail {
/// Warps, barriers and regions of an ExecutionScopeOpInterface operation.
mlir::LogicalResult verifyExecutionScopes(mlir::Operation *op);
/// Stages and payload of a pipeline, an iterator or a pipeline token; nothing of anything else.
std::pair<int64_t, llvm::ArrayRef<mlir::Type>> getPipelineParameters(mlir::Type type);
} // namespace tileiras::as::detail

#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAS/TileASAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tileiras/Dialect/TileAS/TileASTypes.h.inc"

#include "tileiras/Dialect/TileAS/ExecutionInterfaces.h.inc"
#include "tileiras/Dialect/TileAS/LayoutInterfaces.h.inc"

namespace tileiras::as {

/// A ranked tensor of static shape whose encoding distributes it over threads.
bool isDistributedTensor(mlir::Type type);

/// A ranked tensor of static shape whose encoding says where it lies in shared or tensor memory.
bool isMemoryTensor(mlir::Type type);
/// A tensor in tensor memory.
bool isTensorMemoryTensor(mlir::Type type);
/// The same in shared memory.
bool isSharedTensor(mlir::Type type);

/// What `tile` is a view of, past all views.
mlir::Value skipViews(mlir::Value tile);

/// The part of shared memory that `tileas-allocate-memory` has given `op`, an ExchangeOpInterface, to exchange data
/// through; null before, and of all others.
MemoryRangeAttr getScratch(mlir::Operation *op);

/// Unit attribute of a `convert_layout` from which a conversion within registers starts, value by value.
inline constexpr llvm::StringLiteral kRootRegToRegCopyAttr = TileASDialect::RootRegToRegCopyOpAttrHelper::getNameStr();

} // namespace tileiras::as

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASOps.h.inc"
#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASMemoryOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_TILEAS_H
