//===- InsertDebugScope.cpp - tileir-insert-debug-scope -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Pipeline/Passes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace tileiras {
#define GEN_PASS_DEF_INSERTDEBUGSCOPE
#include "tileiras/Pipeline/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

namespace {

/// Translates locations of one module. Attributes of one source entity are made once.
class ScopeBuilder {
public:
  ScopeBuilder(MLIRContext *context, bool full, bool optimized) : context(context), full(full), optimized(optimized) {}

  /// The subprogram of a function at `location`.
  LLVM::DISubprogramAttr getSubprogram(FunctionOpInterface function) {
    if (auto loc = cuda_tile::DILocAttr::find(function.getLoc()))
      return convert(loc.getSubprogram());
    FileLineColLoc place = findPlace(function.getLoc());
    LLVM::DIFileAttr file = getFile(place ? place.getFilename().getValue() : "<unknown>");
    auto name = StringAttr::get(context, function.getName());
    return makeSubprogram(file, getUnit(file), name, name, place ? place.getLine() : 1, 0);
  }

  /// `location` as LLVM reads it, for code of the function `subprogram`.
  LocationAttr convert(LocationAttr location, LLVM::DISubprogramAttr subprogram) {
    if (auto loc = dyn_cast<cuda_tile::DILocAttr>(location))
      return convertScoped(loc, subprogram);
    if (auto call = dyn_cast<CallSiteLoc>(location))
      return convertCall(call, subprogram);
    if (auto named = dyn_cast<NameLoc>(location))
      return convert(named.getChildLoc(), subprogram);
    if (auto fused = dyn_cast<FusedLoc>(location))
      return convertFused(fused, subprogram);
    if (auto place = dyn_cast<FileLineColLoc>(location))
      return convertPlace(place, subprogram);
    return location;
  }

private:
  static FileLineColLoc findPlace(LocationAttr location) { return location.findInstanceOf<FileLineColLoc>(); }

  /// ptxas knows no escapes in the strings of `.file`.
  LLVM::DIFileAttr makeFile(StringRef name, StringRef directory) {
    auto toPlain = [](StringRef text) {
      std::string plain = text.str();
      std::replace_if(
          plain.begin(), plain.end(), [](unsigned char c) { return c == '"' || c == '\\' || c < 0x20 || c == 0x7f; },
          '_');
      return plain;
    };
    return LLVM::DIFileAttr::get(context, toPlain(name), toPlain(directory));
  }

  LLVM::DIFileAttr getFile(StringRef path) {
    return makeFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
  }

  LLVM::DIFileAttr convert(cuda_tile::DIFileAttr file) { return makeFile(file.getName(), file.getDirectory()); }

  /// One unit for each main file. Without name tables: LLVM writes those sections anew for each unit, and ptxas takes
  /// no section twice ("overlapping non-identical data").
  LLVM::DICompileUnitAttr getUnit(LLVM::DIFileAttr file) {
    LLVM::DICompileUnitAttr &unit = units[file];
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C, file,
                                          StringAttr::get(context, "tileiras"), optimized,
                                          full ? LLVM::DIEmissionKind::Full : LLVM::DIEmissionKind::DebugDirectivesOnly,
                                          LLVM::DINameTableKind::None);
    return unit;
  }

  LLVM::DISubprogramAttr makeSubprogram(LLVM::DIFileAttr file, LLVM::DICompileUnitAttr unit, StringAttr name,
                                        StringAttr linkageName, unsigned line, unsigned scopeLine) {
    auto flags = LLVM::DISubprogramFlags::Definition;
    if (optimized)
      flags = flags | LLVM::DISubprogramFlags::Optimized;
    auto type = LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
    return LLVM::DISubprogramAttr::get(context, DistinctAttr::create(UnitAttr::get(context)), unit, file, name,
                                       linkageName, file, line, scopeLine ? scopeLine : line, flags, type,
                                       /*retainedNodes=*/{}, /*annotations=*/{});
  }

