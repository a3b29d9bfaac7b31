//===- ModuleMutator.cpp - Another module that verifies -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleMutator.h"
#include "AttributeMutator.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

namespace {

/// Changes one copy of a module, which may be of no use afterwards.
class ModuleMutator {
public:
  ModuleMutator(ct::ModuleOp module, ct::ModuleOp donor, Random &random)
      : module(module), donor(donor), random(random), context(module.getContext()) {}

  bool change();
  bool splice();

private:
  bool changeOperand();
  bool changeAttribute();
  bool changeTypes();
  bool changeOperation();
  bool duplicate();
  bool erase();
  bool move();

  SmallVector<Operation *> listOps(ct::ModuleOp from);
  Operation *pickOp(ct::ModuleOp from);
  Value pickValue(Operation *at, Type type, Operation *except = nullptr);
  Attribute findAttribute(llvm::StringRef name);
  Operation *cloneSlice(Operation *source, OpBuilder &builder, IRMapping &mapping, unsigned depth);
  bool spliceSymbol(Operation *source);
  void useSoon(Operation *op);

  ct::ModuleOp module, donor;
  Random &random;
  MLIRContext *context;
};

} // namespace

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

SmallVector<Operation *> ModuleMutator::listOps(ct::ModuleOp from) {
  SmallVector<Operation *> ops;
  from.walk([&](Operation *op) {
    if (op != from)
      ops.push_back(op);
  });
  return ops;
}

/// Null if the module is empty.
Operation *ModuleMutator::pickOp(ct::ModuleOp from) {
  SmallVector<Operation *> ops = listOps(from);
  return ops.empty() ? nullptr : ops[random.below(ops.size())];
}

/// A value that `at` may use; null if there is none of the type.
Value ModuleMutator::pickValue(Operation *at, Type type, Operation *except) {
  SmallVector<Value> values;
  auto add = [&](auto range) {
    for (Value value : range)
      if (value.getType() == type)
        values.push_back(value);
  };
  for (Operation *op = at; op && op->getBlock() && !isa<ct::EntryOp, ct::GlobalOp>(op); op = op->getParentOp()) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (before != except)
        add(before->getResults());
    add(op->getBlock()->getArguments());
  }
  return values.empty() ? Value() : values[random.below(values.size())];
}

/// What another operation has under this name, or something new.
Attribute ModuleMutator::findAttribute(llvm::StringRef name) {
  SmallVector<Attribute> found;
  for (ct::ModuleOp from : {module, donor})
    if (from)
      from.walk([&](Operation *op) {
        if (Attribute attribute = op->getAttr(name))
          found.push_back(attribute);
      });
  Attribute fresh = createAttribute(context, name, random);
  if (found.empty() || (fresh && random.chance(30)))
    return fresh;
  return found[random.below(found.size())];
}

//===----------------------------------------------------------------------===//
// Changes in place
//===----------------------------------------------------------------------===//

bool ModuleMutator::changeOperand() {
  Operation *op = pickOp(module);
  if (!op || op->getNumOperands() == 0)
    return false;
  OpOperand &operand = op->getOpOperand(static_cast<unsigned>(random.below(op->getNumOperands())));
  Value value = pickValue(op, operand.get().getType());
  if (!value || value == operand.get())
    return false;
  operand.set(value);
  return true;
}

/// As whoever reads a program does: what has a default is never missing.
static void fillDefaults(Operation *op) {
  if (OpaqueProperties properties = op->getPropertiesStorage())
    op->getName().populateDefaultProperties(properties);
}

bool ModuleMutator::changeAttribute() {
  Operation *op = pickOp(module);
  llvm::ArrayRef<StringAttr> names = op ? op->getName().getAttributeNames() : llvm::ArrayRef<StringAttr>();
  if (names.empty())
    return false;
  StringAttr name = names[random.below(names.size())];
  Attribute old = op->getAttr(name);
  Attribute changed = old && random.chance(80) ? mutateAttribute(old, random) : findAttribute(name);
  if (changed == old)
    return false;
  if (changed)
    op->setAttr(name, changed);
  else
    op->removeAttr(name);
  fillDefaults(op);
  return true;
}

