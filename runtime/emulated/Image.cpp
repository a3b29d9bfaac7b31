//===- Image.cpp - What a program loads: cubins and PTX ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include "State.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <string_view>

namespace emudriver {

constexpr uint16_t kCudaMachine = 190; // EM_CUDA
constexpr uint32_t kFatbinary = 0xba55ed50, kFatbinaryWrapper = 0x466243b1;
constexpr uint8_t kRegisterCount = 0x2f; // of .nv.info: EIATTR_REGCOUNT, a symbol's index and a number

static std::string showGpu(int computeCapability, const std::string &suffix = "") {
  return "sm_" + std::to_string(computeCapability) + suffix;
}

/// CUDA C++ programming guide, "binary compatibility" and "PTX compatibility", and of the suffixes "feature sets".
static void checkTarget(int computeCapability, const std::string &suffix, bool isCubin) {
  const int device = Configuration::get().computeCapability();
  bool runs = computeCapability <= device;
  if (suffix == "a")
    runs = computeCapability == device;
  else if (suffix == "f" || isCubin)
    runs = runs && computeCapability / 10 == device / 10;
  require(runs, kNoBinaryForGpu,
          "the image is for " + showGpu(computeCapability, suffix) + ", this GPU is " + showGpu(device));
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

namespace {

/// An ELF image in memory, which is as long as its headers say.
class Cubin {
public:
  explicit Cubin(const uint8_t *bytes) : bytes(bytes) {
    std::memcpy(&header, bytes, sizeof header);
    require(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == kCudaMachine &&
                header.e_shentsize == sizeof(Elf64_Shdr),
            kInvalidImage, "an ELF image, but no cubin");
    constexpr uint64_t kMostBytes = uint64_t(1) << 30; // nobody says how long the image is: garbage is to be noticed
    require(header.e_shoff < kMostBytes && header.e_shstrndx < header.e_shnum, kInvalidImage, "malformed headers");
    sections.resize(header.e_shnum);
    std::memcpy(sections.data(), bytes + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  }

  std::string_view contents() const {
    uint64_t end = std::max(header.e_shoff + sections.size() * sizeof(Elf64_Shdr),
                            header.e_phoff + uint64_t(header.e_phnum) * header.e_phentsize);
    for (const Elf64_Shdr &s : sections)
      if (s.sh_type != SHT_NOBITS && s.sh_offset < UINT32_MAX && s.sh_size < UINT32_MAX)
        end = std::max(end, s.sh_offset + s.sh_size);
    return {reinterpret_cast<const char *>(bytes), end};
  }

  /// Since ABI version 8 the number of the GPU is in the second byte, before in the first.
  int computeCapability() const {
    return header.e_ident[EI_ABIVERSION] >= 8 ? header.e_flags >> 8 & 0xff : header.e_flags & 0xff;
  }

  /// That `tileiras` keeps there when TILEIRAS_KEEP_PTX asks for it; empty: it has not.
  std::string ptx() const {
    const Elf64_Shdr *s = section(".tileiras.ptx");
    return s ? std::string(reinterpret_cast<const char *>(bytes) + s->sh_offset, s->sh_size) : "";
  }

  std::map<std::string, int> registers() const {
    std::map<std::string, int> result;
    const Elf64_Shdr *info = section(".nv.info"), *symbols = section(".symtab");
    if (!info || !symbols)
      return result;
    const char *names = reinterpret_cast<const char *>(bytes + sections.at(symbols->sh_link).sh_offset);
    for (uint64_t at = 0; at + 4 <= info->sh_size;) {
      const uint8_t *record = bytes + info->sh_offset + at;
      const uint16_t length = static_cast<uint16_t>(record[2] | record[3] << 8);
      const bool hasPayload = record[0] == 4; // other formats keep their value in the two bytes
      at += 4 + (hasPayload ? length : 0);
      if (!hasPayload || record[1] != kRegisterCount || length != 8 || at > info->sh_size)
        continue;
      uint32_t payload[2];
      std::memcpy(payload, record + 4, sizeof payload);
      if ((payload[0] + 1) * sizeof(Elf64_Sym) > symbols->sh_size)
        continue;
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes + symbols->sh_offset + payload[0] * sizeof symbol, sizeof symbol);
      result[names + symbol.st_name] = static_cast<int>(payload[1]);
    }
    return result;
  }

private:
  const Elf64_Shdr *section(std::string_view name) const {
    const char *names = reinterpret_cast<const char *>(bytes + sections.at(header.e_shstrndx).sh_offset);
    for (const Elf64_Shdr &s : sections)
      if (names + s.sh_name == name)
        return &s;
    return nullptr;
  }

  const uint8_t *bytes;
  Elf64_Ehdr header;
  std::vector<Elf64_Shdr> sections;
};

} // namespace

static std::string readFile(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A cubin without PTX in it: whoever compiled it leaves both in one folder.
static std::string findPtx(std::string_view cubin) {
  const std::filesystem::path &folder = Configuration::get().images;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".cubin" || entry.file_size(error) < cubin.size())
      continue;
    // Behind the last section nothing counts.
    if (readFile(path).compare(0, cubin.size(), cubin) != 0)
      continue;
    if (std::string ptx = readFile(path.replace_extension(".ptx")); !ptx.empty())
      return ptx;
    say("error: " + path.string() + ", the PTX of the cubin beside it, does not exist or is empty");
    refuse(kInvalidImage, "the emulator runs PTX");
  }
  const std::string where = folder.empty() ? "" : ", and no .cubin in " + folder.string() + " has its bytes";
  say("error: the image (" + std::to_string(cubin.size()) +
      " bytes) has no PTX in it, which is what the emulator runs" + where +
      ": compile it with TILEIRAS_KEEP_PTX=1 in the environment, or set EMULATED_CUDA_IMAGES to a folder that "
      "has both");
  refuse(kInvalidImage, "the emulator runs PTX");
}

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

/// Text of which the emulator can tell what it is: the first directive is .version.
static bool looksLikePtx(std::string_view text) {
  const size_t version = text.find(".version");
  return version != std::string_view::npos &&
         std::all_of(text.begin(), text.begin() + version, [](unsigned char c) { return c >= 9 && c < 127; });
}

struct PtxTarget {
  int computeCapability = 0;
  std::string suffix;
};

static PtxTarget readTarget(const std::string &name) {
  PtxTarget target;
  char suffix[2] = "";
  if (std::sscanf(name.c_str(), "sm_%d%1[af]", &target.computeCapability, suffix) < 1)
    refuse(kInvalidPtx, "the PTX is for '" + name + "'");
  target.suffix = suffix;
  return target;
}

ptxemu::Module Image::parse() const {
  try {
    return ptxemu::Module::parse(ptx);
  } catch (const ptxemu::InputError &error) {
    say(std::string("error: the emulator does not take the PTX: ") + error.what());
    refuse(isCubin ? kInvalidImage : kInvalidPtx, "the emulator does not take the PTX");
  }
}

Image Image::read(const void *code) {
  require(code, kInvalidValue, "a null image");
  uint32_t magic;
  std::memcpy(&magic, code, sizeof magic);
  require(magic != kFatbinary && magic != kFatbinaryWrapper, kInvalidImage,
          "the emulated driver takes cubins and PTX, no fatbinaries");
  Image image;
  if (std::memcmp(code, ELFMAG, SELFMAG) == 0) {
    const Cubin cubin(static_cast<const uint8_t *>(code));
    image.isCubin = true;
    image.computeCapability = cubin.computeCapability();
    checkTarget(image.computeCapability, "", true);
    image.ptx = cubin.ptx();
    if (image.ptx.empty())
      image.ptx = findPtx(cubin.contents());
    image.registers = cubin.registers();
  } else {
    image.ptx = static_cast<const char *>(code);
    require(looksLikePtx(image.ptx), kInvalidImage, "the image is neither a cubin nor PTX");
  }
  const ptxemu::Module module = image.parse();
  const PtxTarget target = readTarget(module.target());
  // For PTX numba/numba reports the same (issues with "SM version specified by .target is higher").
  checkTarget(target.computeCapability, target.suffix, image.isCubin);
  image.computeCapability = target.computeCapability;
  return image;
}

} // namespace emudriver
