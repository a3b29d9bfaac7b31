//===- ValueChanges.cpp - Other operands, constants and attributes ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEditor.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Null if no operation has operands.
static OpOperand *pickOperand(ModuleEditor &editor) {
  Operation *op = editor.pickOpWhere([](Operation *op) { return op->getNumOperands() > 0; });
  return op ? &op->getOpOperand(static_cast<unsigned>(editor.random.below(op->getNumOperands()))) : nullptr;
}

/// Another value of the type.
static bool changeOperand(ModuleEditor &editor) {
  OpOperand *operand = pickOperand(editor);
  Value value = operand ? editor.pickValue(operand->getOwner(), operand->get().getType()) : Value();
  if (!value || value == operand->get())
    return false;
  operand->set(value);
  return true;
}

/// A constant at which something changes.
static bool changeOperandToEdge(ModuleEditor &editor) {
  OpOperand *operand = pickOperand(editor);
  Value value = operand ? editor.makeEdgeConstant(operand->getOwner(), operand->get().getType()) : Value();
  if (!value)
    return false;
  operand->set(value);
  return true;
}

/// Two operands of one type change places: those of a product only where the shapes allow it.
static bool swapOperands(ModuleEditor &editor) {
  SmallVector<std::pair<OpOperand *, OpOperand *>> pairs;
  editor.module.walk([&](Operation *op) {
    for (OpOperand &first : op->getOpOperands())
      for (OpOperand &second : op->getOpOperands().drop_front(first.getOperandNumber() + 1))
        if (first.get() != second.get() && first.get().getType() == second.get().getType())
          pairs.emplace_back(&first, &second);
  });
  if (pairs.empty())
    return false;
  auto [first, second] = pairs[editor.random.below(pairs.size())];
  Value value = first->get();
  first->set(second->get());
  second->set(value);
  return true;
}

//===----------------------------------------------------------------------===//
// Constants and attributes
//===----------------------------------------------------------------------===//

/// All elements of a constant become an edge, or one of them.
static bool changeConstant(ModuleEditor &editor) {
  auto constant = cast_or_null<ct::ConstantOp>(editor.pickOpOf<ct::ConstantOp>());
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  if (!elements)
    return false;
  Attribute edge = pickEdge(elements.getElementType(), editor.random);
  SmallVector<Attribute> list{edge};
  if (elements.getNumElements() <= 1024 && editor.random.chance(30)) {
    list.assign(elements.getValues<Attribute>().begin(), elements.getValues<Attribute>().end());
    list[editor.random.below(list.size())] = edge;
  }
  constant.setValueAttr(cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(elements.getType(), list)));
  return true;
}

/// Rounding, signedness, comparisons, predicates of assumptions, dimensions, formats, …
static bool changeAttribute(ModuleEditor &editor) {
  Random &random = editor.random;
  Operation *op = editor.pickOp(editor.module);
  llvm::ArrayRef<StringAttr> names = op ? op->getName().getAttributeNames() : llvm::ArrayRef<StringAttr>();
  if (names.empty())
    return false;
  StringAttr name = names[random.below(names.size())];
  Attribute old = op->getAttr(name);
  Attribute changed = old && random.chance(80) ? mutateAttribute(old, random) : editor.findAttribute(name);
  if (changed == old)
    return false;
  if (changed)
    op->setAttr(name, changed);
  else
    op->removeAttr(name);
  fillDefaults(op);
  return true;
}

/// The order and scope of an access to memory, which go together.
static bool changeOrder(ModuleEditor &editor) {
  static constexpr llvm::StringLiteral orderName = "memory_ordering_semantics", scopeName = "memory_scope";
  Operation *op = editor.pickOpWhere([](Operation *op) { return op->hasAttr(orderName); });
  if (!op)
    return false;
  Attribute order = createAttribute(editor.context, orderName, editor.random);
  op->setAttr(orderName, order);
  bool isWeak = cast<ct::MemoryOrderingSemanticsAttr>(order).getValue() == ct::MemoryOrderingSemantics::WEAK;
  if (isWeak)
    op->removeAttr(scopeName);
  else
    op->setAttr(scopeName, createAttribute(editor.context, scopeName, editor.random));
  return true;
}

llvm::ArrayRef<ChangeKind> tileiras::fuzz::getValueChanges() {
  static constexpr ChangeKind kinds[] = {{"operand", 6, changeOperand},      {"operand-edge", 4, changeOperandToEdge},
                                         {"swap-operands", 4, swapOperands}, {"constant", 4, changeConstant},
                                         {"attribute", 6, changeAttribute},  {"memory-order", 2, changeOrder}};
  return kinds;
}
