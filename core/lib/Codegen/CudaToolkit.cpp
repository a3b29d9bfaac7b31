//===- CudaToolkit.cpp - The CUDA toolkit of this machine ------------------ ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/CudaToolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace tileiras {

/// A folder with a tileiras and nothing of a toolkit's. cuTile.jl names the folder of the compiler that it is told to
/// take.
static bool isFolderOfCompiler(llvm::StringRef root) {
  auto has = [root](llvm::StringRef relative) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, relative);
    return llvm::sys::fs::exists(path);
  };
  return has("bin/tileiras") && !has("bin/ptxas") && !has("nvvm");
}

CudaToolkit::CudaToolkit() {
  auto add = [this](llvm::StringRef root) {
    if (!root.empty() && !llvm::is_contained(roots, root))
      roots.push_back(root.str());
  };
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"}) {
    std::optional<std::string> root = llvm::sys::Process::GetEnv(variable);
    if (!root || root->empty() || isFolderOfCompiler(*root))
      continue;
    add(*root);
    return; // who names a toolkit means that one
  }
  if (llvm::ErrorOr<std::string> ptxas = llvm::sys::findProgramByName("ptxas")) {
    // <root>/bin/ptxas, also when PATH leads there through a link.
    llvm::SmallString<128> real;
    if (!llvm::sys::fs::real_path(*ptxas, real))
      add(llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)));
  }
  add("/usr/local/cuda");
}

llvm::Expected<std::string> CudaToolkit::find(llvm::StringRef what,
                                              llvm::ArrayRef<llvm::StringRef> relativePaths) const {
  for (const std::string &root : roots) {
    for (llvm::StringRef relative : relativePaths) {
      llvm::SmallString<128> path(root);
      llvm::sys::path::append(path, relative);
      if (llvm::sys::fs::exists(path))
        return path.str().str();
    }
  }
  return llvm::createStringError(what + " was not found in " + llvm::join(roots, ", ") +
                                 "; install the CUDA toolkit (13.0 or newer) or set CUDA_ROOT to its folder");
}

llvm::Expected<std::string> CudaToolkit::findPtxas() const {
  return find("ptxas", {"bin/ptxas"});
}

llvm::Expected<std::string> CudaToolkit::findLibdevice() const {
  return find("libdevice", {"nvvm/libdevice/libdevice.10.bc"});
}

llvm::Expected<std::string> CudaToolkit::findNvJitLink() const {
  return find("nvJitLink",
              {"lib64/libnvJitLink.so", "lib/libnvJitLink.so", "lib64/libnvJitLink.so.13", "lib/libnvJitLink.so.13"});
}

} // namespace tileiras
