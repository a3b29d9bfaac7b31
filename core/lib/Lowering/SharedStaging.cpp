//===- SharedStaging.cpp - Tiles on their way through shared memory -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SharedStaging.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/SymbolNames.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

std::string getArenaName(LLVM::LLVMFuncOp function) {
  return makeInternalSymbol("shared_" + function.getSymName());
}

Value emitArenaAddress(Emitter &emit, Operation *op, int64_t offset) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  Value arena =
      LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kSharedSpace), getArenaName(function));
  return emit.gep(emit.intType(8), arena, offset);
}

Value emitScratch(Emitter &emit, Operation *op) {
  as::MemoryRangeAttr range = as::getScratch(op);
  assert(range && "operations that exchange data have been given memory");
  return emitArenaAddress(emit, op, range.getOffset());
}

void emitSharedStore(Emitter &emit, Value value, Value pointer, Value predicate) {
  unsigned bits = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  unsigned elements = isa<VectorType>(value.getType()) ? Emitter::getVectorSize(value) : 1;
  if (!predicate) {
    emit.store(value, pointer, elements * bits / 8);
    return;
  }
  unsigned total = elements * bits, word = std::min(total, bits == 64 ? 64u : 32u);
  SmallVector<Value> words = {value};
  if (total > word)
    words = emit.unpack(emit.bitcast(value, Emitter::vectorType(total / word, emit.intType(word))));
  else if (elements > 1)
    words = {emit.bitcast(value, emit.intType(word))};
  PtxInstruction store(emit);
  std::string address = store.operand(pointer), guard = store.guard(predicate);
  std::string vector = words.size() > 1 ? (".v" + Twine(words.size())).str() : "";
  store.emit(guard + "st.shared" + vector + ".b" + Twine(word) + " [" + address + "], " + store.operands(words) + ";",
             PtxEffect::Memory);
}

Value TileSlice::emitEnter(Emitter &emit, MutableArrayRef<Value> coordinates) const {
  Value inside;
  for (auto [coordinate, extent, index] : llvm::zip_equal(coordinates, extents, indices)) {
    if (!index)
      continue;
    Value box = emit.lshr(coordinate, llvm::Log2_64(extent));
    inside = emit.conjunction(inside, emit.icmp(LLVM::ICmpPredicate::eq, box, index));
    coordinate = emit.bitAnd(coordinate, emit.i32(extent - 1));
  }
  return inside;
}

bool TileSlice::isElsewhere(const LinearLayout &layout, unsigned reg) const {
  SmallVector<int64_t> at = getRegisterCoordinates(layout, reg);
  for (auto [d, index] : llvm::enumerate(indices)) {
    std::optional<int64_t> box = index ? getConstantIntValue(index) : std::nullopt;
    if (!box)
      continue;
    int64_t threadBits = 0;
    for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp})
      for (const LinearLayout::Basis &basis : layout.getBases(dim))
        threadBits |= basis[d];
    if (threadBits < extents[d] && at[d] / extents[d] != *box)
      return true;
  }
  return false;
}

unsigned getRunLength(const LinearLayout &layout, const TileSlice &slice, Type word) {
  if (layout.getRank() == 0)
    return 1;
  const int64_t most = std::min<int64_t>(128 / word.getIntOrFloatBitWidth(), slice.extents.back());
  const ArrayRef<LinearLayout::Basis> registers = layout.getBases(LayoutDim::Register);
  unsigned bits = 0;
  auto isNeighbour = [&](const LinearLayout::Basis &basis) {
    return basis.back() == int64_t(1) << bits &&
           llvm::all_of(ArrayRef(basis).drop_back(), [](int64_t at) { return at == 0; });
  };
  while (bits < registers.size() && int64_t(2) << bits <= most && isNeighbour(registers[bits]))
    ++bits;
  auto isOfRun = [&](const LinearLayout::Basis &basis) { return basis.back() % (int64_t(1) << bits) != 0; };
  while (bits > 0 && (llvm::any_of(registers.drop_front(bits), isOfRun) ||
                      llvm::any_of(layout.getBases(LayoutDim::Lane), isOfRun) ||
                      llvm::any_of(layout.getBases(LayoutDim::Warp), isOfRun)))
    --bits;
  return 1u << bits;
}

void emitStageSlice(Emitter &emit, Value carriers, const LinearLayout &layout, const TileSlice &slice, Value base) {
  SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
  Value isHolder = emitIsFirstHolder(emit, layout);
  Type word = getElementTypeOrSelf(carriers.getType());
  const unsigned run = getRunLength(layout, slice, word);
  const SmallVector<Value> values = emit.unpack(carriers);
  for (auto [reg, first] : llvm::enumerate(getFirstRegisters(layout))) {
    if (reg % run != 0 || reg != first || slice.isElsewhere(layout, reg))
      continue;
    SmallVector<Value> at = emitCoordinates(emit, thread, layout, reg);
    Value inside = slice.emitEnter(emit, at);
    Value stored = run == 1 ? values[reg] : emit.pack(ArrayRef(values).slice(reg, run));
    Value predicate = emit.conjunction(isHolder, inside);
    emitSharedStore(emit, stored, emit.gep(word, base, emitFlatIndex(emit, at, slice.extents)), predicate);
  }
}

