//===- Names.cpp - Names of kernels and globals ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;

static constexpr const char *kHostileNames[] = {
    // Words of PTX: opcodes, registers, types, directives.
    "add", "mov", "ld", "bar", "ret", "exit", "pred", "shared", "tid", "entry", "reg", "version", "f32", "func",
    // What the compiler, its libraries and run-time systems call theirs, or could.
    "main", "exp", "memcpy", "__cudaCDP2Malloc", "global_smem", "printfFormat_", "smem", "shared_memory", "__unnamed_1",
    "__constant", "nvvm", "llvm",
    // Labels and parameters as PTX names them.
    "$L__BB0_1", "L__BB0_1", "WAIT", "NEXT1", "leader", "kernel_param_0", "kernel0_param_0", "param_0", "$$", "_0",
    "r1", "rd1", "p1"};

/// The compiler refuses these, and says so: PTX has no such identifiers, or the device's run-time library has them.
static constexpr const char *kRefusedNames[] = {"_",
                                                "$",
                                                "0",
                                                "0x1",
                                                "a b",
                                                "a-b",
                                                "a.b",
                                                "%p1",
                                                "a@x",
                                                "\xc3\xa9t\xc3\xa9",
                                                "\xd1\x8f\xd0\xb4\xd1\x80\xd0\xbe",
                                                "\xe6\xa0\xb8",
                                                "k\xcc\x88",
                                                "a'b",
                                                "a:b",
                                                "a;b",
                                                "//",
                                                "{}",
                                                "vprintf",
                                                "__assertfail",
                                                "malloc",
                                                "free",
                                                "WARP_SZ",
                                                "__nv_expf",
                                                "llvm.nvvm.barrier0",
                                                "llvm.used"};

std::string Names::pickHostile(const std::string &entry) {
  if (!entry.empty() && random.chance(40))
    return entry + random.pick({"_param_0", "_param_1", "$", "_", "$0", "_shared", "_0", "__param_0"});
  if (random.chance(5))
    return std::string(static_cast<size_t>(random.between(200, 1500)), 'x');
  return random.pick<const char *>(random.chance(8) ? llvm::ArrayRef(kRefusedNames) : llvm::ArrayRef(kHostileNames));
}

std::string Names::make(const std::string &plain, const std::string &entry) {
  std::string name = random.chance(hostilePercent) ? pickHostile(entry) : plain;
  if (!entry.empty() && name == plain)
    name += std::to_string(next++);
  while (!taken.insert(name).second)
    name += std::to_string(next++);
  return name;
}

std::string tileiras::fuzz::printSymbol(const std::string &name) {
  const bool isBare = !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
                      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
  return isBare ? "@" + name : "@\"" + name + "\"";
}
