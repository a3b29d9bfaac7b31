//===- FmaDot.cpp - Matrix products with ordinary arithmetic --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/ControlFlow.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A slab of the operands, `depth` wide along K, in the scratch area: row-major, B behind A.
struct Slab {
  int64_t depth, offsetOfB, bytes;

  static Slab get(const LoweringContext &lowering, as::DotOp op, int64_t depth) {
    auto typeA = cast<RankedTensorType>(op.getA().getType()), typeB = cast<RankedTensorType>(op.getB().getType());
    int64_t wholeDepth = typeA.getShape().back();
    auto getBytes = [&](RankedTensorType type) {
      int64_t word = getCarrierBytes(lowering.converter.convertElement(type.getElementType()));
      return type.getNumElements() / wholeDepth * depth * word;
    };
    int64_t offsetOfB = llvm::alignTo(getBytes(typeA), 16);
    return {depth, offsetOfB, offsetOfB + getBytes(typeB)};
  }

  /// The deepest that an exchange has room for.
  static Slab choose(const LoweringContext &lowering, as::DotOp op) {
    Slab slab = get(lowering, op, cast<RankedTensorType>(op.getA().getType()).getShape().back());
    while (slab.depth > 1 && slab.bytes > lowering.getScratchLimit(op))
      slab = get(lowering, op, slab.depth / 2);
    return slab;
  }
};

/// One slab after the other is staged; each thread runs along K for the elements of the result it holds.
class FmaEmitter {
public:
  FmaEmitter(Emitter &emit, const LoweringContext &lowering, as::DotOp op)
      : emit(emit), lowering(lowering), op(op), slab(Slab::choose(lowering, op)), layoutC(getLayout(op.getType())),
        shapeA(cast<RankedTensorType>(op.getA().getType()).getShape()),
        shapeB(cast<RankedTensorType>(op.getB().getType()).getShape()) {}

  Value run(Value a, Value b, Value c) {
    scratchA = emitScratch(emit, op);
    scratchB = emit.gep(emit.intType(8), scratchA, slab.offsetOfB);
    const int64_t slabs = shapeA.back() / slab.depth;
    if (slabs == 1) {
      emitStage(emit, toCarrier(emit, a), getLayout(op.getA().getType()), scratchA);
      emitStage(emit, toCarrier(emit, b), getLayout(op.getB().getType()), scratchB);
      emit.barrier();
      return multiplySlab(c);
    }
    return emitLoop(emit, slabs, c, [&](Value index, Value accumulators) {
      emit.barrier(); // All have read the slab before.
      stageSlab(a, op.getA().getType(), shapeA.size() - 1, index, scratchA);
      stageSlab(b, op.getB().getType(), shapeB.size() - 2, index, scratchB);
      emit.barrier();
      return multiplySlab(accumulators);
    });
  }

private:
  /// Stores slab `index` along dimension `k`.
  void stageSlab(Value tensor, Type type, unsigned k, Value index, Value base) {
    TileSlice slice{SmallVector<int64_t>(cast<RankedTensorType>(type).getShape()), {}};
    slice.extents[k] = slab.depth;
    slice.indices.resize(slice.extents.size());
    slice.indices[k] = index;
    emitStageSlice(emit, toCarrier(emit, tensor), getLayout(type), slice, base);
  }

  Value multiplySlab(Value accumulators) {
    const int64_t columns = shapeB.back(), rows = shapeA[shapeA.size() - 2];
    SmallVector<Value> thread = emitThreadCoordinates(emit, layoutC);
    SmallVector<Value> startA, startB;
    for (int64_t reg = 0; reg < layoutC.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<Value> at = emitCoordinates(emit, thread, layoutC, reg);
      Value row = at[at.size() - 2], column = at.back();
      Value batch = at.size() == 3 ? at[0] : emit.i32(0);
      startA.push_back(emit.mul(emit.add(emit.mul(batch, emit.i32(rows)), row), emit.i32(slab.depth)));
      startB.push_back(emit.add(emit.mul(batch, emit.i32(slab.depth * columns)), column));
    }
    return emitLoop(emit, slab.depth, accumulators, [&](Value k, Value current) {
      SmallVector<Value> next;
      Value rowOfB = emit.mul(k, emit.i32(columns));
      for (auto [reg, accumulator] : llvm::enumerate(emit.unpack(current))) {
        Value a = loadElement(op.getA().getType(), scratchA, emit.add(startA[reg], k), op.getSignednessA());
        if (op.getNegate())
          a = LLVM::FNegOp::create(emit.builder, emit.location, a);
        next.push_back(multiplyAdd(
            a, loadElement(op.getB().getType(), scratchB, emit.add(startB[reg], rowOfB), op.getSignednessB()),
            accumulator));
      }
      return emit.pack(next);
    });
  }

  /// An operand's element in the accumulator's type.
  Value loadElement(Type type, Value base, Value index, std::optional<aa::Signedness> signedness) {
    Type element = lowering.converter.convertElement(getElementTypeOrSelf(type));
    Type word = emit.intType(8 * getCarrierBytes(element)), wide = getElementTypeOrSelf(op.getType());
    Value loaded = emit.load(word, emit.gep(word, base, index), getCarrierBytes(element));
    if (isa<FloatType>(wide)) {
      Value widened = emitWidened(emit, lowering, emit.bitcast(loaded, element), getElementTypeOrSelf(type));
      return wide.getIntOrFloatBitWidth() < 32 ? emit.fpTruncate(widened, wide) : emit.fpExtend(widened, wide);
    }
    unsigned bits = wide.getIntOrFloatBitWidth();
    return signedness == aa::Signedness::Unsigned ? emit.zeroExtendOrTruncate(loaded, bits)
                                                  : emit.signExtendOrTruncate(loaded, bits);
  }

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(c.getType()))
      return LLVM::FMAOp::create(emit.builder, emit.location, a, b, c);
    return emit.add(emit.mul(a, b), c);
  }

  Emitter &emit;
  const LoweringContext &lowering;
  as::DotOp op;
  Slab slab;
  LinearLayout layoutC;
  ArrayRef<int64_t> shapeA, shapeB;
  Value scratchA, scratchB;
};

} // namespace

Value emitFmaDot(Emitter &emit, const LoweringContext &lowering, as::DotOp op, Value a, Value b, Value c) {
  return FmaEmitter(emit, lowering, op).run(a, b, c);
}

int64_t getFmaDotScratchBytes(const LoweringContext &lowering, as::DotOp op) {
  return Slab::choose(lowering, op).bytes;
}

} // namespace tileiras
