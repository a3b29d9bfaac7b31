//===- LayoutConversion.cpp - From one register layout to another ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/LayoutUtils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/SharedStaging.h"

using namespace mlir;

namespace tileiras {

namespace {

//===----------------------------------------------------------------------===//
// Within a warp
//===----------------------------------------------------------------------===//

/// Element i of the result is element i ^ m of `vector`, m a ThreadFunction: one conditional exchange for each bit of
/// the thread that matters.
Value emitSwap(Emitter &emit, Value vector, const ThreadFunction &swap) {
  unsigned size = Emitter::getVectorSize(vector);
  auto exchange = [&](unsigned bit, int64_t distance) {
    if (distance == 0)
      return;
    SmallVector<int32_t> indices;
    for (unsigned i = 0; i < size; ++i)
      indices.push_back(i ^ distance);
    Value isSet = emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(emit.threadId(), emit.i32(1 << bit)), emit.i32(0));
    vector = emit.select(isSet, emit.shuffleElements(vector, indices), vector);
  };
  for (auto [bit, distance] : llvm::enumerate(swap.lane))
    exchange(bit, distance);
  for (auto [bit, distance] : llvm::enumerate(swap.warp))
    exchange(5 + bit, distance);
  return vector;
}

Value permuteRegisters(Emitter &emit, Value vector, ArrayRef<unsigned> indices) {
  return emit.shuffleElements(vector, SmallVector<int32_t>(indices.begin(), indices.end()));
}

/// One round: the values it names, packed into as few 32-bit registers as they take, come from another lane.
void emitShuffleRound(Emitter &emit, const WarpShufflePlan &plan, const ShuffleRound &round, Value lane,
                      SmallVectorImpl<Value> &values) {
  SmallVector<Value> packed;
  for (unsigned t : round.values)
    packed.push_back(values[t]);
  Value carrier = packed.front();
  unsigned bits = carrier.getType().getIntOrFloatBitWidth() * packed.size();
  if (packed.size() > 1)
    carrier = emit.bitcast(emit.pack(packed), emit.intType(bits));
  ShuffleKind kind = plan.isButterfly() ? ShuffleKind::Butterfly : ShuffleKind::Index;
  Value from = plan.isButterfly() ? emit.i32(round.laneXor) : emit.bitXor(lane, emit.i32(round.laneXor));
  Value moved = emitShuffle(emit, kind, carrier, from);
  if (packed.size() == 1) {
    values[round.values.front()] = moved;
    return;
  }
  SmallVector<Value> parts =
      emit.unpack(emit.bitcast(moved, Emitter::vectorType(packed.size(), packed.front().getType())));
  for (auto [t, part] : llvm::zip_equal(round.values, parts))
    values[t] = part;
}

Value emitWarpShuffle(Emitter &emit, Value vector, const WarpShufflePlan &plan) {
  Value exchanged = permuteRegisters(emit, emitSwap(emit, vector, plan.sendSwap), plan.sendRegister);
  if (!plan.rounds.empty()) {
    Value lane = plan.isButterfly() ? Value() : emitThreadFunction(emit, plan.sourceLane);
    SmallVector<Value> values = emit.unpack(exchanged);
    // Rounds are independent: all of them read what the lanes held before.
    SmallVector<Value> received = values;
    for (const ShuffleRound &round : plan.rounds) {
      SmallVector<Value> sent = values;
      emitShuffleRound(emit, plan, round, lane, sent);
      for (unsigned t : round.values)
        received[t] = sent[t];
    }
    exchanged = emit.pack(received);
  }
  return permuteRegisters(emit, emitSwap(emit, exchanged, plan.receiveSwap), plan.resultRegister);
}

//===----------------------------------------------------------------------===//
// Through shared memory
//===----------------------------------------------------------------------===//

/// The widest part of an exchange that fits into the scratch area at once: offsets that agree in all bits from
/// `chunkBits` on.
struct ChunkedExchange {
  unsigned chunkBits;
  int64_t numChunks, chunkBytes;

