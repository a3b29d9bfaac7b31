//===- Options.cpp - The options of the pipeline --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Options.h"
#include "tileiras/Support/WrappedText.h"
#include "tileiras/Target/TuningModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;

char UnknownOptionError::ID;

static OptionDeclaration flag(llvm::StringRef name, bool value, llvm::StringRef description) {
  return {name, OptionKind::Bool, value, description};
}

static OptionDeclaration integer(llvm::StringRef name, int64_t value, int64_t minimum, int64_t maximum,
                                 llvm::StringRef description) {
  return {name, OptionKind::Integer, value, description, minimum, maximum};
}

static OptionDeclaration integerOf(llvm::StringRef name, std::vector<int64_t> values, int64_t value,
                                   llvm::StringRef description) {
  OptionDeclaration option = integer(name, value, values.front(), values.back(), description);
  option.values = std::move(values);
  return option;
}

static OptionDeclaration text(llvm::StringRef name, llvm::StringRef value, llvm::StringRef description) {
  return {name, OptionKind::String, value.str(), description};
}

static OptionDeclaration place(llvm::StringRef name, llvm::StringRef description) {
  OptionDeclaration option = text(name, "", description);
  option.namesOutput = true;
  return option;
}

static OptionDeclaration choice(llvm::StringRef name, std::vector<llvm::StringRef> choices,
                                llvm::StringRef description) {
  std::string first = choices.front().str();
  return {name, OptionKind::Choice, std::move(first), description, 0, 0, std::move(choices)};
}

