//===- ControlOps.cpp - Modules, kernels and control flow -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/PrintFormat.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

/// Reads a region whose terminator, if it is `ImplicitTerminator`, may be left out.
template <typename ImplicitTerminator>
static ParseResult parseBody(OpAsmParser &parser, Region &region, ArrayRef<OpAsmParser::Argument> arguments = {}) {
  if (parser.parseRegion(region, arguments))
    return failure();
  auto buildTerminator = [](OpBuilder &builder, Location loc) -> Operation * {
    OperationState state(loc, ImplicitTerminator::getOperationName());
    ImplicitTerminator::build(builder, state);
    return Operation::create(state); // the caller inserts it
  };
  impl::ensureRegionTerminator(region, parser.getBuilder(), parser.getEncodedSourceLoc(parser.getNameLoc()),
                               buildTerminator);
  return success();
}

/// Writes a region without its terminator if that is the implicit one.
template <typename ImplicitTerminator>
static void printBody(OpAsmPrinter &printer, Region &region) {
  Operation *terminator = region.front().getTerminator();
  bool isImplicit = isa<ImplicitTerminator>(terminator) && terminator->getNumOperands() == 0;
  printer.printRegion(region, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/!isImplicit);
}

// custom<Branch>
static ParseResult parseBranch(OpAsmParser &parser, Region &region) {
  return parseBody<YieldOp>(parser, region);
}
static void printBranch(OpAsmPrinter &printer, Operation *, Region &region) {
  printBody<YieldOp>(printer, region);
}

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileControlOps.cpp.inc"

//===----------------------------------------------------------------------===//
// ModuleOp
//===----------------------------------------------------------------------===//

void tileiras::cuda_tile::ModuleOp::build(OpBuilder &builder, OperationState &result, StringRef name,
                                          StringRef producer) {
  result.addRegion()->emplaceBlock();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  if (!producer.empty())
    properties.producer = builder.getStringAttr(producer);
}

LogicalResult tileiras::cuda_tile::ModuleOp::verify() {
  for (Operation &op : getBody().front()) {
    if (!isa<EntryOp, GlobalOp>(op))
      return op.emitOpError("cannot be in a module, which has entries and globals only");
    if (isa<GlobalOp>(op) && DILocAttr::find(op.getLoc()))
      return op.emitOpError("cannot have a debug info scope");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// EntryOp
//===----------------------------------------------------------------------===//

ParseResult EntryOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(properties.sym_name) || parseShortArguments(parser, arguments))
    return failure();

  auto types = llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &argument) { return argument.type; });
  properties.function_type = TypeAttr::get(parser.getBuilder().getFunctionType(types, {}));
  if (llvm::any_of(arguments, [](const OpAsmParser::Argument &argument) { return !argument.attrs.empty(); }))
    properties.arg_attrs = parser.getBuilder().getArrayAttr(llvm::map_to_vector(
        arguments, [](const OpAsmParser::Argument &argument) -> Attribute { return argument.attrs; }));

  if (succeeded(parser.parseOptionalKeyword("optimization_hints"))) {
    if (parser.parseEqual())
      return failure();
    auto hints = OptimizationHintsAttr::parse(parser, {});
    if (!hints)
      return failure();
    properties.optimization_hints = cast<OptimizationHintsAttr>(hints);
  }
  return failure(parseBody<ReturnOp>(parser, *result.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void EntryOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  ArrayAttr attributes = getArgAttrsAttr();
  bool hasAttributes = attributes && llvm::any_of(attributes.getAsRange<DictionaryAttr>(),
                                                  [](DictionaryAttr argument) { return !argument.empty(); });
  printShortArguments(printer, getBody(), hasAttributes ? attributes : ArrayAttr());
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr(); hints && !hints.getValue().empty()) {
    printer << " optimization_hints=";
    hints.print(printer);
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(llvm::to_vector((*this)->getDiscardableAttrs()));
}

LogicalResult EntryOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("cannot have results, got ") << getResultTypes();
  for (auto [i, type] : llvm::enumerate(getArgumentTypes()))
    if (auto tile = dyn_cast<TileType>(type); tile && tile.getRank() != 0)
      return emitOpError("parameter ") << i << " must be a scalar, got " << type;
  if (isa<CallSiteLoc>(getLoc()))
    return emitOpError("cannot be at a call site");
  DILocAttr location = DILocAttr::find(getLoc());
  if (!location)
    return success();
  auto subprogram = dyn_cast<DISubprogramAttr>(location.getScope());
  if (!subprogram)
    return emitOpError("must be in the scope of a di_subprogram, got ") << location.getScope();
  if (subprogram.getLinkageName() != getSymNameAttr())
    return emitOpError("is '") << getSymName() << "', but its di_subprogram has the linkage name '"
                               << subprogram.getLinkageName().getValue() << "'";
  return success();
}

