//===- Metadata.cpp - Reads the compiler's metadata -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
#include "TensorMaps.h"
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

using namespace tileiras::launch;
using Json = nlohmann::json;

namespace {

/// What is wrong, and where: "kernels[0].block_size: expected three numbers from 1 to 1024".
struct BadMetadata {
  std::string text;
};

/// A value and the keys that lead to it.
struct Node {
  const Json &value;
  std::string path;

  [[noreturn]] void fail(const std::string &expected) const {
    throw BadMetadata{(path.empty() ? "the whole text" : path) + ": expected " + expected};
  }

  Node member(const char *key) const {
    if (!value.is_object())
      fail("an object");
    std::string full = path.empty() ? key : path + "." + key;
    auto it = value.find(key);
    if (it == value.end())
      throw BadMetadata{"the key " + full + " is missing"};
    return {*it, full};
  }

  Node element(size_t index) const { return {value[index], path + "[" + std::to_string(index) + "]"}; }

  size_t arraySize() const {
    if (!value.is_array())
      fail("an array");
    return value.size();
  }

  std::string string() const {
    if (!value.is_string() || value.get_ref<const std::string &>().empty() ||
        value.get_ref<const std::string &>().find('\0') != std::string::npos)
      fail("a name");
    return value.get<std::string>();
  }

  uint32_t number(uint32_t least, uint32_t most = std::numeric_limits<uint32_t>::max()) const {
    if (!value.is_number_unsigned() || value.get<uint64_t>() < least || value.get<uint64_t>() > most)
      fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value.get<uint32_t>();
  }

  bool boolean() const {
    if (!value.is_boolean())
      fail("true or false");
    return value.get<bool>();
  }

  Dimensions dimensions(uint32_t most) const {
    if (arraySize() != 3)
      fail("three numbers");
    return {element(0).number(1, most), element(1).number(1, most), element(2).number(1, most)};
  }
};

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

constexpr size_t kMostRank = 5, kDeepestExpression = 128;
constexpr uint32_t kMostBox = 256, kMostElementStride = 8;
constexpr std::string_view kTensorMapType = "tensor_map";

struct Operation {
  std::string_view name;
  Expression::Kind kind;
  size_t operands;
};
constexpr Operation kOperations[] = {{"addi", Expression::Add, 2},
                                     {"subi", Expression::Subtract, 2},
                                     {"muli", Expression::Multiply, 2},
                                     {"minsi", Expression::SmallerSigned, 2},
                                     {"maxsi", Expression::LargerSigned, 2},
                                     {"minui", Expression::SmallerUnsigned, 2},
                                     {"maxui", Expression::LargerUnsigned, 2},
                                     {"trunci", Expression::Truncate, 1},
                                     {"extsi", Expression::SignExtend, 1}};

class ExpressionReader {
public:
  explicit ExpressionReader(size_t parameters) : parameters(parameters) {}

  Expression read(const Node &node, size_t depth = 0) const {
    if (depth > kDeepestExpression)
      node.fail("no deeper expression");
    Expression expression;
    if (node.value.is_number_integer()) {
      expression.value = static_cast<uint64_t>(node.value.get<int64_t>());
    } else if (node.value.is_object() && node.value.contains("parameter")) {
      expression.kind = Expression::Parameter;
      expression.value = node.member("parameter").number(0);
      if (expression.value >= parameters)
        node.member("parameter")
            .fail("the number of one of the program's " + std::to_string(parameters) + " parameters");
    } else {
      readOperation(node, expression, depth);
    }
    return expression;
  }

  std::vector<Expression> readAll(const Node &node, size_t least, size_t most) const {
    std::vector<Expression> all;
    for (size_t i = 0, n = node.arraySize(); i < n; ++i)
      all.push_back(read(node.element(i)));
    if (all.size() < least || all.size() > most)
      node.fail("from " + std::to_string(least) + " to " + std::to_string(most) + " expressions");
    return all;
  }

private:
  void readOperation(const Node &node, Expression &expression, size_t depth) const {
    Node name = node.member("op"), operands = node.member("operands");
    const std::string text = name.string();
    const auto *known = std::find_if(std::begin(kOperations), std::end(kOperations),
                                     [&](const Operation &operation) { return operation.name == text; });
    if (known == std::end(kOperations))
      name.fail("an operation that this version knows, not " + text);
    expression.kind = known->kind;
    expression.bits = node.member("bits").number(1, 64);
    if (operands.arraySize() != known->operands)
      operands.fail(std::to_string(known->operands) + " of them");
    for (size_t i = 0; i < known->operands; ++i)
      expression.operands.push_back(read(operands.element(i), depth + 1));
  }

