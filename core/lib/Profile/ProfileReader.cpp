//===- ProfileReader.cpp - Profiles from TOML -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFiles.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"
#include <toml++/toml.h>

using namespace tileiras;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// The tier that takes the place of the one that a profile is on top of.
struct OtherTier {
  int64_t level;
  const Profile &replaced;
};

/// Where profiles are looked for, and what has been read on the way to one.
struct LoadContext {
  llvm::ArrayRef<std::string> directories;
  const OtherTier *tier = nullptr;         ///< null: as the files say
  std::vector<std::string> leftOut = {};   ///< stages whose place the other tier does not have
  std::vector<std::string> ancestors = {}; ///< the files that led here
};

/// Reads one file on top of what its ancestors said.
class ProfileReader {
public:
  ProfileReader(Profile &profile, StringRef file, LoadContext &context)
      : profile(profile), file(file), context(context) {}

  Error read(StringRef text);

private:
  Error readDocument(const toml::table &document);
  Error readParent(const toml::node &node);
  Error readPlugins(const toml::node &node);
  Expected<Profile::Requirement> readRequirement(const toml::node &node);
  Error readOptions(const toml::node &node, StringRef prefix);
  Error readStages(const toml::node &node);

  Error readStage(const toml::table &table);
  Error readStageProperties(const toml::table &table, Stage &stage);
  Error placeStage(const toml::table &table, Stage stage);
  Error editStage(const toml::table &table, Stage &stage);
  Error removePasses(const toml::node &node, Stage &stage);
  Error insertPasses(const toml::node &node, Stage &stage, bool after);
  Expected<size_t> findAnchor(const Stage &stage, StringRef pass, const Origin &origin);
  /// The stage of the parent that edits refer to.
  Stage *findStage(StringRef name);
  std::vector<std::string> getStageNames() const;
  std::vector<std::string> getInheritedStageNames() const;

  Expected<std::vector<PassStep>> readPassSteps(const toml::node &node);
  Expected<PassStep> readPassStep(const toml::node &node);
  Error readPassOptions(const toml::node &node, PassStep &step);
  Expected<OptionValue> readScalar(const toml::node &node, const Twine &what);
  Error checkReferences(const OptionValue &value, const Origin &origin);
  Expected<Condition> readCondition(const toml::node &node);

  Expected<const toml::table *> expectTable(const toml::node &node, const Twine &what);
  Expected<const toml::array *> expectArray(const toml::node &node, const Twine &what);
  Expected<std::string> expectString(const toml::node &node, const Twine &what);
  Error checkKeys(const toml::table &table, const Twine &where, llvm::ArrayRef<std::string> known);

  Origin at(const toml::source_position &place) const {
    return {file, static_cast<unsigned>(place.line), static_cast<unsigned>(place.column)};
  }
  Origin at(const toml::node &node) const { return at(node.source().begin); }
  Origin at(const toml::key &key) const { return at(key.source().begin); }

  const OptionTable &getOptions() const { return profile.options.getTable(); }

  /// Whether a stage, or a pass of a stage, would be there on top of the tier that another one replaces.
  bool isLeftOut(StringRef stage) const {
    return context.tier && !profile.findStage(stage) &&
           (context.tier->replaced.findStage(stage) || llvm::is_contained(context.leftOut, stage.str()));
  }
  bool isLeftOut(const Stage &stage, StringRef pass) const {
    return context.tier && llvm::none_of(stage.passes, [&](const PassStep &step) { return step.pass == pass; });
  }

  Profile &profile;
  std::string file;
  LoadContext &context;
};

} // namespace

static Error loadFile(Profile &profile, StringRef path, const Origin &reference, LoadContext &context);

//===----------------------------------------------------------------------===//
// Typed access
//===----------------------------------------------------------------------===//

Expected<const toml::table *> ProfileReader::expectTable(const toml::node &node, const Twine &what) {
  if (const toml::table *table = node.as_table())
    return table;
  return configError(at(node), what + " must be a table");
}

Expected<const toml::array *> ProfileReader::expectArray(const toml::node &node, const Twine &what) {
  if (const toml::array *array = node.as_array())
    return array;
  return configError(at(node), what + " must be an array");
}

Expected<std::string> ProfileReader::expectString(const toml::node &node, const Twine &what) {
  if (const auto *text = node.as_string())
    return text->get();
  return configError(at(node), what + " must be a string");
}