LogicalResult EntryOp::verifyRegions() {
  DILocAttr location = DILocAttr::find(getLoc());
  DISubprogramAttr subprogram = location ? location.getSubprogram() : DISubprogramAttr();
  WalkResult result = getBody().walk([&](Operation *op) {
    DILocAttr scope = DILocAttr::find(op->getLoc());
    if (!scope || scope.getSubprogram() == subprogram)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = op->emitError("is in the scope of ") << scope.getSubprogram();
    if (subprogram)
      diagnostic << ", but its entry is in that of " << subprogram;
    else
      diagnostic << ", but its entry has no debug info scope";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// GlobalOp, PrintTkoOp
//===----------------------------------------------------------------------===//

LogicalResult GlobalOp::verify() {
  auto tile = dyn_cast<TileType>(getValue().getType());
  if (!tile || tile.getRank() != 1)
    return emitOpError("needs a tile of rank 1, got ") << getValue().getType();
  int64_t alignment = getAlignment();
  if (alignment < 0 || (alignment != 0 && !llvm::isPowerOf2_64(alignment)))
    return emitOpError("alignment must be 0 or a power of two, got ") << alignment;
  return success();
}

LogicalResult PrintTkoOp::verify() {
  return verifyPrintFormat(*this, getStr(), getArgs(),
                           [](Type type) { return isa<PointerType>(cast<TileType>(type).getElementType()); });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What is loop-carried or leaves an operation with regions cannot be a view.
static LogicalResult verifyNoViews(Operation *op, StringRef what, TypeRange types) {
  for (Type type : types)
    if (isa<TensorViewType, TileViewInterface>(type))
      return op->emitOpError() << what << " cannot be a view, got " << type;
  return success();
}

static LogicalResult verifyCarried(Operation *op, TypeRange initTypes, TypeRange argumentTypes) {
  if (initTypes != argumentTypes)
    return op->emitOpError("carries (") << argumentTypes << "), but begins with (" << initTypes << ")";
  return success(succeeded(verifyNoViews(op, "loop-carried value", initTypes)) &&
                 succeeded(verifyNoViews(op, "result", op->getResultTypes())));
}

static void printIterValues(OpAsmPrinter &printer, Block::BlockArgListType arguments, OperandRange inits) {
  printer << "iter_values(";
  llvm::interleaveComma(llvm::zip_equal(arguments, inits), printer,
                        [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ") ";
}

void ForOp::build(OpBuilder &builder, OperationState &result, Value lowerBound, Value upperBound, Value step,
                  ValueRange initValues, bool unsignedCmp) {
  result.addOperands({lowerBound, upperBound, step});
  result.addOperands(initValues);
  result.addTypes(initValues.getTypes());
  if (unsignedCmp)
    result.getOrAddProperties<Properties>().unsignedCmp = builder.getUnitAttr();
  Block &body = result.addRegion()->emplaceBlock();
  body.addArgument(lowerBound.getType(), result.location);
  for (Value init : initValues)
    body.addArgument(init.getType(), init.getLoc());
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  OpAsmParser::UnresolvedOperand lowerBound, upperBound, step;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("unsigned")))
    result.getOrAddProperties<Properties>().unsignedCmp = parser.getBuilder().getUnitAttr();
  if (parser.parseArgument(arguments.front()) || parser.parseKeyword("in") || parser.parseLParen() ||
      parser.parseOperand(lowerBound) || parser.parseKeyword("to") || parser.parseOperand(upperBound) ||
      parser.parseComma() || parser.parseKeyword("step") || parser.parseOperand(step) || parser.parseRParen() ||
      parser.parseColon() || parseShortType(parser, arguments.front().type))
    return failure();

  llvm::SMLoc initLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseArrow() || parser.parseLParen() ||
        parseShortType(parser, result.types) || parser.parseRParen())
      return failure();
    if (inits.size() != result.types.size())
      return parser.emitError(initLoc) << inits.size() << " iter_values have " << result.types.size() << " types";
    for (auto [argument, type] : llvm::zip_equal(llvm::drop_begin(arguments), result.types))
      argument.type = type;
  }
  Type boundType = arguments.front().type;
  return failure(parser.resolveOperands({lowerBound, upperBound, step}, boundType, result.operands) ||
                 parser.resolveOperands(inits, result.types, initLoc, result.operands) ||
                 parseBody<ContinueOp>(parser, *result.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << (getUnsignedCmp() ? " unsigned " : " ") << getInductionVar() << " in (" << getLowerBound() << " to "
          << getUpperBound() << ", step " << getStep() << ") : ";
  printShortType(printer, getInductionVar().getType());
  printer << ' ';
  if (!getInitValues().empty()) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << "-> (";
    printShortType(printer, getInitValues().getTypes());
    printer << ") ";
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict(llvm::to_vector((*this)->getDiscardableAttrs()));
}

void ForOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "for");
}

void ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument,
            argument.getArgNumber() == 0 ? "loopIdx" : "iterArg" + std::to_string(argument.getArgNumber() - 1));
}

