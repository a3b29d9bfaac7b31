//===- Regressions.cpp - Programs that failed once ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Regressions.h"
#include "Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tileiras::fuzz;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Expected<std::string> readProgram(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read " + file + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

llvm::Expected<Job> tileiras::fuzz::loadProgram(llvm::StringRef textFile, llvm::StringRef launchFile) {
  llvm::Expected<std::string> text = readProgram(textFile);
  if (!text)
    return text.takeError();
  llvm::Expected<LaunchCase> launch = LaunchCase::load(launchFile.str());
  if (!launch)
    return launch.takeError();
  return Job{path::stem(textFile).str(), std::move(*text), std::move(*launch)};
}

llvm::Expected<std::vector<Job>> tileiras::fuzz::loadRegressions(llvm::StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end && !error; entry.increment(error))
    if (path::extension(entry->path()) == ".mlir")
      files.push_back(entry->path());
  if (error)
    return llvm::createStringError(error, "cannot list " + folder + ": " + error.message());
  if (files.empty())
    return llvm::createStringError("no program (NAME.mlir) in " + folder);
  llvm::sort(files);
  std::vector<Job> jobs;
  for (const std::string &file : files) {
    llvm::SmallString<128> launch(file);
    path::replace_extension(launch, ".json");
    llvm::Expected<Job> job = loadProgram(file, launch);
    if (!job)
      return job.takeError();
    jobs.push_back(std::move(*job));
  }
  return jobs;
}

llvm::Error tileiras::fuzz::fileRegression(llvm::StringRef folder, llvm::StringRef name, const Job &job,
                                           const Outcome &outcome) {
  if (std::error_code error = fs::create_directories(folder))
    return llvm::createStringError(error, "cannot create " + folder + ": " + error.message());
  llvm::SmallString<128> file(folder);
  path::append(file, name + ".mlir");
  std::string first = llvm::StringRef(outcome.message).split('\n').first.str();
  std::string text = "// From " + job.name + ": " + describe(outcome.verdict) + " at " + outcome.stage + ".\n// " +
                     first + "\n" + job.text;
  if (llvm::Error error = tileiras::writeFile(file, text))
    return error;
  if (job.launch.entry.empty())
    return llvm::Error::success();
  path::replace_extension(file, ".json");
  return tileiras::writeFile(file, job.launch.toJson());
}
