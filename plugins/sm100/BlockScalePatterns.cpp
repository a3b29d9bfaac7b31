//===- BlockScalePatterns.cpp - Block-scaled products by tcgen05 ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scales in tensor memory (PTX ISA, "Scale Factor Layout in Tensor Memory"): lane l of every quarter of the rows has
// those of rows l, l + 32, … in neighbouring columns, four scales along K to a word. Every warp holds them all, and
// stores them in its quarter; or the lane that starts a product copies them from shared memory to all quarters.
//
//===----------------------------------------------------------------------===//

#include "DescriptorSteps.h"
#include "ScaleSigns.h"
#include "Tcgen05.h"
#include "TensorMemoryTiles.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/FragmentWords.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/TilePattern.h"
#include "tileiras/NVIDIA/MatrixOperand.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::sm100 {
namespace {

/// The scales of one operand.
struct ScaleTile {
  int64_t extent = 0, blocks = 0; ///< rows of A or columns of B, and scales along K for each

  static ScaleTile get(RankedTensorType type, bool isA) {
    return {type.getDimSize(isA ? 0 : 1), type.getDimSize(isA ? 1 : 0)};
  }
  int64_t countColumns() const { return as::countScaleColumns(extent, blocks); }
  /// Of four scales along K.
  int64_t countColumnsOfGroup() const { return as::countScaleColumns(extent, kScalesOfWord); }
  int64_t countWordsOfGroup() const { return llvm::divideCeil(extent, kRowsOfScaleColumn); }
  /// The column of scale `block` of the 32 rows from `mn` on.
  int64_t getColumn(int64_t mn, int64_t block) const {
    return block / kScalesOfWord * countColumnsOfGroup() + mn / kRowsOfScaleColumn;
  }
};

/// The columns of a product's scales: those of A, those of B, then those of negative scales.
struct ScaleSet {
  ScaleTile a, b;
  bool hasSigns = false;

  ScaleSet(Operation *op, RankedTensorType scalesOfA, RankedTensorType scalesOfB)
      : a(ScaleTile::get(scalesOfA, /*isA=*/true)), b(ScaleTile::get(scalesOfB, /*isA=*/false)),
        hasSigns(aa::mayBeNegative(op, scalesOfA.getElementType())) {}

  int64_t getFirst(bool isA, bool isNegative) const {
    return (isA ? 0 : a.countColumns()) + (isNegative ? a.countColumns() + b.countColumns() : 0);
  }
};

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

struct StoreScalesPattern final : TargetPattern<as::StoreScalesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::StoreScalesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (emit.scope.firstWarp % as::kTensorMemoryQuarters != 0 || emit.scope.numWarps < as::kTensorMemoryQuarters)
      return op.emitOpError() << "cannot store scales in every quarter of tensor memory: four warps with a first one "
                                 "that is a multiple of four reach them all";
    const ScaleSet set(op, op.getScaleA().getType(), op.getScaleB().getType());
    Value stored = emit.add(adaptor.getBase(), emit.i32(op.getColumn()));
    Value address = emitQuarter(emit, stored, emit.warpId());
    Words a = getWords(emit, adaptor.getScaleA(), set.a), b = getWords(emit, adaptor.getScaleB(), set.b);
    Value isStorer;
    if (emit.scope.numWarps > as::kTensorMemoryQuarters)
      isStorer = emit.icmp(LLVM::ICmpPredicate::ult, emit.warpId(), emit.i32(as::kTensorMemoryQuarters));
    Value negative = emit.i1(false);
    if (set.hasSigns) {
      const Words signsOfA = takeNegative(emit, a), signsOfB = takeNegative(emit, b);
      negative = emitIsAnySet(emit, llvm::to_vector(llvm::concat<const Value>(signsOfA, signsOfB)));
      emitIf(emit, emit.conjunction(isStorer, negative),
             [&] { emitStores(emit, set, signsOfA, signsOfB, address, /*isNegative=*/true); });
    }
    auto store = [&] { emitStores(emit, set, a, b, address, /*isNegative=*/false); };
    if (isStorer)
      emitIf(emit, isStorer, store);
    else
      store();
    emitMeeting(emit);
    rewriter.replaceOp(op, {stored, negative});
    return success();
  }

