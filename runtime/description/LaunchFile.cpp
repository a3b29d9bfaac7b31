//===- LaunchFile.cpp - Reads launch.json ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchFile.h"
#include "Expression.h"
#include "Files.h"
#include "Generator.h"
#include "TensorMapNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <limits>

namespace tileiras {

namespace {

class LaunchReader {
public:
  LaunchReader(const llvm::json::Value &value, const std::string &path)
      : root(value, path, &values), directory(llvm::sys::path::parent_path(path)) {
    launch.file = path;
  }

  LaunchDescription run() {
    root.expectKeys({"entry", "grid", "block", "cluster", "dynamicShared", "buffers", "tables", "tensorMaps",
                     "parameters", "expect", "write", "compare", "bytes", "flops", "values"});
    if (std::optional<JsonNode> entry = root.find("entry"))
      launch.entry = entry->string();
    if (std::optional<JsonNode> named = root.find("values"))
      readNamedValues(*named);
    launch.grid = readSizes(root.get("grid"), ptxemu::kMostGrid);
    if (std::optional<JsonNode> block = root.find("block"))
      launch.block = readSizes(*block, ptxemu::kMostBlock);
    if (std::optional<JsonNode> cluster = root.find("cluster"))
      launch.cluster = readSizes(*cluster, {ptxemu::kMostCluster, ptxemu::kMostCluster, ptxemu::kMostCluster});
    if (std::optional<JsonNode> bytes = root.find("dynamicShared"))
      launch.dynamicShared = static_cast<uint32_t>(bytes->unsignedInteger(0, ptxemu::kMostShared));
    if (std::optional<JsonNode> bytes = root.find("bytes"))
      launch.bytes = bytes->unsignedInteger(1, kMostBytes);
    if (std::optional<JsonNode> flops = root.find("flops"))
      launch.flops = readFlops(*flops);
    forEach("buffers", &LaunchReader::readBuffer);
    forEach("tables", &LaunchReader::readTable);
    forEach("tensorMaps", &LaunchReader::readMap);
    forEach("parameters", &LaunchReader::readParameter);
    forEach("expect", &LaunchReader::readExpectation);
    forEach("write", &LaunchReader::readResult);
    forEach("compare", &LaunchReader::readCompared);
    return std::move(launch);
  }

private:
  void forEach(llvm::StringRef key, void (LaunchReader::*read)(const JsonNode &)) {
    if (std::optional<JsonNode> list = root.find(key))
      for (const JsonNode &node : list->list())
        (this->*read)(node);
  }

  static std::array<unsigned, 3> readSizes(const JsonNode &list, const std::array<unsigned, 3> &most) {
    std::array<unsigned, 3> sizes{1, 1, 1};
    for (auto [node, size, limit] : llvm::zip(list.list(1, sizes.size()), sizes, most))
      size = static_cast<unsigned>(node.unsignedInteger(1, limit));
    return sizes;
  }

