//===- Assembler.cpp - From PTX to machine code ----------------------------- ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/Assembler.h"
#include "Assemblers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tileiras {

Assembler::~Assembler() = default;

llvm::ArrayRef<llvm::StringRef> getAssemblerNames() {
  static constexpr llvm::StringRef names[] = {"ptxas", "nvjitlink"};
  return names;
}

llvm::Expected<std::unique_ptr<Assembler>> createAssembler(llvm::StringRef name, const CudaToolkit &toolkit) {
  if (name.empty() || name == "ptxas")
    return createPtxasAssembler(toolkit);
  if (name == "nvjitlink")
    return createNvJitLinkAssembler(toolkit);
  return llvm::createStringError("unknown assembler '" + name + "'; the known ones are " +
                                 llvm::join(getAssemblerNames(), ", "));
}

namespace {

/// The number before `unit` in a report line such as "    0 bytes stack frame, 4 bytes spill stores".
uint32_t getCount(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = line.take_front(at).rtrim();
  uint32_t count = 0;
  before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1)).getAsInteger(10, count);
  return count;
}

/// The text between the first pair of single quotes.
llvm::StringRef getQuoted(llvm::StringRef line) {
  return line.split('\'').second.split('\'').first;
}

} // namespace

void parseAssemblerReport(llvm::StringRef report, Assembly &assembly) {
  KernelResources *current = nullptr;
  llvm::StringMap<size_t> numbers;
  for (auto [number, kernel] : llvm::enumerate(assembly.kernels))
    numbers[kernel.name] = number;
  auto select = [&](llvm::StringRef name) {
    auto [found, isNew] = numbers.try_emplace(name, assembly.kernels.size());
    if (isNew)
      assembly.kernels.push_back(KernelResources{name.str()});
    current = &assembly.kernels[found->second];
  };
  for (llvm::StringRef rest = report; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.rtrim();
    auto [prefix, text] = line.split(": ");
    if (prefix.contains("warning")) {
      assembly.warnings.push_back(text.trim().str());
    } else if (text.starts_with("Compiling entry function") || text.starts_with("Compiling function")) {
      select(getQuoted(text));
    } else if (text.starts_with("Function properties for ")) {
      select(text.drop_front(sizeof("Function properties for ") - 1).trim(" ':"));
    } else if (current && line.contains("bytes stack frame")) {
      current->stackBytes = getCount(line, " bytes stack frame");
      current->spillStoreBytes = getCount(line, " bytes spill stores");
      current->spillLoadBytes = getCount(line, " bytes spill loads");
    } else if (current && text.starts_with("Used ")) {
      current->registers = getCount(text, " registers");
      current->barriers = getCount(text, " barriers");
      current->sharedBytes = getCount(text, " bytes smem");
    }
  }
}

} // namespace tileiras
