//===- Client.cpp - A program that uses the driver ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Client.h"
#include <cstring>
#include <stdexcept>

using namespace tileiras;
using namespace tileiras::cutile;

void *driver() {
  static void *opened = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    throw std::runtime_error(dlerror());
  return opened;
}

std::vector<RecordedCall> &calls() {
  return *reinterpret_cast<RecordedCalls *>(dlsym(driver(), "recordedCalls"))();
}
void setDevice(int device) {
  reinterpret_cast<SetDevice *>(dlsym(driver(), "setDevice"))(device);
}

std::vector<Way> ways() {
#ifdef TILEIRAS_TEST_LINKED
  return {Way::Linked, Way::Dlsym, Way::GlobalDlsym, Way::ProcAddress, Way::ProcAddress2};
#else
  return {Way::Dlsym, Way::ProcAddress, Way::ProcAddress2};
#endif
}

std::string print(Way way) {
  const char *names[] = {"linked", "dlsym", "dlsym of the global scope", "cuGetProcAddress", "cuGetProcAddress_v2"};
  return names[static_cast<int>(way)];
}

/// Asked as programs do: for the plain name, with what says which of its functions is meant.
static void *ask(Way way, std::string name) {
  int version = 13000;
  uint64_t flags = 0;
  if (size_t at = name.find("_ptsz"); at != std::string::npos) {
    flags = 2;
    name.resize(at);
  } else if (size_t at = name.find("_v2"); at != std::string::npos) {
    name.resize(at);
  } else if (name.find("Graph") != std::string::npos) {
    version = name == "cuGraphAddNode" ? 12020 : 11080;
  }
  void *function = nullptr;
  if (way == Way::ProcAddress)
    reinterpret_cast<decltype(&cuGetProcAddress)>(dlsym(driver(), "cuGetProcAddress"))(name.c_str(), &function, version,
                                                                                       flags);
  else
    reinterpret_cast<decltype(&cuGetProcAddress_v2)>(dlsym(driver(), "cuGetProcAddress_v2"))(name.c_str(), &function,
                                                                                             version, flags, nullptr);
  return function;
}

