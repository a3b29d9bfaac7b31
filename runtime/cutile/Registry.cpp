//===- Registry.cpp - Images of ours that the driver has loaded -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tileiras::cutile {

Registry &Registry::get() {
  // Launches may come from what runs at the end of the process: never destroyed.
  static Registry &registry = *new Registry;
  return registry;
}

bool isVerbose() noexcept {
  static const bool verbose = [] {
    const char *value = getenv("TILEIRAS_CUTILE_VERBOSE");
    return value && *value && strcmp(value, "0") != 0;
  }();
  return verbose;
}

void report(const std::string &line) noexcept {
  std::string text = "tileiras-cutile: " + line + "\n";
  // One call a line: lines of several threads do not mix.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

std::string print(const launch::Dimensions &dimensions) {
  return "(" + std::to_string(dimensions[0]) + ", " + std::to_string(dimensions[1]) + ", " +
         std::to_string(dimensions[2]) + ")";
}

/// Whether the pages of `size` bytes at `start` are there: a damaged header may name more than there is.
static bool isMapped(const char *start, size_t size) {
  static constexpr size_t kPages = 4096;
  unsigned char resident[kPages];
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uintptr_t first = reinterpret_cast<uintptr_t>(start) & ~(page - 1);
  uintptr_t end = reinterpret_cast<uintptr_t>(start) + size;
  for (uintptr_t at = first; at < end; at += kPages * page)
    if (mincore(reinterpret_cast<void *>(at), std::min<size_t>(end - at, kPages * page), resident) != 0 &&
        errno == ENOMEM)
      return false;
  return true;
}

/// Of an ELF file whose size nobody says; 0: its headers name memory that is not there.
static size_t mappedSize(const char *image) {
  if (!isMapped(image, sizeof(Elf64_Ehdr)))
    return 0;
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof(header));
  // Tables of a cubin are near; sums cannot overflow.
  static constexpr uint64_t kFarthest = uint64_t{1} << 40;
  if (header.e_shoff > kFarthest || header.e_phoff > kFarthest ||
      !isMapped(image + header.e_shoff, size_t{header.e_shnum} * header.e_shentsize) ||
      !isMapped(image + header.e_phoff, size_t{header.e_phnum} * header.e_phentsize))
    return 0;
  size_t size = launch::elfSize(image);
  return size <= kFarthest && isMapped(image, size) ? size : 0;
}

void Registry::addImage(const void *module, const void *image) {
  // Our compiler writes cubins. PTX, and fat binaries, which hold the code of programs, are other compilers'.
  const char *bytes = static_cast<const char *>(image);
  bool isElf = bytes && !ignoring.load(std::memory_order_relaxed) && strncmp(bytes, ELFMAG, SELFMAG) == 0;
  add(module, bytes, isElf ? mappedSize(bytes) : 0);
}

void Registry::addFile(const void *module, const char *file) {
  struct stat status;
  const bool isRead = !ignoring.load(std::memory_order_relaxed) && stat(file, &status) == 0 && S_ISREG(status.st_mode);
  std::ifstream stream(isRead ? file : "", std::ios::binary); // what a pipe has is for the driver alone
  std::string bytes(SELFMAG, '\0');
  if (stream.read(bytes.data(), SELFMAG) && bytes == ELFMAG)
    bytes.append(std::istreambuf_iterator<char>(stream), {});
  else
    bytes.clear();
  add(module, bytes.data(), bytes.size());
}

/// Metadata of an image that says what it is not, or is damaged, is worth a line to who looks for a reason.
static std::vector<launch::KernelMetadata> readKernels(const char *bytes, size_t size) {
  launch::EmbeddedMetadata embedded = launch::findMetadata(bytes, size);
  if (embedded.kind == launch::EmbeddedMetadata::Absent)
    return {};
  std::string error = embedded.error;
  if (embedded.kind == launch::EmbeddedMetadata::Present)
    if (std::optional<launch::Metadata> metadata = launch::parseMetadata(embedded.text, error))
      return std::move(metadata->kernels);
  if (isVerbose())
    report("an image is left alone: " + error);
  return {};
}

