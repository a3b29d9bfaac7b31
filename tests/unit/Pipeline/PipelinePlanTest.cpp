//===- PipelinePlanTest.cpp - Profiles and text become pipelines ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Pipeline/Passes.h"
#include "tileiras/Pipeline/Pipeline.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static Registry makeRegistry() {
  Registry registry;
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      FAIL(llvm::toString(std::move(error)));
  return registry;
}

/// The pipeline that `text` builds, as text, or the error.
static std::string rebuild(llvm::StringRef text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::func::FuncDialect>();
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName());
  llvm::Expected<PipelinePlan> plan = parsePipelineText(text, Origin::described("test"));
  if (!plan)
    return llvm::toString(plan.takeError());
  if (llvm::Error error = buildPipeline(*plan, makeRegistry(), manager))
    return llvm::toString(std::move(error));
  return printPipeline(manager);
}

static Profile parse(llvm::StringRef text) {
  llvm::Expected<Profile> profile = parseProfile(text, "p.toml", {});
  if (!profile)
    FAIL(llvm::toString(profile.takeError()));
  return std::move(*profile);
}

/// The passes of a plan: "a{x=1} f(b c)".
static std::string print(llvm::ArrayRef<PipelineElement> elements) {
  std::string text;
  for (const PipelineElement &element : elements) {
    text += (text.empty() ? "" : " ") + element.name;
    if (element.isGroup)
      text += "(" + print(element.nested) + ")";
    else if (!element.options.empty())
      text += "{" + element.options + "}";
  }
  return text;
}

static std::string plan(llvm::StringRef text, IRLevel level, std::vector<std::string> settings = {}) {
  Profile profile = parse(text);
  for (const std::string &setting : settings)
    if (llvm::Error error = profile.options.setFromText(setting, Origin::described("test")))
      FAIL(llvm::toString(std::move(error)));
  llvm::Expected<PipelinePlan> plan = planPipeline(profile, level);
  return plan ? print(plan->elements) : llvm::toString(plan.takeError());
}

static constexpr const char *stages = R"(
[[stage]]
name = "front"
produces = "tileaa"
passes = ["f", { pass = "g", when = "ftz" }]
[[stage]]
name = "clean"
when = "opt-level >= 1"
passes = ["canonicalize"]
[[stage]]
name = "middle"
produces = "tileas"
passes = [{ pass = "m", options = { a = "${num-warps}", b = "${scheduler.name}", c = "x y", d = true } }]
[[stage]]
name = "schedule"
anchor = "func.func"
passes = ["s"]
[[stage]]
name = "tidy"
anchor = "func.func"
passes = ["cse"]
[[stage]]
name = "back"
produces = "llvm-dialect"
passes = ["b"]
)";

TEST_CASE("a plan stops at the language that is asked for") {
  CHECK(plan(stages, IRLevel::CudaTile) == "");
  CHECK(plan(stages, IRLevel::TileAA) == "f canonicalize");
  CHECK(plan(stages, IRLevel::TileAS) == "f canonicalize m{a=0 c=\"x y\" d=true} func.func(s cse)");
  CHECK(plan(stages, IRLevel::LLVMDialect) == "f canonicalize m{a=0 c=\"x y\" d=true} func.func(s cse) b");
}

TEST_CASE("conditions and option values come from the options") {
  CHECK(plan(stages, IRLevel::TileAA, {"ftz=true", "opt-level=0"}) == "f g");
  CHECK(plan(stages, IRLevel::TileAS, {"num-warps=8", "scheduler.name=mine"}) ==
        "f canonicalize m{a=8 b=mine c=\"x y\" d=true} func.func(s cse)");
}

