//===- CandidatesTest.cpp - Which instruction a product gets --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/NVIDIA/MmaSync.h"
#include "tileiras/Plugin/DerivedTarget.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;
using Catch::Matchers::Contains;

namespace {

/// Queries, and what is said about them.
struct Questions {
  MLIRContext context;
  std::string said;
  ScopedDiagnosticHandler handler{&context, [this](Diagnostic &diagnostic) {
                                    said += diagnostic.str() + "\n";
                                    return success();
                                  }};

  InFlightDiagnostic error() { return emitError(UnknownLoc::get(&context)); }

  MmaQuery query(Type element, Type accumulator, int64_t m, int64_t n, int64_t k) {
    MmaQuery query;
    query.elementA = query.elementB = element;
    query.elementC = accumulator;
    query.m = m;
    query.n = n;
    query.k = k;
    return query;
  }
  MmaQuery halves(int64_t m, int64_t n, int64_t k) {
    return query(Float16Type::get(&context), Float32Type::get(&context), m, n, k);
  }
};

MmaAtom makeBigAtom() {
  MmaAtom atom = makeMmaSyncAtom({.a = "f16", .b = "f16", .c = "f32", .k = 16}, 512);
  atom.name = "big.m64n64k16";
  atom.kind = MmaKind::Warpgroup;
  atom.m = atom.n = 64;
  atom.spaceB = MemorySpace::Shared;
  atom.warps = atom.tensorCores = 4;
  atom.issueCycles = 4;
  atom.hasLowering = false;
  return atom;
}

/// One chip with a big fast atom that has no lowering, and another with small ones only.
DescribedTarget makeTarget() {
  ChipDescription both, small;
  both.info.name = "both";
  addMmaSyncAtoms(both.atoms.mma, {"f16"}, {"f16"}, {"f32"}, {8, 16}, 256);
  addMmaSyncAtoms(both.atoms.mma, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32}, 512);
  small = both;
  small.info.name = "small";
  small.machine.registersPerSM = 7;
  both.atoms.mma.push_back(makeBigAtom());
  return DescribedTarget("made-up", {both, small});
}

} // namespace

TEST_CASE("what a target knows, it knows of each chip") {
  DescribedTarget target = makeTarget();
  const ChipInfo *both = target.findChip("both"), *small = target.findChip("small");
  REQUIRE(both);
  REQUIRE(small);
  CHECK(target.atoms(*both).findMma("big.m64n64k16"));
  CHECK_FALSE(target.atoms(*small).findMma("big.m64n64k16"));
  CHECK(target.machine(*small).registersPerSM == 7);
}

TEST_CASE("a chip is described when somebody asks what it has, and once") {
  std::vector<std::string> described;
  ChipInfo first, second;
  first.name = "first";
  second.name = "second";
  DescribedTarget target("lazy", {first, second}, [&](const ChipInfo &info) {
    described.push_back(info.name);
    ChipDescription chip;
    chip.info = info;
    chip.machine.registersPerSM = described.size();
    return chip;
  });
  const ChipInfo *chip = target.findChip("second");
  REQUIRE(chip);
  CHECK(described.empty());
  CHECK(target.machine(*chip).registersPerSM == 1);
  CHECK(&target.atoms(*chip) == &target.atoms(*chip));
  CHECK(described == std::vector<std::string>{"second"});
}

TEST_CASE("an element is known by its type") {
  Questions ask;
  MLIRContext *context = &ask.context;
  const std::pair<const char *, Type> pairs[] = {
      {"f16", Float16Type::get(context)},         {"bf16", BFloat16Type::get(context)},
      {"tf32", FloatTF32Type::get(context)},      {"f32", Float32Type::get(context)},
      {"f64", Float64Type::get(context)},         {"e4m3", Float8E4M3FNType::get(context)},
      {"e5m2", Float8E5M2Type::get(context)},     {"e3m2", Float6E3M2FNType::get(context)},
      {"e2m3", Float6E2M3FNType::get(context)},   {"e2m1", Float4E2M1FNType::get(context)},
      {"ue8m0", Float8E8M0FNUType::get(context)}, {"s8", IntegerType::get(context, 8)},
      {"s4", IntegerType::get(context, 4)},       {"s32", IntegerType::get(context, 32)}};
  for (const auto &[name, own] : pairs)
    for (const auto &[otherName, type] : pairs) {
      INFO(name << " and " << otherName);
      CHECK(findPtxElement(name)->matches(type) == (own == type));
    }
  CHECK(findPtxElement("u8")->matches(IntegerType::get(context, 8), /*isUnsigned=*/true));
  CHECK_FALSE(findPtxElement("u8")->matches(IntegerType::get(context, 8)));
  CHECK_FALSE(findPtxElement("s8")->matches(IntegerType::get(context, 8, IntegerType::Signed)));
  CHECK_FALSE(findPtxElement("f32")->matches(IndexType::get(context)));
}

