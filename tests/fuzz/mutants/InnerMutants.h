//===- InnerMutants.h - Mutants of the two inner dialects -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR of nv_tileaa and nv_tileas, valid or not, that people write or that passes leave behind. A mutant is text: the
// verifier takes it or refuses it; what it takes, passes alone and the rest of the pipeline take or refuse. None
// crashes, hangs, or succeeds with IR that does not verify.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_INNERMUTANTS_H
#define TILEIRAS_FUZZ_INNERMUTANTS_H

#include "Isolation.h"
#include "Lowering.h"
#include "mutate/IRMutator.h"

namespace tileiras::fuzz {

struct InnerOptions {
  std::vector<std::string> paths, gpuNames, profiles;
  unsigned maxChanges = 5;
  unsigned passes = 6;    ///< that a mutant which verifies goes through, one by one
  unsigned snapshots = 3; ///< of a program on its way down, at most
  size_t maxOperations = 3000;
  std::function<bool(std::string &text)> planted; ///< is asked of each mutant that verifies; may crash or hang
  std::string broken;                             ///< a pass that leaves invalid IR
};

class InnerMutants {
public:
  static llvm::Expected<std::unique_ptr<InnerMutants>> load(InnerOptions options);

  size_t countInputs() const { return inputs.size(); }
  Job makeJob(uint64_t seed) const;

private:
  struct Input {
    std::string name;
    mlir::OwningOpRef<mlir::ModuleOp> module;
    size_t lowering; ///< index
    size_t passes;   ///< that it has behind it
  };

  explicit InnerMutants(InnerOptions options) : options(std::move(options)) {}
  llvm::Error loadRegistry();
  llvm::Error loadLowerings();
  void loadFile(const std::string &file);
  void addText(const std::string &name, llvm::StringRef text);
  void addSnapshots(const std::string &name, mlir::ModuleOp program);
  void addInput(const std::string &name, mlir::OwningOpRef<mlir::ModuleOp> module, size_t lowering, size_t passes);
  std::string makeMutant(uint64_t seed, std::vector<std::string> &notes) const;
  Outcome check(uint64_t seed, llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> enter) const;

  InnerOptions options;
  Registry registry;
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<Lowering> lowerings;
  std::vector<Input> inputs;
  IRPool pool;
};

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_INNERMUTANTS_H
