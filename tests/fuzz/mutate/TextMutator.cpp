//===- TextMutator.cpp - libFuzzer's mutations of text --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tokens, lines and bracketed parts are dropped, doubled, swapped and replaced by others of their kind, or by words of
// the dialect. Text that is a module now and then becomes another one (ModuleMutator.h).
//
//===----------------------------------------------------------------------===//

#include "../differential/ParseProgram.h"
#include "AttributeMutator.h"
#include "FuzzerHooks.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras;
using namespace tileiras::fuzz;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

using Tokens = std::vector<std::string>;

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || llvm::StringRef("_.$%@#!").contains(c);
}

/// Words (with their sigils), strings, blanks, and single characters; together they are the text.
static Tokens tokenize(llvm::StringRef text) {
  Tokens tokens;
  while (!text.empty()) {
    size_t length = 1;
    if (isWordCharacter(text[0])) {
      length = text.find_if_not(isWordCharacter);
    } else if (llvm::isSpace(text[0])) {
      length = text[0] == '\n' ? 1 : text.find_if_not([](char c) { return llvm::isSpace(c) && c != '\n'; });
    } else if (text[0] == '"') {
      for (; length < text.size() && text[length] != '"'; ++length)
        if (text[length] == '\\')
          ++length;
      ++length;
    }
    length = std::min(length, text.size());
    tokens.push_back(text.take_front(length).str());
    text = text.drop_front(length);
  }
  return tokens;
}

/// What may stand for a token: its first character, with letters and digits alike.
static char getKind(const std::string &token) {
  return llvm::isAlpha(token[0]) ? 'a' : llvm::isDigit(token[0]) ? '0' : llvm::isSpace(token[0]) ? ' ' : token[0];
}

/// Operations and keywords of the dialect, types and numbers.
static const Tokens &getWords() {
  static const Tokens words = [] {
    Tokens list = {"tile",
                   "token",
                   "ptr",
                   "tensor_view",
                   "partition_view",
                   "strided_view",
                   "strides",
                   "entry",
                   "dense",
                   "true",
                   "false",
                   "gather_scatter_view",
                   "loc",
                   "unit",
                   "array",
                   "affine_map",
                   "index",
                   "none",
                   "f16",
                   "bf16",
                   "f32",
                   "tf32",
                   "f64",
                   "f8E4M3FN",
                   "f8E5M2",
                   "f8E8M0FNU",
                   "f4E2M1FN",
                   "i1",
                   "i4",
                   "i8",
                   "i16",
                   "i32",
                   "i64",
                   "i128",
                   "si32",
                   "4x8xf32",
                   "8xi32",
                   "1x1x1xi8",
                   "0xf32",
                   "3xi32",
                   "16777216xi8",
                   "?xf32",
                   "0x7fc00000",
                   "1e400",
                   "-1",
                   "18446744073709551616",
                   "%0#1",
                   "^bb0",
                   "builtin.module",
                   "div_by",
                   "bounded",
                   "same_elements",
                   "optimization_hints",
                   "default"};
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    context.loadDialect<cuda_tile::CudaTileDialect>();
    llvm::StringRef dialect = cuda_tile::CudaTileDialect::getDialectNamespace();
    for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect(dialect)) {
      list.push_back(name.stripDialect().str());
      for (mlir::StringAttr attribute : name.getAttributeNames())
        list.push_back(attribute.str());
    }
    auto addCases = [&](auto stringify, auto last) {
      for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i)
        list.push_back(stringify(static_cast<decltype(last)>(i)).str());
    };
    namespace ct = cuda_tile;
    addCases(ct::stringifyRoundingMode, ct::RoundingMode::NEAREST_AWAY);
    addCases(ct::stringifyIntegerOverflow, ct::IntegerOverflow::NW);
    addCases(ct::stringifyComparisonPredicate, ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL);
    addCases(ct::stringifyAtomicRMWMode, ct::AtomicRMWMode::XCHG);
    addCases(ct::stringifyMemoryScope, ct::MemoryScope::SYS);
    addCases(ct::stringifyMemoryOrderingSemantics, ct::MemoryOrderingSemantics::ACQ_REL);
    addCases(ct::stringifyPaddingValue, ct::PaddingValue::neg_inf);
    return list;
  }();
  return words;
}

/// The end of the part that begins with the bracket at `at`; `at` if it does not end.
static size_t findPartner(const Tokens &tokens, size_t at) {
  unsigned depth = 0;
  for (size_t i = at; i < tokens.size(); ++i) {
    if (llvm::StringRef("([{<").contains(tokens[i]))
      ++depth;
    else if (llvm::StringRef(")]}>").contains(tokens[i]) && --depth == 0)
      return i;
  }
  return at;
}

