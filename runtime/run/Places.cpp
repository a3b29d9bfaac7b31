//===- Places.cpp - Where a kernel is to run ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "RunError.h"
#include "llvm/ADT/STLExtras.h"

namespace tileiras::run {

/// Why the kernel cannot run there; empty if it can. Opens the GPU.
static std::string refuse(Place place, const Kernel &kernel, std::unique_ptr<Gpu> &gpu) {
  switch (place) {
  case Place::Gpu: {
    std::string why;
    if (!gpu)
      gpu = Gpu::open(why);
    return gpu ? "" : "there is no GPU to use: " + why;
  }
  case Place::Emulator:
    return kernel.form == Kernel::Cubin
               ? "the emulator runs PTX, which a cubin does not have: give the Tile IR or the PTX that it was made from"
               : "";
  case Place::Interpreter:
    return kernel.isTileIR() ? "" : "the interpreter runs Tile IR only: give what the kernel was compiled from";
  }
  llvm_unreachable("all places are handled");
}

static void chooseAll(const Kernel &kernel, Places &places) {
  std::string reasons;
  for (Place place : kPlaces) {
    std::string why = refuse(place, kernel, places.gpu);
    if (why.empty()) {
      places.chosen.push_back(place);
      continue;
    }
    reasons += "\n  " + getName(place).str() + ": " + why;
    places.skipped.emplace_back(place, std::move(why));
  }
  if (places.chosen.empty())
    throw RunError(Exit::BadInput, kernel.file + " can run nowhere:" + reasons);
}

Places choosePlaces(const RunOptions &options, const Kernel &kernel) {
  Places places;
  if (options.everywhere) {
    chooseAll(kernel, places);
    return places;
  }
  const Place wanted = options.on.value_or(Place::Gpu);
  const std::string why = refuse(wanted, kernel, places.gpu);
  if (why.empty()) {
    places.chosen.push_back(wanted);
    if (!options.on)
      places.choice = "running on the GPU, " + places.gpu->name + " (--on says otherwise)";
    return places;
  }
  if (options.on)
    throw RunError(Exit::BadInput, "cannot run " + kernel.file + " on the " + getName(wanted) + ": " + why);
  if (std::string other = refuse(Place::Emulator, kernel, places.gpu); !other.empty())
    throw RunError(Exit::BadInput, "cannot run " + kernel.file + ": " + why + "; and " + other);
  places.chosen.push_back(Place::Emulator);
  places.choice = "running on the emulator: " + why;
  return places;
}

} // namespace tileiras::run
