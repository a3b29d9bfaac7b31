//===- ScalarType.cpp - Types of numbers in a launch ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using llvm::APFloat;

namespace tileiras {

static constexpr ScalarType kTypes[] = {{"u8", 1, false, nullptr},
                                        {"i8", 1, true, nullptr},
                                        {"u16", 2, false, nullptr},
                                        {"i16", 2, true, nullptr},
                                        {"u32", 4, false, nullptr},
                                        {"i32", 4, true, nullptr},
                                        {"u64", 8, false, nullptr},
                                        {"i64", 8, true, nullptr},
                                        {"f16", 2, true, APFloat::IEEEhalf},
                                        {"bf16", 2, true, APFloat::BFloat},
                                        {"f32", 4, true, APFloat::IEEEsingle},
                                        {"f64", 8, true, APFloat::IEEEdouble}};

const ScalarType *ScalarType::find(llvm::StringRef name) {
  const ScalarType *found = llvm::find_if(kTypes, [&](const ScalarType &type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

std::vector<llvm::StringRef> ScalarType::names() {
  std::vector<llvm::StringRef> names;
  for (const ScalarType &type : kTypes)
    names.push_back(type.name);
  return names;
}

const ScalarType &ScalarType::named(const JsonNode &name) {
  const std::string text = name.string();
  if (const ScalarType *type = find(text))
    return *type;
  name.fail("unknown type '" + text + "'; there are " + llvm::join(names(), ", ") +
            " (give elements of other formats by their bits)");
}

uint64_t ScalarType::encode(const JsonNode &node) const {
  const unsigned bits = 8 * bytes;
  if (!isFloat())
    return isSigned ? static_cast<uint64_t>(node.signedInteger(llvm::minIntN(bits), llvm::maxIntN(bits)))
                    : node.unsignedInteger(0, llvm::maxUIntN(bits));
  APFloat number(node.number());
  bool losesInfo = false;
  if (number.convert(semantics(), APFloat::rmNearestTiesToEven, &losesInfo) & APFloat::opOverflow)
    node.fail("the number is beyond the largest of type " + name + "; \"inf\" and \"-inf\" are infinities");
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t ScalarType::encode(int64_t number) const {
  return isFloat() ? encode(static_cast<double>(number)) : static_cast<uint64_t>(number);
}

uint64_t ScalarType::encode(double number) const {
  APFloat rounded(number);
  bool losesInfo = false;
  rounded.convert(semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.bitcastToAPInt().getZExtValue();
}

static APFloat toFloat(const ScalarType &type, uint64_t bits) {
  return {type.semantics(), llvm::APInt(8 * type.bytes, bits)};
}

double ScalarType::decode(uint64_t bits) const {
  if (!isFloat())
    return isSigned ? static_cast<double>(llvm::SignExtend64(bits, 8 * bytes)) : static_cast<double>(bits);
  APFloat number = toFloat(*this, bits);
  bool losesInfo = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

std::string ScalarType::format(uint64_t bits) const {
  if (!isFloat())
    return isSigned ? std::to_string(llvm::SignExtend64(bits, 8 * bytes)) : std::to_string(bits);
  llvm::SmallString<32> text;
  toFloat(*this, bits).toString(text);
  return text.str().str();
}

void appendWord(std::vector<uint8_t> &bytes, uint64_t word, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
}

} // namespace tileiras
