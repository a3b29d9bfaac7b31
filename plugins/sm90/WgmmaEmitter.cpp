//===- WgmmaEmitter.cpp - The instructions of one product -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaEmitter.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/FragmentWords.h"
#include "tileiras/Lowering/StageAddress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::sm90 {

/// Instructions of 8-bit floats keep too few bits for longer sums: what CUTLASS adds up before it promotes.
constexpr unsigned kPromotionInterval = 4;

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

int64_t WgmmaEmitter::Matrix::getOffset(int64_t mn, int64_t k) const {
  int64_t element = mnDim == 0 ? mn * columns + k : k * columns + mn, offset = 0;
  for (unsigned bit = 0; element >> bit; ++bit)
    if (element >> bit & 1)
      offset ^= offsets[bit];
  return offset;
}

WgmmaEmitter::Matrix WgmmaEmitter::makeMatrix(RankedTensorType type, Value address, unsigned mnDim,
                                              const MatrixDescriptorLayout &layout, int64_t numGroups,
                                              Value group) const {
  Matrix matrix;
  matrix.mnDim = mnDim;
  matrix.columns = type.getDimSize(1);
  const unsigned bytes = as::getSharedBits(type.getElementType()) / 8;
  for (const LinearLayout::Inputs &inputs : cantFail(as::getSharedLayout(type)).rightInverse())
    matrix.offsets.push_back(inputs[static_cast<unsigned>(LayoutDim::Offset)] * bytes);
  std::optional<StageAddress> stage = matchStageAddress(address);
  Value start = stage ? stage->base : LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i32(), address);
  if (numGroups > 1)
    start = emit.add(start, emit.mul(group, emit.i32(matrix.getOffset(type.getDimSize(mnDim) / numGroups, 0))));
  Value low = emit.zeroExtendOrTruncate(emit.bitAnd(emit.lshr(start, 4), emit.i32(0x3fff)), 64);
  matrix.descriptor = emit.bitOr(low, emit.i64(encodeDescriptor(layout)));
  if (stage) {
    // Shared memory ends before the 18 bits that a descriptor knows: one addition, to what loops need not repeat.
    PtxInstruction advance(emit);
    std::string result = advance.result(emit.i64()), number = advance.operand(stage->stage);
    std::string first = advance.operand(matrix.descriptor);
    matrix.descriptor =
        advance.emit(llvm::formatv("mad.wide.u32 {0}, {1}, {2}, {3};", result, number, stage->stageBytes >> 4, first))
            .front();
  }
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
  std::string text = ", 1, 1";
  if (atom.mnMajorB) {
    if (tiling.a)
      text += tiling.a->mnMajor ? ", 1" : ", 0";
    text += tiling.b->mnMajor ? ", 1" : ", 0";
  }
  return text;
}

/// Without `accumulators`, the result starts at zero.
SmallVector<Value> WgmmaEmitter::emitGroup(ArrayRef<Value> accumulators, Slices slices, bool isZero, bool waits) {
  PtxInstruction group(emit);
  const unsigned words = getNumInstructionWords(), numTiles = tiling.rows * tiling.columns;
  SmallVector<std::string> tiles;
  for (unsigned tile = 0; tile < numTiles; ++tile)
    tiles.push_back(isZero ? group.resultFragment(accumulators.front().getType(), words)
                           : group.updates(accumulators.slice(tile * words, words)));
  std::string a = matrixA ? group.operand(matrixA->descriptor) : "", b = group.operand(matrixB.descriptor);
  std::string text = "{ .reg .pred zero, sum; .reg .b64 a, b; ";
  text += isZero ? "setp.ne.b32 zero, 0, 0; setp.ne.b32 sum, 1, 0; " : "setp.ne.b32 sum, 1, 0; ";
  text += "wgmma.fence.sync.aligned;";
  // The register that has the descriptor of a slice.
  auto select = [&](const std::string &name, const std::string &operand, int64_t offset) {
    if (offset == 0)
      return operand;
    text += llvm::formatv(" add.s64 {0}, {1}, {2};", name, operand, offset >> 4);
    return name;
  };
  for (unsigned row = 0; row < tiling.rows; ++row)
    for (unsigned column = 0; column < tiling.columns; ++column)
      for (unsigned k = slices.begin; k < slices.end; ++k) {
        const std::string sliceA = matrixA ? select("a", a, matrixA->getOffset(row * atom.m, k * atom.k))
                                           : group.operandFragment(fragmentsA[row * tiling.depth + k]);
        const std::string sliceB = select("b", b, matrixB.getOffset(column * atom.n, k * atom.k));
        text += llvm::formatv(" {0} {1}, {2}, {3}, {4}{5};", atom.instruction, tiles[row * tiling.columns + column],
                              sliceA, sliceB, isZero && k == slices.begin ? "zero" : "sum", getSuffix());
      }
  text += " wgmma.commit_group.sync.aligned;";
  if (waits)
    text += " wgmma.wait_group.sync.aligned 0;";
  return group.emit(text + " }", PtxEffect::Memory);
}

Value WgmmaEmitter::run(const WgmmaProduct &product) {
  Value group = tiling.groupsM * tiling.groupsN > 1 ? emitWarpgroup(product.scope) : Value();
  auto groupsBits = unsigned(llvm::Log2_64(tiling.groupsM));
  if (tiling.a) {
    Value groupM = tiling.groupsM > 1 ? emit.bitAnd(group, emit.i32(tiling.groupsM - 1)) : Value();
    matrixA = makeMatrix(product.typeA, product.a, 0, *tiling.a, tiling.groupsM, groupM);
  } else {
    FragmentWords words(emit, product.a, atom.layoutA.getInSize(LayoutDim::Register), atom.a.bits);
    for (unsigned i = 0; i < words.getNumFragments(); ++i)
      fragmentsA.emplace_back(words.getFragment(i));
  }
  Value groupN = tiling.groupsN > 1 ? emit.lshr(group, groupsBits) : Value();
  matrixB = makeMatrix(product.typeB, product.b, 1, *tiling.b, tiling.groupsN, groupN);

  SmallVector<Value> sum = splitAccumulator(emit, product.c);
  const unsigned depth = tiling.depth;
  if (!product.isPromoted) {
    sum = emitGroup(sum, {0, depth}, product.isZero, product.waits);
    return joinAccumulator(emit, sum, product.c.getType());
  }
  for (unsigned k = 0; k < depth; k += kPromotionInterval) {
    SmallVector<Value> part =
        emitGroup(sum, {k, std::min(k + kPromotionInterval, depth)}, /*isZero=*/true, /*waits=*/true);
    for (auto [total, summand] : llvm::zip(sum, part))
      total = LLVM::FAddOp::create(emit.builder, emit.location, total, summand);
  }
  return joinAccumulator(emit, sum, product.c.getType());
}

} // namespace tileiras::sm90
