//===- Output.cpp - Printing and assertions -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "SymbolNames.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A C string in constant memory, shared by all who print it.
Value emitString(Emitter &emit, Operation *op, StringRef text) {
  auto module = op->getParentOfType<ModuleOp>();
  const std::string prefix = makeInternalSymbol("string_");
  std::string terminated = (text + Twine('\0')).str();
  LLVM::GlobalOp found;
  unsigned number = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with(prefix))
      continue;
    ++number;
    if (auto value = dyn_cast_or_null<StringAttr>(global.getValueOrNull()); value && value.getValue() == terminated)
      found = global;
  }
  if (!found) {
    OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(emit.intType(8), terminated.size());
    found = LLVM::GlobalOp::create(emit.builder, op->getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                   prefix + std::to_string(number), emit.builder.getStringAttr(terminated),
                                   /*alignment=*/1, kGlobalSpace);
  }
  Value address = LLVM::AddressOfOp::create(emit.builder, emit.location, found);
  return LLVM::AddrSpaceCastOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace), address);
}

/// A function the driver provides to device code.
LLVM::LLVMFuncOp getSystemFunction(Emitter &emit, Operation *op, StringRef name, Type result,
                                   ArrayRef<Type> arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(module.getBody());
  // Without a location: a declaration must not carry the debug scope of its first caller.
  return LLVM::LLVMFuncOp::create(emit.builder, emit.builder.getUnknownLoc(), name,
                                  LLVM::LLVMFunctionType::get(result, arguments));
}

/// Runs `body` in the threads where `condition` holds, and goes on behind it.
void emitIf(Emitter &emit, Value condition, llvm::function_ref<void()> body) {
  auto &rewriter = static_cast<ConversionPatternRewriter &>(emit.builder);
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Block *then = rewriter.createBlock(after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, emit.location, condition, then, after);
  rewriter.setInsertionPointToEnd(then);
  body();
  LLVM::BrOp::create(rewriter, emit.location, ValueRange(), after);
  rewriter.setInsertionPointToStart(after);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// printf's format, cut behind each conversion: "x = %5d, y = %f\n" is {"x = ", "%5d"}, {", y = ", "%f"}, {"\n", ""}.
struct FormatPiece {
  std::string text, conversion;
};

SmallVector<FormatPiece> splitFormat(StringRef format) {
  SmallVector<FormatPiece> pieces(1);
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      pieces.back().text += format[i];
    } else if (format.substr(i).starts_with("%%")) {
      pieces.back().text += "%%";
      ++i;
    } else {
      size_t end = format.find_first_of("diouxXeEfFgGaAcsp", i + 1);
      end = end == StringRef::npos ? format.size() - 1 : end;
      pieces.back().conversion = format.substr(i, end + 1 - i).str();
      pieces.emplace_back();
      i = end;
    }
  }
  return pieces;
}

/// Collects text and arguments and prints them whenever printf's limit of arguments is reached.
class Printer {
public:
  Printer(Emitter &emit, Operation *op) : emit(emit), op(op) {}

  void addText(StringRef text) { format += text; }

  void addArgument(StringRef conversion, Value value, bool isUnsigned) {
    if (arguments.size() == maxArguments)
      flush();
    format += adjustConversion(conversion, value.getType());
    arguments.push_back(promote(value, isUnsigned));
  }

  void flush() {
    if (format.empty())
      return;
    Type pointer = emit.ptrType(kGenericSpace);
    Value buffer = emit.zero(pointer);
    if (!arguments.empty()) {
      SmallVector<Type> types;
      for (Value argument : arguments)
        types.push_back(argument.getType());
      auto structure = LLVM::LLVMStructType::getLiteral(emit.getContext(), types);
      buffer = allocateAtEntry(structure);
      for (auto [i, argument] : llvm::enumerate(arguments)) {
        Value field = LLVM::GEPOp::create(emit.builder, emit.location, pointer, structure, buffer,
                                          ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
        LLVM::StoreOp::create(emit.builder, emit.location, argument, field);
      }
    }
    auto function = getSystemFunction(emit, op, "vprintf", emit.i32(), {pointer, pointer});
    emit.call(function, {emitString(emit, op, format), buffer});
    format.clear();
    arguments.clear();
  }

private:
  static constexpr unsigned maxArguments = 32;

  /// 64-bit integers need a length modifier, which front ends that think in Python leave out.
  static std::string adjustConversion(StringRef conversion, Type type) {
    std::string text = conversion.str();
    bool isLong = type.isInteger(64) && conversion.find_first_of("lhjzt") == StringRef::npos;
    if (isLong && conversion.find_last_of("diouxX") == conversion.size() - 1)
      text.insert(text.size() - 1, "ll");
    return text;
  }

  /// C's default argument promotions.
  Value promote(Value value, bool isUnsigned) {
    Type type = value.getType();
    if (isa<FloatType>(type))
      return emit.fpExtend(value, emit.builder.getF64Type());
    if (isa<LLVM::LLVMPointerType>(type))
      return LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), value);
    unsigned bits = std::max(32u, type.getIntOrFloatBitWidth());
    bool unsignedValue = isUnsigned || type.isInteger(1);
    return unsignedValue ? emit.zeroExtendOrTruncate(value, bits) : emit.signExtendOrTruncate(value, bits);
  }

  Value allocateAtEntry(Type type) {
    OpBuilder::InsertionGuard guard(emit.builder);
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    emit.builder.setInsertionPointToStart(&function.getBody().front());
    return LLVM::AllocaOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace), type, emit.i32(1));
  }

  Emitter &emit;
  Operation *op;
  std::string format;
  SmallVector<Value> arguments;
};