TEST_CASE("what comes in lower goes through what resumes, and what is below it") {
  const std::string text = llvm::StringRef(stages).str() + "[[stage]]\nname = \"memory\"\nproduces = \"tileas\"\n"
                                                           "resumes = true\nafter = \"tidy\"\npasses = [\"r\"]\n";
  auto planFrom = [&](IRLevel input, IRLevel level = IRLevel::LLVMDialect) {
    Profile profile = parse(text);
    return print(llvm::cantFail(planPipeline(profile, level, {}, input)).elements);
  };
  const std::string whole = planFrom(IRLevel::CudaTile);
  CHECK(whole.find("cse) r b") != std::string::npos);
  CHECK(planFrom(IRLevel::TileAA) == whole);
  CHECK(planFrom(IRLevel::TileAS) == "r b");
  CHECK(planFrom(IRLevel::TileAS, IRLevel::TileAS) == "r");
  CHECK(planFrom(IRLevel::LLVMDialect) == "r");
}

TEST_CASE("options without which the plan is the same count as unread") {
  auto unread = [](llvm::StringRef text, std::vector<std::string> settings, bool readBefore = false) {
    Profile profile = parse(text);
    for (const std::string &setting : settings)
      llvm::cantFail(profile.options.setFromText(setting, Origin::described("test")));
    llvm::StringSet<> before;
    if (readBefore)
      before.insert("ftz");
    PipelinePlan plan = llvm::cantFail(planPipeline(profile, IRLevel::CudaTile));
    forgetIdleOptions(plan, profile, IRLevel::CudaTile, IRLevel::CudaTile, before);
    return llvm::join(profile.options.getUnread(), " ");
  };
  const char *both = "[[stage]]\nname = \"s\"\npasses = [{ pass = \"a\", when = \"ftz and num-warps > 2\" }]";
  CHECK(unread(both, {"ftz=true"}) == "ftz");
  CHECK(unread(both, {"num-warps=4"}) == "num-warps");
  CHECK(unread(both, {"ftz=true", "num-warps=4"}) == "");
  CHECK(unread(both, {"ftz=true", "num-warps=2"}) == "ftz num-warps");
  CHECK(unread(both, {"ftz=true"}, /*readBefore=*/true) == ""); // others ask for it, too
  CHECK(unread(both, {"ftz=false"}) == "");                     // is so already
  CHECK(unread("", {"ftz=false"}) == "");
  const char *value = "[[stage]]\nname = \"s\"\npasses = [{ pass = \"a\", options = { w = \"${num-warps}\" } }]";
  CHECK(unread(value, {"num-warps=4"}) == "");
  CHECK(unread(value, {"num-warps=4", "num-warps=0"}) == "");
  CHECK(unread(std::string("options.num-warps = 8\n") + both, {"ftz=true"}) == "");
}

TEST_CASE("passes stand behind those they want to run after") {
  Registry registry;
  auto add = [&](const char *name, const char *after) {
    PassEntry entry{.argument = name, .create = [] { return createCanonicalize(); }};
    entry.runsAfter = after;
    CHECK(!registry.addPass(std::move(entry)));
  };
  add("y", "s");
  add("x", "s");
  add("z", "b");
  add("nowhere", "no-such-pass");
  add("canonicalize", "f");
  auto planWith = [&](llvm::StringRef text) {
    Profile profile = parse(text);
    llvm::Expected<PipelinePlan> plan = planPipeline(profile, IRLevel::LLVMDialect);
    if (!plan)
      return llvm::toString(plan.takeError());
    insertPhases(*plan, registry);
    return print(plan->elements);
  };
  // In groups, too; by name; what the profile names stays where it is.
  CHECK(planWith(stages) == "f canonicalize m{a=0 c=\"x y\" d=true} func.func(s x y cse) b z");
}

TEST_CASE("a plan that cannot be made says where") {
  CHECK(plan("[[stage]]\nname = \"a\"\nproduces = \"tileas\"\npasses = []\n[[stage]]\nname = \"b\"\nproduces = "
             "\"tileaa\"\npasses = []\n",
             IRLevel::LLVMDialect) ==
        "p.toml:6:8: error: stage 'b' produces tileaa from tileas; stages lower a module, they never raise it");
  CHECK(plan("name = \"x\"\n[[stage]]\nname = \"a\"\nproduces = \"tileaa\"\npasses = []\n", IRLevel::TileAS) ==
        "p.toml: error: no stage of profile 'x' produces tileas");
}

