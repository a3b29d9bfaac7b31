//===- TileASAttrs.cpp - Attributes of nv_tileas --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/ConversionPlan.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Target/IsaLimits.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAS/TileASAttrs.cpp.inc"

void TileASDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/TileAS/TileASAttrs.cpp.inc"
      >();
}

/// Blocks have at most 32 warps.
static constexpr int64_t kMaxWarps = 32;

//===----------------------------------------------------------------------===//
// Text: name = [1, 2], name = [[1, 0], [2, 0]]
//===----------------------------------------------------------------------===//

static ParseResult parseInts(AsmParser &parser, StringRef name, SmallVectorImpl<int64_t> &values) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

static void printInts(AsmPrinter &printer, StringRef name, ArrayRef<int64_t> values) {
  printer << name << " = [";
  llvm::interleaveComma(values, printer);
  printer << ']';
}

/// Parses bases of equal rank; `rank` is -1 until the first basis tells it.
static ParseResult parseBases(AsmParser &parser, StringRef name, int64_t &rank, SmallVectorImpl<int32_t> &bases) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    size_t before = bases.size();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(bases.emplace_back()); }))
      return failure();
    int64_t length = bases.size() - before;
    if (rank >= 0 && rank != length)
      return parser.emitError(loc, "expects bases of one rank, but got ") << rank << " vs " << length;
    rank = length;
    return success();
  });
}

static void printBases(AsmPrinter &printer, StringRef name, int64_t rank, ArrayRef<int32_t> bases) {
  printer << name << " = [";
  for (size_t i = 0; i < bases.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases.slice(i, rank), printer);
    printer << ']';
  }
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult verifyPowersOfTwo(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                       ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value <= 0 || !llvm::isPowerOf2_64(value))
      return emitError() << "expects powers of two for '" << name << "', but got " << value;
  return success();
}

/// Product of positive values, saturating at `limit + 1`.
static int64_t boundedProduct(ArrayRef<int64_t> values, int64_t limit) {
  int64_t product = 1;
  for (int64_t value : values)
    product = value > limit / product ? limit + 1 : product * value;
  return product;
}

static LogicalResult verifyWarps(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> warps) {
  if (failed(verifyPowersOfTwo(emitError, "warp", warps)))
    return failure();
  if (boundedProduct(warps, kMaxWarps) > kMaxWarps)
    return emitError() << "expects at most " << kMaxWarps << " warps";
  return success();
}

/// What every layout asks of a tile: power-of-two extents and the layout's rank.
static LogicalResult verifyTile(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                std::optional<size_t> rank) {
  for (int64_t extent : shape)
    if (extent <= 0 || !llvm::isPowerOf2_64(extent))
      return emitError() << "a distributed tensor has extents that are powers of two, but got " << extent;
  if (rank && shape.size() != *rank)
    return emitError() << "layout of rank " << *rank << " does not fit a tensor of rank " << shape.size();
  return success();
}

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

Attribute BlockedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> elements, lanes, warps, order;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseInts(parser, "register", elements) || parser.parseComma() ||
      parseInts(parser, "lane", lanes) || parser.parseComma() || parseInts(parser, "warp", warps) ||
      parser.parseComma() || parseInts(parser, "order", order) || parser.parseGreater())
    return {};
  return BlockedAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), elements, lanes, warps,
                                 order);
}

void BlockedAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printInts(printer, "register", getElementsPerThread());
  printInts(printer << ", ", "lane", getThreadsPerWarp());
  printInts(printer << ", ", "warp", getWarpsPerCTA());
  printInts(printer << ", ", "order", getOrder());
  printer << '>';
}

