//===- Atomics.cpp - Atomic operations ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "Conversion/TileASToLLVM/Pipelines/AsyncLoads.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/ViewAddressing.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tileiras {
namespace {

/// "add.u32", "min.s64", …: what an atomic instruction does to which type; empty when there is none.
std::string getAtomicSuffix(aa::RmwMode mode, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  bool isFloat = isa<FloatType>(element);
  auto typed = [&](StringRef operation, StringRef prefix) { return (operation + "." + prefix + Twine(bits)).str(); };
  switch (mode) {
  case aa::RmwMode::Add:
    return isFloat ? getAtomicSuffix(aa::RmwMode::AddF, element) : typed("add", "u");
  case aa::RmwMode::And:
    return typed("and", "b");
  case aa::RmwMode::Or:
    return typed("or", "b");
  case aa::RmwMode::Xor:
    return typed("xor", "b");
  case aa::RmwMode::Xchg:
    return typed("exch", "b");
  case aa::RmwMode::Min:
    return isFloat ? "" : typed("min", "s");
  case aa::RmwMode::Max:
    return isFloat ? "" : typed("max", "s");
  case aa::RmwMode::UMin:
    return typed("min", "u");
  case aa::RmwMode::UMax:
    return typed("max", "u");
  case aa::RmwMode::AddF:
    if (bits == 16)
      return element.isBF16() ? "add.noftz.bf16" : "add.noftz.f16";
    return typed("add", "f");
  }
  llvm_unreachable("all modes are handled");
}

/// The instruction for `mode`; reports types the hardware has none for.
FailureOr<std::string> getAtomicText(Operation *op, aa::RmwMode mode, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  std::string suffix = getAtomicSuffix(mode, element);
  bool exists = bits == 32 || bits == 64 || (bits == 16 && suffix.starts_with("add.noftz"));
  if (suffix.empty() || !exists)
    return op->emitError("there is no atomic '") << aa::stringifyRmwMode(mode) << "' on " << element << " in memory";
  return suffix;
}

/// `@p atom<order>.<suffix>` on scalars: the old value, or `masked` where the predicate is false.
Value emitAtomic(Emitter &emit, StringRef order, StringRef suffix, Value pointer, ValueRange arguments, Value predicate,
                 Value masked) {
  Type type = arguments.front().getType();
  SmallVector<Value> carriers;
  for (Value argument : arguments)
    carriers.push_back(toCarrier(emit, argument));
  Type word = carriers.front().getType();
  unsigned bits = word.getIntOrFloatBitWidth();
  // The register class of the data has to fit the instruction's type.
  bool isFloat = suffix.contains(".f32") || suffix.contains(".f64");
  Type registerType = isFloat ? type : word;
  auto toRegister = [&](Value carrier) { return emit.bitcast(carrier, registerType); };
  PtxInstruction atomic(emit);
  std::string result = atomic.result(registerType), address = atomic.operand(pointer), list, setMasked, guard;
  for (Value carrier : carriers)
    list += ", " + atomic.operand(toRegister(carrier));
  if (predicate) {
    Value initial = masked ? toRegister(toCarrier(emit, masked)) : emit.constant(registerType, 0);
    setMasked = ("mov.b" + Twine(bits) + " " + result + ", " + atomic.operand(initial) + ";\n\t").str();
    guard = atomic.guard(predicate);
  }
  Value old = atomic
                  .emit(setMasked + guard + "atom" + order + getPtxSpace(pointer) + "." + suffix + " " + result +
                            ", [" + address + "]" + list + ";",
                        PtxEffect::Memory)
                  .front();
  return fromCarrier(emit, emit.bitcast(old, word), type);
}

/// PTX that sets `sum` to `seen` + `addend`, registers of bf16: what stands before a loop, and what in it.
struct BF16SumText {
  std::string registers, setup, add;