TEST_CASE("pipeline text builds the pipeline that prints as it") {
  std::string text = rebuild("builtin.module(canonicalize,func.func(cse,canonicalize{max-iterations=3}),cse)");
  CHECK(text.find("func.func(cse,canonicalize{") != std::string::npos);
  CHECK(text.find("max-iterations=3") != std::string::npos);
  CHECK(rebuild(text) == text);
  CHECK(rebuild("builtin.module()") == "builtin.module()");
  CHECK(rebuild(" builtin.module ( cse , any(cse) ) ") == "builtin.module(cse,any(cse))");
  CHECK(rebuild("builtin.module(tileir-print-snapshot{tag=\"a b\"})").find("tag=") != std::string::npos);
}

TEST_CASE("wrong pipeline text is refused with the place") {
  CHECK(rebuild("builtin.module(cse") == "test: error: in the pipeline, at character 19: expected ',' or ')'");
  CHECK(rebuild("builtin.module(cse,)") == "test: error: in the pipeline, at character 20: expected a pass");
  CHECK(rebuild("builtin.module(cse)x") == "test: error: in the pipeline, at character 20: unexpected 'x' after the "
                                           "pipeline");
  CHECK(rebuild("cse{x=1") == "test: error: in the pipeline, at character 5: expected '}'");
  CHECK(rebuild("cse") == "test: error: a pipeline is anchored on builtin.module, as in builtin.module(canonicalize)");
  CHECK(rebuild("func.func(cse)").find("anchored on builtin.module") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100; ++i)
    deep += "func.func(";
  CHECK(rebuild("builtin.module(" + deep).find("nested too deeply") != std::string::npos);
}

TEST_CASE("a pipeline of wrong parts is refused when it is built") {
  CHECK(rebuild("builtin.module(canonicalise)") ==
        "test: error: unknown pass 'canonicalise'; did you mean 'canonicalize'?");
  CHECK(rebuild("builtin.module(tileas-frobnicate)") == "test: error: unknown pass 'tileas-frobnicate'; if a plugin "
                                                        "provides it, the profile must require that plugin");
  CHECK(rebuild("builtin.module(canonicalize{max-iteration=3})").find("did you mean 'max-iterations'?") !=
        std::string::npos);
  CHECK(rebuild("builtin.module(canonicalize{max-iterations=many})")
            .find("wrong options 'max-iterations=many' for pass "
                  "'canonicalize'") != std::string::npos);
  CHECK(rebuild("builtin.module(func.func(tileir-insert-debug-scope))") ==
        "test: error: pass 'tileir-insert-debug-scope' anchored on 'builtin.module' added to pipeline anchored on "
        "'func.func'");
  CHECK(rebuild("builtin.module(func.return(cse))") ==
        "test: error: nested pipeline anchor must be IsolatedFromAbove: 'func.return' is not");
  CHECK(rebuild("builtin.module(func.fun(cse))") == "test: error: unknown operation 'func.fun' as a pipeline anchor");
  CHECK(rebuild("builtin.module(nowhere.fun(cse))") ==
        "test: error: unknown dialect 'nowhere' of the pipeline anchor 'nowhere.fun'");
}

TEST_CASE("tileir{…} overrides options") {
  CHECK(isOptionOverride("tileir{num-warps=8}"));
  CHECK(isOptionOverride(" tileir "));
  CHECK_FALSE(isOptionOverride("builtin.module(cse)"));
  CHECK_FALSE(isOptionOverride("tileir-print-snapshot"));
  OptionSet options;
  CHECK(messageOf(applyOptionOverride("tileir{num-warps=8, ftz opt-level=1}", options)) == "");
  CHECK(options.getInteger("num-warps") == 8);
  CHECK(options.getBool("ftz"));
  CHECK(options.getInteger("opt-level") == 1);
  CHECK(options.get("ftz").origin.str() == "--pass-pipeline");
  CHECK(messageOf(applyOptionOverride("tileir{num-warp=8}", options)) ==
        "--pass-pipeline: error: unknown option 'num-warp'; did you mean 'num-warps'?");
  CHECK(messageOf(applyOptionOverride("tileir{num-warps=8", options)) ==
        "--pass-pipeline: error: expected tileir{option=value,…}");
}
