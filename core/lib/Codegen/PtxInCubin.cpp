//===- PtxInCubin.cpp - Cubins that carry their PTX -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections, the names of all and the table of all are appended, and the header refers to that: nothing moves.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/PtxInCubin.h"
#include "tileiras/Lowering/SymbolNames.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <vector>

using namespace tileiras;
namespace elf = llvm::ELF;

std::optional<KeepPtx> tileiras::parseKeepPtx(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<KeepPtx>>(text)
      .Cases({"", "0"}, KeepPtx::No)
      .Case("1", KeepPtx::Yes)
      .Case("emulate", KeepPtx::OrAlone)
      .Default(std::nullopt);
}

namespace {

struct Section {
  llvm::StringRef name;
  uint32_t type = elf::SHT_PROGBITS;
  llvm::StringRef contents;
  uint32_t link = 0, info = 0; ///< as the header of a section has them
  uint64_t entrySize = 0;
};

/// A cubin that grows.
class Image {
public:
  explicit Image(std::string &bytes) : bytes(bytes) {
    std::memcpy(&header, bytes.data(), sizeof header);
    sections.resize(header.e_shnum);
    if (header.e_shnum) {
      std::memcpy(sections.data(), bytes.data() + header.e_shoff, header.e_shnum * sizeof(elf::Elf64_Shdr));
      const elf::Elf64_Shdr &old = sections[header.e_shstrndx];
      names = bytes.substr(old.sh_offset, old.sh_size);
    } else { // the null section, and the names
      sections.resize(2);
      sections[1].sh_type = elf::SHT_STRTAB;
      sections[1].sh_addralign = 1;
      header.e_shstrndx = 1;
      names.push_back('\0');
      sections[1].sh_name = addName(".shstrtab");
    }
  }

  void add(const Section &section) {
    elf::Elf64_Shdr entry = {};
    entry.sh_name = addName(section.name);
    entry.sh_type = section.type;
    entry.sh_link = section.link;
    entry.sh_info = section.info;
    entry.sh_entsize = section.entrySize;
    entry.sh_addralign = kAlignment;
    place(entry, section.contents);
    sections.push_back(entry);
  }

  void finish() {
    place(sections[header.e_shstrndx], names);
    align();
    header.e_shoff = bytes.size();
    header.e_shentsize = sizeof(elf::Elf64_Shdr);
    header.e_shnum = static_cast<uint16_t>(sections.size());
    bytes.append(reinterpret_cast<const char *>(sections.data()), sections.size() * sizeof(elf::Elf64_Shdr));
    std::memcpy(bytes.data(), &header, sizeof header);
  }

private:
  static constexpr uint64_t kAlignment = 8;

  uint32_t addName(llvm::StringRef name) {
    const size_t at = names.size();
    names.append(name.begin(), name.end());
    names.push_back('\0');
    return static_cast<uint32_t>(at);
  }
  void align() { bytes.resize(llvm::alignTo(bytes.size(), kAlignment)); }
  void place(elf::Elf64_Shdr &entry, llvm::StringRef contents) {
    align();
    entry.sh_offset = bytes.size();
    entry.sh_size = contents.size();
    bytes.append(contents.begin(), contents.end());
  }

  std::string &bytes;
  elf::Elf64_Ehdr header;
  std::vector<elf::Elf64_Shdr> sections;
  std::string names;
};

} // namespace

void tileiras::addPtx(std::string &cubin, llvm::StringRef ptx) {
  Image image(cubin);
  image.add({kPtxSection, elf::SHT_PROGBITS, ptx});
  image.finish();
}

/// The header of a cubin of the ABI whose flags have the number of the GPU in their second byte.
static std::string makeHeader(unsigned computeCapability) {
  constexpr uint8_t kAbi = 8;
  elf::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, elf::ElfMagic, 4);
  header.e_ident[elf::EI_CLASS] = elf::ELFCLASS64;
  header.e_ident[elf::EI_DATA] = elf::ELFDATA2LSB;
  header.e_ident[elf::EI_VERSION] = elf::EV_CURRENT;
  header.e_ident[elf::EI_ABIVERSION] = kAbi;
  header.e_type = elf::ET_EXEC;
  header.e_machine = elf::EM_CUDA;
  header.e_version = elf::EV_CURRENT;
  header.e_flags = computeCapability << 8;
  header.e_ehsize = sizeof header;
  return {reinterpret_cast<const char *>(&header), sizeof header};
}

std::string tileiras::makePtxImage(llvm::StringRef ptx, llvm::StringRef arch, llvm::StringRef metadata) {
  unsigned computeCapability = 0;
  llvm::StringRef number = arch;
  number.consume_front("sm_");
  number.consumeInteger(10, computeCapability);
  std::string bytes = makeHeader(computeCapability);
  Image image(bytes);
  image.add({kPtxSection, elf::SHT_PROGBITS, ptx});
  if (!metadata.empty()) {
    // Behind the null section, the names of sections, and the PTX.
    constexpr uint16_t kMetadata = 3;
    constexpr uint32_t kStrings = 4, kLocalSymbols = 1;
    std::string strings(1, '\0');
    strings += makeInternalSymbol("metadata");
    strings.push_back('\0');
    elf::Elf64_Sym symbols[2] = {};
    symbols[1].st_name = 1;
    symbols[1].setBindingAndType(elf::STB_GLOBAL, elf::STT_OBJECT);
    symbols[1].st_shndx = kMetadata;
    symbols[1].st_size = metadata.size();
    image.add({".tileiras.metadata", elf::SHT_PROGBITS, metadata});
    image.add({".strtab", elf::SHT_STRTAB, strings});
    image.add({".symtab", elf::SHT_SYMTAB, llvm::StringRef(reinterpret_cast<const char *>(symbols), sizeof symbols),
               kStrings, kLocalSymbols, sizeof(elf::Elf64_Sym)});
  }
  image.finish();
  return bytes;
}
