//===- CudaToolkit.h - The CUDA toolkit of this machine ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three things come from NVIDIA's toolkit: libdevice (the math library as LLVM bitcode), ptxas and nvJitLink. Each is
// looked for when it is needed, so that everything up to PTX works on a machine without a toolkit.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_CUDATOOLKIT_H
#define TILEIRAS_CODEGEN_CUDATOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tileiras {

/// Where toolkits are looked for, in order: $CUDA_ROOT, $CUDA_HOME, $CUDA_PATH, the toolkit of the ptxas on PATH,
/// /usr/local/cuda. The environment is read once, by the constructor.
class CudaToolkit {
public:
  CudaToolkit();

  /// Each returns the path of an existing file, or an error that says where it was looked for and what to install.
  llvm::Expected<std::string> findPtxas() const;
  llvm::Expected<std::string> findLibdevice() const;
  llvm::Expected<std::string> findNvJitLink() const;

private:
  llvm::Expected<std::string> find(llvm::StringRef what, llvm::ArrayRef<llvm::StringRef> relativePaths) const;
  std::vector<std::string> roots;
};

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_CUDATOOLKIT_H
