//===- PluginLoader.cpp - Finding and activating plugins ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/PluginLoader.h"
#include "SdkHash.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Support/Version.h"
#include "tileiras/Support/WrappedText.h"
#include "tileiras/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <boost/dll/shared_library.hpp>
#include <elf.h>
#include <mutex>

using namespace tileiras;

static constexpr llvm::StringLiteral kEntrySymbol = "tileirasGetPluginInfo";
static constexpr llvm::StringLiteral kAbiSymbolPrefix = "tileirasPluginAbi";
static constexpr llvm::StringLiteral kSdkSymbolPrefix = "tileirasPluginSdk_";

template <typename... Args>
static llvm::Error makeError(const char *format, Args &&...args) {
  return llvm::createStringError(llvm::formatv(format, std::forward<Args>(args)...).str());
}

bool DiscoveredPlugin::provides(PluginContents::Kind kind, llvm::StringRef name) const {
  return llvm::any_of(contents, [&](const PluginContents &item) { return item.kind == kind && name == item.name; });
}

//===----------------------------------------------------------------------===//
// Discovery
//===----------------------------------------------------------------------===//

/// "0.1.0 (headers 0123456789abcdef)".
static std::string describeSdk(llvm::StringRef hash, llvm::StringRef version) {
  return llvm::join(llvm::split(version, '_'), ".") + " (headers " + hash.str() + ")";
}

/// A plugin uses classes as its headers describe them: any other header may mean another layout.
static llvm::Error checkSdk(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> symbols) {
  const SdkName ours = getSdkName();
  for (llvm::StringRef symbol : symbols) {
    if (!symbol.consume_front(kSdkSymbolPrefix))
      continue;
    auto [hash, version] = symbol.split('_');
    if (hash == ours.hash)
      return llvm::Error::success();
    return makeError(
        "plugin '{0}' was built with the SDK of tileiras {1}, and this is tileiras {2}; build it again with "
        "the SDK of this one",
        path, describeSdk(hash, version), describeSdk(ours.hash, ours.version));
  }
  return makeError("plugin '{0}' does not say which SDK it was built with; build it with tileiras_add_plugin, and the "
                   "SDK of tileiras {1}",
                   path, describeSdk(ours.hash, ours.version));
}

/// Not those of .symtab: they are gone from a stripped object.
static llvm::Expected<std::vector<llvm::StringRef>>
readDynamicSymbols(const llvm::object::ELFFile<llvm::object::ELF64LE> &file) {
  std::vector<llvm::StringRef> names;
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != SHT_DYNSYM)
      continue;
    auto strings = file.getStringTableForSymtab(section, *sections);
    if (!strings)
      return strings.takeError();
    auto symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    for (const auto &symbol : *symbols)
      if (llvm::Expected<llvm::StringRef> name = symbol.getName(*strings))
        names.push_back(*name);
      else
        llvm::consumeError(name.takeError());
  }
  return names;
}

/// Reads the dynamic symbols without loading: an object of another ABI usually cannot even be loaded, and what the
/// loader says then helps nobody.
static llvm::Error checkSymbols(llvm::StringRef path) {
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(path);
  auto *object = file ? llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(file->getBinary()) : nullptr;
  if (!object) {
    llvm::consumeError(file.takeError());
    return makeError("plugin '{0}' is not a shared object", path);
  }
  llvm::Expected<std::vector<llvm::StringRef>> found = readDynamicSymbols(object->getELFFile());
  if (!found)
    return makeError("plugin '{0}' cannot be read: {1}", path, llvm::toString(found.takeError()));
  const std::vector<llvm::StringRef> &symbols = *found;
  if (!llvm::is_contained(symbols, kEntrySymbol))
    return makeError("'{0}' is not a tileiras plugin: it does not export '{1}'", path, kEntrySymbol);
  for (llvm::StringRef symbol : symbols) {
    unsigned abi;
    if (symbol.consume_front(kAbiSymbolPrefix) && !symbol.getAsInteger(10, abi) && abi != TILEIRAS_PLUGIN_ABI_VERSION)
      return makeError("plugin '{0}' was built for plugin ABI version {1}, this tileiras has version {2}; rebuild it",
                       path, abi, TILEIRAS_PLUGIN_ABI_VERSION);
  }
  return checkSdk(path, symbols);
}

