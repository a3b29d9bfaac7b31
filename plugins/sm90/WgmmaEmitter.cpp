//===- WgmmaEmitter.cpp - The instructions of one product -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaEmitter.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::sm90 {

SmallVector<Value> splitAccumulator(Emitter &emit, Value vector) {
  Type element = getElementTypeOrSelf(vector.getType());
  const unsigned words = Emitter::getVectorSize(vector) * element.getIntOrFloatBitWidth() / 32;
  Type word = element.isF32() ? element : emit.i32();
  return emit.unpack(emit.bitcast(vector, Emitter::vectorType(words, word)));
}

Value joinAccumulator(Emitter &emit, ArrayRef<Value> words, Type vectorType) {
  return emit.bitcast(emit.pack(words), vectorType);
}

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

/// PTX ISA, "Matrix descriptor" of wgmma, without the address.
static uint64_t encodeDescriptor(const MatrixDescriptorLayout &layout) {
  static constexpr uint64_t modes[] = {0, 3, 2, 1}; // none, 32, 64 and 128 bytes
  return uint64_t(layout.leadingByteOffset >> 4) << 16 | uint64_t(layout.strideByteOffset >> 4) << 32 |
         modes[static_cast<unsigned>(layout.swizzle)] << 62;
}

/// The descriptor of the first instruction of a warpgroup, one of `numGroups` along M or N.
WgmmaEmitter::Matrix WgmmaEmitter::makeMatrix(RankedTensorType type, Value address, unsigned mnDim,
                                              const MatrixDescriptorLayout &layout, int64_t numGroups,
                                              Value group) const {
  Matrix matrix{MatrixOperand(type, mnDim), {}};
  Value bytes;
  if (numGroups > 1)
    bytes = emit.mul(group, emit.i32(matrix.operand.getOffset(type.getDimSize(mnDim) / numGroups, 0)));
  matrix.descriptor = matrix.operand.emitDescriptor(emit, address, encodeDescriptor(layout), bytes);
  return matrix;
}

