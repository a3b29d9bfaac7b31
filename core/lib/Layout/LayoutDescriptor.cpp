//===- LayoutDescriptor.cpp - Layouts as text --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/LayoutDescriptor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras;
using llvm::StringRef;

namespace {

constexpr int64_t kLargest = int64_t(1) << 62;
constexpr unsigned kMaxNesting = 32;

struct NamedElement {
  StringRef name;
  unsigned bits;
};

constexpr NamedElement kElements[] = {
    {"i1", 1},       {"i4", 4},     {"i8", 8},        {"i16", 16},     {"i32", 32},     {"i64", 64},     {"u4", 4},
    {"u8", 8},       {"u16", 16},   {"u32", 32},      {"u64", 64},     {"f16", 16},     {"bf16", 16},    {"f32", 32},
    {"tf32", 32},    {"f64", 64},   {"fp8", 8},       {"mxf8", 8},     {"mxf6", 6},     {"mxf4", 4},     {"nvfp4", 4},
    {"f8E4M3FN", 8}, {"f8E5M2", 8}, {"f8E8M0FNU", 8}, {"f6E2M3FN", 6}, {"f6E3M2FN", 6}, {"f4E2M1FN", 4},
};

class DescriptorParser {
public:
  DescriptorParser(StringRef text, LayoutParseError &error) : text(text), error(error) {}

