//===- Shape.cpp - Operations that rename registers -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "PackedBytes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/ModuleGlobals.h"

using namespace mlir;

namespace tileiras {
namespace {

/// For each register of the result the one of the source (of several: of all of them) that it is filled from.
FailureOr<SmallVector<int32_t>> getRegisterOrder(as::ShapeLayoutOpInterface op) {
  auto map = op.mapRegisters(getLayout(op->getOperand(0).getType()), getLayout(op->getResult(0).getType()));
  if (!map) {
    op->emitError("the layouts of source and result do not hold the same elements in each thread");
    return failure();
  }
  return SmallVector<int32_t>(map->begin(), map->end());
}

/// Where a view of a tile in shared memory begins.
Value emitPlace(Emitter &emit, as::ViewOp op, as::ViewOp::Adaptor adaptor) {
  const int64_t bytes = as::getSharedBits(op.getType().getElementType()) / 8;
  Value address = adaptor.getSource();
  if (Value position = adaptor.getPosition())
    address = emit.gep(emit.intType(8 * bytes), address, position);
  if (const int64_t offset = op.getOffset().value_or(0))
    address = emit.gep(emit.intType(8), address, offset * bytes);
  return address;
}

/// Operations whose result each thread fills from its own registers, or which is its operand's memory.
template <typename OpTy>
struct RenamingPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (as::isMemoryTensor(op.getSource().getType())) {
      Value address = adaptor.getSource();
      if constexpr (std::is_same_v<OpTy, as::ViewOp>)
        address = emitPlace(emit, op, adaptor);
      rewriter.replaceOp(op, address);
      return success();
    }
    FailureOr<SmallVector<int32_t>> order = getRegisterOrder(op);
    if (failed(order))
      return failure();
    rewriter.replaceOp(op, emit.shuffleElements(adaptor.getSource(), *order));
    return success();
  }
};

struct CatPattern final : TilePattern<as::CatOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CatOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    FailureOr<SmallVector<int32_t>> order = getRegisterOrder(op);
    if (failed(order))
      return failure();
    rewriter.replaceOp(op, emit.shuffleElements(adaptor.getLhs(), adaptor.getRhs(), *order));
    return success();
  }
};

struct SplatPattern final : TilePattern<as::SplatOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::SplatOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.splat(adaptor.getValue(), getNumRegisters(op.getType())));
    return success();
  }
};

struct ExtractPattern final : TilePattern<as::ExtractOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.extract(adaptor.getSource(), 0));
    return success();
  }
};

struct MakeRangePattern final : TilePattern<as::MakeRangeOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::MakeRangeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    LinearLayout layout = getLayout(op.getType());
    unsigned bits = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    Value thread = emitThreadCoordinates(emit, layout).front();
    SmallVector<Value> elements;
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      Value coordinate = emit.bitXor(thread, emit.i32(getRegisterCoordinates(layout, reg).front()));
      elements.push_back(emit.zeroExtendOrTruncate(coordinate, bits));
    }
    rewriter.replaceOp(op, emit.pack(elements));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Dense constants are tables in memory that every thread reads its elements from.
struct ConstantPattern final : TilePattern<arith::ConstantOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type type = convert(op.getType()), element = getElementTypeOrSelf(op.getType());
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense) {
      if (auto number = dyn_cast<FloatAttr>(op.getValue()); number && type != op.getType()) {
        rewriter.replaceOp(op, emitNumber(emit, type, number.getValue()));
        return success();
      }
      return failure(); // Scalars of ordinary types are upstream's.
    }
    if (dense.isSplat()) {
      Value value = isa<FloatType>(element) ? emitNumber(emit, type, dense.getSplatValue<APFloat>())
                                            : emit.constant(type, dense.getSplatValue<APInt>().getSExtValue());
      rewriter.replaceOp(op, value);
      return success();
    }
    rewriter.replaceOp(op, emitTable(emit, op, dense, type));
    return success();
  }

  /// A float in its register type, scalar or splat.
  Value emitNumber(Emitter &emit, Type type, const APFloat &value) const {
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      return emit.constantFloat(type, value);
    return emit.constant(type, value.bitcastToAPInt().getZExtValue());
  }

  Value emitTable(Emitter &emit, arith::ConstantOp op, DenseElementsAttr dense, Type type) const {
    Type element = getElementTypeOrSelf(type);
    unsigned bits = element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
    Type stored = emit.intType(bits);
    SmallVector<APInt> words;
    if (isa<FloatType>(getElementTypeOrSelf(op.getType()))) {
      for (APFloat value : dense.getValues<APFloat>())
        words.push_back(isa<FloatTF32Type>(getElementTypeOrSelf(op.getType()))
                            ? toF32(value)
                            : value.bitcastToAPInt().zextOrTrunc(bits));
    } else {
      for (APInt value : dense.getValues<APInt>())
        words.push_back(value.zextOrTrunc(bits));
    }
    auto tableType = RankedTensorType::get({int64_t(words.size())}, stored);
    LLVM::GlobalOp table =
        addTable(emit.builder, op->getLoc(), op->getParentOfType<ModuleOp>(), DenseElementsAttr::get(tableType, words));
    Value base = LLVM::AddressOfOp::create(emit.builder, emit.location, table);
    LinearLayout layout = getLayout(op.getType());
    LinearLayout flat = layout.reshape({layout.getNumElements()});
    Value thread = emitThreadCoordinates(emit, flat).front();
    SmallVector<Value> registers;
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      Value index = emit.bitXor(thread, emit.i32(getRegisterCoordinates(flat, reg).front()));
      Value word = emit.load(stored, emit.gep(stored, base, index), bits / 8);
      registers.push_back(fromCarrier(emit, word, element));
    }
    return emit.pack(registers);
  }

  static APInt toF32(APFloat value) {
    bool lost = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return value.bitcastToAPInt();
  }
};