void emitStage(Emitter &emit, Value carriers, const LinearLayout &layout, Value base) {
  int64_t size = layout.getNumElements();
  emitStageSlice(emit, carriers, layout.reshape({size}), TileSlice{{size}, {Value()}}, base);
}

void emitLoadSlice(Emitter &emit, const LinearLayout &layout, const TileSlice &slice, Value base, Type word,
                   MutableArrayRef<Value> registers) {
  SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
  const unsigned run = getRunLength(layout, slice, word), bytes = word.getIntOrFloatBitWidth() / 8;
  const Type type = run == 1 ? word : Emitter::vectorType(run, word);
  for (unsigned first = 0; first < registers.size(); first += run) {
    if (slice.isElsewhere(layout, first))
      continue;
    SmallVector<Value> at = emitCoordinates(emit, thread, layout, first);
    Value inside = slice.emitEnter(emit, at); // Coordinates outside become some inside: the load is safe.
    Value loaded = emit.load(type, emit.gep(word, base, emitFlatIndex(emit, at, slice.extents)), run * bytes);
    for (unsigned i = 0; i < run; ++i) {
      Value element = run == 1 ? loaded : emit.extract(loaded, i), &value = registers[first + i];
      value = value && inside ? emit.select(inside, element, value) : element;
    }
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

ExchangeRounds::ExchangeRounds(int64_t limit, ArrayRef<int64_t> shape, unsigned elementBytes)
    : shape(shape), extents(shape) {
  while (getBoxElements() * elementBytes > limit)
    *llvm::max_element(extents) /= 2;
}

int64_t ExchangeRounds::getBoxElements() const {
  return llvm::product_of(extents);
}

SmallVector<TileSlice> ExchangeRounds::emitBoxes(Emitter &emit) const {
  SmallVector<TileSlice> boxes;
  for (int64_t number = 0, rounds = llvm::product_of(shape) / getBoxElements(); number < rounds; ++number) {
    TileSlice &box = boxes.emplace_back(TileSlice{extents, {}});
    int64_t rest = number;
    for (auto [size, extent] : llvm::zip_equal(shape, extents)) {
      box.indices.push_back(size == extent ? Value() : emit.i32(rest % (size / extent)));
      rest /= size / extent;
    }
  }
  return boxes;
}

void ExchangeRounds::emit(Emitter &emit, llvm::function_ref<void(const TileSlice &box)> round) const {
  for (auto [number, box] : llvm::enumerate(emitBoxes(emit))) {
    if (number > 0) // The round before may still be being read.
      emit.barrier();
    round(box);
  }
}

//===----------------------------------------------------------------------===//
// One holder tells the others
//===----------------------------------------------------------------------===//

namespace {

bool hasCopies(const LinearLayout &layout) {
  return layout.getReplicationMask(LayoutDim::Lane) || layout.getReplicationMask(LayoutDim::Warp);
}

} // namespace

int64_t getHolderBroadcastBytes(const LoweringContext &lowering, Type type, Operation *op) {
  unsigned bytes = llvm::divideCeil(getMemoryBits(getElementTypeOrSelf(type)), 8);
  if (!isa<RankedTensorType>(type))
    return bytes;
  LinearLayout layout = getLayout(type);
  if (!hasCopies(layout))
    return 0;
  return ExchangeRounds(lowering.getScratchLimit(op), layout.getNumElements(), bytes).getBoxElements() * bytes;
}

Value emitHolderBroadcast(Emitter &emit, const LoweringContext &lowering, Value value, Type type, Operation *op) {
  if (getHolderBroadcastBytes(lowering, type, op) == 0)
    return value;
  Value scratch = emitScratch(emit, op);
  Value carrier = toCarrier(emit, value);
  Type word = getElementTypeOrSelf(carrier.getType());
  unsigned bytes = word.getIntOrFloatBitWidth() / 8;
  if (!isa<RankedTensorType>(type)) {
    emitSharedStore(emit, carrier, scratch, emitIsFirstThread(emit));
    emit.barrier();
    return fromCarrier(emit, emit.load(word, scratch, bytes), value.getType());
  }
  LinearLayout layout = getLayout(type), flat = layout.reshape({layout.getNumElements()});
  SmallVector<Value> registers(layout.getInSize(LayoutDim::Register), Value());
  ExchangeRounds(lowering.getScratchLimit(op), layout.getNumElements(), bytes).emit(emit, [&](const TileSlice &box) {
    emitStageSlice(emit, carrier, flat, box, scratch);
    emit.barrier();
    emitLoadSlice(emit, flat, box, scratch, word, registers);
  });
  return fromCarrier(emit, emit.pack(registers), value.getType());
}

} // namespace tileiras
