//===- KeptTensorMaps.cpp - Tensor maps that outlive a launch -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptTensorMaps.h"
#include "TensorMaps.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

std::optional<unsigned> getNumKeyWords(Type parameter) {
  if (isa<LLVM::LLVMPointerType>(parameter))
    return 2;
  if (!parameter.isInteger() || parameter.getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  return parameter.getIntOrFloatBitWidth() > 32 ? 2 : 1;
}

static void appendWords(Emitter &emit, Value parameter, SmallVectorImpl<Value> &words) {
  Value value = parameter;
  if (isa<LLVM::LLVMPointerType>(value.getType()))
    value = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), value);
  const unsigned count = *getNumKeyWords(parameter.getType());
  for (unsigned word = 0; word < count; ++word)
    words.push_back(emit.zeroExtendOrTruncate(word == 0 ? value : emit.lshr(value, 32 * word), 32));
}

Value emitKeyWord(Emitter &emit, ValueRange parameters, unsigned kernel) {
  SmallVector<Value> words;
  for (Value parameter : parameters)
    appendWords(emit, parameter, words);
  Value lane = emit.laneId();
  auto isLane = [&](unsigned number) { return emit.icmp(LLVM::ICmpPredicate::eq, lane, emit.i32(number)); };
  Value mine = emit.select(isLane(kStateLane), emit.i32(kKeptFor + kernel), emit.i32(0));
  for (auto [number, word] : llvm::enumerate(words))
    mine = emit.select(isLane(number), word, mine);
  return mine;
}

// The hash is MurmurHash3's of single words, joined by the lanes. An entry that is being built may be for the same key:
// another one would be one too many.
static constexpr StringLiteral kFindText = R"({{
.reg .pred same, kept, mine, more;
.reg .b32 lane, hash, places, entry, there, state, found;
.reg .b64 at;
mov.u32 lane, %laneid;
mad.lo.u32 hash, lane, 0x9e3779b9, {1};
mul.lo.u32 hash, hash, 0x85ebca6b;
shr.u32 there, hash, 13;
xor.b32 hash, hash, there;
mul.lo.u32 hash, hash, 0xc2b2ae35;
shr.u32 there, hash, 16;
xor.b32 hash, hash, there;
redux.sync.xor.b32 hash, hash, 0xffffffff;
mov.u32 places, {3};
LOOK:
rem.u32 entry, hash, {4};
shl.b32 found, entry, 1;
mad.wide.u32 at, entry, {5}, {2};
mad.wide.u32 at, lane, 4, at;
ld.acquire.gpu.global.b32 there, [at];
setp.eq.b32 same, there, {1};
vote.sync.all.pred kept, same, 0xffffffff;
@kept bra FOUND;
setp.eq.u32 mine, lane, {6};
setp.eq.and.u32 mine, there, {7}, mine;
mov.b32 state, there;
@mine atom.relaxed.gpu.global.cas.b32 state, [at], {7}, {8};
shfl.sync.idx.b32 state, state, {6}, 31, 0xffffffff;
setp.eq.u32 mine, state, {7};
add.u32 found, found, 1;
@mine bra FOUND;
mov.b32 found, -1;
add.u32 hash, hash, 1;
sub.u32 places, places, 1;
setp.ne.u32 more, places, 0;
setp.ne.and.u32 more, state, {8}, more;
@more bra LOOK;
FOUND:
mov.b32 {0}, found;
})";

Value emitFindKept(Emitter &emit, Value keyWord, int64_t places) {
  Value keys = emitAddressOf(emit, getTensorMapKeysName());
  PtxInstruction ptx(emit);
  const std::string result = ptx.result(emit.i32()), key = ptx.operand(keyWord), base = ptx.operand(keys);
  const std::string text = llvm::formatv(kFindText.data(), result, key, base, places, kKeptMaps, kKeyWords * 4,
                                         kStateLane, unsigned(kFree), unsigned(kBeingBuilt));
  return ptx.emit(text, PtxEffect::Memory).front();
}

void emitKeep(Emitter &emit, Value entry, Value keyWord) {
  Value keys = emitAddressOf(emit, getTensorMapKeysName());
  Value lane = emit.laneId(), isState = emit.icmp(LLVM::ICmpPredicate::eq, lane, emit.i32(kStateLane));
  Value word = emit.add(emit.mul(entry, emit.i32(kKeyWords)), lane);
  auto emitStore = [&](StringRef order, Value predicate) {
    PtxInstruction ptx(emit);
    std::string address = ptx.operand(emit.gep(emit.i32(), keys, word)), value = ptx.operand(keyWord);
    ptx.emit(ptx.guard(predicate) + "st." + order + ".gpu.global.b32 [" + address + "], " + value + ";",
             PtxEffect::Memory);
  };
  emitStore("relaxed", emit.bitNot(isState));
  emitSyncWarp(emit); // with the state, all that the warp has done is released
  emitStore("release", isState);
}

} // namespace tileiras