LogicalResult ForOp::verifyRegions() {
  if (getRegion().getNumArguments() == 0 || getInductionVar().getType() != getLowerBound().getType())
    return emitOpError("body needs an induction variable of type ") << getLowerBound().getType();
  return verifyCarried(*this, getInitValues().getTypes(), ValueRange(getRegionIterValues()).getTypes());
}

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Type> initTypes;
  llvm::SMLoc initLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_values"))) {
    if (parser.parseAssignmentList(arguments, inits) || parser.parseColon() || parseShortType(parser, initTypes))
      return failure();
    if (inits.size() != initTypes.size())
      return parser.emitError(initLoc) << inits.size() << " iter_values have " << initTypes.size() << " types";
    for (auto [argument, type] : llvm::zip_equal(arguments, initTypes))
      argument.type = type;
    if (succeeded(parser.parseOptionalArrow()) && parseShortType(parser, result.types))
      return failure();
  } else if (succeeded(parser.parseOptionalColon()) && parseShortType(parser, result.types)) {
    return failure();
  }
  return failure(parser.resolveOperands(inits, initTypes, initLoc, result.operands) ||
                 parseBody<ContinueOp>(parser, *result.addRegion(), arguments) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void LoopOp::print(OpAsmPrinter &printer) {
  bool hasInits = !getInitValues().empty(), hasResults = getNumResults() != 0;
  printer << ' ';
  if (hasInits) {
    printIterValues(printer, getRegionIterValues(), getInitValues());
    printer << ": ";
    printShortType(printer, getInitValues().getTypes());
    printer << ' ';
  }
  if (hasResults) {
    printer << (hasInits ? "-> " : ": ");
    printShortType(printer, getResultTypes());
    printer << ' ';
  }
  printBody<ContinueOp>(printer, getRegion());
  printer.printOptionalAttrDict(llvm::to_vector((*this)->getDiscardableAttrs()));
}

LogicalResult LoopOp::verifyRegions() {
  return verifyCarried(*this, getInitValues().getTypes(), ValueRange(getRegionIterValues()).getTypes());
}

//===----------------------------------------------------------------------===//
// IfOp
//===----------------------------------------------------------------------===//

/// A branch that does not leave the surroundings yields the results.
static LogicalResult verifyBranch(IfOp op, Region &branch, StringRef name) {
  auto yield = dyn_cast<YieldOp>(branch.front().getTerminator());
  if (yield && yield.getOperandTypes() != op.getResultTypes())
    return op.emitOpError() << name << " branch yields (" << yield.getOperandTypes() << "), expected ("
                            << op.getResultTypes() << ")";
  return success();
}

LogicalResult IfOp::verifyRegions() {
  if (failed(verifyNoViews(*this, "result", getResultTypes())) || failed(verifyBranch(*this, getThenRegion(), "then")))
    return failure();
  if (!getElseRegion().empty())
    return verifyBranch(*this, getElseRegion(), "else");
  if (getNumResults() != 0)
    return emitOpError("has results, so it needs an else branch");
  return success();
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

/// The first operation around `op` that is no `if`: what a terminator within `if`s belongs to.
static Operation *getEnclosingNonIf(Operation *op) {
  do
    op = op->getParentOp();
  while (isa_and_nonnull<IfOp>(op));
  return op;
}

static LogicalResult verifyOperandTypes(Operation *terminator, TypeRange expected, StringRef what) {
  if (terminator->getOperandTypes() != expected)
    return terminator->emitOpError("gives (")
           << terminator->getOperandTypes() << "), but the " << what << " are (" << expected << ")";
  return success();
}

LogicalResult BreakOp::verify() {
  auto loop = dyn_cast_or_null<LoopOp>(getEnclosingNonIf(*this));
  if (!loop)
    return emitOpError("must be in a loop, with nothing but ifs between");
  return verifyOperandTypes(*this, loop.getResultTypes(), "results of the loop");
}

LogicalResult ContinueOp::verify() {
  Operation *parent = getEnclosingNonIf(*this);
  if (auto loop = dyn_cast_or_null<LoopOp>(parent))
    return verifyOperandTypes(*this, loop.getInitValues().getTypes(), "loop-carried values");
  if (auto loop = dyn_cast_or_null<ForOp>(parent))
    return verifyOperandTypes(*this, loop.getInitValues().getTypes(), "loop-carried values");
  return emitOpError("must be in a for or loop, with nothing but ifs between");
}

/// A kernel does not end within a loop; what ends the loop instead.
static StringRef getRemedyForReturn(Operation *around) {
  if (isa_and_nonnull<LoopOp>(around))
    return "; in a loop, `break` leaves the loop, and what follows it can return";
  if (isa_and_nonnull<ForOp>(around))
    return "; a for has no way out, but a loop has `break`, and what follows it can return";
  return "";
}

LogicalResult ReturnOp::verify() {
  Operation *around = getEnclosingNonIf(*this);
  if (!isa_and_nonnull<EntryOp>(around))
    return emitOpError("must be in an entry, with nothing but ifs between") << getRemedyForReturn(around);
  return verifyOperandTypes(*this, {}, "results of the entry");
}