  static ChunkedExchange get(int64_t limit, const SharedConversion &plan) {
    const LinearLayout &layout = plan.exchange.layout;
    unsigned bits = layout.getNumBits(LayoutDim::Offset);
    ChunkedExchange chunks{bits, 1, plan.bytes};
    while (chunks.chunkBytes > limit) {
      --chunks.chunkBits;
      chunks.numChunks *= 2;
      chunks.chunkBytes /= 2;
    }
    return chunks;
  }
};

/// Emits the accesses of an exchange, chunk by chunk. `Carrier` is the integer type of an element.
class SharedAccessEmitter {
public:
  /// `origin`: an offset that each access is moved by. Bits of it within a vector change the order of its elements.
  SharedAccessEmitter(Emitter &emit, Value base, Type carrier, unsigned chunkBits, unsigned numRegisters,
                      int64_t origin = 0)
      : emit(emit), base(base), carrier(carrier), bits(carrier.getIntOrFloatBitWidth()), chunkBits(chunkBits),
        origin(origin), registers(numRegisters), words(numRegisters * bits / 32) {}

  /// Matrix instructions are collective: whether they belong to a chunk must not depend on the thread.
  const MatrixAccessPlan *getMatrix(const SharedAccess &access) const {
    return access.matrix && isUniform(access.matrix->rowOffset) ? &*access.matrix : nullptr;
  }

  void store(const SharedAccess &access, int64_t chunk, Value vector, Value predicate) {
    if (const MatrixAccessPlan *matrix = getMatrix(access))
      return storeMatrices(*matrix, chunk, vector, predicate);
    Value thread = emitThreadFunction(emit, access.vector.offset);
    for (const VectorAccess &part : access.vector.accesses) {
      if (isElsewhere(access.vector.offset, part.offset, chunk))
        continue;
      Value inside = emitInside(access.vector.offset, thread, part.offset, chunk);
      SmallVector<int32_t> indices(part.registers.begin(), part.registers.end());
      Value value = indices.size() == 1 ? emit.extract(vector, indices[0]) : emit.shuffleElements(vector, indices);
      emitSharedStore(emit, value, getPointer(access.vector.offset, thread, part.offset),
                      emit.conjunction(predicate, inside));
    }
  }

  void load(const SharedAccess &access, int64_t chunk) {
    if (const MatrixAccessPlan *matrix = getMatrix(access))
      return loadMatrices(*matrix, chunk);
    Value thread = emitThreadFunction(emit, access.vector.offset);
    for (const VectorAccess &part : access.vector.accesses)
      if (!isElsewhere(access.vector.offset, part.offset, chunk))
        loadVector(part, getPointer(access.vector.offset, thread, part.offset ^ getOriginWithin(part)),
                   emitInside(access.vector.offset, thread, part.offset, chunk));
  }

  /// What the loads of all chunks have brought.
  Value getLoaded() {
    if (!words.empty() && llvm::all_of(words, [](Value word) { return bool(word); }))
      return emit.bitcast(emit.pack(words), Emitter::vectorType(registers.size(), carrier));
    Value undefined;
    for (Value &reg : registers)
      if (!reg)
        reg = undefined = undefined ? undefined : emit.poison(carrier);
    return emit.pack(registers);
  }

private:
  /// The chunk of an access is the same in all threads.
  bool isUniform(const ThreadFunction &function) const {
    auto isLow = [&](int64_t basis) { return basis >> chunkBits == 0; };
    return llvm::all_of(function.lane, isLow) && llvm::all_of(function.warp, isLow);
  }
  bool isElsewhere(const ThreadFunction &function, int64_t offset, int64_t chunk) const {
    return isUniform(function) && offset >> chunkBits != chunk;
  }
  /// Whether this thread's access belongs to the chunk; null where all of them do.
  Value emitInside(const ThreadFunction &function, Value thread, int64_t offset, int64_t chunk) {
    if (isUniform(function))
      return {};
    Value own = emit.lshr(emit.bitXor(thread, emit.i32(offset)), chunkBits);
    return emit.icmp(LLVM::ICmpPredicate::eq, own, emit.i32(chunk));
  }

  /// Bits of the offset that no thread changes are in the instruction: one address serves all accesses that differ in
  /// such bits only.
  Value getPointer(const ThreadFunction &function, Value thread, int64_t offset) {
    const int64_t mask = (int64_t(1) << chunkBits) - 1;
    offset ^= origin;
    int64_t ofThreads = 0;
    for (int64_t basis : llvm::concat<const int64_t>(function.lane, function.warp))
      ofThreads |= basis;
    Value inChunk = emit.bitXor(thread, emit.i32(offset & mask & ofThreads));
    if (!isUniform(function))
      inChunk = emit.bitAnd(inChunk, emit.i32(mask));
    return emit.gep(carrier, emit.gep(carrier, base, inChunk), offset & mask & ~ofThreads);
  }

