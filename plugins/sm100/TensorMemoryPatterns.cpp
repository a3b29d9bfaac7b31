//===- TensorMemoryPatterns.cpp - Lowering of tensor memory ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One elected lane of the scope's first warp starts products; the same lane commits them to the scope's barrier, where
// all threads wait. Between tensor memory and registers, every warp moves its quarter of the rows.
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "TensorMemoryTiles.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/MatrixOperand.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/TilePattern.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::sm100 {
namespace {

constexpr unsigned kLaneShift = 16, kWarpsOfQuarters = 4, kRowsOfWarp = 32;
/// More registers at once, and the assembler would want more of a thread than large blocks have.
constexpr unsigned kMaxWords = 32;

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

struct AllocTensorMemoryPattern final : TargetPattern<as::AllocTensorMemoryOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AllocTensorMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      PtxInstruction alloc(emit);
      const std::string mailbox = alloc.operand(adaptor.getMailbox());
      alloc.emit(
          llvm::formatv("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{0}], {1};", mailbox, op.getColumns())
              .str(),
          PtxEffect::Memory);
      // Nothing else will be taken: another CTA of the multiprocessor need not wait for the end of this one to ask.
      PtxInstruction(emit).emit("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", PtxEffect::Memory);
    });
    emitIf(emit, emitIsFirstThread(emit), [&] {
      for (unsigned scope = 0; scope < op.getScopes(); ++scope)
        emitMbarrierInit(emit, {adaptor.getMailbox(), op.kBarrierOffset + scope * op.kBarrierBytes}, /*arrivals=*/1);
      emitMbarrierInitFence(emit);
    });
    emitMeeting(emit);
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
    emitMeeting(emit);
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      PtxInstruction free(emit);
      const std::string base = free.operand(adaptor.getBase());
      free.emit(llvm::formatv("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {0}, {1};", base, op.getColumns()).str(),
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

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

class ProductEmitter {
public:
  ProductEmitter(Emitter &emit, as::AsyncDotOp op, const MmaAtom &atom) : emit(emit), op(op), atom(atom) {}

  LogicalResult run(as::AsyncDotOp::Adaptor values) {
    llvm::Expected<MatrixDescriptorLayout> layoutA =
        as::getOperandDescriptor(atom, as::OperandAxis::A, op.getA().getType());
    if (!layoutA)
      return refuse(layoutA.takeError());
    llvm::Expected<MatrixDescriptorLayout> layoutB =
        as::getOperandDescriptor(atom, as::OperandAxis::B, op.getB().getType());
    if (!layoutB)
      return refuse(layoutB.takeError());
    InstructionDescriptor descriptor{
        atom.m, unsigned(std::min<int64_t>(op.getC().getType().getDimSize(1), kMaxColumns)), atom.a, atom.b, atom.c};
    descriptor.negateA = op.getNegate();
    descriptor.mnMajorA = layoutA->mnMajor;
    descriptor.mnMajorB = layoutB->mnMajor;
    const MatrixOperand a(op.getA().getType(), 0), b(op.getB().getType(), 1);
    Value descriptorA = a.emitDescriptor(emit, values.getA(), encodeMatrixDescriptor(*layoutA));
    Value descriptorB = b.emitDescriptor(emit, values.getB(), encodeMatrixDescriptor(*layoutB));
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      PtxInstruction group(emit);
      const std::string nameA = group.operand(descriptorA), nameB = group.operand(descriptorB),
                        nameD = group.operand(values.getC());
      std::string text = llvm::formatv("{{ .reg .pred leader, sum; .reg .b64 a, b; .reg .b32 d, kind; elect.sync "
                                       "_|leader, 0xffffffff; setp.ne.b32 sum, 1, 0; mov.b32 kind, {0};",
                                       descriptor.encode());
      addInstructions(text, a, b, descriptor.n, nameA, nameB, nameD);
      group.emit(text + " }", PtxEffect::Memory);
    });
    return success();
  }

private:
  /// As many columns as an instruction computes: the operands are shared by all warps.
  static constexpr int64_t kMaxColumns = 256;

  void addInstructions(std::string &text, const MatrixOperand &a, const MatrixOperand &b, int64_t n, StringRef nameA,
                       StringRef nameB, StringRef nameD) {
    RankedTensorType type = op.getC().getType();
    const LinearLayout memory = getMemoryLayout(type);
    const int64_t depth = op.getA().getType().getDimSize(1);
    for (int64_t row = 0; row < type.getDimSize(0); row += atom.m)
      for (int64_t column = 0; column < type.getDimSize(1); column += n) {
        text += llvm::formatv(" add.u32 d, {0}, {1};", nameD, getColumn(memory, row, column));
        for (int64_t k = 0; k < depth; k += atom.k)
          text += llvm::formatv(" add.s64 a, {0}, {1}; add.s64 b, {2}, {3}; @leader {4} [d], a, b, kind, sum;", nameA,
                                a.getOffset(row, k) >> 4, nameB, b.getOffset(column, k) >> 4, atom.instruction);
      }
  }

  LogicalResult refuse(llvm::Error error) {
    return op.emitOpError() << "names atom \"" << atom.name
                            << "\", which does not fit: " << llvm::toString(std::move(error));
  }

  Emitter &emit;
  as::AsyncDotOp op;
  const MmaAtom &atom;
};

