//===- Compilation.h - One run of the tool ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The story of a compilation is told once, in Compilation::compile(). What it calls is in the library (Session.h) or a
// few lines below.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_COMPILATION_H
#define TILEIRAS_TOOLS_TILEIRAS_COMPILATION_H

#include "CommandLine.h"
#include "tileiras/Compiler/SessionPool.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {

/// One run of the tool, or one line of a batch. The first step that fails is the last one that runs.
class Compilation {
public:
  /// Where it takes place. What it says goes to `messages`.
  struct Surroundings {
    Watchdog &watchdog;
    bool endsWatch = true; ///< nothing is compiled after it
    SessionPool *pool = nullptr;
    llvm::raw_ostream &messages = llvm::errs();
  };

  Compilation(CommandLine commandLine, const Surroundings &surroundings);

  llvm::Error compile();
  /// --list-plugins, --print-profile and the like: the same story, without an input.
  llvm::Error answer();
  /// What a failed compilation leaves: its remarks, and what replays it.
  llvm::Error writeReports();
  void report();
  bool isFromCache() const { return session.isFromCache(); }

private:
  using Session = CompilerSession;
  using SessionStep = llvm::Error (Session::*)();
  using OwnStep = llvm::Error (Compilation::*)();
  void step(SessionStep work, llvm::StringRef timer = "");
  void step(OwnStep work);

  llvm::Error openInput();
  llvm::Error writeOutputs();
  llvm::Error noteDefaultGpu();
  llvm::Error printAnswers();

  CommandLine line;
  Surroundings surroundings;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope total;
  Session session;
  llvm::Error failure = llvm::Error::success();
  bool isCompiled = false;
};

/// Prints what is not printed yet to `messages`.
ExitCode toExitCode(llvm::Error error, llvm::raw_ostream &messages = llvm::errs());

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_COMPILATION_H
