//===- ProfileSchema.cpp - What profiles may say, for editors -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tileiras/Profile/Profile.h"
#include "llvm/Support/JSON.h"

using namespace tileiras;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value toJson(const OptionValue &value) {
  return std::visit([](const auto &plain) { return Value(plain); }, value);
}

static Object describe(const char *type, llvm::StringRef description) {
  return Object{{"type", type}, {"description", description}};
}

static Object describe(const OptionDeclaration &option) {
  Object schema;
  switch (option.kind) {
  case OptionKind::Bool:
    schema["type"] = "boolean";
    break;
  case OptionKind::Integer:
    schema["type"] = "integer";
    schema["minimum"] = option.minimum;
    schema["maximum"] = option.maximum;
    if (!option.values.empty())
      schema["enum"] = Array(option.values);
    break;
  case OptionKind::String:
    schema["type"] = "string";
    break;
  case OptionKind::Choice:
    schema["type"] = "string";
    schema["enum"] = Array(option.choices);
    break;
  }
  schema["description"] = (option.description + " (" + option.owner + ")").str();
  schema["default"] = toJson(option.defaultValue);
  return schema;
}

/// The options whose names begin with `prefix`, without it; with an empty one, those of no table of their own.
static Object describeOptions(const OptionTable &options, llvm::StringRef prefix, llvm::StringRef meaning) {
  Object properties;
  for (const OptionDeclaration &option : options.getAll()) {
    llvm::StringRef name = option.name;
    if (option.readOnly || !name.consume_front(prefix) || name.contains('.'))
      continue;
    properties[name] = describe(option);
    if (llvm::StringRef alias = option.alias; alias.consume_front(prefix) && !alias.empty() && !alias.contains('.')) {
      Object schema = describe(option);
      if (option.isAliasOld)
        schema["deprecated"] = true;
      properties[alias] = std::move(schema);
    }
  }
  Object schema = describe("object", meaning);
  schema["properties"] = std::move(properties);
  schema["additionalProperties"] = false;
  return schema;
}

static Object refer(const char *definition) {
  return Object{{"$ref", (llvm::Twine("#/definitions/") + definition).str()}};
}

static Object listOf(Value item, llvm::StringRef description) {
  Object schema = describe("array", description);
  schema["items"] = std::move(item);
  return schema;
}

static Object describePass() {
  Object object = describe("object", "A pass with options, or on a condition.");
  Object values{{"type", "object"},
                {"description", "Options of the pass; \"${option}\" is the value of a pipeline option."},
                {"additionalProperties", Object{{"type", Array{"boolean", "integer", "string"}}}}};
  object["properties"] = Object{{"pass", describe("string", "The pass, as in --pass-pipeline.")},
                                {"options", std::move(values)},
                                {"when", refer("condition")}};
  object["required"] = Array{"pass"};
  object["additionalProperties"] = false;
  return Object{{"anyOf", Array{describe("string", "A pass, as in --pass-pipeline."), std::move(object)}}};
}

/// Beside a pass of the parent's stage; or, of a new stage, the stage that it is placed beside.
static Object describePlace(llvm::StringRef word) {
  Object passes{{"type", "object"}, {"additionalProperties", listOf(refer("pass"), "")}};
  return Object{
      {"description",
       ("Passes " + word + " one of the parent's stage; of a new stage: the stage that it goes " + word).str()},
      {"anyOf", Array{Object{{"type", "string"}}, std::move(passes)}}};
}

static Object describeStage() {
  Object produces = describe("string", "The IR after the stage.");
  produces["enum"] = Array{"tileaa", "tileas", "llvm-dialect"};
  Object schema = describe("object", "A stage: a new one, one that replaces the parent's, or edits of the parent's.");
  schema["properties"] = Object{
      {"name", describe("string", "Of the stage; the parent's of this name is replaced, or edited.")},
      {"produces", std::move(produces)},
      {"anchor", describe("string", "What the passes are nested on; default: builtin.module.")},
      {"resumes", describe("boolean", "Runs on a module that is given in what the stage produces, too.")},
      {"when", refer("condition")},
      {"passes", listOf(refer("pass"), "The passes, in their order. Without them the parent's stage is edited.")},
      {"remove", listOf(Object{{"type", "string"}}, "Passes of the parent's stage that are left out.")},
      {"before", describePlace("before")},
      {"after", describePlace("after")}};
  schema["required"] = Array{"name"};
  schema["additionalProperties"] = false;
  return schema;
}

static Object describePlugins(const PluginCatalogue &plugins) {
  Array names;
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    names.push_back(plugin.getName());
  Object name = describe("string", "A plugin; these were there when the schema was made, others may be.");
  name["examples"] = std::move(names);
  Object table{{"type", "object"},
               {"properties", Object{{"plugin", Object(name)}, {"when", refer("condition")}}},
               {"required", Array{"plugin"}},
               {"additionalProperties", false}};
  Object schema = describe("object", "Plugins that take part.");
  schema["properties"] = Object{{"require", listOf(Object{{"anyOf", Array{std::move(name), std::move(table)}}},
                                                   "Plugins that have to be there.")}};
  schema["additionalProperties"] = false;
  return schema;
}

void tileiras::printProfileSchema(const PluginCatalogue &plugins, const OptionTable &options,
                                  llvm::ArrayRef<std::string> profiles, llvm::raw_ostream &os) {
  Object inherits = describe("string", "The parent: a shipped profile, or a file that ends in .toml.");
  inherits["examples"] = Array(profiles);
  Object schema = describe("object", "What a compilation does: options, plugins, and the passes, stage by stage.");
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "Profile of tileiras";
  schema["properties"] = Object{{"name", describe("string", "Of the profile; default: the file's.")},
                                {"description", describe("string", "What it is for.")},
                                {"inherits", std::move(inherits)},
                                {"plugins", describePlugins(plugins)},
                                {"options", describeOptions(options, "", "Values of pipeline options, as of --set.")},
                                {"scheduler", describeOptions(options, "scheduler.", "How loops are scheduled.")},
                                {"stage", listOf(refer("stage"), "The stages.")}};
  schema["additionalProperties"] = false;
  schema["definitions"] =
      Object{{"condition", describe("string", "A condition on options, as \"opt-level >= 2\"; default: always.")},
             {"pass", describePass()},
             {"stage", describeStage()}};
  llvm::json::OStream(os, /*IndentSize=*/2).value(std::move(schema));
  os << '\n';
}
