//===- ProgressLine.h - What a long search is doing ----------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_PROGRESSLINE_H
#define TILEIRAS_SCHEDULE_PROGRESSLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

namespace tileiras {

/// One line of standard error that is written over and over and is gone at the end. Where standard error is no terminal
/// there is none.
class ProgressLine {
public:
  ProgressLine() = default;
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;
  ~ProgressLine() {
    if (isWritten)
      llvm::errs() << kErase;
  }

  /// For SchedulerOptions::progress; empty without a terminal. Each line begins with `prefix`. Not to be called once
  /// this object is gone.
  std::function<void(llvm::StringRef)> getWriter(const llvm::Twine &prefix = "") {
    if (!llvm::sys::Process::StandardErrIsDisplayed())
      return {};
    return [this, prefix = prefix.str()](llvm::StringRef line) {
      llvm::errs() << kErase << prefix << line;
      isWritten = true;
    };
  }

private:
  static constexpr llvm::StringLiteral kErase = "\r\033[K";
  bool isWritten = false;
};

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_PROGRESSLINE_H
