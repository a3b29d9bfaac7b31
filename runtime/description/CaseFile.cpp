//===- CaseFile.cpp - Reads the launch of a dumped case -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "Files.h"
#include "LaunchError.h"
#include "TensorMapNames.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <limits>
#include <map>

namespace tileiras {

namespace {

class CaseReader {
public:
  explicit CaseReader(const std::string &directory)
      : directory(directory), path(resolvePath(directory, "launch.txt")), text(readText(path)),
        rest(llvm::toStringRef(text)) {
    launch.file = path;
  }

  LaunchDescription run() {
    while (nextLine()) {
      if (words.empty())
        continue;
      const llvm::StringRef kind = nextWord();
      const Item *item = llvm::find_if(kItems, [&](const Item &each) { return each.kind == kind; });
      if (item == std::end(kItems))
        fail("unknown item '" + kind + "'" +
             suggest(kind, llvm::map_to_vector(kItems, [](const Item &each) { return llvm::StringRef(each.kind); })));
      form = item->form;
      (this->*item->read)();
      finishLine();
    }
    for (const Reference &reference : references)
      if (!(reference.isMap ? launch.findMap(reference.name) != nullptr : launch.hasMemory(reference.name))) {
        number = reference.line;
        fail(llvm::Twine("there is no ") + (reference.isMap ? "map" : "buffer") + " '" + reference.name + "'");
      }
    checkResults();
    if (llvm::sys::fs::exists(resolvePath(directory, "compare.txt")))
      readComparisons();
    findExpectedFiles();
    return std::move(launch);
  }

private:
  struct Item {
    llvm::StringLiteral kind, form; ///< what a line of this kind looks like
    void (CaseReader::*read)();
  };
  /// Names may stand before what they name.
  struct Reference {
    unsigned line;
    std::string name;
    bool isMap;
  };
  static const Item kItems[10];

  //===--------------------------------------------------------------------===//
  // Lines and words
  //===--------------------------------------------------------------------===//

  [[noreturn]] void fail(const llvm::Twine &message) const {
    throw LaunchError(path + ":" + llvm::Twine(number) + ": " + message);
  }

  bool nextLine() {
    if (rest.empty())
      return false;
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    words.clear();
    llvm::SplitString(line, words, " \t\r");
    word = 0;
    return true;
  }
  llvm::StringRef nextWord() {
    if (word == words.size())
      fail("something is missing: expected '" + form + "'");
    return words[word++];
  }
  void finishLine() const {
    if (word != words.size())
      fail("'" + words[word] + "' is too much: expected '" + form + "'");
  }

  uint64_t nextUnsigned(uint64_t least, uint64_t most) {
    const llvm::StringRef text = nextWord();
    uint64_t value = 0;
    if (text.getAsInteger(10, value) || value < least || value > most)
      fail("expected an integer from " + llvm::Twine(least) + " to " + llvm::Twine(most) + ", not '" + text +
           "', in '" + form + "'");
    return value;
  }
  /// An integer of so many bits: front ends do not say which ones have a sign.
  uint64_t nextInteger(unsigned bits) {
    const llvm::StringRef text = nextWord();
    uint64_t natural = 0;
    int64_t negative = 0;
    if (!text.getAsInteger(10, natural) && natural <= llvm::maxUIntN(bits))
      return natural;
    if (!text.getAsInteger(10, negative) && negative < 0 && negative >= llvm::minIntN(bits))
      return static_cast<uint64_t>(negative);
    fail("expected an integer of " + llvm::Twine(bits) + " bits, not '" + text + "', in '" + form + "'");
  }

  void readSizes(std::array<unsigned, 3> &sizes, const std::array<unsigned, 3> &most) {
    for (auto [size, limit] : llvm::zip(sizes, most))
      size = static_cast<unsigned>(nextUnsigned(1, limit));
  }
  std::string nextReference(bool isMap = false) {
    const std::string name = nextWord().str();
    references.push_back({number, name, isMap});
    return name;
  }

  //===--------------------------------------------------------------------===//
  // Items
  //===--------------------------------------------------------------------===//

  void readKernel() { launch.entry = nextWord().str(); }
  void readGrid() { readSizes(launch.grid, ptxemu::kMostGrid); }
  void readBlock() { readSizes(launch.block, ptxemu::kMostBlock); }
  void readCluster() { readSizes(launch.cluster, {ptxemu::kMostCluster, ptxemu::kMostCluster, ptxemu::kMostCluster}); }
  void readShared() { launch.dynamicShared = static_cast<uint32_t>(nextUnsigned(0, ptxemu::kMostShared)); }

  void checkMemory(llvm::StringRef name, uint64_t bytes) const {
    if (std::string problem = launch.refuseMemory(name, bytes); !problem.empty())
      fail(problem);
  }

