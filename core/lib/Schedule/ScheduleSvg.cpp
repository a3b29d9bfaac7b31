//===- ScheduleSvg.cpp - Pictures of schedules ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "tileiras/Schedule/ScheduleReport.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tileiras;

std::string tileiras::describePlace(mlir::Operation *op) {
  auto line = op ? op->getLoc()->findInstanceOf<mlir::FileLineColLoc>() : mlir::FileLineColLoc();
  return line ? (llvm::sys::path::filename(line.getFilename().getValue()) + ":" + llvm::Twine(line.getLine())).str()
              : "";
}

namespace {

constexpr double kWidth = 1200, kLabelWidth = 150, kLane = 26, kTitle = 66, kAxis = 44, kGap = 24;
constexpr double kLetter = 6.6; ///< width of a letter, about

/// Of an iteration: chosen to be told apart by people who do not see red and green (Okabe and Ito).
struct Colour {
  const char *area, *text;
};
constexpr Colour kColours[] = {{"#0072b2", "white"}, {"#e69f00", "black"}, {"#009e73", "white"},
                               {"#cc79a7", "black"}, {"#56b4e9", "black"}, {"#d55e00", "white"}};

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

/// "produce_one.3" of "async.pipeline.produce_one.3": what tells operations apart where there is little room.
llvm::StringRef dropNamespaces(llvm::StringRef name) {
  const llvm::StringRef unnumbered = name.rsplit('.').first;
  return name.drop_front(unnumbered.rfind('.') + 1); // npos + 1 is 0
}

/// 1, 2 or 5 times a power of ten: about ten of them in `length`.
uint64_t chooseTick(uint64_t length) {
  uint64_t power = 1;
  while (power * 100 <= length)
    power *= 10;
  for (uint64_t factor : {1, 2, 5})
    if (length / (power * factor) <= 12)
      return power * factor;
  return power * 10;
}

/// The units that operations use.
std::vector<unsigned> findUsedUnits(const ScheduleProblem &problem) {
  std::vector<unsigned> used;
  for (unsigned unit = 0; unit < problem.units.size(); ++unit)
    if (llvm::any_of(problem.operations, [&](const ScheduleOperation &operation) {
          return llvm::any_of(operation.uses, [&](const ResourceUse &use) { return use.unit == unit; });
        }))
      used.push_back(unit);
  return used;
}

/// One schedule, drawn from `top` down.
class Picture {
public:
  Picture(const NamedSchedule &named, double top, llvm::raw_ostream &os)
      : named(named), problem(named.problem), schedule(named.schedule), top(top), os(os), rows(findUsedUnits(problem)) {
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
    return kTitle + kLane * double(findUsedUnits(named.problem).size()) + kAxis + kGap;
  }

  void draw() {
    drawTitle();
    drawLegend();
    for (unsigned row = 0; row < rows.size(); ++row)
      drawRow(row);
    forEachUse([&](uint64_t iteration, unsigned index, const ResourceUse &use) { drawUse(iteration, index, use); });
    drawAxis();
    for (uint64_t iteration = 0; iteration < numIterations; ++iteration)
      drawInterval(iteration);
    // Names last: nothing covers them.
    forEachUse([&](uint64_t iteration, unsigned index, const ResourceUse &use) { drawName(iteration, index, use); });
  }

private:
  double getX(uint64_t cycle) const {
    return kLabelWidth + (kWidth - kLabelWidth) * double(std::min(cycle, length)) / double(length);
  }
  double getY(unsigned row) const { return top + kTitle + kLane * row; }
  double getBottom() const { return getY(rows.size()); }

  void write(double x, double y, llvm::StringRef text, llvm::StringRef attributes = "") {
    os << llvm::formatv("<text x=\"{0:f1}\" y=\"{1:f1}\"{2}{3}>{4}</text>\n", x, y, attributes.empty() ? "" : " ",
                        attributes, escapeXml(text));
  }

  void drawTitle() {
    write(4, top + 16, named.place.empty() ? named.name : named.name + " (" + named.place + ")",
          "font-weight=\"bold\"");
    const unsigned stages = schedule.getNumStages();
    write(4, top + 34,
          llvm::formatv(
              "II {0}: an iteration begins every {0} cycles (ResMII {1}, RecMII {2}); {3} stage{4}; scheduler {5}",
              schedule.initiationInterval, problem.getResMII(), problem.getRecMII(), stages, stages == 1 ? "" : "s",
              named.scheduler)
              .str());
  }

  void drawLegend() {
    double x = kLabelWidth;
    for (uint64_t iteration = 0; iteration < numIterations; ++iteration) {
      os << llvm::formatv("<rect x=\"{0:f1}\" y=\"{1:f1}\" width=\"12\" height=\"12\" fill=\"{2}\"/>\n", x, top + 44,
                          getColour(iteration).area);
      write(x + 17, top + 54, ("iteration " + llvm::Twine(iteration)).str());
      x += 100;
    }
    drawLine(x + 6, x + 6, top + 43, top + 57, kIntervalStroke);
    write(x + 17, top + 54, "an iteration begins");
  }

