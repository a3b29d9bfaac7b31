//===- LaunchTest.cpp - The C interface of the launch library -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordingDriver.h"
#include "TestImage.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <array>
#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <memory>
#include <thread>

using namespace launchtest;
using nlohmann::json;

namespace {

/// The driver that LD_LIBRARY_PATH finds, as at the start.
Recording &freshDriver() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  REQUIRE(library);
  auto *get = reinterpret_cast<GetRecording *>(dlsym(library, kGetRecording));
  REQUIRE(get);
  Recording &recording = *get();
  recording.answers.clear();
  recording.calls.clear();
  recording.functionAttributes.clear();
  recording.launches.clear();
  return recording;
}

struct Unload {
  void operator()(TileirasModule *module) const { tileirasModuleUnload(module); }
};
using OwnedModule = std::unique_ptr<TileirasModule, Unload>;

OwnedModule load(const json &kernels = json::array({makeKernel()})) {
  TileirasModule *module = nullptr;
  std::string cubin = makeCubin(makeMetadata(kernels).dump());
  INFO(tileirasLaunchGetErrorText());
  REQUIRE(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr) == TILEIRAS_LAUNCH_SUCCESS);
  return OwnedModule(module);
}

const TileirasKernel *getKernel(const OwnedModule &module, const char *name = nullptr) {
  const TileirasKernel *kernel = nullptr;
  TileirasLaunchStatus status = tileirasModuleGetKernel(module.get(), name, &kernel);
  INFO(tileirasLaunchGetErrorText());
  REQUIRE(status == TILEIRAS_LAUNCH_SUCCESS);
  return kernel;
}

/// The kernel as the compiler describes it for GPUs without grids of clusters.
json threadsKernel(json cluster = {1, 1, 1}, unsigned dynamicShared = 0) {
  json kernel = makeKernel();
  kernel["launch_blocks"] = "threads";
  kernel["launch_block_size"] = kernel["block_size"];
  kernel["cluster_size"] = std::move(cluster);
  kernel["dynamic_shared_bytes"] = dynamicShared;
  return kernel;
}

uint64_t pointer = 0x1000;
int32_t number = 7;
const void *const arguments[] = {&pointer, &number};

TileirasLaunchStatus launch(const TileirasKernel *kernel, std::array<uint32_t, 3> grid = {4, 2, 1},
                            void *stream = nullptr) {
  return tileirasLaunch(kernel, grid.data(), arguments, 2, stream);
}

void checkError(TileirasLaunchStatus status, TileirasLaunchStatus wanted, const std::string &text, int result = 0) {
  CHECK_THAT(tileirasLaunchGetErrorText(), Catch::Contains(text));
  CHECK(status == wanted);
  CHECK(tileirasLaunchGetDriverResult() == result);
}

} // namespace