  /// A file may leave out the zeros at the end.
  void readBuffer() {
    LaunchDescription::Buffer buffer;
    buffer.name = nextWord().str();
    buffer.bytes = nextUnsigned(0, kMostBytes);
    checkMemory(buffer.name, buffer.bytes);
    const std::string file = resolvePath(directory, nextWord());
    if (const uint64_t size = getFileSize(file); size > buffer.bytes)
      fail(file + " has " + llvm::Twine(size) + " bytes, more than the buffer");
    buffer.contents = readFile(file);
    launch.buffers.push_back(std::move(buffer));
  }

  void readTable() {
    LaunchDescription::Table table;
    table.name = nextWord().str();
    const uint64_t count = nextUnsigned(0, kMostBytes / 8);
    checkMemory(table.name, 8 * count);
    finishLine();
    for (form = "addr BUFFER OFFSET' or 'word NUMBER"; table.words.size() < count; finishLine()) {
      if (!nextLine())
        fail("the table '" + llvm::Twine(table.name) + "' has " + llvm::Twine(table.words.size()) + " of " +
             llvm::Twine(count) + " words");
      const llvm::StringRef kind = nextWord();
      if (kind != "addr" && kind != "word" && kind != "value")
        fail("expected '" + form + "'");
      std::string buffer = kind == "addr" ? nextReference() : "";
      table.words.push_back({std::move(buffer), nextInteger(64)});
    }
    launch.tables.push_back(std::move(table));
  }

  void readMap() {
    LaunchDescription::Map map;
    map.name = nextWord().str();
    if (launch.findMap(map.name))
      fail("there is another map '" + llvm::Twine(map.name) + "'");
    map.buffer = nextReference();
    ptxemu::TensorMap &m = map.map;
    const llvm::StringRef type = nextWord();
    std::optional<ptxemu::TensorMap::Element> element = elementNamed(type);
    if (!element)
      fail("unknown element type '" + type + "'; there are " +
           llvm::join(std::begin(kElementNames), std::end(kElementNames), ", "));
    m.element = *element;
    m.rank = static_cast<unsigned>(nextUnsigned(1, m.size.size()));
    for (unsigned d = 0; d < m.rank; ++d)
      m.size[d] = static_cast<uint32_t>(nextUnsigned(1, std::numeric_limits<uint32_t>::max()));
    for (unsigned d = 0; d + 1 < m.rank; ++d)
      m.stride[d] = nextUnsigned(0, kMostBytes);
    for (unsigned d = 0; d < m.rank; ++d)
      m.box[d] = static_cast<uint32_t>(nextUnsigned(1, kMostBox));
    for (unsigned d = 0; d < m.rank; ++d)
      m.elementStride[d] = static_cast<uint32_t>(nextUnsigned(1, kMostElementStride));
    std::optional<ptxemu::TensorMap::Swizzle> swizzle = swizzleOf(nextUnsigned(0, 128));
    std::optional<ptxemu::TensorMap::Fill> fill = fillNamed(nextWord());
    if (!swizzle || !fill)
      fail("the swizzle is 0, 32, 64 or 128, the fill 'zero' or 'nan'");
    m.swizzle = *swizzle;
    m.fill = *fill;
    launch.maps.push_back(std::move(map));
  }

  void readParameter() {
    LaunchDescription::Parameter parameter;
    parameter.type = nextWord().str();
    const ScalarType *type = ScalarType::find(parameter.type);
    if (parameter.type == "ptr") {
      parameter.name = nextReference();
      parameter.value = nextInteger(64);
    } else if (parameter.type == "map") {
      parameter.name = nextReference(/*isMap=*/true);
    } else if (parameter.type == "i1") {
      parameter.bytes = 1;
      parameter.value = nextUnsigned(0, 1);
    } else if (!type) {
      fail("unknown type '" + llvm::Twine(parameter.type) + "' of a parameter; there are ptr, map, i1, " +
           llvm::join(ScalarType::names(), ", "));
    } else {
      parameter.bytes = type->bytes;
      parameter.value = type->isFloat() ? nextBits(*type) : nextInteger(8 * type->bytes);
    }
    launch.parameters.push_back(std::move(parameter));
  }

  /// All digits of what is longer than 16 bits: "0.5" and "20" are mistakes.
  uint64_t nextBits(const ScalarType &type) {
    const llvm::StringRef text = nextWord();
    llvm::StringRef digits = text;
    digits.consume_front("0x");
    const size_t most = 2 * type.bytes;
    uint64_t bits = 0;
    if (digits.size() > most || (type.bytes > 2 && digits.size() != most) || digits.getAsInteger(16, bits))
      fail("expected the bits of an " + type.name + " as " + llvm::Twine(most) + " hexadecimal digits (1 is " +
           llvm::utohexstr(llvm::APFloat::getOne(type.semantics()).bitcastToAPInt().getZExtValue(),
                           /*LowerCase=*/true) +
           "), not '" + text + "'");
    return bits;
  }

  void readResult() {
    LaunchDescription::Result result;
    result.buffer = nextReference();
    result.bytes = nextUnsigned(0, kMostBytes);
    result.file = resolvePath(directory, nextWord());
    resultLines.push_back(number);
    launch.results.push_back(std::move(result));
  }

