//===- PtxInstruction.h - One instruction of inline PTX ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   PtxInstruction add(emit);
//   std::string sum = add.result(type);
//   return add.emit("add.rn.f32 " + sum + ", " + add.operand(a) + ", " + add.operand(b) + ";").front();
//
// Nothing reads the text again. What others have to know of it is said beside it: its effect, and whether lanes execute
// it together. Barriers of several warps (`bar.sync`, `barrier.cluster.arrive`, …) stand in no text. They are
// operations, made by emitNamedBarrier or by an Emitter, for `convert-tileas-to-llvm` asks them who meets there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_PTXINSTRUCTION_H
#define TILEIRAS_LOWERING_PTXINSTRUCTION_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/Emitter.h"

namespace tileiras::as {
enum class BarrierAction : uint32_t;
} // namespace tileiras::as

namespace tileiras {

/// What an instruction does besides computing its results.
enum class PtxEffect : uint8_t {
  None,       ///< may be moved, merged and left out
  Convergent, ///< lanes execute it together: it stays where it is
  Memory,     ///< reads or writes memory, or orders accesses
  Copy, ///< starts a copy from where its pointers point to: what is written is there when somebody has waited for it
};

/// Which lanes of a warp execute an instruction.
enum class PtxLanes : uint8_t {
  Any,     ///< those that come by
  Aligned, ///< all together (`.aligned`, PTX ISA): LLVM does not put it where only some of them come by
};

/// Unit attribute of assembly that lanes execute together: LLVM's `convergent`, which the LLVM dialect's assembly
/// cannot say. The translation to LLVM IR reads it.
inline constexpr llvm::StringLiteral kAlignedAttr = as::TileASDialect::AlignedAttrHelper::getNameStr();

/// Unit attribute of assembly of PtxEffect::Copy. The translation to LLVM IR reads it: nobody sees what is written
/// before there was a wait, an effect on memory, so the copy only reads.
inline constexpr llvm::StringLiteral kStartsCopyAttr = as::TileASDialect::StartsCopyAttrHelper::getNameStr();

/// Inline PTX whose operands get their registers from their types: `b` for i1, `h` for up to 16 bits, `r`, `l`, `f` and
/// `d`; pointers of the shared space travel as 32-bit addresses. Values of 8 bits and less take a 16-bit register, and
/// 16-bit floats are integers there.
class PtxInstruction {
public:
  explicit PtxInstruction(Emitter &emitter, PtxLanes lanes = PtxLanes::Any) : emitter(emitter), lanes(lanes) {}

  // Each adds an operand and returns how the text refers to it. Results come before operands.

  std::string result(mlir::Type type) { return results(type, 1); }
  std::string operand(mlir::Value value) { return operands(value); }
  // Vectors, of loads and stores: `{$0, $1}`; one alone without braces.
  std::string results(mlir::Type type, unsigned count);
  std::string operands(mlir::ValueRange values);
  /// Results that start as `values`, in the same registers.
  std::string updates(mlir::ValueRange values);
  // Fragments, of matrix instructions: `{$0, $1}`, `{$2}`.
  std::string resultFragment(mlir::Type type, unsigned count) { return brace(results(type, count)); }
  std::string operandFragment(mlir::ValueRange values) { return brace(operands(values)); }
  /// `@$4 `; nothing for a null predicate.
  std::string guard(mlir::Value predicate);

  /// `instruction`, a fence, a barrier, an arrival at or a wait for one: with the pragma for assemblers that shall
  /// leave its surroundings alone in front of it, where the function asks for that (`nv_tileas.fence_code`).
  std::string fence(const llvm::Twine &instruction) const;

  /// Emits `text` and returns the results. To be called once.
  llvm::SmallVector<mlir::Value> emit(const llvm::Twine &text, PtxEffect effect = PtxEffect::None);

private:
  /// As the asm takes it.
  mlir::Value toRegister(mlir::Value value);
  static std::string list(unsigned first, unsigned count);
  static std::string brace(const std::string &text) { return text[0] == '{' ? text : "{" + text + "}"; }

  Emitter &emitter;
  PtxLanes lanes;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> updated; ///< by the number of the result
  std::string constraints;
};

/// The pragma that keeps the assembler from moving memory accesses across the instruction after it.
inline constexpr llvm::StringLiteral kFencePragma = ".pragma \"next knob FenceCode\";\n";

/// Emits kFencePragma where the function asks for it; the next operation becomes one barrier or fence.
void emitFencePragma(Emitter &emit);

/// Hardware barriers of the CTA, in their order.
struct BarrierRange {
  unsigned first, last;
};

/// The thread comes to hardware barrier `number` (an i32) of the CTA, one of `range`, which counts `threads` threads,
/// whole warps (`nv_tileas.named_barrier`). In an agent, these are some of its threads, and the barriers no agent's;
/// for all threads of a scope there is Emitter::barrier.
void emitNamedBarrier(Emitter &emit, as::BarrierAction action, mlir::Value number, BarrierRange range, int64_t threads);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_PTXINSTRUCTION_H
