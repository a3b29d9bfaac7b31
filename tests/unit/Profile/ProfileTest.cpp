//===- ProfileTest.cpp - The plan of a compilation ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Profile.h"
#include "../ShippedOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tileiras;

namespace {

/// A folder of profiles that vanishes with the test.
class ProfileFolder {
public:
  ProfileFolder() { llvm::sys::fs::createUniqueDirectory("profiles", path); }
  ~ProfileFolder() { llvm::sys::fs::remove_directories(path); }

  void add(llvm::StringRef name, llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(file(name), code) << text;
    REQUIRE(!code);
  }
  std::string file(llvm::StringRef name) const { return (path.str() + "/" + name + ".toml").str(); }
  std::vector<std::string> directories() const { return {path.str().str()}; }

  Profile load(llvm::StringRef name) const {
    llvm::Expected<Profile> profile = loadProfile(name, directories());
    if (!profile)
      FAIL(llvm::toString(profile.takeError()));
    return std::move(*profile);
  }
  std::string mistake(llvm::StringRef name) const {
    llvm::Expected<Profile> profile = loadProfile(name, directories());
    REQUIRE(!profile);
    std::string text = llvm::toString(profile.takeError());
    // The folder's name changes from run to run.
    for (size_t at; (at = text.find(path.str().str() + "/")) != std::string::npos;)
      text.erase(at, path.size() + 1);
    return text;
  }

private:
  llvm::SmallString<128> path;
};

} // namespace

static std::string listPasses(const Stage &stage) {
  std::string text;
  for (const PassStep &step : stage.passes)
    text += (text.empty() ? "" : " ") + step.pass;
  return text;
}

static std::string listStages(const Profile &profile) {
  std::string text;
  for (const Stage &stage : profile.stages)
    text += (text.empty() ? "" : " | ") + stage.name + ": " + listPasses(stage);
  return text;
}

static constexpr const char *base = R"(name = "base"
description = "The parent."
[plugins]
require = ["one", "two"]
[options]
num-warps = 8
ftz = true
[scheduler]
name = "serial"
[[stage]]
name = "front"
produces = "tileaa"
passes = ["a", "b", "c"]
[[stage]]
name = "back"
produces = "llvm-dialect"
anchor = "nv_tileaa.func"
when = "opt-level >= 1"
passes = [{ pass = "d", options = { stages = 4, name = "${scheduler.name}", on = true }, when = "ftz" }, "e"]
)";

TEST_CASE("a profile is read with everything it says") {
  ProfileFolder folder;
  folder.add("base", base);
  Profile profile = folder.load("base");
  CHECK(profile.name == "base");
  CHECK(profile.description == "The parent.");
  REQUIRE(profile.plugins.size() == 2);
  CHECK(profile.plugins[1].plugin == "two");
  CHECK(profile.plugins[1].origin.str() == folder.file("base") + ":4:19");
  CHECK(profile.options.getInteger("num-warps") == 8);
  CHECK(profile.options.get("num-warps").origin.str() == folder.file("base") + ":6:1");
  CHECK(profile.options.getString("scheduler.name") == "serial");
  CHECK(listStages(profile) == "front: a b c | back: d e");
  const Stage *back = profile.findStage("back");
  REQUIRE(back);
  CHECK(back->produces == IRLevel::LLVMDialect);
  CHECK(back->anchor == "nv_tileaa.func");
  CHECK(back->when.str() == "opt-level >= 1");
  REQUIRE(back->passes[0].options.size() == 3);
  CHECK(back->passes[0].when.str() == "ftz");
  CHECK(back->passes[0].origin.line == 19);
  CHECK(profile.findStage("middle") == nullptr);
}

TEST_CASE("a child overrides its parent field by field") {
  ProfileFolder folder;
  folder.add("base", base);
  folder.add("child", "inherits = \"base\"\n[plugins]\nrequire = [\"two\", \"three\"]\n[options]\nnum-warps = 4\n");
  folder.add("grandchild", "inherits = \"child.toml\"\nname = \"gc\"\n[options]\nftz = false\n");
  Profile profile = folder.load("grandchild");
  CHECK(profile.name == "gc");
  CHECK(profile.description == "");
  CHECK(profile.lineage == std::vector<std::string>{"child", "base"});
  CHECK(profile.options.getInteger("num-warps") == 4);
  CHECK(profile.options.get("num-warps").origin.str() == folder.file("child") + ":5:1");
  CHECK_FALSE(profile.options.getBool("ftz"));
  CHECK(profile.options.getString("scheduler.name") == "serial");
  REQUIRE(profile.plugins.size() == 3);
  CHECK(profile.plugins[2].plugin == "three");
  CHECK(listStages(profile) == "front: a b c | back: d e");
}