private:
  using Words = SmallVector<Value>;

  static Words getWords(Emitter &emit, Value vector, const ScaleTile &tile) {
    FragmentWords words(emit, vector, std::min(tile.blocks, kScalesOfWord), /*elementBits=*/8);
    return Words(words.getWords());
  }

  /// Leaves zero where a scale is negative, and returns its absolute value, and zero elsewhere.
  static Words takeNegative(Emitter &emit, Words &words) {
    Words taken;
    for (Value &word : words) {
      Value signs = emit.lshr(emit.bitAnd(word, emit.i32(int32_t(0x80808080))), 7);
      Value mask = emit.mul(signs, emit.i32(0xff));
      taken.push_back(emit.bitAnd(emit.bitAnd(word, mask), emit.i32(0x7f7f7f7f)));
      word = emit.bitAnd(word, emit.bitNot(mask));
    }
    return taken;
  }

  static void emitStores(Emitter &emit, const ScaleSet &set, ArrayRef<Value> a, ArrayRef<Value> b, Value address,
                         bool isNegative) {
    PtxInstruction group(emit, PtxLanes::Aligned);
    const std::string at = group.operand(address);
    std::string text;
    addStores(group, text, at, set.a, a, set.getFirst(/*isA=*/true, isNegative));
    addStores(group, text, at, set.b, b, set.getFirst(/*isA=*/false, isNegative));
    group.emit(text + group.fence("tcgen05.wait::st.sync.aligned;"), PtxEffect::Memory);
  }

  static void addStores(PtxInstruction &group, std::string &text, StringRef at, const ScaleTile &tile,
                        ArrayRef<Value> words, int64_t first) {
    const int64_t perGroup = tile.countWordsOfGroup();
    // Groups follow each other where they fill their columns.
    const int64_t run =
        std::min<int64_t>(kMaxWords, perGroup == tile.countColumnsOfGroup() ? int64_t(words.size()) : perGroup);
    for (int64_t word = 0; word < int64_t(words.size()); word += run) {
      const int64_t column = first + word / perGroup * tile.countColumnsOfGroup() + word % perGroup;
      text += llvm::formatv("{0} [{1}+{2}], {3};\n", getRowInstruction("st", run), at, column,
                            group.operandFragment(words.slice(word, run)));
    }
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

template <typename OpTy>
class ScaledProductEmitter {
public:
  ScaledProductEmitter(Emitter &emit, OpTy op, const MmaAtom &atom)
      : emit(emit), op(op), atom(atom), set(op, getType(op.getScaleA()), getType(op.getScaleB())),
        a(op.getA().getType(), 0), b(op.getB().getType(), 1) {}

  LogicalResult run(typename OpTy::Adaptor values) {
    descriptorA = emitOperandDescriptor(emit, op, atom, as::OperandAxis::A, op.getA().getType(), values.getA());
    if (!descriptorA)
      return failure();
    descriptorB = emitOperandDescriptor(emit, op, atom, as::OperandAxis::B, op.getB().getType(), values.getB());
    if (!descriptorB)
      return failure();
    if constexpr (std::is_same_v<OpTy, as::AsyncDotOp>)
      return copyAndIssue(values);
    else
      return issueStored(values);
  }

private:
  struct Operands {
    std::string a, b, d, scales;
  };

  static RankedTensorType getType(Value tile) { return cast<RankedTensorType>(tile.getType()); }

  /// One CTA copies and multiplies for both, each with scales of its own rows and of all columns.
  bool isOfPair() {
    if constexpr (std::is_same_v<OpTy, as::AsyncDotOp>)
      return op.getCtaPair();
    return false;
  }

  LogicalResult issueStored(as::BlockScaledMmaOp::Adaptor values) {
    auto issue = [&](bool isNegativeA, bool isNegativeB) {
      PtxInstruction group(emit);
      Operands names = {group.operand(descriptorA), group.operand(descriptorB), group.operand(values.getC()),
                        group.operand(values.getStored())};
      group.emit("{ .reg .pred leader, sum; .reg .b32 kind; elect.sync _|leader, 0xffffffff; setp.ne.b32 sum, 1, 0;" +
                     getInstructions(names, isNegativeA, isNegativeB, "sum") + " }",
                 PtxEffect::Memory);
    };
    Value isFirst = emitIsFirstWarp(emit);
    emitIf(emit, isFirst, [&] { issue(false, false); });
    if (set.hasSigns)
      emitIf(emit, emit.conjunction(isFirst, values.getNegative()), [&] {
        issue(true, false);
        issue(false, true);
        issue(true, true);
      });
    return success();
  }

  LogicalResult copyAndIssue(as::AsyncDotOp::Adaptor values) {
    emitInFirstWarp(emit, isOfPair() ? emitIsPairLeader(emit) : Value(), [&] {
      if (set.hasSigns)
        emitMoveSigns(emit,
                      {{op.getA().getType(), getType(op.getScaleA()), 0, values.getA(), values.getScaleA()},
                       {op.getB().getType(), getType(op.getScaleB()), 1, values.getB(), values.getScaleB()}},
                      isOfPair());
      Value scalesA = emitScaleDescriptor(op.getScaleA(), 0, values.getScaleA()),
            scalesB = emitScaleDescriptor(op.getScaleB(), 1, values.getScaleB());
      PtxInstruction group(emit);
      Operands names = {group.operand(descriptorA), group.operand(descriptorB), group.operand(values.getC()),
                        group.operand(values.getScaleColumns())};
      std::string text = "{ .reg .pred leader, first, sum; .reg .b32 kind; elect.sync _|leader, 0xffffffff; " +
                         getFirst(group, op, values.getOverwrites()) + " setp.ne.b32 sum, 1, 0;";
      text += getCopies(names.scales, "sa", group.operand(scalesA), op.getScaleA(), /*isA=*/true);
      text += getCopies(names.scales, "sb", group.operand(scalesB), op.getScaleB(), /*isA=*/false);
      group.emit(text + getInstructions(names, /*isNegativeA=*/false, /*isNegativeB=*/false, "first") + " }",
                 PtxEffect::Memory);
    });
    return success();
  }

  /// Of 32 rows of 16 bytes, groups of eight of which are 128 bytes apart: a block of `isScaleBlocks`.
  Value emitScaleDescriptor(Value scales, unsigned mnDim, Value address) {
    MatrixDescriptorLayout layout;
    layout.strideByteOffset = 128;
    return MatrixOperand(getType(scales), mnDim).emitDescriptor(emit, address, encodeMatrixDescriptor(layout));
  }

  std::string getCopies(StringRef columns, StringRef name, StringRef descriptor, Value scales, bool isA) {
    const MatrixOperand memory(getType(scales), isA ? 0 : 1);
    const ScaleTile &tile = isA ? set.a : set.b;
    DescriptorSteps steps(name, descriptor);
    std::string text;
    for (int64_t mn = 0; mn < tile.extent; mn += kRowsOfScaleBlock)
      for (int64_t block = 0; block < tile.blocks; block += kScalesOfWord)
        text += llvm::formatv(" @leader tcgen05.cp.{0}.32x128b.warpx4 [{1}+{2}], {3};", getGroup(isOfPair()), columns,
                              set.getFirst(isA, /*isNegative=*/false) + tile.getColumn(mn, block),
                              steps.get(memory.getOffset(mn, block) >> 4));
    return steps.define() + text;
  }

  /// The product of the absolute values of the positive or negative scales: one of two negative ones is subtracted.
  /// `first`: the predicate that says whether the first one for each element adds to what is there.
  std::string getInstructions(const Operands &names, bool isNegativeA, bool isNegativeB, StringRef first) {
    RankedTensorType type = op.getC().getType();
    const LinearLayout memory = as::getTensorMemoryLayout(type);
    const int64_t n = std::min(type.getDimSize(1), kMaxColumns), depth = set.a.blocks * atom.scaleBlock;
    const std::string instruction = getInstruction(atom, isOfPair());
    ScaledInstructionDescriptor descriptor{isOfPair() ? 2 * atom.m : atom.m, unsigned(n), atom.a, atom.b, atom.scale};
    descriptor.negateA = isNegativeA != isNegativeB;
    DescriptorSteps stepsA("a", names.a), stepsB("b", names.b);
    std::string text;
    for (int64_t row = 0; row < type.getDimSize(0); row += atom.m)
      for (int64_t column = 0; column < type.getDimSize(1); column += n)
        for (int64_t k = 0; k < depth; k += atom.k) {
          const int64_t block = k / atom.scaleBlock;
          descriptor.scaleA = descriptor.scaleB = block % kScalesOfWord;
          text += llvm::formatv(" mov.b32 kind, {0}; @leader {1} [{2}+{3}], {4}, {5}, kind,", descriptor.encode(),
                                instruction, names.d, getColumn(memory, row, column), stepsA.get(getUnits(a, row, k)),
                                stepsB.get(getUnits(b, column, k)));
          text +=
              llvm::formatv(" [{0}+{1}], [{0}+{2}], {3};", names.scales,
                            set.getFirst(true, isNegativeA) + set.a.getColumn(row, block),
                            set.getFirst(false, isNegativeB) + set.b.getColumn(column, block), k == 0 ? first : "sum");
        }
    return stepsA.define() + stepsB.define() + text;
  }

  /// What an element is behind the first one, in units of a matrix descriptor's address.
  int64_t getUnits(const MatrixOperand &operand, int64_t mn, int64_t k) const {
    const int64_t perByte = std::max<int64_t>(1, 8 / atom.a.bits);
    return operand.getOffset(mn, k / perByte) >> 4;
  }

  Emitter &emit;
  OpTy op;
  const MmaAtom &atom;
  const ScaleSet set;
  const MatrixOperand a, b;
  Value descriptorA, descriptorB;
};

struct BlockScaledMmaPattern final : TargetPattern<as::BlockScaledMmaOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::BlockScaledMmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const MmaAtom *atom = op.getAtom().findMma(lowering.atoms());
    if (!atom || atom->kind != MmaKind::TensorMemory || atom->scaleBlock == 0)
      return failure();
    Emitter emit(rewriter, op);
    if (failed(ScaledProductEmitter(emit, op, *atom).run(adaptor)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

LogicalResult emitProductWithCopiedScales(Emitter &emit, as::AsyncDotOp op, const MmaAtom &atom,
                                          as::AsyncDotOp::Adaptor values) {
  if (!op.getScaleColumns())
    return op.emitOpError() << "has no columns for its scales: tileas-place-accumulators finds them in tensor memory";
  return ScaledProductEmitter(emit, op, atom).run(values);
}

void populateBlockScalePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<StoreScalesPattern, BlockScaledMmaPattern>(lowering);
}

} // namespace tileiras::sm100
