//===- Assemblers.h - The known assemblers ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_ASSEMBLERS_H
#define TILEIRAS_LIB_CODEGEN_ASSEMBLERS_H

#include "tileiras/Codegen/Assembler.h"
#include "tileiras/Codegen/CudaToolkit.h"

namespace tileiras {

/// ptxas as a child process.
llvm::Expected<std::unique_ptr<Assembler>> createPtxasAssembler(const CudaToolkit &toolkit);

/// nvJitLink in this process. It ignores `setmaxnreg`, which is why it is not the default.
llvm::Expected<std::unique_ptr<Assembler>> createNvJitLinkAssembler(const CudaToolkit &toolkit);

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_ASSEMBLERS_H
