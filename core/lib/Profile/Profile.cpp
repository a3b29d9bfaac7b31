//===- Profile.cpp - The plan of a compilation ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Profile.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

char MissingPluginError::ID;

llvm::StringRef tileiras::stringifyIRLevel(IRLevel level) {
  static constexpr llvm::StringLiteral names[] = {"cuda_tile", "tileaa", "tileas", "llvm-dialect"};
  return names[static_cast<unsigned>(level)];
}

std::optional<IRLevel> tileiras::parseIRLevel(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<IRLevel>>(text)
      .Case("cuda_tile", IRLevel::CudaTile)
      .Case("tileaa", IRLevel::TileAA)
      .Case("tileas", IRLevel::TileAS)
      .Case("llvm-dialect", IRLevel::LLVMDialect)
      .Default(std::nullopt);
}

bool Profile::isTier() const {
  return tier && name == getTierName(*tier);
}

const Stage *Profile::findStage(llvm::StringRef name) const {
  auto it = llvm::find_if(stages, [&](const Stage &stage) { return stage.name == name; });
  return it == stages.end() ? nullptr : &*it;
}

std::optional<StageHome> tileiras::findStageHome(const Profile &profile, llvm::ArrayRef<std::string> directories,
                                                 llvm::function_ref<bool(const Stage &)> matches) {
  std::vector<std::string> names = profile.lineage;
  llvm::append_range(names, listProfiles(directories));
  for (llvm::StringRef name : names) {
    llvm::Expected<Profile> other = loadProfile(name, directories, profile.options.getSharedTable());
    if (!other) { // Its parent may be a file, whose name alone does not say where it is.
      llvm::consumeError(other.takeError());
      continue;
    }
    if (auto it = llvm::find_if(other->stages, matches); it != other->stages.end())
      return StageHome{other->name, it->name};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// A TOML basic string.
static std::string quote(llvm::StringRef text) {
  std::string quoted = "\"";
  llvm::raw_string_ostream os(quoted);
  for (char c : text) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      os << llvm::format("\\u%04X", static_cast<unsigned>(c));
    else
      os << c;
  }
  return quoted + "\"";
}

static std::string quote(const OptionValue &value) {
  const std::string *text = std::get_if<std::string>(&value);
  return text ? quote(llvm::StringRef(*text)) : printOptionValue(value);
}

/// Keys with dots or blanks are quoted; ours have letters, digits and dashes.
static std::string quoteKey(llvm::StringRef key) {
  bool isBare = !key.empty() && llvm::all_of(key, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
  return isBare ? key.str() : quote(key);
}

/// `text`, padded, and the place it came from.
static void printLine(llvm::raw_ostream &os, const llvm::Twine &text, const Origin &origin) {
  std::string line = text.str();
  os << line;
  os.indent(line.size() < 56 ? 56 - line.size() : 1) << "# " << origin.str() << '\n';
}

static void printPassStep(llvm::raw_ostream &os, const PassStep &step) {
  std::string text = quote(llvm::StringRef(step.pass));
  if (!step.options.empty() || !step.when.isAlways()) {
    text = "{ pass = " + text;
    if (!step.options.empty()) {
      text += ", options = { ";
      for (auto [index, option] : llvm::enumerate(step.options))
        text += (index ? ", " : "") + quoteKey(option.first) + " = " + quote(option.second);
      text += " }";
    }
    if (!step.when.isAlways())
      text += ", when = " + quote(step.when.str());
    text += " }";
  }
  printLine(os, "  " + text + ",", step.origin);
}

static void printStage(llvm::raw_ostream &os, const Stage &stage) {
  os << "\n[[stage]]\n";
  printLine(os, "name = " + quote(llvm::StringRef(stage.name)), stage.origin);
  if (stage.produces)
    os << "produces = " << quote(stringifyIRLevel(*stage.produces)) << '\n';
  if (!stage.anchor.empty())
    os << "anchor = " << quote(llvm::StringRef(stage.anchor)) << '\n';
  if (stage.resumes)
    os << "resumes = true\n";
  if (!stage.when.isAlways())
    os << "when = " << quote(stage.when.str()) << '\n';
  os << "passes = [\n";
  for (const PassStep &step : stage.passes)
    printPassStep(os, step);
  os << "]\n";
}

/// The options whose names start with `prefix`, without it.
static void printOptions(llvm::raw_ostream &os, const OptionSet &options, bool scheduler) {
  for (const OptionDeclaration &option : options.getTable().getAll()) {
    llvm::StringRef name = option.name;
    if (option.readOnly || name.consume_front("scheduler.") != scheduler)
      continue;
    const OptionSet::Entry &entry = options.inspect(option.name);
    printLine(os, quoteKey(name) + " = " + quote(entry.value), entry.origin);
  }
}

void Profile::print(llvm::raw_ostream &os) const {
  os << "name = " << quote(llvm::StringRef(name)) << '\n';
  if (!description.empty())
    os << "description = " << quote(llvm::StringRef(description)) << '\n';
  if (!lineage.empty())
    os << "# inherits from " << llvm::join(lineage, ", ") << '\n';
  os << "\n[plugins]\nrequire = [\n";
  for (const Requirement &requirement : plugins) {
    const std::string plugin = quote(llvm::StringRef(requirement.plugin));
    const bool isAlways = requirement.when.isAlways();
    printLine(os,
              isAlways ? "  " + plugin + ","
                       : "  { plugin = " + plugin + ", when = " + quote(requirement.when.str()) + " },",
              requirement.origin);
  }
  os << "]\n\n[options]\n";
  printOptions(os, options, /*scheduler=*/false);
  os << "\n[scheduler]\n";
  printOptions(os, options, /*scheduler=*/true);
  for (const Stage &stage : stages)
    printStage(os, stage);
}
