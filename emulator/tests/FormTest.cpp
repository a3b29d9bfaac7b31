//===- FormTest.cpp - One instruction form on many operands --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormTest.h"
#include "GeneratedPtx.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>
#include <sstream>

namespace ptxemu::testing {

namespace {

std::vector<Form> &ran() {
  static std::vector<Form> forms;
  return forms;
}

std::string joined(const char *prefix, size_t n, bool &first) {
  std::string text;
  for (size_t i = 0; i < n; ++i, first = false)
    text += (first ? " %" : ", %") + (prefix + std::to_string(i));
  return text;
}

std::string hex(const Values &values) {
  std::ostringstream out;
  out << std::hex;
  for (uint64_t v : values)
    out << " 0x" << v;
  return out.str();
}

} // namespace

Form::Form(const std::string &opcode, std::vector<std::string> resultTypes, std::vector<std::string> operandTypes)
    : results(std::move(resultTypes)), operands(std::move(operandTypes)) {
  bool first = true;
  text = opcode + joined("d", results.size(), first);
  text += joined("a", operands.size(), first) + ";";
}

Form Form::statement(const std::string &text, std::vector<std::string> results, std::vector<std::string> operands) {
  Form f("", std::move(results), std::move(operands));
  f.text = text;
  return f;
}

std::vector<Values> runForm(const Form &f, const std::vector<Values> &tuples) {
  ran().push_back(f);
  size_t blocks = (tuples.size() + 127) / 128;
  std::vector<uint64_t> in(blocks * 128 * 8), out(blocks * 128 * 8);
  for (size_t i = 0; i < tuples.size(); ++i)
    for (size_t k = 0; k < tuples[i].size(); ++k)
      in[8 * i + k] = tuples[i][k];
  Run run(formModule(formBody(f)));
  uint64_t from = run.buffer(in, "in"), to = run.buffer(out, "out");
  run.argument(from).argument(to);
  run.options.grid = {static_cast<unsigned>(blocks), 1, 1};
  run.options.checkRaces = false;
  LaunchResult r = run.launch();
  INFO(f.text << "\n" << (r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  out = run.read<uint64_t>(to, out.size());
  std::vector<Values> results;
  for (size_t i = 0; i < tuples.size(); ++i)
    results.emplace_back(out.begin() + static_cast<std::ptrdiff_t>(8 * i),
                         out.begin() + static_cast<std::ptrdiff_t>(8 * i + f.results.size()));
  return results;
}

void checkFormBy(const Form &f, const std::vector<Values> &tuples,
                 const std::function<std::string(const Values &, const Values &)> &verdict) {
  std::vector<Values> results = runForm(f, tuples);
  unsigned wrong = 0;
  std::string report;
  for (size_t i = 0; i < tuples.size(); ++i) {
    std::string text = verdict(tuples[i], results[i]);
    if (!text.empty() && wrong++ < 4)
      report += "\n " + hex(tuples[i]) + " gave" + hex(results[i]) + ": " + text;
  }
  INFO(f.text << " on " << tuples.size() << " operand tuples, of which " << wrong << " are wrong" << report);
  CHECK(wrong == 0);
}

void checkForm(const Form &f, const std::vector<Values> &tuples,
               const std::function<Values(const Values &)> &expected) {
  checkFormBy(f, tuples, [&](const Values &tuple, const Values &results) {
    Values right = expected(tuple);
    return right == results ? std::string() : "expected" + hex(right);
  });
}

const std::vector<Form> &formsRun() {
  return ran();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

uint64_t randomBits() {
  static uint64_t state = 0x243f6a8885a308d3;
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<Values> tuplesOf(const std::vector<uint64_t> &special, unsigned n, unsigned bits, unsigned random,
                             unsigned most) {
  uint64_t mask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  uint64_t combinations = 1;
  for (unsigned i = 0; i < n; ++i)
    combinations *= special.size();
  std::vector<Values> tuples;
  // A step coprime to the number of combinations visits all positions evenly.
  uint64_t step = combinations > most ? combinations / most | 1 : 1;
  for (uint64_t k = 0; k < combinations; k += step) {
    Values t;
    for (uint64_t rest = k, i = 0; i < n; ++i, rest /= special.size())
      t.push_back(special[rest % special.size()] & mask);
    tuples.push_back(t);
  }
  for (unsigned k = 0; k < random; ++k) {
    Values t;
    for (unsigned i = 0; i < n; ++i)
      t.push_back(randomBits() & mask);
    tuples.push_back(t);
  }
  return tuples;
}

std::vector<uint64_t> integerValues(unsigned bits) {
  uint64_t top = 1ull << (bits - 1), all = top | (top - 1);
  std::vector<uint64_t> v = {0, 1, 2, 3, 5, 7, 0x55, all, all - 1, top, top + 1, top - 1, top - 2, top >> 1};
  v.push_back(0x0123456789abcdef & all);
  v.push_back(0xfedcba9876543210 & all);
  v.push_back(bits - 1), v.push_back(bits), v.push_back(bits + 1), v.push_back(all & ~0xffull);
  return v;
}

std::vector<uint64_t> floatValues(unsigned bits, unsigned mantissaBits) {
  uint64_t sign = 1ull << (bits - 1), one = ((1ull << (bits - 2 - mantissaBits)) - 1) << mantissaBits,
           inf = (sign - 1) & ~((1ull << mantissaBits) - 1), quiet = 1ull << (mantissaBits - 1);
  uint64_t unit = 1ull << mantissaBits;
  std::vector<uint64_t> v = {0,          1,       3,       unit - 1,    unit,        unit + 1,
                             one,        one + 1, one - 1, one + unit,  one + quiet, inf - 1,
                             inf - unit, inf,     inf + 1, inf | quiet, (sign - 1),  one + unit * 3 + 5};
  size_t n = v.size();
  for (size_t i = 0; i < n; ++i)
    v.push_back(v[i] | sign);
  return v;
}

} // namespace ptxemu::testing
