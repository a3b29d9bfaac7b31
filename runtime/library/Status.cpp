//===- Status.cpp - How a function of the library ends --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Status.h"
#include "Estimate.h"
#include "LaunchError.h"
#include <algorithm>
#include <cstring>
#include <new>

namespace tileiras::run {

static thread_local std::string lastError;

static TileirasRunStatus fail(TileirasRunStatus status, const llvm::Twine &text) {
  lastError = text.str();
  return status;
}

/// Null pointers and indices that nobody can mean. Throws RunFailure.
static void check(const TileirasRun &run) {
  auto refuse = [](const llvm::Twine &text) { throw RunFailure(TILEIRAS_RUN_ERROR_INVALID_ARGUMENT, text); };
  if (!run.kernel)
    refuse("the kernel is null");
  if ((run.bufferCount && !run.buffers) || (run.argumentCount && !run.arguments) || (run.allowedCount && !run.allowed))
    refuse("a list is null, and its count is not 0");
  for (uint32_t size : run.grid)
    if (size == 0)
      refuse("the grid has a size of 0; it has at least one tile block in x, y and z");
  for (size_t i = 0; i < run.bufferCount; ++i) {
    if (run.buffers[i].size && !run.buffers[i].data)
      refuse("buffer " + llvm::Twine(i) + " has no data");
    if (run.buffers[i].bounds && run.buffers[i].boundStride == 0)
      refuse("buffer " + llvm::Twine(i) + " has room for bounds, and a boundStride of 0");
  }
  for (size_t i = 0; i < run.argumentCount; ++i) {
    const TileirasRunArgument &argument = run.arguments[i];
    if (argument.buffer >= 0 && static_cast<size_t>(argument.buffer) >= run.bufferCount)
      refuse("argument " + llvm::Twine(i) + " is in buffer " + llvm::Twine(argument.buffer) + "; there are " +
             llvm::Twine(run.bufferCount));
    if (argument.buffer < 0 && !argument.value)
      refuse("argument " + llvm::Twine(i) + " has no value");
  }
  for (size_t i = 0; i < run.allowedCount; ++i)
    if (!run.allowed[i])
      refuse("a kind that is allowed is null");
}

void throwIfInterrupted(const TileirasRun &run) {
  if (run.interrupt && run.interrupt->isSet)
    throw RunFailure(TILEIRAS_RUN_ERROR_INTERRUPTED, "the run was interrupted");
}

TileirasRunStatus guard(const TileirasRun *run, llvm::function_ref<void(const TileirasRun &)> work) {
  return guard([&] {
    if (!run)
      throw RunFailure(TILEIRAS_RUN_ERROR_INVALID_ARGUMENT, "the run is null");
    TileirasRun copy = {};
    std::memcpy(&copy, run, std::min(run->structSize, sizeof(TileirasRun)));
    check(copy);
    work(copy);
  });
}

TileirasRunStatus guard(llvm::function_ref<void()> work) {
  lastError.clear();
  try {
    work();
    return TILEIRAS_RUN_SUCCESS;
  } catch (const RunFailure &failure) {
    return fail(failure.status, failure.what());
  } catch (const ptxemu::timing::EstimateError &failure) {
    return fail(TILEIRAS_RUN_ERROR_NO_ESTIMATE, failure.what());
  } catch (const ptxemu::InputError &failure) {
    return fail(TILEIRAS_RUN_ERROR_BAD_INPUT, failure.what());
  } catch (const std::bad_alloc &) {
    return fail(TILEIRAS_RUN_ERROR_ALLOCATION, "there is not enough memory");
  } catch (const std::exception &failure) {
    return fail(TILEIRAS_RUN_ERROR_BAD_INPUT, llvm::Twine("internal error: ") + failure.what());
  }
}

} // namespace tileiras::run

const char *tileirasRunGetErrorText() {
  return tileiras::run::lastError.c_str();
}

TileirasInterrupt *tileirasInterruptCreate() {
  return new (std::nothrow) TileirasInterrupt;
}

void tileirasInterruptSet(TileirasInterrupt *interrupt) {
  if (interrupt)
    interrupt->isSet = true;
}

void tileirasInterruptRelease(TileirasInterrupt *interrupt) {
  delete interrupt;
}
