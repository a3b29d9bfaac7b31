//===- Version.cpp - Our version, LLVM's, the plugin ABI's ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Support/Version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include <cstring>
#include <dlfcn.h>
#include <link.h>

llvm::StringRef tileiras::getVersion() {
  return TILEIRAS_VERSION;
}
llvm::StringRef tileiras::getLLVMVersion() {
  return LLVM_VERSION_STRING;
}

/// The loader compares the address with each of the library's symbols: this takes longer than reading a profile.
static std::string findLibraryPath() {
  Dl_info self;
  llvm::SmallString<128> path;
  if (!dladdr(reinterpret_cast<void *>(&findLibraryPath), &self) || llvm::sys::fs::real_path(self.dli_fname, path))
    return "";
  return path.str().str();
}

const std::string &tileiras::getLibraryPath() {
  static const std::string path = findLibraryPath();
  return path;
}

//===----------------------------------------------------------------------===//
// The build
//===----------------------------------------------------------------------===//

/// The first bytes of the build id among an object's notes; empty when it is not there.
static llvm::ArrayRef<uint8_t> findBuildId(llvm::ArrayRef<uint8_t> notes) {
  constexpr size_t length = 8; // of 20: as many as nobody will meet twice
  auto align = [](size_t size) { return (size + 3) & ~size_t(3); };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes.data(), sizeof(header));
    const size_t name = sizeof(header), description = name + align(header.n_namesz);
    const size_t next = description + align(header.n_descsz);
    if (next > notes.size())
      break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_descsz >= length && header.n_namesz == sizeof(ELF_NOTE_GNU) &&
        std::memcmp(notes.data() + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0)
      return notes.slice(description, length);
    notes = notes.drop_front(next);
  }
  return {};
}

namespace {
struct BuildIdSearch {
  uintptr_t address;
  std::string found = "unknown";
};
} // namespace

static int searchObject(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<BuildIdSearch *>(data);
  const llvm::ArrayRef segments(object->dlpi_phdr, object->dlpi_phnum);
  auto holdsAddress = [&](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_LOAD && search.address - (object->dlpi_addr + segment.p_vaddr) < segment.p_memsz;
  };
  if (llvm::none_of(segments, holdsAddress))
    return 0;
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_NOTE)
      continue;
    const auto *notes = reinterpret_cast<const uint8_t *>(object->dlpi_addr + segment.p_vaddr);
    if (llvm::ArrayRef<uint8_t> id = findBuildId({notes, static_cast<size_t>(segment.p_memsz)}); !id.empty())
      search.found = llvm::toHex(id, /*LowerCase=*/true);
  }
  return 1;
}

/// Of what is loaded: the file may have been replaced since.
std::string tileiras::getBuildId(const void *address) {
  BuildIdSearch search{reinterpret_cast<uintptr_t>(address ? address : reinterpret_cast<void *>(&searchObject))};
  dl_iterate_phdr(searchObject, &search);
  return search.found;
}
