//===- SystemCalls.cpp - Functions the CUDA runtime provides to kernels --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"
#include "Access.h"
#include "Machine.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

namespace ptxemu {

namespace {

/// Reads the packed arguments of vprintf, each at its natural alignment.
class ArgumentReader {
public:
  ArgumentReader(Exec &x, uint64_t address, unsigned lane) : x(x), start(address), lane(lane) {}
  uint64_t next(unsigned bytes) {
    ++count;
    offset = (offset + bytes - 1) / bytes * bytes;
    uint64_t v = 0;
    std::memcpy(&v, access(x, Space::Generic, start + offset, bytes, lane, {}), bytes);
    offset += bytes;
    return v;
  }
  unsigned numRead() const { return count; }

private:
  Exec &x;
  uint64_t start, offset = 0;
  unsigned count = 0;
  unsigned lane;
};

template <class Argument>
std::string printWith(const std::string &format, Argument argument) {
  std::string text(static_cast<size_t>(std::max(std::snprintf(nullptr, 0, format.c_str(), argument), 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), argument);
  text.pop_back();
  return text;
}

/// One conversion specification, flags and width included; returns what it prints, and counts what it reads.
std::string formatOne(Exec &x, const std::string &spec, ArgumentReader &arguments, unsigned lane) {
  char conversion = spec.back();
  bool isLong =
      spec.find('l') != std::string::npos || spec.find('z') != std::string::npos || spec.find('j') != std::string::npos;
  std::string plain;
  for (char c : spec.substr(0, spec.size() - 1))
    if (c == '*')
      plain += std::to_string(static_cast<int32_t>(arguments.next(4)));
    else if (c != 'l' && c != 'h' && c != 'z' && c != 'j' && c != 'q')
      plain += c;
  switch (conversion) {
  case 'd':
  case 'i': {
    uint64_t v = arguments.next(isLong ? 8 : 4);
    long long value = isLong ? static_cast<long long>(v) : static_cast<int32_t>(v);
    return printWith(plain + "lld", value);
  }
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    return printWith(plain + "ll" + conversion, static_cast<unsigned long long>(arguments.next(isLong ? 8 : 4)));
  case 'c':
    return printWith(plain + "c", static_cast<int>(arguments.next(4)));
  case 'p':
    return hexText(arguments.next(8));
  case 's':
    return printWith(plain + "s", readString(x, arguments.next(8), lane).c_str());
  default: // e f g a
    return printWith(plain + conversion, std::bit_cast<double>(arguments.next(8)));
  }
}

/// Returns the number of arguments that the format asks for, and -1 without a format (CUDA C++ Programming Guide,
/// "Formatted Output").
void vprintfCall(Exec &x, const SystemCallArguments &a) {
  x.forLanes([&](unsigned lane) {
    if (a.read(0, lane) == 0)
      return a.write(lane, ~uint64_t(0));
    std::string format = readString(x, a.read(0, lane), lane), text;
    ArgumentReader arguments(x, a.read(1, lane), lane);
    for (size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        text += format[i];
        continue;
      }
      size_t end = format.find_first_of("diuxXocpsaAeEfFgG%", i + 1);
      if (end == std::string::npos) {
        text += format.substr(i);
        break;
      }
      if (format[end] == '%')
        text += '%';
      else
        text += formatOne(x, format.substr(i, end - i + 1), arguments, lane);
      i = end;
    }
    x.machine.print(text);
    a.write(lane, arguments.numRead());
  });
}

void assertFail(Exec &x, const SystemCallArguments &a) {
  unsigned lane = static_cast<unsigned>(std::countr_zero(x.mask));
  auto text = [&](unsigned i) { return a.read(i, lane) ? readString(x, a.read(i, lane), lane) : std::string(); };
  std::string where = text(1), function = a.count > 3 ? text(3) : "";
  throw Fault{"assertion",
              "assertion failed: " + text(0) + " (" + where + ":" + std::to_string(a.read(2, lane)) +
                  (function.empty() ? "" : ", " + function) + ")",
              static_cast<int>(lane)};
}

void mallocCall(Exec &x, const SystemCallArguments &a) {
  x.forLanes([&](unsigned lane) {
    Allocation *block = x.machine.global().allocateHeap(a.read(0, lane));
    a.write(lane, block ? block->base : 0);
  });
}

void freeCall(Exec &x, const SystemCallArguments &a) {
  x.forLanes([&](unsigned lane) {
    uint64_t address = a.read(0, lane);
    if (!address)
      return;
    Allocation *block = x.machine.global().find(address, 1);
    if (!block || block->base != address || !block->heap)
      throw Fault{"bad-free", "free of " + hexText(address) + ", which is not the start of a live block from malloc",
                  static_cast<int>(lane)};
    block->freed = true;
  });
}

} // namespace

SystemCall findSystemCall(const std::string &name) {
  if (name == "vprintf")
    return vprintfCall;
  if (name == "__assertfail")
    return assertFail;
  if (name == "malloc")
    return mallocCall;
  if (name == "free")
    return freeCall;
  return nullptr;
}

} // namespace ptxemu
