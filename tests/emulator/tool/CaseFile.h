//===- CaseFile.h - The launch description of a dumped corpus case -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_CASEFILE_H
#define PTX_EMULATOR_CASEFILE_H

#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"
#include <map>
#include <string>
#include <vector>

namespace ptxemu {

/// launch.txt, one item a line (the README documents them).
struct CaseFile {
  struct Buffer {
    std::string name;
    uint64_t bytes = 0;
    std::string file;
  };
  struct Word {
    std::string buffer; ///< empty: a plain value
    uint64_t value = 0; ///< or the offset into the buffer
  };
  struct Table {
    std::string name;
    std::vector<Word> words;
  };
  struct Parameter {
    unsigned bytes = 0; ///< 128: a tensor map
    std::string buffer; ///< for pointers; the name of a tensor map
    uint64_t value = 0;
  };
  struct Map {
    std::string buffer;
    TensorMap map; ///< without its address
  };
  std::string directory, kernel;
  std::array<unsigned, 3> grid{1, 1, 1}, block{0, 0, 0}, cluster{0, 0, 0}; ///< zeros: not given
  uint32_t dynamicShared = 0;
  std::vector<Buffer> buffers, reads;
  std::vector<Table> tables;
  std::vector<Parameter> parameters;
  std::map<std::string, Map> maps;

  /// Throws InputError.
  static CaseFile load(const std::string &directory);

  /// Allocates and fills the buffers and tables; returns their addresses.
  std::map<std::string, uint64_t> place(DeviceMemory &) const;
  std::vector<std::vector<uint8_t>> arguments(const std::map<std::string, uint64_t> &) const;
  /// Writes the `read` files.
  void writeResults(const DeviceMemory &, const std::map<std::string, uint64_t> &) const;
};

std::vector<uint8_t> readFile(const std::string &path);

} // namespace ptxemu

#endif // PTX_EMULATOR_CASEFILE_H
