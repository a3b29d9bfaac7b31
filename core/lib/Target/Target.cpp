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

const TuningModel &Target::tuning(const ChipInfo &) const {
  static const TuningModel model;
  return model;
}

const ChipInfo *Target::findChip(llvm::StringRef name) const {
  auto chip = llvm::find_if(chips(), [&](const ChipInfo &chip) { return chip.name == name; });
  if (chip == chips().end())
    chip = llvm::find_if(chips(),
                         [&](const ChipInfo &chip) { return chip.ptxasArch == name && name.starts_with(chip.name); });
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

static bool hasScales(const MmaAtom &atom) {
  return atom.kind == MmaKind::WarpBlockScaled || atom.scaleBlock != 0;
}

static bool fitsElements(const MmaAtom &atom, const MmaQuery &query) {
  return atom.a.matches(query.elementA, query.unsignedA) && atom.b.matches(query.elementB, query.unsignedB) &&
         atom.c.matches(query.elementC);
}

static bool fitsScales(const MmaAtom &atom, const MmaQuery &query) {
  if (!hasScales(atom) || !query.isBlockScaled())
    return hasScales(atom) == query.isBlockScaled();
  return atom.scale.matches(query.elementScale) && int64_t(atom.scaleBlock) == query.scaleBlock;
}

static bool fitsExtents(const MmaAtom &atom, const MmaQuery &query) {
  return query.k % atom.k == 0 && (atom.isHeldByOneWarp() || (query.m % atom.m == 0 && query.n % atom.n == 0));
}

bool tileiras::fits(const MmaAtom &atom, const MmaQuery &query) {
  return fitsElements(atom, query) && fitsScales(atom, query) && fitsExtents(atom, query);
}

std::optional<std::string> tileiras::describeMisfit(const MmaAtom &atom, const MmaQuery &query) {
  if (!fitsElements(atom, query))
    return llvm::formatv("it multiplies {0} by {1} into {2}, not {3} by {4} into {5}", spell(atom.a), spell(atom.b),
                         atom.c.type, spell(query.elementA, query.unsignedA), spell(query.elementB, query.unsignedB),
                         spell(query.elementC))
        .str();
  if (hasScales(atom) != query.isBlockScaled())
    return hasScales(atom) ? "its operands have scales" : "its operands have no scales";
  if (!fitsScales(atom, query))
    return llvm::formatv("its scales are {0} for {1} elements each, not {2} for {3}", atom.scale.type, atom.scaleBlock,
                         spell(query.elementScale), query.scaleBlock)
        .str();
  if (!fitsExtents(atom, query))
    return llvm::formatv("an MMA of {0}x{1}x{2} (m, n, k) is no multiple of its {3}", query.m, query.n, query.k,
                         atom.isHeldByOneWarp() ? llvm::formatv("k of {0}", atom.k).str()
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

LogicalResult tileiras::refuseBlockScale(unsigned since, llvm::function_ref<InFlightDiagnostic()> emitError) {
  InFlightDiagnostic diagnostic =
      emitError() << llvm::formatv("mma block scale is not supported by compute capability < sm{0}", since).str();
  diagnostic.attachNote() << llvm::formatv("its chips are sm_{0} (compute capability {1}.{2}) and later ones; --set "
                                           "block-scale=emulate multiplies the scales into the operands",
                                           since, since / 10, since % 10)
                                 .str();
  return failure();
}

FailureOr<MmaCandidates> Target::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                                   llvm::function_ref<InFlightDiagnostic()> emitError) const {
  MmaCandidates candidates;
  for (const MmaAtom &atom : atoms(chip).mma)
    if (fits(atom, query))
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

DescribedTarget::DescribedTarget(std::string name, std::vector<ChipInfo> chips, Describe describe)
    : name(std::move(name)), infos(std::move(chips)), makeDescription(std::move(describe)) {}

DescribedTarget::DescribedTarget(std::string name, std::vector<ChipDescription> given) : name(std::move(name)) {
  for (ChipDescription &description : given) {
    infos.push_back(description.info);
    descriptions.emplace(infos.back().name, std::move(description));
  }
}

const ChipDescription &DescribedTarget::find(const ChipInfo &chip) const {
  assert(llvm::any_of(infos, [&](const ChipInfo &info) { return info.name == chip.name; }) &&
         "asked of a chip that another target serves");
  std::lock_guard lock(mutex);
  auto it = descriptions.find(chip.name);
  if (it == descriptions.end())
    it = descriptions.emplace(chip.name, makeDescription(chip)).first;
  return it->second;
}
