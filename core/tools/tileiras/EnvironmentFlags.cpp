//===- EnvironmentFlags.cpp - TILEIRAS_FLAGS ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EnvironmentFlags.h"
#include "CompilerFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace tileiras;
namespace cl = llvm::cl;
using llvm::StringRef;

static constexpr llvm::StringLiteral kVariable = "TILEIRAS_FLAGS";

std::string tileiras::getEnvironmentFlags() {
  std::string text = llvm::sys::Process::GetEnv(kVariable).value_or("");
  for (char &c : text)
    if (llvm::isSpace(c))
      c = ' ';
  return StringRef(text).trim().str();
}

std::vector<const char *> tileiras::splitEnvironmentFlags() {
  static llvm::BumpPtrAllocator allocator; // the command-line library keeps what it is given
  static llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(getEnvironmentFlags(), saver, words);
  return {words.begin(), words.end()};
}

static llvm::Error refuse(const llvm::Twine &what) {
  return usageError(kVariable + " in the environment: " + what);
}

bool tileiras::isQuestion(StringRef name) {
  return llvm::is_contained({"h", "help", "help-hidden", "help-list", "help-list-hidden", "version", "list-versions",
                             "list-plugins", "help-options", "help-remarks", "print-profile", "print-pipeline",
                             "print-plugin-info", "print-reference", "print-profile-schema", "print-options",
                             "print-all-options"},
                            name);
}

/// Options of a whole command line, not of how to compile.
static bool belongsToCommandLine(StringRef name) {
  return isQuestion(name) ||
         llvm::is_contained({"o", "output-file", "metadata", "report", "batch", "j", "batch-log"}, name);
}

llvm::Error tileiras::checkEnvironmentFlags(llvm::ArrayRef<const char *> words) {
  if (llvm::Error error = checkOptionNames(words))
    return refuse(StringRef(llvm::toString(std::move(error))).substr(StringRef("error: ").size()));
  auto &known = cl::getRegisteredOptions();
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-") || word == "-" || word == "--")
      return refuse("'" + word +
                    "' is no option; it takes options of a compilation, such as --profile=o3-ws or "
                    "--set num-warps=8");
    StringRef name = word.split('=').first.ltrim('-');
    if (belongsToCommandLine(name))
      return refuse("'" + word.split('=').first +
                    "' has no place there: what is compiled, where the output goes, and "
                    "questions are the command line's");
    const cl::Option *option = known.lookup(name);
    if (option && !word.contains('=') && option->getValueExpectedFlag() == cl::ValueRequired)
      ++i;
  }
  return llvm::Error::success();
}

void tileiras::noteEnvironmentFlags() {
  if (const std::string flags = getEnvironmentFlags(); !flags.empty())
    llvm::errs() << "note: " << kVariable << " in the environment adds: " << flags << '\n';
}