/// The first token of the line that `at` is on, and the first behind the line.
static std::pair<size_t, size_t> findLine(const Tokens &tokens, size_t at) {
  size_t begin = at, end = at;
  while (begin > 0 && tokens[begin - 1] != "\n")
    --begin;
  while (end < tokens.size() && tokens[end] != "\n")
    ++end;
  return {begin, std::min(end + 1, tokens.size())};
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static auto at(Tokens &tokens, size_t index) {
  return tokens.begin() + static_cast<ptrdiff_t>(index);
}

/// Tokens `begin` to `end` go, or come once more at another place.
static void changePart(Tokens &tokens, size_t begin, size_t end, size_t place, Random &random) {
  Tokens part(at(tokens, begin), at(tokens, end));
  if (random.chance(50))
    tokens.erase(at(tokens, begin), at(tokens, end));
  if (random.chance(60))
    tokens.insert(at(tokens, std::min(place, tokens.size())), part.begin(), part.end());
}

static void replaceToken(Tokens &tokens, size_t index, Random &random) {
  std::string &token = tokens[index];
  char kind = getKind(token);
  if (kind == '0' && random.chance(60)) {
    token = random.chance(50) ? std::to_string(static_cast<int64_t>(pickNumber(random)))
                              : std::to_string(int64_t(1) << random.below(12)) +
                                    token.substr(std::min<size_t>(token.find('x'), token.size()));
  } else if (random.chance(50)) {
    token = random.pick(llvm::ArrayRef(getWords()));
  } else {
    Tokens alike;
    for (const std::string &other : tokens)
      if (getKind(other) == kind)
        alike.push_back(other);
    token = random.pick(llvm::ArrayRef(alike));
  }
}

static void changeTokens(Tokens &tokens, Random &random) {
  size_t index = random.below(tokens.size()), other = random.below(tokens.size());
  while (llvm::isSpace(tokens[index][0]) && random.chance(90))
    index = random.below(tokens.size());
  switch (random.below(8)) {
  case 0:
    std::swap(tokens[index], tokens[other]);
    return;
  case 1:
    changePart(tokens, index, index + 1, other, random);
    return;
  case 2: {
    auto [begin, end] = findLine(tokens, index);
    changePart(tokens, begin, end, findLine(tokens, other).first, random);
    return;
  }
  case 3: {
    size_t end = findPartner(tokens, index);
    changePart(tokens, index, end + 1, random.chance(50) ? index : other, random);
    return;
  }
  case 4:
    tokens.insert(at(tokens, index), random.pick(llvm::ArrayRef(getWords())));
    return;
  default:
    replaceToken(tokens, index, random);
  }
}

static ModuleRef readModule(llvm::StringRef text, mlir::MLIRContext &context) {
  return parseProgram(text, &context);
}

/// In the generic form now and then.
static std::string writeModule(cuda_tile::ModuleOp module, Random &random) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, random.chance(20) ? mlir::OpPrintingFlags().printGenericOpForm() : mlir::OpPrintingFlags());
  return text;
}

//===----------------------------------------------------------------------===//
// libFuzzer's hooks
//===----------------------------------------------------------------------===//

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  const std::string text(reinterpret_cast<const char *>(data), size);
  if (random.chance(TILEIRAS_FUZZ_MODULE_PERCENT)) {
    auto writeChanged = [&](cuda_tile::ModuleOp changed) { return writeModule(changed, random); };
    if (size_t written = copyOut(mutateAsModule(text, random, readModule, writeChanged), data, maxSize))
      return written;
  }
  Tokens tokens = tokenize(text);
  if (tokens.empty() || random.chance(5))
    return LLVMFuzzerMutate(data, size, maxSize);
  for (uint64_t count = 1 + random.below(3); count > 0 && !tokens.empty(); --count)
    changeTokens(tokens, random);
  size_t written = copyOut(llvm::join(tokens, ""), data, maxSize);
  return written ? written : LLVMFuzzerMutate(data, size, maxSize);
}

/// Lines of the second text in the first.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize, const uint8_t *second,
                                            size_t secondSize, uint8_t *out, size_t maxSize, unsigned seed) {
  Random random(seed);
  Tokens tokens = tokenize({reinterpret_cast<const char *>(first), firstSize});
  Tokens donor = tokenize({reinterpret_cast<const char *>(second), secondSize});
  if (tokens.empty() || donor.empty())
    return 0;
  auto [begin, end] = findLine(donor, random.below(donor.size()));
  if (random.chance(50))
    end = findLine(donor, std::min(end + random.below(40), donor.size() - 1)).second;
  auto place = at(tokens, findLine(tokens, random.below(tokens.size())).first);
  tokens.insert(place, at(donor, begin), at(donor, std::max(begin, end)));
  return copyOut(llvm::join(tokens, ""), out, maxSize);
}
