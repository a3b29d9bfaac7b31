//===- Plant.h - Failures to be found ---------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PLANT_H
#define TILEIRAS_FUZZ_PLANT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace tileiras::fuzz {

/// "KIND=PATTERN": what happens to PTX in which the extended regular expression is found. `crash` and `hang` end or
/// stop the process, `ptx` makes it invalid, `result` takes what matches out. For CheckOptions::rewrite.
llvm::Expected<std::function<bool(std::string &ptx)>> parsePlanted(llvm::StringRef text);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PLANT_H
