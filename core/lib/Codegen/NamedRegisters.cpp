//===- NamedRegisters.cpp - Registers that LLVM does not see --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedRegisters.h"
#include "RegisterWebs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace tileiras {
namespace {

constexpr llvm::StringLiteral kPrefix = "%sum";

std::string getName(size_t web) {
  return kPrefix.str() + std::to_string(web);
}

/// Text that sets a register.
std::string getMove(size_t web, llvm::Value *constant) {
  if (llvm::isa<llvm::UndefValue>(constant))
    return "";
  auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant);
  const llvm::APInt bits =
      number ? number->getValueAPF().bitcastToAPInt() : llvm::cast<llvm::ConstantInt>(constant)->getValue();
  return " mov.b32 " + getName(web) + ", " + std::to_string(bits.getZExtValue()) + ";";
}

/// `text` with other names of its operands.
std::string renameOperands(llvm::StringRef text, llvm::ArrayRef<std::string> names) {
  std::string result;
  while (!text.empty()) {
    auto [before, behind] = text.split('$');
    result += before;
    text = text.drop_front(before.size());
    unsigned number = 0;
    if (!behind.consumeInteger(10, number)) {
      result += names[number];
      text = behind;
    } else { // "$$", or the end
      result += text.take_front(2);
      text = text.drop_front(std::min<size_t>(2, text.size()));
    }
  }
  return result;
}

/// Assembly in the making: results come before arguments.
struct AssemblyText {
  std::string text;
  llvm::SmallVector<std::string> constraints;
  llvm::SmallVector<llvm::Type *> results;
  llvm::SmallVector<llvm::Value *> arguments;

  std::string addOperand(llvm::StringRef constraint) {
    constraints.push_back(constraint.str());
    return "$" + std::to_string(constraints.size() - 1);
  }
  std::string addResult(llvm::StringRef constraint, llvm::Type *type) {
    results.push_back(type);
    return addOperand(constraint);
  }
  /// A result, and the text that gives it what the register holds.
  std::string read(size_t web, llvm::Type *type) {
    return " mov.b32 " + addResult(type->isFloatTy() ? "=f" : "=r", type) + ", " + getName(web) + ";";
  }
  /// The results.
  llvm::SmallVector<llvm::Value *> emit(llvm::IRBuilder<> &builder, const llvm::CallInst *like = nullptr) const;
};

llvm::SmallVector<llvm::Value *> AssemblyText::emit(llvm::IRBuilder<> &builder, const llvm::CallInst *like) const {
  llvm::Type *type = results.empty()       ? builder.getVoidTy()
                     : results.size() == 1 ? results.front()
                                           : llvm::StructType::get(builder.getContext(), results);
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  auto *code = llvm::InlineAsm::get(llvm::FunctionType::get(type, types, /*isVarArg=*/false),
                                    llvm::StringRef(text).ltrim(), llvm::join(constraints, ","),
                                    /*hasSideEffects=*/true);
  llvm::CallInst *call = builder.CreateCall(code, arguments);
  if (like)
    call->setAttributes(like->getAttributes());
  if (results.size() == 1)
    return {call};
  llvm::SmallVector<llvm::Value *> values;
  for (unsigned i = 0; i < results.size(); ++i)
    values.push_back(builder.CreateExtractValue(call, i));
  return values;
}

/// Gives the registers of webs their names.
class RegisterNamer {
public:
  RegisterNamer(llvm::Function &function, const RegisterWebs &webs) : function(function), webs(webs) {
    for (auto [number, web] : llvm::enumerate(webs.get()))
      for (const RegisterDefinition &definition : web.definitions)
        numbers[definition] = number;
  }
  void run();

private:
  void declare();
  void readAtStarts();
  void setOnEdges();
  void rebuild(const AssemblyCall &assembly);

  llvm::Function &function;
  const RegisterWebs &webs;
  llvm::DenseMap<RegisterDefinition, size_t> numbers; ///< of the web
};

void RegisterNamer::declare() {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  AssemblyText{".reg .b32 " + kPrefix.str() + "<" + std::to_string(webs.get().size()) + ">;", {}, {}, {}}.emit(builder);
}

void RegisterNamer::readAtStarts() {
  llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<RegisterDefinition>> reads;
  for (const RegisterWeb &web : webs.get())
    for (auto [block, definition] : web.readers)
      reads[block].push_back(definition);
  for (auto &[block, definitions] : reads) {
    AssemblyText assembly;
    for (const RegisterDefinition &definition : definitions)
      assembly.text += assembly.read(numbers[definition], webs.getValues(definition).front()->getType());
    llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
    for (auto [definition, result] : llvm::zip_equal(definitions, assembly.emit(builder)))
      for (llvm::Value *value : webs.getValues(definition))
        value->replaceUsesWithIf(result, [&, block = block](llvm::Use &use) {
          return llvm::cast<llvm::Instruction>(use.getUser())->getParent() == block && !webs.findSet(use);
        });
  }
}

