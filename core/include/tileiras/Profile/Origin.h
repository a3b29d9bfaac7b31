//===- Origin.h - Where a setting comes from --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PROFILE_ORIGIN_H
#define TILEIRAS_PROFILE_ORIGIN_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tileiras {

/// Where a value was written: a place in a file, or something like "default" and "command line (--lineinfo)".
struct Origin {
  std::string file;              ///< or the description, when line is 0
  unsigned line = 0, column = 0; ///< 1-based

  static Origin described(const llvm::Twine &text) { return {text.str(), 0, 0}; }
  /// "o3.toml:12:5", or the description.
  std::string str() const;
};

/// A mistake in a profile, an option or pipeline text. Prints as "o3.toml:12:5: error: …", like a compiler does; as
/// "error: …" when there is no file.
class ConfigError : public llvm::ErrorInfo<ConfigError> {
public:
  static char ID;
  ConfigError(Origin origin, const llvm::Twine &message) : origin(std::move(origin)), message(message.str()) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  const Origin &getOrigin() const { return origin; }

private:
  Origin origin;
  std::string message;
};

inline llvm::Error configError(const Origin &origin, const llvm::Twine &message) {
  return llvm::make_error<ConfigError>(origin, message);
}

/// The candidates that `name` is most likely misspelt from, by name: none when no candidate resembles it, several when
/// they are equally near.
std::vector<std::string> findNearestNames(llvm::StringRef name, llvm::ArrayRef<std::string> candidates);
/// "; did you mean 'a', 'b' or 'c'?", or nothing.
std::string listSuggestions(llvm::ArrayRef<std::string> names);
/// "; did you mean 'canonicalize'?", or nothing when no candidate resembles `name`.
std::string suggestName(llvm::StringRef name, llvm::ArrayRef<std::string> candidates);

} // namespace tileiras

#endif // TILEIRAS_PROFILE_ORIGIN_H
