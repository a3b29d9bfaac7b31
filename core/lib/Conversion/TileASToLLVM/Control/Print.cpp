//===- Print.cpp - Printing -----------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One thread prints. Tiles come to it through the scratch area: several small ones at once, whose elements are then
// arguments of a few calls; a large one alone, box after box, printed by a loop.
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/PrintFormat.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/SystemCalls.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Tiles of more elements are printed by a loop.
constexpr int64_t kMaxUnrolledElements = 64;
/// Elements that one iteration of that loop prints.
constexpr int64_t kElementsPerIteration = 16;
/// Arguments of a call of vprintf.
constexpr unsigned kMaxArguments = 32;

/// Collects text and arguments, and prints them at its end, and whenever the limit of arguments is reached.
class Printer {
public:
  Printer(Emitter &emit, const LoweringContext &lowering, Operation *op) : emit(emit), lowering(lowering), op(op) {}
  ~Printer() { flush(); }

  void addText(StringRef text) {
    for (char c : text)
      format += c == '%' ? StringRef("%%") : StringRef(&c, 1);
  }

  /// A scalar as it is in registers, of type `element`. Where the conversion does not fit the type, the number is
  /// converted.
  void addArgument(const PrintFormatPiece &piece, Value scalar, Type element) {
    if (arguments.size() == kMaxArguments)
      flush();
    format += piece.prefix + (piece.isInteger() ? "ll" : "") + piece.conversion;
    if (piece.isFloat())
      arguments.push_back(toDouble(scalar, element));
    else
      arguments.push_back(toInteger(scalar, element, piece.isSigned()));
    if (piece.conversion == 'c')
      arguments.back() = emit.zeroExtendOrTruncate(arguments.back(), 32);
  }

private:
  Value toDouble(Value scalar, Type element) {
    Type type = emit.builder.getF64Type();
    if (isa<FloatType>(element))
      return emit.fpExtend(emitWidened(emit, lowering, scalar, element), type);
    return LLVM::SIToFPOp::create(emit.builder, emit.location, type, scalar);
  }

  Value toInteger(Value scalar, Type element, bool isSigned) {
    if (isa<aa::PtrType>(element))
      return LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), scalar);
    if (isa<FloatType>(element)) {
      Value number = toDouble(scalar, element), limit = emit.constantFloat(number.getType(), 0x1p62);
      Value negative = emit.constantFloat(number.getType(), -0x1p62);
      number = emit.select(emit.fcmp(LLVM::FCmpPredicate::ogt, number, limit), limit, number);
      number = emit.select(emit.fcmp(LLVM::FCmpPredicate::olt, number, negative), negative, number);
      return emitPtxInstruction(emit, "cvt.rzi.s64.f64", emit.i64(), number); // which knows a result for NaN
    }
    return isSigned && !element.isInteger(1) ? emit.signExtendOrTruncate(scalar, 64)
                                             : emit.zeroExtendOrTruncate(scalar, 64);
  }

  void flush() {
    if (format.empty())
      return;
    emitPrintf(emit, op, format, arguments);
    format.clear();
    arguments.clear();
  }

  Emitter &emit;
  const LoweringContext &lowering;
  Operation *op;
  std::string format;
  SmallVector<Value> arguments;
};

//===----------------------------------------------------------------------===//
// What is printed at once
//===----------------------------------------------------------------------===//

unsigned getElementBytes(const LoweringContext &lowering, Type type) {
  return getCarrierBytes(lowering.converter.convertElement(getElementTypeOrSelf(type)));
}

bool isLarge(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && tile.getNumElements() > kMaxUnrolledElements;
}

/// Arguments [first, first + count): a large tile, or others that are staged together.
struct PrintStep {
  unsigned first, count = 0;
  int64_t bytes = 0;
};

