//===- Report.cpp - What has come out so far ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace tileiras::fuzz;

//===----------------------------------------------------------------------===//
// KnownFailures
//===----------------------------------------------------------------------===//

llvm::Expected<KnownFailures> KnownFailures::load(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read " + file + ": " + buffer.getError().message());
  KnownFailures known;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    auto [text, reason] = line.split("=>");
    if (reason.trim().empty())
      return llvm::createStringError(file + ": expected TEXT => REASON, got '" + line + "'");
    known.entries.emplace_back(text.trim().str(), reason.trim().str());
  }
  return known;
}

std::optional<std::string> KnownFailures::find(llvm::StringRef failure) const {
  for (const auto &[text, reason] : entries)
    if (failure.contains(text))
      return reason;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

void Report::showProgress() const {
  if (isQuiet)
    return;
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bool isTerminal = isatty(STDERR_FILENO);
  if (isTerminal || numPrograms % 50 == 0 || numPrograms == total)
    llvm::errs() << llvm::format("%zu of %zu, %.1f a second, %zu kinds of failure%s", numPrograms, total,
                                 static_cast<double>(numPrograms) / std::max(seconds, 1e-3), failures.size(),
                                 isTerminal && numPrograms < total ? "\r" : "\n");
}

void Report::addToGroups(const Finished &finished) {
  ++numPrograms;
  const Job &job = finished.job;
  auto add = [&](const std::string &name) {
    Group &group = groups[name];
    ++group.count;
    group.failed += isFailure(finished.outcome.verdict);
    group.seconds += finished.seconds;
  };
  if (!job.options || job.options->gpuNames.size() != 1 || job.options->profiles.size() != 1)
    return;
  add(job.options->gpuNames.front() + " " + job.options->profiles.front().text);
  if (*job.kind)
    add(job.kind);
}

void Report::add(Finished &&finished) {
  addToGroups(finished);
  const Outcome &outcome = finished.outcome;
  ++verdicts[static_cast<size_t>(outcome.verdict)];
  for (const std::string &note : outcome.notes)
    ++notes[note];
  if (outcome.verdict == Verdict::Refused)
    ++refusals[llvm::StringRef(outcome.message).split('\n').first.str()];
  if (isFailure(outcome.verdict)) {
    std::string signature = outcome.signature();
    if (std::optional<std::string> reason = known.find(finished.job.name + ": " + signature)) {
      ++reasons[*reason];
    } else {
      std::vector<std::string> &names = failures[signature];
      names.push_back(finished.job.name);
      llvm::outs() << finished.job.name << ": " << describe(outcome.verdict) << " at " << outcome.stage << "\n  "
                   << llvm::StringRef(outcome.message).take_front(600) << '\n';
      llvm::outs().flush();
      if (names.size() == 1 || outcome.verdict == Verdict::WrongResult)
        representatives.push_back(std::move(finished));
    }
  }
  showProgress();
}

int Report::close() const {
  for (auto &[name, group] : groups)
    llvm::outs() << llvm::format("  %-44s %6zu programs, %.2f s each, %zu failed\n", name.c_str(), group.count,
                                 group.seconds / static_cast<double>(group.count), group.failed);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!groups.empty())
    llvm::outs() << llvm::format("%.0f s, %.2f programs a second\n", seconds,
                                 static_cast<double>(numPrograms) / std::max(seconds, 1e-3));
  llvm::outs() << numPrograms << " programs:";
  for (size_t i = 0; i < kNumVerdicts; ++i)
    if (verdicts[i] > 0)
      llvm::outs() << "  " << describe(static_cast<Verdict>(i)) << ' ' << verdicts[i];
  llvm::outs() << '\n';
  for (auto &[message, number] : refusals)
    llvm::outs() << "  refused " << number << " times: " << message << '\n';
  for (auto &[reason, number] : reasons)
    llvm::outs() << "  known " << number << " times: " << reason << '\n';
  for (auto &[signature, names] : failures)
    llvm::outs() << "  FAILED " << names.size() << " times: " << signature << " (" << names.front() << ")\n";
  return failures.empty() ? 0 : 1;
}
