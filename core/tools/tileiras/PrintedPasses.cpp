//===- PrintedPasses.cpp - Passes of --mlir-print-ir-after ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintedPasses.h"
#include "CompilerFlags.h"
#include "NamedPlugins.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "llvm/Support/StringSaver.h"

using namespace tileiras;

namespace {

class PrintedPasses {
public:
  llvm::Error publish(llvm::MutableArrayRef<const char *> arguments);

private:
  llvm::Error prepare(llvm::ArrayRef<const char *> arguments);
  llvm::Expected<std::string> find(llvm::StringRef pass, llvm::StringRef option);
  llvm::Error describeUnknownPass(llvm::StringRef pass, llvm::StringRef option) const;

  PluginCatalogue plugins;
  Registry registry;
  llvm::StringSet<> active;
};

constexpr llvm::StringLiteral kPrintOptions[] = {"mlir-print-ir-before", "mlir-print-ir-after"};

} // namespace

llvm::Error PrintedPasses::prepare(llvm::ArrayRef<const char *> arguments) {
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      return CompileError::wrap(ExitCode::Internal, std::move(error));
  return CompileError::wrap(ExitCode::Configuration, addNamedPlugins(arguments, plugins));
}

llvm::Error PrintedPasses::describeUnknownPass(llvm::StringRef pass, llvm::StringRef option) const {
  std::vector<std::string> names;
  for (const PassEntry *entry : registry.getPasses())
    names.push_back(entry->argument);
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Pass && !registry.findPass(item.name))
        names.push_back(item.name);
  std::string remedy = suggestName(pass, names);
  return usageError("--" + option + ": no pass is called '" + pass + "'" + remedy +
                    (remedy.empty() ? "; --list-plugins lists those of plugins, --print-pipeline those that run" : ""));
}

llvm::Expected<std::string> PrintedPasses::find(llvm::StringRef pass, llvm::StringRef option) {
  const DiscoveredPlugin *plugin = plugins.findProvider(PluginContents::Pass, pass);
  if (!registry.findPass(pass) && plugin && active.insert(plugin->getName()).second)
    if (llvm::Error error = activatePlugin(*plugin, registry))
      return CompileError::wrap(ExitCode::Configuration, std::move(error));
  const PassEntry *entry = registry.findPass(pass);
  return entry ? llvm::Expected<std::string>(entry->create()->getArgument().str()) : describeUnknownPass(pass, option);
}

llvm::Error PrintedPasses::publish(llvm::MutableArrayRef<const char *> arguments) {
  static llvm::BumpPtrAllocator allocator; // the command-line library keeps what it is given
  static llvm::StringSaver saver(allocator);
  bool isPrepared = false;
  for (size_t i = 0; i < arguments.size() && llvm::StringRef(arguments[i]) != "--"; ++i)
    for (llvm::StringRef option : kPrintOptions) {
      auto [name, value] = llvm::StringRef(arguments[i]).split('=');
      if (name.ltrim('-') != option || !name.starts_with("-"))
        continue;
      if (!std::exchange(isPrepared, true))
        if (llvm::Error error = prepare(arguments))
          return error;
      std::vector<std::string> passes;
      for (llvm::StringRef pass : llvm::split(value, ',')) {
        llvm::Expected<std::string> known = find(pass, option);
        if (!known)
          return known.takeError();
        passes.push_back(std::move(*known));
      }
      arguments[i] = saver.save("--" + option + "=" + llvm::join(passes, ",")).data();
      break;
    }
  return isPrepared ? CompileError::wrap(ExitCode::Configuration, registry.publish()) : llvm::Error::success();
}

llvm::Error tileiras::publishPrintedPasses(llvm::MutableArrayRef<const char *> arguments) {
  return PrintedPasses().publish(arguments);
}
