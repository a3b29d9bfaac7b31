//===- OperationChanges.cpp - Operations that become others, come, go and move --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEditor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

/// Puts an operation of this name, on the same operands and with the same results, in place of `op`.
static void replaceOperation(ModuleEditor &editor, Operation *op, RegisteredOperationName name) {
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  for (StringAttr attributeName : name.getAttributeNames()) {
    Attribute attribute = op->getAttr(attributeName);
    if (!attribute && attributeName.getValue() != "operandSegmentSizes" && editor.random.chance(70))
      attribute = editor.findAttribute(attributeName);
    if (attribute)
      state.addAttribute(attributeName, attribute);
  }
  OpBuilder builder(op);
  Operation *changed = builder.create(state);
  fillDefaults(changed);
  op->replaceAllUsesWith(changed->getResults());
  op->erase();
}

static bool changeOperation(ModuleEditor &editor) {
  Operation *op = editor.pickOp(editor.module);
  if (!op || op->getNumRegions() != 0)
    return false;
  auto names = editor.context->getRegisteredOperationsByDialect(ct::CudaTileDialect::getDialectNamespace());
  RegisteredOperationName name = names[editor.random.below(names.size())];
  if (name == op->getName() || name.hasTrait<OpTrait::IsTerminator>() != op->hasTrait<OpTrait::IsTerminator>())
    return false;
  replaceOperation(editor, op, name);
  return true;
}

/// The operations that take and give what `name` does, with others of its kind; empty if there are none.
static llvm::ArrayRef<llvm::StringLiteral> getAlike(llvm::StringRef name) {
  static constexpr llvm::StringLiteral integers[] = {"addi", "subi", "muli", "shli", "shri", "maxi",  "mini",
                                                     "remi", "andi", "ori",  "xori", "divi", "mulhii"};
  static constexpr llvm::StringLiteral floats[] = {"addf", "subf", "mulf", "divf", "remf",
                                                   "maxf", "minf", "pow",  "atan2"};
  static constexpr llvm::StringLiteral functions[] = {"absf", "negf", "ceil", "floor", "log",  "log2", "exp",  "exp2",
                                                      "sin",  "cos",  "tan",  "sinh",  "cosh", "tanh", "sqrt", "rsqrt"};
  static constexpr llvm::StringLiteral signs[] = {"absi", "negi"};
  for (llvm::ArrayRef<llvm::StringLiteral> kind :
       {llvm::ArrayRef(integers), llvm::ArrayRef(floats), llvm::ArrayRef(functions), llvm::ArrayRef(signs)})
    if (llvm::is_contained(kind, name))
      return kind;
  return {};
}

/// addf becomes mulf, shli becomes remi, …
static bool changeOperationAlike(ModuleEditor &editor) {
  Operation *op = editor.pickOpWhere([](Operation *op) { return !getAlike(op->getName().stripDialect()).empty(); });
  if (!op)
    return false;
  std::string name =
      (ct::CudaTileDialect::getDialectNamespace() + "." + editor.random.pick(getAlike(op->getName().stripDialect())))
          .str();
  std::optional<RegisteredOperationName> registered = RegisteredOperationName::lookup(name, editor.context);
  if (!registered || *registered == op->getName())
    return false;
  replaceOperation(editor, op, *registered);
  return true;
}

//===----------------------------------------------------------------------===//
// Operations that come, go and move
//===----------------------------------------------------------------------===//

static bool duplicate(ModuleEditor &editor) {
  Operation *op = editor.pickOp(editor.module);
  if (!op || op->hasTrait<OpTrait::IsTerminator>() || isa<ct::EntryOp, ct::GlobalOp>(op))
    return false;
  OpBuilder builder(editor.context);
  builder.setInsertionPointAfter(op);
  editor.useSoon(builder.clone(*op));
  return true;
}

static bool erase(ModuleEditor &editor) {
  Operation *op = editor.pickOp(editor.module);
  if (!op || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other = editor.pickValue(op, result.getType());
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

static bool move(ModuleEditor &editor) {
  Operation *op = editor.pickOp(editor.module), *to = editor.pickOp(editor.module);
  if (!op || op == to || op->hasTrait<OpTrait::IsTerminator>() || op->isAncestor(to))
    return false;
  op->moveBefore(to);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of another module
//===----------------------------------------------------------------------===//

/// A copy of `source` and of what it needs, where the module has nothing of the kind; null if that cannot be had.
static Operation *cloneSlice(ModuleEditor &editor, Operation *source, OpBuilder &builder, IRMapping &mapping,
                             unsigned depth) {
  llvm::SetVector<Value> needed;
  needed.insert(source->operand_begin(), source->operand_end());
  getUsedValuesDefinedAbove(source->getRegions(), needed);
  for (Value value : needed) {
    if (mapping.contains(value))
      continue;
    Operation *definition = value.getDefiningOp();
    Value here = editor.pickValue(&*builder.getInsertionPoint(), value.getType());
    bool canClone = definition && depth > 0;
    if (here && (!canClone || editor.random.chance(50)))
      mapping.map(value, here);
    else if (!canClone || !cloneSlice(editor, definition, builder, mapping, depth - 1))
      return nullptr;
  }
  return builder.clone(*source, mapping);
}

/// A kernel or a global.
static bool spliceSymbol(ModuleEditor &editor, Operation *source) {
  OpBuilder builder(editor.context);
  builder.setInsertionPointToEnd(&editor.module.getBody().front());
  Operation *copy = builder.clone(*source);
  SymbolTable::setSymbolName(
      copy, (SymbolTable::getSymbolName(copy).getValue() + "_" + llvm::Twine(editor.random.below(1000))).str());
  return true;
}

bool tileiras::fuzz::splice(ModuleEditor &editor) {
  Operation *source = editor.donor ? editor.pickOp(editor.donor) : nullptr, *at = editor.pickOp(editor.module);
  if (!source || source->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<ct::EntryOp, ct::GlobalOp>(source))
    return spliceSymbol(editor, source);
  if (!at || isa<ct::EntryOp, ct::GlobalOp>(at))
    return false;
  OpBuilder builder(at);
  IRMapping mapping;
  Operation *copy = cloneSlice(editor, source, builder, mapping, /*depth=*/6);
  if (!copy)
    return false;
  editor.useSoon(copy);
  return true;
}

llvm::ArrayRef<ChangeKind> tileiras::fuzz::getOperationChanges() {
  static constexpr ChangeKind kinds[] = {{"operation", 3, changeOperation},
                                         {"operation-alike", 5, changeOperationAlike},
                                         {"duplicate", 2, duplicate},
                                         {"erase", 3, erase},
                                         {"move", 3, move},
                                         {"splice", 5, splice}};
  return kinds;
}