constexpr int64_t kMaxPrintedElements = 4096;

int64_t getStagedBytes(const LoweringContext &lowering, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  Type element = lowering.converter.convertElement(tensor.getElementType());
  return llvm::alignTo(tensor.getNumElements() * getCarrierBytes(element), 16);
}

struct PrintPattern final : TilePattern<as::PrintOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::PrintOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    SmallVector<FormatPiece> pieces = splitFormat(op.getFormat());
    if (pieces.size() != op.getArgs().size() + 1)
      return op.emitError("the format has ")
             << pieces.size() - 1 << " conversions for " << op.getArgs().size() << " arguments";
    for (Type type : op.getArgs().getTypes())
      if (auto tile = dyn_cast<RankedTensorType>(type); tile && tile.getNumElements() > kMaxPrintedElements)
        return op.emitError("a tile of ")
               << tile.getNumElements() << " elements is too large to print; the limit is " << kMaxPrintedElements;

    SmallVector<Value> staged = stageTiles(emit, op, adaptor.getArgs());
    Value isFirst = emit.icmp(LLVM::ICmpPredicate::eq, emit.threadId(), emit.i32(0));
    emitIf(emit, isFirst, [&] {
      Printer printer(emit, op);
      for (auto [i, piece] : llvm::enumerate(pieces)) {
        printer.addText(piece.text);
        if (i == op.getArgs().size())
          break;
        bool isUnsigned = StringRef(piece.conversion).find_last_of("ouxX") != StringRef::npos;
        Type type = op.getArgs()[i].getType(), element = getElementTypeOrSelf(type);
        if (auto tile = dyn_cast<RankedTensorType>(type))
          printTile(emit, printer, piece.conversion, tile, staged[i], isUnsigned);
        else
          printer.addArgument(piece.conversion, getPrintable(emit, adaptor.getArgs()[i], element), isUnsigned);
      }
      printer.flush();
    });
    SmallVector<Value> results;
    if (op.getResultToken())
      results.push_back(emit.i1(false));
    rewriter.replaceOp(op, results);
    return success();
  }

  SmallVector<Value> stageTiles(Emitter &emit, as::PrintOp op, ValueRange values) const {
    SmallVector<Value> staged;
    int64_t offset = 0;
    for (auto [argument, value] : llvm::zip_equal(op.getArgs(), values)) {
      Value &base = staged.emplace_back();
      if (!isa<RankedTensorType>(argument.getType()))
        continue;
      base = emit.gep(emit.intType(8), emitScratch(emit, op), offset);
      emitStage(emit, toCarrier(emit, value), getLayout(argument.getType()), base);
      offset += getStagedBytes(lowering, argument.getType());
    }
    if (offset > 0)
      emit.barrier();
    return staged;
  }

  /// printf knows no format below f32.
  Value getPrintable(Emitter &emit, Value scalar, Type element) const {
    return isa<FloatType>(element) ? emitWidened(emit, scalar, element) : scalar;
  }

  /// Nested brackets, as Python would show it.
  void printTile(Emitter &emit, Printer &printer, StringRef conversion, RankedTensorType tile, Value base,
                 bool isUnsigned) const {
    Type type = lowering.converter.convertElement(tile.getElementType());
    Type word = emit.intType(8 * getCarrierBytes(type));
    for (int64_t i = 0, n = tile.getNumElements(); i < n; ++i) {
      std::string open, close;
      int64_t period = 1;
      for (int64_t extent : llvm::reverse(tile.getShape())) {
        period *= extent;
        open += i % period == 0 ? "[" : "";
        close += (i + 1) % period == 0 ? "]" : "";
      }
      printer.addText((i ? ", " : "") + open);
      Value loaded = emit.load(word, emit.gep(word, base, i), getCarrierBytes(type));
      printer.addArgument(conversion, getPrintable(emit, fromCarrier(emit, loaded, type), tile.getElementType()),
                          isUnsigned);
      printer.addText(close);
    }
  }
};

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// The file and line a location names, if it does.
std::pair<std::string, unsigned> getSource(Location location) {
  std::pair<std::string, unsigned> source = {"unknown", 0};
  location->walk([&](Location inner) {
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    source = {file.getFilename().str(), file.getLine()};
    return WalkResult::interrupt();
  });
  return source;
}

struct AssertPattern final : TilePattern<as::AssertOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    Value condition = adaptor.getCondition();
    if (isa<VectorType>(condition.getType())) {
      Value all;
      for (Value element : emit.unpack(condition))
        all = emit.conjunction(all, element);
      condition = all;
    }
    auto [file, line] = getSource(op.getLoc());
    emitIf(emit, emit.bitNot(condition), [&] {
      Type pointer = emit.ptrType(kGenericSpace);
      Type none = LLVM::LLVMVoidType::get(emit.getContext());
      auto function =
          getSystemFunction(emit, op, "__assertfail", none, {pointer, pointer, emit.i32(), pointer, emit.i64()});
      StringRef kernel = op->getParentOfType<LLVM::LLVMFuncOp>().getSymName();
      emit.call(function, {emitString(emit, op, op.getMessage()), emitString(emit, op, file), emit.i32(line),
                           emitString(emit, op, kernel), emit.i64(1)});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

int64_t getPrintScratchBytes(const LoweringContext &lowering, as::PrintOp op) {
  int64_t bytes = 0;
  for (Type type : op.getArgs().getTypes())
    bytes += getStagedBytes(lowering, type);
  return bytes;
}

void populateOutputPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<PrintPattern, AssertPattern>(lowering);
}

} // namespace tileiras
