//===- LaunchDescription.cpp - Everything about one launch ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchDescription.h"
#include "Files.h"
#include "LaunchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace tileiras {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

template <typename List>
static auto findNamed(const List &list, llvm::StringRef name) {
  auto found = llvm::find_if(list, [&](const auto &each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

const LaunchDescription::Buffer *LaunchDescription::findBuffer(llvm::StringRef name) const {
  return findNamed(buffers, name);
}

const LaunchDescription::Map *LaunchDescription::findMap(llvm::StringRef name) const {
  return findNamed(maps, name);
}

uint64_t LaunchDescription::sizeOf(const Parameter &parameter) {
  if (parameter.type == "bytes")
    return parameter.contents.size();
  return parameter.type == "map" ? ptxemu::TensorMap::kBytes : parameter.bytes;
}

bool LaunchDescription::hasMemory(llvm::StringRef name) const {
  return findBuffer(name) || findNamed(tables, name);
}

/// What this process may have: of the machine, the container, and the limit that is set for it.
static uint64_t getMemory() {
  uint64_t memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (const char *file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    uint64_t most = 0;
    if (std::ifstream(file) >> most) // else "max", or no such file
      memory = std::min(memory, most);
  }
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0)
    memory = std::min<uint64_t>(memory, limit.rlim_cur);
  return memory;
}

uint64_t LaunchDescription::getRoom() const {
  static const uint64_t memory = getMemory();
  uint64_t used = 0;
  for (const Buffer &buffer : buffers)
    used += buffer.bytes + buffer.contents.size();
  for (const Table &table : tables)
    used += table.words.size() * sizeof(Word);
  for (const Expectation &expectation : expectations)
    used += expectation.contents.size();
  return memory - std::min(memory, used);
}

std::string LaunchDescription::refuseMemory(llvm::StringRef name, uint64_t bytes, uint64_t contents) const {
  if (hasMemory(name))
    return "there is another '" + name.str() + "'";
  const uint64_t room = getRoom(), left = room - std::min(room, contents);
  if (bytes <= left)
    return "";
  return "'" + name.str() + "' has " + std::to_string(bytes) + " bytes, of this machine's memory " +
         std::to_string(left) + " are left";
}

//===----------------------------------------------------------------------===//
// Before the launch
//===----------------------------------------------------------------------===//

void LaunchDescription::fill(const Buffer &buffer, ptxemu::DeviceMemory &device, uint64_t address) const {
  constexpr uint64_t kChunk = 1 << 20;
  device.write(address, buffer.contents.data(), buffer.contents.size());
  const std::vector<uint8_t> chunk(std::min(kChunk, buffer.bytes - buffer.contents.size()), buffer.fill);
  for (uint64_t offset = buffer.contents.size(); offset < buffer.bytes; offset += kChunk)
    device.write(address + offset, chunk.data(), std::min(kChunk, buffer.bytes - offset));
}

static LaunchDescription::Addresses place(const LaunchDescription &launch, ptxemu::DeviceMemory &device) {
  LaunchDescription::Addresses addresses;
  for (const LaunchDescription::Buffer &buffer : launch.buffers) {
    const uint64_t at = addresses[buffer.name] = device.allocate(buffer.bytes, buffer.name);
    if (buffer.fill == 0) // what is behind the contents is zero already
      device.write(at, buffer.contents.data(), buffer.contents.size());
    else
      launch.fill(buffer, device, at);
  }
  for (const LaunchDescription::Table &table : launch.tables) {
    std::vector<uint64_t> words;
    for (const LaunchDescription::Word &word : table.words)
      words.push_back((word.buffer.empty() ? 0 : addresses.at(word.buffer)) + word.value);
    const uint64_t at = addresses[table.name] = device.allocate(words.size() * 8, table.name);
    device.write(at, words.data(), words.size() * 8);
  }
  return addresses;
}

static std::vector<uint8_t> makeArgument(const LaunchDescription &launch, const LaunchDescription::Parameter &parameter,
                                         const LaunchDescription::Addresses &addresses,
                                         const LaunchDescription::MapEncoder &encoder) {
  std::vector<uint8_t> bytes = parameter.contents;
  for (const LaunchDescription::Field &field : parameter.fields)
    llvm::copy(makeArgument(launch, field.value, addresses, encoder),
               bytes.begin() + static_cast<std::ptrdiff_t>(field.at));
  if (parameter.type == "bytes")
    return bytes;
  if (parameter.type == "map") {
    const LaunchDescription::Map &map = *launch.findMap(parameter.name);
    ptxemu::TensorMap tensor = map.map;
    tensor.address += addresses.at(map.buffer);
    const std::array<uint8_t, 128> encoded = encoder ? encoder(tensor) : tensor.encode();
    return {encoded.begin(), encoded.end()};
  }
  const uint64_t base = parameter.type == "ptr" ? addresses.at(parameter.name) : 0;
  appendWord(bytes, base + parameter.value, parameter.bytes);
  return bytes;
}

LaunchDescription::Addresses LaunchDescription::prepare(ptxemu::DeviceMemory &device, ptxemu::LaunchOptions &options,
                                                        const MapEncoder &encoder) const {
  Addresses addresses = place(*this, device);
  if (options.entry.empty())
    options.entry = entry;
  options.grid = grid;
  if (!options.block[0])
    options.block = block;
  if (!options.cluster[0])
    options.cluster = cluster;
  if (!options.dynamicShared)
    options.dynamicShared = dynamicShared;
  options.arguments.clear();
  for (const Parameter &parameter : parameters)
    options.arguments.push_back(makeArgument(*this, parameter, addresses, encoder));
  return addresses;
}

//===----------------------------------------------------------------------===//
// After the launch
//===----------------------------------------------------------------------===//

void LaunchDescription::writeResults(const ptxemu::DeviceMemory &device, const Addresses &addresses) const {
  for (const Result &result : results) {
    std::vector<uint8_t> data(result.bytes);
    device.read(addresses.at(result.buffer), data.data(), data.size());
    if (llvm::Error error = writeFile(result.file, llvm::toStringRef(data)))
      throw LaunchError(llvm::toString(std::move(error)));
  }
}

static bool isClose(double got, double expected, const LaunchDescription::Expectation &expectation) {
  if (std::isnan(got) && std::isnan(expected))
    return true;
  if (!std::isfinite(expected) || (expectation.relative == 0 && expectation.absolute == 0))
    return false;
  return std::fabs(got - expected) <= expectation.absolute + expectation.relative * std::fabs(expected);
}

bool LaunchDescription::compare(const ptxemu::DeviceMemory &device, const Addresses &addresses, std::string *report,
                                const Judge &judge) const {
  bool agrees = true;
  for (const Expectation &expectation : expectations) {
    const ScalarType &type = *expectation.type;
    const uint64_t begin = addresses.at(expectation.buffer), count = expectation.contents.size() / type.bytes;
    std::vector<uint8_t> contents(expectation.contents.size());
    device.read(begin, contents.data(), contents.size());
    uint64_t wrong = 0;
    std::string first, sentence;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t got = 0, expected = 0;
      std::memcpy(&got, &contents[i * type.bytes], type.bytes);
      std::memcpy(&expected, &expectation.contents[i * type.bytes], type.bytes);
      if (got == expected)
        continue;
      const double x = type.decode(got), y = type.decode(expected);
      if (isClose(x, y, expectation) || (judge && judge(begin + i * type.bytes, x, y, wrong ? nullptr : &sentence)))
        continue;
      if (wrong++ == 0)
        first = "[" + std::to_string(i) + "]: got " + type.format(got) + ", expected " + type.format(expected);
    }
    if (wrong == 0)
      continue;
    agrees &= expectation.isWarning;
    *report += (expectation.isWarning ? "warning: buffer '" : "buffer '") + expectation.buffer +
               "': " + std::to_string(wrong) + " of " + std::to_string(count) + " elements differ; the first is " +
               first + sentence +
               (expectation.isWarning ? " (bytes, and no failure: compare.txt says neither type nor tolerance)" : "") +
               "\n";
  }
  return agrees;
}

} // namespace tileiras
