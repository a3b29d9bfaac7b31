//===- SweepTypes.cpp - Every operation on every element type -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One small program for each operation and type; which of them the language has, its verifier says.
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "TypeTemplates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;
using llvm::StringRef;
using llvm::Twine;

namespace {

struct Template {
  StringRef operation, result = "8x$T", exception;
  std::string text, global;
};

constexpr Element kSweptElements[] = {Element::I1,  Element::I4,   Element::I8,   Element::I16,  Element::I32,
                                      Element::I64, Element::F16,  Element::BF16, Element::F32,  Element::TF32,
                                      Element::F64, Element::E4M3, Element::E5M2, Element::E8M0, Element::E2M1};

std::vector<Template> parseTemplates() {
  std::vector<Template> templates;
  llvm::SmallVector<StringRef> lines;
  StringRef(kTypeTemplates).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.starts_with("//"))
      continue;
    if (line.consume_front("# ")) {
      Template &next = templates.emplace_back();
      std::tie(line, next.exception) = line.split(" except ");
      StringRef result;
      std::tie(next.operation, result) = line.split(" -> ");
      if (!result.empty())
        next.result = result;
      continue;
    }
    StringRef text = line.trim();
    if (text.starts_with("global "))
      templates.back().global = text.str();
    else
      templates.back().text += text.str() + "\n";
  }
  return templates;
}

/// The element type of the same width that bits are cast to.
const char *getPartner(Element element) {
  switch (element) {
  case Element::I1:
    return "i1";
  case Element::I4:
    return "f4E2M1FN";
  case Element::E2M1:
    return "i4";
  case Element::I8:
    return "f8E4M3FN";
  case Element::E4M3:
  case Element::E5M2:
  case Element::E8M0:
    return "i8";
  case Element::I16:
    return "f16";
  case Element::F16:
  case Element::BF16:
    return "i16";
  case Element::I32:
    return "f32";
  case Element::F32:
  case Element::TF32:
    return "i32";
  case Element::I64:
    return "f64";
  case Element::F64:
    return "i64";
  }
  return "";
}

/// "8x4xf16", which is in `tile<…>`.
Type parseType(StringRef text) {
  Type type{Element::I32, {}, false};
  int64_t size = 0;
  while (!text.consumeInteger(10, size)) {
    type.shape.push_back(size);
    text.consume_front("x");
  }
  for (Element element : kSweptElements)
    if (text == getInfo(element).name)
      type.element = element;
  return type;
}

class TypeSweep {
public:
  explicit TypeSweep(Element element) : element(element), tile{element, {8}, false} {
    const ElementInfo &info = getInfo(element);
    // A pointer moves by whole bytes.
    std::string places =
        isPacked() ? "%half = iota : tile<8xi32>\n%i = addi %half, %half : tile<8xi32>" : "%i = iota : tile<8xi32>";
    replacements = {
        {"$Q", "%p1 = reshape %cell : tile<ptr<$T>> -> tile<1xptr<$T>>\n%p8 = broadcast %p1 : tile<1xptr<$T>> -> "
               "tile<8xptr<$T>>\n" +
                   places +
                   "\n%p = offset %p8, %i : tile<8xptr<$T>>, tile<8xi32> -> "
                   "tile<8xptr<$T>>"},
        {"$R", "%r, %read = load_ptr_tko weak %p token=%t : tile<8xptr<$T>> -> $A, token"},
        {"$A", tile.str()},
        {"$T", info.name},
        {"$W", getPartner(element)},
        {"$P", std::to_string(info.bits)},
        {"$1", info.isFloat ? "1.0" : "1"},
        {"$S", info.bits > 1 ? "1" : "0"},
        {"$M", std::to_string(info.isFloat ? 0 : getMaximum(element))},
        {"$N", std::to_string(info.isFloat ? 0 : getMaximum(element) - 10)},
    };
  }

  SweptProgram make(const Template &pattern, size_t number) const {
    TileProgram program((pattern.operation + Twine(" ") + getInfo(element).name + " " + Twine(number)).str());
    if (!pattern.global.empty())
      program.addGlobal(expand(pattern.global));
    std::string text = expand(pattern.text);
    auto uses = [&](StringRef name) { return StringRef(text).contains(name); };
    bool isBit = element == Element::I1;
    if (uses("%a"))
      program.load("a", tile, [this](int64_t i) { return getNumber(7 * i); });
    if (uses("%b"))
      program.load("b", tile, [=](int64_t i) { return isBit ? 1 : 1 + i % 3; });
    if (uses("%c,") || uses("%c "))
      program.load("c", tile, [=](int64_t i) { return isBit ? 1 : 1 + i % 2; });
    if (uses("%cell"))
      addCells(program, uses("%cell_bytes"));
    llvm::SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      program.line(line);
    program.store("%r", parseType(expand(pattern.result.str())));
    return program.finish();
  }

private:
  bool isPacked() const { return getInfo(element).bits == 4; }

  /// -4 … 4, which every signed type holds.
  int64_t getNumber(int64_t i) const { return i % 9 - (element == Element::E8M0 ? 0 : 4); }

  std::string expand(std::string text) const {
    for (const auto &[name, value] : replacements)
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name))
        text.replace(at, name.size(), value);
    return text;
  }

  void addCells(TileProgram &program, bool asBytes) const {
    Type type = asBytes ? Type{Element::I8, {8}, false} : isPacked() ? tile.with({16}) : tile;
    program.addBuffer(
        "cell", type, [this](int64_t i) { return getNumber(5 * i); }, /*isCompared=*/true);
    if (asBytes)
      program.line("%cell_bytes = assume div_by<1>, %cell_memory : tile<ptr<i8>>");
    else if (isPacked())
      program.line(expand("%cell = ptr_to_ptr %cell_memory : tile<ptr<i8>> -> tile<ptr<$T>>"));
    else
      program.line(expand("%cell = assume div_by<1>, %cell_memory : tile<ptr<$T>>"));
  }

  Element element;
  Type tile;
  std::vector<std::pair<std::string, std::string>> replacements;
};

} // namespace

std::vector<SweptProgram> tileiras::fuzz::sweepTypes() {
  std::vector<SweptProgram> programs;
  const std::vector<Template> templates = parseTemplates();
  for (Element element : kSweptElements)
    for (auto [number, pattern] : llvm::enumerate(templates))
      if (pattern.exception != getInfo(element).name)
        programs.push_back(TypeSweep(element).make(pattern, number));
  return programs;
}
