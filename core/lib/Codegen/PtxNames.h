//===- PtxNames.h - Names of the program's in PTX ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back end makes names of its own: parameters are `<kernel>_param_<number>`, labels begin with `$L_`. It looks at
// no name of the program's, and PTX that uses one for two things is refused, or means another thing. So where a name of
// the program's is like one of these, all of the program's are stand-ins while PTX is made, and replaced in its text.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_PTXNAMES_H
#define TILEIRAS_LIB_CODEGEN_PTXNAMES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

namespace tileiras {

class StandInNames {
public:
  /// Renames what `module` defines, if any of its names needs it.
  explicit StandInNames(llvm::Module &module);

  /// The PTX of the module with the program's names.
  std::string replaceIn(llvm::StringRef ptx) const;

private:
  llvm::StringMap<std::string> names; ///< of the program, by stand-in
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_PTXNAMES_H
