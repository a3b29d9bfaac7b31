//===- Check.h - Does the compiler do to a program what the reference says? ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_CHECK_H
#define TILEIRAS_FUZZ_CHECK_H

#include "LaunchCase.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace tileiras::fuzz {

enum class Verdict : uint8_t {
  Agreement,
  Refused,            ///< the compiler says that the chip cannot do it
  InvalidProgram,     ///< does not parse or verify
  UndefinedProgram,   ///< the reference interpreter reports what the language leaves undefined
  RoundTrip,          ///< changes on its way through bytecode
  CompilerDiagnostic, ///< any other error of the compiler
  AssemblerDiagnostic,
  UnknownPtx,         ///< the emulator cannot read what the compiler wrote
  EmulatorDiagnostic, ///< race, out-of-bounds access, deadlock, …
  WrongResult,
  Crash,
  Timeout,
};
constexpr unsigned kNumVerdicts = static_cast<unsigned>(Verdict::Timeout) + 1;
const char *describe(Verdict verdict);
inline bool isFailure(Verdict verdict) {
  return verdict != Verdict::Agreement && verdict != Verdict::Refused;
}

struct Outcome {
  Verdict verdict = Verdict::Agreement;
  std::string stage;              ///< what was going on: "compile -O2", "emulate -O0 seed 1"
  std::string message;            ///< of the first failure
  std::vector<std::string> notes; ///< what has been done, to be counted: "compiled", "assembled", "emulated", …

  /// Failures of one cause have the same: the verdict and the message without numbers and names of values.
  std::string signature() const;
};

/// A profile, by its name or file, and options that go with it: "o3-ws+scheduler.name=serial".
struct ProfileChoice {
  ProfileChoice(const std::string &text);
  std::string text, profile;
  std::vector<std::string> settings;
};

struct CheckOptions {
  std::vector<unsigned> levels{0, 1, 2, 3};
  std::vector<ProfileChoice> profiles; ///< to check besides the levels
  unsigned schedules = 2;              ///< seeds of the emulator for each level and profile
  std::vector<std::string> gpuNames{"sm_90"};
  bool namesChip = false;            ///< stages name the chip; else only where there are several
  std::vector<std::string> settings; ///< "key=value", of every compilation
  /// Path of ptxas; empty: PTX is not assembled. What it says of products that it had to put in order is an error: the
  /// program was wrong by the ISA.
  std::string assembler;
  /// The program may be undefined, or wrong for its launch: it is not run then, nor without a launch. An error of the
  /// compiler is a refusal if it says what is wrong and where.
  bool isMutant = false;
  bool isStrict = false;              ///< the emulator follows the ISA's letter where practice is laxer
  uint64_t maxOperations = 2'000'000; ///< of the reference, all tile blocks together
  /// Changes PTX on its way to the emulator. Returns false if there is nothing to change.
  std::function<bool(std::string &ptx)> rewrite;
};

/// The stage of a check that `rewrite` found nothing to change for, in any pipeline.
constexpr const char *kUnchangedStage = "nothing to change";

/// Runs a program on the reference interpreter, then compiled for each chip by each level and profile on the emulator,
/// compares all buffers, and assembles what agrees. The first failure ends it; where a chip refuses the program, the
/// others are still asked. `atStage` hears what comes next. It is done in this process: a crash of the compiler is the
/// caller's.
Outcome checkProgram(llvm::StringRef text, const LaunchCase &launch, const CheckOptions &options,
                     llvm::function_ref<void(llvm::StringRef)> atStage);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_CHECK_H
