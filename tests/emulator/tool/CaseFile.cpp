//===- CaseFile.cpp - The launch description of a dumped corpus case -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "TensorMapNames.h"
#include <fstream>
#include <iterator>
#include <sstream>

namespace ptxemu {

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw InputError(0, "cannot open " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

namespace {

unsigned parameterBytes(const std::string &type, unsigned line) {
  if (type == "i64" || type == "f64")
    return 8;
  if (type == "i32" || type == "f32" || type == "u32")
    return 4;
  if (type == "i16" || type == "f16" || type == "bf16")
    return 2;
  if (type == "i8" || type == "i1")
    return 1;
  throw InputError(line, "launch.txt: unknown parameter type '" + type + "'");
}

/// NAME BUFFER ELEMENT RANK, sizes, strides, box, element strides, swizzle, fill.
std::pair<std::string, CaseFile::Map> readMap(std::istream &in, unsigned line) {
  std::string name, element, fill;
  CaseFile::Map m;
  uint64_t swizzle = 0;
  in >> name >> m.buffer >> element >> m.map.rank;
  if (!in || m.map.rank < 1 || m.map.rank > 5)
    throw InputError(line, "launch.txt: a map has 1 to 5 dimensions");
  m.map.element = elementNamed(element, line);
  for (unsigned d = 0; d < m.map.rank; ++d)
    in >> m.map.size[d];
  for (unsigned d = 0; d + 1 < m.map.rank; ++d)
    in >> m.map.stride[d];
  for (unsigned d = 0; d < m.map.rank; ++d)
    in >> m.map.box[d];
  for (unsigned d = 0; d < m.map.rank; ++d)
    in >> m.map.elementStride[d];
  in >> swizzle >> fill;
  m.map.swizzle = swizzleOf(swizzle, line);
  m.map.fill = fill == "nan" ? TensorMap::NaNs : TensorMap::Zeros;
  return {name, m};
}

} // namespace

CaseFile CaseFile::load(const std::string &directory) {
  CaseFile c;
  c.directory = directory;
  std::ifstream in(directory + "/launch.txt");
  if (!in)
    throw InputError(0, "cannot open " + directory + "/launch.txt");
  std::string text;
  for (unsigned line = 1; std::getline(in, text); ++line) {
    std::istringstream s(text);
    std::string kind;
    if (!(s >> kind))
      continue;
    if (kind == "kernel") {
      s >> c.kernel;
    } else if (kind == "grid") {
      s >> c.grid[0] >> c.grid[1] >> c.grid[2];
    } else if (kind == "block") {
      s >> c.block[0] >> c.block[1] >> c.block[2];
    } else if (kind == "cluster") {
      s >> c.cluster[0] >> c.cluster[1] >> c.cluster[2];
    } else if (kind == "smem") {
      s >> c.dynamicShared;
    } else if (kind == "map") {
      c.maps.insert(readMap(s, line));
    } else if (kind == "buffer" || kind == "read") {
      Buffer b;
      s >> b.name >> b.bytes >> b.file;
      (kind == "buffer" ? c.buffers : c.reads).push_back(b);
    } else if (kind == "table") {
      Table t;
      size_t words = 0;
      s >> t.name >> words;
      for (size_t i = 0; i < words && std::getline(in, text); ++i, ++line) {
        std::istringstream w(text);
        std::string what, value;
        int64_t offset = 0;
        w >> what >> value;
        if (what == "addr")
          w >> offset, t.words.push_back({value, static_cast<uint64_t>(offset)});
        else
          t.words.push_back({"", static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10))});
      }
      c.tables.push_back(std::move(t));
    } else if (kind == "param") {
      std::string type, value;
      s >> type >> value;
      Parameter p;
      if (type == "ptr") {
        int64_t offset = 0;
        s >> offset;
        p = {8, value, static_cast<uint64_t>(offset)};
      } else if (type == "map") {
        p = {128, value, 0};
      } else {
        bool isHex = type[0] == 'f' || type[0] == 'b';
        p.bytes = parameterBytes(type, line);
        p.value = isHex ? std::strtoull(value.c_str(), nullptr, 16)
                        : static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10));
      }
      c.parameters.push_back(p);
    } else {
      throw InputError(line, "launch.txt: unknown item '" + kind + "'");
    }
    if (s.fail() && kind != "table")
      throw InputError(line, "launch.txt: malformed '" + kind + "' line");
  }
  return c;
}

std::map<std::string, uint64_t> CaseFile::place(DeviceMemory &device) const {
  std::map<std::string, uint64_t> address;
  for (const Buffer &b : buffers) {
    std::vector<uint8_t> data = readFile(directory + "/" + b.file);
    address[b.name] = device.allocate(b.bytes, b.name);
    device.write(address[b.name], data.data(), std::min<uint64_t>(b.bytes, data.size()));
  }
  for (const Table &t : tables) {
    std::vector<uint64_t> words;
    for (const Word &w : t.words) {
      if (!w.buffer.empty() && !address.count(w.buffer))
        throw InputError(0, "launch.txt: a table names unknown buffer '" + w.buffer + "'");
      words.push_back((w.buffer.empty() ? 0 : address.at(w.buffer)) + w.value);
    }
    address[t.name] = device.allocate(words.size() * 8, t.name);
    device.write(address[t.name], words.data(), words.size() * 8);
  }
  return address;
}

std::vector<std::vector<uint8_t>> CaseFile::arguments(const std::map<std::string, uint64_t> &address) const {
  std::vector<std::vector<uint8_t>> result;
  for (const Parameter &p : parameters) {
    if (p.bytes == 128) {
      auto map = maps.find(p.buffer);
      if (map == maps.end() || !address.count(map->second.buffer))
        throw InputError(0, "launch.txt: parameter names unknown map '" + p.buffer + "', or one of an unknown buffer");
      TensorMap m = map->second.map;
      m.address = address.at(map->second.buffer);
      std::array<uint8_t, 128> bytes = m.encode();
      result.emplace_back(bytes.begin(), bytes.end());
      continue;
    }
    uint64_t value = p.value;
    if (!p.buffer.empty()) {
      auto it = address.find(p.buffer);
      if (it == address.end())
        throw InputError(0, "launch.txt: parameter names unknown buffer '" + p.buffer + "'");
      value += it->second;
    }
    std::vector<uint8_t> bytes(p.bytes);
    for (unsigned i = 0; i < p.bytes; ++i)
      bytes[i] = static_cast<uint8_t>(value >> (8 * i));
    result.push_back(std::move(bytes));
  }
  return result;
}

void CaseFile::writeResults(const DeviceMemory &device, const std::map<std::string, uint64_t> &address) const {
  for (const Buffer &r : reads) {
    if (!address.count(r.name))
      throw InputError(0, "launch.txt: there is no buffer '" + r.name + "' to read");
    std::vector<char> data(r.bytes);
    device.read(address.at(r.name), data.data(), r.bytes);
    std::ofstream(directory + "/" + r.file, std::ios::binary).write(data.data(), static_cast<std::streamsize>(r.bytes));
  }
}

} // namespace ptxemu
