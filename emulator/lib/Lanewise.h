//===- Lanewise.h - Operations that treat every lane alike ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LANEWISE_H
#define PTX_EMULATOR_LANEWISE_H

#include "State.h"
#include <bit>
#include <type_traits>

namespace ptxemu {

/// The value of type T in a register.
template <class T>
inline T fromRaw(uint64_t raw) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(raw));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(raw);
  else
    return static_cast<T>(raw);
}

/// The register contents for a value: narrower than 64 bits is zero-extended.
template <class T>
inline uint64_t toRaw(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

template <class F>
inline void eachLane(uint32_t mask, F &&f) {
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < 32; ++lane)
      f(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Calls f(value, lanes) for the lanes of the mask that agree on a value, lowest lane first.
template <class F>
inline void eachGroup(const Lanes &values, uint32_t mask, F &&f) {
  while (mask) {
    const uint64_t value = values[static_cast<unsigned>(std::countr_zero(mask))];
    uint32_t group = 0;
    eachLane(mask, [&](unsigned l) { group |= static_cast<uint32_t>(values[l] == value) << l; });
    mask &= ~group;
    f(value, group);
  }
}

/// d = Op(a), over lanes.
template <class T, class Op, class R = T>
void unary(Exec &x, const Inst &) {
  const Lanes &a = x.s(0);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) { d[l] = toRaw<R>(Op()(fromRaw<T>(a[l]))); });
}

template <class T, class Op, class R = T>
void binary(Exec &x, const Inst &) {
  const Lanes &a = x.s(0), &b = x.s(1);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) { d[l] = toRaw<R>(Op()(fromRaw<T>(a[l]), fromRaw<T>(b[l]))); });
}

template <class T, class Op, class R = T>
void ternary(Exec &x, const Inst &) {
  const Lanes &a = x.s(0), &b = x.s(1), &c = x.s(2);
  Lanes &d = x.d();
  eachLane(x.mask, [&](unsigned l) { d[l] = toRaw<R>(Op()(fromRaw<T>(a[l]), fromRaw<T>(b[l]), fromRaw<R>(c[l]))); });
}

} // namespace ptxemu

#endif // PTX_EMULATOR_LANEWISE_H
