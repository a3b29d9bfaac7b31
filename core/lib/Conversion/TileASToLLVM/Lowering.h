//===- Lowering.h - What the lowering patterns share ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LOWERING_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LOWERING_H

#include "Emitter.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/ConversionPlan.h"
#include "tileiras/Layout/LinearLayout.h"
#include "tileiras/Layout/MemoryAccess.h"
#include "tileiras/Target/ContextTargets.h"
#include <list>

namespace tileiras {

/// Types of the lowered program:
///  * a distributed tensor is `vector<N x T>` with the N registers of one thread;
///  * pointers are LLVM pointers of their address space, tf32 is f32, formats of 8 bits and less are i8;
///  * a memref is the structure {pointer, dynamic sizes…, dynamic strides…}, sizes and strides as i64;
///    a tiled view is that of its memref;
///  * a memory token is an i1 nobody reads.
class LLVMTileTypeConverter : public mlir::LLVMTypeConverter {
public:
  explicit LLVMTileTypeConverter(mlir::MLIRContext *context, const mlir::LowerToLLVMOptions &options);

  /// The type of one element in a register.
  mlir::Type convertElement(mlir::Type element) const;
};

/// The bits an element takes in global memory. An i1 occupies a byte.
unsigned getMemoryBits(mlir::Type element);
/// Two elements share a byte, the first in its low half.
inline bool isHalfByte(mlir::Type element) {
  return getMemoryBits(element) == 4;
}

/// The register layout of a distributed tensor.
LinearLayout getLayout(mlir::Type tensor);

/// Number of registers a thread holds of a tile; 1 for scalars.
unsigned getNumRegisters(mlir::Type type);

/// The chip `module` is compiled for. A missing attribute or target is reported.
mlir::FailureOr<ChipTarget> getChipTarget(mlir::ModuleOp module);

/// What is known about the program being lowered.
struct LoweringContext {
  LoweringContext(const ChipTarget &chip, const LLVMTileTypeConverter &converter)
      : target(*chip.target), chip(*chip.chip), converter(converter),
        exchangeLimit(chip.machine().staticSharedMemoryBytes) {}

  const Target &target;
  const ChipInfo &chip;
  const LLVMTileTypeConverter &converter;

  /// What the chip has and can do; nobody looks at its compute capability.
  const AtomCatalogue &atoms() const { return target.atoms(chip); }
  const MachineModel &machine() const { return target.machine(chip); }
  const ChipFeatures &features() const { return chip.features; }

  /// The plan for elements of `bits`. Programs repeat few conversions many times: each is planned once.
  const ConversionPlan &getConversionPlan(unsigned bits, const LinearLayout &source,
                                          const LinearLayout &destination) const;

  /// Bytes that one exchange between threads may take: what the allocas of any kernel leave of static shared memory. A
  /// launch should not have to know of it.
  int64_t getExchangeLimit() const { return exchangeLimit; }
  void reserveSharedMemory(int64_t bytes);

private:
  int64_t exchangeLimit;
  struct PlannedConversion {
    unsigned bits;
    LinearLayout source, destination;
    ConversionPlan plan;
  };
  mutable std::list<PlannedConversion> plans;
};

/// A conversion pattern that knows the context.
template <typename OpTy>
class TilePattern : public mlir::OpConversionPattern<OpTy> {
public:
  using OpAdaptor = typename mlir::OpConversionPattern<OpTy>::OpAdaptor;
  TilePattern(const LoweringContext &lowering, mlir::PatternBenefit benefit = 2)
      : mlir::OpConversionPattern<OpTy>(lowering.converter, &lowering.converter.getContext(), benefit),
        lowering(lowering) {}

protected:
  mlir::Type convert(mlir::Type type) const { return lowering.converter.convertType(type); }
  const LoweringContext &lowering;
};

/// Replaces a memory operation by its value, if it has one; its token has done its work when barriers were placed and
/// becomes something that nobody reads.
void replaceMemoryOp(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op, mlir::ValueRange values = {});

/// Computes a result of type `result` (a scalar or a vector) element by element; `compute` gets one scalar of each
/// operand, all of which are scalars or vectors as long as the result.
mlir::Value mapElements(Emitter &emit, mlir::Type result, mlir::ValueRange operands,
                        llvm::function_ref<mlir::Value(mlir::ValueRange)> compute);

/// One PTX instruction on scalars, `opcode d, a, b, …`, without side effects. Floats of 16 bits travel as integers.
mlir::Value emitPtxInstruction(Emitter &emit, const llvm::Twine &opcode, mlir::Type result, mlir::ValueRange arguments);

/// A call of libdevice's `name`, declared in the module of the insertion point when it is not yet.
mlir::Value emitLibdeviceCall(Emitter &emit, llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);

/// A scalar of any float format as an f32, exactly; an f64 as it is.
mlir::Value emitWidened(Emitter &emit, const LoweringContext &lowering, mlir::Value scalar, mlir::Type from);
/// f32 or f64 as a number of another format, rounded once. The result is what `to` is converted to.
mlir::Value emitNarrowed(Emitter &emit, const LoweringContext &lowering, mlir::Value wide, mlir::Type to,
                         aa::RoundingMode rounding);

/// "rn", "rz", "rm", "rp", "approx", "full", "rna".
llvm::StringRef getPtxRounding(aa::RoundingMode mode);

//===----------------------------------------------------------------------===//
// Where a thread is
//===----------------------------------------------------------------------===//

/// The value of a ThreadFunction in this thread, as an i32.
mlir::Value emitThreadFunction(Emitter &emit, const ThreadFunction &function);

/// The part of the tile coordinates that depends on the thread, one i32 for each dimension.
llvm::SmallVector<mlir::Value> emitThreadCoordinates(Emitter &emit, const LinearLayout &layout);

/// The part that depends on the register: coordinates are thread part XOR register part.
llvm::SmallVector<int64_t> getRegisterCoordinates(const LinearLayout &layout, unsigned reg);

/// Both together: the coordinates of the element in register `reg`, given emitThreadCoordinates(layout).
llvm::SmallVector<mlir::Value> emitCoordinates(Emitter &emit, llvm::ArrayRef<mlir::Value> thread,
                                               const LinearLayout &layout, unsigned reg);

/// The row-major index of coordinates in a tile of `shape`.
mlir::Value emitFlatIndex(Emitter &emit, llvm::ArrayRef<mlir::Value> coordinates, llvm::ArrayRef<int64_t> shape);

/// True in the threads that hold no copy of an element of a thread with a lower number; null when no thread does.
mlir::Value emitIsFirstHolder(Emitter &emit, const LinearLayout &layout);

/// For each register the lowest register with the same element.
llvm::SmallVector<unsigned> getFirstRegisters(const LinearLayout &layout);

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Threads of a CTA of `kernel`.
int64_t getNumThreads(mlir::LLVM::LLVMFuncOp kernel);

/// The scratch area of an operation that exchanges data through shared memory: a pointer in the shared space, aligned
/// to 128 bytes. The operation may use getScratchBytes(op) from there; it must put a barrier between its writes and its
/// reads, and may assume that nobody else is using the area when it starts.
mlir::Value emitScratch(Emitter &emit, mlir::Operation *op);

/// Values in registers as integers that memory and shuffles can carry, and back: an i1 becomes a byte, a pointer an
/// i64, a float its bits. Scalars and vectors; `type` is the register type to go back to.
mlir::Value toCarrier(Emitter &emit, mlir::Value value);
mlir::Value fromCarrier(Emitter &emit, mlir::Value carrier, mlir::Type type);
/// Bytes of one element of a register type in shared memory.
unsigned getCarrierBytes(mlir::Type element);

/// Stores carriers (a scalar, or a vector of up to 16 bytes) to shared memory where `predicate` (null: always) is true.
/// Copies would write the same value to the same place: harmless, but a race.
void emitSharedStore(Emitter &emit, mlir::Value value, mlir::Value pointer, mlir::Value predicate);

/// Stores a tile of carriers row-major from `base` on; of several holders of an element one stores it.
void emitStage(Emitter &emit, mlir::Value carriers, const LinearLayout &layout, mlir::Value base);

/// One of the equal boxes a tile is cut into: `extents` (powers of two) and, along each dimension, the index (i32) of
/// the box; null where the box is as long as the tile.
struct TileSlice {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::Value> indices;