/// LLVM keeps its ABI within a minor release: 22.1.7 and 22.1.8 agree.
static bool isSameLLVM(llvm::StringRef version) {
  llvm::StringRef ours = LLVM_VERSION_STRING;
  return version.rsplit('.').first == ours.rsplit('.').first;
}

/// "1..64", "1..", "0, 32, 64", or nothing.
static bool readIntegers(llvm::StringRef text, OptionDeclaration &option) {
  if (text.contains("..")) {
    auto [first, last] = text.split("..");
    return !first.getAsInteger(10, option.minimum) && (last.empty() || !last.getAsInteger(10, option.maximum));
  }
  for (llvm::StringRef item : llvm::split(text, ','))
    if (!text.empty() && item.trim().getAsInteger(10, option.values.emplace_back()))
      return false;
  if (!option.values.empty()) {
    option.minimum = *llvm::min_element(option.values);
    option.maximum = *llvm::max_element(option.values);
  }
  return true;
}

/// The option that `item` declares. Its texts live as long as the plugin, which is never unloaded.
static llvm::Expected<OptionDeclaration> readOption(llvm::StringRef plugin, const PluginContents &item) {
  static constexpr OptionKind kinds[] = {OptionKind::Bool, OptionKind::Integer, OptionKind::String, OptionKind::Choice};
  const PluginOption &said = item.option;
  auto wrong = [&](const llvm::Twine &reason) {
    return makeError("plugin '{0}' declares option '{1}' wrongly: {2}", plugin, item.name, reason.str());
  };
  llvm::StringRef name = item.name;
  if (name.empty() ||
      !llvm::all_of(name, [](char c) { return llvm::isLower(c) || llvm::isDigit(c) || c == '-' || c == '.'; }))
    return wrong("a name has small letters, digits, '-' and '.'");
  if (!said.description || !*said.description || !said.defaultValue || !said.values || !said.alias || !said.environment)
    return wrong("a description, a default or the values are missing");
  if (said.kind > PluginOption::Choice)
    return wrong("there is no such kind");
  // Front ends keep compiled programs by what --version says, and it tells of these variables.
  if (*said.environment && !llvm::StringRef(said.environment).starts_with("TILEIR_"))
    return wrong("the variable that says its default must begin with 'TILEIR_'");
  OptionDeclaration option{name, kinds[said.kind], false, said.description};
  option.alias = said.alias;
  option.isAliasOld = true;
  option.owner = plugin.str();
  option.namesOutput = said.namesOutput;
  if (said.kind == PluginOption::Integer && !readIntegers(said.values, option))
    return wrong("'" + llvm::Twine(said.values) + "' are no integers");
  if (said.kind == PluginOption::Choice)
    for (llvm::StringRef choice : llvm::split(said.values, ','))
      option.choices.push_back(choice.trim());
  llvm::Expected<OptionValue> value = parseOption(option, said.defaultValue, Origin());
  if (!value)
    return wrong("its default: " + llvm::toString(value.takeError()));
  option.defaultValue = std::move(*value);
  const std::optional<std::string> variable =
      *said.environment ? llvm::sys::Process::GetEnv(said.environment) : std::nullopt;
  if (!variable)
    return option;
  value =
      parseOption(option, *variable, Origin::described((said.environment + llvm::Twine(" in the environment")).str()));
  if (!value)
    return value.takeError();
  option.defaultValue = std::move(*value);
  return option;
}

/// Whether every row of a plugin's table has its texts. Tables of TILEIRAS_REMARK_TABLE do.
static bool isComplete(std::span<const RemarkInfo> remarks) {
  return llvm::all_of(remarks, [](const RemarkInfo &info) {
    return info.kind <= RemarkInfo::Analysis && info.name && *info.name && info.category && info.category->name &&
           *info.category->name && info.category->meaning && info.meaning && info.advice;
  });
}

