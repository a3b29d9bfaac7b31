//===- Dot.cpp - Matrix products ------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Lowering/FragmentWords.h"

using namespace mlir;

namespace tileiras {
namespace {

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

unsigned getFragmentSize(const LinearLayout &fragment) {
  return fragment.getInSize(LayoutDim::Register);
}

/// Scales have a sign in the language and none in the instruction: it goes to the elements they are for. Fragments of 4
/// bits with 4 scales along their 64 columns: a word of lane 4g + t is of columns 8t … 8t + 7 or those 32 further on.
class SignTransfer {
public:
  explicit SignTransfer(Emitter &emit) : emit(emit) {
    Value lane = emit.laneId();
    isOdd = emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(lane, emit.i32(1)), emit.i32(0));
    // From the sign of the scale's byte to bit 31.
    Value toTop = emit.sub(emit.i32(24), emit.shl(emit.lshr(emit.bitAnd(lane, emit.i32(2)), 1), 3));
    shifts[0] = toTop;
    shifts[1] = emit.sub(toTop, emit.i32(16));
  }

  /// Words of A are alternately of rows g and g + 8; a lane's scales are of one of the two, its neighbour's of the
  /// other.
  void moveToA(MutableArrayRef<Value> words, MutableArrayRef<Value> scales) {
    for (auto [i, scale] : llvm::enumerate(scales)) {
      Value other = emit.shuffle(ShuffleKind::Butterfly, scale, emit.i32(1));
      Value rows[] = {emit.select(isOdd, other, scale), emit.select(isOdd, scale, other)};
      for (unsigned word = 0; word < 4; ++word)
        flip(words[4 * i + word], rows[word % 2], shifts[word / 2]);
      clear(scale);
    }
  }

  void moveToB(MutableArrayRef<Value> words, MutableArrayRef<Value> scales) {
    for (auto [i, scale] : llvm::enumerate(scales)) {
      for (unsigned word = 0; word < 2; ++word)
        flip(words[2 * i + word], scale, shifts[word]);
      clear(scale);
    }
  }

private:
  void flip(Value &word, Value scales, Value shift) {
    Value top = LLVM::ShlOp::create(emit.builder, emit.location, scales, shift);
    Value all = LLVM::AShrOp::create(emit.builder, emit.location, top, emit.i32(31));
    word = emit.bitXor(word, emit.bitAnd(all, emit.i32(int32_t(0x88888888))));
  }
  void clear(Value &scale) { scale = emit.bitAnd(scale, emit.i32(0x7f7f7f7f)); }

  Emitter &emit;
  Value isOdd, shifts[2];
};

/// Batches each warp computes: register bits of the accumulator that step along the leading of three dimensions.
unsigned getBatches(const LinearLayout &accumulator) {
  if (accumulator.getRank() < 3)
    return 1;
  unsigned batches = 1;
  for (const LinearLayout::Basis &basis : accumulator.getBases(LayoutDim::Register))
    if (basis[0] != 0)
      batches *= 2;
  return batches;
}

class MmaEmitter {
public:
  MmaEmitter(Emitter &emit, const MmaAtom &atom) : emit(emit), atom(atom) {}

  Value run(as::DotOp op, as::DotOp::Adaptor values) {
    Value c = values.getC();
    FragmentWords wordsA(emit, values.getA(), getFragmentSize(atom.layoutA), atom.a.bits);
    FragmentWords wordsB(emit, values.getB(), getFragmentSize(atom.layoutB), atom.b.bits);
    centre(wordsA, op.getA(), atom.a.bits);
    centre(wordsB, op.getB(), atom.b.bits);
    if (op.getNegate())
      negate(wordsA, atom.a.bits);
    std::optional<FragmentWords> scalesA, scalesB;
    if (op.isBlockScaled()) {
      scalesA.emplace(emit, values.getScaleA(), getFragmentSize(atom.layoutScaleA), atom.scale.bits);
      scalesB.emplace(emit, values.getScaleB(), getFragmentSize(atom.layoutScaleB), atom.scale.bits);
      if (aa::mayBeNegative(op, getElementTypeOrSelf(op.getScaleA()))) {
        SignTransfer signs(emit);
        signs.moveToA(wordsA.getWords(), scalesA->getWords());
        signs.moveToB(wordsB.getWords(), scalesB->getWords());
      }
    }
    prepare(c);
    const unsigned batches = getBatches(getLayout(op.getType()));
    const unsigned depth = cast<RankedTensorType>(op.getA().getType()).getShape().back() / atom.k;
    const unsigned rows = wordsA.getNumFragments() / (batches * depth),
                   columns = wordsB.getNumFragments() / (batches * depth);
    SmallVector<Value> accumulators = splitAccumulators(c);
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned batch = 0; batch < batches; ++batch)
        for (unsigned m = 0; m < rows; ++m)
          for (unsigned n = 0; n < columns; ++n) {
            const unsigned indexA = (batch * rows + m) * depth + k, indexB = (batch * depth + k) * columns + n;
            SmallVector<Value> scales;
            if (scalesA)
              scales = {scalesA->getFragment(indexA).front(), scalesB->getFragment(indexB).front()};
            issue(wordsA.getFragment(indexA), wordsB.getFragment(indexB), scales, accumulators,
                  (batch * rows + m) * columns + n);
          }
    return joinAccumulators(accumulators, c.getType());
  }

private:
  /// Elements narrower than their place in the fragment stand in its middle.
  void centre(FragmentWords &words, Value tile, unsigned bits) {
    unsigned width = getElementTypeOrSelf(tile).getIntOrFloatBitWidth();
    if (width < bits && width < 8)
      for (Value &word : words.getWords())
        word = emit.shl(word, (bits - width) / 2);
  }

