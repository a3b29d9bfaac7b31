//===- ReportPage.cpp - A page that shows what became of kernels ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportPage.h"
#include "PageParts.h"
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace tileiras::report {

std::string quote(const std::string &text) {
  std::string quoted = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
      quoted += buffer;
    } else {
      quoted += c;
    }
  return quoted + '"';
}

std::string withLabel(const std::string &estimate, const std::string &label) {
  return "{\"label\":" + quote(label) + "," + estimate.substr(estimate.find('{') + 1);
}

std::string findDataFile(const std::string &folder, const std::string &ptx) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a: the same in both processes, whatever they are compiled with
  for (const char c : ptx)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char name[32];
  std::snprintf(name, sizeof name, "/%016llx.json", static_cast<unsigned long long>(hash));
  return folder + name;
}

/// Within a script element nothing may look like its end; "<" stands in strings alone.
static std::string hideTags(const std::string &json) {
  std::string hidden;
  for (const char c : json)
    if (c == '<')
      hidden += "\\u003c";
    else
      hidden += c;
  return hidden;
}

static std::string escapeHtml(const std::string &text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return escaped;
}

/// The sources that PTX names in its line tables, as far as they are there, as an array of JSON.
static std::string readSources(const std::string &ptx) {
  static const std::regex declaration("^\\s*\\.file\\s+[0-9]+\\s+\"([^\"]*)\"");
  constexpr uintmax_t kMostBytes = 1 << 20;
  std::string sources;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    std::error_code error;
    if (line.find(".file") == std::string::npos || !std::regex_search(line, match, declaration) ||
        !std::filesystem::is_regular_file(match.str(1), error) ||
        std::filesystem::file_size(match.str(1), error) > kMostBytes)
      continue;
    std::ifstream file(match.str(1), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (text.str().find('\0') == std::string::npos)
      sources +=
          (sources.empty() ? "" : ",") + ("{\"file\":" + quote(match.str(1)) + ",\"text\":" + quote(text.str())) + "}";
  }
  return "[" + sources + "]";
}

static std::string describe(const Unit &unit) {
  std::string json = "{\"title\":" + quote(unit.title);
  if (!unit.compilation.empty())
    json += ",\"compilation\":" + unit.compilation;
  else
    json += ",\"ptx\":" + quote(unit.ptx) + ",\"sources\":" + readSources(unit.ptx);
  json += ",\"estimates\":[";
  for (size_t i = 0; i < unit.estimates.size(); ++i)
    json += (i ? "," : "") + unit.estimates[i];
  json += "]";
  if (!unit.run.empty())
    json += ",\"run\":" + unit.run;
  return json + "}";
}

std::string makePage(const std::string &title, const std::vector<Unit> &units) {
  std::string data;
  for (const Unit &unit : units)
    data += (data.empty() ? "" : ",\n") + describe(unit);
  const std::map<std::string, std::string> values = {
      {"TITLE", escapeHtml(title)}, {"STYLE", kStyle}, {"SCRIPT", kScript}, {"DATA", hideTags("[" + data + "]")}};
  // {{NAME}} in the frame is replaced; what comes in is not looked at again.
  std::string page;
  const std::string frame = kFrame;
  for (size_t at = 0; at < frame.size();) {
    const size_t open = frame.find("{{", at), close = frame.find("}}", open);
    page.append(frame, at, open - at);
    if (open == std::string::npos)
      break;
    page += values.at(frame.substr(open + 2, close - open - 2));
    at = close + 2;
  }
  return page;
}

} // namespace tileiras::report
