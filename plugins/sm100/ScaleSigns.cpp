//===- ScaleSigns.cpp - Negative scales that no instruction sees ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scales are hardly ever negative: all that they usually cost is a look at them, 16 bytes a lane for a block.
//
//===----------------------------------------------------------------------===//

#include "ScaleSigns.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/NVIDIA/MatrixOperand.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::sm100 {
namespace {

constexpr int64_t kBytesOfLane = 16;
/// Of 16 numbers of four bits.
constexpr int64_t kBytesOfScale = 8;
constexpr uint32_t kSignsOfScales = 0x80808080;
constexpr uint64_t kSignsOfNumbers = 0x8888888888888888;

/// What one CTA of a pair (or the only one) has of an operand, for the lanes of a warp: lane l has the rows or columns
/// l, l + 32, …
class SignedTile {
public:
  SignedTile(Emitter &emit, const SignedOperand &operand, bool isOfPeer)
      : emit(emit), numbers(operand.numbers, operand.mnDim), scales(operand.scales, operand.mnDim),
        extent(operand.scales.getDimSize(operand.mnDim)), blocks(operand.scales.getDimSize(1 - operand.mnDim)),
        extentOfNumbers(operand.numbers.getDimSize(operand.mnDim)), isOfPeer(isOfPeer),
        numbersAt(isOfPeer ? emitOfPeer(operand.numbersAt) : operand.numbersAt),
        scalesAt(isOfPeer ? emitOfPeer(operand.scalesAt) : operand.scalesAt) {}

  /// Both CTAs have the same scales.
  bool isCopy() const { return isOfPeer && isHalved(); }

  /// All bytes of scales, in words.
  void appendWords(SmallVectorImpl<Value> &words) const {
    Value ofLane = emit.gep(emit.intType(8), scalesAt, emit.mul(emit.laneId(), emit.i32(kBytesOfLane)));
    for (int64_t mn = 0; mn < extent; mn += kRowsOfScaleBlock)
      for (int64_t block = 0; block < blocks; block += kScalesOfWord) {
        Value at = emit.gep(emit.intType(8), ofLane, scales.getOffset(mn, block));
        llvm::append_range(words, emit.unpack(emit.load(Emitter::vectorType(4, emit.i32()), at, kBytesOfLane)));
      }
  }

  /// A word of scales, of one row or column, after the other.
  void moveSigns() const {
    SmallVector<int64_t> scaleSteps, numberSteps, numbersOfLane, scalesOfLane;
    for (int64_t row = kRowsOfScaleColumn; row < extent; row *= 2) {
      scaleSteps.push_back(scales.getOffset(row, 0));
      numberSteps.push_back(row < extentOfNumbers ? numbers.getOffset(row, 0) : 0);
    }
    for (int64_t block = kScalesOfWord; block < blocks; block *= 2) {
      scaleSteps.push_back(scales.getOffset(0, block));
      numberSteps.push_back(numbers.getOffset(0, block * kBytesOfScale));
    }
    for (int64_t row = 1; row < kRowsOfScaleColumn; row *= 2) {
      scalesOfLane.push_back(scales.getOffset(row, 0));
      numbersOfLane.push_back(numbers.getOffset(row, 0));
    }
    Value lane = emitLane(), scaleOfLane = emitPlace(lane, scalesOfLane), numberOfLane = emitPlace(lane, numbersOfLane);
    emitLoop(emit, int64_t(1) << scaleSteps.size(), {}, [&](Value i, Value) -> Value {
      // The assembler would unroll it, and keep all places that there are in registers, for what hardly ever happens.
      PtxInstruction(emit).emit(".pragma \"nounroll\";", PtxEffect::Memory);
      Value at = emit.gep(emit.intType(8), scalesAt, emit.bitXor(scaleOfLane, emitPlace(i, scaleSteps)));
      Value word = emit.load(emit.i32(), at, /*alignment=*/4);
      emit.store(emit.bitAnd(word, emit.i32(int32_t(~kSignsOfScales))), at, /*alignment=*/4);
      if (isHalved())
        word = emit.select(emitIsKept(i), word, emit.i32(0));
      Value place = emit.bitXor(numberOfLane, emitPlace(i, numberSteps));
      for (int64_t scale = 0; scale < kScalesOfWord; ++scale)
        changeSigns(emit.bitXor(place, emit.i32(numbers.getOffset(0, scale * kBytesOfScale))),
                    emit.bitAnd(emit.lshr(word, 8 * scale + 7), emit.i32(1)));
      return {};
    });
  }

private:
  bool isHalved() const { return extentOfNumbers < extent; }

