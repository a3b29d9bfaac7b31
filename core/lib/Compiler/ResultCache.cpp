//===- ResultCache.cpp - What has been compiled before --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/ResultCache.h"
#include "CacheContents.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <mutex>

using namespace tileiras;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

ResultCache::ResultCache() : contents(std::make_unique<Contents>()) {}
ResultCache::~ResultCache() = default;

static llvm::Expected<std::unique_ptr<CacheStore>> openStore(StringRef place) {
  if (place.starts_with("redis://") || place.starts_with("unix:"))
    return openRedisStore(place);
  auto [folder, policy] = place.split('?');
  if (folder.contains('/'))
    return openFolderStore(folder, policy);
  if (folder != "on" && folder != "1")
    return llvm::createStringError("'" + place +
                                   "' is no place for a cache; there are on, off, folders (with a '/' in their names), "
                                   "redis://host:6379 and unix:/a/socket");
  llvm::SmallString<128> own;
  if (!llvm::sys::path::cache_directory(own))
    return llvm::createStringError("the user has no folder for caches; set XDG_CACHE_HOME or HOME, or name a folder");
  llvm::sys::path::append(own, "tileiras");
  return openFolderStore(own, policy);
}

std::shared_ptr<ResultCache> ResultCache::open(StringRef places) {
  if (places.empty() || places == "off" || places == "0")
    return nullptr;
  // Leaked: threads may still use a cache while the process ends.
  static auto *mutex = new std::mutex;
  static auto *opened = new std::map<std::string, std::shared_ptr<ResultCache>>;
  std::lock_guard lock(*mutex);
  std::shared_ptr<ResultCache> &cache = (*opened)[places.str()];
  if (cache)
    return cache;
  cache.reset(new ResultCache);
  for (StringRef place : llvm::split(places, ',')) {
    if (place.empty())
      continue;
    llvm::Expected<std::unique_ptr<CacheStore>> store = openStore(place);
    if (store)
      cache->contents->stores.push_back(std::move(*store));
    else
      cache->contents->problems.push_back(llvm::toString(store.takeError()));
  }
  return cache;
}

llvm::ArrayRef<std::string> ResultCache::getProblems() const {
  return contents->problems;
}

ResultCache::Counts ResultCache::getCounts() const {
  return {contents->hits, contents->misses};
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

CacheKey &CacheKey::add(StringRef name, StringRef value) {
  // The lengths keep parts apart.
  hasher.update(llvm::formatv("{0} {1} ", name.size(), value.size()).str());
  hasher.update(name);
  hasher.update(value);
  return *this;
}

std::string CacheKey::str() const {
  llvm::BLAKE3 copy = hasher;
  return llvm::toHex(copy.final(), /*LowerCase=*/true);
}

namespace {
// What an entry is.
constexpr char kResult = 'r';
constexpr char kNamed = 'n';    ///< the result is under a key that has the program's name
constexpr char kIdentity = 'f'; ///< of a file
} // namespace

/// "tileiras", the format's version, kind, whether the payload is compressed.
static std::string makeHeader(char kind, bool isCompressed) {
  constexpr llvm::StringLiteral format = "tileiras1";
  return (format + llvm::Twine(kind) + (isCompressed ? "z" : "-")).str();
}

/// An entry that was written under another key is as wrong as one that is damaged.
static std::string makeChecksum(StringRef key, StringRef header, StringRef payload) {
  return CacheKey().add("key", key).add("header", header).add("payload", payload).str();
}

static std::string packEntry(StringRef key, char kind, StringRef payload) {
  constexpr size_t leastCompressed = 512; // bytes
  std::string body = payload.str();
  const bool isCompressed = payload.size() >= leastCompressed && llvm::compression::zstd::isAvailable();
  if (isCompressed) {
    llvm::SmallVector<uint8_t, 0> compressed;
    llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(payload), compressed,
                                      llvm::compression::zstd::BestSpeedCompression);
    body = std::to_string(payload.size()) + ":" + llvm::toStringRef(compressed).str();
  }
  const std::string header = makeHeader(kind, isCompressed);
  return header + makeChecksum(key, header, body) + body;
}

