//===- Reduce.cpp - Reductions --------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// In three steps: each thread combines its registers, the lanes of a warp combine theirs by butterfly shuffles, warps
// exchange what is left through shared memory. Where the body is not plainly commutative, operands stay in the order of
// their positions along the axis: registers that are further apart than threads wait until threads have combined.
//
//===----------------------------------------------------------------------===//

#include "Combining.h"
#include "WideCombining.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/CombiningBody.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Layout/SharedExchange.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A layout whose bits step along one dimension each: what the reduction works on if its operand is stranger. Threads
/// are spread over the dimensions of `shape` and hold all of `layout` beyond it.
LinearLayout getPlainLayout(const LinearLayout &layout, ArrayRef<int64_t> shape) {
  int64_t numWarps = layout.getInSize(LayoutDim::Warp);
  return makeBlockedLayout(chooseBlockedParameters(shape, 32, numWarps), layout.getOutSizes());
}

/// The layout of what is left of `working`, with each register once.
LinearLayout getResultLayout(as::ReduceOp op, const LinearLayout &working) {
  return as::getReducedLayout(working, op.getAxis());
}

unsigned getElementBytes(const LoweringContext &lowering, Value operand) {
  return getCarrierBytes(lowering.converter.convertElement(getElementTypeOrSelf(operand.getType())));
}

/// Scratch of the exchange between warps: for each operand, one value for each warp along the axis and each element of
/// the result.
struct WarpExchange {
  SmallVector<int64_t> operandOffsets;
  int64_t bytes = 0;
  int64_t numParts;

  WarpExchange(const LoweringContext &lowering, as::ReduceOp op, const LinearLayout &working, const AxisBits &bits)
      : numParts(int64_t(1) << bits.warps.size()) {
    const int64_t numElements = working.getNumElements() / working.getOutSize(op.getAxis());
    for (Value operand : op.getInputs()) {
      operandOffsets.push_back(bytes);
      bytes += llvm::alignTo(numElements * numParts * getElementBytes(lowering, operand), 16);
    }
  }
};

/// The steps of threads along the axis, in the order in which they are combined: of lanes, then of warps.
SmallVector<int64_t> getThreadSteps(const AxisBits &bits) {
  return llvm::map_to_vector(llvm::concat<const AxisBits::Bit>(bits.lanes, bits.warps),
                             [](AxisBits::Bit bit) { return bit.step; });
}

/// Whether neighbours are combined in each step: of some registers, of lanes, of warps, of the other registers.
bool isInOrder(const AxisBits &bits) {
  SmallVector<int64_t> threads = getThreadSteps(bits);
  return threads.empty() || (llvm::is_sorted(threads) && llvm::none_of(bits.registers, [&](AxisBits::Bit bit) {
                               return bit.step > threads.front() && bit.step < threads.back();
                             }));
}

/// The operand's layout where the reduction can work on it.
LinearLayout getWorkingLayout(const LoweringContext &lowering, as::ReduceOp op) {
  LinearLayout layout = getLayout(op.getInputs().front().getType());
  std::optional<AxisBits> bits = getAxisBits(layout, op.getAxis());
  if (!bits || !(isCommutative(op.getBody()) || isInOrder(*bits))) {
    layout = getPlainLayout(layout, layout.getOutSizes());
    bits = getAxisBits(layout, op.getAxis());
  }
  if (bits->warps.empty() || WarpExchange(lowering, op, layout, *bits).bytes <= lowering.getScratchLimit(op))
    return layout;
  // So many results that every thread can have some of its own.
  SmallVector<int64_t> results(layout.getOutSizes());
  results[op.getAxis()] = 1;
  return getPlainLayout(layout, results);
}

class ReduceEmitter {
public:
  ReduceEmitter(Emitter &emit, const LoweringContext &lowering, as::ReduceOp op, const LinearLayout &working)
      : emit(emit), lowering(lowering), op(op), working(working), bits(*getAxisBits(working, op.getAxis())),
        result(getResultLayout(op, working)), combiner(emit, lowering.converter, op.getBody()),
        commutative(isCommutative(op.getBody())) {}

  /// Vectors of registers distributed by `working` in, one tuple for each register of the result out.
  SmallVector<Tuple> run(ArrayRef<Value> operands) {
    SmallVector<SmallVector<Tuple>> runs = combineRegisters(operands);
    for (auto [number, partial] : llvm::enumerate(runs)) {
      for (AxisBits::Bit bit : bits.lanes)
        for (Tuple &tuple : partial)
          tuple = combineLanes(tuple, bit);
      if (bits.warps.empty())
        continue;
      if (number > 0)
        emit.barrier(); // The run before may still be read.
      partial = combineWarps(partial);
    }
    SmallVector<Tuple> results;
    for (unsigned index = 0; index < runs.front().size(); ++index)
      results.push_back(
          combineTuples(llvm::map_to_vector(runs, [&](const SmallVector<Tuple> &partial) { return partial[index]; })));
    return results;
  }

private:
  /// The registers that hold the elements of result register `index`, in order along the axis.
  SmallVector<unsigned> getSources(unsigned index) {
    // The result keeps, in their order, the register bits that are neither along the axis nor copies.
    LinearLayout::Inputs target{};
    target[0] = index;
    SmallVector<int64_t> coordinates = result.apply(target);
    SmallVector<std::pair<int64_t, unsigned>> found;
    llvm::SmallDenseSet<int64_t> seen;
    for (int64_t reg = 0; reg < working.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<int64_t> candidate = getRegisterCoordinates(working, reg);
      int64_t position = candidate[op.getAxis()];
      candidate.erase(candidate.begin() + op.getAxis());
      if (candidate == coordinates && seen.insert(position).second)
        found.push_back({position, reg});
    }
    llvm::sort(found);
    SmallVector<unsigned> registers;
    for (auto [position, reg] : found)
      registers.push_back(reg);
    return registers;
  }

