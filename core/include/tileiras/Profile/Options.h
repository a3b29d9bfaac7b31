//===- Options.h - The options of the pipeline ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a profile, `tileir{…}` or `--set` may say about a compilation is declared in one table. Values are merged
// field by field, the later source winning: declared default, inherited profile, profile, tileir{…}, command line.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PROFILE_OPTIONS_H
#define TILEIRAS_PROFILE_OPTIONS_H

#include "tileiras/Profile/Origin.h"
#include <cstdint>
#include <map>
#include <variant>
#include <vector>

namespace tileiras {

using OptionValue = std::variant<bool, int64_t, std::string>;

/// "true", "4", "none": as `--set` and pass options spell it.
std::string printOptionValue(const OptionValue &value);

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
};

/// Every declared option, sorted by name.
llvm::ArrayRef<OptionDeclaration> getOptionDeclarations();
/// The declaration of `name`; `[scheduler]` keys that are also pipeline options, and the old underscore spellings, lead
/// to the same declaration. Null when there is none.
const OptionDeclaration *findOption(llvm::StringRef name);
/// "unknown option 'num-warp'; did you mean 'num-warps'?"
std::string describeUnknownOption(llvm::StringRef name);

/// Checks `value` against the declaration. Choices are matched without regard to case and dashes (`FromInput` is
/// `from-input`) and come back in their declared spelling.
llvm::Expected<OptionValue> checkOption(const OptionDeclaration &option, const OptionValue &value,
                                        const Origin &origin);
/// The same for a value in text.
llvm::Expected<OptionValue> parseOption(const OptionDeclaration &option, llvm::StringRef text, const Origin &origin);

/// A value for every declared option, each with its origin.
class OptionSet {
public:
  /// The declared defaults.
  OptionSet();

  struct Entry {
    OptionValue value;
    Origin origin;
    mutable bool isRead = false; ///< somebody acted on the value
  };

  /// Sets a checked value.
  void set(const OptionDeclaration &option, OptionValue value, Origin origin);
  /// "key=value", as `--set` takes it.
  llvm::Error setFromText(llvm::StringRef assignment, const Origin &origin);

  /// `name` is a declared name. The caller acts on the value: see getUnread.
  const Entry &get(llvm::StringRef name) const;
  /// The same for those who only show it.
  const Entry &inspect(llvm::StringRef name) const;
  /// The options that somebody set, but nobody has asked for.
  std::vector<llvm::StringRef> getUnread() const;
  bool getBool(llvm::StringRef name) const { return std::get<bool>(get(name).value); }
  int64_t getInteger(llvm::StringRef name) const { return std::get<int64_t>(get(name).value); }
  llvm::StringRef getString(llvm::StringRef name) const { return std::get<std::string>(get(name).value); }
  /// True when something other than the declaration gave `name` its value.
  bool isSet(llvm::StringRef name) const { return inspect(name).origin.file != "default"; }

private:
  std::map<std::string, Entry, std::less<>> entries;
};

} // namespace tileiras

#endif // TILEIRAS_PROFILE_OPTIONS_H
