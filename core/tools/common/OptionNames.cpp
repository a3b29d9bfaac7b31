//===- OptionNames.cpp - Options that nobody has registered ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerFlags.h"
#include "tileiras/Profile/Origin.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tileiras;
namespace cl = llvm::cl;
using llvm::StringRef;

/// What the compilers and assemblers of others call an option of ours.
static StringRef translateName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases(
          {"arch", "gpu", "gpu-arch", "gpu-architecture", "gpu-code", "code", "march", "mcpu", "target", "sm", "chip"},
          "gpu-name")
      .Cases({"v", "V", "verbose"}, "version")
      .Cases({"G", "debug", "cuda-gdb"}, "device-debug")
      .Cases({"ptx", "S"}, "emit=ptx")
      .Cases({"cubin", "c"}, "emit=cubin")
      .Cases({"generate-line-info", "line-info"}, "lineinfo")
      .Cases({"plugin", "load-pass-plugin", "load-dialect-plugin"}, "load-plugin")
      .Cases({"output", "out"}, "output-file")
      .Cases({"optimize", "optimise"}, "opt-level")
      .Default("");
}

static std::string dashed(StringRef name) {
  return (name.size() == 1 ? "-" : "--") + name.str();
}

/// "; did you mean '--gpu-name=…'?", or nothing.
static std::string suggestOption(StringRef name, StringRef value) {
  auto &known = cl::getRegisteredOptions();
  auto ask = [](const std::string &option) { return "; did you mean '" + option + "'?"; };
  if (name.size() > 1 && name[0] == 'o' && llvm::all_of(name.drop_front(), llvm::isDigit) && known.count("O"))
    return ask("-O" + name.drop_front().str());
  if (StringRef other = translateName(name); known.count(other.split('=').first)) {
    bool takesValue = known.lookup(other) && known.lookup(other)->getValueExpectedFlag() == cl::ValueRequired;
    return ask(dashed(other) + (takesValue && !value.empty() ? "=" + value.str() : ""));
  }
  std::vector<std::string> names;
  for (const auto &item : known)
    if (item.second->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(item.first.str());
  std::vector<std::string> nearest = findNearestNames(name, names);
  return listSuggestions(llvm::map_to_vector(nearest, [](const std::string &each) { return dashed(each); }));
}

/// -O3, -Wno-all: options whose value follows without a sign between.
static bool isPrefixedOption(StringRef name) {
  if (name.consume_front("O"))
    return llvm::all_of(name, llvm::isDigit) && !name.empty() && cl::getRegisteredOptions().count("O");
  if (name.size() > 1 && name[0] == 'j' && llvm::all_of(name.drop_front(), llvm::isDigit))
    return cl::getRegisteredOptions().count("j");
  return name.consume_front("W") && !name.empty() && cl::getRegisteredOptions().count("W");
}

llvm::Error tileiras::checkOptionNames(llvm::ArrayRef<const char *> arguments) {
  auto &known = cl::getRegisteredOptions();
  for (size_t i = 0; i < arguments.size() && StringRef(arguments[i]) != "--"; ++i) {
    StringRef argument = arguments[i];
    auto [name, value] = argument.split('=');
    if (!name.consume_front("-") || name.empty())
      continue;
    name.consume_front("-");
    if (auto it = known.find(name); it != known.end()) {
      if (!argument.contains('=') && it->second->getValueExpectedFlag() == cl::ValueRequired)
        ++i;
      continue;
    }
    // The library adds its short name of --help late.
    if (isPrefixedOption(name) || name == "h")
      continue;
    if (!argument.contains('=') && i + 1 < arguments.size() && arguments[i + 1][0] != '-')
      value = arguments[i + 1];
    return usageError("unknown option '" + argument + "'" + suggestOption(name, value) + " (--help lists all)");
  }
  return llvm::Error::success();
}
