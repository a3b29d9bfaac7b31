//===- PageParts.h - The files of this folder that a page is made of -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_REPORT_PAGEPARTS_H
#define TILEIRAS_RUNTIME_REPORT_PAGEPARTS_H

namespace tileiras::report {

// page.html, page.css, and the scripts page-*.js in the order of their names.
extern const char kFrame[], kStyle[], kScript[];

} // namespace tileiras::report

#endif // TILEIRAS_RUNTIME_REPORT_PAGEPARTS_H