struct TensorMemoryDotPattern final : TargetPattern<as::AsyncDotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncDotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const MmaAtom *atom = lowering.atoms().findMma(op.getAtom());
    if (!atom || atom->kind != MmaKind::TensorMemory)
      return failure();
    if (!as::isTensorMemoryTensor(op.getC().getType()))
      return op.emitOpError() << "has its accumulator in registers: tileas-place-accumulators puts it into tensor "
                                 "memory, where the instruction of atom \""
                              << atom->name << "\" adds";
    Emitter emit(rewriter, op);
    if (failed(ProductEmitter(emit, op, *atom).run(adaptor)))
      return failure();
    SmallVector<Value> results = {adaptor.getC()};
    if (op.getToken())
      results.push_back(emit.i1(true));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// What the first warp's elected lane has started arrives at the barrier when all of it is complete.
void emitCommit(Emitter &emit, Mbarrier barrier, Value condition) {
  emitIf(emit, emit.conjunction(condition, emitIsFirstWarp(emit)), [&] {
    PtxInstruction commit(emit);
    const std::string address = commit.operand(barrier.address);
    commit.emit(llvm::formatv("{{ .reg .pred leader; elect.sync _|leader, 0xffffffff; @leader "
                              "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{0}+{1}]; }",
                              address, barrier.offset)
                    .str(),
                PtxEffect::Memory);
  });
}

struct CommitProductsPattern final : TargetPattern<as::CommitProductsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CommitProductsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value isStage;
    if (!op.getToken().getDefiningOp<as::ConsumerWaitOp>())
      isStage = emit.icmp(LLVM::ICmpPredicate::ne, adaptor.getToken(), emit.i32(kNoBarrier));
    emitCommit(emit, {adaptor.getToken(), kEmptyBarrier}, isStage);
    rewriter.eraseOp(op);
    return success();
  }
};

struct WaitProductsPattern final : TargetPattern<as::WaitProductsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::WaitProductsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const Mbarrier barrier = {adaptor.getBarriers(), op.getScope() * as::AllocTensorMemoryOp::kBarrierBytes};
    // Who has not seen a phase complete when the next one is would wait for the one behind that.
    emit.barrier();
    emitCommit(emit, barrier, /*condition=*/{});
    Value parity = emit.load(emit.i32(), adaptor.getPhase(), /*alignment=*/4);
    emitMbarrierWait(emit, barrier, parity);
    emit.store(emit.bitXor(parity, emit.i32(1)), adaptor.getPhase(), /*alignment=*/4);
    emitFence(emit, /*isBefore=*/false);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Where a thread's registers are in tensor memory.
struct RowAccess {
  SmallVector<std::pair<int64_t, unsigned>> columns; ///< of each register, in order
  SmallVector<int64_t> ofWarp;                       ///< columns that bits of the warp's number step

  /// Nothing where a lane's elements are not in one row, or a warp's not in its quarter.
  static std::optional<RowAccess> get(const LinearLayout &registers, const LinearLayout &memory) {
    const auto map = registers.mapInto(memory);
    auto row = [](const LinearLayout::Inputs &inputs) { return inputs[static_cast<unsigned>(LayoutDim::Row)]; };
    auto column = [](const LinearLayout::Inputs &inputs) { return inputs[static_cast<unsigned>(LayoutDim::Column)]; };
    auto bits = [&](LayoutDim dim) { return ArrayRef(map[static_cast<unsigned>(dim)]); };
    RowAccess access;
    for (auto [bit, inputs] : llvm::enumerate(bits(LayoutDim::Lane)))
      if (row(inputs) != int64_t(1) << bit || column(inputs) != 0)
        return std::nullopt;
    for (auto [bit, inputs] : llvm::enumerate(bits(LayoutDim::Warp))) {
      const bool isQuarter = int64_t(1) << bit < kWarpsOfQuarters;
      if (row(inputs) != (isQuarter ? int64_t(kRowsOfWarp) << bit : 0) || (isQuarter && column(inputs) != 0))
        return std::nullopt;
      if (!isQuarter)
        access.ofWarp.push_back(column(inputs));
    }
    const unsigned count = registers.getInSize(LayoutDim::Register);
    for (unsigned reg = 0; reg < count; ++reg) {
      int64_t place = 0;
      for (auto [bit, inputs] : llvm::enumerate(bits(LayoutDim::Register)))
        if (reg >> bit & 1) {
          if (row(inputs) != 0)
            return std::nullopt;
          place ^= column(inputs);
        }
      access.columns.push_back({place, reg});
    }
    llvm::sort(access.columns);
    return access;
  }

