//===- PluginLoader.h - Finding and activating plugins ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discovery opens shared objects and reads what they say of themselves; it never changes what the compiler does.
// Activation, once for a session, lets a plugin register what it described. Objects stay loaded until the process ends.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_PLUGINLOADER_H
#define TILEIRAS_PLUGIN_PLUGINLOADER_H

#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Profile/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {

/// A plugin as discovery sees it.
struct DiscoveredPlugin {
  std::string path; ///< of the shared object
  const TileirasPluginInfo *info = nullptr;
  std::vector<PluginContents> contents;
  std::vector<OptionDeclaration> options; ///< those of `contents`, checked

  llvm::StringRef getName() const { return info->name; }
  bool provides(PluginContents::Kind kind, llvm::StringRef name) const;
};

/// "pass", "scheduler", …
llvm::StringRef stringifyKind(PluginContents::Kind kind);

/// A remark that the core or a plugin may emit.
struct DeclaredRemark {
  const RemarkInfo *info;
  llvm::StringRef owner; ///< the plugin's name, or "core"
};

/// Opens the shared object at `path` and reads its description. Errors are one sentence that names the file: it does
/// not exist, is no shared object, has no entry point, was built for another plugin ABI or another LLVM, cannot be
/// loaded.
llvm::Expected<DiscoveredPlugin> discoverPlugin(llvm::StringRef path);

/// The plugins a session may use. The first plugin of a name wins within directories (earlier directories first); two
/// explicitly named files of one name are an error.
class PluginCatalogue {
public:
  /// --load-plugin=FILE. A bare name without a slash is a file of the working directory.
  llvm::Error addFile(llvm::StringRef path);
  /// --plugin-path=DIR and its kin: every `tileiras-*.so` of `directory`, in name order. A file that is no usable
  /// plugin is remembered as a problem and reported only if something is missing later. A directory that cannot be read
  /// is an error.
  llvm::Error addDirectory(llvm::StringRef directory);
  /// The directories of TILEIRAS_PLUGIN_PATH (separated by ':'; those that do not exist are skipped), then the plugin
  /// directory beside this library.
  llvm::Error addDefaultDirectories();

  llvm::ArrayRef<DiscoveredPlugin> getPlugins() const { return plugins; }
  const DiscoveredPlugin *find(llvm::StringRef name) const;
  /// The first plugin that provides `name`, or null.
  const DiscoveredPlugin *findProvider(PluginContents::Kind kind, llvm::StringRef name) const;
  /// `plugin` and all it requires, itself and through others, each after those that it requires. An error when one was
  /// not found, or when plugins require each other.
  llvm::Expected<std::vector<const DiscoveredPlugin *>> orderRequired(const DiscoveredPlugin &plugin) const;
  /// An error when a pass of `registry` wants to run after one (PassEntry::runsAfter) that neither `registry` nor any
  /// plugin here has, or names one in its order or its needs that nobody has and that resembles one: a typing mistake.
  llvm::Error checkPassNames(const Registry &registry) const;
  /// True for plugins given by --load-plugin: they are activated whatever the profile says.
  bool isExplicit(const DiscoveredPlugin &plugin) const;
  /// For a GPU that no plugin serves: "it is called '<chip>' here", where that is another name of it; else "the nearest
  /// is <chip> (plugin '<name>')", or which there are.
  std::string suggestChips(llvm::StringRef gpuName) const;
  /// The core's options and those of every plugin, whether it will be active or not. An option that two plugins declare
  /// is an error.
  llvm::Expected<std::shared_ptr<const OptionTable>> collectOptions() const;
  /// The core's remarks and those of every plugin, in the order of their categories, names and kinds.
  std::vector<DeclaredRemark> collectRemarks() const;
  llvm::ArrayRef<std::string> getProblems() const { return problems; }

  /// --list-plugins: name, kind, version, status, what it adds; then which plugin serves which GPU.
  void printTable(llvm::raw_ostream &os) const;
  /// Each --gpu-name and the plugin that serves it, in the order of the chips' numbers.
  std::vector<std::pair<llvm::StringRef, const DiscoveredPlugin *>> getChips() const;
  /// --print-plugin-info NAME.
  void printInfo(const DiscoveredPlugin &plugin, llvm::raw_ostream &os) const;

private:
  void printChips(llvm::raw_ostream &os) const;
  llvm::Error addRequired(const DiscoveredPlugin &plugin, std::vector<const DiscoveredPlugin *> &path,
                          std::vector<const DiscoveredPlugin *> &order) const;

  std::vector<DiscoveredPlugin> plugins;
  std::vector<std::string> explicitPaths, problems;
};

/// Lets `plugin` register its contents. On error (also: an exception, a taken name, contents that differ from the
/// description) `registry` is as before.
llvm::Error activatePlugin(const DiscoveredPlugin &plugin, Registry &registry);

/// The same with every plugin of `catalogue`, in an order in which those that are required come first.
llvm::Error activateAll(const PluginCatalogue &catalogue, Registry &registry);

/// The plugin directory beside this library: `<lib>/tileiras/plugins`.
std::string getInstalledPluginDirectory();

} // namespace tileiras

#endif // TILEIRAS_PLUGIN_PLUGINLOADER_H