  void drawLine(double x1, double x2, double y1, double y2, llvm::StringRef stroke) {
    os << llvm::formatv("<line x1=\"{0:f1}\" x2=\"{1:f1}\" y1=\"{2:f1}\" y2=\"{3:f1}\" {4}/>\n", x1, x2, y1, y2,
                        stroke);
  }

  /// A unit, and how much of an interval it is busy.
  void drawRow(unsigned row) {
    const ExecutionUnit &unit = problem.units[rows[row]];
    uint64_t busy = 0;
    for (const ScheduleOperation &operation : problem.operations)
      for (const ResourceUse &use : operation.uses)
        busy += use.unit == rows[row] ? use.duration : 0;
    const double share = double(busy) / double(uint64_t(unit.capacity) * schedule.initiationInterval);
    write(4, getY(row) + 17, unit.name);
    write(kLabelWidth - 8, getY(row) + 17, llvm::formatv("{0:f0} % busy", 100 * share).str(),
          "text-anchor=\"end\" fill=\"#555\"");
    drawLine(kLabelWidth, kWidth, getY(row) + kLane, getY(row) + kLane, "stroke=\"#ccc\"");
  }

  void drawAxis() {
    const double y = getBottom();
    drawLine(kLabelWidth, kWidth, y, y, "stroke=\"black\"");
    const uint64_t tick = chooseTick(length);
    for (uint64_t cycle = 0; cycle <= length; cycle += tick) {
      drawLine(getX(cycle), getX(cycle), y, y + 5, "stroke=\"black\"");
      write(getX(cycle), y + 18, std::to_string(cycle), "text-anchor=\"middle\"");
    }
    write((kLabelWidth + kWidth) / 2, y + 36, "cycles (modelled)", "text-anchor=\"middle\"");
  }

  void drawInterval(uint64_t iteration) {
    const uint64_t cycle = iteration * schedule.initiationInterval;
    drawLine(getX(cycle), getX(cycle), getY(0) - 4, getBottom(), kIntervalStroke);
  }

  void forEachUse(llvm::function_ref<void(uint64_t, unsigned, const ResourceUse &)> visit) {
    for (uint64_t iteration = 0; iteration < numIterations; ++iteration)
      for (unsigned i = 0; i < problem.operations.size(); ++i)
        for (const ResourceUse &use : problem.operations[i].uses)
          visit(iteration, i, use);
  }

  /// Where a use is: its first cycle, its row, and the area's left side and width.
  struct Area {
    uint64_t start;
    unsigned row;
    double x, width;
  };
  Area getArea(uint64_t iteration, unsigned index, const ResourceUse &use) const {
    const uint64_t start = uint64_t(schedule.starts[index]) + iteration * schedule.initiationInterval + use.offset;
    const double x = getX(start);
    return {start, unsigned(llvm::lower_bound(rows, use.unit) - rows.begin()), x,
            std::max(getX(start + use.duration) - x, 0.5)};
  }

  void drawUse(uint64_t iteration, unsigned index, const ResourceUse &use) {
    const Area area = getArea(iteration, index, use);
    const ScheduleOperation &operation = problem.operations[index];
    const std::string place = describePlace(operation.op);
    os << llvm::formatv("<rect x=\"{0:f2}\" y=\"{1:f1}\" width=\"{2:f2}\" height=\"{3:f1}\" fill=\"{4}\" "
                        "fill-opacity=\"0.75\" stroke=\"white\" stroke-width=\"0.5\"><title>{5}, iteration {6}: cycles "
                        "{7} to {8}{9}</title></rect>\n",
                        area.x, getY(area.row) + 2, area.width, kLane - 4, getColour(iteration).area,
                        escapeXml(operation.name), iteration, area.start, area.start + use.duration,
                        escapeXml(place.empty() ? "" : ", " + place));
  }

  /// The name, or its beginning, where at least three letters fit.
  void drawName(uint64_t iteration, unsigned index, const ResourceUse &use) {
    const Area area = getArea(iteration, index, use);
    const llvm::StringRef name = dropNamespaces(problem.operations[index].name);
    const size_t room = size_t(std::max(0.0, area.width - 6) / kLetter);
    if (room < std::min<size_t>(name.size(), 4))
      return;
    write(area.x + 3, getY(area.row) + 17, room < name.size() ? name.take_front(room - 1).str() + "…" : name.str(),
          ("fill=\"" + llvm::Twine(getColour(iteration).text) + "\"").str());
  }

  static const Colour &getColour(uint64_t iteration) { return kColours[iteration % std::size(kColours)]; }

  static constexpr llvm::StringLiteral kIntervalStroke = "stroke=\"black\" stroke-dasharray=\"4 3\"";

  const NamedSchedule &named;
  const ScheduleProblem &problem;
  const Schedule &schedule;
  double top;
  llvm::raw_ostream &os;
  std::vector<unsigned> rows; ///< units, in their order
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