  LLVM::DISubprogramAttr convert(cuda_tile::DISubprogramAttr source) {
    LLVM::DISubprogramAttr &subprogram = subprograms[source];
    if (!subprogram)
      subprogram = makeSubprogram(convert(source.getFile()), getUnit(convert(source.getCompileUnit().getFile())),
                                  source.getName(), source.getLinkageName(), source.getLine(), source.getScopeLine());
    return subprogram;
  }

  LLVM::DILocalScopeAttr convert(cuda_tile::DILocalScopeAttr scope) {
    if (auto block = dyn_cast<cuda_tile::DILexicalBlockAttr>(scope))
      return LLVM::DILexicalBlockAttr::get(convert(block.getScope()), convert(block.getFile()), block.getLine(),
                                           block.getColumn());
    return convert(cast<cuda_tile::DISubprogramAttr>(scope));
  }

  /// Code that claims to be of another function without a call site would be refused by LLVM: it keeps its place only.
  LocationAttr convertScoped(cuda_tile::DILocAttr loc, LLVM::DISubprogramAttr subprogram) {
    if (subprogram && convert(loc.getSubprogram()) != subprogram)
      return convertPlace(loc.getSourceLoc(), subprogram);
    return FusedLoc::get(context, {loc.getSourceLoc()}, convert(loc.getScope()));
  }

  /// The callee brings its own scope, where it has one.
  LocationAttr convertCall(CallSiteLoc call, LLVM::DISubprogramAttr subprogram) {
    LocationAttr caller = convert(call.getCaller(), subprogram);
    if (!cuda_tile::DILocAttr::find(call.getCallee()))
      return caller;
    return CallSiteLoc::get(Location(convert(call.getCallee(), nullptr)), Location(caller));
  }

  /// A scope a transformation has attached stays; of a plain list LLVM merges the parts.
  LocationAttr convertFused(FusedLoc fused, LLVM::DISubprogramAttr subprogram) {
    if (isa_and_nonnull<LLVM::DILocalScopeAttr>(fused.getMetadata()))
      return fused;
    SmallVector<Location> parts;
    for (Location part : fused.getLocations())
      parts.push_back(Location(convert(part, subprogram)));
    return FusedLoc::get(context, parts);
  }

  LocationAttr convertPlace(FileLineColLoc place, LLVM::DISubprogramAttr subprogram) {
    LLVM::DIFileAttr file = getFile(place.getFilename());
    if (!subprogram || file == subprogram.getFile())
      return place;
    return FusedLoc::get(context, {place}, LLVM::DILexicalBlockFileAttr::get(subprogram, file, /*discriminator=*/0));
  }

  MLIRContext *context;
  bool full, optimized;
  llvm::DenseMap<Attribute, LLVM::DICompileUnitAttr> units;
  llvm::DenseMap<Attribute, LLVM::DISubprogramAttr> subprograms;
};

struct InsertDebugScope : tileiras::impl::InsertDebugScopeBase<InsertDebugScope> {
  using InsertDebugScopeBase::InsertDebugScopeBase;

  void runOnOperation() override {
    ScopeBuilder scopes(&getContext(), full, optimized);
    getOperation().walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        annotate(function, scopes);
      return WalkResult::skip();
    });
  }

  static void annotate(FunctionOpInterface function, ScopeBuilder &scopes) {
    Location original = function.getLoc();
    if (auto fused = dyn_cast<FusedLoc>(original);
        fused && isa_and_nonnull<LLVM::DISubprogramAttr>(fused.getMetadata()))
      return; // annotated before
    LLVM::DISubprogramAttr subprogram = scopes.getSubprogram(function);
    function->walk([&](Operation *op) {
      op->setLoc(Location(scopes.convert(op->getLoc(), subprogram)));
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          argument.setLoc(Location(scopes.convert(argument.getLoc(), subprogram)));
    });
    FileLineColLoc place = LocationAttr(original).findInstanceOf<FileLineColLoc>();
    Location plain = place ? Location(place) : Location(UnknownLoc::get(function.getContext()));
    function->setLoc(FusedLoc::get(function.getContext(), {plain}, subprogram));
  }
};

} // namespace