/// Some change of the types in the module.
static TypeChange pickTypeChange(llvm::ArrayRef<Type> types, MLIRContext *context, Random &random) {
  TypeChange change;
  Type type = types[random.below(types.size())];
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile) {
    change.from = type;
    change.to = mutateView(type, random);
  } else if (tile.getRank() == 0 || random.chance(50)) {
    change.from = tile.getElementType();
    auto pointer = dyn_cast<ct::PointerType>(tile.getElementType());
    if (pointer)
      change.from = pointer.getPointeeType();
    change.to = pickElementType(context, random);
  } else {
    change.fromSize = tile.getDimSize(static_cast<unsigned>(random.below(static_cast<uint64_t>(tile.getRank()))));
    change.toSize = int64_t(1) << random.below(9);
  }
  return change;
}

/// Everywhere in the module at once, or in the results of one operation.
bool ModuleMutator::changeTypes() {
  SmallVector<Operation *> ops = listOps(module);
  SmallVector<Type> types;
  for (Operation *op : ops)
    for (Type type : op->getResultTypes())
      if (!isa<ct::TokenType>(type))
        types.push_back(type);
  if (types.empty())
    return false;
  TypeChange change = pickTypeChange(types, context, random);
  if (!change.from && change.fromSize == change.toSize)
    return false;
  if (change.from && (!change.to || change.from == change.to))
    return false;
  if (random.chance(20))
    ops = {ops[random.below(ops.size())]};
  auto changeValue = [&](Value value) {
    Type changed = change.apply(value.getType());
    if (changed)
      value.setType(changed);
    return changed != nullptr;
  };
  for (Operation *op : ops) {
    if (!llvm::all_of(op->getResults(), changeValue))
      return false;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!llvm::all_of(block.getArguments(), changeValue))
          return false;
    for (NamedAttribute attribute : llvm::to_vector(op->getAttrs())) {
      Attribute changed = change.apply(attribute.getValue());
      if (!changed)
        return false;
      if (changed != attribute.getValue())
        op->setAttr(attribute.getName(), changed);
    }
    fillDefaults(op);
  }
  return true;
}

