//===- ScalarArithmetic.h - Arithmetic on the elements of a tile --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SCALARARITHMETIC_H
#define TILEIRAS_LOWERING_SCALARARITHMETIC_H

#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/PtxInstruction.h"

namespace tileiras {

/// Computes a result of type `result` (a scalar or a vector) element by element; `compute` gets one scalar of each
/// operand, all of which are scalars or vectors as long as the result.
mlir::Value mapElements(Emitter &emit, mlir::Type result, mlir::ValueRange operands,
                        llvm::function_ref<mlir::Value(mlir::ValueRange)> compute);

/// One PTX instruction on scalars, `opcode d, a, b, …`, without side effects. Floats of 16 bits travel as integers.
mlir::Value emitPtxInstruction(Emitter &emit, const llvm::Twine &opcode, mlir::Type result, mlir::ValueRange arguments);

/// A call of libdevice's `function` ("exp") with a result of `type`, f32 or f64, declared in the module of the
/// insertion point when it is not yet.
mlir::Value emitLibdeviceFunction(Emitter &emit, llvm::StringRef function, mlir::Type type, mlir::ValueRange arguments);

/// A scalar of any float format as an f32, exactly; an f64 as it is.
mlir::Value emitWidened(Emitter &emit, const LoweringContext &lowering, mlir::Value scalar, mlir::Type from);
/// f32 or f64 as a number of another format, rounded once. The result is what `to` is converted to.
mlir::Value emitNarrowed(Emitter &emit, const LoweringContext &lowering, mlir::Value wide, mlir::Type to,
                         aa::RoundingMode rounding);

/// "rn", "rz", "rm", "rp", "approx", "full", "rna".
llvm::StringRef getPtxRounding(aa::RoundingMode mode);
/// An instruction without its type: "fma.rn.ftz" and "max.ftz.NaN".
std::string getPtxRounded(llvm::StringRef name, aa::RoundingMode rounding, bool ftz);
std::string getPtxExtremum(llvm::StringRef name, bool propagateNan, bool ftz);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SCALARARITHMETIC_H
