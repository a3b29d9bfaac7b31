//===- TensorMemoryPatterns.cpp - Lowering of tensor memory ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One elected lane of the first warp, of the scope or of each product group, starts products; the same lane commits
// them: to the barrier of the scope or the group, where threads wait, or to that of a stage. Between tensor memory and
// registers, every warp moves its quarter of the rows.
//
//===----------------------------------------------------------------------===//

#include "DescriptorSteps.h"
#include "Tcgen05.h"
#include "TensorMemoryTiles.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PackedArithmetic.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/TilePattern.h"
#include "tileiras/NVIDIA/MatrixOperand.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::sm100 {

/// The thread is in the first warp of its product group.
static Value emitIsFirstOfGroup(Emitter &emit) {
  if (emit.scope.productGroups == 1)
    return emitIsFirstWarp(emit);
  Value ofGroup = emit.bitAnd(emit.warpId(), emit.i32(as::kTensorMemoryQuarters - 1));
  return emit.icmp(LLVM::ICmpPredicate::eq, ofGroup, emit.i32(0));
}

void emitInFirstWarp(Emitter &emit, Value condition, llvm::function_ref<void()> body) {
  const bool isOnly = emit.scope.numWarps == 1;
  if (isOnly && !condition)
    return body();
  emitIf(emit, isOnly ? condition : emit.conjunction(condition, emitIsFirstOfGroup(emit)), body);
}

std::string getFirst(PtxInstruction &group, as::AsyncDotOp op, Value overwrites) {
  const bool isConstant = !overwrites || matchPattern(op.getOverwrites(), m_Constant());
  if (isConstant)
    return llvm::formatv("setp.ne.b32 first, {0}, 0;",
                         overwrites && !matchPattern(op.getOverwrites(), m_Zero()) ? 0 : 1);
  return "not.pred first, " + group.operand(overwrites) + ";";
}

namespace {

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

struct AllocTensorMemoryPattern final : TargetPattern<as::AllocTensorMemoryOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AllocTensorMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      PtxInstruction alloc(emit, PtxLanes::Aligned);
      const std::string mailbox = alloc.operand(adaptor.getMailbox());
      alloc.emit(llvm::formatv("tcgen05.alloc.{0}.sync.aligned.shared::cta.b32 [{1}], {2};", getGroup(op.getCtaPair()),
                               mailbox, op.getColumns())
                     .str(),
                 PtxEffect::Memory);
      // Nothing else will be taken: another CTA of the multiprocessor need not wait for the end of this one to ask.
      PtxInstruction(emit, PtxLanes::Aligned)
          .emit("tcgen05.relinquish_alloc_permit." + getGroup(op.getCtaPair()) + ".sync.aligned;", PtxEffect::Memory);
    });
    SmallVector<MbarrierArrivals> barriers;
    for (unsigned scope = 0; scope < op.getScopes(); ++scope)
      barriers.push_back({op.kBarrierOffset + scope * op.kBarrierBytes, 1});
    emitIf(emit, emitIsFirstThread(emit), [&] { emitMbarrierInit(emit, adaptor.getMailbox(), barriers); });
    emitMeeting(emit, op.getCtaPair());
    Value base = emit.load(emit.i32(), adaptor.getMailbox(), /*alignment=*/4);
    Value address = LLVM::PtrToIntOp::create(rewriter, op.getLoc(), emit.i32(), adaptor.getMailbox());
    rewriter.replaceOp(op, {base, emit.add(address, emit.i32(op.kBarrierOffset))});
    return success();
  }
};

struct FreeTensorMemoryPattern final : TargetPattern<as::FreeTensorMemoryOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::FreeTensorMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitMeeting(emit, op.getCtaPair());
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      PtxInstruction free(emit, PtxLanes::Aligned);
      const std::string base = free.operand(adaptor.getBase());
      free.emit(llvm::formatv("tcgen05.dealloc.{0}.sync.aligned.b32 {1}, {2};", getGroup(op.getCtaPair()), base,
                              op.getColumns())
                    .str(),
                PtxEffect::Memory);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorMemoryTilePattern final : TargetPattern<as::TensorMemoryTileOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::TensorMemoryTileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.add(adaptor.getBase(), emit.i32(op.getColumn())));
    return success();
  }
};