Expected<OptionValue> ProfileReader::readScalar(const toml::node &node, const Twine &what) {
  if (const auto *flag = node.as_boolean())
    return OptionValue(flag->get());
  if (const auto *number = node.as_integer())
    return OptionValue(number->get());
  if (const auto *text = node.as_string())
    return OptionValue(text->get());
  return configError(at(node), what + " must be a string, an integer, true or false");
}

Error ProfileReader::checkKeys(const toml::table &table, const Twine &where, llvm::ArrayRef<std::string> known) {
  for (auto &&[key, value] : table)
    if (!llvm::is_contained(known, key.str()))
      return configError(at(key), "unknown key '" + Twine(std::string(key.str())) + "' in " + where +
                                      suggestName(std::string(key.str()), known));
  return Error::success();
}

Expected<Condition> ProfileReader::readCondition(const toml::node &node) {
  Expected<std::string> text = expectString(node, "'when'");
  if (!text)
    return text.takeError();
  Origin start = at(node);
  ++start.column; // the quote
  return Condition::parse(*text, start, getOptions());
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

/// Where a dotted key with more parts than `kMaxKeyParts` starts; npos if there is none. The TOML library reads keys of
/// any length, and takes a stack frame a part to forget them.
static size_t findDeepKey(StringRef text) {
  constexpr unsigned kMaxKeyParts = 16;
  unsigned parts = 1;
  size_t start = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      StringRef quote = text.substr(at).starts_with(std::string(3, c)) ? text.substr(at, 3) : text.substr(at, 1);
      for (at += quote.size(); at < text.size() && !text.substr(at).starts_with(quote); ++at)
        if (c == '"' && text[at] == '\\')
          ++at;
      at += quote.size() - 1;
    } else if (c == '.') {
      if (++parts > kMaxKeyParts)
        return start;
    } else if (StringRef("=[]{},\n").contains(c)) {
      parts = 1;
      start = at + 1;
    }
  }
  return StringRef::npos;
}

Error ProfileReader::read(StringRef text) {
  if (size_t deep = findDeepKey(text); deep != StringRef::npos) {
    StringRef before = text.take_front(deep);
    unsigned line = before.count('\n') + 1, column = deep - (before.rfind('\n') + 1) + 1;
    return configError({file, line, column}, "a dotted key has too many parts");
  }
  try {
    toml::table document = toml::parse(std::string_view(text), file);
    return readDocument(document);
  } catch (const toml::parse_error &mistake) {
    return configError(at(mistake.source().begin),
                       StringRef(mistake.description().data(), mistake.description().size()));
  }
}

Error ProfileReader::readDocument(const toml::table &document) {
  if (Error error = checkKeys(document, "a profile",
                              {"name", "description", "inherits", "plugins", "options", "scheduler", "stage"}))
    return error;
  if (const toml::node *node = document.get("inherits"))
    if (Error error = readParent(*node))
      return error;

  profile.name = llvm::sys::path::stem(file).str();
  profile.description.clear();
  profile.file = file;
  for (auto [key, field] : {std::pair("name", &profile.name), std::pair("description", &profile.description)}) {
    if (const toml::node *node = document.get(key)) {
      Expected<std::string> text = expectString(*node, Twine("'") + key + "'");
      if (!text)
        return text.takeError();
      *field = std::move(*text);
    }
  }

  using Reader = std::function<Error(const toml::node &)>;
  const std::pair<const char *, Reader> sections[] = {
      {"plugins", [&](const toml::node &node) { return readPlugins(node); }},
      {"options", [&](const toml::node &node) { return readOptions(node, ""); }},
      {"scheduler", [&](const toml::node &node) { return readOptions(node, "scheduler."); }},
      {"stage", [&](const toml::node &node) { return readStages(node); }}};
  for (const auto &[key, reader] : sections)
    if (const toml::node *node = document.get(key))
      if (Error error = reader(*node))
        return error;
  return Error::success();
}

Error ProfileReader::readParent(const toml::node &node) {
  Expected<std::string> parent = expectString(node, "'inherits'");
  if (!parent)
    return parent.takeError();
  std::string path = *parent;
  if (StringRef(path).ends_with(".toml") && llvm::sys::path::is_relative(path)) {
    llvm::SmallString<128> beside(llvm::sys::path::parent_path(file));
    llvm::sys::path::append(beside, path);
    llvm::sys::path::remove_dots(beside);
    path = beside.empty() ? path : beside.str().str();
  }
  if (Error error = loadFile(profile, path, at(node), context))
    return error;
  profile.lineage.insert(profile.lineage.begin(), profile.name);
  return Error::success();
}