/// The number of the warpgroup in the scope, by a shuffle: the assembler sees that it is the same in all lanes. At the
/// start of the scope, where it is not repeated by loops.
Value WgmmaEmitter::emitWarpgroup(Region *scope) {
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(&scope->front());
  return emit.shuffle(ShuffleKind::Index, emit.lshr(emit.threadId(), 7), emit.i32(0));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Operands behind scale-d: signs of A and B, and whether they are transposed, where instructions have them.
std::string WgmmaEmitter::getSuffix() const {
  if (atom.c.type == "i32")
    return "";
  std::string text = negates ? ", -1, 1" : ", 1, 1";
  if (atom.mnMajorB) {
    if (tiling.a)
      text += tiling.a->mnMajor ? ", 1" : ", 0";
    text += tiling.b->mnMajor ? ", 1" : ", 0";
  }
  return text;
}

/// The text of the product of one tile and some slices, into `fragment`.
std::string WgmmaEmitter::getProducts(PtxInstruction &group, StringRef fragment, unsigned tile, Range slices,
                                      bool isZero) {
  const unsigned row = tile / tiling.columns, column = tile % tiling.columns;
  std::string text;
  // The register that has the descriptor of a slice.
  auto select = [&](const std::string &name, const std::string &operand, int64_t offset) {
    if (offset == 0)
      return operand;
    text += llvm::formatv(" add.s64 {0}, {1}, {2};", name, operand, offset >> 4);
    return name;
  };
  for (unsigned k = slices.begin; k < slices.end; ++k) {
    const std::string sliceA = matrixA ? select("a", descriptorA, matrixA->operand.getOffset(row * atom.m, k * atom.k))
                                       : group.operandFragment(fragmentsA[row * tiling.depth + k]);
    const std::string sliceB = select("b", descriptorB, matrixB->operand.getOffset(column * atom.n, k * atom.k));
    text += llvm::formatv(" {0} {1}, {2}, {3}, {4}{5};", atom.instruction, fragment, sliceA, sliceB,
                          isZero && k == slices.begin ? "zero" : "sum", getSuffix());
  }
  return text;
}

void WgmmaEmitter::takeDescriptors(PtxInstruction &group) {
  descriptorA = matrixA ? group.operand(matrixA->descriptor) : "";
  descriptorB = group.operand(matrixB->descriptor);
}

static constexpr llvm::StringLiteral kFence = " wgmma.fence.sync.aligned;",
                                     kGroupEnd = " wgmma.commit_group.sync.aligned;",
                                     kGroupWait = " wgmma.wait_group.sync.aligned 0;";

static std::string startGroup(bool isZero) {
  return std::string("{ .reg .pred zero, sum; .reg .b64 a, b; ") + (isZero ? "setp.ne.b32 zero, 0, 0; " : "") +
         "setp.ne.b32 sum, 1, 0;" + kFence.str();
}

/// The new accumulators; with `isZero`, those given say the type only.
SmallVector<Value> WgmmaEmitter::emitGroup(ArrayRef<Value> accumulators, bool isZero, bool waits) {
  PtxInstruction group(emit, PtxLanes::Aligned);
  const unsigned words = getNumInstructionWords();
  SmallVector<std::string> fragments;
  for (size_t first = 0; first < accumulators.size(); first += words)
    fragments.push_back(isZero ? group.resultFragment(accumulators.front().getType(), words)
                               : group.updates(accumulators.slice(first, words)));
  takeDescriptors(group);
  std::string text = startGroup(isZero);
  for (auto [tile, fragment] : llvm::enumerate(fragments))
    text += getProducts(group, fragment, tile, {0, unsigned(tiling.depth)}, isZero);
  text += kGroupEnd;
  if (waits)
    text += kGroupWait;
  return group.emit(text + " }", PtxEffect::Memory);
}

/// A part of K of one tile is computed, where registers allow it, while the one before is added up. All is one block,
/// and the parts' registers are its own: outside of it, additions could be put off until all parts are there.
SmallVector<Value> WgmmaEmitter::emitInParts(ArrayRef<Value> accumulators) {
  PtxInstruction group(emit, PtxLanes::Aligned);
  const unsigned words = getNumInstructionWords(), depth = tiling.depth;
  SmallVector<std::string> sums;
  for (Value sum : accumulators)
    sums.push_back(group.updates(sum));
  takeDescriptors(group);
  const unsigned inFlight =
      countPartsInFlight(accumulators.size(), words, /*othersMultiply=*/tiling.groupsM * tiling.groupsN > 1, tuning);
  SmallVector<SmallVector<std::string>, 2> parts(inFlight);
  std::string text = startGroup(/*isZero=*/true);
  for (auto [side, names] : llvm::enumerate(parts)) {
    for (unsigned word = 0; word < words; ++word)
      names.push_back(llvm::formatv("part{0}_{1}", side, word));
    text += " .reg .f32 " + llvm::join(names, ", ") + ";";
  }
  const unsigned partsOfTile = llvm::divideCeil(depth, kInstructionsOfPart),
                 count = tiling.rows * tiling.columns * partsOfTile;
  auto add = [&](unsigned number, unsigned startedBehind) {
    text += llvm::formatv(" wgmma.wait_group.sync.aligned {0};", startedBehind);
    for (auto [sum, part] :
         llvm::zip_equal(ArrayRef(sums).slice(number / partsOfTile * words, words), parts[number % inFlight]))
      text += llvm::formatv(" add.f32 {0}, {0}, {1};", sum, part);
  };
  for (unsigned number = 0; number < count; ++number) {
    if (number >= inFlight) {
      add(number - inFlight, inFlight - 1);
      text += kFence; // Additions have read the registers.
    }
    const unsigned k = number % partsOfTile * kInstructionsOfPart;
    text += getProducts(group, "{" + llvm::join(parts[number % inFlight], ", ") + "}", number / partsOfTile,
                        {k, std::min(k + kInstructionsOfPart, depth)}, /*isZero=*/true);
    text += kGroupEnd;
  }
  for (unsigned number = count - std::min(count, inFlight); number < count; ++number)
    add(number, count - 1 - number);
  return group.emit(text + " }", PtxEffect::Memory);
}

/// Behind what makes A, not where it is used: packing would be put off until then, and keep the wider tile alive beside
/// what other products have started since.
void WgmmaEmitter::takeRegisters(const WgmmaProduct &product) {
  OpBuilder::InsertionGuard guard(emit.builder);
  if (Operation *definition = product.a.getDefiningOp(); definition && !product.waits)
    emit.builder.setInsertionPointAfter(definition);
  FragmentWords words(emit, product.a, atom.layoutA.getInSize(LayoutDim::Register), atom.a.bits);
  if (product.copiesA) {
    copyRegisters(words);
  } else if (!product.waits) {
    PtxInstruction pin(emit);
    pin.updates(words.getWords());
    llvm::copy(pin.emit("", PtxEffect::Convergent), words.getWords().begin());
  }
  for (unsigned i = 0; i < words.getNumFragments(); ++i)
    fragmentsA.emplace_back(words.getFragment(i));
}

/// By shuffles, for which lanes meet: assemblers do not move them out of loops.
void WgmmaEmitter::copyRegisters(FragmentWords &words) {
  Value lane = emit.laneId();
  for (Value &word : words.getWords())
    word = emit.shuffle(ShuffleKind::Index, word, lane);
}

Value WgmmaEmitter::run(const WgmmaProduct &product) {
  negates = product.negate;
  Value group = tiling.groupsM * tiling.groupsN > 1 ? emitWarpgroup(product.scope) : Value();
  auto groupsBits = unsigned(llvm::Log2_64(tiling.groupsM));
  if (tiling.a) {
    Value groupM = tiling.groupsM > 1 ? emit.bitAnd(group, emit.i32(tiling.groupsM - 1)) : Value();
    matrixA = makeMatrix(product.typeA, product.a, 0, *tiling.a, tiling.groupsM, groupM);
  } else {
    takeRegisters(product);
  }
  Value groupN = tiling.groupsN > 1 ? emit.lshr(group, groupsBits) : Value();
  matrixB = makeMatrix(product.typeB, product.b, 1, *tiling.b, tiling.groupsN, groupN);

  SmallVector<Value> sum = splitAccumulator(emit, product.c);
  sum = product.isPromoted ? emitInParts(sum) : emitGroup(sum, product.isZero, product.waits);
  return joinAccumulator(emit, sum, product.c.getType());
}

} // namespace tileiras::sm90
