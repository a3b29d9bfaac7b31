//===- LoadHooks.cpp - Loads, which tell whose kernel a handle is ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Registry.h"
#include <algorithm>

using namespace tileiras::cutile;

/// What goes wrong on our side leaves the program as it would be without us.
template <typename Action>
static void quietly(Action action) noexcept {
  try {
    action(Registry::get());
  } catch (const std::exception &error) {
    report(std::string("an image is left alone: ") + error.what());
  }
}

template <auto *Hook, typename... Arguments>
static Result loadImage(Handle *module, const void *image, Arguments... arguments) {
  Result result = callOriginal<Hook>(module, image, arguments...);
  if (result == 0 && module)
    quietly([&](Registry &registry) { registry.addImage(*module, image); });
  return result;
}

template <auto *Hook, typename... Arguments>
static Result loadFile(Handle *module, const char *file, Arguments... arguments) {
  Result result = callOriginal<Hook>(module, file, arguments...);
  if (result == 0 && module && file)
    quietly([&](Registry &registry) { registry.addFile(*module, file); });
  return result;
}

int cuModuleLoad(Handle *module, const char *file) {
  return loadFile<&cuModuleLoad>(module, file);
}

int cuModuleLoadData(Handle *module, const void *image) {
  return loadImage<&cuModuleLoadData>(module, image);
}

int cuModuleLoadDataEx(Handle *module, const void *image, unsigned count, int *options, void **values) {
  return loadImage<&cuModuleLoadDataEx>(module, image, count, options, values);
}

int cuModuleLoadFatBinary(Handle *module, const void *image) {
  return loadImage<&cuModuleLoadFatBinary>(module, image);
}

int cuLibraryLoadData(Handle *library, const void *image, int *jitOptions, void **jitValues, unsigned jitCount,
                      int *options, void **values, unsigned count) {
  return loadImage<&cuLibraryLoadData>(library, image, jitOptions, jitValues, jitCount, options, values, count);
}

int cuLibraryLoadFromFile(Handle *library, const char *file, int *jitOptions, void **jitValues, unsigned jitCount,
                          int *options, void **values, unsigned count) {
  return loadFile<&cuLibraryLoadFromFile>(library, file, jitOptions, jitValues, jitCount, options, values, count);
}

// Forgotten first: once the driver has unloaded it, another thread's load may get the same handles.
int cuModuleUnload(Handle module) {
  quietly([&](Registry &registry) { registry.removeModule(module); });
  return callOriginal<&cuModuleUnload>(module);
}

int cuLibraryUnload(Handle library) {
  quietly([&](Registry &registry) { registry.removeModule(library); });
  return callOriginal<&cuLibraryUnload>(library);
}

int cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  Result result = callOriginal<&cuModuleGetFunction>(function, module, name);
  if (result == 0 && function && name)
    quietly([&](Registry &registry) { registry.addKernel(*function, module, name, false); });
  return result;
}

int cuLibraryGetKernel(Handle *kernel, Handle library, const char *name) {
  Result result = callOriginal<&cuLibraryGetKernel>(kernel, library, name);
  if (result == 0 && kernel && name)
    quietly([&](Registry &registry) { registry.addKernel(*kernel, library, name, true); });
  return result;
}

using GetCount = Result (*)(unsigned *count, Handle module);
using GetName = Result (*)(const char **name, Handle handle);

/// Handles that came many at a time, `room` or as many as there are.
static void addAll(const Handle *handles, unsigned room, Handle module, GetCount getCount, GetName getName,
                   bool ofLibrary) {
  unsigned count = 0;
  if (!handles || !getCount || !getName || getCount(&count, module) != 0)
    return;
  for (unsigned i = 0; i < std::min(room, count); ++i)
    if (const char *name = nullptr; getName(&name, handles[i]) == 0 && name)
      quietly([&](Registry &registry) { registry.addKernel(handles[i], module, name, ofLibrary); });
}

int cuModuleEnumerateFunctions(Handle *functions, unsigned count, Handle module) {
  Result result = callOriginal<&cuModuleEnumerateFunctions>(functions, count, module);
  if (result == 0)
    addAll(functions, count, module, TILEIRAS_DRIVER_FUNCTION(cuModuleGetFunctionCount, unsigned *, Handle),
           TILEIRAS_DRIVER_FUNCTION(cuFuncGetName, const char **, Handle), false);
  return result;
}

int cuLibraryEnumerateKernels(Handle *kernels, unsigned count, Handle library) {
  Result result = callOriginal<&cuLibraryEnumerateKernels>(kernels, count, library);
  if (result == 0)
    addAll(kernels, count, library, TILEIRAS_DRIVER_FUNCTION(cuLibraryGetKernelCount, unsigned *, Handle),
           TILEIRAS_DRIVER_FUNCTION(cuKernelGetName, const char **, Handle), true);
  return result;
}

int cuLibraryGetModule(Handle *module, Handle library) {
  Result result = callOriginal<&cuLibraryGetModule>(module, library);
  if (result == 0 && module)
    quietly([&](Registry &registry) { registry.addModule(*module, library); });
  return result;
}

int cuKernelGetFunction(Handle *function, Handle kernel) {
  Result result = callOriginal<&cuKernelGetFunction>(function, kernel);
  if (result == 0 && function)
    quietly([&](Registry &registry) { registry.addFunction(*function, kernel); });
  return result;
}
