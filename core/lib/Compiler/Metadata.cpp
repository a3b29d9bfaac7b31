//===- Metadata.cpp - What a launcher needs to know -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheUse.h"
#include "Conversion/TileASToLLVM/Control/GridDependencies.h"
#include "WarningFilter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Lowering/SymbolNames.h"
#include "tileiras/Support/Version.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tileiras;
using llvm::json::OStream;

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

/// The names of an entry's hints for `gpuName`.
static std::vector<std::string> getHintNames(cuda_tile::EntryOp entry, llvm::StringRef gpuName) {
  std::vector<std::string> names;
  cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  if (!hints)
    return names;
  for (mlir::DictionaryAttr group : hints.getGroups(gpuName))
    for (mlir::NamedAttribute hint : group)
      if (!llvm::is_contained(names, hint.getName().str()))
        names.push_back(hint.getName().str());
  return names;
}

void CompilerSession::collectHints() {
  llvm::StringRef gpuName = profile.options.getString("compute-capability");
  module->walk([&](cuda_tile::EntryOp entry) { hints[entry.getSymName().str()].given = getHintNames(entry, gpuName); });
}

static unsigned getBytes(mlir::Type type) {
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
}

static std::vector<int64_t> getDimensions(mlir::Operation *op, llvm::StringRef name) {
  std::vector<int64_t> dimensions(3, 1);
  if (auto attribute = op->getAttrOfType<mlir::DenseI32ArrayAttr>(name))
    for (auto [dimension, value] : llvm::zip(dimensions, attribute.asArrayRef()))
      dimension = value;
  return dimensions;
}

static int64_t getInteger(mlir::Operation *op, llvm::StringRef name) {
  auto attribute = op->getAttrOfType<mlir::IntegerAttr>(name);
  return attribute ? attribute.getInt() : 0;
}

void CompilerSession::collectKernels() {
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr("nvvm.kernel"))
      continue;
    Kernel kernel;
    kernel.name = function.getName().str();
    for (mlir::Type type : function.getFunctionType().getParams()) {
      std::string spelling;
      llvm::raw_string_ostream(spelling) << type;
      bool isPointer = mlir::isa<mlir::LLVM::LLVMPointerType>(type);
      kernel.parameters.push_back({isPointer ? "ptr" : spelling, getBytes(type)});
    }
    kernel.tensorMaps = function->getAttrOfType<mlir::ArrayAttr>(kTensorMapsAttr);
    const size_t maps = kernel.tensorMaps ? kernel.tensorMaps.size() : 0;
    std::fill(kernel.parameters.end() - maps, kernel.parameters.end(),
              std::pair<std::string, unsigned>("tensor_map", kTensorMapBytes));
    kernel.blockSize = getDimensions(function, "nvvm.reqntid");
    kernel.clusterSize = getDimensions(function, "nvvm.cluster_dim");
    kernel.registerLimit = getInteger(function, "nvvm.maxnreg");
    kernel.dynamicSharedBytes = getInteger(function, kDynamicSharedBytesAttr);
    kernel.residentCtas = getInteger(function, kResidentCtasAttr);
    kernel.launchesClusters = function->hasAttr(kBlocksAreClustersAttr);
    kernels.push_back(std::move(kernel));
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Dictionaries, arrays, names and numbers.
static llvm::json::Value toJson(mlir::Attribute attribute) {
  if (auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(attribute)) {
    llvm::json::Object object;
    for (mlir::NamedAttribute member : dictionary)
      object[member.getName().getValue()] = toJson(member.getValue());
    return object;
  }
  if (auto elements = mlir::dyn_cast<mlir::ArrayAttr>(attribute))
    return llvm::json::Array(llvm::map_range(elements, toJson));
  if (auto name = mlir::dyn_cast<mlir::StringAttr>(attribute))
    return name.getValue();
  return mlir::cast<mlir::IntegerAttr>(attribute).getInt();
}

template <typename Range>
static void writeArray(OStream &json, llvm::StringRef name, const Range &values) {
  json.attributeArray(name, [&] {
    for (const auto &value : values)
      json.value(value);
  });
}

void CompilerSession::writeTarget(OStream &json) const {
  json.attributeObject("target", [&] {
    json.attribute("gpu", profile.options.getString("compute-capability"));
    if (chip) {
      json.attribute("arch", chip->ptxasArch);
      json.attribute("ptx_version", chip->ptxVersion);
      json.attribute("compute_capability", chip->computeCapability);
    }
  });
}

/// Only of kernels that have some.
static void writeGridDependencies(OStream &json, mlir::LLVM::LLVMFuncOp function) {
  const bool waits = function->hasAttr(kWaitsForGridsAttr), launches = function->hasAttr(kLaunchesGridsAttr);
  if (waits || launches)
    json.attributeObject("grid_dependencies", [&] {
      json.attribute("waits", waits);
      json.attribute("launches", launches);
    });
}