  /// The address of the warp's first row, in the columns that are its own.
  Value emitAddress(Emitter &emit, Value tile) const {
    Value warp = emit.warpId();
    Value quarter = emit.bitAnd(warp, emit.i32(kWarpsOfQuarters - 1));
    Value address = emit.add(tile, emit.mul(quarter, emit.i32(kRowsOfWarp << kLaneShift)));
    for (auto [i, step] : llvm::enumerate(ofWarp))
      if (step != 0)
        address = emit.add(address, emit.mul(emit.bitAnd(emit.lshr(warp, 2 + i), emit.i32(1)), emit.i32(step)));
    return address;
  }

  /// Registers of neighbouring columns, as many as one instruction moves.
  SmallVector<ArrayRef<std::pair<int64_t, unsigned>>> getRuns() const {
    SmallVector<ArrayRef<std::pair<int64_t, unsigned>>> runs;
    for (size_t first = 0; first < columns.size();) {
      size_t size = 1;
      auto isRun = [&](size_t count) {
        return first + count <= columns.size() &&
               columns[first + count - 1].first == columns[first].first + int64_t(count) - 1;
      };
      while (size < kMaxWords && isRun(2 * size))
        size *= 2;
      runs.push_back(ArrayRef(columns).slice(first, size));
      first += size;
    }
    return runs;
  }
};

struct TensorMemoryCopyPattern final : TargetPattern<as::CopyOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CopyOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSource().getType();
    const bool isStore = op.getDestination() != nullptr;
    RankedTensorType memory = isStore ? op.getDestination().getType() : source;
    RankedTensorType registers = isStore ? source : op.getResult().getType();
    if (!as::isTensorMemoryTensor(memory) || !as::isDistributedTensor(registers))
      return failure();
    Emitter emit(rewriter, op);
    std::optional<RowAccess> access = RowAccess::get(getLayout(registers), getMemoryLayout(memory));
    if (!access || memory.getElementTypeBitWidth() != 32 || emit.scope.firstWarp % kWarpsOfQuarters != 0)
      return op.emitOpError()
             << "cannot move the tile: no warp reaches rows of tensor memory but those of its quarter, "
                "a row a lane; got "
             << registers << " and " << memory;
    if (isStore) {
      store(emit, *access, adaptor.getSource(), access->emitAddress(emit, adaptor.getDestination()));
      emitMeeting(emit);
      rewriter.eraseOp(op);
      return success();
    }
    Value loaded = load(emit, *access, convert(registers), access->emitAddress(emit, adaptor.getSource()));
    emitMeeting(emit);
    rewriter.replaceOp(op, loaded);
    return success();
  }

private:
  static std::string getInstruction(StringRef name, size_t count) {
    return llvm::formatv("tcgen05.{0}.sync.aligned.32x32b.x{1}.b32", name, count);
  }

  /// The waits stand in the same block of assembly: no register is used before its value is there.
  static void store(Emitter &emit, const RowAccess &access, Value vector, Value address) {
    SmallVector<Value> words = emit.unpack(vector);
    PtxInstruction group(emit);
    const std::string at = group.operand(address);
    std::string text;
    for (ArrayRef<std::pair<int64_t, unsigned>> run : access.getRuns()) {
      SmallVector<Value> part;
      for (auto [column, reg] : run)
        part.push_back(words[reg]);
      text += llvm::formatv("{0} [{1}+{2}], {3};\n", getInstruction("st", run.size()), at, run.front().first,
                            group.operandFragment(part));
    }
    group.emit(text + "tcgen05.wait::st.sync.aligned;", PtxEffect::Memory);
  }

  static Value load(Emitter &emit, const RowAccess &access, Type vectorType, Value address) {
    Type element = getElementTypeOrSelf(vectorType);
    PtxInstruction group(emit);
    SmallVector<std::string> fragments;
    for (ArrayRef<std::pair<int64_t, unsigned>> run : access.getRuns())
      fragments.push_back(group.resultFragment(element, run.size()));
    const std::string at = group.operand(address);
    std::string text;
    for (auto [run, fragment] : llvm::zip_equal(access.getRuns(), fragments))
      text += llvm::formatv("{0} {1}, [{2}+{3}];\n", getInstruction("ld", run.size()), fragment, at, run.front().first);
    SmallVector<Value> loaded = group.emit(text + "tcgen05.wait::ld.sync.aligned;", PtxEffect::Memory);
    SmallVector<Value> words(loaded.size());
    for (auto [place, word] : llvm::zip_equal(access.columns, loaded))
      words[place.second] = word;
    return emit.pack(words);
  }
};

} // namespace

void populateTensorMemoryPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocTensorMemoryPattern, FreeTensorMemoryPattern, TensorMemoryTilePattern, TensorMemoryDotPattern,
               CommitProductsPattern, WaitProductsPattern, TensorMemoryCopyPattern>(lowering);
  populateBlockScalePatterns(lowering, patterns);
}

} // namespace tileiras::sm100
