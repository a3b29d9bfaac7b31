//===- Target.cpp - A GPU back end ---------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

Target::~Target() = default;

const ChipInfo *Target::findChip(llvm::StringRef name) const {
  auto chip = llvm::find_if(chips(), [&](const ChipInfo &chip) { return chip.name == name; });
  if (chip == chips().end())
    chip = llvm::find_if(chips(), [&](const ChipInfo &chip) { return chip.ptxasArch == name; });
  return chip == chips().end() ? nullptr : &*chip;
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static std::string spell(Type type, bool isUnsigned = false) {
  std::string text = isUnsigned ? "unsigned " : "";
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string spell(const AtomElement &element) {
  return (element.isUnsigned ? "unsigned " : "") + element.type;
}

static std::optional<std::string> describeScaleMisfit(const MmaAtom &atom, const MmaQuery &query) {
  const bool isScaled = atom.kind == MmaKind::WarpBlockScaled || atom.scaleBlock != 0;
  if (isScaled != query.isBlockScaled())
    return isScaled ? "its operands have scales" : "its operands have no scales";
  if (!isScaled || (atom.scale.matches(query.elementScale) && int64_t(atom.scaleBlock) == query.scaleBlock))
    return std::nullopt;
  return llvm::formatv("its scales are {0} for {1} elements each, not {2} for {3}", atom.scale.type, atom.scaleBlock,
                       spell(query.elementScale), query.scaleBlock)
      .str();
}

std::optional<std::string> tileiras::describeMisfit(const MmaAtom &atom, const MmaQuery &query) {
  if (!atom.a.matches(query.elementA, query.unsignedA) || !atom.b.matches(query.elementB, query.unsignedB) ||
      !atom.c.matches(query.elementC))
    return llvm::formatv("it multiplies {0} by {1} into {2}, not {3} by {4} into {5}", spell(atom.a), spell(atom.b),
                         atom.c.type, spell(query.elementA, query.unsignedA), spell(query.elementB, query.unsignedB),
                         spell(query.elementC))
        .str();
  if (std::optional<std::string> misfit = describeScaleMisfit(atom, query))
    return misfit;
  const bool repeats = atom.isHeldByOneWarp();
  if (query.k % atom.k != 0 || (!repeats && (query.m % atom.m != 0 || query.n % atom.n != 0)))
    return llvm::formatv("a product of {0}x{1}x{2} (m, n, k) is no multiple of its {3}", query.m, query.n, query.k,
                         repeats ? llvm::formatv("k of {0}", atom.k).str()
                                 : llvm::formatv("{0}x{1}x{2}", atom.m, atom.n, atom.k).str())
        .str();
  return std::nullopt;
}

uint64_t tileiras::getMmaCost(const MmaAtom &atom, const MmaQuery &query) {
  uint64_t instructions = query.batch;
  for (auto [extent, atomExtent] : {std::pair(query.m, atom.m), {query.n, atom.n}, {query.k, atom.k}})
    instructions *= llvm::divideCeil(uint64_t(extent), uint64_t(atomExtent));
  return instructions * atom.issueCycles * atom.tensorCores;
}

FailureOr<MmaCandidates> Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                   llvm::function_ref<InFlightDiagnostic()> emitError) const {
  MmaCandidates candidates;
  for (const MmaAtom &atom : atoms(chip).mma)
    if (!describeMisfit(atom, query))
      candidates.push_back({&atom, getMmaCost(atom, query)});
  llvm::stable_sort(candidates, [](const MmaCandidate &lhs, const MmaCandidate &rhs) { return lhs.cost < rhs.cost; });
  if (candidates.empty() && query.isBlockScaled())
    return emitError() << "failed to find available mma partition: no instruction of " << chip.name << " multiplies "
                       << query.elementA << " by " << query.elementB << " into " << query.elementC
                       << " with a scale of type " << query.elementScale << " for " << query.scaleBlock << " elements";
  return candidates;
}

FailureOr<Footprint> Target::getFootprint(const WorkQuery &query, const ChipInfo &chip,
                                          llvm::function_ref<InFlightDiagnostic()> emitError) const {
  auto explain = [&]() -> InFlightDiagnostic {
    return emitError() << "target '" << getName() << "', " << chip.name << ": ";
  };
  return computeFootprint(query, machine(chip), atoms(chip), explain);
}

//===----------------------------------------------------------------------===//
// Targets made of tables
//===----------------------------------------------------------------------===//

DescribedTarget::DescribedTarget(std::string name, std::vector<ChipDescription> given)
    : name(std::move(name)), descriptions(std::move(given)) {
  for (const ChipDescription &description : descriptions)
    infos.push_back(description.info);
}

const ChipDescription &DescribedTarget::find(const ChipInfo &chip) const {
  auto it = llvm::find_if(descriptions,
                          [&](const ChipDescription &description) { return description.info.name == chip.name; });
  assert(it != descriptions.end() && "asked of a chip that another target serves");
  return *it;
}
