//===- CorpusTest.cpp - Real bytecode: read, verify, write again ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: BytecodeCorpusTest <corpus directory>      (or TILEIRAS_CORPUS); exits with 77 when it does not exist
//
// tests/      written by the public tools: each file must give its canonical text and the same bytes again; i1
// constants
//             are written packed, so `x.i1unpacked.tileirbc` must give the bytes of `x.tileirbc`.
// kernels/    written by cuTile Python, whose order of sections, strings, types and constants is its own: each file
//             must have the operations that its meta.json counts, and what we write must be the same module and the
//             same bytes when it is written once more.
// invalid/    must be refused with an error that says where.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <map>

using namespace llvm;
using namespace tileiras;

namespace {

/// Counts what was checked and prints what failed.
class Report {
public:
  void expect(bool ok, StringRef check, StringRef file, const Twine &why = "") {
    auto &[passed, total] = counts[check.str()];
    ++total;
    passed += ok;
    if (!ok)
      outs() << "FAIL " << check << ": " << file << (why.isTriviallyEmpty() ? "" : ": ") << why << "\n";
  }

  int finish() const {
    bool ok = true;
    for (const auto &[check, count] : counts) {
      outs() << check << ": " << count.first << " of " << count.second << "\n";
      ok &= count.first == count.second;
    }
    return ok ? 0 : 1;
  }

private:
  std::map<std::string, std::pair<unsigned, unsigned>> counts;
};

/// A file that was read, and the errors.
struct File {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<MemoryBuffer> buffer;
  std::string errors;
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;

  explicit File(std::unique_ptr<MemoryBuffer> contents) : buffer(std::move(contents)) {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return success();
    });
    module = readBytecode(*buffer, &context);
  }

  std::string write() {
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return success();
    });
    std::string bytes;
    raw_string_ostream os(bytes);
    if (failed(writeBytecode(*module, os, *getBytecodeVersion(*buffer))))
      return "";
    return bytes;
  }

  std::string print(bool locations = true) {
    std::string text;
    raw_string_ostream os(text);
    module->print(os, mlir::OpPrintingFlags().enableDebugInfo(locations));
    return text;
  }
};

} // namespace

static std::unique_ptr<MemoryBuffer> load(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? std::move(*buffer) : MemoryBuffer::getMemBuffer("", path);
}

static std::vector<std::string> findFiles(const Twine &directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator it(directory, error), end; it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".tileirbc"))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

/// The canonical text that belongs to a file `name.13.2[.i1unpacked].tileirbc`, with the name that bytecode gives to
/// every module; empty when there is none. A file of a version that lost something has a text of its own.
static std::string canonicalText(StringRef path) {
  StringRef stem = path.drop_back(strlen(".tileirbc"));
  stem.consume_back(".i1unpacked");
  std::string text = load((stem + ".decoded.mlir").str())->getBuffer().str();
  if (text.empty())
    text = load((stem.drop_back(strlen(".13.x")) + ".canon.mlir").str())->getBuffer().str();
  const size_t name = text.find("cuda_tile.module @");
  if (name == std::string::npos)
    return "";
  const size_t start = name + strlen("cuda_tile.module @");
  const size_t end = text[start] == '"' ? text.find('"', start + 1) + 1 : text.find(' ', start);
  return StringRef(text.replace(start, end - start, "kernels")).trim().str();
}

static void checkConformance(StringRef path, Report &report) {
  File file(load(path));
  report.expect(bool(file.module), "tests: read and verified", path, file.errors);
  if (!file.module)
    return;
  const std::string expectedText = canonicalText(path);
  if (!expectedText.empty())
    report.expect(StringRef(file.print(StringRef(expectedText).contains("loc("))).trim() == expectedText,
                  "tests: canonical text", path);
  std::string packed = path.str();
  if (const size_t at = packed.find(".i1unpacked"); at != std::string::npos)
    packed.erase(at, strlen(".i1unpacked"));
  const std::string written = file.write();
  report.expect(written == load(packed)->getBuffer(), "tests: same bytes", path, file.errors);
}

/// Operation names without regard to their spelling: `LoadViewTko` and `load_view_tko` are the same.
static std::string plainName(StringRef name) {
  std::string plain;
  for (char c : name)
    if (c != '_')
      plain.push_back(toLower(c));
  // The operation was renamed in 13.4.
  return plain == "fpowf" ? "pow" : plain;
}

/// How many operations of each kind the kernel's description counts for a file.
static std::map<std::string, int64_t> describedOperations(StringRef path) {
  std::map<std::string, int64_t> counts;
  SmallString<128> metaPath(sys::path::parent_path(path));
  sys::path::append(metaPath, "meta.json");
  Expected<json::Value> meta = json::parse(load(metaPath)->getBuffer());
  if (!meta) {
    consumeError(meta.takeError());
    return counts;
  }
  const json::Object *files = meta->getAsObject()->getObject("files");
  for (const auto &[version, description] : *files) {
    const json::Object *object = description.getAsObject();
    if (object->getString("file") != sys::path::filename(path))
      continue;
    for (const auto &[name, count] : *object->getObject("ops"))
      counts[plainName(name.str())] += count.getAsInteger().value_or(0);
  }
  return counts;
}

static void checkKernel(StringRef path, Report &report) {
  File file(load(path));
  report.expect(bool(file.module), "kernels: read and verified", path, file.errors);
  if (!file.module)
    return;
  std::map<std::string, int64_t> operations;
  file.module->walk([&](mlir::Operation *op) {
    if (!isa<cuda_tile::ModuleOp, cuda_tile::EntryOp, cuda_tile::GlobalOp>(op))
      ++operations[plainName(op->getName().stripDialect())];
  });
  if (std::map<std::string, int64_t> described = describedOperations(path); !described.empty())
    report.expect(operations == described, "kernels: operations counted", path);

  const std::string written = file.write();
  report.expect(!written.empty(), "kernels: written", path, file.errors);
  File again(MemoryBuffer::getMemBuffer(written, "written", /*RequiresNullTerminator=*/false));
  report.expect(again.module && again.print() == file.print(), "kernels: same module again", path, again.errors);
  report.expect(again.module && again.write() == written, "kernels: same bytes again", path);
}

static void checkInvalid(StringRef path, Report &report) {
  File file(load(path));
  report.expect(!file.module && StringRef(file.errors).contains("at offset "), "invalid: refused with a place", path,
                file.errors);
}

int main(int argc, char **argv) {
  const char *fromEnvironment = std::getenv("TILEIRAS_CORPUS");
  const StringRef corpus = fromEnvironment ? fromEnvironment : argc > 1 ? argv[1] : "";
  if (corpus.empty() || !sys::fs::is_directory(corpus)) {
    outs() << "SKIP: there is no corpus at '" << corpus << "' (TILEIRAS_CORPUS)\n";
    return 77;
  }
  Report report;
  for (const std::string &path : findFiles(corpus + "/tests"))
    if (StringRef(path).contains("/invalid/"))
      checkInvalid(path, report);
    else
      checkConformance(path, report);
  for (const char *folder : {"/kernels", "/probe"})
    for (const std::string &path : findFiles(corpus + folder))
      checkKernel(path, report);
  return report.finish();
}
