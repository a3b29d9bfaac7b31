//===- Modules.h - Modules, libraries, functions, kernels -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_MODULES_H
#define TILEIRAS_EMULATED_MODULES_H

#include "Image.h"
#include "State.h"
#include <optional>
#include <set>

namespace ptxemu::ast {
struct Function;
}

namespace emudriver {

struct Module;

/// What a function's caller may change; absent: nobody has.
struct FunctionSettings {
  std::optional<int> maxDynamicShared, nonPortableCluster, preferredCarveout, schedulingPolicy;
  std::optional<int> requiredCluster[3];
};

struct Function : Object {
  std::weak_ptr<Module> module;
  std::string name;
  const ptxemu::ast::Function *entry = nullptr; ///< the module's
  uint32_t staticShared = 0;                    ///< bytes
  std::vector<uint32_t> parameterBytes, parameterOffsets;
  uint32_t parametersEnd = 0; ///< bytes of all parameters as `extra` has them
  FunctionSettings settings;
};

struct Module : Object {
  std::shared_ptr<Context> context;
  Image image;
  ptxemu::Module parsed;
  bool isOfLibrary = false;
  std::set<uint64_t> variables;                               ///< addresses of those that somebody asked for
  std::map<std::string, std::shared_ptr<Function>> functions; ///< those that somebody asked for

  std::shared_ptr<Function> find(const std::string &name);
};

struct Library;
struct Kernel : Object {
  std::weak_ptr<Library> library;
  std::string name;
  FunctionSettings settings;
};

/// Belongs to no context: a module of it is made for each that uses it.
struct Library : Object {
  Image image;
  std::set<std::string> entries;
  std::map<std::string, std::shared_ptr<Kernel>> kernels; ///< those that somebody asked for
  std::map<uint64_t, std::shared_ptr<Module>> modules;    ///< by context

  std::shared_ptr<Module> moduleIn(const std::shared_ptr<Context> &);
};

/// A kernel's function in the context.
std::shared_ptr<Function> functionIn(const Kernel &, const std::shared_ptr<Context> &);
/// Whether its module is still loaded.
bool isLoaded(const Function &);
int getAttribute(const Function &, int attribute);
void setAttribute(Function &, int attribute, int value);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_MODULES_H