struct PoisonPattern final : TilePattern<ub::PoisonOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(ub::PoisonOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    // Zero, not poison: a program may store it, and what is stored then is the same in every run.
    rewriter.replaceOp(op, emit.zero(convert(op.getType())));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Each thread reinterprets its lowest registers; elements of less than a byte take one each in registers.
struct PackPattern final : TilePattern<as::PackOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::PackOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    FailureOr<SmallVector<int32_t>> order = getRegisterOrder(op);
    if (failed(order))
      return failure();
    unsigned bits = getElementTypeOrSelf(op.getSource().getType()).getIntOrFloatBitWidth();
    Value carrier = toCarrier(emit, adaptor.getSource());
    if (bits >= 8) {
      rewriter.replaceOp(op, emit.shuffleElements(emit.bitcast(carrier, convert(op.getType())), *order));
      return success();
    }
    SmallVector<Value> parts = emit.unpack(carrier), bytes;
    unsigned perByte = 8 / bits;
    for (unsigned i = 0; i + perByte <= parts.size(); i += perByte) {
      Value byte;
      for (unsigned k = 0; k < perByte; ++k) {
        Value part = emit.bitAnd(parts[i + k], emit.constant(parts[i + k].getType(), (1 << bits) - 1));
        byte = byte ? emit.bitOr(byte, emit.shl(part, k * bits)) : part;
      }
      bytes.push_back(byte);
    }
    rewriter.replaceOp(op, emit.shuffleElements(emit.pack(bytes), *order));
    return success();
  }
};

struct UnpackPattern final : TilePattern<as::UnpackOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::UnpackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    FailureOr<SmallVector<int32_t>> order = getRegisterOrder(op);
    if (failed(order))
      return failure();
    Type result = convert(op.getType());
    unsigned bits = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    if (bits < 8) {
      Value parts = unpackBytes(emit, adaptor.getSource(), bits);
      rewriter.replaceOp(op, emit.shuffleElements(fromCarrier(emit, parts, result), *order));
      return success();
    }
    unsigned count = Emitter::getVectorSize(adaptor.getSource()) / getCarrierBytes(getElementTypeOrSelf(result));
    Type carrier = Emitter::vectorType(count, emit.intType(8 * getCarrierBytes(getElementTypeOrSelf(result))));
    Value elements = fromCarrier(emit, emit.bitcast(adaptor.getSource(), carrier), result);
    rewriter.replaceOp(op, emit.shuffleElements(elements, *order));
    return success();
  }

  /// A byte for each element of `bits`.
  static Value unpackBytes(Emitter &emit, Value bytes, unsigned bits) {
    if (Value halves = bits == 4 ? emitHalfBytes(emit, bytes) : Value())
      return halves;
    SmallVector<Value> parts;
    for (Value byte : emit.unpack(bytes))
      for (unsigned k = 0; k < 8; k += bits)
        parts.push_back(emit.bitAnd(emit.lshr(byte, k), emit.constant(byte.getType(), (1 << bits) - 1)));
    return emit.pack(parts);
  }
};

} // namespace

void populateShapePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<RenamingPattern<as::ViewOp>, RenamingPattern<as::ExpandDimsOp>, RenamingPattern<as::PermuteOp>,
               RenamingPattern<as::BroadcastOp>, CatPattern, SplatPattern, ExtractPattern, MakeRangePattern,
               ConstantPattern, PoisonPattern, PackPattern, UnpackPattern>(lowering);
}

} // namespace tileiras
