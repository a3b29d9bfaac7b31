//===- PtxInstruction.cpp - One instruction of inline PTX -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"

using namespace mlir;

namespace tileiras {

namespace {

/// The register an operand takes: its class, and its type to LLVM.
struct PtxRegister {
  char constraint;
  Type type;
};

bool isSharedPointer(Type type) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == kSharedSpace;
}

PtxRegister getRegister(Emitter &emit, Type type) {
  if (isSharedPointer(type))
    return {'r', emit.i32()};
  if (isa<LLVM::LLVMPointerType>(type))
    return {'l', type};
  if (type.isF32())
    return {'f', type};
  if (type.isF64())
    return {'d', type};
  if (type.isInteger(1))
    return {'b', type};
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits <= 16)
    return {'h', emit.intType(16)};
  return {bits == 32 ? 'r' : 'l', emit.intType(bits)};
}

} // namespace

std::string PtxInstruction::list(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (Twine(i ? ", $" : "$") + Twine(first + i)).str();
  return count == 1 ? text : "{" + text + "}";
}

std::string PtxInstruction::results(Type type, unsigned count) {
  assert(values.empty() && "results come before operands");
  for (unsigned i = 0; i < count; ++i) {
    constraints += constraints.empty() ? "=" : ",=";
    constraints += getRegister(emitter, type).constraint;
    resultTypes.push_back(type);
  }
  return list(resultTypes.size() - count, count);
}

std::string PtxInstruction::updates(ValueRange range) {
  const unsigned first = resultTypes.size();
  for (Value value : range) {
    updated.emplace_back(resultTypes.size(), toRegister(value));
    results(value.getType(), 1);
  }
  return list(first, range.size());
}

Value PtxInstruction::toRegister(Value value) {
  PtxRegister reg = getRegister(emitter, value.getType());
  if (isSharedPointer(value.getType()))
    return LLVM::PtrToIntOp::create(emitter.builder, emitter.location, reg.type, value);
  if (reg.constraint == 'h' && value.getType().isInteger())
    return emitter.zeroExtendOrTruncate(value, 16);
  return value.getType() == reg.type ? value : emitter.bitcast(value, reg.type);
}

std::string PtxInstruction::operands(ValueRange range) {
  for (Value value : range) {
    constraints += constraints.empty() ? "" : ",";
    constraints += getRegister(emitter, value.getType()).constraint;
    values.push_back(toRegister(value));
  }
  return list(resultTypes.size() + values.size() - range.size(), range.size());
}

std::string PtxInstruction::guard(Value predicate) {
  return predicate ? "@" + operand(predicate) + " " : "";
}

/// Whether the function around asks for pragmas of fences.
static bool hasFencePragmas(Emitter &emit) {
  Operation *function = emit.builder.getInsertionBlock()->getParentOp();
  while (function && !isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  return function && function->hasAttr(as::TileASDialect::FenceCodeAttrHelper::getNameStr());
}

std::string PtxInstruction::fence(const Twine &instruction) const {
  return ((hasFencePragmas(emitter) ? kFencePragma : "") + instruction).str();
}

void emitFencePragma(Emitter &emit) {
  if (hasFencePragmas(emit))
    PtxInstruction(emit).emit(kFencePragma, PtxEffect::Memory);
}

SmallVector<Value> PtxInstruction::emit(const Twine &text, PtxEffect effect) {
  for (auto [result, value] : updated) {
    constraints += ("," + Twine(result)).str();
    values.push_back(value);
  }
  if (effect == PtxEffect::Memory)
    constraints += constraints.empty() ? "~{memory}" : ",~{memory}";
  SmallVector<Type> registers =
      llvm::map_to_vector(resultTypes, [&](Type type) { return getRegister(emitter, type).type; });
  SmallVector<Type> type = registers;
  if (registers.size() > 1)
    type = {LLVM::LLVMStructType::getLiteral(emitter.getContext(), registers)};
  auto op = LLVM::InlineAsmOp::create(
      emitter.builder, emitter.location, type, values, text.str(), constraints,
      /*has_side_effects=*/effect != PtxEffect::None, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(emitter.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  if (lanes == PtxLanes::Aligned)
    op->setAttr(kAlignedAttr, emitter.builder.getUnitAttr());
  if (effect == PtxEffect::Copy)
    op->setAttr(kStartsCopyAttr, emitter.builder.getUnitAttr());
  SmallVector<Value> results;
  for (auto [i, wanted] : llvm::enumerate(resultTypes)) {
    Value value = resultTypes.size() == 1 ? op.getResult(0) : emitter.extractField(op.getResult(0), i);
    if (wanted.isInteger())
      value = emitter.zeroExtendOrTruncate(value, wanted.getIntOrFloatBitWidth());
    else if (value.getType() != wanted)
      value = emitter.bitcast(value, wanted);
    results.push_back(value);
  }
  return results;
}

void emitNamedBarrier(Emitter &emit, as::BarrierAction action, Value number, BarrierRange range, int64_t threads) {
  as::NamedBarrierOp::create(emit.builder, emit.location, action, number, range.first, range.last, threads);
}

} // namespace tileiras
