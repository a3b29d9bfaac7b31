//===- Options.cpp - The options of the pipeline --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Profile/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace tileiras;

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

static OptionDeclaration choice(llvm::StringRef name, std::vector<llvm::StringRef> choices,
                                llvm::StringRef description) {
  std::string first = choices.front().str();
  return {name, OptionKind::Choice, std::move(first), description, 0, 0, std::move(choices)};
}

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
      integer("opt-level", 2, 0, 3, "which segments of the pipeline exist"),
      integer("v2-opt-level", 0, 0, 3, "enables the newer scheduling and specialisation stages"),
      choice("pipeline-strategy", {"none", "unspecialize", "warp-specialize"}, "how loops become software pipelines"),
      integerOf("index-bitwidth", {0, 32, 64}, 32, "width of index arithmetic: 32, 64, or 0 for the host's word"),
      integer("unspecialized-pipeline-num-stages", 4, 1, 64, "stages of an unspecialised software pipeline"),
      flag("approx", false, "allow approximate floating-point instructions everywhere"),
      choice("block-scale", {"hardware", "emulate"},
             "block-scaled products where the GPU has none: refused, or the scales are multiplied into the operands"),
      flag("ftz", false, "flush subnormal f32 values to zero everywhere"),
      flag("use-nvgpucomp-libnvvm", false, "accepted for compatibility; code generation is LLVM's NVPTX back end"),
      choice("emit-line-info", {"none", "from-input", "frontend", "tileas-boundary"},
             "line tables and, for the last two, a snapshot of the IR at that point"),
      flag("dynamic-persistent", false, "make kernels persistent, with dynamic distribution of work"),
      text("schedule-trace-file", "", "where the scheduler writes its trace"),
      flag("enable-random-delay", false, "random delays in schedules, to stress synchronisation"),
      integer("rrt-size-threshold", 4096, 0, unlimited,
              "reservation-table size above which time is quantised; 0: light mode"),
      integer("max-constraint-iterations", 10, 1, unlimited, "attempts of the scheduler at one initiation interval"),
      flag("enable-debug-logging", false, "logging in the host wrapper"),
      text("host-triple", "native", "triple of the host object"),
      text("dump-host", "", "where the host wrapper is dumped"),
      flag("device-debug", false, "full debug information and no optimisation"),
      choice("sanitize", {"none", "memcheck"}, "instrument device code"),
      choice("host-arch", {"x86_64", "aarch64", "arm64ec"}, "architecture of the host object"),
      choice("host-os", {"linux", "windows"}, "operating system of the host object"),
      text("scheduler.name", "", "the scheduler; empty: the scheduling pass's own choice"),
      flag("ocg-knobs", false, "emit pragmas for ptxas builds that understand them"),
      capability,
  };
  llvm::sort(options, [](const auto &a, const auto &b) { return a.name < b.name; });
  return options;
}

llvm::ArrayRef<OptionDeclaration> tileiras::getOptionDeclarations() {
  static const std::vector<OptionDeclaration> options = declareOptions();
  return options;
}

const OptionDeclaration *tileiras::findOption(llvm::StringRef name) {
  std::string canonical = name.str();
  std::replace(canonical.begin(), canonical.end(), '_', '-');
  auto find = [](llvm::StringRef key) -> const OptionDeclaration * {
    auto options = getOptionDeclarations();
    auto it = llvm::find_if(options, [&](const OptionDeclaration &option) { return option.name == key; });
    return it == options.end() ? nullptr : it;
  };
  if (const OptionDeclaration *option = find(canonical))
    return option;
  // `[scheduler] max-constraint-iterations` and the pipeline option are one thing.
  llvm::StringRef key = canonical;
  if (key.consume_front("scheduler."))
    for (llvm::StringRef shared :
         {"max-constraint-iterations", "rrt-size-threshold", "enable-random-delay", "schedule-trace-file"})
      if (key == shared)
        return find(key);
  return nullptr;
}

std::string tileiras::describeUnknownOption(llvm::StringRef name) {
  std::vector<std::string> names;
  for (const OptionDeclaration &option : getOptionDeclarations())
    if (!option.readOnly)
      names.push_back(option.name.str());
  return ("unknown option '" + name + "'" + suggestName(name, names)).str();
}

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

static std::vector<std::string> printed(llvm::ArrayRef<int64_t> values) {
  std::vector<std::string> texts;
  for (int64_t value : values)
    texts.push_back(std::to_string(value));
  return texts;
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

OptionSet::OptionSet() {
  for (const OptionDeclaration &option : getOptionDeclarations())
    entries.emplace(option.name.str(), Entry{option.defaultValue, Origin::described("default")});
}

void OptionSet::set(const OptionDeclaration &option, OptionValue value, Origin origin) {
  entries.find(option.name)->second = {std::move(value), std::move(origin), false};
}

llvm::Error OptionSet::setFromText(llvm::StringRef assignment, const Origin &origin) {
  auto [name, text] = assignment.split('=');
  name = name.trim();
  const OptionDeclaration *option = findOption(name);
  if (!option)
    return configError(origin, describeUnknownOption(name));
  if (option->readOnly)
    return configError(origin, "option '" + option->name + "' follows from the target and cannot be set");
  if (!assignment.contains('=') && option->kind != OptionKind::Bool)
    return configError(origin, "option '" + option->name + "' needs a value: " + option->name + "=…");
  llvm::Expected<OptionValue> value =
      assignment.contains('=') ? parseOption(*option, text.trim(), origin) : llvm::Expected<OptionValue>(true);
  if (!value)
    return value.takeError();
  set(*option, std::move(*value), origin);
  return llvm::Error::success();
}

const OptionSet::Entry &OptionSet::inspect(llvm::StringRef name) const {
  return entries.find(name)->second;
}

const OptionSet::Entry &OptionSet::get(llvm::StringRef name) const {
  const Entry &entry = inspect(name);
  entry.isRead = true;
  return entry;
}

std::vector<llvm::StringRef> OptionSet::getUnread() const {
  std::vector<llvm::StringRef> names;
  for (const auto &[name, entry] : entries)
    if (!entry.isRead && isSet(name) && !findOption(name)->readOnly)
      names.push_back(name);
  return names;
}
