//===- SharedMemory.cpp - The scratch area of a function ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryInstructions.h"
#include "Preparation.h"
#include "SymbolNames.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

static std::string getScratchName(LLVM::LLVMFuncOp function) {
  return makeInternalSymbol("scratch_" + function.getSymName());
}

void createSharedArray(OpBuilder &builder, Location location, const std::string &name, int64_t bytes,
                       int64_t alignment) {
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto linkage = bytes != 0 ? LLVM::Linkage::Internal : LLVM::Linkage::External;
  auto array = LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/false, linkage, name, Attribute(),
                                      alignment, kSharedSpace);
  if (bytes == 0)
    return;
  OpBuilder body(builder.getContext()); // Shared memory cannot be initialised.
  body.createBlock(&array.getInitializerRegion());
  Emitter emit(body, location);
  LLVM::ReturnOp::create(body, location, emit.poison(type));
}

void LoweringContext::reserveSharedMemory(int64_t bytes) {
  // Below that there would be more barriers than anything else: the launch provides it.
  constexpr int64_t smallest = 4096, alignment = 128;
  exchangeLimit =
      std::max<int64_t>(smallest, llvm::alignDown(exchangeLimit - std::min(bytes, exchangeLimit), alignment));
}

int64_t getNumThreads(LLVM::LLVMFuncOp kernel) {
  return kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid").asArrayRef().front();
}

LogicalResult allocateScratch(const LoweringContext &lowering, LLVM::LLVMFuncOp function, int64_t ownBytes) {
  const MachineModel &machine = lowering.machine();
  int64_t bytes = 0;
  function.walk([&](Operation *op) { bytes = std::max(bytes, getScratchBytes(lowering, op)); });
  if (bytes + ownBytes > machine.sharedMemoryBytes)
    return function.emitError("'") << function.getSymName() << "' uses too much shared data (0x"
                                   << llvm::utohexstr(bytes + ownBytes, /*LowerCase=*/true) << " bytes, 0x"
                                   << llvm::utohexstr(machine.sharedMemoryBytes, /*LowerCase=*/true)
                                   << " max); use smaller tiles";
  if (bytes == 0)
    return success();
  bool isStatic = bytes + ownBytes <= machine.staticSharedMemoryBytes;
  OpBuilder builder(function);
  createSharedArray(builder, function.getLoc(), getScratchName(function), isStatic ? bytes : 0, /*alignment=*/128);
  if (isStatic)
    return success();
  function->setAttr(kDynamicSharedBytesAttr, builder.getI64IntegerAttr(bytes));
  remarkMissed(function, "StaticSharedMemory", "memory")
      << "the launch has to provide " << std::to_string(bytes)
      << " bytes of dynamic shared memory: static arrays end at " << std::to_string(machine.staticSharedMemoryBytes);
  return success();
}

Value emitScratch(Emitter &emit, Operation *op) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  return LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kSharedSpace), getScratchName(function));
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

void emitStageSlice(Emitter &emit, Value carriers, const LinearLayout &layout, const TileSlice &slice, Value base) {
  SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
  Value isHolder = emitIsFirstHolder(emit, layout);
  Type word = getElementTypeOrSelf(carriers.getType());
  for (auto [reg, first] : llvm::enumerate(getFirstRegisters(layout))) {
    if (reg != first || slice.isElsewhere(layout, reg))
      continue;
    SmallVector<Value> at = emitCoordinates(emit, thread, layout, reg);
    Value inside = slice.emitEnter(emit, at);
    emitSharedStore(emit, emit.extract(carriers, reg), emit.gep(word, base, emitFlatIndex(emit, at, slice.extents)),
                    emit.conjunction(isHolder, inside));
  }
}

void emitStage(Emitter &emit, Value carriers, const LinearLayout &layout, Value base) {
  int64_t size = layout.getNumElements();
  emitStageSlice(emit, carriers, layout.reshape({size}), TileSlice{{size}, {Value()}}, base);
}

void emitLoadSlice(Emitter &emit, const LinearLayout &layout, const TileSlice &slice, Value base, Type word,
                   MutableArrayRef<Value> registers) {
  SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
  for (auto [reg, value] : llvm::enumerate(registers)) {
    if (slice.isElsewhere(layout, reg))
      continue;
    SmallVector<Value> at = emitCoordinates(emit, thread, layout, reg);
    Value inside = slice.emitEnter(emit, at); // Coordinates outside become some inside: the load is safe.
    Value pointer = emit.gep(word, base, emitFlatIndex(emit, at, slice.extents));
    Value loaded = emit.load(word, pointer, word.getIntOrFloatBitWidth() / 8);
    value = value && inside ? emit.select(inside, loaded, value) : loaded;
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

ExchangeRounds::ExchangeRounds(const LoweringContext &lowering, ArrayRef<int64_t> shape, unsigned elementBytes)
    : shape(shape), extents(shape) {
  while (getBoxElements() * elementBytes > lowering.getExchangeLimit())
    *llvm::max_element(extents) /= 2;
}

int64_t ExchangeRounds::getBoxElements() const {
  return llvm::product_of(extents);
}

void ExchangeRounds::emit(Emitter &emit, llvm::function_ref<void(const TileSlice &box)> round) const {
  const int64_t rounds = llvm::product_of(shape) / getBoxElements();
  for (int64_t number = 0; number < rounds; ++number) {
    if (number > 0) // The round before may still be being read.
      emit.barrier();
    TileSlice box{extents, {}};
    int64_t rest = number;
    for (auto [size, extent] : llvm::zip_equal(shape, extents)) {
      box.indices.push_back(size == extent ? Value() : emit.i32(rest % (size / extent)));
      rest /= size / extent;
    }
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

int64_t getHolderBroadcastBytes(const LoweringContext &lowering, Type type) {
  unsigned bytes = llvm::divideCeil(getMemoryBits(getElementTypeOrSelf(type)), 8);
  if (!isa<RankedTensorType>(type))
    return bytes;
  LinearLayout layout = getLayout(type);
  return hasCopies(layout) ? ExchangeRounds(lowering, layout.getNumElements(), bytes).getBoxElements() * bytes : 0;
}

Value emitHolderBroadcast(Emitter &emit, const LoweringContext &lowering, Value value, Type type, Operation *op) {
  if (getHolderBroadcastBytes(lowering, type) == 0)
    return value;
  Value scratch = emitScratch(emit, op);
  Value carrier = toCarrier(emit, value);
  Type word = getElementTypeOrSelf(carrier.getType());
  unsigned bytes = word.getIntOrFloatBitWidth() / 8;
  if (!isa<RankedTensorType>(type)) {
    Value isFirst = emit.icmp(LLVM::ICmpPredicate::eq, emit.threadId(), emit.i32(0));
    emitSharedStore(emit, carrier, scratch, isFirst);
    emit.barrier();
    return fromCarrier(emit, emit.load(word, scratch, bytes), value.getType());
  }
  LinearLayout layout = getLayout(type), flat = layout.reshape({layout.getNumElements()});
  SmallVector<Value> registers(layout.getInSize(LayoutDim::Register), Value());
  ExchangeRounds(lowering, layout.getNumElements(), bytes).emit(emit, [&](const TileSlice &box) {
    emitStageSlice(emit, carrier, flat, box, scratch);
    emit.barrier();
    emitLoadSlice(emit, flat, box, scratch, word, registers);
  });
  return fromCarrier(emit, emit.pack(registers), value.getType());
}

} // namespace tileiras
