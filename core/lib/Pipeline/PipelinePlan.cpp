//===- PipelinePlan.cpp - What runs, by name ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/Pipeline.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// From a profile
//===----------------------------------------------------------------------===//

/// Quotes what MLIR's option parser would split.
static std::string quoteOption(StringRef text) {
  if (text.find_first_of(" \t,{}'\"") == StringRef::npos)
    return text.str();
  return text.contains('"') ? ("'" + text + "'").str() : ("\"" + text + "\"").str();
}

/// "a=1 b=two". An empty text leaves the pass its default.
static std::string printPassOptions(const PassStep &step, const OptionSet &options) {
  std::vector<std::string> assignments;
  for (const auto &[name, value] : step.options) {
    std::string text = printOptionValue(value);
    StringRef reference = text;
    if (reference.consume_front("${") && reference.consume_back("}"))
      text = printOptionValue(options.get(options.getTable().find(reference)->name).value);
    if (!text.empty())
      assignments.push_back(name + "=" + quoteOption(text));
  }
  return llvm::join(assignments, " ");
}

static void planStage(const Stage &stage, const OptionSet &options, PipelinePlan &plan) {
  std::vector<PipelineElement> passes;
  for (const PassStep &step : stage.passes)
    if (step.when.evaluate(options))
      passes.push_back({step.pass, printPassOptions(step, options), /*isGroup=*/false, {}, step.origin});
  std::vector<PipelineElement> *destination = &plan.elements;
  if (!stage.anchor.empty() && !passes.empty()) {
    // Neighbouring stages on one anchor are one group: analyses live as long as it.
    if (plan.elements.empty() || !plan.elements.back().isGroup || plan.elements.back().name != stage.anchor)
      plan.elements.push_back({stage.anchor, "", /*isGroup=*/true, {}, stage.origin});
    destination = &plan.elements.back().nested;
  }
  llvm::move(passes, std::back_inserter(*destination));
}

/// Which stage should have brought a module to `level`.
static llvm::Error describeMissingLevel(const Profile &profile, IRLevel level,
                                        llvm::ArrayRef<std::string> directories) {
  std::string message = ("no stage of profile '" + profile.name + "' produces " + stringifyIRLevel(level)).str();
  auto produces = [&](const Stage &stage) { return stage.produces == level; };
  Origin origin = Origin::described(profile.file);
  if (std::optional<StageHome> home = findStageHome(profile, directories, produces)) {
    message += "; stage '" + home->stage + "' of profile '" + home->profile + "' does";
    if (const Stage *stage = profile.findStage(home->stage)) {
      origin = stage->origin;
      message += stage->passes.empty() ? ", and is empty here" : ", and says nothing of what it produces here";
    }
  }
  return configError(origin, message);
}

/// Whether a module that is given in `input` has been through `stage`, which produces `produced`.
static bool isPassed(const Stage &stage, IRLevel produced, IRLevel input) {
  return input >= IRLevel::TileAS && produced <= input && !stage.resumes;
}

/// `options` are those of the profile, or what they might be.
static llvm::Expected<PipelinePlan> plan(const Profile &profile, const OptionSet &options, IRLevel level,
                                         llvm::ArrayRef<std::string> directories, IRLevel input) {
  PipelinePlan plan;
  IRLevel current = IRLevel::CudaTile;
  for (const Stage &stage : profile.stages) {
    if (!stage.when.evaluate(options))
      continue;
    IRLevel next = stage.produces.value_or(current);
    if (next < current)
      return configError(stage.origin, "stage '" + stage.name + "' produces " + stringifyIRLevel(next) + " from " +
                                           stringifyIRLevel(current) + "; stages lower a module, they never raise it");
    if (next > level)
      break;
    if (!isPassed(stage, next, input))
      planStage(stage, options, plan);
    current = next;
  }
  if (current < level)
    return describeMissingLevel(profile, level, directories);
  return plan;
}

llvm::Expected<PipelinePlan> tileiras::planPipeline(const Profile &profile, IRLevel level,
                                                    llvm::ArrayRef<std::string> directories, IRLevel input) {
  return plan(profile, profile.options, level, directories, input);
}

static bool isSame(llvm::ArrayRef<PipelineElement> left, llvm::ArrayRef<PipelineElement> right) {
  return llvm::equal(left, right, [](const PipelineElement &one, const PipelineElement &other) {
    return one.name == other.name && one.options == other.options && one.isGroup == other.isGroup &&
           isSame(one.nested, other.nested);
  });
}

void tileiras::forgetIdleOptions(const PipelinePlan &plan, const Profile &profile, IRLevel level, IRLevel input,
                                 const llvm::StringSet<> &except) {
  for (StringRef name : profile.options.getSet()) {
    const OptionSet::Entry &entry = profile.options.inspect(name);
    if (!entry.isRead || except.contains(name) || entry.value == entry.without)
      continue;
    llvm::Expected<PipelinePlan> other = ::plan(profile, profile.options.without(name), level, {}, input);
    if (!other)
      llvm::consumeError(other.takeError()); // without it there would be no plan
    else if (isSame(plan.elements, other->elements))
      profile.options.forgetReading(name);
  }
}

