//===- LayoutDescriptor.h - Layouts as text -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The grammar of layout descriptors:
//
//   layout-desc := "<" tuple "," tuple ("," swizzle)? ("," "elem" "=" ident)? ">"      shape, stride
//   tuple       := integer | "(" tuple ("," tuple)* ")"
//   swizzle     := "swizzle" "<" integer "," integer "," integer ">"
//
// Integers are decimal and unsigned; white space may stand between tokens. Example:
// <(128,64),(64,1),swizzle<3,4,3>,elem=nvfp4>.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_LAYOUTDESCRIPTOR_H
#define TILEIRAS_LAYOUT_LAYOUTDESCRIPTOR_H

#include "tileiras/Layout/CuteLayout.h"
#include "tileiras/Layout/Swizzle.h"
#include <string>

namespace tileiras {

/// Bits of an element as a descriptor names it ("bf16", "nvfp4", "mxf4", "f8E4M3FN", …); nullopt if there is no such
/// name.
std::optional<unsigned> lookupDescriptorElement(llvm::StringRef name);

struct LayoutDescriptor {
  CuteLayout layout;                  ///< strides in elements
  std::optional<Swizzle> swizzle;     ///< of byte offsets
  std::optional<std::string> element; ///< overrides the element type of the value; a name lookupDescriptorElement knows

  /// The same layout, swizzle (up to aliases) and element.
  bool operator==(const LayoutDescriptor &other) const;
  /// Canonical text: no white space, what parseLayoutDescriptor reads.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

struct LayoutParseError {
  size_t offset = 0; ///< in the text, bytes
  std::string message;
};

/// Reads a descriptor, all of `text`. On failure returns nullopt and says in `error` what is wrong and where. Unknown
/// element names are refused before anything else that is wrong with a descriptor of the right grammar: then shape and
/// stride that are not congruent, extents of 0, sizes or offsets beyond 2^62, and swizzles that are not self-inverse.
std::optional<LayoutDescriptor> parseLayoutDescriptor(llvm::StringRef text, LayoutParseError &error);

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_LAYOUTDESCRIPTOR_H
