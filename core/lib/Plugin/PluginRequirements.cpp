//===- PluginRequirements.cpp - What plugins say of each other -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/PluginLoader.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras;

//===----------------------------------------------------------------------===//
// Plugins
//===----------------------------------------------------------------------===//

/// "a requires b, b requires c, c requires a".
static llvm::Error describeCycle(llvm::ArrayRef<const DiscoveredPlugin *> cycle) {
  std::vector<std::string> links;
  for (auto [index, plugin] : llvm::enumerate(cycle))
    links.push_back(
        ("'" + plugin->getName() + "' requires '" + cycle[(index + 1) % cycle.size()]->getName() + "'").str());
  return llvm::createStringError("plugins require each other, and none can come first: " + llvm::join(links, ", "));
}

/// `path` has the plugins that led here, the one that requires the next before it.
llvm::Error PluginCatalogue::addRequired(const DiscoveredPlugin &plugin, std::vector<const DiscoveredPlugin *> &path,
                                         std::vector<const DiscoveredPlugin *> &order) const {
  if (llvm::is_contained(order, &plugin))
    return llvm::Error::success();
  if (auto it = llvm::find(path, &plugin); it != path.end())
    return describeCycle(llvm::ArrayRef(path).drop_front(it - path.begin()));
  path.push_back(&plugin);
  for (const PluginContents &item : plugin.contents) {
    if (item.kind != PluginContents::Requires)
      continue;
    const DiscoveredPlugin *required = find(item.name);
    if (!required) {
      std::vector<std::string> names;
      for (const DiscoveredPlugin &known : plugins)
        names.push_back(known.getName().str());
      std::string message = ("plugin '" + plugin.getName() + "' requires plugin '" + item.name +
                             "', which was not found" + suggestName(item.name, names))
                                .str();
      for (const std::string &problem : problems)
        message += "; " + problem;
      return llvm::createStringError(message);
    }
    if (llvm::Error error = addRequired(*required, path, order))
      return error;
  }
  path.pop_back();
  order.push_back(&plugin);
  return llvm::Error::success();
}

llvm::Expected<std::vector<const DiscoveredPlugin *>>
PluginCatalogue::orderRequired(const DiscoveredPlugin &plugin) const {
  std::vector<const DiscoveredPlugin *> path, order;
  if (llvm::Error error = addRequired(plugin, path, order))
    return error;
  return order;
}

llvm::Error tileiras::activateAll(const PluginCatalogue &catalogue, Registry &registry) {
  std::vector<const DiscoveredPlugin *> active;
  for (const DiscoveredPlugin &plugin : catalogue.getPlugins()) {
    llvm::Expected<std::vector<const DiscoveredPlugin *>> order = catalogue.orderRequired(plugin);
    if (!order)
      return order.takeError();
    for (const DiscoveredPlugin *next : *order) {
      if (llvm::is_contained(active, next))
        continue;
      if (llvm::Error error = activatePlugin(*next, registry))
        return error;
      active.push_back(next);
    }
  }
  return catalogue.checkPassNames(registry);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Two letters off at most: other names that nobody has are passes of a plugin that is not installed here.
static bool isTypingMistake(llvm::StringRef name, llvm::ArrayRef<std::string> known) {
  constexpr unsigned maxDistance = 2;
  return llvm::any_of(known, [&](llvm::StringRef other) {
    return name.edit_distance(other, /*AllowReplacements=*/true, maxDistance) <= maxDistance;
  });
}

llvm::Error PluginCatalogue::checkPassNames(const Registry &registry) const {
  std::vector<std::string> known;
  for (const PassEntry *entry : registry.getPasses())
    known.push_back(entry->argument);
  for (const DiscoveredPlugin &plugin : plugins)
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Pass)
        known.push_back(item.name);

  auto describe = [&](const PassEntry &entry, llvm::StringRef relation, llvm::StringRef name) {
    return llvm::createStringError(llvm::Twine("plugin '") + entry.owner + "': pass '" + entry.argument + "' " +
                                   relation + " '" + name + "', which is no pass of the core or of a plugin" +
                                   suggestName(name, known));
  };
  for (const PassEntry *entry : registry.getPasses()) {
    if (!entry->runsAfter.empty() && !llvm::is_contained(known, entry->runsAfter))
      return describe(*entry, "is to run after", entry->runsAfter);
    for (const auto &[relation, names] :
         {std::pair("must precede", &entry->mustPrecede), std::pair("must follow", &entry->mustFollow),
          std::pair("needs before it", &entry->needsBefore), std::pair("needs after it", &entry->needsAfter),
          std::pair("stands for", &entry->standsFor)})
      for (const std::string &name : *names)
        if (entry->owner != "core" && !llvm::is_contained(known, name) && isTypingMistake(name, known))
          return describe(*entry, relation, name);
  }
  return llvm::Error::success();
}