  /// How many registers are combined before threads are, in order: all, or those with neighbours along the axis.
  unsigned getRunLength(unsigned numSources) {
    SmallVector<int64_t> threads = getThreadSteps(bits);
    if (threads.empty())
      return numSources;
    return 1u << llvm::count_if(bits.registers, [&](AxisBits::Bit bit) { return bit.step < threads.front(); });
  }

  /// For each run of neighbouring registers, one tuple for each register of the result.
  SmallVector<SmallVector<Tuple>> combineRegisters(ArrayRef<Value> operands) {
    if (commutative)
      return {combineApart(operands)};
    SmallVector<SmallVector<Tuple>> runs;
    for (int64_t index = 0; index < result.getInSize(LayoutDim::Register); ++index) {
      SmallVector<Tuple> values;
      for (unsigned reg : getSources(index)) {
        Tuple &tuple = values.emplace_back();
        for (Value operand : operands)
          tuple.push_back(emit.extract(operand, reg));
      }
      const unsigned length = getRunLength(values.size());
      runs.resize(values.size() / length);
      for (auto [number, partial] : llvm::enumerate(runs))
        partial.push_back(combineTuples(ArrayRef(values).slice(number * length, length)));
    }
    return runs;
  }

  /// Where the order of elements does not matter: each operand by itself, by the widest instructions that there are.
  SmallVector<Tuple> combineApart(ArrayRef<Value> operands) {
    SmallVector<Tuple> tuples(result.getInSize(LayoutDim::Register));
    for (auto [number, operand] : llvm::enumerate(operands)) {
      SmallVector<SmallVector<RegisterElement>> groups;
      for (unsigned index = 0; index < tuples.size(); ++index)
        groups.push_back(llvm::map_to_vector(getSources(index), [&](unsigned reg) {
          return RegisterElement{reg, emit.extract(operand, reg)};
        }));
      for (auto [tuple, value] : llvm::zip_equal(tuples, combineOperand(number, std::move(groups))))
        tuple.push_back(value);
    }
    return tuples;
  }

  SmallVector<Value> combineOperand(unsigned number, SmallVector<SmallVector<RegisterElement>> groups) {
    Operation *body = findCommutativeOperation(op.getBody(), number);
    if (std::optional<WideCombiner> wide = WideCombiner::find(emit, lowering, body))
      return wide->combine(std::move(groups));
    return llvm::map_to_vector(groups, [&](const SmallVector<RegisterElement> &group) {
      SmallVector<Value> values =
          llvm::map_to_vector(group, [](const RegisterElement &element) { return element.value; });
      return tileiras::combineTree<Value>(
          values, [&](Value first, Value second) { return combiner.combine(number, body, first, second); });
    });
  }

  Tuple combineTuples(ArrayRef<Tuple> values) {
    return combineTree<Tuple>(values,
                              [&](const Tuple &first, const Tuple &second) { return combiner.combine(first, second); });
  }

