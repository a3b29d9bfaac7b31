//===- PackedBytes.cpp - Four bytes a register ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedBytes.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A vector's registers of 32 bits; empty where it does not fill them.
SmallVector<Value> getWords(Emitter &emit, Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  const unsigned bits = type ? type.getNumElements() * type.getElementTypeBitWidth() : 0;
  if (!bits || bits % 32)
    return {};
  return emit.unpack(emit.bitcast(vector, Emitter::vectorType(bits / 32, emit.i32())));
}

/// Numbers in words as a vector of `count` elements of `type`.
Value makeVector(Emitter &emit, ArrayRef<Value> words, unsigned count, Type type) {
  return emit.bitcast(emit.pack(words), Emitter::vectorType(count, type));
}

Value makeBytes(Emitter &emit, ArrayRef<Value> words) {
  return makeVector(emit, words, 4 * words.size(), emit.intType(8));
}

/// A pattern's end: `packed` may be null.
LogicalResult replaceOp(ConversionPatternRewriter &rewriter, Operation *op, Value packed) {
  if (packed)
    rewriter.replaceOp(op, packed);
  return success(bool(packed));
}

/// The same byte four times.
Value repeat(Emitter &emit, uint8_t byte) {
  return emit.i32(int32_t(byte * 0x01010101u));
}

/// The same half word twice.
Value repeatHalf(Emitter &emit, uint16_t half) {
  return emit.i32(int32_t(half * 0x00010001u));
}

/// Bytes of a (0 to 3) and b (4 to 7), of which each digit of the selector names one.
Value permute(Emitter &emit, Value a, Value b, uint32_t selector) {
  return emit.intrinsic("llvm.nvvm.prmt", emit.i32(), {a, b, emit.i32(selector)});
}

//===----------------------------------------------------------------------===//
// Arithmetic: a bit of each byte is put out of the way, so that nothing is carried into the next
//===----------------------------------------------------------------------===//

Value shiftWord(Emitter &emit, ShiftKind kind, Value word, unsigned amount) {
  if (kind == ShiftKind::Left)
    return emit.bitAnd(emit.shl(word, amount), repeat(emit, uint8_t(0xff << amount)));
  Value shifted = emit.bitAnd(emit.lshr(word, amount), repeat(emit, uint8_t(0xff >> amount)));
  if (kind == ShiftKind::RightUnsigned)
    return shifted;
  // The sign is now the bit `sign`; t becomes (t ^ sign) - sign.
  Value sign = repeat(emit, uint8_t(0x80 >> amount)), top = repeat(emit, 0x80);
  Value lifted = emit.bitOr(emit.bitXor(shifted, sign), top);
  return emit.bitXor(emit.sub(lifted, sign), top);
}

Value mapWords(Emitter &emit, ValueRange vectors, llvm::function_ref<Value(ArrayRef<Value>)> compute) {
  SmallVector<SmallVector<Value>> words;
  for (Value vector : vectors)
    words.push_back(getWords(emit, vector));
  SmallVector<Value> results;
  for (unsigned i = 0; i < words.front().size(); ++i)
    results.push_back(compute(llvm::map_to_vector(words, [&](const SmallVector<Value> &of) { return of[i]; })));
  return results.empty() ? Value() : makeBytes(emit, results);
}

} // namespace

Value emitByteShift(Emitter &emit, ShiftKind kind, Value bytes, uint64_t amount) {
  if (amount == 0)
    return bytes;
  const bool isSigned = kind == ShiftKind::RightSigned;
  return mapWords(emit, bytes, [&](ArrayRef<Value> words) {
    if (amount > 7 && !isSigned)
      return emit.i32(0);
    return shiftWord(emit, kind, words[0], std::min<uint64_t>(amount, 7));
  });
}