/// What a launcher has to know and to pass.
void CompilerSession::writeLaunch(OStream &json, const Kernel &kernel) const {
  json.attribute("name", kernel.name);
  json.attributeArray("parameters", [&] {
    for (const auto &[type, bytes] : kernel.parameters)
      json.object([&, type = type, bytes = bytes] {
        json.attribute("type", type);
        json.attribute("bytes", bytes);
      });
  });
  writeArray(json, "block_size", kernel.blockSize);
  writeArray(json, "cluster_size", kernel.clusterSize);
  json.attribute("dynamic_shared_bytes", kernel.dynamicSharedBytes);
  json.attribute("launch_blocks", kernel.launchesClusters ? "clusters" : "threads");
  writeArray(json, "launch_block_size", kernel.launchesClusters ? std::vector<int64_t>{1, 1, 1} : kernel.blockSize);
  if (kernel.residentCtas)
    json.attribute("resident_ctas", kernel.residentCtas);
  if (auto function = mlir::SymbolTable(*module).lookup<mlir::LLVM::LLVMFuncOp>(kernel.name))
    writeGridDependencies(json, function);
  if (kernel.tensorMaps)
    json.attribute("tensor_maps", toJson(kernel.tensorMaps));
}

void CompilerSession::writeKernel(OStream &json, const Kernel &kernel) const {
  writeLaunch(json, kernel);
  if (kernel.registerLimit)
    json.attribute("register_limit", kernel.registerLimit);
  for (const KernelResources &resources : assembly.kernels) {
    if (resources.name != kernel.name)
      continue;
    json.attribute("static_shared_bytes", resources.sharedBytes);
    json.attribute("registers", resources.registers);
    json.attribute("stack_bytes", resources.stackBytes);
    json.attribute("spill_store_bytes", resources.spillStoreBytes);
    json.attribute("spill_load_bytes", resources.spillLoadBytes);
    json.attribute("barriers", resources.barriers);
  }
  writeHints(json, kernel.name);
}

/// A hint nobody has said to ignore was honoured.
void CompilerSession::writeHints(OStream &json, const std::string &kernel) const {
  auto it = hints.find(kernel);
  const Hints known = it == hints.end() ? Hints() : it->second;
  std::vector<std::string> honoured = known.given;
  llvm::erase_if(honoured, [&](const std::string &name) {
    return llvm::any_of(known.ignored,
                        [&](const std::string &text) { return text.find("'" + name + "'") != std::string::npos; });
  });
  json.attributeObject("hints", [&] {
    writeArray(json, "honoured", honoured);
    writeArray(json, "ignored", known.ignored);
  });
}

/// An array for the end of the PTX: the part of the metadata that a launcher reads from the cubin when it has no file.
std::string CompilerSession::makeLaunchMetadata() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os);
  json.object([&] {
    json.attribute("tileiras", getVersion());
    writeTarget(json);
    json.attributeArray("kernels", [&] {
      for (const Kernel &kernel : kernels)
        json.object([&] { writeLaunch(json, kernel); });
    });
  });
  return text;
}

std::string CompilerSession::printLaunchMetadata() const {
  const std::string text = makeLaunchMetadata();
  auto bytes = llvm::map_range(text, [](char c) { return std::to_string(static_cast<unsigned char>(c)); });
  return llvm::formatv("\n.global .align 1 .b8 {0}[{1}] = {{{2}};\n", makeInternalSymbol("metadata"), text.size(),
                       llvm::join(bytes, ","))
      .str();
}

/// What makes kernels slow; the names are those of -W.
void CompilerSession::writePerformanceWarnings(OStream &json) const {
  json.attributeArray("performance_warnings", [&] {
    for (const WarningFilter::Performance &warning : warnings->getPerformance())
      json.object([&] {
        json.attribute("name", warning.name);
        json.attribute("kernel", warning.kernel);
        json.attribute("message", warning.message);
        if (warning.file.empty())
          return;
        json.attribute("file", warning.file);
        json.attribute("line", warning.line);
        json.attribute("column", warning.column);
      });
  });
}

void CompilerSession::writeMetadata(llvm::raw_ostream &os) const {
  if (isFromCache()) {
    os << cacheUse->found->metadata;
    return;
  }
  OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("product", stringifyProduct(options.product));
    writeTarget(json);
    json.attributeArray("kernels", [&] {
      for (const Kernel &kernel : kernels)
        json.object([&] { writeKernel(json, kernel); });
    });
    json.attributeObject("profile", [&] {
      json.attribute("name", profile.name);
      json.attribute("file", profile.file);
      writeArray(json, "inherits", profile.lineage);
      json.attributeObject("options", [&] {
        for (const OptionDeclaration &option : profile.options.getTable().getAll())
          if (profile.options.isSet(option.name))
            json.attribute(option.name, printOptionValue(profile.options.inspect(option.name).value));
      });
    });
    json.attribute("pipeline", getPipelineText());
    json.attributeArray("plugins", [&] {
      for (const std::string &name : activePlugins)
        json.object([&] {
          json.attribute("name", name);
          json.attribute("version", plugins->find(name)->info->version);
          json.attribute("build", getBuildId(plugins->find(name)->info));
        });
    });
    json.attributeObject("versions", [&] {
      json.attribute("tileiras", getVersion());
      json.attribute("build", getBuildId());
      json.attribute("llvm", getLLVMVersion());
      json.attribute("plugin_abi", TILEIRAS_PLUGIN_ABI_VERSION);
      if (!assemblerName.empty())
        json.attribute(assemblerName, assemblerVersion);
    });
    writeArray(json, "warnings", assembly.warnings);
    writePerformanceWarnings(json);
  });
  os << '\n';
}
