//===- Module.cpp - Loads images, knows their kernels ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "DriverError.h"
#include <cstring>
#include <memory>

using namespace tileiras;
using namespace tileiras::launch;

const cuda::Driver &tileiras::launch::getDriver() {
  static std::mutex mutex;
  static const cuda::Driver *driver = nullptr; // not destroyed: modules may be unloaded while the process ends
  std::lock_guard lock(mutex);
  try {
    if (!driver) {
      auto opened = std::make_unique<cuda::Driver>();
      if (cuda::Result result = opened->init(0))
        throw Failure{TILEIRAS_LAUNCH_ERROR_NO_DRIVER,
                      "there is no GPU to use: " + opened->describe(result, "cuInit") + "; " + cuda::explain(result),
                      result};
      driver = opened.release();
    }
  } catch (const cuda::Error &error) {
    throw Failure{TILEIRAS_LAUNCH_ERROR_NO_DRIVER, std::string("there is no CUDA driver to use: ") + error.what() +
                                                       "; install NVIDIA's driver, or run the kernel on the emulator "
                                                       "(tileiras-run --on emulator)"};
  }
  return *driver;
}

void tileiras::launch::check(const cuda::Driver &driver, cuda::Result result, const char *function,
                             const std::string &when) {
  if (result == 0)
    return;
  std::string why = cuda::explain(result);
  bool absent = result == cuda::kNoDevice || result == cuda::kInvalidDevice;
  throw Failure{absent ? TILEIRAS_LAUNCH_ERROR_NO_DRIVER : TILEIRAS_LAUNCH_ERROR_DRIVER,
                when + ": " + driver.describe(result, function) + (why.empty() ? "" : "; " + why), result};
}

/// Retained once and never released: others of the process may use it without having asked for it.
static cuda::Context getPrimaryContext(const cuda::Driver &driver) {
  static std::mutex mutex;
  static cuda::Context context = nullptr;
  std::lock_guard lock(mutex);
  if (!context) {
    cuda::Device device = 0;
    check(driver, driver.deviceGet(&device, 0), "cuDeviceGet", "cannot use GPU 0");
    check(driver, driver.retainContext(&context, device), "cuDevicePrimaryCtxRetain", "cannot use GPU 0");
  }
  return context;
}

cuda::Context tileiras::launch::enterContext(const cuda::Driver &driver, cuda::Context otherwise) {
  cuda::Context context = nullptr;
  check(driver, driver.currentContext(&context), "cuCtxGetCurrent", "cannot find the thread's context");
  if (context)
    return context;
  context = otherwise ? otherwise : getPrimaryContext(driver);
  check(driver, driver.setContext(context), "cuCtxSetCurrent", "cannot make a context current");
  return context;
}

static Metadata readMetadata(const EmbeddedMetadata &embedded, const char *json) {
  // The image has to be in order also where its metadata come from elsewhere: the driver does not look.
  if (embedded.kind == EmbeddedMetadata::Malformed || (embedded.kind == EmbeddedMetadata::Absent && !json))
    throw Failure{TILEIRAS_LAUNCH_ERROR_BAD_IMAGE, embedded.error};
  std::string error;
  std::optional<Metadata> metadata = parseMetadata(json ? std::string_view(json) : embedded.text, error);
  if (!metadata)
    throw Failure{TILEIRAS_LAUNCH_ERROR_BAD_IMAGE,
                  error + (json ? "; give the text of --metadata of this compiler, or nothing where the cubin has it"
                                : "; the cubin was compiled by another version of tileiras: compile it again, or give "
                                  "the text of --metadata")};
  return std::move(*metadata);
}

TileirasModule::TileirasModule(const void *cubin, size_t size, const char *json)
    : metadata(readMetadata(findMetadata(cubin, size), json)), driver(getDriver()) {
  kernels.resize(metadata.kernels.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    kernels[i].module = this;
    kernels[i].metadata = &metadata.kernels[i];
    for (const ParameterMetadata &parameter : metadata.kernels[i].parameters)
      kernels[i].parameterBytes.push_back(parameter.bytes);
  }
  context = enterContext(driver);
  load(cubin);
}

