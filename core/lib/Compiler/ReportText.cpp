//===- ReportText.cpp - A compilation as data for a page ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilationReport.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Session.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

namespace tileiras {

/// Files that remarks and the PTX's line tables name.
static llvm::SetVector<llvm::StringRef> findNamedFiles(const llvm::json::Object &report, llvm::StringRef ptx) {
  llvm::SetVector<llvm::StringRef> files;
  for (const char *list : {"remarks", "schedules"})
    for (const llvm::json::Value &entry : *report.getArray(list))
      if (auto file = entry.getAsObject()->getString("file"))
        files.insert(*file);
  static llvm::Regex declaration("^[ \t]*\\.file[ \t]+[0-9]+[ \t]+\"([^\"]*)\"");
  for (llvm::StringRef rest = ptx; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    llvm::SmallVector<llvm::StringRef> groups;
    if (declaration.match(line, &groups))
      files.insert(groups[1]);
    rest = others;
  }
  return files;
}

/// Their texts, as far as they are there: the program may come from elsewhere.
static llvm::json::Array readSources(const llvm::SetVector<llvm::StringRef> &files, llvm::StringRef input,
                                     llvm::StringRef text) {
  constexpr uint64_t kMostBytes = 1 << 20;
  llvm::json::Array sources;
  for (llvm::StringRef file : files) {
    if (file == input)
      continue;
    uint64_t bytes = 0;
    if (!llvm::sys::fs::is_regular_file(file) || llvm::sys::fs::file_size(file, bytes) || bytes > kMostBytes)
      continue;
    if (auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true))
      if (llvm::json::isUTF8((*buffer)->getBuffer()))
        sources.push_back(llvm::json::Object{{"file", file}, {"text", (*buffer)->getBuffer()}});
  }
  if (!text.empty() && llvm::json::isUTF8(text))
    sources.insert(sources.begin(), llvm::json::Object{{"file", input}, {"text", text}});
  return sources;
}

std::string CompilerSession::takeReport() {
  finishRemarks();
  llvm::json::Object object;
  report->writeInto(object);
  std::string metadata, text;
  llvm::raw_string_ostream os(metadata);
  writeMetadata(os);
  // Bytecode is not for people: they have the program's text.
  const llvm::StringRef name = input->getBufferIdentifier();
  const bool isText = !isTileIRBytecode(input->getMemBufferRef());
  object["sources"] = readSources(findNamedFiles(object, getPtx()), name, isText ? input->getBuffer() : "");
  object["input"] = name;
  object["ptx"] = llvm::json::isUTF8(getPtx()) ? getPtx() : llvm::json::fixUTF8(getPtx());
  object["metadata"] = llvm::cantFail(llvm::json::parse(metadata));
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(object));
  return text;
}

} // namespace tileiras
