//===- FolderStore.cpp - Results in a folder ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file for each key, as LLVM's own caches have them: it is written beside its place, and gets there complete. So
// nobody reads half of one, and two processes that write the same one do no harm. Files that nobody has read for long
// are removed, by one process at a time.
//
//===----------------------------------------------------------------------===//

#include "CacheStore.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

using namespace tileiras;
namespace fs = llvm::sys::fs;

namespace {

class FolderStore final : public CacheStore {
public:
  FolderStore(llvm::StringRef folder, llvm::CachePruningPolicy policy) : folder(folder.str()), policy(policy) {}

  std::optional<std::string> read(const std::string &key) override;
  void write(const std::string &key, llvm::StringRef bytes) override;
  void forget(const std::string &key) override;
  bool isLocal() const override { return true; }

private:
  std::string getPath(const llvm::Twine &key) const;
  void prune(size_t written);

  const std::string folder;
  const llvm::CachePruningPolicy policy;
  std::atomic<uint64_t> bytesUntilPruning = 0;
  std::atomic<bool> isFirst = true;
};

} // namespace

/// As LLVM's pruning expects it.
static constexpr llvm::StringLiteral kPrefix = "llvmcache-";

std::string FolderStore::getPath(const llvm::Twine &key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, kPrefix + key);
  return path.str().str();
}

llvm::Expected<std::unique_ptr<CacheStore>> tileiras::openFolderStore(llvm::StringRef folder, llvm::StringRef text) {
  constexpr uint64_t defaultBytes = uint64_t(2) << 30;
  constexpr std::chrono::hours defaultAge(30 * 24);
  llvm::SmallString<128> absolute(folder);
  if (std::error_code error = fs::make_absolute(absolute))
    return llvm::createStringError("'" + folder + "' is no folder: " + error.message());
  llvm::CachePruningPolicy policy;
  policy.MaxSizeBytes = defaultBytes;
  policy.Expiration = defaultAge;
  if (!text.empty()) {
    llvm::Expected<llvm::CachePruningPolicy> parsed = llvm::parseCachePruningPolicy(text);
    if (!parsed)
      return llvm::createStringError("'" + text + "' is no pruning policy: " + llvm::toString(parsed.takeError()) +
                                     "; one is cache_size_bytes=1g:prune_after=30d");
    policy = *parsed;
  }
  // Others may not put code there that is then run.
  if (std::error_code error = fs::create_directories(absolute, /*IgnoreExisting=*/true, fs::owner_all))
    return llvm::createStringError("the folder '" + absolute + "' cannot be made: " + error.message());
  if (!fs::is_directory(absolute))
    return llvm::createStringError("'" + absolute + "' is no folder");
  if (std::error_code error = fs::access(absolute, fs::AccessMode::Write))
    return llvm::createStringError("the folder '" + absolute + "' cannot be written: " + error.message());
  return std::make_unique<FolderStore>(absolute, policy);
}

std::optional<std::string> FolderStore::read(const std::string &key) {
  // The time of the last reading decides what is pruned.
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(getPath(key), fs::OF_UpdateAtime);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getOpenFile(*file, key, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  fs::closeFile(*file);
  if (!buffer)
    return std::nullopt;
  return (*buffer)->getBuffer().str();
}

void FolderStore::write(const std::string &key, llvm::StringRef bytes) {
  // With the prefix: what a killed process leaves is pruned, too.
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(getPath("new-%%%%%%%%"), fs::owner_read | fs::owner_write);
  if (!file)
    return llvm::consumeError(file.takeError());
  llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
  stream << bytes;
  stream.flush();
  const bool isComplete = !stream.has_error();
  stream.clear_error(); // a stream that lives on with one ends the process
  if (llvm::Error error = isComplete ? file->keep(getPath(key)) : file->discard())
    llvm::consumeError(std::move(error));
  prune(bytes.size());
}

void FolderStore::forget(const std::string &key) {
  fs::remove(getPath(key));
}

/// LLVM looks from time to time; who writes much meanwhile has it look now.
void FolderStore::prune(size_t written) {
  constexpr unsigned share = 8; // of the bound, by which a process may exceed it
  const uint64_t total = bytesUntilPruning += written;
  const bool isDue = policy.MaxSizeBytes != 0 && total >= policy.MaxSizeBytes / share;
  if (!isDue && !isFirst.exchange(false))
    return;
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "pruning.lock");
  int lock = -1;
  if (fs::openFileForReadWrite(path, lock, fs::CD_OpenAlways, fs::OF_None))
    return;
  if (!fs::tryLockFile(lock)) {
    llvm::CachePruningPolicy now = policy;
    if (isDue && now.Interval) {
      bytesUntilPruning = 0;
      now.Interval = std::chrono::seconds(0);
    }
    llvm::pruneCache(folder, now);
    fs::unlockFile(lock);
  }
  fs::closeFile(lock);
}
