//===- Options.h - The options of the pipeline ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a profile, `tileir{…}` or `--set` may say about a compilation is declared in one table, by the core or by
// the plugin that knows what to do with it. Values are merged field by field, the later source winning: declared
// default, inherited profile, profile, tileir{…}, command line.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PROFILE_OPTIONS_H
#define TILEIRAS_PROFILE_OPTIONS_H

#include "tileiras/Profile/Origin.h"
#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace tileiras {

using OptionValue = std::variant<bool, int64_t, std::string>;

/// "true", "4", "none": as `--set` and pass options spell it.
std::string printOptionValue(const OptionValue &value);

/// The values of `opt-level` are 0 to this.
inline constexpr int64_t kMaxOptLevel = 3;

enum class OptionKind : uint8_t { Bool, Integer, String, Choice };

struct OptionDeclaration {
  llvm::StringRef name; ///< "num-warps", "scheduler.name"
  OptionKind kind;
  OptionValue defaultValue;
  llvm::StringRef description;
  int64_t minimum = 0, maximum = INT32_MAX;  ///< Integer
  std::vector<llvm::StringRef> choices = {}; ///< Choice
  std::vector<int64_t> values = {};          ///< Integer: the only ones in the range that are accepted, unless empty
  /// Facts of the compilation that `when` conditions may test but nobody can set.
  bool readOnly = false;
  llvm::StringRef alias = {}; ///< a second name; empty: none
  bool isAliasOld = false;    ///< the alias has been replaced by the name: whoever uses it is told
  std::string owner = "core"; ///< the plugin that declares it
  bool namesOutput = false;   ///< the value says where something goes that a compilation writes besides its product

  /// "0…3", "none, from-input"; nothing where the kind says it all.
  std::string describeValues() const;
  /// "flag", "integer", "text" or "choice".
  llvm::StringRef describeKind() const;
};

/// Somebody names an option that nobody declares.
class UnknownOptionError : public llvm::ErrorInfo<UnknownOptionError, ConfigError> {
public:
  static char ID;
  UnknownOptionError(Origin origin, llvm::StringRef name, const llvm::Twine &suggestion)
      : ErrorInfo(std::move(origin), "unknown option '" + name + "'" + suggestion), name(name) {}
  llvm::StringRef getName() const { return name; }

private:
  std::string name;
};

/// The options of a compilation: the core's, and those of the plugins that could take part. Immutable once it is in
/// use: option sets and conditions refer to it.
class OptionTable {
public:
  /// The core's options.
  OptionTable();

  /// An error that names both owners when `option`'s name or alias is taken.
  llvm::Error add(OptionDeclaration option);
  /// Says that the options of `plugin` are in the table, though it may have none.
  void addPlugin(llvm::StringRef plugin) { plugins.push_back(plugin.str()); }
  bool hasPlugin(llvm::StringRef plugin) const { return llvm::is_contained(plugins, plugin); }

  /// Says that the pass `old` is called `now`.
  void addOldPass(llvm::StringRef old, llvm::StringRef now) { oldPasses.emplace(old.str(), now.str()); }
  /// What the pass `name` is called today.
  llvm::StringRef getPassName(llvm::StringRef name) const;

  /// Every declared option, by name.
  auto getAll() const { return llvm::make_second_range(options); }
  /// The declaration of `name`, which may be an alias or an old spelling with underscores. Null when there is none.
  const OptionDeclaration *find(llvm::StringRef name) const;
  /// "unknown option 'num-warp'; did you mean 'num-warps'?"
  llvm::Error describeUnknown(llvm::StringRef name, const Origin &origin) const;
  /// --help-options: name, type, default, who declares it, what it says.
  void print(llvm::raw_ostream &os) const;

private:
  const OptionDeclaration *findExactly(llvm::StringRef name) const;

  std::map<std::string, OptionDeclaration, std::less<>> options;
  std::map<std::string, std::string, std::less<>> oldPasses; ///< by the old name
  std::vector<std::string> plugins;
};

/// The table of a compilation without plugins.
std::shared_ptr<const OptionTable> getCoreOptions();

/// Checks `value` against the declaration. Choices are matched without regard to case and dashes (`FromInput` is
/// `from-input`) and come back in their declared spelling.
llvm::Expected<OptionValue> checkOption(const OptionDeclaration &option, const OptionValue &value,
                                        const Origin &origin);
/// The same for a value in text.
llvm::Expected<OptionValue> parseOption(const OptionDeclaration &option, llvm::StringRef text, const Origin &origin);

/// Somebody used the name `old` of an option or a pass that is called `now`.
struct OldName {
  std::string old, now;
  Origin origin;
};

/// A value for every declared option, each with its origin.
class OptionSet {
public:
  /// The declared defaults.
  explicit OptionSet(std::shared_ptr<const OptionTable> table = getCoreOptions());

  const OptionTable &getTable() const { return *table; }
  std::shared_ptr<const OptionTable> getSharedTable() const { return table; }

  struct Entry {
    OptionValue value;
    Origin origin;
    OptionValue without;         ///< the value that it would have if `origin` did not set it
    mutable bool isRead = false; ///< somebody acted on the value
  };

  /// Sets a checked value.
  void set(const OptionDeclaration &option, OptionValue value, Origin origin);
  /// "key=value", as `--set` takes it.
  llvm::Error setFromText(llvm::StringRef assignment, const Origin &origin);

  /// Remembers that `origin` says `name` for what is called `now`, if that is another name and an old one.
  void noteOptionName(llvm::StringRef name, const OptionDeclaration &option, const Origin &origin);
  /// What the pass `name` is called today; remembers where that is another name.
  std::string resolvePass(llvm::StringRef name, const Origin &origin);
  /// The uses of old names, each name once.
  llvm::ArrayRef<OldName> getOldNames() const { return oldNames; }

  /// `name` is a declared name. The caller acts on the value: see getUnread.
  const Entry &get(llvm::StringRef name) const;
  /// The same for those who only show it.
  const Entry &inspect(llvm::StringRef name) const;
  /// The options that somebody set.
  std::vector<llvm::StringRef> getSet() const;
  /// Those that would have another value if nobody had set them, and that nobody has asked for.
  std::vector<llvm::StringRef> getUnread() const;
  /// Says that the one who asked did not act on the value.
  void forgetReading(llvm::StringRef name) const { inspect(name).isRead = false; }
  /// The same options, but for `name`, which its origin has not set.
  OptionSet without(llvm::StringRef name) const;
  bool getBool(llvm::StringRef name) const { return std::get<bool>(get(name).value); }
  int64_t getInteger(llvm::StringRef name) const { return std::get<int64_t>(get(name).value); }
  llvm::StringRef getString(llvm::StringRef name) const { return std::get<std::string>(get(name).value); }
  /// True when something other than the declaration gave `name` its value.
  bool isSet(llvm::StringRef name) const { return inspect(name).origin.file != "default"; }

private:
  void noteOldName(llvm::StringRef old, llvm::StringRef now, const Origin &origin);

  std::shared_ptr<const OptionTable> table;
  std::map<std::string, Entry, std::less<>> entries;
  std::vector<OldName> oldNames;
};

} // namespace tileiras

#endif // TILEIRAS_PROFILE_OPTIONS_H