  std::optional<LayoutDescriptor> parse() {
    IntTuple shape, stride;
    std::optional<Swizzle> swizzle;
    if (!expect("<") || !mark(shapeAt) || !parseTuple(shape, 0) || !expect(",") || !mark(strideAt) ||
        !parseTuple(stride, 0) || !parseOptions(swizzle) || !expect(">"))
      return std::nullopt;
    skipSpace();
    if (position != text.size())
      return fail("unexpected trailing layout text"), std::nullopt;
    if (!checkElement() || !checkTuples(shape, stride) || !checkSwizzle(swizzle))
      return std::nullopt;
    return LayoutDescriptor{{std::move(shape), std::move(stride)}, swizzle, std::move(element)};
  }

private:
  bool fail(std::string message, std::optional<size_t> at = std::nullopt) {
    error = {at.value_or(position), std::move(message)};
    return false;
  }
  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool mark(size_t &at) {
    skipSpace();
    at = position;
    return true;
  }
  bool consume(StringRef token) {
    skipSpace();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  bool expect(StringRef token) {
    return consume(token) || fail(("expected '" + token + "' in a layout descriptor").str());
  }

  bool parseInteger(int64_t &value) {
    skipSpace();
    StringRef digits = text.substr(position).take_while([](char c) { return llvm::isDigit(c); });
    if (digits.empty())
      return fail("expected an unsigned integer or a tuple");
    if (digits.getAsInteger(10, value) || value > kLargest)
      return fail("integer " + digits.str() + " is too large, the limit is 2^62");
    position += digits.size();
    return true;
  }

  bool parseTuple(IntTuple &tuple, unsigned nesting) {
    if (!consume("(")) {
      int64_t value = 0;
      if (!parseInteger(value))
        return false;
      tuple = value;
      return true;
    }
    if (nesting == kMaxNesting)
      return fail("tuples nest more than " + std::to_string(kMaxNesting) + " levels deep", position - 1);
    std::vector<IntTuple> elements;
    do {
      IntTuple element;
      if (!parseTuple(element, nesting + 1))
        return false;
      elements.push_back(std::move(element));
    } while (consume(","));
    tuple = IntTuple(std::move(elements));
    return expect(")");
  }

  bool parseOptions(std::optional<Swizzle> &swizzle) {
    while (consume(",")) {
      skipSpace();
      if (!swizzle && !element && consumeWord("swizzle", swizzleAt)) {
        if (!parseSwizzle(swizzle.emplace()))
          return false;
      } else if (size_t at = 0; !element && consumeWord("elem", at)) {
        if (!parseElement())
          return false;
      } else {
        return fail(element   ? "expected '>' after the element name"
                    : swizzle ? "expected 'elem=' or '>' after the swizzle"
                              : "expected 'swizzle<B,M,S>' or 'elem=' after the stride");
      }
    }
    return true;
  }

  bool consumeWord(StringRef word, size_t &at) {
    at = position;
    return consume(word);
  }

  bool parseSwizzle(Swizzle &swizzle) {
    int64_t bits, base, shift;
    if (!expect("<") || !parseInteger(bits) || !expect(",") || !parseInteger(base) || !expect(",") ||
        !parseInteger(shift) || !expect(">"))
      return false;
    auto clamp = [](int64_t value) { return static_cast<unsigned>(std::min<int64_t>(value, 1 << 16)); };
    swizzle = {clamp(bits), clamp(base), clamp(shift)};
    return true;
  }

  bool parseElement() {
    if (!expect("="))
      return false;
    mark(elementAt);
    StringRef name = text.substr(position).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (name.empty() || llvm::isDigit(name.front()))
      return fail("expected the name of an element type after 'elem='");
    position += name.size();
    element = name.str();
    return true;
  }

  bool checkElement() {
    if (!element || lookupDescriptorElement(*element))
      return true;
    std::string message = "unknown element type '" + *element + "' in a layout descriptor; known are ";
    message += llvm::join(llvm::map_range(kElements, [](const NamedElement &known) { return known.name.str(); }), ", ");
    return fail(std::move(message), elementAt);
  }

  bool checkTuples(const IntTuple &shape, const IntTuple &stride) {
    if (!shape.isCongruent(stride))
      return fail("the stride tuple is not congruent with the shape tuple", strideAt);
    int64_t size = 1, last = 0;
    for (auto [extent, step] : llvm::zip_equal(shape.flatten(), stride.flatten())) {
      if (extent == 0)
        return fail("an extent of a layout is at least 1", shapeAt);
      int64_t reach = 0;
      if (llvm::MulOverflow(size, extent, size) || size > kLargest)
        return fail("the layout has more than 2^62 elements", shapeAt);
      if (llvm::MulOverflow(extent - 1, step, reach) || llvm::AddOverflow(last, reach, last) || last > kLargest)
        return fail("the layout reaches offsets beyond 2^62", strideAt);
    }
    return true;
  }

  bool checkSwizzle(const std::optional<Swizzle> &swizzle) {
    if (swizzle && !swizzle->isValid())
      return fail("swizzle<B,M,S> needs S >= B and B + M + S <= " + std::to_string(Swizzle::kAddressBits) +
                      ", the bits of an address in shared memory",
                  swizzleAt);
    return true;
  }

  StringRef text;
  LayoutParseError &error;
  size_t position = 0, shapeAt = 0, strideAt = 0, swizzleAt = 0, elementAt = 0;
  std::optional<std::string> element;
};

} // namespace

std::optional<unsigned> tileiras::lookupDescriptorElement(StringRef name) {
  for (const NamedElement &element : kElements)
    if (element.name == name)
      return element.bits;
  return std::nullopt;
}

bool LayoutDescriptor::operator==(const LayoutDescriptor &other) const {
  return layout == other.layout && swizzle.value_or(Swizzle{}) == other.swizzle.value_or(Swizzle{}) &&
         element == other.element;
}

void LayoutDescriptor::print(llvm::raw_ostream &os) const {
  os << '<' << layout.getShape() << ',' << layout.getStride();
  if (swizzle)
    os << ',' << *swizzle;
  if (element)
    os << ",elem=" << *element;
  os << '>';
}

std::string LayoutDescriptor::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

std::optional<LayoutDescriptor> tileiras::parseLayoutDescriptor(StringRef text, LayoutParseError &error) {
  return DescriptorParser(text, error).parse();
}