  unsigned getAlignment(unsigned elements) const { return elements * bits / 8; }

  unsigned getOriginWithin(const VectorAccess &part) const { return origin & (part.registers.size() - 1); }

  void loadVector(const VectorAccess &part, Value pointer, Value inside) {
    unsigned count = part.registers.size();
    Value loaded = count == 1 ? emit.load(carrier, pointer, getAlignment(1))
                              : emit.load(Emitter::vectorType(count, carrier), pointer, getAlignment(count));
    for (auto [i, reg] : llvm::enumerate(part.registers)) {
      Value element = count == 1 ? loaded : emit.extract(loaded, i ^ getOriginWithin(part));
      registers[reg] = inside && registers[reg] ? emit.select(inside, element, registers[reg]) : element;
    }
  }

  static std::string getStoreText(const MatrixAccessPlan &plan) {
    return ("stmatrix.sync.aligned.m8n8.x" + Twine(plan.matrices) + (plan.transposed ? ".trans" : "") + ".shared.b16 ")
        .str();
  }

  /// The words that one instruction loads.
  SmallVector<Value> loadMatrices(const MatrixAccessPlan &plan, Value pointer) {
    MLIRContext *context = emit.builder.getContext();
    Type words = LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(plan.matrices, emit.i32()));
    Value loaded =
        NVVM::LdMatrixOp::create(emit.builder, emit.location, plan.matrices == 1 ? emit.i32() : words, pointer,
                                 plan.matrices, plan.transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
                                 NVVM::LdStMatrixShapeAttr::get(context, 8, 8), NVVM::LdStMatrixEltType::B16);
    if (plan.matrices == 1)
      return {loaded};
    return llvm::map_to_vector(llvm::seq(plan.matrices), [&](unsigned i) { return emit.extractField(loaded, i); });
  }

  void loadMatrices(const MatrixAccessPlan &plan, int64_t chunk) {
    const unsigned perWord = 32 / bits;
    Value row = emitThreadFunction(emit, plan.rowOffset);
    for (const MatrixAccess &access : plan.accesses) {
      if (isElsewhere(plan.rowOffset, access.offset, chunk))
        continue;
      SmallVector<Value> loaded = loadMatrices(plan, getPointer(plan.rowOffset, row, access.offset));
      if (plan.mixed)
        mixBytes(loaded, {{0x6420, 0x7531}, {0x2064, 0x3175}}, plan.swapped);
      for (auto [matrix, word] : llvm::enumerate(loaded)) {
        ArrayRef<unsigned> targets = ArrayRef(access.registers).slice(matrix * perWord, perWord);
        if (perWord == 1) {
          registers[targets[0]] = word;
          continue;
        }
        bool inOrder = targets[0] % perWord == 0 && llvm::equal(targets, llvm::seq(targets[0], targets[0] + perWord));
        if (inOrder)
          words[targets[0] / perWord] = word;
        Value elements = emit.bitcast(word, Emitter::vectorType(perWord, carrier));
        for (auto [i, reg] : llvm::enumerate(targets))
          registers[reg] = emit.extract(elements, i);
      }
    }
  }

  /// What `prmt` is told for the first and the second of two words, and where the two have changed places.
  struct ByteSelectors {
    int64_t inOrder[2], swapped[2];
  };

