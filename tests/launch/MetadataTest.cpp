//===- MetadataTest.cpp - The reader of metadata takes any bytes ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
#include "TestImage.h"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

using namespace tileiras::launch;
using namespace launchtest;
using nlohmann::json;

/// The bytes without room behind them, where a sanitizer sees who reads too far.
static EmbeddedMetadata findIn(std::string_view bytes, std::string *text = nullptr) {
  std::unique_ptr<char[]> exact(new char[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), exact.get());
  EmbeddedMetadata found = findMetadata(exact.get(), bytes.size());
  if (text)
    *text = found.text;
  found.text = {};
  return found;
}

static std::string errorOf(const json &value) {
  std::string error;
  CHECK(!parseMetadata(value.dump(), error));
  return error;
}

/// What holds for every cubin in order: its prefixes are damaged, and one wrong bit gives an answer, whichever it is.
static void damage(const std::string &image, size_t step) {
  std::string whole;
  REQUIRE(findIn(image, &whole).kind == EmbeddedMetadata::Present);
  CHECK(elfSize(image.data()) == image.size());
  size_t accepted = 0;
  for (size_t size = 0; size < image.size(); ++size) {
    EmbeddedMetadata found = findIn(std::string_view(image).substr(0, size));
    accepted += found.kind != EmbeddedMetadata::Malformed || found.error.empty();
  }
  CHECK(accepted == 0);
  size_t changed = 0;
  for (size_t bit = 0; bit < image.size() * 8; bit += step) {
    std::string flipped = image, text, error;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EmbeddedMetadata found = findIn(flipped, &text);
    bool parsed = found.kind == EmbeddedMetadata::Present && parseMetadata(text, error).has_value();
    if (!parsed && found.error.empty() && error.empty())
      FAIL("bit " << bit << ": neither a result nor an error");
    changed += !parsed;
  }
  CHECK(changed > 0);
}

TEST_CASE("a cubin's metadata are found and read") {
  std::string text, error;
  EmbeddedMetadata found = findIn(makeCubin(makeMetadata().dump()), &text);
  REQUIRE(found.kind == EmbeddedMetadata::Present);
  std::optional<Metadata> metadata = parseMetadata(text, error);
  REQUIRE(metadata);
  CHECK(metadata->compilerVersion == "0.1.0");
  CHECK(metadata->gpu == "sm_90");
  CHECK(metadata->arch == "sm_90a");
  CHECK(metadata->computeCapability == 90);
  REQUIRE(metadata->kernels.size() == 1);
  const KernelMetadata &kernel = metadata->kernels[0];
  CHECK(kernel.name == "k");
  REQUIRE(kernel.parameters.size() == 2);
  CHECK(kernel.parameters[1].type == "i32");
  CHECK(kernel.parameters[1].bytes == 4);
  CHECK(kernel.blockSize == Dimensions{128, 1, 1});
  CHECK(kernel.launchBlockSize == Dimensions{1, 1, 1});
  CHECK(kernel.launchBlocks == LaunchBlocks::Clusters);
  CHECK(!kernel.hasCluster());
}

TEST_CASE("what --metadata writes besides is left alone") {
  json value = makeMetadata();
  value.erase("tileiras");
  value["product"] = "cubin";
  value["kernels"][0]["registers"] = 40;
  value["kernels"][0]["launch_blocks"] = "threads";
  value["kernels"][0]["cluster_size"] = {2, 2, 1};
  std::string error;
  std::optional<Metadata> metadata = parseMetadata(value.dump(2), error);
  REQUIRE(metadata);
  CHECK(metadata->kernels[0].launchBlocks == LaunchBlocks::Threads);
  CHECK(metadata->kernels[0].hasCluster());
}

TEST_CASE("what a kernel does about other grids") {
  json value = makeMetadata();
  std::string error;
  CHECK(!parseMetadata(value.dump(), error)->kernels[0].waitsForGrids);
  value["kernels"][0]["grid_dependencies"] = {{"waits", true}, {"launches", false}};
  CHECK(parseMetadata(value.dump(), error)->kernels[0].waitsForGrids);
  CHECK(!parseMetadata(value.dump(), error)->kernels[0].launchesGrids);
  value["kernels"][0]["grid_dependencies"]["waits"] = 1;
  CHECK(errorOf(value) == "the metadata is malformed: kernels[0].grid_dependencies.waits: expected true or false");
}

TEST_CASE("a missing key is named") {
  for (const char *key : {"target", "kernels"}) {
    json value = makeMetadata();
    value.erase(key);
    CHECK(errorOf(value) == std::string("the metadata is malformed: the key ") + key + " is missing");
  }
  for (const char *key : {"gpu", "arch", "compute_capability"}) {
    json value = makeMetadata();
    value["target"].erase(key);
    CHECK(errorOf(value) == std::string("the metadata is malformed: the key target.") + key + " is missing");
  }
  const json kernel = makeKernel();
  for (const auto &[key, whatever] : kernel.items()) {
    json value = makeMetadata();
    value["kernels"][0].erase(key);
    CHECK(errorOf(value) == "the metadata is malformed: the key kernels[0]." + key + " is missing");
  }
}