  /// In any order: one may be an expression of others.
  void readNamedValues(const JsonNode &node) {
    std::vector<std::pair<llvm::StringRef, JsonNode>> waiting = node.members();
    for (const auto &[name, value] : waiting)
      if (!isValueName(name))
        value.fail("the name of a value has letters, digits and '_', and does not begin with a digit");
    auto isKnown = [&](const std::pair<llvm::StringRef, JsonNode> &member) {
      const auto waits = [&](llvm::StringRef other) {
        return llvm::any_of(waiting, [&](const auto &each) { return each.first == other; });
      };
      if (member.second.isString() && mentions(member.second.string(), waits))
        return false;
      values[member.first.str()] =
          member.second.signedInteger(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
      return true;
    };
    while (!waiting.empty()) {
      const size_t before = waiting.size();
      auto next = llvm::find_if(waiting, isKnown);
      if (next != waiting.end())
        waiting.erase(next);
      if (waiting.size() == before)
        waiting.front().second.fail("expression '" + waiting.front().second.string() +
                                    "' needs values that need this one");
    }
  }

  /// Whether an expression has a name for which `isMeant` holds.
  static bool mentions(llvm::StringRef expression, llvm::function_ref<bool(llvm::StringRef)> isMeant) {
    const auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    while (!expression.empty()) {
      expression = expression.drop_until(isWord);
      const llvm::StringRef word = expression.take_while(isWord);
      if (isValueName(word) && isMeant(word))
        return true;
      expression = expression.drop_front(word.size());
    }
    return false;
  }

  static double readFlops(const JsonNode &node) {
    const double flops = node.isString()
                             ? static_cast<double>(node.signedInteger(1, std::numeric_limits<int64_t>::max()))
                             : node.number();
    if (!std::isfinite(flops) || flops <= 0)
      node.fail("expected a number above 0");
    return flops;
  }

  const LaunchDescription::Buffer &findBuffer(const JsonNode &name) const {
    if (const LaunchDescription::Buffer *buffer = launch.findBuffer(name.string()))
      return *buffer;
    std::vector<llvm::StringRef> names;
    for (const LaunchDescription::Buffer &buffer : launch.buffers)
      names.push_back(buffer.name);
    name.fail("there is no buffer '" + name.string() + "'" + suggest(name.string(), names));
  }

  /// A buffer or a table.
  std::string findMemory(const JsonNode &name) const {
    return launch.hasMemory(name.string()) ? name.string() : findBuffer(name).name;
  }

  static uint64_t readOffset(const JsonNode &node) {
    std::optional<JsonNode> offset = node.find("offset");
    return offset ? static_cast<uint64_t>(
                        offset->signedInteger(std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()))
                  : 0;
  }

  /// The contents of a file for which there is memory.
  std::vector<uint8_t> readData(const JsonNode &file) const {
    const std::string path = resolvePath(directory, file.string());
    const uint64_t size = getFileSize(path), room = launch.getRoom();
    if (size > room)
      file.fail(path + " has " + std::to_string(size) + " bytes, of this machine's memory " + std::to_string(room) +
                " are left");
    return readFile(path);
  }

  /// {"file"} or {"type", "values"}, with "bytes" and "fill" for what is after them. A generator makes "bytes" bytes.
  LaunchDescription::Buffer readContents(const JsonNode &node) const {
    LaunchDescription::Buffer data;
    std::optional<JsonNode> file = node.find("file"), values = node.find("values"), bytes = node.find("bytes"),
                            fill = node.find("fill"), type = node.find("type");
    if (file && values)
      values->fail("the contents are given by 'file' already");
    if (file)
      data.contents = readData(*file);
    const ScalarType *scalar = type ? &ScalarType::named(*type) : nullptr;
    if (values) {
      if (!scalar)
        scalar = &ScalarType::named(node.get("type"));
      if (values->isList())
        for (const JsonNode &value : values->list())
          appendWord(data.contents, scalar->encode(value), scalar->bytes);
      else
        data.contents = generate(node, *scalar);
    }
    if (!values || values->isList())
      refuseGeneratorKeys(node);
    data.bytes = bytes ? bytes->unsignedInteger(0, kMostBytes) : data.contents.size();
    if (data.bytes < data.contents.size())
      bytes->fail("the contents have " + std::to_string(data.contents.size()) + " bytes already");
    if (fill && !bytes)
      fill->fail("says what follows the contents, which takes 'bytes'");
    if (fill)
      data.fill = static_cast<uint8_t>(fill->unsignedInteger(0, std::numeric_limits<uint8_t>::max()));
    return data;
  }

  std::vector<uint8_t> generate(const JsonNode &node, const ScalarType &type) const {
    const JsonNode bytes = node.get("bytes");
    const uint64_t size = bytes.unsignedInteger(0, kMostBytes), room = launch.getRoom();
    if (size > room)
      bytes.fail("there are " + std::to_string(size) + " bytes, of this machine's memory " + std::to_string(room) +
                 " are left");
    return generateContents(node, type, size);
  }

  void readBuffer(const JsonNode &node) {
    node.expectKeys({"name", "file", "type", "values", "bytes", "fill", "seed", "range"});
    if (!node.find("file") && !node.find("values") && !node.find("bytes"))
      node.fail("a buffer needs 'file', 'values' or 'bytes'");
    LaunchDescription::Buffer buffer = readContents(node);
    buffer.name = node.get("name").string();
    if (std::string problem = launch.refuseMemory(buffer.name, buffer.bytes, buffer.contents.size()); !problem.empty())
      node.fail(problem);
    launch.buffers.push_back(std::move(buffer));
  }

  /// Addresses and numbers, in any order.
  void readTable(const JsonNode &node) {
    node.expectKeys({"name", "words"});
    LaunchDescription::Table table{node.get("name").string(), {}};
    for (const JsonNode &word : node.get("words").list()) {
      const LaunchDescription::Parameter value = readValue(word);
      if (value.type != "ptr" && value.type != "u64" && value.type != "i64")
        word.fail("a word of a table is {\"buffer\": NAME, \"offset\": BYTES}, {\"u64\": NUMBER} or {\"i64\": NUMBER}");
      table.words.push_back({value.name, value.value});
    }
    if (std::string problem = launch.refuseMemory(table.name, 8 * table.words.size()); !problem.empty())
      node.fail(problem);
    launch.tables.push_back(std::move(table));
  }

  void readMap(const JsonNode &node) {
    node.expectKeys({"name", "buffer", "offset", "type", "size", "stride", "box", "elementStride", "swizzle", "fill"});
    constexpr size_t kMostRank = 5;
    LaunchDescription::Map map{node.get("name").string(), findBuffer(node.get("buffer")).name, {}};
    if (launch.findMap(map.name))
      node.fail("there is another tensor map '" + map.name + "'");
    ptxemu::TensorMap &m = map.map;
    m.address = readOffset(node);
    const JsonNode type = node.get("type");
    if (std::optional<ptxemu::TensorMap::Element> element = elementNamed(type.string()))
      m.element = *element;
    else
      type.fail("unknown type '" + type.string() + "' of tensor elements; there are " +
                llvm::join(std::begin(kElementNames), std::end(kElementNames), ", "));
    const std::vector<JsonNode> sizes = node.get("size").list(1, kMostRank);
    m.rank = static_cast<unsigned>(sizes.size());
    readList(sizes, m.size, 1, std::numeric_limits<uint32_t>::max());
    readList(node.get("box").list(m.rank, m.rank), m.box, 1, kMostBox);
    readList(node.get("stride").list(m.rank - 1, m.rank - 1), m.stride, 0, kMostBytes);
    std::fill_n(m.elementStride.begin(), m.rank, 1);
    if (std::optional<JsonNode> strides = node.find("elementStride"))
      readList(strides->list(m.rank, m.rank), m.elementStride, 1, kMostElementStride);
    readModes(node, m);
    launch.maps.push_back(std::move(map));
  }

  template <typename Integers>
  static void readList(const std::vector<JsonNode> &nodes, Integers &integers, uint64_t least, uint64_t most) {
    for (auto [node, integer] : llvm::zip(nodes, integers))
      integer = static_cast<typename Integers::value_type>(node.unsignedInteger(least, most));
  }

  static void readModes(const JsonNode &node, ptxemu::TensorMap &m) {
    if (std::optional<JsonNode> swizzle = node.find("swizzle")) {
      std::optional<ptxemu::TensorMap::Swizzle> mode = swizzleOf(swizzle->unsignedInteger(0, 128));
      if (!mode)
        swizzle->fail("a swizzle is 0, 32, 64 or 128");
      m.swizzle = *mode;
    }
    if (std::optional<JsonNode> fill = node.find("fill")) {
      std::optional<ptxemu::TensorMap::Fill> mode = fillNamed(fill->string());
      if (!mode)
        fill->fail("expected \"zero\" or \"nan\", not \"" + fill->string() + "\"");
      m.fill = *mode;
    }
  }

  void readParameter(const JsonNode &node) { launch.parameters.push_back(readValue(node)); }

  LaunchDescription::Parameter readValue(const JsonNode &node) const {
    if (std::optional<JsonNode> buffer = node.find("buffer")) {
      node.expectKeys({"buffer", "offset"});
      return {"ptr", findMemory(*buffer), readOffset(node)};
    }
    if (std::optional<JsonNode> map = node.find("tensorMap")) {
      node.expectKeys({"tensorMap"});
      if (!launch.findMap(map->string()))
        map->fail("there is no tensor map '" + map->string() + "'");
      return {"map", map->string()};
    }
    if (node.find("bytes") || node.find("fields"))
      return readStructure(node);
    auto member = node.getOnlyMember();
    const ScalarType *type = member ? ScalarType::find(member->first) : nullptr;
    if (!type)
      node.fail("a parameter is one of {\"buffer\": NAME, \"offset\": BYTES}, {\"tensorMap\": NAME}, {\"bytes\": SIZE, "
                "\"fields\": [...]} and {TYPE: NUMBER} with a type of " +
                llvm::join(ScalarType::names(), ", ") + " (other formats go by their bits)");
    return {type->name.str(), "", type->encode(member->second), type->bytes};
  }

  /// A structure by value: its size, contents as of buffers, and fields that stand at an offset.
  LaunchDescription::Parameter readStructure(const JsonNode &node) const {
    node.expectKeys({"bytes", "file", "type", "values", "fill", "fields", "seed", "range"});
    constexpr uint64_t kMostParameters = 32764; // of an entry, all together
    LaunchDescription::Buffer data = readContents(node);
    if (data.bytes == 0 || data.bytes > kMostParameters)
      node.fail("a structure has from 1 to " + std::to_string(kMostParameters) + " bytes, not " +
                std::to_string(data.bytes) + ": 'bytes' says how many");
    data.contents.resize(data.bytes, data.fill);
    LaunchDescription::Parameter structure{"bytes", "", 0, 0, std::move(data.contents)};
    if (std::optional<JsonNode> fields = node.find("fields"))
      for (const JsonNode &field : fields->list()) {
        field.expectKeys({"at", "value"});
        const JsonNode at = field.get("at");
        LaunchDescription::Parameter value = readValue(field.get("value"));
        const uint64_t size = LaunchDescription::sizeOf(value), offset = at.unsignedInteger(0, kMostParameters);
        if (offset + size > data.bytes)
          at.fail("the field has " + std::to_string(size) + " bytes, and the structure ends at " +
                  std::to_string(data.bytes));
        structure.fields.push_back({offset, std::move(value)});
      }
    return structure;
  }

  void readExpectation(const JsonNode &node) {
    node.expectKeys({"buffer", "type", "file", "values", "bytes", "fill", "rtol", "atol", "seed", "range"});
    if (!node.find("file") && !node.find("values") && !node.find("fill"))
      node.fail("needs expected data: 'values', 'file', or 'bytes' and 'fill'");
    LaunchDescription::Expectation expectation;
    const LaunchDescription::Buffer &buffer = findBuffer(node.get("buffer"));
    expectation.buffer = buffer.name;
    expectation.type = &ScalarType::named(node.get("type"));
    LaunchDescription::Buffer data = readContents(node);
    const std::string size = std::to_string(data.bytes) + " bytes";
    if (data.bytes > buffer.bytes || (data.bytes < buffer.bytes && !node.find("bytes")))
      node.fail(
          "the expected data has " + size + ", buffer '" + buffer.name + "' " + std::to_string(buffer.bytes) +
          (data.bytes < buffer.bytes ? "; \"bytes\": " + std::to_string(data.bytes) + " compares its beginning" : ""));
    if (data.bytes % expectation.type->bytes)
      node.fail("the expected data has " + size + ", which is no multiple of " + expectation.type->name);
    if (const uint64_t room = launch.getRoom(); data.bytes > room)
      node.fail("the expected data has " + size + ", of this machine's memory " + std::to_string(room) + " are left");
    data.contents.resize(data.bytes, data.fill);
    expectation.contents = std::move(data.contents);
    if (std::optional<JsonNode> relative = node.find("rtol"))
      expectation.relative = relative->tolerance();
    if (std::optional<JsonNode> absolute = node.find("atol"))
      expectation.absolute = absolute->tolerance();
    launch.expectations.push_back(std::move(expectation));
  }

  void readResult(const JsonNode &node) {
    node.expectKeys({"buffer", "bytes", "file"});
    const LaunchDescription::Buffer &buffer = findBuffer(node.get("buffer"));
    launch.results.push_back({buffer.name, node.get("bytes").unsignedInteger(0, buffer.bytes),
                              resolvePath(directory, node.get("file").string())});
  }

  void readCompared(const JsonNode &node) {
    node.expectKeys({"buffer", "type"});
    launch.compared.push_back({findBuffer(node.get("buffer")).name, node.get("type").string()});
  }

  NamedValues values;
  const JsonNode root;
  const llvm::StringRef directory;
  LaunchDescription launch;
};

} // namespace

LaunchDescription parseLaunch(llvm::StringRef text, const std::string &path) {
  const llvm::json::Value value = parseJson(text, path);
  return LaunchReader(value, path).run();
}

LaunchDescription readLaunchFile(const std::string &path) {
  const std::vector<uint8_t> text = readText(path);
  return parseLaunch(llvm::toStringRef(text), path);
}

} // namespace tileiras