static llvm::Expected<DiscoveredPlugin> describe(llvm::StringRef path, TileirasGetPluginInfo getInfo) {
  const TileirasPluginInfo *info = getInfo();
  if (!info)
    return makeError("plugin '{0}' does not describe itself: '{1}' returned nothing", path, kEntrySymbol);
  if (info->abiVersion != TILEIRAS_PLUGIN_ABI_VERSION)
    return makeError("plugin '{0}' was built for plugin ABI version {1}, this tileiras has version {2}; rebuild it",
                     path, info->abiVersion, TILEIRAS_PLUGIN_ABI_VERSION);
  if (!info->llvmVersion || !isSameLLVM(info->llvmVersion))
    return makeError("plugin '{0}' was built against LLVM {1}, this tileiras uses LLVM {2}; rebuild it", path,
                     info->llvmVersion ? info->llvmVersion : "of no version", LLVM_VERSION_STRING);
  if (!info->name || !info->version || !info->kind || !info->status || !info->describe || !info->activate)
    return makeError("plugin '{0}' does not describe itself: its name, version, kind, status, or its functions "
                     "'describe' and 'activate' are missing",
                     path);
  size_t count = 0;
  const PluginContents *contents = info->describe(&count);
  if (count != 0 && !contents)
    return makeError("plugin '{0}' does not describe itself: 'describe' returned nothing", path);
  DiscoveredPlugin plugin{path.str(), info, {contents, contents + count}, {}};
  for (const PluginContents &item : plugin.contents) {
    if (!item.name)
      return makeError("plugin '{0}' does not describe itself: one of its contents has no name", path);
    if (!isComplete(item.remarks))
      return makeError(
          "plugin '{0}' does not describe itself: one of its remarks lacks its name, its category, what it "
          "means or what to do about it",
          path);
    if (item.kind != PluginContents::Option)
      continue;
    llvm::Expected<OptionDeclaration> option = readOption(info->name, item);
    if (!option)
      return option.takeError();
    plugin.options.push_back(std::move(*option));
  }
  return plugin;
}

llvm::Expected<DiscoveredPlugin> tileiras::discoverPlugin(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return makeError("plugin '{0}' does not exist", path);
  if (llvm::sys::fs::is_directory(path))
    return makeError("plugin '{0}' is a directory, not a shared object", path);
  if (llvm::Error error = checkSymbols(path))
    return error;

  // A path without a slash would be searched by the loader.
  llvm::SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  // What plugins of the installation call is there: it was linked with them. It is bound when it is called, since most
  // of them are not used. Of any other plugin the loader says at once what is missing.
  const bool isInstalled = llvm::sys::path::parent_path(absolute) == getInstalledPluginDirectory();
  // Never unloaded: MLIR keeps pointers into it. One handle for each file, however many sessions ask for it.
  static std::mutex mutex;
  static auto *libraries = new llvm::StringMap<boost::dll::shared_library>;
  std::lock_guard lock(mutex);
  boost::dll::shared_library &library = (*libraries)[absolute];
  try {
    if (!library.is_loaded())
      library.load(boost::dll::fs::path(absolute.str().str()),
                   (isInstalled ? boost::dll::load_mode::rtld_lazy : boost::dll::load_mode::rtld_now) |
                       boost::dll::load_mode::rtld_local);
  } catch (const boost::dll::fs::system_error &error) {
    // The text after the reason is the errno of an unrelated call.
    llvm::StringRef reason = error.what();
    reason.consume_front("boost::dll::shared_library::load() failed (dlerror system message: ");
    return makeError("plugin '{0}' cannot be loaded: {1}", path, reason.split(')').first);
  }
  return describe(path, library.get<const TileirasPluginInfo *()>(kEntrySymbol.str()));
}

