//===- DescriptionCheck.cpp - Whether a description fits its kernel -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "Kernel.h"
#include "RunError.h"
#include "TileProgram.h"
#include "llvm/ADT/StringExtras.h"

namespace tileiras::run {

static std::string show(const std::array<uint32_t, 3> &sizes) {
  return "(" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]) + ")";
}

/// An unsigned number stands for bits of any kind.
static bool accepts(const launch::ParameterMetadata &parameter, llvm::StringRef given) {
  if (given.starts_with("u") || given == "bytes" || given == "map")
    return true;
  const llvm::StringRef type = parameter.type;
  if (type == "ptr" || given == "ptr")
    return type == given;
  if (type.starts_with("i"))
    return given.starts_with("i");
  return type == given;
}

/// How people know the parameters: by the program's own words, or else by what the compiler made of them.
static std::vector<std::string> describeParameters(const Kernel &kernel, const launch::KernelMetadata &metadata) {
  std::vector<std::string> texts;
  std::unique_ptr<TileProgram> program = TileProgram::read(kernel);
  cuda_tile::EntryOp entry = program ? program->findEntry(metadata.name) : cuda_tile::EntryOp();
  if (entry && entry.getBody().getNumArguments() == metadata.parameters.size())
    for (mlir::Value parameter : entry.getBody().getArguments())
      texts.push_back(program->describe(parameter));
  else
    for (const launch::ParameterMetadata &parameter : metadata.parameters)
      texts.push_back(parameter.type);
  return texts;
}

static void checkParameters(const Kernel &file, const launch::KernelMetadata &kernel,
                            const LaunchDescription &description) {
  auto fail = [&](const llvm::Twine &message) { throw RunError(Exit::BadInput, description.file + ": " + message); };
  auto name = [&](size_t i) {
    return ("parameter " + llvm::Twine(i) + " of '" + kernel.name + "' (" + describeParameters(file, kernel)[i] + ")")
        .str();
  };
  if (kernel.parameters.size() != description.parameters.size())
    fail("'" + kernel.name + "' has " + llvm::Twine(kernel.parameters.size()) + " parameters, the launch gives " +
         llvm::Twine(description.parameters.size()) + "; it takes (" +
         llvm::join(describeParameters(file, kernel), ", ") + "), and --new-launch writes a launch that has them all");
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const launch::ParameterMetadata &wanted = kernel.parameters[i];
    const LaunchDescription::Parameter &given = description.parameters[i];
    const uint64_t bytes = LaunchDescription::sizeOf(given);
    if (bytes != wanted.bytes)
      fail(name(i) + ", of type '" + wanted.type + "', takes " + llvm::Twine(wanted.bytes) +
           " bytes, the launch gives " + llvm::Twine(bytes) + " (" + given.type + ")");
    if (!accepts(wanted, given.type))
      fail(name(i) + " is of type '" + wanted.type + "', the launch gives '" + given.type + "'; u" +
           llvm::Twine(8 * bytes) + " gives any bits");
  }
}

/// What is said twice has to be the same; zeros say nothing.
static void checkSizes(const launch::KernelMetadata &kernel, const LaunchDescription &description,
                       const std::array<unsigned, 3> &block, const std::array<unsigned, 3> &cluster,
                       uint32_t dynamicShared) {
  auto fail = [&](const char *what, const std::string &given, const std::string &compiled) {
    throw RunError(Exit::BadInput, description.file + ": the launch gives '" + kernel.name + "' " + what + " " + given +
                                       ", it was compiled for " + compiled + ": leave that out of the launch");
  };
  if (block[0] && block != kernel.blockSize)
    fail("a block of", show(block), show(kernel.blockSize));
  if (cluster[0] && cluster != kernel.clusterSize)
    fail("a cluster of", show(cluster), show(kernel.clusterSize));
  if (dynamicShared && dynamicShared != kernel.dynamicSharedBytes)
    fail("dynamic shared memory of", std::to_string(dynamicShared), std::to_string(kernel.dynamicSharedBytes));
}

void checkDescription(const Kernel &kernel, const LaunchDescription &description, const RunOptions &options) {
  if (!kernel.metadata)
    return;
  const std::string &entry =
      options.emulator->entryName.empty() ? description.entry : options.emulator->entryName.getValue();
  const launch::KernelMetadata *found = kernel.findMetadata(entry);
  if (!found) {
    std::vector<std::string> names;
    for (const launch::KernelMetadata &each : kernel.metadata->kernels)
      names.push_back("'" + each.name + "'");
    const std::string list = names.empty() ? "no kernel" : llvm::join(names, ", ");
    throw RunError(Exit::BadInput,
                   entry.empty() ? kernel.file + " has " + list + ": say with --entry, or in the launch, which to run"
                                 : kernel.file + " has no kernel '" + entry + "'; it has " + list);
  }
  checkParameters(kernel, *found, description);
  checkSizes(*found, description, description.block, description.cluster, description.dynamicShared);
  const ptxemu::LaunchOptions given = options.emulator->makeOptions();
  checkSizes(*found, description, given.block, given.cluster, given.dynamicShared);
}

void applyMetadata(const Kernel &kernel, ptxemu::LaunchOptions &options) {
  if (const launch::KernelMetadata *metadata = kernel.findMetadata(options.entry))
    tileiras::applyMetadata(*metadata, options);
}

} // namespace tileiras::run
