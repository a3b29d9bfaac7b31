//===- PluginLoaderTest.cpp - Every way a plugin can be wrong --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/PluginLoader.h"
#include "../ErrorMessage.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "llvm/Support/FileSystem.h"
#include <catch2/catch.hpp>
#include <fstream>

using namespace tileiras;
using Catch::Matchers::Contains;

static std::string testPlugin(const std::string &name) {
  return std::string(TEST_PLUGINS) + "/" + name + ".so";
}

static std::string discoveryError(const std::string &path) {
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(path);
  REQUIRE(!plugin);
  return llvm::toString(plugin.takeError());
}

static DiscoveredPlugin discover(const std::string &path) {
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(path);
  if (!plugin)
    FAIL(llvm::toString(plugin.takeError()));
  return std::move(*plugin);
}

TEST_CASE("a good plugin describes itself") {
  DiscoveredPlugin plugin = discover(testPlugin("good"));
  CHECK(plugin.getName() == "test");
  CHECK(plugin.provides(PluginContents::Pass, "test-plugin-pass"));
  CHECK_FALSE(plugin.provides(PluginContents::Scheduler, "test-plugin-pass"));
}

TEST_CASE("a plugin without its symbol table is a plugin: packages strip theirs") {
  CHECK(discover(testPlugin("stripped")).provides(PluginContents::Pass, "test-plugin-pass"));
}

TEST_CASE("discovery refuses what is no plugin of ours, in one sentence") {
  CHECK_THAT(discoveryError("/nowhere/x.so"), Contains("'/nowhere/x.so' does not exist"));
  CHECK_THAT(discoveryError(TEST_PLUGINS), Contains("is a directory"));

  llvm::SmallString<64> text;
  REQUIRE(!llvm::sys::fs::createTemporaryFile("tileiras-text", "so", text));
  std::ofstream(text.c_str()) << "not an ELF file";
  CHECK_THAT(discoveryError(text.str().str()), Contains("is not a shared object"));
  llvm::sys::fs::remove(text);

  CHECK_THAT(discoveryError(testPlugin("no-entry")), Contains("does not export 'tileirasGetPluginInfo'"));
  CHECK_THAT(discoveryError(testPlugin("silent")), Contains("does not describe itself"));
  CHECK_THAT(discoveryError(testPlugin("other-abi")),
             Contains("plugin ABI version 99") &&
                 Contains("has version " + std::to_string(TILEIRAS_PLUGIN_ABI_VERSION)));
  CHECK_THAT(discoveryError(testPlugin("other-sdk")),
             Contains("was built with the SDK of tileiras 0.0.9 (headers 0123456789abcdef), and this is tileiras ") &&
                 Contains("; build it again with the SDK of this one"));
  CHECK_THAT(discoveryError(testPlugin("no-sdk")),
             Contains("does not say which SDK it was built with; build it with tileiras_add_plugin"));
  CHECK_THAT(discoveryError(testPlugin("other-llvm")), Contains("LLVM 21.1.0") && Contains(LLVM_VERSION_STRING));
  CHECK_THAT(discoveryError(testPlugin("unloadable")),
             Contains("cannot be loaded") && Contains("tileirasSymbolOfAnotherAge"));
  CHECK_THAT(discoveryError(testPlugin("wrong-option")),
             Contains("plugin 'test' declares option 'test-option' wrongly: its default: ") &&
                 Contains("is 9, but must be between 1 and 8"));
}

TEST_CASE("options are declared by description, and known before activation") {
  PluginCatalogue catalogue;
  REQUIRE(messageOf(catalogue.addFile(testPlugin("optional"))) == "");
  llvm::Expected<std::shared_ptr<const OptionTable>> table = catalogue.collectOptions();
  REQUIRE(bool(table));
  const OptionDeclaration *option = (*table)->find("test-option");
  REQUIRE(option);
  CHECK(option->owner == "test");
  CHECK(option->defaultValue == OptionValue(int64_t(4)));
  CHECK(option->describeValues() == "1…8");
  CHECK((*table)->find("test.option") == option);
  CHECK((*table)->find("num-warps"));
  CHECK((*table)->hasPlugin("test"));

  Registry registry;
  CHECK(messageOf(activatePlugin(*catalogue.find("test"), registry)) == "");

  REQUIRE(messageOf(catalogue.addFile(testPlugin("other-name-same-option"))) == "");
  CHECK_THAT(llvm::toString(catalogue.collectOptions().takeError()),
             Contains("option 'test-option' is declared by both 'test' and 'rival'"));
}

TEST_CASE("activation is all or nothing") {
  auto [file, message] = GENERATE(table<std::string, std::string>({
      {"throwing", "it threw: on purpose"},
      {"failing", "no licence"},
      {"undescribed", "describes pass test-other-pass but does not register it"},
      {"overdescribed", "describes scheduler test-scheduler but does not register it"},
  }));
  Registry registry;
  CHECK_THAT(messageOf(activatePlugin(discover(testPlugin(file)), registry)),
             Contains("plugin 'test'") && Contains(message));
  CHECK(registry.getPasses().empty());
}

