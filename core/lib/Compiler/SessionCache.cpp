//===- SessionCache.cpp - Compilations that a cache has -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheUse.h"
#include "Remarks.h"
#include "WarningFilter.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "tileiras/Support/Version.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace tileiras;
using llvm::StringRef;

bool CompilerSession::isFromCache() const {
  return cacheUse && cacheUse->found;
}

//===----------------------------------------------------------------------===//
// The key
//===----------------------------------------------------------------------===//

/// What decides how a module becomes text or code besides our own objects; empty where one of them cannot be told from
/// others.
static std::string describeBuilds(const PluginCatalogue &plugins, llvm::ArrayRef<std::string> active) {
  std::string text;
  auto add = [&](StringRef name, const void *address) {
    const std::string id = getBuildId(address);
    if (id == "unknown")
      return false;
    text += (name + " " + id + "\n").str();
    return true;
  };
  auto addressOf = [](auto *function) { return reinterpret_cast<const void *>(function); };
  const bool isKnown = add("tileiras", nullptr) &&
                       add("mlir", mlir::TypeID::get<mlir::UnknownLoc>().getAsOpaquePointer()) &&
                       add("llvm", addressOf(&llvm::install_fatal_error_handler)) &&
                       llvm::all_of(active, [&](StringRef name) { return add(name, plugins.find(name)->info); });
  return isKnown ? text : "";
}

/// The stages, as far as they say what is done.
static void addStages(CacheKey &key, const Profile &profile) {
  for (const Stage &stage : profile.stages) {
    key.add("stage", stage.name).add("anchor", stage.anchor).add("when", stage.when.str());
    key.add("produces", stage.produces ? stringifyIRLevel(*stage.produces) : "");
    key.add("resumes", stage.resumes ? "yes" : "no");
    for (const PassStep &step : stage.passes) {
      key.add("pass", step.pass).add("when", step.when.str());
      for (const auto &[name, value] : step.options)
        key.add(name, printOptionValue(value));
    }
  }
}

/// The options that something declares which takes part, or that somebody has set. False where one makes the
/// compilation write something that no cache has.
static bool addOptions(CacheKey &key, const OptionSet &options, llvm::ArrayRef<std::string> active,
                       llvm::ArrayRef<std::string> shippedProfiles, ResultCache::Contents &cache) {
  for (const OptionDeclaration &option : options.getTable().getAll()) {
    const bool takesPart = option.owner == "core" || llvm::is_contained(active, option.owner);
    if (!takesPart && !options.isSet(option.name)) // who sets one of others is warned
      continue;
    const OptionSet::Entry &entry = options.inspect(option.name);
    const std::string value = printOptionValue(entry.value);
    if (option.namesOutput && !value.empty())
      return false;
    key.add(option.name, value);
    // Warnings say who has set an option that has no effect.
    constexpr llvm::StringLiteral everyEffect[] = {"opt-level", "compute-capability"};
    const bool isShipped =
        entry.origin.line != 0 && llvm::is_contained(shippedProfiles, llvm::sys::path::parent_path(entry.origin.file));
    if (options.isSet(option.name) && !isShipped && !llvm::is_contained(everyEffect, option.name))
      key.add("origin", entry.origin.str());
    if (option.kind == OptionKind::String && llvm::sys::fs::is_regular_file(value))
      key.add("contents", cache.identifyFile(value));
  }
  for (const OldName &used : options.getOldNames())
    key.add("old name", used.old + " " + used.origin.str());
  return true;
}

/// What of the CUDA toolkit takes part.
static void addToolkit(CacheKey &key, const CompilerOptions &options, ResultCache::Contents &cache) {
  CudaToolkit toolkit;
  auto add = [&](StringRef name, llvm::Expected<std::string> path) {
    key.add(name, path ? cache.identifyFile(*path) : "none");
    if (!path)
      llvm::consumeError(path.takeError());
  };
  if (options.product >= Product::LLVMIR)
    add("libdevice", toolkit.findLibdevice());
  if (options.product != Product::Cubin)
    return;
  const bool isLibrary = options.assembler == "nvjitlink";
  add(isLibrary ? "nvJitLink" : "ptxas", isLibrary ? toolkit.findNvJitLink() : toolkit.findPtxas());
  key.add("PTX", std::to_string(static_cast<int>(options.keepPtx)));
  for (const std::string &option : options.assemblerOptions)
    key.add("assembler option", option);
}