static std::optional<std::string> unpackEntry(StringRef key, char kind, StringRef entry) {
  constexpr uint64_t mostBytes = uint64_t(1) << 30; // of a result
  for (bool isCompressed : {false, true}) {
    const std::string header = makeHeader(kind, isCompressed);
    StringRef rest = entry;
    if (!rest.consume_front(header))
      continue;
    const size_t checksumLength = 2 * llvm::BLAKE3Result<>().size();
    StringRef body = rest.drop_front(std::min(checksumLength, rest.size()));
    if (rest.take_front(checksumLength) != makeChecksum(key, header, body))
      return std::nullopt;
    if (!isCompressed)
      return body.str();
    uint64_t size = 0;
    if (body.consumeInteger(10, size) || !body.consume_front(":") || size > mostBytes ||
        !llvm::compression::zstd::isAvailable())
      return std::nullopt;
    llvm::SmallVector<uint8_t, 0> payload;
    if (llvm::Error error = llvm::compression::zstd::decompress(llvm::arrayRefFromStringRef(body), payload, size)) {
      llvm::consumeError(std::move(error));
      return std::nullopt;
    }
    return llvm::toStringRef(payload).str();
  }
  return std::nullopt;
}

std::optional<std::string> ResultCache::Contents::read(const std::string &key, char kind) {
  for (size_t i = 0; i < stores.size(); ++i) {
    std::optional<std::string> entry = stores[i]->read(key);
    if (!entry)
      continue;
    std::optional<std::string> payload = unpackEntry(key, kind, *entry);
    if (payload) {
      for (size_t earlier = 0; earlier < i; ++earlier)
        stores[earlier]->write(key, *entry);
      return payload;
    }
    if (!unpackEntry(key, kind == kResult ? kNamed : kResult, *entry)) // which is another answer
      stores[i]->forget(key);
  }
  return std::nullopt;
}

void ResultCache::Contents::write(const std::string &key, char kind, StringRef payload) {
  const std::string entry = packEntry(key, kind, payload);
  for (const std::unique_ptr<CacheStore> &store : stores)
    store->write(key, entry);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::string addInputName(const std::string &key, StringRef inputName) {
  return CacheKey().add("key", key).add("name", inputName).str();
}

std::optional<CachedResult> ResultCache::Contents::find(const std::string &key, StringRef inputName) {
  std::optional<std::string> bytes = read(key, kResult);
  if (!bytes && read(key, kNamed))
    bytes = read(addInputName(key, inputName), kResult);
  std::optional<CachedResult> result = bytes ? decodeResult(*bytes) : std::nullopt;
  ++(result ? hits : misses);
  return result;
}

void ResultCache::Contents::store(const std::string &key, StringRef inputName, bool dependsOnName,
                                  const CachedResult &result) {
  if (dependsOnName)
    write(key, kNamed, "");
  write(dependsOnName ? addInputName(key, inputName) : key, kResult, encode(result));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Of a file that has been read completely, which takes a while: this process, or an earlier one, has done so.
std::string ResultCache::Contents::identifyFile(StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return "";
  const std::string state = llvm::formatv("{0}\n{1}\n{2}\n{3}", path, status.getUniqueID().getFile(), status.getSize(),
                                          status.getLastModificationTime().time_since_epoch().count())
                                .str();
  std::lock_guard lock(mutex);
  auto [it, isNew] = identities.try_emplace(state);
  if (isNew)
    it->second = hashFile(path, state);
  return it->second;
}

std::string ResultCache::Contents::hashFile(StringRef path, const std::string &state) {
  // Files of this machine: other machines' stores have no use for it.
  constexpr uint64_t leastRemembered = 1 << 20; // bytes
  const std::string key = CacheKey().add("file", state).str();
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return "";
  CacheStore *local = stores.empty() || (*buffer)->getBufferSize() < leastRemembered ? nullptr : stores.front().get();
  if (std::optional<std::string> entry = local && local->isLocal() ? local->read(key) : std::nullopt)
    if (std::optional<std::string> known = unpackEntry(key, kIdentity, *entry))
      return *known;
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef((*buffer)->getBuffer()));
  const std::string identity = llvm::formatv("{0:x16}{1:x16}", hash.high64, hash.low64).str();
  if (local && local->isLocal())
    local->write(key, packEntry(key, kIdentity, identity));
  return identity;
}
