//===- IRMutator.cpp - Changes of any IR, valid or not ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IRMutator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tileiras::fuzz;

//===----------------------------------------------------------------------===//
// What there is to choose from
//===----------------------------------------------------------------------===//

void IRPool::add(ModuleOp module) {
  llvm::StringSet<> known;
  for (const std::string &name : operations)
    known.insert(name);
  module->walk([&](Operation *op) {
    if (known.insert(op->getName().getStringRef()).second)
      operations.push_back(op->getName().getStringRef().str());
    types.insert_range(op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        types.insert_range(block.getArgumentTypes());
    for (NamedAttribute attribute : op->getAttrDictionary())
      attributes.insert(attribute.getValue());
  });
}

void IRPool::addEdges(MLIRContext *context) {
  Builder builder(context);
  const Type elements[] = {builder.getI1Type(),
                           builder.getIntegerType(7),
                           builder.getIntegerType(128),
                           builder.getIndexType(),
                           builder.getF16Type(),
                           Float6E2M3FNType::get(context),
                           Float80Type::get(context),
                           builder.getF64Type(),
                           builder.getIntegerType(8, /*isSigned=*/false),
                           ComplexType::get(builder.getF32Type()),
                           builder.getNoneType()};
  types.insert_range(elements);
  for (Type type : llvm::to_vector(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || types.size() > 4000)
      continue;
    for (Type element : {elements[1], elements[5], elements[6]})
      if (TensorType::isValidElementType(element))
        types.insert(tensor.clone(element));
    SmallVector<int64_t> shape(tensor.getShape());
    if (shape.empty())
      continue;
    shape.back() *= 2;
    types.insert(tensor.clone(shape));
    shape.back() = 1;
    types.insert(tensor.clone(shape));
    types.insert(RankedTensorType::get(tensor.getShape(), tensor.getElementType()));
  }
  for (int64_t number : {int64_t(0), int64_t(-1), int64_t(INT32_MAX), int64_t(INT64_MIN)}) {
    attributes.insert(builder.getI32IntegerAttr(static_cast<int32_t>(number)));
    attributes.insert(builder.getI64IntegerAttr(number));
    attributes.insert(builder.getDenseI32ArrayAttr({static_cast<int32_t>(number)}));
    attributes.insert(builder.getDenseI64ArrayAttr({number, number}));
  }
  attributes.insert(builder.getUnitAttr());
  attributes.insert(builder.getStringAttr("four"));
  attributes.insert(builder.getArrayAttr({}));
  attributes.insert(builder.getDenseI32ArrayAttr({}));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {

struct Editor {
  ModuleOp module;
  const IRPool &pool;
  Random &random;

  template <typename Filter>
  Operation *pickOp(Filter isWanted) {
    SmallVector<Operation *> found;
    module->walk([&](Operation *op) {
      if (op != module.getOperation() && isWanted(op))
        found.push_back(op);
    });
    return found.empty() ? nullptr : random.pick(ArrayRef(found));
  }
  Operation *pickAny() {
    return pickOp([](Operation *) { return true; });
  }
  Operation *pickUser() {
    return pickOp([](Operation *op) { return op->getNumOperands() != 0; });
  }

  /// Any value, of `type` if that is not null.
  Value pickValue(Type type, Operation *except = nullptr) {
    SmallVector<Value> found;
    auto add = [&](ValueRange values) {
      llvm::copy_if(values, std::back_inserter(found),
                    [&](Value value) { return (!type || value.getType() == type) && value.getDefiningOp() != except; });
    };
    module->walk([&](Operation *op) {
      add(op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          add(block.getArguments());
    });
    return found.empty() ? Value() : random.pick(ArrayRef(found));
  }

  Type pickType() { return random.pick(pool.types.getArrayRef()); }
  Attribute pickAttribute(TypeID kind) {
    SmallVector<Attribute> found;
    llvm::copy_if(pool.attributes, std::back_inserter(found),
                  [&](Attribute attribute) { return attribute.getTypeID() == kind; });
    return found.empty() ? Attribute() : random.pick(ArrayRef(found));
  }

  /// An operation with attributes, and one of them.
  std::pair<Operation *, NamedAttribute> pickNamed() {
    Operation *op = pickOp([](Operation *op) { return !op->getAttrDictionary().empty(); });
    return op ? std::pair(op, random.pick(op->getAttrDictionary().getValue()))
              : std::pair(op, NamedAttribute("x", UnitAttr::get(module.getContext())));
  }
};

//===----------------------------------------------------------------------===//
// Operands, types
//===----------------------------------------------------------------------===//

bool changeOperand(Editor &editor) {
  Operation *op = editor.pickUser();
  if (!op)
    return false;
  OpOperand &operand = op->getOpOperand(editor.random.below(op->getNumOperands()));
  Value other = editor.pickValue(operand.get().getType());
  if (!other || other == operand.get())
    return false;
  operand.set(other);
  return true;
}

bool changeOperandType(Editor &editor) {
  Operation *op = editor.pickUser();
  Value other = editor.pickValue({});
  if (!op || !other)
    return false;
  op->setOperand(editor.random.below(op->getNumOperands()), other);
  return true;
}

bool swapOperands(Editor &editor) {
  Operation *op = editor.pickOp([](Operation *op) { return op->getNumOperands() >= 2; });
  if (!op)
    return false;
  const unsigned first = editor.random.below(op->getNumOperands()), second = editor.random.below(op->getNumOperands());
  Value value = op->getOperand(first);
  op->setOperand(first, op->getOperand(second));
  op->setOperand(second, value);
  return first != second;
}

bool changeNumOperands(Editor &editor) {
  Operation *op = editor.pickUser();
  if (!op)
    return false;
  SmallVector<Value> operands(op->getOperands());
  const unsigned at = editor.random.below(operands.size());
  if (editor.random.chance(50))
    operands.erase(operands.begin() + at);
  else
    operands.insert(operands.begin() + at, operands[editor.random.below(operands.size())]);
  op->setOperands(operands);
  return true;
}

bool changeValueType(Editor &editor) {
  Value value = editor.pickValue({});
  if (!value)
    return false;
  value.setType(editor.pickType());
  return true;
}

/// Of all values. (What a type is made of is changed in the text: builders check nothing.)
bool changeTypeEverywhere(Editor &editor) {
  Value value = editor.pickValue({});
  if (!value)
    return false;
  Type from = value.getType(), to = editor.pickType();
  auto change = [&](ValueRange values) {
    for (Value value : values)
      if (value.getType() == from)
        value.setType(to);
  };
  editor.module->walk([&](Operation *op) {
    change(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        change(block.getArguments());
  });
  return from != to;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

bool dropAttribute(Editor &editor) {
  auto [op, attribute] = editor.pickNamed();
  if (!op)
    return false;
  op->removeAttr(attribute.getName());
  return true;
}

bool changeAttribute(Editor &editor) {
  auto [op, attribute] = editor.pickNamed();
  if (!op)
    return false;
  Attribute other = editor.pickAttribute(attribute.getValue().getTypeID());
  if (!other || other == attribute.getValue())
    return false;
  op->setAttr(attribute.getName(), other);
  return true;
}

/// One attribute of another operation, by its name.
bool addAttribute(Editor &editor) {
  Operation *op = editor.pickAny();
  auto [from, attribute] = editor.pickNamed();
  if (!op || !from || op == from)
    return false;
  Attribute other = editor.random.chance(30) ? editor.pickAttribute(attribute.getValue().getTypeID()) : Attribute();
  op->setAttr(attribute.getName(), other ? other : attribute.getValue());
  return true;
}

//===----------------------------------------------------------------------===//
// Operations, regions
//===----------------------------------------------------------------------===//

/// Whether something outside of `op` uses what is in it: IR that does not verify may.
bool escapes(Operation *op) {
  auto isUsedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return !op->isAncestor(user); });
  };
  return op
      ->walk([&](Operation *inner) {
        bool escapes = llvm::any_of(inner->getResults(), isUsedOutside);
        for (Region &region : inner->getRegions())
          for (Block &block : region)
            escapes |= llvm::any_of(block.getArguments(), isUsedOutside) ||
                       llvm::any_of(block.getPredecessors(),
                                    [&](Block *from) { return !op->isAncestor(from->getParentOp()); });
        return escapes ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What does not verify may use values of one region in the next, which are gone by the time it is destroyed.
void erase(Operation *op) {
  op->dropAllReferences();
  op->erase();
}

bool eraseOp(Editor &editor) {
  Operation *op = editor.pickAny();
  if (!op)
    return false;
  for (Value result : op->getResults()) {
    Value other = result.use_empty() ? Value() : editor.pickValue(result.getType(), op);
    if (!result.use_empty() && (!other || op->isAncestor(other.getParentRegion()->getParentOp())))
      return false;
    if (other)
      result.replaceAllUsesWith(other);
  }
  if (escapes(op))
    return false;
  erase(op);
  return true;
}

bool cloneOp(Editor &editor) {
  Operation *op = editor.pickAny(), *at = editor.pickAny();
  if (!op || !at || op->isAncestor(at))
    return false;
  Operation *clone = op->clone();
  if (editor.random.chance(60))
    op->getBlock()->getOperations().insert(std::next(op->getIterator()), clone);
  else
    at->getBlock()->getOperations().insert(at->getIterator(), clone);
  return true;
}

bool moveOp(Editor &editor) {
  Operation *op = editor.pickAny();
  if (!op)
    return false;
  Operation *at =
      editor.random.chance(60) ? (editor.random.chance(50) ? op->getPrevNode() : op->getNextNode()) : editor.pickAny();
  if (!at || op->isAncestor(at))
    return false;
  if (at == op->getNextNode())
    op->moveAfter(at);
  else
    op->moveBefore(at);
  return true;
}

Operation *pickRegionOp(Editor &editor) {
  return editor.pickOp([](Operation *op) {
    return op->getNumRegions() != 0 && llvm::any_of(op->getRegions(), [](Region &region) { return !region.empty(); });
  });
}

/// Without what stands in it, but for its end now and then.
bool emptyRegion(Editor &editor) {
  Operation *op = pickRegionOp(editor);
  if (!op)
    return false;
  Region &region = op->getRegion(editor.random.below(op->getNumRegions()));
  if (region.empty())
    return false;
  const bool keepsEnd = editor.random.chance(70);
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(region.front())))
    if (!escapes(&inner) && !(keepsEnd && &inner == &region.front().back()))
      erase(&inner);
  return true;
}

bool swapRegions(Editor &editor) {
  Operation *op = pickRegionOp(editor), *other = pickRegionOp(editor);
  if (!op || !other || (op != other && (op->isAncestor(other) || other->isAncestor(op))))
    return false;
  Region &first = op->getRegion(0), &second = other->getRegion(other->getNumRegions() - 1);
  if (&first == &second)
    return false;
  Region held;
  held.takeBody(first);
  first.takeBody(second);
  second.takeBody(held);
  return true;
}

/// The operations of a body stand where the operation with the body does.
bool unwrapRegion(Editor &editor) {
  Operation *op = pickRegionOp(editor);
  if (!op || !op->getRegion(0).hasOneBlock() || isa<ModuleOp>(op))
    return false;
  Block &body = op->getRegion(0).front();
  for (BlockArgument argument : body.getArguments()) {
    Value other = argument.use_empty() ? Value() : editor.pickValue(argument.getType(), op);
    if (other == argument || (!argument.use_empty() && !other))
      return false;
    if (other)
      argument.replaceAllUsesWith(other);
  }
  Operation *end = body.empty() || !body.back().hasTrait<OpTrait::IsTerminator>() ? nullptr : &body.back();
  for (Operation &inner : llvm::make_early_inc_range(body))
    if (&inner != end)
      inner.moveBefore(op);
  return true;
}

bool wrapOp(Editor &editor) {
  Operation *op = editor.pickOp([](Operation *op) { return !op->hasTrait<OpTrait::IsTerminator>(); });
  if (!op || isa<SymbolOpInterface>(op))
    return false;
  OpBuilder builder(op);
  if (op->use_empty() && editor.random.chance(40)) {
    auto bounds = {0, 2, 1};
    SmallVector<Value> values;
    for (int64_t bound : bounds)
      values.push_back(arith::ConstantIntOp::create(builder, op->getLoc(), builder.getI32Type(), bound));
    auto loop = scf::ForOp::create(builder, op->getLoc(), values[0], values[1], values[2]);
    op->moveBefore(loop.getBody()->getTerminator());
    return true;
  }
  Value condition = editor.pickValue(builder.getI1Type(), op);
  if (!condition || editor.random.chance(50))
    condition = arith::ConstantIntOp::create(builder, op->getLoc(), builder.getI1Type(), 1);
  const bool hasResults = !op->use_empty();
  const TypeRange types = hasResults ? TypeRange(op->getResultTypes()) : TypeRange();
  auto branch = scf::IfOp::create(builder, op->getLoc(), types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/hasResults);
  if (!hasResults) {
    op->moveBefore(&branch.getThenRegion().front(), branch.getThenRegion().front().begin());
    if (branch.getThenRegion().front().back().hasTrait<OpTrait::IsTerminator>())
      return true;
    builder.setInsertionPointToEnd(&branch.getThenRegion().front());
    scf::YieldOp::create(builder, op->getLoc());
    return true;
  }
  op->replaceAllUsesWith(branch.getResults());
  op->moveBefore(&branch.getThenRegion().front(), branch.getThenRegion().front().begin());
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Operation *made = region == &branch.getThenRegion() ? op : op->clone();
    if (made != op)
      region->front().push_back(made);
    builder.setInsertionPointToEnd(&region->front());
    scf::YieldOp::create(builder, op->getLoc(), made->getResults());
  }
  return true;
}

struct IRChange {
  const char *name;
  unsigned weight;
  bool (*apply)(Editor &editor);
};

constexpr IRChange kKinds[] = {{"operand", 12, changeOperand},
                               {"operand-type", 3, changeOperandType},
                               {"operand-swap", 4, swapOperands},
                               {"operand-number", 2, changeNumOperands},
                               {"type", 3, changeValueType},
                               {"type-everywhere", 8, changeTypeEverywhere},
                               {"attribute-drop", 6, dropAttribute},
                               {"attribute", 12, changeAttribute},
                               {"attribute-add", 4, addAttribute},
                               {"erase", 8, eraseOp},
                               {"clone", 8, cloneOp},
                               {"move", 8, moveOp},
                               {"region-empty", 3, emptyRegion},
                               {"region-swap", 3, swapRegions},
                               {"unwrap", 4, unwrapRegion},
                               {"wrap", 6, wrapOp}};

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Runs of characters that `isPart` accepts, as begin and length.
template <typename Filter>
SmallVector<std::pair<size_t, size_t>> findRuns(StringRef text, Filter isPart) {
  SmallVector<std::pair<size_t, size_t>> runs;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isPart(text[end]))
      ++end;
    if (end > at && (at == 0 || !llvm::isAlnum(text[at - 1])))
      runs.emplace_back(at, end - at);
    at = std::max(end, at + 1);
  }
  return runs;
}

/// A number that is no part of a name.
bool changeNumber(std::string &text, Random &random) {
  SmallVector<std::pair<size_t, size_t>> numbers;
  for (auto [at, length] : findRuns(text, [](char c) { return llvm::isDigit(c); }))
    if (at == 0 || !StringRef("%#^_\"").contains(text[at - 1]))
      numbers.emplace_back(at, length);
  if (numbers.empty())
    return false;
  auto [at, length] = random.pick(ArrayRef(numbers));
  uint64_t number = 0;
  StringRef(text).substr(at, length).getAsInteger(10, number);
  const std::string others[] = {"0",
                                "1",
                                "3",
                                std::to_string(number + 1),
                                std::to_string(number * 2),
                                std::to_string(number / 2),
                                "2147483647",
                                "9223372036854775807"};
  text.replace(at, length, random.pick(ArrayRef(others)));
  return true;
}

/// The name of an operation by that of another.
bool changeName(std::string &text, const IRPool &pool, Random &random) {
  SmallVector<std::pair<size_t, size_t>> names;
  for (auto [at, length] : findRuns(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }))
    if (at > 0 && text[at - 1] == '"' && at + length + 1 < text.size() && text[at + length + 1] == '(')
      names.emplace_back(at, length);
  if (names.empty() || pool.operations.empty())
    return false;
  auto [at, length] = random.pick(ArrayRef(names));
  text.replace(at, length, random.pick(ArrayRef(pool.operations)));
  return true;
}

} // namespace