Value emitByteSum(Emitter &emit, Value a, Value b) {
  return mapWords(emit, {a, b}, [&](ArrayRef<Value> words) {
    Value rest = repeat(emit, 0x7f), top = repeat(emit, 0x80);
    Value sum = emit.add(emit.bitAnd(words[0], rest), emit.bitAnd(words[1], rest));
    return emit.bitXor(sum, emit.bitAnd(emit.bitXor(words[0], words[1]), top));
  });
}

Value emitByteDifference(Emitter &emit, Value a, Value b) {
  return mapWords(emit, {a, b}, [&](ArrayRef<Value> words) {
    Value rest = repeat(emit, 0x7f), top = repeat(emit, 0x80);
    Value difference = emit.sub(emit.bitOr(words[0], top), emit.bitAnd(words[1], rest));
    return emit.bitXor(difference, emit.bitAnd(emit.bitNot(emit.bitXor(words[0], words[1])), top));
  });
}

Value emitHalfBytes(Emitter &emit, Value bytes) {
  SmallVector<Value> words;
  for (Value word : getWords(emit, bytes)) {
    Value lower = emit.bitAnd(word, repeat(emit, 0x0f));
    Value upper = emit.bitAnd(emit.lshr(word, 4), repeat(emit, 0x0f));
    for (uint32_t selector : {0x5140u, 0x7362u})
      words.push_back(permute(emit, lower, upper, selector));
  }
  return words.empty() ? Value() : makeBytes(emit, words);
}

namespace {

//===----------------------------------------------------------------------===//
// Integers to floats: a byte is put into the last bits of a float, which is then that much too large
//===----------------------------------------------------------------------===//

/// a - b of two f16 or bf16 in each word: as text, for the back end of LLVM takes such vectors apart.
Value subtractPairs(Emitter &emit, const LoweringContext &lowering, Value a, Value b, Type type) {
  PtxInstruction difference(emit);
  const std::string result = difference.result(emit.i32()), from = difference.operand(a), of = difference.operand(b);
  if (type.isF16() || lowering.features().addBf16) {
    const StringRef opcode = type.isF16() ? "sub.rn.f16x2 " : "sub.rn.bf16x2 ";
    return difference.emit(opcode + result + ", " + from + ", " + of + ";").front();
  }
  const std::string minusOne = difference.operand(repeatHalf(emit, 0xbf80));
  return difference.emit("fma.rn.bf16x2 " + result + ", " + of + ", " + minusOne + ", " + from + ";").front();
}

/// 1024 + n, and 1024 or 1152 less: a signed byte with its first bit the other way is n + 128.
void appendHalves(Emitter &emit, const LoweringContext &lowering, Value word, bool isSigned,
                  SmallVectorImpl<Value> &pairs) {
  Value of = isSigned ? emit.bitXor(word, repeat(emit, 0x80)) : word;
  Value base = repeatHalf(emit, isSigned ? 0x6480 : 0x6400);
  for (uint32_t selector : {0x4140u, 0x4342u}) {
    Value high = permute(emit, of, repeat(emit, 0x64), selector);
    pairs.push_back(subtractPairs(emit, lowering, high, base, emit.builder.getF16Type()));
  }
}

/// bf16 has eight digits: 128 + n by the lower seven bits, and 128 or, of a negative number, 256 less.
void appendSignedBF16(Emitter &emit, const LoweringContext &lowering, Value word, SmallVectorImpl<Value> &pairs) {
  for (uint32_t selector : {0x4140u, 0x4342u}) {
    Value high = permute(emit, word, repeat(emit, 0x43), selector);
    Value number = emit.bitAnd(high, repeatHalf(emit, 0xff7f)), base = emit.bitAnd(high, repeatHalf(emit, 0xff80));
    pairs.push_back(subtractPairs(emit, lowering, number, base, emit.builder.getBF16Type()));
  }
}

/// 2^23 + n, and 2^23 less.
void appendSingles(Emitter &emit, Value word, bool isSigned, SmallVectorImpl<Value> &numbers) {
  Value of = isSigned ? emit.bitXor(word, repeat(emit, 0x80)) : word;
  Value base = emit.constantFloat(emit.f32(), isSigned ? 0x1p23 + 128 : 0x1p23);
  for (uint32_t i = 0; i < 4; ++i) {
    Value high = permute(emit, of, emit.i32(0x4b000000), 0x7440 + i);
    numbers.push_back(LLVM::FSubOp::create(emit.builder, emit.location, emit.bitcast(high, emit.f32()), base));
  }
}

} // namespace