/// All that the result depends on, but for the name of the input. None where it depends on more.
std::optional<std::string> CompilerSession::makeCacheKey() const {
  const std::string builds = describeBuilds(*plugins, activePlugins);
  ResultCache::Contents &cache = options.cache->getContents();
  CacheKey key;
  key.add("builds", builds).add("profile", profile.name).add("inherits", llvm::join(profile.lineage, ","));
  if (builds.empty() || !addOptions(key, profile.options, activePlugins, options.profileDirectories, cache))
    return std::nullopt;
  addStages(key, profile);
  addToolkit(key, options, cache);
  const bool isExplicit = !options.passPipeline.empty() && !isOptionOverride(options.passPipeline);
  key.add("pipeline", isExplicit ? options.passPipeline : "");
  key.add("product", stringifyProduct(options.product)).add("bytecode", options.bytecodeVersion);
  key.add("notes", options.printOpOnDiagnostic ? "operations" : "");
  key.add("form", isTileIRBytecode(input->getMemBufferRef()) ? "bytecode" : "text");
  key.add("program", input->getBuffer());
  return key.str();
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

/// As the metadata has it.
static std::string printFileName(StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  json.value(llvm::json::fixUTF8(name));
  return "\"file\": " + text;
}

/// Replaces the files that are called otherwise elsewhere.
static std::string replaceFiles(std::string text, llvm::ArrayRef<std::pair<std::string, std::string>> replacements) {
  for (const auto &[from, to] : replacements)
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

// No file has such a name.
static const std::string kProfileMark = "\"file\": \"\\u0001profile\"", kInputMark = "\"file\": \"\\u0001input\"";

namespace {
/// Looks for the file name of the input: as text, or as the bytes that PTX has of strings.
class NameSearch {
public:
  explicit NameSearch(StringRef inputName) : name(llvm::sys::path::filename(inputName)) {
    for (unsigned char c : name)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(c);
  }

  /// Others are written with escapes, here in one way and there in another.
  bool isPlain() const {
    return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || StringRef("._-").contains(c); });
  }
  bool isIn(StringRef text) const { return text.contains(name) || text.contains(numbers); }
  bool isIn(const CachedReport &report) const {
    if (report.diagnostic)
      return isIn(*report.diagnostic);
    return llvm::any_of(report.remark->arguments, [&](const auto &argument) { return isIn(argument.second); });
  }
  bool isIn(const CachedResult &result) const {
    return isIn(result.product) || isIn(result.ptx) || isIn(result.metadata) ||
           llvm::any_of(result.reports, [&](const CachedReport &report) { return isIn(report); });
  }

private:
  bool isIn(const CachedDiagnostic &diagnostic) const {
    return isIn(diagnostic.text) || llvm::any_of(diagnostic.notes, [&](const auto &note) { return isIn(note); });
  }

  const StringRef name;
  std::string numbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

void CompilerSession::recordDiagnostics() {
  // Remarks are recorded as such.
  cacheUse->recorder.emplace(context.get(), [this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Remark)
      cacheUse->reports.push_back({describe(diagnostic, input->getBufferIdentifier()), {}});
    return mlir::failure();
  });
}

void CompilerSession::storeResult() {
  const StringRef name = input->getBufferIdentifier();
  CachedResult result;
  result.product = output;
  result.ptx = assembled;
  result.reports = std::move(cacheUse->reports);
  llvm::raw_string_ostream os(result.metadata);
  writeMetadata(os);
  result.metadata = replaceFiles(std::move(result.metadata),
                                 {{printFileName(profile.file), kProfileMark}, {printFileName(name), kInputMark}});
  const NameSearch search(name);
  const bool dependsOnName = !search.isPlain() || search.isIn(result);
  options.cache->getContents().store(cacheUse->key, name, dependsOnName, result);
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

llvm::Error CompilerSession::findResult() {
  if (!options.cache || !input || options.collectReport) // No entry has what passes did.
    return llvm::Error::success();
  if (llvm::Error error = selectPlugins())
    return error;
  std::optional<std::string> key = makeCacheKey();
  if (!key)
    return llvm::Error::success();
  cacheUse = std::make_unique<CacheUse>();
  cacheUse->key = std::move(*key);
  cacheUse->found = options.cache->getContents().find(cacheUse->key, input->getBufferIdentifier());
  return cacheUse->found ? takeResult() : llvm::Error::success();
}

/// The product, and what was reported when it was made.
llvm::Error CompilerSession::takeResult() {
  CachedResult &found = *cacheUse->found;
  const StringRef name = input->getBufferIdentifier();
  output = std::move(found.product);
  assembled = std::move(found.ptx);
  found.metadata = replaceFiles(std::move(found.metadata),
                                {{kProfileMark, printFileName(profile.file)}, {kInputMark, printFileName(name)}});
  isComplete = true;
  const bool hasDiagnostics = llvm::any_of(found.reports, [](const auto &report) { return report.diagnostic; });
  if (!hasDiagnostics && !options.remarks.isEnabled())
    return llvm::Error::success();
  context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  installDiagnosticHandler();
  if (sources)
    sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input->getBuffer(), name), llvm::SMLoc());
  if (llvm::Error error =
          enableRemarks(*context, options.remarks, plugins->collectRemarks(), remarkText, nullptr, nullptr))
    return error;
  for (const CachedReport &report : found.reports)
    if (report.diagnostic || options.remarks.isEnabled())
      replay(report, name, *context);
  return llvm::Error::success();
}