TEST_CASE("a kernel of an image that says its block itself") {
  Recording &driver = freshDriver();
  OwnedModule module = load();
  int stream = 0;
  REQUIRE(launch(getKernel(module), {4, 2, 3}, &stream) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(std::string(tileirasLaunchGetErrorText()).empty());
  REQUIRE(driver.launches.size() == 1);
  const Launch &passed = driver.launches[0];
  CHECK(std::vector<unsigned>(passed.config.grid, passed.config.grid + 3) == std::vector<unsigned>{4, 2, 3});
  CHECK(std::vector<unsigned>(passed.config.block, passed.config.block + 3) == std::vector<unsigned>{1, 1, 1});
  CHECK(passed.config.sharedBytes == 0);
  CHECK(passed.config.attributeCount == 0);
  CHECK(passed.config.stream == &stream);
  CHECK(passed.parameters == std::vector<void *>{&pointer, &number});
  CHECK(driver.calls["cuFuncSetAttribute"] == 0);
}

TEST_CASE("with clusters too, the grid of such an image counts tile blocks") {
  Recording &driver = freshDriver();
  json kernel = makeKernel();
  kernel["cluster_size"] = {2, 1, 1};
  OwnedModule module = load(json::array({kernel}));
  REQUIRE(launch(getKernel(module)) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(driver.launches.at(0).config.grid[0] == 4);
  CHECK(driver.launches[0].config.attributeCount == 0);
}

TEST_CASE("elsewhere the driver is told block, cluster and shared memory") {
  Recording &driver = freshDriver();
  OwnedModule module = load(json::array({threadsKernel({2, 1, 1}, 100000)}));
  const TileirasKernel *kernel = getKernel(module);
  CHECK(driver.functionAttributes[cuda::kMaximumDynamicShared] == 100000);
  REQUIRE(launch(kernel) == TILEIRAS_LAUNCH_SUCCESS);
  REQUIRE(launch(kernel) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(getKernel(module) == kernel);
  CHECK(driver.calls["cuFuncSetAttribute"] == 1);
  CHECK(driver.calls["cuModuleGetFunction"] == 1);
  const Launch &passed = driver.launches.at(0);
  CHECK(passed.config.grid[0] == 8);
  CHECK(passed.config.grid[1] == 2);
  CHECK(passed.config.block[0] == 128);
  CHECK(passed.config.sharedBytes == 100000);
  REQUIRE(passed.config.attributeCount == 1);
  CHECK(passed.attributes[0].id == cuda::kClusterDimension);
  CHECK(passed.attributes[0].value.dimensions[0] == 2);
  CHECK(passed.attributes[0].value.dimensions[2] == 1);
}

TEST_CASE("a kernel that waits for the grids before it may overlap with them") {
  Recording &driver = freshDriver();
  json waiting = threadsKernel({2, 1, 1}), other = makeKernel("other");
  waiting["grid_dependencies"] = {{"waits", true}, {"launches", false}};
  OwnedModule module = load(json::array({waiting, other}));
  const TileirasKernel *kernel = getKernel(module, "k");
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  REQUIRE(tileirasKernelGetInfo(kernel, &info) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(info.waitsForGrids == 1);
  CHECK(info.launchesGrids == 0);

  const std::array<uint32_t, 3> grid = {4, 2, 1};
  int stream = 0;
  TileirasLaunchOptions options = TILEIRAS_LAUNCH_OPTIONS_INIT;
  options.stream = &stream;
  auto launchIt = [&](const TileirasKernel *which, const TileirasLaunchOptions *with) {
    return tileirasLaunchWithOptions(which, grid.data(), arguments, 2, with);
  };
  REQUIRE(launchIt(kernel, &options) == TILEIRAS_LAUNCH_SUCCESS);
  options.overlaps = 1;
  REQUIRE(launchIt(kernel, &options) == TILEIRAS_LAUNCH_SUCCESS);
  REQUIRE(launchIt(kernel, nullptr) == TILEIRAS_LAUNCH_SUCCESS);
  options.structSize = offsetof(TileirasLaunchOptions, overlaps); // an older caller's
  REQUIRE(launchIt(kernel, &options) == TILEIRAS_LAUNCH_SUCCESS);
  REQUIRE(driver.launches.size() == 4);
  for (size_t i : {0, 2, 3})
    CHECK(driver.launches[i].attributes.size() == 1);
  CHECK(driver.launches[2].config.stream == nullptr);
  REQUIRE(driver.launches[1].attributes.size() == 2);
  CHECK(driver.launches[1].attributes[0].id == cuda::kClusterDimension);
  CHECK(driver.launches[1].attributes[1].id == 6); // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
  CHECK(driver.launches[1].attributes[1].value.flag == 1);
  CHECK(driver.launches[1].config.stream == &stream);

  options = TILEIRAS_LAUNCH_OPTIONS_INIT;
  options.overlaps = 1;
  checkError(launchIt(getKernel(module, "other"), &options), TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
             "kernel 'other' does not wait for the grids before it");
  options.structSize = 0;
  checkError(launchIt(kernel, &options), TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT, "TILEIRAS_LAUNCH_OPTIONS_INIT");
}

TEST_CASE("clusters of more than eight CTAs are announced") {
  Recording &driver = freshDriver();
  OwnedModule portable = load(json::array({threadsKernel({8, 1, 1})}));
  getKernel(portable);
  CHECK(driver.functionAttributes.count(cuda::kNonPortableClusterAllowed) == 0);
  OwnedModule larger = load(json::array({threadsKernel({4, 4, 1})}));
  getKernel(larger);
  CHECK(driver.functionAttributes[cuda::kNonPortableClusterAllowed] == 1);
}

TEST_CASE("information comes from the metadata and the driver") {
  freshDriver();
  OwnedModule module = load(json::array({threadsKernel({2, 1, 1}, 100)}));
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  REQUIRE(tileirasKernelGetInfo(getKernel(module), &info) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(info.structSize == sizeof info);
  CHECK(std::string(info.name) == "k");
  REQUIRE(info.parameterCount == 2);
  CHECK(info.parameterBytes[0] == 8);
  CHECK(info.parameterBytes[1] == 4);
  CHECK(info.blockSize[0] == 128);
  CHECK(info.launchBlockSize[0] == 128);
  CHECK(info.clusterSize[0] == 2);
  CHECK(info.dynamicSharedBytes == 100);
  CHECK(info.staticSharedBytes == 1024);
  CHECK(info.registers == 42);
  CHECK(info.localBytes == 16);
  CHECK(info.blocksPerMultiprocessor == 16);

  freshDriver().answers["cuOccupancyMaxActiveBlocksPerMultiprocessor"] = cuda::kInvalidValue;
  REQUIRE(tileirasKernelGetInfo(getKernel(module), &info) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(info.registers == 42);
  CHECK(info.blocksPerMultiprocessor == 0);

  info = TILEIRAS_KERNEL_INFO_INIT;
  info.structSize = offsetof(TileirasKernelInfo, registers); // an older caller's
  info.registers = 99;
  REQUIRE(tileirasKernelGetInfo(getKernel(module), &info) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(info.staticSharedBytes == 1024);
  CHECK(info.registers == 99);
  info.structSize = 0;
  checkError(tileirasKernelGetInfo(getKernel(module), &info), TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
             "TILEIRAS_KERNEL_INFO_INIT");
}

TEST_CASE("kernels by name") {
  freshDriver();
  OwnedModule module = load({makeKernel("first"), makeKernel("second")});
  const char *names[3] = {nullptr, nullptr, nullptr};
  size_t count = 0;
  REQUIRE(tileirasModuleGetKernelNames(module.get(), nullptr, &count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(count == 2);
  count = 1;
  REQUIRE(tileirasModuleGetKernelNames(module.get(), names, &count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(count == 2);
  CHECK(std::string(names[0]) == "first");
  CHECK(names[1] == nullptr);
  REQUIRE(tileirasModuleGetKernelNames(module.get(), names, &count) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(std::string(names[1]) == "second");

  CHECK(getKernel(module, "first") != getKernel(module, "second"));
  const TileirasKernel *kernel = getKernel(module, "first");
  checkError(tileirasModuleGetKernel(module.get(), nullptr, &kernel), TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
             "the module has 'first', 'second': say the name of one");
  CHECK(kernel == nullptr);
  checkError(tileirasModuleGetKernel(module.get(), "third", &kernel), TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
             "the module has no kernel 'third'; it has 'first', 'second'");
}

TEST_CASE("metadata may be given beside the cubin") {
  Recording &driver = freshDriver();
  std::string stripped = makeCubin(std::nullopt), text = makeMetadata(json::array({threadsKernel()})).dump();
  TileirasModule *module = nullptr;
  REQUIRE(tileirasModuleLoad(&module, stripped.data(), stripped.size(), text.c_str()) == TILEIRAS_LAUNCH_SUCCESS);
  OwnedModule owned(module);
  REQUIRE(launch(getKernel(owned)) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(driver.launches.at(0).config.block[0] == 128);

  driver.answers["cuModuleGetFunction"] = cuda::kNotFound;
  OwnedModule other = load();
  const TileirasKernel *kernel = nullptr;
  checkError(tileirasModuleGetKernel(other.get(), "k", &kernel), TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
             "which the cubin does not have: they are of different compilations", cuda::kNotFound);
}

TEST_CASE("the metadata of an image, without a driver") {
  Recording &driver = freshDriver();
  std::string text = makeMetadata().dump(), cubin = makeCubin(text);
  const char *found = nullptr;
  size_t size = 0;
  REQUIRE(tileirasImageGetMetadata(cubin.data(), cubin.size(), &found, &size) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(std::string(found, size) == text);
  CHECK((found > cubin.data() && found < cubin.data() + cubin.size()));
  checkError(tileirasImageGetMetadata("x", 1, &found, &size), TILEIRAS_LAUNCH_ERROR_BAD_IMAGE, "it is no ELF file");
  CHECK(found == nullptr);
  CHECK(driver.calls.empty());
}

TEST_CASE("wrong arguments") {
  Recording &driver = freshDriver();
  OwnedModule module = load(json::array({threadsKernel({2, 1, 1})}));
  const TileirasKernel *kernel = getKernel(module);
  constexpr TileirasLaunchStatus wrong = TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT;
  TileirasModule *other = module.get();
  const uint32_t grid[3] = {1, 1, 1};
  const void *const hole[] = {&pointer, nullptr};
  checkError(tileirasModuleLoad(nullptr, "", 0, nullptr), wrong, "module is null");
  checkError(tileirasModuleLoad(&other, nullptr, 0, nullptr), wrong, "cubin is null");
  CHECK(other == nullptr);
  checkError(tileirasModuleGetKernel(nullptr, "k", &kernel), wrong, "module is null");
  checkError(tileirasModuleGetKernel(module.get(), "k", nullptr), wrong, "kernel is null");
  kernel = getKernel(module);
  checkError(tileirasLaunch(nullptr, grid, arguments, 2, nullptr), wrong, "kernel is null");
  checkError(tileirasLaunch(kernel, nullptr, arguments, 2, nullptr), wrong, "grid is null");
  checkError(tileirasLaunch(kernel, grid, nullptr, 2, nullptr), wrong, "arguments is null");
  checkError(tileirasLaunch(kernel, grid, arguments, 1, nullptr), wrong,
             "kernel 'k' has 2 parameters, 1 arguments were given");
  checkError(tileirasLaunch(kernel, grid, hole, 2, nullptr), wrong,
             "arguments[1] is null; it has to point to a value of 4 bytes (i32)");
  checkError(launch(kernel, {0, 1, 1}), wrong,
             "the grid has 0 tile blocks in dimension x; it can have 1 to 1073741823");
  checkError(launch(kernel, {1073741824, 1, 1}), wrong, "dimension x; it can have 1 to 1073741823");
  checkError(launch(kernel, {1, 65536, 1}), wrong, "65536 tile blocks in dimension y; it can have 1 to 65535");
  checkError(launch(kernel, {1, 1, UINT32_MAX}), wrong, "dimension z; it can have 1 to 65535");
  CHECK(driver.launches.empty());
  CHECK(launch(kernel, {1073741823, 65535, 65535}) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(tileirasModuleUnload(nullptr) == TILEIRAS_LAUNCH_SUCCESS);
}

TEST_CASE("images that are none") {
  freshDriver();
  TileirasModule *module = nullptr;
  auto loading = [&](const std::string &image, const char *metadata = nullptr) {
    return tileirasModuleLoad(&module, image.data(), image.size(), metadata);
  };
  const std::string good = makeCubin(makeMetadata().dump()), stripped = makeCubin(std::nullopt);
  constexpr TileirasLaunchStatus bad = TILEIRAS_LAUNCH_ERROR_BAD_IMAGE;
  checkError(loading("no"), bad, "the image is no cubin");
  checkError(loading("no", makeMetadata().dump().c_str()), bad, "the image is no cubin");
  checkError(loading(stripped), bad, "not compiled by tileiras, or it was stripped; give the text of --metadata");
  checkError(loading(stripped, "{}"), bad, "the key target is missing; give the text of --metadata of this compiler");
  checkError(loading(makeCubin("{}")), bad, "the key target is missing; the cubin was compiled by another version");
  checkError(loading(good.substr(0, good.size() - 1)), bad, "it is cut off");
}

TEST_CASE("what the driver refuses is explained") {
  Recording &driver = freshDriver();
  TileirasModule *module = nullptr;
  std::string cubin = makeCubin(makeMetadata().dump());
  auto loadingAnswers = [&](int result) {
    driver.answers["cuModuleLoadData"] = result;
    return tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr);
  };
  checkError(loadingAnswers(cuda::kNoBinaryForGpu), TILEIRAS_LAUNCH_ERROR_WRONG_DEVICE,
             "the cubin is for sm_90a, this GPU is sm_90 (NVIDIA Pretence): compile it with --gpu-name=sm_90",
             cuda::kNoBinaryForGpu);
  CHECK(module == nullptr);
  checkError(loadingAnswers(cuda::kInvalidImage), TILEIRAS_LAUNCH_ERROR_BAD_IMAGE, "newer than the driver",
             cuda::kInvalidImage);
  checkError(
      loadingAnswers(cuda::kOutOfMemory), TILEIRAS_LAUNCH_ERROR_DRIVER,
      "cannot load the cubin: cuModuleLoadData: CUDA_ERROR_OUT_OF_MEMORY (2, a text); the GPU has too little free "
      "memory",
      cuda::kOutOfMemory);
  checkError(loadingAnswers(12345), TILEIRAS_LAUNCH_ERROR_DRIVER, "cuModuleLoadData: unknown error (12345)", 12345);
  driver.answers.clear();

  OwnedModule owned = load();
  const TileirasKernel *kernel = getKernel(owned);
  driver.answers["cuLaunchKernelEx"] = cuda::kInvalidValue;
  checkError(launch(kernel), TILEIRAS_LAUNCH_ERROR_DRIVER,
             "cannot launch kernel 'k' (128 threads a block, 1 blocks a cluster, 0 bytes of dynamic shared memory): "
             "cuLaunchKernelEx: CUDA_ERROR_INVALID_VALUE (1, a text)",
             cuda::kInvalidValue);
  driver.answers["cuLaunchKernelEx"] = cuda::kIllegalAddress;
  checkError(
      launch(kernel), TILEIRAS_LAUNCH_ERROR_DRIVER,
      "CUDA_ERROR_ILLEGAL_ADDRESS (700, a text); a kernel that was launched earlier read or wrote an address that "
      "no allocation has. The context is lost",
      cuda::kIllegalAddress);
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  driver.answers["cuFuncGetAttribute"] = cuda::kLaunchFailed;
  checkError(tileirasKernelGetInfo(kernel, &info), TILEIRAS_LAUNCH_ERROR_DRIVER, "The context is lost",
             cuda::kLaunchFailed);
}

TEST_CASE("more shared memory than the GPU has") {
  Recording &driver = freshDriver();
  OwnedModule module = load(json::array({threadsKernel({1, 1, 1}, 300000)}));
  const TileirasKernel *kernel = nullptr;
  for (int again = 0; again < 2; ++again)
    checkError(
        tileirasModuleGetKernel(module.get(), "k", &kernel), TILEIRAS_LAUNCH_ERROR_DRIVER,
        "kernel 'k' needs 300000 bytes of dynamic shared memory besides 1024 static ones, this GPU gives a block "
        "232448: compile with smaller tiles",
        cuda::kInvalidValue);
  CHECK(kernel == nullptr);
  CHECK(driver.calls["cuFuncSetAttribute"] == 2);
}

TEST_CASE("the current context is used, and is asked for where there is none") {
  Recording &driver = freshDriver();
  OwnedModule module = load();
  const TileirasKernel *kernel = getKernel(module);
  std::thread([&] { // has no context: gets the module's
    CHECK(launch(kernel) == TILEIRAS_LAUNCH_SUCCESS);
    CHECK(launch(kernel) == TILEIRAS_LAUNCH_SUCCESS);
  })
      .join();
  CHECK(driver.calls["cuCtxSetCurrent"] <= 2); // one may be of the load
  auto setContext =
      reinterpret_cast<cuda::Result (*)(void *)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuCtxSetCurrent"));
  int other = 0;
  std::thread([&] {
    setContext(&other);
    driver.answers["cuLaunchKernelEx"] = cuda::kInvalidHandle;
    checkError(launch(kernel), TILEIRAS_LAUNCH_ERROR_DRIVER,
               "the thread's context is not the one that the module was loaded into", cuda::kInvalidHandle);
  }).join();
}

TEST_CASE("unloading waits, and says what failed before") {
  Recording &driver = freshDriver();
  TileirasModule *module = load().release();
  int loaded = driver.modules;
  driver.answers["cuCtxSynchronize"] = cuda::kIllegalAddress;
  checkError(tileirasModuleUnload(module), TILEIRAS_LAUNCH_ERROR_DRIVER, "a kernel that was launched earlier",
             cuda::kIllegalAddress);
  CHECK(driver.calls["cuModuleUnload"] == 1);
  CHECK(driver.modules == loaded - 1);

  driver.answers.clear();
  module = load().release();
  driver.answers["cuCtxSetCurrent"] = cuda::kDeinitialized; // the process ends
  CHECK(tileirasModuleUnload(module) == TILEIRAS_LAUNCH_SUCCESS);
}

TEST_CASE("many threads, one module") {
  constexpr size_t threads = 8, launches = 500;
  Recording &driver = freshDriver();
  OwnedModule module = load({makeKernel("good"), threadsKernel({1, 1, 1}, 60000)});
  std::vector<std::thread> running;
  std::array<size_t, threads> failures{};
  for (size_t t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (size_t i = 0; i < launches; ++i) {
        const TileirasKernel *kernel = nullptr;
        failures[t] += tileirasModuleGetKernel(module.get(), i % 2 ? "good" : "k", &kernel) != TILEIRAS_LAUNCH_SUCCESS;
        failures[t] += launch(kernel, {1, 1, 1}, &failures[t]) != TILEIRAS_LAUNCH_SUCCESS;
        // An error is this thread's alone.
        if (t == 0)
          failures[t] += launch(kernel, {0, 1, 1}) != TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT;
        failures[t] += std::string(tileirasLaunchGetErrorText()).empty() != (t != 0);
      }
    });
  for (std::thread &thread : running)
    thread.join();
  CHECK(failures == std::array<size_t, threads>{});
  CHECK(driver.launches.size() == threads * launches);
  CHECK(driver.calls["cuModuleGetFunction"] == 2);
}

// Each in a process of its own: the driver stays open.
TEST_CASE("there is no driver", "[.no-driver]") {
  TileirasModule *module = nullptr;
  std::string cubin = makeCubin(makeMetadata().dump());
  for (int again = 0; again < 2; ++again)
    checkError(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr), TILEIRAS_LAUNCH_ERROR_NO_DRIVER,
               "there is no CUDA driver to use: ");
  CHECK_THAT(tileirasLaunchGetErrorText(), Catch::Contains("tileiras-run --on emulator"));
}

TEST_CASE("the driver is too old", "[.old-driver]") {
  TileirasModule *module = nullptr;
  std::string cubin = makeCubin(makeMetadata().dump());
  checkError(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr), TILEIRAS_LAUNCH_ERROR_NO_DRIVER,
             "libcuda.so.1 has no cuInit: it is older than CUDA 12.0");
}

TEST_CASE("there is no GPU", "[.no-gpu]") {
  Recording &driver = freshDriver();
  TileirasModule *module = nullptr;
  std::string cubin = makeCubin(makeMetadata().dump());
  driver.answers["cuInit"] = cuda::kNoDevice;
  checkError(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr), TILEIRAS_LAUNCH_ERROR_NO_DRIVER,
             "there is no GPU to use: cuInit: CUDA_ERROR_NO_DEVICE (100, a text); the driver sees no GPU",
             cuda::kNoDevice);
  driver.answers.clear(); // and if there is one later
  CHECK(tileirasModuleLoad(&module, cubin.data(), cubin.size(), nullptr) == TILEIRAS_LAUNCH_SUCCESS);
  CHECK(tileirasModuleUnload(module) == TILEIRAS_LAUNCH_SUCCESS);
}