SmallVector<StringRef> tileiras::fuzz::getIRChangeNames() {
  SmallVector<StringRef> names;
  for (const IRChange &kind : kKinds)
    names.push_back(kind.name);
  names.push_back("number");
  names.push_back("name");
  return names;
}

std::string tileiras::fuzz::mutateIR(ModuleOp module, const IRPool &pool, Random &random, unsigned count,
                                     SmallVectorImpl<StringRef> &changes) {
  SmallVector<Weighted<const IRChange *>> kinds;
  for (const IRChange &kind : kKinds)
    kinds.push_back({&kind, kind.weight});
  Editor editor{module, pool, random};
  unsigned left = 1 + random.below(count), inText = 0;
  for (unsigned tries = 0; left > 0 && tries < 8 * count; ++tries) {
    if (random.chance(12)) {
      ++inText;
      --left;
      continue;
    }
    const IRChange *kind = pickWeighted(random, ArrayRef(kinds));
    if (!kind->apply(editor))
      continue;
    changes.push_back(kind->name);
    --left;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  os << '\n';
  for (; inText > 0; --inText) {
    const bool isNumber = random.chance(70);
    if (isNumber ? changeNumber(text, random) : changeName(text, pool, random))
      changes.push_back(isNumber ? "number" : "name");
  }
  return text;
}