  const size_t parameters;
};

/// The place of a name among those of the driver's enumerators, CU_TENSOR_MAP_<what>_<name>, in their order.
int readName(const Node &node, std::initializer_list<std::string_view> names) {
  const std::string text = node.string();
  const auto *found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    node.fail("a name that cuTensorMapEncodeTiled has, not " + text);
  return static_cast<int>(found - names.begin());
}

std::vector<uint32_t> readNumbers(const Node &node, size_t count, uint32_t most) {
  if (node.arraySize() != count)
    node.fail(std::to_string(count) + " numbers");
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(node.element(i).number(1, most));
  return numbers;
}

TensorMapMetadata readTensorMap(const Node &node, size_t parameters) {
  TensorMapMetadata map;
  ExpressionReader expressions(parameters);
  map.isForStores = readName(node.member("access"), {"load", "store"}) != 0;
  map.dataType = readName(node.member("data_type"), {"UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16",
                                                     "FLOAT32", "FLOAT64", "BFLOAT16", "FLOAT32_FTZ", "TFLOAT32"});
  map.interleave = readName(node.member("interleave"), {"NONE", "16B", "32B"});
  map.swizzle = readName(node.member("swizzle"), {"NONE", "32B", "64B", "128B"});
  map.l2Promotion = readName(node.member("l2_promotion"), {"NONE", "L2_64B", "L2_128B", "L2_256B"});
  map.oobFill = readName(node.member("oob_fill"), {"NONE", "NAN_REQUEST_ZERO_FMA"});
  map.globalAddress = expressions.read(node.member("global_address"));
  map.globalDim = expressions.readAll(node.member("global_dim"), 1, kMostRank);
  const size_t rank = map.globalDim.size();
  map.globalStrides = expressions.readAll(node.member("global_strides"), rank - 1, rank - 1);
  map.boxDim = readNumbers(node.member("box_dim"), rank, kMostBox);
  map.elementStrides = readNumbers(node.member("element_strides"), rank, kMostElementStride);
  return map;
}

/// They are the last parameters, in their order.
void readTensorMaps(const Node &node, KernelMetadata &kernel) {
  if (!node.value.contains("tensor_maps"))
    return;
  Node maps = node.member("tensor_maps");
  const size_t count = maps.arraySize();
  if (count > kernel.parameters.size())
    maps.fail("no more maps than parameters");
  const size_t first = kernel.parameters.size() - count;
  for (size_t i = first; i < kernel.parameters.size(); ++i)
    if (kernel.parameters[i].type != kTensorMapType || kernel.parameters[i].bytes != kTensorMapBytes)
      maps.fail("a map for each of the last parameters, which are of type tensor_map");
  kernel.parameters.resize(first);
  for (size_t i = 0; i < count; ++i) {
    Node map = maps.element(i), parameter = map.member("parameter");
    if (parameter.number(0) != first + i)
      parameter.fail(std::to_string(first + i));
    kernel.tensorMaps.push_back(readTensorMap(map, first));
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

constexpr uint32_t kMostThreads = 1024, kMostCtasOfCluster = 16, kMostParameterBytes = 32764;

void requireProduct(const Dimensions &d, uint32_t most, const Node &node) {
  if (uint64_t{d[0]} * d[1] * d[2] > most)
    node.fail("a product of at most " + std::to_string(most));
}

KernelMetadata readKernel(const Node &node) {
  KernelMetadata kernel;
  kernel.name = node.member("name").string();
  Node parameters = node.member("parameters");
  for (size_t i = 0, n = parameters.arraySize(); i < n; ++i) {
    Node parameter = parameters.element(i);
    kernel.parameters.push_back(
        {parameter.member("type").string(), parameter.member("bytes").number(1, kMostParameterBytes)});
  }
  Node block = node.member("block_size"), cluster = node.member("cluster_size");
  kernel.blockSize = block.dimensions(kMostThreads);
  requireProduct(kernel.blockSize, kMostThreads, block);
  kernel.clusterSize = cluster.dimensions(kMostCtasOfCluster);
  requireProduct(kernel.clusterSize, kMostCtasOfCluster, cluster);
  kernel.dynamicSharedBytes = node.member("dynamic_shared_bytes").number(0, std::numeric_limits<int32_t>::max());
  Node blocks = node.member("launch_blocks");
  std::string who = blocks.string();
  if (who != "clusters" && who != "threads")
    blocks.fail("\"clusters\" or \"threads\"");
  kernel.launchBlocks = who == "clusters" ? LaunchBlocks::Clusters : LaunchBlocks::Threads;
  kernel.launchBlockSize = node.member("launch_block_size").dimensions(kMostThreads);
  if (node.value.contains("grid_dependencies")) {
    Node dependencies = node.member("grid_dependencies");
    kernel.waitsForGrids = dependencies.member("waits").boolean();
    kernel.launchesGrids = dependencies.member("launches").boolean();
  }
  readTensorMaps(node, kernel);
  return kernel;
}

Metadata readAll(const Node &root) {
  Metadata metadata;
  // The text of --metadata does not say it.
  if (root.value.is_object() && root.value.contains("tileiras"))
    metadata.compilerVersion = root.member("tileiras").string();
  Node target = root.member("target"), kernels = root.member("kernels");
  metadata.gpu = target.member("gpu").string();
  metadata.arch = target.member("arch").string();
  metadata.computeCapability = target.member("compute_capability").number(1);
  std::set<std::string> names;
  for (size_t i = 0, n = kernels.arraySize(); i < n; ++i) {
    metadata.kernels.push_back(readKernel(kernels.element(i)));
    if (!names.insert(metadata.kernels.back().name).second)
      kernels.element(i).fail("another name than '" + metadata.kernels.back().name + "', which a kernel has already");
  }
  return metadata;
}

} // namespace

std::optional<Metadata> tileiras::launch::parseMetadata(std::string_view json, std::string &error) {
  try {
    Json value = Json::parse(json);
    return readAll({value, ""});
  } catch (const BadMetadata &bad) {
    error = "the metadata is malformed: " + bad.text;
  } catch (const Json::exception &e) {
    error = std::string("the metadata is no JSON: ") + e.what();
  }
  return std::nullopt;
}
