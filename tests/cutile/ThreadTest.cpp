//===- ThreadTest.cpp - Many threads under tileiras-cutile ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Client.h"
#include "Image.h"
#include "KernelTable.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <thread>

using namespace tileiras;
using namespace tileiras::cutile;

static constexpr int kThreads = 8;

template <typename Action>
static void onThreads(Action action) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(action, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST_CASE("threads that load, launch and unload get their own kernels' blocks") {
  std::atomic<int> wrong = 0, launches = 0;
  onThreads([&](int thread) {
    Client client(thread % 2 ? Way::Dlsym : Way::ProcAddress2);
    bool ours = thread % 4 != 3;
    unsigned threads = 32u * static_cast<unsigned>(thread + 1);
    std::vector<TestKernel> kernels = {{.name = "f", .block = {threads, 1, 1}, .sharedBytes = 64u * threads}};
    std::string image = ours ? makeImage(kernels) : makeForeignImage();
    for (int round = 0; round < 300; ++round) {
      Handle library = nullptr, kernel = nullptr;
      client.cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
      client.cuLibraryGetKernel(&kernel, library, "f");
      for (int i = 0; i < 20; ++i) {
        client.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
        const RecordedCall &call = calls().back();
        wrong += call.block[0] != (ours ? threads : 1) || call.sharedBytes != (ours ? 64 * threads : 0);
        ++launches;
      }
      calls().clear();
      client.cuLibraryUnload(library);
    }
  });
  CHECK(wrong == 0);
  CHECK(launches == kThreads * 300 * 20);
}

TEST_CASE("readers of the table see what is there, while it changes and grows") {
  KernelTable table;
  std::vector<launch::KernelMetadata> kernels(64);
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i].dynamicSharedBytes = static_cast<uint32_t>(i);
  auto handle = [](uintptr_t i) { return reinterpret_cast<const void *>(0x7f0000000000 + 16 * i); };
  // The first 64 stay; thousands of others, with other kernels' facts, come and go.
  for (uintptr_t i = 0; i < 64; ++i)
    table.insert(handle(i), &kernels[i], false);
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::atomic<uint64_t> reads = 0;
  onThreads([&](int thread) {
    std::minstd_rand random(static_cast<unsigned>(thread + 1));
    if (thread == 0) {
      for (int i = 0; i < 100000 || reads < 10000; ++i) {
        uintptr_t other = 64 + random() % 5000;
        if (random() % 3)
          table.insert(handle(other), &kernels[other % 64], true);
        else
          table.erase(handle(other));
      }
      done = true;
      return;
    }
    while (!done) {
      uintptr_t i = random() % 64, other = 64 + random() % 5000;
      wrong += table.find(handle(i)).kernel != &kernels[i];
      KernelTable::Found found = table.find(handle(other));
      wrong += found.kernel && found.kernel != &kernels[other % 64];
      wrong += table.find(handle(100000 + other)).kernel != nullptr;
      ++reads;
    }
  });
  CHECK(wrong == 0);
}
