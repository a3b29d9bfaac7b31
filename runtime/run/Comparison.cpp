//===- Comparison.cpp - Whether places agree with each other --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

namespace tileiras::run {

namespace {

/// A buffer, or its beginning, and how close its elements have to be.
struct Subject {
  std::string buffer;
  const ScalarType *type = nullptr; ///< null: elements are bytes, which have to be the same
  uint64_t bytes = 0;
  const LaunchDescription::Expectation *expectation = nullptr;
  bool isWarning = false; ///< nobody has said how close is close enough

  unsigned elementBytes() const { return type ? type->bytes : 1; }
};

std::vector<Subject> listSubjects(const LaunchDescription &description) {
  std::vector<Subject> subjects;
  for (const LaunchDescription::Expectation &expectation : description.expectations)
    subjects.push_back(
        {expectation.buffer, expectation.type, expectation.contents.size(), &expectation, expectation.isWarning});
  auto isNew = [&](llvm::StringRef buffer) {
    return llvm::none_of(subjects, [&](const Subject &each) { return each.buffer == buffer; });
  };
  for (const LaunchDescription::Compared &compared : description.compared) {
    const ScalarType *type = ScalarType::find(compared.type);
    const uint64_t bytes = description.findBuffer(compared.buffer)->bytes;
    if (type && bytes % type->bytes)
      type = nullptr;
    if (isNew(compared.buffer))
      subjects.push_back({compared.buffer, type, bytes});
  }
  for (const LaunchDescription::Result &result : description.results)
    if (isNew(result.buffer))
      subjects.push_back({result.buffer, nullptr, result.bytes, nullptr, /*isWarning=*/true});
  return subjects;
}

uint64_t readElement(const std::vector<uint8_t> &contents, uint64_t offset, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, &contents[offset], bytes);
  return bits;
}

bool isWithinTolerance(const Subject &subject, uint64_t offset, double x, double y) {
  // Without tolerances bits have to be the same: the two zeros differ.
  if (!subject.expectation || (subject.expectation->relative == 0 && subject.expectation->absolute == 0))
    return false;
  const LaunchDescription::Expectation &expectation = *subject.expectation;
  const double expected = subject.type->decode(readElement(expectation.contents, offset, subject.type->bytes));
  return std::fabs(x - y) <= 2 * (expectation.absolute + expectation.relative * std::fabs(expected));
}

bool isWithinBound(const Outcome &outcome, const Subject &subject, uint64_t offset, double x, double y) {
  if (!outcome.getBound)
    return false;
  const double bound = outcome.getBound(subject.buffer, offset);
  // A bound that is no number says that nothing is known.
  return bound != 0 && (!std::isfinite(bound) || std::fabs(x - y) <= bound);
}

bool agree(const Outcome &first, const Outcome &second, const Subject &subject, uint64_t offset, uint64_t a,
           uint64_t b) {
  if (a == b)
    return true;
  if (!subject.type)
    return false;
  const double x = subject.type->decode(a), y = subject.type->decode(b);
  return (std::isnan(x) && std::isnan(y)) || isWithinTolerance(subject, offset, x, y) ||
         isWithinBound(first, subject, offset, x, y) || isWithinBound(second, subject, offset, x, y);
}

void compareSubject(const Outcome &first, const Outcome &second, const Subject &subject, Comparison &comparison) {
  const std::vector<uint8_t> &left = first.buffers.at(subject.buffer), &right = second.buffers.at(subject.buffer);
  const unsigned bytes = subject.elementBytes();
  uint64_t wrong = 0;
  std::string example;
  auto show = [&](uint64_t bits) { return subject.type ? subject.type->format(bits) : std::to_string(bits); };
  for (uint64_t offset = 0; offset < subject.bytes; offset += bytes) {
    const uint64_t a = readElement(left, offset, bytes), b = readElement(right, offset, bytes);
    if (agree(first, second, subject, offset, a, b) || wrong++ != 0)
      continue;
    example = "[" + std::to_string(offset / bytes) + "]: " + getName(first.place).str() + " " + show(a) + ", " +
              getName(second.place).str() + " " + show(b);
  }
  comparison.elements += subject.bytes / bytes;
  if (wrong == 0)
    return;
  comparison.agrees &= subject.isWarning;
  comparison.warns |= subject.isWarning;
  comparison.report += (subject.isWarning ? "warning: buffer '" : "buffer '") + subject.buffer +
                       "': " + std::to_string(wrong) + " of " + std::to_string(subject.bytes / bytes) + " " +
                       (subject.type ? subject.type->name.str() + " elements" : "bytes") + " differ between " +
                       getName(first.place).str() + " and " + getName(second.place).str() + "; the first is " +
                       example + "\n";
}

} // namespace

std::vector<Comparison> compareOutcomes(const LaunchDescription &description, llvm::ArrayRef<Outcome> outcomes) {
  std::vector<Comparison> comparisons;
  const std::vector<Subject> subjects = listSubjects(description);
  const Outcome *first = nullptr;
  for (const Outcome &outcome : outcomes) {
    if (!outcome.ranClean)
      continue;
    if (!first) {
      first = &outcome;
      continue;
    }
    Comparison comparison{first->place, outcome.place, true, 0, false, ""};
    for (const Subject &subject : subjects)
      compareSubject(*first, outcome, subject, comparison);
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

} // namespace tileiras::run