Value emitFloatsOfBytes(Emitter &emit, const LoweringContext &lowering, Value bytes, Type to, bool isSigned) {
  const SmallVector<Value> words = getWords(emit, bytes);
  if (words.empty() || !(to.isF16() || to.isBF16() || to.isF32()))
    return {};
  const unsigned count = 4 * words.size();
  SmallVector<Value> results;
  const bool isPaired = to.isF16() || (to.isBF16() && isSigned && lowering.features().fmaBf16);
  for (Value word : words) {
    if (!isPaired)
      appendSingles(emit, word, isSigned, results);
    else if (to.isF16())
      appendHalves(emit, lowering, word, isSigned, results);
    else
      appendSignedBF16(emit, lowering, word, results);
  }
  if (isPaired)
    return makeVector(emit, results, count, to);
  Value wide = emit.pack(results);
  return to.isF32() ? wide : emit.fpTruncate(wide, Emitter::vectorType(count, to));
}

namespace {

//===----------------------------------------------------------------------===//
// Floats of 8 and 4 bits
//===----------------------------------------------------------------------===//

/// As PTX spells a pair of them; empty for others.
StringRef getPairName(Type type) {
  return isa<Float8E4M3FNType>(type) ? "e4m3x2" : isa<Float8E5M2Type>(type) ? "e5m2x2" : "";
}

/// A product of two f16 or bf16 in each word with a power of two.
Value scalePairs(Emitter &emit, Value pairs, uint16_t power, bool isHalf) {
  PtxInstruction product(emit);
  const std::string result = product.result(emit.i32()), small = product.operand(pairs);
  const std::string factor = product.operand(repeatHalf(emit, power));
  const std::string none = isHalf ? "" : ", " + product.operand(repeatHalf(emit, 0x8000)); // -0
  const std::string opcode = isHalf ? "mul.rn.f16x2 " : "fma.rn.bf16x2 ";
  return product.emit(opcode + result + ", " + small + ", " + factor + none + ";").front();
}

/// Two bytes an instruction, through f16, which holds all values.
Value widenF8Pairs(Emitter &emit, Value bytes, StringRef name) {
  const unsigned count = Emitter::getVectorSize(bytes);
  Value codes = emit.bitcast(bytes, Emitter::vectorType(count / 2, emit.intType(16)));
  SmallVector<Value> pairs;
  for (Value code : emit.unpack(codes))
    pairs.push_back(emitPtxInstruction(emit, "cvt.rn.f16x2." + name, emit.i32(), code));
  return makeVector(emit, pairs, count, emit.builder.getF16Type());
}

/// Exponent and mantissa of an e4m3 in the place of those of an f16 are 2^-8 times the number, subnormal ones included.
/// The code of NaN, whose bits are all ones, would be 480: those of f16's exponent are set in it.
Value widenE4M3Word(Emitter &emit, Value codes) {
  Value rest = emit.bitAnd(codes, repeatHalf(emit, 0x7f));
  Value placed = emit.bitOr(emit.shl(rest, 7), emit.bitAnd(emit.shl(codes, 8), repeatHalf(emit, 0x8000)));
  Value isNan = emit.bitAnd(emit.add(rest, repeatHalf(emit, 1)), repeatHalf(emit, 0x80));
  return emit.bitOr(scalePairs(emit, placed, 0x5c00, true), emit.mul(isNan, emit.i32(0xf8)));
}

/// Without the instruction. An e5m2 is the upper half of an f16.
Value widenF8PairsByArithmetic(Emitter &emit, Value bytes, Type from) {
  SmallVector<Value> pairs;
  for (Value word : getWords(emit, bytes))
    for (bool isUpper : {false, true})
      pairs.push_back(isa<Float8E5M2Type>(from)
                          ? permute(emit, word, emit.i32(0), isUpper ? 0x3424 : 0x1404)
                          : widenE4M3Word(emit, permute(emit, word, emit.i32(0), isUpper ? 0x4342 : 0x4140)));
  return makeVector(emit, pairs, Emitter::getVectorSize(bytes), emit.builder.getF16Type());
}

/// Exponent and mantissa of an e2m1 in the place of those of an f16 or bf16 are 2^-14 or 2^-126 times the number,
/// subnormal ones included.
Value widenE2M1Pairs(Emitter &emit, const LoweringContext &lowering, Value bytes, Type to) {
  const bool isHalf = to.isF16();
  SmallVector<Value> pairs;
  for (Value word : getWords(emit, bytes))
    for (uint32_t selector : {0x4140u, 0x4342u}) {
      Value codes = permute(emit, word, emit.i32(0), selector);
      Value sign = emit.bitAnd(emit.shl(codes, 12), repeatHalf(emit, 0x8000));
      Value rest = emit.bitAnd(emit.shl(codes, isHalf ? 9 : 6), repeatHalf(emit, isHalf ? 0x0e00 : 0x01c0));
      pairs.push_back(scalePairs(emit, emit.bitOr(sign, rest), isHalf ? 0x7400 : 0x7e80, isHalf));
    }
  return makeVector(emit, pairs, Emitter::getVectorSize(bytes), to);
}

/// From f16, which holds all values of formats of 8 and 4 bits.
Value convertHalves(Emitter &emit, Value halves, Type to) {
  if (to.isF16())
    return halves;
  const unsigned count = Emitter::getVectorSize(halves);
  Value wide = emit.fpExtend(halves, Emitter::vectorType(count, emit.f32()));
  return to.isF32() ? wide : emit.fpTruncate(wide, Emitter::vectorType(count, to));
}

} // namespace

