//===- Scan.cpp - Prefix combinations -------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Position bits along the axis are taken in ascending order, wherever they live: after the bits of steps 1 … s, every
// element holds the combination of its aligned group of 2s up to itself, and every group knows its total. A bit in the
// registers combines registers, one in the lanes shuffles totals, one in the warps exchanges totals through shared
// memory.
//
//===----------------------------------------------------------------------===//

#include "Combining.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Layout/RegisterLayouts.h"

using namespace mlir;

namespace tileiras {
namespace {

LinearLayout getScanLayout(as::ScanOp op) {
  LinearLayout layout = getLayout(op.getInputs().front().getType());
  if (getAxisBits(layout, op.getAxis()))
    return layout;
  int64_t numWarps = layout.getInSize(LayoutDim::Warp);
  return makeBlockedLayout(chooseBlockedParameters(layout.getOutSizes(), 32, numWarps, op.getAxis()),
                           layout.getOutSizes());
}

/// A bit of the position along the axis.
struct PositionBit {
  LayoutDim dim;
  unsigned input;
  int64_t step;
};

SmallVector<PositionBit> getPositionBits(const AxisBits &bits) {
  SmallVector<PositionBit> all;
  for (AxisBits::Bit bit : bits.registers)
    all.push_back({LayoutDim::Register, bit.input, bit.step});
  for (AxisBits::Bit bit : bits.lanes)
    all.push_back({LayoutDim::Lane, bit.input, bit.step});
  for (AxisBits::Bit bit : bits.warps)
    all.push_back({LayoutDim::Warp, bit.input, bit.step});
  llvm::sort(all, [](const PositionBit &a, const PositionBit &b) { return a.step < b.step; });
  return all;
}

/// The exchange of totals between warps: a place for each thread and each of several groups of registers.
struct TotalsExchange {
  int64_t numThreads, bytesPerGroup = 0;
  int64_t numGroups = 0; ///< exchanged at once

  TotalsExchange(const LoweringContext &lowering, as::ScanOp op, const LinearLayout &layout)
      : numThreads(layout.getInSize(LayoutDim::Lane) * layout.getInSize(LayoutDim::Warp)) {
    AxisBits bits = *getAxisBits(layout, op.getAxis());
    if (bits.warps.empty())
      return;
    for (Value operand : op.getInputs()) {
      Type element = lowering.converter.convertElement(getElementTypeOrSelf(operand.getType()));
      bytesPerGroup += getTotalsBytes(getCarrierBytes(element));
    }
    // Registers that step less than the warps are one group by then.
    int64_t firstStep = bits.warps.front().step, groups = layout.getInSize(LayoutDim::Register);
    for (AxisBits::Bit bit : bits.registers)
      if (bit.step < firstStep)
        groups /= 2;
    numGroups = std::clamp<int64_t>(lowering.getScratchLimit(op) / bytesPerGroup, 1, groups);
  }

  int64_t getTotalsBytes(unsigned bytes) const { return llvm::alignTo(numThreads * bytes, 16); }
  int64_t getBytes() const { return numGroups * bytesPerGroup; }
};

class ScanEmitter {
public:
  ScanEmitter(Emitter &emit, const LoweringContext &lowering, as::ScanOp op, const LinearLayout &layout)
      : emit(emit), op(op), layout(layout), exchange(lowering, op, layout),
        combiner(emit, lowering.converter, op.getBody()) {}

  SmallVector<Tuple> run(ArrayRef<Value> operands) {
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      Tuple &tuple = values.emplace_back();
      for (Value operand : operands)
        tuple.push_back(emit.extract(operand, reg));
      totals.push_back(tuple);
      leader.push_back(reg);
    }
    for (PositionBit bit : getPositionBits(*getAxisBits(layout, op.getAxis()))) {
      if (bit.dim == LayoutDim::Register)
        combineRegisters(bit.input);
      else
        combineThreads(bit);
    }
    return values;
  }

private:
  /// Combines in scan order: from the first element on, or from the last.
  Tuple combineOrdered(const Tuple &lower, const Tuple &upper) {
    return op.getReverse() ? combiner.combine(upper, lower) : combiner.combine(lower, upper);
  }

  void combineRegisters(unsigned bit) {
    SmallVector<Tuple> before = totals;
    for (unsigned reg = 0; reg < values.size(); ++reg) {
      unsigned lower = leader[reg] & ~(1u << bit), upper = lower | 1u << bit;
      bool isUpper = reg >> bit & 1;
      if (isUpper != op.getReverse())
        values[reg] = combiner.combine(before[op.getReverse() ? upper : lower], values[reg]);
      if (reg == lower)
        totals[lower] = combineOrdered(before[lower], before[upper]);
    }
    for (unsigned &reg : leader)
      reg &= ~(1u << bit);
  }

