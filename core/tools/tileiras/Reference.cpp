//===- Reference.cpp - What there is to look up ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pages below docs/reference are made of --print-reference.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tileiras/Compiler/ExitCode.h"
#include "llvm/Support/JSON.h"

using namespace tileiras;

void tileiras::printRemarks(const PluginCatalogue &plugins, llvm::raw_ostream &os) {
  llvm::StringRef category;
  for (const DeclaredRemark &remark : plugins.collectRemarks()) {
    const RemarkInfo &info = *remark.info;
    if (info.category->name != category) {
      os << (category.empty() ? "" : "\n") << info.category->name << ": " << info.category->meaning << '\n';
      category = info.category->name;
    }
    os << "  " << info.name << " (" << stringifyRemarkKind(info.kind) << ", " << remark.owner << ")\n    "
       << info.meaning << "\n    What to do: " << info.advice << '\n';
  }
}

static void writeExitCodes(llvm::json::OStream &json) {
  for (const ExitCodeInfo &info : getExitCodes())
    json.object([&] {
      json.attribute("code", static_cast<int>(info.code));
      json.attribute("name", info.name);
      json.attribute("meaning", info.meaning);
      json.attribute("advice", info.advice);
    });
}

static void writePlugins(llvm::json::OStream &json, const PluginCatalogue &plugins) {
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    json.object([&] {
      json.attribute("name", plugin.info->name);
      json.attribute("kind", plugin.info->kind);
      json.attribute("version", plugin.info->version);
      json.attribute("status", plugin.info->status);
      json.attributeArray("adds", [&] {
        for (const PluginContents &item : plugin.contents)
          if (item.kind != PluginContents::Remarks)
            json.object([&] {
              json.attribute("kind", stringifyKind(item.kind));
              json.attribute("name", item.name);
            });
      });
    });
}

static void writeOptions(llvm::json::OStream &json, const OptionTable &options) {
  for (const OptionDeclaration &option : options.getAll())
    json.object([&] {
      json.attribute("name", option.name);
      json.attribute("alias", option.alias);
      json.attribute("kind", option.describeKind());
      json.attribute("default", printOptionValue(option.defaultValue));
      json.attribute("values", option.describeValues());
      json.attribute("readOnly", option.readOnly);
      json.attribute("owner", option.owner);
      json.attribute("meaning", option.description);
    });
}

static void writeRemarks(llvm::json::OStream &json, const PluginCatalogue &plugins) {
  for (const DeclaredRemark &remark : plugins.collectRemarks())
    json.object([&] {
      json.attribute("name", remark.info->name);
      json.attribute("kind", stringifyRemarkKind(remark.info->kind));
      json.attribute("category", remark.info->category->name);
      json.attribute("categoryMeaning", remark.info->category->meaning);
      json.attribute("owner", remark.owner);
      json.attribute("meaning", remark.info->meaning);
      json.attribute("advice", remark.info->advice);
    });
}

void tileiras::printReference(const PluginCatalogue &plugins, const OptionTable &options, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("exitCodes", [&] { writeExitCodes(json); });
    json.attributeArray("gpus", [&] {
      for (auto [chip, plugin] : plugins.getChips())
        json.object([&, chip = chip, plugin = plugin] {
          json.attribute("name", chip);
          json.attribute("plugin", plugin->getName());
        });
    });
    json.attributeArray("plugins", [&] { writePlugins(json, plugins); });
    json.attributeArray("options", [&] { writeOptions(json, options); });
    json.attributeArray("remarks", [&] { writeRemarks(json, plugins); });
  });
  os << '\n';
}