TEST_CASE("a stage of the same name is replaced in its place; new stages go where they say") {
  ProfileFolder folder;
  folder.add("base", base);
  folder.add("child", R"(inherits = "base"
[[stage]]
name = "front"
passes = ["x"]
[[stage]]
name = "middle"
after = "front"
passes = ["m"]
[[stage]]
name = "first"
before = "front"
passes = ["f"]
[[stage]]
name = "last"
passes = ["l"]
)");
  Profile profile = folder.load("child");
  CHECK(listStages(profile) == "first: f | front: x | middle: m | back: d e | last: l");
  CHECK_FALSE(profile.findStage("front")->produces);
}

TEST_CASE("a stage without passes edits the parent's") {
  ProfileFolder folder;
  folder.add("base", base);
  folder.add("child", R"(inherits = "base"
[[stage]]
name = "front"
remove = ["b"]
before = { a = ["first"] }
after = { c = ["last", { pass = "very-last", when = "ftz" }], first = ["second"] }
when = "ftz"
)");
  Profile profile = folder.load("child");
  CHECK(listStages(profile) == "front: first second a c last very-last | back: d e");
  CHECK(profile.findStage("front")->when.str() == "ftz");
  CHECK(profile.findStage("front")->produces == IRLevel::TileAA);
}

TEST_CASE("the printed profile reads back as the same profile") {
  ProfileFolder folder;
  folder.add("base", base);
  folder.add("child", "inherits = \"base\"\ndescription = \"quotes \\\" and \\\\\"\n[options]\nnum-warps = 4\n");
  Profile profile = folder.load("child");
  std::string printed;
  llvm::raw_string_ostream os(printed);
  profile.print(os);
  INFO(printed);
  CHECK(printed.find("# default") != std::string::npos);
  CHECK(printed.find("num-warps = 4") != std::string::npos);
  CHECK(printed.find("# " + folder.file("child") + ":4:1") != std::string::npos);
  CHECK(printed.find("# inherits from base") != std::string::npos);

  llvm::Expected<Profile> again = parseProfile(printed, "printed.toml", {});
  if (!again)
    FAIL(llvm::toString(again.takeError()));
  CHECK(again->name == profile.name);
  CHECK(again->description == profile.description);
  CHECK(listStages(*again) == listStages(profile));
  for (const OptionDeclaration &option : profile.options.getTable().getAll())
    CHECK(again->options.get(option.name).value == profile.options.get(option.name).value);
  const Stage *before = profile.findStage("back"), *after = again->findStage("back");
  CHECK(after->anchor == before->anchor);
  CHECK(after->produces == before->produces);
  CHECK(after->when.str() == before->when.str());
  CHECK(after->passes[0].options == before->passes[0].options);
  CHECK(after->passes[0].when.str() == before->passes[0].when.str());
}

TEST_CASE("mistakes are reported where they are, with the nearest name") {
  ProfileFolder folder;
  folder.add("base", base);
  auto mistake = [&](llvm::StringRef text) {
    folder.add("bad", text);
    return folder.mistake("bad");
  };
  CHECK(mistake("naem = \"x\"") == "bad.toml:1:1: error: unknown key 'naem' in a profile; did you mean 'name'?");
  CHECK(mistake("\n\nname = 3") == "bad.toml:3:8: error: 'name' must be a string");
  CHECK(mistake("name = ").find("bad.toml:1:") == 0);
  CHECK(mistake("[options]\nnum-warp = 4") ==
        "bad.toml:2:1: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(mistake("[options]\nnum-warps = \"four\"") ==
        "bad.toml:2:13: error: option 'num-warps' takes an integer, not 'four'");
  CHECK(mistake("[options]\ntarget.compute-capability = 90").find("bad.toml:2:") == 0);
  CHECK(mistake("[scheduler]\nnaem = \"serial\"")
            .find("bad.toml:2:1: error: unknown option 'scheduler.naem'; did you "
                  "mean 'scheduler.name'?") == 0);
  CHECK(mistake("inherits = \"bse\"") == "bad.toml:1:12: error: unknown profile 'bse'; did you mean 'base'?");
  CHECK(mistake("[[stage]]\npasses = []") == "bad.toml:1:1: error: a stage needs a name");
  CHECK(mistake("[[stage]]\nname = \"s\"\npases = []") ==
        "bad.toml:3:1: error: unknown key 'pases' in [[stage]]; did you mean 'passes'?");
  CHECK(mistake("[[stage]]\nname = \"s\"\npasses = [{ pas = \"x\" }]") ==
        "bad.toml:3:13: error: unknown key 'pas' in a pass; did you mean 'pass'?");
  CHECK(mistake("[[stage]]\nname = \"s\"\npasses = [{ pass = \"x\", options = { n = \"${num-warp}\" } }]") ==
        "bad.toml:3:41: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(mistake("[[stage]]\nname = \"s\"\npasses = [{ pass = \"x\", when = \"opt-level = 3\" }]") ==
        "bad.toml:3:43: error: option 'opt-level' is not true or false; compare it with ==, !=, <, <=, > or >=");
  CHECK(mistake("[[stage]]\nname = \"s\"\nproduces = \"ptx\"\npasses = []") ==
        "bad.toml:3:12: error: a stage produces cuda_tile, tileaa, tileas or llvm-dialect, not 'ptx'");
}