  /// Each two words become two others, made of the bytes of both; `isSwapped`: lanes with bit 1 set have them swapped.
  void mixBytes(MutableArrayRef<Value> words, const ByteSelectors &selectors, bool isSwapped) {
    Value selector[2];
    for (unsigned i : {0, 1})
      selector[i] = emit.i32(selectors.inOrder[i]);
    if (isSwapped) {
      Value isOther = emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(emit.laneId(), emit.i32(2)), emit.i32(0));
      for (unsigned i : {0, 1})
        selector[i] = emit.select(isOther, emit.i32(selectors.swapped[i]), selector[i]);
    }
    for (; !words.empty(); words = words.drop_front(2)) {
      const Value first = words[0], second = words[1];
      for (unsigned i : {0, 1}) {
        PtxInstruction permute(emit);
        std::string result = permute.result(emit.i32()), a = permute.operand(first), b = permute.operand(second),
                    bytes = permute.operand(selector[i]);
        words[i] = permute.emit("prmt.b32 " + result + ", " + a + ", " + b + ", " + bytes + ";").front();
      }
    }
  }

  void storeMatrices(const MatrixAccessPlan &plan, int64_t chunk, Value vector, Value predicate) {
    const unsigned perWord = 32 / bits;
    Value row = emitThreadFunction(emit, plan.rowOffset);
    for (const MatrixAccess &access : plan.accesses) {
      if (isElsewhere(plan.rowOffset, access.offset, chunk))
        continue;
      PtxInstruction store(emit, PtxLanes::Aligned);
      std::string address = store.operand(getPointer(plan.rowOffset, row, access.offset));
      std::string guard = store.guard(predicate);
      SmallVector<Value> words;
      for (unsigned matrix = 0; matrix < plan.matrices; ++matrix) {
        auto sources = ArrayRef(access.registers).slice(matrix * perWord, perWord);
        SmallVector<int32_t> indices(sources.begin(), sources.end());
        words.push_back(perWord == 1 ? emit.extract(vector, indices[0])
                                     : emit.bitcast(emit.shuffleElements(vector, indices), emit.i32()));
      }
      if (plan.mixed)
        mixBytes(words, {{0x5140, 0x7362}, {0x7362, 0x5140}}, plan.swapped);
      store.emit(guard + getStoreText(plan) + "[" + address + "], " + store.operandFragment(words) + ";",
                 PtxEffect::Memory);
    }
  }

  Emitter &emit;
  Value base;
  Type carrier;
  unsigned bits, chunkBits;
  int64_t origin;
  SmallVector<Value> registers; ///< of the destination, as far as loaded
  SmallVector<Value> words;     ///< those 32-bit words that came whole and belong to registers in order
};

/// True in the threads that have to store; null: all of them. Lanes do not count where an instruction takes them all.
Value emitStorePredicate(Emitter &emit, const SharedConversion &plan, bool isCollective) {
  uint64_t mask = plan.storeWarpMask << 5;
  if (!isCollective)
    mask |= plan.storeLaneMask;
  return emitIsClear(emit, mask);
}

Value emitSharedConversion(Emitter &emit, const LoweringContext &lowering, Value vector, const SharedConversion &plan,
                           unsigned numRegisters, Operation *op) {
  Type carrier = getElementTypeOrSelf(vector.getType());
  ChunkedExchange chunks = ChunkedExchange::get(lowering.getScratchLimit(op), plan);
  SharedAccessEmitter accesses(emit, emitScratch(emit, op), carrier, chunks.chunkBits, numRegisters);
  Value isStoring = emitStorePredicate(emit, plan, accesses.getMatrix(plan.exchange.store));
  for (int64_t chunk = 0; chunk < chunks.numChunks; ++chunk) {
    if (chunk > 0) // The chunk before may still be being read.
      emit.barrier();
    accesses.store(plan.exchange.store, chunk, vector, isStoring);
    emit.barrier();
    accesses.load(plan.exchange.load, chunk);
  }
  return permuteRegisters(emit, accesses.getLoaded(), plan.loadedRegister);
}

/// Of the element at `coordinates`; the first where there are none.
int64_t getOffsetOf(const LinearLayout &shared, ArrayRef<int64_t> coordinates) {
  if (coordinates.empty())
    return 0;
  int64_t element = 0;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, shared.getOutSizes()))
    element = element * size + coordinate;
  return combineBits(getElementOffsets(shared), element);
}

/// All of a tile in shared memory at once.
unsigned getOffsetBits(const LinearLayout &shared) {
  return shared.getNumBits(LayoutDim::Offset);
}

/// A vector of the registers as they are after `swaps`, which move words.
Value emitSwaps(Emitter &emit, Value vector, ArrayRef<RegisterSwap> swaps) {
  if (swaps.empty())
    return vector;
  const Type type = vector.getType();
  const unsigned perWord = getElementsPerWord(getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  if (perWord > 1)
    vector = emit.bitcast(vector, Emitter::vectorType(Emitter::getVectorSize(vector) / perWord, emit.intType(32)));
  for (auto [lane, reg] : swaps) {
    Value isSwapped = emit.icmp(LLVM::ICmpPredicate::ne, emit.bitAnd(emit.laneId(), emit.i32(1 << lane)), emit.i32(0));
    const SmallVector<Value> values = emit.unpack(vector);
    SmallVector<Value> swapped;
    for (size_t i = 0; i < values.size(); ++i)
      swapped.push_back(emit.select(isSwapped, values[i ^ (size_t(1) << reg) / perWord], values[i]));
    vector = emit.pack(swapped);
  }
  return emit.bitcast(vector, type);
}

} // namespace

