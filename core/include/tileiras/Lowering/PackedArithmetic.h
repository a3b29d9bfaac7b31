//===- PackedArithmetic.h - Two elements an instruction ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_PACKEDARITHMETIC_H
#define TILEIRAS_LOWERING_PACKEDARITHMETIC_H

#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/PtxInstruction.h"

namespace tileiras {

/// How PTX calls what `op` does to f32, without the type, where the chip has an instruction that does it to two
/// elements at once (add, sub, mul, fma: "fma.rn.ftz") or to three (minima and maxima: "max.ftz.NaN").
std::optional<std::string> getPackedOpcode(const LoweringContext &lowering, mlir::Operation *op);
std::optional<std::string> getTernaryOpcode(const LoweringContext &lowering, mlir::Operation *op);

/// One PTX instruction an element on f32: `opcode` is add, sub, mul or fma with its modifiers, without the type
/// ("fma.rn.ftz"); `operands` are the elements of each operand, equally many. Where the chip has packed forms, elements
/// 2k and 2k+1 share an instruction. That pays if they lie in neighbouring registers, as those of one vector access do:
/// an assembler moves others there first. The results are the same, bit by bit.
llvm::SmallVector<mlir::Value> emitF32Arithmetic(Emitter &emit, const LoweringContext &lowering,
                                                 const llvm::Twine &opcode,
                                                 llvm::ArrayRef<llvm::SmallVector<mlir::Value>> operands);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_PACKEDARITHMETIC_H