SmallVector<PrintStep> getSteps(const LoweringContext &lowering, as::PrintOp op) {
  const int64_t limit = lowering.getScratchLimit(op);
  SmallVector<PrintStep> steps = {{0}};
  auto begin = [&](unsigned first) {
    if (steps.back().count > 0)
      steps.push_back({first});
  };
  for (auto [i, type] : llvm::enumerate(op.getArgs().getTypes())) {
    auto tile = dyn_cast<RankedTensorType>(type);
    int64_t bytes = 0;
    if (isLarge(type))
      bytes = ExchangeRounds(limit, tile.getNumElements(), getElementBytes(lowering, type)).getBoxElements() *
              getElementBytes(lowering, type);
    else if (tile)
      bytes = llvm::alignTo(tile.getNumElements() * getElementBytes(lowering, type), 16);
    if (isLarge(type) || steps.back().bytes + bytes > limit)
      begin(i);
    steps.back().bytes += bytes;
    ++steps.back().count;
    if (isLarge(type))
      begin(i + 1);
  }
  if (steps.size() > 1 && steps.back().count == 0)
    steps.pop_back();
  return steps;
}

class PrintEmitter {
public:
  PrintEmitter(Emitter &emit, const LoweringContext &lowering, as::PrintOp op, ValueRange values,
               ArrayRef<PrintFormatPiece> pieces)
      : emit(emit), lowering(lowering), op(op), values(values), pieces(pieces),
        isFirst(emit.conjunction(emitIsFirstThread(emit), emitIsFirstCta(emit, op))) {}

  void run() {
    bool isInUse = false;
    for (const PrintStep &step : getSteps(lowering, op)) {
      if (isInUse && step.bytes > 0) // The step before may still be being read.
        emit.barrier();
      isInUse |= step.bytes > 0;
      if (step.count == 1 && isLarge(getType(step.first)))
        printLarge(step.first);
      else
        printSmall(step);
    }
    if (!values.empty() && isLarge(getType(values.size() - 1)))
      emitIf(emit, isFirst, [&] { Printer(emit, lowering, op).addText(pieces.back().text); });
  }

private:
  Type getType(unsigned argument) { return op.getArgs()[argument].getType(); }

  void printSmall(const PrintStep &step) {
    SmallVector<Value> staged;
    int64_t offset = 0;
    for (unsigned i = step.first; i < step.first + step.count; ++i) {
      Value &base = staged.emplace_back();
      auto tile = dyn_cast<RankedTensorType>(getType(i));
      if (!tile)
        continue;
      base = emit.gep(emit.intType(8), emitScratch(emit, op), offset);
      emitStage(emit, toCarrier(emit, values[i]), getLayout(tile), base);
      offset += llvm::alignTo(tile.getNumElements() * getElementBytes(lowering, tile), 16);
    }
    if (offset > 0)
      emit.barrier();
    emitIf(emit, isFirst, [&] {
      Printer printer(emit, lowering, op);
      for (unsigned i = step.first; i < step.first + step.count; ++i) {
        printer.addText(pieces[i].text);
        if (Value base = staged[i - step.first])
          printElements(printer, i, base, {}, cast<RankedTensorType>(getType(i)).getNumElements(), /*isWhole=*/true);
        else
          printer.addArgument(pieces[i], values[i], getType(i));
      }
      if (step.first + step.count == values.size())
        printer.addText(pieces.back().text);
    });
  }

  /// Elements [first, first + count) of what is staged at `base`, in a row; with their brackets if that is all of the
  /// tile.
  void printElements(Printer &printer, unsigned argument, Value base, Value first, int64_t count, bool isWhole) {
    auto tile = cast<RankedTensorType>(getType(argument));
    Type type = lowering.converter.convertElement(tile.getElementType());
    unsigned bytes = getElementBytes(lowering, tile);
    Type word = emit.intType(8 * bytes);
    Value start = first ? emit.gep(word, base, first) : base;
    for (int64_t i = 0; i < count; ++i) {
      std::string open, close;
      int64_t period = 1;
      for (int64_t extent : llvm::reverse(tile.getShape())) {
        period *= extent;
        open += isWhole && i % period == 0 ? "[" : "";
        close += isWhole && (i + 1) % period == 0 ? "]" : "";
      }
      printer.addText((i ? ", " : "") + open);
      Value loaded = emit.load(word, emit.gep(word, start, i), bytes);
      printer.addArgument(pieces[argument], fromCarrier(emit, loaded, type), tile.getElementType());
      printer.addText(close);
    }
  }