static bool names(llvm::ArrayRef<PipelineElement> elements, StringRef pass) {
  return llvm::any_of(elements, [&](const PipelineElement &element) {
    return element.isGroup ? names(element.nested, pass) : element.name == pass;
  });
}

static void insertBehind(std::vector<PipelineElement> &elements, const PassEntry &entry) {
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].isGroup) {
      insertBehind(elements[i].nested, entry);
    } else if (elements[i].name == entry.runsAfter) {
      PipelineElement phase{entry.argument, "", /*isGroup=*/false, {}, elements[i].origin};
      elements.insert(elements.begin() + ++i, std::move(phase));
    }
  }
}

void tileiras::insertPhases(PipelinePlan &plan, const Registry &registry) {
  // Backwards: what is inserted last stands next to the pass.
  const std::vector<const PassEntry *> passes = registry.getPasses();
  for (const PassEntry *entry : llvm::reverse(passes))
    if (!entry->runsAfter.empty() && !names(plan.elements, entry->argument))
      insertBehind(plan.elements, *entry);
}

//===----------------------------------------------------------------------===//
// From text
//===----------------------------------------------------------------------===//

namespace {

/// MLIR's own parser knows the passes of the process; ours leaves the names to the session's registry.
///   list ::= element ("," element)*     element ::= name ("{" options "}")? | name "(" list? ")"
class PipelineTextParser {
public:
  PipelineTextParser(StringRef text, const Origin &origin) : text(text), rest(text), origin(origin) {}

  llvm::Expected<PipelinePlan> run() {
    PipelineElement root;
    if (llvm::Error error = parseElement(root))
      return error;
    rest = rest.ltrim();
    if (!rest.empty())
      return fail("unexpected '" + rest.take_front(1) + "' after the pipeline");
    if (!root.isGroup || root.name != "builtin.module")
      return configError(origin, "a pipeline is anchored on builtin.module, as in builtin.module(canonicalize)");
    return PipelinePlan{std::move(root.nested)};
  }

private:
  /// Deeper than any nesting of operations.
  static constexpr unsigned maxDepth = 32;

  llvm::Error fail(const llvm::Twine &message) {
    return configError(origin,
                       "in the pipeline, at character " + llvm::Twine(text.size() - rest.size() + 1) + ": " + message);
  }

  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  llvm::Error parseElement(PipelineElement &element) {
    rest = rest.ltrim();
    StringRef name = rest.take_until([](char c) { return llvm::isSpace(c) || StringRef(",(){}").contains(c); });
    if (name.empty())
      return fail("expected a pass");
    rest = rest.drop_front(name.size());
    element.name = name.str();
    element.origin = origin;
    if (consume('('))
      return parseGroup(element);
    if (consume('{'))
      return parseOptions(element);
    return llvm::Error::success();
  }

  llvm::Error parseGroup(PipelineElement &group) {
    group.isGroup = true;
    if (++depth > maxDepth)
      return fail("groups are nested too deeply");
    if (!consume(')')) {
      do {
        if (llvm::Error error = parseElement(group.nested.emplace_back()))
          return error;
      } while (consume(','));
      if (!consume(')'))
        return fail("expected ',' or ')'");
    }
    --depth;
    return llvm::Error::success();
  }

  llvm::Error parseOptions(PipelineElement &element) {
    size_t open = 1, end = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '{')
        ++open;
      else if (rest[end] == '}' && --open == 0)
        break;
    }
    if (end == rest.size())
      return fail("expected '}'");
    element.options = rest.take_front(end).trim().str();
    rest = rest.drop_front(end + 1);
    return llvm::Error::success();
  }

  StringRef text, rest;
  Origin origin;
  unsigned depth = 0;
};

} // namespace

llvm::Expected<PipelinePlan> tileiras::parsePipelineText(StringRef text, const Origin &origin) {
  return PipelineTextParser(text, origin).run();
}

static void renameOldPasses(std::vector<PipelineElement> &elements, OptionSet &options) {
  for (PipelineElement &element : elements) {
    if (!element.isGroup)
      element.name = options.resolvePass(element.name, element.origin);
    renameOldPasses(element.nested, options);
  }
}

void tileiras::renameOldPasses(PipelinePlan &plan, OptionSet &options) {
  ::renameOldPasses(plan.elements, options);
}

bool tileiras::isOptionOverride(StringRef pipelineText) {
  StringRef text = pipelineText.trim();
  return text == "tileir" || (text.consume_front("tileir") && text.ltrim().starts_with("{"));
}

llvm::Error tileiras::applyOptionOverride(StringRef pipelineText, OptionSet &options) {
  Origin origin = Origin::described("--pass-pipeline");
  StringRef body = pipelineText.trim();
  body.consume_front("tileir");
  body = body.trim();
  if (body.empty())
    return llvm::Error::success();
  if (!body.consume_front("{") || !body.consume_back("}"))
    return configError(origin, "expected tileir{option=value,…}");
  while (!(body = body.ltrim(", \t\n")).empty()) {
    StringRef assignment = body.take_until([](char c) { return c == ',' || llvm::isSpace(c); });
    if (llvm::Error error = options.setFromText(assignment, origin))
      return error;
    body = body.drop_front(assignment.size());
  }
  return llvm::Error::success();
}
