//===- ExitCode.h - How a process reports the end of a compilation -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_EXITCODE_H
#define TILEIRAS_COMPILER_EXITCODE_H

#include "llvm/ADT/ArrayRef.h"

namespace tileiras {

/// CODE(enumerator, number, what it says, what to do). The exit codes of tileiras and tileiras-schedule.
#define TILEIRAS_EXIT_CODES(CODE)                                                                                      \
  CODE(Success, 0, "The compilation has succeeded and every output file is complete; there may be warnings.",          \
       "Nothing.")                                                                                                     \
  CODE(Usage, 1,                                                                                                       \
       "The command line is wrong: an unknown option, a value that an option does not take, options that contradict "  \
       "each other, no input file, or a remark filter that selects nothing.",                                          \
       "Correct the option that the message names; `--help`, `--help-options` and `--help-remarks` list what there "   \
       "is.")                                                                                                          \
  CODE(Configuration, 2,                                                                                               \
       "The plan of the compilation is wrong: a GPU that no plugin serves, a profile that cannot be read or names "    \
       "what does not exist, a plugin that is missing or cannot be loaded.",                                           \
       "Correct the file at the line that the message names; `--print-profile` shows the merged profile, "             \
       "`--list-plugins` the plugins and their GPUs.")                                                                 \
  CODE(BadInput, 3,                                                                                                    \
       "The input is not Tile IR, or Tile IR that is malformed, of an unknown version, or does not verify.",           \
       "Correct the program at the place that the message names; `--list-versions` shows the bytecode versions.")      \
  CODE(InputOutput, 4, "A file cannot be read or written, or there is no room for it.",                                \
       "Check the path, its permissions and the space on the disk.")                                                   \
  CODE(CompilationFailed, 5,                                                                                           \
       "The program is valid and was not compiled: a pass or the assembler reports why, or the limit of time or "      \
       "memory was reached.",                                                                                          \
       "Follow the message, often to smaller tiles or another option; `--reproducer=FILE` keeps what replays a pass "  \
       "that failed.")                                                                                                 \
  CODE(Internal, 70, "The compiler is wrong: an internal check has failed.",                                           \
       "Report it with the input and the options.")

enum class ExitCode : int {
#define TILEIRAS_DETAIL_EXIT_CODE(NAME, NUMBER, MEANING, ADVICE) NAME = NUMBER,
  TILEIRAS_EXIT_CODES(TILEIRAS_DETAIL_EXIT_CODE)
#undef TILEIRAS_DETAIL_EXIT_CODE
};

struct ExitCodeInfo {
  ExitCode code;
  const char *name, *meaning, *advice;
};

/// Every exit code, by number.
inline llvm::ArrayRef<ExitCodeInfo> getExitCodes() {
#define TILEIRAS_DETAIL_EXIT_CODE(NAME, NUMBER, MEANING, ADVICE) {ExitCode::NAME, #NAME, MEANING, ADVICE},
  static constexpr ExitCodeInfo codes[] = {TILEIRAS_EXIT_CODES(TILEIRAS_DETAIL_EXIT_CODE)};
#undef TILEIRAS_DETAIL_EXIT_CODE
  return codes;
}

} // namespace tileiras

#endif // TILEIRAS_COMPILER_EXITCODE_H