Error ProfileReader::readPlugins(const toml::node &node) {
  Expected<const toml::table *> table = expectTable(node, "'plugins'");
  if (!table)
    return table.takeError();
  if (Error error = checkKeys(**table, "[plugins]", {"require"}))
    return error;
  const toml::node *list = (*table)->get("require");
  if (!list)
    return Error::success();
  Expected<const toml::array *> names = expectArray(*list, "'require'");
  if (!names)
    return names.takeError();
  for (const toml::node &element : **names) {
    Expected<Profile::Requirement> requirement = readRequirement(element);
    if (!requirement)
      return requirement.takeError();
    auto isSame = [&](const Profile::Requirement &other) {
      return requirement->plugin == other.plugin && (other.when.isAlways() || !requirement->when.isAlways());
    };
    if (llvm::none_of(profile.plugins, isSame))
      profile.plugins.push_back(std::move(*requirement));
  }
  return Error::success();
}

Expected<Profile::Requirement> ProfileReader::readRequirement(const toml::node &node) {
  Profile::Requirement requirement;
  requirement.origin = at(node);
  const toml::table *table = node.as_table();
  const toml::node *nameNode = table ? table->get("plugin") : &node;
  if (table)
    if (Error error = checkKeys(*table, "a required plugin", {"plugin", "when"}))
      return error;
  if (!nameNode)
    return configError(at(node), "'plugin' is missing");
  Expected<std::string> name = expectString(*nameNode, "the name of a plugin");
  if (!name)
    return name.takeError();
  requirement.plugin = std::move(*name);
  // A condition may test an option of the plugin, which has to be there for its options to be known.
  if (const toml::node *when = table ? table->get("when") : nullptr) {
    Expected<Condition> condition = readCondition(*when);
    if (!condition)
      return condition.takeError();
    requirement.when = std::move(*condition);
  }
  return requirement;
}

