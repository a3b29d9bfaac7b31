//===- Types.cpp - Names and widths of PTX types -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include <iterator>

namespace ptxemu {

namespace {

struct TypeInfo {
  Type type;
  std::string_view name;
  unsigned bits;
};

constexpr TypeInfo kTypes[] = {
    {Type::None, "", 0},
    {Type::Pred, ".pred", 1},
    {Type::B1, ".b1", 1},
    {Type::B8, ".b8", 8},
    {Type::B16, ".b16", 16},
    {Type::B32, ".b32", 32},
    {Type::B64, ".b64", 64},
    {Type::B128, ".b128", 128},
    {Type::U2, ".u2", 2},
    {Type::U4, ".u4", 4},
    {Type::U8, ".u8", 8},
    {Type::U16, ".u16", 16},
    {Type::U32, ".u32", 32},
    {Type::U64, ".u64", 64},
    {Type::S2, ".s2", 2},
    {Type::S4, ".s4", 4},
    {Type::S8, ".s8", 8},
    {Type::S16, ".s16", 16},
    {Type::S32, ".s32", 32},
    {Type::S64, ".s64", 64},
    {Type::U16x2, ".u16x2", 32},
    {Type::S16x2, ".s16x2", 32},
    {Type::F16, ".f16", 16},
    {Type::F16x2, ".f16x2", 32},
    {Type::BF16, ".bf16", 16},
    {Type::BF16x2, ".bf16x2", 32},
    {Type::TF32, ".tf32", 32},
    {Type::F32, ".f32", 32},
    {Type::F32x2, ".f32x2", 64},
    {Type::F64, ".f64", 64},
    {Type::E4M3, ".e4m3", 8},
    {Type::E5M2, ".e5m2", 8},
    {Type::E2M1, ".e2m1", 4},
    {Type::E2M3, ".e2m3", 6},
    {Type::E3M2, ".e3m2", 6},
    {Type::UE8M0, ".ue8m0", 8},
    {Type::UE4M3, ".ue4m3", 8},
    {Type::E4M3x2, ".e4m3x2", 16},
    {Type::E5M2x2, ".e5m2x2", 16},
    {Type::E2M1x2, ".e2m1x2", 8},
    {Type::E2M3x2, ".e2m3x2", 16},
    {Type::E3M2x2, ".e3m2x2", 16},
    {Type::UE8M0x2, ".ue8m0x2", 16},
    {Type::E4M3x4, ".e4m3x4", 32},
    {Type::E5M2x4, ".e5m2x4", 32},
    {Type::E2M1x4, ".e2m1x4", 16},
    {Type::E2M3x4, ".e2m3x4", 32},
    {Type::E3M2x4, ".e3m2x4", 32},
    {Type::B6x16_P32, ".b6x16_p32", 128},
    {Type::B4x16_P64, ".b4x16_p64", 128},
    {Type::B8x16, ".b8x16", 128},
};

const TypeInfo &info(Type t) {
  return kTypes[static_cast<size_t>(t)];
}

} // namespace

std::optional<Type> parseType(std::string_view modifier) {
  for (const TypeInfo &i : kTypes)
    if (i.type != Type::None && i.name == modifier)
      return i.type;
  return std::nullopt;
}

std::string_view typeName(Type t) {
  return info(t).name;
}
unsigned bitWidth(Type t) {
  return info(t).bits;
}

bool isSignedInteger(Type t) {
  return t >= Type::S2 && t <= Type::S64;
}
bool isUnsignedInteger(Type t) {
  return t >= Type::U2 && t <= Type::U64;
}
bool isBits(Type t) {
  return t >= Type::B1 && t <= Type::B128;
}
bool isFloat(Type t) {
  return t >= Type::F16 && t <= Type::F64;
}

std::string_view spaceName(Space s) {
  constexpr std::string_view names[] = {"generic", "global", "const",           "param",
                                        "local",   "shared", "shared::cluster", "tensor"};
  return names[static_cast<size_t>(s)];
}

} // namespace ptxemu