TEST_CASE("edits of things that are not there are mistakes") {
  ProfileFolder folder;
  folder.add("base", base);
  auto mistake = [&](llvm::StringRef text) {
    folder.add("bad", ("inherits = \"base\"\n[[stage]]\n" + text).str());
    return folder.mistake("bad");
  };
  CHECK(mistake("name = \"frnt\"\nremove = [\"a\"]") ==
        "bad.toml:3:8: error: there is no stage 'frnt' to edit; did you mean 'front'? (a new stage needs 'passes')");
  CHECK(mistake("name = \"front\"\nremove = [\"canonicalize\"]") ==
        "bad.toml:4:11: error: there is no pass 'canonicalize' in stage 'front'");
  CHECK(mistake("name = \"front\"\nafter = { zz = [\"x\"] }").find("bad.toml:4:11: error: there is no pass 'zz'") == 0);
  CHECK(mistake("name = \"new\"\nafter = \"bakc\"\npasses = []") ==
        "bad.toml:4:9: error: there is no stage 'bakc'; did you mean 'back'?");
  CHECK(mistake("name = \"front\"\nafter = \"back\"\npasses = []") ==
        "bad.toml:4:9: error: stage 'front' replaces the parent's and keeps its place");
  CHECK(mistake("name = \"front\"\nremove = [\"a\"]\npasses = []") ==
        "bad.toml:4:10: error: a stage with 'passes' replaces the parent's: there is nothing to remove");
  CHECK(mistake("name = \"s\"\npasses = []\n[[stage]]\nname = \"s\"\npasses = []") ==
        "bad.toml:5:1: error: stage 's' is described twice in this file");
}

TEST_CASE("an anchor that occurs twice is ambiguous") {
  ProfileFolder folder;
  folder.add("base", "[[stage]]\nname = \"s\"\npasses = [\"cse\", \"a\", \"cse\"]\n");
  folder.add("bad", "inherits = \"base\"\n[[stage]]\nname = \"s\"\nafter = { cse = [\"x\"] }\n");
  CHECK(folder.mistake("bad") == "bad.toml:4:11: error: pass 'cse' occurs 2 times in stage 's'; give the whole stage "
                                 "with 'passes' instead");
  folder.add("good", "inherits = \"base\"\n[[stage]]\nname = \"s\"\nremove = [\"cse\"]\n");
  CHECK(listStages(folder.load("good")) == "s: a");
}

TEST_CASE("a profile that inherits from itself is refused") {
  ProfileFolder folder;
  folder.add("a", "inherits = \"b\"\n");
  folder.add("b", "inherits = \"a\"\n");
  CHECK(folder.mistake("a") == "b.toml:1:12: error: profile 'a.toml' inherits from itself");
}

TEST_CASE("missing profiles are named with those that exist") {
  ProfileFolder folder;
  folder.add("base", base);
  CHECK(folder.mistake("something-else") == "error: unknown profile 'something-else'; the shipped ones are base");
  CHECK(folder.mistake("./nowhere.toml").find("error: cannot read profile './nowhere.toml': ") == 0);
  CHECK(listProfiles(folder.directories()) == std::vector<std::string>{"base"});
}

TEST_CASE("every shipped profile is well-formed") {
  std::vector<std::string> directories = getProfileDirectories();
  std::vector<std::string> names = listProfiles(directories);
  for (const char *name : {"o0", "o1", "o2", "o3", "o3-unspecialized", "o3-ws"})
    CHECK(llvm::is_contained(names, name));
  for (const std::string &name : names) {
    llvm::Expected<Profile> profile = loadProfile(name, directories, getShippedOptions());
    if (!profile)
      FAIL(llvm::toString(profile.takeError()));
    CHECK(profile->name == name);
    CHECK_FALSE(profile->description.empty());
  }
}