Error ProfileReader::readOptions(const toml::node &node, StringRef prefix) {
  Expected<const toml::table *> table = expectTable(node, prefix.empty() ? "'options'" : "'scheduler'");
  if (!table)
    return table.takeError();
  for (auto &&[key, value] : **table) {
    std::string name = prefix.str() + std::string(key.str());
    const OptionDeclaration *option = getOptions().find(name);
    if (!option)
      return getOptions().describeUnknown(name, at(key));
    if (option->readOnly)
      return configError(at(key), "option '" + Twine(name) + "' follows from the target and cannot be set");
    Expected<OptionValue> scalar = readScalar(value, "the value of option '" + Twine(name) + "'");
    if (!scalar)
      return scalar.takeError();
    Expected<OptionValue> checked = checkOption(*option, *scalar, at(value));
    if (!checked)
      return checked.takeError();
    profile.options.noteOptionName(name, *option, at(key));
    profile.options.set(*option, std::move(*checked), at(key));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

Error ProfileReader::readStages(const toml::node &node) {
  Expected<const toml::array *> stages = expectArray(node, "'stage' (written [[stage]])");
  if (!stages)
    return stages.takeError();
  llvm::SmallVector<std::string> seen;
  for (const toml::node &element : **stages) {
    Expected<const toml::table *> table = expectTable(element, "a stage");
    if (!table)
      return table.takeError();
    if (Error error = readStage(**table))
      return error;
    std::string name = *(*table)->get("name")->value<std::string>();
    if (llvm::is_contained(seen, name))
      return configError(at(**table), "stage '" + Twine(name) + "' is described twice in this file");
    seen.push_back(std::move(name));
  }
  return Error::success();
}

Error ProfileReader::readStage(const toml::table &table) {
  if (Error error = checkKeys(table, "[[stage]]",
                              {"name", "produces", "anchor", "resumes", "when", "passes", "before", "after", "remove"}))
    return error;
  const toml::node *nameNode = table.get("name");
  if (!nameNode)
    return configError(at(table), "a stage needs a name");
  Expected<std::string> name = expectString(*nameNode, "'name'");
  if (!name)
    return name.takeError();

  if (const toml::node *passes = table.get("passes")) {
    if (const toml::node *remove = table.get("remove"))
      return configError(at(*remove), "a stage with 'passes' replaces the parent's: there is nothing to remove");
    Stage stage;
    stage.name = *name;
    stage.origin = at(*nameNode);
    Expected<std::vector<PassStep>> steps = readPassSteps(*passes);
    if (!steps)
      return steps.takeError();
    stage.passes = std::move(*steps);
    if (Error error = readStageProperties(table, stage))
      return error;
    return placeStage(table, std::move(stage));
  }

  Stage *stage = findStage(*name);
  if (isLeftOut(*name))
    return Error::success();
  if (!stage)
    return configError(at(*nameNode), "there is no stage '" + Twine(*name) + "' to edit" +
                                          suggestName(*name, getStageNames()) + " (a new stage needs 'passes')");
  if (Error error = readStageProperties(table, *stage))
    return error;
  return editStage(table, *stage);
}

Error ProfileReader::readStageProperties(const toml::table &table, Stage &stage) {
  if (const toml::node *node = table.get("produces")) {
    Expected<std::string> text = expectString(*node, "'produces'");
    if (!text)
      return text.takeError();
    stage.produces = parseIRLevel(*text);
    if (!stage.produces)
      return configError(at(*node),
                         "a stage produces cuda_tile, tileaa, tileas or llvm-dialect, not '" + Twine(*text) + "'");
  }
  if (const toml::node *node = table.get("anchor")) {
    Expected<std::string> text = expectString(*node, "'anchor'");
    if (!text)
      return text.takeError();
    stage.anchor = *text == "builtin.module" ? "" : *text;
  }
  if (const toml::node *node = table.get("resumes")) {
    const auto *flag = node->as_boolean();
    if (!flag)
      return configError(at(*node), "'resumes' must be true or false");
    stage.resumes = flag->get();
  }
  if (const toml::node *node = table.get("when")) {
    Expected<Condition> condition = readCondition(*node);
    if (!condition)
      return condition.takeError();
    stage.when = std::move(*condition);
  }
  return Error::success();
}

Stage *ProfileReader::findStage(StringRef name) {
  auto it = llvm::find_if(profile.stages, [&](const Stage &stage) { return stage.name == name; });
  return it == profile.stages.end() ? nullptr : &*it;
}

std::vector<std::string> ProfileReader::getInheritedStageNames() const {
  std::vector<std::string> names;
  for (const Stage &stage : profile.stages)
    if (stage.origin.file != file)
      names.push_back(stage.name);
  return names;
}

std::vector<std::string> ProfileReader::getStageNames() const {
  std::vector<std::string> names;
  for (const Stage &stage : profile.stages)
    names.push_back(stage.name);
  return names;
}

Error ProfileReader::placeStage(const toml::table &table, Stage stage) {
  const toml::node *before = table.get("before"), *after = table.get("after");
  const toml::node *node = before ? before : after;
  if (before && after)
    return configError(at(*after), "a stage goes 'before' or 'after' another, not both");
  if (Stage *replaced = findStage(stage.name)) {
    if (node)
      return configError(at(*node), "stage '" + Twine(stage.name) + "' replaces the parent's and keeps its place");
    *replaced = std::move(stage);
    return Error::success();
  }
  if (isLeftOut(stage.name))
    return Error::success();
  auto position = profile.stages.end();
  if (!node) {
    std::string suggestion = suggestName(stage.name, getInheritedStageNames());
    if (!suggestion.empty())
      return configError(stage.origin, "there is no stage '" + Twine(stage.name) + "' to replace" + suggestion +
                                           " (a new stage of this name needs 'before' or 'after')");
  } else {
    Expected<std::string> neighbour = expectString(*node, "the neighbour of a new stage");
    if (!neighbour)
      return neighbour.takeError();
    Stage *found = findStage(*neighbour);
    if (isLeftOut(*neighbour)) {
      context.leftOut.push_back(stage.name);
      return Error::success();
    }
    if (!found)
      return configError(at(*node),
                         "there is no stage '" + Twine(*neighbour) + "'" + suggestName(*neighbour, getStageNames()));
    position = profile.stages.begin() + (found - profile.stages.data()) + (after ? 1 : 0);
  }
  profile.stages.insert(position, std::move(stage));
  return Error::success();
}

Error ProfileReader::editStage(const toml::table &table, Stage &stage) {
  if (const toml::node *node = table.get("remove"))
    if (Error error = removePasses(*node, stage))
      return error;
  if (const toml::node *node = table.get("before"))
    if (Error error = insertPasses(*node, stage, /*after=*/false))
      return error;
  if (const toml::node *node = table.get("after"))
    if (Error error = insertPasses(*node, stage, /*after=*/true))
      return error;
  return Error::success();
}

Error ProfileReader::removePasses(const toml::node &node, Stage &stage) {
  Expected<const toml::array *> names = expectArray(node, "'remove'");
  if (!names)
    return names.takeError();
  for (const toml::node &element : **names) {
    Expected<std::string> pass = expectString(element, "the name of a pass");
    if (!pass)
      return pass.takeError();
    *pass = profile.options.resolvePass(*pass, at(element));
    if (isLeftOut(stage, *pass))
      continue;
    size_t count = stage.passes.size();
    llvm::erase_if(stage.passes, [&](const PassStep &step) { return step.pass == *pass; });
    if (stage.passes.size() == count)
      return findAnchor(stage, *pass, at(element)).takeError();
  }
  return Error::success();
}

Error ProfileReader::insertPasses(const toml::node &node, Stage &stage, bool after) {
  Expected<const toml::table *> edits =
      expectTable(node, after ? "'after' of a stage without 'passes' (pass = [passes to insert])"
                              : "'before' of a stage without 'passes' (pass = [passes to insert])");
  if (!edits)
    return edits.takeError();
  for (auto &&[key, value] : **edits) {
    const std::string pass = profile.options.resolvePass(key.str(), at(key));
    if (isLeftOut(stage, pass))
      continue;
    Expected<size_t> anchor = findAnchor(stage, pass, at(key));
    if (!anchor)
      return anchor.takeError();
    Expected<std::vector<PassStep>> steps = readPassSteps(value);
    if (!steps)
      return steps.takeError();
    stage.passes.insert(stage.passes.begin() + *anchor + (after ? 1 : 0), steps->begin(), steps->end());
  }
  return Error::success();
}

Expected<size_t> ProfileReader::findAnchor(const Stage &stage, StringRef pass, const Origin &origin) {
  std::vector<std::string> names;
  for (const PassStep &step : stage.passes)
    names.push_back(step.pass);
  size_t count = llvm::count(names, pass.str());
  if (count == 1)
    return llvm::find(names, pass.str()) - names.begin();
  if (count > 1)
    return configError(origin, "pass '" + pass + "' occurs " + Twine(count) + " times in stage '" + stage.name +
                                   "'; give the whole stage with 'passes' instead");
  return configError(origin,
                     "there is no pass '" + pass + "' in stage '" + stage.name + "'" + suggestName(pass, names));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

Expected<std::vector<PassStep>> ProfileReader::readPassSteps(const toml::node &node) {
  Expected<const toml::array *> list = expectArray(node, "a list of passes");
  if (!list)
    return list.takeError();
  std::vector<PassStep> steps;
  for (const toml::node &element : **list) {
    Expected<PassStep> step = readPassStep(element);
    if (!step)
      return step.takeError();
    steps.push_back(std::move(*step));
  }
  return steps;
}

Expected<PassStep> ProfileReader::readPassStep(const toml::node &node) {
  PassStep step;
  step.origin = at(node);
  if (const auto *name = node.as_string()) {
    step.pass = profile.options.resolvePass(name->get(), step.origin);
    return step;
  }
  const toml::table *table = node.as_table();
  if (!table)
    return configError(at(node), "a pass is its name, or { pass = …, options = { … }, when = … }");
  if (Error error = checkKeys(*table, "a pass", {"pass", "options", "when"}))
    return error;
  const toml::node *name = table->get("pass");
  if (!name)
    return configError(at(node), "'pass' is missing");
  Expected<std::string> text = expectString(*name, "'pass'");
  if (!text)
    return text.takeError();
  step.pass = profile.options.resolvePass(*text, step.origin);
  if (const toml::node *options = table->get("options"))
    if (Error error = readPassOptions(*options, step))
      return error;
  if (const toml::node *when = table->get("when")) {
    Expected<Condition> condition = readCondition(*when);
    if (!condition)
      return condition.takeError();
    step.when = std::move(*condition);
  }
  return step;
}

Error ProfileReader::readPassOptions(const toml::node &node, PassStep &step) {
  Expected<const toml::table *> table = expectTable(node, "'options' of a pass");
  if (!table)
    return table.takeError();
  for (auto &&[key, value] : **table) {
    std::string name(key.str());
    Expected<OptionValue> scalar = readScalar(value, "the value of pass option '" + Twine(name) + "'");
    if (!scalar)
      return scalar.takeError();
    if (Error error = checkReferences(*scalar, at(value)))
      return error;
    step.options.emplace_back(std::move(name), std::move(*scalar));
  }
  return Error::success();
}

Error ProfileReader::checkReferences(const OptionValue &value, const Origin &origin) {
  const std::string *text = std::get_if<std::string>(&value);
  if (!text || !StringRef(*text).starts_with("${"))
    return Error::success();
  StringRef name = StringRef(*text).drop_front(2);
  if (!name.consume_back("}"))
    return configError(origin, "'" + Twine(*text) + "' lacks its closing brace");
  if (!getOptions().find(name))
    return getOptions().describeUnknown(name, origin);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Error readFile(Profile &profile, StringRef path, const Origin &reference, LoadContext &context) {
  auto isSame = [&](const std::string &file) { return llvm::sys::fs::equivalent(file, path); };
  if (llvm::any_of(context.ancestors, isSame))
    return configError(reference, "profile '" + path + "' inherits from itself");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInputFile(path);
  if (!buffer)
    return configError(reference, "cannot read profile '" + path + "': " + buffer.getError().message());
  context.ancestors.push_back(path.str());
  llvm::scope_exit leave([&] { context.ancestors.pop_back(); });
  return ProfileReader(profile, path, context).read((*buffer)->getBuffer());
}

static Error loadFile(Profile &profile, StringRef nameOrFile, const Origin &reference, LoadContext &context) {
  Expected<std::string> path = findProfileFile(nameOrFile, reference, context.directories);
  if (!path)
    return path.takeError();
  std::optional<int64_t> tier = getTierOfFile(*path, context.directories);
  llvm::SaveAndRestore otherTier(context.tier);
  if (tier && context.tier) {
    tier = context.tier->level;
    path = findProfileFile(getTierName(*tier), reference, context.directories);
    if (!path)
      return path.takeError();
    context.tier = nullptr; // what it inherits from is as it says
  }
  if (Error error = readFile(profile, *path, reference, context))
    return error;
  if (tier)
    profile.tier = tier;
  return Error::success();
}

/// The profile, or why it could not be read: where a required plugin is not there, it may be missed by its options
/// first.
static Expected<Profile> finishProfile(Profile profile, Error error) {
  if (!error)
    return profile;
  return llvm::handleErrors(std::move(error), [&](std::unique_ptr<UnknownOptionError> mistake) -> Error {
    for (const Profile::Requirement &requirement : profile.plugins)
      if (!profile.options.getTable().hasPlugin(requirement.plugin))
        return llvm::make_error<MissingPluginError>(requirement, *mistake);
    return Error(std::move(mistake));
  });
}

static Expected<Profile> loadProfile(StringRef nameOrFile, LoadContext context,
                                     std::shared_ptr<const OptionTable> table) {
  Profile profile(std::move(table));
  Error error = loadFile(profile, nameOrFile, Origin(), context);
  return finishProfile(std::move(profile), std::move(error));
}

Expected<Profile> tileiras::loadProfile(StringRef nameOrFile, llvm::ArrayRef<std::string> directories,
                                        std::shared_ptr<const OptionTable> table) {
  return ::loadProfile(nameOrFile, {directories}, std::move(table));
}

Expected<Profile> tileiras::loadForTier(const Profile &profile, int64_t level,
                                        llvm::ArrayRef<std::string> directories) {
  std::shared_ptr<const OptionTable> table = profile.options.getSharedTable();
  Expected<Profile> replaced = loadProfile(getTierName(*profile.tier), directories, table);
  if (!replaced)
    return replaced.takeError();
  const OtherTier tier{level, *replaced};
  return ::loadProfile(profile.file, {directories, &tier}, std::move(table));
}

Expected<Profile> tileiras::parseProfile(StringRef text, StringRef bufferName, llvm::ArrayRef<std::string> directories,
                                         std::shared_ptr<const OptionTable> table) {
  Profile profile(std::move(table));
  LoadContext context{directories};
  Error error = ProfileReader(profile, bufferName, context).read(text);
  return finishProfile(std::move(profile), std::move(error));
}
