//===- ReportPage.h - A page that shows what became of kernels --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_REPORT_REPORTPAGE_H
#define TILEIRAS_RUNTIME_REPORT_REPORTPAGE_H

#include <string>
#include <vector>

namespace tileiras::report {

/// What a page shows of one module. Texts of JSON are objects, or empty where there is nothing of the kind; all texts
/// are UTF-8.
struct Unit {
  std::string title;                  ///< "kernel.mlir"
  std::string compilation;            ///< JSON, as tileirasProgramGetReport gives it
  std::vector<std::string> estimates; ///< JSON, as `ptx-emulator time --json` writes it
  std::string run;                    ///< JSON, as `tileiras-run --json` writes it
  std::string ptx;                    ///< where there is no compilation, which has it
};

/// As a string of JSON.
std::string quote(const std::string &text);
/// An estimate with a heading of its own.
std::string withLabel(const std::string &estimate, const std::string &label);

/// Where a compiler whose environment has TILEIRAS_REPORT_DATA=FOLDER leaves what a page shows of a compilation, for
/// whoever has the PTX only: "FOLDER/0123456789abcdef.json".
std::string findDataFile(const std::string &folder, const std::string &ptx);

/// A page in HTML that needs nothing else: no network, no other file.
std::string makePage(const std::string &title, const std::vector<Unit> &units);

} // namespace tileiras::report

#endif // TILEIRAS_RUNTIME_REPORT_REPORTPAGE_H
