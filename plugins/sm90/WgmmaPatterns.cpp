//===- WgmmaPatterns.cpp - Lowering of products of warpgroups -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "WgmmaEmitter.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/RegisterOps.h"
#include "tileiras/Lowering/TilePattern.h"
#include "tileiras/NVIDIA/ReusedOperands.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tileiras::sm90 {
namespace {

/// The lowered tile is known to be zero: a constant, or a splat as the core makes it of one.
bool isZeroTile(Value vector) {
  if (auto shuffle = vector.getDefiningOp<LLVM::ShuffleVectorOp>())
    vector = shuffle.getV1();
  if (auto insert = vector.getDefiningOp<LLVM::InsertElementOp>())
    vector = insert.getValue();
  auto constant = vector.getDefiningOp<LLVM::ConstantOp>();
  if (!constant)
    return false;
  Attribute value = constant.getValue();
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getValue().isZero();
}

/// The product in the lowered program; null, and reported, where the warpgroups cannot compute it.
template <typename OpTy>
Value lowerProduct(OpTy op, typename OpTy::Adaptor adaptor, const MmaAtom &atom, bool waits,
                   const LoweringContext &lowering, ConversionPatternRewriter &rewriter) {
  RankedTensorType a = op.getA().getType(), b = op.getB().getType();
  llvm::Expected<as::WarpgroupTiling> tiling = as::getWarpgroupTiling(atom, a, b, op.getC().getType());
  if (!tiling) {
    op.emitOpError() << "names atom \"" << atom.name
                     << "\", which does not fit: " << llvm::toString(tiling.takeError());
    return {};
  }
  Emitter emit(rewriter, op);
  if (emit.scope.firstWarp % atom.warps != 0 || emit.scope.numWarps % atom.warps != 0) {
    op.emitOpError() << "names atom \"" << atom.name
                     << "\", which takes warpgroups: four warps from a multiple of four on";
    return {};
  }
  WgmmaProduct product;
  product.typeA = a;
  product.typeB = b;
  product.a = adaptor.getA();
  product.b = adaptor.getB();
  product.c = adaptor.getC();
  product.scope = getScopeRegion(op);
  product.isZero = isZeroTile(adaptor.getC());
  product.copiesA = op.getCopiesOperand();
  product.waits = waits || product.copiesA; // No wait hands the copies on.
  product.negate = op.getNegate();
  product.isPromoted = sumsInParts(atom, op.getFastAcc());
  return WgmmaEmitter(emit, atom, *tiling, lowering.tuning()).run(product);
}

struct WgmmaDotPattern final : TargetPattern<as::DotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    const MmaAtom *atom = op.getAtom().findMma(lowering.atoms());
    if (!atom || !as::isWarpgroupAtom(*atom))
      return failure();
    Value result = lowerProduct(op, adaptor, *atom, /*waits=*/true, lowering, rewriter);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct WgmmaAsyncDotPattern final : TargetPattern<as::AsyncDotOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncDotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const MmaAtom *atom = op.getAtom().findMma(lowering.atoms());
    if (!atom || !as::isWarpgroupAtom(*atom))
      return failure();
    SmallVector<Value> results = {lowerProduct(op, adaptor, *atom, /*waits=*/false, lowering, rewriter)};
    if (!results.front())
      return failure();
    if (op.getToken())
      results.push_back(Emitter(rewriter, op).i1(true));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The most groups of products that a wait can leave under way.
constexpr unsigned kMostPending = 7;

/// The wait for all groups but the last `pending`.
std::string getGroupWait(unsigned pending) {
  return "wgmma.wait_group.sync.aligned " + std::to_string(std::min(pending, kMostPending)) + ";";
}

/// The value is the accumulator of an instruction of warpgroups, or what it reads from registers.
bool isFragment(Value value, const LoweringContext &lowering) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  auto layout = tile ? dyn_cast_if_present<as::DotOperandAttr>(tile.getEncoding()) : nullptr;
  const MmaAtom *atom = layout ? layout.getAtom().findMma(lowering.atoms()) : nullptr;
  return atom && as::isWarpgroupAtom(*atom) && layout.getAxis() != as::OperandAxis::B;
}

/// A copy that stays where it is.
Value emitCopyInPlace(Emitter &emit, Value word) {
  PtxInstruction move(emit);
  std::string copy = move.result(word.getType()), source = move.operand(word);
  const unsigned bits = word.getType().getIntOrFloatBitWidth();
  return move.emit("mov.b" + Twine(bits) + " " + copy + ", " + source + ";", PtxEffect::Memory).front();
}

/// An edge of data keeps what uses the values behind the wait: a piece of assembly of its own, which does nothing. The
/// back end puts copies of registers before the piece that updates them, and none may stand before the wait.
struct WgmmaFutureWaitPattern final : TargetPattern<as::AsyncFutureWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncFutureWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getValues().empty() ||
        !llvm::all_of(op.getValues(), [&](Value value) { return isFragment(value, lowering); }))
      return failure();
    Emitter emit(rewriter, op);
    PtxInstruction wait(emit, PtxLanes::Aligned);
    wait.emit(wait.fence(getGroupWait(op.getPending().value_or(0))), PtxEffect::Memory);
    PtxInstruction edge(emit);
    // A value that is waited for twice has one set of registers.
    llvm::MapVector<Value, Value> complete;
    for (Value value : adaptor.getValues())
      if (complete.insert({value, Value()}).second)
        edge.updates(splitAccumulator(emit, value));
    SmallVector<Value> words = edge.emit("// complete\n", PtxEffect::Memory);
    ArrayRef<Value> rest = words;
    for (auto &[value, result] : complete) {
      const unsigned count =
          Emitter::getVectorSize(value) * getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() / 32;
      result = joinAccumulator(emit, rest.take_front(count), value.getType());
      rest = rest.drop_front(count);
    }
    SmallVector<Value> results;
    for (Value value : adaptor.getValues())
      results.push_back(complete.lookup(value));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct WgmmaCopyRegistersPattern final : TargetPattern<as::CopyRegistersOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CopyRegistersOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    SmallVector<Value> words = splitAccumulator(emit, adaptor.getSource());
    for (Value &word : words)
      word = emitCopyInPlace(emit, word);
    rewriter.replaceOp(op, joinAccumulator(emit, words, adaptor.getSource().getType()));
    return success();
  }
};

/// Without tokens, or with those of products: no instruction says which group it waits for, but how many may be under
/// way.
struct WgmmaWaitPattern final : TargetPattern<as::AsyncWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto isOther = [](Value token) { return token.getDefiningOp() && !token.getDefiningOp<as::AsyncDotOp>(); };
    if (llvm::any_of(op.getTokens(), isOther))
      return failure();
    Emitter emit(rewriter, op);
    PtxInstruction wait(emit, PtxLanes::Aligned);
    wait.emit(wait.fence(getGroupWait(op.getPending().value_or(0))), PtxEffect::Memory);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateWgmmaPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns
      .add<WgmmaDotPattern, WgmmaAsyncDotPattern, WgmmaFutureWaitPattern, WgmmaWaitPattern, WgmmaCopyRegistersPattern>(
          lowering);
}

} // namespace tileiras::sm90
