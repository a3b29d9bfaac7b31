//===- GeneratedPtx.cpp - The PTX that form tests generate ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include <filesystem>
#include <fstream>
#include <set>

namespace ptxemu::testing {

namespace {

std::vector<std::string> &modules() {
  static std::vector<std::string> list;
  return list;
}

/// The architecture a module names, for the name of its file.
std::string targetOf(const std::string &module) {
  size_t at = module.find(".target ") + 8;
  return module.substr(at, module.find_first_of(" ,\n", at) - at);
}

} // namespace

std::string formBody(const Form &f) {
  std::string declare, load, store;
  auto width = [](const std::string &type) { return type == ".pred" ? std::string(".b32") : type; };
  for (size_t i = 0; i < f.operands.size(); ++i) {
    std::string reg = "%a" + std::to_string(i), at = "[%in+" + std::to_string(8 * i) + "]";
    declare += "    .reg " + f.operands[i] + " " + reg + ";\n";
    if (f.operands[i] == ".pred")
      load += "    ld.global.b32 %w, " + at + ";\n    setp.ne.b32 " + reg + ", %w, 0;\n";
    else
      load += "    ld.global" + width(f.operands[i]) + " " + reg + ", " + at + ";\n";
  }
  for (size_t i = 0; i < f.results.size(); ++i) {
    std::string reg = "%d" + std::to_string(i), at = "[%out+" + std::to_string(8 * i) + "]";
    declare += "    .reg " + f.results[i] + " " + reg + ";\n";
    if (f.results[i] == ".pred")
      store += "    selp.b32 %w, 1, 0, " + reg + ";\n    st.global.b32 " + at + ", %w;\n";
    else
      store += "    st.global" + width(f.results[i]) + " " + at + ", " + reg + ";\n";
  }
  return "  {\n    .reg .b32 %w;\n" + declare + load + "    " + f.text + "\n" + store + "  }\n";
}

std::string formModule(const std::string &bodies) {
  return ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n"
         ".reqntid 128\n{\n  .reg .b64 %in, %out, %t;\n  .reg .b32 %i, %n;\n  ld.param.u64 %in, [in];\n"
         "  ld.param.u64 %out, [out];\n  mov.u32 %i, %ctaid.x;\n  mov.u32 %n, %tid.x;\n  mad.lo.u32 %i, %i, 128, %n;\n"
         "  mul.wide.u32 %t, %i, 64;\n  add.u64 %in, %in, %t;\n  add.u64 %out, %out, %t;\n" +
         bodies + "  ret;\n}\n";
}

void addGenerated(const std::string &module) {
  modules().push_back(module);
}

void writeGeneratedPtx(const std::string &folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  auto write = [&](const std::string &name, const std::string &module) {
    std::ofstream(folder + "/" + name + "." + targetOf(module) + ".ptx") << module;
  };
  constexpr size_t kFormsInFile = 250, kVariablesInFile = 30; // shared memory is small
  std::string bodies;
  std::set<std::string> seen;
  size_t inFile = 0, files = 0, variables = 0;
  auto flush = [&] {
    if (inFile)
      write("forms" + std::to_string(files++), formModule(bodies));
    bodies.clear();
    inFile = variables = 0;
  };
  for (const Form &f : formsRun()) {
    std::string body = formBody(f);
    if (!seen.insert(body).second)
      continue;
    bodies += body;
    variables += body.find(".shared .align") != std::string::npos;
    if (++inFile == kFormsInFile || variables == kVariablesInFile)
      flush();
  }
  flush();
  for (size_t i = 0; i < modules().size(); ++i)
    write("module" + std::to_string(i), modules()[i]);
}

} // namespace ptxemu::testing
