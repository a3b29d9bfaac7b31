//===- ModuleChanges.cpp - Hints, names, kernels and globals ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEditor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// A value that the hint may have, or one that it may not.
static Attribute pickHint(MLIRContext *context, llvm::StringRef name, Random &random) {
  Builder builder(context);
  auto number = [&](int64_t value) -> Attribute {
    return random.chance(50) ? builder.getI64IntegerAttr(value)
                             : builder.getI32IntegerAttr(static_cast<int32_t>(value));
  };
  if (random.chance(15))
    return random.pick<Attribute>({builder.getStringAttr("two"), builder.getF32FloatAttr(2), builder.getBoolAttr(true),
                                   number(INT32_MIN), number(INT32_MAX),
                                   number(static_cast<int64_t>(pickNumber(random)))});
  if (name == "allow_tma")
    return builder.getBoolAttr(random.chance(50));
  return number(random.pick<int64_t>({-1, 0, 1, 2, 3, 4, 5, 8, 10, 11, 12, 16, 32, 64}));
}

/// A hint more, another value of one, or one less: of kernels, loads and stores.
static bool changeHints(ModuleEditor &editor) {
  static constexpr llvm::StringLiteral attributeName = "optimization_hints";
  static constexpr llvm::StringLiteral chips[] = {"default", "default", "sm_80",   "sm_90",   "sm_90a", "sm_100",
                                                  "sm_103",  "sm_120",  "sm_100f", "sm_120f", "sm_999", "gpu"};
  static constexpr llvm::StringLiteral names[] = {"num_cta_in_cga", "occupancy", "num_worker_warps_per_cta",
                                                  "latency",        "allow_tma", "no_such_hint"};
  Random &random = editor.random;
  Operation *op = editor.pickOpWhere([&](Operation *op) {
    return llvm::any_of(op->getName().getAttributeNames(),
                        [](StringAttr name) { return name.getValue() == attributeName; });
  });
  if (!op)
    return false;
  auto old = op->getAttrOfType<ct::OptimizationHintsAttr>(attributeName);
  if (old && random.chance(15)) {
    op->removeAttr(attributeName);
    return true;
  }
  NamedAttrList byChip(old ? old.getValue() : DictionaryAttr::get(editor.context));
  llvm::StringRef chip = random.pick(llvm::ArrayRef(chips)), name = random.pick(llvm::ArrayRef(names));
  // Those that the operation may have come most of the time.
  if (random.chance(70))
    name = isa<ct::EntryOp>(op) ? names[random.below(3)] : names[3 + random.below(2)];
  NamedAttrList hints(dyn_cast_or_null<DictionaryAttr>(byChip.get(chip)));
  hints.set(name, pickHint(editor.context, name, random));
  byChip.set(chip, hints.getDictionary(editor.context));
  op->setAttr(attributeName, ct::OptimizationHintsAttr::get(editor.context, byChip.getDictionary(editor.context)));
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// A name that others may already have, of which PTX, LLVM or the compiler may make something: those of parameters and
/// registers, of instructions, of what is linked in, of characters that must be escaped. `neighbour` is a symbol of the
/// module.
static std::string pickName(llvm::StringRef neighbour, Random &random) {
  static constexpr llvm::StringLiteral names[] = {
      "main",      "vprintf",     "malloc", "memcpy", "__nv_expf",   "__assertfail", "llvm.nvvm.barrier0",
      "WARP_SZ",   "ret",         "reg",    "entry",  "global_smem", "kernel",       "nv_tileas",
      "printf",    "_Z3addPfS_S", "_",      "$",      "%r1",         "%tid.x",       "0",
      "9k",        "a.b",         "a-b",    "a b",    "a\"b",        "a\\b",         "a\nb",
      "k\xc3\xa9", "\xff",        "#hash",  "@k",     "gpu_module",  "__unnamed_1",  "x;exit;"};
  switch (random.below(6)) {
  case 0:
    return neighbour.str() + "_param_" + std::to_string(random.below(3));
  case 1:
    return neighbour.str() + random.pick<llvm::StringRef>({"_", "$1", ".1", "_shared", "__param_0", "$reqntid"}).str();
  case 2:
    return random.chance(10) ? std::string(5000, 'k') : neighbour.upper();
  default:
    return random.pick(llvm::ArrayRef(names)).str();
  }
}

static Operation *pickSymbol(ModuleEditor &editor) {
  return editor.pickOpOf<ct::EntryOp, ct::GlobalOp>();
}

static bool isTaken(ModuleEditor &editor, llvm::StringRef name) {
  return SymbolTable::lookupSymbolIn(editor.module, name) != nullptr;
}

static bool renameSymbol(ModuleEditor &editor) {
  Operation *symbol = pickSymbol(editor), *neighbour = pickSymbol(editor);
  if (!symbol)
    return false;
  std::string name = pickName(SymbolTable::getSymbolName(neighbour).getValue(), editor.random);
  auto attribute = StringAttr::get(editor.context, name);
  if (isTaken(editor, name) || failed(SymbolTable::replaceAllSymbolUses(symbol, attribute, editor.module)))
    return false;
  SymbolTable::setSymbolName(symbol, attribute);
  return true;
}

//===----------------------------------------------------------------------===//
// Kernels and globals
//===----------------------------------------------------------------------===//

/// A kernel once more, under another name.
static bool duplicateKernel(ModuleEditor &editor) {
  Operation *entry = editor.pickOpOf<ct::EntryOp>();
  if (!entry)
    return false;
  std::string name = pickName(SymbolTable::getSymbolName(entry).getValue(), editor.random);
  if (isTaken(editor, name))
    return false;
  OpBuilder builder(editor.context);
  if (editor.random.chance(50))
    builder.setInsertionPoint(entry);
  else
    builder.setInsertionPointAfter(entry);
  SymbolTable::setSymbolName(builder.clone(*entry), name);
  return true;
}

static bool addGlobal(ModuleEditor &editor) {
  Random &random = editor.random;
  Operation *symbol = pickSymbol(editor);
  std::string name = pickName(symbol ? SymbolTable::getSymbolName(symbol).getValue() : "k", random);
  if (isTaken(editor, name))
    return false;
  Type element = pickElementType(editor.context, random);
  auto tile = ct::TileType::get({int64_t(1) << random.below(8)}, element);
  auto value = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, pickEdge(element, random)));
  OpBuilder builder(editor.context);
  builder.setInsertionPointToStart(&editor.module.getBody().front()); // Where bytecode has them.
  OperationState state(editor.module.getLoc(), ct::GlobalOp::getOperationName());
  state.addAttribute("sym_name", builder.getStringAttr(name));
  state.addAttribute("value", value);
  state.addAttribute("alignment", builder.getI64IntegerAttr(random.pick<int64_t>({0, 0, 1, 4, 16, 128, 4096})));
  if (random.chance(30))
    state.addAttribute("constant", builder.getUnitAttr());
  state.addAttribute("symbol_visibility", createAttribute(editor.context, "symbol_visibility", random));
  Operation *global = builder.create(state);
  fillDefaults(global);

  // A kernel reads it: what gives a pointer to such elements now points to it.
  auto pointer = ct::TileType::get({}, ct::PointerType::get(element));
  Operation *user =
      editor.pickOpWhere([&](Operation *op) { return llvm::is_contained(op->getOperandTypes(), pointer); });
  if (!user)
    return true;
  builder.setInsertionPoint(user);
  Value address = ct::GetGlobalOp::create(builder, user->getLoc(), pointer, name);
  for (OpOperand &operand : user->getOpOperands())
    if (operand.get().getType() == pointer)
      operand.set(address);
  return true;
}

llvm::ArrayRef<ChangeKind> tileiras::fuzz::getModuleChanges() {
  static constexpr ChangeKind kinds[] = {
      {"hints", 4, changeHints}, {"name", 2, renameSymbol}, {"kernel", 1, duplicateKernel}, {"global", 2, addGlobal}};
  return kinds;
}