struct TensorMemoryBarrierPattern final : TargetPattern<as::TensorMemoryBarrierOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::TensorMemoryBarrierOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitMeeting(emit, /*ofCluster=*/false, op.getOfGroup());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

class ProductEmitter {
public:
  ProductEmitter(Emitter &emit, as::AsyncDotOp op, const MmaAtom &atom) : emit(emit), op(op), atom(atom) {}

  LogicalResult run(as::AsyncDotOp::Adaptor values) {
    const bool isPair = op.getCtaPair();
    InstructionDescriptor descriptor{isPair ? 2 * atom.m : atom.m, getColumns(), atom.a, atom.b, atom.c};
    descriptor.negateA = op.getNegate();
    Value a = values.getA();
    if (atom.spaceA == MemorySpace::Tensor) {
      if (!as::isTensorMemoryTensor(op.getA().getType()))
        return op.emitOpError() << "has operand A in " << op.getA().getType() << ", where the instruction of atom \""
                                << atom.name << "\" does not read it: it reads tensor memory";
    } else if (!(a = emitOperandDescriptor(emit, op, atom, as::OperandAxis::A, op.getA().getType(), a,
                                           &descriptor.mnMajorA))) {
      return failure();
    }
    Value b = emitOperandDescriptor(emit, op, atom, as::OperandAxis::B, op.getB().getType(), values.getB(),
                                    &descriptor.mnMajorB);
    if (!b)
      return failure();
    a = emitRowsOfGroup(a, [&](int64_t row) { return getOffsetOfA(row, 0); });
    Value c = emitRowsOfGroup(
        values.getC(), [&](int64_t row) { return getColumn(as::getTensorMemoryLayout(op.getC().getType()), row, 0); });
    emitInFirstWarp(emit, isPair ? emitIsPairLeader(emit) : Value(), [&] {
      PtxInstruction group(emit);
      const std::string nameA = group.operand(a), nameB = group.operand(b), nameD = group.operand(c);
      std::string text =
          llvm::formatv("{{ .reg .pred leader, first, sum; .reg .b32 kind; elect.sync _|leader, 0xffffffff; {0} "
                        "setp.ne.b32 sum, 1, 0; mov.b32 kind, {1};",
                        getFirst(group, op, values.getOverwrites()), descriptor.encode());
      text += getInstructions(descriptor.n, nameA, nameB, nameD);
      group.emit(text + " }", PtxEffect::Memory);
    });
    return success();
  }

private:
  /// Of an instruction; those that divide their columns do so among the warps of one warpgroup.
  unsigned getColumns() {
    return as::dividesColumns(atom) ? atom.n : std::min(op.getC().getType().getDimSize(1), kMaxColumns);
  }

  std::string getInstructions(int64_t n, StringRef nameA, StringRef nameB, StringRef nameD) {
    RankedTensorType type = op.getC().getType();
    const LinearLayout memory = as::getTensorMemoryLayout(type);
    const MatrixOperand b(op.getB().getType(), 1);
    const int64_t depth = op.getA().getType().getDimSize(1);
    const std::string instruction = getInstruction(atom, op.getCtaPair());
    DescriptorSteps stepsA("a", nameA), stepsB("b", nameB);
    std::string text;
    for (int64_t row = 0; row < type.getDimSize(0) / emit.scope.productGroups; row += atom.m)
      for (int64_t column = 0; column < type.getDimSize(1); column += n)
        for (int64_t k = 0; k < depth; k += atom.k) {
          const int64_t offset = getOffsetOfA(row, k);
          const std::string a =
              atom.spaceA == MemorySpace::Tensor ? llvm::formatv("[{0}+{1}]", nameA, offset).str() : stepsA.get(offset);
          text += llvm::formatv(" @leader {0} [{1}+{2}], {3}, {4}, kind, {5};", instruction, nameD,
                                getColumn(memory, row, column), a, stepsB.get(b.getOffset(column, k) >> 4),
                                k == 0 ? "first" : "sum");
        }
    return stepsA.define() + stepsB.define() + text;
  }