/// The core's own. Options of a pass family are declared by its plugin.
static std::vector<OptionDeclaration> declareOptions() {
  const int64_t unlimited = INT32_MAX;
  OptionDeclaration capability =
      integer("target.compute-capability", 0, 0, unlimited, "10 × major + minor of the GPU; 0 when there is no target");
  capability.readOnly = true;
  std::vector<OptionDeclaration> options = {
      integerOf("num-warps", {0, 1, 2, 4, 8, 16}, 0,
                "warps of a CTA; 0: what the kernel asks for, else what suits its tiles"),
      integerOf("num-ctas", {0, 1, 2, 4, 8, 16}, 0, "CTAs of a cluster; 0: what the kernel asks for, else 1"),
      text("compute-capability", "", "the GPU, as --gpu-name spells it"),
      integer("opt-level", 2, 0, kMaxOptLevel,
              "the tier, whoever says it: the passes of the shipped profile o0, o1, o2 or o3, and what LLVM and the "
              "assembler do"),
      integer("v2-opt-level", 0, 0, 3,
              "how far loops may become software pipelines, from opt-level 2 on; 0: loads and MMAs are synchronous; 1: "
              "loads "
              "run ahead, and loops keep their order; 2: schedules order loops; 3: agents load and compute"),
      flag("approx", false,
           "f32 divisions, square roots, exp and tanh are those that rounding<approx> asks for, but for directed "
           "roundings"),
      integer(
          "max-elements-per-thread", 0, 0, 8192,
          "elements of a tile that a thread may hold, larger tiles are computed slice by slice; 0: what fits in its "
          "registers"),
      integer("slice-elements-per-thread", 32, 1, 1024, "elements of such a slice that a thread holds"),
      choice("block-scale", {"hardware", "emulate"},
             "block-scaled MMAs where the GPU has none: refused, or the scales are multiplied into the operands"),
      flag("positive-scales", false,
           "a promise that no e4m3 scale of a block-scaled MMA is negative: instructions see no sign of it, and "
           "code that need not look for one is faster"),
      choice("launch-blocks", {"clusters", "threads"},
             "what a launcher passes as the size of a block: 1, where the GPU has clusters, and the kernel itself says "
             "how many threads it has; or these threads"),
      choice("tma-descriptors", {"device", "host"},
             "where tensor maps are built: on the device, by each tile block; or on the host, which passes them after "
             "the program's own parameters as the metadata says"),
      flag("check-assumes", false,
           "each assumption of the program becomes an assertion, too: a false one ends the kernel, and says its place"),
      flag("ftz", false,
           "f32 operations that can flush subnormal operands and results to zero do, as if each had flush_to_zero; so "
           "do the functions of libdevice"),
      choice("emit-line-info", {"none", "from-input", "frontend", "tileas-boundary"},
             "line tables and, for the last two, a snapshot of the IR at that point"),
      text(
          "hard-failures", "",
          "passes that fail the compilation where they leave a function or a loop as it was, separated by commas; else "
          "they say so in a remark"),
      text("soft-failures", "",
           "passes that may give up on a function with an error without failing the compilation, separated by commas"),
      text("warnings", "",
           "no-NAME silences a warning, no-all those with a name, none all; error=NAME makes it an error; separated by "
           "commas. Names: empty-module, old-name, slow-mma, software-fp8, unused-option"),
      flag("device-debug", false, "full debug information and no optimisation"),
      choice("sanitize", {"none", "memcheck"}, "instrument device code"),
      choice("host-arch", {"x86_64", "aarch64", "arm64ec"},
             "accepted as NVIDIA's compiler does; a cubin is the same for all hosts"),
      choice("host-os", {"linux", "windows"}, "likewise"),
      text("scheduler.name", "", "the scheduler; empty: the scheduling pass's own choice"),
      place("schedule-svg", "where pictures of the schedules go"),
      place("dump-schedule-problems", "folder for the scheduling problems of loops, as tileiras-schedule reads them"),
      capability,
  };
  for (const TuningEntry &entry : getTuningEntries())
    options.push_back(integer(entry.option, TuningModel().*entry.field, entry.least, unlimited, entry.description));
  return options;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

OptionTable::OptionTable() {
  for (OptionDeclaration &option : declareOptions()) {
    std::string name = option.name.str();
    options.emplace(std::move(name), std::move(option));
  }
}

std::shared_ptr<const OptionTable> tileiras::getCoreOptions() {
  static const auto table = std::make_shared<const OptionTable>();
  return table;
}

llvm::Error OptionTable::add(OptionDeclaration option) {
  for (llvm::StringRef name : {option.name, option.alias})
    if (const OptionDeclaration *other = name.empty() ? nullptr : findExactly(name))
      return llvm::createStringError("option '" + name + "' is declared by both '" + other->owner + "' and '" +
                                     option.owner + "'");
  std::string name = option.name.str();
  options.emplace(std::move(name), std::move(option));
  return llvm::Error::success();
}

const OptionDeclaration *OptionTable::findExactly(llvm::StringRef name) const {
  if (auto it = options.find(name); it != options.end())
    return &it->second;
  for (const OptionDeclaration &option : getAll())
    if (!option.alias.empty() && option.alias == name)
      return &option;
  return nullptr;
}

/// Without the underscores of an old spelling.
static std::string canonicalise(llvm::StringRef name) {
  std::string canonical = name.str();
  std::replace(canonical.begin(), canonical.end(), '_', '-');
  return canonical;
}

const OptionDeclaration *OptionTable::find(llvm::StringRef name) const {
  return findExactly(canonicalise(name));
}

llvm::StringRef OptionTable::getPassName(llvm::StringRef name) const {
  auto it = oldPasses.find(name);
  return it == oldPasses.end() ? name : llvm::StringRef(it->second);
}

llvm::Error OptionTable::describeUnknown(llvm::StringRef name, const Origin &origin) const {
  std::vector<std::string> names;
  for (const OptionDeclaration &option : getAll())
    if (!option.readOnly)
      names.push_back(option.name.str());
  return llvm::make_error<UnknownOptionError>(origin, name, suggestName(name, names));
}

static std::vector<std::string> printed(llvm::ArrayRef<int64_t> values) {
  std::vector<std::string> texts;
  for (int64_t value : values)
    texts.push_back(std::to_string(value));
  return texts;
}

std::string OptionDeclaration::describeValues() const {
  switch (kind) {
  case OptionKind::Bool:
  case OptionKind::String:
    return "";
  case OptionKind::Integer:
    if (!values.empty())
      return llvm::join(printed(values), ", ");
    return std::to_string(minimum) + (maximum == INT32_MAX ? "…" : "…" + std::to_string(maximum));
  case OptionKind::Choice:
    return llvm::join(choices, ", ");
  }
  llvm_unreachable("all kinds are handled");
}

llvm::StringRef OptionDeclaration::describeKind() const {
  static constexpr llvm::StringLiteral names[] = {"flag", "integer", "text", "choice"};
  return names[static_cast<unsigned>(kind)];
}

void OptionTable::print(llvm::raw_ostream &os) const {
  size_t names = 33, owners = 8; // columns
  for (const OptionDeclaration &option : getAll()) {
    names = std::max(names, option.name.size());
    owners = std::max(owners, option.owner.size());
  }
  const unsigned indent = names + 1 + 7 + 1 + 7 + 1 + owners + 1; // of the last column
  auto row = [&](llvm::StringRef name, llvm::StringRef type, llvm::StringRef value, llvm::StringRef owner,
                 llvm::StringRef text) {
    std::string line;
    llvm::raw_string_ostream(line) << llvm::left_justify(name, names) << ' ' << llvm::left_justify(type, 7) << ' '
                                   << llvm::left_justify(value, 7) << ' ' << llvm::left_justify(owner, owners) << ' ';
    os << line << wrapText(text, countColumns(line), indent) << '\n';
  };
  row("OPTION", "TYPE", "DEFAULT", "FROM", "MEANING");
  for (const OptionDeclaration &option : getAll()) {
    std::string value = printOptionValue(option.defaultValue);
    std::string note = option.readOnly ? "cannot be set" : option.describeValues();
    row(option.name, option.describeKind(), value.empty() ? "-" : value, option.owner,
        option.description.str() + (note.empty() ? "" : " (" + note + ")"));
  }
  os << "An option that is set but read by nothing in the compilation gives a warning.\n";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string tileiras::printOptionValue(const OptionValue &value) {
  if (const bool *flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (const int64_t *number = std::get_if<int64_t>(&value))
    return std::to_string(*number);
  return std::get<std::string>(value);
}

/// Choices compare without case and separators: `TileasBoundary` is `tileas-boundary`.
static std::string foldChoice(llvm::StringRef text) {
  std::string folded;
  for (char c : text)
    if (c != '-' && c != '_')
      folded.push_back(llvm::toLower(c));
  return folded;
}

static llvm::Expected<OptionValue> checkChoice(const OptionDeclaration &option, llvm::StringRef text,
                                               const Origin &origin) {
  std::vector<std::string> names;
  for (llvm::StringRef choice : option.choices) {
    if (foldChoice(choice) == foldChoice(text))
      return choice.str();
    names.push_back(choice.str());
  }
  std::string suggestion = suggestName(text, names);
  return configError(origin, "'" + text + "' is no value of option '" + option.name + "'" +
                                 (suggestion.empty() ? "; it is one of " + llvm::join(names, ", ") : suggestion));
}

llvm::Expected<OptionValue> tileiras::checkOption(const OptionDeclaration &option, const OptionValue &value,
                                                  const Origin &origin) {
  auto mismatch = [&](const char *wanted) {
    return configError(origin,
                       "option '" + option.name + "' takes " + wanted + ", not '" + printOptionValue(value) + "'");
  };
  switch (option.kind) {
  case OptionKind::Bool:
    if (!std::holds_alternative<bool>(value))
      return mismatch("true or false");
    return value;
  case OptionKind::Integer: {
    const int64_t *number = std::get_if<int64_t>(&value);
    if (!number)
      return mismatch("an integer");
    if (*number < option.minimum || *number > option.maximum)
      return configError(origin, "option '" + option.name + "' is " + llvm::Twine(*number) + ", but must be between " +
                                     llvm::Twine(option.minimum) + " and " + llvm::Twine(option.maximum));
    if (!option.values.empty() && !llvm::is_contained(option.values, *number))
      return configError(origin, "option '" + option.name + "' is " + llvm::Twine(*number) + ", but must be one of " +
                                     llvm::join(printed(option.values), ", "));
    return value;
  }
  case OptionKind::String:
    if (!std::holds_alternative<std::string>(value))
      return mismatch("a string");
    return value;
  case OptionKind::Choice:
    if (!std::holds_alternative<std::string>(value))
      return mismatch("a string");
    return checkChoice(option, std::get<std::string>(value), origin);
  }
  llvm_unreachable("all kinds are handled");
}

llvm::Expected<OptionValue> tileiras::parseOption(const OptionDeclaration &option, llvm::StringRef text,
                                                  const Origin &origin) {
  if (option.kind == OptionKind::Bool) {
    if (text == "true" || text == "1")
      return true;
    if (text == "false" || text == "0")
      return false;
  }
  int64_t number;
  if (option.kind == OptionKind::Integer && !text.getAsInteger(10, number))
    return checkOption(option, number, origin);
  return checkOption(option, text.str(), origin);
}

//===----------------------------------------------------------------------===//
// Sets of values
//===----------------------------------------------------------------------===//

OptionSet::OptionSet(std::shared_ptr<const OptionTable> declared) : table(std::move(declared)) {
  for (const OptionDeclaration &option : table->getAll())
    entries.emplace(option.name.str(),
                    Entry{option.defaultValue, Origin::described("default"), /*without=*/option.defaultValue});
}

void OptionSet::set(const OptionDeclaration &option, OptionValue value, Origin origin) {
  Entry &entry = entries.find(option.name)->second;
  // All of a file is one source, and all of a command line.
  const bool isSameSource = entry.origin.line ? entry.origin.file == origin.file : !origin.line && isSet(option.name);
  OptionValue without = std::move(isSameSource ? entry.without : entry.value);
  entry = {std::move(value), std::move(origin), std::move(without)};
}

llvm::Error OptionSet::setFromText(llvm::StringRef assignment, const Origin &origin) {
  auto [name, text] = assignment.split('=');
  name = name.trim();
  const OptionDeclaration *option = table->find(name);
  if (!option)
    return table->describeUnknown(name, origin);
  if (option->readOnly)
    return configError(origin, "option '" + option->name + "' follows from the target and cannot be set");
  if (!assignment.contains('=') && option->kind != OptionKind::Bool)
    return configError(origin, "option '" + option->name + "' needs a value: " + option->name + "=…");
  llvm::Expected<OptionValue> value =
      assignment.contains('=') ? parseOption(*option, text.trim(), origin) : llvm::Expected<OptionValue>(true);
  if (!value)
    return value.takeError();
  noteOptionName(name, *option, origin);
  set(*option, std::move(*value), origin);
  return llvm::Error::success();
}

void OptionSet::noteOldName(llvm::StringRef old, llvm::StringRef now, const Origin &origin) {
  if (llvm::none_of(oldNames, [&](const OldName &other) { return other.old == old; }))
    oldNames.push_back({old.str(), now.str(), origin});
}

void OptionSet::noteOptionName(llvm::StringRef name, const OptionDeclaration &option, const Origin &origin) {
  if (option.isAliasOld && canonicalise(name) == option.alias)
    noteOldName(option.alias, option.name, origin);
}

std::string OptionSet::resolvePass(llvm::StringRef name, const Origin &origin) {
  llvm::StringRef now = table->getPassName(name);
  if (now != name)
    noteOldName(name, now, origin);
  return now.str();
}

const OptionSet::Entry &OptionSet::inspect(llvm::StringRef name) const {
  return entries.find(name)->second;
}

const OptionSet::Entry &OptionSet::get(llvm::StringRef name) const {
  const Entry &entry = inspect(name);
  entry.isRead = true;
  return entry;
}

std::vector<llvm::StringRef> OptionSet::getSet() const {
  std::vector<llvm::StringRef> names;
  for (const OptionDeclaration &option : table->getAll())
    if (isSet(option.name) && !option.readOnly)
      names.push_back(option.name);
  return names;
}

std::vector<llvm::StringRef> OptionSet::getUnread() const {
  std::vector<llvm::StringRef> names = getSet();
  llvm::erase_if(names, [&](llvm::StringRef name) {
    const Entry &entry = inspect(name);
    return entry.isRead || entry.value == entry.without;
  });
  return names;
}

OptionSet OptionSet::without(llvm::StringRef name) const {
  OptionSet others = *this;
  Entry &entry = others.entries.find(name)->second;
  entry.value = entry.without;
  return others;
}
