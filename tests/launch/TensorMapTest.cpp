//===- TensorMapTest.cpp - Tensor maps that a launch builds ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordingDriver.h"
#include "TensorMaps.h"
#include "TestImage.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <catch2/catch.hpp>
#include <dlfcn.h>

using namespace tileiras::launch;
using namespace launchtest;
using nlohmann::json;

namespace {

uint64_t pointer = 0x1000;
int32_t number = 24;
const void *const arguments[] = {&pointer, &number};

Metadata parse(const json &kernel) {
  std::string error;
  std::optional<Metadata> metadata = parseMetadata(makeMetadata(json::array({kernel})).dump(), error);
  INFO(error);
  REQUIRE(metadata);
  return *metadata;
}

std::string errorOf(const json &kernel) {
  std::string error;
  CHECK(!parseMetadata(makeMetadata(json::array({kernel})).dump(), error));
  return error;
}

/// The value of an expression of the parameters (ptr, i32), as the address of a map.
uint64_t evaluate(const json &expression, int32_t value) {
  json kernel = makeKernelWithMap();
  kernel["tensor_maps"][0]["global_address"] = expression;
  kernel["tensor_maps"][0]["global_dim"] = {1, 1};
  const Metadata metadata = parse(kernel);
  const void *const values[] = {&pointer, &value};
  return computeTensorMap(metadata.kernels[0], metadata.kernels[0].tensorMaps[0], values, 0).globalAddress;
}

json operation(const char *name, unsigned bits, json operands) {
  return {{"op", name}, {"bits", bits}, {"operands", std::move(operands)}};
}

/// What the driver's function was told last.
struct Told {
  TensorMapArguments arguments;
  unsigned calls = 0;
  int answer = 0;
} told;

int encode(void *map, int type, uint32_t rank, void *address, const uint64_t *sizes, const uint64_t *strides,
           const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle, int promotion, int fill) {
  TensorMapArguments &a = told.arguments;
  a = {type, interleave, swizzle, promotion, fill, rank, reinterpret_cast<uint64_t>(address)};
  for (uint32_t d = 0; d < a.globalDim.size() && d < rank; ++d) {
    a.globalDim[d] = sizes[d];
    a.boxDim[d] = box[d];
    a.elementStrides[d] = elementStrides[d];
    if (d != 0)
      a.globalStrides[d - 1] = strides[d - 1];
  }
  static_cast<uint8_t *>(map)[127] = 99;
  ++told.calls;
  return told.answer;
}

struct alignas(64) Maps {
  uint8_t bytes[2 * kTensorMapBytes] = {};
};

TileirasLaunchStatus encodeFor(const json &kernel, Maps &maps, size_t &count, uint64_t emptyArrays = 0) {
  told = {{}, 0, told.answer};
  const std::string text = makeMetadata(json::array({kernel})).dump();
  return tileirasTensorMapsEncode(text.c_str(), nullptr, arguments, 2, emptyArrays, encode, maps.bytes, &count);
}

} // namespace

TEST_CASE("maps are parameters behind those of the program") {
  const Metadata metadata = parse(makeKernelWithMap());
  const KernelMetadata &kernel = metadata.kernels[0];
  CHECK(kernel.parameters.size() == 2);
  REQUIRE(kernel.tensorMaps.size() == 1);
  const TensorMapArguments map = computeTensorMap(kernel, kernel.tensorMaps[0], arguments, 0);
  CHECK(map.dataType == 6); // CU_TENSOR_MAP_DATA_TYPE_FLOAT16
  CHECK(map.interleave == 0);
  CHECK(map.swizzle == 3);
  CHECK(map.l2Promotion == 2);
  CHECK(map.oobFill == 1);
  CHECK(map.print() == "address 4096, sizes (48, 32), strides (96) bytes, box (64, 32)");
}

TEST_CASE("expressions are arith's operations on unsigned values") {
  const json value = {{"parameter", 1}};
  CHECK(evaluate(value, -1) == 0xffffffff);
  CHECK(evaluate(operation("extsi", 32, {value}), -1) == UINT64_MAX);
  CHECK(evaluate(operation("extsi", 16, {value}), 0x8000) == 0xffffffffffff8000);
  CHECK(evaluate(operation("trunci", 8, {value}), 0x1ff) == 0xff);
  CHECK(evaluate(operation("addi", 32, {value, 1}), -1) == 0);
  CHECK(evaluate(operation("addi", 64, {value, 1}), -1) == 0x100000000);
  CHECK(evaluate(operation("subi", 32, {value, 3}), 1) == 0xfffffffe);
  CHECK(evaluate(operation("muli", 32, {value, -2}), 3) == 0xfffffffa);
  CHECK(evaluate(operation("minsi", 32, {value, 5}), -1) == 0xffffffff);
  CHECK(evaluate(operation("minui", 32, {value, 5}), -1) == 5);
  CHECK(evaluate(operation("maxsi", 32, {value, 5}), -1) == 5);
  CHECK(evaluate(operation("maxui", 32, {value, 5}), -1) == 0xffffffff);
  CHECK(evaluate(operation("addi", 64, {json{{"parameter", 0}}, operation("muli", 64, {value, 2})}), 8) == 0x1010);
}

