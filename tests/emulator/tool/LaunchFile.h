//===- LaunchFile.h - launch.json: everything about one launch --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LAUNCHFILE_H
#define PTX_EMULATOR_LAUNCHFILE_H

#include "Json.h"
#include "ptx-emulator/Emulator.h"
#include <functional>
#include <map>
#include <string>

namespace ptxemu {

/// A launch description (the README documents the format). File names in it are relative to its own folder.
class LaunchFile {
public:
  /// Throws InputError.
  static LaunchFile load(const std::string &path);

  /// Fills in what the description says of the launch; places its buffers.
  std::map<std::string, uint64_t> prepare(DeviceMemory &, LaunchOptions &) const;
  /// Judges an element that differs: its address, what it is and what it should be. Either says that it is close enough
  /// all the same, or tells in `sentence`, unless that is null, what is known about it.
  using Judge = std::function<bool(uint64_t address, double got, double expected, std::string *sentence)>;

  /// Writes result files and compares with the expected contents; false, with sentences in `report`, on a difference.
  bool finish(const DeviceMemory &, const std::map<std::string, uint64_t> &, std::string *report,
              const Judge &judge = nullptr) const;

private:
  std::string path(const std::string &file) const;
  std::vector<uint8_t> contents(const Json &) const;
  Json root;
  std::string directory;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_LAUNCHFILE_H