  void checkResults() {
    for (auto [result, line] : llvm::zip(launch.results, resultLines)) {
      number = line;
      const LaunchDescription::Buffer *buffer = launch.findBuffer(result.buffer);
      if (!buffer)
        fail("'" + llvm::Twine(result.buffer) + "' is a table; only buffers are read");
      if (result.bytes > buffer->bytes)
        fail("buffer '" + llvm::Twine(result.buffer) + "' has only " + llvm::Twine(buffer->bytes) + " bytes");
    }
  }

  //===--------------------------------------------------------------------===//
  // Expected data
  //===--------------------------------------------------------------------===//

  void addExpectation(const std::string &name, const ScalarType &type, const std::string &file, double relative,
                      double absolute) {
    const LaunchDescription::Buffer *buffer = launch.findBuffer(name);
    if (!buffer)
      fail("'" + llvm::Twine(name) + "' is no buffer of launch.txt");
    const uint64_t size = getFileSize(file), room = launch.getRoom();
    if (size != buffer->bytes || size % type.bytes)
      fail(file + " has " + llvm::Twine(size) + " bytes, the buffer " + llvm::Twine(buffer->bytes));
    if (size > room)
      fail(file + " has " + llvm::Twine(size) + " bytes, of this machine's memory " + llvm::Twine(room) + " are left");
    launch.expectations.push_back({name, &type, readFile(file), relative, absolute});
  }

  double nextTolerance() {
    const llvm::StringRef text = nextWord();
    double value = 0;
    if (text.getAsDouble(value, /*AllowInexact=*/true) || !(value >= 0))
      fail("expected a tolerance from 0 on, not '" + text + "', in '" + form + "'");
    return value;
  }

  /// The lines "expected": they have the type and the tolerances that expected data is compared with. Other lines are
  /// for those who run the case on a GPU.
  void readComparisons() {
    path = resolvePath(directory, "compare.txt");
    text = readText(path);
    rest = llvm::toStringRef(text);
    number = 0;
    form = "expected BUFFER FILE TYPE RTOL ATOL";
    while (nextLine()) {
      if (words.empty() || nextWord() != "expected")
        continue;
      const std::string name = nextWord().str(), file = resolvePath(directory, nextWord());
      const llvm::StringRef typeName = nextWord();
      const ScalarType *type = ScalarType::find(typeName);
      if (!type)
        fail("unknown type '" + typeName + "'; there are " + llvm::join(ScalarType::names(), ", "));
      const double relative = nextTolerance(), absolute = nextTolerance();
      finishLine();
      addExpectation(name, *type, file, relative, absolute);
    }
  }

  /// exp_NAME.bin is what the buffer NAME becomes; how closely, compare.txt says.
  void findExpectedFiles() {
    std::error_code error;
    std::map<std::string, std::string> files; // in order of their names
    for (llvm::sys::fs::directory_iterator entry(directory, error), end; entry != end && !error;
         entry.increment(error)) {
      llvm::StringRef name = llvm::sys::path::filename(entry->path());
      if (name.consume_front("exp_") && name.consume_back(".bin"))
        files[name.str()] = entry->path();
    }
    if (error)
      throw LaunchError("cannot list " + directory + ": " + error.message());
    for (const auto &[name, file] : files) {
      path = file;
      number = 1;
      if (llvm::any_of(launch.expectations, [&](const auto &each) { return each.buffer == name; }))
        continue;
      addExpectation(name, *ScalarType::find("u8"), file, 0, 0);
      launch.expectations.back().isWarning = true;
    }
  }

  const std::string directory;
  std::string path;
  std::vector<uint8_t> text;
  llvm::StringRef rest;
  unsigned number = 0; ///< of the line
  llvm::SmallVector<llvm::StringRef> words;
  size_t word = 0; ///< the next one
  llvm::StringRef form;
  std::vector<Reference> references;
  std::vector<unsigned> resultLines;
  LaunchDescription launch;
};

const CaseReader::Item CaseReader::kItems[10] = {
    {"kernel", "kernel NAME", &CaseReader::readKernel},
    {"grid", "grid X Y Z", &CaseReader::readGrid},
    {"block", "block X Y Z", &CaseReader::readBlock},
    {"cluster", "cluster X Y Z", &CaseReader::readCluster},
    {"smem", "smem BYTES", &CaseReader::readShared},
    {"buffer", "buffer NAME BYTES FILE", &CaseReader::readBuffer},
    {"table", "table NAME COUNT", &CaseReader::readTable},
    {"map", "map NAME BUFFER ELEMENT RANK SIZES STRIDES BOX ELEMENT-STRIDES SWIZZLE FILL", &CaseReader::readMap},
    {"param", "param TYPE VALUE", &CaseReader::readParameter},
    {"read", "read BUFFER BYTES FILE", &CaseReader::readResult},
};

} // namespace

LaunchDescription readCase(const std::string &directory) {
  return CaseReader(directory).run();
}

} // namespace tileiras
