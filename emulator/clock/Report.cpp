//===- Report.cpp - Estimates for people and programs ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include <cstdio>
#include <numeric>

namespace ptxemu::timing {

namespace {

template <class... Args>
std::string format(const char *text, Args... args) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, text, args...);
  return buffer;
}

std::string duration(double ns) {
  return ns < 1e4 ? format("%.0f ns", ns) : ns < 1e7 ? format("%.2f us", ns / 1e3) : format("%.3f ms", ns / 1e6);
}

double total(const RoleActivity &role) {
  return role.issuing + std::accumulate(role.stalled.begin(), role.stalled.end(), 0.0);
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < ' ')
      out += format("\\u%04x", c);
    else
      out += c;
  }
  return out + "\"";
}

void printRoles(std::ostream &out, const Activity &activity) {
  for (const auto &[name, role] : activity.roles) {
    const double all = total(role);
    if (all <= 0)
      continue;
    out << "warps that " << name << " (" << role.warps << " a CTA): issue "
        << format("%.0f %%", 100 * role.issuing / all);
    for (unsigned i = 0; i < kStalls; ++i)
      if (role.stalled[i] >= all / 200)
        out << ", " << stallName(static_cast<Stall>(i)) << format(" %.0f %%", 100 * role.stalled[i] / all);
    out << '\n';
  }
}

/// Those that a thousandth of the cycles is spent at, the dearest first.
void printJsonLines(std::ostream &out, const std::vector<LineCost> &lines) {
  double all = 0;
  for (const LineCost &line : lines)
    all += line.cycles;
  const char *comma = "";
  for (const LineCost &line : lines) {
    if (line.cycles < all / 1000)
      continue;
    out << comma << "\n    {\"place\": " << quoted(line.place) << ", \"text\": " << quoted(line.text)
        << ", \"share\": " << format("%.6g", line.cycles / all) << ", \"issues\": " << line.issues << "}";
    comma = ",";
  }
}

} // namespace

void printReport(std::ostream &out, const Estimate &e) {
  out << e.machine << " (model" << (e.isTentative ? ", tentative" : "") << format(", %.0f MHz): ", e.gigahertz * 1e3)
      << duration(e.nanoseconds) << ", of which " << duration(e.launchNs) << " launch\n";
  if (e.tflops > 0.001)
    out << format("%-24s%.1f of %.1f TFLOP/s (%.1f %%)\n", "arithmetic", e.tflops, e.possibleTflops,
                  100 * e.tflops / e.possibleTflops);
  out << format("%-24s%.0f of %.0f GB/s (%.1f %%), %.3g MB\n", "DRAM", e.gbs, e.possibleGbs,
                100 * e.gbs / e.possibleGbs, e.dramBytes / 1e6);
  out << "bounded by              " << e.bound << "\nbusy                    ";
  const char *comma = "";
  for (const UnitUse &u : e.units)
    if (u.share >= 0.005) {
      out << comma << u.name << format(" %.0f %%", 100 * u.share);
      comma = ", ";
    }
  out << "\noccupancy               " << e.occupancy.ctas << " CTAs (" << e.occupancy.warps
      << " warps) an SM, limited by " << e.occupancy.limit << ": " << e.needs.threads << " threads, "
      << e.needs.registers << " registers (" << e.registerSource << "), " << e.needs.shared
      << " bytes of shared memory\n";
  if (e.tensorColumns)
    out << "tensor memory           " << e.tensorColumns << " of " << e.possibleColumns << " columns a CTA, "
        << format("%.0f %%", 100 * e.heldColumns) << " of an SM's held on average\n";
  out << "waves                   " << format("%.2f", e.waves) << ", the last on "
      << format("%.0f %%", 100 * e.lastWave) << " of the SMs\n";
  printRoles(out, e.activity);
  for (const std::string &note : e.notes)
    out << "note: " << note << '\n';
}

void printLines(std::ostream &out, const Estimate &e, size_t most) {
  double all = 0;
  for (const LineCost &l : e.lines)
    all += l.cycles;
  for (size_t i = 0; i < std::min(most, e.lines.size()); ++i)
    out << format("%5.1f %%  %9llu x  ", 100 * e.lines[i].cycles / all,
                  static_cast<unsigned long long>(e.lines[i].issues))
        << e.lines[i].place << "  " << e.lines[i].text << '\n';
}

void printJson(std::ostream &out, const Estimate &e) {
  const auto number = [](double v) { return format("%.6g", v); };
  out << "{\n  \"machine\": " << quoted(e.machine)
      << ",\n  \"kind\": \"model\",\n  \"tentative\": " << (e.isTentative ? "true" : "false")
      << ",\n  \"ns\": " << number(e.nanoseconds) << ",\n  \"launch_ns\": " << number(e.launchNs)
      << ",\n  \"mhz\": " << number(e.gigahertz * 1e3) << ",\n  \"tflops\": " << number(e.tflops)
      << ",\n  \"possible_tflops\": " << number(e.possibleTflops) << ",\n  \"dram_gb_s\": " << number(e.gbs)
      << ",\n  \"possible_dram_gb_s\": " << number(e.possibleGbs) << ",\n  \"dram_bytes\": " << number(e.dramBytes)
      << ",\n  \"bound\": " << quoted(e.bound) << ",\n  \"units\": {";
  const char *comma = "";
  for (const UnitUse &u : e.units) {
    out << comma << quoted(u.name) << ": " << number(u.share);
    comma = ", ";
  }
  out << "},\n  \"occupancy\": {\"ctas\": " << e.occupancy.ctas << ", \"warps\": " << e.occupancy.warps
      << ", \"limit\": " << quoted(e.occupancy.limit) << ", \"registers\": " << e.needs.registers
      << ", \"shared\": " << e.needs.shared << "},\n  \"tensor_memory\": {\"columns\": " << e.tensorColumns
      << ", \"held\": " << number(e.heldColumns) << "},\n  \"waves\": " << number(e.waves)
      << ",\n  \"last_wave\": " << number(e.lastWave) << ",\n  \"exact\": " << (e.isExact ? "true" : "false")
      << ",\n  \"roles\": {";
  comma = "";
  for (const auto &[name, role] : e.activity.roles) {
    const double all = std::max(total(role), 1.0);
    out << comma << "\n    " << quoted(name) << ": {\"warps\": " << role.warps
        << ", \"issue\": " << number(role.issuing / all);
    for (unsigned i = 0; i < kStalls; ++i)
      out << ", " << quoted(std::string(stallName(static_cast<Stall>(i)))) << ": " << number(role.stalled[i] / all);
    out << "}";
    comma = ",";
  }
  out << "\n  },\n  \"lines\": [";
  printJsonLines(out, e.lines);
  out << "],\n  \"notes\": [";
  comma = "";
  for (const std::string &note : e.notes) {
    out << comma << quoted(note);
    comma = ", ";
  }
  out << "]\n}\n";
}

} // namespace ptxemu::timing