  /// Without `fma.rn.bf16` the sum of f32 is rounded in its bits, ties to even.
  static BF16SumText get(bool hasFma, StringRef addend) {
    if (hasFma)
      return {", one", "mov.b16 one, 0x3f80;\n\t", ("fma.rn.bf16 sum, seen, one, " + addend + ";\n\t").str()};
    return {", zero;\n\t.reg .pred isNan;\n\t.reg .b32 wide, other, odd", "mov.b16 zero, 0;\n\t",
            ("mov.b32 wide, {zero, seen};\n\tmov.b32 other, {zero, " + addend +
             "};\n\tadd.rn.f32 wide, wide, other;\n\tsetp.nan.f32 isNan, wide, wide;\n\t"
             "bfe.u32 odd, wide, 16, 1;\n\tadd.u32 wide, wide, 0x7fff;\n\tadd.u32 wide, wide, odd;\n\t"
             "selp.b32 wide, 0x7fff0000, wide, isNan;\n\tshr.u32 wide, wide, 16;\n\tcvt.u16.u32 sum, wide;\n\t")
                .str()};
  }
};

/// An atomic addition of bf16 where there is no such instruction: compare and swap until nobody came between. Returns
/// the old value, or zero where the predicate is false.
Value emitBF16Addition(Emitter &emit, const LoweringContext &lowering, StringRef order, Value pointer, Value summand,
                       Value predicate) {
  PtxInstruction loop(emit);
  const std::string old = loop.result(emit.intType(16)), address = loop.operand(pointer);
  const std::string addend = loop.operand(toCarrier(emit, summand)), space = getPtxSpace(pointer);
  const std::string skip = predicate ? "@!" + loop.operand(predicate) + " bra DONE;\n\t" : "";
  const BF16SumText sum = BF16SumText::get(lowering.features().fmaBf16, addend);
  // The labels are those of the block in braces.
  std::string text =
      "{\n\t.reg .pred again;\n\t.reg .b16 seen, sum" + sum.registers +
      ";\n\t"
      "mov.b16 " +
      old + ", 0;\n\t" + sum.setup + skip + "ld.relaxed.sys" + space + ".b16 seen, [" + address + "];\n\t" +
      "AGAIN:\n\t"
      "mov.b16 " +
      old + ", seen;\n\t" + sum.add + "atom" + order.str() + space + ".cas.b16 seen, [" + address + "], " + old +
      ", sum;\n\t"
      "setp.ne.u16 again, seen, " +
      old +
      ";\n\t"
      "@again bra AGAIN;\n\t"
      "DONE:\n\t}";
  return fromCarrier(emit, loop.emit(text, PtxEffect::Memory).front(), summand.getType());
}

/// Neighbours that `red` adds at once where nobody wants the old values, of 128 bits together (PTX ISA, "red":
/// .vec_16_bit and .vec_32_bit, .relaxed or .release). 1 where there is no such instruction.
unsigned countSumsAtOnce(const LoweringContext &lowering, aa::RmwMode mode, aa::MemSemantic semantic, Type element) {
  const bool isSum = isa<FloatType>(element) && (mode == aa::RmwMode::Add || mode == aa::RmwMode::AddF);
  const unsigned bits = element.getIntOrFloatBitWidth();
  return lowering.features().redVectors && isSum && semantic == aa::MemSemantic::Relaxed && (bits == 16 || bits == 32)
             ? 128 / bits
             : 1;
}

/// `@p red<order>.global.<add>.vN.<type>` of neighbours from `pointer` on.
void emitSums(Emitter &emit, StringRef order, StringRef suffix, Value pointer, ArrayRef<Value> addends,
              Value predicate) {
  const auto [add, type] = suffix.rsplit('.');
  PtxInstruction sum(emit);
  const std::string address = sum.operand(pointer);
  std::string list;
  for (Value addend : addends)
    list += (list.empty() ? "" : ", ") + sum.operand(type == "f32" ? addend : toCarrier(emit, addend));
  const std::string guard = predicate ? sum.guard(predicate) : "";
  sum.emit(guard + "red" + order + ".global." + add + ".v" + std::to_string(addends.size()) + "." + type + " [" +
               address + "], {" + list + "};",
           PtxEffect::Memory);
}

/// One atomic for each element, done by one of its holders; then all holders get its result, if anybody wants it.
class AtomicTileEmitter {
public:
  AtomicTileEmitter(Emitter &emit, const LoweringContext &lowering, Operation *op, Type type)
      : emit(emit), lowering(lowering), op(op), type(type), isActor(emitIsActor(emit, op, type)) {}