  /// Where the CTA with the next rank has what is at `local` in this one.
  Value emitOfPeer(Value local) const {
    Value address = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i32(), local);
    Value ofPeer = emitMapToCta(emit, address, emit.add(emitPairLeader(emit), emit.i32(1)));
    const auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster);
    Type pointer = LLVM::LLVMPointerType::get(emit.builder.getContext(), space);
    return LLVM::IntToPtrOp::create(emit.builder, emit.location, pointer, ofPeer);
  }

  /// The CTA has the numbers of the rows or columns of iteration `i` of the loop.
  Value emitIsKept(Value i) const {
    Value bit = emit.bitAnd(i, emit.i32(int32_t(extentOfNumbers / kRowsOfScaleColumn)));
    return emit.icmp(isOfPeer ? LLVM::ICmpPredicate::ne : LLVM::ICmpPredicate::eq, bit, emit.i32(0));
  }

  /// Asked for here: loops would keep all that is computed from it in registers.
  Value emitLane() const {
    PtxInstruction lane(emit);
    const std::string result = lane.result(emit.i32());
    return lane.emit("mov.u32 " + result + ", %laneid;", PtxEffect::Memory).front();
  }

  /// Of the numbers that share a scale, if `isNegative` (an i32) is 1.
  void changeSigns(Value place, Value isNegative) const {
    Value at = emit.gep(emit.intType(8), numbersAt, place);
    Value signs = emit.mul(emit.zeroExtendOrTruncate(isNegative, 64), emit.i64(int64_t(kSignsOfNumbers)));
    emit.store(emit.bitXor(emit.load(emit.i64(), at, kBytesOfScale), signs), at, kBytesOfScale);
  }

  /// What the bits of `index` stand for, put together.
  Value emitPlace(Value index, ArrayRef<int64_t> steps) const {
    Value place = emit.i32(0);
    for (auto [bit, step] : llvm::enumerate(steps))
      place = emit.bitXor(place, emit.mul(emit.bitAnd(emit.lshr(index, bit), emit.i32(1)), emit.i32(step)));
    return place;
  }

  Emitter &emit;
  const MatrixOperand numbers, scales;
  const int64_t extent, blocks, extentOfNumbers;
  const bool isOfPeer;
  const Value numbersAt, scalesAt;
};

} // namespace

Value emitIsAnySet(Emitter &emit, ArrayRef<Value> words, uint32_t mask) {
  PtxInstruction vote(emit);
  const std::string result = vote.result(emit.i32());
  SmallVector<std::string> names = llvm::map_to_vector(words, [&](Value word) { return vote.operand(word); });
  // A tree: the compiler would make a chain of it, all of which has to be waited for.
  std::string tree;
  unsigned next = 0;
  for (unsigned i = 0; i + 1 < names.size(); i += 2) {
    const std::string both = "word" + std::to_string(next++);
    tree += llvm::formatv("or.b32 {0}, {1}, {2}; ", both, names[i], names[i + 1]);
    names.push_back(both);
  }
  Value any = vote.emit(llvm::formatv("{{ .reg .pred mine, any; .reg .b32 word<{0}>, set; {1}and.b32 set, {2}, {3}; "
                                      "setp.ne.u32 mine, set, 0; vote.sync.any.pred any, mine, 0xffffffff; selp.u32 "
                                      "{4}, 1, 0, any; }",
                                      std::max(next, 1u), tree, names.back(), mask, result)
                            .str(),
                        PtxEffect::Convergent)
                  .front();
  return emit.icmp(LLVM::ICmpPredicate::ne, any, emit.i32(0));
}

void emitMoveSigns(Emitter &emit, ArrayRef<SignedOperand> operands, bool isOfPair) {
  SmallVector<SignedTile> tiles;
  for (bool isOfPeer : {false, true})
    for (const SignedOperand &operand : operands)
      if (!isOfPeer || isOfPair)
        tiles.emplace_back(emit, operand, isOfPeer);
  SmallVector<Value> words;
  for (const SignedTile &tile : tiles)
    if (!tile.isCopy())
      tile.appendWords(words);
  emitIf(emit, emitIsAnySet(emit, words, kSignsOfScales), [&] {
    for (const SignedTile &tile : tiles)
      tile.moveSigns();
    emitSharedProxyFence(emit, /*ofCluster=*/isOfPair);
  });
  emitSyncWarp(emit);
}

} // namespace tileiras::sm100
