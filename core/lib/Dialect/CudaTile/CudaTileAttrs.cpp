//===- CudaTileAttrs.cpp - Attributes of the tile language ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#include "tileiras/Dialect/CudaTile/CudaTileAttrInterfaces.cpp.inc"
#include "tileiras/Dialect/CudaTile/CudaTileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileAttrs.cpp.inc"

void CudaTileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/CudaTile/CudaTileAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// OptimizationHintsAttr
//===----------------------------------------------------------------------===//

LogicalResult OptimizationHintsAttr::verify(function_ref<InFlightDiagnostic()> emitError, DictionaryAttr value) {
  for (NamedAttribute entry : value)
    if (!isa<DictionaryAttr>(entry.getValue()))
      return emitError() << "expected a dictionary of hints for '" << entry.getName().strref() << "', got "
                         << entry.getValue();
  const WalkResult walk = value.walk([](DictionaryAttr hints) {
    return WalkResult(success(llvm::none_of(hints, [](NamedAttribute hint) { return hint.getName().empty(); })));
  });
  if (walk.wasInterrupted())
    return emitError() << "names of hints and of what they are for must not be empty";
  return success();
}

Attribute OptimizationHintsAttr::getHint(StringRef architecture, StringRef name) const {
  for (DictionaryAttr hints : getGroups(architecture))
    if (Attribute hint = hints.get(name))
      return hint;
  return {};
}

SmallVector<DictionaryAttr> OptimizationHintsAttr::getGroups(StringRef architecture) const {
  SmallVector<DictionaryAttr> groups;
  for (StringRef key : {architecture, architecture.rtrim("af"), StringRef("default")})
    if (auto hints = getValue().getAs<DictionaryAttr>(key); hints && !llvm::is_contained(groups, hints))
      groups.push_back(hints);
  return groups;
}

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  NamedAttrList entries;
  auto parseEntry = [&]() -> ParseResult {
    llvm::SMLoc keyLoc = parser.getCurrentLocation();
    std::string key;
    Attribute hints;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual() || parser.parseAttribute(hints))
      return failure();
    if (entries.get(key))
      return parser.emitError(keyLoc, "hints for '") << key << "' are given twice";
    entries.append(key, hints);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseEntry))
    return {};
  return parser.getChecked<OptimizationHintsAttr>(loc, parser.getContext(), entries.getDictionary(parser.getContext()));
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getValue(), printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName());
    printer << " = {";
    llvm::interleaveComma(cast<DictionaryAttr>(entry.getValue()), printer, [&](NamedAttribute hint) {
      printer.printKeywordOrString(hint.getName());
      printer << " = ";
      // The public text has bare numbers, read as i64; front ends write i32 into bytecode.
      printer.printAttributeWithoutType(hint.getValue());
    });
    printer << '}';
  });
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Predicates of assume
//===----------------------------------------------------------------------===//

/// The tile that a predicate about integers (or addresses) speaks of; null after an error.
static TileType getTileOf(Type type, bool allowPointers, StringRef predicate,
                          function_ref<InFlightDiagnostic()> emitError) {
  auto tile = dyn_cast<TileType>(type);
  if (tile && (isa<IntegerType>(tile.getElementType()) || (allowPointers && isa<PointerType>(tile.getElementType()))))
    return tile;
  emitError() << "'" << predicate << "' needs a tile of integers" << (allowPointers ? " or pointers" : "") << ", got "
              << type;
  return {};
}

LogicalResult DivByAttr::verifyAssumption(Type type, function_ref<InFlightDiagnostic()> emitError) const {
  if (!llvm::isPowerOf2_64(getDivisor()) || getDivisor() > (uint64_t(1) << 62))
    return emitError() << "'div_by' divisor must be a power of two up to 2^62, got " << getDivisor();
  if (getEvery().has_value() != getAlong().has_value())
    return emitError() << "'div_by' takes 'every' and 'along' only together";
  if (isa<TensorViewType>(type)) {
    if (getEvery())
      return emitError() << "'div_by' takes no 'every' for a tensor_view, whose base address it speaks of";
    return success();
  }
  TileType tile = getTileOf(type, /*allowPointers=*/true, "div_by", emitError);
  if (!tile)
    return failure();
  if (!getEvery())
    return success();
  if (tile.getRank() == 0)
    return emitError() << "'div_by' takes no 'every' for a tile of rank 0";
  if (*getAlong() < 0 || *getAlong() >= tile.getRank())
    return emitError() << "'div_by' dimension " << *getAlong() << " is not one of the " << tile.getRank()
                       << " dimensions of the tile";
  if (*getEvery() < 0 || *getEvery() > tile.getDimSize(*getAlong()))
    return emitError() << "'div_by' group size " << *getEvery() << " exceeds the dimension's size "
                       << tile.getDimSize(*getAlong());
  return success();
}

LogicalResult SameElementsAttr::verifyAssumption(Type type, function_ref<InFlightDiagnostic()> emitError) const {
  TileType tile = getTileOf(type, /*allowPointers=*/true, "same_elements", emitError);
  if (!tile)
    return failure();
  if (getValues().size() != tile.getRank())
    return emitError() << "'same_elements' has " << getValues().size() << " group sizes for a tile of rank "
                       << tile.getRank();
  for (auto [dim, group] : llvm::enumerate(getValues().asArrayRef()))
    if (group < 0 || group > tile.getDimSize(dim))
      return emitError() << "'same_elements' group size " << group << " exceeds the size " << tile.getDimSize(dim)
                         << " of dimension " << dim;
  return success();
}

LogicalResult BoundedAttr::verifyAssumption(Type type, function_ref<InFlightDiagnostic()> emitError) const {
  TileType tile = getTileOf(type, /*allowPointers=*/false, "bounded", emitError);
  if (!tile)
    return failure();
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  for (std::optional<int64_t> bound : {getLb(), getUb()})
    if (bound && (*bound < llvm::minIntN(width) || *bound > llvm::maxIntN(width)))
      return emitError() << "'bounded' bound " << *bound << " is not a signed value of " << tile.getElementType();
  if (getLb() && getUb() && *getLb() > *getUb())
    return emitError() << "'bounded' lower bound " << *getLb() << " exceeds the upper bound " << *getUb();
  return success();
}

//===----------------------------------------------------------------------===//
// Debug information
//===----------------------------------------------------------------------===//

bool DIScopeAttr::classof(Attribute attribute) {
  return isa<DIFileAttr, DICompileUnitAttr, DILocalScopeAttr>(attribute);
}

bool DILocalScopeAttr::classof(Attribute attribute) {
  return isa<DISubprogramAttr, DILexicalBlockAttr>(attribute);
}

DISubprogramAttr DILocalScopeAttr::getSubprogram() const {
  DILocalScopeAttr scope = *this;
  while (auto block = dyn_cast_or_null<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return dyn_cast_or_null<DISubprogramAttr>(scope);
}

DISubprogramAttr DILocAttr::getSubprogram() const {
  return getScope().getSubprogram();
}

DILocAttr DILocAttr::find(LocationAttr location) {
  return llvm::TypeSwitch<LocationAttr, DILocAttr>(location)
      .Case([](DILocAttr loc) { return loc; })
      .Case([](CallSiteLoc loc) { return find(loc.getCaller()); })
      .Case([](NameLoc loc) { return find(loc.getChildLoc()); })
      .Case([](FusedLoc loc) {
        for (Location part : loc.getLocations())
          if (DILocAttr found = find(part))
            return found;
        return DILocAttr();
      })
      .Default(DILocAttr());
}
