//===- LaunchTest.cpp - Launches under tileiras-cutile --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These tests are a program that tileiras-cutile runs, on a driver that writes down what it is told.
//
//===----------------------------------------------------------------------===//

#include "Client.h"
#include "Image.h"
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace tileiras;
using namespace tileiras::cutile;

static const std::vector<TestKernel> kKernels = {{"small"},
                                                 {.name = "large", .block = {64, 2, 1}, .sharedBytes = 100000},
                                                 {.name = "knows", .clusters = true},
                                                 {.name = "knows_but_shared", .clusters = true, .sharedBytes = 512},
                                                 {.name = "cluster", .cluster = 2}};

static Handle getKernel(const Client &client, Handle library, const char *name) {
  Handle kernel = nullptr;
  REQUIRE(client.cuLibraryGetKernel(&kernel, library, name) == 0);
  return kernel;
}

static Handle loadLibrary(const Client &client, const std::string &image) {
  Handle library = nullptr;
  REQUIRE(client.cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
  return library;
}

static Handle loadModule(const Client &client, const std::string &image) {
  Handle module = nullptr;
  REQUIRE(client.cuModuleLoadData(&module, image.data()) == 0);
  return module;
}

static Handle getFunction(const Client &client, Handle module, const char *name) {
  Handle function = nullptr;
  REQUIRE(client.cuModuleGetFunction(&function, module, name) == 0);
  return function;
}

/// What the driver is told of a launch with block and shared memory as given: the last call.
struct Told {
  std::array<unsigned, 3> block;
  unsigned sharedBytes;
  bool operator==(const Told &) const = default;
};
static std::ostream &operator<<(std::ostream &os, const Told &told) {
  return os << told.block[0] << " " << told.block[1] << " " << told.block[2] << ", " << told.sharedBytes;
}

static Told launch(const Client &client, const Launcher &launcher, Handle function, Told passed) {
  unsigned block[3] = {passed.block[0], passed.block[1], passed.block[2]};
  const void *structure = launcher.launch(client, function, block, passed.sharedBytes);
  REQUIRE(!calls().empty());
  const RecordedCall &call = calls().back();
  CHECK(call.name == launcher.name);
  CHECK(call.handle == function);
  CHECK((call.grid[0] == 5 && call.grid[1] == 6 && call.grid[2] == 7));
  CHECK(call.parameters == reinterpret_cast<void *>(0x4560));
  Told told = {{call.block[0], call.block[1], call.block[2]}, call.sharedBytes};
  // What is not corrected is passed on itself, no copy of it.
  CHECK((structure == call.structure) == (!structure || told == passed));
  return told;
}
static Told launch(const Client &client, Handle function, Told passed = {{1, 1, 1}, 0}) {
  return launch(client, launchers()[0], function, passed);
}

TEST_CASE("every function launches a kernel of ours with what it needs, and others' as they say") {
  Way way = GENERATE(from_range(ways()));
  INFO(print(way));
  Client client(way);
  Handle ours = loadLibrary(client, makeImage(kKernels));
  Handle others = loadLibrary(client, makeForeignImage());
  for (const Launcher &launcher : launchers()) {
    INFO(launcher.name);
    CHECK(launch(client, launcher, getKernel(client, ours, "small"), {{1, 1, 1}, 0}) == Told{{128, 1, 1}, 0});
    CHECK(launch(client, launcher, getKernel(client, ours, "large"), {{1, 1, 1}, 0}) == Told{{64, 2, 1}, 100000});
    CHECK(launch(client, launcher, getKernel(client, ours, "knows"), {{1, 1, 1}, 0}) == Told{{1, 1, 1}, 0});
    CHECK(launch(client, launcher, getKernel(client, ours, "knows_but_shared"), {{1, 1, 1}, 0}) ==
          Told{{1, 1, 1}, 512});
    // A program that asks for more shared memory gets it.
    CHECK(launch(client, launcher, getKernel(client, ours, "large"), {{1, 1, 1}, 7}) == Told{{64, 2, 1}, 7});
    for (Told told : {Told{{1, 1, 1}, 0}, Told{{128, 1, 1}, 0}, Told{{1, 1, 1}, 9}}) {
      CHECK(launch(client, launcher, getKernel(client, others, "small"), told) == told);
      CHECK(launch(client, launcher, getKernel(client, ours, "not in the metadata"), told) == told);
      CHECK(launch(client, launcher, reinterpret_cast<Handle>(0x5), told) == told);
    }
    // Who passes a block knows the kernel; a wrong one is the driver's to refuse.
    for (Told told : {Told{{64, 2, 1}, 100000}, Told{{64, 2, 1}, 0}, Told{{32, 1, 1}, 0}})
      CHECK(launch(client, launcher, getKernel(client, ours, "large"), told) == told);
    // Clusters that nobody but the program can ask for.
    CHECK(launch(client, launcher, getKernel(client, ours, "cluster"), {{1, 1, 1}, 0}) == Told{{1, 1, 1}, 0});
  }
  client.cuLibraryUnload(ours);
  client.cuLibraryUnload(others);
}

TEST_CASE("a null configuration reaches the driver's own check of it") {
  Client client(Way::Dlsym);
  unsigned block[3] = {1, 1, 1};
  // Node parameters of another type than kernels are not looked into.
  GraphNodeParams params = {};
  params.type = 1;
  params.kernel.block[0] = params.kernel.block[1] = params.kernel.block[2] = 1;
  Handle library = loadLibrary(client, makeImage(kKernels));
  params.kernel.function = getKernel(client, library, "small");
  Handle node = nullptr;
  client.cuGraphAddNode_v2(&node, nullptr, nullptr, nullptr, 0, &params);
  CHECK(calls().back().structure == &params);
  launchers()[0].launch(client, nullptr, block, 0);
  CHECK(calls().back().block[0] == 1);
  client.cuLibraryUnload(library);
}

TEST_CASE("kernels of ours are known however they are loaded") {
  Way way = GENERATE(from_range(ways()));
  INFO(print(way));
  Client client(way);
  std::string image = makeImage(kKernels);
  std::string file = "/tmp/tileiras-cutile-test-" + std::to_string(getpid()) + ".cubin";
  std::ofstream(file, std::ios::binary) << image;
  Handle module = nullptr;
  auto check = [&](int result) {
    REQUIRE(result == 0);
    CHECK(launch(client, getFunction(client, module, "small")) == Told{{128, 1, 1}, 0});
    client.cuModuleUnload(module);
  };
  check(client.cuModuleLoad(&module, file.c_str()));
  check(client.cuModuleLoadData(&module, image.data()));
  check(client.cuModuleLoadDataEx(&module, image.data(), 0, nullptr, nullptr));
  check(client.cuModuleLoadFatBinary(&module, image.data()));

  Handle library = nullptr;
  REQUIRE(client.cuLibraryLoadFromFile(&library, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == 0);
  CHECK(launch(client, getKernel(client, library, "small")) == Told{{128, 1, 1}, 0});
  REQUIRE(client.cuLibraryGetModule(&module, library) == 0);
  Handle ofModule = getFunction(client, module, "small"), ofKernel = nullptr;
  CHECK(launch(client, ofModule) == Told{{128, 1, 1}, 0});
  REQUIRE(client.cuKernelGetFunction(&ofKernel, getKernel(client, library, "large")) == 0);
  CHECK(launch(client, ofKernel) == Told{{64, 2, 1}, 100000});
  client.cuLibraryUnload(library);
  CHECK(launch(client, ofModule) == Told{{1, 1, 1}, 0});
  CHECK(launch(client, ofKernel) == Told{{1, 1, 1}, 0});
  remove(file.c_str());
}

TEST_CASE("kernels of ours are known when they come many at a time") {
  Way way = GENERATE(from_range(ways()));
  INFO(print(way));
  Client client(way);
  auto get = reinterpret_cast<Handle (*)(Handle, const char *)>(dlsym(driver(), "getBehindTheBack"));
  REQUIRE(get);
  Handle library = loadLibrary(client, makeImage(kKernels)), module = loadModule(client, makeImage(kKernels));
  for (Handle home : {library, module}) {
    Handle large = get(home, "large"), other = get(home, "other"), small = get(home, "small");
    CHECK(launch(client, small) == Told{{1, 1, 1}, 0});
    // Room for more than there are, whose places nobody looks at.
    Handle all[5] = {nullptr, nullptr, nullptr, reinterpret_cast<Handle>(0x1), reinterpret_cast<Handle>(0x1)};
    REQUIRE((home == library ? client.cuLibraryEnumerateKernels(all, 5, home)
                             : client.cuModuleEnumerateFunctions(all, 5, home)) == 0);
    CHECK((all[0] == large && all[1] == other && all[2] == small));
    CHECK(launch(client, small) == Told{{128, 1, 1}, 0});
    CHECK(launch(client, large) == Told{{64, 2, 1}, 100000});
    CHECK(launch(client, other) == Told{{1, 1, 1}, 0});
  }
  client.cuLibraryUnload(library);
  client.cuModuleUnload(module);
}

TEST_CASE("handles that come again are what they are now") {
  Client client(Way::Dlsym);
  std::string ours = makeImage(kKernels), others = makeForeignImage();
  Handle library = loadLibrary(client, ours), kernel = getKernel(client, library, "small");
  CHECK(launch(client, kernel) == Told{{128, 1, 1}, 0});
  client.cuLibraryUnload(library);
  CHECK(launch(client, kernel) == Told{{1, 1, 1}, 0});

  Handle module = loadModule(client, others);
  CHECK((module == library || module == kernel)); // or this test tests nothing
  Handle function = getFunction(client, module, "small");
  CHECK(launch(client, function) == Told{{1, 1, 1}, 0});
  client.cuModuleUnload(module);

  Handle again = loadLibrary(client, makeImage({{.name = "small", .block = {256, 1, 1}}}));
  kernel = getKernel(client, again, "small");
  CHECK(launch(client, kernel) == Told{{256, 1, 1}, 0});
  client.cuLibraryUnload(again);
}

TEST_CASE("a context's end, of which nobody tells, makes handles another module's") {
  Client client(Way::Dlsym);
  Handle library = loadLibrary(client, makeImage(kKernels)), kernel = getKernel(client, library, "small");
  // Behind the library's back, as cuCtxDestroy does it.
  auto unload = reinterpret_cast<int (*)(Handle)>(dlsym(driver(), "destroyBehindTheBack"));
  REQUIRE(unload);
  unload(library);
  Handle module = loadModule(client, makeForeignImage());
  Handle function = getFunction(client, module, "f");
  CHECK((module == library || function == library || function == kernel));
  CHECK(launch(client, function) == Told{{1, 1, 1}, 0});
  client.cuModuleUnload(module);
}

static std::vector<RecordedCall> attributesOf(std::function<void()> action) {
  calls().clear();
  action();
  std::vector<RecordedCall> result;
  for (const RecordedCall &call : calls())
    if (call.attribute)
      result.push_back(call);
  return result;
}

TEST_CASE("a kernel is allowed its shared memory once on each device, a function once") {
  Client client(Way::ProcAddress2);
  Handle library = loadLibrary(client, makeImage(kKernels));
  Handle kernel = getKernel(client, library, "large"), module = nullptr;
  auto set = attributesOf([&] {
    for (int device : {0, 1, 0, 1}) {
      setDevice(device);
      launch(client, kernel);
    }
    setDevice(0);
  });
  REQUIRE(set.size() == 2);
  for (int device : {0, 1}) {
    CHECK(set[device].handle == kernel);
    CHECK(set[device].attribute == 8);
    CHECK(set[device].value == 100000);
    CHECK(set[device].device == device);
  }
  REQUIRE(client.cuLibraryGetModule(&module, library) == 0);
  Handle function = getFunction(client, module, "large");
  set = attributesOf([&] {
    launch(client, function);
    launch(client, getFunction(client, module, "large"));
  });
  REQUIRE(set.size() == 1);
  CHECK(set[0].name == std::string("cuFuncSetAttribute"));
  CHECK(set[0].value == 100000);
  CHECK(attributesOf([&] { launch(client, getKernel(client, library, "small")); }).empty());

  // A node runs in the context that it names.
  KernelNodeParams2 params = {nullptr, {1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, kernel, reinterpret_cast<Handle>(3)};
  Handle node = nullptr;
  set = attributesOf([&] { client.cuGraphAddKernelNode_v2(&node, nullptr, nullptr, 0, &params); });
  REQUIRE(set.size() == 1);
  CHECK(set[0].device == 3);
  client.cuLibraryUnload(library);

  // What is loaded in its place has to be allowed it anew.
  library = loadLibrary(client, makeImage(kKernels));
  CHECK(attributesOf([&] { launch(client, getKernel(client, library, "large")); }).size() == 1);
  client.cuLibraryUnload(library);
}

TEST_CASE("images that are not in order are left alone") {
  Client client(Way::Dlsym);
  std::string good = makeImage(kKernels);
  std::string text = makeMetadata(kKernels);
  std::vector<std::string> images = {std::string("//\n.version 9.0\n\0", 17),
                                     std::string("\x50\xed\x55\xba\x01\x00\x10\x00", 8) + good};
  for (const std::string &damaged :
       {std::string("{\"kernels\":"), std::string(), std::string("[]"), text.substr(0, text.size() - 3)})
    images.push_back(launchtest::makeCubin(damaged));
  // The section headers are elsewhere, more or less far: bytes of e_shoff.
  for (size_t byte : {3, 4, 5, 7}) {
    std::string far = good;
    far[0x28 + byte] = 0x60;
    images.push_back(far);
  }
  for (const std::string &image : images) {
    Handle module = loadModule(client, image);
    CHECK(launch(client, getFunction(client, module, "small")) == Told{{1, 1, 1}, 0});
    client.cuModuleUnload(module);
  }
  Handle module = nullptr;
  REQUIRE(client.cuModuleLoad(&module, "/nonexistent") == 0);
  CHECK(launch(client, getFunction(client, module, "small")) == Told{{1, 1, 1}, 0});
  client.cuModuleUnload(module);
}
