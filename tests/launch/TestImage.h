//===- TestImage.h - Cubins that no assembler has made ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_LAUNCH_TEST_IMAGE_H
#define TILEIRAS_TESTS_LAUNCH_TEST_IMAGE_H

#include <cstring>
#include <elf.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace launchtest {

inline constexpr uint16_t kMachineCuda = 190;

/// An ELF file whose sections are a symbol table, its names and the metadata; no symbol where there are none.
inline std::string makeCubin(const std::optional<std::string> &metadata, uint16_t machine = kMachineCuda) {
  const std::string names = std::string("\0__tileiras_metadata\0", 21), data = "before" + metadata.value_or("");
  Elf64_Sym symbols[2] = {};
  symbols[1] = {1, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), 0, 3, 6, metadata ? metadata->size() : 0};
  std::string contents(reinterpret_cast<const char *>(symbols), sizeof(Elf64_Sym) * (metadata ? 2 : 1));
  const size_t start = sizeof(Elf64_Ehdr), symbolBytes = contents.size();
  contents += names + data;
  Elf64_Shdr sections[4] = {};
  sections[1].sh_type = SHT_SYMTAB, sections[1].sh_offset = start, sections[1].sh_size = symbolBytes;
  sections[1].sh_link = 2;
  sections[2].sh_type = SHT_STRTAB, sections[2].sh_offset = start + symbolBytes, sections[2].sh_size = names.size();
  sections[3].sh_type = SHT_PROGBITS, sections[3].sh_offset = start + symbolBytes + names.size();
  sections[3].sh_size = data.size();
  Elf64_Phdr segment = {};
  segment.p_type = PT_LOAD, segment.p_offset = start, segment.p_filesz = contents.size();
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = machine;
  header.e_phoff = start + contents.size(), header.e_phentsize = sizeof segment, header.e_phnum = 1;
  header.e_shoff = header.e_phoff + sizeof segment, header.e_shentsize = sizeof(Elf64_Shdr), header.e_shnum = 4;
  auto bytes = [](const auto &value) { return std::string(reinterpret_cast<const char *>(&value), sizeof value); };
  return bytes(header) + contents + bytes(segment) + bytes(sections);
}

/// A kernel (ptr, i32) of 128 threads, as the compiler describes it for sm_90.
inline nlohmann::json makeKernel(const std::string &name = "k") {
  return {{"name", name},
          {"parameters", {{{"type", "ptr"}, {"bytes", 8}}, {{"type", "i32"}, {"bytes", 4}}}},
          {"block_size", {128, 1, 1}},
          {"cluster_size", {1, 1, 1}},
          {"dynamic_shared_bytes", 0},
          {"launch_blocks", "clusters"},
          {"launch_block_size", {1, 1, 1}}};
}

/// The same kernel with a tensor map behind its parameters: f16, `ptr` with rows of 2·i32 elements, i32 + 8 of them.
inline nlohmann::json makeKernelWithMap(const nlohmann::json &access = "load") {
  using nlohmann::json;
  const json number = {{"parameter", 1}};
  auto operation = [](const char *name, unsigned bits, const json &a, const json &b) {
    return json{{"op", name}, {"bits", bits}, {"operands", {a, b}}};
  };
  const json row = operation("muli", 32, number, 2);
  json kernel = makeKernel();
  kernel["parameters"].push_back({{"type", "tensor_map"}, {"bytes", 128}});
  kernel["tensor_maps"] = json::array({{{"parameter", 2},
                                        {"access", access},
                                        {"data_type", "FLOAT16"},
                                        {"global_address", {{"parameter", 0}}},
                                        {"global_dim", {row, operation("addi", 32, number, 8)}},
                                        {"global_strides", {operation("muli", 64, row, 2)}},
                                        {"box_dim", {64, 32}},
                                        {"element_strides", {1, 1}},
                                        {"interleave", "NONE"},
                                        {"swizzle", "128B"},
                                        {"l2_promotion", "L2_128B"},
                                        {"oob_fill", "NAN_REQUEST_ZERO_FMA"}}});
  return kernel;
}

inline nlohmann::json makeMetadata(const nlohmann::json &kernels = nlohmann::json::array({makeKernel()})) {
  return {{"tileiras", "0.1.0"},
          {"target", {{"gpu", "sm_90"}, {"arch", "sm_90a"}, {"compute_capability", 90}}},
          {"kernels", kernels}};
}

} // namespace launchtest

#endif // TILEIRAS_TESTS_LAUNCH_TEST_IMAGE_H