Value emitWidenedBytes(Emitter &emit, const LoweringContext &lowering, Value bytes, Type from, Type to) {
  auto vector = dyn_cast<VectorType>(bytes.getType());
  if (!vector || vector.getNumElements() % 4 || !(to.isF16() || to.isBF16() || to.isF32()))
    return {};
  if (isa<Float4E2M1FNType>(from)) {
    if (to.isBF16() && lowering.features().fmaBf16)
      return widenE2M1Pairs(emit, lowering, bytes, to);
    return convertHalves(emit, widenE2M1Pairs(emit, lowering, bytes, emit.builder.getF16Type()), to);
  }
  const StringRef name = getPairName(from);
  if (name.empty())
    return {};
  Value halves =
      lowering.features().cvtF8x2 ? widenF8Pairs(emit, bytes, name) : widenF8PairsByArithmetic(emit, bytes, from);
  return convertHalves(emit, halves, to);
}

Value emitNarrowedBytes(Emitter &emit, const LoweringContext &lowering, Value floats, Type to) {
  auto vector = dyn_cast<VectorType>(floats.getType());
  const StringRef name = getPairName(to);
  if (!vector || vector.getNumElements() % 4 || name.empty() || !lowering.features().cvtF8x2)
    return {};
  SmallVector<Value> codes;
  if (vector.getElementType().isF16())
    for (Value pair : getWords(emit, floats))
      codes.push_back(emitPtxInstruction(emit, "cvt.rn.satfinite." + name + ".f16x2", emit.intType(16), pair));
  else if (vector.getElementType().isF32())
    for (int64_t i = 0; i < vector.getNumElements(); i += 2) // The first source becomes the upper byte.
      codes.push_back(emitPtxInstruction(emit, "cvt.rn.satfinite." + name + ".f32", emit.intType(16),
                                         {emit.extract(floats, i + 1), emit.extract(floats, i)}));
  else
    return {};
  return makeVector(emit, codes, vector.getNumElements(), emit.intType(8));
}

