//===- client.cpp - Launches a case as cuTile Python's launcher does -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows nothing of metadata: blocks of one thread, no shared memory, no attributes, the kernel's handle in the place of
// a function's; and compares what the kernel leaves with the expected data of the case. Exit status: 0 they agree, 1
// they do not, 2 usage, 3 the driver refuses.
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "ClientFunctions.h"
#include "LaunchError.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <thread>

using namespace emudriver;
namespace cl = llvm::cl;

namespace {

enum class LaunchCall { Kernel, KernelEx, GraphNode };

cl::opt<std::string> cubinFile(cl::Positional, cl::Required, cl::desc("KERNEL.cubin"));
cl::opt<std::string> caseFolder("case", cl::Required, cl::desc("The folder with launch.txt"), cl::value_desc("DIR"));
cl::opt<Lookup> lookup("lookup", cl::desc("How functions of the driver are found"), cl::init(Lookup::GetProcAddress),
                       cl::values(clEnumValN(Lookup::Linked, "linked", "by the dynamic linker"),
                                  clEnumValN(Lookup::Dlsym, "dlsym", "dlopen and dlsym"),
                                  clEnumValN(Lookup::GetProcAddress, "procaddress", "cuGetProcAddress_v2 (default)")));
cl::opt<LaunchCall> launchCall("launch", cl::desc("What launches"), cl::init(LaunchCall::KernelEx),
                               cl::values(clEnumValN(LaunchCall::Kernel, "kernel", "cuLaunchKernel"),
                                          clEnumValN(LaunchCall::KernelEx, "kernel-ex", "cuLaunchKernelEx (default)"),
                                          clEnumValN(LaunchCall::GraphNode, "graph", "a kernel node of a graph")));
cl::opt<bool> useModule("module", cl::desc("Load a module and take its function, no library and its kernel"));
cl::opt<unsigned> threadCount("host-threads", cl::desc("Launch from so many threads at once"), cl::init(1));

/// Where the case's buffers lie: in the memory of the driver.
class DriverMemory : public ptxemu::DeviceMemory {
public:
  explicit DriverMemory(const ClientFunctions &cuda) : cuda(cuda) {}
  ~DriverMemory() override {
    for (DevicePointer pointer : pointers)
      cuda.cuMemFree(pointer);
  }
  uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment) override {
    DevicePointer pointer = 0;
    cuda.check(cuda.cuMemAlloc(&pointer, std::max<uint64_t>(bytes, 1)), "cuMemAlloc for '" + name + "'");
    pointers.push_back(pointer);
    const std::vector<uint8_t> zeros(bytes);
    write(pointer, zeros.data(), bytes);
    return pointer;
  }
  void write(uint64_t address, const void *data, uint64_t bytes) override {
    if (bytes)
      cuda.check(cuda.cuMemcpyHtoD(address, data, bytes), "cuMemcpyHtoD");
  }
  void read(uint64_t address, void *data, uint64_t bytes) const override {
    if (bytes)
      cuda.check(cuda.cuMemcpyDtoH(data, address, bytes), "cuMemcpyDtoH");
  }

private:
  const ClientFunctions &cuda;
  std::vector<DevicePointer> pointers;
};