TEST_CASE("an atom fits, or there is a reason") {
  Questions ask;
  DescribedTarget target = makeTarget();
  for (const MmaAtom &atom : target.atoms(*target.findChip("both")).mma)
    for (int64_t extent : {4, 8, 16, 64}) {
      INFO(atom.name << ", " << extent);
      MmaQuery query = ask.halves(extent, extent, extent);
      CHECK(fits(atom, query) == !describeMisfit(atom, query));
      query.elementScale = Float8E8M0FNUType::get(&ask.context);
      CHECK_FALSE(fits(atom, query));
      CHECK(describeMisfit(atom, query));
    }
}

TEST_CASE("candidates come best first") {
  Questions ask;
  DescribedTarget target = makeTarget();
  auto find = [&](const MmaQuery &query) {
    FailureOr<MmaCandidates> found =
        target.findMmaCandidates(query, *target.findChip("both"), [&] { return ask.error(); });
    REQUIRE(succeeded(found));
    return *found;
  };
  MmaCandidates all = find(ask.halves(128, 128, 32));
  REQUIRE(all.size() == 3);
  CHECK(all[0].atom->name == "big.m64n64k16");
  CHECK(all[0].cost == 2 * 2 * 2 * 4 * 4);
  CHECK(all[1].atom->k == 16); // As dear as k = 8, but deeper.
  CHECK(all[1].cost == all[2].cost);
  CHECK(all[1].cost == 8 * 16 * 2 * 8);
  SECTION("batches cost as often") {
    MmaQuery query = ask.halves(128, 128, 32);
    query.batch = 3;
    CHECK(find(query)[0].cost == 3 * all[0].cost);
  }
  SECTION("what is held by one warp repeats rows and columns, the rest divides") {
    MmaCandidates few = find(ask.halves(8, 32, 16));
    REQUIRE(few.size() == 2);
    CHECK(few[0].atom->kind == MmaKind::Warp);
  }
  SECTION("K is never padded") {
    CHECK(find(ask.halves(16, 16, 4)).empty());
  }
  SECTION("signedness counts") {
    MmaQuery query = ask.query(IntegerType::get(&ask.context, 8), IntegerType::get(&ask.context, 32), 16, 8, 32);
    query.unsignedB = true;
    MmaCandidates found = find(query);
    REQUIRE(found.size() == 4); // the others have rows and columns in another order
    CHECK(found[0].atom->name == "mma.m16n8k32.s32.s8.u8");
    CHECK(llvm::all_of(found, [&](const MmaCandidate &candidate) {
      return candidate.atom->instruction == found[0].atom->instruction;
    }));
  }
  SECTION("no atom: ordinary arithmetic") {
    CHECK(find(ask.query(Float32Type::get(&ask.context), Float32Type::get(&ask.context), 16, 16, 16)).empty());
  }
}

TEST_CASE("block scaling wants an atom with the same scales") {
  Questions ask;
  ChipDescription chip;
  chip.info.name = "scaled";
  MmaAtom atom = makeMmaSyncAtom({.a = "e4m3", .b = "e4m3", .c = "f32", .k = 32}, 512);
  atom.kind = MmaKind::WarpBlockScaled;
  atom.scale = *findPtxElement("ue8m0");
  atom.scaleBlock = 32;
  chip.atoms.mma = {atom};
  DescribedTarget target("scaling", {chip});
  MmaQuery query = ask.query(Float8E4M3FNType::get(&ask.context), Float32Type::get(&ask.context), 16, 8, 64);
  auto find = [&] { return target.findMmaCandidates(query, target.chips().front(), [&] { return ask.error(); }); };
  // Without scales the atom does not fit; ordinary arithmetic does.
  CHECK(find()->empty());
  query.elementScale = Float8E8M0FNUType::get(&ask.context);
  query.scaleBlock = 32;
  CHECK(find()->size() == 1);
  query.scaleBlock = 16;
  CHECK(failed(find()));
  CHECK_THAT(ask.said, Contains("failed to find available mma partition") && Contains("'f8E8M0FNU'") && Contains("16"));
}