  /// From the operand's address, or from its descriptor.
  int64_t getOffsetOfA(int64_t row, int64_t k) {
    RankedTensorType type = op.getA().getType();
    return atom.spaceA == MemorySpace::Tensor
               ? getColumn(as::getTensorMemoryLayout(type), row, k) * atom.a.bits / IsaLimits::kTensorMemoryColumnBits
               : MatrixOperand(type, 0).getOffset(row, k) >> 4;
  }

  /// `first`, of the first row of the tile, for the rows of the thread's product group: `getOffset` says how far they
  /// are.
  Value emitRowsOfGroup(Value first, llvm::function_ref<int64_t(int64_t)> getOffset) {
    Value group = emit.productGroup();
    for (int64_t bit = 0; group && 1 << bit < emit.scope.productGroups; ++bit) {
      Value isOfBit = emit.bitAnd(emit.lshr(group, bit), emit.i32(1));
      Value offset = emit.mul(isOfBit, emit.i32(getOffset(int64_t(atom.m) << bit)));
      first = emit.add(first, emit.zeroExtendOrTruncate(offset, first.getType().getIntOrFloatBitWidth()));
    }
    return first;
  }

  Emitter &emit;
  as::AsyncDotOp op;
  const MmaAtom &atom;
};

struct TensorMemoryDotPattern final : TargetPattern<as::AsyncDotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncDotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const MmaAtom *atom = op.getAtom().findMma(lowering.atoms());
    if (!atom || atom->kind != MmaKind::TensorMemory)
      return failure();
    if (!as::isTensorMemoryTensor(op.getC().getType()))
      return op.emitOpError() << "has its accumulator in registers: tileas-place-accumulators puts it into tensor "
                                 "memory, where the instruction of atom \""
                              << atom->name << "\" adds";
    Emitter emit(rewriter, op);
    if (failed(op.isBlockScaled() ? emitProductWithCopiedScales(emit, op, *atom, adaptor)
                                  : ProductEmitter(emit, op, *atom).run(adaptor)))
      return failure();
    SmallVector<Value> results = {adaptor.getC()};
    if (op.getToken())
      results.push_back(emit.i1(true));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// What the first warp's elected lane has started arrives at the barrier when all of it is complete: also at those of
/// CTAs whose rank differs in nothing but the bits of `sharedCtas`, and for a pair, at those of both.
void emitCommit(Emitter &emit, Mbarrier barrier, Value condition, bool isPair = false, uint32_t sharedCtas = 0) {
  if (isPair)
    condition = emit.conjunction(condition, emitIsPairLeader(emit));
  emitInFirstWarp(emit, condition, [&] {
    PtxInstruction commit(emit);
    const std::string address = commit.operand(barrier.address);
    std::string multicast, ctas;
    if (const uint32_t told = sharedCtas | (isPair ? aa::kPairBit : 0)) {
      multicast = ".multicast::cluster";
      ctas = ", " + commit.operand(emitCtaMask(emit, told));
    }
    const std::string instruction =
        llvm::formatv("@leader tcgen05.commit.{0}.mbarrier::arrive::one.shared::cluster{1}.b64 [{2}+{3}]{4};",
                      getGroup(isPair), multicast, address, barrier.offset, ctas);
    commit.emit("{ .reg .pred leader; elect.sync _|leader, 0xffffffff; " + commit.fence(instruction) + " }",
                PtxEffect::Memory);
  });
}

struct CommitProductsPattern final : TargetPattern<as::CommitProductsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CommitProductsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value isStage;
    if (!isa_and_nonnull<as::ConsumerWaitOp, as::ProducerAcquireOp>(op.getToken().getDefiningOp()))
      isStage = emit.icmp(LLVM::ICmpPredicate::ne, adaptor.getToken(), emit.i32(kNoBarrier));
    const bool isProducer = isa<as::ProducerTokenType>(op.getToken().getType());
    emitCommit(emit, {adaptor.getToken(), isProducer ? kFullBarrier : kEmptyBarrier}, isStage, op.getCtaPair(),
               op.getSharedCtas());
    rewriter.eraseOp(op);
    return success();
  }
};

