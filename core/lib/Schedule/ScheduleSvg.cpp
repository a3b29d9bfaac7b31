//===- ScheduleSvg.cpp - Pictures of schedules ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;

namespace {

constexpr double kWidth = 1200, kLabelWidth = 110, kLane = 26, kTitle = 44, kGap = 30;
/// Of iterations; chosen to be told apart by people who do not see red and green (Okabe and Ito).
constexpr const char *kColours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"};

std::string escapeXml(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

/// One schedule, drawn from `top` down.
class Picture {
public:
  Picture(const NamedSchedule &named, double top, llvm::raw_ostream &os)
      : named(named), problem(named.problem), schedule(named.schedule), top(top), os(os) {
    // As many iterations as overlap, and one more.
    numIterations = std::min<uint64_t>(schedule.getNumStages() + 1, 6);
    for (auto [index, operation] : llvm::enumerate(problem.operations)) {
      uint64_t end = uint64_t(schedule.starts[index]) + 1;
      for (const ResourceUse &use : operation.uses)
        end = std::max(end, uint64_t(schedule.starts[index]) + use.offset + use.duration);
      length = std::max(length, end);
    }
    length += (numIterations - 1) * schedule.initiationInterval;
  }

  static double getHeight(const NamedSchedule &named) {
    return kTitle + kLane * double(named.problem.units.size()) + kGap;
  }

  void draw() {
    drawTitle();
    for (auto [index, unit] : llvm::enumerate(problem.units))
      drawLane(index, unit);
    for (uint64_t iteration = 0; iteration < numIterations; ++iteration)
      for (unsigned i = 0; i < problem.operations.size(); ++i)
        for (const ResourceUse &use : problem.operations[i].uses)
          drawUse(iteration, i, use);
    for (uint64_t iteration = 1; iteration <= numIterations; ++iteration)
      drawInterval(iteration);
  }

private:
  double getX(uint64_t cycle) const {
    return kLabelWidth + (kWidth - kLabelWidth) * double(std::min(cycle, length)) / double(length);
  }
  double getY(unsigned unit) const { return top + kTitle + kLane * unit; }

  void drawTitle() {
    os << llvm::formatv("<text x=\"4\" y=\"{0:f1}\" font-weight=\"bold\">{1}</text>\n", top + 16,
                        escapeXml(named.name));
    os << llvm::formatv("<text x=\"4\" y=\"{0:f1}\">II {1}, ResMII {2}, RecMII {3}, {4} stage{5}, by {6}</text>\n",
                        top + 34, schedule.initiationInterval, problem.getResMII(), problem.getRecMII(),
                        schedule.getNumStages(), schedule.getNumStages() == 1 ? "" : "s", escapeXml(named.scheduler));
  }

  void drawLane(unsigned index, const ExecutionUnit &unit) {
    os << llvm::formatv("<text x=\"4\" y=\"{0:f1}\">{1}</text>\n", getY(index) + 17, escapeXml(unit.name));
    os << llvm::formatv("<line x1=\"{0:f1}\" x2=\"{1:f1}\" y1=\"{2:f1}\" y2=\"{2:f1}\" stroke=\"#ccc\"/>\n",
                        kLabelWidth, kWidth, getY(index) + kLane);
  }

  void drawUse(uint64_t iteration, unsigned index, const ResourceUse &use) {
    const uint64_t start = uint64_t(schedule.starts[index]) + iteration * schedule.initiationInterval + use.offset;
    const double x = getX(start), width = std::max(getX(start + use.duration) - x, 0.5);
    const std::string name = escapeXml(problem.operations[index].name);
    os << llvm::formatv(
        "<rect x=\"{0:f2}\" y=\"{1:f1}\" width=\"{2:f2}\" height=\"{3:f1}\" fill=\"{4}\" "
        "fill-opacity=\"0.75\" stroke=\"white\" stroke-width=\"0.5\"><title>{5}, iteration {6}: cycles {7} "
        "to {8}</title></rect>\n",
        x, getY(use.unit) + 2, width, kLane - 4, kColours[iteration % std::size(kColours)], name, iteration, start,
        start + use.duration);
    if (width > 7.0 * double(name.size()))
      os << llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" fill=\"white\">{2}</text>\n", x + 3, getY(use.unit) + 17,
                          name);
  }

  void drawInterval(uint64_t iteration) {
    const uint64_t cycle = iteration * schedule.initiationInterval;
    if (cycle > length)
      return;
    os << llvm::formatv("<line x1=\"{0:f1}\" x2=\"{0:f1}\" y1=\"{1:f1}\" y2=\"{2:f1}\" stroke=\"black\" "
                        "stroke-dasharray=\"4 3\"/>\n",
                        getX(cycle), getY(0), getY(problem.units.size()));
    os << llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\">{2}</text>\n", getX(cycle) + 3,
                        getY(problem.units.size()) + 12, cycle);
  }

  const NamedSchedule &named;
  const ScheduleProblem &problem;
  const Schedule &schedule;
  double top;
  llvm::raw_ostream &os;
  uint64_t length = 1, numIterations;
};

} // namespace

void tileiras::drawSchedules(llvm::ArrayRef<NamedSchedule> schedules, llvm::raw_ostream &os) {
  double height = 0;
  for (const NamedSchedule &named : schedules)
    height += Picture::getHeight(named);
  os << llvm::formatv(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:f0} {1:f0}\" font-family=\"sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth + 40, height);
  double top = 0;
  for (const NamedSchedule &named : schedules) {
    Picture(named, top, os).draw();
    top += Picture::getHeight(named);
  }
  os << "</svg>\n";
}