  /// Floats, each of `bits`.
  void negate(FragmentWords &words, unsigned bits) {
    for (Value &word : words.getWords()) {
      if (isa<FloatType>(word.getType())) {
        word = LLVM::FNegOp::create(emit.builder, emit.location, word);
        continue;
      }
      const unsigned width = word.getType().getIntOrFloatBitWidth();
      const APInt signs = APInt::getSplat(width, APInt::getSignMask(bits));
      word = emit.bitXor(word, emit.constant(word.getType(), signs.getSExtValue()));
    }
  }

  void prepare(Value c) {
    Type element = getElementTypeOrSelf(c.getType());
    unsigned bits = element.getIntOrFloatBitWidth();
    accumulatorWords = getFragmentSize(atom.layoutC) * std::min(bits, 32u) / 32;
    if (bits == 64)
      accumulatorWords = getFragmentSize(atom.layoutC);
    wordType = bits == 64 || element.isF32() ? element : emit.i32();
  }

  SmallVector<Value> splitAccumulators(Value c) {
    unsigned words = Emitter::getVectorSize(c) * accumulatorWords / getFragmentSize(atom.layoutC);
    Type words32 = Emitter::vectorType(words, wordType);
    return emit.unpack(emit.bitcast(c, words32));
  }

  Value joinAccumulators(ArrayRef<Value> accumulators, Type type) {
    return emit.bitcast(emit.pack(accumulators), type);
  }

  void issue(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> scales, MutableArrayRef<Value> accumulators,
             unsigned index) {
    MutableArrayRef<Value> c = accumulators.slice(index * accumulatorWords, accumulatorWords);
    const size_t ofB = b.size() / atom.instructions, ofC = c.size() / atom.instructions;
    for (unsigned part = 0; part < atom.instructions; ++part)
      issue(a, b.slice(part * ofB, ofB), scales, c.slice(part * ofC, ofC));
  }

  void issue(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> scales, MutableArrayRef<Value> c) {
    PtxInstruction mma(emit, PtxLanes::Aligned);
    std::string text = atom.instruction + " " + mma.resultFragment(wordType, c.size());
    for (ArrayRef<Value> operand : {a, b, ArrayRef<Value>(c)})
      text += ", " + mma.operandFragment(operand);
    for (Value scale : scales) // From the first lanes and bytes that hold scales.
      text += ", " + mma.operandFragment(scale) + ", {0, 0}";
    llvm::copy(mma.emit(text + ";", PtxEffect::Convergent), c.begin());
  }

  Emitter &emit;
  const MmaAtom &atom;
  unsigned accumulatorWords = 0;
  Type wordType; ///< of an accumulator's register
};

struct DotPattern final : TilePattern<as::DotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (op.isUniversalFma()) {
      remarkOn(op, Missed::TensorCoreDot)
          << "no tensor core instruction for these types and extents: computed with ordinary arithmetic";
      rewriter.replaceOp(op, emitFmaDot(emit, lowering, op, adaptor.getA(), adaptor.getB(), adaptor.getC()));
      return success();
    }
    const MmaAtom *atom = op.getAtom().findMma(lowering.atoms());
    if (!atom)
      return op.emitError("target '") << lowering.target.getName() << "' has no atom '" << op.getAtom() << "'";
    if (as::isWarpgroupAtom(*atom) && atom->hasLowering)
      return failure(); // The target's pattern has said why.
    if (!as::isWarpAtom(*atom) || !atom->hasLowering)
      return op.emitError("no pattern of target '")
             << lowering.target.getName() << "' took atom '" << op.getAtom() << "', and the core lowers only mma.sync";
    rewriter.replaceOp(op, MmaEmitter(emit, *atom).run(op, adaptor));
    return success();
  }
};

} // namespace

int64_t as::DotOp::getScratchBytes(const LoweringContext &lowering) {
  return isUniversalFma() ? getFmaDotScratchBytes(lowering, *this) : 0;
}

void populateDotPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<DotPattern>(lowering);
}

} // namespace tileiras