llvm::Error PluginCatalogue::addFile(llvm::StringRef path) {
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(path);
  if (!plugin)
    return plugin.takeError();
  if (const DiscoveredPlugin *other = find(plugin->getName())) {
    // One object named twice, or found in a directory before: the same plugin.
    if (other->info != plugin->info && isExplicit(*other))
      return makeError("plugin '{0}' is given twice: by '{1}' and by '{2}'", plugin->getName(), other->path, path);
    llvm::erase_if(plugins, [&](const DiscoveredPlugin &item) { return item.getName() == plugin->getName(); });
  }
  explicitPaths.push_back(plugin->path);
  plugins.push_back(std::move(*plugin));
  return llvm::Error::success();
}

llvm::Error PluginCatalogue::addDirectory(llvm::StringRef directory) {
  std::error_code code;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator it(directory, code), end; it != end && !code; it.increment(code)) {
    llvm::StringRef name = llvm::sys::path::filename(it->path());
    if (name.starts_with("tileiras-") && name.ends_with(".so"))
      files.push_back(it->path());
  }
  if (code)
    return makeError("plugin directory '{0}' cannot be read: {1}", directory, code.message());
  llvm::sort(files);
  for (const std::string &file : files) {
    llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(file);
    if (!plugin)
      problems.push_back(llvm::toString(plugin.takeError()));
    else if (!find(plugin->getName()))
      plugins.push_back(std::move(*plugin));
  }
  return llvm::Error::success();
}

std::string tileiras::getInstalledPluginDirectory() {
  llvm::SmallString<128> path(getLibraryPath());
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "tileiras", "plugins");
  return path.str().str();
}

llvm::Error PluginCatalogue::addDefaultDirectories() {
  llvm::SmallVector<std::string> directories;
  if (auto variable = llvm::sys::Process::GetEnv("TILEIRAS_PLUGIN_PATH"))
    for (llvm::StringRef directory : llvm::split(*variable, ':'))
      if (!directory.empty())
        directories.push_back(directory.str());
  directories.push_back(getInstalledPluginDirectory());
  for (const std::string &directory : directories)
    if (llvm::sys::fs::is_directory(directory))
      if (llvm::Error error = addDirectory(directory))
        return error;
  return llvm::Error::success();
}

const DiscoveredPlugin *PluginCatalogue::find(llvm::StringRef name) const {
  auto it = llvm::find_if(plugins, [&](const DiscoveredPlugin &plugin) { return plugin.getName() == name; });
  return it == plugins.end() ? nullptr : &*it;
}

const DiscoveredPlugin *PluginCatalogue::findProvider(PluginContents::Kind kind, llvm::StringRef name) const {
  auto it = llvm::find_if(plugins, [&](const DiscoveredPlugin &plugin) { return plugin.provides(kind, name); });
  return it == plugins.end() ? nullptr : &*it;
}

bool PluginCatalogue::isExplicit(const DiscoveredPlugin &plugin) const {
  return llvm::is_contained(explicitPaths, plugin.path);
}

llvm::Expected<std::shared_ptr<const OptionTable>> PluginCatalogue::collectOptions() const {
  auto table = std::make_shared<OptionTable>();
  for (const DiscoveredPlugin &plugin : plugins) {
    table->addPlugin(plugin.getName());
    for (const OptionDeclaration &option : plugin.options)
      if (llvm::Error error = table->add(option))
        return error;
    for (const PluginContents &item : plugin.contents)
      if (llvm::StringRef old = item.option.alias; item.kind == PluginContents::Pass && !old.empty())
        table->addOldPass(old, item.name);
  }
  return table;
}

std::vector<std::pair<llvm::StringRef, const DiscoveredPlugin *>> PluginCatalogue::getChips() const {
  std::vector<std::pair<llvm::StringRef, const DiscoveredPlugin *>> chips;
  for (const DiscoveredPlugin &plugin : plugins)
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Target)
        chips.emplace_back(item.name, &plugin);
  llvm::sort(chips, [](const auto &a, const auto &b) {
    return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
  });
  return chips;
}

/// What is left of the spellings of one GPU: "RTX 4090" and "rtx-4090", "sm_NN", "compute_NN", "smNN" and "N.N".
static std::string foldGpuName(llvm::StringRef name) {
  std::string folded;
  for (char c : name)
    if (llvm::isAlnum(c))
      folded.push_back(llvm::toLower(c));
  llvm::StringRef rest = folded;
  for (llvm::StringRef prefix : {"nvidia", "geforce", "compute", "lto", "sm", "cc"})
    rest.consume_front(prefix);
  return rest.str();
}