/// Before what blocks read when they start.
void RegisterNamer::setOnEdges() {
  llvm::MapVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, std::string> edges;
  for (const RegisterWeb &web : webs.get())
    for (const RegisterDefinition &definition : web.definitions)
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(definition.first))
        for (auto [value, before] : llvm::zip_equal(phi->incoming_values(), phi->blocks()))
          if (llvm::isa<llvm::ConstantData>(value))
            edges[{before, phi->getParent()}] += getMove(numbers[definition], value);
  for (auto &[edge, text] : edges) {
    auto [before, block] = edge;
    if (text.empty())
      continue;
    llvm::IRBuilder<> builder(before->getTerminator());
    if (block->getUniquePredecessor())
      builder.SetInsertPoint(block, block->getFirstInsertionPt());
    else if (!before->getUniqueSuccessor())
      builder.SetInsertPoint(
          llvm::SplitCriticalEdge(before, block, llvm::CriticalEdgeSplittingOptions().setMergeIdenticalEdges())
              ->getTerminator());
    AssemblyText{text, {}, {}, {}}.emit(builder);
  }
}

void RegisterNamer::rebuild(const AssemblyCall &old) {
  AssemblyText assembly;
  std::string before, behind;
  const unsigned numResults = old.starts.size();
  llvm::SmallVector<std::string> names(numResults + old.updates.size());
  llvm::SmallVector<unsigned> results;
  auto findNumber = [&](unsigned result) {
    auto found = numbers.find({old.call, result});
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  };
  llvm::Type *type = old.call->getType();
  for (unsigned result = 0; result < numResults; ++result) {
    llvm::Type *resultType = type->isStructTy() ? type->getStructElementType(result) : type;
    const std::optional<size_t> number = findNumber(result);
    if (!number) {
      names[result] = assembly.addResult(old.constraints[result], resultType);
      results.push_back(result);
      continue;
    }
    names[result] = getName(*number);
    if (webs.get()[*number].readAtOnce.contains({old.call, result})) {
      behind += assembly.read(*number, resultType);
      results.push_back(result);
    }
  }
  for (auto [argument, result] : llvm::enumerate(old.updates)) {
    llvm::Value *value = old.call->getArgOperand(argument);
    if (result < 0 || !findNumber(result)) {
      names[numResults + argument] = assembly.addOperand(result < 0 ? old.constraints[numResults + argument]
                                                                    : llvm::StringRef(names[result]).drop_front());
      assembly.arguments.push_back(value);
    } else if (llvm::isa<llvm::ConstantData>(value)) {
      before += getMove(*findNumber(result), value);
    }
  }
  for (llvm::StringRef clobber : llvm::ArrayRef(old.constraints).drop_front(names.size()))
    assembly.addOperand(clobber);
  assembly.text = before + renameOperands(old.getCode().getAsmString(), names) + behind;
  llvm::IRBuilder<> builder(old.call);
  for (auto [result, value] : llvm::zip_equal(results, assembly.emit(builder, old.call)))
    for (llvm::Value *known : webs.getValues({old.call, result}))
      known->replaceAllUsesWith(value);
}

void RegisterNamer::run() {
  declare();
  readAtStarts();
  setOnEdges();
  llvm::SetVector<llvm::Instruction *> replaced;
  for (const RegisterWeb &web : webs.get())
    for (const RegisterDefinition &definition : web.definitions)
      replaced.insert(definition.first);
  llvm::SmallVector<llvm::Instruction *> dead;
  for (llvm::Instruction *op : replaced) {
    if (const AssemblyCall *assembly = webs.findCall(op)) {
      rebuild(*assembly);
      for (llvm::User *user : op->users())
        if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(user))
          dead.push_back(extract);
    }
    dead.push_back(op);
  }
  for (llvm::Instruction *op : dead) {
    if (!op->getType()->isVoidTy())
      op->replaceAllUsesWith(llvm::PoisonValue::get(op->getType()));
    op->eraseFromParent();
  }
}

} // namespace

llvm::PreservedAnalyses NamedRegistersPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  // Others can be inlined, and declare their registers twice.
  if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
    return llvm::PreservedAnalyses::all();
  RegisterWebs webs(function);
  if (int64_t(webs.get().size()) < leastNamedRegisters)
    return llvm::PreservedAnalyses::all();
  RegisterNamer(function, webs).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace tileiras