TEST_CASE("a candidate is passed over only when another remains") {
  Questions ask;
  MmaAtom big = makeBigAtom(), small = makeMmaSyncAtom({.a = "f16", .b = "f16", .c = "f32", .k = 16}, 512);
  auto choose = [&](const MmaCandidates &candidates) {
    return chooseMmaCandidate(
        candidates, [](const MmaAtom &atom) { return atom.isHeldByOneWarp(); }, [&] { return ask.error(); });
  };
  CHECK(*choose({{&small, 1}}) == &small);
  CHECK(*choose({{&big, 1}, {&small, 2}}) == &small);
  CHECK(*choose({}) == nullptr);
  CHECK(*choose({{&big, 1}, {nullptr, 2}}) == nullptr); // The target allows it.
  CHECK(ask.said.empty());
  CHECK(failed(choose({{&big, 1}})));
  CHECK_THAT(ask.said, Contains("\"big.m64n64k16\" (no lowering)"));
  big.hasLowering = true;
  CHECK(failed(choose({{&big, 1}})));
  CHECK_THAT(ask.said, Contains("\"big.m64n64k16\" (no layout for its operands)"));
}

TEST_CASE("a derived chip has what its base has, but for what was changed") {
  Questions ask;
  Registry registry;
  REQUIRE(!registry.addTarget(std::make_shared<DescribedTarget>(
      "base", std::vector<ChipInfo>{{"both", "", "both-a"}}, [](const ChipInfo &info) {
        DescribedTarget all = makeTarget();
        const ChipInfo &chip = *all.findChip("both");
        return ChipDescription{info, all.atoms(chip), all.machine(chip)};
      })));
  REQUIRE(!addDerivedTarget(registry, "mine", "both", [](ChipDescription &chip) {
    chip.machine.sharedMemoryBytes = 1234;
    llvm::erase_if(chip.atoms.mma, [](const MmaAtom &atom) { return atom.name == "big.m64n64k16"; });
    chip.atoms.mma.push_back(chip.atoms.mma.front());
    chip.atoms.mma.back().name = "new";
    chip.atoms.mma.back().issueCycles = 1;
  }));
  const Target *mine = registry.findTargetForChip("mine"), *base = registry.findTargetForChip("both");
  REQUIRE(mine);
  CHECK(mine->getName() == "mine");
  const ChipInfo &chip = *mine->findChip("mine");
  CHECK(mine->machine(chip).sharedMemoryBytes == 1234);
  CHECK(base->machine(*base->findChip("both")).sharedMemoryBytes != 1234);
  auto find = [&](const Target &target, const ChipInfo &chip) {
    FailureOr<MmaCandidates> found =
        target.findMmaCandidates(ask.halves(128, 128, 32), chip, [&] { return ask.error(); });
    REQUIRE(succeeded(found));
    return *found;
  };
  CHECK(find(*base, *base->findChip("both")).front().atom->name == "big.m64n64k16");
  MmaCandidates found = find(*mine, chip);
  REQUIRE(!found.empty());
  CHECK(found.front().atom->name == "new");
  CHECK(found.front().atom == mine->atoms(chip).findMma("new"));
  CHECK(llvm::none_of(found, [](const MmaCandidate &item) { return item.atom->name == "big.m64n64k16"; }));
  // The variant that code is made for is the base's.
  CHECK(registry.findTargetForChip("both-a") == base);
  CHECK_FALSE(registry.findTargetForChip("nothing"));
  CHECK(llvm::toString(addDerivedTarget(registry, "other", "absent", [](ChipDescription &) {
        })).find("is derived from 'absent', which no active plugin serves") != std::string::npos);
}