void emitSharedTileStore(Emitter &emit, const LoweringContext &lowering, Value carriers, const LinearLayout &layout,
                         const LinearLayout &shared, Value base, bool mayBeMatrices) {
  Type carrier = getElementTypeOrSelf(carriers.getType());
  const unsigned bits = carrier.getIntOrFloatBitWidth();
  const LinearLayout own = layout.removeRegisterReplicas();
  SharedAccess plan = planSharedAccess(own, shared, bits, mayBeMatrices && lowering.features().stmatrix);
  Value registers = permuteRegisters(emit, carriers, *as::getRegisterMap(layout, own));
  if (!plan.matrix && plan.traffic.conflicts != 0) {
    LinearLayout swapped = own;
    registers = emitSwaps(emit, registers, swapRegisters(swapped, shared, bits));
    plan = planSharedAccess(swapped, shared, bits, /*allowMatrix=*/false);
  }
  SharedAccessEmitter accesses(emit, base, carrier, getOffsetBits(shared), own.getInSize(LayoutDim::Register));
  uint64_t copies = layout.getReplicationMask(LayoutDim::Warp) << 5;
  if (!plan.matrix)
    copies |= layout.getReplicationMask(LayoutDim::Lane);
  accesses.store(plan, /*chunk=*/0, registers, emitIsClear(emit, copies));
}

Value emitSharedTileLoad(Emitter &emit, const LoweringContext &lowering, Type carrier, const LinearLayout &layout,
                         const LinearLayout &shared, Value base, bool mayBeMatrices, ArrayRef<int64_t> origin) {
  LinearLayout own = layout.removeRegisterReplicas();
  const unsigned bits = carrier.getIntOrFloatBitWidth();
  const int64_t offset = getOffsetOf(shared, origin);
  // Matrices' rows are 16 bytes in a row.
  const bool hasRows = offset * bits % 128 == 0;
  SharedAccess plan = planSharedAccess(own.within(shared.getOutSizes()), shared, bits,
                                       mayBeMatrices && lowering.features().ldmatrix && hasRows);
  const unsigned numRegisters = own.getInSize(LayoutDim::Register);
  SharedAccessEmitter accesses(emit, base, carrier, getOffsetBits(shared), numRegisters, offset);
  accesses.load(plan, /*chunk=*/0);
  return permuteRegisters(emit, accesses.getLoaded(), *as::getRegisterMap(own, layout));
}

int64_t getConversionScratchBytes(const LoweringContext &lowering, Type element, const LinearLayout &source,
                                  const LinearLayout &destination, Operation *op) {
  return getConversionScratchBytes(lowering,
                                   lowering.getConversionPlan(8 * getCarrierBytes(element), source, destination), op);
}

int64_t getConversionScratchBytes(const LoweringContext &lowering, const ConversionPlan &plan, Operation *op) {
  return plan.shared ? ChunkedExchange::get(lowering.getScratchLimit(op), *plan.shared).chunkBytes : 0;
}

Value emitPlannedConversion(Emitter &emit, const LoweringContext &lowering, Value value, const ConversionPlan &plan,
                            const LinearLayout &destination, Operation *op) {
  if (plan.kind == ConversionKind::Nothing || plan.kind == ConversionKind::RegisterPermutation)
    return permuteRegisters(emit, value, plan.registerMap);
  Value carrier = toCarrier(emit, value);
  const unsigned numRegisters = destination.getInSize(LayoutDim::Register);
  Value moved = plan.kind == ConversionKind::WarpShuffle
                    ? emitWarpShuffle(emit, carrier, *plan.shuffle)
                    : emitSharedConversion(emit, lowering, carrier, *plan.shared, numRegisters, op);
  return fromCarrier(emit, moved, Emitter::vectorType(numRegisters, getElementTypeOrSelf(value.getType())));
}

Value emitConversion(Emitter &emit, const LoweringContext &lowering, Value value, const LinearLayout &source,
                     const LinearLayout &destination, Operation *op) {
  const unsigned bits = 8 * getCarrierBytes(getElementTypeOrSelf(value.getType()));
  const ConversionPlan &plan = lowering.getConversionPlan(bits, source, destination);
  return emitPlannedConversion(emit, lowering, value, plan, destination, op);
}

} // namespace tileiras