  Value isThreadBitSet(unsigned bit) {
    return emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(emit.threadId(), emit.i32(1 << bit)), emit.i32(0));
  }

  Tuple combineLanes(const Tuple &own, AxisBits::Bit bit) {
    Tuple other = shuffleTuple(emit, ShuffleKind::Butterfly, own, emit.i32(1 << bit.input));
    if (commutative)
      return combiner.combine(own, other);
    Value isSecond = isThreadBitSet(bit.input);
    Tuple second = selectTuple(emit, isSecond, own, other);
    return combiner.combine(selectTuple(emit, isSecond, other, own), second);
  }

  SmallVector<Tuple> combineWarps(ArrayRef<Tuple> partial) {
    const WarpExchange exchange(lowering, op, working, bits);
    const LinearLayout writer = getPartsLayout(/*ofReader=*/false), reader = getPartsLayout(/*ofReader=*/true);
    Value scratch = emitScratch(emit, op);
    SmallVector<LinearLayout> shared;
    SmallVector<Value> bases;
    for (auto [operand, offset] : llvm::enumerate(exchange.operandOffsets)) {
      Value carriers =
          toCarrier(emit, emit.pack(llvm::map_to_vector(partial, [&](const Tuple &tuple) { return tuple[operand]; })));
      unsigned elementBits = getElementTypeOrSelf(carriers.getType()).getIntOrFloatBitWidth();
      shared.push_back(chooseSharedExchange(writer, reader, elementBits).layout);
      bases.push_back(emit.gep(emit.intType(8), scratch, offset));
      emitSharedTileStore(emit, lowering, carriers, writer, shared.back(), bases.back());
    }
    emit.barrier();
    SmallVector<SmallVector<Tuple>> parts(partial.size(),
                                          SmallVector<Tuple>(exchange.numParts, Tuple(partial.front().size())));
    for (auto [operand, base] : llvm::enumerate(bases)) {
      Type type = partial.front()[operand].getType(), carrier = emit.intType(8 * getCarrierBytes(type));
      Value loaded = emitSharedTileLoad(emit, lowering, carrier, reader, shared[operand], base);
      for (auto [i, word] : llvm::enumerate(emit.unpack(loaded)))
        parts[i / exchange.numParts][i % exchange.numParts][operand] = fromCarrier(emit, word, type);
    }
    return llvm::map_to_vector(parts, [&](const SmallVector<Tuple> &values) { return combineTuples(values); });
  }

  /// The tile of (part, element of the result), parts in the order of their positions along the axis: as the warps that
  /// have a part each hold it, or as everyone reads it, the parts of an element in consecutive registers.
  LinearLayout getPartsLayout(bool ofReader) {
    const int64_t numElements = result.getNumElements(), numParts = int64_t(1) << bits.warps.size();
    const LinearLayout elements = result.reshape({numElements});
    LinearLayout layout({numParts, numElements});
    if (ofReader)
      for (int32_t part = 1; part < numParts; part *= 2)
        layout.addBasis(LayoutDim::Register, {part, 0});
    for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
      for (auto [input, basis] : llvm::enumerate(elements.getBases(dim))) {
        auto along = llvm::find_if(bits.warps, [&](AxisBits::Bit bit) { return bit.input == input; });
        const bool isPart = !ofReader && dim == LayoutDim::Warp && along != bits.warps.end();
        layout.addBasis(dim, {isPart ? 1 << (along - bits.warps.begin()) : 0, basis.front()});
      }
    return layout;
  }

  Emitter &emit;
  const LoweringContext &lowering;
  as::ReduceOp op;
  const LinearLayout &working;
  AxisBits bits;
  LinearLayout result;
  Combiner combiner;
  const bool commutative;
};

struct ReducePattern final : TilePattern<as::ReduceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    LinearLayout given = getLayout(op.getInputs().front().getType()), working = getWorkingLayout(lowering, op);
    SmallVector<Value> operands;
    for (Value operand : adaptor.getInputs())
      operands.push_back(given == working ? operand : emitExchange(emit, operand, given, working, op));
    SmallVector<Tuple> tuples = ReduceEmitter(emit, lowering, op, working).run(operands);
    SmallVector<Value> results;
    for (auto [i, value] : llvm::enumerate(op.getResults())) {
      if (!isa<RankedTensorType>(value.getType())) {
        results.push_back(tuples.front()[i]);
        continue;
      }
      SmallVector<Value> registers;
      for (const Tuple &tuple : tuples)
        registers.push_back(tuple[i]);
      LinearLayout reduced = getResultLayout(op, working), wanted = getLayout(value.getType());
      Value packed = emit.pack(registers);
      results.push_back(reduced == wanted ? packed : emitExchange(emit, packed, reduced, wanted, op));
    }
    rewriter.replaceOp(op, results);
    return success();
  }

  /// A conversion among other exchanges of one operation: it waits for what they still read.
  Value emitExchange(Emitter &emit, Value value, const LinearLayout &from, const LinearLayout &to,
                     Operation *op) const {
    emit.barrier();
    Value converted = emitConversion(emit, lowering, value, from, to, op);
    emit.barrier();
    return converted;
  }
};

} // namespace

int64_t as::ReduceOp::getScratchBytes(const LoweringContext &lowering) {
  as::ReduceOp op = *this;
  LinearLayout given = getLayout(op.getInputs().front().getType()), working = getWorkingLayout(lowering, op);
  AxisBits bits = *getAxisBits(working, op.getAxis());
  int64_t bytes = bits.warps.empty() ? 0 : WarpExchange(lowering, op, working, bits).bytes;
  LinearLayout reduced = getResultLayout(op, working);
  for (auto [operand, result] : llvm::zip_equal(op.getInputs(), op.getResults())) {
    Type element = lowering.converter.convertElement(getElementTypeOrSelf(operand.getType()));
    if (given != working)
      bytes = std::max(bytes, getConversionScratchBytes(lowering, element, given, working, op));
    if (isa<RankedTensorType>(result.getType()))
      bytes = std::max(bytes, getConversionScratchBytes(lowering, element, reduced, getLayout(result.getType()), op));
  }
  return bytes;
}

void populateReducePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ReducePattern>(lowering);
}

} // namespace tileiras