/// "sm_90 (NVIDIA H200)"
static std::string describeDevice(const cuda::Driver &driver, std::string &gpu) {
  cuda::Device device = 0;
  int major = 0, minor = 0;
  char name[256] = {};
  if (driver.contextDevice(&device) || driver.deviceAttribute(&major, cuda::kMajor, device) ||
      driver.deviceAttribute(&minor, cuda::kMinor, device) || driver.deviceName(name, sizeof name - 1, device))
    return "";
  gpu = "sm_" + std::to_string(major) + std::to_string(minor);
  return gpu + " (" + name + ")";
}

void TileirasModule::load(const void *cubin) {
  cuda::Result result = driver.loadModule(&handle, cubin);
  if (result == cuda::kNoBinaryForGpu) {
    std::string gpu, device = describeDevice(driver, gpu);
    throw Failure{TILEIRAS_LAUNCH_ERROR_WRONG_DEVICE,
                  "the cubin is for " + metadata.arch + ", this GPU is " + (device.empty() ? "another" : device) +
                      (gpu.empty() ? "" : ": compile it with --gpu-name=" + gpu),
                  result};
  }
  if (result == cuda::kInvalidImage)
    throw Failure{
        TILEIRAS_LAUNCH_ERROR_BAD_IMAGE,
        "cannot load the cubin: " + driver.describe(result, "cuModuleLoadData") + "; " + cuda::explain(result), result};
  check(driver, result, "cuModuleLoadData", "cannot load the cubin");
}

void TileirasModule::unload() {
  std::unique_ptr<TileirasModule> self(this);
  cuda::Context before = nullptr;
  driver.currentContext(&before);
  cuda::Result result = driver.setContext(context);
  if (result == 0) {
    result = driver.synchronize();
    if (emptyArrays)
      driver.free(emptyArrays);
    cuda::Result unloaded = driver.unloadModule(handle);
    driver.setContext(before);
    result = result ? result : unloaded;
  }
  // Where the context is gone, so is the module: that is what was asked for.
  if (result != cuda::kDeinitialized && result != cuda::kContextIsDestroyed)
    check(driver, result, "cuModuleUnload", "when the module was unloaded");
}

void TileirasModule::placeEmptyArrays() {
  if (emptyArrays)
    return;
  const EmptyArrays contents = getEmptyArrays();
  cuda::DevicePointer place = 0;
  check(driver, driver.allocate(&place, contents.size()), "cuMemAlloc", "cannot allocate what empty arrays have");
  if (cuda::Result result = driver.toDevice(place, contents.data(), contents.size())) {
    driver.free(place);
    check(driver, result, "cuMemcpyHtoD", "cannot write what empty arrays have");
  }
  emptyArrays = place;
}

std::string TileirasModule::listKernels() const {
  constexpr size_t most = 8;
  std::string list;
  for (size_t i = 0; i < std::min(kernels.size(), most); ++i)
    list += (i ? ", '" : "'") + kernels[i].metadata->name + "'";
  if (kernels.size() > most)
    list += " and " + std::to_string(kernels.size() - most) + " more";
  return list.empty() ? "no kernel" : list;
}

TileirasKernel &TileirasModule::getKernel(const char *name) {
  TileirasKernel *found = !name && kernels.size() == 1 ? &kernels.front() : nullptr;
  for (TileirasKernel &kernel : kernels)
    if (name && kernel.metadata->name == name)
      found = &kernel;
  if (!found && !name)
    throw Failure{TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
                  "the module has " + listKernels() + (kernels.empty() ? "" : ": say the name of one")};
  if (!found)
    throw Failure{TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
                  std::string("the module has no kernel '") + name + "'; it has " + listKernels()};
  std::lock_guard lock(mutex);
  if (!found->function)
    found->prepare();
  return *found;
}