  /// `atomic` emits that of one register under a predicate.
  Value run(bool wantsResult, llvm::function_ref<Value(unsigned reg, Value predicate)> atomic) {
    SmallVector<unsigned> first = {0};
    if (isa<RankedTensorType>(type))
      first = getFirstRegisters(getLayout(type));
    SmallVector<Value> olds;
    for (auto [reg, leader] : llvm::enumerate(first))
      olds.push_back(reg == leader ? atomic(reg, isActor) : olds[leader]);
    if (!wantsResult)
      return {};
    Value value = isa<RankedTensorType>(type) ? emit.pack(olds) : olds.front();
    return emitHolderBroadcast(emit, lowering, value, type, op);
  }

private:
  Emitter &emit;
  const LoweringContext &lowering;
  Operation *op;
  Type type;
  Value isActor;
};

Value getScalar(Emitter &emit, Value value, unsigned reg) {
  return value && isa<VectorType>(value.getType()) ? emit.extract(value, reg) : value;
}

void replaceAtomic(Emitter &emit, ConversionPatternRewriter &rewriter, Operation *op, Value old, Type converted) {
  SmallVector<Value, 1> values;
  if (converted)
    values.push_back(old ? old : emit.poison(converted));
  replaceMemoryOp(rewriter, op, values);
}

/// The instruction for `suffix`, or what does its work.
Value emitReadModifyWrite(Emitter &emit, const LoweringContext &lowering, StringRef order, StringRef suffix,
                          Value pointer, Value operand, Value predicate) {
  if (operand.getType().isBF16() && !lowering.features().atomAddBf16 && suffix.starts_with("add"))
    return emitBF16Addition(emit, lowering, order, pointer, operand, predicate);
  return emitAtomic(emit, order, suffix, pointer, operand, predicate, Value());
}

/// Elements of pointers, by register: where each is, and a condition under which it is accessed (null: always).
struct PointedElements {
  PointedElements(Emitter &emit, const LoweringContext &, as::AtomicRMWOp op, as::AtomicRMWOp::Adaptor adaptor,
                  unsigned atOnce)
      : emit(emit), adaptor(adaptor),
        groups(getPointerAccesses(op.getPointer().getType(), atOnce == 1 ? std::nullopt : op.getContiguity())) {}

  Value emitPointer(unsigned reg) { return getScalar(emit, adaptor.getPointer(), reg); }
  Value emitCondition(unsigned reg) { return getScalar(emit, adaptor.getMask(), reg); }
  /// Registers of neighbours in memory, under one condition.
  ArrayRef<SmallVector<unsigned>> getGroups() const { return groups; }

private:
  Emitter &emit;
  as::AtomicRMWOp::Adaptor adaptor;
  SmallVector<SmallVector<unsigned>> groups;
};

/// The same of a tile of a view.
struct ViewedElements {
  ViewedElements(Emitter &emit, const LoweringContext &lowering, as::TiledAtomicRMWOp op,
                 as::TiledAtomicRMWOp::Adaptor adaptor, unsigned atOnce) {
    const LinearLayout layout = getLayout(op.getValue().getType());
    ViewAddressing addressing(emit, lowering.converter, op, adaptor, layout);
    const unsigned oneElement = getMemoryBits(getElementTypeOrSelf(op.getValue().getType())) / 8;
    for (ViewAccess &access : addressing.getAccesses(op, oneElement * atOnce)) {
      accesses[access.registers.front()] = access;
      groups.push_back(access.registers);
    }
  }