TEST_CASE("a value that cannot be is named") {
  auto error = [](const char *key, const json &wrong) {
    json value = makeMetadata();
    value["kernels"][0][key] = wrong;
    return errorOf(value);
  };
  const std::string where = "the metadata is malformed: kernels[0].";
  CHECK(error("block_size", {128, 1}) == where + "block_size: expected three numbers");
  CHECK(error("block_size", {0, 1, 1}) == where + "block_size[0]: expected a whole number from 1 to 1024");
  CHECK(error("block_size", {1024, 2, 1}) == where + "block_size: expected a product of at most 1024");
  CHECK(error("cluster_size", {17, 1, 1}) == where + "cluster_size[0]: expected a whole number from 1 to 16");
  CHECK(error("dynamic_shared_bytes", -1) ==
        where + "dynamic_shared_bytes: expected a whole number from 0 to 2147483647");
  CHECK(error("dynamic_shared_bytes", 1e300) ==
        where + "dynamic_shared_bytes: expected a whole number from 0 to 2147483647");
  CHECK(error("launch_blocks", "warps") == where + R"(launch_blocks: expected "clusters" or "threads")");
  CHECK(error("name", 3) == where + "name: expected a name");
  CHECK(error("name", std::string("a\0b", 3)) == where + "name: expected a name");
  CHECK(error("parameters", json::array({{{"type", "i4"}, {"bytes", 0}}})) ==
        where + "parameters[0].bytes: expected a whole number from 1 to 32764");
  CHECK(errorOf(makeMetadata({makeKernel(), makeKernel()})) ==
        "the metadata is malformed: kernels[1]: expected another name than 'k', which a kernel has already");
  CHECK(errorOf(3) == "the metadata is malformed: the whole text: expected an object");
  std::string text;
  CHECK(!parseMetadata("{\"target\": ", text));
  CHECK(text.find("the metadata is no JSON: ") == 0);
  CHECK(!parseMetadata(std::string(100000, '['), text));
}

TEST_CASE("what is no cubin of ours is told apart") {
  auto is = [](const std::string &image, EmbeddedMetadata::Kind kind, const char *text) {
    EmbeddedMetadata found = findIn(image);
    CHECK(found.kind == kind);
    CHECK_THAT(found.error, Catch::Contains(text));
  };
  is(makeCubin(std::nullopt), EmbeddedMetadata::Absent, "not compiled by tileiras, or it was stripped");
  is("", EmbeddedMetadata::Malformed, "it is empty");
  is("hello", EmbeddedMetadata::Malformed, "it is no ELF file");
  is(".version 9.0\n.target sm_90a\n", EmbeddedMetadata::Malformed, "it is PTX; assemble it with ptxas");
  is(makeCubin("{}", EM_X86_64), EmbeddedMetadata::Malformed, "for another machine (62)");
  CHECK(elfSize(".version 9.0\n") == 0);
  CHECK(elfSize("") == 0);
}

TEST_CASE("damaged cubins give an answer") {
  damage(makeCubin(makeMetadata().dump()), 1);
}

TEST_CASE("metadata in pieces are refused with a reason") {
  const std::string text = makeMetadata().dump();
  std::string error;
  for (size_t size = 0; size < text.size(); ++size) {
    error.clear();
    if (parseMetadata(std::string_view(text).substr(0, size), error) || error.empty())
      FAIL("the first " << size << " bytes");
  }
}

// The compiler's own: ctest makes the cubins before, and says in the environment where they are.
TEST_CASE("the compiler's cubins have the metadata that the compiler writes", "[.compiled]") {
  const char *folder = std::getenv("LAUNCH_TEST_CUBINS");
  REQUIRE(folder);
  auto read = [&](const std::string &name) {
    std::ifstream in(std::string(folder) + "/" + name, std::ios::binary);
    REQUIRE(in);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const std::string gpu : {"sm_80", "sm_90", "sm_100", "sm_120"}) {
    std::string image = read(gpu + ".cubin"), text, error;
    REQUIRE(findIn(image, &text).kind == EmbeddedMetadata::Present);
    std::optional<Metadata> embedded = parseMetadata(text, error), written = parseMetadata(read(gpu + ".json"), error);
    REQUIRE(embedded);
    REQUIRE(written);
    INFO(gpu);
    CHECK(embedded->gpu == gpu);
    CHECK(embedded->arch == written->arch);
    REQUIRE(embedded->kernels.size() == 1);
    REQUIRE(written->kernels.size() == 1);
    const KernelMetadata &kernel = embedded->kernels[0], &other = written->kernels[0];
    CHECK(kernel.name == other.name);
    CHECK(kernel.parameters.size() == other.parameters.size());
    CHECK(kernel.blockSize == other.blockSize);
    CHECK(kernel.launchBlockSize == other.launchBlockSize);
    CHECK(kernel.launchBlocks == other.launchBlocks);
    CHECK(kernel.launchBlocks == (gpu == "sm_80" ? LaunchBlocks::Threads : LaunchBlocks::Clusters));
    CHECK(kernel.launchBlockSize == (gpu == "sm_80" ? kernel.blockSize : Dimensions{1, 1, 1}));
    damage(image, 7);
  }
}
