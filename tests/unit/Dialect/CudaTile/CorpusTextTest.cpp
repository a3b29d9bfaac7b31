//===- CorpusTextTest.cpp - Every text of the corpus ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads, verifies and prints every .mlir file of the corpus (its folder is in TILEIRAS_CORPUS or the argument). The
// files are canonical: what is printed must be what was read. Exit code 77 says that there is no corpus.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace tileiras;

static std::vector<std::string> listTexts(StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error; it.increment(error))
    if (it->path().ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

static std::string print(Operation *op, bool withLocations) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().enableDebugInfo(withLocations));
  return text;
}

/// Whether the file is read, valid, and printed as it is.
static bool check(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << file << ": " << buffer.getError().message() << '\n';
    return false;
  }
  StringRef expected = (*buffer)->getBuffer().rtrim();
  bool withLocations = expected.contains("loc(");

  MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = parseSourceString<Operation *>(expected, &context, file);
  if (!module)
    return false;
  std::string printed = print(module.get(), withLocations);
  if (StringRef(printed).rtrim() == expected)
    return true;
  StringRef rest = expected, printedRest = printed;
  for (unsigned line = 1;; ++line) {
    auto [want, wantRest] = rest.split('\n');
    auto [got, gotRest] = printedRest.split('\n');
    if (want != got) {
      llvm::errs() << file << ':' << line << ": printed differently\n  " << want << "\n  " << got << '\n';
      return false;
    }
    rest = wantRest, printedRest = gotRest;
  }
}

int main(int argc, char **argv) {
  const char *variable = std::getenv("TILEIRAS_CORPUS");
  StringRef corpus = variable ? variable : argc > 1 ? argv[1] : "";
  if (corpus.empty() || !llvm::sys::fs::is_directory(corpus)) {
    llvm::outs() << "skipped: no corpus\n";
    return 77;
  }
  unsigned failures = 0;
  for (StringRef part : {"tests", "kernels"}) {
    llvm::SmallString<128> folder = corpus;
    llvm::sys::path::append(folder, part);
    std::vector<std::string> files = listTexts(folder);
    unsigned passed = llvm::count_if(files, check);
    llvm::outs() << part << ": " << passed << " of " << files.size()
                 << " texts read, verified and printed as they are\n";
    failures += files.empty() + files.size() - passed;
  }
  return failures != 0;
}