  void printLarge(unsigned argument) {
    auto tile = cast<RankedTensorType>(getType(argument));
    LinearLayout flat = getLayout(tile).reshape({tile.getNumElements()});
    Value carriers = toCarrier(emit, values[argument]), scratch = emitScratch(emit, op);
    ExchangeRounds rounds(lowering.getScratchLimit(op), tile.getNumElements(), getElementBytes(lowering, tile));
    int64_t begin = 0;
    emitIf(emit, isFirst, [&] { Printer(emit, lowering, op).addText(pieces[argument].text); });
    rounds.emit(emit, [&](const TileSlice &box) {
      emitStageSlice(emit, carriers, flat, box, scratch);
      emit.barrier();
      emitIf(emit, isFirst, [&] { printBox(argument, scratch, begin, rounds.getBoxElements()); });
      begin += rounds.getBoxElements();
    });
  }

  /// Elements [begin, begin + count) of a large tile, staged at `base`.
  void printBox(unsigned argument, Value base, int64_t begin, int64_t count) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(getType(argument)).getShape();
    const int64_t group = std::min(kElementsPerIteration, shape.back());
    emitLoop(emit, count / group, {}, [&](Value iteration, Value) -> Value {
      Value local = emit.mul(iteration, emit.i32(group)), index = emit.add(local, emit.i32(begin));
      Value isLater = emit.icmp(LLVM::ICmpPredicate::ne, index, emit.i32(0));
      emitIf(emit, isLater, [&] { Printer(emit, lowering, op).addText(", "); });
      printBrackets(shape, index, "[");
      {
        Printer printer(emit, lowering, op);
        printElements(printer, argument, base, local, group, /*isWhole=*/false);
      }
      printBrackets(shape, emit.add(index, emit.i32(group)), "]");
      return {};
    });
  }

  /// One bracket for each dimension that begins or ends at element `index`.
  void printBrackets(ArrayRef<int64_t> shape, Value index, StringRef bracket) {
    int64_t period = 1;
    for (int64_t extent : llvm::reverse(shape)) {
      period *= extent;
      Value rest = emit.bitAnd(index, emit.i32(period - 1));
      emitIf(emit, emit.icmp(LLVM::ICmpPredicate::eq, rest, emit.i32(0)),
             [&] { Printer(emit, lowering, op).addText(bracket); });
    }
  }

  Emitter &emit;
  const LoweringContext &lowering;
  as::PrintOp op;
  ValueRange values;
  ArrayRef<PrintFormatPiece> pieces;
  Value isFirst;
};

struct PrintPattern final : TilePattern<as::PrintOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::PrintOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    FailureOr<SmallVector<PrintFormatPiece>> pieces =
        parsePrintFormat(op.getFormat(), [&] { return op.emitOpError(); });
    if (failed(pieces))
      return failure();
    Emitter emit(rewriter, op);
    PrintEmitter(emit, lowering, op, adaptor.getArgs(), *pieces).run();
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

} // namespace

int64_t as::PrintOp::getScratchBytes(const LoweringContext &lowering) {
  int64_t bytes = 0;
  for (const PrintStep &step : getSteps(lowering, *this))
    bytes = std::max(bytes, step.bytes);
  return bytes;
}

void populatePrintPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<PrintPattern>(lowering);
}

} // namespace tileiras