TEST_CASE("a dimension of one element has any stride that is legal") {
  json kernel = makeKernelWithMap();
  kernel["tensor_maps"][0]["global_dim"] = {5000000000, 1};
  kernel["tensor_maps"][0]["global_strides"] = {1};
  const Metadata metadata = parse(kernel);
  const TensorMapArguments map = computeTensorMap(metadata.kernels[0], metadata.kernels[0].tensorMaps[0], arguments, 0);
  CHECK(map.print() == "address 4096, sizes (4294967295, 1), strides (16) bytes, box (64, 32)");
}

TEST_CASE("arrays without elements are somewhere else") {
  for (auto [access, fill, address] :
       {std::tuple("load", "NONE", 0x8000), std::tuple("load", "NAN_REQUEST_ZERO_FMA", 0x8010),
        std::tuple("store", "NONE", 0x8020)}) {
    json kernel = makeKernelWithMap(access);
    kernel["tensor_maps"][0]["oob_fill"] = fill;
    const Metadata metadata = parse(kernel);
    const int32_t none = 0;
    const void *const values[] = {&pointer, &none};
    CHECK(needsEmptyArrays(metadata.kernels[0], values));
    CHECK(!needsEmptyArrays(metadata.kernels[0], arguments));
    const TensorMapArguments map =
        computeTensorMap(metadata.kernels[0], metadata.kernels[0].tensorMaps[0], values, 0x8000);
    CHECK(map.globalAddress == static_cast<uint64_t>(address));
    CHECK(map.globalDim[0] == 1);
    CHECK(map.globalDim[1] == 1);
    CHECK(map.globalStrides[0] == 16);
  }
  const EmptyArrays contents = getEmptyArrays();
  CHECK(contents[15] == 0);
  CHECK(contents[16] == 0xff);
  CHECK(contents[31] == 0xff);
}

TEST_CASE("descriptions of maps are checked") {
  auto broken = [](const char *key, const json &value) {
    json kernel = makeKernelWithMap();
    kernel["tensor_maps"][0][key] = value;
    return errorOf(kernel);
  };
  CHECK_THAT(broken("data_type", "FLOAT8"),
             Catch::Contains("kernels[0].tensor_maps[0].data_type: expected a name that cuTensorMapEncodeTiled has"));
  CHECK_THAT(broken("parameter", 1), Catch::Contains("tensor_maps[0].parameter: expected 2"));
  CHECK_THAT(broken("global_address", {{"parameter", 2}}), Catch::Contains("one of the program's 2 parameters"));
  CHECK_THAT(broken("global_dim", json::array()), Catch::Contains("global_dim: expected from 1 to 5 expressions"));
  CHECK_THAT(broken("global_strides", {1, 2}), Catch::Contains("global_strides: expected from 1 to 1 expressions"));
  CHECK_THAT(broken("box_dim", {64}), Catch::Contains("box_dim: expected 2 numbers"));
  CHECK_THAT(broken("box_dim", {64, 257}), Catch::Contains("box_dim[1]: expected a whole number from 1 to 256"));
  CHECK_THAT(broken("global_address", operation("divsi", 32, {1, 2})), Catch::Contains("not divsi"));
  CHECK_THAT(broken("global_address", operation("addi", 65, {1, 2})), Catch::Contains("bits: expected"));
  CHECK_THAT(broken("global_address", operation("addi", 32, json::array({1}))), Catch::Contains("expected 2 of them"));
  json deep = 1;
  for (int i = 0; i < 200; ++i)
    deep = operation("trunci", 32, json::array({deep}));
  CHECK_THAT(broken("global_address", deep), Catch::Contains("no deeper expression"));
  json kernel = makeKernelWithMap();
  kernel["parameters"].erase(2);
  CHECK_THAT(errorOf(kernel), Catch::Contains("a map for each of the last parameters"));
}