/// Another operation on the same operands.
bool ModuleMutator::changeOperation() {
  Operation *op = pickOp(module);
  if (!op || op->getNumRegions() != 0)
    return false;
  auto names = context->getRegisteredOperationsByDialect(ct::CudaTileDialect::getDialectNamespace());
  RegisteredOperationName name = names[random.below(names.size())];
  if (name == op->getName() || name.hasTrait<OpTrait::IsTerminator>() != op->hasTrait<OpTrait::IsTerminator>())
    return false;
  OperationState state(op->getLoc(), name);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  for (StringAttr attributeName : name.getAttributeNames()) {
    Attribute attribute = op->getAttr(attributeName);
    if (!attribute && attributeName.getValue() != "operandSegmentSizes" && random.chance(70))
      attribute = findAttribute(attributeName);
    if (attribute)
      state.addAttribute(attributeName, attribute);
  }
  OpBuilder builder(op);
  Operation *changed = builder.create(state);
  fillDefaults(changed);
  op->replaceAllUsesWith(changed->getResults());
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Operations that come, go and move
//===----------------------------------------------------------------------===//

/// Lets an operation behind `op` use one of its results.
void ModuleMutator::useSoon(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (Operation *behind = op->getNextNode(); behind; behind = behind->getNextNode())
    for (OpOperand &operand : behind->getOpOperands())
      if (llvm::is_contained(op->getResultTypes(), operand.get().getType()))
        uses.push_back(&operand);
  if (uses.empty())
    return;
  OpOperand *use = uses[random.below(uses.size())];
  for (Value result : op->getResults())
    if (result.getType() == use->get().getType())
      return use->set(result);
}

bool ModuleMutator::duplicate() {
  Operation *op = pickOp(module);
  if (!op || op->hasTrait<OpTrait::IsTerminator>() || isa<ct::EntryOp, ct::GlobalOp>(op))
    return false;
  OpBuilder builder(context);
  builder.setInsertionPointAfter(op);
  useSoon(builder.clone(*op));
  return true;
}

bool ModuleMutator::erase() {
  Operation *op = pickOp(module);
  if (!op || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other = pickValue(op, result.getType());
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

bool ModuleMutator::move() {
  Operation *op = pickOp(module), *to = pickOp(module);
  if (!op || op == to || op->hasTrait<OpTrait::IsTerminator>() || op->isAncestor(to))
    return false;
  op->moveBefore(to);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of another module
//===----------------------------------------------------------------------===//

/// A copy of `source` and of what it needs, where the module has nothing of the kind; null if that cannot be had.
Operation *ModuleMutator::cloneSlice(Operation *source, OpBuilder &builder, IRMapping &mapping, unsigned depth) {
  llvm::SetVector<Value> needed;
  needed.insert(source->operand_begin(), source->operand_end());
  getUsedValuesDefinedAbove(source->getRegions(), needed);
  for (Value value : needed) {
    if (mapping.contains(value))
      continue;
    Operation *definition = value.getDefiningOp();
    Value here = pickValue(&*builder.getInsertionPoint(), value.getType());
    bool canClone = definition && depth > 0;
    if (here && (!canClone || random.chance(50)))
      mapping.map(value, here);
    else if (!canClone || !cloneSlice(definition, builder, mapping, depth - 1))
      return nullptr;
  }
  return builder.clone(*source, mapping);
}

/// A kernel or a global.
bool ModuleMutator::spliceSymbol(Operation *source) {
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&module.getBody().front());
  Operation *copy = builder.clone(*source);
  SymbolTable::setSymbolName(
      copy, (SymbolTable::getSymbolName(copy).getValue() + "_" + llvm::Twine(random.below(1000))).str());
  return true;
}

bool ModuleMutator::splice() {
  Operation *source = donor ? pickOp(donor) : nullptr, *at = pickOp(module);
  if (!source || source->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<ct::EntryOp, ct::GlobalOp>(source))
    return spliceSymbol(source);
  if (!at || isa<ct::EntryOp, ct::GlobalOp>(at))
    return false;
  OpBuilder builder(at);
  IRMapping mapping;
  Operation *copy = cloneSlice(source, builder, mapping, /*depth=*/6);
  if (!copy)
    return false;
  useSoon(copy);
  return true;
}

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

bool ModuleMutator::change() {
  switch (random.below(20)) {
  case 0:
  case 1:
  case 2:
    return changeOperand();
  case 3:
  case 4:
  case 5:
  case 6:
    return changeAttribute();
  case 7:
  case 8:
  case 9:
    return changeTypes();
  case 10:
  case 11:
  case 12:
    return changeOperation();
  case 13:
    return duplicate();
  case 14:
  case 15:
    return erase();
  case 16:
    return move();
  default:
    return splice();
  }
}

using Change = bool (ModuleMutator::*)();

/// Tries the change until a module comes out that verifies, on a copy each time.
static OwningOpRef<ct::ModuleOp> tryChange(ct::ModuleOp module, ct::ModuleOp donor, Random &random, Change change) {
  ScopedDiagnosticHandler ignore(module.getContext(), [](Diagnostic &) { return success(); });
  for (int attempt = 0; attempt < 12; ++attempt) {
    OwningOpRef<ct::ModuleOp> copy(module.clone());
    if ((ModuleMutator(*copy, donor, random).*change)() && succeeded(verify(*copy)))
      return copy;
  }
  return {};
}

OwningOpRef<ct::ModuleOp> tileiras::fuzz::mutateModule(ct::ModuleOp module, ct::ModuleOp donor, Random &random) {
  OwningOpRef<ct::ModuleOp> changed = tryChange(module, donor, random, &ModuleMutator::change);
  for (uint64_t more = random.below(3); changed && more > 0; --more)
    if (OwningOpRef<ct::ModuleOp> next = tryChange(*changed, donor, random, &ModuleMutator::change))
      changed = std::move(next);
  return changed;
}

OwningOpRef<ct::ModuleOp> tileiras::fuzz::crossModules(ct::ModuleOp module, ct::ModuleOp donor, Random &random) {
  return tryChange(module, donor, random, &ModuleMutator::splice);
}