struct FenceTensorMemoryPattern final : TargetPattern<as::FenceTensorMemoryOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::FenceTensorMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitFence(emit, /*isBefore=*/!op.getAfterWait());
    rewriter.eraseOp(op);
    return success();
  }
};

Mbarrier getBarrier(Value barriers, uint32_t number) {
  return {barriers, number * as::AllocTensorMemoryOp::kBarrierBytes};
}

/// That of the thread's product group, of the barriers from `first` on.
Mbarrier emitOfGroup(Emitter &emit, Mbarrier first) {
  Value group = emit.productGroup();
  if (!group)
    return first;
  return {emit.add(first.address, emit.mul(group, emit.i32(as::AllocTensorMemoryOp::kBarrierBytes))), first.offset};
}

struct WaitProductsPattern final : TargetPattern<as::WaitProductsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::WaitProductsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const Mbarrier barrier = getBarrier(adaptor.getBarriers(), op.getScope());
    // Who has not seen a phase complete when the next one is would wait for the one behind that.
    emitMeeting(emit);
    emitCommit(emit, emitOfGroup(emit, barrier), /*condition=*/{});
    Value parity = emit.load(emit.i32(), adaptor.getPhase(), /*alignment=*/4);
    for (unsigned group = 0; group < emit.scope.productGroups; ++group)
      emitMbarrierWait(emit, getBarrier(adaptor.getBarriers(), op.getScope() + group), parity);
    emit.store(emit.bitXor(parity, emit.i32(1)), adaptor.getPhase(), /*alignment=*/4);
    emitFence(emit, /*isBefore=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};

struct CommitAccumulatorPattern final : TargetPattern<as::CommitAccumulatorOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CommitAccumulatorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitCommit(emit, emitOfGroup(emit, getBarrier(adaptor.getBarriers(), op.getScope())), /*condition=*/{});
    Value parity = emit.load(emit.i32(), adaptor.getPhase(), /*alignment=*/4);
    emit.store(emit.bitXor(parity, emit.i32(1)), adaptor.getPhase(), /*alignment=*/4);
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitAccumulatorPattern final : TargetPattern<as::WaitAccumulatorOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::WaitAccumulatorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitMbarrierWait(emit, emitOfGroup(emit, getBarrier(adaptor.getBarriers(), op.getScope())),
                     emit.load(emit.i32(), adaptor.getPhase(), /*alignment=*/4));
    emitFence(emit, /*isBefore=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Where a thread's registers are in tensor memory, whose columns are words of 32 bits.
struct RowAccess {
  struct Word {
    int64_t column;
    SmallVector<unsigned> registers; ///< elements, the lowest first
  };
  /// Of a warp's number: which quarter it reaches.
  static constexpr unsigned kBitsOfQuarter = llvm::ConstantLog2<as::kTensorMemoryQuarters>();
  SmallVector<Word> words;     ///< by column
  int64_t columnsOfWord = 1;   ///< with the elements in their lower halves where these are two
  SmallVector<int64_t> ofWarp; ///< columns that bits of the warp's number step; 0: other warps have the same elements

  /// Of a tile in the registers of the scope's warps, and in tensor memory. Nothing where a lane's elements are not in
  /// one row, a warp's not in its quarter, or parts of words are missing.
  static std::optional<RowAccess> find(const Emitter &emit, RankedTensorType inRegisters, RankedTensorType inMemory) {
    const LinearLayout registers = getLayout(inRegisters), memory = as::getTensorMemoryLayout(inMemory);
    if (!as::hasRowsOfWarps(registers, memory) || emit.scope.firstWarp % as::kTensorMemoryQuarters != 0)
      return std::nullopt;
    const auto map = registers.mapInto(memory);
    auto column = [](const LinearLayout::Inputs &inputs) { return inputs[static_cast<unsigned>(LayoutDim::Column)]; };
    auto bits = [&](LayoutDim dim) { return ArrayRef(map[static_cast<unsigned>(dim)]); };
    const int64_t packed = IsaLimits::kTensorMemoryColumnBits / as::getSharedBits(inMemory.getElementType());
    RowAccess access;
    if (cast<as::TmemAttr>(inMemory.getEncoding()).getUnpacked())
      access.columnsOfWord = packed;
    for (const LinearLayout::Inputs &inputs : bits(LayoutDim::Warp).drop_front(kBitsOfQuarter)) {
      if (column(inputs) % packed != 0)
        return std::nullopt;
      access.ofWarp.push_back(column(inputs) / packed * access.columnsOfWord);
    }
    SmallVector<std::pair<int64_t, unsigned>> elements;
    for (unsigned reg = 0, count = registers.getInSize(LayoutDim::Register); reg < count; ++reg) {
      int64_t place = 0;
      for (auto [bit, inputs] : llvm::enumerate(bits(LayoutDim::Register)))
        if (reg >> bit & 1)
          place ^= column(inputs);
      elements.push_back({place, reg});
    }
    llvm::sort(elements);
    for (auto [place, reg] : elements) {
      const int64_t column = place / packed * access.columnsOfWord;
      if (place % packed == 0)
        access.words.push_back({column, {}});
      if (access.words.empty() || access.words.back().column != column ||
          place % packed != int64_t(access.words.back().registers.size()))
        return std::nullopt;
      access.words.back().registers.push_back(reg);
    }
    if (llvm::any_of(access.words, [&](const Word &word) { return int64_t(word.registers.size()) != packed; }))
      return std::nullopt;
    return access;
  }

  /// Of warps that have the same elements, the first one; null if each has its own.
  Value emitIsFirst(Emitter &emit) const {
    Value isFirst;
    for (auto [i, step] : llvm::enumerate(ofWarp))
      if (step == 0) {
        Value bit = emit.bitAnd(emit.lshr(emit.warpId(), kBitsOfQuarter + i), emit.i32(1));
        isFirst = emit.conjunction(isFirst, emit.icmp(LLVM::ICmpPredicate::eq, bit, emit.i32(0)));
      }
    return isFirst;
  }

  /// The address of the warp's first row, in the columns that are its own.
  Value emitAddress(Emitter &emit, Value tile) const {
    Value warp = emit.warpId();
    Value address = emitQuarter(emit, tile, warp);
    for (auto [i, step] : llvm::enumerate(ofWarp))
      if (step != 0)
        address =
            emit.add(address, emit.mul(emit.bitAnd(emit.lshr(warp, kBitsOfQuarter + i), emit.i32(1)), emit.i32(step)));
    return address;
  }

  /// Neighbouring columns, as many as one instruction moves.
  SmallVector<ArrayRef<Word>> getRuns() const {
    SmallVector<ArrayRef<Word>> runs;
    for (size_t first = 0; first < words.size();) {
      size_t size = 1;
      auto isRun = [&](size_t count) {
        return first + count <= words.size() &&
               words[first + count - 1].column == words[first].column + (int64_t(count) - 1) * columnsOfWord;
      };
      while (size < kMaxWords && isRun(2 * size))
        size *= 2;
      runs.push_back(ArrayRef(words).slice(first, size));
      first += size;
    }
    return runs;
  }
};

constexpr llvm::StringLiteral kAwaitLoads = "tcgen05.wait::ld.sync.aligned;";

struct TensorMemoryCopyPattern final : TargetPattern<as::CopyOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CopyOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    const std::optional<as::RegisterCopy> copy = as::findRegisterCopy(op);
    if (!copy || !as::isTensorMemoryTensor(copy->memory))
      return failure();
    Emitter emit(rewriter, op);
    std::optional<RowAccess> access = RowAccess::find(emit, copy->registers, copy->memory);
    if (!access)
      return op.emitOpError()
             << "cannot move the tile: no warp reaches rows of tensor memory but those of its quarter, "
                "a row a lane; got "
             << copy->registers << " and " << copy->memory;
    if (copy->isStore) {
      Value address = access->emitAddress(emit, adaptor.getDestination());
      SmallVector<Value> words = emitWords(emit, *access, adaptor.getSource());
      auto storeWords = [&] { store(emit, *access, words, address); };
      if (Value isFirst = access->emitIsFirst(emit))
        emitIf(emit, isFirst, storeWords);
      else
        storeWords();
      rewriter.eraseOp(op);
      return success();
    }
    const bool isAwaited = llvm::none_of(op->getUsers(), llvm::IsaPred<as::CompleteLoadOp>);
    Value address = access->emitAddress(emit, adaptor.getSource());
    rewriter.replaceOp(op, load(emit, *access, convert(copy->registers), address, isAwaited));
    return success();
  }

private:
  /// Registers of 32 bits, by column.
  static SmallVector<Value> emitWords(Emitter &emit, const RowAccess &access, Value vector) {
    SmallVector<Value> elements = emit.unpack(vector), words;
    for (const RowAccess::Word &word : access.words) {
      SmallVector<Value> parts;
      for (unsigned reg : word.registers)
        parts.push_back(elements[reg]);
      words.push_back(parts.size() == 1 ? parts.front() : emit.bitcast(emit.pack(parts), emit.i32()));
    }
    return words;
  }

  /// The waits stand in the same block of assembly, where nobody else has to wait: no register is used before its value
  /// is there.
  static void store(Emitter &emit, const RowAccess &access, ArrayRef<Value> words, Value address) {
    PtxInstruction group(emit, PtxLanes::Aligned);
    const std::string at = group.operand(address);
    std::string text;
    for (ArrayRef<RowAccess::Word> run : access.getRuns()) {
      text += llvm::formatv("{0} [{1}+{2}], {3};\n", getRowInstruction("st", run.size(), access.columnsOfWord > 1), at,
                            run.front().column, group.operandFragment(words.take_front(run.size())));
      words = words.drop_front(run.size());
    }
    group.emit(text + group.fence("tcgen05.wait::st.sync.aligned;"), PtxEffect::Memory);
  }

  static SmallVector<Value> unpackWord(Emitter &emit, Value word, Type element, size_t count) {
    return emit.unpack(emit.bitcast(word, VectorType::get(static_cast<int64_t>(count), element)));
  }

  static Value load(Emitter &emit, const RowAccess &access, Type vectorType, Value address, bool isAwaited) {
    Type element = getElementTypeOrSelf(vectorType);
    const bool isPacked = access.words.front().registers.size() > 1;
    PtxInstruction group(emit, PtxLanes::Aligned);
    SmallVector<std::string> fragments;
    for (ArrayRef<RowAccess::Word> run : access.getRuns())
      fragments.push_back(group.resultFragment(isPacked ? emit.i32() : element, run.size()));
    const std::string at = group.operand(address);
    std::string text;
    for (auto [run, fragment] : llvm::zip_equal(access.getRuns(), fragments))
      text += llvm::formatv("{0} {1}, [{2}+{3}];\n", getRowInstruction("ld", run.size(), access.columnsOfWord > 1),
                            fragment, at, run.front().column);
    if (isAwaited)
      text += group.fence(kAwaitLoads);
    SmallVector<Value> loaded = group.emit(text, PtxEffect::Memory);
    SmallVector<Value> elements(loaded.size() * access.words.front().registers.size());
    for (auto [word, value] : llvm::zip_equal(access.words, loaded)) {
      const SmallVector<Value> parts =
          isPacked ? unpackWord(emit, value, element, word.registers.size()) : SmallVector<Value>{value};
      for (auto [reg, part] : llvm::zip_equal(word.registers, parts))
        elements[reg] = part;
    }
    return emit.pack(elements);
  }
};

struct CompleteLoadPattern final : TargetPattern<as::CompleteLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CompleteLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    // The same registers: a copy of one would stand before the wait.
    PtxInstruction wait(emit, PtxLanes::Aligned);
    wait.updates(emit.unpack(adaptor.getLoaded()));
    rewriter.replaceOp(op, emit.pack(wait.emit(wait.fence(kAwaitLoads), PtxEffect::Memory)));
    return success();
  }
};

/// A warp whose scales are all one has nothing to do; others take a run of columns after the other.
struct ScaleTensorMemoryPattern final : TargetPattern<as::ScaleTensorMemoryOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ScaleTensorMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    std::optional<RowAccess> access = RowAccess::find(emit, op.getScale().getType(), op.getTile().getType());
    if (!access)
      return op.emitOpError() << "has scales in " << op.getScale().getType()
                              << ", which are not of the rows that their "
                              << "warps reach of " << op.getTile().getType();
    const SmallVector<Value> scales = emit.unpack(adaptor.getScale());
    Value condition = emitIsNeeded(emit, scales);
    if (Value isFirst = access->emitIsFirst(emit))
      condition = emit.bitAnd(condition, isFirst);
    emitIf(emit, condition, [&] {
      Value address = access->emitAddress(emit, adaptor.getTile());
      for (ArrayRef<RowAccess::Word> run : access->getRuns())
        scaleRun(emit, run, scales, address);
      PtxInstruction wait(emit, PtxLanes::Aligned);
      wait.emit(wait.fence("tcgen05.wait::st.sync.aligned;"), PtxEffect::Memory);
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Some lane of the warp has a scale that is not one.
  static Value emitIsNeeded(Emitter &emit, ArrayRef<Value> scales) {
    Value one = emit.constantFloat(emit.f32(), 1.0), isNeeded;
    for (Value scale : scales) {
      Value isOther = emit.fcmp(LLVM::FCmpPredicate::une, scale, one);
      isNeeded = isNeeded ? emit.bitOr(isNeeded, isOther) : isOther;
    }
    return NVVM::VoteSyncOp::create(emit.builder, emit.location, emit.builder.getI1Type(), emit.i32(-1), isNeeded,
                                    NVVM::VoteSyncKind::any);
  }

  void scaleRun(Emitter &emit, ArrayRef<RowAccess::Word> run, ArrayRef<Value> scales, Value address) const {
    PtxInstruction load(emit, PtxLanes::Aligned);
    const std::string loaded = load.resultFragment(emit.f32(), run.size()), from = load.operand(address);
    const SmallVector<Value> values =
        load.emit(llvm::formatv("{0} {1}, [{2}+{3}];\n{4}", getRowInstruction("ld", run.size()), loaded, from,
                                run.front().column, load.fence(kAwaitLoads))
                      .str(),
                  PtxEffect::Memory);
    const SmallVector<Value> factors =
        llvm::map_to_vector(run, [&](const RowAccess::Word &word) { return scales[word.registers.front()]; });
    const SmallVector<Value> products = emitF32Arithmetic(emit, lowering, "mul.rn", {values, factors});
    PtxInstruction store(emit, PtxLanes::Aligned);
    const std::string to = store.operand(address), stored = store.operandFragment(products);
    store.emit(
        llvm::formatv("{0} [{1}+{2}], {3};", getRowInstruction("st", run.size()), to, run.front().column, stored).str(),
        PtxEffect::Memory);
  }
};

} // namespace

Value emitOperandDescriptor(Emitter &emit, Operation *op, const MmaAtom &atom, as::OperandAxis axis,
                            RankedTensorType type, Value address, bool *isMnMajor) {
  llvm::Expected<MatrixDescriptorLayout> layout = as::getOperandDescriptor(atom, axis, type);
  if (!layout) {
    op->emitOpError() << "names atom \"" << atom.name
                      << "\", which does not fit: " << llvm::toString(layout.takeError());
    return {};
  }
  if (isMnMajor)
    *isMnMajor = layout->mnMajor;
  return MatrixOperand(type, axis == as::OperandAxis::A ? 0 : 1)
      .emitDescriptor(emit, address, encodeMatrixDescriptor(*layout));
}

void populateTensorMemoryPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocTensorMemoryPattern, FreeTensorMemoryPattern, TensorMemoryTilePattern, TensorMemoryBarrierPattern,
               TensorMemoryDotPattern, CommitProductsPattern, FenceTensorMemoryPattern, WaitProductsPattern,
               CommitAccumulatorPattern, WaitAccumulatorPattern, TensorMemoryCopyPattern, CompleteLoadPattern,
               ScaleTensorMemoryPattern>(lowering);
  populateBlockScalePatterns(lowering, patterns);
}

} // namespace tileiras::sm100
