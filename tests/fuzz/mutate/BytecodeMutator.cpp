//===- BytecodeMutator.cpp - libFuzzer's mutations of bytecode ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes that are a module mostly become another one (ModuleMutator.h); else their sections are changed, with lengths
// that fit, or the bytes whatever they are.
//
//===----------------------------------------------------------------------===//

#include "AttributeMutator.h"
#include "FuzzerHooks.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using namespace tileiras::fuzz;

namespace {

constexpr size_t kHeaderSize = 12;
constexpr uint8_t kAligned = 0x80;
constexpr char kPadding = '\xcb';

struct Section {
  uint8_t id; ///< with the flag
  uint64_t alignment;
  std::string payload;
};

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static ModuleRef readModule(llvm::StringRef bytes, mlir::MLIRContext &context) {
  return readBytecode(llvm::MemoryBufferRef(bytes, "input"), &context);
}

/// In the version of `like`, or (now and then, or where that has no such thing) in another.
static std::string writeModule(cuda_tile::ModuleOp module, llvm::StringRef like, Random &random) {
  std::optional<BytecodeVersion> version = getBytecodeVersion(llvm::MemoryBufferRef(like, "input"));
  if (!version || random.chance(10))
    version = random.pick(BytecodeVersion::supported());
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecode(module, os, *version))) {
    bytes.clear();
    (void)writeBytecode(module, os);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// False where the bytes are no series of sections.
static bool split(llvm::StringRef bytes, std::vector<Section> &sections) {
  size_t at = kHeaderSize;
  auto readVarint = [&](uint64_t &value) {
    unsigned length = 0;
    const char *error = nullptr;
    llvm::StringRef limited = bytes.substr(at, 10); // LLVM shifts too far on longer ones, which are none of 64 bits
    value = llvm::decodeULEB128(limited.bytes_begin(), &length, limited.bytes_end(), &error);
    at += length;
    return !error;
  };
  while (at < bytes.size() && bytes[at] != 0) {
    Section section{static_cast<uint8_t>(bytes[at++]), 1, {}};
    uint64_t length;
    if (!readVarint(length))
      return false;
    if (section.id & kAligned) {
      if (!readVarint(section.alignment) || !llvm::isPowerOf2_64(section.alignment))
        return false;
      at = llvm::alignTo(at, section.alignment);
    }
    if (at > bytes.size() || length > bytes.size() - at)
      return false;
    section.payload = bytes.substr(at, length).str();
    at += length;
    sections.push_back(std::move(section));
  }
  return !sections.empty();
}

static std::string encodeVarint(uint64_t value) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::encodeULEB128(value, os);
  return bytes;
}

static std::string join(llvm::StringRef header, const std::vector<Section> &sections) {
  std::string bytes = header.str();
  for (const Section &section : sections) {
    bytes += static_cast<char>(section.id);
    bytes += encodeVarint(section.payload.size());
    if (section.id & kAligned) {
      bytes += encodeVarint(section.alignment);
      bytes.append(llvm::offsetToAlignment(bytes.size(), llvm::Align(section.alignment)), kPadding);
    }
    bytes += section.payload;
  }
  return bytes + '\0';
}

static void mutatePayload(std::string &payload, Random &random) {
  size_t at = random.below(payload.size() + 1);
  switch (random.below(4)) {
  case 0: // A number by another: an index, a count, a length.
    payload.replace(at, random.below(3), encodeVarint(pickNumber(random)));
    return;
  case 1:
    if (at < payload.size())
      payload[at] = static_cast<char>(payload[at] + static_cast<char>(random.between(-2, 2)));
    return;
  case 2:
    payload.insert(at, payload.substr(random.below(payload.size() + 1), random.below(16)));
    return;
  default:
    size_t size = payload.size();
    payload.resize(size + 16);
    payload.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(payload.data()), size, size + 16));
  }
}

static std::string mutateSections(llvm::StringRef bytes, Random &random) {
  std::vector<Section> sections;
  if (bytes.size() < kHeaderSize || !split(bytes, sections))
    return {};
  size_t chosen = random.below(sections.size());
  switch (random.below(10)) {
  case 0:
    sections.erase(sections.begin() + static_cast<ptrdiff_t>(chosen));
    break;
  case 1:
    std::swap(sections[chosen], sections[random.below(sections.size())]);
    break;
  case 2:
    sections[chosen].id = static_cast<uint8_t>(random.bits());
    break;
  case 3:
    sections[chosen].alignment = uint64_t(1) << random.below(8);
    break;
  default:
    mutatePayload(sections[chosen].payload, random);
  }
  std::string header = bytes.take_front(kHeaderSize).str();
  if (random.chance(5))
    header[9] = static_cast<char>(random.below(6)); // The minor version.
  return join(header, sections);
}

//===----------------------------------------------------------------------===//
// libFuzzer's hooks
//===----------------------------------------------------------------------===//

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  if (random.chance(TILEIRAS_FUZZ_MODULE_PERCENT)) {
    auto writeChanged = [&](cuda_tile::ModuleOp changed) { return writeModule(changed, bytes, random); };
    if (size_t written = copyOut(mutateAsModule(bytes, random, readModule, writeChanged), data, maxSize))
      return written;
  }
  if (random.chance(60))
    if (size_t written = copyOut(mutateSections(bytes, random), data, maxSize))
      return written;
  return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize, const uint8_t *second,
                                            size_t secondSize, uint8_t *out, size_t maxSize, unsigned seed) {
  static FuzzContext contexts;
  Random random(seed);
  const llvm::StringRef bytes(reinterpret_cast<const char *>(first), firstSize);
  mlir::MLIRContext &context = contexts.next();
  ModuleRef module = readModule(bytes, context);
  ModuleRef donor = readModule(llvm::StringRef(reinterpret_cast<const char *>(second), secondSize), context);
  if (!module || !donor)
    return 0;
  ModuleRef crossed = crossModules(*module, *donor, random);
  return crossed ? copyOut(writeModule(*crossed, bytes, random), out, maxSize) : 0;
}
