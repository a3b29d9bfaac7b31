//===- Metadata.cpp - Reads the compiler's metadata -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
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

  Dimensions dimensions(uint32_t most) const {
    if (arraySize() != 3)
      fail("three numbers");
    return {element(0).number(1, most), element(1).number(1, most), element(2).number(1, most)};
  }
};

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
