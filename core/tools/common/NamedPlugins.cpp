//===- NamedPlugins.cpp - Plugins that a command line names ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedPlugins.h"

using namespace tileiras;

std::vector<std::string> tileiras::findOptionValues(llvm::ArrayRef<const char *> arguments, llvm::StringRef option) {
  std::vector<std::string> values;
  for (size_t i = 0; i < arguments.size() && llvm::StringRef(arguments[i]) != "--"; ++i) {
    llvm::StringRef text = arguments[i];
    if (!text.consume_front("-"))
      continue;
    text.consume_front("-");
    if (!text.consume_front(option))
      continue;
    if (text.consume_front("="))
      values.push_back(text.str());
    else if (text.empty() && i + 1 < arguments.size())
      values.push_back(arguments[++i]);
  }
  return values;
}

llvm::Error tileiras::addNamedPlugins(llvm::ArrayRef<const char *> arguments, PluginCatalogue &plugins) {
  for (const std::string &file : findOptionValues(arguments, "load-plugin"))
    if (llvm::Error error = plugins.addFile(file))
      return error;
  for (const std::string &directory : findOptionValues(arguments, "plugin-path"))
    if (llvm::Error error = plugins.addDirectory(directory))
      return error;
  return plugins.addDefaultDirectories();
}