LogicalResult BlockedAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> elements,
                                  ArrayRef<int64_t> lanes, ArrayRef<int64_t> warps, ArrayRef<int64_t> order) {
  size_t rank = order.size();
  if (rank == 0 || elements.size() != rank || lanes.size() != rank || warps.size() != rank)
    return emitError() << "expects 'register', 'lane', 'warp' and 'order' of one rank";
  if (failed(verifyPowersOfTwo(emitError, "register", elements)) ||
      failed(verifyPowersOfTwo(emitError, "lane", lanes)) || failed(verifyWarps(emitError, warps)))
    return failure();
  if (boundedProduct(lanes, kLanesPerWarp) != kLanesPerWarp)
    return emitError() << "expects " << kLanesPerWarp << " lanes";
  SmallVector<bool> named(rank, false);
  for (int64_t dim : order)
    if (dim < 0 || dim >= int64_t(rank) || std::exchange(named[dim], true))
      return emitError() << "'order' must name every dimension once";
  return success();
}

LogicalResult BlockedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                          function_ref<InFlightDiagnostic()> emitError) const {
  return verifyTile(emitError, shape, getOrder().size());
}

LinearLayout BlockedAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  BlockedParameters parameters;
  llvm::append_range(parameters.sizePerThread, getElementsPerThread());
  llvm::append_range(parameters.threadsPerWarp, getThreadsPerWarp());
  llvm::append_range(parameters.warpsPerCta, getWarpsPerCTA());
  llvm::append_range(parameters.order, getOrder());
  return makeBlockedLayout(parameters, shape);
}

int64_t BlockedAttr::getNumWarps() const {
  return boundedProduct(getWarpsPerCTA(), kMaxWarps);
}

//===----------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------===//

Attribute LinearAttr::parse(AsmParser &parser, Type) {
  int64_t rank = -1;
  SmallVector<int32_t> registers, lanes, warps;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseBases(parser, "register", rank, registers) || parser.parseComma() ||
      parseBases(parser, "lane", rank, lanes) || parser.parseComma() || parseBases(parser, "warp", rank, warps) ||
      parser.parseGreater())
    return {};
  return LinearAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), std::max<int64_t>(rank, 0),
                                registers, lanes, warps);
}

void LinearAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBases(printer, "register", getRank(), getRegisterBases());
  printBases(printer << ", ", "lane", getRank(), getLaneBases());
  printBases(printer << ", ", "warp", getRank(), getWarpBases());
  printer << '>';
}

LogicalResult LinearAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                 ArrayRef<int32_t> registers, ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps) {
  if (rank <= 0 || registers.size() % rank || lanes.size() % rank || warps.size() % rank)
    return emitError() << "expects bases of one rank above 0";
  if (int64_t(1) << std::min<size_t>(lanes.size() / rank, 62) != kLanesPerWarp)
    return emitError() << "expects " << kLanesPerWarp << " lanes";
  if (int64_t(1) << std::min<size_t>(warps.size() / rank, 62) > kMaxWarps)
    return emitError() << "expects at most " << kMaxWarps << " warps";
  for (ArrayRef<int32_t> bases : {registers, lanes, warps})
    if (llvm::any_of(bases, [](int32_t coordinate) { return coordinate < 0; }))
      return emitError() << "expects coordinates that are not negative";
  return success();
}

LinearAttr LinearAttr::get(MLIRContext *context, const LinearLayout &layout) {
  auto flatten = [&](LayoutDim dim) {
    SmallVector<int32_t> bases;
    for (const LinearLayout::Basis &basis : layout.getBases(dim))
      llvm::append_range(bases, basis);
    return bases;
  };
  return get(context, layout.getRank(), flatten(LayoutDim::Register), flatten(LayoutDim::Lane),
             flatten(LayoutDim::Warp));
}

static LogicalResult verifyCoordinates(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> bases,
                                       ArrayRef<int64_t> shape) {
  for (auto [i, coordinate] : llvm::enumerate(bases))
    if (coordinate >= shape[i % shape.size()])
      return emitError() << "coordinate " << coordinate << " of the layout is outside of the tensor";
  return success();
}

