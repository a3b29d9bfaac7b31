//===- LaunchFile.cpp - launch.json: everything about one launch ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFile.h"
#include "CaseFile.h"
#include "TensorMapNames.h"
#include "ptx-emulator/TensorMap.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

namespace ptxemu {

namespace {

struct ScalarType {
  const char *name;
  unsigned bytes;
  char kind; ///< i, f (IEEE), h (f16), b (bf16)
};
constexpr ScalarType kTypes[] = {{"u8", 1, 'i'},  {"i8", 1, 'i'},  {"u16", 2, 'i'}, {"i16", 2, 'i'},
                                 {"u32", 4, 'i'}, {"i32", 4, 'i'}, {"u64", 8, 'i'}, {"i64", 8, 'i'},
                                 {"f32", 4, 'f'}, {"f64", 8, 'f'}, {"f16", 2, 'h'}, {"bf16", 2, 'b'}};

const ScalarType &scalarType(const Json &where, const std::string &name) {
  for (const ScalarType &t : kTypes)
    if (name == t.name)
      return t;
  throw InputError(where.line, "launch description: unknown type '" + name + "'");
}

uint64_t halfBits(double v) {
  // Round to nearest even through the float's own rounding at the right exponent.
  float f = static_cast<float>(v);
  uint32_t sign = std::bit_cast<uint32_t>(f) >> 16 & 0x8000;
  double a = std::fabs(v);
  if (std::isnan(v))
    return 0x7fff;
  if (a >= 65520)
    return sign | 0x7c00;
  int e = a < 0x1p-14 ? -14 : std::ilogb(a);
  uint64_t q = static_cast<uint64_t>(std::nearbyint(std::ldexp(a, 10 - e)));
  return sign | (a < 0x1p-14 ? q : (static_cast<uint64_t>(e + 14) << 10) + q);
}

double halfValue(uint16_t h) {
  int e = h >> 10 & 31;
  double m = h & 0x3ff, v = e == 31 ? (m != 0 ? NAN : INFINITY) : e ? std::ldexp(m + 1024, e - 25) : std::ldexp(m, -24);
  return h & 0x8000 ? -v : v;
}

uint64_t encode(const ScalarType &t, const Json &value) {
  switch (t.kind) {
  case 'i':
    return value.integer();
  case 'h':
    return halfBits(value.number());
  case 'b': {
    uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(value.number()));
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  default:
    return t.bytes == 8 ? std::bit_cast<uint64_t>(value.number())
                        : std::bit_cast<uint32_t>(static_cast<float>(value.number()));
  }
}

double decode(const ScalarType &t, uint64_t bits) {
  switch (t.kind) {
  case 'h':
    return halfValue(static_cast<uint16_t>(bits));
  case 'b':
    return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  case 'f':
    return t.bytes == 8 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
  default:
    return t.name[0] == 'i'
               ? static_cast<double>(static_cast<int64_t>(bits << (64 - 8 * t.bytes)) >> (64 - 8 * t.bytes))
               : static_cast<double>(bits);
  }
}

void append(std::vector<uint8_t> &bytes, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

std::array<unsigned, 3> dimensions(const Json &list) {
  std::array<unsigned, 3> d{1, 1, 1};
  if (list.array().size() > 3)
    throw InputError(list.line, "launch description: at most three dimensions");
  for (size_t i = 0; i < list.array().size(); ++i)
    d[i] = static_cast<unsigned>(list.array()[i].integer());
  return d;
}

TensorMap tensorMap(const Json &j, uint64_t address) {
  TensorMap m;
  m.address = address;
  m.element = elementNamed(j["type"].string(), j.line);
  m.rank = static_cast<unsigned>(j["size"].array().size());
  if (m.rank < 1 || m.rank > 5 || j["box"].array().size() != m.rank || j["stride"].array().size() + 1 != m.rank)
    throw InputError(j.line, "launch description: size and box have 1 to 5 entries, stride (bytes) one less");
  for (unsigned d = 0; d < m.rank; ++d) {
    m.size[d] = static_cast<uint32_t>(j["size"].array()[d].integer());
    m.box[d] = static_cast<uint32_t>(j["box"].array()[d].integer());
    m.elementStride[d] = j.has("elementStride") ? static_cast<uint32_t>(j["elementStride"].array().at(d).integer()) : 1;
    if (d)
      m.stride[d - 1] = j["stride"].array()[d - 1].integer();
  }
  m.swizzle = swizzleOf(j.has("swizzle") ? j["swizzle"].integer() : 0, j.line);
  if (j.has("fill"))
    m.fill = j["fill"].string() == "nan" ? TensorMap::NaNs : TensorMap::Zeros;
  return m;
}

} // namespace

LaunchFile LaunchFile::load(const std::string &path) {
  LaunchFile f;
  std::vector<uint8_t> text = readFile(path);
  f.root = Json::parse({reinterpret_cast<const char *>(text.data()), text.size()});
  size_t slash = path.rfind('/');
  f.directory = slash == std::string::npos ? "." : path.substr(0, slash);
  return f;
}

std::string LaunchFile::path(const std::string &file) const {
  return !file.empty() && file[0] == '/' ? file : directory + "/" + file;
}

/// {"file"} or {"type", "values"} or {"bytes", "fill"}.
std::vector<uint8_t> LaunchFile::contents(const Json &j) const {
  std::vector<uint8_t> bytes;
  if (j.has("file"))
    bytes = readFile(path(j["file"].string()));
  else if (j.has("values")) {
    const ScalarType &t = scalarType(j, j["type"].string());
    for (const Json &v : j["values"].array())
      append(bytes, encode(t, v), t.bytes);
  }
  if (j.has("bytes"))
    bytes.resize(j["bytes"].integer(), j.has("fill") ? static_cast<uint8_t>(j["fill"].integer()) : 0);
  return bytes;
}

std::map<std::string, uint64_t> LaunchFile::prepare(DeviceMemory &device, LaunchOptions &o) const {
  std::map<std::string, uint64_t> address;
  if (root.has("entry") && o.entry.empty())
    o.entry = root["entry"].string();
  o.grid = dimensions(root["grid"]);
  if (root.has("block"))
    o.block = dimensions(root["block"]);
  if (root.has("cluster"))
    o.cluster = dimensions(root["cluster"]);
  if (root.has("dynamicShared"))
    o.dynamicShared = static_cast<uint32_t>(root["dynamicShared"].integer());
  if (root.has("buffers"))
    for (const Json &b : root["buffers"].array()) {
      std::vector<uint8_t> bytes = contents(b);
      uint64_t a = address[b["name"].string()] = device.allocate(bytes.size(), b["name"].string());
      device.write(a, bytes.data(), bytes.size());
    }
  auto find = [&](const Json &name) {
    auto it = address.find(name.string());
    if (it == address.end())
      throw InputError(name.line, "launch description: there is no buffer '" + name.string() + "'");
    return it->second;
  };
  std::map<std::string, TensorMap> maps;
  if (root.has("tensorMaps"))
    for (const Json &m : root["tensorMaps"].array())
      maps[m["name"].string()] = tensorMap(m, find(m["buffer"]) + (m.has("offset") ? m["offset"].integer() : 0));
  o.arguments.clear();
  if (root.has("parameters"))
    for (const Json &p : root["parameters"].array()) {
      std::vector<uint8_t> bytes;
      if (p.has("buffer")) {
        append(bytes, find(p["buffer"]) + (p.has("offset") ? p["offset"].integer() : 0), 8);
      } else if (p.has("tensorMap")) {
        auto it = maps.find(p["tensorMap"].string());
        if (it == maps.end())
          throw InputError(p.line, "launch description: there is no tensor map '" + p["tensorMap"].string() + "'");
        auto encoded = it->second.encode();
        bytes.assign(encoded.begin(), encoded.end());
      } else {
        if (p.object().size() != 1)
          throw InputError(p.line, "launch description: a parameter is a buffer, a tensorMap, or one TYPE: VALUE");
        const ScalarType &t = scalarType(p, p.object()[0].first);
        append(bytes, encode(t, p.object()[0].second), t.bytes);
      }
      o.arguments.push_back(std::move(bytes));
    }
  return address;
}

bool LaunchFile::finish(const DeviceMemory &device, const std::map<std::string, uint64_t> &address, std::string *report,
                        const Judge &judge) const {
  bool same = true;
  auto find = [&](const Json &name) {
    auto it = address.find(name.string());
    if (it == address.end())
      throw InputError(name.line, "launch description: there is no buffer '" + name.string() + "'");
    return it->second;
  };
  if (root.has("write"))
    for (const Json &w : root["write"].array()) {
      std::vector<char> data(w["bytes"].integer());
      device.read(find(w["buffer"]), data.data(), data.size());
      std::ofstream(path(w["file"].string()), std::ios::binary)
          .write(data.data(), static_cast<std::streamsize>(data.size()));
    }
  if (!root.has("expect"))
    return true;
  for (const Json &e : root["expect"].array()) {
    const ScalarType &t = scalarType(e, e["type"].string());
    std::vector<uint8_t> expected = contents(e), got(expected.size());
    const uint64_t begin = find(e["buffer"]);
    device.read(begin, got.data(), got.size());
    double relative = e.has("rtol") ? e["rtol"].number() : 0, absolute = e.has("atol") ? e["atol"].number() : 0;
    size_t wrong = 0, first = 0, count = expected.size() / t.bytes;
    double firstGot = 0, firstExpected = 0;
    std::string sentence;
    for (size_t i = 0; i < count; ++i) {
      uint64_t a = 0, b = 0;
      std::memcpy(&a, &got[i * t.bytes], t.bytes);
      std::memcpy(&b, &expected[i * t.bytes], t.bytes);
      double x = decode(t, a), y = decode(t, b);
      bool equal = a == b || (x != x && y != y) ||
                   ((relative != 0 || absolute != 0) && std::fabs(x - y) <= absolute + relative * std::fabs(y));
      if (equal || (judge && judge(begin + i * t.bytes, x, y, wrong ? nullptr : &sentence)))
        continue;
      if (wrong++ == 0)
        first = i, firstGot = x, firstExpected = y;
    }
    if (wrong) {
      same = false;
      *report += "buffer '" + e["buffer"].string() + "': " + std::to_string(wrong) + " of " + std::to_string(count) +
                 " elements differ; the first is [" + std::to_string(first) + "]: got " + std::to_string(firstGot) +
                 ", expected " + std::to_string(firstExpected) + sentence + "\n";
    }
  }
  return same;
}

} // namespace ptxemu
