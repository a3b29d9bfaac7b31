//===- NeededPasses.cpp - What a profile must not leave out ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/Pipeline.h"
#include "llvm/ADT/StringMap.h"

using namespace tileiras;
using llvm::StringRef;

namespace {

/// One pass of a plan, wherever it is nested.
struct PlannedPass {
  const PassEntry *entry;
  Origin origin;
};

/// A pass that is needed and not there.
struct MissingPass {
  std::string name, need; ///< "which 'x' needs before it"
  Origin origin;          ///< of what needs it
};

} // namespace

static void collectPasses(llvm::ArrayRef<PipelineElement> elements, const Registry &registry,
                          std::vector<PlannedPass> &passes) {
  for (const PipelineElement &element : elements) {
    if (element.isGroup)
      collectPasses(element.nested, registry, passes);
    else if (const PassEntry *entry = registry.findPass(element.name)) // Others are an error of buildPipeline.
      passes.push_back({entry, element.origin});
  }
}

static bool does(const PassEntry &entry, StringRef pass) {
  return entry.argument == pass || llvm::is_contained(entry.standsFor, pass);
}

/// The first need that is not met, in the order of the plan.
static std::optional<MissingPass> findMissingPass(llvm::ArrayRef<PlannedPass> passes, IRLevel level,
                                                  const Profile &profile) {
  auto has = [](llvm::ArrayRef<PlannedPass> range, StringRef name) {
    return llvm::any_of(range, [&](const PlannedPass &other) { return does(*other.entry, name); });
  };
  for (auto [index, pass] : llvm::enumerate(passes)) {
    for (StringRef name : pass.entry->needsBefore)
      if (!has(passes.take_front(index), name))
        return MissingPass{name.str(), "which '" + pass.entry->argument + "' needs before it", pass.origin};
    for (StringRef name : pass.entry->needsAfter)
      if (level == IRLevel::LLVMDialect && !has(passes.drop_front(index + 1), name))
        return MissingPass{name.str(), "which '" + pass.entry->argument + "' needs after it", pass.origin};
  }
  // A stage may say that it produces a language, and lack what does.
  for (auto [produced, conversion] : {std::pair(IRLevel::TileAA, "convert-cudatile-to-tileaa"),
                                      std::pair(IRLevel::TileAS, "convert-tileaa-to-tileas"),
                                      std::pair(IRLevel::LLVMDialect, "convert-tileas-to-llvm")})
    if (level >= produced && !has(passes, conversion))
      return MissingPass{conversion, ("which makes " + stringifyIRLevel(produced)).str(),
                         Origin::described(profile.file)};
  return std::nullopt;
}

static llvm::Error describe(const MissingPass &missing, const Profile &profile,
                            llvm::ArrayRef<std::string> directories) {
  auto runs = [&](const Stage &stage) {
    return llvm::any_of(stage.passes, [&](const PassStep &step) { return step.pass == missing.name; });
  };
  std::optional<StageHome> home = findStageHome(profile, directories, runs);
  const Stage *stage = home ? profile.findStage(home->stage) : nullptr;
  const std::string need = "'" + missing.name + "', " + missing.need;
  if (stage && stage->passes.empty())
    return configError(stage->origin, "stage '" + stage->name + "' is empty, and so there is no " + need +
                                          "; profile '" + home->profile + "' has it in this stage");
  if (stage)
    return configError(stage->origin, "stage '" + stage->name + "' does not run " + need + "; in profile '" +
                                          home->profile + "' it does");
  if (home)
    return configError(missing.origin, "no stage runs " + need + "; profile '" + home->profile +
                                           "' does in its stage '" + home->stage + "'");
  return configError(missing.origin, "no stage runs " + need);
}

llvm::Error tileiras::checkNeededPasses(const PipelinePlan &plan, const Registry &registry, const Profile &profile,
                                        IRLevel level, llvm::ArrayRef<std::string> directories) {
  std::vector<PlannedPass> passes;
  collectPasses(plan.elements, registry, passes);
  if (std::optional<MissingPass> missing = findMissingPass(passes, level, profile))
    return describe(*missing, profile, directories);
  return llvm::Error::success();
}