LogicalResult LinearAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyTile(emitError, shape, getRank())))
    return failure();
  for (ArrayRef<int32_t> bases : {getRegisterBases(), getLaneBases(), getWarpBases()})
    if (failed(verifyCoordinates(emitError, bases, shape)))
      return failure();
  if (!toLinearLayout(shape).isSurjective())
    return emitError() << "the layout leaves elements of the tensor to no thread";
  return success();
}

/// Appends bits of `dim`, each given by as many coordinates as the layout has dimensions.
static void addBases(LinearLayout &layout, LayoutDim dim, ArrayRef<int32_t> bases) {
  for (; !bases.empty(); bases = bases.drop_front(layout.getRank()))
    layout.addBasis(dim, LinearLayout::Basis(bases.take_front(layout.getRank())));
}

LinearLayout LinearAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  LinearLayout layout(shape);
  addBases(layout, LayoutDim::Register, getRegisterBases());
  addBases(layout, LayoutDim::Lane, getLaneBases());
  addBases(layout, LayoutDim::Warp, getWarpBases());
  return layout;
}

int64_t LinearAttr::getNumWarps() const {
  return int64_t(1) << (getWarpBases().size() / getRank());
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

Attribute AtomAttr::parse(AsmParser &parser, Type) {
  std::string name;
  if (parser.parseString(&name))
    return {};
  return AtomAttr::get(parser.getContext(), name);
}

void AtomAttr::print(AsmPrinter &printer) const {
  printer.printString(getName());
}

bool AtomAttr::isAny() const {
  return llvm::is_contained({kAnyCopy, kAnyReduction, kAnyMma}, getName());
}

const MmaAtom *AtomAttr::findMma(const AtomCatalogue &atoms) const {
  return isNamed() ? atoms.findMma(getName()) : nullptr;
}

const CopyAtom *AtomAttr::findCopy(const AtomCatalogue &atoms) const {
  return isNamed() ? atoms.findCopy(getName()) : nullptr;
}

const ReduceAtom *AtomAttr::findReduce(const AtomCatalogue &atoms) const {
  return isNamed() ? atoms.findReduce(getName()) : nullptr;
}

//===----------------------------------------------------------------------===//
// Dot operand
//===----------------------------------------------------------------------===//

Attribute DotOperandAttr::parse(AsmParser &parser, Type) {
  StringRef axisName;
  AtomAttr atom;
  SmallVector<int64_t> warps, extents;
  LinearAttr fragment;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("axis") || parser.parseEqual() || parser.parseKeyword(&axisName))
    return {};
  std::optional<OperandAxis> axis = symbolizeOperandAxis(axisName);
  if (!axis)
    return parser.emitError(loc, "expects axis A, B or C, but got ") << axisName, Attribute();
  if (parser.parseComma() || parser.parseKeyword("atom") || parser.parseEqual() ||
      parser.parseCustomAttributeWithFallback(atom) || parser.parseComma() || parseInts(parser, "warp", warps) ||
      parser.parseComma() || parseInts(parser, "extents", extents) || parser.parseComma() ||
      parser.parseKeyword("fragment") || parser.parseEqual() || parser.parseCustomAttributeWithFallback(fragment) ||
      parser.parseGreater())
    return {};
  return DotOperandAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), *axis, atom, warps,
                                    extents, fragment);
}

void DotOperandAttr::print(AsmPrinter &printer) const {
  printer << "<axis = " << stringifyOperandAxis(getAxis()) << ", atom = ";
  printer.printStrippedAttrOrType(getAtom());
  printer << ", ";
  printInts(printer, "warp", getWarpsPerCTA());
  printInts(printer << ", ", "extents", getExtents());
  printer << ", fragment = ";
  printer.printStrippedAttrOrType(getFragment());
  printer << '>';
}

