//===- Batch.cpp - Many compilations in one process -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Compilation.h"
#include "CompilerFlags.h"
#include "EnvironmentFlags.h"
#include "OutputFile.h"
#include "tileiras/Schedule/ProgressLine.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Jobserver.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"
#include <cmath>

using namespace tileiras;
using llvm::Error;
using llvm::StringRef;
using Clock = std::chrono::steady_clock;

namespace {

struct Line {
  unsigned number; ///< from 1
  std::string text;
  std::optional<CommandLine> command; ///< none: it cannot be read, as the messages say
  std::string input, output, messages;
  ExitCode code = ExitCode::Success;
  bool isFromCache = false;
  std::chrono::duration<double> time{0};
};

class Batch {
public:
  Batch(const CommandLine &batch, Watchdog &watchdog) : batch(batch), watchdog(watchdog) {}

  Error read();
  Error openLog();
  void run();
  ExitCode finish();

private:
  void parse(Line &line);
  Error claimFiles(const Line &line);
  void compile(Line &line);
  void report(Line &line);
  void showProgress();
  llvm::ThreadPoolStrategy chooseJobs() const;
  std::string getPlace(const Line &line) const;

  const CommandLine &batch;
  Watchdog &watchdog;
  std::vector<Line> lines;
  llvm::StringMap<unsigned> writers; ///< the line that writes a file
  SessionPool pool;

  std::mutex mutex; ///< of what follows, and of standard error
  std::unique_ptr<llvm::raw_fd_ostream> log;
  size_t done = 0, failed = 0;
  ProgressLine progressLine;
  std::function<void(StringRef)> progress = progressLine.getWriter("tileiras: ");
};

} // namespace