namespace {

//===----------------------------------------------------------------------===//
// MLIR's operations on bytes: those without a packed form are left to LLVM
//===----------------------------------------------------------------------===//

template <typename OpTy, Value (*compute)(Emitter &, Value, Value)>
struct ByteSumPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isInteger(8))
      return failure();
    Emitter emit(rewriter, op);
    return replaceOp(rewriter, op, compute(emit, adaptor.getLhs(), adaptor.getRhs()));
  }
};

template <typename OpTy, ShiftKind kind>
struct ByteShiftPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    APInt amount;
    if (!getElementTypeOrSelf(op.getType()).isInteger(8) || !matchPattern(adaptor.getRhs(), m_ConstantInt(&amount)))
      return failure();
    Emitter emit(rewriter, op);
    return replaceOp(rewriter, op, emitByteShift(emit, kind, adaptor.getLhs(), amount.getZExtValue()));
  }
};

/// Elements of less than 32 bits: a mask for each word, which others with the same conditions share. LLVM would take
/// both sides apart.
struct NarrowSelectPattern final : TilePattern<arith::SelectOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value conditions = adaptor.getCondition();
    auto type = dyn_cast<VectorType>(adaptor.getTrueValue().getType());
    const unsigned bits = type ? type.getElementTypeBitWidth() : 32;
    if (!isa<VectorType>(conditions.getType()) || (bits != 8 && bits != 16))
      return failure();
    Emitter emit(rewriter, op);
    const SmallVector<Value> ifTrue = getWords(emit, adaptor.getTrueValue());
    if (ifTrue.empty())
      return failure();
    const SmallVector<Value> ifFalse = getWords(emit, adaptor.getFalseValue());
    const SmallVector<Value> each = emit.unpack(conditions);
    SmallVector<Value> words;
    for (unsigned i = 0; i < ifTrue.size(); ++i)
      words.push_back(selectWord(emit, ArrayRef(each).slice(i * 32 / bits, 32 / bits), ifTrue[i], ifFalse[i]));
    rewriter.replaceOp(op, makeVector(emit, words, type.getNumElements(), type.getElementType()));
    return success();
  }

  static Value selectWord(Emitter &emit, ArrayRef<Value> conditions, Value ifTrue, Value ifFalse) {
    if (llvm::all_equal(conditions))
      return emit.select(conditions.front(), ifTrue, ifFalse);
    const unsigned bits = 32 / conditions.size();
    Value mask;
    for (auto [i, condition] : llvm::enumerate(conditions)) {
      Value ones = emit.i32(int32_t(((uint64_t(1) << bits) - 1) << (i * bits)));
      Value own = emit.select(condition, ones, emit.i32(0));
      mask = mask ? emit.bitOr(mask, own) : own;
    }
    return emit.bitOr(emit.bitAnd(ifTrue, mask), emit.bitAnd(ifFalse, emit.bitNot(mask)));
  }
};

template <typename OpTy, bool isSigned>
struct ByteToFloatPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isInteger(8))
      return failure();
    Emitter emit(rewriter, op);
    const Type to = getElementTypeOrSelf(op.getType());
    return replaceOp(rewriter, op, emitFloatsOfBytes(emit, this->lowering, adaptor.getIn(), to, isSigned));
  }
};

} // namespace

void populatePackedBytePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<NarrowSelectPattern, ByteSumPattern<arith::AddIOp, emitByteSum>,
               ByteSumPattern<arith::SubIOp, emitByteDifference>, ByteShiftPattern<arith::ShLIOp, ShiftKind::Left>,
               ByteShiftPattern<arith::ShRUIOp, ShiftKind::RightUnsigned>,
               ByteShiftPattern<arith::ShRSIOp, ShiftKind::RightSigned>, ByteToFloatPattern<arith::SIToFPOp, true>,
               ByteToFloatPattern<arith::UIToFPOp, false>>(lowering);
}

} // namespace tileiras
