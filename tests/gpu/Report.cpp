//===- Report.cpp - The table and the file of results ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

using namespace gpu;

static const char *nameOf(Verdict verdict) {
  return verdict == Verdict::Pass ? "pass" : verdict == Verdict::Fail ? "FAIL" : "skip";
}

std::string gpu::serialize(const Outcome &outcome) {
  std::ostringstream out;
  out << "resources " << outcome.microseconds << ' ' << outcome.registers << ' ' << outcome.localBytes << '\n';
  for (const Mismatch &m : outcome.mismatches)
    out << "mismatch " << m.against << ' ' << m.buffer << ' ' << m.difference.first << ' ' << m.difference.got << ' '
        << m.difference.wanted << ' ' << m.difference.wrong << ' ' << m.difference.elements << '\n';
  out << "done " << outcome.tolerated << ' ' << outcome.trapped << '\n';
  return out.str();
}

void gpu::parse(const std::string &text, Row &row) {
  std::istringstream in(text);
  Outcome &o = row.outcome;
  bool done = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream s(line);
    std::string kind;
    s >> kind >> std::ws;
    if (kind == "error")
      std::getline(s, row.error);
    else if (kind == "resources")
      s >> o.microseconds >> o.registers >> o.localBytes;
    else if (kind == "mismatch") {
      Mismatch m;
      Difference &d = m.difference;
      s >> m.against >> m.buffer >> d.first >> d.got >> d.wanted >> d.wrong >> d.elements;
      o.mismatches.push_back(m);
    } else if (kind == "done")
      done = static_cast<bool>(s >> o.tolerated >> o.trapped);
  }
  if (!done && row.error.empty())
    row.error = "the process of this case ended without a result";
  row.verdict = row.error.empty() && o.mismatches.empty() ? Verdict::Pass : Verdict::Fail;
}

static std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return value < 0 ? "-" : text;
}

static std::string detail(const Row &row) {
  std::ostringstream out;
  out << row.error;
  for (const Mismatch &m : row.outcome.mismatches) {
    const Difference &d = m.difference;
    out << (out.tellp() > 0 ? "; " : "") << "not as " << m.against << ": " << m.buffer << '[' << d.first << "] is "
        << d.got << ", not " << d.wanted << " (" << d.wrong << " of " << d.elements << " differ)";
  }
  if (row.verdict == Verdict::Pass) {
    if (row.outcome.trapped)
      out << "traps, as it should";
    else if (row.outcome.tolerated)
      out << "within tolerance, " << row.outcome.tolerated << " elements have other bits";
    else
      out << "same bits";
  }
  return out.str();
}

static std::string now() {
  std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

Report::Report(Device device, std::string commit) : device(std::move(device)), commit(std::move(commit)), date(now()) {}

void Report::printHead(std::ostream &out) const {
  out << device.name << ", compute capability " << device.major << '.' << device.minor << ", driver " << device.driver
      << " (CUDA " << device.version / 1000 << '.' << device.version % 1000 / 10 << "), commit " << commit << ", "
      << date << "\n\n";
  char line[160];
  std::snprintf(line, sizeof line, "%-40s %-6s %10s %5s %6s  %s", "case", "result", "time [us]", "regs", "local",
                "emulator and expected data");
  out << line << '\n';
}

void Report::add(Row row, std::ostream &out) {
  char line[160];
  const Outcome &o = row.outcome;
  std::snprintf(line, sizeof line, "%-40.80s %-6s %10s %5s %6s  ", row.name.c_str(), nameOf(row.verdict),
                number(o.microseconds, 2).c_str(), number(o.registers, 0).c_str(), number(o.localBytes, 0).c_str());
  out << line << detail(row) << std::endl;
  rows.push_back(std::move(row));
}

size_t Report::count(Verdict verdict) const {
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const Row &row) { return row.verdict == verdict; }));
}

void Report::printSummary(std::ostream &out) const {
  out << '\n'
      << count(Verdict::Pass) << " pass, " << count(Verdict::Fail) << " fail, " << count(Verdict::Skip)
      << " are for other GPUs\n";
}

static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text)
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return out + '"';
}

static void writeRow(const Row &row, std::ostream &out) {
  const Outcome &o = row.outcome;
  std::string verdict = row.verdict == Verdict::Fail ? "fail" : nameOf(row.verdict);
  out << "    {\"name\": " << quoted(row.name) << ", \"result\": " << quoted(verdict)
      << ", \"detail\": " << quoted(detail(row));
  if (o.registers >= 0)
    out << ", \"registers\": " << o.registers << ", \"local_bytes\": " << o.localBytes;
  if (o.microseconds >= 0)
    out << ", \"time_us\": " << number(o.microseconds, 3);
  if (!o.mismatches.empty())
    out << ", \"differences\": [";
  for (const Mismatch &m : o.mismatches)
    out << (&m == o.mismatches.data() ? "" : ", ") << "{\"against\": " << quoted(m.against)
        << ", \"buffer\": " << quoted(m.buffer) << ", \"index\": " << m.difference.first
        << ", \"got\": " << quoted(m.difference.got) << ", \"wanted\": " << quoted(m.difference.wanted)
        << ", \"count\": " << m.difference.wrong << ", \"of\": " << m.difference.elements << '}';
  out << (o.mismatches.empty() ? "}" : "]}");
}

bool Report::write(const std::string &path) const {
  std::ofstream out(path);
  out << "{\n  \"date\": " << quoted(date) << ",\n  \"device\": " << quoted(device.name) << ",\n  \"capability\": \""
      << device.major << '.' << device.minor << "\",\n  \"driver\": " << quoted(device.driver)
      << ",\n  \"cuda\": " << device.version << ",\n  \"commit\": " << quoted(commit)
      << ",\n  \"pass\": " << count(Verdict::Pass) << ",\n  \"fail\": " << count(Verdict::Fail)
      << ",\n  \"skip\": " << count(Verdict::Skip) << ",\n  \"cases\": [";
  for (const Row &row : rows) {
    out << (&row == rows.data() ? "\n" : ",\n");
    writeRow(row, out);
  }
  out << "\n  ]\n}\n";
  return static_cast<bool>(out.flush());
}