TEST_CASE("a plugin may be required under a condition") {
  ProfileFolder folder;
  folder.add("parent", "[plugins]\nrequire = [\"a\", { plugin = \"b\", when = \"ftz\" }]\n");
  folder.add("child", "inherits = \"parent\"\n[plugins]\nrequire = [{ plugin = \"a\", when = \"ftz\" }, \"b\"]\n");
  folder.add("nameless", "[plugins]\nrequire = [{ when = \"ftz\" }]\n");
  folder.add("unknown", "[plugins]\nrequire = [{ plugin = \"a\", if = \"ftz\" }]\n");
  auto list = [](const Profile &profile) {
    std::string text;
    for (const Profile::Requirement &requirement : profile.plugins)
      text += requirement.plugin + "(" + requirement.when.str().str() + ") ";
    return text;
  };
  CHECK(list(folder.load("parent")) == "a() b(ftz) ");
  CHECK(list(folder.load("child")) == "a() b(ftz) b() ");
  CHECK(folder.mistake("nameless") == "nameless.toml:2:12: error: 'plugin' is missing");
  CHECK(folder.mistake("unknown") == "unknown.toml:2:28: error: unknown key 'if' in a required plugin");

  std::string text;
  llvm::raw_string_ostream os(text);
  folder.load("child").print(os);
  CHECK(list(llvm::cantFail(parseProfile(text, "p.toml", {}))) == "a() b(ftz) b() ");
}

TEST_CASE("a profile goes on top of the tier that is asked for") {
  ProfileFolder folder;
  folder.add("o0", "[options]\nopt-level = 0\n[[stage]]\nname = \"low\"\npasses = [\"a\", \"b\"]\n");
  folder.add("o1", "inherits = \"o0\"\n[options]\nopt-level = 1\nnum-warps = 2\n[[stage]]\nname = \"high\"\n"
                   "passes = [\"c\", \"d\"]\n[[stage]]\nname = \"low\"\nafter = { a = [\"x\"] }\n");
  folder.add("mine",
             "inherits = \"o1\"\n[options]\nnum-ctas = 4\n[[stage]]\nname = \"high\"\nremove = [\"c\"]\n"
             "[[stage]]\nname = \"low\"\nremove = [\"x\", \"b\"]\n[[stage]]\nname = \"beside\"\nafter = \"high\"\n"
             "passes = [\"e\"]\n[[stage]]\nname = \"last\"\npasses = [\"f\"]\n");
  folder.add("child", "inherits = \"mine\"\n[[stage]]\nname = \"beside\"\npasses = [\"g\"]\n");
  folder.add("alone", "[[stage]]\nname = \"low\"\npasses = []\n");

  Profile mine = folder.load("mine");
  CHECK(mine.tier == 1);
  CHECK_FALSE(mine.isTier());
  CHECK(folder.load("o0").isTier());
  CHECK_FALSE(folder.load("alone").tier);
  auto listStages = [](const Profile &profile) {
    std::string text;
    for (const Stage &stage : profile.stages)
      text += stage.name + ":" + listPasses(stage) + ";";
    return text;
  };
  CHECK(listStages(mine) == "low:a;high:d;beside:e;last:f;");

  auto onTier = [&](llvm::StringRef name, int64_t level) {
    return llvm::cantFail(loadForTier(folder.load(name), level, folder.directories()));
  };
  Profile lower = onTier("mine", 0);
  CHECK(lower.name == "mine");
  CHECK(lower.tier == 0);
  CHECK(lower.lineage == std::vector<std::string>{"o0"});
  CHECK(listStages(lower) == "low:a;last:f;");
  CHECK(lower.options.getInteger("num-ctas") == 4);  // its own
  CHECK(lower.options.getInteger("num-warps") == 0); // the other tier's
  CHECK(listStages(onTier("child", 0)) == "low:a;last:f;");
  CHECK(listStages(onTier("child", 1)) == "low:a;high:d;beside:g;last:f;");
  CHECK(listStages(onTier("o0", 1)) == "low:a x b;high:c d;");
  CHECK(onTier("o1", 0).name == "o0");
}

TEST_CASE("an option of a plugin that is not there is missed by its plugin's name") {
  ProfileFolder folder;
  folder.add("parent", "[plugins]\nrequire = [\"test-family\"]\n");
  folder.add("child", "inherits = \"parent\"\n[options]\nfamily-option = 4\n");
  folder.add("condition",
             "inherits = \"parent\"\n[[stage]]\nname = \"s\"\npasses = []\nwhen = \"family-option > 2\"\n");
  CHECK(folder.mistake("child") == "parent.toml:2:12: error: plugin 'test-family' was not found");
  CHECK(folder.mistake("condition") == "parent.toml:2:12: error: plugin 'test-family' was not found");

  auto table = std::make_shared<OptionTable>();
  table->addPlugin("test-family");
  auto load = [&] { return loadProfile("child", folder.directories(), table); };
  llvm::Expected<Profile> unknown = load();
  CHECK(llvm::toString(unknown.takeError()) == folder.file("child") + ":3:1: error: unknown option 'family-option'");

  OptionDeclaration option{"family-option", OptionKind::Integer, int64_t(1), "a test"};
  option.owner = "test-family";
  llvm::cantFail(table->add(option));
  llvm::Expected<Profile> known = load();
  REQUIRE(bool(known));
  CHECK(known->options.getInteger("family-option") == 4);
}