TEST_CASE("maps for programs that launch by themselves") {
  told.answer = 0;
  Maps maps;
  size_t count = 2;
  REQUIRE(encodeFor(makeKernelWithMap(), maps, count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(count == 1);
  CHECK(told.calls == 1);
  CHECK(told.arguments.print() == "address 4096, sizes (48, 32), strides (96) bytes, box (64, 32)");
  CHECK(told.arguments.swizzle == 3);
  CHECK(maps.bytes[127] == 99);
  CHECK(maps.bytes[255] == 0);
  count = 0;
  REQUIRE(encodeFor(makeKernelWithMap(), maps, count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(count == 1);
  CHECK(told.calls == 0);
  REQUIRE(encodeFor(makeKernel(), maps, count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(count == 0);

  count = 1;
  const std::string text = makeMetadata(json::array({makeKernelWithMap()})).dump();
  CHECK(tileirasTensorMapsEncode(text.c_str(), "other", arguments, 2, 0, encode, maps.bytes, &count) ==
        TILEIRAS_LAUNCH_ERROR_NOT_FOUND);
  CHECK(tileirasTensorMapsEncode(text.c_str(), "k", arguments, 1, 0, encode, maps.bytes, &count) ==
        TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT);
  CHECK(tileirasTensorMapsEncode(text.c_str(), "k", arguments, 2, 0, encode, maps.bytes + 32, &count) ==
        TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT);
  CHECK(tileirasTensorMapsEncode(text.c_str(), "k", arguments, 2, 0, nullptr, maps.bytes, &count) ==
        TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT);
  CHECK(tileirasTensorMapsEncode("{}", "k", arguments, 2, 0, encode, maps.bytes, &count) ==
        TILEIRAS_LAUNCH_ERROR_BAD_IMAGE);

  json kernel = makeKernelWithMap();
  kernel["tensor_maps"][0]["global_dim"][0] = 0;
  CHECK(encodeFor(kernel, maps, count) == TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT);
  CHECK_THAT(tileirasLaunchGetErrorText(), Catch::Contains("has no elements: give the address"));
  CHECK(encodeFor(kernel, maps, count, 0x8000) == TILEIRAS_LAUNCH_SUCCESS);

  told.answer = 1;
  CHECK(encodeFor(makeKernelWithMap(), maps, count) == TILEIRAS_LAUNCH_ERROR_DRIVER);
  CHECK(tileirasLaunchGetDriverResult() == 1);
  CHECK_THAT(tileirasLaunchGetErrorText(), Catch::Contains("cannot build tensor map 0 of kernel 'k' (address 4096"));
}

TEST_CASE("a launch passes the maps behind the arguments") {
  auto *get = reinterpret_cast<GetRecording *>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), kGetRecording));
  REQUIRE(get);
  Recording &driver = *get();
  driver.launches.clear();
  driver.calls.clear();
  driver.answers.clear();
  driver.parameterCount = 3;
  const std::string cubin = makeCubin(makeMetadata(json::array({makeKernelWithMap()})).dump());
  TileirasModule *module = nullptr;
  const TileirasKernel *kernel = nullptr;
  const uint32_t grid[3] = {1, 1, 1};
  REQUIRE(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr) == TILEIRAS_LAUNCH_SUCCESS);
  REQUIRE(tileirasModuleGetKernel(module, "k", &kernel) == TILEIRAS_LAUNCH_SUCCESS);
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  REQUIRE(tileirasKernelGetInfo(kernel, &info) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(info.parameterCount == 2);
  REQUIRE(tileirasLaunch(kernel, grid, arguments, 2, nullptr) == TILEIRAS_LAUNCH_SUCCESS);
  REQUIRE(driver.launches.size() == 1);
  CHECK(driver.launches[0].parameters[0] == &pointer);
  CHECK(driver.launches[0].parameters[1] == &number);
  CHECK(reinterpret_cast<uintptr_t>(driver.launches[0].parameters[2]) % kTensorMapAlignment == 0);
  const EmptyArrays contents = getEmptyArrays();
  CHECK(driver.memory == std::vector<uint8_t>(contents.begin(), contents.end()));
  CHECK(tileirasLaunch(kernel, grid, arguments, 3, nullptr) == TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT);
  driver.answers["cuTensorMapEncodeTiled"] = tileiras::cuda::kInvalidValue;
  CHECK(tileirasLaunch(kernel, grid, arguments, 2, nullptr) == TILEIRAS_LAUNCH_ERROR_DRIVER);
  CHECK_THAT(tileirasLaunchGetErrorText(),
             Catch::Contains("cannot build tensor map 0 of kernel 'k'") && Catch::Contains("cuTensorMapEncodeTiled"));
  REQUIRE(tileirasModuleUnload(module) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(driver.calls["cuMemFree_v2"] == 1);
  driver.parameterCount = 2;
  driver.answers.clear();
}
