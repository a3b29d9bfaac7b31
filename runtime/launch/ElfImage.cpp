//===- ElfImage.cpp - Finds the metadata in a cubin -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
#include <algorithm>
#include <cstring>
#include <elf.h>

using namespace tileiras::launch;

namespace {

constexpr uint16_t kMachineCuda = 190;

/// Malformed ELF data: the text says what is wrong.
struct BadImage {
  std::string text;
};

bool isElf64(const char *bytes) {
  return std::memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64 && bytes[EI_DATA] == ELFDATA2LSB;
}

/// An ELF file in memory; nothing is read that is not checked to lie in it. Data need not be aligned.
class ElfFile {
public:
  ElfFile(const char *bytes, size_t size) : bytes(bytes), size(size) {
    header = at<Elf64_Ehdr>(0, "the file header");
    if (header.e_shentsize != sizeof(Elf64_Shdr) || (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr)))
      throw BadImage{"its tables have entries of another size"};
    // The driver is told no size, and would read behind the end of what is cut off.
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment = entry<Elf64_Phdr>(header.e_phoff, i, "a program header");
      range(segment.p_offset, segment.p_filesz, "a segment");
    }
    for (unsigned i = 0; i < header.e_shnum; ++i)
      contents(section(i));
  }

  unsigned sectionCount() const { return header.e_shnum; }
  unsigned machine() const { return header.e_machine; }

  Elf64_Shdr section(unsigned index) const {
    if (index >= header.e_shnum)
      throw BadImage{"a section that does not exist is referred to"};
    return entry<Elf64_Shdr>(header.e_shoff, index, "a section header");
  }

  std::string_view contents(const Elf64_Shdr &section) const {
    if (section.sh_type == SHT_NOBITS)
      return {};
    return range(section.sh_offset, section.sh_size, "a section");
  }

  /// The contents of the symbol of that name, from the first table that has it.
  std::optional<std::string_view> symbol(std::string_view name) const {
    for (unsigned i = 0; i < sectionCount(); ++i)
      if (Elf64_Shdr table = section(i); table.sh_type == SHT_SYMTAB)
        if (auto found = symbolIn(table, name))
          return found;
    return std::nullopt;
  }

private:
  std::string_view range(uint64_t offset, uint64_t count, const char *what) const {
    if (offset > size || count > size - offset)
      throw BadImage{std::string("it is cut off: ") + what + " ends past its " + std::to_string(size) + " bytes"};
    return {bytes + offset, static_cast<size_t>(count)};
  }

  template <class T>
  T at(uint64_t offset, const char *what) const {
    T value;
    std::memcpy(&value, range(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

  template <class T>
  T entry(uint64_t table, uint64_t index, const char *what) const {
    range(table, (index + 1) * sizeof(T), what);
    return at<T>(table + index * sizeof(T), what);
  }

  std::optional<std::string_view> symbolIn(const Elf64_Shdr &table, std::string_view name) const {
    std::string_view names = contents(section(table.sh_link)), symbols = contents(table);
    for (size_t offset = 0; symbols.size() - offset >= sizeof(Elf64_Sym); offset += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + offset, sizeof symbol);
      if (symbol.st_name >= names.size() || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT)
        continue;
      std::string_view rest = names.substr(symbol.st_name);
      if (rest.substr(0, rest.find('\0')) == name)
        return contentsOf(symbol);
    }
    return std::nullopt;
  }

  std::string_view contentsOf(const Elf64_Sym &symbol) const {
    std::string_view data = contents(section(symbol.st_shndx));
    if (symbol.st_value > data.size() || symbol.st_size > data.size() - symbol.st_value)
      throw BadImage{"the metadata ends past its section"};
    return data.substr(symbol.st_value, symbol.st_size);
  }

  const char *bytes;
  size_t size;
  Elf64_Ehdr header;
};

std::string whatElse(std::string_view image) {
  if (image.empty())
    return "it is empty";
  if (image.substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG))
    return "an ELF file that is cut off, or has no 64 bits";
  if (image.find(".version") != std::string_view::npos && image.find(".target") != std::string_view::npos)
    return "it is PTX; assemble it with ptxas, or compile to a file that ends in .cubin";
  return "it is no ELF file";
}

} // namespace

EmbeddedMetadata tileiras::launch::findMetadata(const void *image, size_t size) {
  const auto *bytes = static_cast<const char *>(image);
  EmbeddedMetadata result;
  if (size < sizeof(Elf64_Ehdr) || !isElf64(bytes)) {
    // Where text is meant its beginning tells.
    result.error = "the image is no cubin: " + whatElse({bytes, bytes ? std::min<size_t>(size, 4096) : 0});
    return result;
  }
  try {
    ElfFile file(bytes, size);
    if (file.machine() != kMachineCuda) {
      result.error =
          "the image is no cubin: it is an ELF file for another machine (" + std::to_string(file.machine()) + ")";
      return result;
    }
    std::optional<std::string_view> text = file.symbol(kMetadataSymbol);
    result.kind = text ? EmbeddedMetadata::Present : EmbeddedMetadata::Absent;
    if (text)
      result.text = *text;
    else
      result.error = "the cubin has no tileiras metadata (no symbol " + std::string(kMetadataSymbol) +
                     "): it was not compiled by tileiras, or it was stripped; give the text of --metadata, or compile "
                     "it again";
  } catch (const BadImage &bad) {
    result.error = "the image is a damaged cubin: " + bad.text;
  }
  return result;
}

size_t tileiras::launch::elfSize(const void *image) {
  const auto *bytes = static_cast<const char *>(image);
  // Short of a size, what says that it is none comes before what would be read next.
  if (!bytes || std::strncmp(bytes, ELFMAG, SELFMAG) != 0 || !isElf64(bytes))
    return 0;
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof header);
  if ((header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr)) ||
      (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr)))
    return 0;
  uint64_t end = sizeof header;
  if (header.e_shnum)
    end = std::max<uint64_t>(end, header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr));
  if (header.e_phnum)
    end = std::max<uint64_t>(end, header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr));
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return static_cast<size_t>(end);
}