  Value emitPointer(unsigned reg) { return accesses[reg].address.pointer; }
  Value emitCondition(unsigned reg) { return accesses[reg].inBounds; }
  ArrayRef<SmallVector<unsigned>> getGroups() const { return groups; }

private:
  SmallVector<SmallVector<unsigned>> groups;
  llvm::SmallDenseMap<unsigned, ViewAccess> accesses;
};

/// `Elements` finds where the elements of the tile of an `OpTy` are.
template <typename OpTy, typename Elements>
struct ReadModifyWritePattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type type = op.getValue().getType();
    FailureOr<std::string> suffix = getAtomicText(op, op.getRmwMode(), getElementTypeOrSelf(type));
    if (failed(suffix))
      return failure();
    const std::string order = getPtxOrder(op.getMemSemantic(), getHardwareScope(this->lowering, op.getMemScope()));
    const bool wantsResult = op.getResult() && !op.getResult().use_empty();
    const unsigned atOnce =
        wantsResult ? 1
                    : countSumsAtOnce(this->lowering, op.getRmwMode(), op.getMemSemantic(), getElementTypeOrSelf(type));
    Elements elements(emit, this->lowering, op, adaptor, atOnce);
    if (atOnce > 1 && isa<RankedTensorType>(type)) {
      emitVectors(emit, op, adaptor, elements, order, *suffix, atOnce);
      replaceAtomic(emit, rewriter, op, /*old=*/Value(), op.getResult() ? this->convert(type) : Type());
      return success();
    }
    AtomicTileEmitter tile(emit, this->lowering, op, type);
    Value old = tile.run(wantsResult, [&](unsigned reg, Value predicate) {
      Value pointer = elements.emitPointer(reg), operand = getScalar(emit, adaptor.getValue(), reg);
      Value condition = emit.conjunction(predicate, elements.emitCondition(reg));
      return emitReadModifyWrite(emit, this->lowering, order, *suffix, pointer, operand, condition);
    });
    replaceAtomic(emit, rewriter, op, old, op.getResult() ? this->convert(type) : Type());
    return success();
  }

  void emitVectors(Emitter &emit, OpTy op, typename OpTy::Adaptor adaptor, Elements &elements, StringRef order,
                   StringRef suffix, unsigned atOnce) const {
    const Value isActor = emitIsActor(emit, op, op.getValue().getType());
    const SmallVector<Value> addends = emit.unpack(adaptor.getValue());
    const SmallVector<unsigned> holders = getFirstRegisters(getLayout(op.getValue().getType()));
    llvm::SmallDenseSet<unsigned> added; // Registers may hold an element twice: it is added once.
    for (ArrayRef<unsigned> group : elements.getGroups()) {
      if (!added.insert(holders[group.front()]).second)
        continue;
      for (; !group.empty(); group = group.drop_front(std::min<size_t>(atOnce, group.size()))) {
        const ArrayRef<unsigned> registers = group.take_front(atOnce);
        const unsigned first = registers.front();
        const Value pointer = elements.emitPointer(first);
        const Value condition = emit.conjunction(isActor, elements.emitCondition(first));
        const auto values = llvm::map_to_vector(registers, [&](unsigned reg) { return addends[reg]; });
        if (registers.size() == 1)
          emitReadModifyWrite(emit, this->lowering, order, suffix, pointer, values.front(), condition);
        else
          emitSums(emit, order, suffix, pointer, values, condition);
      }
    }
  }
};

struct AtomicCASPattern final : TilePattern<as::AtomicCASOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AtomicCASOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type type = op.getResult().getType(), element = getElementTypeOrSelf(type);
    unsigned bits = getMemoryBits(element);
    if (bits < 16)
      return op.emitError("there is no atomic compare-and-swap on ") << element << " in memory";
    std::string order = getPtxOrder(op.getMemSemantic(), getHardwareScope(lowering, op.getMemScope())),
                suffix = "cas.b" + std::to_string(bits);
    AtomicTileEmitter tile(emit, lowering, op, type);
    Value old = tile.run(!op.getResult().use_empty(), [&](unsigned reg, Value predicate) {
      Value compare = getScalar(emit, adaptor.getCompare(), reg);
      return emitAtomic(emit, order, suffix, getScalar(emit, adaptor.getPointer(), reg),
                        {compare, getScalar(emit, adaptor.getValue(), reg)},
                        emit.conjunction(predicate, getScalar(emit, adaptor.getMask(), reg)), compare);
    });
    replaceAtomic(emit, rewriter, op, old, convert(type));
    return success();
  }
};

} // namespace

int64_t as::AtomicRMWOp::getScratchBytes(const LoweringContext &lowering) {
  return getResult().use_empty() ? 0 : getHolderBroadcastBytes(lowering, getResult().getType(), *this);
}

int64_t as::AtomicCASOp::getScratchBytes(const LoweringContext &lowering) {
  return getResult().use_empty() ? 0 : getHolderBroadcastBytes(lowering, getResult().getType(), *this);
}

int64_t as::TiledAtomicRMWOp::getScratchBytes(const LoweringContext &lowering) {
  bool isUsed = getResult() && !getResult().use_empty();
  return isUsed ? getHolderBroadcastBytes(lowering, getResult().getType(), *this) : 0;
}

void populateAtomicPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ReadModifyWritePattern<as::AtomicRMWOp, PointedElements>,
               ReadModifyWritePattern<as::TiledAtomicRMWOp, ViewedElements>, AtomicCASPattern>(lowering);
}

} // namespace tileiras
