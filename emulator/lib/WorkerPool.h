//===- WorkerPool.h - A few host threads that share rounds of work -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_WORKERPOOL_H
#define PTX_EMULATOR_WORKERPOOL_H

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ptxemu {

/// Runs rounds of independent pieces of work on a fixed number of threads, the caller's included. The pieces must not
/// throw.
class WorkerPool {
public:
  explicit WorkerPool(unsigned threads) {
    for (unsigned i = 1; i < threads; ++i)
      helpers.emplace_back([this] { help(); });
  }
  ~WorkerPool() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
    }
    begin.notify_all();
    for (std::thread &t : helpers)
      t.join();
  }

  /// Calls work(0) … work(count - 1), each once, and returns when all have.
  void run(size_t count, const std::function<void(size_t)> &work) {
    {
      std::lock_guard lock(mutex);
      current = &work;
      total = count;
      next = 0;
      busy = helpers.size();
      ++round;
    }
    begin.notify_all();
    drain();
    std::unique_lock lock(mutex);
    end.wait(lock, [this] { return busy == 0; });
  }

private:
  void drain() {
    for (size_t i; (i = next++) < total;)
      (*current)(i);
  }
  void help() {
    uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      begin.wait(lock, [&] { return stopping || round != seen; });
      if (stopping)
        return;
      seen = round;
      lock.unlock();
      drain();
      lock.lock();
      if (--busy == 0)
        end.notify_one();
    }
  }

  std::vector<std::thread> helpers;
  std::mutex mutex;
  std::condition_variable begin, end;
  const std::function<void(size_t)> *current = nullptr;
  std::atomic<size_t> next = 0;
  size_t total = 0, busy = 0;
  uint64_t round = 0;
  bool stopping = false;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_WORKERPOOL_H