/// Whether `gpuName` is the chip's name in another spelling, or one of the products that the plugin says have it.
static bool isSameGpu(llvm::StringRef gpuName, const PluginContents &target) {
  const std::string folded = foldGpuName(gpuName);
  if (folded == foldGpuName(target.name))
    return true;
  llvm::StringRef products = target.option.alias ? target.option.alias : "";
  return llvm::any_of(llvm::split(products, ','), [&](llvm::StringRef product) {
    return !product.trim().empty() && foldGpuName(product) == folded;
  });
}

std::string PluginCatalogue::suggestChips(llvm::StringRef gpuName) const {
  for (const DiscoveredPlugin &plugin : plugins)
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Target && isSameGpu(gpuName, item))
        return ("it is called '" + llvm::Twine(item.name) + "' here (plugin '" + plugin.getName() + "')").str();
  auto chips = getChips();
  if (chips.empty())
    return "no plugin provides a target";
  constexpr unsigned maxDistance = 2; // of two spellings that are near
  unsigned least = maxDistance;
  for (const auto &[chip, plugin] : chips)
    least = std::min(least, gpuName.edit_distance_insensitive(chip));
  std::vector<std::string> all, nearest;
  for (const auto &[chip, plugin] : chips) {
    all.push_back(chip.str());
    if (gpuName.edit_distance_insensitive(chip) == least)
      nearest.push_back((chip + " (plugin '" + plugin->getName() + "')").str());
  }
  if (nearest.empty())
    return "known are " + llvm::join(all, ", ") + ", and native for the one that is there";
  return (nearest.size() == 1 ? "the nearest is " : "the nearest are ") + llvm::join(nearest, ", ");
}