LogicalResult DotOperandAttr::verify(function_ref<InFlightDiagnostic()> emitError, OperandAxis axis, AtomAttr,
                                     ArrayRef<int64_t> warps, ArrayRef<int64_t> extents, LinearAttr fragment) {
  if (warps.size() != 2 && warps.size() != 3)
    return emitError() << "expects 'warp' of rank 2 or 3, but got " << warps.size();
  if (extents.size() != 2)
    return emitError() << "expects rows and columns in 'extents', but got " << extents.size() << " values";
  if (failed(verifyWarps(emitError, warps)) || failed(verifyPowersOfTwo(emitError, "extents", extents)))
    return failure();
  const int64_t fragmentWarps = fragment.getNumWarps();
  if (fragmentWarps > 1 && axis == OperandAxis::B)
    return emitError() << "expects a fragment of one warp";
  if (warps.drop_back().back() % fragmentWarps != 0)
    return emitError() << "expects warps along the rows for the fragment's " << fragmentWarps;
  return fragment.verifyEncoding(extents, {}, emitError);
}

LogicalResult DotOperandAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                             function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyTile(emitError, shape, getWarpsPerCTA().size())))
    return failure();
  // Copies along K would be summed up.
  if (getAxis() != OperandAxis::C) {
    size_t k = getAxis() == OperandAxis::A ? 1 : 0;
    int64_t tileK = shape[shape.size() - 2 + k];
    if (tileK < getExtents()[k])
      return emitError() << "the tile's K extent " << tileK << " is below the atom's " << getExtents()[k];
  }
  return success();
}

LinearLayout DotOperandAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  ArrayRef<int64_t> warps = getWarpsPerCTA();
  MmaWarpGrid grid;
  grid.n = warps.back();
  grid.m = warps.drop_back().back();
  grid.batch = warps.size() == 3 ? warps.front() : 1;
  return tileMma(getFragment().toLinearLayout(getExtents()), static_cast<MmaOperand>(getAxis()), shape, grid);
}

int64_t DotOperandAttr::getNumWarps() const {
  return boundedProduct(getWarpsPerCTA(), kMaxWarps);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Skips one tuple of the descriptor grammar; what it says is read from the text.
static ParseResult skipTuple(AsmParser &parser) {
  int64_t value;
  if (failed(parser.parseOptionalLParen()))
    return parser.parseInteger(value);
  if (parser.parseCommaSeparatedList([&] { return skipTuple(parser); }))
    return failure();
  return parser.parseRParen();
}

/// Skips `swizzle<b,m,s>` or `elem=name`.
static ParseResult skipClause(AsmParser &parser) {
  StringRef keyword, name;
  int64_t value;
  if (parser.parseKeyword(&keyword))
    return failure();
  if (keyword == "elem")
    return failure(parser.parseEqual() || parser.parseKeyword(&name));
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] { return parser.parseInteger(value); });
}

// '<' tuple ',' tuple (',' clause)* '>'
Attribute SharedAttr::parse(AsmParser &parser, Type) {
  SMLoc begin = parser.getCurrentLocation();
  if (parser.parseLess() || skipTuple(parser) || parser.parseComma() || skipTuple(parser))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (skipClause(parser))
      return {};
  SMLoc last = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  StringRef text(begin.getPointer(), last.getPointer() + 1 - begin.getPointer());
  LayoutParseError error;
  std::optional<LayoutDescriptor> descriptor = parseLayoutDescriptor(text, error);
  if (!descriptor)
    return parser.emitError(SMLoc::getFromPointer(begin.getPointer() + error.offset), error.message), Attribute();
  std::string canonical = descriptor->str();
  return SharedAttr::get(parser.getContext(), StringRef(canonical).drop_front().drop_back());
}

void SharedAttr::print(AsmPrinter &printer) const {
  printer << '<' << getText() << '>';
}

LogicalResult SharedAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef text) {
  LayoutParseError error;
  if (!parseLayoutDescriptor(("<" + text + ">").str(), error))
    return emitError() << "'" << text << "' is not a layout descriptor: " << error.message;
  return success();
}

LayoutDescriptor SharedAttr::getDescriptor() const {
  LayoutParseError error;
  return *parseLayoutDescriptor(("<" + getText() + ">").str(), error);
}

