//===- Decoder.h - AST to executable functions ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_DECODER_H
#define PTX_EMULATOR_DECODER_H

#include "Program.h"
#include "ptx-emulator/Error.h"
#include <functional>
#include <optional>
#include <unordered_map>

namespace ptxemu {

class FunctionDecoder;

/// Reads one instruction for its family: modifiers are taken one by one (what is left over is an error), operands are
/// resolved to indices.
class OpReader {
public:
  OpReader(FunctionDecoder &function, const ast::Instruction &ast, Inst &inst);

  const ast::Instruction &ast;
  Inst &inst;
  FunctionDecoder &function;

  // Modifiers.
  bool accept(std::string_view modifier);                                 ///< takes it wherever it stands
  std::string acceptAny(std::initializer_list<std::string_view> choices); ///< the one that is there, or ""
  std::string expectAny(std::initializer_list<std::string_view> choices, std::string_view what);
  std::optional<Type> acceptType();               ///< the first type that is left
  Type type(std::initializer_list<Type> allowed); ///< as acceptType, must be one of these
  bool has(std::string_view modifier) const;
  std::optional<Rounding> acceptRounding();                   ///< .rn .rz .rm .rp .rna
  void ignore(std::initializer_list<std::string_view> hints); ///< modifiers without a functional meaning
  void finish();                                              ///< nothing may be left
  const std::vector<std::string> &rest() const { return left; }
  void takeAt(size_t index) { left.erase(left.begin() + static_cast<std::ptrdiff_t>(index)); }

  // Operands.
  size_t count() const { return ast.operands.size(); }
  void expectCount(size_t least, size_t most);
  const ast::Operand &operand(size_t i) const;
  RegisterIndex source(const ast::Operand &, Type);        ///< register or constant of the type's width
  RegisterIndex sourceAtLeast(const ast::Operand &, Type); ///< a register may be wider (ld, st, cvt)
  RegisterIndex destination(const ast::Operand &, Type);
  RegisterIndex destinationAtLeast(const ast::Operand &, Type, uint8_t *width);
  PredicateIndex predicateSource(const ast::Operand &);
  bool isPredicate(const ast::Operand &) const;
  PredicateIndex predicateDestination(const ast::Operand &); ///< kAlwaysTrue for a sink
  void addSource(size_t i, Type t) { inst.s.push_back(source(operand(i), t)); }
  void addDestination(size_t i, Type t) { inst.d.push_back(destination(operand(i), t)); }
  /// {a, b, …}, or a scalar as one element.
  std::vector<const ast::Operand *> elements(const ast::Operand &) const;
  /// Appends the address's base register (or constant) to `s` and stores its offset; resolves the space of symbols.
  void address(const ast::Operand &, Space);
  /// A generic address of a tensor map: a register, a variable or a kernel parameter's own address.
  RegisterIndex mapAddress(const ast::Operand &);
  /// [taddr], a 32-bit address in tensor memory, like address().
  void tensorAddress(const ast::Operand &);
  /// A register holding base + offset, computed by an instruction before this one.
  RegisterIndex addressWithOffset(RegisterIndex base, int64_t offset);
  uint64_t integer(const ast::Operand &); ///< an immediate
  Space acceptSpace();                    ///< Generic when none is given

  [[noreturn]] void fail(const std::string &message) const;

private:
  std::vector<std::string> left;
};

using DecodeFunction = void (*)(OpReader &);
using OpcodeTable = std::unordered_map<std::string, DecodeFunction>;
const OpcodeTable &opcodeTable();

// One per family.
void addIntegerOps(OpcodeTable &);
void addBitOps(OpcodeTable &);
void addFloatOps(OpcodeTable &);
void addComparisonOps(OpcodeTable &);
void addConversionOps(OpcodeTable &);
void addMoveOps(OpcodeTable &);
void addMemoryOps(OpcodeTable &);
void addAtomicOps(OpcodeTable &);
void addCacheOps(OpcodeTable &);
void addMultimemOps(OpcodeTable &);
void addStackOps(OpcodeTable &);
void addControlOps(OpcodeTable &);
void addWarpOps(OpcodeTable &);
void addBarrierOps(OpcodeTable &);
void addMatrixOps(OpcodeTable &);
void addMmaOps(OpcodeTable &);
void addAsyncCopyOps(OpcodeTable &);
void addMbarrierOps(OpcodeTable &);
void addTensorMapOps(OpcodeTable &);
void addWgmmaOps(OpcodeTable &);
void addTcgen05Ops(OpcodeTable &);
void addLaunchControlOps(OpcodeTable &);
void addVideoOps(OpcodeTable &);
void addWmmaOps(OpcodeTable &);

/// Arithmetic opcodes (add, mul, min …) whose family depends on the type.
bool decodeFloatArithmetic(OpReader &, Type); ///< false when the opcode has no such form
bool decodePackedArithmetic(OpReader &, Type);

// Forms of an opcode that live with another family.
void decodeBulkCopy(OpReader &, bool reduces);   ///< cp.async.bulk, cp.reduce.async.bulk
void decodeCopyArrive(OpReader &);               ///< cp.async.mbarrier.arrive
void decodeAsyncStore(OpReader &, bool reduces); ///< st.async, red.async
void decodeBulkStore(OpReader &);                ///< st.bulk
void decodeWarpBarrier(OpReader &);              ///< bar.warp.sync
void decodeClusterBarrier(OpReader &);           ///< barrier.cluster

/// Where the module's global and constant variables lie.
using VariableAddresses = std::unordered_map<std::string, uint64_t>;

/// Decodes an entry and every function it can call. Throws InputError.
std::unique_ptr<Program> linkEntry(const ast::Module &, const std::string &entry, const VariableAddresses &);

} // namespace ptxemu

#endif // PTX_EMULATOR_DECODER_H