std::string Batch::getPlace(const Line &line) const {
  return (batch.batchFile == "-" ? "<stdin>" : batch.batchFile) + ":" + std::to_string(line.number);
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

/// All lines are read before the first one is compiled: the command-line library has one state for all threads.
Error Batch::read() {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInputFileOrStdin(batch.batchFile);
  if (!buffer)
    return llvm::make_error<CompileError>(ExitCode::InputOutput, "error: cannot read '" + batch.batchFile +
                                                                     "': " + buffer.getError().message());
  unsigned number = 0;
  for (StringRef text : llvm::split((*buffer)->getBuffer(), '\n')) {
    ++number;
    text = text.trim();
    if (!text.empty() && !text.starts_with("#"))
      lines.push_back({number, text.str(), {}, {}, {}, {}});
  }
  for (Line &line : lines)
    parse(line);
  return Error::success();
}

void Batch::parse(Line &line) {
  llvm::raw_string_ostream messages(line.messages);
  llvm::Expected<CommandLine> command = parseBatchLine(batch, line.text, messages);
  Error error = command ? Error::success() : command.takeError();
  if (!error) {
    line.command = std::move(*command);
    line.input = line.command->inputFile;
    line.output = line.command->outputFile;
    error = claimFiles(line);
  }
  line.code = toExitCode(std::move(error), messages);
  if (line.code != ExitCode::Success)
    line.command.reset();
}

/// Two lines that write one file would do so in any order.
Error Batch::claimFiles(const Line &line) {
  for (const std::string &file : {line.command->outputFile, line.command->metadataFile, line.command->remarksFile}) {
    if (file.empty())
      continue;
    llvm::SmallString<128> path(file);
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    auto [it, isFirst] = writers.try_emplace(path, line.number);
    if (!isFirst)
      return usageError("line " + std::to_string(it->second) + " writes '" + file +
                        "', too; -o, --metadata and --remarks-output-file give each line its own files");
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The parent make says how much may run at once; a recipe that it does not take for one of its own cannot ask it.
llvm::ThreadPoolStrategy Batch::chooseJobs() const {
  if (batch.jobs)
    return llvm::hardware_concurrency(*batch.jobs);
  // LLVM's client complains where there is none.
  const std::string flags = llvm::sys::Process::GetEnv("MAKEFLAGS").value_or("");
  if (!StringRef(flags).contains("--jobserver-"))
    return llvm::hardware_concurrency();
  if (llvm::JobserverClient::getInstance())
    return llvm::jobserver_concurrency();
  llvm::errs() << "note: make's jobserver cannot be reached, and one line is compiled at a time; a '+' at the start of "
                  "the recipe's line passes it on, and -j says how many there may be\n";
  return llvm::hardware_concurrency(1);
}

void Batch::run() {
  llvm::DefaultThreadPool threads(chooseJobs());
  for (Line &line : lines)
    threads.async([this, &line] {
      compile(line);
      report(line);
    });
  threads.wait();
}

/// What ends a line that takes too long, after the manner of the watchdog, which ends the process.
static std::function<std::optional<std::string>(int)> makeTimeLimit(std::chrono::milliseconds limit) {
  return [limit, deadline = Clock::now() + limit](int) -> std::optional<std::string> {
    if (Clock::now() < deadline)
      return std::nullopt;
    return "error: the compilation did not finish within " + std::to_string(limit.count()) +
           " ms (--time-limit); use smaller tiles, a lower -O level or a higher limit";
  };
}

void Batch::compile(Line &line) {
  if (!line.command)
    return;
  const Clock::time_point start = Clock::now();
  llvm::raw_string_ostream messages(line.messages);
  try {
    CommandLine &command = *line.command;
    command.compiler.diagnosticStream = &messages;
    if (command.limits.time.count())
      command.compiler.findReasonToStop = makeTimeLimit(command.limits.time);
    Compilation compilation(std::move(command), {watchdog, /*endsWatch=*/false, &pool, messages});
    line.code = toExitCode(compilation.compile(), messages);
    line.isFromCache = compilation.isFromCache();
    if (line.code != ExitCode::Success)
      toExitCode(compilation.writeReports(), messages);
  } catch (const std::exception &failure) {
    messages << "error: internal error: " << failure.what() << '\n';
    line.code = ExitCode::Internal;
  }
  line.command.reset();
  line.time = Clock::now() - start;
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

Error Batch::openLog() {
  if (batch.batchLog.empty())
    return Error::success();
  std::error_code error;
  log = std::make_unique<llvm::raw_fd_ostream>(batch.batchLog, error);
  if (!error)
    return Error::success();
  log.reset();
  return llvm::make_error<CompileError>(ExitCode::InputOutput,
                                        "error: cannot write '" + batch.batchLog + "': " + error.message());
}

static void writeLog(const Line &line, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("line", line.number);
    json.attribute("exit_code", static_cast<int>(line.code));
    json.attribute("seconds", std::round(line.time.count() * 1e4) / 1e4);
    json.attribute("cached", line.isFromCache);
    json.attribute("input", llvm::json::fixUTF8(line.input));
    json.attribute("output", llvm::json::fixUTF8(line.output));
    json.attribute("messages", llvm::json::fixUTF8(line.messages));
  });
  os << '\n';
  os.flush();
}

void Batch::report(Line &line) {
  std::lock_guard lock(mutex);
  const bool isFailure = line.code != ExitCode::Success;
  ++done;
  failed += isFailure;
  if (log)
    writeLog(line, *log);
  if (isFailure || !line.messages.empty()) {
    if (progress)
      progress("");
    llvm::errs() << getPlace(line) << ": ";
    if (isFailure)
      llvm::errs() << "exit code " << static_cast<int>(line.code) << ": ";
    llvm::errs() << line.text << '\n' << line.messages;
  }
  std::string().swap(line.messages);
  showProgress();
}

void Batch::showProgress() {
  if (progress)
    progress(llvm::formatv("{0} of {1} lines{2}", done, lines.size(),
                           failed ? llvm::formatv(", {0} failed", failed).str() : std::string())
                 .str());
}

ExitCode Batch::finish() {
  if (progress)
    progress("");
  Error logError = Error::success();
  if (log && log->has_error()) {
    logError = llvm::make_error<CompileError>(ExitCode::InputOutput, "error: cannot write '" + batch.batchLog +
                                                                         "': " + log->error().message());
    log->clear_error();
  }
  if (failed) {
    noteEnvironmentFlags();
    llvm::errs() << "error: " << failed << " of " << lines.size() << " lines have failed\n";
  }
  const ExitCode ofLog = toExitCode(std::move(logError));
  auto first = llvm::find_if(lines, [](const Line &line) { return line.code != ExitCode::Success; });
  return first != lines.end() ? first->code : ofLog;
}

ExitCode tileiras::runBatch(const CommandLine &batch, Watchdog &watchdog) {
  // The end of the process frees it faster than its destructor would.
  static Batch &work = *new Batch(batch, watchdog);
  Error error = work.openLog();
  if (!error)
    error = work.read();
  if (error)
    return toExitCode(std::move(error));
  work.run();
  const ExitCode code = work.finish();
  if (batch.reportMemory)
    llvm::errs() << "peak memory: " << getPeakMemory() << " MiB\n";
  return toExitCode(watchdog.finish()) == ExitCode::Success ? code : ExitCode::CompilationFailed;
}
