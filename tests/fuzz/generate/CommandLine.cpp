//===- CommandLine.cpp - Options that say what they accept ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;
namespace cl = llvm::cl;

bool PositiveParser::parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text, double &number) {
  if (llvm::to_float(text, number) && number > 0)
    return false;
  return option.error("'" + text + "' is no number above 0", name);
}

bool WeightParser::parse(cl::Option &option, llvm::StringRef name, llvm::StringRef text, Weight &weight) {
  if (text == "list") {
    for (const Feature &feature : getFeatures())
      llvm::outs() << "  " << feature.name << "=" << feature.weight << "  " << feature.summary << '\n';
    llvm::outs().flush();
    exit(0);
  }
  llvm::Expected<Weight> parsed = parseWeight(text);
  if (!parsed)
    return option.error(toString(parsed.takeError()), name);
  weight = *parsed;
  return false;
}

GeneratorFlags::GeneratorFlags(cl::OptionCategory &group)
    : shape("shapes", cl::desc("what programs are made of"), cl::init(ProgramShape::Mixed), cl::cat(group),
            cl::values(clEnumValN(ProgramShape::Mixed, "mixed", "steps of all features"),
                       clEnumValN(ProgramShape::Loops, "loops", "mainly loops of loads and matrix products"),
                       clEnumValN(ProgramShape::Streams, "streams", "mainly loops of loads, reductions and copies"),
                       clEnumValN(ProgramShape::Carried, "carried", "loops that carry tiles around matrix products"),
                       clEnumValN(ProgramShape::Far, "far", "views with sizes and strides near 2^31 and 2^32"),
                       clEnumValN(ProgramShape::Any, "any", "one of these, by the seed"))),
      size("size", cl::desc("about how many steps a program has"), cl::init(24), cl::cat(group)),
      maxElements("max-elements", cl::desc("of a tile"), cl::init(512), cl::cat(group)),
      rowFactor("row-factor", cl::desc("loops of products have so many times as many rows"), cl::init(1),
                cl::cat(group)),
      hints("hints", cl::desc("percent of kernels that have hints"), cl::init(GeneratorOptions().hints),
            cl::cat(group)),
      hostileNames("hostile-names", cl::desc("percent of names that PTX or its tools know, or do not have"),
                   cl::init(GeneratorOptions().hostileNames), cl::cat(group)),
      secondKernels("second-kernels", cl::desc("percent of modules with another kernel"),
                    cl::init(GeneratorOptions().secondKernels), cl::cat(group)),
      features("features", cl::CommaSeparated,
               cl::desc("how often steps of a feature are made (0: never, but those of others may contain its "
                        "operations); \"list\" shows the features"),
               cl::cat(group)) {}

GeneratorOptions GeneratorFlags::getOptions() const {
  GeneratorOptions options;
  options.shape = shape;
  options.size = size;
  options.maxElements = maxElements;
  options.rowFactor = rowFactor;
  options.hints = hints;
  options.hostileNames = hostileNames;
  options.secondKernels = secondKernels;
  for (const Weight &weight : features)
    options.weights[weight.feature] = weight.weight;
  return options;
}
