//===- Image.cpp - Cubins for tests ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include <cstring>
#include <elf.h>

std::string makeMetadata(const std::vector<TestKernel> &kernels) {
  auto print = [](unsigned x, unsigned y, unsigned z) {
    return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
  };
  std::string text =
      R"({"tileiras":"0.1.0","target":{"gpu":"sm_80","arch":"sm_80","compute_capability":80},"kernels":[)";
  for (const TestKernel &kernel : kernels) {
    std::string block = print(kernel.block[0], kernel.block[1], kernel.block[2]);
    text += std::string(&kernel == kernels.data() ? "" : ",") + R"({"name":")" + kernel.name +
            R"(","parameters":[{"type":"ptr","bytes":8}],"block_size":)" + block + R"(,"cluster_size":)" +
            print(kernel.cluster, 1, 1) + R"(,"dynamic_shared_bytes":)" + std::to_string(kernel.sharedBytes) +
            R"(,"launch_blocks":")" + (kernel.clusters ? "clusters" : "threads") + R"(","launch_block_size":)" +
            (kernel.clusters ? "[1,1,1]" : block) + "}";
  }
  return text + "]}";
}

template <typename Type>
static void append(std::string &bytes, const Type &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

std::string makeImage(const std::string &text, const std::string &symbol) {
  enum { kNull, kNames, kSymbols, kContents, kSections };
  const char sectionNames[] = "\0.strtab\0.symtab\0.nv.global.init";
  std::string names(sectionNames, sizeof(sectionNames));
  uint32_t symbolName = static_cast<uint32_t>(names.size());
  names += symbol + '\0';
  names.resize((names.size() + 7) & ~size_t{7});

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = 190; // CUDA
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kNames;
  header.e_shoff = sizeof(header);

  Elf64_Shdr sections[kSections] = {};
  uint64_t at = sizeof(header) + sizeof(sections);
  sections[kNames] = {1, SHT_STRTAB, 0, 0, at, names.size(), 0, 0, 1, 0};
  at += names.size();
  sections[kSymbols] = {9, SHT_SYMTAB, 0, 0, at, 2 * sizeof(Elf64_Sym), kNames, 2, 8, sizeof(Elf64_Sym)};
  at += 2 * sizeof(Elf64_Sym);
  sections[kContents] = {17, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, at, text.size(), 0, 0, 1, 0};

  std::string bytes;
  append(bytes, header);
  append(bytes, sections);
  bytes += names;
  append(bytes, Elf64_Sym{});
  append(bytes, Elf64_Sym{symbolName, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, kContents, 0, text.size()});
  return bytes + text;
}
