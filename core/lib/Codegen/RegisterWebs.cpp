//===- RegisterWebs.cpp - What one register holds over time ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterWebs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

namespace tileiras {

std::optional<AssemblyCall> AssemblyCall::parse(llvm::CallInst &call) {
  auto *code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!code || !code->hasSideEffects())
    return std::nullopt;
  AssemblyCall result{&call, {}, {}, {}};
  code->getConstraintString().split(result.constraints, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (const llvm::InlineAsm::ConstraintInfo &info : code->ParseConstraints()) {
    if (info.isIndirect || info.isMultipleAlternative)
      return std::nullopt;
    if (info.Type == llvm::InlineAsm::isOutput)
      result.starts.push_back(info.MatchingInput);
    else if (info.Type == llvm::InlineAsm::isInput)
      result.updates.push_back(-1);
  }
  for (auto [number, start] : llvm::enumerate(result.starts))
    if (start >= 0) {
      start -= static_cast<int>(result.starts.size()); // Arguments are counted behind results.
      result.updates[start] = static_cast<int>(number);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Definitions and uses
//===----------------------------------------------------------------------===//

const AssemblyCall *RegisterWebs::findCall(const llvm::Instruction *op) const {
  auto found = calls.find(op);
  return found == calls.end() ? nullptr : &found->second;
}

std::optional<RegisterDefinition> RegisterWebs::getDefinition(llvm::Value *value) const {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    return RegisterDefinition(phi, 0);
  auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  auto *op = llvm::dyn_cast<llvm::Instruction>(extract ? extract->getAggregateOperand() : value);
  if (!op || !findCall(op))
    return std::nullopt;
  return RegisterDefinition(op, extract ? extract->getIndices().front() : 0);
}

llvm::SmallVector<llvm::Value *, 1> RegisterWebs::getValues(const RegisterDefinition &definition) const {
  if (!definition.first->getType()->isStructTy())
    return {definition.first};
  auto found = extracts.find(definition);
  return found == extracts.end() ? llvm::SmallVector<llvm::Value *, 1>() : found->second;
}

/// What it is set to, or starts as.
static llvm::SmallVector<llvm::Value *, 4> getSources(const RegisterDefinition &definition,
                                                      const AssemblyCall *assembly) {
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(definition.first))
    return llvm::SmallVector<llvm::Value *, 4>(phi->incoming_values());
  if (const int start = assembly->starts[definition.second]; start >= 0)
    return {assembly->call->getArgOperand(start)};
  return {};
}

//===----------------------------------------------------------------------===//
// Webs
//===----------------------------------------------------------------------===//

std::optional<RegisterDefinition> RegisterWebs::findSet(const llvm::Use &use) const {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  if (llvm::isa<llvm::PHINode>(user))
    return RegisterDefinition(user, 0);
  const AssemblyCall *assembly = findCall(user);
  const int updated = assembly ? assembly->updates[assembly->call->getArgOperandNo(&use)] : -1;
  return updated < 0 ? std::nullopt : std::optional(RegisterDefinition(user, updated));
}

/// The user reads the register. False where it cannot.
bool RegisterWebs::takeRead(const RegisterDefinition &definition, const llvm::Use &use, RegisterWeb &web) const {
  llvm::BasicBlock *block = llvm::cast<llvm::Instruction>(use.getUser())->getParent();
  if (block == definition.first->getParent() && findCall(definition.first)) {
    web.readAtOnce.insert(definition);
    return true;
  }
  return web.readers.insert({block, definition}).first->second == definition;
}

/// Nothing where a value comes from elsewhere.
std::optional<RegisterWeb> RegisterWebs::grow(const RegisterDefinition &seed) {
  RegisterWeb web;
  bool isWhole = true;
  llvm::SmallVector<RegisterDefinition> worklist = {seed};
  while (!worklist.empty()) {
    const RegisterDefinition definition = worklist.pop_back_val();
    if (!web.definitions.insert(definition))
      continue;
    seen.insert(definition);
    for (llvm::Value *source : getSources(definition, findCall(definition.first))) {
      if (std::optional<RegisterDefinition> from = getDefinition(source))
        worklist.push_back(*from);
      else
        isWhole &= llvm::isa<llvm::ConstantData>(source);
    }
    for (llvm::Value *value : getValues(definition)) {
      isWhole &= value->getType()->isFloatTy() || value->getType()->isIntegerTy(32);
      for (const llvm::Use &use : value->uses()) {
        if (std::optional<RegisterDefinition> set = findSet(use))
          worklist.push_back(*set);
        else
          isWhole &= takeRead(definition, use, web);
      }
    }
  }
  const bool hasPhi = llvm::any_of(
      web.definitions, [](const RegisterDefinition &definition) { return llvm::isa<llvm::PHINode>(definition.first); });
  return isWhole && hasPhi ? std::optional(std::move(web)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

namespace {

/// Checks what the register of a web holds, back from each use to what has set it.
class RegisterContents {
public:
  explicit RegisterContents(const RegisterWeb &web) {
    for (const RegisterDefinition &definition : web.definitions)
      sets[definition.first->getParent()].push_back(definition);
    for (auto &[block, definitions] : sets)
      llvm::sort(definitions, [](const RegisterDefinition &a, const RegisterDefinition &b) {
        return a.first != b.first && a.first->comesBefore(b.first);
      });
  }

  llvm::ArrayRef<RegisterDefinition> getSets(llvm::BasicBlock *block) const {
    auto found = sets.find(block);
    return found == sets.end() ? llvm::ArrayRef<RegisterDefinition>() : llvm::ArrayRef(found->second);
  }
  /// Behind phis.
  bool holdsAtStart(llvm::BasicBlock *block, const RegisterDefinition &definition);
  bool holdsAtEnd(llvm::BasicBlock *block, const RegisterDefinition &definition);

private:
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<RegisterDefinition, 2>> sets; ///< in their order
  llvm::DenseMap<llvm::BasicBlock *, RegisterDefinition> atEnd; ///< what is wanted there, and is found to be so
};

bool RegisterContents::holdsAtStart(llvm::BasicBlock *block, const RegisterDefinition &definition) {
  llvm::ArrayRef<RegisterDefinition> definitions = getSets(block);
  if (!definitions.empty() && llvm::isa<llvm::PHINode>(definitions.front().first))
    return definitions.front() == definition;
  return !block->isEntryBlock() && llvm::all_of(llvm::predecessors(block), [&](llvm::BasicBlock *before) {
    return holdsAtEnd(before, definition);
  });
}

bool RegisterContents::holdsAtEnd(llvm::BasicBlock *block, const RegisterDefinition &definition) {
  llvm::SmallVector<llvm::BasicBlock *> worklist = {block};
  while (!worklist.empty()) {
    block = worklist.pop_back_val();
    auto [known, isNew] = atEnd.try_emplace(block, definition);
    if (known->second != definition)
      return false;
    if (!isNew)
      continue;
    if (llvm::ArrayRef<RegisterDefinition> definitions = getSets(block); !definitions.empty()) {
      if (definitions.back() != definition)
        return false;
    } else if (block->isEntryBlock()) {
      return false;
    } else {
      llvm::append_range(worklist, llvm::predecessors(block));
    }
  }
  return true;
}

} // namespace

/// Constants can be set wherever they are wanted.
bool RegisterWebs::fitsOneRegister(const RegisterWeb &web) const {
  RegisterContents contents(web);
  for (const RegisterDefinition &definition : web.definitions) {
    llvm::BasicBlock *block = definition.first->getParent();
    llvm::ArrayRef<RegisterDefinition> sets = contents.getSets(block);
    const size_t place = llvm::find(sets, definition) - sets.begin();
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(definition.first)) {
      if (place != 0) // Another phi would set the register on the same edges.
        return false;
      for (auto [value, before] : llvm::zip_equal(phi->incoming_values(), phi->blocks()))
        if (std::optional<RegisterDefinition> from = getDefinition(value); from && !contents.holdsAtEnd(before, *from))
          return false;
      continue;
    }
    if (place != 0 && sets[place - 1].first == definition.first) // two results of one call
      return false;
    for (llvm::Value *source : getSources(definition, findCall(definition.first)))
      if (std::optional<RegisterDefinition> from = getDefinition(source);
          from && !(place != 0 ? sets[place - 1] == *from : contents.holdsAtStart(block, *from)))
        return false;
  }
  return llvm::all_of(web.readers,
                      [&](const auto &reader) { return contents.holdsAtStart(reader.first, reader.second); });
}

RegisterWebs::RegisterWebs(llvm::Function &function) {
  for (llvm::Instruction &op : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&op))
      if (std::optional<AssemblyCall> assembly = AssemblyCall::parse(*call))
        calls.insert({call, std::move(*assembly)});
  for (auto &[call, assembly] : calls)
    for (llvm::User *user : assembly.call->users())
      if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user))
        extracts[{assembly.call, extract->getIndices().front()}].push_back(extract);
  for (auto &[call, assembly] : calls)
    for (unsigned result = 0; result < assembly.starts.size(); ++result)
      if (assembly.starts[result] >= 0 && !seen.contains({assembly.call, result}))
        if (std::optional<RegisterWeb> web = grow({assembly.call, result}); web && fitsOneRegister(*web))
          webs.push_back(std::move(*web));
}

} // namespace tileiras