std::vector<DeclaredRemark> PluginCatalogue::collectRemarks() const {
  std::vector<DeclaredRemark> all;
  for (const RemarkInfo &info : kRemarks)
    all.push_back({&info, "core"});
  for (const DiscoveredPlugin &plugin : plugins)
    for (const PluginContents &item : plugin.contents)
      for (const RemarkInfo &info : item.remarks)
        all.push_back({&info, plugin.getName()});
  llvm::stable_sort(all, [](const DeclaredRemark &a, const DeclaredRemark &b) {
    auto key = [](const RemarkInfo &info) {
      return std::tuple(llvm::StringRef(info.category->name), llvm::StringRef(info.name), info.kind);
    };
    return key(*a.info) < key(*b.info);
  });
  return all;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

llvm::StringRef tileiras::stringifyKind(PluginContents::Kind kind) {
  switch (kind) {
  case PluginContents::Pass:
    return "pass";
  case PluginContents::Scheduler:
    return "scheduler";
  case PluginContents::Target:
    return "target";
  case PluginContents::Dialect:
    return "dialect";
  case PluginContents::Option:
    return "option";
  case PluginContents::Remarks:
    return "remarks";
  case PluginContents::Requires:
    return "requires";
  }
  return "unknown";
}

/// Options and requirements are there by being described.
static bool isRegistered(const PluginContents &item) {
  return item.kind != PluginContents::Option && item.kind != PluginContents::Remarks &&
         item.kind != PluginContents::Requires;
}

void PluginCatalogue::printTable(llvm::raw_ostream &os) const {
  size_t nameColumns = 12;
  for (const DiscoveredPlugin &plugin : plugins)
    nameColumns = std::max(nameColumns, plugin.getName().size());
  const unsigned indent = nameColumns + 1 + 20 + 1 + 8 + 1 + 14 + 1; // of the last column
  auto row = [&](llvm::StringRef name, llvm::StringRef kind, llvm::StringRef version, llvm::StringRef status,
                 llvm::StringRef adds) {
    std::string line;
    llvm::raw_string_ostream(line) << llvm::left_justify(name, nameColumns) << ' ' << llvm::left_justify(kind, 20)
                                   << ' ' << llvm::left_justify(version, 8) << ' ' << llvm::left_justify(status, 14)
                                   << ' ';
    os << line << wrapText(adds, countColumns(line), indent) << '\n';
  };
  row("NAME", "KIND", "VERSION", "STATUS", "ADDS");
  for (const DiscoveredPlugin &plugin : plugins) {
    // Options and remarks have tables of their own: --help-options, --help-remarks.
    std::vector<std::string> adds;
    for (const PluginContents &item : plugin.contents)
      if (isRegistered(item))
        adds.push_back(item.name);
    for (const PluginContents &item : plugin.contents)
      if (item.kind == PluginContents::Requires)
        adds.push_back((llvm::Twine("requires ") + item.name).str());
    row(plugin.info->name, plugin.info->kind, plugin.info->version, plugin.info->status, llvm::join(adds, ", "));
  }
  printChips(os);
  for (const std::string &problem : problems)
    os << wrapText("not usable: " + problem, 0, 2) << '\n';
}

void PluginCatalogue::printChips(llvm::raw_ostream &os) const {
  auto chips = getChips();
  if (!chips.empty())
    os << "\nGPU          PLUGIN\n";
  for (const auto &[chip, plugin] : chips)
    os << llvm::left_justify(chip, 12) << ' ' << plugin->getName() << '\n';
}

void PluginCatalogue::printInfo(const DiscoveredPlugin &plugin, llvm::raw_ostream &os) const {
  const TileirasPluginInfo &info = *plugin.info;
  os << "name:    " << info.name << "\nkind:    " << info.kind << "\nversion: " << info.version
     << "\nstatus:  " << info.status << "\nfile:    " << plugin.path << "\nABI:     " << info.abiVersion
     << "\nLLVM:    " << info.llvmVersion << "\nadds:\n";
  for (const PluginContents &item : plugin.contents)
    if (item.kind != PluginContents::Requires)
      os << "  " << llvm::left_justify(stringifyKind(item.kind), 10) << item.name << '\n';
  for (const PluginContents &item : plugin.contents)
    if (item.kind == PluginContents::Requires)
      os << "requires " << item.name << '\n';
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

/// Everything `owner` has in `registry`, as "kind name".
static llvm::StringSet<> collectContents(const Registry &registry, llvm::StringRef owner) {
  llvm::StringSet<> names;
  for (const PassEntry *entry : registry.getPasses())
    if (entry->owner == owner)
      names.insert("pass " + entry->argument);
  for (const SchedulerEntry *entry : registry.getSchedulers())
    if (entry->owner == owner)
      names.insert("scheduler " + entry->name);
  for (const Target *target : registry.getTargets())
    if (registry.getTargetOwner(target) == owner)
      for (const ChipInfo &chip : target->chips())
        names.insert("target " + chip.name);
  for (const DialectEntry *entry : registry.getDialects())
    if (entry->owner == owner)
      names.insert("dialect " + entry->name);
  return names;
}

static llvm::Error checkDescription(const DiscoveredPlugin &plugin, const Registry &registry) {
  llvm::StringSet<> registered = collectContents(registry, plugin.getName());
  for (const PluginContents &item : plugin.contents) {
    if (!isRegistered(item))
      continue;
    std::string name = (stringifyKind(item.kind) + " " + item.name).str();
    if (!registered.erase(name))
      return makeError("plugin '{0}' describes {1} but does not register it", plugin.getName(), name);
  }
  if (!registered.empty())
    return makeError("plugin '{0}' registers {1} but does not describe it", plugin.getName(),
                     registered.begin()->first());
  return llvm::Error::success();
}

llvm::Error tileiras::activatePlugin(const DiscoveredPlugin &plugin, Registry &registry) {
  Registry staged = registry;
  staged.setCurrentOwner(plugin.getName());
  if (const char *message = plugin.info->activate(&staged))
    return makeError("plugin '{0}' cannot be activated: {1}", plugin.getName(), message);
  if (llvm::Error error = checkDescription(plugin, staged))
    return error;
  staged.setCurrentOwner("core");
  registry = std::move(staged);
  return llvm::Error::success();
}