TEST_CASE("a taken name is an error that names both owners") {
  Registry registry;
  REQUIRE(messageOf(activatePlugin(discover(testPlugin("good")), registry)) == "");
  CHECK(registry.findPass("test-plugin-pass")->owner == "test");
  CHECK_THAT(messageOf(activatePlugin(discover(testPlugin("other-name-same-pass")), registry)),
             Contains("pass 'test-plugin-pass' is registered by both 'test' and 'rival'"));
  CHECK(registry.getPasses().size() == 1);
}

static PluginCatalogue catalogueOf(std::initializer_list<const char *> names) {
  PluginCatalogue catalogue;
  for (const char *name : names)
    REQUIRE(messageOf(catalogue.addFile(testPlugin(name))) == "");
  return catalogue;
}

TEST_CASE("what a plugin requires is activated before it") {
  PluginCatalogue catalogue = catalogueOf({"requiring", "good"});
  auto order = catalogue.orderRequired(*catalogue.find("requiring"));
  REQUIRE(bool(order));
  REQUIRE(order->size() == 2);
  CHECK((*order)[0]->getName() == "test");
  CHECK((*order)[1]->getName() == "requiring");
  Registry registry;
  CHECK(messageOf(activateAll(catalogue, registry)) == "");
  CHECK(registry.findPass("requiring-pass"));
  CHECK(registry.findPass("test-plugin-pass"));
  std::string info;
  llvm::raw_string_ostream os(info);
  catalogue.printInfo(*catalogue.find("requiring"), os);
  CHECK_THAT(info, Contains("requires test"));
}

TEST_CASE("a required plugin that is absent is an error, and so are plugins that require each other") {
  Registry registry;
  CHECK_THAT(messageOf(activateAll(catalogueOf({"requiring-absent", "good"}), registry)),
             Contains("plugin 'requiring-absent' requires plugin 'tets', which was not found; did you mean 'test'?"));
  CHECK(registry.getPasses().empty());
  CHECK_THAT(messageOf(activateAll(catalogueOf({"cycle-a", "cycle-b"}), registry)),
             Contains("plugins require each other, and none can come first: 'cycle-a' requires 'cycle-b', 'cycle-b' "
                      "requires 'cycle-a'"));
  CHECK(registry.getPasses().empty());
}

TEST_CASE("a pass that names another one wrongly is an error") {
  auto check = [](const char *plugin) {
    PluginCatalogue catalogue = catalogueOf({plugin});
    Registry registry;
    for (PassEntry &entry : getCorePasses())
      REQUIRE(messageOf(registry.addPass(std::move(entry))) == "");
    return messageOf(activateAll(catalogue, registry));
  };
  CHECK_THAT(
      check("misplaced"),
      Contains("plugin 'misplaced': pass 'misplaced-pass' is to run after 'tileas-place-bariers', which is no pass "
               "of the core or of a plugin; did you mean 'tileas-place-barriers'?"));
  CHECK_THAT(check("misordered"), Contains("pass 'misordered-pass' must follow 'tileas-place-bariers'") &&
                                      Contains("did you mean 'tileas-place-barriers'?"));
  CHECK(check("good") == "");
}

TEST_CASE("two explicit files of one name clash, one file twice does not") {
  PluginCatalogue catalogue;
  REQUIRE(messageOf(catalogue.addFile(testPlugin("good"))) == "");
  CHECK(messageOf(catalogue.addFile(testPlugin("good"))) == "");
  CHECK_THAT(messageOf(catalogue.addFile(testPlugin("good-twin"))), Contains("plugin 'test' is given twice"));
  CHECK(catalogue.getPlugins().size() == 1);
}

TEST_CASE("a directory offers every plugin and remembers the unusable ones") {
  PluginCatalogue catalogue;
  REQUIRE(messageOf(catalogue.addDirectory(SHIPPED_PLUGINS)) == "");
  REQUIRE(catalogue.find("layout"));
  REQUIRE(catalogue.find("async"));
  CHECK(catalogue.findProvider(PluginContents::Scheduler, "serial")->getName() == "async-scheduling");
  CHECK(catalogue.findProvider(PluginContents::Target, "sm_1") == nullptr);
  CHECK(catalogue.getProblems().empty());
  std::string table;
  llvm::raw_string_ostream os(table);
  catalogue.printTable(os);
  CHECK_THAT(table, Contains("\nGPU          PLUGIN\n") && Contains("\nsm_90        sm90\n"));

  CHECK_THAT(messageOf(catalogue.addDirectory("/nowhere")), Contains("'/nowhere' cannot be read"));
}

TEST_CASE("the table lists what each plugin adds") {
  PluginCatalogue catalogue;
  REQUIRE(messageOf(catalogue.addFile(testPlugin("good"))) == "");
  std::string table, info;
  llvm::raw_string_ostream tableStream(table), infoStream(info);
  catalogue.printTable(tableStream);
  catalogue.printInfo(*catalogue.find("test"), infoStream);
  CHECK_THAT(table, Contains("NAME") && Contains("test") && Contains("test-plugin-pass"));
  CHECK_THAT(info, Contains("file:") && Contains("good.so") && Contains("pass      test-plugin-pass"));
}