static void reportKernel(const launch::KernelMetadata &kernel) {
  bool correct = kernel.launchBlockSize != launch::Dimensions{1, 1, 1} || kernel.dynamicSharedBytes > 0;
  report("loaded " + kernel.name + ": " +
         (correct ? "launches get block " + print(kernel.launchBlockSize) + " and " +
                        std::to_string(kernel.dynamicSharedBytes) + " bytes of shared memory"
                  : "the image says all that a launch needs"));
}

/// Launches without them do not fail, but read what is not there.
static void reportTensorMaps(const launch::KernelMetadata &kernel) {
  report(kernel.name +
         " takes tensor maps that whoever launches it has to build, which is left to the program; one that "
         "does not needs it compiled without tma-descriptors=host");
}

void Registry::add(const void *module, const char *bytes, size_t size) {
  std::vector<launch::KernelMetadata> found;
  if (size)
    found = readKernels(bytes, size);
  std::lock_guard lock(mutex);
  remove(module);
  if (found.empty())
    return;
  Image &image = images[module];
  for (launch::KernelMetadata &kernel : found) {
    if (isVerbose())
      reportKernel(kernel);
    if (!kernel.tensorMaps.empty())
      reportTensorMaps(kernel);
    image.kernels.push_back(keep(std::move(kernel)));
  }
}

/// Programs that tune load the same kernels again and again, and each is kept for good: once.
const launch::KernelMetadata *Registry::keep(launch::KernelMetadata kernel) {
  kernel.parameters.clear();
  kernel.tensorMaps.clear();
  for (const launch::KernelMetadata &other : kept)
    if (other.name == kernel.name && other.blockSize == kernel.blockSize && other.clusterSize == kernel.clusterSize &&
        other.launchBlockSize == kernel.launchBlockSize && other.dynamicSharedBytes == kernel.dynamicSharedBytes &&
        other.launchBlocks == kernel.launchBlocks)
      return &other;
  return &kept.emplace_back(std::move(kernel));
}

void Registry::erase(const void *handle) {
  kernels.erase(handle);
  homes.erase(handle);
}

void Registry::remove(const void *module) {
  libraries.erase(module);
  auto image = images.find(module);
  if (image == images.end())
    return;
  for (const void *handle : image->second.handles)
    if (auto home = homes.find(handle); home != homes.end() && home->second == module)
      erase(handle);
  for (const void *belonging : image->second.modules)
    libraries.erase(belonging);
  images.erase(image);
}

void Registry::removeModule(const void *module) {
  std::lock_guard lock(mutex);
  remove(module);
}

void Registry::addModule(const void *module, const void *library) {
  std::lock_guard lock(mutex);
  if (images.count(module) && module != library)
    remove(module);
  auto image = images.find(library);
  if (image == images.end()) {
    libraries.erase(module);
    return;
  }
  if (libraries.emplace(module, library).second)
    image->second.modules.push_back(module);
}

void Registry::insert(const void *handle, const launch::KernelMetadata *kernel, const void *home, bool ofLibrary) {
  auto known = homes.find(handle);
  // Asked for once more: that it has its shared memory is remembered.
  if (known != homes.end() && known->second == home && kernels.find(handle).kernel == kernel)
    return;
  kernels.insert(handle, kernel, ofLibrary);
  homes[handle] = home;
  images[home].handles.push_back(handle);
}

void Registry::addKernel(const void *handle, const void *module, const char *name, bool ofLibrary) {
  std::lock_guard lock(mutex);
  auto library = libraries.find(module);
  const void *home = library == libraries.end() ? module : library->second;
  if (auto image = images.find(home); image != images.end())
    for (const launch::KernelMetadata *kernel : image->second.kernels)
      if (kernel->name == name)
        return insert(handle, kernel, home, ofLibrary);
  erase(handle);
}

void Registry::addFunction(const void *function, const void *kernel) {
  std::lock_guard lock(mutex);
  KernelTable::Found known = kernels.find(kernel);
  if (known.kernel)
    insert(function, known.kernel, homes.at(kernel), false);
  else
    erase(function);
}

} // namespace tileiras::cutile
