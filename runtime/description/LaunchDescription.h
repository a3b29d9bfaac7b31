//===- LaunchDescription.h - Everything about one launch --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHDESCRIPTION_H
#define TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHDESCRIPTION_H

#include "ScalarType.h"
#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"
#include <functional>
#include <limits>
#include <map>

namespace tileiras {

/// Sizes and strides in bytes go up to this.
constexpr uint64_t kMostBytes = std::numeric_limits<int64_t>::max();

/// What launch.json or launch.txt says (the README documents both). Whoever reads one has checked it: names exist,
/// numbers are in range, expected data fits its buffer. Files are those of the launch's folder.
struct LaunchDescription {
  struct Buffer {
    std::string name;
    uint64_t bytes = 0;
    std::vector<uint8_t> contents; ///< of the beginning
    uint8_t fill = 0;              ///< the bytes behind it
  };
  struct Word {
    std::string buffer; ///< empty: a plain value
    uint64_t value = 0; ///< or the offset into the buffer
  };
  struct Table {
    std::string name;
    std::vector<Word> words;
  };
  struct Map {
    std::string name, buffer;
    ptxemu::TensorMap map; ///< its address is an offset into the buffer
  };
  struct Field;
  struct Parameter {
    std::string type;                   ///< "ptr", "map", "bytes", or how the description spells the type of the number
    std::string name;                   ///< of the buffer, table or map
    uint64_t value = 0;                 ///< the number's bits, or the offset into the buffer
    unsigned bytes = 8;                 ///< of a number
    std::vector<uint8_t> contents = {}; ///< of a structure by value ("bytes"), before its fields are filled in
    std::vector<Field> fields = {};     ///< within those contents
  };
  struct Field {
    uint64_t at = 0; ///< bytes from the start of the structure
    Parameter value;
  };
  struct Expectation {
    std::string buffer;
    const ScalarType *type = nullptr;
    std::vector<uint8_t> contents;
    double relative = 0, absolute = 0;
    bool isWarning = false; ///< nobody has said how close is close enough: a difference is told, and no failure
  };
  struct Result {
    std::string buffer;
    uint64_t bytes = 0;
    std::string file;
  };
  /// A buffer whose contents are a result to tileiras-differential, with the type of its elements.
  struct Compared {
    std::string buffer, type;
  };
  using Addresses = std::map<std::string, uint64_t>;

  std::string file; ///< it comes from
  std::string entry;
  std::array<unsigned, 3> grid{1, 1, 1}, block{0, 0, 0}, cluster{0, 0, 0}; ///< zeros: not given
  uint32_t dynamicShared = 0;
  std::vector<Buffer> buffers;
  std::vector<Table> tables;
  std::vector<Map> maps;
  std::vector<Parameter> parameters;
  std::vector<Expectation> expectations;
  std::vector<Result> results;
  std::vector<Compared> compared;
  uint64_t bytes = 0; ///< of memory that one launch has to move; 0: nobody has said
  double flops = 0;   ///< floating-point operations of one launch; 0: nobody has said

  const Buffer *findBuffer(llvm::StringRef name) const;
  const Map *findMap(llvm::StringRef name) const;
  static uint64_t sizeOf(const Parameter &);
  bool hasMemory(llvm::StringRef name) const; ///< a buffer or a table
  /// The memory of this machine, in bytes, less what buffers, tables and expected data take of it.
  uint64_t getRoom() const;
  /// Why there cannot be another buffer (or table) of this name and size; empty if there can. `contents`: the bytes
  /// that have been read for it.
  std::string refuseMemory(llvm::StringRef name, uint64_t bytes, uint64_t contents = 0) const;

  /// Makes the 128 bytes of a tensor map whose address is a device's.
  using MapEncoder = std::function<std::array<uint8_t, 128>(const ptxemu::TensorMap &)>;
  /// Allocates and fills the buffers and tables, and says in `options`, where that is open, what is launched. Without
  /// an encoder tensor maps are the emulator's.
  Addresses prepare(ptxemu::DeviceMemory &, ptxemu::LaunchOptions &options, const MapEncoder &encoder = nullptr) const;
  /// Gives a buffer its first contents again.
  void fill(const Buffer &, ptxemu::DeviceMemory &, uint64_t address) const;
  /// Writes the files of results. Throws LaunchError.
  void writeResults(const ptxemu::DeviceMemory &, const Addresses &) const;

  /// Judges an element that differs: its address, what it is and what it should be. Either says that it is close enough
  /// all the same, or tells in `sentence`, unless that is null, what is known about it.
  using Judge = std::function<bool(uint64_t address, double got, double expected, std::string *sentence)>;
  /// Compares with the expected contents; false, with sentences in `report`, on a difference.
  bool compare(const ptxemu::DeviceMemory &, const Addresses &, std::string *report,
               const Judge &judge = nullptr) const;
};

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_LAUNCHDESCRIPTION_H