LogicalResult SharedAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyTile(emitError, shape, std::nullopt)))
    return failure();
  int64_t elements = boundedProduct(shape, std::numeric_limits<int32_t>::max());
  int64_t described = getDescriptor().layout.getSize();
  if (described != elements)
    return emitError() << "a layout of " << described << " elements does not fit a tensor of " << elements;
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

Attribute TmemAttr::parse(AsmParser &parser, Type) {
  int64_t rank = -1;
  SmallVector<int32_t> rows, columns;
  bool unpacked = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseBases(parser, "row", rank, rows) || parser.parseComma() ||
      parseBases(parser, "column", rank, columns))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("unpacked"))
      return {};
    unpacked = true;
  }
  if (parser.parseGreater())
    return {};
  return TmemAttr::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), std::max<int64_t>(rank, 0),
                              rows, columns, unpacked);
}

void TmemAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBases(printer, "row", getRank(), getRowBases());
  printBases(printer << ", ", "column", getRank(), getColumnBases());
  printer << (getUnpacked() ? ", unpacked>" : ">");
}

LogicalResult TmemAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank, ArrayRef<int32_t> rows,
                               ArrayRef<int32_t> columns, bool) {
  if (rank <= 0 || rows.size() % rank || columns.size() % rank)
    return emitError() << "expects bases of one rank above 0";
  if (int64_t(1) << std::min<size_t>(rows.size() / rank, 62) > IsaLimits::kTensorMemoryLanes)
    return emitError() << "expects at most " << IsaLimits::kTensorMemoryLanes << " rows";
  for (ArrayRef<int32_t> bases : {rows, columns})
    if (llvm::any_of(bases, [](int32_t coordinate) { return coordinate < 0; }))
      return emitError() << "expects coordinates that are not negative";
  return success();
}

LogicalResult TmemAttr::verifyEncoding(ArrayRef<int64_t> shape, Type element,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(verifyTile(emitError, shape, getRank())))
    return failure();
  for (ArrayRef<int32_t> bases : {getRowBases(), getColumnBases()})
    if (failed(verifyCoordinates(emitError, bases, shape)))
      return failure();
  LinearLayout layout = toLinearLayout(shape);
  if (!layout.isSurjective() || !layout.isInjective())
    return emitError() << "the layout does not give each element of the tensor one place";
  constexpr int64_t bitsOfColumn = IsaLimits::kTensorMemoryColumnBits;
  const int64_t bits = element.isIntOrFloat() && !getUnpacked() ? element.getIntOrFloatBitWidth() : bitsOfColumn;
  const int64_t columns = llvm::divideCeil(layout.getInSize(LayoutDim::Column) * bits, bitsOfColumn);
  if (columns > IsaLimits::kTensorMemoryColumns)
    return emitError() << "the tensor takes " << columns << " columns of tensor memory, which has "
                       << IsaLimits::kTensorMemoryColumns;
  return success();
}

LinearLayout TmemAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  LinearLayout layout(shape);
  addBases(layout, LayoutDim::Row, getRowBases());
  addBases(layout, LayoutDim::Column, getColumnBases());
  return layout;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

LogicalResult AtomPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned tag, StringAttr atom,
                                   SharedAttr smem) {
  if (tag > 1)
    return emitError() << "expects tag 0, from registers to registers, or 1, through shared memory, but got " << tag;
  if (tag == 0 && smem)
    return emitError() << "expects no layout in shared memory with tag 0";
  if (tag == 1 && atom != kLoadMatrix && atom != kLoadShared)
    return emitError() << "expects atom '" << kLoadMatrix << "' or '" << kLoadShared << "' with tag 1, but got "
                       << atom;
  std::optional<ConversionKind> kind = symbolizeConversionKind(atom.getValue());
  if (tag == 0 && (!kind || *kind == ConversionKind::SharedMemory))
    return emitError() << "expects a kind of conversion within registers as atom, but got " << atom;
  return success();
}
