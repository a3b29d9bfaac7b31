//===- RemarkTable.h - Tables of remarks ------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core and every plugin list their remarks in a table each. A table makes enumerators, and only these can be
// emitted:
//
//   #define ACME_REMARKS(PASSED, MISSED, ANALYSIS) \
//     MISSED(NotCounted, "NotCounted", tileiras::ScheduleRemarks, "An operation is not counted.", "Count it by hand.")
//   TILEIRAS_REMARK_TABLE(ACME_REMARKS)
//
//   tileiras::remarkOn(op, Missed::NotCounted) << "reason";
//
// A plugin has {PluginContents::Remarks, "acme", {}, kRemarks} among its contents: so the compiler knows names and
// categories before the plugin is active.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIAGNOSTICS_REMARKTABLE_H
#define TILEIRAS_DIAGNOSTICS_REMARKTABLE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"
#include <concepts>
#include <iterator>
#include <string_view>

namespace tileiras {

/// What --remarks-filter selects, and the sentence that says what its remarks are about.
struct RemarkCategory {
  const char *name, *meaning;
};

/// A row of a table. Texts are literals: they outlive every remark.
struct RemarkInfo {
  enum Kind : uint8_t { Passed, Missed, Analysis } kind;
  const char *name;
  const RemarkCategory *category;
  const char *meaning; ///< a sentence: what the remark says
  const char *advice;  ///< a sentence: what to do about it
};

/// "passed", "missed", "analysis": as --remarks spells it.
constexpr const char *stringifyRemarkKind(RemarkInfo::Kind kind) {
  return kind == RemarkInfo::Passed ? "passed" : kind == RemarkInfo::Missed ? "missed" : "analysis";
}

/// The enumerators of a table.
template <typename Enum>
concept RemarkOfTable = std::is_enum_v<Enum> && requires(Enum remark) {
  { getRemarkInfo(remark) } -> std::same_as<const RemarkInfo &>;
};

namespace detail {
mlir::remark::detail::InFlightRemark emitRemark(mlir::Operation *op, const RemarkInfo &info);

constexpr bool isSentence(std::string_view text) {
  return text.size() > 1 && text.back() == '.';
}

/// Whether every row says all there is to say.
constexpr bool isComplete(const RemarkInfo *begin, const RemarkInfo *end) {
  for (; begin != end; ++begin)
    if (!*begin->name || !begin->category || !isSentence(begin->meaning) || !isSentence(begin->advice))
      return false;
  return true;
}
} // namespace detail

/// A remark about `op`; what is streamed into the result is its message. It has the source line of `op` and the name of
/// the function around it.
template <RemarkOfTable Enum>
mlir::remark::detail::InFlightRemark remarkOn(mlir::Operation *op, Enum remark) {
  return detail::emitRemark(op, getRemarkInfo(remark));
}

} // namespace tileiras

#define TILEIRAS_DETAIL_NO_REMARK(...)
#define TILEIRAS_DETAIL_PASSED_INDEX(ID, ...) Passed##ID,
#define TILEIRAS_DETAIL_MISSED_INDEX(ID, ...) Missed##ID,
#define TILEIRAS_DETAIL_ANALYSIS_INDEX(ID, ...) Analysis##ID,
#define TILEIRAS_DETAIL_PASSED_ENUMERATOR(ID, ...) ID = RemarkIndices::Passed##ID,
#define TILEIRAS_DETAIL_MISSED_ENUMERATOR(ID, ...) ID = RemarkIndices::Missed##ID,
#define TILEIRAS_DETAIL_ANALYSIS_ENUMERATOR(ID, ...) ID = RemarkIndices::Analysis##ID,
#define TILEIRAS_DETAIL_PASSED_ROW(ID, NAME, CATEGORY, MEANING, ADVICE)                                                \
  {tileiras::RemarkInfo::Passed, NAME, &CATEGORY, MEANING, ADVICE},
#define TILEIRAS_DETAIL_MISSED_ROW(ID, NAME, CATEGORY, MEANING, ADVICE)                                                \
  {tileiras::RemarkInfo::Missed, NAME, &CATEGORY, MEANING, ADVICE},
#define TILEIRAS_DETAIL_ANALYSIS_ROW(ID, NAME, CATEGORY, MEANING, ADVICE)                                              \
  {tileiras::RemarkInfo::Analysis, NAME, &CATEGORY, MEANING, ADVICE},

/// Defines `kRemarks`, the table, and the enums `Passed`, `Missed` and `Analysis` of the namespace it stands in.
/// LIST(PASSED, MISSED, ANALYSIS) has one PASSED, MISSED or ANALYSIS(identifier, name, category, meaning, advice) for
/// each remark. `category` is a RemarkCategory, of the core (Remarks.h) or one's own.
#define TILEIRAS_REMARK_TABLE(LIST)                                                                                    \
  namespace RemarkIndices {                                                                                            \
  enum : uint16_t {                                                                                                    \
    LIST(TILEIRAS_DETAIL_PASSED_INDEX, TILEIRAS_DETAIL_MISSED_INDEX, TILEIRAS_DETAIL_ANALYSIS_INDEX)                   \
  };                                                                                                                   \
  }                                                                                                                    \
  enum class Passed : uint16_t {                                                                                       \
    LIST(TILEIRAS_DETAIL_PASSED_ENUMERATOR, TILEIRAS_DETAIL_NO_REMARK, TILEIRAS_DETAIL_NO_REMARK)                      \
  };                                                                                                                   \
  enum class Missed : uint16_t {                                                                                       \
    LIST(TILEIRAS_DETAIL_NO_REMARK, TILEIRAS_DETAIL_MISSED_ENUMERATOR, TILEIRAS_DETAIL_NO_REMARK)                      \
  };                                                                                                                   \
  enum class Analysis : uint16_t {                                                                                     \
    LIST(TILEIRAS_DETAIL_NO_REMARK, TILEIRAS_DETAIL_NO_REMARK, TILEIRAS_DETAIL_ANALYSIS_ENUMERATOR)                    \
  };                                                                                                                   \
  inline constexpr tileiras::RemarkInfo kRemarks[] = {                                                                 \
      LIST(TILEIRAS_DETAIL_PASSED_ROW, TILEIRAS_DETAIL_MISSED_ROW, TILEIRAS_DETAIL_ANALYSIS_ROW)};                     \
  static_assert(tileiras::detail::isComplete(std::begin(kRemarks), std::end(kRemarks)),                                \
                "a remark lacks its name, or a sentence that says what it means or what to do");                       \
  constexpr const tileiras::RemarkInfo &getRemarkInfo(Passed remark) {                                                 \
    return kRemarks[unsigned(remark)];                                                                                 \
  }                                                                                                                    \
  constexpr const tileiras::RemarkInfo &getRemarkInfo(Missed remark) {                                                 \
    return kRemarks[unsigned(remark)];                                                                                 \
  }                                                                                                                    \
  constexpr const tileiras::RemarkInfo &getRemarkInfo(Analysis remark) {                                               \
    return kRemarks[unsigned(remark)];                                                                                 \
  }

#endif // TILEIRAS_DIAGNOSTICS_REMARKTABLE_H
