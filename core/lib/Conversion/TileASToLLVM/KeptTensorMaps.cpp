//===- KeptTensorMaps.cpp - Tensor maps that outlive a launch -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptTensorMaps.h"
#include "Patterns.h"
#include "TensorMaps.h"
#include "tileiras/Lowering/ControlFlow.h"
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

// Entries where maps of a key may be, one behind the other: more take longer to find that there is none.
static constexpr unsigned kPlaces = 4;

Value emitFindKept(Emitter &emit, Value keyWord) {
  Value keys =
      LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kGlobalSpace), getTensorMapKeysName());
  PtxInstruction ptx(emit);
  const std::string result = ptx.result(emit.i32()), key = ptx.operand(keyWord), base = ptx.operand(keys);
  // The hash is MurmurHash3's of single words, joined by the lanes.
  const std::string text = llvm::formatv("{{\n"
                                         ".reg .pred same, kept, mine, more;\n"
                                         ".reg .b32 lane, hash, places, entry, there, state, found;\n"
                                         ".reg .b64 at;\n"
                                         "mov.u32 lane, %laneid;\n"
                                         "mad.lo.u32 hash, lane, 0x9e3779b9, {1};\n"
                                         "mul.lo.u32 hash, hash, 0x85ebca6b;\n"
                                         "shr.u32 there, hash, 13;\n"
                                         "xor.b32 hash, hash, there;\n"
                                         "mul.lo.u32 hash, hash, 0xc2b2ae35;\n"
                                         "shr.u32 there, hash, 16;\n"
                                         "xor.b32 hash, hash, there;\n"
                                         "redux.sync.xor.b32 hash, hash, 0xffffffff;\n"
                                         "mov.u32 places, {3};\n"
                                         "LOOK:\n"
                                         "rem.u32 entry, hash, {4};\n"
                                         "shl.b32 found, entry, 1;\n"
                                         "mad.wide.u32 at, entry, {5}, {2};\n"
                                         "mad.wide.u32 at, lane, 4, at;\n"
                                         "ld.acquire.gpu.global.b32 there, [at];\n"
                                         "setp.eq.b32 same, there, {1};\n"
                                         "vote.sync.all.pred kept, same, 0xffffffff;\n"
                                         "@kept bra FOUND;\n"
                                         "setp.eq.u32 mine, lane, {6};\n"
                                         "setp.eq.and.u32 mine, there, {7}, mine;\n"
                                         "mov.b32 state, {8};\n"
                                         "@mine atom.relaxed.gpu.global.cas.b32 state, [at], {7}, {8};\n"
                                         "shfl.sync.idx.b32 state, state, {6}, 31, 0xffffffff;\n"
                                         "setp.eq.u32 mine, state, {7};\n"
                                         "add.u32 found, found, 1;\n"
                                         "@mine bra FOUND;\n"
                                         "mov.b32 found, -1;\n"
                                         "add.u32 hash, hash, 1;\n"
                                         "sub.u32 places, places, 1;\n"
                                         "setp.ne.u32 more, places, 0;\n"
                                         "@more bra LOOK;\n"
                                         "FOUND:\n"
                                         "mov.b32 {0}, found;\n}",
                                         result, key, base, kPlaces, kKeptMaps, kKeyWords * 4, kStateLane,
                                         unsigned(kFree), unsigned(kBeingBuilt));
  return ptx.emit(text, PtxEffect::Memory).front();
}

void emitKeep(Emitter &emit, Value entry, Value keyWord) {
  Value keys =
      LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kGlobalSpace), getTensorMapKeysName());
  Value lane = emit.laneId(), isState = emit.icmp(LLVM::ICmpPredicate::eq, lane, emit.i32(kStateLane));
  Value word = emit.add(emit.mul(entry, emit.i32(kKeyWords)), lane);
  auto emitStore = [&](StringRef order, Value predicate) {
    PtxInstruction ptx(emit);
    std::string address = ptx.operand(emit.gep(emit.i32(), keys, word)), value = ptx.operand(keyWord);
    ptx.emit(ptx.guard(predicate) + "st." + order + ".gpu.global.b32 [" + address + "], " + value + ";",
             PtxEffect::Memory);
  };
  emitStore("relaxed", emit.bitXor(isState, emit.i1(true)));
  emitSyncWarp(emit); // with the state, all that the warp has done is released
  emitStore("release", isState);
}

} // namespace tileiras