/// The kernel as the program holds it, and what the driver needs to launch it.
class Client {
public:
  explicit Client(const ClientFunctions &cuda) : cuda(cuda) {
    cuda.check(cuda.cuInit(0), "cuInit");
    DeviceOrdinal device = 0;
    cuda.check(cuda.cuDeviceGet(&device, 0), "cuDeviceGet");
    cuda.check(cuda.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  }

  void load(const std::string &image, const std::string &entry) {
    cuda.check(cuda.cuCtxPushCurrent(context), "cuCtxPushCurrent");
    if (useModule) {
      cuda.check(cuda.cuModuleLoadData(&library, image.c_str()), "cuModuleLoadData");
      cuda.check(cuda.cuModuleGetFunction(&kernel, library, entry.c_str()), "cuModuleGetFunction");
    } else {
      cuda.check(cuda.cuLibraryLoadData(&library, image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                 "cuLibraryLoadData");
      cuda.check(cuda.cuLibraryGetKernel(&kernel, library, entry.c_str()), "cuLibraryGetKernel");
    }
    void *popped = nullptr;
    cuda.check(cuda.cuCtxPopCurrent(&popped), "cuCtxPopCurrent");
  }

  void unload() {
    if (useModule)
      withContext([&] { cuda.check(cuda.cuModuleUnload(library), "cuModuleUnload"); });
    else
      cuda.check(cuda.cuLibraryUnload(library), "cuLibraryUnload");
  }

  /// Launches once and compares; what differs is told in `report`.
  bool run(const tileiras::LaunchDescription &description, std::string &report) const {
    bool agrees = false;
    withContext([&] {
      DriverMemory memory(cuda);
      ptxemu::LaunchOptions options;
      const auto addresses = description.prepare(memory, options);
      void *stream = nullptr;
      cuda.check(cuda.cuStreamCreate(&stream, 0), "cuStreamCreate");
      launch(description, options, stream);
      cuda.check(cuda.cuStreamSynchronize(stream), "cuStreamSynchronize");
      cuda.check(cuda.cuStreamDestroy(stream), "cuStreamDestroy");
      if (threadCount == 1)
        description.writeResults(memory, addresses);
      agrees = description.compare(memory, addresses, &report);
    });
    return agrees;
  }

private:
  template <class Body>
  void withContext(Body body) const {
    cuda.check(cuda.cuCtxPushCurrent(context), "cuCtxPushCurrent");
    body();
    void *popped = nullptr;
    cuda.check(cuda.cuCtxPopCurrent(&popped), "cuCtxPopCurrent");
  }

  void launch(const tileiras::LaunchDescription &description, ptxemu::LaunchOptions &options, void *stream) const {
    std::vector<void *> arguments;
    for (auto &argument : options.arguments)
      arguments.push_back(argument.data());
    const auto &grid = description.grid;
    if (launchCall == LaunchCall::Kernel) {
      cuda.check(cuda.cuLaunchKernel(kernel, grid[0], grid[1], grid[2], 1, 1, 1, 0, stream, arguments.data(), nullptr),
                 "cuLaunchKernel");
    } else if (launchCall == LaunchCall::KernelEx) {
      LaunchConfig config;
      std::copy(grid.begin(), grid.end(), config.grid);
      config.stream = stream;
      cuda.check(cuda.cuLaunchKernelEx(&config, kernel, arguments.data(), nullptr), "cuLaunchKernelEx");
    } else {
      launchGraph(grid, arguments, stream);
    }
  }

  void launchGraph(const std::array<unsigned, 3> &grid, std::vector<void *> &arguments, void *stream) const {
    void *graph = nullptr, *node = nullptr, *exec = nullptr;
    cuda.check(cuda.cuGraphCreate(&graph, 0), "cuGraphCreate");
    KernelNodeParams params;
    std::copy(grid.begin(), grid.end(), params.grid);
    params.kernelParams = arguments.data();
    (useModule ? params.function : params.kernel) = kernel;
    params.context = useModule ? nullptr : context;
    cuda.check(cuda.cuGraphAddKernelNode(&node, graph, nullptr, 0, &params), "cuGraphAddKernelNode");
    cuda.check(cuda.cuGraphInstantiateWithFlags(&exec, graph, 0), "cuGraphInstantiateWithFlags");
    cuda.check(cuda.cuGraphLaunch(exec, stream), "cuGraphLaunch");
    cuda.check(cuda.cuStreamSynchronize(stream), "cuStreamSynchronize");
    cuda.check(cuda.cuGraphExecDestroy(exec), "cuGraphExecDestroy");
    cuda.check(cuda.cuGraphDestroy(graph), "cuGraphDestroy");
  }

  const ClientFunctions &cuda;
  void *context = nullptr, *library = nullptr, *kernel = nullptr;
};

} // namespace

/// The worst exit status of all threads.
static int runThreads(const Client &client, const tileiras::LaunchDescription &description) {
  std::mutex mutex;
  int status = 0;
  auto work = [&] {
    std::string report;
    int mine = 0;
    try {
      mine = client.run(description, report) ? 0 : 1;
    } catch (const std::exception &error) {
      mine = 3;
      report += std::string("error: ") + error.what() + "\n";
    }
    std::lock_guard lock(mutex);
    llvm::errs() << report;
    status = std::max(status, mine);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < threadCount; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  return status;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Launches a case through the CUDA driver, as cuTile Python does\n");
  try {
    const ClientFunctions cuda(lookup);
    const auto description = tileiras::readCase(caseFolder);
    auto image = llvm::MemoryBuffer::getFile(cubinFile);
    if (!image)
      throw std::runtime_error(cubinFile + ": " + image.getError().message());
    Client client(cuda);
    client.load((*image)->getBuffer().str(), description.entry);
    const int status = runThreads(client, description);
    if (status == 0)
      client.unload();
    return status;
  } catch (const tileiras::LaunchError &error) {
    llvm::errs() << "error: " << error.what() << '\n';
    return 2;
  } catch (const std::exception &error) {
    llvm::errs() << "error: " << error.what() << '\n';
    return 3;
  }
}
