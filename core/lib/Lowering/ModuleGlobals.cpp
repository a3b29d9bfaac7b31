//===- ModuleGlobals.cpp - What the lowering adds to a module -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/ModuleGlobals.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/SymbolNames.h"

using namespace mlir;

namespace tileiras {

static bool isDeclaration(Operation &op) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  return function && function.isExternal();
}

static Block::iterator getPlaceOfConstants(ModuleOp module) {
  return llvm::find_if_not(*module.getBody(), isDeclaration);
}

LLVM::LLVMFuncOp getDeclaration(OpBuilder &builder, ModuleOp module, StringRef name, LLVM::LLVMFunctionType type) {
  for (Operation &op : llvm::make_range(module.getBody()->begin(), getPlaceOfConstants(module)))
    if (auto function = cast<LLVM::LLVMFuncOp>(op); function.getSymName() == name)
      return function;
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  // Without a location: a declaration must not carry the debug scope of its first caller.
  return LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name, type);
}

static std::optional<unsigned> getNumber(StringRef name, StringRef prefix) {
  unsigned number = 0;
  return name.consume_front(prefix) && !name.getAsInteger(10, number) ? std::optional(number) : std::nullopt;
}

/// The last constants that there are, with their numbers among those of the prefix.
static SmallVector<std::pair<LLVM::GlobalOp, unsigned>> findLast(ModuleOp module, StringRef prefix) {
  constexpr unsigned most = 64;
  SmallVector<std::pair<LLVM::GlobalOp, unsigned>> found;
  unsigned count = 0;
  for (Operation &op : llvm::make_range(getPlaceOfConstants(module), module.getBody()->end())) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    if (!global || ++count > most)
      break;
    if (std::optional<unsigned> number = getNumber(global.getSymName(), prefix))
      found.push_back({global, *number});
  }
  return found;
}

/// Above those of all symbols with the prefix, whoever has made them.
static unsigned getNextNumber(ModuleOp module, StringRef prefix, ArrayRef<std::pair<LLVM::GlobalOp, unsigned>> last) {
  if (!last.empty())
    return last.front().second + 1;
  unsigned next = 0;
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (std::optional<unsigned> number = getNumber(symbol.getName(), prefix))
      next = std::max(next, *number + 1);
  return next;
}

static LLVM::GlobalOp addConstant(OpBuilder &builder, Location location, ModuleOp module, Type type, StringRef name,
                                  Attribute value, unsigned alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(module.getBody(), getPlaceOfConstants(module));
  return LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, value,
                                alignment, kGlobalSpace);
}

LLVM::GlobalOp getString(OpBuilder &builder, Location location, ModuleOp module, StringRef text) {
  const std::string prefix = makeInternalSymbol("string_");
  auto terminated = builder.getStringAttr(text + Twine('\0'));
  const auto last = findLast(module, prefix);
  for (auto [global, number] : last)
    if (global.getValueOrNull() == terminated)
      return global;
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  return addConstant(builder, location, module, type, prefix + std::to_string(getNextNumber(module, prefix, last)),
                     terminated, /*alignment=*/1);
}

LLVM::GlobalOp addTable(OpBuilder &builder, Location location, ModuleOp module, DenseElementsAttr values) {
  constexpr StringRef prefix = "constant_";
  const std::string name = prefix.str() + std::to_string(getNextNumber(module, prefix, findLast(module, prefix)));
  auto type = LLVM::LLVMArrayType::get(values.getElementType(), values.getNumElements());
  return addConstant(builder, location, module, type, name, values, /*alignment=*/16);
}

} // namespace tileiras