  /// Whether coordinates in the tile (replaced by those in the box) are in the box; null for always.
  mlir::Value emitEnter(Emitter &emit, llvm::MutableArrayRef<mlir::Value> coordinates) const;
  /// Whether no thread's register `reg` is in the box, as far as constant indices tell.
  bool isElsewhere(const LinearLayout &layout, unsigned reg) const;
};

/// The same of the elements in `slice` only, as a tile of its own.
void emitStageSlice(Emitter &emit, mlir::Value carriers, const LinearLayout &layout, const TileSlice &slice,
                    mlir::Value base);
/// Loads what emitStageSlice has stored before a barrier: those of `registers`, distributed by `layout`, that are in
/// `slice` get their element of type `word`. The others keep their value; where they have none yet, it is some element.
void emitLoadSlice(Emitter &emit, const LinearLayout &layout, const TileSlice &slice, mlir::Value base, mlir::Type word,
                   llvm::MutableArrayRef<mlir::Value> registers);

/// A tile that goes through the scratch area box after box, each at most LoweringContext::getExchangeLimit() bytes.
class ExchangeRounds {
public:
  ExchangeRounds(const LoweringContext &lowering, llvm::ArrayRef<int64_t> shape, unsigned elementBytes);

  int64_t getBoxElements() const;
  /// Emits the rounds, with a barrier between any two.
  void emit(Emitter &emit, llvm::function_ref<void(const TileSlice &box)> round) const;

private:
  llvm::SmallVector<int64_t> shape, extents;
};

/// The registers of `destination`, given those of `source`, by the cheapest plan. `op` lends its scratch area.
mlir::Value emitConversion(Emitter &emit, const LoweringContext &lowering, mlir::Value value,
                           const LinearLayout &source, const LinearLayout &destination, mlir::Operation *op);
/// The scratch bytes emitConversion takes for registers of type `element`.
int64_t getConversionScratchBytes(const LoweringContext &lowering, mlir::Type element, const LinearLayout &source,
                                  const LinearLayout &destination);

/// The scratch bytes `op` takes; 0 for operations that exchange nothing. The one place that knows.
int64_t getScratchBytes(const LoweringContext &lowering, mlir::Operation *op);

/// Applies a combining region: `current` and `accumulated` hold one scalar for each operand of the reduction.
llvm::SmallVector<mlir::Value> emitCombination(Emitter &emit, const LLVMTileTypeConverter &converter,
                                               mlir::Region &body, mlir::ValueRange current,
                                               mlir::ValueRange accumulated);

/// Moves a scalar of any element type between lanes.
mlir::Value emitShuffle(Emitter &emit, ShuffleKind kind, mlir::Value value, mlir::Value lane);

//===----------------------------------------------------------------------===//
// The families of patterns, one file each
//===----------------------------------------------------------------------===//

void populateElementwisePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateMathPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateNumberConversionPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePointerPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePointerAccessPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateViewAccessPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAtomicPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateShapePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateSlicePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateConvertLayoutPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateReducePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateScanPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateDotPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populatePrintPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAssertPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateAllocaPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateProgramPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LOWERING_H
