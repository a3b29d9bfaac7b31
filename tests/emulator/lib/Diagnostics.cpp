//===- Diagnostics.cpp - Rendering of diagnostics ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx-emulator/Diagnostics.h"
#include <sstream>

namespace ptxemu {

std::string Diagnostic::render() const {
  std::ostringstream out;
  out << "error[" << kind << "]: " << message << '\n';
  if (line)
    out << "  at PTX line " << line << (instruction.empty() ? "" : ": " + instruction) << '\n';
  if (!source.empty())
    out << "  from " << source << '\n';
  out << "  kernel " << kernel;
  if (warp >= 0) {
    out << ", CTA (" << cta[0] << ", " << cta[1] << ", " << cta[2] << "), warp " << warp;
    if (lane >= 0)
      out << ", lane " << lane << " (thread " << warp * 32 + lane << ')';
  }
  out << '\n';
  for (const std::string &note : notes)
    out << "  note: " << note << '\n';
  out << "  replay with --seed " << seed << '\n';
  return out.str();
}

} // namespace ptxemu
