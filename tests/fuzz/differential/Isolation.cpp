//===- Isolation.cpp - Checks in processes of their own -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isolation.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <list>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tileiras::fuzz;
using Clock = std::chrono::steady_clock;

namespace {

/// The child writes records: 't', how long the text is that it has prepared, a new line and the text; 'n' and a note,
/// 's' and a stage as it enters it, lines both; at the end 'v', the verdict, and the message.
struct Child {
  Job job;
  pid_t pid;
  int pipe;
  Clock::time_point start;
  std::string received;
};

} // namespace

static void writeAll(int descriptor, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0)
      _exit(1);
    text = text.drop_front(static_cast<size_t>(written));
  }
}

[[noreturn]] static void runChild(const Job &job, const CheckOptions &options, int pipe) {
  // What the compiler prints before it dies is the message.
  ::dup2(pipe, STDERR_FILENO);
  rlimit memory{rlim_t(6) << 30, rlim_t(6) << 30}, core{0, 0};
  ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &core);
  auto writeStage = [&](llvm::StringRef stage) { writeAll(pipe, "\1s" + stage.str() + "\n"); };
  auto writeNotes = [&](llvm::ArrayRef<std::string> notes) {
    for (const std::string &note : notes)
      writeAll(pipe, "\1n" + note + "\n");
  };
  std::string prepared;
  LaunchCase launch = job.launch;
  if (job.prepare) {
    writeStage("prepare");
    std::vector<std::string> notes;
    prepared = job.prepare(notes, launch);
    writeAll(pipe, "\1t" + std::to_string(prepared.size()) + "\n" + prepared);
    writeNotes(notes);
  }
  Outcome outcome;
  const std::string &text = job.prepare ? prepared : job.text;
  if (!job.prepare || !prepared.empty())
    outcome = job.check ? job.check(text, writeStage) : checkProgram(text, launch, options, writeStage);
  writeNotes(outcome.notes);
  writeStage(outcome.stage);
  writeAll(pipe, std::string("\1v") + static_cast<char>('A' + static_cast<int>(outcome.verdict)) + outcome.message);
  _exit(0);
}

static Child startChild(Job job, const CheckOptions &common) {
  const CheckOptions &options = job.options ? *job.options : common;
  int ends[2];
  if (::pipe(ends) != 0)
    llvm::report_fatal_error("no pipe");
  std::fflush(nullptr);
  pid_t pid = ::fork();
  if (pid < 0)
    llvm::report_fatal_error("no process");
  if (pid == 0) {
    ::close(ends[0]);
    runChild(job, options, ends[1]);
  }
  ::close(ends[1]);
  return {std::move(job), pid, ends[0], Clock::now(), {}};
}

/// What the child said, and how it ended; `text` is what it has prepared.
static Outcome readOutcome(const std::string &received, int status, std::string &text) {
  Outcome outcome;
  std::string noise;
  llvm::StringRef rest(received);
  while (!rest.empty()) {
    size_t mark = rest.find('\1');
    noise += rest.take_front(mark).str();
    if (mark == llvm::StringRef::npos || mark + 1 >= rest.size())
      break;
    char kind = rest[mark + 1];
    rest = rest.drop_front(mark + 2);
    if (kind != 'v') {
      auto [line, behind] = rest.split('\n');
      rest = behind;
      size_t length = 0;
      if (kind == 's') {
        outcome.stage = line.str();
      } else if (kind == 'n') {
        outcome.notes.push_back(line.str());
      } else if (!line.getAsInteger(10, length)) {
        text = rest.take_front(length).str();
        rest = rest.drop_front(text.size());
      }
    } else {
      outcome.verdict = static_cast<Verdict>(rest.front() - 'A');
      outcome.message = rest.drop_front().str();
      break;
    }
  }
  if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0)) {
    outcome.verdict = Verdict::Crash;
    std::string how =
        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit code " + std::to_string(WEXITSTATUS(status));
    outcome.message = how + " at " + outcome.stage + ": " + noise.substr(0, 4000);
  }
  return outcome;
}

static Finished finishChild(Child child, bool isLate) {
  if (isLate)
    ::kill(child.pid, SIGKILL);
  ::close(child.pipe);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
    ;
  Outcome outcome = readOutcome(child.received, isLate ? 0 : status, child.job.text);
  if (isLate) {
    outcome.verdict = Verdict::Timeout;
    outcome.message = "not done at " + outcome.stage;
  }
  return {std::move(child.job), outcome, std::chrono::duration<double>(Clock::now() - child.start).count()};
}

void tileiras::fuzz::runIsolated(llvm::function_ref<std::optional<Job>()> next,
                                 llvm::function_ref<void(Finished &&)> done, const CheckOptions &options,
                                 unsigned parallel, double deadlineSeconds) {
  std::list<Child> children;
  bool hasMore = true;
  while (hasMore || !children.empty()) {
    while (hasMore && children.size() < parallel) {
      std::optional<Job> job = next();
      hasMore = job.has_value();
      if (job)
        children.push_back(startChild(std::move(*job), options));
    }
    std::vector<pollfd> descriptors;
    for (const Child &child : children)
      descriptors.push_back({child.pipe, POLLIN, 0});
    ::poll(descriptors.data(), descriptors.size(), /*milliseconds=*/200);
    size_t i = 0;
    for (auto child = children.begin(); child != children.end(); ++i) {
      bool isClosed = false;
      if (descriptors[i].revents) {
        char buffer[4096];
        ssize_t count = ::read(child->pipe, buffer, sizeof(buffer));
        isClosed = count == 0 || (count < 0 && errno != EINTR);
        if (count > 0)
          child->received.append(buffer, static_cast<size_t>(count));
      }
      bool isLate = std::chrono::duration<double>(Clock::now() - child->start).count() > deadlineSeconds;
      if (isClosed || isLate) {
        Child ended = std::move(*child);
        child = children.erase(child);
        done(finishChild(std::move(ended), isLate && !isClosed));
      } else {
        ++child;
      }
    }
  }
}

Outcome tileiras::fuzz::checkIsolated(const Job &job, const CheckOptions &options, double deadlineSeconds) {
  Outcome outcome;
  bool isStarted = false;
  runIsolated(
      [&]() -> std::optional<Job> { return std::exchange(isStarted, true) ? std::nullopt : std::optional(job); },
      [&](Finished &&finished) { outcome = std::move(finished.outcome); }, options, 1, deadlineSeconds);
  return outcome;
}