  void combineThreads(const PositionBit &bit) {
    unsigned threadBit = bit.dim == LayoutDim::Lane ? bit.input : 5 + bit.input;
    Value isUpper =
        emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(emit.threadId(), emit.i32(1 << threadBit)), emit.i32(0));
    Value isLater = op.getReverse() ? emit.bitNot(isUpper) : isUpper;
    SmallVector<unsigned> leaders;
    for (unsigned reg = 0; reg < values.size(); ++reg)
      if (leader[reg] == reg)
        leaders.push_back(reg);
    SmallVector<Tuple> others =
        bit.dim == LayoutDim::Lane ? shuffleTotals(leaders, threadBit) : exchangeTotals(leaders, threadBit);
    llvm::SmallDenseMap<unsigned, Tuple> other;
    for (auto [reg, tuple] : llvm::zip_equal(leaders, others))
      other[reg] = tuple;
    for (unsigned reg = 0; reg < values.size(); ++reg)
      values[reg] = selectTuple(emit, isLater, combiner.combine(other[leader[reg]], values[reg]), values[reg]);
    for (unsigned reg : leaders) {
      Tuple first = selectTuple(emit, isLater, other[reg], totals[reg]);
      Tuple second = selectTuple(emit, isLater, totals[reg], other[reg]);
      totals[reg] = combiner.combine(first, second);
    }
  }

  SmallVector<Tuple> shuffleTotals(ArrayRef<unsigned> leaders, unsigned threadBit) {
    SmallVector<Tuple> others;
    for (unsigned reg : leaders)
      others.push_back(shuffleTuple(emit, ShuffleKind::Butterfly, totals[reg], emit.i32(1 << threadBit)));
    return others;
  }

  SmallVector<Tuple> exchangeTotals(ArrayRef<unsigned> leaders, unsigned threadBit) {
    SmallVector<Tuple> others;
    while (!leaders.empty()) {
      const size_t count = std::min<size_t>(leaders.size(), exchange.numGroups);
      others.append(exchangeAtOnce(leaders.take_front(count), threadBit));
      leaders = leaders.drop_front(count);
    }
    return others;
  }

  SmallVector<Tuple> exchangeAtOnce(ArrayRef<unsigned> leaders, unsigned threadBit) {
    if (exchanged) // What the last exchange left may still be being read.
      emit.barrier();
    exchanged = true;
    Value own = emit.threadId(), partner = emit.bitXor(own, emit.i32(1 << threadBit)), area = emitScratch(emit, op);
    SmallVector<Tuple> others;
    SmallVector<std::function<Value()>> loads;
    for (unsigned reg : leaders)
      for (Value value : totals[reg]) {
        Value carrier = toCarrier(emit, value);
        Type type = carrier.getType();
        unsigned bytes = type.getIntOrFloatBitWidth() / 8;
        emit.store(carrier, emit.gep(type, area, own), bytes);
        Value from = emit.gep(type, area, partner);
        loads.push_back([=, this, registerType = value.getType()] {
          return fromCarrier(emit, emit.load(type, from, bytes), registerType);
        });
        area = emit.gep(emit.intType(8), area, exchange.getTotalsBytes(bytes));
      }
    emit.barrier();
    auto next = loads.begin();
    for (unsigned reg : leaders) {
      Tuple &tuple = others.emplace_back();
      for (unsigned i = 0; i < totals[reg].size(); ++i)
        tuple.push_back((*next++)());
    }
    return others;
  }

  Emitter &emit;
  as::ScanOp op;
  const LinearLayout &layout;
  TotalsExchange exchange;
  Combiner combiner;
  SmallVector<Tuple> values;    ///< for each register, the combination up to it within its group
  SmallVector<Tuple> totals;    ///< of each group, at its leader
  SmallVector<unsigned> leader; ///< the lowest register of each register's group
  bool exchanged = false;
};

struct ScanPattern final : TilePattern<as::ScanOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ScanOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    LinearLayout given = getLayout(op.getInputs().front().getType()), working = getScanLayout(op);
    auto move = [&](Value value, const LinearLayout &from, const LinearLayout &to) {
      if (from == to)
        return value;
      emit.barrier();
      Value moved = emitConversion(emit, lowering, value, from, to, op);
      emit.barrier();
      return moved;
    };
    SmallVector<Value> operands, results;
    for (Value operand : adaptor.getInputs())
      operands.push_back(move(operand, given, working));
    SmallVector<Tuple> tuples = ScanEmitter(emit, lowering, op, working).run(operands);
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      SmallVector<Value> registers;
      for (const Tuple &tuple : tuples)
        registers.push_back(tuple[i]);
      results.push_back(move(emit.pack(registers), working, given));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

int64_t as::ScanOp::getScratchBytes(const LoweringContext &lowering) {
  as::ScanOp op = *this;
  LinearLayout given = getLayout(op.getInputs().front().getType()), working = getScanLayout(op);
  int64_t bytes = TotalsExchange(lowering, op, working).getBytes();
  if (given == working)
    return bytes;
  for (Value operand : op.getInputs()) {
    Type element = lowering.converter.convertElement(getElementTypeOrSelf(operand.getType()));
    bytes = std::max({bytes, getConversionScratchBytes(lowering, element, given, working, op),
                      getConversionScratchBytes(lowering, element, working, given, op)});
  }
  return bytes;
}

void populateScanPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ScanPattern>(lowering);
}

} // namespace tileiras