Client::Client(Way way) {
  switch (way) {
  case Way::Linked:
#ifdef TILEIRAS_TEST_LINKED
#define LINK(NAME) NAME = &::NAME;
    TILEIRAS_TEST_FUNCTIONS(LINK)
#undef LINK
#endif
    break;
#define LOOK_UP(NAME) NAME = reinterpret_cast<decltype(NAME)>(dlsym(scope, #NAME));
  case Way::Dlsym: {
    void *scope = driver();
    TILEIRAS_TEST_FUNCTIONS(LOOK_UP)
    break;
  }
  case Way::GlobalDlsym: {
    void *scope = RTLD_DEFAULT;
    TILEIRAS_TEST_FUNCTIONS(LOOK_UP)
    break;
  }
#undef LOOK_UP
  default:
#define ASK(NAME) NAME = reinterpret_cast<decltype(NAME)>(ask(way, #NAME));
    TILEIRAS_TEST_FUNCTIONS(ASK)
#undef ASK
  }
#define CHECK_FOUND(NAME)                                                                                              \
  if (!NAME)                                                                                                           \
    throw std::runtime_error(#NAME " not found by " + print(way));
  TILEIRAS_TEST_FUNCTIONS(CHECK_FOUND)
#undef CHECK_FOUND
}

// Arguments that have to arrive as they are.
static const unsigned kGrid[3] = {5, 6, 7};
static void *kStream = reinterpret_cast<void *>(0x1230);
static void **kParameters = reinterpret_cast<void **>(0x4560);
static void **kExtra = reinterpret_cast<void **>(0x7890);

template <auto Member>
static const void *launchPlain(const Client &client, void *function, const unsigned (&block)[3], unsigned sharedBytes) {
  if constexpr (std::is_same_v<decltype(Member), decltype(&Client::cuLaunchCooperativeKernel)>)
    (client.*Member)(function, kGrid[0], kGrid[1], kGrid[2], block[0], block[1], block[2], sharedBytes, kStream,
                     kParameters);
  else
    (client.*Member)(function, kGrid[0], kGrid[1], kGrid[2], block[0], block[1], block[2], sharedBytes, kStream,
                     kParameters, kExtra);
  return nullptr;
}

template <auto Member>
static const void *launchConfigured(const Client &client, void *function, const unsigned (&block)[3],
                                    unsigned sharedBytes) {
  static thread_local cuda::LaunchConfig config;
  config = {{kGrid[0], kGrid[1], kGrid[2]}, {block[0], block[1], block[2]}, sharedBytes, kStream, nullptr, 0};
  cuda::LaunchConfig before = config;
  (client.*Member)(&config, function, kParameters, kExtra);
  if (memcmp(&before, &config, sizeof(config)) != 0)
    throw std::runtime_error("the program's configuration has changed");
  return &config;
}

template <typename Params>
static void fill(Params &params, const unsigned (&block)[3], unsigned sharedBytes) {
  memcpy(params.grid, kGrid, sizeof(kGrid));
  memcpy(params.block, block, sizeof(block));
  params.sharedBytes = sharedBytes;
  params.parameters = kParameters;
  params.extra = kExtra;
}

/// Calls with parameters that `call` must not change.
template <typename Params, typename Call>
static const void *unchanged(const Params &params, Call call) {
  static thread_local Params passed;
  memcpy(&passed, &params, sizeof(Params));
  call(&passed);
  if (memcmp(&passed, &params, sizeof(Params)) != 0)
    throw std::runtime_error("the program's parameters have changed");
  return &passed;
}

template <typename Params, bool ByKernel>
static Params makeParams(void *function, const unsigned (&block)[3], unsigned sharedBytes) {
  Params params;
  memset(&params, 0, sizeof(params));
  if constexpr (std::is_same_v<Params, GraphNodeParams>) {
    fill(params.kernel, block, sharedBytes);
    (ByKernel ? params.kernel.kernel : params.kernel.function) = function;
  } else {
    fill(params, block, sharedBytes);
    if constexpr (ByKernel)
      params.kernel = function;
    else
      params.function = function;
  }
  return params;
}

template <auto Member, typename Params, bool ByKernel = false>
static const void *launchNode(const Client &client, void *function, const unsigned (&block)[3], unsigned sharedBytes) {
  Handle node = nullptr, graph = reinterpret_cast<Handle>(0x3210);
  Params params = makeParams<Params, ByKernel>(function, block, sharedBytes);
  return unchanged(params, [&](Params *passed) {
    if constexpr (std::is_invocable_v<decltype(client.*Member), Handle *, Handle, const Handle *, size_t, Params *>)
      (client.*Member)(&node, graph, nullptr, size_t{0}, passed);
    else if constexpr (std::is_invocable_v<decltype(client.*Member), Handle *, Handle, const Handle *, const void *,
                                           size_t, Params *>)
      (client.*Member)(&node, graph, nullptr, nullptr, size_t{0}, passed);
    else if constexpr (std::is_invocable_v<decltype(client.*Member), Handle, Handle, Params *>)
      (client.*Member)(graph, node, passed);
    else
      (client.*Member)(node, passed);
  });
}

const std::vector<Launcher> &launchers() {
  static const std::vector<Launcher> all = {
      {"cuLaunchKernel", true, &launchPlain<&Client::cuLaunchKernel>},
      {"cuLaunchKernel_ptsz", true, &launchPlain<&Client::cuLaunchKernel_ptsz>},
      {"cuLaunchCooperativeKernel", true, &launchPlain<&Client::cuLaunchCooperativeKernel>},
      {"cuLaunchCooperativeKernel_ptsz", true, &launchPlain<&Client::cuLaunchCooperativeKernel_ptsz>},
      {"cuLaunchKernelEx", true, &launchConfigured<&Client::cuLaunchKernelEx>},
      {"cuLaunchKernelEx_ptsz", true, &launchConfigured<&Client::cuLaunchKernelEx_ptsz>},
      {"cuGraphAddKernelNode", true, &launchNode<&Client::cuGraphAddKernelNode, KernelNodeParams1>},
      {"cuGraphAddKernelNode_v2", false, &launchNode<&Client::cuGraphAddKernelNode_v2, KernelNodeParams2>},
      {"cuGraphAddKernelNode_v2", true, &launchNode<&Client::cuGraphAddKernelNode_v2, KernelNodeParams2, true>},
      {"cuGraphAddNode", false, &launchNode<&Client::cuGraphAddNode, GraphNodeParams>},
      {"cuGraphAddNode", true, &launchNode<&Client::cuGraphAddNode, GraphNodeParams, true>},
      {"cuGraphAddNode_v2", true, &launchNode<&Client::cuGraphAddNode_v2, GraphNodeParams, true>},
      {"cuGraphKernelNodeSetParams", false, &launchNode<&Client::cuGraphKernelNodeSetParams, KernelNodeParams1>},
      {"cuGraphKernelNodeSetParams_v2", true,
       &launchNode<&Client::cuGraphKernelNodeSetParams_v2, KernelNodeParams2, true>},
      {"cuGraphExecKernelNodeSetParams", false,
       &launchNode<&Client::cuGraphExecKernelNodeSetParams, KernelNodeParams1>},
      {"cuGraphExecKernelNodeSetParams_v2", true,
       &launchNode<&Client::cuGraphExecKernelNodeSetParams_v2, KernelNodeParams2, true>},
      {"cuGraphNodeSetParams", true, &launchNode<&Client::cuGraphNodeSetParams, GraphNodeParams, true>},
      {"cuGraphExecNodeSetParams", true, &launchNode<&Client::cuGraphExecNodeSetParams, GraphNodeParams, true>}};
  return all;
}
