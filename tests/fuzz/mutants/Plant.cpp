//===- Plant.cpp - Failures to be found ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plant.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>
#include <unistd.h>

using namespace tileiras::fuzz;

[[noreturn]] static void hang() {
  for (;;)
    ::pause();
}

llvm::Expected<std::function<bool(std::string &)>> tileiras::fuzz::parsePlanted(llvm::StringRef text) {
  auto [kind, pattern] = text.split('=');
  std::string error;
  if (pattern.empty() || !llvm::is_contained({"crash", "hang", "ptx", "result"}, kind))
    return llvm::createStringError("--plant '" + text + "' is not crash, hang, ptx or result, =, and a pattern of PTX");
  if (!llvm::Regex(pattern).isValid(error))
    return llvm::createStringError("--plant '" + text + "': " + error);
  return [kind = kind.str(), pattern = pattern.str()](std::string &ptx) {
    llvm::SmallVector<llvm::StringRef> matches;
    if (!llvm::Regex(pattern, llvm::Regex::Newline).match(ptx, &matches))
      return true;
    if (kind == "crash")
      std::abort();
    if (kind == "hang")
      hang();
    ptx.replace(static_cast<size_t>(matches[0].data() - ptx.data()), matches[0].size(),
                kind == "ptx" ? "planted;" : "");
    return true;
  };
}
