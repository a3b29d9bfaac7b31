//===- LoaderSymbols.cpp - The loader's functions that the library stands in for ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The objects behind this one in the order of the loader, each with its GNU hash table: format in the System V gABI and
// "ELF: symbol hashing with DT_GNU_HASH".
//
//===----------------------------------------------------------------------===//

#include "LoaderSymbols.h"
#include <atomic>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <unistd.h>

namespace tileiras::cutile {

namespace {

struct SymbolTables {
  const uint32_t *hash = nullptr;
  const ElfW(Sym) *symbols = nullptr;
  const char *strings = nullptr;
  const uint16_t *versions = nullptr;
};

} // namespace

static SymbolTables symbolTables(const link_map &object) {
  SymbolTables tables;
  for (const ElfW(Dyn) *entry = object.l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
    // The loader has relocated the addresses, except in objects that it did not load.
    uintptr_t address = entry->d_un.d_ptr < object.l_addr ? entry->d_un.d_ptr + object.l_addr : entry->d_un.d_ptr;
    if (entry->d_tag == DT_GNU_HASH)
      tables.hash = reinterpret_cast<const uint32_t *>(address);
    else if (entry->d_tag == DT_SYMTAB)
      tables.symbols = reinterpret_cast<const ElfW(Sym) *>(address);
    else if (entry->d_tag == DT_STRTAB)
      tables.strings = reinterpret_cast<const char *>(address);
    else if (entry->d_tag == DT_VERSYM)
      tables.versions = reinterpret_cast<const uint16_t *>(address);
  }
  return tables;
}

// Not strcmp: sanitizers stand in for that, and look it up here first.
static bool isSame(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

static uint32_t gnuHash(const char *name) {
  uint32_t hash = 5381;
  for (; *name; ++name)
    hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

/// The function's default version, which is what a program that is linked today gets.
static void *findSymbol(const link_map &object, const char *name) {
  SymbolTables tables = symbolTables(object);
  if (!tables.hash || !tables.symbols || !tables.strings)
    return nullptr;
  uint32_t bucketCount = tables.hash[0], firstSymbol = tables.hash[1], bloomWords = tables.hash[2];
  const uint32_t *buckets = tables.hash + 4 + bloomWords * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t *chains = buckets + bucketCount;
  uint32_t hash = gnuHash(name);
  uint32_t at = bucketCount ? buckets[hash % bucketCount] : 0;
  if (at < firstSymbol)
    return nullptr;
  for (;; ++at) {
    uint32_t link = chains[at - firstSymbol];
    const ElfW(Sym) &symbol = tables.symbols[at];
    bool hidden = tables.versions && (tables.versions[at] & 0x8000);
    if ((link | 1) == (hash | 1) && !hidden && symbol.st_shndx != SHN_UNDEF && (symbol.st_info & 0xf) == STT_FUNC &&
        isSame(tables.strings + symbol.st_name, name))
      return reinterpret_cast<void *>(object.l_addr + symbol.st_value);
    if (link & 1)
      return nullptr;
  }
}

static void *findBehindUs(const char *name) {
  const link_map *object = _r_debug.r_map;
  while (object && object->l_ld != _DYNAMIC)
    object = object->l_next;
  for (object = object ? object->l_next : nullptr; object; object = object->l_next)
    if (void *found = findSymbol(*object, name))
      return found;
  static constexpr char kMessage[] = "libtileiras-cutile.so: the C library's dlsym is not to be found; this library "
                                     "needs glibc: run the program without "
                                     "tileiras-cutile\n";
  if (write(STDERR_FILENO, kMessage, sizeof(kMessage) - 1) < 0)
    _exit(126);
  _exit(127);
}

/// Found once; two threads that look at the same time find the same.
static void *findOnce(std::atomic<void *> &known, const char *name) {
  void *found = known.load(std::memory_order_acquire);
  if (!found)
    known.store(found = findBehindUs(name), std::memory_order_release);
  return found;
}

Dlsym realDlsym() noexcept {
  static constinit std::atomic<void *> known{nullptr};
  return reinterpret_cast<Dlsym>(findOnce(known, "dlsym"));
}

Dlvsym realDlvsym() noexcept {
  static constinit std::atomic<void *> known{nullptr};
  return reinterpret_cast<Dlvsym>(findOnce(known, "dlvsym"));
}

} // namespace tileiras::cutile
