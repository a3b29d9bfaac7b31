//===- Plugin.h - The entry point of a plugin -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a plugin's Plugin.cpp includes. It defines one activation function and says TILEIRAS_PLUGIN(…):
//
//   static llvm::Error activate(tileiras::Registry &registry) { return registry.addPass({…}); }
//   static constexpr tileiras::PluginContents contents[] = {{tileiras::PluginContents::Pass, "my-pass"}};
//   TILEIRAS_PLUGIN("mine", "1.0", "passes", "experimental", contents, activate)
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_PLUGIN_H
#define TILEIRAS_PLUGIN_PLUGIN_H

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "tileiras/Diagnostics/RemarkTable.h"
#include "tileiras/Plugin/Registry.h"
#include "llvm/Config/llvm-config.h"
#include <span>

/// The version of the plugin interface, for people: raised when plugins have to be changed, not just built again. What
/// decides whether a plugin fits is the hash of the SDK's headers, which tileiras_add_plugin (TileirasPlugin.cmake)
/// compiles into it.
#define TILEIRAS_PLUGIN_ABI_VERSION 7

// The number becomes part of a symbol: it has to be expanded before it is pasted.
#define TILEIRAS_DETAIL_PASTE(A, B) A##B
#define TILEIRAS_DETAIL_ABI_SYMBOL(VERSION) TILEIRAS_DETAIL_PASTE(tileirasPluginAbi, VERSION)

namespace tileiras {

/// What a plugin says of a profile option that it declares. In text, so that discovery can check it.
struct PluginOption {
  enum Kind { Bool, Integer, String, Choice } kind = Bool;
  const char *defaultValue = "false"; ///< as --set spells it
  const char *description = nullptr;
  /// Integer: the range "1..64", "1.." without an end, or the accepted values "0, 32, 64". Choice: "none, all".
  const char *values = "";
  /// Of an option or a pass: its name of old, for which there is a warning. Of a target: products that have the GPU,
  /// "x100, x200".
  const char *alias = "";
  /// Of an option: the variable of the environment that, where it is set, says the default; "" for none.
  const char *environment = "";
  /// Of an option: its value says where something goes that a compilation writes besides its product. Such compilations
  /// are not taken from a cache.
  bool namesOutput = false;
};

/// One thing a plugin adds. Read at discovery, before any code of the plugin but the entry point has run: profiles are
/// read, and their options checked, before any plugin is active.
struct PluginContents {
  /// Requires: another plugin, which is looked for where plugins are, and activated before this one.
  enum Kind { Pass, Scheduler, Target, Dialect, Option, Remarks, Requires } kind;
  /// Pass argument, scheduler name, --gpu-name, dialect namespace, option or plugin; of remarks: any name.
  const char *name;
  PluginOption option = {};                 ///< of others than options: the alias alone
  std::span<const RemarkInfo> remarks = {}; ///< Remarks: the table, `kRemarks` of TILEIRAS_REMARK_TABLE
};

} // namespace tileiras

extern "C" {
/// Plain data: its layout never changes, so that a plugin of another ABI can be refused in words.
struct TileirasPluginInfo {
  uint32_t abiVersion;     ///< TILEIRAS_PLUGIN_ABI_VERSION
  const char *llvmVersion; ///< LLVM_VERSION_STRING it was built against
  const char *name;        ///< what profiles require
  const char *version;
  const char *kind;   ///< "passes", "scheduler", "target", "dialect", or a mixture in words
  const char *status; ///< "stable", "experimental", …
  /// What the plugin adds, and requires: `*count` entries. Passes, schedulers, targets and dialects are registered by
  /// activate().
  const tileiras::PluginContents *(*describe)(size_t *count);
  /// Registers everything. Returns null, or a message that stays valid until the next call. Never throws.
  const char *(*activate)(tileiras::Registry *registry);
};

using TileirasGetPluginInfo = const TileirasPluginInfo *(*)();
}

namespace tileiras::detail {
/// Converts errors and exceptions of an activation function into the message of TileirasPluginInfo::activate.
const char *runActivation(llvm::Error (*activate)(Registry &), Registry &registry);
/// Registers the passes of `activate` with MLIR's global registry, for `mlir-opt --load-pass-plugin`.
void registerPassesWithMlir(llvm::Error (*activate)(Registry &));
/// Adds the dialects of `activate` to `dialects`, for `mlir-opt --load-dialect-plugin`.
void registerDialectsWithMlir(llvm::Error (*activate)(Registry &), mlir::DialectRegistry &dialects);
} // namespace tileiras::detail

/// Defines tileirasGetPluginInfo, MLIR's own plugin entries, and the symbol by which discovery sees the ABI version
/// before it loads the object.
#define TILEIRAS_PLUGIN(NAME, VERSION, KIND, STATUS, CONTENTS, ACTIVATE)                                               \
  extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT const char TILEIRAS_DETAIL_ABI_SYMBOL(TILEIRAS_PLUGIN_ABI_VERSION)[] =  \
      NAME;                                                                                                            \
  extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT const TileirasPluginInfo *tileirasGetPluginInfo() {                     \
    static const TileirasPluginInfo info = {                                                                           \
        TILEIRAS_PLUGIN_ABI_VERSION,                                                                                   \
        LLVM_VERSION_STRING,                                                                                           \
        NAME,                                                                                                          \
        VERSION,                                                                                                       \
        KIND,                                                                                                          \
        STATUS,                                                                                                        \
        [](size_t *count) -> const tileiras::PluginContents * {                                                        \
          *count = std::size(CONTENTS);                                                                                \
          return std::data(CONTENTS);                                                                                  \
        },                                                                                                             \
        [](tileiras::Registry *registry) { return tileiras::detail::runActivation(ACTIVATE, *registry); }};            \
    return &info;                                                                                                      \
  }                                                                                                                    \
  extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {                   \
    return {MLIR_PLUGIN_API_VERSION, NAME, VERSION, [] { tileiras::detail::registerPassesWithMlir(ACTIVATE); }};       \
  }                                                                                                                    \
  extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {             \
    return {MLIR_PLUGIN_API_VERSION, NAME, VERSION,                                                                    \
            [](mlir::DialectRegistry *dialects) { tileiras::detail::registerDialectsWithMlir(ACTIVATE, *dialects); }}; \
  }

#endif // TILEIRAS_PLUGIN_PLUGIN_H
