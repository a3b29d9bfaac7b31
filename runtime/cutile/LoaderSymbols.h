//===- LoaderSymbols.h - The loader's functions that the library stands in for -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_LOADERSYMBOLS_H
#define TILEIRAS_CUTILE_LOADERSYMBOLS_H

namespace tileiras::cutile {

using Dlsym = void *(*)(void *handle, const char *name);
using Dlvsym = void *(*)(void *handle, const char *name, const char *version);

/// What `dlsym` and `dlvsym` would be without us: the C library's, or those of a library that stands in for them behind
/// us. They cannot be asked for with dlsym. May be called before constructors have run; ends the process, with a
/// message, where there is no C library to be found.
Dlsym realDlsym() noexcept;
Dlvsym realDlvsym() noexcept;

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_LOADERSYMBOLS_H
