//===- Dot.cpp - Matrix products ------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Pipeline/Remarks.h"

using namespace mlir;

namespace tileiras {
namespace {

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

/// One operand in the registers of an instruction: 32-bit words, or f64 values.
class FragmentWords {
public:
  /// `vector` holds the fragments one after the other, `fragmentSize` elements each.
  FragmentWords(Emitter &emit, Value vector, unsigned fragmentSize) : emit(emit) {
    Type element = getElementTypeOrSelf(vector.getType());
    unsigned bits = element.getIntOrFloatBitWidth(), size = Emitter::getVectorSize(vector);
    Value carrier = bits < 64 ? emit.bitcast(vector, Emitter::vectorType(size * bits / 32, emit.i32())) : vector;
    words = bits == 8 && !comesInWords(carrier) ? packBytes(vector) : emit.unpack(carrier);
    perFragment = fragmentSize * std::min(bits, 32u) / 32;
    if (bits == 64)
      perFragment = fragmentSize;
  }

  ArrayRef<Value> getFragment(unsigned index) const { return ArrayRef(words).slice(index * perFragment, perFragment); }
  unsigned getNumFragments() const { return words.size() / perFragment; }

private:
  /// The cast is of words, not of the bytes that were asked for.
  static bool comesInWords(Value carrier) {
    auto cast = carrier.getDefiningOp<LLVM::BitcastOp>();
    return !cast || getElementTypeOrSelf(cast.getArg().getType()).getIntOrFloatBitWidth() == 32;
  }

  /// By arithmetic: the back end fills vectors of bytes by way of undefined ones.
  SmallVector<Value> packBytes(Value vector) {
    SmallVector<Value> bytes = emit.unpack(vector), packed;
    for (unsigned i = 0; i < bytes.size(); i += 4) {
      Value word = emit.zeroExtendOrTruncate(bytes[i], 32);
      for (unsigned j = 1; j < 4; ++j)
        word = emit.bitOr(word, emit.shl(emit.zeroExtendOrTruncate(bytes[i + j], 32), 8 * j));
      packed.push_back(word);
    }
    return packed;
  }

  Emitter &emit;
  SmallVector<Value> words;
  unsigned perFragment;
};

unsigned getFragmentSize(const LinearLayout &fragment) {
  return fragment.getInSize(LayoutDim::Register);
}

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

  Value run(as::DotOp op, Value a, Value b, Value c) {
    FragmentWords wordsA(emit, a, getFragmentSize(atom.layoutA)), wordsB(emit, b, getFragmentSize(atom.layoutB));
    prepare(c);
    const unsigned batches = getBatches(getLayout(op.getType()));
    const unsigned depth = cast<RankedTensorType>(op.getA().getType()).getShape().back() / atom.k;
    const unsigned rows = wordsA.getNumFragments() / (batches * depth),
                   columns = wordsB.getNumFragments() / (batches * depth);
    SmallVector<Value> accumulators = splitAccumulators(c);
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned batch = 0; batch < batches; ++batch)
        for (unsigned m = 0; m < rows; ++m)
          for (unsigned n = 0; n < columns; ++n)
            issue(wordsA.getFragment((batch * rows + m) * depth + k),
                  wordsB.getFragment((batch * depth + k) * columns + n), accumulators,
                  (batch * rows + m) * columns + n);
    return joinAccumulators(accumulators, c.getType());
  }

private:
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

  void issue(ArrayRef<Value> a, ArrayRef<Value> b, MutableArrayRef<Value> accumulators, unsigned index) {
    MutableArrayRef<Value> c = accumulators.slice(index * accumulatorWords, accumulatorWords);
    PtxInstruction mma(emit);
    std::string text = atom.instruction + " " + mma.resultFragment(wordType, accumulatorWords);
    for (ArrayRef<Value> operand : {a, b, ArrayRef<Value>(c)})
      text += ", " + mma.operandFragment(operand);
    // All lanes of the warp execute it together: LLVM must not sink it into a branch.
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
      remarkMissed(op, "TensorCore", "dot")
          << "no tensor core instruction for these types and extents: computed with ordinary arithmetic";
      rewriter.replaceOp(op, emitFmaDot(emit, lowering, op, adaptor.getA(), adaptor.getB(), adaptor.getC()));
      return success();
    }
    const MmaAtom *atom = lowering.atoms().findMma(op.getAtom());
    if (!atom)
      return op.emitError("target '") << lowering.target.getName() << "' has no atom '" << op.getAtom() << "'";
    if (atom->kind != MmaKind::Warp || !atom->hasLowering)
      return op.emitError("no pattern of target '")
             << lowering.target.getName() << "' took atom '" << op.getAtom() << "', and the core lowers only mma.sync";
    rewriter.replaceOp(op, MmaEmitter(emit, *atom).run(op, adaptor.getA(), adaptor.getB(), adaptor.getC()));
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
